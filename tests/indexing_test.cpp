// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Indexing by arrays: what a gather fuses with, types, sizes, overlap, and indices out of bounds.
#include <random>

#include "devices.hpp"

namespace {

using gnp::asarray;

/// Is this what is thrown, at once or by whoever waits?
template <class F>
std::string thrown(gnp::device where, const F& f) {
  try {
    f();
    gnp::synchronize(where);
  } catch (const gnp::index_error& e) {
    return e.what();
  }
  return "nothing";
}

template <class T>
gnp::array<T> numbered(gnp::index_t count) {
  return (gnp::arange(count) % 100).template astype<T>();
}

/// Compares with sums on the host: whole rows of a table, and such that begin or step elsewhere.
template <class T>
void check_sums_of_rows(gnp::index_t width) {
  INFO(gnp::name(gnp::dtype_of<T>) << " rows of " << width);
  const gnp::index_t rows = 50, bags = 700, each = 9;
  const auto at = [](gnp::index_t row, gnp::index_t column) {
    return static_cast<double>((row * 31 + column * 7) % 19);
  };
  gnp::host_array<T> table({rows, 2 * width});
  for (gnp::index_t r = 0; r < rows; ++r)
    for (gnp::index_t c = 0; c < 2 * width; ++c) table(r, c) = static_cast<T>(static_cast<float>(at(r, c)));
  gnp::host_array<std::int64_t> chosen({bags, each});
  for (gnp::index_t b = 0; b < bags; ++b)
    for (gnp::index_t k = 0; k < each; ++k) chosen(b, k) = (b * 17 + k * 5) % rows - (k % 2) * rows;
  const gnp::array<T> x = gnp::asarray(table);
  const gnp::array<std::int64_t> i = gnp::asarray(chosen);
  const auto check = [&](const gnp::array<T>& found, gnp::index_t first, gnp::index_t step) {
    const gnp::host_array<T> host = gnp::asnumpy(found);
    bool right = true;
    for (gnp::index_t b = 0; b < bags; ++b)
      for (gnp::index_t c = 0; c < width; ++c) {
        double total = 0;
        for (gnp::index_t k = 0; k < each; ++k) total += at((chosen(b, k) + rows) % rows, first + c * step);
        right = right && static_cast<double>(host(b, c)) == total;
      }
    CHECK(right);
  };
  check(sum<T>(x(gnp::all, gnp::slice(gnp::none, width))(i), 1), 0, 1);
  check(sum<T>(x(gnp::all, gnp::slice(1, width + 1))(i), 1), 1, 1);
  check(sum<T>(x(gnp::all, gnp::slice(gnp::none, gnp::none, 2))(i), 1), 0, 2);
  check(sum<T>(x(gnp::all, gnp::slice(width - 1, gnp::none, -1))(i), 1), width - 1, -1);
}

}  // namespace

TEST_CASE("a gather is part of an expression") {
  for_each_device([](gnp::device) {
    const gnp::array<double> x = gnp::arange<double>(5) * 10;
    const gnp::array<double> w = asarray({1.0, 2.0, 3.0});
    const gnp::array<int> i = asarray({4, 0, -2});
    const auto e = x(i) * w + x(i + 0);
    CHECK(gnp::to_vector(e) == std::vector<double>{80, 0, 120});
    x(0) = 100;  // not computed yet
    CHECK(gnp::to_vector(e) == std::vector<double>{80, 300, 120});
    CHECK(e.sum().item() == 500);
    CHECK(gnp::to_vector(e(gnp::slice(gnp::none, gnp::none, -1))) == std::vector<double>{120, 300, 80});
    CHECK(e(1).item() == 300);
    CHECK(gnp::to_vector(gnp::cumsum(x(i))) == std::vector<double>{40, 140, 170});
    CHECK(gnp::to_vector((x + 1)(i)) == std::vector<double>{41, 101, 31});
    CHECK(gnp::to_vector((x + 1)(x > 30)) == std::vector<double>{101, 41});
    CHECK(x(x > 1000).size() == 0);
    CHECK(x(asarray<int>(std::vector<int>())).shape() == gnp::shape_t{0});
    CHECK(x(asarray(2)).ndim() == 0);
  });
}

