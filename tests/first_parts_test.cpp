// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Parts of expressions that a GPU computes first, against loops: those with far fewer elements than the whole,
// and arrays that lie across the others.
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::newaxis;
using gnp::slice;

constexpr int many_roots = 20;

/// Many roots, each of which is rounded correctly: enough work to be done first for a million elements.
template <int Count = many_roots, class X>
auto roots_of(const X& x) {
  if constexpr (Count == 0) {
    return x;
  } else {
    return gnp::sqrt(roots_of<Count - 1>(x) + 1);
  }
}
template <class T>
T root_of(T x) {
  static std::unordered_map<T, T> known;
  const auto [at, is_new] = known.try_emplace(x, x);
  for (int i = 0; is_new && i < many_roots; ++i) at->second = std::sqrt(at->second + 1);
  return at->second;
}

template <class T>
T number(index_t i) {
  return static_cast<T>((i * 37) % 1009) / 8;
}
template <class T>
array<T> row_numbers(const gnp::shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host[i] = number<T>(i);
  return gnp::asarray(host);
}

template <class T, class F>
void expect_all(const array<T>& result, const F& expected) {
  const auto host = gnp::asnumpy(result);
  index_t wrong = 0;
  for (index_t i = 0; i < host.size(); ++i) wrong += host[i] == expected(i) ? 0 : 1;
  CHECK(wrong == 0);
}

constexpr index_t columns = 1028;
/// Few on the CPU, which has nothing of this kind.
index_t rows_on(gnp::device where) { return where.is_cpu() ? 37 : 1031; }

template <class X>
bool takes_parts(const X& x) {
  return gnp::explain(x).find("which many elements share") != std::string::npos;
}

}  // namespace

TEST_CASE("first parts: of rows, columns, both and neither") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<float>({rows, columns});
    const auto row = row_numbers<float>({columns});
    const auto column = row_numbers<float>({rows, 1});
    CHECK(takes_parts(x * roots_of(row)) == !where.is_cpu());
    CHECK_FALSE(takes_parts(x * roots_of(x)));
    CHECK_FALSE(takes_parts(x(slice(0, 4)) * roots_of(row)));
    const auto of_row = [](index_t i) { return root_of(number<float>(i % columns)); };
    const auto of_column = [](index_t i) { return root_of(number<float>(i / columns)); };
    const array<float> by_row = x * roots_of(row);
    expect_all(by_row, [&](index_t i) { return number<float>(i) * of_row(i); });
    const array<float> by_column = roots_of(column) - x;
    expect_all(by_column, [&](index_t i) { return of_column(i) - number<float>(i); });
    // Twice the same part, one of other numbers, and one that is the whole result.
    const array<float> more = roots_of(row) * roots_of(row) + roots_of(column * 2) * roots_of(row * 3) + 5;
    expect_all(more, [&](index_t i) {
      return of_row(i) * of_row(i) +
             root_of(number<float>(i / columns) * 2) * root_of(number<float>(i % columns) * 3) + 5;
    });
    array<float> all_rows = gnp::empty<float>({rows, columns});
    all_rows = roots_of(row);
    expect_all(all_rows, of_row);
    const array<float> chosen = gnp::where(x < 50, roots_of(row), roots_of(column));
    expect_all(chosen, [&](index_t i) { return number<float>(i) < 50 ? of_row(i) : of_column(i); });
  });
}

TEST_CASE("first parts: types, positions, and operands in other layouts") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<double>({rows, columns});
    const auto row = row_numbers<double>({columns});
    const array<double> backwards = x.transpose() * roots_of(gnp::flip(row)(all, newaxis));
    expect_all(backwards, [&](index_t i) {
      return number<double>(i % rows * columns + i / rows) * root_of(number<double>(columns - 1 - i / rows));
    });
    const auto places = gnp::arange<double>(columns);
    const array<double> of_places = x + roots_of(places);
    expect_all(of_places,
               [](index_t i) { return number<double>(i) + root_of(static_cast<double>(i % columns)); });
    const auto every_other = row_numbers<double>({2 * columns})(slice(gnp::none, gnp::none, 2));
    const array<double> apart = x * roots_of(every_other);
    expect_all(apart, [](index_t i) { return number<double>(i) * root_of(number<double>(2 * (i % columns))); });
    const auto halves = row_numbers<float>({columns}).astype<gnp::half>();
    const array<gnp::half> of_halves = x.astype<gnp::half>() * roots_of(halves);
    expect_all(of_halves, [](index_t i) {
      gnp::half root = gnp::half(number<float>(i % columns));
      for (int k = 0; k < many_roots; ++k) {
        root = gnp::half(static_cast<float>(root) + 1);
        root = gnp::half(std::sqrt(static_cast<float>(root)));
      }
      return gnp::half(static_cast<float>(gnp::half(number<float>(i))) * static_cast<float>(root));
    });
    // Three axes, of which the part moves along the outer two, and one that is written in place.
    const index_t length = rows;
    auto cube = row_numbers<double>({64, 16, length});
    const auto first = row_numbers<double>({64, 1, 1}), second = row_numbers<double>({16, 1});
    cube *= roots_of(first + second);
    expect_all(cube, [&](index_t i) {
      return number<double>(i) * root_of(number<double>(i / (16 * length)) + number<double>(i / length % 16));
    });
    cube -= roots_of(cube(0, 0));
    const auto host = gnp::asnumpy(cube);
    const auto before = [&](index_t i) {
      return number<double>(i) * root_of(number<double>(i / (16 * length)) + number<double>(i / length % 16));
    };
    index_t wrong = 0;
    for (index_t i = 0; i < host.size(); ++i)
      wrong += host[i] == before(i) - root_of(before(i % length)) ? 0 : 1;
    CHECK(wrong == 0);
  });
}

