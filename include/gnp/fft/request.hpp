// SPDX-License-Identifier: MIT
// The request for a Fourier transform: which axes, how many points, which direction, which norm.
#pragma once

#include <cmath>
#include <gnp/fft/options.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

enum class fft_norm { backward, ortho, forward };

GNP_INLINE fft_norm fft_norm_named(std::string_view name, const char* function) {
  if (name == "backward") return fft_norm::backward;
  if (name == "ortho") return fft_norm::ortho;
  if (name == "forward") return fft_norm::forward;
  throw error(std::string(function) + ": invalid norm value '" + std::string(name) +
              "', expected 'backward', 'ortho' or 'forward'");
}

/// The norm to use if a transform is computed by the one in the opposite direction.
constexpr fft_norm other_direction(fft_norm norm) {
  return norm == fft_norm::backward ? fft_norm::forward : norm == fft_norm::forward ? fft_norm::backward : norm;
}

/// Which part of the numbers is stored: all or, for a real array's transform, the half that determines the
/// rest.
enum class fft_span { whole, half };

struct fft_request {
  shape_t axes;  // the last one first
  shape_t points;
  bool inverse;
  fft_span span;
  fft_norm norm;
  const char* function;

  int count() const { return axes.rank(); }

  /// The factor by which the results are multiplied.
  GNP_INLINE double scale() const {
    double n = 1;
    for (const index_t p : points) n *= static_cast<double>(p);
    if (norm == fft_norm::ortho) return 1 / std::sqrt(n);
    return (norm == fft_norm::backward) == inverse ? 1 / n : 1;
  }

  /// The part of the request along one axis. Only the last axis can hold half of a real array's transform.
  GNP_INLINE fft_request along(int i) const {
    return {shape_t{axes[i]}, shape_t{points[i]}, inverse, i + 1 == count() ? span : fft_span::whole, norm,
            function};
  }

  GNP_INLINE void add(const shape_t& shape, index_t axis, index_t n) {
    if (n < 1) {
      throw shape_error(std::string(function) + ": invalid number of FFT data points (" + std::to_string(n) +
                        ") specified");
    }
    axes.push_back(normalize_axis(axis, shape.rank(), function));
    points.push_back(n);
  }

  /// The number of points along an axis if none is given. A real inverse then has an even length.
  GNP_INLINE index_t points_of(const shape_t& shape, index_t axis, bool is_last) const {
    const index_t here = shape[normalize_axis(axis, shape.rank(), function)];
    return inverse && is_last && span == fft_span::half ? 2 * (here - 1) : here;
  }
};

GNP_INLINE fft_request fft_along_axis(const shape_t& shape, const fft::fft_options& o, bool inverse,
                                      fft_span span, const char* function) {
  fft_request made{{}, {}, inverse, span, fft_norm_named(o.norm, function), function};
  made.add(shape, o.axis, o.n.given() ? o.n.points() : made.points_of(shape, o.axis, true));
  return made;
}

GNP_INLINE fft_request fft_along_axes(const shape_t& shape, const axes_t& s, const axes_t& axes,
                                      std::string_view norm, bool inverse, fft_span span,
                                      const char* function) {
  fft_request made{{}, {}, inverse, span, fft_norm_named(norm, function), function};
  const int count = axes.given() ? axes.values().rank() : s.given() ? s.values().rank() : shape.rank();
  if (s.given() && s.values().rank() != count) {
    throw shape_error(std::string(function) + ": shape and axes have different lengths, " +
                      to_string(s.values()) + " and " + to_string(axes.values()));
  }
  if (span == fft_span::half && count == 0) throw index_error(std::string(function) + ": there is no axis");
  for (int i = 0; i < count; ++i) {
    const index_t axis = axes.given() ? axes.values()[i] : i - count;
    if (s.given()) {
      const index_t n = s.values()[i];
      made.add(shape, axis, n == -1 ? shape[normalize_axis(axis, shape.rank(), function)] : n);
    } else {
      made.add(shape, axis, made.points_of(shape, axis, i + 1 == count));
    }
  }
  return made;
}

}}}  // namespace gnp::GNP_ABI::detail
