// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Statements with reductions along different axes: some run first, and rows or columns in one pass after them.
// Against loops on the host, in which every sum is exact.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::none;
using gnp::shape_t;
using gnp::slice;

constexpr gnp::sum_options rows{.axis = 1, .keepdims = true};
constexpr gnp::sum_options columns{.axis = 0, .keepdims = true};

template <class T>
host_array<T> unordered(const shape_t& shape) {
  host_array<T> x(shape);
  for (index_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(static_cast<float>((i * i * 13 + i * 7) % 19 % 8 + 1));
  return x;
}

/// The sums of a matrix.
struct sums {
  std::vector<double> of_rows, of_columns;
  double of_all = 0;
};
sums sums_of(index_t height, index_t width, const std::function<double(index_t, index_t)>& at) {
  sums found{std::vector<double>(static_cast<std::size_t>(height)),
             std::vector<double>(static_cast<std::size_t>(width))};
  for (index_t i = 0; i < height; ++i) {
    for (index_t k = 0; k < width; ++k) {
      found.of_rows[static_cast<std::size_t>(i)] += at(i, k);
      found.of_columns[static_cast<std::size_t>(k)] += at(i, k);
      found.of_all += at(i, k);
    }
  }
  return found;
}

template <class T>
void check_equal(const array<T>& found, const std::function<double(index_t, index_t)>& expected,
                 double tolerance = 0) {
  const host_array<T> host = gnp::asnumpy(found);
  double apart = 0;
  for (index_t i = 0; i < host.size(); ++i) {
    const double wanted = expected(i / host.shape()[1], i % host.shape()[1]);
    apart = std::max(apart, std::abs(static_cast<double>(host[i]) - wanted) / std::max(1.0, std::abs(wanted)));
  }
  CHECK(apart <= tolerance);
}

/// Is the last kernel one of rows, after so many others?
bool has_rows_after(const std::string& told, int others) {
  const std::string last = "kernel " + std::to_string(others + 1) + ": rows of ";
  return told.find(std::to_string(others + 1) + " kernels") == 0 && told.find(last) != std::string::npos;
}

template <class T>
void check_both_sums(gnp::device where, index_t height, index_t width, bool by_columns) {
  INFO(gnp::name(gnp::dtype_of<T>) << ' ' << height << " x " << width << (by_columns ? " by columns" : ""));
  const host_array<T> host = unordered<T>({height, width});
  array<T> x = gnp::asarray(host).to(where);
  if (by_columns) x = array<T>(x.T().copy()).T();
  const auto at = [&](index_t i, index_t k) { return static_cast<double>(host[i * width + k]); };
  const sums of = sums_of(height, width, at);
  const auto row = [&of](index_t i) { return of.of_rows[static_cast<std::size_t>(i)]; };
  const auto column = [&of](index_t k) { return of.of_columns[static_cast<std::size_t>(k)]; };
  const auto both = 3 * x - sum(x, 0) + sum(x, rows);
  check_equal(both.eval(), [&](index_t i, index_t k) { return 3 * at(i, k) - column(k) + row(i); });
  const auto with_all = x + 2 * sum(x * 2, rows) - sum(x, columns) * 3 - sum(x) - sum(x, columns);
  check_equal(with_all.eval(),
              [&](index_t i, index_t k) { return at(i, k) + 4 * row(i) - 4 * column(k) - of.of_all; });
  array<T> in_place = x.copy();
  in_place -= sum(in_place, 0) - max(in_place, rows);
  std::vector<double> largest(static_cast<std::size_t>(height));
  for (index_t i = 0; i < host.size(); ++i) {
    double& most = largest[static_cast<std::size_t>(i / width)];
    most = std::max(most, static_cast<double>(host[i]));
  }
  check_equal(in_place, [&](index_t i, index_t k) {
    return at(i, k) - column(k) + largest[static_cast<std::size_t>(i)];
  });
  if (where.is_cpu()) return;
  CHECK(has_rows_after(gnp::explain(both), 1));
  CHECK(has_rows_after(gnp::explain(with_all), 2));
}

TEST_CASE("sums along both axes in one statement", "[statement]") {
  for_each_device([](gnp::device where) {
    check_both_sums<float>(where, 37, 53, false);
    check_both_sums<float>(where, 24, 130, true);
    check_both_sums<double>(where, 40, 41, false);
    check_both_sums<std::int64_t>(where, 33, 64, false);
    if (is_simulated(where)) return;
    check_both_sums<std::int32_t>(where, 200, 1, false);
    check_both_sums<float>(where, 1, 200, false);
    check_both_sums<float>(where, 300, 5000, false);
    check_both_sums<float>(where, 5000, 300, true);
  });
}

TEST_CASE("rows of what columns have made, and columns of what rows have made", "[statement]") {
  for_each_device([](gnp::device where) {
    const index_t height = 44, width = 71;
    const host_array<double> host = unordered<double>({height, width});
    const array<double> x = gnp::asarray(host).to(where);
    const auto at = [&](index_t i, index_t k) { return host[i * width + k]; };
    const sums of = sums_of(height, width, at);
    const auto by_row = [&](index_t i, index_t k) {
      return at(i, k) / of.of_rows[static_cast<std::size_t>(i)];
    };
    const auto by_column = [&](index_t i, index_t k) {
      return at(i, k) / of.of_columns[static_cast<std::size_t>(k)];
    };
    const sums of_row_shares = sums_of(height, width, by_row),
               of_column_shares = sums_of(height, width, by_column);
    const auto row_shares = x / sum(x, rows), column_shares = x / sum(x, columns);
    const auto columns_last = row_shares / sum(row_shares, columns);
    check_equal(
        columns_last.eval(),
        [&](index_t i, index_t k) {
          return by_row(i, k) / of_row_shares.of_columns[static_cast<std::size_t>(k)];
        },
        1e-13);
    const auto rows_last = column_shares / sum(column_shares, rows);
    check_equal(
        rows_last.eval(),
        [&](index_t i, index_t k) {
          return by_column(i, k) / of_column_shares.of_rows[static_cast<std::size_t>(i)];
        },
        1e-13);
    // A reduction of columns that needs one of rows, which is needed again.
    const auto centred = x - mean(x, 1, {.keepdims = true});
    const sums of_squares = sums_of(height, width, [&](index_t i, index_t k) {
      const double apart = at(i, k) - of.of_rows[static_cast<std::size_t>(i)] / static_cast<double>(width);
      return apart * apart;
    });
    check_equal((centred / sqrt(sum(centred * centred, 0))).eval(),
                [&](index_t i, index_t k) {
                  const double apart =
                      at(i, k) - of.of_rows[static_cast<std::size_t>(i)] / static_cast<double>(width);
                  return apart / std::sqrt(of_squares.of_columns[static_cast<std::size_t>(k)]);
                },
                1e-13);
    if (where.is_cpu()) return;
    CHECK(has_rows_after(gnp::explain(columns_last), 1));
    CHECK(has_rows_after(gnp::explain(rows_last), 1));
  });
}

TEST_CASE("other arrays and numbers in reductions that run first", "[statement]") {
  for_each_device([](gnp::device where) {
    const index_t height = 30, width = 48;
    const host_array<float> host = unordered<float>({height, width}),
                            host_weights = unordered<float>({height, 1}), host_more = unordered<float>({width});
    const array<float> x = gnp::asarray(host).to(where), weights = gnp::asarray(host_weights).to(where),
                       more = gnp::asarray(host_more).to(where);
    const auto at = [&](index_t i, index_t k) { return static_cast<double>(host[i * width + k]); };
    const sums weighted = sums_of(height, width, [&](index_t i, index_t k) {
      return (at(i, k) + 2) * static_cast<double>(host_weights[i]);
    });
    const sums with_more = sums_of(
        height, width, [&](index_t i, index_t k) { return at(i, k) * 3 + static_cast<double>(host_more[k]); });
    const array<float> y = (x - 1) * more + sum((x + 2) * weights, 0) * 5 + max(x * 4, columns) +
                           sum(x * 3 + more, rows) * 7 - weights;
    check_equal(y, [&](index_t i, index_t k) {
      double most = 0;
      for (index_t j = 0; j < height; ++j) most = std::max(most, at(j, k));
      return (at(i, k) - 1) * static_cast<double>(host_more[k]) +
             weighted.of_columns[static_cast<std::size_t>(k)] * 5 + most * 4 +
             with_more.of_rows[static_cast<std::size_t>(i)] * 7 - static_cast<double>(host_weights[i]);
    });
    // A reduction inside one that runs first.
    const double total = sums_of(height, width, at).of_all;
    const auto nested = x + sum(x * sum(x), 0) - sum(x, rows);
    const sums of = sums_of(height, width, at);
    check_equal(array<double>(gnp::astype<double>(nested)), [&](index_t i, index_t k) {
      return at(i, k) + of.of_columns[static_cast<std::size_t>(k)] * total -
             of.of_rows[static_cast<std::size_t>(i)];
    });
    // Views of another array's parts, into a part of a third.
    array<float> to = gnp::zeros<float>({height, width});
    const auto part = x(slice(3, none), slice(none, -5));
    to(slice(3, none), slice(5, none)) = part - sum(part, 0) + sum(part, rows);
    const sums of_part = sums_of(height - 3, width - 5, [&](index_t i, index_t k) { return at(i + 3, k); });
    check_equal(to, [&](index_t i, index_t k) {
      if (i < 3 || k < 5) return 0.0;
      return at(i, k - 5) - of_part.of_columns[static_cast<std::size_t>(k - 5)] +
             of_part.of_rows[static_cast<std::size_t>(i - 3)];
    });
  });
}

TEST_CASE("one result for each row, after columns", "[statement]") {
  for_each_device([](gnp::device where) {
    const index_t height = 50, width = 45;
    const host_array<double> host = unordered<double>({height, width});
    const array<double> x = gnp::asarray(host).to(where);
    const auto at = [&](index_t i, index_t k) { return host[i * width + k]; };
    const sums of = sums_of(height, width, at);
    const auto share = [&](index_t i, index_t k) {
      return at(i, k) / of.of_columns[static_cast<std::size_t>(k)];
    };
    const auto shares = x / sum(x, 0);
    const auto apart = shares - max(shares, 1, {.keepdims = true});
    const auto last_sum = sum(square(apart), 1);  // a reduction is last
    const auto root = sqrt(last_sum) + 1;         // a formula is last
    const host_array<double> found_sum = gnp::asnumpy(last_sum.eval()), found_root = gnp::asnumpy(root.eval());
    int wrong = 0;
    for (index_t i = 0; i < height; ++i) {
      double most = 0, squares = 0;
      for (index_t k = 0; k < width; ++k) most = std::max(most, share(i, k));
      for (index_t k = 0; k < width; ++k) squares += (share(i, k) - most) * (share(i, k) - most);
      wrong +=
          std::abs(found_sum[i] - squares) < 1e-13 && std::abs(found_root[i] - 1 - std::sqrt(squares)) < 1e-13
              ? 0
              : 1;
    }
    CHECK(wrong == 0);
    if (where.is_cpu()) return;
    CHECK(has_rows_after(gnp::explain(last_sum), 1));
    CHECK(has_rows_after(gnp::explain(root), 1));
  });
}

TEST_CASE("distances that are loops of a thread, and rows of them", "[statement]") {
  for_each_device([](gnp::device where) {
    const index_t height = 100, width = 90;  // enough results for loops
    const host_array<float> host_x = unordered<float>({height, 2}), host_y = unordered<float>({width, 2});
    const array<float> x = gnp::asarray(host_x).to(where), y = gnp::asarray(host_y).to(where);
    const auto at = [&](index_t i, index_t k) {
      const double a = static_cast<double>(host_x[2 * i] - host_y[2 * k]);
      const double b = static_cast<double>(host_x[2 * i + 1] - host_y[2 * k + 1]);
      return a * a + b * b;
    };
    const sums of = sums_of(height, width, at);
    std::vector<double> most(static_cast<std::size_t>(height), -1), least(static_cast<std::size_t>(width), 1e9);
    for (index_t i = 0; i < height; ++i) {
      for (index_t k = 0; k < width; ++k) {
        double& row = most[static_cast<std::size_t>(i)];
        double& column = least[static_cast<std::size_t>(k)];
        row = std::max(row, at(i, k));
        column = std::min(column, at(i, k));
      }
    }
    const double largest = *std::max_element(least.begin(), least.end());
    const auto d = sum(square(x(all, gnp::newaxis) - y), 2);
    // Nobody but reductions reads the distances, of which one needs another.
    const array<float> of_rows = sum(square(d - max(d, rows)), 1) + max(min(d, 0));
    const host_array<float> found = gnp::asnumpy(of_rows);
    int wrong = 0;
    for (index_t i = 0; i < height; ++i) {
      double expected = largest;
      for (index_t k = 0; k < width; ++k) {
        const double apart = at(i, k) - most[static_cast<std::size_t>(i)];
        expected += apart * apart;
      }
      wrong += static_cast<double>(found[i]) == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
    check_equal(array<float>(max(d, rows) + sum(d, 0) - sum(d, rows)), [&](index_t i, index_t k) {
      return most[static_cast<std::size_t>(i)] + of.of_columns[static_cast<std::size_t>(k)] -
             of.of_rows[static_cast<std::size_t>(i)];
    });
    check_equal(array<float>(d - sum(d, 0) + max(d, rows)), [&](index_t i, index_t k) {
      return at(i, k) - of.of_columns[static_cast<std::size_t>(k)] + most[static_cast<std::size_t>(i)];
    });
  });
}

TEST_CASE("three axes, of which some are reduced first", "[statement]") {
  for_each_device([](gnp::device where) {
    const index_t planes = 6, height = 17, width = 22;
    const host_array<float> host = unordered<float>({planes, height, width});
    const array<float> x = gnp::asarray(host).to(where);
    const array<float> y = x + sum(x, 0) - sum(x, {1, 2}, {.keepdims = true}) * 2 + max(x);
    std::vector<double> of_planes(6), of_places(static_cast<std::size_t>(height * width));
    double most = 0;
    for (index_t i = 0; i < host.size(); ++i) {
      const auto value = static_cast<double>(host[i]);
      of_planes[static_cast<std::size_t>(i / (height * width))] += value;
      of_places[static_cast<std::size_t>(i % (height * width))] += value;
      most = std::max(most, value);
    }
    const host_array<float> found = gnp::asnumpy(y);
    int wrong = 0;
    for (index_t i = 0; i < host.size(); ++i) {
      const double expected = static_cast<double>(host[i]) +
                              of_places[static_cast<std::size_t>(i % (height * width))] -
                              of_planes[static_cast<std::size_t>(i / (height * width))] * 2 + most;
      wrong += static_cast<double>(found[i]) == expected ? 0 : 1;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("NaN reaches what depends on it", "[statement]") {
  for_each_device([](gnp::device where) {
    host_array<float> host = unordered<float>({20, 30});
    host[7 * 30 + 11] = gnp::nan;
    const array<float> x = gnp::asarray(host).to(where);
    const host_array<float> both = gnp::asnumpy(array<float>(x - sum(x, 0) + max(x, rows)));
    int wrong = 0;
    for (index_t i = 0; i < both.size(); ++i)
      wrong += std::isnan(both[i]) == (i / 30 == 7 || i % 30 == 11) ? 0 : 1;
    CHECK(wrong == 0);
  });
}

}  // namespace
