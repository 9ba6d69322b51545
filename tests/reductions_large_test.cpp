// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// Reductions over more than 2^31 elements, on the GPU: positions and counts of 64 bits to the last element.
#include "devices.hpp"

namespace {

using gnp::index_t;

/// Runs the body on cuda(0); says so where there is none.
template <class F>
void on_gpu(const F& body) {
  if (!gnp::cuda_available()) {
    say_that_cuda_was_skipped();
    return;
  }
  const gnp::use_device guard(gnp::device::cuda(0));
  body();
}

constexpr index_t edge = 1 << 16;

TEST_CASE("2^31 + 9 int8 and bool elements: the last ones count") {
  on_gpu([] {
    const index_t count = (index_t{1} << 31) + 9;
    gnp::array<std::int8_t> a = gnp::ones<std::int8_t>({count});
    a(-1) = 7;
    a(5) = -3;
    CHECK(gnp::sum(a).item() == count + 6 - 4);
    CHECK(gnp::argmax(a).item() == count - 1);
    CHECK(gnp::argmin(a).item() == 5);
    CHECK((gnp::max)(a).item() == 7);
    CHECK(gnp::count_nonzero(a).item() == count);
    CHECK(gnp::count_nonzero(a == 7).item() == 1);
    CHECK(gnp::argmax(gnp::flip(a)).item() == 0);
    CHECK(gnp::argmin(gnp::flip(a)).item() == count - 6);
    a(-2) = 7;  // the first of two
    CHECK(gnp::argmax(a).item() == count - 2);
    CHECK(gnp::mean(a).item() == Approx((static_cast<double>(count) + 8) / static_cast<double>(count)));
    CHECK(gnp::any(a == 8).item() == false);
    CHECK(gnp::all(a != 8).item() == true);

    gnp::array<bool> b = gnp::zeros<bool>({count});
    b(-1) = true;
    CHECK(gnp::count_nonzero(b).item() == 1);
    CHECK(gnp::argmax(b).item() == count - 1);
    CHECK(gnp::any(b).item());
  });
}

TEST_CASE("2^32 elements along rows, columns and neither") {
  on_gpu([] {
    gnp::array<std::int8_t> a = gnp::ones<std::int8_t>({edge, edge});
    a(-1, -1) = 5;
    a(40000, 3) = 9;
    for (const int axis : {0, 1}) {
      const gnp::array<std::int64_t> sums = gnp::sum(a, {.axis = axis});
      CHECK(sums.item(0) == edge);
      CHECK(sums.item(-1) == edge + 4);
      CHECK(sums.item(axis == 0 ? 3 : 40000) == edge + 8);
      CHECK(gnp::sum(sums).item() == edge * edge + 12);
      const gnp::array<std::int64_t> places = gnp::argmax(a, {.axis = axis});
      CHECK(places.item(0) == 0);
      CHECK(places.item(-1) == edge - 1);
      CHECK(places.item(axis == 0 ? 3 : 40000) == (axis == 0 ? 40000 : 3));
      CHECK(gnp::count_nonzero(a > 1, {.axis = axis}).item(-1) == 1);
    }
    CHECK(gnp::argmax(a).item() == 40000 * edge + 3);
    CHECK(gnp::argmax(a.T()).item() == 3 * edge + 40000);
    CHECK(gnp::sum(a(gnp::all, gnp::slice(1, gnp::none, 2))).item() == edge * edge / 2 + 12);
  });
}

TEST_CASE("few long outputs, and many short ones, of 2^31 elements and more") {
  on_gpu([] {
    const index_t count = (index_t{1} << 31) + 10;
    gnp::array<std::int8_t> a = gnp::ones<std::int8_t>({count});
    a(-1) = 4;
    const gnp::array<std::int64_t> pairs = gnp::sum(a.reshape(2, count / 2), {.axis = 1});
    CHECK(pairs.item(0) == count / 2);
    CHECK(pairs.item(1) == count / 2 + 3);
    const gnp::array<std::int64_t> columns = gnp::sum(a.reshape(count / 2, 2), {.axis = 0});
    CHECK(columns.item(0) == count / 2);
    CHECK(columns.item(1) == count / 2 + 3);
    const gnp::array<std::int8_t> tops = (gnp::max)(a.reshape(count / 2, 2), {.axis = 1});
    CHECK(tops.item(-1) == 4);
    CHECK(tops.item(-2) == 1);
    const gnp::array<std::int8_t> across = (gnp::max)(a.reshape(2, count / 2), {.axis = 0});
    CHECK(across.item(-1) == 4);
    CHECK(across.item(0) == 1);
  });
}

}  // namespace
