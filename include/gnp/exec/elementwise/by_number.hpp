// SPDX-License-Identifier: MIT
// Operations on the CPU whose second operand is a number. Everything that depends only on the number is
// computed once, before the loop.
#pragma once

#include <algorithm>
#include <bit>
#include <gnp/exec/elementwise/cpu_operations.hpp>
#include <gnp/exec/elementwise/vector_products.hpp>
#include <type_traits>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

__extension__ using uint128 = unsigned __int128;

/// An operation on elements of type X and a number of type Y. It is constructed from the number and called with
/// an element. Operations that gain nothing from knowing the number keep this default of `is_faster`.
template <class Op, class X, class Y>
struct by_number {
  static constexpr bool is_faster = false;
};

/// Computes x / d of unsigned numbers by a multiplication and shifts (Granlund and Montgomery, "Division by
/// invariant integers using multiplication", 1994); 0 if d is 0.
template <class T>
class unsigned_divisor {
 public:
  explicit unsigned_divisor(T d) {
    const int bits = static_cast<int>(std::bit_width(static_cast<T>(d - 1)));  // ceil(log2(d))
    const wide power = wide(wide{1} << bits);
    factor_ = d == T(0) ? T(0) : static_cast<T>((wide(wide(power - d) << width) / d) + 1);
    first_shift_ = d == T(1) ? 0 : 1;
    second_shift_ = d == T(1) ? 0 : (bits - 1) & (width - 1);
  }
  T quotient(T x) const {
    const auto high = static_cast<T>((static_cast<wide>(factor_) * x) >> width);
    const auto rest = static_cast<T>(static_cast<T>(x - high) >> first_shift_);
    return static_cast<T>(static_cast<T>(high + rest) >> second_shift_);
  }
#if GNP_VECTOR_PRODUCTS
  template <class V>
  GNP_IN_VECTORS V quotients(V x) const {
    const V high = high_products(x, factor_);
    return (((x - high) >> first_shift_) + high) >> second_shift_;
  }
#endif

 private:
  static constexpr int width = 8 * static_cast<int>(sizeof(T));
  using wide =
      std::conditional_t<width == 16, std::uint32_t, std::conditional_t<width == 32, std::uint64_t, uint128>>;
  T factor_;
  int first_shift_;
  int second_shift_;
};

/// The same for bytes: (x * factor + more) / 2^shift in 16 bits. Either factor is 2^shift / d rounded up and
/// more is 0, or factor is rounded down and more equals it. One of the two is exact for all x (Robison, "N-bit
/// unsigned division via N-bit multiply-add", 2005).
template <>
class unsigned_divisor<std::uint8_t> {
 public:
  explicit unsigned_divisor(std::uint8_t d) {
    const unsigned by = (std::max)(d, std::uint8_t(1));
    const int bits = static_cast<int>(std::bit_width(by | 1U)) - 1;  // floor(log2(d))
    shift_ = (8 + bits) & 15;  // the mask changes nothing, but tells the compiler that 16 bits are enough
    const unsigned down = (std::min)((1U << shift_) / by, 255U);
    const bool up = (1U << shift_) - down * by > (1U << bits);
    factor_ = static_cast<std::uint8_t>(d == 0 ? 0U : down + (up ? 1U : 0U));
    more_ = up ? std::uint8_t(0) : factor_;
  }
  std::uint8_t quotient(std::uint8_t x) const {
    return static_cast<std::uint8_t>(static_cast<std::uint16_t>(x * factor_ + more_) >> shift_);
  }

 private:
  std::uint8_t factor_;
  std::uint8_t more_;
  int shift_;
};

/// floor(x / d) of integers; 0 if d is 0, and x if the quotient does not fit.
template <class T>
class integer_divisor {
 public:
  explicit integer_divisor(T d)
      : by_(magnitude(d)),
        below_(d < T(0)    ? T(1)
               : d == T(0) ? (std::numeric_limits<T>::min)()
                           : T(0)),
        negative_(mask_of<bits>(d < T(0))) {}

