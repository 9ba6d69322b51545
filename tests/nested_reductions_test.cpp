// SPDX-License-Identifier: MIT
// Reductions within larger statements, short ones above all: distances between points, forces between bodies,
// norms of short vectors. Compared with plain loops on the host, in double.
#include <cmath>
#include <complex>
#include <functional>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;

/// Small numbers that every type holds exactly.
template <class T>
array<T> numbers(const gnp::shape_t& shape, int seed) {
  const index_t count = gnp::detail::element_count(shape, "numbers");
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int value = static_cast<int>((i * 37 + static_cast<std::size_t>(seed) * 11) % 23);
    values[i] = static_cast<T>(static_cast<float>(value) / 4.0F);
  }
  return gnp::asarray(values).reshape(shape);
}

template <class T>
double value_of(T x) {
  if constexpr (gnp::detail::is_complex_v<T>) {
    return static_cast<double>(x.real());
  } else {
    return static_cast<double>(x);
  }
}

/// The largest distance of an array of two axes from what f(i, j) says.
template <class T>
double distance(const array<T>& found, const std::function<double(index_t, index_t)>& f) {
  const host_array<T> host = gnp::asnumpy(found);
  const index_t columns = host.ndim() == 2 ? host.shape(1) : 1;
  double most = 0;
  for (index_t i = 0; i < host.shape(0); ++i) {
    for (index_t j = 0; j < columns; ++j) {
      const double is = value_of(host.ndim() == 2 ? host(i, j) : host(i));
      const double wanted = f(i, j);
      most = std::max(most, std::abs(is - wanted) / (1 + std::abs(wanted)));
    }
  }
  return most;
}

template <class T>
void check_distances(index_t points, index_t centres, index_t dimensions, double tolerance) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << points << " x " << centres << " x " << dimensions);
  const array<T> x = numbers<T>({points, dimensions}, 1);
  const array<T> c = numbers<T>({centres, dimensions}, 2);
  const host_array<T> hx = gnp::asnumpy(x);
  const host_array<T> hc = gnp::asnumpy(c);
  const auto squared = [&](index_t i, index_t k) {
    double sum = 0;
    for (index_t d = 0; d < dimensions; ++d) {
      const double step = value_of(hx(i, d)) - value_of(hc(k, d));
      sum += step * step;
    }
    return sum;
  };
  const auto distances = sum(square(x(all, newaxis) - c(newaxis)), 2);
  CHECK(distance(distances.eval(), squared) <= tolerance);
  CHECK(distance(array<double>(sqrt(distances.template astype<double>() + 1.0)),
                 [&](index_t i, index_t k) { return std::sqrt(squared(i, k) + 1); }) <= tolerance);
  // The nearest centre, the first of several.
  const host_array<std::int64_t> nearest = gnp::asnumpy(argmin(distances, 1).eval());
  index_t wrong = 0;
  for (index_t i = 0; i < points; ++i) {
    index_t best = 0;
    for (index_t k = 1; k < centres; ++k) best = squared(i, k) < squared(i, best) ? k : best;
    wrong += nearest(i) != best ? 1 : 0;
  }
  CHECK(wrong == 0);
  // Means over the centres of a reduction within a reduction.
  CHECK(distance(array<double>(mean(distances.template astype<double>() * 0.5, 1)), [&](index_t i, index_t) {
          double total = 0;
          for (index_t k = 0; k < centres; ++k) total += squared(i, k) * 0.5;
          return total / static_cast<double>(centres);
        }) <= tolerance);
}

