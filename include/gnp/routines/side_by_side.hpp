// SPDX-License-Identifier: MIT
// Formulas of the same shape that one GPU kernel computes together.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/exec/elementwise/several_code.hpp>
#include <gnp/routines/rolled.hpp>
#include <tuple>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace operations {

/// Several expressions that a kernel computes together.
struct beside {
  static constexpr const char* name = "eval";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};

}  // namespace operations

namespace detail {

/// Formulas that one kernel can compute together with others.
template <class X>
inline constexpr bool is_formula_v = is_expression_v<X> && !is_deferred_v<X> && !has_reductions_v<X>;
template <class E>
inline constexpr bool is_formula_v<rolled<E>> = is_formula_v<E>;

#if GNP_HAS_CUDA
template <class... X>
constexpr auto types_of_several() {
  constexpr auto read = input_types<expression<operations::beside, X...>>;
  std::array<dtype, read.size() + sizeof...(X)> types{};
  std::copy(read.begin(), read.end() - 1, types.begin());
  std::size_t next = read.size() - 1;
  std::size_t result = 0;
  ((result++ > 0 ? void(types[next++] = dtype_of<typename X::value_type>) : void()), ...);
  return types;
}
template <class... X>
inline constexpr auto types_of_several_v = types_of_several<X...>();
template <class First, class... X>
inline constexpr expression_code all_of_several{
    .inputs = input_count<First> + (input_count<X> + ... + 0) + static_cast<int>(sizeof...(X)),
    .constants = constant_count<First> + (constant_count<X> + ... + 0),
    .result = dtype_of<typename First::value_type>,
    .input_types = types_of_several_v<First, X...>.data(),
    .source = &source_of<First>};
template <class... X>
inline constexpr several_code several_code_of{&all_of_several<X...>, sources_of<X...>,
                                              static_cast<int>(sizeof...(X)),
                                              kernels_for<expression<operations::beside, X...>>};

/// Can one kernel compute them?
template <class... X>
inline constexpr bool fit_side_by_side =
    sizeof...(X) > 1 && ((is_formula_v<X> || is_array_v<X>) && ...) &&
    (input_count<formula_operand_t<X>> + ...) + static_cast<int>(sizeof...(X)) < most_operands;

/// Formulas of one shape, and what they read.
template <class... X>
class formulas_side_by_side {
 public:
  explicit formulas_side_by_side(const X&... x)
      : formulas_(std::in_place, as_formula(x)...), inputs_(formulas_) {
    if constexpr ((is_rolled_v<X> || ...)) (append_shifts<true>(shifts_, x), ...);
  }

  shape_t strides_of_results(const shape_t& shape) const {
    return dense_strides(inputs_.leaves(), inputs_.count, shape);
  }

  /// Writes the formulas into memory of their shape. False if writing would change what they read, or if
  /// separate kernels are better; then some of it may have been written.
  bool write(const std::tuple<array<typename X::value_type>...>& results) const {
    return std::apply(
        [this](const auto&... result) {
          const leaf_view views[] = {view_of(result)...};
          constexpr const several_code& code = several_code_of<formula_operand_t<X>...>;
          if constexpr ((is_rolled_v<X> || ...)) {
            return write_several_rolled(code, views, inputs_.leaves(), shifts_.data(), inputs_.constants());
          } else {
            return write_several(code, views, inputs_.leaves(), inputs_.constants());
          }
        },
        results);
  }

 private:
  template <class Y>
  static const formula_operand_t<Y>& as_formula(const Y& x) {
    if constexpr (is_rolled_v<Y>) {
      return x.formula();
    } else {
      return x;
    }
  }

  using all = expression<operations::beside, formula_operand_t<X>...>;
  all formulas_;
  job_inputs<all> inputs_;
  leaf_shifts shifts_;
};

/// Do they have elements, of one shape and on one GPU?
template <class First, class... X>
bool share_a_shape_on_gpu(const First& first, const X&... x) {
  const device where = first.device();
  const shape_t& shape = first.shape();
  return !where.is_cpu() && ((x.shape() == shape && x.device() == where) && ...) &&
         element_count(shape, "eval") > 0;
}
#endif

/// Computes formulas of the same shape on a GPU into `results` with one kernel. False if their shapes differ,
/// if they are not on a GPU, or if separate kernels are better.
template <class... X>
bool compute_side_by_side([[maybe_unused]] std::tuple<array<typename X::value_type>...>& results,
                          [[maybe_unused]] const X&... x) {
#if GNP_HAS_CUDA
  if constexpr (fit_side_by_side<X...>) {
    if (!share_a_shape_on_gpu(x...)) return false;
    const device where = std::get<0>(std::tie(x...)).device();
    const shape_t shape = std::get<0>(std::tie(x...)).shape();
    const formulas_side_by_side<X...> formulas(x...);
    const shape_t strides = formulas.strides_of_results(shape);
    results = {array<typename X::value_type>(shape, strides, where, "eval")...};
    return formulas.write(results);
  }
#endif
  return false;
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
