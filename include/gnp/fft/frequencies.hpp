// SPDX-License-Identifier: MIT
// fftfreq and rfftfreq: the frequencies of a transform's results; fftshift and ifftshift: zero in the middle.
#pragma once

#include <gnp/fft/options.hpp>
#include <gnp/routines/ranges.hpp>

namespace gnp { inline namespace GNP_ABI {

// The frequency number at each position i of n; the first `positive` ones are positive or zero.
GNP_NUMPY_OPERATION(fftfreq, (i, positive, n, step), always_double,
                    times(less(i, positive) ? i : minus(i, n), step))

namespace detail {

GNP_INLINE double frequency_step(index_t n, double d, const char* function) {
  if (n == 0 || d == 0) {
    throw error(std::string(function) + ": division by zero in 1 / (n d), got n = " + std::to_string(n) +
                " and d = " + std::to_string(d));
  }
  return 1 / (static_cast<double>(n) * d);
}

/// Each axis rotated by `turn(size)` places, into a new array: along each axis, the two parts that this makes
/// are copied separately.
template <class X, class Turn>
auto turned(const X& x, const axes_t& axes, const char* function, const Turn& turn) {
  using T = typename X::value_type;
  const array<T> from = x.eval();
  shape_t places(from.shape().size(), 0);
  if (axes.given()) {
    for (const index_t axis : axes.values()) {
      const int d = normalize_axis(axis, from.ndim(), function);
      if (from.shape()[d] > 0) places[d] = (places[d] + turn(from.shape()[d])) % from.shape()[d];
    }
  } else {
    for (int d = 0; d < from.ndim(); ++d) {
      if (from.shape()[d] > 0) places[d] = turn(from.shape()[d]) % from.shape()[d];
    }
  }
  const array<T> to(from.shape(), from.device(), function);
  std::vector<index_arg> from_part(from.shape().size(), index_arg(all));
  std::vector<index_arg> to_part(from.shape().size(), index_arg(all));
  const auto copy_parts = [&](const auto& self, int d) -> void {
    if (d == from.ndim()) return to.index(to_part).assign(from.index(from_part));
    const auto at = static_cast<std::size_t>(d);
    const index_t place = places[d];
    if (place == 0) return self(self, d + 1);
    const index_t size = from.shape()[d];
    from_part[at] = slice(0, size - place);
    to_part[at] = slice(place, size);
    self(self, d + 1);
    from_part[at] = slice(size - place, size);
    to_part[at] = slice(0, place);
    self(self, d + 1);
    from_part[at] = to_part[at] = index_arg(all);
  };
  if (to.size() > 0) copy_parts(copy_parts, 0);
  return to;
}

}  // namespace detail

namespace fft {

/// The frequencies of fft's results in cycles per unit of d, the sample spacing: 0, 1, ..., then the negative
/// ones, all divided by n d.
template <element T = double>
array<T> fftfreq(detail::any_integer n, double d = 1.0) {
  const index_t count = n;
  const double step = detail::frequency_step(count, d, "fftfreq");
  detail::element_count(shape_t{count}, "fftfreq");
  const auto i = detail::positions<T>(shape_t{count});
  return ufunc<operations::fftfreq_ufunc>()(i, (count - 1) / 2 + 1, count, step).template astype<T>();
}
template <element T = double>
array<T> fftfreq(detail::any_integer n, const frequency_options& options) {
  return fftfreq<T>(n, double{options.d});
}
/// The same for rfft's results: none is negative.
template <element T = double>
array<T> rfftfreq(detail::any_integer n, double d = 1.0) {
  const index_t count = n;
  const double step = detail::frequency_step(count, d, "rfftfreq");
  detail::element_count(shape_t{count}, "rfftfreq");
  const auto i = detail::positions<T>(shape_t{count / 2 + 1});
  return ufunc<operations::ramp_ufunc>()(i, 0.0, step).template astype<T>();
}
template <element T = double>
array<T> rfftfreq(detail::any_integer n, const frequency_options& options) {
  return rfftfreq<T>(n, double{options.d});
}

/// Moves the zero frequency from the front to the middle of each axis.
template <array_like X>
auto fftshift(const X& x, const shift_options& options = {}) {
  return detail::turned(x, options.axes, "fftshift", [](index_t size) { return size / 2; });
}
/// Moves it back.
template <array_like X>
auto ifftshift(const X& x, const shift_options& options = {}) {
  return detail::turned(x, options.axes, "ifftshift", [](index_t size) { return size - size / 2; });
}

// The axes as a positional argument.
template <array_like X>
auto fftshift(const X& x, const axes_t& axes) {
  return fftshift(x, shift_options{.axes = axes});
}
template <array_like X>
auto ifftshift(const X& x, const axes_t& axes) {
  return ifftshift(x, shift_options{.axes = axes});
}

}  // namespace fft
}}  // namespace gnp::GNP_ABI
