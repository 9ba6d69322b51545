// SPDX-License-Identifier: MIT
// A jit function joins reductions along rows with the statements around them. What they compute stays what each
// of them says.
// test: asan, simulated-gpu
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "random_views.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;
using random_views::generator;

template <class T>
std::vector<double> values(const array<T>& a) {
  const gnp::host_array<T> host = gnp::asnumpy(a);
  return {host.begin(), host.end()};
}

void check_close(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  REQUIRE(found.size() == wanted.size());
  double worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) worst = std::max(worst, std::abs(found[i] - wanted[i]));
  CHECK(worst <= tolerance);
}

/// The rows of a matrix, each computed on the host: f changes a row.
template <class F>
std::vector<double> each_row(std::vector<double> elements, std::size_t length, const F& f) {
  for (std::size_t begin = 0; begin < elements.size(); begin += length) f(elements.data() + begin, length);
  return elements;
}

void softmax_on_host(double* row, std::size_t length) {
  double highest = row[0], total = 0;
  for (std::size_t i = 0; i < length; ++i) highest = std::max(highest, row[i]);
  for (std::size_t i = 0; i < length; ++i) total += row[i] = std::exp(row[i] - highest);
  for (std::size_t i = 0; i < length; ++i) row[i] /= total;
}

void normalize_on_host(double* row, std::size_t length) {
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < length; ++i) mean += row[i] / static_cast<double>(length);
  for (std::size_t i = 0; i < length; ++i)
    variance += (row[i] - mean) * (row[i] - mean) / static_cast<double>(length);
  for (std::size_t i = 0; i < length; ++i) row[i] = (row[i] - mean) / std::sqrt(variance + 1e-5);
}

array<float> waves(index_t rows, index_t columns) {
  return sin(gnp::arange<float>(rows * columns) * 1.7F).reshape(rows, columns) * 3.0F;
}

}  // namespace

TEST_CASE("jit: a softmax in four statements") {
  for_each_device([](gnp::device where) {
    const auto softmax = gnp::jit([](const array<float>& x) {
      const array<float> highest = max(x, 1);
      const array<float> e = exp(x - highest(all, newaxis));
      const array<float> total = sum(e, 1, {.keepdims = true});
      return array<float>(e / total);
    });
    for (const index_t columns : {1, 2, 31, 300, 5000, 200000}) {
      if (columns == 31 && is_simulated(where)) continue;
      const array<float> x = waves(3, columns);
      check_close(values(softmax(x)), each_row(values(x), static_cast<std::size_t>(columns), softmax_on_host),
                  1e-6);
      const array<float> turned = waves(columns, 3).T();
      check_close(values(softmax(turned)),
                  each_row(values(turned), static_cast<std::size_t>(columns), softmax_on_host), 1e-6);
    }
    // NaN and infinities, as NumPy computes them.
    array<float> odd = gnp::zeros<float>({3, 4});
    odd(0, 1) = gnp::nan;
    odd(1, 2) = gnp::inf;
    odd(2, all) = -gnp::inf;
    const std::vector<double> found = values(softmax(odd));
    for (std::size_t i = 0; i < found.size(); ++i) CHECK((std::isnan(found[i]) || (i / 4 == 1 && i != 6)));
    CHECK(values(softmax(gnp::zeros<float>({0, 4}))).empty());
  });
}

