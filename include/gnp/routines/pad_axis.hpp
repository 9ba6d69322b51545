// SPDX-License-Identifier: MIT
// The border of an array along one axis, filled from what has already been written.
#pragma once

#include <gnp/core/number.hpp>
#include <gnp/routines/before_and_after.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/sorting.hpp>
#include <gnp/routines/stretches.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Runs `source` directly into a part of the same array that it does not read, so that it need not be computed
/// first.
template <class T, class X>
void write_apart(const array<T>& destination, const X& source) {
  if constexpr (std::is_same_v<typename X::value_type, T>) {
    job_inputs<X> inputs(source);
    run_apart(code_of<X>, view_of(destination), inputs.leaves(), inputs.constants(), inputs.operands());
  } else {
    write_apart(destination, source.template astype<T>());
  }
}

/// An array along one axis: [low, high) has already been filled; what is outside has not.
template <class T>
struct pad_axis {
  array<T> all;
  int axis;
  index_t low;
  index_t high;

  index_t length() const { return all.shape()[axis]; }
  array<T> part(index_t start, index_t count) const { return stretch_of(all, axis, start, count); }
  array<T> backwards(index_t start, index_t count) const { return flip(part(start, count), axis); }

  /// Fills both ends, which lie outside [low, high).
  void fill(const array<T>& before, const array<T>& after) const {
    write_apart(part(0, low), before);
    write_apart(part(high, length() - high), after);
  }

  /// Mirrors the middle at both ends, repeatedly if the border is wide. `edge` is 1 if the first and last
  /// elements are mirrored, too; with `odd`, values are also mirrored at the value of the edge.
  void mirror(index_t edge, bool odd) {
    const index_t period = high - low - 1 + edge;
    const auto mirrored = [&](index_t to, index_t from, index_t count, index_t at) {
      if (odd) {
        write_apart(part(to, count), (2 * part(at, 1) - backwards(from, count)).template astype<T>());
      } else {
        write_apart(part(to, count), backwards(from, count));
      }
    };
    while (low > 0) {
      const index_t count = (std::min)(low, (high - low - 1 + edge) / period * period);
      mirrored(low - count, low + 1 - edge, count, low);
      low -= count;
    }
    while (high < length()) {
      const index_t count = (std::min)(length() - high, (high - low - 1 + edge) / period * period);
      mirrored(high, high - 1 + edge - count, count, high - 1);
      high += count;
    }
  }

  /// Repeats the middle over and over.
  void wrap() {
    const index_t period = high - low;
    while (low > 0) {
      const index_t known = (high - low) / period * period;
      const index_t count = (std::min)(low, known);
      write_apart(part(low - count, count), part(low - count + known, count));
      low -= count;
    }
    while (high < length()) {
      const index_t known = (high - low) / period * period;
      const index_t count = (std::min)(length() - high, known);
      write_apart(part(high, count), part(high - known, count));
      high += count;
    }
  }

  /// Fills both ends in equal steps from the end values to the edges.
  void ramp(const std::pair<number, number>& ends) const {
    using C = std::conditional_t<is_complex(dtype_of<T>), complex128, double>;
    const auto towards = [&](const array<T>& border, const number& end, const array<T>& edge) {
      const index_t count = border.shape()[axis];
      if (count == 0) return;
      const C start = number_as<C>(end, "pad");
      shape_t line(all.shape().size(), 1);
      line[axis] = count;
      const auto step = (edge.template astype<C>() - start) / static_cast<double>(count);
      const auto values = start + ufunc<operations::multiply_ufunc>()(positions<T>(line), step);
      if constexpr (is_integer(dtype_of<T>)) {
        write_apart(border, floor(values));
      } else if constexpr (std::is_same_v<T, bool>) {
        write_apart(border, values != 0.0);
      } else {
        write_apart(border, values);
      }
    };
    towards(part(0, low), ends.first, part(low, 1));
    towards(backwards(high, length() - high), ends.second, part(high - 1, 1));
  }

  /// Fills each end with the result of `f` for the elements next to it, or for all elements.
  template <class F>
  void statistic(const before_and_after<any_integer>& lengths, const F& f) const {
    const index_t whole = high - low;
    index_t first = whole;
    index_t last = whole;
    if (lengths.given()) {
      first = (std::min)(index_t{lengths.along(axis).first}, whole);
      last = (std::min)(index_t{lengths.along(axis).second}, whole);
      if (first < 0 || last < 0) throw error("pad: index can't contain negative values");
      if (first == 0 || last == 0) throw error("pad: stat_length of 0 yields no value for padding");
    }
    const array<T> before = f(part(low, first));
    fill(before, first == whole && last == whole ? before : array<T>(f(part(high - last, last))));
  }
};

template <class T>
array<T> mean_along(const array<T>& part, int axis) {
  const auto value = mean(part, {.axis = axis, .keepdims = true});
  if constexpr (is_integer(dtype_of<T>)) {
    return rint(value).template astype<T>();
  } else {
    return value.template astype<T>();  // for bool: is any element true?
  }
}

/// The median: the value in the middle, or the mean of the two in the middle. NaN if there is any, because NaN
/// is sorted last.
template <class T>
array<T> median_along(const array<T>& part, int axis) {
  const array<T> sorted = gnp::sort(part, {.axis = axis});
  const index_t n = sorted.shape()[axis];
  const array<T> low = stretch_of(sorted, axis, (n - 1) / 2, 1);
  const array<T> high = stretch_of(sorted, axis, n / 2, 1);
  if constexpr (std::is_same_v<T, bool>) {
    return logical_or(low, high);  // the mean of false and true is a half, which counts as true
  } else if constexpr (is_integer(dtype_of<T>)) {
    return rint((low.template astype<double>() + high.template astype<double>()) / 2.0).template astype<T>();
  } else {
    const array<T> last = stretch_of(sorted, axis, n - 1, 1);
    return where(isnan(last), last, where(low == high, low, (low + high) / 2));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
