// SPDX-License-Identifier: MIT
// The typed loop of an expression on the CPU: contiguous inputs in, contiguous results out.
#pragma once

#include <cstring>
#include <gnp/exec/elementwise/half_blocks.hpp>
#include <gnp/expr/cast.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class X>
inline constexpr bool computes_in_vectors = false;
#if GNP_VECTOR_PRODUCTS
template <class Op, class X, class T, dtype Original>
  requires prepares_for_number<expression<Op, X, constant<T, Original>>>
inline constexpr bool computes_in_vectors<expression<Op, X, constant<T, Original>>> =
    reader<expression<Op, X, constant<T, Original>>>::in_vectors;
#endif

/// Powers of arrays of integers, computed for a block of elements at a time, one bit of the exponents after the
/// other, so that the loops vectorise.
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
  if (std::is_signed_v<T> && left < T(0)) {  // its bits do not count
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

#if GNP_WIDEST_LOOPS
/// Does an expression call functions that the C library has for vectors of 64 bytes? The names in its text
/// decide. A name that is found by mistake only costs another version of the loop.
constexpr bool names_libm_function(std::string_view body) {
  for (const std::string_view name : {"exp", "log", "pow", "sin", "cos", "tan", "erf", "hypot", "cbrt"}) {
    if (body.find(name) != std::string_view::npos) return true;
  }
  return false;
}
/// (Operations that only pick elements have no text.)
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

/// Conversions between integers of 8 bytes and floating-point numbers, for which AVX2 has no instructions, and
/// from such integers to truth values, for which it needs many.
template <class To, class From>
inline constexpr bool converts_long =
    (scalar::is_integer_v<From> && sizeof(From) == 8 &&
     (scalar::is_float_v<To> || scalar::is_half_v<To> || std::is_same_v<To, bool>)) ||
    (scalar::is_float_v<From> && std::is_same_v<To, std::int64_t>);
template <class Node, class Sequence>
inline constexpr bool converts_operands = false;
template <class Op, class... X, std::size_t... Index>
inline constexpr bool converts_operands<expression<Op, X...>, std::index_sequence<Index...>> =
    (converts_long<body_type<expression<Op, X...>, Index>, typename X::value_type> || ...);
/// Comparisons of numbers of 8 bytes, whose truth values AVX2 narrows to bytes in many steps.
template <class X>
inline constexpr bool compares_long = false;
template <class Op, class X, class... More>
inline constexpr bool compares_long<expression<Op, X, More...>> =
    std::is_same_v<typename expression<Op, X, More...>::value_type, bool> &&
    sizeof(body_type<expression<Op, X, More...>, 0>) == 8 &&
    !scalar::is_complex_v<body_type<expression<Op, X, More...>, 0>>;

template <class X>
inline constexpr bool takes_widest = calls_libm<X>;
template <class Op, class... X>
inline constexpr bool takes_widest<expression<Op, X...>> =
    calls_libm<expression<Op, X...>> ||
    converts_operands<expression<Op, X...>, std::index_sequence_for<X...>> || (takes_widest<X> || ...);
template <class To, class X>
inline constexpr bool takes_widest<expression<operations::astype_ufunc<To>, X>> =
    converts_long<To, typename X::value_type> || takes_widest<X>;

/// Negative numbers that are converted to unsigned integers wrap around, as in NumPy; with the AVX-512
/// instruction they would not.
template <class X>
inline constexpr bool becomes_unsigned = false;
template <class Op, class... X>
inline constexpr bool becomes_unsigned<expression<Op, X...>> = (becomes_unsigned<X> || ...);
template <class To, class X>
inline constexpr bool becomes_unsigned<expression<operations::astype_ufunc<To>, X>> =
    becomes_unsigned<X> ||
    (std::is_unsigned_v<To> && sizeof(To) >= 4 && !scalar::is_integer_v<typename X::value_type>);
#endif

/// Gathers read elements without the code for indices outside their axis, up to the first such index.
template <class X>
inline constexpr bool gathers = false;

template <class X>
reader<X> reader_of(const void* const* inputs, const void* constants) {
  reader_inputs from{inputs, static_cast<const unsigned char*>(constants)};
  return reader<X>(from);
}

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"  // a loop that does not vectorise is not an error
#define GNP_EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define GNP_EACH_ALONE GNP_INDEPENDENT
#endif

/// May an iteration keep values in memory of its own? clang uses the same memory for all iterations of a loop
/// that is said to be safe, and would then compute several elements in it at once. So such loops are not said
/// to be: those of complex numbers, which are copied as objects, and of bodies that have an array or a
/// reference.
#if defined(__clang__)
template <class X>
inline constexpr bool keeps_values_in_memory = scalar::is_complex_v<typename X::value_type>;
template <class Op>
constexpr bool body_has_memory() {
  if constexpr (requires { Op::body_text; }) {
    return Op::native && std::string_view(Op::body_text).find_first_of("[&") != std::string_view::npos;
  } else {
    return false;
  }
}
template <class Op, class... X>
inline constexpr bool keeps_values_in_memory<expression<Op, X...>> =
    scalar::is_complex_v<typename expression<Op, X...>::value_type> || body_has_memory<Op>() ||
    (keeps_values_in_memory<X> || ...);
#else
template <class X>
inline constexpr bool keeps_values_in_memory = false;
#endif

// The reader is constructed here, next to the loop: if it were an argument, the compiler would assume that
// storing a byte might change it.
template <class X>
GNP_LOOP void compute_loop(void* out, const void* const* inputs, const void* constants, index_t count) {
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  if constexpr (raises_integers<X>) return raise_all<X>(read, results, count);
  if constexpr (gathers<X>) return read.gather_all(results, count);
  if constexpr (keeps_values_in_memory<X>) {
    for (index_t i = 0; i < count; ++i) results[i] = read(i);
    return;
  }
  GNP_EACH_ALONE
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}

#if GNP_WIDE_LOOPS
template <class X>
GNP_LOOP __attribute__((target("avx2"))) void compute_loop_wide(void* out, const void* const* inputs,
                                                                const void* constants, index_t count) {
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
#if GNP_VECTOR_PRODUCTS
  if constexpr (computes_in_vectors<X>) return read.compute_all(results, count);
#endif
  if constexpr (raises_integers<X>) return raise_all<X>(read, results, count);
  if constexpr (gathers<X>) return read.gather_all(results, count);
  if constexpr (keeps_values_in_memory<X>) {
    for (index_t i = 0; i < count; ++i) results[i] = read(i);
    return;
  }
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
template <class X>
GNP_MASKED void compute_loop_masked(void* out, const void* const* inputs, const void* constants,
                                    index_t count) {
  const reader<X> read = reader_of<X>(inputs, constants);
  auto* const results = static_cast<in_memory<typename X::value_type>*>(out);
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) results[i] = read(i);
}
#endif

/// Copies, and conversions to the type that the elements already have. g++ does not vectorise those of halves
/// and complex numbers, and the C library writes long rows without reading what was there. (The bytes of truth
/// values may be other than 0 and 1.)
template <class X>
inline constexpr bool only_copies = false;
template <class T>
inline constexpr bool only_copies<array<T>> = !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool only_copies<expression<operations::astype_ufunc<T>, array<T>>> = !std::is_same_v<T, bool>;

/// expression_code::compute for an expression.
template <class X>
void compute(void* out, const void* const* inputs, const void* constants, index_t count) {
  if constexpr (only_copies<X>) {
    std::memmove(out, inputs[0], static_cast<std::size_t>(count) * sizeof(typename X::value_type));
    return;
  }
#if GNP_WIDEST_LOOPS
  if constexpr (takes_widest<X> && !becomes_unsigned<X> && !raises_integers<X> && !computes_in_vectors<X>) {
    if (__builtin_cpu_supports("avx512dq")) return compute_loop_widest<X>(out, inputs, constants, count);
  } else if constexpr (compares_long<X> && !becomes_unsigned<X>) {
    if (__builtin_cpu_supports("avx512dq")) return compute_loop_masked<X>(out, inputs, constants, count);
  } else if constexpr (computes_halves<X>) {
    if (__builtin_cpu_supports("avx512dq")) return compute_halves<X>(out, inputs, constants, count);
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
