// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Statements of several reductions: softmax and its like, in many lengths, types and layouts, compared with
// plain loops on the host in double; and what it means that reductions run where they are stored.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::slice;

constexpr gnp::sum_options rows{.axis = 1, .keepdims = true};

/// A number between -6 and 6 for each place, which every floating type holds exactly.
double number_at(index_t i, index_t j) { return static_cast<double>((i * 7 + j * 37) % 101 - 50) / 8; }

template <class T>
array<T> matrix(index_t height, index_t width) {
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(height * width));
  for (index_t i = 0; i < height; ++i) {
    for (index_t j = 0; j < width; ++j) values.push_back(static_cast<T>(static_cast<float>(number_at(i, j))));
  }
  return gnp::asarray(values).reshape(height, width);
}

/// What a statement makes of the numbers of a row, at each of its places.
using row_function = std::function<std::vector<double>(const std::vector<double>&)>;

template <class At>
std::vector<double> row_at(const At& at, index_t width) {
  std::vector<double> row(static_cast<std::size_t>(width));
  double* const to = row.data();
  for (index_t j = 0; j < width; ++j) to[j] = at(j);
  return row;
}

/// The largest distance of an array of rows from what f says of each.
template <class T, class At>
double distance(const array<T>& found, const At& x, const row_function& f) {
  const host_array<T> host = gnp::asnumpy(found);
  const index_t width = host.shape(1);
  const T* from = host.data();
  double most = 0;
  for (index_t i = 0; i < host.shape(0); ++i) {
    const std::vector<double> row = f(row_at([&](index_t j) { return x(i, j); }, width));
    const double* const wanted = row.data();
    for (index_t j = 0; j < width; ++j) {
      const double there = wanted[j];
      const double apart = std::abs(static_cast<double>(*from++) - there) / (std::abs(there) + 0.05);
      most = apart > most || std::isnan(apart) ? apart : most;
    }
  }
  return most;
}

/// A row's numbers by pointers: a vector's iterators are a call for every step where nothing is in line.
template <class T>
struct numbers {
  T* first;
  T* last;
  T* begin() const { return first; }
  T* end() const { return last; }
};
numbers<double> numbers_of(std::vector<double>& x) { return {x.data(), x.data() + x.size()}; }
numbers<const double> numbers_of(const std::vector<double>& x) { return {x.data(), x.data() + x.size()}; }

double largest(const std::vector<double>& x) {
  double most = x.at(0);
  for (const double v : numbers_of(x)) most = v > most ? v : most;
  return most;
}
double mean_of(const std::vector<double>& x) {
  double total = 0;
  for (const double v : numbers_of(x)) total += v;
  return total / static_cast<double>(x.size());
}
double spread_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double total = 0;
  for (const double v : numbers_of(x)) total += (v - mean) * (v - mean);
  return std::sqrt(total / static_cast<double>(x.size()));
}

std::vector<double> softmax_of(std::vector<double> x) {
  const double top = largest(x);
  double total = 0;
  for (double& v : numbers_of(x)) total += v = std::exp(v - top);
  for (double& v : numbers_of(x)) v /= total;
  return x;
}
std::vector<double> standardised(std::vector<double> x) {
  const double mean = mean_of(x);
  const double spread = spread_of(x) + 0.5;
  for (double& v : numbers_of(x)) v = (v - mean) / spread;
  return x;
}

template <class X>
auto softmax(const X& x) {
  const auto e = exp(x - max(x, rows));
  return e / sum(e, rows);
}
template <class X>
auto standardise(const X& x) {
  return (x - mean(x, 1, {.keepdims = true})) / (gnp::std(x, 1, {.keepdims = true}) + 0.5F);
}

template <class T>
void check_rows(index_t height, index_t width, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << height << " x " << width);
  const array<T> x = matrix<T>(height, width);
  CHECK(distance(array<T>(softmax(x)), number_at, softmax_of) < tolerance);
  CHECK(distance(array<T>(standardise(x)), number_at, standardised) < tolerance);
  // One result for each row, with its axis and without.
  const auto log_of_sum = [](const std::vector<double>& v) {
    const double top = largest(v);
    double total = 0;
    for (const double each : v) total += std::exp(each - top);
    return std::log(total) + top;
  };
  const array<T> kept = log(sum(exp(x - max(x, rows)), rows)) + max(x, rows);
  const array<T> dropped = log(sum(exp(x - max(x, rows)), 1)) + max(x, 1);
  const host_array<T> a = gnp::asnumpy(kept);
  const host_array<T> b = gnp::asnumpy(dropped);
  double most = 0;
  for (index_t i = 0; i < height; ++i) {
    const double wanted = log_of_sum(row_at([&](index_t j) { return number_at(i, j); }, width));
    most = std::max(most, std::abs(static_cast<double>(a(i, 0)) - wanted) / (1 + std::abs(wanted)));
    most = std::max(most, std::abs(static_cast<double>(b(i)) - wanted) / (1 + std::abs(wanted)));
  }
  CHECK(most < tolerance);
  // Numbers for each column beside them, and a reduction that ends the statement.
  const array<T> scale = gnp::arange(width).template astype<T>() * T(0.0F) + T(2.0F);
  CHECK(distance(array<T>(standardise(x) * scale + scale * scale * 5), number_at,
                 [](const std::vector<double>& v) {
                   std::vector<double> y = standardised(v);
                   for (double& each : y) each = each * 2 + 20;
                   return y;
                 }) < tolerance);
  const host_array<std::int64_t> places = gnp::asnumpy(argmax(x - mean(x, 1, {.keepdims = true}), 1));
  index_t wrong = 0;
  for (index_t i = 0; i < height; ++i) {
    index_t best = 0;
    for (index_t j = 1; j < width; ++j) best = number_at(i, j) > number_at(i, best) ? j : best;
    wrong += places(i) != best && sizeof(T) > 2 ? 1 : 0;
  }
  CHECK(wrong == 0);
}

