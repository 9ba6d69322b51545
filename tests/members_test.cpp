// SPDX-License-Identifier: MIT
// test: asan, header-only
// What an array has, everything has that stands for one: expressions, products, results that are computed late.
// Each member is held against the same of the stored array.
#include <array>
#include <span>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::ellipsis;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::shape_t;
using gnp::slice;

/// Calls f with a 3 by 4 array, and with an expression, a product and a late array that have the same elements.
template <class F>
void for_each_kind(const F& f) {
  const array<double> a = gnp::arange<double>(12).reshape(3, 4) * 1.25 - 7;
  const array<double> column = gnp::asarray<double>({{1}, {2}, {3}});
  const auto known = [a] { return a + 0; };
  const auto run = [&](const char* kind, const auto& x) {
    INFO(kind);
    f(x, a);
  };
  run("array", a);
  run("view", gnp::copy(a.T()).T());
  run("expression", (a + column) - column);
  run("product", gnp::matmul(gnp::eye(3), a));
  run("product with an addend", gnp::matmul(gnp::eye(3), a) * 0.5 + 0.5 * a);
  run("late array", gnp::late_array<double>({3, 4}, a.device(), known));
}

template <class X>
bool same(const X& x, const array<typename X::value_type>& expected) {
  return x.shape() == expected.shape() && gnp::array_equal(x, expected);
}

}  // namespace

TEST_CASE("members: facts") {
  for_each_device([](gnp::device device) {
    for_each_kind([device](const auto& x, const array<double>&) {
      CHECK(x.shape() == shape_t{3, 4});
      CHECK(x.shape(0) == 3);
      CHECK(x.shape(-1) == 4);
      CHECK_THROWS_AS(x.shape(2), gnp::index_error);
      CHECK(x.ndim() == 2);
      CHECK(x.size() == 12);
      CHECK(x.itemsize() == 8);
      CHECK(x.nbytes() == 96);
      CHECK(x.dtype() == gnp::dtype::float64);
      CHECK(x.device() == device);
      CHECK(gnp::shape(x) == x.shape());
      CHECK(gnp::ndim(x) == 2);
      CHECK(gnp::size(x) == 12);
      CHECK(gnp::size(x, -1) == 4);
      CHECK(gnp::size(x, {1, 0}) == 12);
      CHECK_THROWS_WITH(gnp::size(x, 2), "size: axis 2 is out of bounds for array of dimension 2");
    });
  });
  CHECK(gnp::shape(2.5) == shape_t{});
  CHECK(gnp::ndim(7) == 0);
  CHECK(gnp::size(true) == 1);
}

TEST_CASE("members: indices") {
  for_each_device([](gnp::device) {
    for_each_kind([](const auto& x, const array<double>& a) {
      CHECK(same(x(1), a(1)));
      CHECK(same(x[-1], a[-1]));
      CHECK(same(x(1, -1), a(1, -1)));
      CHECK(same(x(slice(1, 3)), a(slice(1, 3))));
      CHECK(same(x(gnp::all, slice(none, none, -2)), a(gnp::all, slice(none, none, -2))));
      CHECK(same(x(ellipsis, 2), a(ellipsis, 2)));
      CHECK(same(x(newaxis, 0, newaxis), a(newaxis, 0, newaxis)));
      CHECK(same(x(slice(3, 3)), a(slice(3, 3))));
      CHECK(same(x(slice(1, none))(0)(slice(2)), a(1)(slice(2))));
      CHECK(same(x.index({slice(2), 3}), a(slice(2), 3)));
      CHECK(same(x(slice()), a));
      CHECK(same(x(slice(1, {})), a(slice(1, none))));
      CHECK(same(x(slice({}, 2), slice({}, {}, 2)), a(slice(2), slice(none, none, 2))));
      CHECK(x.item(2, 3) == a.item(2, 3));
      CHECK_THROWS_AS(x(3), gnp::index_error);
      CHECK_THROWS_AS(x(0, 0, 0), gnp::index_error);
    });
  });
}

