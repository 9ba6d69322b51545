// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600, optimised
// Arrays of more than 2^31 elements, on the GPU: every kernel shape must count in 64 bits to the last element.
#include <gnp/core.hpp>

#include "catch.hpp"
#include "devices.hpp"

namespace {

using gnp::index_t;
using byte = std::uint8_t;

constexpr index_t edge = 1 << 16;
constexpr index_t past_2_32 = edge * edge;

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

/// Values that differ from row to row and from column to column, made without a 64-bit array of their size.
gnp::array<byte> table() {
  const gnp::array rows = gnp::arange(edge).reshape(edge, 1);
  const gnp::array columns = gnp::arange(edge);
  return (rows * 7 + columns * 3 + 1).astype<byte>();
}
byte value_at(index_t row, index_t column) { return static_cast<byte>(row * 7 + column * 3 + 1); }

constexpr index_t probes[] = {0, 1, 15, 16, 255, 32767, 32768, 50001, edge - 17, edge - 2, edge - 1};

TEST_CASE("contiguous, 2^32 + 7 bytes") {
  on_gpu([] {
    gnp::array<byte> a = gnp::zeros<byte>({past_2_32 + 7});
    const index_t places[] = {
        0, 1, (index_t{1} << 31) - 1, index_t{1} << 31, past_2_32 - 1, past_2_32, past_2_32 + 6};
    byte next = 10;
    for (const index_t i : places) a(i) = next++;
    const gnp::array<byte> b = a + 1;
    next = 11;
    for (const index_t i : places) CHECK(static_cast<int>(b.item(i)) == next++);
    CHECK(b.item(past_2_32 + 5) == 1);
    CHECK(b.item((index_t{1} << 31) + 1) == 1);
  });
}

TEST_CASE("contiguous, 2^31 + 9 floats") {
  on_gpu([] {
    const index_t count = (index_t{1} << 31) + 9;
    gnp::array<float> a = gnp::full<float>({count}, 0.5F);
    a(-1) = 4;
    a(-9) = 3;
    a(-10) = 2;
    a *= 2;
    CHECK(a.item(count - 1) == 8);
    CHECK(a.item(count - 2) == 1);
    CHECK(a.item(count - 9) == 6);
    CHECK(a.item(count - 10) == 4);
    CHECK(a.item(0) == 1);
  });
}

TEST_CASE("short rows, more than 2^31 elements") {
  on_gpu([] {
    const index_t rows = index_t{800000001};
    gnp::array<byte> a = gnp::full<byte>({rows, 3}, byte{10});
    a(-1, 1) = 50;
    a(rows / 2, 2) = 60;
    const gnp::array<byte> row = gnp::asarray<byte>({1, 2, 3});
    const gnp::array<byte> b = a + row;
    for (const index_t i : {index_t{0}, index_t{715827882}, index_t{715827883}, rows - 2}) {
      for (index_t j = 0; j < 3; ++j) CHECK(static_cast<int>(b.item(i, j)) == 11 + static_cast<int>(j));
    }
    CHECK(b.item(rows - 1, 0) == 11);
    CHECK(b.item(rows - 1, 1) == 52);
    CHECK(b.item(rows - 1, 2) == 13);
    CHECK(b.item(rows / 2, 2) == 63);
  });
}

TEST_CASE("rows and columns, 2^32 elements") {
  on_gpu([] {
    const gnp::array<byte> a = table();
    for (const index_t row : probes) {
      for (const index_t column : probes) CHECK(a.item(row, column) == value_at(row, column));
    }
  });
}

TEST_CASE("rows of a table of 2^32 elements, by indices") {
  on_gpu([] {
    const gnp::array<byte> a = table();
    const std::vector<index_t> rows{0, 32767, 32768, 50001, edge - 1, -1, -edge, 5 - edge};
    const gnp::array<index_t> chosen = gnp::asarray(rows);
    const auto row = [&rows](index_t k) { return (rows[static_cast<std::size_t>(k)] + edge) % edge; };
    const gnp::array<byte> taken = a(chosen);
    const gnp::array<byte> parts = a(chosen, gnp::slice(3, 17));  // do not begin at a vector
    const gnp::array<int> sums = sum<int>(a(chosen.reshape(4, 2)), 1);
    for (index_t k = 0; k < 8; ++k) {
      for (const index_t column : probes) CHECK(taken.item(k, column) == value_at(row(k), column));
      CHECK(parts.item(k, 13) == value_at(row(k), 16));
    }
    for (index_t k = 0; k < 4; ++k) {
      for (const index_t column : probes)
        CHECK(sums.item(k, column) == value_at(row(2 * k), column) + value_at(row(2 * k + 1), column));
    }
  });
}

TEST_CASE("tiles and strides, 2^32 elements") {
  on_gpu([] {
    const gnp::array<byte> a = table();
    const gnp::array<byte> transposed = a.T().copy();
    const gnp::array<byte> backwards = gnp::flip(a).copy();
    const gnp::array<byte> thirds = a(gnp::all, gnp::slice(1, gnp::none, 3)).copy();
    const gnp::array<byte> halves = a(gnp::all, gnp::slice(gnp::none, gnp::none, 2)).copy();
    for (const index_t i : probes) {
      for (const index_t k : probes) {
        CHECK(transposed.item(i, k) == value_at(k, i));
        CHECK(backwards.item(i, k) == value_at(edge - 1 - i, edge - 1 - k));
        if (1 + 3 * k < edge) CHECK(thirds.item(i, k) == value_at(i, 1 + 3 * k));
        if (2 * k < edge) CHECK(halves.item(i, k) == value_at(i, 2 * k));
      }
    }
  });
}

TEST_CASE("a view whose elements lie more than 2^31 apart") {
  on_gpu([] {
    const gnp::array<byte> a = table();
    const index_t step = edge / 2 - 1;
    const gnp::array<byte> corners =
        a(gnp::slice(gnp::none, gnp::none, step), gnp::slice(gnp::none, gnp::none, step)) + 0;
    for (index_t i = 0; i < 3; ++i) {
      for (index_t k = 0; k < 3; ++k) CHECK(corners.item(i, k) == value_at(i * step, k * step));
    }
  });
}

}  // namespace
