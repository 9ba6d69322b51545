// SPDX-License-Identifier: MIT
// The element types, as values (gnp::dtype) and as C++ types, and conversions between the two.
#pragma once

#include <complex>
#include <cstddef>
#include <gnp/core/half.hpp>
#include <string>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI {

/// Sizes, indices and strides.
using index_t = std::int64_t;

/// In NumPy's order: within a kind, a later type can hold more.
enum class dtype : std::uint8_t {
  bool_,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
};

inline constexpr int dtype_count = 15;

// NumPy's names of the element types.
using bool_ = bool;
using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
using intp = std::int64_t;
using uintp = std::uint64_t;
using ubyte = std::uint8_t;
using float16 = half;
using float32 = float;
using float64 = double;
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

/// NumPy's name of a dtype: "float32".
constexpr const char* name(dtype d) {
  constexpr const char* names[dtype_count] = {"bool",     "int8",    "int16",   "int32",     "int64",
                                              "uint8",    "uint16",  "uint32",  "uint64",    "float16",
                                              "bfloat16", "float32", "float64", "complex64", "complex128"};
  return names[static_cast<int>(d)];
}

/// Bytes of an element.
constexpr std::size_t itemsize(dtype d) {
  constexpr std::size_t sizes[dtype_count] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(d)];
}

constexpr bool is_signed_integer(dtype d) { return d >= dtype::int8 && d <= dtype::int64; }
constexpr bool is_unsigned_integer(dtype d) { return d >= dtype::uint8 && d <= dtype::uint64; }
constexpr bool is_integer(dtype d) { return d >= dtype::int8 && d <= dtype::uint64; }
constexpr bool is_floating(dtype d) { return d >= dtype::float16 && d <= dtype::float64; }
constexpr bool is_complex(dtype d) { return d >= dtype::complex64; }

namespace detail {

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

/// The dtype of a C++ type as a number; dtype_count if it is not an element type. One specialisation per type
/// compiles fast, which matters because every operator in a program asks for it.
template <class T>
inline constexpr int dtype_index = dtype_count;
#define GNP_INTEGER(...)                                                             \
  template <>                                                                        \
  inline constexpr int dtype_index<__VA_ARGS__> =                                    \
      static_cast<int>(std::is_signed_v<__VA_ARGS__> ? dtype::int8 : dtype::uint8) + \
      (sizeof(__VA_ARGS__) == 1   ? 0                                                \
       : sizeof(__VA_ARGS__) == 2 ? 1                                                \
       : sizeof(__VA_ARGS__) == 4 ? 2                                                \
                                  : 3)
GNP_INTEGER(char);
GNP_INTEGER(signed char);
GNP_INTEGER(short);
GNP_INTEGER(int);
GNP_INTEGER(long);
GNP_INTEGER(long long);
GNP_INTEGER(unsigned char);
GNP_INTEGER(unsigned short);
GNP_INTEGER(unsigned int);
GNP_INTEGER(unsigned long);
GNP_INTEGER(unsigned long long);
#undef GNP_INTEGER
template <>
inline constexpr int dtype_index<bool> = static_cast<int>(dtype::bool_);
template <>
inline constexpr int dtype_index<half> = static_cast<int>(dtype::float16);
template <>
inline constexpr int dtype_index<bfloat16> = static_cast<int>(dtype::bfloat16);
template <>
inline constexpr int dtype_index<float> = static_cast<int>(dtype::float32);
template <>
inline constexpr int dtype_index<double> = static_cast<int>(dtype::float64);
template <>
inline constexpr int dtype_index<std::complex<float>> = static_cast<int>(dtype::complex64);
template <>
inline constexpr int dtype_index<std::complex<double>> = static_cast<int>(dtype::complex128);

template <dtype D>
struct type_of_dtype;
#define GNP_DTYPE(D, ...)          \
  template <>                      \
  struct type_of_dtype<dtype::D> { \
    using type = __VA_ARGS__;      \
  }
GNP_DTYPE(bool_, bool);
GNP_DTYPE(int8, std::int8_t);
GNP_DTYPE(int16, std::int16_t);
GNP_DTYPE(int32, std::int32_t);
GNP_DTYPE(int64, std::int64_t);
GNP_DTYPE(uint8, std::uint8_t);
GNP_DTYPE(uint16, std::uint16_t);
GNP_DTYPE(uint32, std::uint32_t);
GNP_DTYPE(uint64, std::uint64_t);
GNP_DTYPE(float16, ::gnp::half);
GNP_DTYPE(bfloat16, ::gnp::bfloat16);
GNP_DTYPE(float32, float);
GNP_DTYPE(float64, double);
GNP_DTYPE(complex64, std::complex<float>);
GNP_DTYPE(complex128, std::complex<double>);
#undef GNP_DTYPE

// clang-format off
/// each(T) for every element type.
#define GNP_FOR_EACH_ELEMENT_TYPE(each)                                                                           \
  each(bool) each(::gnp::int8) each(::gnp::int16) each(::gnp::int32) each(::gnp::int64)                           \
  each(::gnp::uint8) each(::gnp::uint16) each(::gnp::uint32) each(::gnp::uint64)                                  \
  each(::gnp::half) each(::gnp::bfloat16) each(float) each(double) each(::gnp::complex64) each(::gnp::complex128)
// clang-format on

/// The largest finite number of a real floating type.
constexpr double largest_finite(dtype d) {
  return d == dtype::float16    ? 65504.0
         : d == dtype::bfloat16 ? 3.3895313892515355e38
         : d == dtype::float32  ? 3.4028234663852886e38
                                : 1.7976931348623157e308;
}

}  // namespace detail

/// A type that an array can hold.
template <class T>
concept element = detail::dtype_index<T> < dtype_count;

/// The dtype of a C++ type.
template <element T>
inline constexpr dtype dtype_of = static_cast<dtype>(detail::dtype_index<T>);

/// The C++ type of a dtype.
template <dtype D>
using type_of = typename detail::type_of_dtype<D>::type;

}}  // namespace gnp::GNP_ABI