/// Sums over j of w_j |x_j - y_i|^2, and of the coordinates of w_j (x_j - y_i) |x_j - y_i|^2, where x and w are
/// views of any layout.
template <class T, class X, class W>
void check_sums_over_points(const X& x, const W& w, double tolerance) {
  const index_t outputs = sanitized ? 128 : 8200;  // from 8192 on, a thread of a GPU makes each by itself
  const index_t points = x.shape(0), dimensions = x.shape(1);
  INFO(gnp::name(gnp::dtype_of<T>) << " " << points << " points, " << dimensions << " coordinates");
  const array<T> y = numbers<T>({outputs, dimensions}, 2);
  const host_array<T> hx = gnp::asnumpy(x), hy = gnp::asnumpy(y), hw = gnp::asnumpy(w);
  const auto sum_over_points = [&](index_t i, index_t coordinate) {
    double sum = 0;
    for (index_t j = 0; j < points; ++j) {
      double squared = 0;
      for (index_t d = 0; d < dimensions; ++d) squared += std::pow(value_of(hx(j, d)) - value_of(hy(i, d)), 2);
      const double along = coordinate < 0 ? 1 : value_of(hx(j, coordinate)) - value_of(hy(i, coordinate));
      sum += value_of(hw(j)) * squared * along;
    }
    return sum;
  };
  const auto apart = x(newaxis) - y(all, newaxis);
  const auto squared = sum(square(apart), -1);
  const index_t step = sanitized ? 41 : 401;
  const auto some = gnp::slice(3, gnp::none, step);
  const auto wanted = [&](index_t i, index_t coordinate) { return sum_over_points(3 + step * i, coordinate); };
  const array<T> sums = sum(w * squared, 1);
  CHECK(distance(array<T>(sums(some)), [&](index_t i, index_t) { return wanted(i, -1); }) <= tolerance);
  const array<T> along = sum(w(all, newaxis) * apart * squared(all, all, newaxis), 1);
  CHECK(distance(array<T>(along(some)), wanted) <= tolerance);
}

template <class T>
void check_layouts_of_points(double tolerance) {
  using gnp::none;
  using gnp::slice;
  const array<T> x = numbers<T>({260, 3}, 1);
  const array<T> w = numbers<T>({260}, 3);
  // Eight points at a time and three that are left; four at a time and three; two at a time.
  for (const index_t points : {259, 131, 100})
    check_sums_over_points<T>(x(slice(none, points)), w(slice(none, points)), tolerance);
  check_sums_over_points<T>(x(slice(1, none)), w(slice(1, none)), tolerance);  // not aligned
  check_sums_over_points<T>(x(slice(none, none, -1)), w(slice(none, none, -1)), tolerance);
  check_sums_over_points<T>(x(all, slice(0, 2)), w, tolerance);  // gaps between the points
  check_sums_over_points<T>(numbers<T>({3, 259}, 1).transpose(), w(slice(1, none)), tolerance);
}

}  // namespace

TEST_CASE("distances between points, and the nearest") {
  for_each_device([](gnp::device) {
    for (const index_t dimensions : {1, 2, 3, 7, 16, 32, 33}) {
      check_distances<float>(300, 40, dimensions, 1e-6);
    }
    check_distances<float>(sanitized ? 900 : 9000, 5, 4, 1e-6);
    check_distances<float>(sanitized ? 900 : 9000, 70, 3, 1e-6);
    // So many centres that the threads of a GPU have each its part of them, and some have less or none.
    if (!sanitized) check_distances<float>(8200, 1030, 2, 1e-6);
    check_distances<double>(1000, 9, 5, 1e-14);
    check_distances<std::int32_t>(700, 13, 6, 0);
    check_distances<gnp::half>(300, 30, 3, 2e-3);
  });
}

TEST_CASE("all distances of many points, which a thread makes by itself") {
  for_each_device([](gnp::device where) {
    check_distances<float>(300, 301, 3, 1e-6);
    check_distances<float>(257, 300, 8, 1e-6);
    check_distances<double>(300, 260, 16, 1e-14);
    check_distances<gnp::half>(300, 300, 2, 5e-3);
    // So many that a thread has several rows, the last of them not all.
    if (!sanitized) {
      check_distances<float>(1029, 1030, 3, 1e-6);
      check_distances<float>(1026, 1100, 8, 1e-6);
      check_distances<double>(1025, 1030, 17, 1e-14);
    }
    const array<float> x = numbers<float>({300, 3}, 1);
    const auto text = gnp::explain(sqrt(sum(square(x(all, newaxis) - x), 2)));
    CHECK((where.is_cpu() || text.find("with loops of a thread") != std::string::npos));
  });
}

