// SPDX-License-Identifier: MIT
// Rebinding and writing through, conversion and broadcasting into a destination, and sources that overlap it:
// each held against a plain loop over a copy on the host.
// test: optimised
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::index_t;
using gnp::shape_t;
using gnp::slice;

/// A number that every element type holds exactly.
template <class T>
T number(index_t i) {
  if constexpr (std::is_same_v<T, bool>) {
    return i % 3 == 1;
  } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    using part = typename T::value_type;
    return T(static_cast<part>(i % 100), static_cast<part>(3 - i % 7));
  } else {
    return static_cast<T>(static_cast<float>(i % 100));
  }
}

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (std::is_same_v<T, gnp::half> || std::is_same_v<T, gnp::bfloat16>) {
    return T(static_cast<float>(a) + static_cast<float>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

template <class T>
std::string text_of(T value) {
  std::ostringstream text;
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    text << value;
  } else {
    text << static_cast<double>(value);
  }
  return text.str();
}

/// Empty where the array has this shape and these values, else the first thing that is wrong.
template <class T>
std::string difference(const gnp::array<T>& actual, const gnp::host_array<T>& expected) {
  if (!(actual.shape() == expected.shape())) {
    return "shape " + gnp::to_string(actual.shape()) + " instead of " + gnp::to_string(expected.shape());
  }
  const gnp::host_array<T> values = gnp::asnumpy(actual);
  for (index_t i = 0; i < expected.size(); ++i) {
    if (!(values[i] == expected[i])) {
      return "element " + std::to_string(i) + " is " + text_of(values[i]) + " instead of " +
             text_of(expected[i]);
    }
  }
  return "";
}

/// number<T>(0), number<T>(1), ... on the host.
template <class T>
gnp::host_array<T> counted(const shape_t& shape) {
  gnp::host_array<T> values(shape);
  for (index_t i = 0; i < values.size(); ++i) values[i] = number<T>(i);
  return values;
}

template <class T>
gnp::host_array<T> filled(const shape_t& shape, T value) {
  gnp::host_array<T> values(shape);
  for (T& v : values) v = value;
  return values;
}

template <class T>
gnp::host_array<T> listed(const std::vector<T>& list) {
  gnp::host_array<T> values(shape_t{static_cast<index_t>(list.size())});
  std::copy(list.begin(), list.end(), values.begin());
  return values;
}

#define GNP_TEST_DTYPES                                                                                    \
  bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, \
      std::uint64_t, gnp::half, gnp::bfloat16, float, double, gnp::complex64, gnp::complex128

}  // namespace

TEMPLATE_TEST_CASE("assignment: a name is rebound, a view is written through", "", GNP_TEST_DTYPES) {
  using T = TestType;
  for_each_device([](gnp::device) {
    const gnp::host_array<T> start = counted<T>({4, 6});
    const gnp::host_array<T> other = filled<T>({4, 6}, number<T>(7));

    // Rebinding: the name has a new array, other handles keep the old one.
    gnp::array<T> x = gnp::asarray(start);
    gnp::array<T> handle = x;
    gnp::array<T> view = x(1);
    const gnp::array<T> y = gnp::asarray(other);
    x = y;
    CHECK(x.data() == y.data());
    CHECK(difference(x, other) == "");
    CHECK(difference(handle, start) == "");
    CHECK(handle.data() == view.data() - 6);
    x = x + y;
    CHECK(x.data() != y.data());
    CHECK(difference(x, filled<T>({4, 6}, plus(number<T>(7), number<T>(7)))) == "");
    CHECK(difference(y, other) == "");
    CHECK(difference(handle, start) == "");

    // Writing through: every handle and view sees it.
    x = handle;
    gnp::host_array<T> expected = start;
    x(slice(1, 3), slice(gnp::none, gnp::none, 2)) = y(slice(1, 3), slice(gnp::none, gnp::none, 2));
    for (index_t i = 1; i < 3; ++i) {
      for (index_t j = 0; j < 6; j += 2) expected[i * 6 + j] = number<T>(7);
    }
    CHECK(difference(handle, expected) == "");
    CHECK(difference(x, expected) == "");

    x += y;
    for (T& v : expected) v = plus(v, number<T>(7));
    CHECK(difference(handle, expected) == "");

    x(0) = 5;
    x[1](2) = 1;
    for (index_t j = 0; j < 6; ++j) expected[j] = static_cast<T>(5.0F);
    expected[8] = static_cast<T>(1.0F);
    CHECK(difference(handle, expected) == "");

    x.T()(slice(4, gnp::none)) = number<T>(3);  // the last two columns
    for (index_t i = 0; i < 4; ++i) expected[i * 6 + 4] = expected[i * 6 + 5] = number<T>(3);
    CHECK(difference(handle, expected) == "");

    gnp::flip(x, 1)(2) = gnp::asarray(counted<T>({6}));
    for (index_t j = 0; j < 6; ++j) expected[2 * 6 + 5 - j] = number<T>(j);
    CHECK(difference(handle, expected) == "");

    x.reshape(24)(slice(3, 8)) = number<T>(4);
    for (index_t i = 3; i < 8; ++i) expected[i] = number<T>(4);
    CHECK(difference(handle, expected) == "");
    gnp::host_array<T> row(shape_t{6});
    std::copy(expected.begin() + 6, expected.begin() + 12, row.begin());
    CHECK(difference(view, row) == "");  // the view from before everything

    // Overlapping: as if the right side had been computed first.
    gnp::host_array<T> before = expected;
    x(gnp::all, slice(1, gnp::none)) += x(gnp::all, slice(gnp::none, -1));
    for (index_t i = 0; i < 4; ++i) {
      for (index_t j = 1; j < 6; ++j) expected[i * 6 + j] = plus(before[i * 6 + j], before[i * 6 + j - 1]);
    }
    CHECK(difference(handle, expected) == "");

    x.fill(number<T>(1));
    CHECK(difference(handle, filled<T>({4, 6}, number<T>(1))) == "");
    CHECK(difference(view, filled<T>({6}, number<T>(1))) == "");
  });
}

