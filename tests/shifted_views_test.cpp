// SPDX-License-Identifier: MIT
// test: asan, timeout=600
// Views of one array that are shifted against each other, at every place that vectors of memory can begin at:
// what is computed of them, and that nothing beside the destination is written. The oracle is a plain loop on
// the host.
#include <bit>


#include "devices.hpp"
#include "random_views.hpp"

namespace {

using namespace random_views;
using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::none;

/// Small whole numbers, of which sums are exact in every type.
template <class T>
T small_number(generator& random) {
  const index_t n = random.between(0, 7);
  if constexpr (std::is_same_v<T, bool>) {
    return n % 2 == 1;
  } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    using part = typename T::value_type;
    return T(static_cast<part>(n), static_cast<part>(random.between(0, 7)));
  } else {
    return static_cast<T>(static_cast<float>(n));
  }
}

template <class T>
host_array<T> small_numbers(generator& random, const shape_t& shape) {
  host_array<T> h(shape);
  for (index_t i = 0; i < h.size(); ++i) h[i] = small_number<T>(random);
  return h;
}

template <class T>
void expect_equal(const array<T>& actual, const host_array<T>& expected) {
  const host_array<T> got = gnp::asnumpy(actual);
  REQUIRE(got.size() == expected.size());
  for (index_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    INFO("element " << i << ": " << text_of(got[i]) << " in place of " << text_of(expected[i]));
    REQUIRE(false);
  }
}

/// What tests compute: of numbers a sum, of truth values whether an odd number of them is true.
template <class A, class B>
auto joined(const A& a, const B& b) {
  if constexpr (std::is_same_v<typename A::value_type, bool>) {
    return a != b;
  } else {
    return a + b;
  }
}
template <class T>
T joined_number(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a != b;
  } else {
    return static_cast<T>(a + b);
  }
}

template <class F>
void for_each_type(const F& f) {
  f(bool{}), f(std::int8_t{}), f(std::uint8_t{}), f(std::int16_t{}), f(std::uint16_t{}), f(std::int32_t{});
  f(std::uint32_t{}), f(std::int64_t{}), f(std::uint64_t{}), f(half{}), f(bfloat16{}), f(float{}), f(double{});
  f(complex64{}), f(complex128{});
}

TEST_CASE("copies from any place to any place") {
  for_each_device([](gnp::device) {
    for_each_type([]<class T>(T) {
      generator random(1);
      const index_t vector = 16 / static_cast<index_t>(sizeof(T));
      INFO("elements of " << sizeof(T) << " bytes");
      for (index_t to = 0; to <= vector + 1; ++to) {
        for (index_t from = 0; from <= vector + 1; ++from) {
          const index_t count = random.one_in(4) ? random.between(1, 40) : random.between(1, 12 * vector);
          const index_t behind = random.below(3);
          INFO(count << " elements from " << from << " to " << to);
          const host_array<T> source = small_numbers<T>(random, {from + count});
          host_array<T> expected = small_numbers<T>(random, {to + count + behind});
          const array<T> x = gnp::asarray(source), y = gnp::asarray(expected);
          y(slice(to, to + count)) = x(slice(from, none));
          for (index_t i = 0; i < count; ++i) expected[to + i] = source[from + i];
          expect_equal(y, expected);
        }
      }
    });
  });
}

