// SPDX-License-Identifier: MIT
// How the nodes of an expression are read on the CPU: element by element, from contiguous memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <gnp/cpu/loop.hpp>
#include <gnp/exec/elementwise/by_number.hpp>
#include <gnp/exec/elementwise/cpu_operations.hpp>
#include <gnp/exec/layout/job.hpp>
#include <gnp/expr/ufunc.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class X>
inline constexpr int input_count = 1;  // arrays and positions
template <class T, dtype Original>
inline constexpr int input_count<constant<T, Original>> = 0;
template <class Op, class... X>
inline constexpr int input_count<expression<Op, X...>> = (input_count<X> + ... + 0);

template <class X>
inline constexpr int constant_count = 0;
template <class T, dtype Original>
inline constexpr int constant_count<constant<T, Original>> = 1;
template <class Op, class... X>
inline constexpr int constant_count<expression<Op, X...>> = (constant_count<X> + ... + 0);

/// The inputs and constants that are left for the next readers of a node, in the order in which they are
/// written.
struct reader_inputs {
  const void* const* input;
  const unsigned char* constant;
};

/// Reads element i of a node from contiguous memory, and does the node's computation.
template <class X>
struct reader;

template <class T>
struct reader<array<T>> {
  const in_memory<T>* data;
  explicit reader(reader_inputs& from) : data(static_cast<const in_memory<T>*>(*from.input++)) {}
  T operator()(index_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return data[i] != 0;
    } else {
      return data[i];
    }
  }
};

template <>
struct reader<position> {
  const std::int64_t* data;
  explicit reader(reader_inputs& from) : data(static_cast<const std::int64_t*>(*from.input++)) {}
  std::int64_t operator()(index_t i) const { return data[i]; }
};

template <class T, dtype Original>
struct reader<constant<T, Original>> {
  T value;
  explicit reader(reader_inputs& from) : value(*reinterpret_cast<const T*>(from.constant)) {
    from.constant += constant_slot;
  }
  T operator()(index_t) const { return value; }
};

/// 1 or 0. Of a choice between two numbers, g++ would make a branch around what is computed with them, and it
/// does not vectorise conversions from bool to floating-point numbers.
template <class To>
constexpr To number_of_truth(bool x) {
  if constexpr (scalar::is_complex_v<To>) {
    return To(number_of_truth<typename To::value_type>(x), 0);
  } else if constexpr (scalar::is_float_v<To> || scalar::is_half_v<To>) {
    using word = std::conditional_t<sizeof(To) == 8, std::uint64_t,
                                    std::conditional_t<sizeof(To) == 4, std::uint32_t, std::uint16_t>>;
    return std::bit_cast<To>(static_cast<word>(mask_of<word>(x) & std::bit_cast<word>(To(1))));
  } else {
    return static_cast<To>(static_cast<unsigned char>(x));
  }
}
/// Most casts are of a type to itself. Where nothing is optimised, as under the sanitizers, each call takes
/// time.
template <class To, class From>
constexpr To cast_on_cpu(From x) {
  if constexpr (std::is_same_v<From, To>) {
    return x;
  } else if constexpr (std::is_same_v<From, bool>) {
    return number_of_truth<To>(x);
  } else {
    return scalar::cast<To>(x);
  }
}

template <class Node, class Sequence, class... X>
struct operand_readers;
template <class Op, class... X, std::size_t... Index>
struct operand_readers<expression<Op, X...>, std::index_sequence<Index...>> {
  using node = expression<Op, X...>;
  pack<reader<X>...> all;
  explicit operand_readers(reader_inputs& from) : all{{reader<X>(from)}...} {}
  typename node::value_type operator()(index_t i) const {
    return cast_on_cpu<typename node::value_type>(
        on_cpu<Op>::apply(cast_on_cpu<body_type<node, Index>>(item_of<Index>(all)(i))...));
  }
};