TEST_CASE("reductions of so many short rows that a thread has several") {
  for_each_device([](gnp::device where) {
    const index_t rows = where.is_cpu() ? 1007 : gnp::device_properties(where).multiprocessors * 4100 + 3;
    const auto check_rows = [rows]<class T>(T, index_t length) {
      INFO(gnp::name(gnp::dtype_of<T>) << ", rows of " << length);
      const array<T> x = numbers<T>({rows, length}, 5);
      const host_array<T> h = gnp::asnumpy(x);
      const auto folded = [&](index_t i, index_t from, index_t step, auto&& fold) {
        double total = value_of(h(i, from));
        for (index_t d = from + step; d < length; d += step) total = fold(total, value_of(h(i, d)));
        return total;
      };
      const auto plus = [](double a, double b) { return a + b; };
      const auto larger = [](double a, double b) { return std::max(a, b); };
      const double near = sizeof(T) == 2 ? 2e-3 : 1e-6;
      CHECK(distance(array<T>(sum(x, -1)), [&](index_t i, index_t) { return folded(i, 0, 1, plus); }) < near);
      CHECK(distance(array<T>(max(x, -1)), [&](index_t i, index_t) { return folded(i, 0, 1, larger); }) == 0);
      CHECK(distance(array<std::int64_t>(argmax(x, -1)), [&](index_t i, index_t) {
              index_t best = 0;
              for (index_t d = 1; d < length; ++d) best = value_of(h(i, d)) > value_of(h(i, best)) ? d : best;
              return static_cast<double>(best);
            }) == 0);
      // Pairs of rows, one after the other and side by side: pooling.
      const index_t pairs = rows / 2;
      const array<T> even = x(gnp::slice(0, 2 * pairs));
      CHECK(distance(array<T>(max(even.reshape(pairs, 2, length), {1, 2})), [&](index_t i, index_t) {
              return std::max(folded(2 * i, 0, 1, larger), folded(2 * i + 1, 0, 1, larger));
            }) == 0);
      if (length % 2 == 0) {
        CHECK(distance(array<T>(max(even.reshape(pairs, 2, length / 2, 2), {1, 3}).reshape(pairs, length / 2)),
                       [&](index_t i, index_t j) {
                         double most = -100;
                         for (index_t k = 0; k < 4; ++k)
                           most = std::max(most, value_of(h(2 * i + k / 2, 2 * j + k % 2)));
                         return most;
                       }) == 0);
      }
      // Beside what repeats, every other element, and rows that begin at no whole vector.
      CHECK(distance(array<T>(max(x + x(0), -1) - x(0, 0)), [&](index_t i, index_t) {
              double most = -100;
              for (index_t d = 0; d < length; ++d) most = std::max(most, value_of(h(i, d)) + value_of(h(0, d)));
              return most - value_of(h(0, 0));
            }) < near);
      CHECK(distance(array<T>(max(x(all, gnp::slice(gnp::none, gnp::none, 2)), 1)),
                     [&](index_t i, index_t) { return folded(i, 0, 2, larger); }) == 0);
      if (length > 1) {
        CHECK(distance(array<T>(max(x(all, gnp::slice(1, gnp::none)), 1)),
                       [&](index_t i, index_t) { return folded(i, 1, 1, larger); }) == 0);
      }
    };
    for (const index_t length : {2, 3, 4, 6, 8, 24}) check_rows(float(), length);
    for (const index_t length : {2, 8}) check_rows(gnp::half(), length);
    for (const index_t length : {1, 3, 6}) check_rows(double(), length);
    // Variances of pairs.
    const array<float> x = numbers<float>({rows, 2}, 6);
    if (!where.is_cpu()) CHECK(gnp::explain(max(x, -1)).find("loops of a thread") == std::string::npos);
    const host_array<float> h = gnp::asnumpy(x);
    CHECK(distance(array<float>(var(x, 1)), [&](index_t i, index_t) {
            const double apart = value_of(h(i, 0)) - value_of(h(i, 1));
            return apart * apart / 4;
          }) < 1e-6);
  });
}