TEST_CASE("rows that indices choose are added up") {
  for_each_device([](gnp::device where) {
    for (const gnp::index_t width : {1, 2, 6, 8, 64, 67}) {
      check_sums_of_rows<float>(width);
      if (is_simulated(where) && width != 6 && width != 64) continue;
      check_sums_of_rows<double>(width);
      check_sums_of_rows<std::int16_t>(width);
    }
  });
}

TEST_CASE("elements of every type are gathered, chosen and scattered") {
  for_each_device([](gnp::device) {
    const auto check = []<class T>(T) {
      INFO(gnp::name(gnp::dtype_of<T>));
      const gnp::array<T> x = numbered<T>(7);
      const gnp::array<T> rows = gnp::reshape(numbered<T>(12), {6, 2}).T();  // not contiguous
      const auto same = [](const auto& a, const auto& b) {
        const gnp::array<T> left = a;
        const gnp::array<T> right = b;
        return gnp::to_vector(left) == gnp::to_vector(right);
      };
      CHECK(same(x({5, 3}), x(gnp::slice(5, 2, -2))));
      CHECK(same(rows(gnp::all, std::vector<int>{5}), rows(gnp::all, gnp::slice(5, 6))));
      const gnp::array<bool> odd = gnp::arange(7) % 2 == 1;
      CHECK(same(x(odd), x(gnp::slice(1, gnp::none, 2))));
      const gnp::array<T> y = x.copy();
      y({6, 0, 6}) = x({3, 3, 2});
      CHECK(same(y({0, 6}), x({3, 2})));
      y(odd) = x(3);
      CHECK(same(y(odd), x({3, 3, 3})));
      y(odd) = x({4, 5, 6});
      CHECK(same(y({1, 3, 5}), x({4, 5, 6})));
    };
    check(true);
    check(std::uint16_t{});
    check(gnp::half{});
    check(gnp::complex128{});
  });
}

TEST_CASE("many elements are chosen, numbered and written") {
  for_each_device([](gnp::device) {
    for (const gnp::index_t n : {1, 255, 4097, 1 << 20}) {
      std::mt19937 random(static_cast<unsigned>(n));
      std::vector<float> host(static_cast<std::size_t>(n));
      for (float& v : host) v = static_cast<float>(random() % 1000);
      const gnp::array x = asarray(host);
      for (const float limit : {-1.0F, 20.0F, 500.0F, 990.0F, 2000.0F}) {
        std::vector<float> chosen;
        std::vector<std::int64_t> positions;
        for (std::size_t k = 0; k < host.size(); ++k) {
          if (!(host[k] > limit)) continue;
          chosen.push_back(host[k]);
          positions.push_back(static_cast<std::int64_t>(k));
        }
        INFO(n << " elements > " << limit);
        CHECK(gnp::to_vector(x(x > limit)) == chosen);
        CHECK(gnp::to_vector(gnp::flatnonzero(x > limit)) == positions);
        CHECK(gnp::array_equal((x * 2)(x > limit), asarray(chosen) * 2));
        gnp::array y = x.copy();
        y(x > limit) = asarray(chosen) + 1;
        CHECK(gnp::array_equal(y, gnp::where(x > limit, x + 1, x)));
      }
      // Not contiguous, of several axes.
      if (n < 300000) continue;
      const gnp::array m = gnp::reshape(x(gnp::slice(0, 300000)), {500, 600}).T();
      const gnp::array flat = gnp::ravel(m);
      CHECK(gnp::array_equal(m(m > 500), flat(flat > 500)));
      // Of many elements for one place the last one stays; all of them add up, with the same bits each time.
      const gnp::array to = gnp::arange(n) * 7 % 1000;
      const gnp::array last = gnp::zeros<std::int64_t>(1000);
      last(to) = gnp::arange(n);
      std::vector<std::int64_t> expected(1000);
      for (gnp::index_t k = 0; k < n; ++k) expected[static_cast<std::size_t>(k * 7 % 1000)] = k;
      CHECK(gnp::to_vector(last) == expected);
      const gnp::array sparse = gnp::zeros<std::int32_t>(3000000);  // few of many: claims go through a hash
      sparse(to(gnp::slice(0, 2000)) * 3000) = gnp::arange<std::int32_t>(2000);
      CHECK(gnp::array_equal(sparse(to(gnp::slice(1000, 2000)) * 3000), gnp::arange(1000, 2000)));
      const gnp::array sums = gnp::zeros<float>(1000);
      add_at(sums, to, x / 3);
      const gnp::array again = gnp::zeros<float>(1000);
      add_at(again, to, x / 3);
      CHECK(gnp::array_equal(sums, again));
      const gnp::array counts = gnp::zeros<std::int32_t>(1000);
      add_at(counts, to, 1);
      CHECK(gnp::array_equal(counts, gnp::bincount(to, {.minlength = 1000})));
    }
  });
}

