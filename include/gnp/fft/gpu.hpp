// SPDX-License-Identifier: MIT
// Fourier transforms along axes of an array on a GPU, by cuFFT, with as many axes in one plan as it accepts.
#pragma once

#include <gnp/dense/types.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/fft/cufft_layout.hpp>
#include <gnp/fft/request.hpp>
#include <gnp/routines/manipulation.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class In, class Out>
constexpr cufft_type cufft_type_of() {
  constexpr bool wide = std::is_same_v<real_t<In>, double>;
  if constexpr (!is_complex(dtype_of<In>)) {
    return wide ? cufft_type::float64_to_complex128 : cufft_type::float32_to_complex64;
  } else if constexpr (!is_complex(dtype_of<Out>)) {
    return wide ? cufft_type::complex128_to_float64 : cufft_type::complex64_to_float32;
  } else {
    return wide ? cufft_type::complex128 : cufft_type::complex64;
  }
}

/// The calls for the axes [first, end) of a request, if cuFFT accepts their layout.
template <class In, class Out>
std::optional<cufft_calls> cufft_calls_for(const array<In>& in, const array<Out>& out, const fft_request& r,
                                           int first, int end) {
  shape_t axes;
  shape_t points;
  for (int i = first; i < end; ++i) {
    axes.push_back(r.axes[i]);
    points.push_back(r.points[i]);
  }
  // Real numbers must begin where a complex one could begin.
  if (reinterpret_cast<std::uintptr_t>(in.data()) % sizeof(complex_t<In>) != 0) return std::nullopt;
  const auto side_of = []<class T>(const array<T>& a) {
    return fft_side{a.shape(), a.element_strides(), !is_complex(dtype_of<T>)};
  };
  cufft_calls calls;
  calls.layout.type = cufft_type_of<In, Out>();
  if (!find_cufft_calls(side_of(in), side_of(out), axes, points, calls)) return std::nullopt;
  return calls;
}

template <class In, class Out>
void run_cufft(const array<In>& in, const array<Out>& out, const cufft_calls& calls, bool inverse) {
  const cufft_call work(out.device(), calls.layout);
  const In* const from = work.reads(in);
  Out* const to = work.writes(out);
  shape_t at(calls.counts.size(), 0);
  for (;;) {
    index_t from_offset = 0;
    index_t to_offset = 0;
    for (int d = 0; d < at.rank(); ++d) {
      from_offset += at[d] * calls.in_steps[d];
      to_offset += at[d] * calls.out_steps[d];
    }
    work.run(from + from_offset, to + to_offset, inverse);
    int d = at.rank() - 1;
    while (d >= 0 && ++at[d] == calls.counts[d]) at[d--] = 0;
    if (d < 0) return;
  }
}

/// The transform along axis number i, whatever the layout. An array with a layout that cuFFT does not accept is
/// copied first.
template <class In, class Out>
void run_along(const array<In>& in, const array<Out>& out, const fft_request& r, int i) {
  if (const auto calls = cufft_calls_for(in, out, r, i, i + 1)) return run_cufft(in, out, *calls, r.inverse);
  const shape_t axis{r.axes[i]};
  const shape_t last{-1};
  const array<In> rows = moveaxis(in, axis, last).copy();
  array<Out> results;
  if constexpr (std::is_same_v<In, Out>) {
    results = rows;
  } else {
    results = array<Out>(moveaxis(out, axis, last).shape(), out.device(), r.function);
  }
  fft_request of_rows = r.along(i);
  of_rows.axes[0] = in.ndim() - 1;
  run_cufft(rows, results, cufft_calls_for(rows, results, of_rows, 0, 1).value(), r.inverse);
  out.assign(moveaxis(results, last, axis));
}

/// The complex transforms along axes [0, count) of a request from `in` to `out`, which may be the same.
template <class C>
void run_axes(array<C> in, const array<C>& out, const fft_request& r, int count) {
  while (count > 0) {
    int first = (std::max)(count - cufft_layout::most_axes, 0);
    for (; first < count - 1; ++first) {
      if (const auto calls = cufft_calls_for(in, out, r, first, count)) {
        run_cufft(in, out, *calls, r.inverse);
        break;
      }
    }
    if (first == count - 1) run_along(in, out, r, first);
    count = first;
    in = out;
  }
}

/// The numbers of an array without gaps as real ones, each complex number as two.
template <class T>
array<real_t<T>> as_reals(const array<T>& a) {
  const shape_t count{a.size() * (is_complex(dtype_of<T>) ? 2 : 1)};
  return array<real_t<T>>(a.block(), reinterpret_cast<real_t<T>*>(a.data()), count, shape_t{1});
}

/// Multiplies a contiguous array's elements by a number, in place. This uses real numbers because infinity
/// times (0.5 + 0i) is not a number.
template <class T>
void scale_by(const array<T>& a, double factor) {
  if (factor == 1) return;
  const array<real_t<T>> numbers = as_reals(a);
  numbers.assign(numbers * factor);
}

