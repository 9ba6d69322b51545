// SPDX-License-Identifier: MIT
// What becomes an array: numbers, braces, ranges and ranges of ranges, each held against its values and shape.
#include <array>
#include <list>
#include <valarray>
#include <vector>
#if !defined(__clang__) || __clang_major__ >= 16
#include <ranges>
#endif

#include "devices.hpp"

namespace {

using gnp::asarray;
using gnp::shape_t;

/// Does the array have this type, this shape and these values in row-major order?
template <class T>
bool holds(const gnp::array<T>& a, const shape_t& shape, const std::vector<T>& values) {
  const gnp::host_array<T> h = gnp::asnumpy(a);
  return a.shape() == shape && h.size() == static_cast<gnp::index_t>(values.size()) &&
         std::equal(values.begin(), values.end(), h.begin());
}

template <class T>
using list = std::vector<T>;

}  // namespace

TEST_CASE("asarray: braces, with the type named") {
  for_each_device([](gnp::device) {
    CHECK(holds(asarray<float>({{1, 2, 3}}), {1, 3}, {1, 2, 3}));
    CHECK(holds(asarray<float>({{1}, {2}, {3}}), {3, 1}, {1, 2, 3}));
    CHECK(holds(asarray<int>({{{1}}}), {1, 1, 1}, {1}));
    CHECK(holds(asarray<int>({{{{{1, 2}}}}}), {1, 1, 1, 1, 2}, {1, 2}));
    CHECK(holds(asarray<double>({1, 2.5F, 3U}), {3}, {1, 2.5, 3}));
    CHECK(holds(asarray<bool>({{1, 0}, {false, true}}), {2, 2}, {true, false, false, true}));
    CHECK(holds(asarray<gnp::complex128>({{1, 2.5}}), {1, 2}, {1, 2.5}));
    CHECK(holds(asarray<gnp::half>({{1, 2.5}}), {1, 2}, {gnp::half(1), gnp::half(2.5)}));
    CHECK(holds(asarray<float>({}), {0}, {}));
    CHECK(holds(asarray<float>({{}, {}}), {2, 0}, {}));
    CHECK_THROWS_AS(asarray<float>({{1, 2}, {3}}), gnp::shape_error);
    CHECK_THROWS_AS(asarray<float>({{1}, 2}), gnp::shape_error);
  });
}

TEST_CASE("asarray: braces, with the type of the values") {
  for_each_device([](gnp::device) {
    CHECK(holds(asarray({1.0F, 2.0F}), {2}, {1.0F, 2.0F}));
    CHECK(holds(asarray({{1., 2.}, {3., 4.}}), {2, 2}, {1., 2., 3., 4.}));
    CHECK(holds(asarray({{1, 2, 3}}), {1, 3}, {1, 2, 3}));
    CHECK(holds(asarray({{{1}}}), {1, 1, 1}, {1}));
    CHECK(holds(asarray({{{{1}, {2}}}}), {1, 1, 2, 1}, {1, 2}));
    CHECK(holds(asarray({true, false}), {2}, {true, false}));
    CHECK_THROWS_WITH(asarray({{1, 2}, {3}}), "asarray: the rows have different lengths 2 and 1 along axis 1");
  });
}

TEST_CASE("asarray: one number is an array of rank 0") {
  for_each_device([](gnp::device) {
    CHECK(holds(asarray(0.5), {}, {0.5}));
    CHECK(holds(asarray(true), {}, {true}));
    CHECK(holds(asarray<float>(3), {}, {3.0F}));
    CHECK(holds(asarray(gnp::complex64(1, 2)), {}, {gnp::complex64(1, 2)}));
  });
}

TEST_CASE("asarray: ranges, and ranges of ranges") {
  for_each_device([](gnp::device) {
    const double table[2][3] = {{1, 2, 3}, {4, 5, 6}};
    CHECK(holds(asarray(table), {2, 3}, {1., 2., 3., 4., 5., 6.}));
    CHECK(holds(asarray(table[1]), {3}, {4., 5., 6.}));
    CHECK(holds(asarray<float>(table), {2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F}));
    const std::vector<std::vector<int>> rows = {{1, 2}, {3, 4}, {5, 6}};
    CHECK(holds(asarray(rows), {3, 2}, {1, 2, 3, 4, 5, 6}));
    CHECK(holds(asarray(std::array<std::array<int, 2>, 1>{{{1, 2}}}), {1, 2}, {1, 2}));
    CHECK(holds(asarray(std::list<float>{1, 2}), {2}, {1.F, 2.F}));
    CHECK(holds(asarray(std::list<std::vector<bool>>{{true, false}}), {1, 2}, {true, false}));
    CHECK(holds(asarray(std::vector<bool>{true, false}), {2}, {true, false}));
    CHECK(holds(asarray(std::valarray<double>{1, 2}), {2}, {1., 2.}));
    const std::initializer_list<int> braces = {1, 2};
    CHECK(holds(asarray(braces), {2}, {1, 2}));
    CHECK(holds(asarray(std::vector<double>{}), {0}, list<double>{}));
    CHECK(holds(asarray(std::vector<std::vector<double>>{}), {0, 0}, list<double>{}));
    CHECK(holds(asarray(std::vector<std::vector<double>>{{}, {}}), {2, 0}, list<double>{}));
    CHECK_THROWS_AS(asarray(std::vector<std::vector<int>>{{1, 2}, {3}}), gnp::shape_error);
#if !defined(__clang__) || __clang_major__ >= 16
    CHECK(holds(asarray(std::views::iota(0, 4)), {4}, {0, 1, 2, 3}));
    const auto odd = [](int i) { return i % 2 == 1; };
    CHECK(holds(asarray(std::views::iota(0, 4) | std::views::filter(odd)), {2}, {1, 3}));
#endif
  });
}