namespace {

/// a(mask) = value leaves what is elsewhere alone, in a whole array or a part of one.
template <class T>
void check_conditional_stores(const gnp::array<T>& all, const gnp::array<T>& part) {
  const gnp::array before = all.copy();
  const gnp::array was = part.copy();
  const gnp::array<bool> third(gnp::arange(part.size()).reshape(part.shape()) % 3 == 1);
  const gnp::array written = gnp::where(third, T(7), was);
  part(third) = T(7);
  CHECK(gnp::array_equal(part, written));
  part(third) += T(1);
  CHECK(gnp::array_equal(part, gnp::where(third, T(8), was)));
  part(part == T(8)) = T(7);
  part.fill(T(9));
  const gnp::array around = all.copy();
  part(gnp::ellipsis) = was;
  CHECK(gnp::array_equal(all, before));
  // A mask of rows, one in another order, none and all; other values beside each other in memory.
  part(gnp::ellipsis) = was;
  const gnp::array<bool> rows(gnp::arange(part.shape()[0]) % 2 == 0);
  part(rows) = T(5);
  CHECK(gnp::array_equal(part, gnp::where(rows.reshape(-1, 1), T(5), was)));
  part(gnp::ellipsis) = was;
  const gnp::array<bool> across = gnp::array<bool>(third.T()).copy();
  part(across.T()) = T(7);
  CHECK(gnp::array_equal(part, written));
  part(gnp::ellipsis) = was;
  part(gnp::zeros<bool>(part.shape())) = T(6);
  CHECK(gnp::array_equal(all, before));
  part(gnp::ones<bool>(part.shape())) = T(9);
  CHECK(gnp::array_equal(all, around));
  part(gnp::ellipsis) = was;
}

template <class T>
void check_conditional_stores() {
  INFO(gnp::name(gnp::dtype_of<T>));
  const gnp::array<T> a = (gnp::arange(200 * 331) % 4).reshape(200, 331).template astype<T>();
  check_conditional_stores<T>(a, a);
  check_conditional_stores<T>(a, a(gnp::slice(3, 150), gnp::slice(5, 300)));
  check_conditional_stores<T>(a, a(gnp::slice(gnp::none, gnp::none, 2), gnp::slice(1, gnp::none, 3)));
  check_conditional_stores<T>(a, a(gnp::slice(gnp::none, gnp::none, -1)));
  check_conditional_stores<T>(a, a.T());
}

}  // namespace