  T quotient(T x) const {
    if constexpr (std::is_unsigned_v<T>) {
      return by_.quotient(x);
    } else {
      // The quotient of a non-negative number is already rounded down. That of a negative number x is the
      // complement of the quotient of ~x.
      const bits mirrored = mask_of<bits>(x < below_);
      const auto shift = static_cast<bits>(negative_ & static_cast<bits>(1 + 2 * mirrored));
      const auto from_zero = static_cast<bits>((static_cast<bits>(x) ^ mirrored) - shift);
      return static_cast<T>(by_.quotient(from_zero) ^ mirrored ^ negative_);
    }
  }

#if GNP_VECTOR_PRODUCTS
  /// The same for a vector. from_zero is x or -x, or its complement if that is negative.
  template <class V>
  GNP_IN_VECTORS V quotients(V x) const {
    if constexpr (std::is_unsigned_v<T>) {
      return by_.quotients(x);
    } else {
      using unsigned_vector = typename vector_of<bits>::type;
      const auto negative = unsigned_vector{} + negative_;
      const auto mirrored = reinterpret_cast<unsigned_vector>(x < below_) ^ negative;
      const auto from_zero = ((reinterpret_cast<unsigned_vector>(x) ^ negative) - negative) ^ mirrored;
      return reinterpret_cast<V>(by_.quotients(from_zero) ^ mirrored);
    }
  }
#endif

 private:
  using bits = std::make_unsigned_t<T>;
  static bits magnitude(T d) {
    return d < T(0) ? static_cast<bits>(bits(0) - static_cast<bits>(d)) : static_cast<bits>(d);
  }
  unsigned_divisor<bits> by_;
  T below_;  // numbers below it are mirrored; if d is 0, none are
  bits negative_;
};

template <class T>
inline constexpr bool divides_by_multiplying = scalar::is_integer_v<T> && !std::is_same_v<T, bool>;
/// Does the operation with such a number have a function `many` that takes vectors and is faster than a loop
/// over single elements?
template <class Op, class T, class Number>
inline constexpr bool takes_vectors = false;
template <class T>
inline constexpr bool takes_vectors<operations::floor_divide_ufunc, T, T> =
    divides_by_multiplying<T> && sizeof(T) >= 4;
template <class T>
inline constexpr bool takes_vectors<operations::remainder_ufunc, T, T> =
    divides_by_multiplying<T> && sizeof(T) >= 4;

template <class T>
  requires divides_by_multiplying<T>
struct by_number<operations::floor_divide_ufunc, T, T> {
  static constexpr bool is_faster = true;
  integer_divisor<T> divisor;
  explicit by_number(T d) : divisor(d) {}
  T operator()(T x) const { return divisor.quotient(x); }
#if GNP_VECTOR_PRODUCTS
  template <class V>
  GNP_IN_VECTORS V many(V x) const {
    return divisor.quotients(x);
  }
#endif
};

template <class T>
  requires divides_by_multiplying<T>
struct by_number<operations::remainder_ufunc, T, T> {
  static constexpr bool is_faster = true;
  integer_divisor<T> divisor;
  T number;
  explicit by_number(T d) : divisor(d), number(d) {}
  T operator()(T x) const {
    const T rest = scalar::minus(x, scalar::times(divisor.quotient(x), number));
    return number == T(0) ? T(0) : rest;
  }
#if GNP_VECTOR_PRODUCTS
  template <class V>
  GNP_IN_VECTORS V many(V x) const {
    return (x - divisor.quotients(x) * number) & mask_of<T>(number != T(0));
  }
#endif
};

/// Powers of integers, in a separate function with its own loop. Inside the loop over elements, that loop would
/// prevent the most frequent powers from being vectorised.
template <class T>
__attribute__((noinline)) T any_power(T x, T y) {
  return scalar::to_the_power(x, y);
}

/// Squares and cubes, the most frequent powers, and other powers up to 15, all by the same steps: a factor that
/// the power does not have is replaced by one.
template <class T>
  requires divides_by_multiplying<T>