TEST_CASE("neighbours in one dimension") {
  for_each_device([](gnp::device) {
    for_each_type([]<class T>(T) {
      generator random(2);
      INFO("elements of " << sizeof(T) << " bytes");
      for (int round = 0; round < 120; ++round) {
        const index_t count = round < 40 ? round + 1 : random.between(1, 300);
        const index_t apart = random.one_in(2) ? 1 : random.between(0, 20);
        const index_t to = random.between(0, 17);
        const index_t first = random.between(0, 17);
        INFO(count << " elements, " << apart << " apart, from " << first << " to " << to);
        const host_array<T> source = small_numbers<T>(random, {first + count + 2 * apart});
        host_array<T> expected = small_numbers<T>(random, {to + count});
        const array<T> x = gnp::asarray(source), y = gnp::asarray(expected);
        const array<T> left = x(slice(first, first + count));
        const array<T> middle = x(slice(first + apart, first + apart + count));
        const array<T> right = x(slice(first + 2 * apart, none));
        y(slice(to, none)) = joined(joined(right, left), middle);
        for (index_t i = 0; i < count; ++i) {
          const index_t at = first + i;
          expected[to + i] =
              joined_number(joined_number(source[at + 2 * apart], source[at]), source[at + apart]);
        }
        expect_equal(y, expected);

        // And into a new array.
        const array<T> made = joined(left, right);
        host_array<T> sums({count});
        for (index_t i = 0; i < count; ++i)
          sums[i] = joined_number(source[first + i], source[first + i + 2 * apart]);
        expect_equal(made, sums);
      }
    });
  });
}

/// The view of a (rows + 2) x (columns + 2) array that is shifted by this much: its inner part where that is
/// nothing.
template <class T>
array<T> moved(const array<T>& u, index_t down, index_t right) {
  return u(slice(1 + down, u.shape(0) - 1 + down), slice(1 + right, u.shape(1) - 1 + right));
}

TEST_CASE("eight neighbours in two dimensions, into another array, a new one and in place") {
  for_each_device([](gnp::device) {
    for_each_type([]<class T>(T) {
      generator random(3);
      INFO("elements of " << sizeof(T) << " bytes");
      for (int round = 0; round < 60; ++round) {
        const index_t rows = random.between(1, 9);
        // Around the lengths of vectors; and long rows, whose alignment is part of the kernel where all have
        // the same.
        const index_t columns = round < 40   ? round + 1
                                : round < 54 ? random.between(1, 400)
                                             : random.between(1000, 1300);
        INFO(rows << " rows of " << columns);
        const host_array<T> source = small_numbers<T>(random, {rows + 2, columns + 2});
        // Where rows begin a multiple of 16 bytes apart, and where they do not.
        const index_t wider = random.one_in(2) ? (columns + 2) % 16 == 0 ? 0 : 16 - (columns + 2) % 16 : 0;
        array<T> holder = gnp::zeros<T>({rows + 2, columns + 2 + wider});
        const array<T> u = holder(all, slice(none, columns + 2));
        u(gnp::ellipsis) = gnp::asarray(source);
        const auto sum =
            joined(joined(joined(moved(u, -1, -1), moved(u, -1, 0)), joined(moved(u, -1, 1), moved(u, 0, -1))),
                   joined(joined(moved(u, 0, 1), moved(u, 1, -1)), joined(moved(u, 1, 0), moved(u, 1, 1))));
        host_array<T> expected({rows, columns});
        host_array<T> framed = source;
        for (index_t i = 0; i < rows; ++i) {
          for (index_t k = 0; k < columns; ++k) {
            T total = source(i, k);
            for (const auto& [a, b] :
                 {std::pair<index_t, index_t>{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}, {2, 2}})
              total = joined_number(total, source(i + a, k + b));
            expected(i, k) = framed(i + 1, k + 1) = total;
          }
        }
        const array<T> made = sum;
        expect_equal(made, expected);

        const array<T> other = gnp::asarray(source);
        moved(other, 0, 0) = sum;
        expect_equal(other, framed);

        moved(u, 0, 0) = sum;
        expect_equal(array<T>(u.copy()), framed);
        if (wider > 0) CHECK(gnp::count_nonzero(holder(all, slice(columns + 2, none))).item() == 0);
      }
    });
  });
}

