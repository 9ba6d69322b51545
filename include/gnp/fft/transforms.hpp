// SPDX-License-Identifier: MIT
// fft and its thirteen relatives: the transforms of NumPy's np.fft.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/fft/line.hpp>
#include <gnp/fft/options.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// float for what has no more digits than that, else double.
template <class T>
using fft_real_t = std::conditional_t<
    std::is_same_v<real_t<T>, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, double>;
template <class T>
using fft_complex_t = std::complex<fft_real_t<T>>;
/// What a transform reads: an array of float, double or complex numbers.
template <class T>
using fft_input_t = std::conditional_t<is_complex(dtype_of<T>), T, fft_real_t<T>>;

template <array_like X>
array<fft_input_t<typename X::value_type>> fft_input(const X& x) {
  using T = typename X::value_type;
  if constexpr (std::is_same_v<T, fft_input_t<T>>) {
    return x.eval();
  } else {
    return array<fft_input_t<T>>(x.template astype<fft_input_t<T>>());
  }
}

/// The n numbers of which the first n / 2 + 1 are given, the others their conjugates in reverse order.
template <class T>
array<T> with_conjugates(const array<T>& half, int axis, index_t n) {
  shape_t shape = half.shape();
  shape[axis] = n;
  const array<T> whole(shape, half.device(), "irfft");
  std::vector<index_arg> part(static_cast<std::size_t>(axis) + 1, index_arg(all));
  const auto along = [&](const array<T>& a, const slice& s) {
    part.back() = s;
    return a.index(part);
  };
  const index_t there = (std::min)(half.shape()[axis], n / 2 + 1);
  if (there < n / 2 + 1) whole.fill(T());
  along(whole, slice(0, there)).assign(along(half, slice(0, there)));
  if (there > 1) along(whole, slice(n - there + 1, n)).assign(conj(along(half, slice(there - 1, 0, -1))));
  return whole;
}

/// One transform along one axis into a new array, of `length` elements along it.
template <class Out, class In>
array<Out> transform_line(const array<In>& in, int axis, index_t n, index_t length, bool inverse, fft_norm norm,
                          const char* function) {
  shape_t shape = in.shape();
  shape[axis] = length;
  const array<Out> out(shape, in.device(), function);
  if (out.size() == 0) return out;
  const fft_line_job job{axis, n, inverse, fft_scale(norm, inverse, n)};
  if constexpr (is_complex(dtype_of<In>) && !is_complex(dtype_of<Out>)) {
    if (n % 2 != 0) {
      fft_on_cpu(with_conjugates(in, axis, n), out, job);
      return out;
    }
  }
  fft_on_cpu(in, out, job);
  return out;
}

/// The number of points along an axis, and the axis.
inline index_t fft_points(const shape_t& shape, const fft::fft_options& options, bool half, int& axis,
                          const char* function) {
  if (options.n.given() && options.n.points() < 1) throw_no_points(function, options.n.points());
  axis = normalize_axis(options.axis, shape.rank(), function);
  const index_t here = shape[axis];
  const index_t n = options.n.given() ? options.n.points() : half ? 2 * (here - 1) : here;
  if (n < 1) throw_no_points(function, n);
  return n;
}

template <array_like X>
auto complex_fft(const X& x, const fft::fft_options& options, bool inverse, const char* function) {
  int axis = 0;
  const index_t n = fft_points(x.shape(), options, false, axis, function);
  const fft_norm norm = fft_norm_named(options.norm, function);
  return transform_line<fft_complex_t<typename X::value_type>>(fft_input(x), axis, n, n, inverse, norm,
                                                               function);
}

}  // namespace detail

namespace fft {

/// The discrete Fourier transform along an axis.
template <array_like X>
auto fft(const X& x, const fft_options& options = {}) {
  return detail::complex_fft(x, options, false, "fft");
}
template <array_like X>
auto ifft(const X& x, const fft_options& options = {}) {
  return detail::complex_fft(x, options, true, "ifft");
}
template <array_like X>
auto rfft(const X& x, const fft_options& options = {}) {
  using T = typename X::value_type;
  int axis = 0;
  const index_t n = detail::fft_points(x.shape(), options, false, axis, "rfft");
  const auto norm = detail::fft_norm_named(options.norm, "rfft");
  return detail::transform_line<detail::fft_complex_t<T>>(detail::fft_input(x), axis, n, n / 2 + 1, false, norm,
                                                          "rfft");
}
template <array_like X>
auto irfft(const X& x, const fft_options& options = {}) {
  using T = typename X::value_type;
  int axis = 0;
  const index_t n = detail::fft_points(x.shape(), options, true, axis, "irfft");
  const auto norm = detail::fft_norm_named(options.norm, "irfft");
  using C = detail::fft_complex_t<T>;
  array<C> in = array<C>(x.template astype<C>());
  return detail::transform_line<detail::fft_real_t<T>>(in, axis, n, n, true, norm, "irfft");
}

}  // namespace fft
}}  // namespace gnp::GNP_ABI
