// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Functions that index by arrays, against tests/data/indexing_routines.txt; what a gather fuses with; types,
// sizes, overlap, and indices out of bounds.
#include <functional>
#include <map>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using values = gnp::array<std::int64_t>;
using gnp::asarray;
using gnp::index_t;

std::string describe(const values& result) {
  const auto join = [](const auto& list) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ",") + std::to_string(item);
    return text;
  };
  return "shape " + join(result.shape()) + " values " + join(gnp::to_vector(result));
}

/// Arrays of one shape, one above the other.
template <class List>
values stacked(const List& list) {
  gnp::shape_t shape = list[0].shape();
  shape.insert(0, static_cast<gnp::index_t>(list.size()));
  const values all = gnp::empty<std::int64_t>(shape);
  gnp::index_t i = 0;
  for (const values& one : list) all(i++).assign(one);
  return all;
}

std::map<std::string, std::function<values()>> routines() {
  using namespace gnp;
  const values m = reshape(arange(12), {3, 4}) * 7 % 11;
  const values i = asarray<std::int64_t>({{2, 0}, {-1, 1}});
  const array mask = m > 4;
  const values cube = reshape(arange(24), {2, 3, 4}) % 5;
  const values x = arange(-3, 4);
  const values tall = zeros<std::int64_t>(7, 2);
  const auto changed = [](const values& start, const auto& function) {
    return [start, function] {
      const values copy = start.copy();
      function(copy);
      return copy;
    };
  };
  const std::vector<values> rows{m(0), m(1), m(2)};
  const auto numbers = [](std::initializer_list<std::int64_t> list) { return asarray(list); };
  std::map<std::string, std::function<values()>> all;
  all["take"] = [=] { return take(m, i); };
  all["take 0"] = [=] { return take(m, i, 0); };
  all["take -1"] = [=] { return take(m, i, {.axis = -1}); };
  all["take wrap"] = [=] { return take(m, {15, -30, 3}, {.mode = "wrap"}); };
  all["take clip"] = [=] { return take(m, {15, -30, 3}, 1, {.mode = "clip"}); };
  all["take number"] = [=] { return take(m, 1, 1); };
  all["take_along_axis"] = [=] { return take_along_axis(m, argsort(m, 0), 0); };
  all["take_along_axis broadcast"] = [=] { return take_along_axis(m, asarray({{2, -1}}), 1); };
  all["take_along_axis flat"] = [=] { return take_along_axis(m, asarray({5, 0}), none); };
  all["nonzero"] = [=] { return stacked(nonzero(cube)); };
  all["flatnonzero"] = [=] { return flatnonzero(cube - 2); };
  all["argwhere"] = [=] { return argwhere(cube > 2); };
  all["extract"] = [=] { return extract(m % 2, m); };
  all["compress"] = [=] { return compress(asarray({0, 1, 1}), m); };
  all["compress 1"] = [=] { return compress({false, true, true}, m, {.axis = 1}); };
  all["put"] = changed(m, [=](const values& a) { put(a, {0, -1, 5, 0}, asarray({100, 200, 300})); });
  all["put wrap"] = changed(m, [](const values& a) { put(a, {13, -14}, -1, {.mode = "wrap"}); });
  all["put clip"] =
      changed(m, [](const values& a) { put(a, {13, -14}, std::vector<int>{-1, -2}, {.mode = "clip"}); });
  all["put_along_axis"] =
      changed(m, [](const values& a) { put_along_axis(a, argmax(a, {.axis = 1, .keepdims = true}), -1, 1); });
  all["putmask"] = changed(m, [=](const values& a) { putmask(a, mask, numbers({-1, -2, -3})); });
  all["place"] = changed(m, [=](const values& a) { place(a, mask, numbers({-1, -2, -3})); });
  all["fill_diagonal"] = changed(m, [=](const values& a) { fill_diagonal(a, numbers({50, 60})); });
  all["fill_diagonal tall"] = changed(tall, [](const values& a) { fill_diagonal(a, 9); });
  all["fill_diagonal wrap"] =
      changed(tall, [=](const values& a) { fill_diagonal(a, numbers({1, 2, 3}), {.wrap = true}); });
  all["fill_diagonal cube"] =
      changed(zeros<std::int64_t>(3, 3, 3), [](const values& a) { fill_diagonal(a, 9); });
  all["add_at"] = changed(m, [](const values& a) { add_at(a, {0, 2, 0}, 100); });
  all["add_at two"] = changed(
      m, [=](const values& a) { add_at(a(numbers({0, 0, 2}), numbers({1, 1, -1})), numbers({1, 10, 100})); });
  all["subtract_at"] =
      changed(m, [=](const values& a) { subtract_at(a(numbers({0, 0}), numbers({1, 1})), numbers({1, 10})); });
  all["multiply_at"] = changed(m, [=](const values& a) { multiply_at(a, mask, 2); });
  all["maximum_at"] = changed(
      m, [](const values& a) { maximum_at(a, {1, 1}, asarray<std::int64_t>({{5, 5, 5, 5}, {1, 2, 9, 0}})); });
  all["floor_divide_at"] = changed(
      m, [=](const values& a) { floor_divide_at(a(numbers({0, 0}), numbers({1, 1})), numbers({2, -2})); });
  all["choose"] = [=] { return choose(asarray({2, 0, 1, 0}), rows); };
  all["choose wrap"] = [=] { return choose(asarray({4, -1, 7, 0}), rows, {.mode = "wrap"}); };
  all["choose clip"] = [=] { return choose(asarray({4, -1, 7, 0}), rows, {.mode = "clip"}); };
  all["choose formulas"] = [=] {
    return choose(asarray({2, 0, 1, 0}), std::tuple(m(0) + 1, m(1).astype<float>() * 2, 7))
        .astype<std::int64_t>();
  };
  all["choose broadcast"] = [=] { return choose(asarray({{2}, {0}, {1}}), std::tuple(m * m, -1, m(1) - 5)); };
  all["select formulas"] = [=] {
    return select({x < 0, x < 2}, std::tuple(x * x, x.astype<float>() * 2), 7).astype<std::int64_t>();
  };
  all["select default"] = [=] { return select(std::tuple(x < -1, x > 1), std::tuple(x * 10, 3), x * 100); };
  all["select"] = [=] { return select({x < 0, x < 2}, {values(x * 10), values(x * 100)}, 7); };
  all["piecewise"] = [=] { return piecewise(x, {x < -1, x > 1}, -5, [](const auto& v) { return v * v; }, 3); };
  all["piecewise last"] = [=] { return piecewise(x, {x < 1, x < 0}, 1, 2); };
  all["unravel_index"] = [=] { return stacked(unravel_index(asarray({{22, 41}, {37, 0}}), {7, 6})); };
  all["ravel_multi_index"] = [=] {
    return ravel_multi_index({numbers({3, 6, 6}), numbers({4, 5, 1})}, {7, 6});
  };
  all["ravel_multi_index wrap"] = [=] {
    return ravel_multi_index({numbers({3, 16, -6}), numbers({4, 5, 1})}, {7, 6}, {.mode = "wrap"});
  };
  all["ravel_multi_index clip"] = [=] {
    return ravel_multi_index({numbers({3, 16, -6}), numbers({4, 9, 1})}, {7, 6}, {.mode = "clip"});
  };
  all["ix_"] = [=] { return m(ix_(std::vector<int>{2, 0}, asarray({true, false, true, true}))); };
  all["indices"] = [] { return indices({2, 3, 2}); };
  all["diag_indices"] = [] { return stacked(diag_indices(3, 3)); };
  all["tril_indices"] = [] { return stacked(tril_indices(3, -1, 4)); };
  all["triu_indices"] = [] { return stacked(triu_indices(4, 1, 3)); };
  all["tril_indices_from"] = [=] { return stacked(tril_indices_from(m, 1)); };
  all["triu_indices_from"] = [=] { return stacked(triu_indices_from(m)); };
  all["mask_indices"] = [] {
    return stacked(mask_indices(3, [](const auto& a, index_t k) { return triu(a, k); }, 1));
  };
  all["ndindex"] = [] {
    std::vector<values> list;
    for (const shape_t& index : ndindex({2, 1, 3}))
      list.push_back(asarray(std::vector<std::int64_t>(index.begin(), index.end())));
    return stacked(list);
  };
  all["last one wins"] =
      changed(m, [](const values& a) { a({0, 0, 0}) = asarray<std::int64_t>({{1}, {2}, {3}}); });
  all["once"] = changed(m, [](const values& a) { a({0, 0, 1}) += 100; });
  return all;
}

}  // namespace

