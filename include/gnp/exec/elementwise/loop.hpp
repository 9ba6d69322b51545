// SPDX-License-Identifier: MIT
// The typed loop of an expression on the CPU: contiguous inputs in, contiguous results out.
#pragma once

#include <gnp/cpu/loop.hpp>
#include <gnp/exec/elementwise/by_number.hpp>
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

/// Where the operands of a node find their inputs and constants: the next free numbers, left to right.
struct reader_place {
  int input = 0;
  int constant = 0;
};

template <class... X>
constexpr auto places_of(reader_place first) {
  std::array<reader_place, sizeof...(X) + 1> places{};
  places[0] = first;
  std::size_t i = 0;
  ((places[i + 1] = {places[i].input + input_count<X>, places[i].constant + constant_count<X>}, ++i), ...);
  return places;
}

/// Reads element i of a node from contiguous memory, computing what the node computes.
template <class X, reader_place Place>
struct reader;

template <class T, reader_place Place>
struct reader<array<T>, Place> {
  const in_memory<T>* data;
  reader(const void* const* inputs, const void*)
      : data(static_cast<const in_memory<T>*>(inputs[Place.input])) {}
  T operator()(index_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return data[i] != 0;
    } else {
      return data[i];
    }
  }
};

template <reader_place Place>
struct reader<position, Place> {
  const std::int64_t* data;
  reader(const void* const* inputs, const void*)
      : data(static_cast<const std::int64_t*>(inputs[Place.input])) {}
  std::int64_t operator()(index_t i) const { return data[i]; }
};

template <class T, dtype Original, reader_place Place>
struct reader<constant<T, Original>, Place> {
  T value;
  reader(const void* const*, const void* constants)
      : value(*reinterpret_cast<const T*>(static_cast<const unsigned char*>(constants) + 16 * Place.constant)) {
  }
  T operator()(index_t) const { return value; }
};

template <class Op, class... X, reader_place Place>
struct reader<expression<Op, X...>, Place> {
  using node = expression<Op, X...>;
  static constexpr auto places = places_of<X...>(Place);

  template <class Sequence>
  struct typed_operands;
  template <std::size_t... Index>
  struct typed_operands<std::index_sequence<Index...>> {
    std::tuple<reader<X, places[Index]>...> all;
    typed_operands(const void* const* inputs, const void* constants)
        : all(reader<X, places[Index]>(inputs, constants)...) {}
    auto operator()(index_t i) const {
      return scalar::cast<typename node::value_type>(
          on_cpu<Op>::apply(scalar::cast<body_type<node, Index>>(std::get<Index>(all)(i))...));
    }
  };

  /// The same where the second operand is a number that the operation prepares for.
  struct operand_and_number {
    using first_type = body_type<node, 0>;
    using number_type = body_type<node, 1>;
    using first_node = std::tuple_element_t<0, std::tuple<X...>>;
    using number_node = std::tuple_element_t<1, std::tuple<X...>>;

    reader<first_node, places[0]> first;
    by_number<Op, first_type, number_type> operation;
    operand_and_number(const void* const* inputs, const void* constants)
        : first(inputs, constants),
          operation(scalar::cast<number_type>(reader<number_node, places[1]>(inputs, constants)(0))) {}
    auto operator()(index_t i) const {
      return scalar::cast<typename node::value_type>(operation(scalar::cast<first_type>(first(i))));
    }
  };

  static constexpr bool prepares = [] {
    if constexpr (sizeof...(X) == 2) {
      using number_node = std::tuple_element_t<1, std::tuple<X...>>;
      if constexpr (is_constant_v<number_node>) {
        return by_number<Op, body_type<node, 0>, body_type<node, 1>>::is_faster;
      } else {
        return false;
      }
    } else {
      return false;
    }
  }();

  std::conditional_t<prepares, operand_and_number, typed_operands<std::index_sequence_for<X...>>> operands;
  reader(const void* const* inputs, const void* constants) : operands(inputs, constants) {}
  typename node::value_type operator()(index_t i) const { return operands(i); }
};

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"  // a loop that does not vectorise is no fault
#define GNP_EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define GNP_EACH_ALONE GNP_INDEPENDENT
#endif

// The reader is made where the loop is: were it an argument, a byte that is stored could change it.
template <class X>
GNP_LOOP void compute_loop(void* out, const void* const* inputs, const void* constants, index_t count) {
  const reader<X, reader_place{}> read(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  GNP_EACH_ALONE
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}

#if GNP_WIDE_LOOPS
template <class X>
GNP_LOOP __attribute__((target("avx2"))) void compute_loop_wide(void* out, const void* const* inputs,
                                                                const void* constants, index_t count) {
  const reader<X, reader_place{}> read(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  GNP_EACH_ALONE
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}
#endif

/// program::compute of an expression.
template <class X>
void compute(void* out, const void* const* inputs, const void* constants, index_t count) {
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return compute_loop_wide<X>(out, inputs, constants, count);
#endif
  compute_loop<X>(out, inputs, constants, count);
}

#undef GNP_EACH_ALONE
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}}}  // namespace gnp::GNP_ABI::detail