TEST_CASE("members: an expression is indexed as if its operands were broadcast") {
  for_each_device([](gnp::device) {
    const array<float> column = gnp::arange<float>(3).reshape(3, 1);
    const array<int> row = gnp::arange<int>(4);
    const array<double> one = 2.5;
    const auto e = where(row > 1, column * 10 + row, -one);
    const array<double> all = e;
    CHECK(same(e(1), all(1)));
    CHECK(same(e(gnp::all, 3), all(gnp::all, 3)));
    CHECK(same(e(slice(none, none, -1), slice(1, 3)), all(slice(none, none, -1), slice(1, 3))));
    CHECK(same(e(newaxis, ellipsis, newaxis), all(newaxis, ellipsis, newaxis)));
    CHECK(same((e(1) + e(2)) / e(0).sum(), (all(1) + all(2)) / all(0).sum()));
    // It reads what its arrays hold when it is stored, as every expression does.
    const array<float> x = gnp::zeros<float>({4});
    const auto part = (x + 1)(slice(2));
    x(0) = 5;
    CHECK(same(part, gnp::asarray<float>({6, 1})));
    x(slice(1, none)) = (x * 2)(slice(none, -1));
    CHECK(same(x, gnp::asarray<float>({5, 10, 0, 0})));
    const array<double> weights = gnp::arange<double>(5);
    CHECK(same((weights / weights.sum())(slice(3)), gnp::asarray<double>({0, 0.1, 0.2})));
  });
}

/// Are the parts of an expression those of its value?
template <class X>
bool parts_are_those_of_the_value(const X& e) {
  const array<typename X::value_type> v = e;
  bool right = same(e(0), v(0)) && same(e(-1), v(-1)) &&
               same(e(slice(none, none, -2)), v(slice(none, none, -2))) &&
               same(e(slice(0, 0)), v(slice(0, 0))) && same(e(ellipsis, 0), v(ellipsis, 0)) &&
               same(e(ellipsis, slice(7, none)), v(ellipsis, slice(7, none))) &&
               same(e(newaxis, 0, ellipsis, newaxis), v(newaxis, 0, ellipsis, newaxis)) &&
               same(e(slice(0, 2)).sum(0), v(slice(0, 2)).sum(0));
  if (v.ndim() > 1) {
    right = right && same(e(0, slice(none, none, -1)), v(0, slice(none, none, -1))) &&
            same(e(gnp::all, newaxis, 0), v(gnp::all, newaxis, 0)) && same(e(0, 0), v(0, 0)) &&
            same(e(slice(0, 1))(0)(newaxis, slice(0, 2)), v(0)(newaxis, slice(0, 2)));
  }
  return right;
}

TEST_CASE("members: a part of a formula with reductions computes those of the part") {
  for_each_device([](gnp::device) {
    // Integers, so that a sum of a part is exactly that part of the sum.
    const array<double> x = gnp::remainder(gnp::arange<double>(60).reshape(3, 4, 5) * 7, 11) + 1;
    CHECK(parts_are_those_of_the_value(sum(x, 1)));
    CHECK(parts_are_those_of_the_value(sum(x, 1, {.keepdims = true})));
    CHECK(parts_are_those_of_the_value(sum(x, {0, 2})));
    CHECK(parts_are_those_of_the_value(sum(x, 1, {.initial = 3})));
    CHECK(parts_are_those_of_the_value(max(x, 0, {.keepdims = true}) + x));
    CHECK(parts_are_those_of_the_value(argmax(x, 2) + 1));
    CHECK(parts_are_those_of_the_value(x - sum(x)));
    CHECK(parts_are_those_of_the_value(x - min(x, 1)(gnp::all, newaxis) + max(x, 0)));
    CHECK(parts_are_those_of_the_value(sum(x * max(x, 2, {.keepdims = true}), 1)));
    CHECK(parts_are_those_of_the_value(x(slice(0, 1)) - sum(x(slice(0, 1)), 1, {.keepdims = true})));
    CHECK(parts_are_those_of_the_value(sum(x(gnp::all, slice(0, 0)), 1)));
    CHECK(sum(x, {0, 1, 2}, {.keepdims = true})(slice(0, 0)).shape() == shape_t{0, 1, 1});
    const array<double> none_left = sum(x, {0, 1, 2}, {.keepdims = true})(slice(0, 0));
    CHECK(none_left.shape() == shape_t{0, 1, 1});

    const array<double> m = gnp::asarray<double>({{1, 2, 5}, {3, 4, 1}, {1, 1, 2}});
    CHECK(same(sum(m, 1)(slice(1, none)), gnp::asarray<double>({8, 4})));
    CHECK(same((m / sum(m, 1, {.keepdims = true}))(gnp::all, 0), gnp::asarray<double>({0.125, 0.375, 0.25})));
    const double corner = max(m, 0)(2);
    CHECK(corner == 5);
    m(slice(0, 2), 0) = sum(m, 1)(slice(none, 0, -1));
    CHECK(same(m(gnp::all, 0), gnp::asarray<double>({4, 8, 1})));
    // Only the part is read.
    CHECK(gnp::explain((x / sum(x, 2, {.keepdims = true}))(slice(0, 2))).find("(3, 4, 5)") ==
          std::string::npos);
    CHECK_THROWS_WITH((x / sum(x, 2, {.keepdims = true}))(0, 4),
                      "index: index 4 is out of bounds for axis 1 with size 4");
    CHECK_THROWS_WITH(sum(x, 0)(0, 5), "index: index 5 is out of bounds for axis 1 with size 5");
  });
}