TEST_CASE("an index that ndindex gives is the place of one element") {
  for_each_device([](gnp::device) {
    values a = gnp::zeros<std::int64_t>({2, 3});
    std::int64_t next = 0;
    for (const gnp::shape_t& i : gnp::ndindex(a.shape())) {
      a(i) = a(i) + next++;
      a.index(i) += 10;
    }
    CHECK(gnp::array_equal(a, gnp::asarray<std::int64_t>({{10, 11, 12}, {13, 14, 15}})));
    gnp::host_array<std::int64_t> host = gnp::asnumpy(a);
    for (const auto& i : gnp::ndindex(2, 3)) host(i) -= 10;
    CHECK(host(1, 2) == 5);
    CHECK(gnp::array_equal(a(gnp::shape_t{1}), a(1)));  // fewer indices than axes: a row
    CHECK_THROWS_AS(a(gnp::shape_t{0, 3}), gnp::index_error);
    CHECK_THROWS_AS(a(gnp::shape_t{0, 0, 0}), gnp::index_error);
  });
}

TEST_CASE("functions that index by arrays do what NumPy's do") {
  const std::string text = golden::read_file("indexing_routines.txt");
  for_each_device([&text](gnp::device) {
    const auto all = routines();
    std::size_t lines = 0;
    for (const std::string& line : golden::split(text, "\n")) {
      if (line.empty()) continue;
      const auto parts = golden::split(line, " | ");
      INFO(parts.at(0));
      CHECK(describe(all.at(parts.at(0))()) == parts.at(1));
      ++lines;
    }
    CHECK(lines == all.size());
  });
}

