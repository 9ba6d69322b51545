// SPDX-License-Identifier: MIT
// fft and thirteen similar functions: the transforms of NumPy's np.fft.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/dense/types.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/fft/request.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/fft/run_fft.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// float for types with no more digits than float, otherwise double.
template <class T>
using fft_real_t = std::conditional_t<
    std::is_same_v<real_t<T>, float> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>, float, double>;
template <class T>
using fft_complex_t = std::complex<fft_real_t<T>>;

/// The array itself if it has this type, otherwise a converted one.
template <class T, array_like X>
array<T> elements_of(const X& x) {
  if constexpr (std::is_same_v<typename X::value_type, T>) {
    return x.eval();
  } else {
    return x.template astype<T>();
  }
}

/// From complex numbers to complex ones, from real to complex ones or the other way round, all in float or all
/// in double: the library gnp::compiled contains these.
template <class Out, class In>
array<Out> run_fft(const array<In>& in, const fft_request& request);

/// From any numbers to complex ones.
template <array_like X>
auto to_complex_fft(const X& x, const fft_request& request) {
  using T = typename X::value_type;
  using In = std::conditional_t<is_complex(dtype_of<T>), T, fft_real_t<T>>;
  return run_fft<fft_complex_t<T>>(elements_of<In>(x), request);
}

/// From real numbers to the half of the complex results that determines the rest.
template <array_like X>
auto from_real_fft(const X& x, const fft_request& request) {
  using T = typename X::value_type;
  static_assert(!is_complex(dtype_of<T>),
                "gnp: this transform takes real numbers: fft, fft2 and fftn take complex ones");
  if constexpr (is_complex(dtype_of<T>)) {
    return array<T>();
  } else {
    return to_complex_fft(x, request);
  }
}

/// From such a half to real numbers.
template <array_like X>
auto to_real_fft(const X& x, const fft_request& request) {
  using T = typename X::value_type;
  using C = fft_complex_t<T>;
  return run_fft<fft_real_t<T>>(elements_of<C>(x), request);
}

}  // namespace detail

