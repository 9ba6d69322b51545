// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Reductions of shifted views and of rows that are no whole number of vectors long, against loops on the host:
// every position in a vector, rows, columns, whole arrays and planes, types of 1 to 16 bytes, positions,
// several results, and memory that ends in the middle of a vector.
#include <complex>
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

/// Small whole numbers without a pattern: sums of a few thousand of them are exact in float.
template <class T>
host_array<T> whole_numbers(const shape_t& shape) {
  host_array<T> x(shape);
  for (index_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(static_cast<float>((i * i * 7 + i * 3) % 13 % 5));
  return x;
}

/// A view of a matrix, and its elements on the host.
template <class T>
struct part {
  const host_array<T>& x;
  index_t first_row, first_column, rows, columns;

  T at(index_t i, index_t k) const { return x[(first_row + i) * x.shape()[1] + first_column + k]; }
  array<T> of(const array<T>& whole) const {
    return whole(slice(first_row, first_row + rows), slice(first_column, first_column + columns));
  }
};

/// Sums of a product of two views that are shifted against each other, as doubles, in which they are exact.
template <class T>
void check_products(const part<T>& a, const part<T>& b, const array<T>& x) {
  const auto formula = gnp::astype<double>(gnp::real(a.of(x) * b.of(x)));
  double total = 0;
  std::vector<double> of_rows(static_cast<std::size_t>(a.rows)),
      of_columns(static_cast<std::size_t>(a.columns));
  for (index_t i = 0; i < a.rows; ++i) {
    for (index_t k = 0; k < a.columns; ++k) {
      const double product =
          static_cast<double>(gnp::real(a.at(i, k))) * static_cast<double>(gnp::real(b.at(i, k)));
      total += product;
      of_rows[static_cast<std::size_t>(i)] += product;
      of_columns[static_cast<std::size_t>(k)] += product;
    }
  }
  CHECK(gnp::sum(formula).item() == total);
  const auto check_each = [](const array<double>& found, const std::vector<double>& expected) {
    const host_array<double> host = gnp::asnumpy(found);
    int wrong = 0;
    for (index_t i = 0; i < host.size(); ++i) wrong += host[i] == expected[static_cast<std::size_t>(i)] ? 0 : 1;
    CHECK(host.size() == static_cast<index_t>(expected.size()));
    CHECK(wrong == 0);
  };
  check_each(gnp::sum(formula, 1), of_rows);
  check_each(gnp::sum(formula, 0), of_columns);
}

template <class T>
void check_every_position(bool few = false) {
  const host_array<T> host = whole_numbers<T>({9, 640});
  const array<T> x = gnp::asarray(host);
  for (index_t shift = 0; shift < 18; shift += shift < 5 ? 1 : 4) {
    if (few && shift != 0 && shift != 1 && shift != 3) continue;
    INFO("shift " << shift);
    check_products<T>({host, 0, shift, 9, 600}, {host, 0, 0, 9, 600}, x);
    check_products<T>({host, 1, shift, 8, 603}, {host, 0, 1, 8, 603}, x);
    check_products<T>({host, 1, 1 + shift, 7, 621}, {host, 2, 1, 7, 621}, x);
  }
}

/// Statements with reductions along rows of `length` elements that begin `from` elements into rows of `pitch`.
template <class T>
void check_statements(index_t rows, index_t length, index_t pitch, index_t from) {
  INFO(gnp::name(gnp::dtype_of<T>) << ": " << rows << " rows of " << length << " in " << pitch << " from "
                                   << from);
  const host_array<T> host = whole_numbers<T>({rows, pitch});
  const host_array<T> factors = whole_numbers<T>({length + 1});
  const array<T> whole = gnp::asarray(host);
  const array<T> x = whole(all, slice(from, from + length));
  const array<T> factor = gnp::asarray(factors)(slice(1, none));
  const auto number = [](T value) { return static_cast<double>(value); };

  array<T> to = gnp::zeros<T>({rows, pitch});
  to(all, slice(from, from + length)) = x * factor + max(x, 1, {.keepdims = true});
  const host_array<T> scaled = gnp::asnumpy(to);
  const host_array<std::int64_t> counts = gnp::asnumpy(gnp::sum(x == max(x, 1, {.keepdims = true}), 1));
  const host_array<std::int64_t> places = gnp::asnumpy(gnp::argmax(x - min(x, 1, {.keepdims = true}), 1));
  const host_array<double> apart =
      gnp::asnumpy(gnp::astype<double>(x) - var(gnp::astype<float>(x), 1, {.keepdims = true}));
  array<T> in_place = gnp::asarray(host);
  in_place(all, slice(from, from + length)) = x - min(x, 1, {.keepdims = true});
  const host_array<T> moved = gnp::asnumpy(in_place);

  int wrong = 0;
  double distance = 0;
  for (index_t i = 0; i < rows; ++i) {
    const auto at = [&](index_t k) { return number(host[i * pitch + from + k]); };
    double least = at(0), most = at(0), sum = 0, squares = 0;
    index_t first = 0, count = 0;
    for (index_t k = 0; k < length; ++k) {
      first = at(k) > most ? k : first;
      count = at(k) > most ? 1 : count + (at(k) == most ? 1 : 0);
      most = std::max(most, at(k));
      least = std::min(least, at(k));
      sum += at(k);
      squares += at(k) * at(k);
    }
    const auto n = static_cast<double>(length);
    const double variance = squares / n - sum / n * (sum / n);
    wrong += counts[i] == count && places[i] == first ? 0 : 1;
    for (index_t k = 0; k < length; ++k) {
      wrong += number(scaled[i * pitch + from + k]) == at(k) * number(factors[k + 1]) + most ? 0 : 1;
      wrong += number(moved[i * pitch + from + k]) == at(k) - least ? 0 : 1;
      distance = std::max(distance, std::abs(apart[i * length + k] - (at(k) - variance)));
    }
    for (index_t k = 0; k < pitch; ++k) {
      if (k >= from && k < from + length) continue;
      wrong += number(scaled[i * pitch + k]) == 0 && moved[i * pitch + k] == host[i * pitch + k] ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(distance < 1e-5);
}

template <class T>
void check_statements_anywhere(bool few = false) {
  for (const index_t length : {33, 64, 127, 257, 301}) {
    if (few && length != 64 && length != 257) continue;
    check_statements<T>(5, length, length, 0);
    check_statements<T>(3, length, length + 7, 2);
    check_statements<T>(3, length, (length + 15) / 16 * 16, 0);
  }
  for (index_t from = 1; from < 9; ++from)
    if (!few || from == 1 || from == 8) check_statements<T>(2, 264, 288, from);
  check_statements<T>(1, 2049, 2060, 5);
}

}  // namespace

TEST_CASE("products of views that are shifted by every number of elements", "[reduction]") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    check_every_position<float>(few);
    check_every_position<double>(few);
    check_every_position<gnp::half>(few);
    check_every_position<std::int8_t>(few);
    check_every_position<std::complex<float>>(few);
    check_every_position<std::complex<double>>(few);
  });
}

