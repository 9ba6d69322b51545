// SPDX-License-Identifier: MIT
// pad: an array with a border around it. The middle is written once. Then the border is filled axis by axis
// from what has already been written, so that the corners are the same as in NumPy.
#pragma once

#include <gnp/core/asks_for_elements.hpp>
#include <gnp/core/number.hpp>
#include <gnp/routines/pad_axis.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

struct pad_options {
  by_name only = by_name();
  /// constant edge linear_ramp maximum mean median minimum reflect symmetric wrap empty
  std::string_view mode = "constant";
  before_and_after<number> constant_values = 0;
  before_and_after<number> end_values = 0;
  before_and_after<detail::any_integer> stat_length = {};
  std::string_view reflect_type = "even";
};

namespace detail {

using pad_widths = before_and_after<any_integer>;

enum class pad_mode : std::uint8_t {
  constant,
  edge,
  ramp,
  maximum,
  mean,
  median,
  minimum,
  reflect,
  symmetric,
  wrap,
  empty
};

GNP_DECLARED pad_mode pad_mode_of(std::string_view name);

template <class V>
void require_pairs(const before_and_after<V>& pairs, int rank, const char* what) {
  if (pairs.count() != 1 && pairs.count() != static_cast<std::size_t>(rank)) {
    throw shape_error(std::string("pad: ") + std::to_string(pairs.count()) + " pairs of " + what +
                      " for an array of " + std::to_string(rank) + " dimensions");
  }
}

GNP_DECLARED shape_t padded_shape(const shape_t& shape, const pad_widths& widths, pad_mode mode);

/// Fills both ends of an axis in the way of a mode that is not empty.
template <class T>
void fill_ends(pad_axis<T> along, pad_mode how, const pad_options& options) {
  const int d = along.axis;
  const int rank = along.all.ndim();
  switch (how) {
    case pad_mode::constant: {
      require_pairs(options.constant_values, rank, "constant_values");
      const auto& [first, last] = options.constant_values.along(d);
      along.part(0, along.low).fill(number_as<T>(first, "pad"));
      along.part(along.high, along.length() - along.high).fill(number_as<T>(last, "pad"));
      break;
    }
    case pad_mode::edge:
      along.fill(along.part(along.low, 1), along.part(along.high - 1, 1));
      break;
    case pad_mode::ramp:
      require_pairs(options.end_values, rank, "end_values");
      along.ramp(options.end_values.along(d));
      break;
    case pad_mode::maximum:
      along.statistic(options.stat_length,
                      [d](const auto& p) { return array<T>((gnp::max)(p, {.axis = d, .keepdims = true})); });
      break;
    case pad_mode::minimum:
      along.statistic(options.stat_length,
                      [d](const auto& p) { return array<T>((gnp::min)(p, {.axis = d, .keepdims = true})); });
      break;
    case pad_mode::mean:
      along.statistic(options.stat_length, [d](const auto& p) { return mean_along(p, d); });
      break;
    case pad_mode::median:
      along.statistic(options.stat_length, [d](const auto& p) { return median_along(p, d); });
      break;
    case pad_mode::reflect:
    case pad_mode::symmetric:
      if (options.reflect_type != "even" && options.reflect_type != "odd") {
        throw error("pad: reflect_type must be 'even' or 'odd', got '" + std::string(options.reflect_type) +
                    "'");
      }
      if (how == pad_mode::reflect && along.high - along.low == 1) {
        along.fill(along.part(along.low, 1), along.part(along.low, 1));
      } else {
        along.mirror(how == pad_mode::symmetric ? 1 : 0, options.reflect_type == "odd");
      }
      break;
    case pad_mode::wrap:
      along.wrap();
      break;
    case pad_mode::empty:
      break;
  }
}

}  // namespace detail

/// The array with a border: pad(a, 2), pad(a, {1, 2}, {.mode = "edge"}), pad(a, {{1, 2}, {0, 3}}).
template <array_like X>
auto pad(const X& x, const before_and_after<detail::any_integer>& widths, const pad_options& options = {}) {
  using T = typename X::value_type;
  const detail::pad_mode how = detail::pad_mode_of(options.mode);
  detail::require_pairs(widths, x.ndim(), "widths");
  const shape_t inner = x.shape();
  const array<T> result(detail::padded_shape(inner, widths, how), x.device(), "pad");
  array<T> middle = result;
  for (int d = 0; d < inner.rank(); ++d)
    middle = detail::stretch_of(middle, d, widths.along(d).first, inner[d]);
  middle.assign(x);
  if (how == detail::pad_mode::empty) return result;
  // Modes that read next to the border need a region that is completely filled: all of the earlier axes, and
  // the middle of the later ones.
  for (int d = 0; d < inner.rank(); ++d) {
    const index_t before = widths.along(d).first;
    if (before + widths.along(d).second == 0) continue;
    array<T> across = result;
    for (int k = d + 1; k < inner.rank(); ++k) {
      across = detail::stretch_of(across, k, widths.along(k).first, inner[k]);
    }
    detail::fill_ends(detail::pad_axis<T>{across, d, before, before + inner[d]}, how, options);
  }
  return result;
}
/// The mode as the third argument, as in NumPy: pad(a, 1, "wrap").
template <array_like X, std::convertible_to<std::string_view> Mode>
auto pad(const X& x, const before_and_after<detail::any_integer>& widths, const Mode& mode,
         pad_options options = {}) {
  options.mode = mode;
  return pad(x, widths, options);
}

