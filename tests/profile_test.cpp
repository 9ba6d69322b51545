// SPDX-License-Identifier: MIT
// test: asan
// gnp::profile: which rows a piece of a program becomes, what they count, and what stays out.
#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

GNP_KERNEL(double_all, (float* x, int n), {
  const int i = static_cast<int>(grid_index());
  if (i < n) x[i] *= 2;
});
GNP_REDUCTION(distance, (x, y), square(x - y), (a, b), a + b, (r), sqrt(r), 0);

/// The row of that name; one without calls where there is none.
gnp::profile_row row_of(const gnp::profile& seen, const std::string& name) {
  for (const gnp::profile_row& row : seen.rows())
    if (row.name == name) return row;
  return {};
}

std::string names_of(const gnp::profile& seen) {
  std::string names;
  for (const gnp::profile_row& row : seen.rows()) names += row.name + "; ";
  return names;
}

gnp::array<float> some_numbers(const gnp::shape_t& shape) {
  return gnp::random::default_rng(3).random<float>(shape);
}

}  // namespace

TEST_CASE("work is counted by its expression") {
  for_each_device([](gnp::device where) {
    const gnp::array<float> a = some_numbers({100, 1000});
    const gnp::array<float> b = some_numbers({100, 1000});
    const gnp::array<float> row = some_numbers({1000});
    const gnp::profile seen;
    for (int i = 0; i < 3; ++i) gnp::array<float> c = gnp::sin(a) * b + 2.0f;
    gnp::array<float> d = (a + row) / (b - a);
    const gnp::array<float> centred = a - gnp::mean(a, {.axis = 1, .keepdims = true});
    const double sum = gnp::sum(a * a).item();
    CHECK(sum > 0);
    INFO(names_of(seen));
    const gnp::profile_row sines = row_of(seen, "sin(a) * b + k float32");
    CHECK(sines.calls == 3);
    CHECK(sines.bytes == std::size_t{3} * 3 * 400000);
    CHECK(sines.seconds > 0);
    CHECK(sines.device == where);
    CHECK(row_of(seen, "(a + b) / (c - a) float32").bytes == 3 * 400000 + 4000);
    CHECK(row_of(seen, "sum(a * a) float32").calls == 1);
    // In one pass, or the means first.
    CHECK(row_of(seen, "a - mean(a) float32").calls + row_of(seen, "mean(a) float32").calls == 1);
  });
}

TEST_CASE("reductions within reductions have their names in their places") {
  for_each_device([](gnp::device) {
    const gnp::array<float> a = some_numbers({1000, 1000});
    const gnp::profile seen;
    const auto e = exp(a - gnp::max(a, 1, {.keepdims = true}));
    const gnp::array<float> y = e / gnp::sum(e, 1, {.keepdims = true});
    INFO(names_of(seen));
    CHECK(row_of(seen, "exp(a - max(a)) / sum(exp(a - max(a))) float32").calls == 1);
  });
}

TEST_CASE("functions are counted by their names") {
  for_each_device([](gnp::device where) {
    gnp::array<float> a = some_numbers({64, 64});
    const gnp::array<float> b = some_numbers({64, 64});
    const gnp::array<std::int64_t> places = gnp::argsort(a.ravel());
    const gnp::profile seen;
    gnp::array<float> c = gnp::matmul(a, b);
    gnp::array<float> sorted = gnp::sort(a);
    const gnp::array<float> running = gnp::cumsum(a, 0);
    const auto factors = gnp::linalg::svd(a);
    const gnp::array<float> solved = gnp::linalg::solve(a, b);
    const auto transformed = gnp::fft::fft(a);
    const gnp::array<double> drawn = gnp::random::default_rng(5).normal(0.0, 1.0, {1000});
    const gnp::array<float> far = distance(a, b);
    double_all(gnp::grid(64))(c, 64);
    const std::vector<float> host(100, 1.0f);
    const gnp::array<float> given = gnp::asarray(host);
    gnp::put(c, places, 1.0f);
    INFO(names_of(seen));
    for (const char* name :
         {"matmul float32", "sort float32", "cumsum(a) float32", "svd float32", "solve float32", "fft float32",
          "normal float64", "distance(a, b) float32", "double_all", "copy from the host"}) {
      INFO(name);
      const gnp::profile_row row = row_of(seen, name);
      CHECK(row.calls == 1);
      CHECK(row.seconds > 0);
      CHECK(row.device == where);
    }
    CHECK(row_of(seen, "assignment by indices").calls >= 1);
    CHECK(row_of(seen, "copy from the host").bytes == 400);
    CHECK(row_of(seen, "matmul float32").bytes == std::size_t{3} * 64 * 64 * 4);
  });
}

TEST_CASE("what throws does not count, and what comes after it does") {
  for_each_device([](gnp::device) {
    const gnp::array<float> a = some_numbers({8, 8});
    const gnp::profile seen;
    CHECK_THROWS_AS(gnp::linalg::cholesky(a - 100.0f), gnp::error);
    CHECK(row_of(seen, "cholesky float32").calls == 0);
    const gnp::array<float> b = a * 3.0f;
    CHECK(row_of(seen, "a * k float32").calls == 1);
  });
}