TEST_CASE("reductions of short rows, many of them") {
  for_each_device([](gnp::device) {
    for (const index_t length : {1, 2, 3, 5, 16, 31, 32, 33}) {
      INFO("rows of " << length);
      const index_t rows = sanitized ? 1007 : 10007;
      const array<float> x = numbers<float>({rows, length}, 3);
      const host_array<float> h = gnp::asnumpy(x);
      const auto row = [&](index_t i, double from, const std::function<double(double, double)>& add) {
        double total = from;
        for (index_t d = 0; d < length; ++d) total = add(total, static_cast<double>(h(i, d)));
        return total;
      };
      const auto plus = [](double a, double b) { return a + b; };
      const auto squares = [](double a, double b) { return a + b * b; };
      const auto larger = [](double a, double b) { return std::max(a, b); };
      const auto count = static_cast<double>(length);
      CHECK(distance(array<float>(sum(x, 1)), [&](index_t i, index_t) { return row(i, 0, plus); }) < 1e-6);
      CHECK(distance(array<float>(sqrt(sum(x * x, 1))),
                     [&](index_t i, index_t) { return std::sqrt(row(i, 0, squares)); }) < 1e-6);
      CHECK(distance(array<float>(max(x, 1)), [&](index_t i, index_t) { return row(i, -1, larger); }) == 0);
      CHECK(distance(array<float>(mean(x + 1, 1)),
                     [&](index_t i, index_t) { return row(i, 0, plus) / count + 1; }) < 1e-6);
      CHECK(distance(array<float>(var(x, 1, {.ddof = 0.5})), [&](index_t i, index_t) {
              const double mean = row(i, 0, plus) / count;
              return row(i, 0, [mean](double a, double b) { return a + (b - mean) * (b - mean); }) /
                     (count - 0.5);
            }) < 1e-5);
      CHECK(distance(array<std::int64_t>(argmax(x, 1)), [&](index_t i, index_t) {
              index_t best = 0;
              for (index_t d = 1; d < length; ++d) best = h(i, d) > h(i, best) ? d : best;
              return static_cast<double>(best);
            }) == 0);
      // Rows that do not lie together, backwards, and every other one.
      CHECK(distance(array<float>(sum(x.T(), 0)), [&](index_t i, index_t) { return row(i, 0, plus); }) < 1e-6);
      CHECK(distance(array<float>(sum(x(gnp::slice(gnp::none, gnp::none, -1)), 1)),
                     [&](index_t i, index_t) { return row(rows - 1 - i, 0, plus); }) < 1e-6);
      CHECK(distance(array<float>(sum(x(gnp::slice(gnp::none, gnp::none, 2)), -1)),
                     [&](index_t i, index_t) { return row(2 * i, 0, plus); }) < 1e-6);
      const array<float> into = gnp::zeros<float>({rows, 2});
      into(all, 1) = sum(x, 1);
      CHECK(distance(into, [&](index_t i, index_t j) { return j == 1 ? row(i, 0, plus) : 0; }) < 1e-6);
    }
  });
}

TEST_CASE("forces between bodies by broadcasting") {
  for_each_device([](gnp::device) {
    for (const index_t bodies : {2, 50, sanitized ? 300 : 3000}) {
      INFO(bodies << " bodies");
      const array<double> p = numbers<double>({bodies, 3}, 5);
      const array<double> m = numbers<double>({bodies}, 6);
      const auto d = p(newaxis) - p(all, newaxis);
      const auto r2 = sum(d * d, 2, {.keepdims = true}) + 0.25;
      const array<double> force = sum(d * (m(newaxis, all, newaxis) / (r2 * sqrt(r2))), 1);
      const host_array<double> hp = gnp::asnumpy(p);
      const host_array<double> hm = gnp::asnumpy(m);
      CHECK(distance(gnp::array<double>(force(gnp::slice(gnp::none, 50))), [&](index_t i, index_t c) {
              double total = 0;
              for (index_t k = 0; k < bodies; ++k) {
                double squared = 0.25;
                for (index_t e = 0; e < 3; ++e) squared += (hp(k, e) - hp(i, e)) * (hp(k, e) - hp(i, e));
                total += (hp(k, c) - hp(i, c)) * hm(k) / (squared * std::sqrt(squared));
              }
              return total;
            }) < 1e-12);
    }
  });
}

