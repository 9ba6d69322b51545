// SPDX-License-Identifier: MIT
// test: no-asan, alone
// Ufuncs of floating-point numbers: transcendental ones, and those of several operands, which have NumPy's very
// bits.
#include <cmath>
#include <vector>

#include "ufunc_golden.hpp"

// clang-format off
#define MATH_UFUNCS(X) \
  X(cbrt, ulps(4)) X(exp, ulps(4)) X(exp2, ulps(4)) X(expm1, ulps(4)) X(log, ulps(4)) X(log2, ulps(4)) \
  X(log10, ulps(4)) X(log1p, ulps(4)) X(sin, ulps(4)) X(cos, ulps(4)) X(tan, ulps(4)) X(arcsin, ulps(4)) \
  X(arccos, ulps(4)) X(arctan, ulps(4)) X(sinh, ulps(4)) X(cosh, ulps(4)) X(tanh, ulps(4)) \
  X(arcsinh, ulps(4)) X(arccosh, ulps(4)) X(arctanh, ulps(4)) X(degrees, ulps(4)) X(radians, ulps(4)) \
  X(angle, ulps(4)) X(sinc, ulps(4))
// clang-format on

// clang-format off
#define POWER_UFUNCS(X) \
  X(power, ulps(4)) X(float_power, ulps(4)) X(logaddexp, ulps(4)) X(logaddexp2, ulps(8)) X(arctan2, ulps(4)) \
  X(hypot, ulps(4))
// clang-format on

// clang-format off
#define BINARY_UFUNCS(X) \
  X(add, exact) X(subtract, exact) X(multiply, exact) X(divide, exact) X(floor_divide, exact) \
  X(remainder, exact) X(fmod, exact) X(maximum, any_zero) X(minimum, any_zero) X(fmax, any_zero) \
  X(fmin, any_zero) X(heaviside, exact) X(copysign, exact) X(nextafter, exact) X(ldexp, exact) \
  X(equal, exact) X(not_equal, exact) X(less, exact) X(less_equal, exact) X(greater, exact) \
  X(greater_equal, exact) X(logical_and, exact) X(logical_or, exact) X(logical_xor, exact) X(clip, any_zero) \
  X(where, exact)
// clang-format on

namespace math {
GNP_GOLDEN_TESTS("ufunc_float_math.bin", float_types, one_operand, MATH_UFUNCS)
}
namespace power {
GNP_GOLDEN_TESTS("ufunc_float_power.bin", float_types, two_operands, POWER_UFUNCS)
}
namespace binary {
GNP_GOLDEN_TESTS("ufunc_float_binary.bin", float_types, two_operands, BINARY_UFUNCS)
}

// On the GPU these two have a way of their own for halves, which takes no angle larger than a half can be.
TEST_CASE("sin and cos of every half") {
  std::vector<gnp::half> every(1 << 16);
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = gnp::half::from_bits(static_cast<std::uint16_t>(i));
  const auto place = [](gnp::half x) {  // among all halves, in their order
    const int magnitude = x.bits & 0x7fff;
    return x.bits > 0x7fff ? -magnitude : magnitude;
  };
  for_each_device([&](gnp::device) {
    const gnp::array<gnp::half> x = gnp::asarray(every);
    const auto check = [&](const gnp::array<gnp::half>& computed, double (*exactly)(double), bool odd) {
      const gnp::host_array<gnp::half> got = gnp::asnumpy(computed);
      int wrong = 0;
      int off_by_one = 0;
      for (std::size_t i = 0; i < every.size(); ++i) {
        const float angle = static_cast<float>(every[i]);
        const gnp::half value = got[static_cast<gnp::index_t>(i)];
        if (angle - angle != 0) {
          wrong += static_cast<float>(value) == static_cast<float>(value) ? 1 : 0;  // NaN of NaN and infinities
          continue;
        }
        const gnp::half expected(static_cast<float>(exactly(angle)));
        const int distance = std::abs(place(value) - place(expected));
        off_by_one += distance == 1 ? 1 : 0;
        wrong += distance > 1 || (odd && angle == 0 && value.bits != every[i].bits) ? 1 : 0;
      }
      CHECK(wrong == 0);
      CHECK(off_by_one <= 16);  // NumPy's own have 4, from rounding twice
    };
    check(gnp::sin(x), std::sin, true);
    check(gnp::cos(x), std::cos, false);
  });
}