TEST_CASE("jit: results and arguments among statements of rows") {
  for_each_device([](gnp::device) {
    const array<float> x = waves(40, 300), scale = gnp::arange<float>(300) / 100.0F;
    const std::vector<double> normal = each_row(values(x), 300, normalize_on_host);
    // Some of the steps are results, too.
    const auto normalized = gnp::jit([](const array<float>& a, const array<float>& by) {
      const array<float> m = mean(a, 1, {.keepdims = true});
      const array<float> centred = a - m;
      const array<float> each = 1.0F / sqrt(mean(centred * centred, 1, {.keepdims = true}) + 1e-5F);
      const array<float> n = centred * each;
      return std::tuple(m, n, array<float>(n * by));
    });
    const auto [m, n, scaled] = normalized(x, scale);
    check_close(values(n), normal, 1e-5);
    std::vector<double> wanted = normal;
    const std::vector<double> factors = values(scale);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] *= factors[i % 300];
    check_close(values(scaled), wanted, 1e-5);
    check_close(values(array<float>(x - m - (x - mean(x, 1, {.keepdims = true})))), std::vector<double>(12000),
                1e-6);
    // In place, into an argument and into an array that the function holds.
    array<float> total = gnp::zeros<float>({40, 300});
    const auto in_place = gnp::jit([total](array<float> a) {
      a -= mean(a, 1, {.keepdims = true});
      const array<float> variance = mean(a * a, 1, {.keepdims = true});
      a /= sqrt(variance + 1e-5F);
      total(all) = total + a;
      return array<float>(sum(a, 1));
    });
    for (int call = 0; call < 2; ++call) {
      array<float> changed = x.copy();
      check_close(values(in_place(changed)), std::vector<double>(40), 1e-3);
      check_close(values(changed), normal, 1e-5);
    }
    check_close(values(array<float>(total / 2.0F)), normal, 1e-5);
    // What is read before it is overwritten, by a statement that would be part of a later kernel.
    array<float> state = x.copy();
    const auto step = gnp::jit([state](const array<float>& a) {
      const array<float> before = state + 0.0F;
      state(all) = a - mean(a, 1, {.keepdims = true});
      return array<float>(before - max(before, 1, {.keepdims = true}));
    });
    check_close(values(step(scale + gnp::zeros<float>({40, 300}))),
                values(array<float>(x - max(x, 1, {.keepdims = true}))), 0);
    CHECK(std::abs(float(max(sum(state, 1)))) < 1e-3F);
    // Elements that a later statement takes from another place.
    const auto turned = gnp::jit([](const array<float>& a) {
      const array<float> d = a - max(a, 1, {.keepdims = true});
      const array<float> back = d(all, slice(none, none, -1));
      return array<float>(back + sum(back, 1, {.keepdims = true}));
    });
    const array<float> d = x - max(x, 1, {.keepdims = true});
    check_close(values(turned(x)),
                values(array<float>(d(all, slice(none, none, -1)) + sum(d, 1, {.keepdims = true}))), 1e-3);
  });
}

TEST_CASE("jit: a result for each row that is made of reductions, with the elements that it is made from") {
  for_each_device([](gnp::device where) {
    for (const index_t columns : {2, 31, 300, 3000}) {
      if (columns == 300 && is_simulated(where)) continue;
      const array<float> x = waves(70, columns);
      const auto normalized = gnp::jit([](const array<float>& a) {
        const array<float> m = mean(a, 1, {.keepdims = true});
        const array<float> c = a - m;
        const array<float> each = 1.0F / sqrt(mean(c * c, 1, {.keepdims = true}) + 1e-5F);
        return std::tuple(array<float>(c * each), m, each);
      });
      const auto [n, m, each] = normalized(x);
      check_close(values(n), each_row(values(x), static_cast<std::size_t>(columns), normalize_on_host), 1e-4);
      std::vector<double> means, factors;
      each_row(values(x), static_cast<std::size_t>(columns), [&](double* row, std::size_t length) {
        const auto count = static_cast<double>(length);
        const double mean = std::accumulate(row, row + length, 0.0) / count;
        double variance = 0;
        for (std::size_t i = 0; i < length; ++i) variance += (row[i] - mean) * (row[i] - mean) / count;
        means.push_back(mean);
        factors.push_back(1 / std::sqrt(variance + 1e-5));
      });
      check_close(values(m), means, 1e-5);
      check_close(values(each), factors, 1e-3);
      // The same reduction twice, reductions of reductions, numbers in front of and within them; a result for
      // each row that is read by the next; and one that only the host asks for.
      const auto several = gnp::jit([](const array<float>& a) {
        const auto spread = sum(square(a - mean(a, 1, {.keepdims = true})) * 2.0F, 1, {.keepdims = true});
        const array<float> both = 3.0F * spread + max(a + 0.5F, 1, {.keepdims = true}) / spread;
        const array<float> more = both * 2.0F - min(a, 1, {.keepdims = true});
        const array<float> unused = 5.0F * sum(a, 1, {.keepdims = true});
        return std::tuple(array<float>(a * more), array<float>(both(all, 0)), more);
      });
      const auto [product, both, more] = several(x);
      std::vector<double> wanted_both, wanted_more;
      const std::vector<double> products =
          each_row(values(x), static_cast<std::size_t>(columns), [&](double* row, std::size_t length) {
            const double mean = std::accumulate(row, row + length, 0.0) / static_cast<double>(length);
            double spread = 0;
            for (std::size_t i = 0; i < length; ++i) spread += 2 * (row[i] - mean) * (row[i] - mean);
            wanted_both.push_back(3 * spread + (*std::max_element(row, row + length) + 0.5) / spread);
            wanted_more.push_back(2 * wanted_both.back() - *std::min_element(row, row + length));
            for (std::size_t i = 0; i < length; ++i) row[i] *= wanted_more.back();
          });
      const double largest = *std::max_element(wanted_more.begin(), wanted_more.end());
      check_close(values(both), wanted_both, 1e-5 * largest);
      check_close(values(more), wanted_more, 1e-5 * largest);
      check_close(values(product), products, 4e-5 * largest);
    }
    // A reduction of another reduction, stored beside the elements.
    const array<float> x = waves(50, 200);
    const auto scaled = gnp::jit([](const array<float>& a) {
      const array<float> spread = sum(square(a - mean(a, 1, {.keepdims = true})), 1, {.keepdims = true});
      return std::tuple(array<float>(a * spread), spread);
    });
    const auto [product, spread] = scaled(x);
    std::vector<double> wanted;
    each_row(values(x), 200, [&](double* row, std::size_t length) {
      const double mean = std::accumulate(row, row + length, 0.0) / static_cast<double>(length);
      double total = 0;
      for (std::size_t i = 0; i < length; ++i) total += (row[i] - mean) * (row[i] - mean);
      wanted.push_back(total);
    });
    check_close(values(spread), wanted, 1e-2);
    check_close(values(product), values(array<float>(x * spread)), 1e-2);
  });
}