/// The same down the columns of a matrix, whose results line up with them by themselves.
template <class T>
void check_columns(index_t length, index_t width, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " columns of " << length << ", " << width << " of them");
  const array<T> x = matrix<T>(length, width);
  const auto turned = [](index_t i, index_t j) { return number_at(j, i); };
  const auto e = exp(x - max(x, 0));
  CHECK(distance(array<T>((e / sum(e, 0)).eval().T()), turned, softmax_of) < tolerance);
  const array<T> scale = gnp::arange(width).template astype<T>() * T(0.0F) + T(2.0F);
  const array<T> down = gnp::arange(length).template astype<T>().reshape(length, 1) * T(0.0F) + T(20.0F);
  const array<T> normal = (x - mean(x, 0)) / (gnp::std(x, 0) + 0.5F) * scale + down;
  CHECK(distance(array<T>(normal.T()), turned, [](const std::vector<double>& v) {
          std::vector<double> y = standardised(v);
          for (double& each : y) each = each * 2 + 20;
          return y;
        }) < tolerance);
  const host_array<T> tops = gnp::asnumpy(array<T>(max(x - mean(x, 0), 0) * scale));
  const host_array<std::int64_t> places = gnp::asnumpy(argmax(x - mean(x, 0), 0));
  double most = 0;
  index_t wrong = 0;
  for (index_t j = 0; j < width; ++j) {
    const std::vector<double> column = row_at([&](index_t i) { return number_at(i, j); }, length);
    most = std::max(most, std::abs(static_cast<double>(tops(j)) - 2 * (largest(column) - mean_of(column))));
    const auto best = std::max_element(column.begin(), column.end()) - column.begin();
    wrong += places(j) != best && sizeof(T) > 2 ? 1 : 0;
  }
  CHECK(most < 10 * tolerance);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("rows of every length") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    for (const index_t width : {1, 2, 3, 4, 7, 12, 13, 16, 31, 33, 100, 257, 1000, 1025, 4097, 20000, 40000}) {
      // For others the text is the same but for its numbers.
      if (few && width != 1 && width != 2 && width != 7 && width != 16 && width != 33 && width != 257 &&
          width != 1000 && width != 4097 && width != 20000)
        continue;
      check_rows<float>(width > 5000 ? 3 : 37, width, 1e-5);
    }
    check_rows<float>(3000, 12, 1e-5);
    for (const index_t width : {65536, 70001, 140000}) check_rows<float>(2, width, 1e-5);
    check_rows<double>(40, 515, 1e-12);
    check_rows<double>(5, 8192, 1e-12);
    check_rows<gnp::half>(20, 96, 3e-2);
    if (few) return;
    check_rows<float>(sanitized ? 20 : 300, 17000, 1e-5);
    check_rows<double>(3, 33000, 1e-12);
    check_rows<gnp::half>(20, 97, 3e-2);
  });
}

TEST_CASE("many short rows") {
  for_each_device([](gnp::device where) {
    const index_t height = sanitized ? 14001 : is_simulated(where) ? 40003 : 140001;
    for (const index_t width : {7, 10, 33}) {
      INFO("rows of " << width);
      const array<float> x = matrix<float>(height, width);
      CHECK(distance(array<float>(softmax(x)), number_at, softmax_of) < 1e-5);
      const array<float> scale = gnp::arange(width).astype<float>() * 0.0F + 2.0F;
      const array<float> y = x - max(x, rows);
      y(gnp::ellipsis) = (y - mean(x, 1, {.keepdims = true})) * scale;  // over what it reads, of two arrays
      CHECK(distance(y, number_at, [](std::vector<double> v) {
              const double less = largest(v) + mean_of(v);
              for (double& each : v) each = (each - less) * 2;
              return v;
            }) < 1e-5);
      const host_array<float> tops = gnp::asnumpy(array<float>(max(x - mean(x, 1, {.keepdims = true}), 1)));
      double most = 0;
      for (index_t i = 0; i < height; ++i) {
        const std::vector<double> row = row_at([&](index_t j) { return number_at(i, j); }, width);
        most = std::max(most, std::abs(static_cast<double>(tops(i)) - (largest(row) - mean_of(row))));
      }
      CHECK(most < 1e-5);
    }
    CHECK(distance(array<gnp::half>(softmax(matrix<gnp::half>(height, 5))), number_at, softmax_of) < 3e-2);
    const array<float> later = matrix<float>(height + 1, 9)(slice(1, gnp::none));  // begins at no whole vector
    CHECK(distance(
              array<float>(softmax(later)), [](index_t i, index_t j) { return number_at(i + 1, j); },
              softmax_of) < 1e-5);
  });
}

TEST_CASE("very many rows of a few bytes") {
  for_each_device([](gnp::device where) {
    // A thread of a GPU has several of them, and the last block fewer than others.
    const index_t height = where.is_cpu() ? 3001 : is_simulated(where) ? 40003 : 1200003;
    for (const index_t width : {1, 2, 3, 5, 8}) {
      INFO("rows of " << width);
      const auto at = [](index_t i, index_t j) { return static_cast<int>((i * 37 + j * 101 + i / 256) % 251); };
      const array<std::int64_t> row = gnp::arange(height)(all, gnp::newaxis), column = gnp::arange(width);
      const array<std::uint8_t> x = ((row * 37 + column * 101 + row / 256) % 251).astype<std::uint8_t>();
      const array<std::uint8_t> y = x(slice(gnp::none, gnp::none, -1)).copy();
      const array<float> weights = column.astype<float>() / 8.0F + 0.25F;
      const auto check = [&](const array<std::uint8_t>& found, const auto& wanted) {
        const host_array<std::uint8_t> host = gnp::asnumpy(found);
        const index_t columns = host.ndim() == 1 ? 1 : width;
        index_t wrong = 0;
        for (index_t i = 0; i < height; ++i)
          for (index_t j = 0; j < columns; ++j) wrong += host[i * columns + j] == wanted(i, j) ? 0 : 1;
        CHECK(wrong == 0);
      };
      const auto largest_of = [&](index_t i) {
        int most = 0;
        for (index_t j = 0; j < width; ++j) most = std::max(most, at(i, j));
        return most;
      };
      check((sum(x.astype<float>() * weights, 1) / static_cast<float>(width)).astype<std::uint8_t>(),
            [&](index_t i, index_t) {
              float total = 0;
              for (index_t j = 0; j < width; ++j)
                total += static_cast<float>(at(i, j)) * (static_cast<float>(j) / 8.0F + 0.25F);
              return static_cast<std::uint8_t>(total / static_cast<float>(width));
            });
      // Of two arrays, and one of them again: what is beside the largest.
      check(max(x, 1) - min(maximum(x, y), 1), [&](index_t i, index_t) {
        int least = 255;
        for (index_t j = 0; j < width; ++j) least = std::min(least, std::max(at(i, j), at(height - 1 - i, j)));
        return static_cast<std::uint8_t>(largest_of(i) - least);
      });
      const array<std::uint8_t> z = x.copy();
      z(gnp::ellipsis) = max(z, {.axis = 1, .keepdims = true}) - floor_divide(z, std::uint8_t{2});
      check(z, [&](index_t i, index_t j) { return static_cast<std::uint8_t>(largest_of(i) - at(i, j) / 2); });
    }
    // Of what indices choose, with threads after the last row.
    const array<std::int32_t> at = (gnp::arange(height * 3) % 7).astype<std::int32_t>().reshape({height, 3});
    const array<float> table = gnp::arange(7).astype<float>() / 2.0F;
    const array<float> chosen = table(at) - max(table(at), rows);
    gnp::synchronize();
    const array<float> wanted = (gnp::arange(height * 3) % 7).astype<float>().reshape({height, 3}) / 2.0F;
    const host_array<float> hchosen = gnp::asnumpy(chosen), hwanted = gnp::asnumpy(wanted);
    index_t wrong = 0;
    for (index_t i = 0; i < height; ++i) {
      const float top = std::max({hwanted(i, 0), hwanted(i, 1), hwanted(i, 2)});
      for (index_t j = 0; j < 3; ++j) wrong += hchosen(i, j) == hwanted(i, j) - top ? 0 : 1;
    }
    CHECK(wrong == 0);
    const array<gnp::half> pairs = matrix<gnp::half>(height, 2);
    CHECK(distance(array<gnp::half>(softmax(pairs)), number_at, softmax_of) < 3e-2);
  });
}