TEST_CASE("shifted views beside operands of every other kind") {
  for_each_device([](gnp::device) {
    generator random(4);
    for (int round = 0; round < 80; ++round) {
      const index_t planes = random.between(1, 4), rows = random.between(1, 7);
      const index_t columns = random.one_in(2) ? random.between(1, 40) : random.between(1, 200);
      INFO(planes << " planes of " << rows << " rows of " << columns);
      const auto a = small_numbers<float>(random, {planes + 2, rows + 2, columns + 2});
      const auto b = small_numbers<std::int8_t>(random, {planes, rows, columns});
      const auto c = small_numbers<std::int16_t>(random, {columns, rows});
      const auto d = small_numbers<double>(random, {planes, 1, 2 * columns + 1});
      const auto e = small_numbers<half>(random, {columns});
      const auto f = small_numbers<std::uint8_t>(random, {rows, 1});
      const auto g = small_numbers<std::int64_t>(random, {planes + 1, rows, columns + 3});
      host_array<float> expected = small_numbers<float>(random, {planes, rows, columns + 1});
      const array<float> u = gnp::asarray(a), y = gnp::asarray(expected);
      const auto view = [&](index_t i, index_t j, index_t k) {
        return u(slice(i, i + planes), slice(j, j + rows), slice(k, k + columns));
      };
      const array<float> to = y(all, all, slice(1, none));
      to(gnp::ellipsis) = (view(0, 1, 1) + view(2, 1, 1) - view(1, 0, 1) + view(1, 2, 1) - view(1, 1, 0) +
                           view(1, 1, 2) + gnp::flip(gnp::asarray(b), 2) + gnp::asarray(c).T() +
                           gnp::asarray(d)(all, all, slice(1, none, 2)) + gnp::asarray(e) + gnp::asarray(f) +
                           gnp::asarray(g)(slice(1, none), all, slice(3, none)) + gnp::arange(columns))
                              .template astype<float>();
      for (index_t i = 0; i < planes; ++i) {
        for (index_t j = 0; j < rows; ++j) {
          for (index_t k = 0; k < columns; ++k) {
            const auto number = [](auto x) { return static_cast<double>(x); };
            const double total = number(a(i, j + 1, k + 1)) + number(a(i + 2, j + 1, k + 1)) -
                                 number(a(i + 1, j, k + 1)) + number(a(i + 1, j + 2, k + 1)) -
                                 number(a(i + 1, j + 1, k)) + number(a(i + 1, j + 1, k + 2)) +
                                 number(b(i, j, columns - 1 - k)) + number(c(k, j)) + d(i, 0, 2 * k + 1) +
                                 static_cast<double>(static_cast<float>(e(k))) + number(f(j, 0)) +
                                 number(g(i + 1, j, k + 3)) + number(k);
            expected(i, j, k + 1) = static_cast<float>(total);
          }
        }
      }
      expect_equal(y, expected);
    }
  });
}

GNP_UFUNC(
    steps_to_one, (x), auto y = x; int n = 0; while (y != 1) {
      y = y % 2 == 0 ? y / 2 : 3 * y + 1;
      ++n;
    },
                                              n);

TEST_CASE("rows of three beside what is the same along each of them") {
  for_each_device([](gnp::device) {
    generator random(9);
    for_each_type([&]<class T>(T) {
      // Of the largest number, a thread of a GPU takes several rows.
      const index_t many = std::is_same_v<T, half> && !sanitized ? (index_t{1} << 20) + 5 : 1000;
      for (const index_t rows : {index_t{1}, index_t{2}, index_t{257}, many}) {
        const host_array<T> hx = small_numbers<T>(random, {rows, 7});
        const host_array<T> hy = small_numbers<T>(random, {rows, 3});
        const array<T> x = gnp::asarray(hx), y = gnp::asarray(hy);
        const std::pair<index_t, index_t> columns[] = {{0, 1}, {1, 1}, {1, 2}, {0, 3}, {4, -1}};
        for (const auto& [first, step] : columns) {
          INFO(gnp::name(gnp::dtype_of<T>)
               << ", " << rows << " rows, columns from " << first << " by " << step);
          array<T> to = gnp::zeros<T>({rows + 1, 5});
          const auto points = x(all, slice(first, first + 3 * step, step));
          to(slice(1, none), slice(1, 4)) =
              joined(joined(y(all, slice(0, 1)), y(all, slice(1, 2))), joined(y(all, slice(2, 3)), points));
          host_array<T> expected({rows + 1, 5});
          for (index_t i = 0; i < expected.size(); ++i) expected[i] = T();
          for (index_t i = 0; i < rows; ++i) {
            const T same = joined_number<T>(joined_number<T>(hy(i, 0), hy(i, 1)), hy(i, 2));
            for (index_t k = 0; k < 3; ++k)
              expected(i + 1, k + 1) = joined_number<T>(same, hx(i, first + k * step));
          }
          expect_equal(to, expected);
        }
      }
    });
  });
}