/// A new array of `shape` with the elements of `in` times a number. It is cut off where `in` is longer, and has
/// zeros where `in` is shorter.
template <class T, class In>
array<T> resized(const array<In>& in, const shape_t& shape, double factor, const char* function) {
  const array<T> result(shape, in.device(), function);
  std::vector<index_arg> common;
  bool grows = false;
  for (int d = 0; d < shape.rank(); ++d) {
    common.emplace_back(slice(0, (std::min)(shape[d], in.shape()[d])));
    grows = grows || shape[d] > in.shape()[d];
  }
  if (grows) result.fill(T());
  if constexpr (is_complex(dtype_of<In>)) {
    result.index(common).assign(in.index(common));
    scale_by(result, factor);
  } else {
    result.index(common).assign((in.index(common) * factor).template astype<T>());
  }
  return result;
}

/// Real to complex: first the last axes in one plan, which computes half of the results, then the other axes.
template <class C, class Real>
array<C> half_from_real(const array<Real>& in, const shape_t& out_shape, const fft_request& r) {
  const array<C> out(out_shape, in.device(), r.function);
  const int count = r.count();
  int first = (std::max)(count - cufft_layout::most_axes, 0);
  for (; first < count - 1; ++first) {
    if (const auto calls = cufft_calls_for(in, out, r, first, count)) {
      run_cufft(in, out, *calls, false);
      break;
    }
  }
  if (first == count - 1) run_along(in, out, r, first);
  run_axes(out, out, r, first);
  return out;
}

/// Complex to real; here cuFFT overwrites its input. Only the last axis: in a plan with several axes cuFFT
/// assumes that the input's halves are conjugates of each other, whereas NumPy ignores the parts that are not.
template <class Real, class C>
array<Real> real_from_half(const array<C>& own, const shape_t& out_shape, const fft_request& r) {
  const array<Real> out(out_shape, own.device(), r.function);
  const int last = r.count() - 1;
  run_axes(own, own, r, last);
  run_along(own, out, r, last);
  return out;
}

/// An equivalent request: axes of one point are removed, and the others are sorted, except the last axis of a
/// real transform. In memory order, cuFFT accepts several axes in one plan.
GNP_INLINE fft_request in_memory_order(const fft_request& r) {
  fft_request sorted = r;
  const int free = r.span == fft_span::half ? r.count() - 1 : r.count();
  for (int i = 1; i < free; ++i) {
    for (int k = i; k > 0 && sorted.axes[k - 1] > sorted.axes[k]; --k) {
      std::swap(sorted.axes[k - 1], sorted.axes[k]);
      std::swap(sorted.points[k - 1], sorted.points[k]);
    }
  }
  for (int i = free - 1; i >= 0; --i) {
    if (sorted.points[i] != 1) continue;
    sorted.axes.erase(i);
    sorted.points.erase(i);
  }
  return sorted;
}

GNP_INLINE bool has_repeated_axes(const fft_request& r) {
  for (int i = 0; i < r.count(); ++i) {
    for (int k = 0; k < i; ++k) {
      if (r.axes[i] == r.axes[k]) return true;
    }
  }
  return false;
}

template <class Out, class In>
array<Out> fft_on_gpu(const array<In>& in, const fft_request& request) {
  using C = complex_t<Out>;
  const char* const function = request.function;
  shape_t shape = in.shape();
  for (int i = 0; i < request.count(); ++i) shape[request.axes[i]] = request.points[i];
  shape_t half_shape = shape;
  if (request.span == fft_span::half) {
    index_t& last = half_shape[request.axes.back()];
    last = last / 2 + 1;
  }
  if (element_count(shape, function) == 0) {
    return array<Out>(is_complex(dtype_of<Out>) ? half_shape : shape, in.device(), function);
  }
  // If the numbers are copied, the division by n is part of the factor by which the copy is multiplied.
  const double scale = request.scale();
  const fft_request r = in_memory_order(request);
  if constexpr (!is_complex(dtype_of<Out>)) {
    return real_from_half<Out>(resized<C>(in, half_shape, scale, function), shape, r);
  } else if constexpr (is_complex(dtype_of<In>)) {
    if (!(in.shape() == shape)) {
      const array<C> own = resized<C>(in, shape, scale, function);
      run_axes(own, own, r, r.count());
      return own;
    }
    const array<C> out(shape, in.device(), function);
    if (r.count() == 0) out.assign(in);
    run_axes(in, out, r, r.count());
    scale_by(out, scale);
    return out;
  } else if (request.span == fft_span::half) {
    const bool copies = !(in.shape() == shape);
    const array<C> out =
        half_from_real<C>(copies ? resized<In>(in, shape, scale, function) : in, half_shape, r);
    if (!copies) scale_by(out, scale);
    return out;
  } else {
    const array<C> own = resized<C>(in, shape, scale, function);
    run_axes(own, own, r, r.count());
    return own;
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