TEST_CASE("points that lie in one line in memory are loaded several at a time, others one by one") {
  for_each_device([](gnp::device) {
    check_layouts_of_points<float>(1e-5);
    check_layouts_of_points<std::complex<double>>(1e-13);
  });
}

TEST_CASE("a reduction that stands at several places of a statement") {
  for_each_device([](gnp::device) {
    for (const index_t bodies : {1, 5, sanitized ? 100 : 3000}) {
      INFO(bodies << " bodies");
      const array<double> p = numbers<double>({bodies, 3}, 5);
      const host_array<double> hp = gnp::asnumpy(p);
      const auto apart = [&](index_t i, index_t k, double shift) {
        double squared = 0;
        for (index_t e = 0; e < 3; ++e)
          squared += (hp(k, e) - hp(i, e) - shift) * (hp(k, e) - hp(i, e) - shift);
        return squared;
      };
      const auto total = [&](const auto& of_pair) {
        return [&, of_pair](index_t i, index_t) {
          double sum = 0;
          for (index_t k = 0; k < bodies; ++k) sum += of_pair(i, k);
          return sum;
        };
      };
      // Nine times in the text.
      const auto d = p(newaxis) - p(all, newaxis);
      const auto r2 = sum(d * d, 2) + 0.25;
      const auto s = 1.0 / (r2 * r2 * r2);
      CHECK(distance(array<double>(sum(4.0 * (s * s - s), 1)), total([&](index_t i, index_t k) {
                       const double cube = std::pow(apart(i, k, 0) + 0.25, -3);
                       return 4 * (cube * cube - cube);
                     })) < 1e-11);
      const auto scaled = [&](double by) { return by / (r2 + by); };
      CHECK(distance(array<double>(sum(scaled(1) * scaled(2) - scaled(1) + scaled(2), 1)),
                     total([&](index_t i, index_t k) {
                       const double r = apart(i, k, 0) + 0.25, a = 1 / (r + 1), b = 2 / (r + 2);
                       return a * b - a + b;
                     })) < 1e-11);
      // .
      const auto shifted = [&](double by) { return sum(square(d - by), 2); };
      const auto near = shifted(0.5), far = shifted(1.5);
      CHECK(distance(array<double>(sum(near * far - near + far * far, 1)), total([&](index_t i, index_t k) {
                       const double a = apart(i, k, 0.5), b = apart(i, k, 1.5);
                       return a * b - a + b * b;
                     })) < 1e-11);
    }
    // Of each row: what stands twice within the elements of another, and that one twice.
    const array<double> x = numbers<double>({sanitized ? 2000 : 9000, 4}, 3);
    const array<double> w = numbers<double>({4, 4}, 4);
    const host_array<double> hx = gnp::asnumpy(x);
    const host_array<double> hw = gnp::asnumpy(w);
    const auto mixed = sum(x(all, newaxis) * w, 2);
    const auto outer = sum(mixed * mixed - mixed, 1);
    CHECK(distance(array<double>(outer * outer + outer), [&](index_t i, index_t) {
            double sum = 0;
            for (index_t c = 0; c < 4; ++c) {
              double m = 0;
              for (index_t e = 0; e < 4; ++e) m += hx(i, e) * hw(c, e);
              sum += m * m - m;
            }
            return sum * sum + sum;
          }) < 1e-12);
    // Of few rows, for very many others.
    const array<double> few = x(gnp::slice(gnp::none, 40)),
                        many = numbers<double>({sanitized ? 50 : 5000, 40}, 9);
    const host_array<double> hmany = gnp::asnumpy(many);
    const array<double> least = min(sum(square(few), 1) - 2.0 * many, 1);
    CHECK(distance(least, [&](index_t i, index_t) {
            double smallest = gnp::inf;
            for (index_t j = 0; j < 40; ++j) {
              double sum = -2 * hmany(i, j);
              for (index_t e = 0; e < 4; ++e) sum += hx(j, e) * hx(j, e);
              smallest = std::min(smallest, sum);
            }
            return smallest;
          }) < 1e-12);
    // The same sums along rows and along columns of the result.
    const array<double> square_of = x(gnp::slice(gnp::none, 1000));
    const auto sums = sum(square_of, 1);
    CHECK(distance(array<double>(sums(all, newaxis) - 2.0 * sums(newaxis) + sums(all, newaxis)),
                   [&](index_t i, index_t j) {
                     double of_row = 0, of_column = 0;
                     for (index_t e = 0; e < 4; ++e) of_row += hx(i, e), of_column += hx(j, e);
                     return 2 * (of_row - of_column);
                   }) < 1e-12);
  });
}