TEST_CASE("a mask of what is wide, made of what is narrow") {
  for_each_device([](gnp::device) {
    const gnp::array<std::int8_t> a = (gnp::arange<int>(5000) % 7 - 3).astype<std::int8_t>();
    const gnp::array<gnp::complex128> turned = (a * gnp::complex128(0, 1))(a > 0);
    CHECK(turned.size() == 5000 / 7 * 3);
    const gnp::array<gnp::complex128> table = gnp::arange<double>(4) * gnp::complex128(1, 2);
    const gnp::array<std::int8_t> place = (gnp::arange<int>(5000) % 4).astype<std::int8_t>();
    const gnp::array<gnp::complex128> looked_up = table(place)(place > 1);
    CHECK(looked_up.size() == 2500);
    for (gnp::index_t i : {0, 1, 2, 1000, 2141}) {
      CHECK(turned(i).item() == gnp::complex128(0, static_cast<double>(i % 3 + 1)));
      CHECK(looked_up(i).item() == gnp::complex128(1, 2) * static_cast<double>(2 + i % 2));
    }
  });
}

TEST_CASE("where a mask is false nothing is written") {
  for_each_device([](gnp::device where) {
    check_conditional_stores<std::uint8_t>();
    check_conditional_stores<float>();
    check_conditional_stores<gnp::complex128>();
    if (!is_simulated(where)) {
      check_conditional_stores<gnp::half>();
      check_conditional_stores<double>();
    }
    gnp::array x = gnp::arange<float>(100000);
    x(gnp::isnan(x / x)) = -1;
    CHECK(x(0).item() == -1);
    CHECK(gnp::array_equal(x(gnp::slice(1, gnp::none)), gnp::arange<float>(1, 100000)));
    // The condition reads what is written, as it was.
    x = gnp::arange<float>(100000);
    x(gnp::slice(1, gnp::none))(x(gnp::slice(gnp::none, -1)) < 50000.0F) = 0;
    CHECK(gnp::sum(x == 0).item() == 50001);
    gnp::array<float> empty = gnp::zeros<float>({0});
    empty(empty > 1.0F) = 2;
    gnp::array<float> number = gnp::full<float>({}, 3);
    number(number > 1.0F) = 2;
    CHECK(number.item() == 2);
    CHECK_THROWS_AS(gnp::broadcast_to(x, {2, 100000})(gnp::ones<bool>({2, 100000})) = 1, gnp::error);
  });
}

TEST_CASE("what is written may be what is read") {
  for_each_device([](gnp::device) {
    const gnp::array a = gnp::arange(6);
    a(gnp::slice(1, gnp::none)) = a(gnp::arange(5));
    CHECK(gnp::to_vector(a) == std::vector<std::int64_t>{0, 0, 1, 2, 3, 4});
    a(gnp::arange(5, -1, -1)) = a;
    CHECK(gnp::to_vector(a) == std::vector<std::int64_t>{4, 3, 2, 1, 0, 0});
    a(a) = a + 10;  // indices, too
    CHECK(gnp::to_vector(a) == std::vector<std::int64_t>{10, 11, 12, 13, 14, 0});
    a(a > 11) = a(gnp::slice(0, 3));
    CHECK(gnp::to_vector(a) == std::vector<std::int64_t>{10, 11, 10, 11, 12, 0});
    const gnp::array b = gnp::arange(4);
    b({0, 1}) = b({1, 0});
    CHECK(gnp::to_vector(b) == std::vector<std::int64_t>{1, 0, 2, 3});
    b.assign(b({3, 2, 1, 0}));
    CHECK(gnp::to_vector(b) == std::vector<std::int64_t>{3, 2, 0, 1});
    b(b > 1) *= -1;
    CHECK(gnp::to_vector(b) == std::vector<std::int64_t>{-3, -2, 0, 1});
    b(b < 0) += gnp::asarray({10, 20});
    CHECK(gnp::to_vector(b) == std::vector<std::int64_t>{7, 18, 0, 1});
  });
}