TEST_CASE("only a view's own elements are computed with") {
  for_each_device([](gnp::device) {
    // Beside the view are places past the table, and a number for which the loop of the function has no end.
    const array<int> table = gnp::arange<int>(100);
    for (index_t columns : {1, 2, 3, 5, 16, 17, 33, 64, 70}) {
      array<int> places = gnp::full<int>({6, columns + 3}, 1 << 20);
      array<int> numbers = gnp::zeros<int>({6, columns + 3});
      const auto part = [columns](const array<int>& x) { return x(slice(1, -1), slice(1, 1 + columns)); };
      part(places) = gnp::arange<int>(columns) % 100;
      part(numbers) = gnp::arange<int>(columns) + 1;
      array<int> out = gnp::full<int>({6, columns + 3}, -7);
      part(out) = table(part(places));
      gnp::synchronize();
      CHECK(gnp::array_equal(part(out), gnp::broadcast_to(gnp::arange<int>(columns) % 100, {4, columns})));
      part(out) = steps_to_one(part(numbers));
      const array<int> steps = steps_to_one(gnp::arange<int>(columns) + 1);
      CHECK(gnp::array_equal(part(out), gnp::broadcast_to(steps, {4, columns})));
      CHECK(gnp::count_nonzero(out == -7).item() == 6 * (columns + 3) - 4 * columns);
    }
    // Vectors that run through the ends of short rows, the last of them cut short; a column of numbers.
    const array<int> rows = gnp::arange<int>(333 * 7).reshape(333, 7);
    const array<int> column = gnp::arange<int>(333).reshape(333, 1) % 50 + 1;
    const array<int> steps = steps_to_one(column);
    const array<int> sums = rows + steps_to_one(column);
    CHECK(gnp::array_equal(sums, gnp::array<int>(rows + gnp::broadcast_to(steps, {333, 7}))));
    // Columns that become rows of another length than their memory's.
    const array<int> across = gnp::arange<int>(17 * 64).reshape(17, 64) % 50 + 1;
    array<int> turned = gnp::zeros<int>({64, 32});
    turned(all, slice(0, 17)) = table(across.T() + 40);
    gnp::synchronize();
    CHECK(gnp::array_equal(turned(all, slice(0, 17)), across.T() + 40));
    turned(all, slice(0, 17)) = steps_to_one(across.T());
    CHECK(gnp::array_equal(turned(all, slice(0, 17)), steps_to_one(across).T()));
  });
}

/// What is computed of bytes, four at once where there is a way to.
template <class T>
std::vector<array<int>> of_bytes(const array<T>& x, const array<T>& y, const array<bool>& b) {
  std::vector<array<int>> results;
  const auto add = [&results](const auto& value) { results.push_back(value.template astype<int>()); };
  const auto inside = [](const auto& a, index_t by) { return a(all, slice(1 + by, -2 + by)); };
  const array<T> l = inside(x, -1), m = inside(x, 0), r = inside(x, 1), o = inside(y, 0);
  const array<bool> c = inside(b, 1), d = inside(b, 0);
  const auto stored = [&add](const auto& value) { add(value.eval()); };
  stored(l + r - m + o);
  stored(l + T(100) - r);
  stored(maximum(l, r) + minimum(m, o));
  stored(maximum(l, T(7)));
  stored((l & r) | (m ^ o));
  stored(~l);
  stored(l + c);
  stored(where(c, l, r));
  stored(where(l == r, m, T(9)));
  stored(where(c && !d, l + r, o));
  stored(l == r), stored(l != r), stored(c == d), stored(c != d), stored(c ^ d), stored(~c);
  stored(c && l), stored(c || r), stored(logical_xor(c, d)), stored(!l);
  for (const int number : {0, 3, 127, 128, 255, 256, -1, -128, -129, 1 << 20}) {
    stored(l == number), stored(number != r);
  }
  stored(l == std::uint64_t{5}), stored(l == ~std::uint64_t{0}), stored(l == std::int64_t{-1});
  stored(l.template astype<bool>());
  stored((l + r).template astype<std::uint8_t>());
  stored((l + r).template astype<std::int8_t>() == m.template astype<std::int8_t>());
  stored(c.template astype<T>() + d.template astype<T>() + l);
  stored((l + r == 3 || (m == 2 && o != 0)).template astype<std::uint8_t>());
  return results;
}

