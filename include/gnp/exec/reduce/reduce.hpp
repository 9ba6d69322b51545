// SPDX-License-Identifier: MIT
// From a typed expression and a reducer to a reduction, which runs on its device.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/exec/reduce/fold.hpp>
#include <gnp/exec/reduce/fold_products.hpp>
#include <gnp/exec/value.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/reduced.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/reduce/run_reduction.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// In a namespace without functions, so that a user's unqualified call finds none here (see namespace `parts`).
namespace reducers {

// A reducer and its name in kernels. T is the elements' type, A the type computed in, P the real type of A.
#define GNP_REDUCER(name, ...)                                                \
  struct name {                                                               \
    static constexpr const char* text = #__VA_ARGS__;                         \
    template <class T, class A, class P = type_of<real_part_of(dtype_of<A>)>> \
    using type = scalar::__VA_ARGS__;                                         \
  }
GNP_REDUCER(sum_reducer, sum_of<T, A>);
GNP_REDUCER(mean_reducer, mean_of<T, A>);
GNP_REDUCER(root_reducer, root_of_sum<T, A>);
GNP_REDUCER(root_of_squares_reducer, root_of_squares<T, A>);
GNP_REDUCER(plain_sum_reducer, plain_sum_of<T, A>);
GNP_REDUCER(count_reducer, count_of<T, A>);
GNP_REDUCER(plain_mean_reducer, plain_mean_of<T, A>);
GNP_REDUCER(integer_mean_reducer, integer_mean_of<T, A>);
GNP_REDUCER(plain_root_of_squares_reducer, plain_root_of_squares<T, A>);
GNP_REDUCER(product_reducer, product_of<T, A>);
GNP_REDUCER(any_reducer, any_of<T, A>);
GNP_REDUCER(all_reducer, all_of<T, A>);
GNP_REDUCER(min_reducer, extreme_of<T, A, false, false>);
GNP_REDUCER(max_reducer, extreme_of<T, A, true, false>);
GNP_REDUCER(nanmin_reducer, extreme_of<T, A, false, true>);
GNP_REDUCER(nanmax_reducer, extreme_of<T, A, true, true>);
GNP_REDUCER(range_reducer, range_of<T, A>);
GNP_REDUCER(argmin_reducer, position_of<T, A, false, false>);
GNP_REDUCER(argmax_reducer, position_of<T, A, true, false>);
GNP_REDUCER(nanargmin_reducer, position_of<T, A, false, true>);
GNP_REDUCER(nanargmax_reducer, position_of<T, A, true, true>);
GNP_REDUCER(nanmean_reducer, mean_of_numbers<T, A>);
GNP_REDUCER(nanvar_reducer, moments_of<T, A, P, true, false>);
GNP_REDUCER(nanstd_reducer, moments_of<T, A, P, true, true>);
#undef GNP_REDUCER
// These can also be computed around the mean, if elements can be read twice.
#define GNP_REDUCER_AROUND_MEAN(name, around, ...)                            \
  struct name {                                                               \
    static constexpr const char* text = #__VA_ARGS__;                         \
    static constexpr const char* around_mean = around;                        \
    template <class T, class A, class P = type_of<real_part_of(dtype_of<A>)>> \
    using type = scalar::__VA_ARGS__;                                         \
  }
GNP_REDUCER_AROUND_MEAN(var_reducer, "spread_of<A, false>", moments_of<T, A, P, false, false>);
GNP_REDUCER_AROUND_MEAN(std_reducer, "spread_of<A, true>", moments_of<T, A, P, false, true>);
#undef GNP_REDUCER_AROUND_MEAN

}  // namespace reducers
using namespace reducers;

/// The operation that joins NumPy's `initial` to the result, for reductions that take one.
template <class Reducer>
struct one_more_by {};
#define GNP_TAKES_ONE_MORE(reducer, operation)         \
  template <>                                          \
  struct one_more_by<reducer> {                        \
    using type = ::gnp::operations::operation##_ufunc; \
  }