TEST_CASE("lengths around a whole number of vectors", "[reduction]") {
  for_each_device([](gnp::device where) {
    for (const index_t n : {1, 2, 3, 4, 5, 7, 8, 9, 130, 131, 1023, 1024, 1025, 1027, 20000, 20001, 20003}) {
      if (is_simulated(where) && n != 1 && n != 4 && n != 5 && n != 1024 && n != 1025 && n != 20003) continue;
      INFO("elements: " << n);
      const host_array<float> host = whole_numbers<float>({n + 1});
      const array<float> x = gnp::asarray(host);
      double steps = 0;
      index_t first_largest = 0;
      float largest = 0;
      for (index_t i = 0; i < n; ++i) {
        const float step = std::abs(host[i + 1] - host[i]);
        steps += static_cast<double>(step);
        if (step > largest) {
          largest = step;
          first_largest = i;
        }
      }
      const auto difference = gnp::abs(gnp::diff(x));
      CHECK(static_cast<double>(gnp::sum(difference).item()) == steps);
      CHECK(gnp::max(difference).item() == largest);
      CHECK(gnp::argmax(difference).item() == first_largest);
      const auto [sum, most] = gnp::eval(gnp::sum(difference), gnp::max(difference));
      CHECK(static_cast<double>(sum.item()) == steps);
      CHECK(most.item() == largest);
    }
  });
}

