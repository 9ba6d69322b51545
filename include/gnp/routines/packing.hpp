// SPDX-License-Identifier: MIT
// packbits and unpackbits: truth values as bits of bytes.
#pragma once

#include <gnp/cpu/bits.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/stretches.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

struct packbits_options {
  by_name only = by_name();
  axes_t axis = none;
  std::string_view bitorder = "big";
};

/// `count` is the number of bits to take; if it is negative, the last -count bits are left out.
struct unpackbits_options {
  by_name only = by_name();
  axes_t axis = none;
  std::optional<index_t> count = std::nullopt;
  std::string_view bitorder = "big";
};

namespace detail {

inline bool big_bits(std::string_view order, const char* function) {
  if (order != "big" && order != "little") {
    throw error(std::string(function) + ": 'bitorder' must be either 'little' or 'big', got '" +
                std::string(order) + "'");
  }
  return order == "big";
}

/// The array and its axis, or the flattened array and axis 0.
template <class T>
std::pair<array<T>, int> along_or_flat(const array<T>& a, const axes_t& axis, const char* function) {
  if (!axis.given()) return {ravel(a), 0};
  require_one_axis_or_none(axis, function);
  return {a, normalize_axis(axis.values()[0], a.ndim(), function)};
}

/// Combines eight views into bytes with one kernel. Each view has every eighth element, with a different start.
template <class T>
auto packed_bytes(const array<T>& a, int axis, bool big) {
  const auto bit = [&](index_t i) {
    std::vector<index_arg> indices(static_cast<std::size_t>(axis) + 1, index_arg(all));
    indices.back() = slice(big ? i : 7 - i, none, 8);
    return left_shift((a.index(indices) != T()).template astype<std::uint8_t>(), 7 - i);
  };
  return bit(0) | bit(1) | bit(2) | bit(3) | bit(4) | bit(5) | bit(6) | bit(7);
}

/// Can the bits along the last axis, which must be contiguous, be taken eight at a time?
template <class T>
bool has_rows_of_bits(const array<T>& a, int axis) {
  return bits_in_words && sizeof(T) == 1 && a.device().is_cpu() && axis == a.ndim() - 1 && a.is_contiguous();
}

}  // namespace detail

/// Eight elements along an axis, or of the flattened array, become the bits of one byte. A bit is set where its
/// element is not zero. The last byte is padded with zeros.
template <array_like X>
array<std::uint8_t> packbits(const X& x, const packbits_options& options = {}) {
  using T = typename X::value_type;
  static_assert(is_integer(dtype_of<T>) || std::is_same_v<T, bool>,
                "gnp: packbits takes booleans and integers: compare others with zero first");
  const bool big = detail::big_bits(options.bitorder, "packbits");
  const auto [a, axis] = detail::along_or_flat(x.eval(), options.axis, "packbits");
  const index_t whole = a.shape()[axis] / 8;
  const index_t rest = a.shape()[axis] % 8;
  shape_t shape = a.shape();
  shape[axis] = whole + (rest > 0 ? 1 : 0);
  const array<std::uint8_t> result(shape, a.device(), "packbits");
  if (detail::has_rows_of_bits(a, axis)) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(a.data());
    if (rest > 0 && a.ndim() > 1) {
      detail::gather_rows_of_bits(result.data(), bytes, a.size() / a.shape()[axis], a.shape()[axis], big);
      return result;
    }
    detail::gather_bits_in_parallel(result.data(), bytes, a.size() / 8, big);
    if (rest > 0) detail::gather_rows_of_bits(result.data() + whole, bytes + whole * 8, 1, rest, big);
    return result;
  }
  detail::stretch_of(result, axis, 0, whole)
      .assign(detail::packed_bytes(detail::stretch_of(a, axis, 0, whole * 8), axis, big));
  if (rest > 0) {
    shape[axis] = 8;
    const array<T> last = detail::filled<T>(shape, T(), a.device(), "packbits");
    detail::stretch_of(last, axis, 0, rest).assign(detail::stretch_of(a, axis, whole * 8, rest));
    detail::stretch_of(result, axis, whole, 1).assign(detail::packed_bytes(last, axis, big));
  }
  return result;
}
template <array_like X>
array<std::uint8_t> packbits(const X& x, const axes_t& axis, packbits_options options = {}) {
  options.axis = axis;
  return packbits(x, static_cast<const packbits_options&>(options));
}

/// The bits of bytes along an axis, or of the flattened array, as zeros and ones.
template <array_like X>
array<std::uint8_t> unpackbits(const X& x, const unpackbits_options& options = {}) {
  static_assert(std::is_same_v<typename X::value_type, std::uint8_t>,
                "gnp: unpackbits takes an array of std::uint8_t");
  const bool big = detail::big_bits(options.bitorder, "unpackbits");
  const auto [a, axis] = detail::along_or_flat(x.eval(), options.axis, "unpackbits");
  const index_t bits = a.shape()[axis] * 8;
  const index_t wanted = options.count.value_or(bits);
  const index_t count = wanted < 0 ? bits + wanted : wanted;
  if (count < 0) {
    throw error("unpackbits: -count must be less than the number of bits, got " + std::to_string(wanted) +
                " of " + std::to_string(bits));
  }
  if (a.ndim() == max_rank) {  // there is no room for another axis, of bits
    shape_t shape = a.shape();
    shape[axis] = count;
    if (detail::element_count(shape, "unpackbits") == 0)
      return array<std::uint8_t>(shape, a.device(), "unpackbits");
    index_t before = 1;
    for (int d = 0; d < axis; ++d) before *= shape[d];
    const array<std::uint8_t> three = reshape(a, {before, bits / 8, -1});
    return unpackbits(three, {.axis = 1, .count = options.count, .bitorder = options.bitorder}).reshape(shape);
  }
  shape_t apart = a.shape();
  apart.insert(axis + 1, 8);
  shape_t last_axis(apart.size(), 1);
  last_axis[axis + 1] = 8;
  std::vector<index_arg> indices(static_cast<std::size_t>(axis) + 1, index_arg(all));
  indices.emplace_back(newaxis);
  const auto position = detail::positions<std::uint8_t>(last_axis);
  const auto place = ufunc<operations::integer_ramp_ufunc>()(position, big ? 7 : 0, big ? -1 : 1)
                         .template astype<std::uint8_t>();
  const array<std::uint8_t> all_bits(apart, a.device(), "unpackbits");
  if (detail::has_rows_of_bits(a, axis)) {
    detail::spread_bits_in_parallel(all_bits.data(), a.data(), a.size(), big);
  } else {
    all_bits.assign(right_shift(a.index(indices), place) & 1);
  }
  shape_t shape = a.shape();
  shape[axis] = bits;
  const array<std::uint8_t> unpacked = all_bits.view({0, shape, detail::contiguous_strides(shape)});
  if (count <= bits) return detail::stretch_of(unpacked, axis, 0, count);
  shape[axis] = count;
  const array<std::uint8_t> longer = detail::filled<std::uint8_t>(shape, 0, a.device(), "unpackbits");
  detail::stretch_of(longer, axis, 0, bits).assign(unpacked);
  return longer;
}
template <array_like X>
array<std::uint8_t> unpackbits(const X& x, const axes_t& axis, unpackbits_options options = {}) {
  options.axis = axis;
  return unpackbits(x, static_cast<const unpackbits_options&>(options));
}

}}  // namespace gnp::GNP_ABI