GNP_TAKES_ONE_MORE(sum_reducer, add);
GNP_TAKES_ONE_MORE(plain_sum_reducer, add);
GNP_TAKES_ONE_MORE(product_reducer, multiply);
GNP_TAKES_ONE_MORE(min_reducer, minimum);
GNP_TAKES_ONE_MORE(max_reducer, maximum);
GNP_TAKES_ONE_MORE(nanmin_reducer, fmin);
GNP_TAKES_ONE_MORE(nanmax_reducer, fmax);
#undef GNP_TAKES_ONE_MORE
template <class Reducer>
using one_more = typename one_more_by<Reducer>::type;
template <class Reducer>
inline constexpr bool takes_one_more = requires { typename one_more<Reducer>; };

template <class Reducer, class T>
inline constexpr bool is_indexed_v = !requires(T x) { Reducer::lift(x); };

#if GNP_HAS_CUDA
template <class Tag, class X, class A, class R>
inline kernel_table reduction_kernels_of;
template <class Tag, class X, class A, class R>
inline constexpr kernel_table* reduction_kernels_for = &reduction_kernels_of<Tag, X, A, R>;
#else
template <class Tag, class X, class A, class R>
inline constexpr kernel_table* reduction_kernels_for = nullptr;
#endif

/// Null, except for variances of real numbers.
template <class Tag, class A>
constexpr const char* around_mean_of() {
  if constexpr (requires { Tag::around_mean; } && std::is_floating_point_v<A>) {
    return Tag::around_mean;
  } else {
    return nullptr;
  }
}

/// Null except for user-defined reductions.
template <class Tag, class A>
constexpr const fold_operations* operations_of() {
  if constexpr (requires { Tag::template operations<A>; }) {
    return &Tag::template operations<A>;
  } else {
    return nullptr;
  }
}

/// The expression of small integers that X is, or that X converts. A float holds these integers exactly, and 64
/// bits hold their sums.
template <class X>
struct small_integers {
  using type = X;
  using element = typename X::value_type;
  static constexpr bool are_there = scalar::is_integer_v<element> && sizeof(element) <= 2;
};
template <class To, class X>
  requires(dtype_of<To> == dtype::float32 || dtype_of<To> == dtype::float64)
struct small_integers<expression<operations::astype_ufunc<To>, X>> : small_integers<X> {};

/// The fold for a sum of products of two arrays, of which the first may be conjugated; null for all other
/// reductions.
template <class Tag, class A, class X>
constexpr auto fold_of_products(const X*)
    -> void (*)(void*, const product_factors&, index_t, index_t, index_t) {
  return nullptr;
}
template <class Tag, class A, class T>
inline constexpr bool sums_products_in_place =
    std::is_same_v<Tag, sum_reducer> && std::is_same_v<A, T> && sizeof(T) >= sizeof(float) &&
    (is_floating(dtype_of<T>) || is_complex(dtype_of<T>));
template <class Tag, class A, class T>
  requires sums_products_in_place<Tag, A, T>
constexpr auto fold_of_products(const expression<operations::multiply_ufunc, array<T>, array<T>>*)
    -> void (*)(void*, const product_factors&, index_t, index_t, index_t) {
  return fold_products<typename Tag::template type<T, A>, T, false>;
}
template <class Tag, class A, class T>
  requires(sums_products_in_place<Tag, A, T> && is_complex(dtype_of<T>))
constexpr auto fold_of_products(
    const expression<operations::multiply_ufunc, expression<operations::conj_ufunc, array<T>>, array<T>>*)
    -> void (*)(void*, const product_factors&, index_t, index_t, index_t) {
  return fold_products<typename Tag::template type<T, A>, T, true>;
}

/// The same for its columns; null for complex numbers, whose products are stored first.
template <class Tag, class A, class X>
constexpr auto columns_of_products(const X*) -> void (*)(void*, const product_factors&, index_t, index_t) {
  return nullptr;
}
template <class Tag, class A, class T>
  requires(sums_products_in_place<Tag, A, T> && is_floating(dtype_of<T>))