TEST_CASE("members: rows") {
  for_each_device([](gnp::device) {
    for_each_kind([](const auto& x, const array<double>& a) {
      index_t i = 0;
      for (const auto row : x) {
        CHECK(same(row, a(i)));
        ++i;
      }
      CHECK(i == 3);
    });
    array<float> x = gnp::zeros<float>({2, 3});
    float next = 1;
    for (auto row : x) row.fill(next++);  // a view: written through
    CHECK(same(x, gnp::asarray<float>({{1, 1, 1}, {2, 2, 2}})));
    float total = 0;
    for (const float value : x(1)) total += value;
    CHECK(total == 6);
    for (auto row : gnp::zeros({0, 3})) CHECK(row.size() < 0);
    // What the standard library makes of rows.
    static_assert(std::random_access_iterator<decltype(x.begin())>);
    static_assert(!std::ranges::sized_range<decltype(x + 1)>);
    CHECK(std::ranges::distance(x) == 2);
    CHECK(std::ranges::size(x) == 2);
    CHECK((*std::ranges::max_element(x(1))).item() == 2);  // of a view that is gone
    const std::vector<array<float>> rows(x.begin(), x.end());
    CHECK(rows.size() == 2);
    CHECK(same(rows[1], x(1)));
    CHECK(std::distance(x.begin(), x.end()) == 2);
    CHECK(same(*std::next(x.begin()), x(1)));
#if !defined(__clang__) || __clang_major__ >= 16  // before, clang does not read libstdc++'s views
    int seen = 0;
    for (const auto row : x | std::views::take(7)) seen += row.item(0) > 0 ? 1 : 0;
    for (const auto row : x | std::views::reverse) seen = 10 * seen + static_cast<int>(row.item(0));
    CHECK(seen == 221);
#endif
    CHECK_THROWS_WITH(x(0, 0).begin(), "begin: iteration over an array of rank 0");
  });
}

TEST_CASE("members: functions") {
  for_each_device([](gnp::device) {
    for_each_kind([](const auto& x, const array<double>& a) {
      CHECK(same(x.clip(-1, 2.5), gnp::clip(a, -1, 2.5)));
      CHECK(same(x.clip(a - 1, 3), gnp::clip(a, a - 1, 3)));
      CHECK(same(x.round(), gnp::round(a)));
      CHECK(same(x.round(1), gnp::round(a, 1)));
      CHECK(same(x.real(), a));
      CHECK(same(x.imag(), a * 0));
      CHECK(same(x.conj(), a));
      CHECK(same(x.diagonal(), gnp::diagonal(a)));
      CHECK(same(x.diagonal(1), gnp::diagonal(a, 1)));
      CHECK(same(x.trace(), gnp::trace(a)));
      CHECK(same(x.dot(a.T()), gnp::dot(a, a.T())));
      CHECK(same(x.ptp(), gnp::ptp(a)));
      CHECK(same(x.T(), a.T()));
      CHECK(same(x.reshape(4, 3), a.reshape(4, 3)));
      CHECK(same(x.ravel(), a.ravel()));
      CHECK(same(x.flatten(), a.flatten()));
      CHECK(same(x.swapaxes(0, 1), a.swapaxes(0, 1)));
      CHECK(same(x.sum(), a.sum()));
      CHECK(same(x.mean(), a.mean()));
      CHECK(same(x.var(), a.var()));
      CHECK(same(x.max(), a.max()));
      CHECK(same(x.argmin(), a.argmin()));
      CHECK(same(x.any(), a.any()));
      CHECK(same(x.cumsum(), a.cumsum()));
      CHECK(same(x.template astype<float>(), a.astype<float>()));
      CHECK(same(x.to(gnp::device::cpu()).eval(), a.to(gnp::device::cpu())));
      CHECK(x.tolist() == a.tolist());
      const array<double> copied = x.copy();
      CHECK(same(copied, a));
      CHECK(copied.is_contiguous());
      copied.fill(1);
      CHECK(same(x, a));
    });
    const array<gnp::complex64> z = gnp::asarray<gnp::complex64>({gnp::complex64(1, 2), gnp::complex64(3, -4)});
    CHECK(same(z.conj().imag(), gnp::asarray<float>({-2, 4})));
    CHECK(same((z * 2).real(), gnp::asarray<float>({2, 6})));
  });
}

