// SPDX-License-Identifier: MIT
// test: simulated-gpu
// Reductions of slightly different shapes together, such as differences along each axis of an array, against
// loops on the host: one to four axes, both orders in memory, kept axes, several types and reducers, and
// layouts that a kernel of several shapes does not take.
#include <cmath>
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

/// Small whole numbers without a pattern: their sums are exact.
template <class T>
host_array<T> unordered(const shape_t& shape) {
  host_array<T> x(shape);
  for (index_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<T>(static_cast<float>((i * i * 11 + i * 5) % 17 % 7));
  return x;
}

/// Of the differences of neighbours along an axis.
struct difference_facts {
  double sum = 0, squares = 0, largest = -1000, count = 0, different = 0;
  double variance() const { return squares / count - sum / count * (sum / count); }
};
template <class T>
difference_facts differences_along(const host_array<T>& x, int axis) {
  const shape_t& shape = x.shape();
  index_t step = 1;
  for (int d = shape.rank() - 1; d > axis; --d) step *= shape[static_cast<std::size_t>(d)];
  difference_facts facts;
  for (index_t i = 0; i < x.size(); ++i) {
    if (i / step % shape[static_cast<std::size_t>(axis)] == 0) continue;
    const double difference = static_cast<double>(x[i]) - static_cast<double>(x[i - step]);
    facts.sum += std::abs(difference);
    facts.squares += difference * difference;
    facts.largest = std::max(facts.largest, difference);
    facts.different += difference != 0 ? 1 : 0;
    ++facts.count;
  }
  return facts;
}

/// The statement's kernels reduce arrays of several shapes in one pass.
bool has_several_shapes(const std::string& told) {
  return told.find(") and (") != std::string::npos && told.find("in one pass") != std::string::npos;
}

/// The first axis of x last in memory.
template <class T>
array<T> first_axis_inside(const array<T>& x) {
  return array<T>(x.T().copy()).T();
}

template <class T>
void check_plane(gnp::device where, const shape_t& shape, bool first_inside) {
  INFO(gnp::name(gnp::dtype_of<T>) << ' ' << shape << (first_inside ? " by columns" : " by rows"));
  const host_array<T> host = unordered<T>(shape);
  array<T> x = gnp::asarray(host).to(where);
  if (first_inside) x = first_axis_inside(x);
  const auto down = gnp::astype<double>(x(slice(1, none))) - gnp::astype<double>(x(slice(none, -1)));
  const auto across =
      gnp::astype<double>(x(all, slice(1, none))) - gnp::astype<double>(x(all, slice(none, -1)));
  const auto [rows, columns, most, squares, different, average] =
      gnp::eval(sum(abs(down)), sum(abs(across)), max(across), mean(square(down)), gnp::count_nonzero(across),
                mean(gnp::astype<double>(x)));
  const difference_facts first = differences_along(host, 0), second = differences_along(host, 1);
  CHECK(rows.item() == first.sum);
  CHECK(columns.item() == second.sum);
  CHECK(most.item() == second.largest);
  CHECK(squares.item() == Approx(first.squares / first.count));
  CHECK(static_cast<double>(different.item()) == second.different);
  double total = 0;
  for (index_t i = 0; i < host.size(); ++i) total += static_cast<double>(host[i]);
  CHECK(average.item() == Approx(total / static_cast<double>(host.size())));
  if (!where.is_cpu()) CHECK(has_several_shapes(gnp::explain(sum(abs(down)) + sum(abs(across)))));
}

TEST_CASE("differences along rows and columns", "[reduction]") {
  for_each_device([](gnp::device where) {
    check_plane<float>(where, {37, 53}, false);
    check_plane<float>(where, {301, 1201}, false);  // several blocks
    check_plane<float>(where, {64, 128}, true);
    check_plane<double>(where, {41, 60}, false);
    check_plane<std::int32_t>(where, {40, 61}, true);
    if (is_simulated(where)) return;
    check_plane<gnp::half>(where, {129, 255}, false);
    check_plane<std::uint8_t>(where, {100, 331}, false);
    check_plane<std::int8_t>(where, {65, 64}, true);
    check_plane<std::int64_t>(where, {33, 1000}, false);
    check_plane<float>(where, {5000, 17}, false);
    check_plane<float>(where, {17, 5000}, true);
  });
}

TEST_CASE("total variation in two to four dimensions", "[reduction]") {
  for_each_device([](gnp::device where) {
    for (const shape_t& shape :
         {shape_t{45, 77}, shape_t{20, 33, 47}, shape_t{40, 50, 3}, shape_t{18, 17, 19, 24}}) {
      for (const bool first_inside : {false, true}) {
        if (is_simulated(where) && first_inside && shape.rank() != 3) continue;
        INFO(shape << (first_inside ? " by columns" : " by rows"));
        const host_array<float> host = unordered<float>(shape);
        array<float> x = gnp::asarray(host).to(where);
        if (first_inside) x = first_axis_inside(x);
        const auto along = [&x](int axis) { return sum(abs(gnp::diff(x, {.axis = axis}))); };
        double expected = 0;
        for (int axis = 0; axis < shape.rank(); ++axis) expected += differences_along(host, axis).sum;
        const array<float> variation = shape.rank() == 2 ? array<float>(along(0) + along(1))
                                       : shape.rank() == 3
                                           ? array<float>(along(0) + along(1) + along(2))
                                           : array<float>(along(0) + along(1) + along(2) + along(3));
        CHECK(static_cast<double>(variation.item()) == expected);
      }
    }
  });
}

TEST_CASE("products with earlier elements of a series", "[reduction]") {
  for_each_device([](gnp::device where) {
    for (const index_t count : {7, 100, 5003, 200001}) {
      INFO(count << " elements");
      const host_array<double> host = unordered<double>({count});
      const array<double> x = gnp::asarray(host).to(where);
      const auto lag = [&](index_t by) { return sum(x(slice(by, none)) * x(slice(none, count - by))); };
      const array<double> ratio = (lag(1) + lag(2) - 2 * lag(5)) / lag(0);
      const auto expected = [&](index_t by) {
        double total = 0;
        for (index_t i = by; i < count; ++i) total += host[i] * host[i - by];
        return total;
      };
      CHECK(ratio.item() == Approx((expected(1) + expected(2) - 2 * expected(5)) / expected(0)));
      const auto [deviation, of_steps, low] = gnp::eval(gnp::std(x), var(gnp::diff(x)), min(gnp::diff(x)));
      const difference_facts steps = differences_along(host, 0);
      double signed_sum = 0, least = 1000;
      for (index_t i = 1; i < count; ++i) {
        signed_sum += host[i] - host[i - 1];
        least = std::min(least, host[i] - host[i - 1]);
      }
      const double mean = signed_sum / steps.count;
      CHECK(of_steps.item() == Approx(steps.squares / steps.count - mean * mean));
      CHECK(low.item() == least);
      double sum = 0, squares = 0;
      for (index_t i = 0; i < count; ++i) {
        sum += host[i];
        squares += host[i] * host[i];
      }
      const auto n = static_cast<double>(count);
      CHECK(deviation.item() == Approx(std::sqrt(squares / n - sum / n * (sum / n))));
    }
  });
}

TEST_CASE("differences of each picture, and of each row", "[reduction]") {
  for_each_device([](gnp::device where) {
    const index_t pictures = 5, rows = 40, columns = 70;
    const host_array<float> host = unordered<float>({pictures, rows, columns});
    const array<float> x = gnp::asarray(host).to(where);
    const auto variation = [&x](int axis) { return sum(abs(gnp::diff(x, {.axis = axis})), {1, 2}); };
    const host_array<float> of_pictures = gnp::asnumpy(array<float>(variation(1) + variation(2)));
    const auto [steps, sums, ends] =
        gnp::eval(sum(square(gnp::diff(x, {.axis = 2})), 2), sum(x, 2), max(x(all, all, slice(3, none)), 2));
    const host_array<float> host_steps = gnp::asnumpy(steps), host_sums = gnp::asnumpy(sums),
                            host_ends = gnp::asnumpy(ends);
    int wrong = 0;
    for (index_t i = 0; i < pictures; ++i) {
      host_array<float> picture({rows, columns});
      for (index_t k = 0; k < picture.size(); ++k) picture[k] = host[i * rows * columns + k];
      const double expected = differences_along(picture, 0).sum + differences_along(picture, 1).sum;
      wrong += static_cast<double>(of_pictures[i]) == expected ? 0 : 1;
      for (index_t j = 0; j < rows; ++j) {
        float squares = 0, sum = 0, most = -1;
        for (index_t k = 0; k < columns; ++k) {
          const float step = k == 0 ? 0 : picture[j * columns + k] - picture[j * columns + k - 1];
          squares += step * step;
          sum += picture[j * columns + k];
          if (k >= 3) most = std::max(most, picture[j * columns + k]);
        }
        const index_t row = i * rows + j;
        wrong += host_steps[row] == squares && host_sums[row] == sum && host_ends[row] == most ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
    if (!where.is_cpu()) CHECK(has_several_shapes(gnp::explain(variation(1) + variation(2))));
  });
}

TEST_CASE("other operands of reductions of several shapes", "[reduction]") {
  for_each_device([](gnp::device where) {
    const index_t rows = 48, columns = 67;
    const host_array<float> host = unordered<float>({rows, columns}),
                            host_weights = unordered<float>({columns});
    const array<float> x = gnp::asarray(host).to(where), weights = gnp::asarray(host_weights).to(where);
    const auto places = gnp::arange<float>(columns - 1);
    const auto [weighted, placed, scaled, least] =
        gnp::eval(sum(gnp::diff(x, {.axis = 0}) * weights), sum(gnp::diff(x, {.axis = 1}) * places),
                  sum((x - mean(x)) * 2.0F), min(gnp::diff(x, {.axis = 1}) / 4.0F));
    double by_weights = 0, by_places = 0, low = 1000;
    for (index_t i = 0; i < rows; ++i) {
      for (index_t k = 0; k < columns; ++k) {
        const float at = host[i * columns + k];
        if (i > 0) by_weights += static_cast<double>((at - host[(i - 1) * columns + k]) * host_weights[k]);
        if (k > 0) {
          const float step = at - host[i * columns + k - 1];
          by_places += static_cast<double>(step) * static_cast<double>(k - 1);
          low = std::min(low, static_cast<double>(step) / 4);
        }
      }
    }
    CHECK(static_cast<double>(weighted.item()) == by_weights);
    CHECK(static_cast<double>(placed.item()) == by_places);
    CHECK(std::abs(scaled.item()) < 1e-2F);
    CHECK(static_cast<double>(least.item()) == low);
  });
}

TEST_CASE("layouts and reducers that share no kernel of several shapes", "[reduction]") {
  for_each_device([](gnp::device where) {
    const index_t rows = 40, columns = 50;
    const host_array<float> host = unordered<float>({rows, columns});
    const array<float> x = gnp::asarray(host).to(where);
    const double down = differences_along(host, 0).sum, across = differences_along(host, 1).sum;
    const auto variation = [](const auto& of) {
      return array<float>(sum(abs(gnp::diff(of, {.axis = 0}))) + sum(abs(gnp::diff(of, {.axis = 1}))));
    };
    CHECK(static_cast<double>(variation(x(slice(none, none, -1))).item()) == down + across);
    CHECK(static_cast<double>(variation(x(all, slice(none, none, -1))).item()) == down + across);
    host_array<float> every_other({rows, columns / 2});
    for (index_t i = 0; i < every_other.size(); ++i)
      every_other[i] = host[i / (columns / 2) * columns + i % (columns / 2) * 2];
    CHECK(static_cast<double>(variation(x(all, slice(none, none, 2))).item()) ==
          differences_along(every_other, 0).sum + differences_along(every_other, 1).sum);
    // Across each other in memory.
    const array<float> mixed =
        sum(abs(gnp::diff(x, {.axis = 0}))) + sum(abs(gnp::diff(x.T(), {.axis = 0}))) + sum(x(slice(1, none)));
    double of_most = 0;
    for (index_t i = columns; i < host.size(); ++i) of_most += static_cast<double>(host[i]);
    CHECK(static_cast<double>(mixed.item()) == down + across + of_most);
    // Positions count the elements of one shape.
    const auto [place, sum_down, sum_across] =
        gnp::eval(argmax(gnp::diff(x, {.axis = 1})), sum(abs(gnp::diff(x, {.axis = 0}))),
                  sum(abs(gnp::diff(x, {.axis = 1}))));
    index_t expected = 0;
    float most = -1000;
    for (index_t i = 0; i < rows; ++i) {
      for (index_t k = 1; k < columns; ++k) {
        const float step = host[i * columns + k] - host[i * columns + k - 1];
        if (step > most) expected = i * (columns - 1) + k - 1;
        most = std::max(most, step);
      }
    }
    CHECK(place.item() == expected);
    CHECK(static_cast<double>(sum_down.item()) == down);
    CHECK(static_cast<double>(sum_across.item()) == across);
    // Shapes that have little in common, and empty ones.
    const auto [half_of_it, whole, nothing] = gnp::eval(sum(x(slice(0, 20))), sum(x), sum(x(slice(0, 0), all)));
    double first_rows = 0, all_rows = 0;
    for (index_t i = 0; i < host.size(); ++i) {
      all_rows += static_cast<double>(host[i]);
      if (i < 20 * columns) first_rows += static_cast<double>(host[i]);
    }
    CHECK(static_cast<double>(half_of_it.item()) == first_rows);
    CHECK(static_cast<double>(whole.item()) == all_rows);
    CHECK(nothing.item() == 0);
  });
}

TEST_CASE("NaN outside and inside what reductions of several shapes have in common", "[reduction]") {
  for_each_device([](gnp::device where) {
    for (const bool in_last_row : {true, false}) {
      host_array<float> host = unordered<float>({30, 40});
      host[in_last_row ? 29 * 40 + 7 : 7 * 40 + 39] = gnp::nan;
      const array<float> x = gnp::asarray(host).to(where);
      const auto [above, left, all_of_it] =
          gnp::eval(max(x(slice(none, -1))), max(x(all, slice(none, -1))), max(x));
      CHECK(gnp::isnan(above).item() == !in_last_row);
      CHECK(gnp::isnan(left).item() == in_last_row);
      CHECK(gnp::isnan(all_of_it).item());
    }
  });
}

}  // namespace
