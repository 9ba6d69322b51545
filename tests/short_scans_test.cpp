// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Scans of many short rows, whose elements the lanes of a GPU share, against loops.
#include <algorithm>
#include <complex>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

/// Small whole numbers, whose sums are exact in every order.
template <class T>
T scanned_number(index_t i) {
  return static_cast<T>((i * 37) % 11);
}
template <class T>
array<T> scanned_numbers(const gnp::shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host[i] = scanned_number<T>(i);
  return gnp::asarray(host);
}

/// `element(row, k)` is what is scanned, `join` joins what came before and the next one.
template <class T, class Element, class Join>
void check_scan(const array<T>& result, index_t rows, index_t length, const Element& element,
                const Join& join) {
  REQUIRE(result.size() == rows * length);
  const auto host = gnp::asnumpy(result);
  index_t wrong = 0;
  for (index_t r = 0; r < rows; ++r) {
    T so_far{};
    for (index_t k = 0; k < length; ++k) {
      so_far = k == 0 ? static_cast<T>(element(r, k)) : join(so_far, static_cast<T>(element(r, k)));
      wrong += host[r * length + k] == so_far ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}
const auto plus = [](auto a, auto b) { return static_cast<decltype(a)>(a + b); };

}  // namespace

TEST_CASE("short scans: lengths of every kind") {
  for_each_device([](gnp::device) {
    for (const index_t length :
         {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 20, 31, 32, 33, 64, 100, 127, 128, 129, 511, 512, 513}) {
      for (const index_t rows : {31, 32, 97, 1000}) {
        INFO(rows << " rows of " << length);
        const auto at = [length](index_t r, index_t k) { return scanned_number<float>(r * length + k); };
        const auto x = scanned_numbers<float>({rows, length});
        const array<float> sums = gnp::cumsum(x, 1);
        check_scan(sums, rows, length, at, plus);
        const array<float> most = gnp::ufuncs::maximum.accumulate(x * 2, 1);
        check_scan(
            most, rows, length, [&](index_t r, index_t k) { return at(r, k) * 2; },
            [](float a, float b) { return std::max(a, b); });
      }
    }
  });
}

TEST_CASE("short scans: many rows for each lane, and other types") {
  for_each_device([](gnp::device where) {
    const index_t rows = where.is_cpu() ? 100 : 150001;
    const auto check = [rows]<class T>(T, index_t length) {
      const auto x = scanned_numbers<T>({rows, length});
      const auto sums = gnp::cumsum(x, 1).eval();
      check_scan(
          sums, rows, length, [length](index_t r, index_t k) { return scanned_number<T>(r * length + k); },
          plus);
    };
    check(float(), 4);
    check(double(), 3);
    check(std::int8_t(), 8);
    check(std::int32_t(), 5);
    check(gnp::half(), 6);
  });
}

TEST_CASE("short scans: views, broadcast rows and axes inside") {
  for_each_device([](gnp::device) {
    constexpr index_t rows = 200, length = 24;
    const auto at = [](index_t r, index_t k) { return scanned_number<double>(r * length + k); };
    const auto x = scanned_numbers<double>({rows, length});
    const array<double> backwards = gnp::cumsum(gnp::flip(x, 1), 1);
    check_scan(backwards, rows, length, [&](index_t r, index_t k) { return at(r, length - 1 - k); }, plus);
    const array<double> some = gnp::cumsum(x(slice(none, none, 2), slice(1, none, 3)), 1);
    check_scan(some, rows / 2, 8, [&](index_t r, index_t k) { return at(2 * r, 1 + 3 * k); }, plus);
    const array<double> repeated = gnp::cumsum(gnp::broadcast_to(x(all, slice(3, 4)), {rows, 9}), 1);
    check_scan(repeated, rows, 9, [&](index_t r, index_t) { return at(r, 3); }, plus);
    const array<double> turned = gnp::cumsum(x.transpose(), 0);
    const array<double> rows_again = turned.transpose().copy();
    check_scan(rows_again, rows, length, at, plus);
    // Into a part of another array, and in place.
    auto wider = gnp::zeros<double>({rows, length + 3});
    wider(all, slice(2, -1)) = gnp::cumsum(x, 1);
    const array<double> part = wider(all, slice(2, -1)).copy();
    check_scan(part, rows, length, at, plus);
    CHECK(gnp::sum(wider(all, slice(none, 2))).item() == 0);
    CHECK(gnp::sum(wider(all, -1)).item() == 0);
    auto own = x.copy();
    own = gnp::cumsum(own, 1);
    check_scan(own, rows, length, at, plus);
    const auto solid = x.reshape({50, 4, length});
    const array<double> inner = gnp::cumsum(solid, 2);
    check_scan(inner, rows, length, at, plus);
    const array<double> middle = gnp::cumsum(solid, 1);
    const array<double> moved = gnp::moveaxis(middle, 1, 2).copy();
    check_scan(
        moved, 50 * length, 4, [&](index_t r, index_t k) { return at(r / length * 4 + k, r % length); }, plus);
    // Products of complex numbers that are powers of i, and NaN, which goes on to the end of its row only.
    const array<gnp::complex128> turns =
        gnp::cumprod(gnp::broadcast_to(gnp::asarray({gnp::complex128(0, 1)}), {rows, 5}), 1);
    const auto quarter = gnp::asnumpy(turns);
    for (const index_t r : {0, 1, 199}) {
      CHECK(quarter[r * 5 + 1] == gnp::complex128(-1, 0));
      CHECK(quarter[r * 5 + 3] == gnp::complex128(1, 0));
      CHECK(quarter[r * 5 + 4] == gnp::complex128(0, 1));
    }
    auto with_nan = x.copy();
    with_nan(7, 5) = gnp::nan;
    const auto bad = gnp::asnumpy(gnp::isnan(gnp::cumsum(with_nan, 1)));
    index_t wrong = 0;
    for (index_t i = 0; i < rows * length; ++i) wrong += bad[i] == (i / length == 7 && i % length >= 5) ? 0 : 1;
    CHECK(wrong == 0);
    const array<double> powers = gnp::vander(gnp::arange<double>(rows), 4);
    const auto of_powers = gnp::asnumpy(powers);
    CHECK(of_powers[199 * 4] == 199.0 * 199 * 199);
    CHECK(of_powers[199 * 4 + 3] == 1);
  });
}