TEST_CASE("assignment: copying an array shares, copy() does not") {
  for_each_device([](gnp::device) {
    gnp::array<float> a = gnp::asarray(counted<float>({3, 4}));
    gnp::array<float> shared = a;
    gnp::array<float> also_shared(shared);
    gnp::array<float> copied = a.copy();
    gnp::array<float> copied_too = gnp::copy(a);
    gnp::array<float> of_view = a.T().copy();
    CHECK(shared.data() == a.data());
    CHECK(also_shared.data() == a.data());
    CHECK(copied.data() != a.data());
    CHECK(of_view.is_contiguous());
    a(0, 0) = 50;
    CHECK(shared.item(0, 0) == 50);
    CHECK(also_shared.item(0, 0) == 50);
    CHECK(copied.item(0, 0) == 0);
    CHECK(copied_too.item(0, 0) == 0);
    CHECK(of_view.item(0, 0) == 0);
    CHECK(of_view.item(3, 2) == 11);
    CHECK(of_view.item(1, 0) == 1);
    copied(1, 1) = 60;
    CHECK(a.item(1, 1) == 5);

    gnp::array<float> moved = std::move(shared);
    moved(2, 3) = 70;
    CHECK(a.item(2, 3) == 70);

    a = gnp::array<float>(a);  // itself
    a(gnp::ellipsis) = a;
    CHECK(a.item(2, 3) == 70);
    CHECK(also_shared.data() == a.data());
    // eval() and asarray() of an array are the array.
    CHECK(a.eval().data() == a.data());
    CHECK(gnp::asarray(a).data() == a.data());
    CHECK((a + 0).eval().data() != a.data());
  });
}

TEST_CASE("assignment: reshape, ravel, squeeze and expand_dims write through where they are views") {
  for_each_device([](gnp::device) {
    gnp::array<int> a = gnp::asarray(counted<int>({2, 1, 6}));
    gnp::host_array<int> expected = counted<int>({2, 1, 6});
    const auto write = [&](const gnp::array<int>& view, index_t position, index_t in_base) {
      view.ravel()(position) = 1000 + static_cast<int>(position);
      if (in_base >= 0) expected[in_base] = 1000 + static_cast<int>(position);
      CHECK(difference(a, expected) == "");
    };
    write(a.reshape(3, 4), 5, 5);
    write(a.ravel(), 7, 7);
    write(a.squeeze(), 1, 1);
    write(gnp::expand_dims(a, 0), 2, 2);
    write(a(gnp::newaxis, 1), 3, 9);
    write(gnp::moveaxis(a, 1, 0), 10, 10);
    // These cannot be views; what is written goes to the copy.
    write(a.squeeze().T().ravel(), 3, -1);
    write(a.squeeze().T().reshape(4, 3), 3, -1);
    write(a.flatten(), 0, -1);
  });
}

TEST_CASE("assignment: what is written takes the destination's type") {
  for_each_device([](gnp::device) {
    const std::vector<double> numbers = {0.0, 1.0, 2.7, -2.7, 100.5, -0.5, 0.25, 3.0};
    const auto converts = [&]<class To, class From>(To, From, const std::vector<double>& of,
                                                    const auto& plain) {
      gnp::host_array<From> source(shape_t{static_cast<index_t>(of.size())});
      gnp::host_array<To> expected(source.shape());
      for (index_t i = 0; i < source.size(); ++i) {
        source[i] = static_cast<From>(of[static_cast<std::size_t>(i)]);
        expected[i] = plain(source[i]);
      }
      const gnp::array<From> from = gnp::asarray(source);
      gnp::array<To> to = gnp::zeros<To>(source.shape());
      const gnp::array<To> handle = to;
      to(gnp::all) = from;
      CHECK(difference(handle, expected) == "");
      to.fill(To());
      to.assign(from);
      CHECK(difference(handle, expected) == "");
      to.fill(To());
      gnp::flip(to)(gnp::all) = gnp::flip(from);
      CHECK(difference(handle, expected) == "");
      to.fill(To());
      gnp::copyto(to, from + From());
      CHECK(difference(handle, expected) == "");
    };
    const auto cast = []<class To>(To) { return [](auto v) { return static_cast<To>(v); }; };
    converts(std::int32_t(), double(), numbers, cast(std::int32_t()));
    converts(float(), std::int64_t(), {0, 1, -5, 16777217, 123456789}, cast(float()));
    converts(gnp::half(0.0F), float(), numbers, [](float v) { return gnp::half(v); });
    converts(double(), gnp::half(0.0F), numbers, [](gnp::half v) { return static_cast<double>(v); });
    converts(std::int16_t(), bool(), {0, 1, 1, 0, 1}, [](bool v) { return std::int16_t{v}; });
    converts(bool(), float(), numbers, [](float v) { return v != 0.0F; });
    converts(std::uint8_t(), std::int32_t(), {0, 255, 256, -1, 1000, -129}, cast(std::uint8_t()));
    converts(gnp::complex64(), double(), numbers,
             [](double v) { return gnp::complex64(static_cast<float>(v), 0.0F); });
  });
}