TEST_CASE("indices of triangles of any shape, on any diagonal") {
  for_each_device([](gnp::device) {
    const index_t far = (std::numeric_limits<index_t>::max)();
    for (const index_t n : {0, 1, 4, 7, 300}) {
      for (const index_t m : {0, 1, 5, 7, 301}) {
        for (const index_t k : {-far - 1, index_t{-301}, index_t{-5}, index_t{-1}, index_t{0}, index_t{1},
                                index_t{3}, index_t{299}, far}) {
          INFO(n << " by " << m << ", " << k);
          std::vector<std::int64_t> below[2];
          std::vector<std::int64_t> above[2];
          for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < m; ++j) {
              if (j - i <= k) {
                below[0].push_back(i);
                below[1].push_back(j);
              }
              if (j - i >= k) {
                above[0].push_back(i);
                above[1].push_back(j);
              }
            }
          }
          const auto lower = gnp::tril_indices(n, k, m);
          const auto upper = gnp::triu_indices(n, k, m);
          for (std::size_t d = 0; d < 2; ++d) {
            const auto l = gnp::asnumpy(lower[d]);
            const auto u = gnp::asnumpy(upper[d]);
            CHECK(std::vector<std::int64_t>(l.begin(), l.end()) == below[d]);
            CHECK(std::vector<std::int64_t>(u.begin(), u.end()) == above[d]);
          }
        }
      }
    }
    // NumPy counts negative sizes as 0 here.
    for (const auto& none : {gnp::tril_indices(-1), gnp::triu_indices(-2), gnp::triu_indices(-1, 0, 3),
                             gnp::tril_indices(2, 0, -1), gnp::triu_indices(2, {.m = -3})}) {
      CHECK(none[0].shape() == gnp::shape_t{0});
      CHECK(none[1].shape() == gnp::shape_t{0});
    }
    CHECK(gnp::tri(-1).shape() == gnp::shape_t{0, 0});
    CHECK(gnp::tri<int>(-1, 3).shape() == gnp::shape_t{0, 3});
    CHECK(gnp::tri(2, -4, {.k = 1}).shape() == gnp::shape_t{2, 0});
  });
}

TEST_CASE("a number has one axis for take and compress") {
  for_each_device([](gnp::device) {
    const gnp::array<double> number = gnp::asarray(5.0);
    CHECK(gnp::array_equal(gnp::take(number, {0, -1, 0}, 0), gnp::full(3, 5.0)));
    CHECK(gnp::array_equal(number.take({0}, -1), gnp::full(1, 5.0)));
    CHECK(gnp::take(number, gnp::asarray<int>(0), {.axis = 0}).shape() == gnp::shape_t{});
    CHECK_THROWS_AS(gnp::take(number, {1}, 0).eval().item(), gnp::index_error);
    CHECK_THROWS_AS(gnp::take(number, {0}, 1), gnp::index_error);
    CHECK(gnp::array_equal(gnp::compress({true}, number, {.axis = 0}), gnp::full(1, 5.0)));
    CHECK(gnp::compress({false}, number, {.axis = -1}).shape() == gnp::shape_t{0});
    CHECK_THROWS_AS(gnp::compress({true}, number, {.axis = 1}), gnp::index_error);
  });
}