TEST_CASE("members: the same memory as elements of another type") {
  for_each_device([](gnp::device) {
    const array<float> f = gnp::asarray<float>({1, -2.5F});
    const auto bits = f.view<gnp::uint32>();
    CHECK(bits.tolist() == std::vector<gnp::uint32>{1065353216, 3223322624});
    bits(0) = 0;
    CHECK(f.tolist() == std::vector<float>{0, -2.5F});
    const array<double> d = gnp::asarray<double>({{1}, {2}});
    CHECK(same(d.view<gnp::uint8>(),
               gnp::asarray<gnp::uint8>({{0, 0, 0, 0, 0, 0, 240, 63}, {0, 0, 0, 0, 0, 0, 0, 64}})));
    const array<int> n = gnp::arange<int>(8).reshape(2, 4);
    CHECK(same(n.view<gnp::int64>(),
               gnp::asarray<gnp::int64>({{4294967296, 12884901890}, {21474836484, 30064771078}})));
    const array<short> rows = gnp::arange<short>(12).reshape(3, 4)(slice(none, none, 2));
    CHECK(same(rows.view<int>(), gnp::asarray({{65536, 196610}, {589832, 720906}})));
    const array<gnp::complex128> z = gnp::asarray<gnp::complex128>({gnp::complex128(1, 2)});
    CHECK(same(z.view<double>(), gnp::asarray({1.0, 2.0})));
    CHECK(same((d + 1).view<gnp::uint64>(),
               gnp::asarray<gnp::uint64>({{4611686018427387904}, {4613937818241073152}})));
    CHECK(n.T().view<float>().strides() == n.T().strides());
    CHECK(gnp::broadcast_to(f, {3, 2}).view<int>().is_read_only());
    CHECK(gnp::zeros<int>({0, 4}).view<gnp::int64>().shape() == shape_t{0, 2});

    // Elements of several sizes that lie over each other are read before they are written.
    n.assign(n.view<gnp::uint8>()(gnp::all, slice(none, none, 4)));
    CHECK(same(n, gnp::arange<int>(8).reshape(2, 4)));
    n.assign(n.view<gnp::uint8>()(gnp::all, slice(0, 4)) + 1);
    CHECK(same(n, gnp::asarray({{1, 1, 1, 1}, {5, 1, 1, 1}})));

    CHECK_THROWS_WITH(gnp::zeros(3).view<gnp::complex128>(),
                      "view: float64 of shape (3,) cannot be read as complex128: the last axis has 24 bytes, "
                      "which are no multiple of 16");
    CHECK_THROWS_AS(n.T().view<gnp::int64>(), gnp::shape_error);
    CHECK_THROWS_AS(f(0).view<gnp::uint8>(), gnp::shape_error);
    const array<int> odd = gnp::arange<int>(9).reshape(3, 3);
    CHECK_THROWS_AS(odd(gnp::all, slice(0, 2)).view<double>(), gnp::shape_error);
    CHECK_THROWS_AS(odd(0)(slice(1, 3)).view<double>(), gnp::error);
  });
}