TEST_CASE("columns of every length") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    for (const index_t length : {1, 5, 33, 65, 100, 1000, 4097, 20000, 40000}) {
      if (few && (length == 5 || length == 65 || length == 4097 || length == 40000)) continue;
      check_columns<float>(length, length > 5000 ? 24 : 37, 1e-5);
      if ((sanitized && length > 5000) || (few && length != 33 && length != 1000)) continue;
      check_columns<float>(length, 64, 1e-5);
    }
    check_columns<float>(sanitized || few ? 100 : 700, 3000, 1e-5);
    check_columns<float>(300, 1, 1e-5);
    // Short ones: several, one or none of them in the registers of a thread.
    check_columns<float>(9, 1000, 1e-5);
    check_columns<float>(64, 130, 1e-5);
    check_columns<double>(3, 36, 1e-12);
    check_columns<double>(33, 36, 1e-12);
    check_columns<gnp::half>(10, 256, 3e-2);
    check_columns<double>(16384, 6, 1e-12);
    check_columns<gnp::half>(2000, 33, 3e-2);
    // Enough columns for wide tiles: of one block, of three blocks, of eleven.
    check_columns<gnp::half>(100, few ? 256 : 30000, 3e-2);
    check_columns<float>(1500, few ? 64 : 4500, 1e-5);
    check_columns<float>(11001, few ? 32 : sanitized ? 64 : 600, 1e-5);
    if (few) return;
    check_columns<float>(600, 9001, 1e-5);
    check_columns<double>(32, 36, 1e-12);
    check_columns<double>(515, 40, 1e-12);
    check_columns<gnp::half>(96, 40, 3e-2);
  });
}

TEST_CASE("more places of reductions in a statement than it has reductions") {
  // A step of a fluid on a lattice, whose sums are written 21 times; and the channels of pictures.
  for_each_device([](gnp::device) {
    const index_t ways = 9, places = 70;
    const array<double> f = matrix<double>(ways, places) + 8.0;
    const array<double> x = matrix<double>(ways, 1);
    const array<double> y = gnp::cos(gnp::arange<double>(ways)).reshape(ways, 1);
    const auto rho = sum(f, 0);
    const auto ux = sum(f * x, 0) / rho, uy = sum(f * y, 0) / rho;
    const auto along = 3.0 * (x * ux + y * uy);
    const array<double> next =
        f - 0.6 * (f - rho * (1 + along + 0.5 * along * along - 1.5 * (ux * ux + uy * uy)));
    const host_array<double> result = gnp::asnumpy(next);
    double most = 0;
    for (index_t k = 0; k < places; ++k) {
      double total = 0, total_x = 0, total_y = 0;
      for (index_t i = 0; i < ways; ++i) {
        const double value = number_at(i, k) + 8;
        total += value;
        total_x += value * number_at(i, 0);
        total_y += value * std::cos(static_cast<double>(i));
      }
      const double u = total_x / total, v = total_y / total;
      for (index_t i = 0; i < ways; ++i) {
        const double a = 3 * (number_at(i, 0) * u + std::cos(static_cast<double>(i)) * v);
        const double value = number_at(i, k) + 8;
        const double wanted = value - 0.6 * (value - total * (1 + a + 0.5 * a * a - 1.5 * (u * u + v * v)));
        most = std::max(most, std::abs(result(i, k) - wanted) / (1 + std::abs(wanted)));
      }
    }
    CHECK(most < 1e-12);

    const index_t pictures = 3, channels = 10, height = 6, width = 8;
    const auto middle = gnp::sum_options{.axis = 1, .keepdims = true};
    const array<float> image =
        matrix<float>(pictures * channels, height * width).reshape(pictures, channels, height, width);
    const auto e = exp(image - max(image, middle));
    const host_array<float> p = gnp::asnumpy(array<float>(e / sum(e, middle)));
    double apart = 0;
    for (index_t n = 0; n < pictures; ++n) {
      for (index_t at = 0; at < height * width; ++at) {
        const std::vector<double> wanted =
            softmax_of(row_at([&](index_t c) { return number_at(n * channels + c, at); }, channels));
        for (index_t c = 0; c < channels; ++c) {
          apart = std::max(apart, std::abs(static_cast<double>(p(n, c, at / width, at % width)) -
                                           wanted[static_cast<std::size_t>(c)]));
        }
      }
    }
    CHECK(apart < 1e-6);
  });
}

TEST_CASE("rows in every layout") {
  for_each_device([](gnp::device) {
    const index_t height = 60;
    const index_t width = 90;
    const array<float> x = matrix<float>(height, width);
    const array<float> turned = matrix<float>(width, height);
    const auto across = [](index_t i, index_t j) { return number_at(j, i); };
    CHECK(distance(array<float>(softmax(turned.T())), across, softmax_of) < 1e-5);
    CHECK(distance(
              array<float>(softmax(x(slice(gnp::none, gnp::none, -1), slice(gnp::none, gnp::none, 2)))),
              [&](index_t i, index_t j) { return number_at(height - 1 - i, 2 * j); }, softmax_of) < 1e-5);
    CHECK(distance(
              array<float>(softmax(x(all, slice(gnp::none, gnp::none, -1)))),
              [&](index_t i, index_t j) { return number_at(i, width - 1 - j); }, softmax_of) < 1e-5);
    CHECK(distance(
              array<float>(softmax(x(slice(1, gnp::none), slice(1, gnp::none)))),
              [&](index_t i, index_t j) { return number_at(i + 1, j + 1); }, softmax_of) < 1e-5);
    const array<float> one_row = x(3);
    CHECK(distance(
              array<float>(softmax(broadcast_to(one_row, {20, width}))),
              [](index_t, index_t j) { return number_at(3, j); }, softmax_of) < 1e-5);
    // Along the first axis: results line up with the columns by themselves.
    const auto e = exp(x - max(x, 0));
    CHECK(distance(array<float>((e / sum(e, 0)).T()), across, softmax_of) < 1e-5);
    // In the middle of three axes, in parts of arrays, and with one result for each column where it is wanted.
    const array<float> stack = matrix<float>(height, 6 * 15).reshape(height, 6, 15).copy();
    const auto middle = gnp::sum_options{.axis = 1, .keepdims = true};
    const array<float> high = gnp::moveaxis(matrix<float>(1500, 12).reshape(50, 30, 12), 0, 1).copy();
    CHECK(float(abs(sum(exp(high - max(high, middle)) / sum(exp(high - max(high, middle)), middle), 1) - 1.0F)
                    .max()) < 1e-5F);
    CHECK(float(abs(sum(stack - mean(stack, 0), 0)).max()) < 1e-3F);
    const array<float> part = matrix<float>(200, 50)(slice(1, 180), slice(3, 45));
    const auto p = exp(part - max(part, 0));
    const array<float> wide_result = gnp::zeros<float>({300, 50});
    wide_result(slice(2, 181), slice(1, 43)) = p / sum(p, 0);
    CHECK(distance(
              array<float>(wide_result(slice(2, 181), slice(1, 43)).T()),
              [](index_t i, index_t j) { return number_at(j + 1, i + 3); }, softmax_of) < 1e-5);
    CHECK(float(abs(wide_result.sum() - 42.0F)) < 1e-3F);
    // Over two axes of three.
    const array<float> cube = x.reshape(6, 10, width);
    const auto both = gnp::sum_options{.axis = {0, 2}, .keepdims = true};
    const array<float> centred = cube - mean(cube, {0, 2}, {.keepdims = true}) + 0.0F * max(cube, both);
    CHECK(float(abs(mean(centred, {0, 2})).max()) < 1e-5F);
    CHECK(float(abs(mean(centred, {0, 1})).max()) > 1e-3F);
    // Of a square array without its axis, sums of rows line up with the columns, as in NumPy.
    const array<float> square = matrix<float>(40, 40) + 10.0F;
    const array<float> divided = square / sum(square, 1);
    const host_array<float> h = gnp::asnumpy(square);
    const host_array<float> d = gnp::asnumpy(divided);
    for (const index_t j : {0, 7, 39}) {
      double total = 0;
      for (index_t k = 0; k < 40; ++k) total += static_cast<double>(h(j, k));
      CHECK(std::abs(d(3, j) - static_cast<float>(static_cast<double>(h(3, j)) / total)) < 1e-6F);
    }
  });
}

