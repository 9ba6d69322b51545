// SPDX-License-Identifier: MIT
// The typed loop of an expression on the CPU: contiguous inputs in, contiguous results out.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/cpu/libm.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/exec/elementwise/by_number.hpp>
#include <gnp/exec/layout/job.hpp>
#include <gnp/expr/ufunc.hpp>
#include <string_view>

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

/// What is left for the next readers of a node: its inputs and constants, in the order they are written.
struct reader_inputs {
  const void* const* input;
  const unsigned char* constant;
};

/// Reads element i of a node from contiguous memory, computing what the node computes.
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

template <class Node, class Sequence, class... X>
struct operand_readers;
template <class Op, class... X, std::size_t... Index>
struct operand_readers<expression<Op, X...>, std::index_sequence<Index...>> {
  using node = expression<Op, X...>;
  pack<reader<X>...> all;
  explicit operand_readers(reader_inputs& from) : all{{reader<X>(from)}...} {}
  typename node::value_type operator()(index_t i) const {
    return scalar::cast<typename node::value_type>(
        on_cpu<Op>::apply(scalar::cast<body_type<node, Index>>(item_of<Index>(all)(i))...));
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
      : first(from), operation(scalar::cast<number_type>(reader<Number>(from)(0))) {}
  typename node::value_type operator()(index_t i) const {
    return scalar::cast<typename node::value_type>(operation(scalar::cast<first_type>(first(i))));
  }
#if GNP_VECTOR_QUOTIENTS
  static constexpr bool in_vectors =
      takes_vectors<Op, first_type, number_type> && std::is_same_v<first_type, typename node::value_type>;
  /// Of vectors of first operands, which are in memory or put there, some at a time.
  GNP_IN_VECTORS void compute_all(first_type* results, index_t count) const {
    if constexpr (std::is_same_v<X, array<first_type>>) {
      compute_of(results, first.data, count);
    } else {
      constexpr index_t some = 256;
      first_type block[some];
      for (index_t done = 0; done < count; done += some) {
        const index_t here = (std::min)(some, count - done);
        for (index_t k = 0; k < here; ++k) block[k] = scalar::cast<first_type>(first(done + k));
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

template <class Op, class... X>
struct reader<expression<Op, X...>> : operand_readers<expression<Op, X...>, std::index_sequence_for<X...>> {
  using operand_readers<expression<Op, X...>, std::index_sequence_for<X...>>::operand_readers;
};
template <class Op, class... X>
  requires prepares_for_number<expression<Op, X...>>
struct reader<expression<Op, X...>> : operand_and_number<expression<Op, X...>> {
  using operand_and_number<expression<Op, X...>>::operand_and_number;
};

#if GNP_VECTOR_QUOTIENTS
template <class X>
inline constexpr bool computes_in_vectors = false;
template <class Op, class X, class T, dtype Original>
  requires prepares_for_number<expression<Op, X, constant<T, Original>>>
inline constexpr bool computes_in_vectors<expression<Op, X, constant<T, Original>>> =
    reader<expression<Op, X, constant<T, Original>>>::in_vectors;
#endif

/// Powers of arrays of integers: bit by bit of the exponents, for some elements at a time, so that vectors do
/// it.
template <class X>
inline constexpr bool raises_integers = false;
template <class X, class Y>
inline constexpr bool raises_integers<expression<operations::power_ufunc, X, Y>> =
    scalar::is_integer_v<body_type<expression<operations::power_ufunc, X, Y>, 0>> &&
    !prepares_for_number<expression<operations::power_ufunc, X, Y>>;

template <class T>
inline __attribute__((always_inline)) void raise_some(T* bases, T* exponents, T* powers, index_t count) {
  T left = 0;
  for (index_t k = 0; k < count; ++k) left = static_cast<T>(left | exponents[k]);
  if (std::is_signed_v<T> && left < T(0)) {  // which has no bits to go by
    left = 1;
    for (index_t k = 0; k < count; ++k) {
      if (exponents[k] < T(0)) {
        bases[k] = scalar::to_the_power(bases[k], exponents[k]);
        exponents[k] = 1;
      }
    }
  }
  for (index_t k = 0; k < count; ++k) powers[k] = T(1);
  while (left != T(0)) {
    left = 0;
    GNP_INDEPENDENT
    for (index_t k = 0; k < count; ++k) {
      const T counts = mask_of<T>((exponents[k] & T(1)) != T(0));
      powers[k] = scalar::times(powers[k], static_cast<T>((bases[k] & counts) | (T(1) & ~counts)));
      bases[k] = scalar::times(bases[k], bases[k]);
      exponents[k] = static_cast<T>(exponents[k] >> 1);
      left = static_cast<T>(left | exponents[k]);
    }
  }
}

template <class X, class Results>
inline __attribute__((always_inline)) void raise_all(const reader<X>& read, Results* results, index_t count) {
  using T = body_type<X, 0>;
  constexpr index_t some = 1024 / static_cast<index_t>(sizeof(T));
  constexpr auto places = static_cast<std::size_t>(some);
  T bases[places], exponents[places], powers[places];
  for (index_t done = 0; done < count; done += some) {
    const index_t here = (std::min)(some, count - done);
    for (index_t k = 0; k < here; ++k) bases[k] = scalar::cast<T>(item_of<0>(read.all)(done + k));
    for (index_t k = 0; k < here; ++k) exponents[k] = scalar::cast<T>(item_of<1>(read.all)(done + k));
    raise_some(bases, exponents, powers, here);
    for (index_t k = 0; k < here; ++k) results[done + k] = scalar::cast<typename X::value_type>(powers[k]);
  }
}

// A third version, of what the C library has vectors of 64 bytes for. Products and sums stay apart here, too.
#if GNP_WIDE_LOOPS && GNP_HAS_VECTOR_LIBM
#define GNP_WIDEST_LOOPS 1
#define GNP_WIDEST                                                                             \
  __attribute__((optimize("O3", "no-tree-sink", "align-loops=32", "fp-contract=off"), flatten, \
                 target("avx512f,avx512vl,avx512bw,avx512dq,prefer-vector-width=512")))

/// Does an expression call such functions? By their names in its text: one too many costs a loop.
constexpr bool names_libm_function(std::string_view body) {
  for (const std::string_view name : {"exp", "log", "pow", "sin", "cos", "tan", "erf", "hypot", "cbrt"}) {
    if (body.find(name) != std::string_view::npos) return true;
  }
  return false;
}
/// Operations that only pick elements have no text.
template <class Op>
constexpr bool body_names_libm_function() {
  if constexpr (requires { Op::body_text; }) {
    return names_libm_function(Op::body_text);
  } else {
    return false;
  }
}
template <class X>
inline constexpr bool calls_libm = false;
template <class Op, class... X>
inline constexpr bool calls_libm<expression<Op, X...>> =
    (scalar::is_float_v<typename expression<Op, X...>::value_type> && body_names_libm_function<Op>()) ||
    (calls_libm<X> || ...);
#else
#define GNP_WIDEST_LOOPS 0
#endif

template <class X>
reader<X> reader_of(const void* const* inputs, const void* constants) {
  reader_inputs from{inputs, static_cast<const unsigned char*>(constants)};
  return reader<X>(from);
}

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
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  if constexpr (raises_integers<X>) return raise_all<X>(read, results, count);
  GNP_EACH_ALONE
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}

#if GNP_WIDE_LOOPS
template <class X>
GNP_LOOP __attribute__((target("avx2"))) void compute_loop_wide(void* out, const void* const* inputs,
                                                                const void* constants, index_t count) {
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
#if GNP_VECTOR_QUOTIENTS
  if constexpr (computes_in_vectors<X>) return read.compute_all(results, count);
#endif
  if constexpr (raises_integers<X>) return raise_all<X>(read, results, count);
  GNP_EACH_ALONE
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}
#endif

#if GNP_WIDEST_LOOPS
template <class X>
GNP_WIDEST void compute_loop_widest(void* out, const void* const* inputs, const void* constants,
                                    index_t count) {
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}
#endif

/// program::compute of an expression.
template <class X>
void compute(void* out, const void* const* inputs, const void* constants, index_t count) {
#if GNP_WIDEST_LOOPS
  if constexpr (calls_libm<X>) {
    if (__builtin_cpu_supports("avx512dq")) return compute_loop_widest<X>(out, inputs, constants, count);
  }
#endif
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
