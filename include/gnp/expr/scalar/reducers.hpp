// SPDX-License-Identifier: MIT
// Reducers compute one element from many. Each has
//   part      what a few elements are gathered in: lift(x) makes one, join(a, b) one of two
//   state     what many elements are gathered in: whole(part), combine(a, b), identity()
//   finish    the result, from a state and a parameter (the count for a mean, ddof for a variance)
// T is what the elements are, A what is computed in. Kernels and the CPU run the same code.
#pragma once

#include <gnp/expr/scalar/compare.hpp>
#include <gnp/expr/scalar/special.hpp>

namespace gnp {
inline namespace GNP_ABI { namespace scalar {

// clang-format off

GNP_SCALAR(highest, base,
  template <class T> constexpr T highest() {
    if constexpr (is_complex_v<T>) { return T(infinity<typename T::value_type>(), infinity<typename T::value_type>()); }
    else if constexpr (is_float_v<T>) { return infinity<T>(); }
    else if constexpr (same_type<T, bool>) { return true; }
    else if constexpr (is_signed_integer<T>()) { return static_cast<T>((1ULL << (sizeof(T) * 8 - 1)) - 1); }
    else { return static_cast<T>(~0ULL); }
  })
GNP_SCALAR(lowest, base,
  template <class T> constexpr T lowest() {
    if constexpr (is_complex_v<T>) { return T(-infinity<typename T::value_type>(), -infinity<typename T::value_type>()); }
    else if constexpr (is_float_v<T>) { return -infinity<T>(); }
    else if constexpr (is_signed_integer<T>()) { return static_cast<T>(1ULL << (sizeof(T) * 8 - 1)); }
    else { return static_cast<T>(0); }
  })

// A sum and its rounding error (Knuth's two-sum), so that the error does not grow with the number of elements.
GNP_SCALAR(compensated_sum, real,
  template <class A> struct compensated_sum { A value; A lost; };
  template <class A> constexpr compensated_sum<A> two_sum(const compensated_sum<A>& a, const compensated_sum<A>& b) {
    const A total = plus(a.value, b.value);
    const A part = minus(total, a.value);
    return {total, plus(plus(a.lost, b.lost), plus(minus(a.value, minus(total, part)), minus(b.value, part)))};
  }
  template <real_floating A> constexpr A settled(A value, A lost) { return lost - lost == A(0) ? value + lost : value; }
  template <class A> constexpr A settled(const compensated_sum<A>& s) {
    if constexpr (is_complex_v<A>) { return A(settled(s.value.real(), s.lost.real()), settled(s.value.imag(), s.lost.imag())); }
    else { return settled(s.value, s.lost); }
  })

GNP_SCALAR(shared_out, real,
  template <class A> constexpr A shared_out(A total, double count) {
    if constexpr (is_complex_v<A>) {
      using component = typename A::value_type;
      return A(total.real() / static_cast<component>(count), total.imag() / static_cast<component>(count));
    } else { return total / static_cast<A>(count); }
  })

GNP_SCALAR(sum_of, real,
  template <class T, class A> struct sum_of {
    using part = A;
    using state = compensated_sum<A>;
    static constexpr part lift(T x) { return cast<A>(x); }
    static constexpr part join(part a, part b) { return plus(a, b); }
    static constexpr state whole(part a) { return {a, A(0)}; }
    static constexpr state identity() { return {A(0), A(0)}; }
    static constexpr state combine(const state& a, const state& b) { return two_sum(a, b); }
    static constexpr A finish(const state& s, double) { return settled(s); }
  };)
GNP_SCALAR(mean_of, real,
  template <class T, class A> struct mean_of : sum_of<T, A> {
    static constexpr A finish(const typename sum_of<T, A>::state& s, double count) { return shared_out(settled(s), count); }
  };)
GNP_SCALAR(root_of_sum, real,
  template <class T, class A> struct root_of_sum : sum_of<T, A> {
    static A finish(const typename sum_of<T, A>::state& s, double) { return sqrt(settled(s)); }
  };)
GNP_SCALAR(root_of_squares, real,
  template <class T, class A> struct root_of_squares : root_of_sum<T, A> {
    static constexpr A lift(T x) { return times(cast<A>(x), cast<A>(x)); }
  };)

// A user's reduction: Operations says how two values are combined, what the result of no values is, and how the
// result is made from a state.
GNP_SCALAR(fold_of, real,
  template <class T, class A, class Operations> struct fold_of {
    using part = A;
    using state = A;
    static constexpr part lift(T x) { return cast<A>(x); }
    static constexpr part join(part a, part b) { return Operations::combine(a, b); }
    static constexpr state whole(part a) { return a; }
    static constexpr state identity() { return Operations::identity(); }
    static constexpr state combine(const state& a, const state& b) { return Operations::combine(a, b); }
    static constexpr auto finish(const state& s, double count) { return Operations::finish(s, count); }
  };)

// Integers have nothing to compensate; sums of halves are exact enough in float. The sum of a few small
// integers fits an int.
GNP_SCALAR(part_of_sum, real,
  template <bool Small, class A> struct part_of_sum { using type = A; };
  template <class A> struct part_of_sum<true, A> { using type = int; };)
GNP_SCALAR(plain_sum_of, real,
  template <class T, class A> struct plain_sum_of {
    using part = typename part_of_sum<is_integer_v<T> && sizeof(T) <= 2 && is_integer_v<A>, A>::type;
    using state = A;
    static constexpr part lift(T x) { return cast<part>(x); }
    static constexpr part join(part a, part b) { return plus(a, b); }
    static constexpr state whole(part a) { return cast<A>(a); }
    static constexpr state identity() { return A(0); }
    static constexpr state combine(const state& a, const state& b) { return plus(a, b); }
    static constexpr A finish(const state& s, double) { return s; }
  };)
GNP_SCALAR(plain_mean_of, real,
  template <class T, class A> struct plain_mean_of : plain_sum_of<T, A> {
    static constexpr A finish(A s, double count) { return shared_out(s, count); }
  };)
// The number of elements that are not zero.
GNP_SCALAR(count_of, real,
  template <class T, class A> struct count_of : plain_sum_of<bool, A> {
    static constexpr int lift(T x) { return cast<bool>(x) ? 1 : 0; }
  };)
// The mean of integers of one or two bytes, whose sums fit in 64 bits.
GNP_SCALAR(integer_mean_of, real,
  template <class T, class A> struct integer_mean_of : plain_sum_of<T, long long> {
    static constexpr A finish(long long s, double count) { return shared_out(cast<A>(s), count); }
  };)
GNP_SCALAR(plain_root_of_squares, real,
  template <class T, class A> struct plain_root_of_squares : plain_sum_of<T, A> {
    static constexpr A lift(T x) { return times(cast<A>(x), cast<A>(x)); }
    static A finish(A s, double) { return sqrt(s); }
  };)

GNP_SCALAR(product_of, real,
  template <class T, class A> struct product_of {
    using part = A;
    using state = A;
    static constexpr part lift(T x) { return cast<A>(x); }
    static constexpr part join(part a, part b) { return times(a, b); }
    static constexpr state whole(part a) { return a; }
    static constexpr state identity() { return A(1); }
    static constexpr state combine(const state& a, const state& b) { return times(a, b); }
    static constexpr A finish(const state& s, double) { return s; }
  };)

// How a scan combines each element with the result so far. Adding minus zero changes nothing, not even the sign
// of a zero.
GNP_SCALAR(running_sum, real,
  template <class T, class A> struct running_sum {
    static constexpr A lift(T x) { return cast<A>(x); }
    static constexpr A join(A a, A b) { return plus(a, b); }
    static constexpr A identity() {
      if constexpr (is_complex_v<A>) { return A(-typename A::value_type(0), -typename A::value_type(0)); }
      else if constexpr (is_float_v<A>) { return -A(0); }
      else { return A(0); }
    }
  };)
GNP_SCALAR(running_product, real,
  template <class T, class A> struct running_product {
    static constexpr A lift(T x) { return cast<A>(x); }
    static constexpr A join(A a, A b) { return times(a, b); }
    static constexpr A identity() { return A(1); }
  };)

GNP_SCALAR(running_maximum, real,
  template <class T, class A> struct running_maximum {
    static constexpr A lift(T x) { return cast<A>(x); }
    static constexpr A join(A a, A b) { return maximum(a, b); }
    static constexpr A identity() { return lowest<A>(); }
  };)
GNP_SCALAR(running_minimum, real,
  template <class T, class A> struct running_minimum {
    static constexpr A lift(T x) { return cast<A>(x); }
    static constexpr A join(A a, A b) { return minimum(a, b); }
    static constexpr A identity() { return highest<A>(); }
  };)

GNP_SCALAR(any_of, base,
  template <class T, class A> struct any_of {
    using part = unsigned;
    using state = unsigned;
    static constexpr part lift(T x) { return cast<bool>(x) ? 1u : 0u; }
    static constexpr part join(part a, part b) { return a | b; }
    static constexpr state whole(part a) { return a; }
    static constexpr state identity() { return 0u; }
    static constexpr state combine(state a, state b) { return a | b; }
    static constexpr bool finish(state s, double) { return s != 0u; }
  };)
GNP_SCALAR(all_of, base,
  template <class T, class A> struct all_of : any_of<T, A> {
    static constexpr unsigned join(unsigned a, unsigned b) { return a & b; }
    static constexpr unsigned identity() { return 1u; }
    static constexpr unsigned combine(unsigned a, unsigned b) { return a & b; }
  };)

// If Skip is false, NaN is more extreme than every number; if it is true, every number is more extreme than
// NaN.
GNP_SCALAR(extreme, real,
  template <bool Largest, bool Skip, class A> constexpr A extreme(A a, A b) {
    if constexpr (Skip && Largest) { return larger_number(a, b); }
    else if constexpr (Skip) { return smaller_number(a, b); }
    else if constexpr (Largest) { return maximum(a, b); }
    else { return minimum(a, b); }
  }
  template <bool Largest, bool Skip, class A> constexpr A extreme_of_none() {
    if constexpr (Skip && !is_integer_v<A>) { return A(quiet_nan<float>()); }
    else if constexpr (Largest) { return lowest<A>(); }
    else { return highest<A>(); }
  })
GNP_SCALAR(extreme_of, real,
  template <class T, class A, bool Largest, bool Skip> struct extreme_of {
    using part = A;
    using state = A;
    static constexpr part lift(T x) { return cast<A>(x); }
    static constexpr part join(const part& a, const part& b) { return extreme<Largest, Skip>(a, b); }
    static constexpr state whole(part a) { return a; }
    static constexpr state identity() { return extreme_of_none<Largest, Skip, A>(); }
    static constexpr state combine(const state& a, const state& b) { return extreme<Largest, Skip>(a, b); }
    static constexpr A finish(const state& s, double) { return s; }
  };)

GNP_SCALAR(range_of, real,
  template <class A> struct range_state { A low; A high; };
  template <class T, class A> struct range_of {
    using part = range_state<A>;
    using state = part;
    static constexpr part lift(T x) { return {cast<A>(x), cast<A>(x)}; }
    static constexpr part join(const part& a, const part& b) { return {minimum(a.low, b.low), maximum(a.high, b.high)}; }
    static constexpr state whole(const part& a) { return a; }
    static constexpr state identity() { return {highest<A>(), lowest<A>()}; }
    static constexpr state combine(const state& a, const state& b) { return join(a, b); }
    static constexpr A finish(const state& s, double) { return minus(s.high, s.low); }
  };)

// The position of the smallest or largest element, and of the first one if there are several. Index -1 means no
// element. Of a few elements at a time, the extreme value is found first, and then its position.
GNP_SCALAR(position_of, real,
  template <class A> struct position_state { A value; long long index; };
  template <class T, class A, bool Largest, bool Skip> struct position_of {
    using part = position_state<A>;
    using state = part;
    static constexpr part lift(T x, long long index) {
      const A value = cast<A>(x);
      return {value, Skip && value != value ? -1 : index};
    }
    static constexpr bool comes_first(const state& a, const state& b) {
      if (a.index < 0 || b.index < 0) { return b.index < 0; }
      const bool a_nan = a.value != a.value;
      const bool b_nan = b.value != b.value;
      if (a_nan || b_nan) { return a_nan && (!b_nan || a.index < b.index); }
      if (Largest ? less(b.value, a.value) : less(a.value, b.value)) { return true; }
      return a.value == b.value && a.index < b.index;
    }
    static constexpr part join(const part& a, const part& b) { return comes_first(a, b) ? a : b; }
    static constexpr state whole(const part& a) { return a; }
    static constexpr state identity() { return {A(0), -1}; }
    static constexpr state combine(const state& a, const state& b) { return comes_first(a, b) ? a : b; }
    template <unsigned long Count> static constexpr A extreme_among(const T (&x)[Count]) {
      A values[Count];
      for (int i = 0; i < int(Count); ++i) { values[i] = cast<A>(x[i]); }
      for (int left = int(Count); left > 1; left = (left + 1) / 2) {
        for (int i = 0; i < left / 2; ++i) { values[i] = extreme<Largest, Skip>(values[i], values[i + (left + 1) / 2]); }
      }
      return values[0];
    }
    template <unsigned long Count> static constexpr bool cannot_win(const state& best, const T (&x)[Count]) {
      if (best.index < 0) { return false; }
      const A value = extreme_among(x);
      if (value != value) { return Skip; }
      return best.value != best.value || (Largest ? less(value, best.value) : less(best.value, value));
    }
    template <class P, unsigned long Count> static constexpr state batch(const T (&x)[Count], const P (&position)[Count]) {
      const A best = extreme_among(x);
      const P none = static_cast<P>(sizeof(P) == 4 ? 0x7fffffff : 0x7fffffffffffffff);
      P first = none;
      if (best == best) {
        for (int i = 0; i < int(Count); ++i) {
          const P place = cast<A>(x[i]) == best ? position[i] : none;
          first = place < first ? place : first;
        }
      } else if (!Skip) {
        for (int i = 0; i < int(Count); ++i) {
          const A value = cast<A>(x[i]);
          const P place = value != value ? position[i] : none;
          first = place < first ? place : first;
        }
      }
      return {best, first == none ? -1 : first};
    }
    static constexpr long long finish(const state& s, double) { return s.index; }
  };)

GNP_SCALAR(mean_of_numbers, real,
  template <class A> struct counted_part { A value; long long count; };
  template <class A> struct counted_sum { compensated_sum<A> total; long long count; };
  template <class T, class A> struct mean_of_numbers {
    using part = counted_part<A>;
    using state = counted_sum<A>;
    static constexpr part lift(T x) {
      const A value = cast<A>(x);
      if (value != value) { return {A(0), 0}; }
      return {value, 1};
    }
    static constexpr part join(const part& a, const part& b) { return {plus(a.value, b.value), a.count + b.count}; }
    static constexpr state whole(const part& a) { return {{a.value, A(0)}, a.count}; }
    static constexpr state identity() { return {{A(0), A(0)}, 0}; }
    static constexpr state combine(const state& a, const state& b) { return {two_sum(a.total, b.total), a.count + b.count}; }
    static constexpr A finish(const state& s, double) { return shared_out(settled(s.total), static_cast<double>(s.count)); }
  };)

// The mean and the squared distances from it, merged with the method of Chan, Golub and LeVeque: in one pass,
// and without cancellation. The mean is stored as its distance from one of the elements, so that its error
// depends on how far the elements are from each other, not on how far they are from zero. P is the real type of
// A. A few elements at a time take two passes over registers (or the first-level cache).
GNP_SCALAR(moments_of, real,
  template <class A> constexpr auto squared_size(A d) {
    if constexpr (is_complex_v<A>) { return d.real() * d.real() + d.imag() * d.imag(); } else { return d * d; }
  }
  template <class A, class P> struct moments_state {
    static constexpr unsigned used_bytes = sizeof(long long) + 2 * sizeof(A) + sizeof(P);
    long long count; A origin; A mean; P squares;
  };
  template <class T, class A, class P, bool Skip, bool Root> struct moments_of {
    using part = moments_state<A, P>;
    using state = part;
    static constexpr part lift(T x) {
      const A value = cast<A>(x);
      if (Skip && value != value) { return identity(); }
      return {1, value, A(0), (squared_size(minus(value, value)))};
    }
    static constexpr state whole(const part& a) { return a; }
    static constexpr state identity() { return {0, A(0), A(0), P(0)}; }
    static constexpr state combine(const state& a, const state& b) {
      if (a.count != b.count) {
        if (b.count == 0) { return a; }
        if (a.count == 0) { return b; }
      }
      const A apart = plus(minus(b.origin, a.origin), minus(b.mean, a.mean));
      const P share = a.count == b.count ? P(0.5) : static_cast<P>(b.count) / static_cast<P>(a.count + b.count);
      return {a.count + b.count, a.origin, plus(a.mean, times(apart, A(share))),
              a.squares + b.squares + squared_size(apart) * (static_cast<P>(a.count) * share)};
    }
    static constexpr part join(const part& a, const part& b) { return combine(a, b); }
    template <unsigned long Count> static constexpr state batch(const T (&x)[Count]) {
      A origin = cast<A>(x[0]);
      if constexpr (Skip) {
        for (int i = 1; i < int(Count) && origin != origin; ++i) { origin = cast<A>(x[i]); }
      }
      A values[Count];
      A total = A(0);
      int count = 0;
      for (int i = 0; i < int(Count); ++i) {
        values[i] = minus(cast<A>(x[i]), origin);
        const bool counts = !Skip || cast<A>(x[i]) == cast<A>(x[i]);
        if (counts) { total = plus(total, values[i]); }
        count += counts ? 1 : 0;
      }
      if (count == 0) { return identity(); }
      const A mean = shared_out(total, count);
      P squares = P(0);
      for (int i = 0; i < int(Count); ++i) {
        if (!Skip || cast<A>(x[i]) == cast<A>(x[i])) { squares = squares + squared_size(minus(values[i], mean)); }
      }
      return {count, origin, mean, squares};
    }
    static P finish(const state& s, double ddof) {
      const double freedom = static_cast<double>(s.count) - ddof;
      if (Skip && !(freedom > 0)) { return quiet_nan<P>(); }
      const P variance = s.squares / static_cast<P>(freedom > 0 ? freedom : 0);
      if constexpr (Root) { return sqrt(variance); } else { return variance; }
    }
  };)

// clang-format on
}
}
}  // namespace gnp::GNP_ABI::scalar
