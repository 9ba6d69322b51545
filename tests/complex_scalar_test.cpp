// SPDX-License-Identifier: MIT
// The complex scalar functions against NumPy, special values included (tests/golden/make_complex.py).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <gnp/expr/scalar/complex.hpp>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "catch.hpp"

namespace {

namespace scalar = gnp::scalar;

template <class T>
using unsigned_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <class T>
struct numpy_answers {
  std::vector<std::complex<T>> values;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::map<std::string, std::vector<T>> answers;  // by function: both parts of each, or one real number
  std::map<std::string, std::string> comparisons;
};

template <class T>
numpy_answers<T> read_answers() {
  std::ifstream file(test_data("complex.txt"));
  REQUIRE(file);
  numpy_answers<T> out;
  bool mine = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, name, word;
    words >> kind;
    if (kind == "type") {
      words >> name;
      mine = name == (sizeof(T) == 4 ? "complex64" : "complex128");
    }
    if (!mine) continue;
    if (kind == "unary" || kind == "binary" || kind == "compare") words >> name;
    if (kind == "compare") {
      words >> out.comparisons[name];
    } else if (kind == "pairs") {
      for (std::size_t i = 0, j = 0; words >> i >> j;) out.pairs.emplace_back(i, j);
    } else {
      std::vector<T> numbers;
      while (words >> word) {
        numbers.push_back(word == "n"
                              ? std::numeric_limits<T>::quiet_NaN()
                              : std::bit_cast<T>(static_cast<unsigned_of<T>>(std::stoull(word, nullptr, 16))));
      }
      if (kind == "values") {
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
          out.values.emplace_back(numbers[i], numbers[i + 1]);
      } else {
        out.answers[name] = numbers;
      }
    }
  }
  return out;
}

/// The distance in units of the last place of `size`, a magnitude no smaller than that of what is wanted; at
/// that magnitude a wrong sign is infinitely far, even of zero.
template <class T>
double ulps(T have, T want, T size) {
  if (std::isnan(have) || std::isnan(want)) return std::isnan(have) == std::isnan(want) ? 0.0 : HUGE_VAL;
  if (std::isinf(have) || std::isinf(want)) return have == want ? 0.0 : HUGE_VAL;
  if (std::signbit(have) != std::signbit(want) && size == std::fabs(want)) return HUGE_VAL;
  const T bounded = std::min(size, std::numeric_limits<T>::max() / 2);  // a unit of the largest numbers, too
  const T unit = std::nextafter(bounded, std::numeric_limits<T>::infinity()) - bounded;
  return std::fabs(static_cast<double>(have) - static_cast<double>(want)) / static_cast<double>(unit);
}

}  // namespace

// clang-format off
#define OF_ONE(f) {#f, [](const std::complex<T>& z) { return std::complex<T>(scalar::f(z)); }}
#define OF_TWO(f) {#f, [](const std::complex<T>& a, const std::complex<T>& b) { return scalar::f(a, b); }}
// clang-format on

TEMPLATE_TEST_CASE("complex functions of one argument are NumPy's", "[scalar][complex]", float, double) {
  using T = TestType;
  using function = std::complex<T> (*)(const std::complex<T>&);
  const std::map<std::string, function> functions = {
      OF_ONE(abs),   OF_ONE(arg),   OF_ONE(sqrt), OF_ONE(exp),    OF_ONE(exp2),
      OF_ONE(expm1), OF_ONE(log),   OF_ONE(log2), OF_ONE(log10),  OF_ONE(log1p),
      OF_ONE(sin),   OF_ONE(cos),   OF_ONE(tan),  OF_ONE(asin),   OF_ONE(acos),
      OF_ONE(atan),  OF_ONE(sinh),  OF_ONE(cosh), OF_ONE(tanh),   OF_ONE(asinh),
      OF_ONE(acosh), OF_ONE(atanh), OF_ONE(sign), OF_ONE(square), OF_ONE(reciprocal)};
  const numpy_answers<T> expected = read_answers<T>();
  for (const auto& [name, f] : functions) {
    REQUIRE(expected.answers.count(name) == 1);
    const std::vector<T>& answers = expected.answers.at(name);
    const std::size_t width = name == "abs" || name == "arg" ? 1 : 2;
    REQUIRE(answers.size() == width * expected.values.size());
    // Where NumPy's formula subtracts, an error is one relative to the larger part.
    const bool subtracts = name == "square" || name == "expm1";
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
      const std::complex<T> z = expected.values[i];
      const std::complex<T> have = f(z);
      const T parts[2] = {have.real(), have.imag()};
      const T larger = width == 2 ? std::fmax(std::fabs(answers[2 * i]), std::fabs(answers[2 * i + 1])) : T(0);
      for (std::size_t k = 0; k < width; ++k) {
        const T want = answers[width * i + k];
        const double error = ulps(parts[k], want, subtracts ? larger : std::fabs(want));
        if (!(error <= 4)) {
          CAPTURE(name, z.real(), z.imag(), k, parts[k], want, error);
          CHECK(error <= 4);
        }
      }
    }
  }
  SUCCEED();
}

