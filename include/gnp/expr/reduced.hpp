// SPDX-License-Identifier: MIT
// reduced<...>: sum(x, 1) before it has run. It runs when it is stored, printed or converted to a number.
// Inside an expression it is part of the statement, whose kernels are planned together.
#pragma once

#include <gnp/core/number.hpp>
#include <gnp/expr/expression.hpp>

namespace gnp { inline namespace GNP_ABI {

template <class Reducer, element Computed, element Result, class X>
class reduced;

namespace detail {

template <class X>
inline constexpr bool is_reduced_v = false;
template <class Reducer, class A, class R, class X>
inline constexpr bool is_reduced_v<reduced<Reducer, A, R, X>> = true;

template <class Reducer, class A, class R, class X>
inline constexpr bool is_deferred_v<reduced<Reducer, A, R, X>> = true;
template <class Reducer, class A, class R, class X>
inline constexpr bool stays_in_expressions_v<reduced<Reducer, A, R, X>> = true;

/// An operand with arrays in place of its reductions: what remains to be computed after these have run.
template <class X>
struct resolved {
  using type = X;
};
template <class Op, class... X>
struct resolved<expression<Op, X...>> {
  using type = expression<Op, typename resolved<X>::type...>;
};
template <class Reducer, class A, class R, class X>
struct resolved<reduced<Reducer, A, R, X>> {
  using type = array<R>;
};
template <class X>
using resolved_t = typename resolved<X>::type;

/// What a reduction stores of its operand. Arrays and expressions are stored as they are. A matrix product is
/// computed now, because otherwise it would be computed again whenever the reduction runs.
template <class X>
using reducible_t = std::conditional_t<is_deferred_v<X> && !is_reduced_v<X>, array<typename X::value_type>, X>;

/// The options of a reduction, after its function has checked them.
struct reduction_options {
  axis_set axes;
  int rank = 0;  // of the operand
  bool keepdims = false;
  double parameter = 0;  // the count of a mean, the ddof of a variance
  const char* function = "";
  number initial = {};  // one more element
};

/// The shape of a result: its reduced axes are dropped, or have size 1.
GNP_INLINE shape_t reduced_shape(const shape_t& shape, const axis_set& axes, bool keepdims) {
  shape_t result;
  for (int d = 0; d < shape.rank(); ++d) {
    if (!axes.chosen[d]) {
      result.push_back(shape[d]);
    } else if (keepdims) {
      result.push_back(1);
    }
  }
  return result;
}

/// The number of elements along the axes that are reduced.
GNP_INLINE index_t reduced_length(const shape_t& shape, const axis_set& axes) {
  index_t length = 1;
  for (int d = 0; d < shape.rank(); ++d) length *= axes.chosen[d] ? shape[d] : 1;
  return length;
}

}  // namespace detail

/// Has one element for each position along the remaining axes. `Reducer` computes it from the elements along
/// the reduced axes.
template <class Reducer, element Computed, element Result, class X>
class reduced : public detail::array_members<reduced<Reducer, Computed, Result, X>>,
                public detail::one_element<reduced<Reducer, Computed, Result, X>, Result> {
 public:
  using value_type = Result;
  using reducer = Reducer;
  using computed_type = Computed;
  using operand_type = X;
  using detail::array_members<reduced>::shape;

  reduced(X operand, const detail::reduction_options& options)
      : operand_(std::move(operand)),
        options_(options),
        shape_(detail::reduced_shape(operand_.shape(), options.axes, options.keepdims)) {}
  /// The same reduction, seen with more axes of size 1, or fewer.
  reduced(const reduced& same, const shape_t& shape)
      : operand_(same.operand_), options_(same.options_), shape_(shape), in_own_shape_(false) {}

  const shape_t& shape() const { return shape_; }
  /// Is the shape the one that follows from its axes and keepdims?
  bool in_own_shape() const { return in_own_shape_; }
  gnp::device device() const { return operand_.device(); }

  const X& operand() const { return operand_; }
  const detail::reduction_options& options() const { return options_; }

  array<Result> compute() const { return detail::computed_reduction(*this); }
  void compute_into(const array<Result>& destination, const char* function) const {
    detail::run_statement(*this, destination, function);
  }

 private:
  X operand_;
  detail::reduction_options options_;
  detail::moving_shape shape_;
  bool in_own_shape_ = true;
};

namespace detail {

/// (Only with all, newaxis and ellipsis: the elements have not been computed yet.)
template <class X>
  requires stays_in_expressions_v<X>
X indexed_operands(const X& x, const shape_t& shape, const index_arg* indices, std::size_t count) {
  shape_t own(shape.size(), 1);
  std::copy(x.shape().begin(), x.shape().end(), own.end() - x.shape().rank());
  return {x, index_view(own, own, indices, count).shape};
}

}  // namespace detail

}}  // namespace gnp::GNP_ABI
