// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600, optimised
// Reductions and scans that many blocks share, on the GPU, beside plain loops; and of more than 2^31 elements:
// positions and counts of 64 bits to the last element.
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

/// Small integers in no order, which add up to nothing again and again: exact in every type.
std::vector<int> scattered(index_t count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = static_cast<int>(i * 7919 % 251) - 125;
  }
  return values;
}

template <class T>
bool is_running_sum(const gnp::array<T>& sums, const std::vector<int>& values, index_t first, index_t step) {
  const gnp::host_array<T> host = gnp::asnumpy(sums);
  long long sum = 0;
  for (index_t i = 0; i < host.size(); ++i) {
    sum += values[static_cast<std::size_t>(first + i * step)];
    if (host[i] != static_cast<T>(sum)) return false;
  }
  return true;
}

template <class T>
void check_long(index_t count) {
  INFO(gnp::name(gnp::dtype_of<T>) << ", " << count);
  const std::vector<int> values = scattered(count);
  gnp::array<T> x = gnp::array<T>(gnp::asarray(values).template astype<T>());
  long long sum = 0;
  long long squares = 0;
  for (const int v : values) {
    sum += v;
    squares += v * v;
  }
  CHECK(gnp::sum(x).item() == static_cast<T>(sum));
  CHECK(gnp::sum<double>(x * x).item() == static_cast<double>(squares));
  CHECK(gnp::var(x).item() == Approx(static_cast<double>(squares) / static_cast<double>(count)).epsilon(1e-6));
  CHECK(is_running_sum<T>(gnp::cumsum(x), values, 0, 1));
  CHECK(is_running_sum<T>(gnp::cumsum(gnp::flip(x)), values, count - 1, -1));
  CHECK(is_running_sum<T>(gnp::cumsum(x(gnp::slice(1, gnp::none, 2))), values, 1, 2));

  const index_t rows = count / 67;
  const gnp::array<T> columns = gnp::sum(x(gnp::slice(0, rows * 67)).reshape({rows, 67}), {.axis = 0});
  for (index_t c = 0; c < 67; ++c) {
    long long want = 0;
    for (index_t r = 0; r < rows; ++r) want += values[static_cast<std::size_t>(r * 67 + c)];
    CHECK(columns.item(c) == static_cast<T>(want));
  }
  for (const index_t at : {count - 1, count / 3}) {
    x(at) = 126;
    CHECK(gnp::argmax(x).item() == at);
    CHECK(gnp::argmin(x * -1).item() == at);
  }
}

TEST_CASE("long reductions and scans are right to the last element") {
  on_gpu([] {
    for (const index_t count : {(1 << 18) + 3, 5'000'011, (1 << 25) - 1, (1 << 25) + 12345}) {
      check_long<float>(count);
      check_long<double>(count);
    }
    check_long<std::int64_t>((1 << 25) + 1);
  });
}

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