TEST_CASE("statements that write what they read") {
  for_each_device([](gnp::device) {
    const array<float> x = matrix<float>(50, 64);
    x(gnp::ellipsis) = softmax(x);
    CHECK(distance(x, number_at, softmax_of) < 1e-5);
    const array<float> y = matrix<float>(50, 64);
    y(all, slice(1, gnp::none)) = softmax(y(all, slice(0, 63)));  // overlapping
    CHECK(distance(array<float>(y(all, slice(1, gnp::none)).copy()), number_at, softmax_of) < 1e-5);
    array<float> z = matrix<float>(50, 64);
    z -= mean(z, 1, {.keepdims = true});
    CHECK(float(abs(mean(z, 1)).max()) < 1e-5F);
    const array<float> wide = gnp::zeros<float>({4, 50, 64});
    wide(gnp::ellipsis) = softmax(matrix<float>(50, 64));
    CHECK(distance(array<float>(wide(3)), number_at, softmax_of) < 1e-5);
    const array<float> sums = gnp::zeros<float>({50});
    sums(gnp::ellipsis) = sum(softmax(matrix<float>(50, 64)), 1);
    CHECK(float(abs(sums - 1.0F).max()) < 1e-5F);
    const array<float> diagonal = gnp::zeros<float>({5, 5});
    diagonal(0) = sum(diagonal + 1.0F, 0);
    CHECK(float(diagonal.sum()) == 25.0F);
  });
}

TEST_CASE("statements that write what they read along another axis than they write it") {
  for_each_device([](gnp::device) {
    constexpr index_t n = 400;  // too much for a cache, so that the CPU goes by rows
    const array<double> m = matrix<double>(n, n) + 8.0, start = matrix<double>(1, n)(0);
    std::vector<double> sums(n, 0), weights(n, 0), largest(n, 0);
    for (index_t i = 0; i < n; ++i) {
      for (index_t j = 0; j < n; ++j) {
        const double weight = number_at(i, j) + 8;
        const auto at = static_cast<std::size_t>(i);
        sums[at] += weight * number_at(0, j);
        weights[at] += weight;
        largest[at] = std::max(largest[at], weight);
      }
    }
    array<double> x = start.copy(), y = start.copy();
    x(gnp::ellipsis) = sum(m * x, 1) / sum(m, 1);
    y -= (sum(m * y, 1) - y) / max(m, 1);
    double most = 0;
    for (index_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double was = number_at(0, i);
      most = std::max(most, std::abs(double(x(i)) - sums[at] / weights[at]));
      most = std::max(most, std::abs(double(y(i)) - (was - (sums[at] - was) / largest[at])));
    }
    CHECK(most < 1e-12);

    // Along the same axes, what each part reads is its own.
    array<double> z = start.copy();
    z(gnp::ellipsis) = sum(m - max(m, 0), 0) + z;
    most = 0;
    for (index_t j = 0; j < n; ++j) {
      double sum = 0;
      double greatest = 0;
      for (index_t i = 0; i < n; ++i) greatest = std::max(greatest, number_at(i, j) + 8);
      for (index_t i = 0; i < n; ++i) sum += number_at(i, j) + 8 - greatest;
      most = std::max(most, std::abs(double(z(j)) - (sum + number_at(0, j))));
    }
    CHECK(most < 1e-9);
  });
}

TEST_CASE("reductions of what is one array in one call and several in another") {
  for_each_device([](gnp::device) {
    const auto three = [](const array<float>& a, const array<float>& b, const array<float>& c) {
      const auto [first, second, third] = gnp::eval(sum(a, 1), sum(b, 1), max(c, 1));
      return std::vector<float>{float(first(2)), float(second(2)), float(third(2))};
    };
    const auto one = [](const array<float>& a, const array<float>& b, const array<float>& c) {
      return float(array<float>((sum(a) - sum(b)) * max(c)));
    };
    const array<float> x = gnp::ones<float>({3, 100}), y = gnp::full<float>({3, 100}, 2),
                       z = gnp::full<float>({3, 200}, 3);
    CHECK(three(x, x, y) == std::vector<float>{100, 100, 2});
    CHECK(three(x, y, z) == std::vector<float>{100, 200, 3});
    CHECK(three(y, x, x) == std::vector<float>{200, 100, 1});
    const array<float> u = gnp::ones<float>({600000}), v = gnp::full<float>({600000}, 2),
                       w = gnp::full<float>({700000}, 3);
    CHECK(one(u, u, v) == 0);
    CHECK(one(u, v, w) == -1800000);
  });
}