TEST_CASE("assignment: in place within a kind converts back to the array's type") {
  for_each_device([](gnp::device) {
    gnp::array<float> x = gnp::asarray(counted<float>({50}));
    const gnp::array<float> handle = x;
    const gnp::array<double> y = gnp::full<double>({50}, 0.1);
    x += y;
    gnp::host_array<float> expected(shape_t{50});
    for (index_t i = 0; i < 50; ++i) expected[i] = static_cast<float>(static_cast<double>(i) + 0.1);
    CHECK(difference(handle, expected) == "");
    x *= 2.0;  // a scalar is weak: computed in float
    for (float& v : expected) v = v * 2.0F;
    CHECK(difference(handle, expected) == "");
    x -= gnp::full<std::int8_t>({50}, 3);
    for (float& v : expected) v = v - 3.0F;
    CHECK(difference(handle, expected) == "");
    x /= 4;
    for (float& v : expected) v = v / 4.0F;
    CHECK(difference(handle, expected) == "");

    gnp::array<std::int8_t> small = gnp::asarray(counted<std::int8_t>({50}));
    gnp::host_array<std::int8_t> wrapped = counted<std::int8_t>({50});
    small += gnp::full<std::int64_t>({50}, 200);
    for (std::int8_t& v : wrapped) v = static_cast<std::int8_t>(v + 200);
    CHECK(difference(small, wrapped) == "");
  });
}

TEST_CASE("assignment: every in-place operator") {
  for_each_device([](gnp::device) {
    const gnp::host_array<int> a = counted<int>({40});
    gnp::host_array<int> b(shape_t{40});
    for (index_t i = 0; i < 40; ++i) b[i] = static_cast<int>(i % 5) + 1;
    const gnp::array<int> right = gnp::asarray(b);
    const auto holds = [&](const auto& in_place, const auto& plain) {
      gnp::host_array<int> expected(shape_t{40});
      for (index_t i = 0; i < 40; ++i) expected[i] = plain(a[i], b[i]);
      gnp::array<int> x = gnp::asarray(a);
      const gnp::array<int> handle = x;
      in_place(x);
      CHECK(x.data() == handle.data());
      CHECK(difference(handle, expected) == "");
      const gnp::array<int> y = gnp::asarray(a);
      in_place(y(slice(gnp::none, gnp::none, 1)));  // an unnamed view
      CHECK(difference(y, expected) == "");
    };
    holds([&](auto&& x) { std::forward<decltype(x)>(x) += right; }, [](int p, int q) { return p + q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) -= right; }, [](int p, int q) { return p - q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) *= right; }, [](int p, int q) { return p * q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) %= right; }, [](int p, int q) { return p % q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) &= right; }, [](int p, int q) { return p & q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) |= right; }, [](int p, int q) { return p | q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) ^= right; }, [](int p, int q) { return p ^ q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) <<= right; }, [](int p, int q) { return p << q; });
    holds([&](auto&& x) { std::forward<decltype(x)>(x) >>= right; }, [](int p, int q) { return p >> q; });
    gnp::array<float> f = gnp::asarray(counted<float>({10}));
    f /= gnp::full<float>({10}, 8.0F);
    gnp::host_array<float> expected(shape_t{10});
    for (index_t i = 0; i < 10; ++i) expected[i] = static_cast<float>(i) / 8.0F;
    CHECK(difference(f, expected) == "");
  });
}

TEST_CASE("assignment: the source is broadcast into the destination") {
  for_each_device([](gnp::device) {
    const auto into = [](const shape_t& destination, const shape_t& source, const auto& make) {
      INFO(gnp::to_string(source) << " into " << gnp::to_string(destination));
      const gnp::host_array<int> values = counted<int>(source);
      gnp::array<int> x = gnp::full<int>(destination, -1);
      x(gnp::ellipsis) = make(gnp::asarray(values));
      gnp::host_array<int> expected(destination);
      for (index_t i = 0; i < expected.size(); ++i) {
        // Position i of the destination, axis by axis from the last, is this position of the source.
        index_t rest = i;
        index_t from = 0;
        index_t step = 1;
        for (int d = 1; d <= destination.rank(); ++d) {
          const index_t size = destination[static_cast<std::size_t>(destination.rank() - d)];
          const index_t at = rest % size;
          rest /= size;
          if (d > source.rank()) continue;
          const index_t own = source[static_cast<std::size_t>(source.rank() - d)];
          from += (own == 1 ? 0 : at) * step;
          step *= own;
        }
        expected[i] = values[from];
      }
      CHECK(difference(x, expected) == "");
    };
    const auto itself = [](const gnp::array<int>& a) { return a; };
    const auto expression = [](const gnp::array<int>& a) { return a + 0; };
    const std::vector<std::vector<shape_t>> pairs = {
        {{3, 4}, {4}},
        {{3, 4}, {1}},
        {{3, 4}, {}},
        {{3, 4}, {3, 1}},
        {{3, 4}, {1, 4}},
        {{3, 4}, {1, 1}},
        {{2, 3, 4}, {3, 1}},
        {{2, 3, 4}, {2, 1, 4}},
        {{4}, {1, 4}},
        {{4}, {1, 1, 1, 4}},
        {{4}, {1, 1, 1}},
        {{}, {1}},
        {{}, {1, 1}},
        {{}, {}},
        {{3, 4}, {1, 1, 3, 1}},
        {{1, 4}, {1, 1, 1, 4}},
        {{0, 4}, {4}},
        {{0, 4}, {1, 1, 1}},
        {{3, 0}, {0}},
        {{3, 0}, {1, 1, 3, 1}},
        {{0}, {1}},
        {{1}, {}},
        {{1, 1, 1}, {1}},
        {{200, 300}, {300}},
        {{200, 300}, {200, 1}},
        {{70, 50, 40}, {1, 50, 1}},
    };
    for (const auto& pair : pairs) {
      into(pair[0], pair[1], itself);
      into(pair[0], pair[1], expression);
    }
  });
}