TEST_CASE("jit: results for each of many short rows, and columns, beside elements") {
  for_each_device([](gnp::device) {
    const std::vector<std::pair<index_t, index_t>> sizes{{20000, 3}, {900, 20}, {50, 700}};
    for (const auto& [count, length] : sizes) {
      for (const int axis : {0, 1}) {
        const gnp::shape_t shape = axis == 1 ? gnp::shape_t{count, length} : gnp::shape_t{length, count};
        const array<float> x = sin(gnp::arange<float>(count * length) * 1.7F).reshape(shape);
        const auto parts = gnp::jit([axis](const array<float>& a) {
          const array<float> m = mean(a, {.axis = axis, .keepdims = true});
          const array<float> c = a - m;
          const array<index_t> at = argmax(c, {.axis = axis});
          const array<float> each = 1.0F / sqrt(mean(c * c, {.axis = axis, .keepdims = true}) + 1e-5F);
          return std::tuple(array<float>(c * each), m, at, each);
        });
        const auto [n, m, at, each] = parts(x);
        const auto rows_of = [axis](const auto& a) { return values(axis == 1 ? a : a.T().copy()); };
        const std::vector<double> elements = rows_of(x);
        check_close(rows_of(n), each_row(elements, static_cast<std::size_t>(length), normalize_on_host), 1e-4);
        std::vector<double> means, best;
        each_row(elements, static_cast<std::size_t>(length), [&](const double* row, std::size_t size) {
          means.push_back(std::accumulate(row, row + size, 0.0) / static_cast<double>(size));
          best.push_back(static_cast<double>(std::max_element(row, row + size) - row));
        });
        check_close(values(m), means, 1e-6);
        check_close(values(at), best, 0);
        check_close(rows_of(array<float>((x - m) * each)), rows_of(n), 1e-6);
      }
    }
  });
}

TEST_CASE("jit: a sum of rows twice, and of integers") {
  for_each_device([](gnp::device) {
    const auto f = gnp::jit([](const array<std::int32_t>& x) {
      const array<std::int64_t> s = sum(x, 1);
      const array<std::int64_t> again = sum(x * 2, 1);
      const array<index_t> at = argmax(x, 1);
      return array<double>(s / (again + 1.0) + at);
    });
    const array<std::int32_t> x = gnp::arange<std::int32_t>(70).reshape(7, 10) % 13;
    std::vector<double> wanted;
    for (int i = 0; i < 7; ++i) {
      int total = 0, best = 0;
      for (int k = 0; k < 10; ++k) {
        total += (10 * i + k) % 13;
        if ((10 * i + k) % 13 > (10 * i + best) % 13) best = k;
      }
      wanted.push_back(total / (2.0 * total + 1.0) + best);
    }
    check_close(values(f(x)), wanted, 1e-12);
  });
}