/// The same where the second operand is a number that the operation prepares for.
template <class Node>
struct operand_and_number;
template <class Op, class X, class Number>
struct operand_and_number<expression<Op, X, Number>> {
  using node = expression<Op, X, Number>;
  using first_type = body_type<node, 0>;
  using number_type = body_type<node, 1>;

  reader<X> first;
  by_number<Op, first_type, number_type> operation;
  explicit operand_and_number(reader_inputs& from)
      : first(from), operation(cast_on_cpu<number_type>(reader<Number>(from)(0))) {}
  typename node::value_type operator()(index_t i) const {
    return cast_on_cpu<typename node::value_type>(operation(cast_on_cpu<first_type>(first(i))));
  }
#if GNP_VECTOR_PRODUCTS
  static constexpr bool in_vectors =
      takes_vectors<Op, first_type, number_type> && std::is_same_v<first_type, typename node::value_type>;
  /// Computes vectors of results. The first operands are in memory, or are stored there first, a block at a
  /// time.
  GNP_IN_VECTORS void compute_all(first_type* results, index_t count) const {
    if constexpr (std::is_same_v<X, array<first_type>>) {
      compute_of(results, first.data, count);
    } else {
      constexpr index_t some = 256;
      first_type block[some];
      for (index_t done = 0; done < count; done += some) {
        const index_t here = (std::min)(some, count - done);
        for (index_t k = 0; k < here; ++k) block[k] = cast_on_cpu<first_type>(first(done + k));
        compute_of(results + done, block, here);
      }
    }
  }
  GNP_IN_VECTORS void compute_of(first_type* results, const first_type* from, index_t count) const {
    typename vector_of<first_type>::type vector;
    constexpr index_t lanes = sizeof(vector) / sizeof(first_type);
    index_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      std::memcpy(&vector, from + i, sizeof(vector));
      vector = operation.many(vector);
      std::memcpy(results + i, &vector, sizeof(vector));
    }
    for (; i < count; ++i) results[i] = operation(from[i]);
  }
#endif
};

template <class Node>
inline constexpr bool prepares_for_number = false;
template <class Op, class X, class T, dtype Original>
inline constexpr bool prepares_for_number<expression<Op, X, constant<T, Original>>> =
    by_number<Op, body_type<expression<Op, X, constant<T, Original>>, 0>,
              body_type<expression<Op, X, constant<T, Original>>, 1>>::is_faster;

/// Does a node do nothing except change bits of halves?
template <class Node>
inline constexpr bool node_changes_bits = false;
template <class Op, class X>
inline constexpr bool node_changes_bits<expression<Op, X>> =
    only_changes_bits<Op, typename expression<Op, X>::value_type, typename X::value_type>;
template <class Node>
struct bit_changer;
template <class Op, class X>
struct bit_changer<expression<Op, X>> {
  using half_type = typename X::value_type;
  reader<X> operand;
  explicit bit_changer(reader_inputs& from) : operand(from) {}
  half_type operator()(index_t i) const {
    constexpr bits_of_half bits = on_half_bits<Op>;
    return half_type::from_bits(static_cast<std::uint16_t>((operand(i).bits & bits.kept) ^ bits.flipped));
  }
};

template <class Op, class... X>
struct reader<expression<Op, X...>> : operand_readers<expression<Op, X...>, std::index_sequence_for<X...>> {
  using operand_readers<expression<Op, X...>, std::index_sequence_for<X...>>::operand_readers;
};
template <class Op, class... X>
  requires prepares_for_number<expression<Op, X...>>
struct reader<expression<Op, X...>> : operand_and_number<expression<Op, X...>> {
  using operand_and_number<expression<Op, X...>>::operand_and_number;
};
template <class Op, class... X>
  requires node_changes_bits<expression<Op, X...>>
struct reader<expression<Op, X...>> : bit_changer<expression<Op, X...>> {
  using bit_changer<expression<Op, X...>>::bit_changer;
};

}}}  // namespace gnp::GNP_ABI::detail