TEST_CASE("the inside of a box, by planes and as a whole", "[reduction]") {
  for_each_device([](gnp::device) {
    const index_t n = 5, rows = 7, columns = 264;
    const host_array<float> host = whole_numbers<float>({n, rows, columns});
    const array<float> x = gnp::asarray(host);
    const auto at = [&](index_t i, index_t j, index_t k) { return host[(i * rows + j) * columns + k]; };
    const auto inner = slice(1, -1);
    const auto curvature = x(inner, inner, slice(2, none)) + x(inner, inner, slice(none, -2)) +
                           x(inner, slice(2, none), inner) + x(inner, slice(none, -2), inner) -
                           4 * x(inner, inner, inner);
    double squares = 0;
    float smallest = 1000;
    index_t place = 0, smallest_at = 0;
    std::vector<double> of_planes;
    for (index_t i = 1; i < n - 1; ++i) {
      double plane = 0;
      for (index_t j = 1; j < rows - 1; ++j) {
        for (index_t k = 1; k < columns - 1; ++k, ++place) {
          const float c =
              at(i, j, k + 1) + at(i, j, k - 1) + at(i, j + 1, k) + at(i, j - 1, k) - 4 * at(i, j, k);
          plane += static_cast<double>(c * c);
          if (c < smallest) {
            smallest = c;
            smallest_at = place;
          }
        }
      }
      squares += plane;
      of_planes.push_back(plane);
    }
    CHECK(static_cast<double>(gnp::sum(gnp::square(curvature)).item()) == squares);
    CHECK(gnp::min(curvature).item() == smallest);
    CHECK(gnp::argmin(curvature).item() == smallest_at);
    const auto planes = gnp::asnumpy(gnp::sum(gnp::square(curvature), {1, 2}).eval());
    for (std::size_t i = 0; i < of_planes.size(); ++i)
      CHECK(static_cast<double>(planes[static_cast<index_t>(i)]) == of_planes[i]);
    // Of neighbours' differences, whose sums are exact.
    double sum = 0, of_squares = 0, count = 0;
    for (index_t i = 1; i < n - 1; ++i) {
      for (index_t j = 1; j < rows - 1; ++j) {
        for (index_t k = 1; k < columns - 1; ++k, ++count) {
          const auto step = static_cast<double>(at(i, j, k) - at(i, j, k + 1));
          sum += step;
          of_squares += step * step;
        }
      }
    }
    const double variance = of_squares / count - sum / count * (sum / count);
    CHECK(gnp::var(x(inner, inner, inner) - x(inner, inner, slice(2, none))).item() == Approx(variance));
  });
}

TEST_CASE("enough rows for several blocks", "[reduction]") {
  for_each_device([](gnp::device where) {
    for (const index_t columns : {1029, 1030, 1031, 1032}) {
      if (is_simulated(where) && (columns == 1030 || columns == 1031)) continue;
      INFO("columns: " << columns);
      const host_array<float> host = whole_numbers<float>({53, columns});
      const array<float> x = gnp::asarray(host);
      check_products<float>({host, 0, 1, 53, columns - 1}, {host, 0, 0, 53, columns - 1}, x);
      check_products<float>({host, 0, 2, 53, columns - 5}, {host, 0, 1, 53, columns - 5}, x);
      // The largest element is the last of a row, and the only one.
      array<float> peak = x.copy();
      peak(31, columns - 1) = 100;
      const auto right = peak(all, slice(1, none)) + 0 * peak(all, slice(none, -1));
      CHECK(gnp::argmax(right).item() == 31 * (columns - 1) + columns - 2);
    }
  });
}

TEST_CASE("NaN and positions where vectors are not aligned", "[reduction]") {
  for_each_device([](gnp::device) {
    host_array<float> host = whole_numbers<float>({6, 500});
    host[3 * 500 + 499] = gnp::nan;
    const array<float> x = gnp::asarray(host);
    const auto right = x(all, slice(1, none));
    CHECK(gnp::isnan(gnp::max(right)).item());
    CHECK(gnp::argmax(right).item() == 3 * 499 + 498);
    CHECK(gnp::argmax(right, 1).eval()(3).item() == 498);
    CHECK(gnp::nanmax(right).item() == 4);
    CHECK_FALSE(gnp::isnan(gnp::sum(x(all, slice(1, -1)))).item());
    CHECK(gnp::any(right != right).item());
    CHECK_FALSE(gnp::all(right == right).item());
  });
}

TEST_CASE("memory that begins and ends in the middle of a vector", "[reduction]") {
  for_each_device([](gnp::device where) {
    const array<float> block = gnp::asarray(whole_numbers<float>({4096})).to(where);
    const host_array<float> host = gnp::asnumpy(block);
    for (const index_t begin : {0, 1, 2, 3}) {
      for (const index_t count : {1021, 1022, 1023, 1024}) {
        INFO("from " << begin << ", " << count << " elements");
        const auto x = gnp::from_pointer(block.data() + begin, {count}, where);
        double steps = 0;
        for (index_t i = 0; i + 1 < count; ++i) {
          const float step = host[begin + i + 1] - host[begin + i];
          steps += static_cast<double>(step * step);
        }
        CHECK(static_cast<double>(gnp::sum(gnp::square(gnp::diff(x))).item()) == steps);
      }
    }
  });
}

TEST_CASE("statements with reductions of rows that begin and end within vectors", "[reduction]") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    check_statements_anywhere<float>();
    check_statements_anywhere<gnp::half>(few);
    check_statements_anywhere<std::int8_t>(few);
    check_statements_anywhere<double>(few);
    check_statements<gnp::half>(2, 40003, 40003, 0);  // the blocks of a cluster share a row
  });
}
