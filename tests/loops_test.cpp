// SPDX-License-Identifier: MIT
// test: optimised
// The CPU's loops at their edges: lengths around the vectors', values that vectors treat in their own way.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;

constexpr index_t lengths[] = {1, 2, 7, 31, 32, 33, 63, 65, 127, 255, 257, 1000, 4097, 70001};

/// Position of the first extreme value, NaN before all others.
template <class T>
index_t first_extreme(const std::vector<T>& x, bool largest) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < x.size() && x[best] == x[best]; ++i) {
    if (x[i] != x[i] || (largest ? x[i] > x[best] : x[i] < x[best])) best = i;
  }
  return static_cast<index_t>(best);
}

template <class T>
void check_positions(const std::vector<T>& x) {
  const array<T> a = gnp::asarray(x);
  REQUIRE(gnp::argmax(a).item() == first_extreme(x, true));
  REQUIRE(gnp::argmin(a).item() == first_extreme(x, false));
  const std::vector<T> turned(x.rbegin(), x.rend());
  const array<T> backwards = gnp::asarray(turned)(gnp::slice(gnp::none, gnp::none, -1));
  REQUIRE(gnp::argmax(backwards).item() == first_extreme(x, true));
  REQUIRE(gnp::argmin(backwards).item() == first_extreme(x, false));
  // The same values in each of a few columns, and along rows.
  const auto length = static_cast<index_t>(x.size());
  const array<T> columns = a.reshape(length, 1) + gnp::zeros<T>({1, 3});
  REQUIRE(gnp::all(gnp::argmax(columns, {.axis = 0}) == first_extreme(x, true)).item());
  REQUIRE(gnp::all(gnp::argmin(columns.T(), {.axis = 1}) == first_extreme(x, false)).item());
}

template <class T>
void check_quotients() {
  std::vector<T> xs;
  std::vector<T> ys;
  for (int x = std::numeric_limits<T>::min(); x <= std::numeric_limits<T>::max(); ++x) {
    for (int y = std::numeric_limits<T>::min(); y <= std::numeric_limits<T>::max(); ++y) {
      xs.push_back(static_cast<T>(x));
      ys.push_back(static_cast<T>(y));
    }
  }
  const gnp::host_array<T> quotients = gnp::asnumpy(gnp::floor_divide(gnp::asarray(xs), gnp::asarray(ys)));
  const gnp::host_array<T> rests = gnp::asnumpy(gnp::remainder(gnp::asarray(xs), gnp::asarray(ys)));
  index_t wrong = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const int x = xs[i];
    const int y = ys[i];
    const auto q = y == 0 ? T(0) : static_cast<T>(static_cast<int>(std::floor(static_cast<double>(x) / y)));
    const auto r =
        y == 0 ? T(0) : static_cast<T>(x - static_cast<int>(std::floor(static_cast<double>(x) / y)) * y);
    if (quotients[static_cast<index_t>(i)] != q || rests[static_cast<index_t>(i)] != r) ++wrong;
  }
  CHECK(wrong == 0);
}

/// floor(x / d) and the rest, in C++'s own division.
template <class T>
std::pair<T, T> divided(T x, T d) {
  if (d == T(0)) return {T(0), T(0)};
  if constexpr (std::is_signed_v<T>) {
    if (d == T(-1))
      return {static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(x)), T(0)};
  }
  const auto rest = static_cast<T>(x % d);
  const bool below = rest != T(0) && (rest < T(0)) != (d < T(0));
  return {static_cast<T>(x / d - T(below)), static_cast<T>(below ? rest + d : rest)};
}

/// Numbers around zero, around both ends of the type and in between, of each magnitude.
template <class T>
std::vector<T> numbers_everywhere() {
  std::vector<T> numbers;
  for (int i = -130; i < 130; ++i) numbers.push_back(static_cast<T>(i));
  for (int i = 0; i < 70; ++i) {
    numbers.push_back(static_cast<T>(std::numeric_limits<T>::max() - T(i)));
    numbers.push_back(static_cast<T>(std::numeric_limits<T>::min() + T(i)));
  }
  std::uint64_t random = 88172645463325252;
  for (int i = 0; i < 500; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    numbers.push_back(static_cast<T>(random >> (i % 60)));
  }
  return numbers;
}