TEST_CASE("bytes are computed with as elsewhere") {
  const auto check = []<class T>(T) {
    generator random(5);
    host_array<T> x({5, 131}), y({5, 131});
    host_array<bool> b({5, 131});
    for (index_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<T>(random.one_in(2) ? random.between(0, 5) : random.between(-128, 255));
      y[i] = static_cast<T>(random.between(-128, 255));
      b[i] = random.one_in(2);
    }
    const gnp::device cpu = gnp::device::cpu();
    const auto expected =
        of_bytes<T>(gnp::asarray(x).to(cpu), gnp::asarray(y).to(cpu), gnp::asarray(b).to(cpu));
    const gnp::device gpu = gnp::device::cuda(0);
    const auto actual = of_bytes<T>(gnp::asarray(x).to(gpu), gnp::asarray(y).to(gpu), gnp::asarray(b).to(gpu));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      INFO("expression " << i);
      expect_equal(actual[i], gnp::asnumpy(expected[i]));
    }
  };
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  check(std::uint8_t{});
  check(std::int8_t{});
}

TEST_CASE("neighbours that are read as elements of another type") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(40 * 67).reshape(40, 67);
    const array<std::uint32_t> bits = x.view<std::uint32_t>();
    const slice inner(1, -1), before(none, -2), after(2, none);
    const array<double> sum = x(inner, inner).astype<double>() + bits(inner, after).astype<double>() +
                              x(inner, after).astype<double>() + bits(inner, before).astype<double>();
    const host_array<float> values = gnp::asnumpy(x);
    index_t wrong = 0;
    for (index_t i = 0; i < 38; ++i) {
      for (index_t k = 0; k < 65; ++k) {
        const auto bits_of = [&](index_t column) {
          return static_cast<double>(std::bit_cast<std::uint32_t>(values(i + 1, column)));
        };
        const double wanted =
            double{values(i + 1, k + 1)} + bits_of(k + 2) + double{values(i + 1, k + 2)} + bits_of(k);
        wrong += sum.item(i, k) == wanted ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("shifted rows that lie more than 2^31 elements apart") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  const index_t length = (index_t{1} << 31) + 5;
  const array<std::uint8_t> x = gnp::zeros<std::uint8_t>({2, length});
  x(all, slice(none, 300)) = (gnp::arange(300) % 7 + gnp::asarray<index_t>({{1}, {20}})).astype<std::uint8_t>();
  const array<std::uint8_t> sum = x(all, slice(1, 201)) + x(all, slice(3, 203)) + x(all, slice(90, 290));
  x(all, slice(length - 201, length - 1)) = x(all, slice(2, 202));
  for (const index_t k : {0, 1, 100, 199}) {
    CHECK(static_cast<int>(sum.item(0, k)) == (k + 1) % 7 + (k + 3) % 7 + (k + 90) % 7 + 3);
    CHECK(static_cast<int>(sum.item(1, k)) == (k + 1) % 7 + (k + 3) % 7 + (k + 90) % 7 + 60);
    CHECK(static_cast<int>(x.item(1, length - 201 + k)) == (k + 2) % 7 + 20);
  }
  CHECK(x.item(0, length - 1) == 0);
  CHECK(x.item(1, length - 202) == 0);
}

}  // namespace