TEST_CASE("jit: elements of rows that are walked backwards, beside their reductions") {
  for_each_device([](gnp::device) {
    const auto centred = gnp::jit([](const array<float>& x) {
      const array<float> turned = x(slice(none, none, -1));
      const array<float> highest = max(turned, 1, {.keepdims = true});
      const array<float> below = turned - highest;
      return std::tuple(highest, below);
    });
    const array<float> x = waves(21, 300);
    const std::vector<double> given = values(x);
    const auto [highest, below] = centred(x);
    std::vector<double> wanted_highest, wanted_below;
    for (std::size_t row = 21; row-- > 0;) {
      const auto begin = given.begin() + static_cast<std::ptrdiff_t>(row * 300);
      wanted_highest.push_back(*std::max_element(begin, begin + 300));
      for (std::size_t i = 0; i < 300; ++i)
        wanted_below.push_back(begin[static_cast<std::ptrdiff_t>(i)] - wanted_highest.back());
    }
    check_close(values(highest), wanted_highest, 0);
    check_close(values(below), wanted_below, 1e-6);
  });
}

TEST_CASE("eval: a formula of rows, with the reductions in it") {
  for_each_device([](gnp::device where) {
    const auto check = [](const array<float>& x) {
      INFO(gnp::to_string(x.shape()) << " with strides of " << x.strides()[0] << " and " << x.strides()[1]);
      const auto length = static_cast<std::size_t>(x.shape(1));
      const auto m = mean(x, 1, {.keepdims = true});
      const auto v = var(x, 1, {.keepdims = true});
      const auto [normal, means, variances] = gnp::eval((x - m) / sqrt(v + 1e-5F), m, v);
      check_close(values(normal), each_row(values(x), length, normalize_on_host), 2e-5);
      CHECK(means.shape() == gnp::shape_t{x.shape(0), 1});
      const auto e = exp(x - max(x, 1, {.keepdims = true}));
      // The reductions first, in another order, without their axis; one of them twice.
      const auto [totals, soft, highest] = gnp::eval(sum(e, 1), e / sum(e, 1, {.keepdims = true}), max(x, 1));
      const auto [again, third, most, same] =
          gnp::eval(e / sum(e, 1, {.keepdims = true}), min(x, 1), max(x, 1), max(x, 1));
      check_close(values(soft), each_row(values(x), length, softmax_on_host), 1e-6);
      check_close(values(again), values(soft), 1e-6);
      check_close(values(most), values(highest), 0);
      check_close(values(same), values(highest), 0);
      std::vector<double> wanted[5];
      each_row(values(x), length, [&wanted](double* row, std::size_t count) {
        const double highest_of_row = *std::max_element(row, row + count);
        double mean = 0, variance = 0, total = 0;
        for (std::size_t i = 0; i < count; ++i) mean += row[i] / static_cast<double>(count);
        for (std::size_t i = 0; i < count; ++i) {
          variance += (row[i] - mean) * (row[i] - mean) / static_cast<double>(count);
          total += std::exp(row[i] - highest_of_row);
        }
        const double results[] = {mean, variance, total, highest_of_row, *std::min_element(row, row + count)};
        for (std::size_t k = 0; k < 5; ++k) wanted[k].push_back(results[k]);
      });
      check_close(values(means), wanted[0], 1e-5);
      check_close(values(variances), wanted[1], 1e-5);
      check_close(values(totals), wanted[2], 1e-4 * static_cast<double>(length));
      check_close(values(highest), wanted[3], 0);
      check_close(values(third), wanted[4], 0);
    };
    for (const index_t columns : {2, 7, 300, 5000})
      if (columns != 7 || !is_simulated(where)) check(waves(37, columns));
    check(waves(300, 41).T());
    check(waves(41, 300)(slice(none, none, -1)));
    check(waves(41, 300)(all, slice(none, none, -1)));
    check(waves(82, 600)(slice(none, none, 2), slice(none, none, 2)));
    check(waves(3, 200000));
    // No rows, a number, another array's reduction, all elements, and what throws.
    const array<float> nothing = gnp::zeros<float>({0, 5});
    CHECK(std::get<0>(gnp::eval(nothing - mean(nothing, 1, {.keepdims = true}), mean(nothing, 1))).size() == 0);
    const array<float> x = waves(5, 6), y = waves(4, 6);
    const auto [moved, total, other] = gnp::eval(x - sum(x), sum(x), max(y, 1));
    check_close(values(moved), values(array<float>(x - float(total))), 1e-5);
    check_close(values(other), values(array<float>(max(y, 1))), 0);
    CHECK_THROWS_AS(gnp::eval(nothing - max(nothing, 0), max(nothing, 0)), gnp::shape_error);
  });
}