/// Elements against one number, which the CPU's loops prepare for.
template <class T>
void check_against_numbers() {
  const std::vector<T> xs = numbers_everywhere<T>();
  const array<T> x = gnp::asarray(xs);
  index_t wrong = 0;
  for (std::size_t k = 0; k < xs.size(); k += 3) {
    const T d = xs[k];
    const gnp::host_array<T> quotients = gnp::asnumpy(gnp::floor_divide(x, d));
    const gnp::host_array<T> rests = gnp::asnumpy(gnp::remainder(x, d));
    // And of elements that are computed first.
    const gnp::host_array<T> of_sums = gnp::asnumpy(gnp::floor_divide(x + T(1), d));
    const gnp::host_array<T> rests_of_sums = gnp::asnumpy(gnp::remainder(x + T(1), d));
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const auto [q, r] = divided(xs[i], d);
      const auto next = static_cast<T>(static_cast<std::make_unsigned_t<T>>(xs[i]) + 1U);
      const auto [next_q, next_r] = divided(next, d);
      const auto at = static_cast<index_t>(i);
      if (quotients[at] != q || rests[at] != r || of_sums[at] != next_q || rests_of_sums[at] != next_r) ++wrong;
    }
  }
  CHECK(wrong == 0);
  for (const long long number : {-9000000000LL, -70000LL, -300LL, -129LL, -1LL, 0LL, 1LL, 127LL, 128LL, 255LL,
                                 256LL, 70000LL, 9000000000LL}) {
    const gnp::host_array<bool> less = gnp::asnumpy(x < number);
    const gnp::host_array<bool> at_most = gnp::asnumpy(x <= number);
    const gnp::host_array<bool> greater = gnp::asnumpy(x > number);
    const gnp::host_array<bool> at_least = gnp::asnumpy(x >= number);
    const gnp::host_array<bool> equal = gnp::asnumpy(x == number);
    const gnp::host_array<bool> other = gnp::asnumpy(x != number);
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const auto at = static_cast<index_t>(i);
      const bool is_less = std::cmp_less(xs[i], number);
      const bool is_equal = std::cmp_equal(xs[i], number);
      if (less[at] != is_less || at_most[at] != (is_less || is_equal) ||
          greater[at] != (!is_less && !is_equal) || at_least[at] != !is_less || equal[at] != is_equal ||
          other[at] == is_equal)
        ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// x * x * ... * x, wrapping; of negative exponents the integer part of the answer.
template <class T>
T multiplied(T x, int exponent) {
  if (exponent < 0) return x == T(1) ? T(1) : x == T(-1) ? (exponent % 2 == 0 ? T(1) : T(-1)) : T(0);
  std::uint64_t product = 1;
  for (int i = 0; i < exponent; ++i) product *= static_cast<std::uint64_t>(x);
  return static_cast<T>(product);
}

/// floor(x / 2^places), place by place.
template <class T>
T shifted(T x, int places) {
  for (int i = 0; i < places && i < 70; ++i) x = static_cast<T>(x < T(0) ? -(-(x + 1) / 2) - 1 : x / 2);
  return x;
}

template <class T>
void check_powers_and_shifts() {
  const std::vector<T> xs = numbers_everywhere<T>();
  const array<T> x = gnp::asarray(xs);
  index_t wrong = 0;
  for (const int number : {-2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 31, 32, 63, 64, 100}) {
    if (number < 0 && std::is_unsigned_v<T>) continue;
    const gnp::host_array<T> powers = gnp::asnumpy(gnp::power(x, static_cast<T>(number)));
    const gnp::host_array<T> halves = gnp::asnumpy(gnp::right_shift(x, static_cast<T>(number)));
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const auto at = static_cast<index_t>(i);
      const T right = number < 0 ? shifted(xs[i], 70) : shifted(xs[i], number);
      if (powers[at] != multiplied(xs[i], number) || halves[at] != right) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// Floating-point numbers of every kind: the ends of the type, whole ones, and random bits of all magnitudes.
template <class T>
std::vector<T> floats_everywhere() {
  using limits = std::numeric_limits<T>;
  using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::vector<T> numbers = {T(0),
                            limits::denorm_min(),
                            limits::min(),
                            limits::max(),
                            limits::max() / 2,
                            limits::max() / 3,
                            limits::epsilon(),
                            limits::infinity(),
                            limits::quiet_NaN(),
                            T(0.1),
                            T(1) / T(3),
                            T(0x1p25),
                            T(0x1p26),
                            T(0x1p27),
                            T(0x1p28),
                            T(0x1p52)};
  for (int i = 1; i < 40; ++i) numbers.push_back(T(i));
  for (int i = 1; i < 20; ++i) {
    numbers.push_back(std::nextafter(T(i), T(0)));
    numbers.push_back(std::nextafter(T(i), T(100)));
    numbers.push_back(std::nextafter(std::ldexp(T(i), 24), limits::max()));
    numbers.push_back(limits::denorm_min() * T(i * i * i));
  }
  std::uint64_t random = 88172645463325252;
  for (int i = 0; i < 600; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    // A third with any bits, two thirds with few different exponents, whose quotients are of middle size.
    const auto any = std::bit_cast<T>(static_cast<bits>(random));
    numbers.push_back(
        i % 3 == 0 ? any : std::ldexp(static_cast<T>(random >> 11), static_cast<int>(random % 28) - 60));
  }
  const std::size_t positive = numbers.size();
  for (std::size_t i = 0; i < positive; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

/// NumPy's divmod, as it is written there.
template <class T>
std::pair<T, T> python_divmod(T a, T b) {
  T rest = std::fmod(a, b);
  if (b == 0) return {a / b, rest};
  T quotient = (a - rest) / b;
  if (rest != 0) {
    if ((b < 0) != (rest < 0)) {
      rest += b;
      quotient -= 1;
    }
  } else {
    rest = std::copysign(T(0), b);
  }
  if (quotient == 0) return {std::copysign(T(0), a / b), rest};
  const T whole = std::floor(quotient);
  return {quotient - whole > T(0.5) ? whole + 1 : whole, rest};
}

/// Every number of them by every other, as arrays and as one number each.
template <class T>
void check_float_quotients() {
  const std::vector<T> xs = floats_everywhere<T>();
  const array<T> x = gnp::asarray(xs);
  const auto count = static_cast<index_t>(xs.size());
  const auto same = [](T a, T b) {
    return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
  };
  index_t wrong = 0;
  const auto compare = [&](const gnp::host_array<T>& quotients, const gnp::host_array<T>& rests,
                           const gnp::host_array<T>& cut, std::size_t k) {
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const auto [q, r] = python_divmod(xs[i], xs[k]);
      const auto at = static_cast<index_t>(i);
      if (same(quotients[at], q) && same(rests[at], r) && same(cut[at], std::fmod(xs[i], xs[k]))) continue;
      if (++wrong == 1) UNSCOPED_INFO(xs[i] << " by " << xs[k] << ": " << quotients[at] << ", " << rests[at]);
    }
  };
  for (std::size_t k = 0; k < xs.size(); k += sanitized && k >= 16 ? 8 : 1) {  // after the special ones
    const array<T> y = gnp::full<T>({count}, xs[k]);
    compare(gnp::asnumpy(gnp::floor_divide(x, y)), gnp::asnumpy(gnp::remainder(x, y)),
            gnp::asnumpy(gnp::fmod(x, y)), k);
    compare(gnp::asnumpy(gnp::floor_divide(x, xs[k])), gnp::asnumpy(gnp::remainder(x, xs[k])),
            gnp::asnumpy(gnp::fmod(x, xs[k])), k);
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("loops: sums, comparisons and truth values of any length, contiguous and strided") {
  for_each_device([](gnp::device) {
    for (const index_t n : lengths) {
      const array<std::uint8_t> x = gnp::arange<std::int64_t>(n).astype<std::uint8_t>();
      const gnp::host_array<std::uint8_t> sum = gnp::asnumpy(x + x);
      const gnp::host_array<bool> large = gnp::asnumpy(x > 100);
      const gnp::host_array<bool> small = gnp::asnumpy(!(x > 100));
      const array<float> wide = gnp::arange<float>(2 * n);
      const gnp::host_array<float> odd = gnp::asnumpy(wide(gnp::slice(1, gnp::none, 2)) * 2);
      bool right = true;
      for (index_t i = 0; i < n; ++i) {
        right = right && sum[i] == static_cast<std::uint8_t>(2 * i) && large[i] == ((i & 255) > 100) &&
                small[i] != large[i] && odd[i] == static_cast<float>(4 * i + 2);
      }
      CHECK(right);
      CHECK(gnp::count_nonzero(!(x > 100)).item() + gnp::count_nonzero(x > 100).item() == n);
    }
  });
}

TEST_CASE("loops: argmin and argmax of any length, of equal values, NaN and infinities") {
  for_each_device([](gnp::device) {
    for (const index_t n : lengths) {
      const auto count = static_cast<std::size_t>(n);
      std::vector<float> x(count);
      std::vector<std::uint8_t> bytes(count);
      for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<float>((i * 7919) % 1013) - 500;
        bytes[i] = static_cast<std::uint8_t>((i * 31) % 97);
      }
      check_positions(x);
      check_positions(bytes);
      check_positions(std::vector<int>(count, -5));
      x[count / 2] = std::numeric_limits<float>::infinity();
      x[count / 3] = -std::numeric_limits<float>::infinity();
      check_positions(x);
      x[count - 1] = std::numeric_limits<float>::quiet_NaN();
      check_positions(x);
      if (n > 2) CHECK(gnp::nanargmax(gnp::asarray(x)).item() == (n / 2 == n - 1 ? 0 : n / 2));
      x[count / 2] = std::numeric_limits<float>::quiet_NaN();
      check_positions(x);
    }
    const array<float> zeros = gnp::asarray<float>({0.0F, -0.0F, 0.0F});
    CHECK(gnp::argmin(zeros).item() == 0);
    CHECK(gnp::argmax(gnp::asarray<bool>({false, false, true, true})).item() == 2);
    CHECK_THROWS_AS(gnp::argmax(gnp::zeros<float>({0})), gnp::shape_error);
    // Two axes that do not merge.
    const array<int> cube = gnp::arange<std::int64_t>(2 * 70 * 50).astype<int>().reshape(2, 70, 50);
    CHECK(gnp::argmax(cube(gnp::all, gnp::slice(gnp::none, 60), gnp::slice(gnp::none, 40))).item() ==
          2 * 60 * 40 - 1);
    CHECK(gnp::argmin(cube(gnp::all, gnp::slice(gnp::none, gnp::none, -1), gnp::slice(5, 9))).item() == 69 * 4);
  });
}

TEST_CASE("loops: whole quotients and rests of all bytes, and of the ends of longer integers") {
  for_each_device([](gnp::device) {
    check_quotients<std::int8_t>();
    check_quotients<std::uint8_t>();
    constexpr int lowest = std::numeric_limits<int>::min();
    constexpr int highest = std::numeric_limits<int>::max();
    const array<int> x = gnp::asarray<int>({lowest, lowest, lowest, highest, highest, -7, 7, lowest, 0});
    const array<int> y = gnp::asarray<int>({-1, 1, 0, lowest, highest, 2, -2, highest, -3});
    CHECK(gnp::array_equal(gnp::floor_divide(x, y),
                           gnp::asarray<int>({lowest, lowest, 0, -1, 1, -4, -4, -2, 0})));
    CHECK(gnp::array_equal(gnp::remainder(x, y), gnp::asarray<int>({0, 0, 0, -1, 0, 1, -1, highest - 1, 0})));
    const array<unsigned> u = gnp::asarray<unsigned>({4294967295U, 4294967295U, 4294967294U, 5U});
    const array<unsigned> v = gnp::asarray<unsigned>({1U, 4294967295U, 4294967295U, 0U});
    CHECK(gnp::array_equal(gnp::floor_divide(u, v), gnp::asarray<unsigned>({4294967295U, 1U, 0U, 0U})));
  });
}

TEST_CASE("loops: quotients and rests of floating-point numbers of every kind") {
  for_each_device([](gnp::device) {
    check_float_quotients<float>();
    check_float_quotients<double>();
  });
}

TEST_CASE("loops: powers and shifts by one number, of every integer type") {
  for_each_device([](gnp::device) {
    check_powers_and_shifts<std::int8_t>();
    check_powers_and_shifts<std::uint8_t>();
    check_powers_and_shifts<std::int16_t>();
    check_powers_and_shifts<std::uint16_t>();
    check_powers_and_shifts<std::int32_t>();
    check_powers_and_shifts<std::uint32_t>();
    check_powers_and_shifts<std::int64_t>();
    check_powers_and_shifts<std::uint64_t>();
  });
}

TEST_CASE("loops: every half to float and back, and what lies between two of them") {
  for_each_device([](gnp::device) {
    std::vector<gnp::half> halves;
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
      halves.push_back(gnp::half::from_bits(static_cast<std::uint16_t>(bits)));
    }
    const array<gnp::half> h = gnp::asarray(halves);
    const gnp::host_array<float> wide = gnp::asnumpy(h.astype<float>());
    const gnp::host_array<gnp::half> back = gnp::asnumpy(h.astype<float>().astype<gnp::half>());
    std::vector<float> between;  // half way to the next one, and a little less and more
    for (unsigned bits = 0; bits < 0x7c00U; ++bits) {
      const float next = bits == 0x7bffU ? 65536.0F : wide[static_cast<index_t>(bits) + 1];
      const float middle = (wide[static_cast<index_t>(bits)] + next) / 2;
      between.insert(between.end(), {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, next)});
    }
    const gnp::host_array<gnp::half> up = gnp::asnumpy(gnp::asarray(between).astype<gnp::half>());
    const gnp::host_array<gnp::half> down = gnp::asnumpy((-gnp::asarray(between)).astype<gnp::half>());
    index_t wrong = 0;
    for (unsigned bits = 0; bits < 0x10000U; ++bits) {
      const auto at = static_cast<index_t>(bits);
      const int exponent = static_cast<int>(bits >> 10U & 31U);
      const auto digits = static_cast<float>(bits & 0x3ffU);
      const float size = exponent == 0 ? std::ldexp(digits, -24) : std::ldexp(digits + 1024, exponent - 25);
      if (exponent == 31 && digits != 0) {
        if (wide[at] == wide[at] || (back[at].bits & 0x7fffU) <= 0x7c00U) ++wrong;
      } else {
        const float value = exponent == 31 ? std::numeric_limits<float>::infinity() : size;
        if (wide[at] != (bits < 0x8000U ? value : -value) || back[at].bits != bits) ++wrong;
      }
      if (bits >= 0x7c00U) continue;
      const unsigned even = bits + (bits & 1U);
      for (const unsigned sign : {0U, 0x8000U}) {
        const auto& rounded = sign == 0 ? up : down;
        if (rounded[3 * at].bits != (even | sign) || rounded[3 * at + 1].bits != (bits | sign) ||
            rounded[3 * at + 2].bits != ((bits + 1) | sign))
          ++wrong;
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("loops: running sums, ranges and counts of any length, on one thread and on several") {
  const int threads = gnp::get_num_threads();
  for (const int count : {1, 3}) {
    gnp::set_num_threads(count);
    for_each_device([](gnp::device) {
      for (const index_t n : {1, 127, 1025, 32640, 33001, 300001}) {
        const array<std::int64_t> x = gnp::arange<std::int64_t>(n) * 2654435761 % 1000003 - 500000;
        const array<std::int32_t> every_other = x.astype<std::int32_t>()(gnp::slice(gnp::none, gnp::none, 2));
        const gnp::host_array<std::int64_t> values = gnp::asnumpy(x);
        const gnp::host_array<std::int64_t> sums = gnp::asnumpy(gnp::cumsum(x));
        const gnp::host_array<std::int64_t> products = gnp::asnumpy(gnp::cumprod(x));
        const gnp::host_array<std::int64_t> strided = gnp::asnumpy(gnp::cumsum(every_other));
        std::uint64_t sum = 0;
        std::uint64_t product = 1;
        std::int64_t of_others = 0;
        std::int64_t low = values[0];
        std::int64_t high = values[0];
        bool right = true;
        for (index_t i = 0; i < n; ++i) {
          sum += static_cast<std::uint64_t>(values[i]);
          product *= static_cast<std::uint64_t>(values[i]);
          right = right && sums[i] == static_cast<std::int64_t>(sum);
          right = right && products[i] == static_cast<std::int64_t>(product);
          if (i % 2 == 0) right = right && strided[i / 2] == (of_others += values[i]);
          low = (std::min)(low, values[i]);
          high = (std::max)(high, values[i]);
        }
        CHECK(right);
        CHECK(gnp::ptp(x).item() == high - low);
        array<float> f = x.astype<float>();
        CHECK(gnp::ptp(f).item() == static_cast<float>(high) - static_cast<float>(low));
        f(n / 2) = std::numeric_limits<float>::quiet_NaN();
        CHECK(std::isnan(gnp::ptp(f).item()));
        // The first of equal ones stays, as zeros of both signs show, and NaN stays for ever.
        array<double> d = x.astype<double>() / 1000 * (x % 3 == 0) * (1 - 2 * (x % 2));
        if (n > 10) d(n - n / 5) = std::numeric_limits<double>::quiet_NaN();
        const gnp::host_array<double> numbers = gnp::asnumpy(d);
        const gnp::host_array<double> most = gnp::asnumpy(gnp::maximum_accumulate(d));
        const gnp::host_array<double> least = gnp::asnumpy(gnp::minimum_accumulate(d));
        const gnp::host_array<double> others =
            gnp::asnumpy(gnp::maximum_accumulate(d(gnp::slice(gnp::none, gnp::none, 2))));
        double top = numbers[0], bottom = numbers[0], top_of_others = numbers[0];
        const auto same = [](double a, double b) {
          return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
        };
        for (index_t i = 0; i < n; ++i) {
          const double v = numbers[i];
          top = top >= v || std::isnan(top) ? top : v;
          bottom = bottom <= v || std::isnan(bottom) ? bottom : v;
          if (i % 2 == 0) {
            top_of_others = top_of_others >= v || std::isnan(top_of_others) ? top_of_others : v;
            right = right && same(others[i / 2], top_of_others);
          }
          right = right && same(most[i], top) && same(least[i], bottom);
        }
        CHECK(right);
        CHECK(gnp::sum(gnp::ones<bool>({n})).item() == n);
        CHECK(gnp::count_nonzero(x).item() == n - (gnp::sum(x == 0).item()));
      }
      // Down columns, in runs of rows.
      const array<gnp::complex128> z = gnp::ones<gnp::complex128>({131, 37}) * gnp::complex128(0.6, 0.8);
      const gnp::complex128 right = std::pow(gnp::complex128(0.6, 0.8), 131);
      CHECK(gnp::max(gnp::abs(gnp::prod(z, {.axis = 0}) - right)).item() < 1e-12);
    });
  }
  gnp::set_num_threads(threads);
}

TEST_CASE("loops: floor, ceil and trunc, signs of zero included") {
  for_each_device([](gnp::device) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> x = {-0.0F,      0.0F,  0.3F,   -0.3F,  0.5F,    -0.5F,    0.7F,       -0.7F,
                                  1.0F,       -1.0F, 1.5F,   -1.5F,  2.5F,    -2.5F,    8388607.5F, -8388607.5F,
                                  8388609.0F, 3e38F, -3e38F, 1e-45F, -1e-45F, infinity, -infinity};
    const gnp::host_array<float> low = gnp::asnumpy(gnp::floor(gnp::asarray(x)));
    const gnp::host_array<float> high = gnp::asnumpy(gnp::ceil(gnp::asarray(x)));
    const gnp::host_array<float> cut = gnp::asnumpy(gnp::trunc(gnp::asarray(x)));
    const auto same = [](float a, float b) { return a == b && std::signbit(a) == std::signbit(b); };
    for (std::size_t i = 0; i < x.size(); ++i) {
      CAPTURE(x[i]);
      const auto at = static_cast<index_t>(i);
      CHECK(same(low[at], std::floor(x[i])));
      CHECK(same(high[at], std::ceil(x[i])));
      CHECK(same(cut[at], std::trunc(x[i])));
    }
    CHECK(gnp::isnan(gnp::floor(gnp::asarray<double>({std::nan("")}))).item());
  });
}

TEST_CASE("loops: variances along rows and columns, far from zero and around NaN") {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 3, 64, 65, 500, 1000}) {
      const array<double> row = gnp::arange<double>(n) + 1e9;
      const double right = static_cast<double>(n) * static_cast<double>(n) / 12 - 1.0 / 12;
      CHECK(gnp::var(row).item() == Approx(right).epsilon(1e-12));
      const array<double> columns = row.reshape(n, 1) + gnp::zeros<double>({1, 37});
      CHECK(gnp::max(gnp::abs(gnp::var(columns, {.axis = 0}) - right)).item() <= 1e-12 * right);
      CHECK(gnp::max(gnp::abs(gnp::var(columns.T(), {.axis = 1}) - right)).item() <= 1e-12 * right);
      array<double> holes = gnp::zeros<double>({2 * n, 37});
      holes(gnp::slice(n, gnp::none)) = columns;
      holes(gnp::slice(gnp::none, n)) = std::nan("");
      CHECK(gnp::max(gnp::abs(gnp::nanvar(holes, {.axis = 0}) - right)).item() <= 1e-12 * right);
      CHECK(gnp::all(gnp::isnan(gnp::var(holes, {.axis = 0}))).item());
    }
  });
}

TEST_CASE("loops: quotients, rests and comparisons with one number, of every integer type") {
  for_each_device([](gnp::device) {
    check_against_numbers<std::int8_t>();
    check_against_numbers<std::uint8_t>();
    check_against_numbers<std::int16_t>();
    check_against_numbers<std::uint16_t>();
    check_against_numbers<std::int32_t>();
    check_against_numbers<std::uint32_t>();
    check_against_numbers<std::int64_t>();
    check_against_numbers<std::uint64_t>();
  });
}

TEST_CASE("loops: truth values are the numbers 0 and 1 beside every type") {
  for_each_device([](gnp::device) {
    const auto check = []<class T>(T) {
      INFO(gnp::dtype_of<T>);
      for (const index_t length : {1, 33, 1000}) {
        const array<bool> truth = gnp::arange<index_t>(length) % 3 == 1;
        std::vector<T> x(static_cast<std::size_t>(length)), ones(x.size()), products(x.size()), sums(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
          x[i] = static_cast<T>(static_cast<float>(i % 50));
          ones[i] = i % 3 == 1 ? T(1.0F) : T(0.0F);
          products[i] = i % 3 == 1 ? x[i] : T(0.0F);
          sums[i] = static_cast<T>(static_cast<float>(i % 50 + (i % 3 == 1 ? 1 : 0)));
        }
        const array<T> a = gnp::asarray(x);
        REQUIRE(gnp::to_vector(truth.template astype<T>()) == ones);
        REQUIRE(gnp::to_vector(truth * a) == products);
        REQUIRE(gnp::to_vector(a + (a == a) * truth) == sums);
        REQUIRE(gnp::to_vector(a.template astype<T>()) == x);
        REQUIRE(gnp::to_vector(a(gnp::slice(gnp::none, gnp::none, 2)).template astype<T>()) ==
                gnp::to_vector(a(gnp::slice(gnp::none, gnp::none, 2))));
      }
    };
    check(std::int8_t());
    check(std::uint8_t());
    check(std::int16_t());
    check(std::uint16_t());
    check(std::int32_t());
    check(std::uint32_t());
    check(std::int64_t());
    check(std::uint64_t());
    check(gnp::half());
    check(gnp::bfloat16());
    check(float());
    check(double());
    check(gnp::complex64());
    check(gnp::complex128());
    // As in NumPy, a product with 0 keeps NaN and signs.
    const float infinity = std::numeric_limits<float>::infinity();
    const array<float> ends = gnp::asarray<float>({infinity, -infinity, std::nanf(""), -1, 0});
    const array<float> none = gnp::zeros<bool>({5}) * ends;
    CHECK(gnp::array_equal(gnp::isnan(none), gnp::asarray<bool>({true, true, true, false, false})));
    CHECK(gnp::array_equal(gnp::signbit(none)(gnp::slice(3, 5)), gnp::asarray<bool>({true, false})));
  });
}

TEST_CASE("loops: truth values decide wherever the first is that does") {
  for_each_device([](gnp::device) {
    for (const index_t length : {1, 63, 64, 65, 4097, 140001}) {
      for (const index_t at : {index_t{0}, index_t{1}, length / 3, length - 2, length - 1}) {
        if (at < 0 || at >= length) continue;
        for (const bool decides : {true, false}) {
          array<bool> x = gnp::full<bool>({2 * length}, !decides);
          x(2 * at) = decides;
          const array<bool> every_other = x(gnp::slice(gnp::none, gnp::none, 2));
          const array<bool> backwards = every_other(gnp::slice(gnp::none, gnp::none, -1));
          const auto found = [decides](const array<bool>& y) {
            return decides ? gnp::argmax(y).item() : gnp::argmin(y).item();
          };
          CHECK(found(every_other) == at);
          CHECK(found(backwards) == length - 1 - at);
          CHECK(gnp::max(every_other).item() == (decides || length > 1));
          CHECK(gnp::min(x).item() == false);
          CHECK(gnp::any(every_other).item() == (decides || length > 1));
          CHECK(gnp::all(every_other).item() == (decides && length == 1));
        }
      }
    }
  });
}

namespace {

GNP_UFUNC(larger_of_array, (x, y), float both[2], both[0] = x, both[1] = y, const int k = x < y ? 1 : 0,
          both[k]);
GNP_UFUNC(larger_by_reference, (x, y), float a = x, float b = y, auto& larger = a < b ? b : a, larger += 1,
          a + b);

template <class T>
void check_complex_extremes() {
  constexpr index_t count = 203;
  std::vector<std::complex<T>> xs, ys, smaller, larger;
  for (int i = 0; i < count; ++i) {
    const int x = i * 7 % 11, y = i * 5 % 13;  // what the real parts do not decide, the imaginary parts do
    xs.emplace_back(T(x), T(i));
    ys.emplace_back(T(y), T(-i));
    smaller.push_back(x < y ? xs.back() : ys.back());
    larger.push_back(x < y ? ys.back() : xs.back());
  }
  const array<std::complex<T>> x = gnp::asarray(xs), y = gnp::asarray(ys);
  CHECK(gnp::array_equal(gnp::minimum(x, y), gnp::asarray(smaller)));
  CHECK(gnp::array_equal(gnp::fmin(x, y), gnp::asarray(smaller)));
  CHECK(gnp::array_equal(gnp::maximum(x, y), gnp::asarray(larger)));
  CHECK(gnp::array_equal(gnp::fmax(x, y), gnp::asarray(larger)));
  CHECK(gnp::array_equal(gnp::where(gnp::real(x) < gnp::real(y), x, y), gnp::asarray(smaller)));
}

}  // namespace

TEST_CASE("loops: an element's own values do not mix with those of its neighbours") {
  for_each_device([](gnp::device) {
    constexpr index_t count = 203;
    std::vector<float> xs, ys, larger, sums;
    for (int i = 0; i < count; ++i) {
      xs.push_back(static_cast<float>(i * 7 % 11));
      ys.push_back(static_cast<float>(i * 5 % 13));
      larger.push_back((std::max)(xs.back(), ys.back()));
      sums.push_back(xs.back() + ys.back() + 1);
    }
    const array<float> x = gnp::asarray(xs), y = gnp::asarray(ys);
    CHECK(gnp::array_equal(larger_of_array(x, y), gnp::asarray(larger)));
    CHECK(gnp::array_equal(larger_by_reference(x, y), gnp::asarray(sums)));
    check_complex_extremes<float>();
    check_complex_extremes<double>();
  });
}