/// Refused: the border's numbers are given by name.
template <array_like X, scalar_like Number>
array<typename X::value_type> pad(const X&, const before_and_after<detail::any_integer>&, Number) {
  static_assert(!scalar_like<Number>,
                "gnp: the third argument of pad is a mode: write gnp::pad(a, 1, {.constant_values = 5})");
  return {};
}

struct trim_options {
  by_name only = by_name();
  std::string_view trim = "fb";
  axes_t axis = none;
};

/// A view without the zeros at the front ('f') and back ('b') of each axis. It has to wait, because its shape
/// depends on the values.
template <array_like X>
auto trim_zeros(const X& x, const trim_options& options = {}) {
  const detail::asks_for_elements asking("trim_zeros");
  const std::string_view trim = options.trim;
  auto a = x.eval();
  const detail::axis_set chosen(options.axis, a.ndim(), "trim_zeros");
  const bool front = trim.find_first_of("fF") != std::string_view::npos;
  const bool back = trim.find_first_of("bB") != std::string_view::npos;
  if (trim.empty() || trim.size() != static_cast<std::size_t>(front) + static_cast<std::size_t>(back))
    throw error("trim_zeros: unexpected character(s) in `trim`: '" + std::string(trim) + "'");
  const auto whole = a;
  for (int d = 0; d < a.ndim(); ++d) {
    if (!chosen.chosen[d]) continue;
    shape_t others;
    for (int k = 0; k < a.ndim(); ++k) {
      if (k != d) others.push_back(k);
    }
    const auto some = whole.ndim() == 1 ? array<bool>(whole != typename X::value_type()) : any(whole, others);
    const index_t length = some.size();
    const bool empty = length == 0 || !any(some).item();
    const index_t first = empty ? length : argmax(some).item();
    const index_t last = empty ? 0 : length - argmax(flip(some)).item();
    const index_t begin = front ? first : 0;
    const index_t end = back ? last : length;
    a = detail::stretch_of(a, d, (std::min)(begin, end), (std::max)(end - begin, index_t{0}));
  }
  return a;
}
template <array_like X>
auto trim_zeros(const X& x, std::string_view trim, trim_options options = {}) {
  options.trim = trim;
  return trim_zeros(x, static_cast<const trim_options&>(options));
}
// The values in braces: pad({1, 2, 3}, 1, "edge").
GNP_TAKES_VALUES_BESIDE(pad,
                        (const before_and_after<detail::any_integer>& widths, const pad_options& options = {}),
                        (widths, options))
GNP_TAKES_VALUES_BESIDE(pad,
                        (const before_and_after<detail::any_integer>& widths, std::string_view mode,
                         const pad_options& options = {}),
                        (widths, mode, options))
GNP_REFUSES_MIXED_NUMBERS(pad, class Nothing = void, const before_and_after<detail::any_integer>&,
                          const pad_options& = {})
GNP_TAKES_VALUES_BESIDE(trim_zeros, (const trim_options& options = {}), (options))
GNP_TAKES_VALUES_BESIDE(trim_zeros, (std::string_view trim, const trim_options& options = {}), (trim, options))
GNP_REFUSES_MIXED_NUMBERS(trim_zeros, class Nothing = void, const trim_options& = {})

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE pad_mode pad_mode_of(std::string_view name) {
  constexpr std::string_view names[] = {"constant", "edge",    "linear_ramp", "maximum", "mean", "median",
                                        "minimum",  "reflect", "symmetric",   "wrap",    "empty"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == name) return static_cast<pad_mode>(i);
  }
  std::string known;
  for (const std::string_view each : names) known += (known.empty() ? "'" : ", '") + std::string(each) + "'";
  throw error("pad: mode '" + std::string(name) + "' is not supported: it is one of " + known);
}

GNP_INLINE shape_t padded_shape(const shape_t& shape, const pad_widths& widths, pad_mode mode) {
  shape_t result = shape;
  for (int d = 0; d < shape.rank(); ++d) {
    const index_t before = widths.along(d).first;
    const index_t after = widths.along(d).second;
    if (before < 0 || after < 0) throw error("pad: index can't contain negative values");
    result[d] = sum_of_sizes(sum_of_sizes(before, after, "pad"), result[d], "pad");
    if (shape[d] == 0 && result[d] > 0 && mode != pad_mode::constant && mode != pad_mode::empty) {
      throw shape_error("pad: can't extend empty axis " + std::to_string(d) +
                        " using modes other than 'constant' or 'empty'");
    }
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