TEST_CASE("reductions whose states are as large as a block's memory allows") {
  for_each_device([](gnp::device) {
    constexpr index_t n = 64;
    const array<double> a = matrix<double>(n, n);
    const auto [m, s, v, nm, ns, nv, most, where] =
        gnp::eval(mean(a, 0), gnp::std(a, 0), var(a, 0), nanmean(a, 0), nanstd(a, 0), nanvar(a, 0), max(a, 0),
                  argmax(a, 0));
    for (index_t j = 0; j < n; ++j) {
      CAPTURE(j);
      const auto column = [j](index_t i) { return number_at(i, j); };
      const std::vector<double> all_of_it = row_at(column, n);
      const auto largest = std::max_element(all_of_it.begin(), all_of_it.end());
      const double average = std::accumulate(all_of_it.begin(), all_of_it.end(), 0.0) / n;
      const double spread = spread_of(all_of_it);
      CHECK(double(m(j)) == Approx(average).margin(1e-12));
      CHECK(double(nm(j)) == Approx(average).margin(1e-12));
      CHECK(double(s(j)) == Approx(spread));
      CHECK(double(ns(j)) == Approx(spread));
      CHECK(double(v(j)) == Approx(spread * spread));
      CHECK(double(nv(j)) == Approx(spread * spread));
      CHECK(double(most(j)) == *largest);
      CHECK(index_t(where(j)) == largest - all_of_it.begin());
    }

    using gnp::complex128;
    const array<complex128> left = (gnp::arange<double>(3 * 32).reshape(3, 1, 4, 8) * complex128(0.25, 1));
    const array<double> right = gnp::arange<double>(2000 * 32).reshape(1, 2000, 4, 8) % 7;
    const array<double> variance = var(sum(left * right, 3), 0);
    for (const index_t p : {index_t{0}, index_t{1}, index_t{1999}}) {
      for (index_t q = 0; q < 4; ++q) {
        double sums[3] = {}, average = 0, wanted = 0;
        for (index_t i = 0; i < 3; ++i) {
          for (index_t k = 0; k < 8; ++k)
            sums[i] +=
                static_cast<double>((i * 4 + q) * 8 + k) * static_cast<double>(((p * 4 + q) * 8 + k) % 7);
          average += sums[i] / 3;
        }
        for (const double sum : sums) wanted += (sum - average) * (sum - average) / 3 * (0.25 * 0.25 + 1);
        CHECK(double(variance(p, q)) == Approx(wanted));
      }
    }
  });
}

namespace {

/// Standard deviations of rows in a statement, beside their mean and alone, whose elements are `base` and
/// eighths more.
template <class T>
void check_deviations(double base, index_t height, index_t width, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << base << ": " << height << " x " << width);
  const array<T> x = array<T>(matrix<double>(height, width).template astype<T>() + static_cast<T>(base));
  const auto keep = gnp::var_options{.axis = 1, .keepdims = true};
  const host_array<T> beside =
      gnp::asnumpy(array<T>((x - mean(x, 1, {.keepdims = true})) * T(0) + gnp::std(x, keep)));
  const host_array<T> alone = gnp::asnumpy(array<T>(x * T(0) + sqrt(var(x, keep))));
  double most = 0;
  for (index_t i = 0; i < height; ++i) {
    const double want = spread_of(row_at([&](index_t j) { return number_at(i, j); }, width));
    for (const index_t j : {index_t{0}, width - 1}) {
      most = std::max(most, std::abs(static_cast<double>(beside(i, j)) - want));
      most = std::max(most, std::abs(static_cast<double>(alone(i, j)) - want));
    }
  }
  CHECK(most < tolerance);
}

}  // namespace

TEST_CASE("variances of rows far from zero") {
  for_each_device([](gnp::device where) {
    for (const index_t width : {1, 7, 33, 100, 1000, 1025, 8192}) {
      if (is_simulated(where) && (width == 7 || width == 100 || width == 1025)) continue;
      const index_t height = width < 64 ? 1000 : 5;
      check_deviations<float>(0, height, width, 2e-6);
      // The mean is rounded to eighths there.
      check_deviations<float>(1 << 20, height, width, 4e-6);
      check_deviations<double>(double(1LL << 49), height, width, 1e-13);
    }
    // Where all are equal, nothing is left of how the mean was rounded.
    const array<float> x = gnp::full<float>({3, 1003}, 0.1F);
    const array<float> spread = x * 0 + gnp::std(x, {.axis = 1, .keepdims = true});
    CHECK(float(max(spread)) == 0.0F);
    const array<float> beside =
        (x - mean(x, 1, {.keepdims = true})) * 0 + gnp::std(x, {.axis = 1, .keepdims = true});
    CHECK(float(max(beside)) == 0.0F);
  });
}

TEST_CASE("halves are rounded in a statement as they are step by step") {
  for_each_device([](gnp::device) {
    using gnp::half;
    const float inf = std::numeric_limits<float>::infinity();
    for (const index_t width : {8, 64, 1000, 4096}) {
      // All sizes of halves, down to the smallest, and what is none.
      array<float> wide = sin(gnp::arange<float>(40 * width)).reshape(40, width) *
                          exp2(gnp::arange<float>(40).reshape(-1, 1) - 24);
      wide(3, 5) = inf;
      wide(4, 6) = -inf;
      wide(5, 7) = std::numeric_limits<float>::quiet_NaN();
      wide(6) = 0;
      const array<half> x = wide.astype<half>();
      const array<half> scale = (cos(gnp::arange<float>(width)) * 3).astype<half>();
      const array<half> shift = array<half>(gnp::flip(scale) / half(8.0F));
      const array<half> top = max(x, rows);
      const array<half> low = min(x, rows);
      const array<half> together = (x - max(x, rows)) / min(x, rows) * scale + shift;
      const array<half> apart = x - top;
      const array<half> quotient = apart / low;
      const array<half> product = quotient * scale;
      const array<half> step_by_step = product + shift;
      const host_array<half> a = gnp::asnumpy(together);
      const host_array<half> b = gnp::asnumpy(step_by_step);
      index_t different = 0;
      for (index_t i = 0; i < a.size(); ++i) {
        const auto bits = [](half h) {
          return std::isnan(float(h)) ? 0x7e00 : std::bit_cast<std::uint16_t>(h);
        };
        different += bits(a.data()[i]) == bits(b.data()[i]) ? 0 : 1;
      }
      INFO(width);
      CHECK(different == 0);
    }
  });
}

TEST_CASE("NaN and infinities go through as in NumPy") {
  for_each_device([](gnp::device) {
    const float inf = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const array<float> x = gnp::asarray<float>({{0, -inf, 0}, {0, inf, 1}, {nan, 1, 2}, {-inf, -inf, -inf}});
    const host_array<float> y = gnp::asnumpy(array<float>(softmax(x)));
    CHECK(y(0, 0) == 0.5F);
    CHECK(y(0, 1) == 0.0F);
    for (index_t j = 0; j < 3; ++j) {
      CHECK(std::isnan(y(2, j)));
      CHECK(std::isnan(y(3, j)));
      CHECK(std::isnan(y(1, j)));  // inf - inf is one of those that are added up
    }
  });
}

