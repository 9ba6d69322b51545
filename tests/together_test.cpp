// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Several assignments at once, against loops on the host: parts of arrays that lie among each other, values
// that read what is written, in place, and what is refused.
#include <algorithm>
#include <functional>
#include <tuple>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::ellipsis;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;
using gnp::together;

array<float> numbers(const gnp::shape_t& shape, int step) {
  host_array<float> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>((i * step) % 1009) / 8.0F - 40.0F;
  return gnp::asarray(host);
}

template <class T>
void check(const array<T>& found, const std::function<T(index_t, index_t)>& expected) {
  const host_array<T> host = gnp::asnumpy(found);
  index_t wrong = 0;
  for (index_t i = 0; i < host.shape(0); ++i) {
    for (index_t j = 0; j < host.shape(1); ++j) wrong += host(i, j) == expected(i, j) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("together: halves of rows, every other element, other types") {
  for_each_device([](gnp::device) {
    for (const index_t half : {1, 3, 4, 64, 1000}) {
      INFO("rows of two times " << half);
      const array<float> q = numbers({37, 2 * half}, 7);
      const array<float> c = numbers({half}, 11), s = numbers({half}, 13);
      const host_array<float> hq = gnp::asnumpy(q), hc = gnp::asnumpy(c), hs = gnp::asnumpy(s);
      const auto low = slice(none, half), high = slice(half, none);
      const auto a = q(ellipsis, low), b = q(ellipsis, high);
      const auto turned = [&](index_t i, index_t j) {
        const index_t k = j % half;
        return j < half ? hq(i, k) * hc(k) - hq(i, k + half) * hs(k)
                        : hq(i, k + half) * hc(k) + hq(i, k) * hs(k);
      };
      array<float> o = gnp::zeros<float>(q.shape());
      together(o(ellipsis, low), o(ellipsis, high)) = std::tuple(a * c - b * s, b * c + a * s);
      check<float>(o, turned);
      // In place, where each half is read for the other; doubles among each other.
      const array<float> p = q.copy();
      together(p(ellipsis, low), p(ellipsis, high)) =
          std::tuple(p(all, low) * c - p(all, high) * s, p(all, high) * c + p(all, low) * s);
      check<float>(p, turned);
      const array<double> d = gnp::zeros<double>(q.shape());
      const auto even = slice(none, none, 2), odd = slice(1, none, 2);
      together(d(all, even), d(all, odd)) = std::tuple(a * c - b * s, b * c + a * s);
      check<double>(d, [&](index_t i, index_t j) { return double{turned(i, j / 2 + j % 2 * half)}; });
      // The second one backwards, and a third beside.
      const array<bool> larger = gnp::zeros<bool>({37, half});
      together(d(all, even), d(all, slice(none, none, -2)), larger) = std::tuple(a + 1.0F, b * 2.0F, a > b);
      check<double>(d, [&](index_t i, index_t j) {
        return j % 2 == 0 ? double{hq(i, j / 2) + 1.0F} : double{hq(i, half + (2 * half - 1 - j) / 2) * 2.0F};
      });
      check<bool>(larger, [&](index_t i, index_t j) { return hq(i, j) > hq(i, j + half); });
    }
  });
}

TEST_CASE("together: values are what they were before") {
  for_each_device([](gnp::device) {
    const array<float> x = numbers({20, 30}, 7), y = numbers({20, 30}, 11);
    const host_array<float> hx = gnp::asnumpy(x), hy = gnp::asnumpy(y);
    {
      const array<float> a = x.copy(), b = y.copy();
      together(a, b) = std::tuple(a + b, a - b);
      check<float>(a, [&](index_t i, index_t j) { return hx(i, j) + hy(i, j); });
      check<float>(b, [&](index_t i, index_t j) { return hx(i, j) - hy(i, j); });
      together(a, b) = std::tuple(b, a);
      check<float>(b, [&](index_t i, index_t j) { return hx(i, j) + hy(i, j); });
    }
    {  // Neighbours of what is written.
      const array<float> a = x.copy(), b = y.copy();
      const auto in = slice(1, -1), before = slice(none, -2), after = slice(2, none);
      together(a(all, in), b(all, in)) =
          std::tuple(a(all, before) + a(all, after) - b(all, in), b(all, before) + a(all, in));
      check<float>(a, [&](index_t i, index_t j) {
        return j == 0 || j == 29 ? hx(i, j) : hx(i, j - 1) + hx(i, j + 1) - hy(i, j);
      });
      check<float>(
          b, [&](index_t i, index_t j) { return j == 0 || j == 29 ? hy(i, j) : hy(i, j - 1) + hx(i, j); });
    }
    {  // Backwards.
      const array<float> a = x.copy(), b = y.copy();
      const auto back = slice(none, none, -1);
      together(a, b) = std::tuple(a(all, back) + 1.0F, b(back) * 2.0F + a(all, back));
      check<float>(a, [&](index_t i, index_t j) { return hx(i, 29 - j) + 1.0F; });
      check<float>(b, [&](index_t i, index_t j) { return hy(19 - i, j) * 2.0F + hx(i, 29 - j); });
    }
    {  // Turned, of other shapes, numbers, sums, and what broadcasts.
      const array<float> a = x.copy(), b = gnp::zeros<float>({30, 20}), c = gnp::zeros<float>({20});
      together(a, b, c, a(0, 0)) = std::tuple(5, a.T() + 1.0F, sum(a, 1), sum(a) * 0.0F + 9.0F);
      check<float>(a, [](index_t i, index_t j) { return i + j == 0 ? 9.0F : 5.0F; });
      check<float>(b, [&](index_t i, index_t j) { return hx(j, i) + 1.0F; });
      CHECK(array_equal(c, sum(x, 1)));
      together(a, b.T()) = std::tuple(x(all, slice(none, 1)) + y(0), y - x(slice(3, 4)));
      check<float>(a, [&](index_t i, index_t j) { return hx(i, 0) + hy(0, j); });
      check<float>(b, [&](index_t i, index_t j) { return hy(j, i) - hx(3, i); });
    }
    {  // Reductions of what is written before them, and of other arrays.
      const array<float> a = x.copy(), b = y.copy(), total = gnp::zeros<float>({}),
                         of_rows = gnp::zeros<float>({20});
      together(a, total, of_rows) = std::tuple(a * 0.0F, gnp::max(a + b), sum(a, 1));
      CHECK(total.item() == gnp::max(x + y).item());
      CHECK(array_equal(of_rows, sum(x, 1)));
      together(of_rows, a(0)) = std::tuple(sum(b(all, slice(none, none, 3)), 1), gnp::max(b, 0));
      CHECK(array_equal(of_rows, sum(y(all, slice(none, none, 3)), 1)));
      check<float>(a, [&](index_t i, index_t j) {
        float most = hy(0, j);
        for (index_t r = 1; r < 20; ++r) most = std::max(most, hy(r, j));
        return i == 0 ? most : 0.0F;
      });
      together(a, b(0), total) = std::tuple(a + 1.0F, gnp::min(b, 0), sum(x));
      check<float>(a, [&](index_t i, index_t j) {
        float most = hy(0, j);
        for (index_t r = 1; r < 20; ++r) most = std::max(most, hy(r, j));
        return i == 0 ? most + 1.0F : 1.0F;
      });
      CHECK(total.item() == sum(x).item());
    }
    {  // The same places twice: the last one stays. And what is written is read at other places.
      const array<float> a = gnp::zeros<float>({20, 32});
      const array<float> b = numbers({10, 32}, 5), c = numbers({10, 32}, 3);
      const host_array<float> hb = gnp::asnumpy(b), hc = gnp::asnumpy(c);
      together(a(slice(none, 10)), a(slice(5, 15))) = std::tuple(b + 1.0F, c * 2.0F);
      check<float>(a, [&](index_t i, index_t j) {
        return i < 5 ? hb(i, j) + 1.0F : i < 15 ? hc(i - 5, j) * 2.0F : 0.0F;
      });
      const array<float> d = b.copy(), e = gnp::zeros<float>({10, 16});
      const auto even = d(all, slice(none, none, 2));
      together(d(all, slice(16, none)), e) = std::tuple(even + 1.0F, even * 2.0F);
      check<float>(d, [&](index_t i, index_t j) { return j < 16 ? hb(i, j) : hb(i, 2 * (j - 16)) + 1.0F; });
      check<float>(e, [&](index_t i, index_t j) { return hb(i, 2 * j) * 2.0F; });
    }
    const array<float> nothing = gnp::zeros<float>({0, 3}), nothing_else = gnp::zeros<float>({0, 3});
    together(nothing, nothing_else) = std::tuple(nothing + 1.0F, nothing_else * 2.0F);
    const array<float> one = gnp::zeros<float>({}), other = gnp::zeros<float>({});
    together(one, other) = std::tuple(one + 1.0F, other + 2.0F);
    CHECK(one.item() + 10 * other.item() == 21);
  });
}

TEST_CASE("together: what is refused leaves a message") {
  for_each_device([](gnp::device) {
    const array<float> a = gnp::zeros<float>({4, 3}), b = gnp::zeros<float>({4, 3});
    CHECK_THROWS_WITH(together(a, b) = std::tuple(a + 1.0F, gnp::ones<float>({5}) + 1.0F),
                      "together: could not broadcast from shape (5,) into shape (4, 3)");
    const array<float> spread = broadcast_to(gnp::zeros<float>({3}), {4, 3});
    CHECK_THROWS_WITH(together(a, spread) = std::tuple(a + 1.0F, b + 1.0F),
                      Catch::Contains("together: the destination is a broadcast view"));
    CHECK(array_equal(a, b));  // nothing was written
  });
}