TEST_CASE("first parts: of several formulas") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<float>({rows, columns});
    const auto row = row_numbers<float>({columns});
    const auto scale = roots_of(row);
    const auto turned = roots_of(row + 1);
    const auto [a, b, c] = gnp::eval(x * scale - turned, (x * turned + scale).astype<double>(), x > scale * 3);
    const auto s = [](index_t i) { return root_of(number<float>(i % columns)); };
    const auto t = [](index_t i) { return root_of(number<float>(i % columns) + 1); };
    expect_all(a, [&](index_t i) { return number<float>(i) * s(i) - t(i); });
    expect_all(b, [&](index_t i) { return static_cast<double>(number<float>(i) * t(i) + s(i)); });
    expect_all(c, [&](index_t i) { return number<float>(i) > s(i) * 3; });
  });
}

TEST_CASE("first parts: in reductions") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<double>({rows, columns});
    const auto row = row_numbers<double>({columns});
    const auto column = row_numbers<double>({rows, 1});
    CHECK(takes_parts(gnp::max(x * roots_of(row), 0)) == !where.is_cpu());
    const auto by_row = [](index_t r, index_t c) {
      return number<double>(r * columns + c) * root_of(number<double>(c));
    };
    const auto by_column = [](index_t r, index_t c) {
      return number<double>(r * columns + c) - root_of(number<double>(r));
    };
    const auto largest = [](index_t count, const auto& value) {
      index_t best = 0;
      for (index_t k = 1; k < count; ++k) best = value(k) > value(best) ? k : best;
      return best;
    };
    const array<double> of_rows = gnp::max(x * roots_of(row), 1);
    expect_all(of_rows, [&](index_t r) {
      const auto value = [&](index_t c) { return by_row(r, c); };
      return value(largest(columns, value));
    });
    const array<index_t> places = gnp::argmax(x - roots_of(column), 0);
    expect_all(places, [&](index_t c) { return largest(rows, [&](index_t r) { return by_column(r, c); }); });
    const auto zeros = gnp::zeros<double>({columns});
    const array<index_t> places_of_rows = gnp::argmax(x * roots_of(row + zeros), 1);
    expect_all(places_of_rows,
               [&](index_t r) { return largest(columns, [&](index_t c) { return by_row(r, c); }); });
    long double total = 0;
    for (index_t i = 0; i < rows * columns; ++i)
      total +=
          static_cast<long double>(by_row(i / columns, i % columns)) + root_of(number<double>(i / columns));
    const double sum = gnp::sum(x * roots_of(row) + roots_of(column));
    CHECK(std::abs(static_cast<double>(sum / total - 1)) < 1e-13);
  });
}