constexpr auto columns_of_products(const expression<operations::multiply_ufunc, array<T>, array<T>>*)
    -> void (*)(void*, const product_factors&, index_t, index_t) {
  return fold_product_columns<typename Tag::template type<T, A>, T>;
}

template <class Tag, class X, class A, class R>
constexpr const reduction_code* code_of_integers();

/// What kernels are written from; the CPU's loops take far longer to compile.
template <class Tag, class X, class A, class R>
constexpr reduction_code reduction_text_of() {
  using T = typename X::value_type;
  using reducer = typename Tag::template type<T, A>;
  reduction_code code{};
  code.values = &code_of<X>;
  code.kernels = reduction_kernels_for<Tag, X, A, R>;
  code.state_size = static_cast<int>(sizeof(typename reducer::state));
  code.indexed = is_indexed_v<reducer, T>;
  code.result = dtype_of<R>;
  code.reducer = Tag::text;
  code.computed = dtype_of<A>;
  code.operations = operations_of<Tag, A>();
  code.around_mean = around_mean_of<Tag, A>();
  return code;
}

template <class Tag, class X, class A, class R>
inline constexpr reduction_code reduction_code_of = [] {
  using T = typename X::value_type;
  using reducer = typename Tag::template type<T, A>;
  using in_loops = typename reducer_of_loops<reducer>::type;
  reduction_code code = reduction_text_of<Tag, X, A, R>();
  code.begin = begin_states<in_loops>;
  code.rows = fold_rows<in_loops, T>;
  code.takes_apart = takes_apart<in_loops, T>;
  code.takes_any_step = takes_any_step<in_loops, T>;
  code.products = fold_of_products<Tag, A>(static_cast<const X*>(nullptr));
  code.product_columns = columns_of_products<Tag, A>(static_cast<const X*>(nullptr));
  code.columns = fold_columns<in_loops, T>;
  code.combine = combine_states<in_loops>;
  code.is_final = is_final_for<in_loops, T>();
  code.finish = finish_states<reducer, R>;
  code.fill = &code_of<constant<R>>;
  code.of_integers = code_of_integers<Tag, X, A, R>();
  return code;
}();

/// If floating-point elements are small integers, their sums and means are computed from the integers. That is
/// exact, so no compensation is needed. It also avoids converting each element, which a GPU does at an eighth
/// of the rate of additions.
template <class Tag, class X, class A, class R>
constexpr const reduction_code* code_of_integers() {
  using integers = small_integers<X>;
  if constexpr (!integers::are_there) {
    return nullptr;
  } else if constexpr (std::is_same_v<Tag, mean_reducer>) {
    return &reduction_code_of<integer_mean_reducer, typename integers::type, A, R>;
  } else if constexpr (std::is_same_v<Tag, sum_reducer>) {
    return &reduction_code_of<plain_sum_reducer, typename integers::type, std::int64_t, R>;
  } else {
    return nullptr;
  }
}

/// Reduces elements of this `shape` along `axes`, for a function of this name. The destination has the shape of
/// the results and does not overlap the inputs.
GNP_DECLARED void run_reduction(const reduction_code& code, const shape_t& shape, const axis_set& axes,
                                double parameter, const leaf_view& destination, const leaf_view* inputs,
                                const unsigned char* constants, job_operand* operands, const char* function);

/// A new contiguous array with one element of type R for each position along the remaining axes, computed from
/// the elements along the others.
template <class R>
array<R> reduce_into_new(const reduction_code& code, const shape_t& shape, const reduction_options& o,
                         const leaf_view* inputs, int count, const unsigned char* constants,
                         job_operand* operands) {
  const device where = common_device(inputs, count, o.function).value_or(default_device());
  const array<R> result(reduced_shape(shape, o.axes, o.keepdims), where, o.function);
  run_reduction(code, shape, o.axes, o.parameter, view_of(result), inputs, constants, operands, o.function);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