TEST_CASE(
    "assignment: a source that does not broadcast into the destination is refused, and nothing is written") {
  for_each_device([](gnp::device) {
    const std::vector<std::vector<shape_t>> pairs = {
        {{3}, {4}}, {{1}, {3}}, {{3, 4}, {3}},       {{4}, {2, 4}}, {{}, {2}},
        {{3}, {0}}, {{1}, {0}}, {{3, 4}, {2, 3, 4}}, {{0}, {3}},    {{4}, {1, 2, 4}},
    };
    for (const auto& pair : pairs) {
      INFO(gnp::to_string(pair[1]) << " into " << gnp::to_string(pair[0]));
      gnp::array<int> x = gnp::full<int>(pair[0], -1);
      const gnp::array<int> source = gnp::full<int>(pair[1], 3);
      const std::string sentence = "assignment: could not broadcast from shape " + gnp::to_string(pair[1]) +
                                   " into shape " + gnp::to_string(pair[0]);
      CHECK_THROWS_AS(x(gnp::ellipsis) = source, gnp::shape_error);
      CHECK_THROWS_WITH(x(gnp::ellipsis) = source, contains(sentence));
      CHECK_THROWS_AS(x(gnp::ellipsis) = source + 1, gnp::shape_error);
      CHECK_THROWS_AS(x.assign(source), gnp::shape_error);
      CHECK_THROWS_AS(x += source, gnp::shape_error);
      CHECK(difference(x, filled<int>(pair[0], -1)) == "");
    }
  });
}

TEST_CASE("assignment: any two slices of one array, whichever way they overlap") {
  for_each_device([](gnp::device d) {
    const index_t n = 24;
    const gnp::host_array<int> start = counted<int>({n});
    int pairs = 0;
    for (const index_t to_step : {-3, -2, -1, 1, 2, 3}) {
      for (const index_t from_step : {-3, -2, -1, 1, 2, 3}) {
        for (const index_t shift : {0, 1, 2, 5}) {
          if (d.is_cuda() && shift == 5) continue;
          const index_t count = 6;
          // The lowest positions are `shift` apart.
          const index_t to = to_step > 0 ? shift : shift - to_step * (count - 1);
          const index_t from = from_step > 0 ? 1 : 1 - from_step * (count - 1);
          const auto taken = [&](index_t first, index_t step) {
            const index_t stop = first + step * count;
            return stop < 0 ? slice(first, gnp::none, step) : slice(first, stop, step);
          };
          gnp::array<int> x = gnp::asarray(start);
          gnp::host_array<int> expected = start;
          x(taken(to, to_step)) = x(taken(from, from_step));
          for (index_t i = 0; i < count; ++i) expected[to + i * to_step] = start[from + i * from_step];
          INFO("from " << from << " by " << from_step << " to " << to << " by " << to_step);
          CHECK(difference(x, expected) == "");

          x = gnp::asarray(start);
          expected = start;
          x(taken(to, to_step)) += x(taken(from, from_step)) * 100;
          for (index_t i = 0; i < count; ++i) expected[to + i * to_step] += 100 * start[from + i * from_step];
          CHECK(difference(x, expected) == "");
          ++pairs;
        }
      }
    }
    CHECK(pairs >= 108);
  });
}

TEST_CASE("assignment: a number must fit the integers it is assigned to, its fraction goes") {
  for_each_device([](gnp::device) {
    gnp::array<int> x = gnp::arange<int>(4);
    gnp::array<std::uint8_t> bytes = gnp::zeros<std::uint8_t>({3});
    CHECK_THROWS_WITH(x(0) = gnp::nan, "assignment: the number nan is out of bounds for int32");
    CHECK_THROWS_AS(x(x > 1) = gnp::inf, gnp::dtype_error);
    CHECK_THROWS_AS(x({1, 2}) = 1e30, gnp::dtype_error);
    CHECK_THROWS_AS(x.fill(gnp::nan), gnp::dtype_error);
    CHECK_THROWS_AS(bytes.fill(300.0), gnp::dtype_error);
    CHECK_THROWS_AS(bytes(gnp::ellipsis) = -1.0F, gnp::dtype_error);
    CHECK_THROWS_AS(gnp::full<int>({2}, gnp::nan), gnp::dtype_error);
    CHECK(difference(x, counted<int>({4})) == "");
    x(0) = 2.75;
    bytes.fill(-0.5);
    CHECK(x.item(0) == 2);
    CHECK(bytes.item(2) == 0);
    gnp::array<bool> truth = gnp::zeros<bool>({2});
    truth.fill(gnp::nan);
    CHECK(truth.item(1));
  });
}