namespace {

/// x(i), x(i) = y and x(i) = 7 of `count` places beside loops on the host; the indices' shape is {count},
/// {count, 1} or {1, count}, and in memory they lie next to each other or apart.
template <class T, class I>
void check_places(gnp::index_t count, bool apart, int axes, gnp::index_t size) {
  INFO(gnp::name(gnp::dtype_of<T>) << " by " << gnp::name(gnp::dtype_of<I>) << ", " << count << " places");
  gnp::host_array<T> table({size});
  for (gnp::index_t k = 0; k < size; ++k) table[k] = static_cast<T>(k % 101);
  gnp::host_array<I> indices({count});
  std::vector<gnp::index_t> places;
  gnp::host_array<T> values({count});
  for (gnp::index_t k = 0; k < count; ++k) {
    const gnp::index_t place = (k * k * 31 + k) % size;  // some of them repeat
    places.push_back(place);
    indices[k] = static_cast<I>(std::is_signed_v<I> && k % 3 == 0 ? place - size : place);
    values[k] = static_cast<T>(k % 97);
  }
  gnp::array<I> i = gnp::asarray(indices);
  gnp::array<T> y = gnp::asarray(values);
  if (apart) i = gnp::array<I>(gnp::repeat(i, 2))(gnp::slice(gnp::none, gnp::none, 2));
  if (axes == 2) i = i.reshape(-1, 1), y = y.reshape(-1, 1);
  if (axes == 3) i = i.reshape(1, -1), y = y.reshape(1, -1);
  // Behind another element, so that the first is not where the block begins.
  gnp::array<T> block = gnp::zeros<T>({size + 1});
  const gnp::array<T> x = block(gnp::slice(1, gnp::none));
  x.assign(gnp::asarray(table));
  const gnp::array<T> read = x(i);
  CHECK(read.shape() == i.shape());
  const gnp::host_array<T> got = gnp::asnumpy(read.ravel());
  gnp::index_t wrong = 0;
  for (gnp::index_t k = 0; k < count; ++k)
    wrong += got[k] == table[places[static_cast<std::size_t>(k)]] ? 0 : 1;
  CHECK(wrong == 0);
  const auto is_in_x = [&] { return gnp::array_equal(x, gnp::asarray(table)) && block.item(0) == T(0); };
  x(i) = y;
  for (gnp::index_t k = 0; k < count; ++k) table[places[static_cast<std::size_t>(k)]] = values[k];
  CHECK(is_in_x());
  x(i) = 7;
  for (const gnp::index_t place : places) table[place] = static_cast<T>(7);
  CHECK(is_in_x());
}

}  // namespace

TEST_CASE("few places and many, read and written") {
  for_each_device([](gnp::device where) {
    // About the number from which on several threads have work.
    const gnp::index_t many = gnp::detail::cpu_grain;
    for (const gnp::index_t count : {gnp::index_t{0}, gnp::index_t{1}, gnp::index_t{10}, many, many + 1}) {
      if (is_simulated(where) && count == many) continue;
      check_places<double, std::int64_t>(count, false, 1, 5000);
      check_places<float, std::int32_t>(count, true, 1, 5000);
      check_places<std::int8_t, std::uint8_t>(count, false, 1, 200);
      check_places<std::int64_t, std::int16_t>(count, false, 2, 5000);
      check_places<gnp::half, std::uint64_t>(count, false, 3, 5000);
    }
    check_places<bool, std::int64_t>(10, false, 1, 20);
    check_places<gnp::complex128, std::int64_t>(10, false, 1, 20);
    if (!where.is_cpu()) return;
    // Nothing is written if one of the indices is wrong, and what is read may be what is written.
    const gnp::array<std::int64_t> x = asarray<std::int64_t>({3, 0, 1, 2});
    CHECK_THROWS_AS(x(asarray({0, 4})) = 9, gnp::index_error);
    CHECK_THROWS_AS(x(asarray({0, -5})) = asarray<std::int64_t>({8, 9}), gnp::index_error);
    CHECK(gnp::to_vector(x) == std::vector<std::int64_t>{3, 0, 1, 2});
    x(x) = asarray<std::int64_t>({1, 2, 3, 0});
    CHECK(gnp::to_vector(x) == std::vector<std::int64_t>{2, 3, 0, 1});
    x(asarray({3, 2, 1, 0})) = x;
    CHECK(gnp::to_vector(x) == std::vector<std::int64_t>{1, 0, 3, 2});
  });
}

