// SPDX-License-Identifier: MIT
// reduced<...>: sum(x, 1) before it has run. It runs when it is stored, printed or converted to a number.
// Inside an expression it is part of the statement, whose kernels are planned together.
#pragma once

#include <gnp/core/number.hpp>
#include <gnp/expr/expression.hpp>
#include <vector>
#ifdef GNP_READS_BODIES
#include <algorithm>
#endif

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

  reduced(const X& operand, const detail::reduction_options& options)
      : operand_(operand),
        options_(options),
        shape_(detail::reduced_shape(operand_.shape(), options.axes, options.keepdims)) {}
  /// The same reduction, seen with more axes of size 1, or fewer. It may be seen with no elements, too.
  reduced(const reduced& same, const shape_t& shape)
      : operand_(same.operand_),
        options_(same.options_),
        shape_(shape),
        in_own_shape_(shape == detail::reduced_shape(operand_.shape(), options_.axes, options_.keepdims)) {}

  // A temporary cannot be assigned to: sum(x, 1)(0) = c would have no effect.
  reduced(const reduced&) = default;
  reduced(reduced&&) noexcept = default;
  ~reduced() = default;
  reduced& operator=(const reduced&) & = default;
  reduced& operator=(reduced&&) & noexcept = default;
  template <class Value>
    requires(array_like<Value> || scalar_like<Value>)
  void operator=(const Value&) && {
    detail::refuse_assignment_to_computed<Value>();
  }

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

/// What an index of an expression takes of a reduction inside it.
struct part_of_reduction {
  shape_t shape;  // of the result
  /// Of the reduction's operand; empty if the index takes all of it.
  std::vector<index_arg> of_operand;
  reduction_options options;
};
/// `own` is the reduction's shape, `operand` that of its operand, and `whole` that of the expression.
GNP_DECLARED part_of_reduction index_reduction(const shape_t& own, const reduction_options& options,
                                               const shape_t& operand, const shape_t& whole,
                                               const index_arg* indices, std::size_t count);

/// The reduction of a part of the operand: sum(x, 1)(slice(2)) is sum(x(slice(2)), 1), and adds up two rows.
template <class X>
  requires stays_in_expressions_v<X>
X indexed_operands(const X& x, const shape_t& shape, const index_arg* indices, std::size_t count) {
  const part_of_reduction part =
      index_reduction(x.shape(), x.options(), x.operand().shape(), shape, indices, count);
  if (part.of_operand.empty()) return {x, part.shape};
  return {X(x.operand().index(part.of_operand), part.options), part.shape};
}

}  // namespace detail

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One index for each axis of an array of this rank: without newaxis, and with an ellipsis spelled out.
inline std::vector<index_arg> index_of_each_axis(int rank, const index_arg* indices, std::size_t count) {
  std::vector<index_arg> of_axes(static_cast<std::size_t>(rank), index_arg(all));
  const auto takes_an_axis = [](const index_arg& i) {
    return i.what() == index_arg::kind::integer || i.what() == index_arg::kind::range;
  };
  auto axis = of_axes.begin();
  for (std::size_t i = 0; i < count; ++i) {
    if (indices[i].what() == index_arg::kind::rest) {
      axis = of_axes.end() - std::count_if(indices + i, indices + count, takes_an_axis);
    } else if (takes_an_axis(indices[i])) {
      *axis++ = indices[i];
    }
  }
  return of_axes;
}

GNP_INLINE part_of_reduction index_reduction(const shape_t& own, const reduction_options& options,
                                             const shape_t& operand, const shape_t& whole,
                                             const index_arg* indices, std::size_t count) {
  part_of_reduction part{{}, {}, options};
  // A stride of 0 marks the axes along which the reduction has one value for all elements.
  shape_t strides(whole.size(), 0);
  for (int d = 1; d <= own.rank(); ++d) strides[whole.rank() - d] = own[own.rank() - d] == 1 ? 0 : 1;
  const view_layout view = index_view(whole, strides, indices, count);
  for (int d = 0; d < view.shape.rank(); ++d)
    part.shape.push_back(view.strides[d] == 0 && view.shape[d] > 0 ? 1 : view.shape[d]);

  // The reduction's axes that are longer or shorter than 1 are, in this order, those of its operand that are
  // not reduced.
  const std::vector<index_arg> of_whole = index_of_each_axis(whole.rank(), indices, count);
  part.of_operand.assign(static_cast<std::size_t>(operand.rank()), index_arg(all));
  int rank = 0, axis = -1;
  bool takes_all = true;
  for (int d = 0; d < operand.rank(); ++d) {
    part.options.axes.chosen[rank] = options.axes.chosen[d];
    ++rank;
    if (options.axes.chosen[d] || operand[d] == 1) continue;
    do {
      ++axis;
    } while (strides[axis] == 0);
    const index_arg& index = of_whole[static_cast<std::size_t>(axis)];
    part.of_operand[static_cast<std::size_t>(d)] = index;
    const bool is_integer = index.what() == index_arg::kind::integer;
    if (is_integer) --rank;
    const slice& range = index.range();
    takes_all = takes_all && !is_integer && !range.start.given && !range.stop.given && !range.step.given;
  }
  std::fill(part.options.axes.chosen + rank, part.options.axes.chosen + operand.rank(), false);
  part.options.rank = rank;
  if (takes_all) part.of_operand.clear();
  return part;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
