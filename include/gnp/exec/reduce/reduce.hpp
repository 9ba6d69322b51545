// SPDX-License-Identifier: MIT
// From a typed expression and a reducer to a reduction, and off to its device.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/exec/reduce/cpu_reduce.hpp>
#include <gnp/exec/reduce/fold.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/value.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// A reducer under its name in kernels. T are the elements' type, A what is computed in, P the real type of A.
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
GNP_REDUCER(plain_mean_reducer, plain_mean_of<T, A>);
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
GNP_REDUCER(var_reducer, moments_of<T, A, P, false, false>);
GNP_REDUCER(std_reducer, moments_of<T, A, P, false, true>);
GNP_REDUCER(nanvar_reducer, moments_of<T, A, P, true, false>);
GNP_REDUCER(nanstd_reducer, moments_of<T, A, P, true, true>);
#undef GNP_REDUCER

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

template <class Tag, class X, class A, class R>
inline constexpr reduction_code reduction_code_of = [] {
  using T = typename X::value_type;
  using reducer = typename Tag::template type<T, A>;
  using functions = folding<reducer, T, R>;
  return reduction_code{&program_of<X>,
                        reduction_kernels_for<Tag, X, A, R>,
                        static_cast<int>(sizeof(typename reducer::state)),
                        is_indexed_v<reducer, T>,
                        dtype_of<R>,
                        Tag::text,
                        dtype_of<A>,
                        functions::begin,
                        functions::rows,
                        functions::columns,
                        functions::combine,
                        functions::ends ? functions::is_final : nullptr,
                        functions::finish};
}();

/// The shape of a result with its reduced axes dropped, or of size 1.
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

/// Elements along the axes that are reduced.
GNP_INLINE index_t reduced_length(const shape_t& shape, const axis_set& axes) {
  index_t length = 1;
  for (int d = 0; d < shape.rank(); ++d) length *= axes.chosen[d] ? shape[d] : 1;
  return length;
}

/// Sets the job's shape, the strides of its inputs broadcast to it, those of the destination (0 along reduced
/// axes) and those of the positions along these.
GNP_INLINE void lay_out(reduction& r, const shape_t& shape, const axis_set& axes, const leaf_view& destination,
                        const leaf_view* inputs) {
  job& j = r.values;
  j.where = destination.block->device;
  j.rank = shape.rank();
  j.count = r.outputs * r.length;
  std::copy(shape.begin(), shape.end(), j.shape);
  set_memory(j.operands[0], destination);
  for (int i = 0; i < j.code->inputs; ++i) set_operand(j.operands[i + 1], inputs[i], shape);
  job_operand& positions = j.operands[j.operand_count()];
  positions.data = nullptr;
  positions.block = nullptr;
  positions.itemsize = sizeof(std::int64_t);
  index_t kept_step = 1;
  index_t reduced_step = 1;
  for (int d = j.rank - 1; d >= 0; --d) {
    index_t& step = axes.chosen[d] ? reduced_step : kept_step;
    j.operands[0].strides[d] = axes.chosen[d] ? 0 : step;
    positions.strides[d] = axes.chosen[d] ? step : 0;
    step *= shape[d];
  }
}

GNP_INLINE void run(reduction& r, const axis_set& axes) {
  collapse(r, axes.chosen);
  if (r.values.where.is_cpu()) {
    reduce_on_cpu(r);
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  reduce_on_gpu(r);
  check_sent_indices(r.values.where);
#endif
}

/// One element of R for each place along the axes that stay, made of those along `axes`: a new contiguous
/// array.
template <class Tag, class A, class R, array_like X>
array<R> reduce(const X& x, const axis_set& axes, bool keepdims, double parameter, const char* function)
  requires is_deferred_v<X>
{
  using computed = array<typename X::value_type>;
  return reduce<Tag, A, R>(computed(x), axes, keepdims, parameter, function);
}
template <class Tag, class A, class R, array_like X>
array<R> reduce(const X& x, const axis_set& axes, bool keepdims, double parameter, const char* function) {
  const reduction_code& code = reduction_code_of<Tag, X, A, R>;
  const shape_t shape = x.shape();
  job_inputs<X> inputs(x);
  const device where = inputs.where(function).value_or(default_device());
  array<R> result(reduced_shape(shape, axes, keepdims), where, function);

  reduction r;
  r.code = &code;
  r.parameter = parameter;
  r.outputs = result.size();
  r.length = reduced_length(shape, axes);
  if (r.outputs == 0) return result;
  if (r.length == 0) {
    typename Tag::template type<typename X::value_type, A>::state nothing;
    R value;
    code.begin(&nothing, 1);
    code.finish(&value, &nothing, 1, parameter);
    result.fill(value);
    return result;
  }
  r.values.code = code.values;
  r.values.operands = inputs.operands();
  r.values.constants = inputs.constants();
  lay_out(r, shape, axes, view_of(result), inputs.leaves());
  run(r, axes);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