TEST_CASE("several results at once") {
  for_each_device([](gnp::device) {
    for (const index_t columns : {1, 3, 64, 1001}) {
      const array<float> x = numbers<float>({500, columns}, 7);
      const auto [mean0, std0, min0, max0, where0, again] =
          gnp::eval(mean(x, 0), gnp::std(x, 0), min(x, 0), max(x, 0), argmax(x, 0), mean(x, 0));
      const host_array<float> h = gnp::asnumpy(x);
      const auto column_mean = [&](index_t j) {
        double total = 0;
        for (index_t i = 0; i < 500; ++i) total += static_cast<double>(h(i, j));
        return total / 500;
      };
      CHECK(distance(mean0, [&](index_t j, index_t) { return column_mean(j); }) < 1e-6);
      CHECK(distance(std0, [&](index_t j, index_t) {
              const double mean = column_mean(j);
              double total = 0;
              for (index_t i = 0; i < 500; ++i) total += std::pow(static_cast<double>(h(i, j)) - mean, 2);
              return std::sqrt(total / 500);
            }) < 1e-6);
      const auto extreme = [&](index_t j, bool largest) {
        index_t best = 0;
        for (index_t i = 1; i < 500; ++i)
          best = (largest ? h(i, j) > h(best, j) : h(i, j) < h(best, j)) ? i : best;
        return best;
      };
      CHECK(distance(min0, [&](index_t j, index_t) { return static_cast<double>(h(extreme(j, false), j)); }) ==
            0);
      CHECK(distance(max0, [&](index_t j, index_t) { return static_cast<double>(h(extreme(j, true), j)); }) ==
            0);
      CHECK(distance(where0, [&](index_t j, index_t) { return static_cast<double>(extreme(j, true)); }) == 0);
      again.fill(0);  // an array of its own
      CHECK(distance(mean0, [&](index_t j, index_t) { return column_mean(j); }) < 1e-6);
      // Along rows, of all elements, of expressions, beside what is no reduction.
      const auto [low, high] = gnp::eval(min(x - 1), max(x * 2));
      CHECK(float(low) == float(x.min()) - 1);
      CHECK(float(high) == 2 * float(x.max()));
      const auto [sums, plus, any_row] = gnp::eval(sum(x, 1), x + 1, any(x > 5, 1));
      CHECK(distance(sums, [&](index_t i, index_t) {
              double total = 0;
              for (index_t j = 0; j < columns; ++j) total += static_cast<double>(h(i, j));
              return total;
            }) < 1e-6);
      CHECK(distance(plus, [&](index_t i, index_t j) { return static_cast<double>(h(i, j)) + 1; }) == 0);
      CHECK(any_row.shape() == gnp::shape_t{500});
    }
    const array<double> none = gnp::zeros<double>({0, 3});
    const auto [total, count] = gnp::eval(sum(none, 0), sum(none, 1));
    CHECK(total.shape() == gnp::shape_t{3});
    CHECK(float(total(0)) == 0.0F);
    CHECK(count.size() == 0);
  });
}