TEST_CASE("first parts: in programs of rows and of columns") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<double>({rows, columns});
    const auto row = row_numbers<double>({columns});
    const auto column = row_numbers<double>({rows, 1});
    const auto value = [](index_t r, index_t c) {
      return number<double>(r * columns + c) * root_of(number<double>(c));
    };
    const auto scaled = x * roots_of(row);
    const auto apart = scaled - gnp::max(scaled, 1, {.keepdims = true});
    CHECK(takes_parts(apart) == !where.is_cpu());
    const array<double> result = apart;
    std::vector<double> most(static_cast<std::size_t>(rows), -1);
    for (index_t i = 0; i < rows * columns; ++i) {
      double& m = most[static_cast<std::size_t>(i / columns)];
      m = std::max(m, value(i / columns, i % columns));
    }
    expect_all(result, [&](index_t i) {
      return value(i / columns, i % columns) - most[static_cast<std::size_t>(i / columns)];
    });
    // What is the same for each row is computed within the row program.
    const array<double> shifted = x * roots_of(column) - gnp::max(x, 1, {.keepdims = true});
    std::vector<double> largest(static_cast<std::size_t>(rows), -1);
    for (index_t i = 0; i < rows * columns; ++i) {
      double& m = largest[static_cast<std::size_t>(i / columns)];
      m = std::max(m, number<double>(i));
    }
    expect_all(shifted, [&](index_t i) {
      return number<double>(i) * root_of(number<double>(i / columns)) -
             largest[static_cast<std::size_t>(i / columns)];
    });
    // Columns.
    const auto moved = x * roots_of(column);
    const array<double> below = gnp::max(moved, 0) - moved;
    std::vector<double> tops(static_cast<std::size_t>(columns), -1);
    const auto by_column = [](index_t i) { return number<double>(i) * root_of(number<double>(i / columns)); };
    for (index_t i = 0; i < rows * columns; ++i) {
      double& m = tops[static_cast<std::size_t>(i % columns)];
      m = std::max(m, by_column(i));
    }
    expect_all(below, [&](index_t i) { return tops[static_cast<std::size_t>(i % columns)] - by_column(i); });
    const array<double> one_each = gnp::max(moved, 0) - gnp::min(moved * 2, 0);
    CHECK(one_each.shape() == gnp::shape_t{columns});
    std::vector<double> least(static_cast<std::size_t>(columns), 1e300);
    for (index_t i = 0; i < rows * columns; ++i) {
      double& m = least[static_cast<std::size_t>(i % columns)];
      m = std::min(m, by_column(i) * 2);
    }
    expect_all(one_each, [&](index_t i) {
      return tops[static_cast<std::size_t>(i)] - least[static_cast<std::size_t>(i)];
    });
  });
}

TEST_CASE("first parts: in a graph") {
  for_each_device([](gnp::device where) {
    const index_t rows = rows_on(where);
    const auto x = row_numbers<float>({rows, columns});
    auto row = row_numbers<float>({columns});
    auto result = gnp::zeros<float>({rows, columns});
    gnp::graph step([&] { result = x * roots_of(row); });
    row = row + 3;
    step();
    expect_all(result, [](index_t i) { return number<float>(i) * root_of(number<float>(i % columns) + 3); });
  });
}

TEST_CASE("first parts: arrays across the others, in reductions and programs of rows") {
  for_each_device([](gnp::device where) {
    const index_t n = where.is_cpu() ? 41 : 1449;  // more than 8 MB
    const auto x = row_numbers<float>({n, n});
    const auto row = row_numbers<float>({n});
    const auto across = x.transpose();
    const auto copies = [](const auto& e) { return gnp::explain(e).find("copies") != std::string::npos; };
    CHECK(copies(gnp::max(x - across, 1)) == !where.is_cpu());
    CHECK_FALSE(copies(gnp::max(across * row, 1)));  // the row is in cache
    const auto at = [n](index_t r, index_t c) { return number<float>(r * n + c); };
    const auto check_rows = [n](const array<float>& result, const auto& value) {
      expect_all(result, [&](index_t r) {
        float most = value(r, 0);
        for (index_t c = 1; c < n; ++c) most = std::max(most, value(r, c));
        return most;
      });
    };
    const auto apart = [&](index_t r, index_t c) { return at(r, c) - at(c, r); };
    const auto turned = [](const auto& value) {
      return [&value](index_t r, index_t c) { return value(c, r); };
    };
    check_rows(gnp::max(x - across, 1), apart);
    check_rows(gnp::max(x - across, 0), turned(apart));
    const auto weighted = [&](index_t r, index_t c) { return at(c, r) * number<float>(c); };
    check_rows(gnp::max(across * row, 1), weighted);
    check_rows(gnp::max(across * row, 0), turned(weighted));
    float widest = 0;
    for (index_t i = 0; i < n * n; ++i) widest = std::max(widest, apart(i / n, i % n));
    CHECK(gnp::max(x - across).item() == widest);
    const array<index_t> places = gnp::argmax(x * across, 1);
    expect_all(places, [&](index_t r) {
      index_t best = 0;
      for (index_t c = 1; c < n; ++c) {
        if (at(r, c) * at(c, r) > at(r, best) * at(best, r)) best = c;
      }
      return best;
    });
    const array<float> below = gnp::max(x, 1, {.keepdims = true}) - across;
    std::vector<float> most(static_cast<std::size_t>(n), -1);
    for (index_t i = 0; i < n * n; ++i)
      most[static_cast<std::size_t>(i / n)] = std::max(most[static_cast<std::size_t>(i / n)], number<float>(i));
    expect_all(below, [&](index_t i) { return most[static_cast<std::size_t>(i / n)] - at(i % n, i / n); });
  });
}
