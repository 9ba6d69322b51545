// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Quotients by one number: kernels multiply by the reciprocal of a power of two. The bits have to be those of
// the processor's division, for every kind of dividend.
#include <cmath>
#include <cstring>
#include <limits>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::host_array;
using gnp::index_t;

/// Numbers of every size, and those at the ends of the type.
template <class T, class Bits>
host_array<T> dividends() {
  constexpr index_t count = 4096;
  host_array<T> x({count});
  Bits bits = 1;
  for (index_t i = 0; i < count; ++i) {
    bits = static_cast<Bits>(bits * static_cast<Bits>(6364136223846793005u) + 1442695040888963407u);
    std::memcpy(&x[i], &bits, sizeof(T));
  }
  using limits = std::numeric_limits<T>;
  const T ends[] = {T(0),
                    -T(0),
                    limits::infinity(),
                    -limits::infinity(),
                    limits::max(),
                    limits::min(),
                    limits::denorm_min(),
                    3 * limits::denorm_min(),
                    T(1),
                    limits::lowest(),
                    7 * limits::denorm_min(),
                    limits::quiet_NaN()};
  for (index_t i = 0; i < 12; ++i) x[i] = ends[i];
  return x;
}

template <class T>
bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T, class Bits>
void check_quotients() {
  const host_array<T> host = dividends<T, Bits>();
  const array<T> x = gnp::asarray(host);
  const array<T> rows = x.reshape({64, 64});
  const int most = std::numeric_limits<T>::max_exponent;
  for (const int power :
       {1, -1, 2, 10, -30, most - 3, most - 2, most - 1, 2 - most, 3 - most, 1 - most, -most - 5}) {
    for (const T divisor : {std::ldexp(T(1), power), -std::ldexp(T(1), power), std::ldexp(T(1.5), power)}) {
      INFO("divided by " << divisor);
      const auto quotient = gnp::asnumpy((x / divisor).eval());
      const auto largest = gnp::asnumpy(gnp::nanmax(rows / divisor, 1).eval());
      int wrong = 0;
      for (index_t i = 0; i < host.size(); ++i) wrong += same(quotient[i], host[i] / divisor) ? 0 : 1;
      CHECK(wrong == 0);
      wrong = 0;
      for (index_t row = 0; row < 64; ++row) {
        T most_of_row = -std::numeric_limits<T>::infinity();
        for (index_t k = 0; k < 64; ++k) most_of_row = std::fmax(most_of_row, host[row * 64 + k] / divisor);
        wrong += largest[row] == most_of_row ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  }
}

}  // namespace

TEST_CASE("quotients by powers of two, and by numbers beside them") {
  for_each_device([](gnp::device) {
    check_quotients<float, std::uint32_t>();
    check_quotients<double, std::uint64_t>();
  });
}

TEST_CASE("a quotient within a row") {
  for_each_device([](gnp::device) {
    // Rows of 1 to 100: the sum of a row of eighths is 631.25, and its elements minus it are known.
    const array<float> x = gnp::arange<float>(1, 101) + gnp::zeros<float>({50, 1});
    const auto found = gnp::asnumpy((x / 4.0F - gnp::sum(x / 8.0F, 1, {.keepdims = true})).eval());
    int wrong = 0;
    for (index_t i = 0; i < found.size(); ++i)
      wrong += found[i] == static_cast<float>(i % 100 + 1) / 4 - 631.25F ? 0 : 1;
    CHECK(wrong == 0);
  });
}