TEST_CASE("pairs of boxes that overlap, whose sides are columns") {
  for_each_device([](gnp::device where) {
    for (const index_t others : {5, 37, sanitized ? 210 : 2100}) {
      // From how many on makes a difference on a GPU.
      const index_t boxes = sanitized || (others > 100 && where.is_cpu()) ? 1203 : 8203;
      const array<float> a = numbers<float>({boxes, 4}, 1);
      const array<float> b = numbers<float>({others, 4}, 2);
      const host_array<float> ha = gnp::asnumpy(a);
      const host_array<float> hb = gnp::asnumpy(b);
      const auto side = [](const array<float>& of, int from) {
        return std::pair(of(all, from), of(all, from) + of(all, from + 2));
      };
      const auto [left, right] = side(a, 0);
      const auto [top, bottom] = side(a, 1);
      const auto [other_left, other_right] = side(b, 0);
      const auto [other_top, other_bottom] = side(b, 1);
      const auto column = [](const auto& x) { return x(all, newaxis); };
      const auto width = minimum(column(right), other_right) - maximum(column(left), other_left);
      const auto height = minimum(column(bottom), other_bottom) - maximum(column(top), other_top);
      const auto both = maximum(width, 0) * maximum(height, 0);
      const auto area = [](const host_array<float>& x, index_t i, const host_array<float>& y, index_t j) {
        const float* const one = x.data() + 4 * i;
        const float* const other = y.data() + 4 * j;
        double product = 1;
        for (const index_t d : {0, 1}) {
          const double low = std::max<double>(one[d], other[d]);
          const double high = std::min(double{one[d]} + one[d + 2], double{other[d]} + other[d + 2]);
          product *= std::max(high - low, 0.0);
        }
        return product;
      };
      // The host is slow: where there are many pairs it looks at some rows.
      const index_t step = others > 100 ? 17 : 1;
      const auto some = [&](const auto& results) {
        return results(gnp::slice(gnp::none, gnp::none, step)).copy();
      };
      const array<float> total = sum(both, 1);
      CHECK(distance(some(total), [&](index_t row, index_t) {
              const index_t i = row * step;
              double wanted = 0;
              for (index_t j = 0; j < others; ++j) wanted += area(ha, i, hb, j);
              return wanted;
            }) < 1e-6);
      const array<std::int64_t> count = sum(both > 2, 1);
      CHECK(distance(some(count), [&](index_t row, index_t) {
              const index_t i = row * step;
              double wanted = 0;
              for (index_t j = 0; j < others; ++j) wanted += area(ha, i, hb, j) > 2 ? 1 : 0;
              return wanted;
            }) == 0);
      const array<index_t> best = argmax(both, 1);
      CHECK(distance(some(best), [&](index_t row, index_t) {
              const index_t i = row * step;
              index_t found = 0;
              double largest = area(ha, i, hb, 0);
              for (index_t j = 1; j < others; ++j) {
                const double here = area(ha, i, hb, j);
                if (here > largest) found = j, largest = here;
              }
              return static_cast<double>(found);
            }) == 0);
      const auto [most, spread] = gnp::eval(max(both, 1), var(both, 1));
      CHECK(distance(most, [&](index_t i, index_t) { return area(ha, i, hb, best.item(i)); }) == 0);
      CHECK(spread.shape() == gnp::shape_t{boxes});
    }
  });
}

