// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Formulas of 8-bit elements and their reductions, which a GPU computes four at a time, against loops.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::slice;

/// Two matrices of bytes, and their elements; also as parts of larger ones, in the order of memory or across
/// it.
template <class T>
struct bytes_of_matrices {
  array<T> x, y;
  std::vector<int> a, b;
  index_t rows, columns;

  bytes_of_matrices(index_t r, index_t c, index_t step, index_t offset) : rows(r), columns(c) {
    const auto made = [&](index_t factor, std::vector<int>& elements) {
      gnp::host_array<T> whole({r + 1, c * step + offset});
      for (index_t i = 0; i < whole.size(); ++i)
        whole[i] = static_cast<T>((i * factor + i / 97) % (std::is_same_v<T, bool> ? 2 : 256));
      for (index_t i = 0; i < r; ++i) {
        for (index_t j = 0; j < c; ++j) elements.push_back(static_cast<int>(whole(i + 1, offset + j * step)));
      }
      return gnp::asarray(whole)(slice(1, gnp::none), slice(offset, gnp::none, step));
    };
    x = made(37, a);
    y = made(101, b);
  }
};

/// A formula of both: stored, and its sums and extremes of all elements, of rows and of columns.
template <class T, class F, class G>
void check_formula(const std::string& name, const bytes_of_matrices<T>& m, const F& formula, const G& element) {
  INFO(name << ": " << m.rows << " x " << m.columns);
  const auto f = formula(m.x, m.y);
  std::vector<long long> values;
  for (std::size_t i = 0; i < m.a.size(); ++i) values.push_back(element(m.a[i], m.b[i]));
  const auto at = [&](index_t i, index_t j) { return values[static_cast<std::size_t>(i * m.columns + j)]; };
  long long sum = 0;
  for (const long long v : values) sum += v;
  const auto least = std::min_element(values.begin(), values.end());
  const auto largest = std::max_element(values.begin(), values.end());

  const auto stored = gnp::asnumpy(array<typename std::remove_cvref_t<decltype(f)>::value_type>(f));
  CHECK(std::equal(stored.begin(), stored.end(), values.begin(), values.end()));
  CHECK(static_cast<long long>(gnp::sum(f).item()) == sum);
  CHECK(static_cast<long long>(gnp::max(f).item()) == *largest);
  CHECK(static_cast<index_t>(gnp::argmax(f).item()) == largest - values.begin());
  const auto [s, l] = gnp::eval(gnp::sum(f), gnp::min(f));
  CHECK(static_cast<long long>(s.item()) == sum);
  CHECK(static_cast<long long>(l.item()) == *least);

  const auto of_rows = gnp::asnumpy(gnp::sum(f, 1));
  const auto of_columns = gnp::asnumpy(gnp::sum(f, 0));
  const auto largest_of_columns = gnp::asnumpy(gnp::max(f, 0));
  bool rows_right = true, columns_right = true;
  for (index_t i = 0; i < m.rows; ++i) {
    long long row = 0;
    for (index_t j = 0; j < m.columns; ++j) row += at(i, j);
    rows_right = rows_right && static_cast<long long>(of_rows(i)) == row;
  }
  for (index_t j = 0; j < m.columns; ++j) {
    long long column = 0, extreme = at(0, j);
    for (index_t i = 0; i < m.rows; ++i) {
      column += at(i, j);
      extreme = std::max(extreme, at(i, j));
    }
    columns_right = columns_right && static_cast<long long>(of_columns(j)) == column &&
                    static_cast<long long>(largest_of_columns(j)) == extreme;
  }
  CHECK(rows_right);
  CHECK(columns_right);
}

void check(const bytes_of_matrices<std::uint8_t>& m) {
  // Beside a row that repeats, and rolled.
  const array<std::uint8_t> row = m.y(0);
  const auto beside = gnp::asnumpy(array<bool>(m.x > row && row != 3));
  const auto rolled = gnp::asnumpy(array<std::uint8_t>(maximum(roll(m.x, 1, 0), roll(m.y, 2, 1)) - m.x));
  index_t wrong = 0;
  for (index_t i = 0; i < m.rows; ++i) {
    for (index_t j = 0; j < m.columns; ++j) {
      const auto at = [&](index_t down, index_t along) {
        return static_cast<std::size_t>((down + m.rows) % m.rows * m.columns + (along + m.columns) % m.columns);
      };
      const int a = m.a[at(i, j)], b = m.b[at(0, j)];
      const int largest = std::max(m.a[at(i - 1, j)], m.b[at(i, j - 2)]);
      wrong += beside(i, j) == (a > b && b != 3) && rolled(i, j) == (largest + 256 - a) % 256 ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  check_formula(
      "orders", m, [](auto& x, auto& y) { return x < y || x > 200; },
      [](int a, int b) { return a < b || a > 200; });
  check_formula(
      "numbers", m, [](auto& x, auto& y) { return (7 < x && y <= 100) || x == 300 || 9 >= y; },
      [](int a, int b) { return (7 < a && b <= 100) || 9 >= b; });
  check_formula(
      "sums that wrap", m, [](auto& x, auto& y) { return where(x >= y, maximum(x + y, x - 5), 1); },
      [](int a, int b) { return a >= b ? std::max((a + b) % 256, (a + 251) % 256) : 1; });
}

void check(const bytes_of_matrices<std::int8_t>& m) {
  check_formula(
      "signs", m, [](auto& x, auto& y) { return x > -3 && y <= 100 && x < y; },
      [](int a, int b) { return a > -3 && b <= 100 && a < b; });
  check_formula(
      "out of reach", m, [](auto& x, auto& y) { return x < 300 && y > -300 && -7 >= x; },
      [](int a, int) { return -7 >= a; });
}

void check(const bytes_of_matrices<bool>& m) {
  check_formula(
      "bits", m, [](auto& x, auto& y) { return (x & y) | !(x ^ y); },
      [](int a, int b) { return (a & b) | !(a ^ b); });
  check_formula("orders", m, [](auto& x, auto& y) { return x < y; }, [](int a, int b) { return a < b; });
}

}  // namespace

TEST_CASE("formulas of bytes") {
  for_each_device([](gnp::device) {
    // Whole vectors, odd rows that begin anywhere, every other element, one row and one column.
    check(bytes_of_matrices<std::uint8_t>(64, 256, 1, 0));
    check(bytes_of_matrices<std::uint8_t>(67, 1031, 1, 3));
    check(bytes_of_matrices<std::uint8_t>(9, 500, 2, 1));
    check(bytes_of_matrices<std::uint8_t>(1, 70000, 1, 0));
    check(bytes_of_matrices<std::int8_t>(67, 1031, 1, 3));
    check(bytes_of_matrices<std::int8_t>(3000, 1, 1, 0));
    check(bytes_of_matrices<bool>(64, 256, 1, 0));
    check(bytes_of_matrices<bool>(67, 1031, 1, 3));
  });
}