TEST_CASE("a reduction runs where it is stored") {
  for_each_device([](gnp::device) {
    array<double> x = gnp::asarray<double>({{1, 2, 3}, {4, 5, 6}});
    const auto total = x.sum();
    const auto of_rows = sum(x, 1);
    CHECK(of_rows.shape() == gnp::shape_t{2});
    CHECK(of_rows.dtype() == gnp::dtype::float64);
    x += 1.0;
    CHECK(double(total) == 27);
    CHECK(double(of_rows(1)) == 18);
    const array<double> stored = of_rows;
    x += 1.0;
    CHECK(double(stored(1)) == 18);
    CHECK(double(of_rows(1)) == 21);
    // Members, indices, rows, printing.
    CHECK(of_rows.eval().size() == 2);
    CHECK(double((x / x.max())(1, 2)) == 1);
    double seen = 0;
    for (const auto row : x - x.min()) seen += double(row.sum());
    CHECK(seen == 15);
    std::ostringstream out;
    out << sum(x, 0) << x.max();
    CHECK(out.str() == "[ 9. 11. 13.]8.0");
    CHECK(cumsum(x - x.mean()).shape() == gnp::shape_t{6});
    CHECK(x(x > x.mean()).shape() == gnp::shape_t{3});
    CHECK(asnumpy(max(x, 0))(2) == 8);
    if (abs(x - x).max() > 1e-9) FAIL("a truth value");
    CHECK(double(sum(x, {.initial = 3}) * 2) == 72);
    CHECK(double(sum(sum(x, 1))) == 33);
    CHECK(double(max(sum(x, 0) * 2.0 + min(x))) == 29);
    auto moved_from = max(x, 1);
    const auto moved = std::move(moved_from);
    CHECK(moved.eval().size() == 2);
    CHECK(moved_from.eval().size() == 0);
  });
}

TEST_CASE("statements of many arrays, and with gathers among them") {
  for_each_device([](gnp::device) {
    // The same sub-expressions over and over: more than one kernel's arguments hold.
    const array<double> x = gnp::ones<double>({30, 20});
    const auto a = x - max(x, rows) + x;
    const auto b = a / sum(a, rows) + a * a;
    const auto c = b / sum(b, rows) + b * b;
    // a = 1, b = 1/20 + 1, c = 1/20 + b^2
    CHECK(double(abs(c + c - 2 * (0.05 + 1.05 * 1.05)).max()) < 1e-12);

    const index_t width = 700;
    const array<float> wide = gnp::ones<float>({1000, width});
    array<index_t> at = gnp::arange(width);
    CHECK(float(abs(softmax(wide(all, at)) - 1.0F / 700).max()) < 1e-6F);
    at(5) = width;
    CHECK_THROWS_AS(float(array<float>(softmax(wide(all, at)))(0, 0)), gnp::index_error);
    CHECK(float(wide.sum()) == 700000.0F);  // and nothing is left of it
  });
}

TEST_CASE("results of reductions that get new axes stay in the statement") {
  using gnp::newaxis;
  for_each_device([](gnp::device where) {
    // Long enough for rows that the CPU takes some at a time.
    for (const index_t height : {5, 700}) {
      const index_t width = height == 5 ? 5 : 1030;
      const array<float> x = matrix<float>(height, width);
      const auto m = max(x, 1);
      const auto e = exp(x - m(all, newaxis));
      static_assert(std::is_same_v<std::remove_const_t<decltype(m)>, decltype(m(all, newaxis))>);
      CHECK(distance(array<float>(e / sum(e, 1)(all, newaxis)), number_at, softmax_of) < 1e-5);
      const auto top = log(sum(e, 1)) + m;  // m in two shapes is one reduction
      CHECK(distance(array<float>(exp(x - top(all, newaxis))), number_at, softmax_of) < 2e-5);
      // Down the columns: of a square matrix only the place of the new axis tells them apart.
      const auto down = exp(x - max(x, 0)(newaxis));
      CHECK(distance(
                array<float>((down / sum(down, 0)(newaxis, all)).eval().T()),
                [](index_t i, index_t j) { return number_at(j, i); }, softmax_of) < 1e-5);
      if (height == width) {
        const host_array<float> mixed = gnp::asnumpy(sum(x - m(all, newaxis), 1) - sum(x - m(newaxis, all), 1));
        double tops = 0;
        for (index_t i = 0; i < width; ++i)
          tops += largest(row_at([&](index_t j) { return number_at(i, j); }, width));
        for (index_t i = 0; i < height; ++i) {
          const double top_of_row = largest(row_at([&](index_t j) { return number_at(i, j); }, width));
          CHECK(static_cast<double>(mixed(i)) ==
                Approx(tops - static_cast<double>(width) * top_of_row).margin(1e-3));
        }
      }
      std::ostringstream plan;
      plan << gnp::explain(e / sum(e, 1)(all, newaxis));
      INFO(plan.str());
      if (height > 5 || !where.is_cpu()) CHECK(plan.str().find("max and sum of each") != std::string::npos);
    }
    // Where they are stored, and in shapes that keepdims does not make.
    const array<float> x = matrix<float>(6, 35).reshape(6, 5, 7);
    const array<float> alone = sum(x, 2)(newaxis, all, newaxis);
    CHECK(alone.shape() == gnp::shape_t{1, 6, 1, 5});
    const array<float> plain = sum(x, 2);
    CHECK(array_equal(alone.reshape(6, 5), plain));
    array<float> into = gnp::zeros<float>({6, 1, 5});
    into(all) = sum(x, 2)(all, newaxis);
    CHECK(array_equal(into.reshape(6, 5), plain));
    CHECK(
        array_equal(sum(x, {.axis = 2, .initial = 3})(all, newaxis).eval().reshape(6, 5), (plain + 3).eval()));
    const array<float> table = plain(all, newaxis, all) * plain(newaxis);
    CHECK(array_equal((sum(x, 2)(all, newaxis, all) * sum(x, 2)(newaxis)).eval(), table));
    CHECK(array_equal((sum(x, 2) + mean(x, {0, 2}))(all, newaxis).eval().reshape(6, 5),
                      (plain + mean(x, {0, 2})).eval()));
    CHECK(sum(x)(newaxis, newaxis).eval().shape() == gnp::shape_t{1, 1});
    CHECK(sum(x, 2)(gnp::ellipsis, newaxis).shape() == gnp::shape_t{6, 5, 1});
    CHECK_THROWS_AS(sum(x, 2)(all, all, all), gnp::index_error);
    // Distances from the middle of many short rows: loops of a thread.
    const array<float> many = matrix<float>(9000, 3);
    const host_array<float> spread = gnp::asnumpy(sum(square(many - mean(many, 1)(all, newaxis)), 1));
    double most = 0;
    for (index_t i = 0; i < 9000; ++i) {
      const std::vector<double> row = row_at([&](index_t j) { return number_at(i, j); }, 3);
      double wanted = 0;
      for (const double v : row) wanted += (v - mean_of(row)) * (v - mean_of(row));
      most = std::max(most, std::abs(static_cast<double>(spread(i)) - wanted));
    }
    CHECK(most < 1e-4);
  });
}