TEST_CASE("profiles inside of each other see their own scopes") {
  for_each_device([](gnp::device) {
    const gnp::array<float> a = some_numbers({1000});
    gnp::array<float> b = a + 1.0f;
    gnp::profile outer;
    b = a + 1.0f;
    {
      gnp::profile inner;
      b = a + 1.0f;
      b = a - 1.0f;
      inner.stop();
      b = a / 3.0f;
      CHECK(row_of(inner, "a + k float32").calls == 1);
      CHECK(row_of(inner, "a - k float32").calls == 1);
      CHECK(inner.rows().size() == 2);
      inner.stop();
    }
    outer.stop();
    b = a + 1.0f;
    CHECK(row_of(outer, "a + k float32").calls == 2);
    CHECK(row_of(outer, "a / k float32").calls == 1);
    const double whole = outer.seconds();
    CHECK(whole > 0);
    CHECK(outer.seconds() == whole);
    double in_rows = 0;
    for (const gnp::profile_row& row : outer.rows()) in_rows += row.seconds;
    CHECK(in_rows <= whole);
  });
}

TEST_CASE("work of all threads is seen") {
  for_each_device([](gnp::device where) {
    const gnp::array<float> a = some_numbers({1000});
    const gnp::profile seen;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        const gnp::use_device guard(where);
        for (int i = 0; i < 50; ++i) const gnp::array<float> b = gnp::exp(a);
      });
    for (std::thread& t : threads) t.join();
    CHECK(row_of(seen, "exp(a) float32").calls == 200);
  });
}

TEST_CASE("more pieces of work than are waited for at a time") {
  for_each_device([](gnp::device) {
    gnp::array<float> a = some_numbers({10});
    const gnp::profile seen;
    for (int i = 0; i < 20000; ++i) a += 1.0f;
    const gnp::profile_row row = row_of(seen, "a + k float32");
    CHECK(row.calls == 20000);
    CHECK(row.bytes == std::size_t{20000} * 80);
  });
}

TEST_CASE("a profile knows the most memory of its own time") {
  for_each_device([](gnp::device where) {
    constexpr gnp::index_t large = 96 << 20, small = 32 << 20;
    const auto take = [](gnp::index_t bytes) {
      const gnp::array<std::uint8_t> x = gnp::zeros<std::uint8_t>(bytes);
    };
    take(large);
    const std::size_t ever = gnp::memory_info(where).highest;
    gnp::profile seen;
    const std::size_t before = seen.highest_memory();
    take(small);
    const std::size_t with_small = seen.highest_memory();
    CHECK(with_small >= before + small);
    CHECK(with_small < before + large);
    {
      const gnp::profile inner;
      take(large);
      CHECK(inner.highest_memory() >= before + large);
    }
    const gnp::profile later;
    CHECK(later.highest_memory(where) < before + large);
    CHECK(seen.highest_memory(where) >= before + large);
    seen.stop();
    CHECK(seen.highest_memory(where) >= before + large);
    CHECK(gnp::memory_info(where).highest >= ever);
    CHECK_THROWS_AS(seen.highest_memory(gnp::device::cuda(200)), gnp::device_error);
  });
}

TEST_CASE("a graph's call is one row") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  gnp::array<float> a = some_numbers({1000});
  const gnp::profile seen;
  gnp::graph steps([&] {
    a += 1.0f;
    a *= 0.5f;
  });
  CHECK(seen.rows().empty());
  for (int i = 0; i < 5; ++i) steps();
  CHECK(seen.rows().size() == 1);
  CHECK(row_of(seen, "graph").calls == 5);
  CHECK(row_of(seen, "graph").seconds > 0);
}

TEST_CASE("a profile prints a table") {
  for_each_device([](gnp::device where) {
    const gnp::array<float> a = some_numbers({1 << 16});
    gnp::array<float> b;
    gnp::profile seen;
    for (int i = 0; i < 12; ++i) b = gnp::sqrt(a) + a;
    seen.stop();
    std::ostringstream text;
    text << seen;
    INFO(text.str());
    CHECK_THAT(text.str(), contains("calls"));
    CHECK_THAT(text.str(), contains("      12"));
    CHECK_THAT(text.str(), contains("100.0 %"));
    CHECK_THAT(text.str(), contains("6.00 MiB"));
    CHECK_THAT(text.str(), contains("sqrt(a) + a float32\n"));
    CHECK_THAT(text.str(), contains(" on " + gnp::to_string(where)));
    std::ostringstream nothing;
    nothing << gnp::profile();
    CHECK_THAT(nothing.str(), contains("0.00 us of work in "));
  });
}

TEST_CASE("operators, functions, positions and long formulas have their names") {
  for_each_device([](gnp::device) {
    const gnp::array<double> a = gnp::ones({20}), b = gnp::ones({20}), c = gnp::ones({20});
    const gnp::array<std::int64_t> at = gnp::arange<std::int64_t>(20);
    gnp::array<double> d;
    gnp::array<bool> e;
    const gnp::profile seen;
    d = a - (b - c);
    d = (a - b) - c;
    d = gnp::where(a > b, c, 0.0);
    d = gnp::maximum(-a, b / (c * 2.0));
    e = (a < b) && (b <= c);
    d = a(at) + b;
    d = a.copy();
    d = 4.0;
    d = a + b + c + a + b + c + a + b + c + a + b + c + a + b + c + a + b + c + a + b + c + a;
    const std::string names = names_of(seen);
    INFO(names);
    for (const char* name :
         {"a - (b - c) float64; ", "a - b - c float64; ", "where(a > b, c, k) float64; ",
          "maximum(negative(a), b / (c * k)) float64; ", "a < b && b <= c bool; ", "copy float64; ",
          "fill float64; ", "a + b + c + a + b + c + a + b + c + a + b + c + a + b + c... float64; "})
      CHECK_THAT(names, contains(name));
    CHECK_THAT(names, contains("] + c float64"));
  });
}