TEST_CASE("assignment: rows, columns and elements of the destination itself are read as they were") {
  for_each_device([](gnp::device) {
    const index_t n = 37, m = 41;
    gnp::host_array<double> start({n, m});
    for (index_t i = 0; i < start.size(); ++i) start[i] = static_cast<double>(i * i % 101) - 50;
    const auto made = [&](const auto& value) {
      gnp::host_array<double> all_values({n, m});
      for (index_t i = 0; i < n; ++i) {
        for (index_t k = 0; k < m; ++k) all_values(i, k) = value(i, k);
      }
      return all_values;
    };
    const auto fresh = [&] { return gnp::array<double>(gnp::asarray(start)); };

    gnp::array<double> x = fresh();
    x -= x(5);
    CHECK(difference(x, made([&](index_t i, index_t k) { return start(i, k) - start(5, k); })) == "");

    x = fresh();
    x(gnp::ellipsis) = x * 2 + x(gnp::all, slice(7, 8));
    CHECK(difference(x, made([&](index_t i, index_t k) { return start(i, k) * 2 + start(i, 7); })) == "");

    x = fresh();  // a row, a column and an element; the row backwards
    x(gnp::ellipsis) = x(3, slice(gnp::none, gnp::none, -1)) - x(gnp::all, slice(m - 1, m)) * x(2, 2) + x;
    CHECK(difference(x, made([&](index_t i, index_t k) {
                       return start(3, m - 1 - k) - start(i, m - 1) * start(2, 2) + start(i, k);
                     })) == "");

    x = fresh();  // as in an elimination: the column ends where the destination begins
    x(slice(1, gnp::none), slice(1, gnp::none)) -= outer(x(slice(1, gnp::none), 0), x(0, slice(1, gnp::none)));
    CHECK(difference(x, made([&](index_t i, index_t k) {
                       return i == 0 || k == 0 ? start(i, k) : start(i, k) - start(i, 0) * start(0, k);
                     })) == "");

    x = fresh();  // the destination is a part, its source a broadcast column of it in another order
    const gnp::array<double> turned = x.T();
    turned(slice(2, 30)) += turned(slice(2, 30), slice(36, gnp::none, -37));
    CHECK(difference(x, made([&](index_t i, index_t k) {
                       return k < 2 || k >= 30 ? start(i, k) : start(i, k) + start(36, k);
                     })) == "");

    // Many threads, or blocks, that all read what some of them write.
    const index_t rows = 1500, columns = 1003;
    gnp::array<float> large = gnp::arange<float>(rows * columns).reshape(rows, columns) % 1009.0F;
    const gnp::host_array<float> before = gnp::asnumpy(large);
    large(gnp::ellipsis) = minimum(large, large(gnp::all, slice(700, 701)) + large(slice(800, 801)));
    gnp::host_array<float> shortest({rows, columns});
    for (index_t i = 0; i < rows; ++i) {
      for (index_t k = 0; k < columns; ++k) {
        shortest(i, k) = std::min(before(i, k), before(i, 700) + before(800, k));
      }
    }
    CHECK(difference(large, shortest) == "");
  });
}

TEST_CASE("assignment: long overlapping slices, over many buffers and threads") {
  for_each_device([](gnp::device) {
    for (const index_t n : {index_t{1500}, index_t{300001}}) {
      const gnp::host_array<double> start = [n] {
        gnp::host_array<double> values(shape_t{n});
        for (index_t i = 0; i < n; ++i) values[i] = static_cast<double>(i * 7 % 1000003);
        return values;
      }();
      gnp::host_array<double> expected = start;
      gnp::array<double> x = gnp::asarray(start);
      x(slice(1, gnp::none)) = x(slice(gnp::none, -1));
      for (index_t i = 1; i < n; ++i) expected[i] = start[i - 1];
      CHECK(difference(x, expected) == "");

      x = gnp::asarray(start);
      expected = start;
      x(slice(gnp::none, -1)) = x(slice(1, gnp::none));
      for (index_t i = 0; i + 1 < n; ++i) expected[i] = start[i + 1];
      CHECK(difference(x, expected) == "");

      x = gnp::asarray(start);
      x(gnp::all) = x(slice(gnp::none, gnp::none, -1));
      for (index_t i = 0; i < n; ++i) expected[i] = start[n - 1 - i];
      CHECK(difference(x, expected) == "");

      x = gnp::asarray(start);
      x += gnp::flip(x);
      for (index_t i = 0; i < n; ++i) expected[i] = start[i] + start[n - 1 - i];
      CHECK(difference(x, expected) == "");

      x = gnp::asarray(start);
      expected = start;
      x(slice(gnp::none, n / 2 * 2, 2)) = x(slice(gnp::none, n / 2));
      for (index_t i = 0; i < n / 2; ++i) expected[2 * i] = start[i];
      CHECK(difference(x, expected) == "");

      // Another type in between does not hide the overlap.
      x = gnp::asarray(start);
      expected = start;
      x(slice(1, gnp::none)) = x(slice(gnp::none, -1)).astype<float>();
      for (index_t i = 1; i < n; ++i) expected[i] = static_cast<double>(static_cast<float>(start[i - 1]));
      CHECK(difference(x, expected) == "");
    }
  });
}

