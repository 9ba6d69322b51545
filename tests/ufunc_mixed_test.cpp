// SPDX-License-Identifier: MIT
// Ufuncs of operands of two types: what is computed in which type. make_ufuncs.py has the same list.
#include "ufunc_golden.hpp"

namespace {

using gnp::bfloat16;
using gnp::complex64;
using gnp::half;
using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

const golden::file& golden_file() {
  static const golden::file file("ufunc_mixed.bin");
  return file;
}

// clang-format off
#define UFUNCS(X) \
  X(equal, exact) X(less, exact) X(less_equal, exact) X(greater, exact) X(greater_equal, exact) X(not_equal, exact) \
  X(add, exact) X(subtract, exact) X(multiply, complex_ulps(4)) X(divide, exact) X(floor_divide, exact) \
  X(remainder, exact) X(power, ulps(4)) X(left_shift, exact) X(right_shift, exact) X(bitwise_and, exact) \
  X(bitwise_or, exact) X(bitwise_xor, exact) X(logical_and, exact) X(logical_or, exact) X(maximum, any_zero) \
  X(minimum, any_zero) X(fmax, any_zero) X(arctan2, ulps(4)) X(hypot, ulps(4)) X(copysign, exact) X(ldexp, exact) \
  X(gcd, exact) X(lcm, exact) X(heaviside, exact) X(float_power, complex_ulps(16)) X(where, exact)
UFUNCS(GNP_GOLDEN_UFUNC)
// clang-format on

template <class Ufunc, class A, class B>
using operands =
    std::conditional_t<std::is_same_v<Ufunc, where_ufunc>, golden::types<bool, A, B>, golden::types<A, B>>;

/// The pair of types A, B for each of some ufuncs; how many records there were.
template <class A, class B, class... Ufuncs>
int check() {
  return (golden::check_types<Ufuncs>(golden_file(), operands<Ufuncs, A, B>{}) + ...);
}

template <class A, class B>
int check_comparisons() {
  return check<A, B, equal_ufunc, not_equal_ufunc, less_ufunc, less_equal_ufunc, greater_ufunc,
               greater_equal_ufunc>();
}

int check_arithmetic() {
  int run = check<int32_t, float, add_ufunc, floor_divide_ufunc, maximum_ufunc, float_power_ufunc, where_ufunc,
                  less_ufunc>();
  run += check<int8_t, uint8_t, add_ufunc, floor_divide_ufunc, power_ufunc, left_shift_ufunc>();
  run += check<bool, int8_t, add_ufunc>();
  run += check<int64_t, uint64_t, add_ufunc>();
  run += check<half, bfloat16, add_ufunc>();
  run += check<bfloat16, int8_t, add_ufunc>();
  run += check<half, int16_t, add_ufunc>();
  run += check<uint8_t, int16_t, subtract_ufunc, bitwise_or_ufunc>();
  run += check<bool, float, subtract_ufunc, multiply_ufunc>();
  run += check<float, complex64, multiply_ufunc, float_power_ufunc, where_ufunc>();
  run += check<double, complex64, multiply_ufunc>();
  run += check<uint32_t, int32_t, multiply_ufunc>();
  run += check<int8_t, float, divide_ufunc, arctan2_ufunc>();
  run += check<int32_t, uint8_t, divide_ufunc>();
  run += check<int64_t, int8_t, remainder_ufunc, left_shift_ufunc>();
  run += check<float, int16_t, remainder_ufunc>();
  run += check<float, int8_t, power_ufunc>();
  run += check<double, int32_t, power_ufunc>();
  return run;
}

int check_the_rest() {
  int run = check<int8_t, int32_t, right_shift_ufunc>();
  run += check<bool, int32_t, bitwise_and_ufunc>();
  run += check<int64_t, uint32_t, bitwise_xor_ufunc>();
  run += check<int8_t, double, logical_and_ufunc>();
  run += check<complex64, bool, logical_or_ufunc>();
  run += check<uint64_t, int64_t, minimum_ufunc>();
  run += check<half, double, fmax_ufunc>();
  run += check<half, float, hypot_ufunc, equal_ufunc>();
  run += check<int32_t, half, copysign_ufunc>();
  run += check<float, int64_t, ldexp_ufunc>();
  run += check<double, int8_t, ldexp_ufunc>();
  run += check<int8_t, uint16_t, gcd_ufunc>();
  run += check<uint8_t, int32_t, lcm_ufunc>();
  run += check<int16_t, float, heaviside_ufunc>();
  run += check<int64_t, double, less_ufunc>();
  run += check<uint8_t, int8_t, where_ufunc>();
  return run;
}

}  // namespace

TEST_CASE("NumPy's values for operands of two types") {
  for_each_device([](gnp::device) {
    int run = check_comparisons<int64_t, uint64_t>() + check_comparisons<uint64_t, int64_t>() +
              check_comparisons<int8_t, uint64_t>();
    run += check_arithmetic() + check_the_rest();
    CHECK(static_cast<std::size_t>(run) == golden_file().records.size());
  });
}