TEST_CASE("indices are negative, or outside the axis, anywhere among many") {
  for_each_device([](gnp::device where) {
    for (const gnp::index_t count : {1, 255, 257, 600, 70000}) {
      const gnp::index_t size = 1000;
      const gnp::array<gnp::index_t> x = gnp::arange<gnp::index_t>(2 * size) + 7;
      const gnp::array<gnp::index_t> odd = x(gnp::slice(1, gnp::none, 2));
      const gnp::array<gnp::index_t> near = gnp::arange<gnp::index_t>(count) * 7919 % size;
      const gnp::array<gnp::index_t> at = gnp::where(near % 3 == 0, near - size, near);
      CHECK(gnp::array_equal(gnp::take(odd, at), 2 * near + 8));
      CHECK(gnp::array_equal(odd(at), 2 * near + 8));
      CHECK(gnp::array_equal(x(at.astype<std::int16_t>() + 0), gnp::where(at < 0, at + 2 * size, at) + 7));
      CHECK(gnp::array_equal(gnp::take(x, near.astype<std::uint64_t>()), near + 7));
      CHECK(gnp::array_equal(gnp::take(gnp::ones<bool>({size}), at), gnp::ones<bool>({count})));
      for (const gnp::index_t bad : {size, -size - 1}) {
        const gnp::array<gnp::index_t> beyond = at.copy();
        beyond(count - 1) = bad;
        CHECK(gnp::take(odd, beyond, {.mode = "clip"})(-1).item() == (bad < 0 ? 8 : 2 * size + 6));
        CHECK(gnp::take(odd, beyond, {.mode = "wrap"})(-1).item() == (bad < 0 ? 2 * size + 6 : 8));
        if (where.is_cpu()) CHECK_THROWS_AS(gnp::take(odd, beyond).eval(), gnp::index_error);
      }
    }
  });
}

TEST_CASE("elements are written at negative indices, and at those outside the axis, in order") {
  for_each_device([](gnp::device where) {
    for (const index_t count : {1, 257, 600, 20000}) {
      const index_t size = 500;
      const gnp::array<index_t> x = gnp::zeros<index_t>({2 * size});
      const gnp::array<index_t> odd = x(gnp::slice(1, gnp::none, 2));
      const gnp::array<index_t> near = gnp::arange<index_t>(count) * 7919 % size;
      const gnp::array<index_t> at = gnp::where(near % 3 == 0, near - size, near);
      const gnp::array<index_t> numbers = gnp::arange<index_t>(count) + 1;
      std::vector<index_t> expected(static_cast<std::size_t>(2 * size));
      const auto expect = [&](index_t i, index_t value) { expected[static_cast<std::size_t>(i)] = value; };
      for (index_t i = 0; i < count; ++i) expect(1 + 2 * (i * 7919 % size), i + 1);
      odd(at) = numbers;
      CHECK(gnp::array_equal(x, asarray(expected)));
      const gnp::array<index_t> beyond = at.copy();
      beyond(0) = size;
      if (where.is_cpu()) {
        CHECK_THROWS_AS(odd(beyond) = numbers, gnp::index_error);
        CHECK(gnp::array_equal(x, asarray(expected)));
      }
      const gnp::array<index_t> wrapped = odd.copy();
      gnp::put(wrapped, beyond, numbers, {.mode = "wrap"});  // the first index is 0 in any case
      CHECK(gnp::array_equal(wrapped, odd));
      odd(at.astype<std::int16_t>()) = -1;
      for (index_t& one : expected) one = one == 0 ? 0 : -1;
      CHECK(gnp::array_equal(x, asarray(expected)));
      gnp::ufuncs::add.at(odd, at, 1);
      for (index_t i = 0; i < count; ++i) ++expected[static_cast<std::size_t>(1 + 2 * (i * 7919 % size))];
      CHECK(gnp::array_equal(x, asarray(expected)));
      const gnp::array<std::uint8_t> bytes = gnp::zeros<std::uint8_t>({size});
      bytes(near.astype<std::uint16_t>()) = (numbers % 251).astype<std::uint8_t>();
      const gnp::array<index_t> last = gnp::zeros<index_t>({size});
      last(at) = numbers % 251;
      CHECK(gnp::array_equal(bytes, last));
    }
  });
}