TEST_CASE("a number is written to the rows where a mask is true") {
  for_each_device([](gnp::device) {
    for (const gnp::index_t width : {1, 15, 16, 17, 100}) {
      INFO("rows of " << width);
      const gnp::array<float> all = gnp::arange<float>(2 * 500 * width).reshape(500, 2 * width);
      const gnp::array<bool> mask = gnp::arange(500) % 3 == 0;
      for (const gnp::array<float>& x :
           {all(gnp::all, gnp::slice(width)), all(gnp::all, gnp::slice(gnp::none, gnp::none, 2)),
            all(gnp::all, gnp::slice(width - 1, gnp::none, -1)),
            gnp::array<float>(all.reshape(500, 2, width))}) {
        gnp::host_array<float> expected = gnp::asnumpy(x.reshape(500, -1));
        for (gnp::index_t r = 0; r < 500; r += 3)
          for (gnp::index_t c = 0; c < expected.shape()[1]; ++c) expected(r, c) = -1.5F;
        x(mask) = -1.5F;
        CHECK(gnp::array_equal(x.reshape(500, -1), gnp::asarray(expected)));
      }
    }
    const gnp::array<float> none_chosen = gnp::ones<float>(4, 20);
    none_chosen(gnp::zeros<bool>({4})) = 2;
    CHECK(gnp::all(none_chosen == 1.0F).item());
    const gnp::array<float> no_rows = gnp::ones<float>(0, 20);
    no_rows(gnp::zeros<bool>({0})) = 2;
    CHECK(no_rows.shape() == gnp::shape_t{0, 20});
    const gnp::array<std::uint8_t> narrow = gnp::zeros<std::uint8_t>(4, 20);
    CHECK_THROWS_AS(narrow(gnp::ones<bool>({4})) = 300, gnp::error);
  });
}

TEST_CASE("putmask of one value, of a value for each element and of some") {
  for_each_device([](gnp::device) {
    const gnp::array<int> m = gnp::arange<int>(6).reshape(2, 3);
    const gnp::array<int> turned = m.T();
    const gnp::array<bool> mask = turned % 2 == 1;
    putmask(turned, mask, 9);
    CHECK(gnp::to_vector(m.ravel()) == std::vector<int>{0, 9, 2, 9, 4, 9});
    // In the order of the array that is written, which is {0, 9, 9, 4, 2, 9}.
    putmask(turned, turned == 9, asarray<int>({10, 11, 12, 13, 14, 15}));
    CHECK(gnp::to_vector(m.ravel()) == std::vector<int>{0, 12, 2, 11, 4, 15});
    putmask(turned, turned > 9, asarray<int>({-1, -2}));
    CHECK(gnp::to_vector(m.ravel()) == std::vector<int>{0, -1, 2, -2, 4, -2});
  });
}

