// SPDX-License-Identifier: MIT
// What the Fourier transforms take in addition to the array: NumPy's n or s, axis or axes, and norm.
#pragma once

#include <concepts>
#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/core/number.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace fft {

/// How many points a transform has; with `none`, as many as the array.
class length {
 public:
  constexpr length(none_t) {}
  template <detail::plain_number Number>
  constexpr length(Number points) : points_(detail::any_integer(points)), given_(true) {}

  constexpr bool given() const { return given_; }
  constexpr index_t points() const { return points_; }

 private:
  index_t points_ = 0;
  bool given_ = false;
};

/// Sizes whose types differ, {x.shape(0), 4}. (g++ would match options in braces with a list of any integers.)
struct mixed_sizes {
  template <std::integral First, std::integral Second, std::integral... More>
    requires(!(std::same_as<First, Second> && (std::same_as<First, More> && ...)))
  mixed_sizes(First first, Second second, More... more) : values{first, second, more...} {}
  shape_t values;
};

/// Along one axis. norm is "backward" (the inverse is divided by n), "ortho" (both by its root) or "forward".
struct fft_options {
  by_name only = by_name();
  length n = none;
  detail::any_integer axis = -1;
  std::string_view norm = "backward";
};

/// fftfreq and rfftfreq: the distance between samples.
struct frequency_options {
  by_name only = by_name();
  detail::any_real d = 1.0;
};

/// Along several axes, the last one first; with `none`, along all. s is the number of points along each axis;
/// -1 means as many as the array has.
struct fftn_options {
  by_name only = by_name();
  axes_t s = none;
  axes_t axes = none;
  std::string_view norm = "backward";
};

/// The same along the last two axes.
struct fft2_options {
  by_name only = by_name();
  axes_t s = none;
  axes_t axes = {-2, -1};
  std::string_view norm = "backward";
};

/// The axes along which the halves are exchanged; with `none`, all axes.
struct shift_options {
  by_name only = by_name();
  axes_t axes = none;
};

}}}  // namespace gnp::GNP_ABI::fft
