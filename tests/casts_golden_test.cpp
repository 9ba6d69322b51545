// SPDX-License-Identifier: MIT
// astype between all pairs of types: ties, subnormals, overflow, NaN, truncation and wrapping as in NumPy.
#include "ufunc_golden.hpp"

namespace {

const golden::file& golden_file() {
  static const golden::file file("casts.bin");
  return file;
}

template <class From, class To>
int check_cast() {
  int count = 0;
  for (const golden::record& r : golden_file().records) {
    if (!golden_file().takes(r, golden::types<From>{}) || r.result.dtype != gnp::name(gnp::dtype_of<To>))
      continue;
    ++count;
    const gnp::array<From> values = golden::upload<From>(golden_file().operand(r, 0));
    const gnp::array<To> result = values.template astype<To>();
    golden::check_values(golden_file(), r, gnp::asnumpy(result), golden::exact);
  }
  return count;
}

template <class From>
int check_casts_from() {
  return []<class... To>(golden::types<To...>) { return (check_cast<From, To>() + ...); }(golden::all_types{});
}

template <class... From>
void check_casts(golden::types<From...>) {
  for_each_device([](gnp::device) {
    const int run = (check_casts_from<From>() + ...);
    CHECK(run == static_cast<int>(sizeof...(From)) * gnp::dtype_count);
  });
}

}  // namespace

TEST_CASE("the golden file has every pair of types") {
  CHECK(golden_file().records.size() == static_cast<std::size_t>(gnp::dtype_count * gnp::dtype_count));
}
TEST_CASE("casts from signed integers") { check_casts(golden::signed_types{}); }
TEST_CASE("casts from unsigned integers and bool") { check_casts(golden::unsigned_types{}); }
TEST_CASE("casts from floating types") { check_casts(golden::float_types{}); }
TEST_CASE("casts from complex types") { check_casts(golden::complex_types{}); }