TEST_CASE("an index out of bounds is an error, and the next call works") {
  for_each_device([](gnp::device where) {
    const gnp::array a = gnp::arange(5);
    const gnp::array bad = asarray({1, 7, -1});
    const std::string words = ": index 7 is out of bounds for axis 0 with size 5";
    CHECK(thrown(where, [&] { gnp::asnumpy(a(bad) + 1); }) == "index" + words);
    CHECK(thrown(where, [&] { gnp::array(a(bad)).sum().item(); }) == "index" + words);
    CHECK(thrown(where, [&] { gnp::sum(a(bad)).item(); }) == "index" + words);
    CHECK(thrown(where, [&] { gnp::cumsum(a(bad)).get(); }) == "index" + words);
    CHECK(thrown(where, [&] { a(bad)(1).item(); }) == "index" + words);
    CHECK(thrown(where, [&] { gnp::take(a, bad).eval(); }) == "take" + words);
    CHECK(thrown(where, [&] { a(bad) = 9; }) == "assignment" + words);
    CHECK(thrown(where, [&] { add_at(a, bad, 9); }) == "add_at" + words);
    CHECK(thrown(where, [&] { put(a, bad, 9); }) == "put" + words);
    CHECK(thrown(where, [&] { choose(bad, {a(gnp::slice(0, 3)), a(gnp::slice(0, 3))}).get(); }) ==
          "choose: index 7 is out of bounds for axis 0 with size 2");
    CHECK(thrown(where, [&] { gnp::unravel_index(asarray({3, 12}), {3, 4}); }) ==
          "unravel_index: index 12 is out of bounds for an array of size 12");
    const gnp::array m = gnp::zeros<int>(3, 4);
    CHECK(thrown(where, [&] { m(asarray({0}), asarray({-5})).eval(); }) ==
          "index: index -5 is out of bounds for axis 1 with size 4");
    const gnp::array huge = asarray<std::uint64_t>({1, std::uint64_t{1} << 63, ~std::uint64_t{0}});
    CHECK(thrown(where, [&] { m(huge(gnp::slice(1, 2))).eval(); }) ==
          "index: index 9223372036854775808 is out of bounds for axis 0 with size 3");
    CHECK(thrown(where, [&] { gnp::take(m, huge(gnp::slice(2, 3)), {.axis = 1}).eval(); }) ==
          "take: index 18446744073709551615 is out of bounds for axis 1 with size 4");
    CHECK(thrown(where, [&] { gnp::unravel_index(huge(gnp::slice(2, 3)), {3, 4}); }) ==
          "unravel_index: index 18446744073709551615 is out of bounds for an array of size 12");
    CHECK(thrown(where, [&] { gnp::ravel_multi_index(std::vector{huge, huge}, {3, 4}); }).find("index -") ==
          std::string::npos);
    CHECK(thrown(where, [&] { m(asarray({true, false})); }) ==
          "index: boolean index did not match indexed array along axis 0; size of axis is 3 but size of "
          "corresponding "
          "boolean axis is 2");
    CHECK(thrown(where, [&] { m(asarray({0, 1}), asarray({0, 1, 2})); }) ==
          "index: shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,)");
    CHECK_THROWS_AS(m(asarray({0}), asarray({0}), asarray({0})), gnp::index_error);
    const gnp::array b = gnp::arange(5);  // (a has 9 at more places on a GPU)
    CHECK_THROWS_AS(b(b > 2) = asarray({1, 2, 3}), gnp::shape_error);
    CHECK_THROWS_AS(gnp::take(gnp::zeros({0}), {0}), gnp::index_error);
    CHECK_THROWS_AS(gnp::take(a, {0}, {.mode = "rise"}), gnp::error);
    CHECK_THROWS_AS(gnp::broadcast_to(a, {2, 5})({0}) = 1, gnp::shape_error);
    CHECK(gnp::to_vector(a(asarray({1, -1}))) == std::vector<std::int64_t>(gnp::to_vector(a({1, 4}))));
    const gnp::array square = gnp::zeros<int>(3, 3);
    CHECK(thrown(where, [&] { square(gnp::ix_({1, 7}, {0, 2})) = 5; }).find("index 7 is out of bounds") !=
          std::string::npos);
    CHECK_FALSE(gnp::any(square(2)).item());  // where 7 would be if it were the last
    // At once, if that is wanted.
    gnp::check_indices_at_once();
    CHECK_THROWS_AS(a(bad).eval(), gnp::index_error);
    CHECK_THROWS_AS(a(bad).sum().item(), gnp::index_error);
    CHECK_THROWS_AS(a(bad) = 1, gnp::index_error);
    gnp::check_indices_at_once(false);
    CHECK(a(2).item() == 2);  // nothing was written where there was nowhere to
  });
}