TEST_CASE("jit: temporaries that are held do not take all memory") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  struct recorded {};
  const auto many = gnp::jit([](const array<std::uint8_t>& x) {
    array<std::uint8_t> t = x - max(x, 1, {.keepdims = true});
    for (int i = 0; i < 10; ++i) t = array<std::uint8_t>(t ^ max(t, 1, {.keepdims = true}));
    throw recorded();  // before any of it is computed
    return t;
  });
  // On the simulated GPU, ten of these are more than there is.
  CHECK_THROWS_AS(many(gnp::empty<std::uint8_t>({512, 1 << 20})), recorded);
}

namespace {

/// A random program over matrices, and over what has one element for each of their rows or columns.
std::vector<array<double>> random_program(generator random, const array<double>& x, const array<double>& y,
                                          int axis) {
  std::vector<array<double>> full{x, y}, reduced{mean(x, {.axis = axis, .keepdims = true})}, kept;
  const auto one_of = [&random](const std::vector<array<double>>& list) {
    return list[static_cast<std::size_t>(random.below(static_cast<index_t>(list.size())))];
  };
  const index_t statements = 3 + random.below(8);
  for (index_t i = 0; i < statements; ++i) {
    const array<double> a = one_of(full), b = one_of(full), r = one_of(reduced);
    switch (random.below(11)) {
      case 0:
        full.push_back(array<double>(a * 0.5 - b));
        break;
      case 1:
        full.push_back(array<double>(tanh(a) * r));
        break;
      case 2:
        full.push_back(array<double>(exp(-abs(a)) / (1.0 + abs(r))));
        break;
      case 3:
        reduced.push_back(array<double>(max(a * b, {.axis = axis, .keepdims = true})));
        break;
      case 4:
        reduced.push_back(array<double>(sqrt(abs(r) + 0.5)));
        break;
      case 5:
        reduced.push_back(expand_dims(array<double>(gnp::std(a, axis)), axis));
        break;
      case 6:
        full.push_back(array<double>(a - mean(b, {.axis = axis, .keepdims = true})));
        break;
      case 7:
        full.push_back(array<double>(a / (1.0 + sum(abs(b), {.axis = axis, .keepdims = true})) + r));
        break;
      case 8: {
        array<double> changed = a.copy();
        changed -= r;
        full.push_back(changed);
        changed *= 1.5;
        break;
      }
      case 9: {
        array<double> part = gnp::zeros(a.shape());
        part(slice(none, none, 2)) = a(slice(none, none, 2));
        full.push_back(part);
        break;
      }
      default:
        reduced.push_back(array<double>(mean(a * a, {.axis = axis, .keepdims = true}) - r));
    }
    if (random.below(6) == 0) kept.push_back(full.back());
    if (random.below(8) == 0) kept.push_back(reduced.back());
    if (full.size() > 3 && random.below(3) == 0) full.erase(full.begin() + 2);
  }
  kept.push_back(full.back());
  return kept;
}

}  // namespace

TEST_CASE("jit: random statements of rows and columns are what they are without jit") {
  for_each_device([](gnp::device where) {
    const std::uint32_t programs = is_simulated(where) ? 14 : 40;
    for (std::uint32_t program = 0; program < programs; ++program) {
      generator random(program);
      const index_t rows = 2 + random.below(40);
      const index_t columns = 1 + random.below(random.below(2) == 0 ? 70 : 700);
      const int axis = static_cast<int>(random.below(2));
      array<double> x = sin(gnp::arange<double>(rows * columns) * 1.7).reshape(rows, columns);
      const array<double> y = cos(gnp::arange<double>(rows * columns) * 0.3).reshape(rows, columns);
      if (random.below(4) == 0) x = array<double>(x.T().copy()).T();
      const auto f = gnp::jit([random, axis](const array<double>& a, const array<double>& b) {
        return random_program(random, a, b, axis);
      });
      const std::vector<array<double>> wanted = random_program(random, x, y, axis);
      for (int call = 0; call < 2; ++call) {
        const std::vector<array<double>> found = f(x, y);
        REQUIRE(found.size() == wanted.size());
        INFO("program " << program);
        for (std::size_t k = 0; k < found.size(); ++k) check_close(values(found[k]), values(wanted[k]), 1e-9);
      }
    }
  });
}