TEST_CASE("what is wrong with a reduction is known where it is written") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::ones<float>({2, 3});
    CHECK_THROWS_AS(sum(x, 2), gnp::index_error);
    CHECK_THROWS_AS(sum(x, {0, 0}), gnp::shape_error);
    CHECK_THROWS_AS(max(gnp::zeros<float>({0, 3}), 0), gnp::shape_error);
    CHECK_THROWS_AS(x + sum(gnp::ones<float>({4, 2}), 0), gnp::shape_error);
    CHECK_THROWS_AS(float(sum(x, 1)), gnp::shape_error);
    CHECK(sum(gnp::zeros<float>({0, 3}), 0).eval().size() == 3);
    CHECK((gnp::zeros<float>({0, 3}) - mean(gnp::zeros<float>({0, 3}), 1, {.keepdims = true})).eval().size() ==
          0);
    const array<float> y = gnp::zeros<float>({2});
    CHECK_THROWS_AS(y(gnp::ellipsis) = x - x.mean(), gnp::shape_error);
  });
}

TEST_CASE("what is written twice with its numbers is computed once, and only if they are equal") {
  for_each_device([](gnp::device) {
    const array<float> x = matrix<float>(30, 40);
    const array<float> y = matrix<float>(40, 30).T().copy() + 0.25F;
    const auto sigmoid = [](const auto& v, float one) { return one / (one + exp(-v)); };
    const auto check = [&](const array<float>& found, const std::function<double(double, double)>& f) {
      const host_array<float> host = gnp::asnumpy(found);
      double most = 0;
      for (index_t i = 0; i < 30; ++i) {
        for (index_t j = 0; j < 40; ++j) {
          const double wanted = f(number_at(i, j), number_at(j, i) + 0.25);
          most = std::max(most, std::abs(static_cast<double>(host(i, j)) - wanted) / (1 + std::abs(wanted)));
        }
      }
      CHECK(most < 1e-5);
    };
    const auto s = [](double v, double one) { return one / (one + std::exp(-v)); };
    for (const float one : {1.0F, 2.0F}) {
      const auto d = static_cast<double>(one);
      check(sigmoid(x, 1.0F) * (1.0F - sigmoid(x, one)),
            [&](double v, double) { return s(v, 1) * (1 - s(v, d)); });
      check(sigmoid(x, one) * sigmoid(y, one), [&](double v, double w) { return s(v, d) * s(w, d); });
      // The same bits in another type are another number.
      check(where(x > 0.0F, x * one, y) + (x * one).astype<double>().astype<float>(),
            [&](double v, double w) { return (v > 0 ? v * d : w) + v * d; });
      const auto [a, b] = gnp::eval(sigmoid(x, one) + y * 3.0F, y * 3.0F - sigmoid(x, 1.0F));
      check(a, [&](double v, double w) { return s(v, d) + 3 * w; });
      check(b, [&](double v, double w) { return 3 * w - s(v, 1); });
    }
    // In a row program, with an infinity as a number.
    for (const float other : {-static_cast<float>(gnp::inf), -100.0F}) {
      const auto z = [&](float least) { return where(x > 1.0F, x, least); };
      const auto top = max(z(-static_cast<float>(gnp::inf)), 1, {.keepdims = true});
      const auto e = exp(z(other) - top);
      CHECK(distance(array<float>(e / sum(exp(z(-100.0F) - top), rows)), number_at, [](std::vector<double> v) {
              const double most = largest(v);
              double total = 0;
              for (double& each : v) total += each = each > 1 ? std::exp(each - most) : 0;
              for (double& each : v) each /= total;
              return v;
            }) < 1e-5);
    }
    // Numbers that compare equal and are not: infinity less infinity would be NaN.
    const array<float> above = x * x + 1.0F;
    CHECK((1.0F / (above * 0.0F) - 1.0F / (above * -0.0F)).eval().item(3, 3) == static_cast<float>(gnp::inf));
  });
}

TEST_CASE("reductions of what each row gives, along some axes or all") {
  for_each_device([](gnp::device) {
    constexpr index_t planes = 7, height = 40, width = 17;
    const array<float> x = matrix<float>(planes * height, width).reshape(planes, height, width);
    const auto at = [](index_t p, index_t i, index_t j) { return number_at(p * height + i, j); };
    std::vector<double> loss(planes * height), ratio(planes * height), product(planes * height);
    for (index_t p = 0; p < planes; ++p) {
      for (index_t i = 0; i < height; ++i) {
        const std::vector<double> row = row_at([&](index_t j) { return at(p, i, j); }, width);
        double exps = 0, total = 0, squares = 0;
        for (const double v : row) {
          exps += std::exp(v - largest(row));
          total += v;
          squares += v * v;
        }
        const auto n = static_cast<std::size_t>(p * height + i);
        loss[n] = largest(row) + std::log(exps);
        ratio[n] = largest(row) / exps + static_cast<double>(i % 5);
        product[n] = total * squares / static_cast<double>(width);
      }
    }
    const auto of = [](const std::vector<double>& all_rows, index_t p, index_t i) {
      return all_rows[static_cast<std::size_t>(p * height + i)];
    };
    const auto m = max(x, -1, {.keepdims = true});
    const auto exps = sum(exp(x - m), 2, {.keepdims = true});
    const host_array<float> sums = gnp::asnumpy(array<float>(sum(m + log(exps), 1)));
    const array<float> other = (gnp::arange(height) % 5).astype<float>().reshape(height, 1);
    const host_array<std::int64_t> places = gnp::asnumpy(array<std::int64_t>(argmax(m / exps + other, 1)));
    REQUIRE(sums.shape() == gnp::shape_t{planes, 1});
    for (index_t p = 0; p < planes; ++p) {
      double wanted = 0;
      index_t best = 0;
      for (index_t i = 0; i < height; ++i) {
        wanted += of(loss, p, i);
        if (of(ratio, p, i) > of(ratio, p, best) + 1e-5) best = i;
      }
      CHECK(static_cast<double>(sums(p, 0)) == Approx(wanted).epsilon(1e-5));
      CHECK(of(ratio, p, places(p, 0)) == Approx(of(ratio, p, best)).epsilon(1e-5));
    }
    double mean_of_all = 0, square = 0;
    for (const double v : product) mean_of_all += v / static_cast<double>(product.size());
    for (const double v : product) square += (v - mean_of_all) * (v - mean_of_all);
    CHECK(static_cast<double>(var(sum(x, -1) * mean(x * x, -1)).item()) ==
          Approx(square / static_cast<double>(product.size())).epsilon(1e-4));
    // Into what is read.
    const array<float> y = x.copy();
    y(0, 0, 0) = mean(max(y, 2) * 2.0F - min(y, 2));
    double spread = 0;
    for (index_t p = 0; p < planes; ++p) {
      for (index_t i = 0; i < height; ++i) {
        const std::vector<double> row = row_at([&](index_t j) { return at(p, i, j); }, width);
        spread += 2 * largest(row) - *std::min_element(row.begin(), row.end());
      }
    }
    CHECK(static_cast<double>(y.item(0, 0, 0)) ==
          Approx(spread / static_cast<double>(planes * height)).epsilon(1e-5));
  });
}