namespace fft {

/// The discrete Fourier transform along an axis.
template <array_like X>
auto fft(const X& x, const fft_options& options = {}) {
  return detail::to_complex_fft(
      x, detail::fft_along_axis(x.shape(), options, false, detail::fft_span::whole, "fft"));
}
/// Its inverse.
template <array_like X>
auto ifft(const X& x, const fft_options& options = {}) {
  return detail::to_complex_fft(
      x, detail::fft_along_axis(x.shape(), options, true, detail::fft_span::whole, "ifft"));
}

/// The transform of real numbers: the first n / 2 + 1 results. The others are their conjugates.
template <array_like X>
auto rfft(const X& x, const fft_options& options = {}) {
  return detail::from_real_fft(
      x, detail::fft_along_axis(x.shape(), options, false, detail::fft_span::half, "rfft"));
}
/// Its inverse: from n / 2 + 1 complex numbers to n real ones.
template <array_like X>
auto irfft(const X& x, const fft_options& options = {}) {
  return detail::to_real_fft(x,
                             detail::fft_along_axis(x.shape(), options, true, detail::fft_span::half, "irfft"));
}

/// The transform of numbers whose second half is the conjugate of the first: n real numbers.
template <array_like X>
auto hfft(const X& x, const fft_options& options = {}) {
  auto request = detail::fft_along_axis(x.shape(), options, true, detail::fft_span::half, "hfft");
  request.norm = detail::other_direction(request.norm);
  return detail::to_real_fft(conj(x), request);
}
/// Its inverse: from n real numbers to n / 2 + 1 complex ones.
template <array_like X>
auto ihfft(const X& x, const fft_options& options = {}) {
  auto request = detail::fft_along_axis(x.shape(), options, false, detail::fft_span::half, "ihfft");
  request.norm = detail::other_direction(request.norm);
  const auto result = detail::from_real_fft(x, request);
  result.assign(conj(result));
  return result;
}

#define GNP_FFT_REFUSES_VECTORS(name) GNP_REFUSES_VECTORS_OF(name, "gnp::fft::" #name)

// n, or n and the axis, as positional arguments: fft(x, 16), fft(x, 16, 0). And numbers in braces: fft({1, 2,
// 3}).
#define GNP_FFT_BY_POSITION(name)                                             \
  template <array_like X, std::integral Points>                               \
  auto name(const X& x, Points n, fft_options options = {}) {                 \
    options.n = n;                                                            \
    return name(x, options);                                                  \
  }                                                                           \
  template <array_like X, std::integral Points, std::integral Axis>           \
  auto name(const X& x, Points n, Axis axis, fft_options options = {}) {      \
    options.axis = axis;                                                      \
    return name(x, n, options);                                               \
  }                                                                           \
  GNP_FFT_REFUSES_VECTORS(name)                                               \
  GNP_TAKES_VALUES_BESIDE(name, (const fft_options& options = {}), (options)) \
  GNP_TAKES_VALUES_BESIDE(name, (std::integral auto n, const fft_options& options = {}), (n, options))
GNP_FFT_BY_POSITION(fft)
GNP_FFT_BY_POSITION(ifft)
GNP_FFT_BY_POSITION(rfft)
GNP_FFT_BY_POSITION(irfft)
GNP_FFT_BY_POSITION(hfft)
GNP_FFT_BY_POSITION(ihfft)
#undef GNP_FFT_BY_POSITION

/// The transform along two axes, the last ones unless others are given.
template <array_like X>
auto fft2(const X& x, const fft2_options& o = {}) {
  using detail::fft_span;
  return detail::to_complex_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, false, fft_span::whole, "fft2"));
}
/// Its inverse.
template <array_like X>
auto ifft2(const X& x, const fft2_options& o = {}) {
  using detail::fft_span;
  return detail::to_complex_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, true, fft_span::whole, "ifft2"));
}
/// The same for real numbers: n / 2 + 1 results along the last of the axes.
template <array_like X>
auto rfft2(const X& x, const fft2_options& o = {}) {
  using detail::fft_span;
  return detail::from_real_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, false, fft_span::half, "rfft2"));
}
/// Its inverse: n real numbers along the last of the axes.
template <array_like X>
auto irfft2(const X& x, const fft2_options& o = {}) {
  using detail::fft_span;
  return detail::to_real_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, true, fft_span::half, "irfft2"));
}
/// The transform along several axes, all unless some are given.
template <array_like X>
auto fftn(const X& x, const fftn_options& o = {}) {
  using detail::fft_span;
  return detail::to_complex_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, false, fft_span::whole, "fftn"));
}
/// Its inverse.
template <array_like X>
auto ifftn(const X& x, const fftn_options& o = {}) {
  using detail::fft_span;
  return detail::to_complex_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, true, fft_span::whole, "ifftn"));
}
/// The same for real numbers: n / 2 + 1 results along the last of the axes.
template <array_like X>
auto rfftn(const X& x, const fftn_options& o = {}) {
  using detail::fft_span;
  return detail::from_real_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, false, fft_span::half, "rfftn"));
}
/// Its inverse: n real numbers along the last of the axes.
template <array_like X>
auto irfftn(const X& x, const fftn_options& o = {}) {
  using detail::fft_span;
  return detail::to_real_fft(
      x, detail::fft_along_axes(x.shape(), o.s, o.axes, o.norm, true, fft_span::half, "irfftn"));
}

/// The numbers of points by position, as in NumPy: irfft2(z, image.shape()), fft2(x, {8, 8}). (g++ would also
/// match options in braces with a shape_t.)
#define GNP_FFT_SIZES_BY_POSITION(name, options)                                              \
  template <array_like X, std::same_as<shape_t> Sizes>                                        \
  auto name(const X& x, const Sizes& s, const axes_t& axes = options().axes) {                \
    return name(x, options{.s = s, .axes = axes});                                            \
  }                                                                                           \
  template <array_like X, std::integral Size>                                                 \
  auto name(const X& x, std::initializer_list<Size> s, const axes_t& axes = options().axes) { \
    return name(x, options{.s = std::vector<index_t>(s.begin(), s.end()), .axes = axes});     \
  }                                                                                           \
  template <array_like X, class Mixed = void>                                                 \
  auto name(const X& x, const mixed_sizes& s, const axes_t& axes = options().axes) {          \
    return name(x, options{.s = s.values, .axes = axes});                                     \
  }                                                                                           \
  GNP_FFT_REFUSES_VECTORS(name)                                                               \
  GNP_TAKES_VALUES_BESIDE(name, (const options& o = {}), (o))
GNP_FFT_SIZES_BY_POSITION(fft2, fft2_options)
GNP_FFT_SIZES_BY_POSITION(ifft2, fft2_options)
GNP_FFT_SIZES_BY_POSITION(rfft2, fft2_options)
GNP_FFT_SIZES_BY_POSITION(irfft2, fft2_options)
GNP_FFT_SIZES_BY_POSITION(fftn, fftn_options)
GNP_FFT_SIZES_BY_POSITION(ifftn, fftn_options)
GNP_FFT_SIZES_BY_POSITION(rfftn, fftn_options)
GNP_FFT_SIZES_BY_POSITION(irfftn, fftn_options)
#undef GNP_FFT_SIZES_BY_POSITION
#undef GNP_FFT_REFUSES_VECTORS

}  // namespace fft
}}  // namespace gnp::GNP_ABI