TEST_CASE("compress: conditions shorter and longer than the array") {
  for_each_device([](gnp::device where) {
    const gnp::array<int> x = gnp::arange<int>(6).reshape(2, 3) * 10;
    CHECK(gnp::array_equal(gnp::compress({true, false, true, true}, x), gnp::asarray<int>({0, 20, 30})));
    CHECK(gnp::array_equal(gnp::compress(x.ravel() > 10, x.T()), gnp::asarray<int>({10, 40, 20, 50})));
    CHECK(gnp::array_equal(gnp::compress({true, false, false, false, false, false, false}, x),
                           gnp::asarray<int>({0})));
    CHECK(gnp::compress(gnp::zeros<bool>({0}), x).shape() == gnp::shape_t{0});
    if (where.is_cpu()) CHECK_THROWS_AS(gnp::compress(gnp::ones<bool>({7}), x), gnp::index_error);
  });
}

TEST_CASE("positions of many elements, of rows that are no whole vectors and of bytes") {
  for_each_device([](gnp::device) {
    const auto check = [](const auto& x) {
      const auto values = gnp::asnumpy(x.eval().ravel());
      std::vector<std::int64_t> wanted;
      for (gnp::index_t i = 0; i < values.size(); ++i) {
        if (values(i) != 0) wanted.push_back(i);
      }
      const bool same = gnp::to_vector(gnp::flatnonzero(x)) == wanted;  // too many to print
      CHECK(same);
      const gnp::array<std::int64_t> rows = gnp::argwhere(x);
      CHECK(rows.shape() == gnp::shape_t{static_cast<gnp::index_t>(wanted.size()), x.ndim()});
      const auto coordinates = gnp::nonzero(x);
      for (int d = x.ndim() - 1; d >= 0; --d) {
        std::vector<std::int64_t> along(wanted.size());
        for (std::size_t k = 0; k < wanted.size(); ++k) {
          along[k] = wanted[k] % x.shape()[d];
          wanted[k] /= x.shape()[d];
        }
        const bool found = gnp::to_vector(coordinates[static_cast<std::size_t>(d)]) == along;
        const bool found_in_rows = gnp::to_vector(rows(gnp::all, d)) == along;
        CHECK(found);
        CHECK(found_in_rows);
      }
    };
    const gnp::array<int> x = (gnp::arange(700001) * 40503 >> 3) % 3;
    check(x);
    check(x == 1);
    check(x(gnp::slice(1, gnp::none)));
    check(x(gnp::slice(0, 700000)).reshape(700, 1000)(gnp::all, gnp::slice(3, 997, 2)));
    check(x(gnp::slice(0, 700000)).reshape(700, 1000).T());
    check(x(gnp::slice(0, 700000)).reshape(10, 35, 2, 1000));
    check(x(gnp::slice(0, 700000)).reshape(5000, 20, 7) == 0);
    check(gnp::ones<bool>({3, 100000, 1}));
    check(gnp::zeros<float>({3, 0, 5}));
    check(gnp::zeros<int>({300, 500}));
    check(gnp::zeros<bool>({300000}));
    check(gnp::ones<std::uint8_t>({300001}));
  });
}

TEMPLATE_TEST_CASE("repeat by counts: element sizes, blocks, views, several threads", "", std::uint8_t,
                   gnp::half, float, double, gnp::complex128) {
  const int threads = gnp::get_num_threads();
  for_each_device([](gnp::device) {
    for (const int count : {1, 3}) {
      gnp::set_num_threads(count);
      // Lengths around the copies that are stored in any case, and enough for three threads.
      for (const gnp::index_t length : {1, 2, 3, 4, 5, 9, 100000}) {
        std::vector<gnp::index_t> counts;
        for (gnp::index_t i = 0; i < length; ++i) counts.push_back(i % 7 == 3 ? 9 : (i * 5 + length) % 5);
        for (const gnp::index_t inner : {1, 3}) {
          if (length * inner > 100000) continue;
          const gnp::array<TestType> x =
              (gnp::arange(2 * length * inner) % 120).template astype<TestType>().reshape({2, length, inner});
          const gnp::array<TestType> reversed = x(gnp::all, gnp::slice(gnp::none, gnp::none, -1));
          std::vector<TestType> expected;
          const auto elements = gnp::asnumpy(x);
          for (gnp::index_t block = 0; block < 2; ++block) {
            for (gnp::index_t i = 0; i < length; ++i) {
              for (gnp::index_t copy = 0; copy < counts[static_cast<std::size_t>(i)]; ++copy) {
                for (gnp::index_t k = 0; k < inner; ++k) expected.push_back(elements(block, length - 1 - i, k));
              }
            }
          }
          const bool equal = gnp::to_vector(gnp::repeat(reversed, counts, 1)) == expected;
          INFO("length " << length << ", inner " << inner << ", threads " << count);
          CHECK(equal);
        }
      }
    }
  });
  gnp::set_num_threads(threads);
}