TEST_CASE("assignment: a square array and its transpose") {
  for_each_device([](gnp::device) {
    for (const index_t n : {index_t{1}, index_t{2}, index_t{5}, index_t{33}, index_t{257}}) {
      INFO(n << " by " << n);
      gnp::host_array<float> start(shape_t{n, n});
      for (index_t i = 0; i < n * n; ++i) start[i] = static_cast<float>(i);
      gnp::host_array<float> transposed(shape_t{n, n});
      gnp::host_array<float> sum(shape_t{n, n});
      gnp::host_array<float> turned(shape_t{n, n});
      for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) {
          transposed[i * n + j] = start[j * n + i];
          sum[i * n + j] = start[i * n + j] + start[j * n + i];
          turned[i * n + j] = start[(n - 1 - i) * n + j];
        }
      }
      gnp::array<float> x = gnp::asarray(start);
      const gnp::array<float> other = x;
      x(gnp::ellipsis) = x.T();
      CHECK(difference(other, transposed) == "");
      x = gnp::asarray(start);
      x += x.T();
      CHECK(difference(x, sum) == "");
      x = gnp::asarray(start);
      x.T() += x;
      CHECK(difference(x, sum) == "");
      x = gnp::asarray(start);
      x(gnp::ellipsis) = gnp::flip(x, 0);
      CHECK(difference(x, turned) == "");
      x = gnp::asarray(start);
      x = x.T();  // rebinding: the same memory, seen otherwise
      CHECK(difference(x, transposed) == "");
      x(gnp::ellipsis) = x;
      CHECK(difference(x, transposed) == "");
    }
    // One row onto all rows, which it is one of; and a column.
    gnp::array<float> x = gnp::asarray(counted<float>({9, 9}));
    gnp::host_array<float> expected = counted<float>({9, 9});
    x(gnp::ellipsis) = x(4);
    for (index_t i = 0; i < 81; ++i) expected[i] = static_cast<float>(36 + i % 9);
    CHECK(difference(x, expected) == "");
    x = gnp::asarray(counted<float>({9, 9}));
    x -= x(gnp::all, slice(4, 5));
    for (index_t i = 0; i < 81; ++i) expected[i] = static_cast<float>(i % 9 - 4);
    CHECK(difference(x, expected) == "");
    // A block over its neighbour, both ways.
    x = gnp::asarray(counted<float>({9, 9}));
    const gnp::host_array<float> start = counted<float>({9, 9});
    x(slice(1, 8), slice(2, 9)) = x(slice(0, 7), slice(1, 8));
    expected = start;
    for (index_t i = 1; i < 8; ++i) {
      for (index_t j = 2; j < 9; ++j) expected[i * 9 + j] = start[(i - 1) * 9 + j - 1];
    }
    CHECK(difference(x, expected) == "");
    x(gnp::ellipsis) = gnp::asarray(start);
    x(slice(0, 7), slice(1, 8)) = x(slice(1, 8), slice(2, 9)).T();
    expected = start;
    for (index_t i = 0; i < 7; ++i) {
      for (index_t j = 1; j < 8; ++j) expected[i * 9 + j] = start[j * 9 + i + 2];
    }
    CHECK(difference(x, expected) == "");
  });
}

TEST_CASE("assignment: arrays of other storage over the same memory overlap, too") {
  for_each_device([](gnp::device d) {
    const index_t n = 5000;
    gnp::host_array<std::int32_t> start(shape_t{2 * n});
    for (index_t i = 0; i < 2 * n; ++i) start[i] = static_cast<std::int32_t>(i);
    const gnp::array<std::int32_t> base = gnp::asarray(start);
    const gnp::array<std::int32_t> later = gnp::from_pointer(base.data() + 3, {2 * n - 3}, d);
    later(gnp::all) = base(slice(gnp::none, -3));
    gnp::host_array<std::int32_t> expected = start;
    for (index_t i = 3; i < 2 * n; ++i) expected[i] = start[i - 3];
    CHECK(difference(base, expected) == "");

    // Elements twice as wide: writing one destroys two that are still to be read.
    base(gnp::all) = gnp::asarray(start);
    const auto wide = gnp::from_pointer(reinterpret_cast<std::int64_t*>(base.data()), {n}, d);
    wide(gnp::all) = base(slice(gnp::none, n));
    gnp::host_array<std::int64_t> widened(shape_t{n});
    for (index_t i = 0; i < n; ++i) widened[i] = start[i];
    CHECK(difference(wide, widened) == "");
  });
}

