// SPDX-License-Identifier: MIT
// What the Fourier transforms take beside the array: NumPy's n or s, axis or axes, norm.
#pragma once

#include <cmath>
#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

namespace fft {

/// How many points a transform has; none: as many as the array.
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

/// Along one axis. norm is "backward" (the inverse is divided by n), "ortho" (both by its root) or "forward".
struct fft_options {
  by_name only = by_name();
  length n = none;
  int axis = -1;
  std::string_view norm = "backward";
};

/// Along several axes, the last one first, or (none) all. s is the number of points along each of them; -1 as
/// many as the array has.
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

/// Along which axes the halves change places; none: all.
struct shift_options {
  by_name only = by_name();
  axes_t axes = none;
};

}  // namespace fft

namespace detail {

enum class fft_norm { backward, ortho, forward };

inline fft_norm fft_norm_named(std::string_view name, const char* function) {
  if (name == "backward") return fft_norm::backward;
  if (name == "ortho") return fft_norm::ortho;
  if (name == "forward") return fft_norm::forward;
  throw error(std::string(function) + ": invalid norm value " + std::string(name) +
              "; should be \"backward\", \"ortho\" or \"forward\"");
}

/// The same transform's norm when it is asked for as the other direction's.
constexpr fft_norm other_direction(fft_norm norm) {
  return norm == fft_norm::backward ? fft_norm::forward : norm == fft_norm::forward ? fft_norm::backward : norm;
}

/// What results are multiplied by.
inline double fft_scale(fft_norm norm, bool inverse, index_t n) {
  const auto points = static_cast<double>(n);
  if (norm == fft_norm::ortho) return 1 / std::sqrt(points);
  return (norm == fft_norm::backward) == inverse ? 1 / points : 1;
}

[[noreturn, gnu::cold]] inline void throw_no_points(const char* function, index_t n) {
  throw shape_error(std::string(function) + ": invalid number of FFT data points (" + std::to_string(n) +
                    ") specified");
}

/// Several axes and the number of points along each, in the order in which they were given.
struct fft_axes {
  shape_t axes;
  shape_t points;

  /// Where the last axis is half of a real result, and nothing else is said, that result has an even length.
  fft_axes(const shape_t& shape, const axes_t& s, const axes_t& given, bool last_is_half,
           const char* function) {
    const int rank = shape.rank();
    if (given.given()) {
      for (const index_t axis : given.values()) axes.push_back(normalize_axis(axis, rank, function));
    } else {
      const int count = s.given() ? s.values().rank() : rank;
      for (int i = 0; i < count; ++i) axes.push_back(normalize_axis(i - count, rank, function));
    }
    if (s.given() && s.values().rank() != axes.rank()) {
      throw shape_error(std::string(function) + ": shape and axes have different lengths, " +
                        to_string(s.values()) + " and " + to_string(axes));
    }
    for (int i = 0; i < axes.rank(); ++i) {
      const index_t here = shape[axes[i]];
      const index_t wanted = s.given() ? s.values()[i] : -1;
      const bool half = last_is_half && !s.given() && i + 1 == axes.rank();
      const index_t n = half ? 2 * (here - 1) : wanted == -1 ? here : wanted;
      if (n < 1) throw_no_points(function, n);
      points.push_back(n);
    }
  }
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