TEMPLATE_TEST_CASE("complex functions of two arguments are NumPy's", "[scalar][complex]", float, double) {
  using T = TestType;
  using function = std::complex<T> (*)(const std::complex<T>&, const std::complex<T>&);
  const std::map<std::string, function> functions = {
      OF_TWO(times), OF_TWO(over), OF_TWO(pow), OF_TWO(maximum), OF_TWO(minimum), OF_TWO(fmax), OF_TWO(fmin)};
  const numpy_answers<T> expected = read_answers<T>();
  for (const auto& [name, f] : functions) {
    REQUIRE(expected.answers.count(name) == 1);
    const std::vector<T>& answers = expected.answers.at(name);
    REQUIRE(answers.size() == 2 * expected.pairs.size());
    const bool power = name == "pow";
    for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
      const std::complex<T> a = expected.values[expected.pairs[i].first];
      const std::complex<T> b = expected.values[expected.pairs[i].second];
      // complex64 goes through double, where these neither overflow nor have an angle that is rounded to 0.
      const bool huge_exponent = std::fabs(b.real()) > T(1e30) && std::isfinite(b.real());
      const bool huge_base = std::fabs(a.real()) > T(1e30) && std::isinf(b.real());
      if (power && sizeof(T) == 4 && (huge_exponent || huge_base)) continue;
      const std::complex<T> have = f(a, b);
      const T parts[2] = {have.real(), have.imag()};
      const T larger = std::fmax(std::fabs(answers[2 * i]), std::fabs(answers[2 * i + 1]));
      for (std::size_t k = 0; k < 2; ++k) {
        const double error = ulps(parts[k], answers[2 * i + k], larger);
        // exp(b log a) turns the absolute error of b log a into a relative one; float computes it in double.
        const bool grows = power && sizeof(T) == 8 && std::isfinite(std::abs(a) + std::abs(b)) && a != T(0);
        const double limit = 4 + (grows ? 2 * static_cast<double>(std::abs(b * std::log(a))) : 0);
        if (!(error <= limit)) {
          CAPTURE(name, a.real(), a.imag(), b.real(), b.imag(), k, parts[k], answers[2 * i + k], error);
          CHECK(error <= limit);
        }
      }
    }
  }
  SUCCEED();
}

TEMPLATE_TEST_CASE("parts, signs and sums of complex numbers", "[scalar][complex]", float, double) {
  using T = TestType;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const auto same = [](const std::complex<T>& z, T x, T y) {
    return z.real() == x && z.imag() == y && std::signbit(z.real()) == std::signbit(x) &&
           std::signbit(z.imag()) == std::signbit(y);
  };
  const std::complex<T> a(1, -2), b(-4, 8);
  CHECK(scalar::real(a) == 1);
  CHECK(scalar::imag(a) == -2);
  CHECK(same(scalar::conj(a), 1, 2));
  CHECK(same(scalar::conj(std::complex<T>(0, 0)), 0, -T(0)));
  CHECK(same(scalar::plus(a, b), -3, 6));
  CHECK(same(scalar::minus(a, b), 5, -10));
  CHECK(same(scalar::negate(std::complex<T>(0, 3)), -T(0), -3));
  for (const T x : {T(0), T(1), inf, -inf, nan}) {
    for (const T y : {T(0), T(1), inf, -inf, nan}) {
      const std::complex<T> z(x, y);
      CAPTURE(x, y);
      CHECK(scalar::isnan(z) == (std::isnan(x) || std::isnan(y)));
      CHECK(scalar::isinf(z) == (std::isinf(x) || std::isinf(y)));
      CHECK(scalar::isfinite(z) == (std::isfinite(x) && std::isfinite(y)));
    }
  }
}

TEMPLATE_TEST_CASE("complex numbers are ordered as in NumPy", "[scalar][complex]", float, double) {
  using T = TestType;
  const numpy_answers<T> expected = read_answers<T>();
  for (std::size_t i = 0; i < expected.pairs.size(); ++i) {
    const std::complex<T> a = expected.values[expected.pairs[i].first];
    const std::complex<T> b = expected.values[expected.pairs[i].second];
    CAPTURE(a.real(), a.imag(), b.real(), b.imag());
    CHECK(scalar::complex_less(a, b) == (expected.comparisons.at("complex_less")[i] == '1'));
    CHECK(scalar::complex_less_equal(a, b) == (expected.comparisons.at("complex_less_equal")[i] == '1'));
    CHECK(scalar::equal(a, b) == (expected.comparisons.at("equal")[i] == '1'));
  }
}