TEST_CASE("assignment: a broadcast view cannot be written") {
  for_each_device([](gnp::device) {
    gnp::array<float> x = gnp::asarray(counted<float>({4}));
    gnp::array<float> rows = gnp::broadcast_to(x, {3, 4});
    const std::string sentence = "the destination is a broadcast view of shape (3, 4) and cannot be written";
    CHECK_THROWS_AS(rows(gnp::ellipsis) = 1, gnp::shape_error);
    CHECK_THROWS_WITH(rows(gnp::ellipsis) = 1, contains("assignment: " + sentence));
    CHECK_THROWS_WITH(rows(gnp::ellipsis) = rows + 1, contains("assignment: " + sentence));
    CHECK_THROWS_WITH(rows.fill(1), contains("fill: " + sentence));
    CHECK_THROWS_WITH(rows += 1, contains("add: " + sentence));
    CHECK_THROWS_WITH(rows.assign(x), contains("assign: " + sentence));
    CHECK_THROWS_WITH(gnp::copyto(rows, x), contains(sentence));
    CHECK_THROWS_AS(rows.T()(0) = 1, gnp::shape_error);
    CHECK(difference(x, counted<float>({4})) == "");
    // Nor can a part of it, which would change the other rows, too.
    const auto part_of = [](const char* shape) {
      return contains("assignment: the destination, of shape " + std::string(shape) +
                      ", is for reading only (its elements are repeated elsewhere, or ");
    };
    CHECK(rows.is_read_only());
    CHECK_THROWS_WITH(rows(1, slice(2, gnp::none)) = 9, part_of("(2,)"));
    CHECK_THROWS_WITH(rows(0) = x * 2, part_of("(4,)"));
    CHECK_THROWS_WITH(gnp::broadcast_to(x, {4})(0) = 1, part_of("()"));
    CHECK_THROWS_WITH(rows(0).reshape(2, 2)(0) = 1, part_of("(2,)"));
    gnp::array<float> moved = rows(0);
    gnp::array<float> again = std::move(moved);
    CHECK(again.is_read_only());
    CHECK_FALSE(moved.is_read_only());  // NOLINT: an empty array
    for (auto row : rows) CHECK_THROWS_AS(row.fill(1), gnp::shape_error);
    const auto [columns, lines] = gnp::meshgrid(x, x);
    CHECK_THROWS_WITH(columns(0) = 5, part_of("(4,)"));
    CHECK_THROWS_WITH(lines(gnp::all, 0) = 5, part_of("(4,)"));
    CHECK_THROWS_WITH(gnp::sliding_window_view(x, {3})(0) = 5, part_of("(3,)"));
    CHECK(difference(x, counted<float>({4})) == "");
    gnp::array<float> copied = rows.copy();
    CHECK_FALSE(copied.is_read_only());
    copied(gnp::ellipsis) = 7;
    CHECK(difference(copied, filled<float>({3, 4}, 7)) == "");
    CHECK(x.item(0) == 0);
    rows = rows + 1;  // the name is rebound to an array of its own
    rows.fill(3);
    CHECK(x.item(0) == 0);
  });
}

namespace {

auto sum_of_locals() {
  const gnp::array<float> a = gnp::full<float>({1000}, 2.0F);
  const gnp::array<float> b = gnp::asarray(counted<float>({1000}));
  const float factor = 3;
  return a + b(slice(gnp::none, gnp::none, -1)) * factor;
}

}  // namespace

TEST_CASE("assignment: expressions are kept and evaluated later") {
  for_each_device([](gnp::device) {
    const auto e = sum_of_locals();
    CHECK(e.shape() == shape_t{1000});
    {  // Memory that went out of scope would be used again by these.
      gnp::array<float> dirt = gnp::full<float>({1000}, -1.0F);
      gnp::array<float> more = gnp::full<float>({1000}, -2.0F);
      CHECK((dirt + more).item(3) == -3);
    }
    gnp::host_array<float> expected(shape_t{1000});
    for (index_t i = 0; i < 1000; ++i) expected[i] = 2.0F + static_cast<float>((999 - i) % 100) * 3.0F;
    const gnp::array<float> first = e;
    const gnp::array<float> second = e.eval();
    CHECK(difference(first, expected) == "");
    CHECK(difference(second, expected) == "");
    CHECK(first.data() != second.data());
    const auto function = std::function<gnp::array<float>()>([e] { return (e * 2).eval(); });
    for (float& v : expected) v = 2 * v;
    CHECK(difference(function(), expected) == "");

    // It is computed when asked for: it sees what was written since, but not that a name was rebound.
    gnp::array<int> a = gnp::full<int>({3}, 1);
    const auto later = a + 10;
    a.fill(2);
    CHECK(difference(later.eval(), filled<int>({3}, 12)) == "");
    a = gnp::full<int>({3}, 100);
    CHECK(difference(later.eval(), filled<int>({3}, 12)) == "");
    auto copy_of_later = later;
    CHECK(copy_of_later.item(2) == 12);
    gnp::array<int> target = gnp::zeros<int>({3});
    target(gnp::all) = later;
    CHECK(difference(target, filled<int>({3}, 12)) == "");
  });
}

TEST_CASE("assignment: empty arrays") {
  for_each_device([](gnp::device) {
    gnp::array<float> x = gnp::asarray(counted<float>({3, 4}));
    x(slice(2, 2)) = 5;
    x(slice(2, 2)) = gnp::ones<float>({4});
    x(gnp::all, slice(4, gnp::none)) = x(gnp::all, slice(0, 0));
    x(slice(3, gnp::none)) += 1;
    x(slice(0, 0)).fill(9);
    CHECK(difference(x, counted<float>({3, 4})) == "");
    gnp::array<float> none;
    CHECK(none.shape() == shape_t{0});
    none += 1;
    none(gnp::all) = none;
    CHECK(none.size() == 0);
    const gnp::array<float> e = gnp::zeros<float>({0, 3}) + gnp::ones<float>({3});
    CHECK(e.shape() == shape_t{0, 3});
    const gnp::array<float> f = gnp::zeros<float>({2, 0, 1}) * gnp::ones<float>({5});
    CHECK(f.shape() == shape_t{2, 0, 5});
    CHECK(f.T().copy().shape() == shape_t{5, 0, 2});
    CHECK(gnp::asnumpy(f).size() == 0);
    x = gnp::zeros<float>({0, 7});
    CHECK(x.reshape(7, 0).shape() == shape_t{7, 0});
    CHECK(x.astype<int>().eval().shape() == shape_t{0, 7});
  });
}