struct by_number<operations::power_ufunc, T, T> {
  static constexpr bool is_faster = true;
  T number;
  bool is_small;
  T all_bits[4], one[4];  // masks for factors that count, and ones for those that do not
  explicit by_number(T y) : number(y), is_small(std::cmp_greater_equal(y, 0) && std::cmp_less(y, 16)) {
    for (int i = 0; i < 4; ++i) {
      const bool counts = is_small && (static_cast<int>(y) >> i & 1) != 0;
      all_bits[i] = mask_of<T>(counts);
      one[i] = counts ? T(0) : T(1);
    }
  }
  T operator()(T x) const {
    if (number == T(2)) return scalar::times(x, x);
    if (number == T(3)) return scalar::times(scalar::times(x, x), x);
    if (!is_small) return any_power(x, number);
    const T second = scalar::times(x, x);
    const T fourth = scalar::times(second, second);
    const T low = scalar::times(factor(x, 0), factor(second, 1));
    return scalar::times(low, scalar::times(factor(fourth, 2), factor(scalar::times(fourth, fourth), 3)));
  }
  T factor(T square, int i) const { return static_cast<T>((square & all_bits[i]) | one[i]); }
};

/// Square roots and cubes likewise; pow(-0.0, 0.5) and pow(-inf, 0.5) have no sign.
template <scalar::real_floating T>
struct by_number<operations::power_ufunc, T, T> {
  static constexpr bool is_faster = true;
  T number;
  explicit by_number(T y) : number(y) {}
  T operator()(T x) const {
    if (number == T(0.5)) {
      constexpr T infinity = std::numeric_limits<T>::infinity();
      const T root = scalar::sqrt(x + T(0));  // computed even if not needed: vectors do not branch
      return x == -infinity ? infinity : root;
    }
    if (number == T(3)) return x * x * x;
    return on_cpu<operations::power_ufunc>::apply(x, number);
  }
};

/// Shifts by the width of the type or more are detected once, before the loop.
template <class T>
  requires divides_by_multiplying<T>
struct by_number<operations::right_shift_ufunc, T, T> {
  static constexpr bool is_faster = true;
  static constexpr int last = 8 * static_cast<int>(sizeof(T)) - 1;
  int places;
  T keep;
  explicit by_number(T y)
      : places(static_cast<int>((std::min)(std::uint64_t{last}, static_cast<std::uint64_t>(y))) & last),
        keep(std::is_signed_v<T> || std::cmp_less_equal(y, last) ? static_cast<T>(-1) : T(0)) {}
  T operator()(T x) const { return static_cast<T>(static_cast<T>(x >> places) & keep); }
};

/// Compares integers with a number of another type. If the number fits their own type, it is compared in that
/// type; otherwise the answer is the same for all of them.
template <class X, class Y>
struct comparison_with_number {
  static constexpr bool is_faster =
      divides_by_multiplying<X> && divides_by_multiplying<Y> && !std::is_same_v<X, Y>;
  X number;
  bool fits, above;
  explicit comparison_with_number(Y y)
      : number(static_cast<X>(y)), fits(std::in_range<X>(y)), above(y > Y(0)) {}
};
#define GNP_COMPARISON_WITH_NUMBER(name, compared, outside)                         \
  template <class X, class Y>                                                       \
  struct by_number<operations::name##_ufunc, X, Y> : comparison_with_number<X, Y> { \
    using comparison_with_number<X, Y>::comparison_with_number;                     \
    bool operator()(X x) const {                                                    \
      return ((x compared this->number) & this->fits) | (!this->fits & (outside));  \
    }                                                                               \
  };
GNP_COMPARISON_WITH_NUMBER(less, <, this->above)
GNP_COMPARISON_WITH_NUMBER(less_equal, <=, this->above)
GNP_COMPARISON_WITH_NUMBER(greater, >, !this->above)
GNP_COMPARISON_WITH_NUMBER(greater_equal, >=, !this->above)
GNP_COMPARISON_WITH_NUMBER(equal, ==, false)
GNP_COMPARISON_WITH_NUMBER(not_equal, !=, true)
#undef GNP_COMPARISON_WITH_NUMBER

}}}  // namespace gnp::GNP_ABI::detail