TEST_CASE("losses: what each row gives, and then their mean") {
  for_each_device([](gnp::device where) {
    for (const index_t width : {9, 130, 1030, 60000}) {
      if (width == 130 && is_simulated(where)) continue;
      const index_t height = width > 50000 ? 4 : 300;
      INFO(width);
      const array<float> x =
          matrix<float>(height, width) + gnp::arange(height).astype<float>()(all, gnp::newaxis) / 64.0F;
      const array<float> target = gnp::where(x > 2.0F, 0.25F, 0.0F);
      const array<index_t> label = gnp::arange(height) % width;
      const auto m = max(x, 1);
      const auto total = sum(exp(x - m(all, gnp::newaxis)), 1);
      const auto log_of_sum = m + log(total);
      const auto loss = mean(log_of_sum - x(gnp::arange(height), label));
      const auto soft = mean(sum(target * (x - log_of_sum(all, gnp::newaxis)), 1));
      double wanted = 0;
      double wanted_soft = 0;
      for (index_t i = 0; i < height; ++i) {
        const auto at = [&](index_t j) { return number_at(i, j) + static_cast<double>(i) / 64; };
        const std::vector<double> row = row_at(at, width);
        const double top = largest(row);
        double of_row = 0;
        for (const double v : row) of_row += std::exp(v - top);
        const double log_of_row = top + std::log(of_row);
        wanted += log_of_row - row[static_cast<std::size_t>(i % width)];
        for (const double v : row) wanted_soft += v > 2 ? 0.25 * (v - log_of_row) : 0;
      }
      const auto rows_of = static_cast<double>(height);
      CHECK(static_cast<double>(loss.item()) == Approx(wanted / rows_of).epsilon(1e-5));
      CHECK(static_cast<double>(soft.item()) == Approx(wanted_soft / rows_of).epsilon(1e-5));
      // What the kernel stores on the way is the same as by itself.
      const auto [tops, totals] = gnp::eval(m, total);
      CHECK(array_equal(tops, m.eval()));
      CHECK(allclose(totals, total.eval(), {.rtol = 1e-6}));
      // Also where rows are walked backwards.
      const slice backwards(gnp::none, gnp::none, -1);
      const array<float> back = x(backwards, backwards);
      const auto top_of_back = max(back, 1);
      const auto [back_tops, back_totals] =
          gnp::eval(top_of_back, sum(exp(back - top_of_back(all, gnp::newaxis)), 1));
      CHECK(array_equal(back_tops, tops(backwards)));
      CHECK(allclose(back_totals, totals(backwards), {.rtol = 1e-5}));
      const auto [spread, middle] = gnp::eval(sum(square(x - mean(x, 1)(all, gnp::newaxis)), 1), mean(x, 1));
      CHECK(allclose(middle, mean(x, 1).eval(), {.rtol = 1e-6}));
      CHECK(allclose(spread / static_cast<float>(width), var(x, 1).eval(), {.rtol = 1e-4}));
      // Down the columns.
      const array<float> turned = x.T().copy();
      const auto top = max(turned, 0);
      const auto down = mean(top + log(sum(exp(turned - top), 0)) - turned(label, gnp::arange(height)));
      CHECK(static_cast<double>(down.item()) == Approx(wanted / rows_of).epsilon(1e-5));
      if (!where.is_cpu()) {  // rows of nine, too: a loop within a loop would read each of them nine times
        const std::string plan = gnp::explain(loss);
        INFO(plan);
        CHECK(plan.find("max and sum of each, and what is made of them") != std::string::npos);
        CHECK(plan.starts_with("2 kernels"));
      }
    }
  });
}

TEST_CASE("explain names what is read where a part of the statement has run already") {
  for_each_device([](gnp::device) {
    const auto x = gnp::ones<double>({1000, 700});
    const auto a = gnp::ones<std::int8_t>({1000, 700});
    const std::string plan =
        gnp::explain(x - sum(a * a, 1, {.keepdims = true, .initial = 3}) + mean(x, 1, {.keepdims = true}));
    INFO(plan);
    CHECK(plan.find("reads float64 (1000, 700)") != std::string::npos);
    CHECK(plan.find("reads int64 (1000, 1)") != std::string::npos);
    CHECK(plan.find("int8") == std::string::npos);
  });
}

TEST_CASE("reductions of elements beside what is the same for a whole row or column") {
  for_each_device([](gnp::device) {
    using gnp::newaxis;
    // (Lengths of whole vectors and of others, and views that begin between two vectors. The numbers are
    // quarters, so that all sums are exact.)
    for (const auto& [height, width] :
         {std::pair<index_t, index_t>{1, 1}, {3, 7}, {70, 33}, {1000, 64}, {40, 1001}}) {
      INFO(height << " x " << width);
      const array<float> x = gnp::floor(matrix<float>(height, width + 1))(all, slice(1, gnp::none)) / 4.0F;
      const array<float> weights = gnp::arange<float>(height) / 4.0F, shifts = gnp::arange<float>(width) / 2.0F;
      const array<float> bound = weights * 0.5F;
      const auto at = gnp::asnumpy(x);
      const auto w = [](index_t i) { return static_cast<double>(i) / 4; };
      const array<float> down = gnp::sum(weights(all, newaxis) * (x - shifts / 2.0F), 0);
      const array<float> across = gnp::sum(gnp::abs(x - bound(all, newaxis)), 1);
      const array<index_t> nearest = gnp::argmin(gnp::square(x - shifts), 0);
      const array<float> highest = gnp::max(x.T() - weights, {.axis = 1});
      std::vector<double> wanted_across(static_cast<std::size_t>(height));
      index_t wrong = 0;
      for (index_t j = 0; j < width; ++j) {
        const double shift = static_cast<double>(j) / 2;
        double sum = 0, top = -1e9, least = 1e18;
        index_t place = 0;
        for (index_t i = 0; i < height; ++i) {
          const auto value = static_cast<double>(at(i, j));
          sum += w(i) * (value - shift / 2);
          top = std::max(top, value - w(i));
          wanted_across[static_cast<std::size_t>(i)] += std::abs(value - w(i) / 2);
          const double distance = (value - shift) * (value - shift);
          if (distance < least) place = i;
          least = std::min(least, distance);
        }
        wrong += double(down(j)) == static_cast<double>(static_cast<float>(sum)) ? 0 : 1;
        wrong += double(highest(j)) == top ? 0 : 1;
        wrong += index_t(nearest(j)) == place ? 0 : 1;
      }
      for (index_t i = 0; i < height; ++i)
        wrong += double(across(i)) == wanted_across[static_cast<std::size_t>(i)] ? 0 : 1;
      CHECK(wrong == 0);
    }
  });
}