TEST_CASE("assignment: rank 0 and axes of size 1") {
  for_each_device([](gnp::device) {
    gnp::array<double> scalar = gnp::full<double>({}, 2.5);
    const gnp::array<double> handle = scalar;
    scalar() = 4;
    CHECK(handle.item() == 4);
    scalar(gnp::ellipsis) = scalar * scalar;
    CHECK(handle.item() == 16);
    scalar += 1;
    CHECK(static_cast<double>(handle) == 17);
    const gnp::array<double> sum = scalar + handle;
    CHECK(sum.shape() == shape_t{});
    CHECK(sum.item() == 34);
    gnp::array<double> x = gnp::asarray(counted<double>({2, 3}));
    x(1, 2) = scalar;
    CHECK(x.item(1, 2) == 17);
    x(0, 0) += scalar;
    CHECK(x.item(0, 0) == 17);
    x(gnp::ellipsis) = scalar;
    CHECK(difference(x, filled<double>({2, 3}, 17)) == "");

    gnp::array<double> ones = gnp::asarray(counted<double>({1, 5, 1, 2, 1}));
    ones.T() += ones.T();
    gnp::host_array<double> expected = counted<double>({1, 5, 1, 2, 1});
    for (double& v : expected) v *= 2;
    CHECK(difference(ones, expected) == "");
    ones(gnp::all, slice(gnp::none, gnp::none, -1)) = ones;
    for (index_t i = 0; i < 10; ++i) expected[i] = static_cast<double>(2 * ((4 - i / 2) * 2 + i % 2));
    CHECK(difference(ones, expected) == "");
    gnp::array<double> one = gnp::full<double>({1, 1, 1}, 3.0);
    one(slice(gnp::none, gnp::none, -1)) += one.T();
    CHECK(one.item() == 6);
  });
}

TEST_CASE("assignment: sixteen dimensions") {
  for_each_device([](gnp::device) {
    const shape_t shape = {2, 1, 2, 1, 2, 3, 1, 2, 2, 1, 2, 1, 2, 1, 2, 2};
    const gnp::host_array<int> start = [&] {
      gnp::host_array<int> values(shape);
      for (index_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
      return values;
    }();
    index_t strides[16];
    index_t step = 1;
    for (std::size_t d = 16; d-- > 0;) {
      strides[d] = step;
      step *= shape[d];
    }
    // Where element i of an array of the reversed shape is in the row-major array.
    const auto reversed = [&](index_t i) {
      index_t position = 0;
      for (std::size_t d = 0; d < 16; ++d) {  // the last axis of the transpose is axis 0
        position += i % shape[d] * strides[d];
        i /= shape[d];
      }
      return position;
    };
    gnp::array<int> x = gnp::asarray(start);
    CHECK(x.ndim() == 16);
    const gnp::array<int> turned = x.T().copy();
    gnp::host_array<int> expected(turned.shape());
    for (index_t i = 0; i < expected.size(); ++i) expected[i] = start[reversed(i)];
    CHECK(difference(turned, expected) == "");

    const gnp::array<int> target = gnp::zeros<int>(shape);
    gnp::flip(target.T())(gnp::ellipsis) = gnp::flip(turned) + 1;
    gnp::host_array<int> plus_one = start;
    for (int& v : plus_one) ++v;
    CHECK(difference(target, plus_one) == "");

    x(gnp::ellipsis, slice(gnp::none, gnp::none, -1)) = x;  // reversed onto itself along the last axis
    gnp::host_array<int> swapped = start;
    for (index_t i = 0; i < swapped.size(); ++i) swapped[i] = start[i ^ 1];
    CHECK(difference(x, swapped) == "");
    const gnp::array<int> sum = x + gnp::full<int>({2, 1}, 5);
    for (int& v : swapped) v += 5;
    CHECK(difference(sum, swapped) == "");
  });
}

TEST_CASE("an array that was moved from is empty and usable") {
  for_each_device([](gnp::device device) {
    static_assert(std::is_nothrow_move_constructible_v<gnp::array<double>>);
    static_assert(std::is_nothrow_move_assignable_v<gnp::array<double>>);
    const auto is_empty = [device](const gnp::array<double>& a) {
      std::ostringstream text;
      text << a << a + 1;
      return a.shape() == shape_t{0} && a.size() == 0 && a.data() == nullptr && a.strides() == shape_t{8} &&
             a.device() == device && text.str() == "[][]" && a.sum().item() == 0;
    };
    gnp::array<double> a = gnp::arange<double>(6).reshape(2, 3);
    const double* data = a.data();
    gnp::array<double> b = std::move(a);
    CHECK(is_empty(a));
    CHECK(b.data() == data);
    gnp::array<double> c;
    CHECK(is_empty(c));
    c = std::move(b);
    CHECK(is_empty(b));
    CHECK(c.data() == data);
    CHECK(c.shape() == shape_t{2, 3});
    gnp::array<double>& same = c;
    c = std::move(same);  // to itself: nothing happens
    CHECK(c.data() == data);
    b = c + 1;  // and a name that was moved from may be used again
    CHECK(b.sum().item() == 21);

    // An expression and a product go with their arrays.
    auto e = c * 2 + gnp::ones<double>({3});
    const auto kept = std::move(e);
    CHECK(e.eval().shape() == shape_t{0});
    CHECK(kept.sum().item() == 36);
    auto p = gnp::matmul(c, c.T());
    const auto product = std::move(p);
    CHECK(p.eval().shape() == shape_t{0});
    CHECK(product.sum().item() == 83);
  });
}