TEST_CASE("members: elements by their places") {
  for_each_device([](gnp::device) {
    for_each_kind([](const auto& x, const array<double>& a) {
      const array<int> places = gnp::asarray<int>({2, 0});
      CHECK(same(x.take(places, 1), gnp::take(a, places, 1)));
      CHECK(same(x.take({5, 11}), gnp::take(a, {5, 11})));
      CHECK(same(x.repeat(2), gnp::repeat(a, 2)));
      CHECK(same(x.repeat(2, 0), gnp::repeat(a, 2, 0)));
      CHECK(same(x.repeat({1, 0, 2}, 0), gnp::repeat(a, std::vector<int>{1, 0, 2}, 0)));
      CHECK(same(x.mT(), gnp::matrix_transpose(a)));
      CHECK(same(x.conjugate(), a));
      CHECK(x.nonzero().size() == 2);
      CHECK(same(x.nonzero()[1], gnp::nonzero(a)[1]));
    });
  });
}

TEST_CASE("to vectors and memory of one's own") {
  for_each_device([](gnp::device) {
    const array<int> a = gnp::arange<int>(6).reshape(2, 3);
    const std::vector<int> flat = {0, 1, 2, 3, 4, 5};
    CHECK(a.tolist() == flat);
    CHECK(gnp::to_vector(a) == flat);
    CHECK(gnp::to_vector(a.T()) == std::vector<int>{0, 3, 1, 4, 2, 5});
    CHECK(gnp::to_vector(a + 1) == std::vector<int>{1, 2, 3, 4, 5, 6});
    CHECK(gnp::to_vector(a > 3) == std::vector<bool>{false, false, false, false, true, true});
    CHECK(gnp::to_vector(gnp::zeros({0})).empty());
    const gnp::host_array<int> h = a.get();
    CHECK(h.shape(0) == 2);
    CHECK(h.shape(-1) == 3);
    CHECK_THROWS_AS(h.shape(2), gnp::index_error);
    const std::vector<int> converted = h;
    CHECK(converted == flat);
    CHECK(std::vector<int>(h) == flat);
    CHECK(gnp::to_vector(h) == flat);

    std::vector<int> vector(6);
    gnp::asnumpy(a, vector);
    CHECK(vector == flat);
    gnp::asnumpy(a * 2, std::span<int>(vector).first(6));
    CHECK(vector[5] == 10);
    std::array<int, 3> row{};
    gnp::asnumpy(a(1), row);
    CHECK(row[2] == 5);
    int table[3];
    gnp::asnumpy(a.T()(gnp::slice(1, 2), 1), std::span<int>(table, 1));
    CHECK(table[0] == 4);
    CHECK_THROWS_WITH(gnp::asnumpy(a, row), "asnumpy: room for 3 elements, the array has shape (2, 3)");
  });
}

namespace {

// What an unqualified call finds of gnp by the type of its argument alone.
template <class X>
concept finds_details = requires(const X& x) { first_of(x); } || requires(const X& x) { evaluate(x); } ||
                        requires(const X& x) { view_of(x); } || requires(const X& x) { name_of(x); } ||
                        requires(const X& x) { statement_of(x); } || requires(const X& x) { only_value(x); };
template <class X>
concept finds_sum = requires(const X& x) { sum(x); };

template <class X>
double first_of(const X& x, int more = 0) {
  return double(x(0)) + more;
}

}  // namespace

TEST_CASE("a user's function may be a namesake of what gnp is made of") {
  const gnp::array<double> a = gnp::arange(3.0) + 5;
  using sum_of_a = decltype(gnp::sum(a));
  STATIC_REQUIRE_FALSE(finds_details<gnp::array<double>>);
  STATIC_REQUIRE_FALSE(finds_details<decltype(a + 1)>);
  STATIC_REQUIRE_FALSE(finds_details<decltype(a.T() * a)>);
  STATIC_REQUIRE_FALSE(finds_details<decltype(a - gnp::max(a))>);
  STATIC_REQUIRE_FALSE(finds_details<decltype(gnp::matmul(a, a))>);
  STATIC_REQUIRE_FALSE(finds_details<sum_of_a>);
  STATIC_REQUIRE(finds_sum<gnp::array<double>>);  // what is public is found
  STATIC_REQUIRE(finds_sum<sum_of_a>);
  CHECK(first_of(a) == 5);
  CHECK(first_of(a * 2, 1) == 11);
}