TEST_CASE("the nearest of both sets of points, whose distances are stored nowhere") {
  for_each_device([](gnp::device where) {
    const index_t points = 8200;
    const index_t centres = 61;
    const array<double> x = numbers<double>({points, 3}, 1) + gnp::arange<double>(points)(all, newaxis) / 1024;
    const array<double> c = numbers<double>({centres, 3}, 2);
    const host_array<double> hx = gnp::asnumpy(x);
    const host_array<double> hc = gnp::asnumpy(c);
    const auto apart = [&](index_t i, index_t j) {
      double total = 0;
      for (index_t d = 0; d < 3; ++d) total += std::pow(hx(i, d) - hc(j, d), 2);
      return total;
    };
    const auto of_point = [&](index_t i, index_t) {
      double least = apart(i, 0);
      for (index_t j = 1; j < centres; ++j) least = std::min(least, apart(i, j));
      return least;
    };
    const auto of_centre = [&](index_t j, index_t) {
      double least = apart(0, j);
      for (index_t i = 1; i < points; ++i) least = std::min(least, apart(i, j));
      return least;
    };
    const auto distances = sum(square(x(all, newaxis) - c), -1);
    const auto [here, there, which] = gnp::eval(min(distances, 1), min(distances, 0), argmin(distances, 1));
    CHECK(distance(here, of_point) < 1e-12);
    CHECK(distance(there, of_centre) < 1e-12);
    for (const index_t i : {index_t{0}, index_t{77}, points - 1})
      CHECK(apart(i, which.item(i)) == of_point(i, 0));
    double wanted = 0;
    for (index_t i = 0; i < points; ++i) wanted += of_point(i, 0) / static_cast<double>(points);
    for (index_t j = 0; j < centres; ++j) wanted += of_centre(j, 0) / static_cast<double>(centres);
    const auto chamfer = mean(min(distances, 1)) + mean(min(distances, 0));
    CHECK(std::abs(double(chamfer) - wanted) < 1e-12 * wanted);
    if (!where.is_cpu()) {
      const std::string told = gnp::explain(chamfer);
      CHECK(told.find("(8200, 61, 3)") == std::string::npos);
      CHECK(told.find("stores float64 (8200,)") != std::string::npos);
    }
    // Where the distances are asked for, they are stored.
    const auto [stored, least] = gnp::eval(distances, min(distances, 1));
    CHECK(distance(stored, apart) < 1e-12);
    CHECK(distance(least, of_point) < 1e-12);
  });
}

TEST_CASE("reductions of which one has an initial value at one call and none at the next") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(128).reshape(64, 2), z = gnp::arange<float>(140).reshape(70, 2);
    const auto joint = [](const array<float>& a, const array<float>& b, const array<float>& c,
                          const gnp::sum_options& options) {
      return array<float>(max(a, options) * 1000 + min(b, {.axis = 0}) + max(c, {.axis = 0}));
    };
    const auto several = [](const array<float>& a, const array<float>& b, const array<float>& c,
                            const gnp::sum_options& options) {
      const auto [p, q, r] = gnp::eval(max(a, options), min(b, {.axis = 0}), max(c, {.axis = 0}));
      return array<float>(p * 1000 + q * 200 + r);
    };
    const auto are = [](const array<float>& found, float first, float second) {
      return found.item(0) == first && found.item(1) == second;
    };
    CHECK(are(joint(x, x, z, {.axis = 0}), 126138, 127140));
    CHECK(are(joint(z, x, x, {.axis = 0, .initial = 500}), 500126, 500128));
    CHECK(are(several(x, x, z, {.axis = 0}), 126138, 127339));
    CHECK(are(several(z, x, x, {.axis = 0, .initial = 500}), 500126, 500327));
  });
}

TEST_CASE("in place, rows that index and do not fill the last block of threads") {
  for_each_device([](gnp::device) {
    const array<std::int64_t> table = gnp::arange<std::int64_t>(10);
    for (const index_t rows : {3, 16, 300}) {
      const array<std::int64_t> i = gnp::arange<std::int64_t>(rows * 16).reshape(rows, 16) % 10;
      const host_array<std::int64_t> before = gnp::asnumpy(i);
      i(all) = table(i) * 1000 + max(table(i), 1, {.keepdims = true});
      gnp::synchronize();
      const host_array<std::int64_t> after = gnp::asnumpy(i);
      index_t wrong = 0;
      for (index_t r = 0; r < rows; ++r) {
        for (index_t c = 0; c < 16; ++c) wrong += after(r, c) != before(r, c) * 1000 + 9 ? 1 : 0;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("explain names the kernels of a statement") {
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> x = gnp::ones<float>({2000, 1000});
  const auto e = exp(x - max(x, 1, {.keepdims = true}));
  const std::string rows = gnp::explain(e / sum(e, 1, {.keepdims = true}));
  CHECK(rows.starts_with("1 loop\n"));
  CHECK(rows.find("max and sum of each") != std::string::npos);
  const std::string steps = gnp::explain(x / x.sum());
  CHECK(steps.starts_with("2 loops\n"));
  CHECK(steps.find("stores float32 ()") != std::string::npos);
  CHECK(gnp::explain(x) == "0 loops\n");
}
