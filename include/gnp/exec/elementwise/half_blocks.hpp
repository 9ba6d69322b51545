// SPDX-License-Identifier: MIT
// Expressions of float16 on the CPU, computed for a block of elements at a time. AVX-512 has instructions that
// convert halves in a fifth of the time that bit operations take, but g++ does not use them in loops.
#pragma once

#include <gnp/cpu/widest_loop.hpp>
#include <gnp/exec/elementwise/readers.hpp>

#if GNP_WIDEST_LOOPS
namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Is the result of an operation on halves its result on floats, rounded once?
template <class Op, class Body>
inline constexpr bool rounds_float = std::is_same_v<Body, float>;
template <>
inline constexpr bool rounds_float<operations::add_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::subtract_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::multiply_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::divide_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::exp_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::sin_ufunc, half> = true;
template <>
inline constexpr bool rounds_float<operations::cos_ufunc, half> = true;

/// Are all nodes halves? Only NumPy's operations count, because a user's operation may be long.
template <class X>
inline constexpr bool is_of_halves = false;
template <>
inline constexpr bool is_of_halves<array<half>> = true;
template <dtype Original>
inline constexpr bool is_of_halves<constant<half, Original>> = true;
template <class Op, class... X>
  requires(!Op::native)
inline constexpr bool is_of_halves<expression<Op, X...>> =
    std::is_same_v<typename expression<Op, X...>::value_type, half> && (is_of_halves<X> && ...) &&
    rounds_float<Op, body_type<expression<Op, X...>, 0>>;

template <class X>
inline constexpr bool computes_halves = false;
template <class Op, class... X>
inline constexpr bool computes_halves<expression<Op, X...>> =
    is_of_halves<expression<Op, X...>> && !node_changes_bits<expression<Op, X...>> &&
    (input_count<X> + ...) <= 4;

inline constexpr index_t halves_at_once = 512;
using floats_of_16 = scalar::vector_forms::floats;
using halves_of_16 = short __attribute__((vector_size(32)));

GNP_WIDEST inline void store_floats(float* values, halves_of_16 halves) {
  const floats_of_16 floats =
      __builtin_ia32_vcvtph2ps512_mask(halves, floats_of_16{}, scalar::vector_forms::all, 4);
  std::memcpy(values, &floats, sizeof(floats));
}
GNP_WIDEST inline halves_of_16 rounded_halves(const float* values) {
  floats_of_16 floats;
  std::memcpy(&floats, values, sizeof(floats));
  return __builtin_ia32_vcvtps2ph512_mask(floats, 0, halves_of_16{}, scalar::vector_forms::all);
}

/// The elements of a node as floats, after `load` has stored them: from index 0 up to a multiple of 16.
template <class X>
struct half_block;

template <>
struct half_block<array<half>> {
  const half* data;
  alignas(64) mutable float values[halves_at_once];
  explicit half_block(reader_inputs& from) : data(static_cast<const half*>(*from.input++)) {}
  GNP_WIDEST void load(index_t first, index_t count) const {
    const half* const from = data + first;
    halves_of_16 halves;
    index_t i = 0;
    for (; i + 16 <= count; i += 16) {
      std::memcpy(&halves, from + i, sizeof(halves));
      store_floats(values + i, halves);
    }
    if (i == count) return;
    halves = halves_of_16{};
    std::memcpy(&halves, from + i, static_cast<std::size_t>(count - i) * sizeof(half));
    store_floats(values + i, halves);
  }
  float operator[](index_t i) const { return values[i]; }
};

template <dtype Original>
struct half_block<constant<half, Original>> {
  float value;
  explicit half_block(reader_inputs& from) : value(reader<constant<half, Original>>(from)(0)) {}
  void load(index_t, index_t) const {}
  float operator[](index_t) const { return value; }
};

/// What a node computes from floats. If one of them is a number, it is known beforehand.
template <class Node>
struct operation_on_floats;
template <class Op, class... X>
struct operation_on_floats<expression<Op, X...>> {
  template <class Operands>
  explicit operation_on_floats(const Operands&) {}
  template <class... Floats>
  float operator()(Floats... x) const {
    return on_cpu<Op>::apply(x...);
  }
};
template <class Op, class X, class Number>
  requires prepares_for_number<expression<Op, X, Number>>
struct operation_on_floats<expression<Op, X, Number>> {
  by_number<Op, float, float> operation;
  template <class Operands>
  explicit operation_on_floats(const Operands& operands) : operation(item_of<1>(operands)[0]) {}
  float operator()(float x, float) const { return operation(x); }
};

template <class Op, class... X>
struct half_block<expression<Op, X...>> {
  pack<half_block<X>...> operands;
  alignas(64) mutable float values[halves_at_once];
  operation_on_floats<expression<Op, X...>> operation;
  explicit half_block(reader_inputs& from) : operands{{half_block<X>(from)}...}, operation(operands) {}

  /// Rounds the results by converting them to halves and back.
  GNP_WIDEST void load(index_t first, index_t count) const {
    compute(first, count, std::index_sequence_for<X...>());
    for (index_t i = 0; i < count; i += 16) store_floats(values + i, rounded_halves(values + i));
  }
  GNP_WIDEST void store(half* results, index_t first, index_t count) const {
    compute(first, count, std::index_sequence_for<X...>());
    half* const to = results + first;
    halves_of_16 halves;
    index_t i = 0;
    for (; i + 16 <= count; i += 16) {
      halves = rounded_halves(values + i);
      std::memcpy(to + i, &halves, sizeof(halves));
    }
    if (i == count) return;
    halves = rounded_halves(values + i);
    std::memcpy(to + i, &halves, static_cast<std::size_t>(count - i) * sizeof(half));
  }
  float operator[](index_t i) const { return values[i]; }

 private:
  template <std::size_t... Index>
  GNP_WIDEST void compute(index_t first, index_t count, std::index_sequence<Index...>) const {
    (item_of<Index>(operands).load(first, count), ...);
    const index_t whole_vectors = (count + 15) & ~index_t(15);
    GNP_INDEPENDENT
    for (index_t i = 0; i < whole_vectors; ++i) values[i] = operation(item_of<Index>(operands)[i]...);
  }
};

/// expression_code::compute for such an expression.
template <class X>
GNP_WIDEST void compute_halves(void* out, const void* const* inputs, const void* constants, index_t count) {
  reader_inputs from{inputs, static_cast<const unsigned char*>(constants)};
  const half_block<X> block(from);
  for (index_t first = 0; first < count; first += halves_at_once) {
    block.store(static_cast<half*>(out), first, (std::min)(halves_at_once, count - first));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
#endif