namespace {

/// Adds values to places in runs of `run` equal ones (0: in no order), and takes the larger and so on: what
/// threads do side by side must come to the same as one after the other.
template <class T>
void check_any_order(index_t count, index_t places, index_t run) {
  INFO(gnp::name(gnp::dtype_of<T>) << ": " << count << " values for " << places << " places, runs of " << run);
  std::vector<std::int64_t> index;
  std::vector<T> added;
  for (index_t i = 0; i < count; ++i) {
    const index_t place = run > 0 ? i / run % places : (i * i + 7 * i) % places;
    index.push_back(i % 3 == 0 ? place - places : place);  // some counted from the end
    added.push_back(static_cast<T>(1 + i % 5));
  }
  const gnp::array<T> start = asarray(std::vector<T>(static_cast<std::size_t>(places), T(3)));
  const auto check = [&](const char* name, const auto& change, const auto& join) {
    INFO(name);
    const gnp::array<T> x = start.copy();
    change(x, asarray(index), asarray(added));
    std::vector<T> wanted(static_cast<std::size_t>(places), T(3));
    for (std::size_t i = 0; i < index.size(); ++i) {
      T& to = wanted[static_cast<std::size_t>(index[i] < 0 ? index[i] + places : index[i])];
      to = static_cast<T>(join(to, added[i]));
    }
    CHECK(gnp::to_vector(x) == wanted);
  };
  constexpr gnp::at_options any{.any_order = true};
  check("add", [&](auto x, auto n, auto v) { gnp::add_at(x, n, v, any); }, [](T a, T b) { return a + b; });
  check(
      "subtract", [&](auto x, auto n, auto v) { gnp::subtract_at(x, n, v, any); },
      [](T a, T b) { return a - b; });
  check(
      "maximum", [&](auto x, auto n, auto v) { gnp::maximum_at(x, n, v, any); },
      [](T a, T b) { return std::max(a, b); });
  check(
      "minimum", [&](auto x, auto n, auto v) { gnp::minimum_at(x, n, v, any); },
      [](T a, T b) { return std::min(a, b); });
  check(
      "one value", [&](auto x, auto n, auto) { gnp::add_at(x, n, T(2), any); },
      [](T a, T) { return a + T(2); });
  if constexpr (std::is_integral_v<T>) {
    check(
        "xor", [&](auto x, auto n, auto v) { gnp::bitwise_xor_at(x, n, v, any); },
        [](T a, T b) { return a ^ b; });
  }
}

}  // namespace

TEST_CASE("changes in any order, of places in runs and in none") {
  for_each_device([](gnp::device) {
    for (const index_t run : {0, 1, 3, 16, 40, 10000}) {
      check_any_order<float>(1001, 60, run);
      check_any_order<std::int32_t>(1001, 60, run);
    }
    for (const index_t count : {1, 31, 32, 33, 256, 257}) check_any_order<double>(count, 5, 7);
    check_any_order<std::uint64_t>(600, 7, 5);
    check_any_order<std::int64_t>(600, 7, 0);
    check_any_order<std::uint32_t>(600, 1, 0);
    check_any_order<std::int16_t>(600, 7, 5);  // has no word of its own, and is changed in order
  });
}

TEST_CASE("repeat by one number: views with gaps, along each axis and flattened") {
  for_each_device([](gnp::device) {
    const gnp::array<int> x = gnp::arange<int>(2 * 3 * 8).reshape({2, 3, 8});
    const std::vector<gnp::array<int>> views{
        x.T(), x.transpose({0, 2, 1}), x(gnp::all, gnp::all, gnp::slice(0, 5)),
        x(gnp::all, gnp::slice(gnp::none, gnp::none, -1), gnp::slice(1, 8, 3)),
        gnp::broadcast_to(x(1, 2), {2, 3, 8})};
    for (const gnp::array<int>& view : views) {
      const gnp::array<int> whole = view.copy();
      for (const int times : {0, 1, 2, 3, 20}) {
        CHECK(gnp::array_equal(gnp::repeat(view, times), gnp::repeat(whole, times)));
        for (const int axis : {0, 1, 2}) {
          const gnp::array<gnp::index_t> at =
              gnp::floor_divide(gnp::arange(view.shape()[axis] * times), gnp::index_t{times > 0 ? times : 1});
          CHECK(gnp::array_equal(gnp::repeat(view, times, axis), gnp::take(whole, at, {.axis = axis})));
        }
      }
    }
  });
}

TEMPLATE_TEST_CASE("repeat by one number: element sizes, chunks, views, several threads", "", std::uint8_t,
                   gnp::half, float, double, gnp::complex128) {
  const int threads = gnp::get_num_threads();
  for_each_device([](gnp::device) {
    for (const int count : {1, 3}) {
      gnp::set_num_threads(count);
      // Counts and lengths around those that fill a vector of 16 bytes, and enough for three threads.
      for (const gnp::index_t length : {0, 1, 2, 3, 7, 15, 16, 17, 40000}) {
        for (const gnp::index_t times : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33}) {
          if (length * times > (sanitized ? 80000 : 130000)) continue;
          for (const gnp::index_t inner : {1, 2, 3}) {
            const gnp::array<TestType> x =
                (gnp::arange(length * inner) % 120).template astype<TestType>().reshape({length, inner});
            const auto elements = gnp::asnumpy(x);
            const auto all = gnp::asnumpy(gnp::repeat(x, times));
            const auto rows = gnp::asnumpy(gnp::repeat(x, times, 0));
            const auto columns = gnp::asnumpy(gnp::repeat(x, times, 1));
            const auto turned = gnp::asnumpy(gnp::repeat(x.T(), times, 1));
            bool right = all.size() == length * inner * times && rows.shape(0) == length * times &&
                         columns.shape(1) == inner * times && turned.shape(1) == length * times;
            for (gnp::index_t i = 0; right && i < length * times; ++i) {
              for (gnp::index_t k = 0; k < inner; ++k) {
                right = right && rows(i, k) == elements(i / times, k) && turned(k, i) == elements(i / times, k);
              }
            }
            for (gnp::index_t i = 0; right && i < length; ++i) {
              for (gnp::index_t k = 0; k < inner * times; ++k) {
                right = right && columns(i, k) == elements(i, k / times) &&
                        all[i * inner * times + k] == elements(i, k / times);
              }
            }
            INFO("length " << length << ", inner " << inner << ", times " << times << ", threads " << count);
            CHECK(right);
          }
        }
      }
    }
  });
  gnp::set_num_threads(threads);
}

// Taken as signed numbers, these would be negative: clipped to the first element, and wrapped by another
// remainder.
TEST_CASE("unsigned indices of 2^63 and more are large") {
  for_each_device([](gnp::device) {
    const gnp::array x = gnp::arange(5);
    const gnp::array i = asarray<std::uint64_t>({1, std::uint64_t{1} << 63, ~std::uint64_t{0}});
    CHECK(gnp::array_equal(gnp::take(x, i, {.mode = "clip"}), asarray({1, 4, 4})));
    CHECK(gnp::array_equal(gnp::take(x, i, {.mode = "wrap"}), asarray({1, 3, 0})));
    CHECK(gnp::array_equal(choose(i, {10, 20, 30}, {.mode = "clip"}), asarray({20, 30, 30})));
    CHECK(gnp::array_equal(choose(i, {10, 20, 30}, {.mode = "wrap"}), asarray({20, 30, 10})));
    const std::vector both{i, i};
    CHECK(gnp::array_equal(ravel_multi_index(both, {3, 4}, {.mode = "clip"}), asarray({5, 11, 11})));
    CHECK(gnp::array_equal(ravel_multi_index(both, {3, 4}, {.mode = "wrap"}), asarray({5, 8, 3})));
    put(x, i, {7, 8, 9}, {.mode = "clip"});
    CHECK(gnp::array_equal(x, asarray({0, 7, 2, 3, 9})));
    CHECK_THROWS_WITH(gnp::repeat(x(gnp::slice(0, 3)), i), contains("more than 2^62 elements along an axis"));
  });
}
