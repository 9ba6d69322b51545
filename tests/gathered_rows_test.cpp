// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Rows that indices choose whole: read as they are, within expressions and reductions, of tables that lie in
// memory in any way. Compared with plain loops on the host.
#include <algorithm>
#include <complex>
#include <functional>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;

/// What stands in a row and column of a table: small numbers that every type holds, and whose sums are exact in
/// it.
int entry(index_t row, index_t column) { return static_cast<int>((row * 31 + column * 7) % 13); }

template <class T>
array<T> table(index_t rows, index_t columns) {
  host_array<T> host({rows, columns});
  for (index_t r = 0; r < rows; ++r)
    for (index_t c = 0; c < columns; ++c) host(r, c) = static_cast<T>(static_cast<float>(entry(r, c)));
  return gnp::asarray(host);
}

/// Rows that are chosen, some of them counted from the end where the type has such numbers.
template <class Index>
host_array<Index> choices(index_t bags, index_t each, index_t rows) {
  host_array<Index> chosen({bags, each});
  for (index_t b = 0; b < bags; ++b) {
    for (index_t k = 0; k < each; ++k) {
      const index_t row = (b * 17 + k * 5) % rows;
      chosen(b, k) = static_cast<Index>(std::is_signed_v<Index> && (b + k) % 3 == 0 ? row - rows : row);
    }
  }
  return chosen;
}

template <class T>
double real_part(const T& x) {
  if constexpr (gnp::detail::is_complex_v<T>) {
    return static_cast<double>(x.real());
  } else {
    return static_cast<double>(x);
  }
}

/// Is each element what f(its place along the axes) says?
template <class T>
bool is_all(const array<T>& found, const std::function<double(index_t, index_t)>& f) {
  const host_array<T> host = gnp::asnumpy(found);
  for (index_t i = 0; i < host.shape(0); ++i)
    for (index_t c = 0; c < host.shape(1); ++c)
      if (real_part(host(i, c)) != f(i, c)) return false;
  return true;
}

/// `rows` rows of a table, whose element (r, c) is entry(row_of(r), column_of(c)), chosen in some ways.
template <class T, class Index>
void check_rows(const char* layout, const array<T>& x, const std::function<index_t(index_t)>& row_of,
                const std::function<index_t(index_t)>& column_of, index_t bags = 150, index_t each = 5) {
  const index_t rows = x.shape()[0];
  const index_t width = x.shape()[1];
  INFO(gnp::name(gnp::dtype_of<T>) << " by " << gnp::name(gnp::dtype_of<Index>) << ", " << layout << " rows of "
                                   << width << ", " << bags << " x " << each);
  const host_array<Index> chosen = choices<Index>(bags, each, rows);
  const array<Index> i = gnp::asarray(chosen);
  const auto at = [&](index_t bag, index_t k, index_t column) {
    const auto row = static_cast<index_t>(chosen(bag, k));
    return static_cast<double>(entry(row_of(row < 0 ? row + rows : row), column_of(column)));
  };
  const auto total = [&](index_t bag, index_t column) {
    double sum = 0;
    for (index_t k = 0; k < each; ++k) sum += at(bag, k, column);
    return sum;
  };
  const auto place = [each](index_t n) { return std::pair(n / each, n % each); };
  const array<Index> flat = i.reshape({-1});
  CHECK(
      is_all(array<T>(x(flat)), [&](index_t n, index_t c) { return at(place(n).first, place(n).second, c); }));
  CHECK(is_all(array<T>(sum<T>(x(i), 1)), total));
  if constexpr (std::is_same_v<T, float> && std::is_same_v<Index, std::int64_t>) {
    CHECK(is_all(array<T>(x(flat) + x(0)), [&](index_t n, index_t c) {
      return at(place(n).first, place(n).second, c) + entry(row_of(0), column_of(c));
    }));
    const array<T> w = (table<float>(bags, each) % 3.0F).template astype<T>();
    CHECK(is_all(array<T>(sum<T>(x(i) * w(all, all, newaxis), 1)), [&](index_t b, index_t c) {
      double sum = 0;
      for (index_t k = 0; k < each; ++k) sum += at(b, k, c) * (entry(b, k) % 3);
      return sum;
    }));
    CHECK(is_all(array<T>(sum<T>(x(i), 2)), [&](index_t b, index_t k) {
      double sum = 0;
      for (index_t c = 0; c < width; ++c) sum += at(b, k, c);
      return sum;
    }));
    CHECK(is_all(array<T>(max(x(i), 1)), [&](index_t b, index_t c) {
      double most = at(b, 0, c);
      for (index_t k = 1; k < each; ++k) most = std::max(most, at(b, k, c));
      return most;
    }));
    CHECK(is_all(array<index_t>(argmax(x(i), 1)), [&](index_t b, index_t c) {
      index_t best = 0;
      for (index_t k = 1; k < each; ++k) best = at(b, k, c) > at(b, best, c) ? k : best;
      return static_cast<double>(best);
    }));
    auto [sums, least] = gnp::eval(sum<T>(x(i), 1), min(x(i), 1));
    CHECK(is_all(array<T>(sums), total));
    CHECK(is_all(array<T>(least), [&](index_t b, index_t c) {
      double lowest = at(b, 0, c);
      for (index_t k = 1; k < each; ++k) lowest = std::min(lowest, at(b, k, c));
      return lowest;
    }));
  }
}

/// The same rows in every layout that matters to how they are read, or in those alone that every type has a
/// text for.
template <class T, class Index>
void check_layouts(index_t width, bool few = false) {
  const index_t rows = 40;
  const array<T> wide = table<T>(rows, 2 * width + 3);
  const auto same = [](index_t n) { return n; };
  check_rows<T, Index>("contiguous", table<T>(rows, width), same, same);
  check_rows<T, Index>("shifted", wide(all, slice(1, width + 1)), same, [](index_t c) { return c + 1; });
  if (few) return;
  check_rows<T, Index>("apart", wide(all, slice(none, width)), same, same);
  check_rows<T, Index>("every other of", wide(all, slice(none, 2 * width, 2)), same,
                       [](index_t c) { return 2 * c; });
  check_rows<T, Index>("backward", table<T>(rows, width)(all, slice(none, none, -1)), same,
                       [width](index_t c) { return width - 1 - c; });
  check_rows<T, Index>(
      "upside down", table<T>(rows, width)(slice(none, none, -2)), [](index_t r) { return rows - 1 - 2 * r; },
      same);
  host_array<T> turned({width, rows});
  for (index_t c = 0; c < width; ++c)
    for (index_t r = 0; r < rows; ++r) turned(c, r) = static_cast<T>(static_cast<float>(entry(r, c)));
  check_rows<T, Index>("transposed", gnp::asarray(turned).T(), same, same);
}

template <class F>
std::string thrown(gnp::device where, const F& f) {
  try {
    f();
    gnp::synchronize(where);
  } catch (const gnp::index_error& e) {
    return e.what();
  }
  return "nothing";
}

/// Statements that read rows of a table give what they give of the same rows, stored.
template <class T>
void check_statements(const char* layout, const array<T>& x, index_t count) {
  const index_t rows = x.shape()[0];
  const index_t width = x.shape()[1];
  INFO(gnp::name(gnp::dtype_of<T>) << ", " << layout << ", " << count << " rows of " << width);
  const array<index_t> both = gnp::asarray(choices<index_t>(count, 2, rows));
  const array<index_t> i = both(all, 0);
  const array<index_t> j = both(all, 1);
  const array<T> a = x(i);
  const array<T> b = x(j);
  const array<T> beside = table<T>(count, width) * T(0.5F);
  const double close = sizeof(T) == 2 ? 1e-2 : 1e-5;
  const auto check = [&](const auto& found, const auto& wanted) {
    CHECK(gnp::allclose(found.template astype<double>(), wanted.template astype<double>(),
                        {.rtol = close, .atol = close}));
  };
  const auto softmax = [](const auto& r) {
    const auto e = exp(r - max(r, 1, {.keepdims = true}));
    return array<T>(e / sum(e, 1, {.keepdims = true}));
  };
  check(softmax(x(i)), softmax(a));
  const auto normed = [](const auto& r) {
    return array<T>((r - mean(r, 1, {.keepdims = true})) / sqrt(var(r, 1, {.keepdims = true}) + 1.0F));
  };
  check(normed(x(i)), normed(a));
  check(normed(x(i) + beside), normed(a + beside));
  check(normed(x(i) * T(0.25F) - x(j)), normed(a * T(0.25F) - b));
  check(array<T>(sum(x(i) * x(j), 1)), array<T>(sum(a * b, 1)));
  check(array<T>(sum(x(i) / (max(x(i), 1, {.keepdims = true}) + T(1)), 1)),
        array<T>(sum(a / (max(a, 1, {.keepdims = true}) + T(1)), 1)));
  CHECK(gnp::array_equal(argmax(x(i) - mean(x(j), 1, {.keepdims = true}), 1),
                         argmax(a - mean(b, 1, {.keepdims = true}), 1)));
  const auto [products, squares] = gnp::eval(sum(x(i) * x(j), 1), sum(square(x(i) - x(j)), 1));
  check(products, array<T>(sum(a * b, 1)));
  check(squares, array<T>(sum(square(a - b), 1)));
  const auto [times, plus, again] = gnp::eval(x(i) * x(j), x(i) + x(j), beside * x(j));
  CHECK(gnp::array_equal(times, a * b));
  CHECK(gnp::array_equal(plus, a + b));
  CHECK(gnp::array_equal(again, beside * b));
}

/// Formulas of rows that an index chooses, of tables in every layout, beside operands of other layouts. The
/// lengths of the rows are those at which the CPU goes on to read them in another way, and the ones beside
/// them.
template <class T, class Index>
void check_formulas(const char* layout, const array<T>& x, index_t count) {
  const index_t rows = x.shape()[0];
  const index_t width = x.shape()[1];
  INFO(gnp::name(gnp::dtype_of<T>) << " by " << gnp::name(gnp::dtype_of<Index>) << ", " << layout << ", "
                                   << count << " rows of " << width);
  const host_array<T> t = gnp::asnumpy(x);
  const host_array<Index> chosen = choices<Index>(count, 2, rows);
  const array<Index> both = gnp::asarray(chosen);
  const array<Index> i = both(all, 0);
  const array<Index> j = both(all, 1);
  const array<T> beside = table<T>(count, width);
  const auto at = [&](index_t n, index_t k, index_t c) {
    const auto row = static_cast<index_t>(chosen(n, k));
    return real_part(t(row < 0 ? row + rows : row, c));
  };
  const T one = static_cast<T>(1.0F);
  CHECK(is_all(array<T>(x(i) + one), [&](index_t n, index_t c) { return at(n, 0, c) + 1; }));
  CHECK(is_all(array<T>(x(i) + beside), [&](index_t n, index_t c) { return at(n, 0, c) + entry(n, c); }));
  CHECK(is_all(array<T>(x(i) + beside(all, slice(0, 1)) + x(j)),
               [&](index_t n, index_t c) { return at(n, 0, c) + entry(n, 0) + at(n, 1, c); }));
  // Operands and results that lie across.
  const array<T> across = gnp::ascontiguousarray(beside.T());
  CHECK(is_all(array<T>(x(i) + across.T()), [&](index_t n, index_t c) { return at(n, 0, c) + entry(n, c); }));
  const array<T> turned = gnp::zeros<T>({width, count});
  turned.T()(all, all) = x(i) + one;
  CHECK(is_all(array<T>(turned.T()), [&](index_t n, index_t c) { return at(n, 0, c) + 1; }));
  const array<T> apart = gnp::zeros<T>({count, 2 * width});
  apart(all, slice(none, none, 2)) = x(i) + one;
  CHECK(is_all(array<T>(apart(all, slice(none, none, 2))),
               [&](index_t n, index_t c) { return at(n, 0, c) + 1; }));
  // Each row again and again, and one row for all.
  const array<T> again = x(i)(all, newaxis) + beside(newaxis, slice(0, 3));
  CHECK(is_all(array<T>(again(all, 2)), [&](index_t n, index_t c) { return at(n, 0, c) + entry(2, c); }));
  CHECK(is_all(array<T>(x(i(slice(0, 1))) + beside),
               [&](index_t n, index_t c) { return at(0, 0, c) + entry(n, c); }));
  // Rows whose index was gathered.
  const array<Index> order = gnp::arange<Index>(count);
  CHECK(is_all(array<T>(x(i(order(slice(none, none, -1)))) + one),
               [&](index_t n, index_t c) { return at(count - 1 - n, 0, c) + 1; }));
  if constexpr (!gnp::detail::is_complex_v<T>) {
    const T four = static_cast<T>(4.0F);
    CHECK(is_all(array<T>(where(x(i) > four, x(j), beside)),
                 [&](index_t n, index_t c) { return at(n, 0, c) > 4 ? at(n, 1, c) : entry(n, c); }));
    double wanted = 0;
    for (index_t n = 0; n < count; ++n)
      for (index_t c = 0; c < width; ++c) wanted += at(n, 0, c) > 4 ? at(n, 1, c) : 0;
    const array<T> kept = array<T>(x(j) + T())(x(i) > four);
    CHECK(sum<double>(kept.template astype<double>()).item() == wanted);
    const host_array<T> sums = gnp::asnumpy(array<T>(cumsum<T>((x(i) + one) - one, 1)));
    bool same = true;
    for (index_t n = 0; n < count; ++n) {
      double sum = 0;  // of a byte: as far as it goes
      for (index_t c = 0; c < (std::min)(width, index_t{20}); ++c)
        same = same && real_part(sums(n, c)) == (sum += at(n, 0, c));
    }
    CHECK(same);
    CHECK(is_all(array<T>(max(x(i) + one, 1, {.keepdims = true})), [&](index_t n, index_t) {
      double most = 0;
      for (index_t c = 0; c < width; ++c) most = std::max(most, at(n, 0, c) + 1);
      return most;
    }));
  }
}

template <class T, class Index>
void check_formulas_of(index_t width, index_t count, bool few = false) {
  const index_t rows = 40;
  const array<T> wide = table<T>(rows, 2 * width + 3);
  check_formulas<T, Index>("contiguous", table<T>(rows, width), count);
  if (few) return;
  check_formulas<T, Index>("apart", wide(all, slice(1, width + 1)), count);
  check_formulas<T, Index>("every other", wide(all, slice(none, 2 * width, 2)), count);
  check_formulas<T, Index>("backward", wide(slice(none, none, -1), slice(width, none, -1)), count);
  check_formulas<T, Index>("transposed", table<T>(width, rows).T(), count);
  check_formulas<T, Index>("one element for each row", gnp::broadcast_to(wide(all, slice(2, 3)), {rows, width}),
                           count);
}

}  // namespace

TEST_CASE("formulas of whole rows") {
  for_each_device([](gnp::device where) {
    const bool few = sanitized || !where.is_cpu();
    const bool fewest = is_simulated(where);
    for (const index_t width : {1, 7, 8, 9, 127, 128, 129, 1023, 1025, 2500}) {
      if (few && width > 9 && width != 129) continue;
      if (fewest && width == 7) continue;
      check_formulas_of<float, std::int64_t>(width, width > 1000 ? 9 : 70, fewest && width != 8 && width != 9);
    }
    for (const index_t width : {8, 200}) {
      if (few && width > 8) continue;
      check_formulas_of<double, std::int32_t>(width, 70, fewest);
      check_formulas_of<std::uint8_t, std::int64_t>(width, 70);
      check_formulas_of<gnp::half, std::int64_t>(width, 20, fewest);
      check_formulas_of<std::int16_t, std::int16_t>(width, 70, fewest);
      check_formulas_of<gnp::complex128, std::int32_t>(width, 70, fewest);
    }
  });
}

TEST_CASE("formulas of rows on several threads") {
  const int before = gnp::get_num_threads();
  gnp::set_num_threads(3);
  for_each_device([](gnp::device where) {
    if (!where.is_cpu()) return;
    check_formulas<float, std::int64_t>("contiguous", table<float>(40, 31), sanitized ? 900 : 9000);
    check_formulas<float, std::int64_t>("contiguous", table<float>(40, 300), sanitized ? 90 : 900);
  });
  gnp::set_num_threads(before);
}

TEST_CASE("formulas of rows of truth values") {
  for_each_device([](gnp::device) {
    for (const index_t width : {5, 40, 200}) {
      const array<bool> mask = table<float>(40, width) > 6.0F;
      const array<float> x = table<float>(40, width);
      const host_array<index_t> chosen = choices<index_t>(60, 1, 40);
      const array<index_t> i = gnp::asarray(chosen)(all, 0);
      const auto row = [&](index_t n) { return (chosen(n, 0) + 40) % 40; };
      CHECK(is_all(array<float>(where(mask(i), x(i), 0.0F)), [&](index_t n, index_t c) {
        return entry(row(n), c) > 6 ? static_cast<double>(entry(row(n), c)) : 0;
      }));
      CHECK(is_all(array<bool>(!mask(i)), [&](index_t n, index_t c) { return entry(row(n), c) > 6 ? 0 : 1; }));
      CHECK(is_all(array<index_t>(gnp::count_nonzero(mask(i), {.axis = 1, .keepdims = true})),
                   [&](index_t n, index_t) {
                     double found = 0;
                     for (index_t c = 0; c < width; ++c) found += entry(row(n), c) > 6 ? 1 : 0;
                     return found;
                   }));
    }
  });
}

TEST_CASE("rows that a statement writes where it takes them from") {
  for_each_device([](gnp::device) {
    for (const index_t width : {5, 64, 300}) {
      const index_t rows = 90;
      const host_array<index_t> chosen = choices<index_t>(rows, 1, rows);
      const array<index_t> i = gnp::asarray(chosen)(all, 0);
      const auto row = [&](index_t n) { return (chosen(n, 0) + rows) % rows; };
      const auto wanted = [&](index_t n, index_t c) { return entry(row(n), c) + 1.0; };
      array<float> x = table<float>(rows, width);
      x = x(i) + 1.0F;
      CHECK(is_all(x, wanted));
      const array<float> y = table<float>(rows, width);
      y(all, all) = y(i) + 1.0F;
      CHECK(is_all(y, wanted));
      array<float> z = table<float>(rows, width);
      z += z(i);
      CHECK(
          is_all(z, [&](index_t n, index_t c) { return static_cast<double>(entry(n, c) + entry(row(n), c)); }));
      // One row further on.
      const array<float> more = table<float>(rows + 1, width);
      more(slice(1, none)) = more(slice(none, rows))(i) + 1.0F;
      CHECK(is_all(array<float>(more(slice(1, none))), wanted));
      CHECK(is_all(array<float>(more(slice(0, 1))), [](index_t, index_t c) { return entry(0, c); }));
      const array<float> square = table<float>(width, width);
      const array<index_t> back = gnp::arange<index_t>(width)(slice(none, none, -1));
      square.T()(all, all) = square(back) + 1.0F;
      CHECK(is_all(array<float>(square.T()),
                   [&](index_t n, index_t c) { return entry(width - 1 - n, c) + 1.0; }));
    }
  });
}

TEST_CASE("a row that is not there in a formula") {
  for_each_device([](gnp::device where) {
    for (const index_t width : {5, 64, 300}) {
      const array<float> x = table<float>(50, width);
      for (const index_t bad : {index_t{50}, index_t{-51}, index_t{1} << 40}) {
        array<index_t> i = gnp::zeros<index_t>({70});
        i(69) = bad;
        const std::string words =
            "index: index " + std::to_string(bad) + " is out of bounds for axis 0 with size 50";
        CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(x(i) + 1.0F)); }) == words);
        CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(x(i) + x(i * 0))); }) == words);
        CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(cumsum(x(i) + 1.0F, 1))); }) == words);
        CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(mean(x(i) + 1.0F, 1))); }) == words);
      }
      const array<float> nothing = gnp::zeros({0, width});
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(nothing(gnp::zeros<index_t>({3})) + 1.0F)); }) !=
            "nothing");
    }
  });
}

TEST_CASE("statements of whole rows") {
  for_each_device([](gnp::device where) {
    for (const index_t width : {8, 33, 64}) {
      for (const index_t count : {5, 400}) {
        if (is_simulated(where) && (width == 64 || count == 5)) continue;
        const array<float> wide = table<float>(40, 2 * width + 3);
        check_statements<float>("contiguous", table<float>(40, width), count);
        check_statements<float>("apart", wide(all, slice(1, width + 1)), count);
        check_statements<float>("every other", wide(all, slice(none, 2 * width, 2)), count);
      }
    }
    check_statements<double>("contiguous", table<double>(40, 32), 300);
    check_statements<gnp::half>("contiguous", table<gnp::half>(40, 32) * gnp::half(0.125F), 300);
    check_statements<float>("contiguous", table<float>(40, 8), 9000);
    check_statements<float>("contiguous", table<float>(40, 2048), 20);
  });
}

TEST_CASE("a row that is not there in a statement") {
  for_each_device([](gnp::device where) {
    const array<float> x = table<float>(50, 64);
    array<index_t> i = gnp::zeros<index_t>({1000});
    i(700) = 50;
    const std::string words = "index: index 50 is out of bounds for axis 0 with size 50";
    CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(x(i) - max(x(i), 1, {.keepdims = true}))); }) == words);
    CHECK(thrown(where, [&] { gnp::eval(x(i) * 2.0F, x(i) + 1.0F); }) == words);
    i(700) = -50;
    CHECK(is_all(array<float>(x(i) - max(x(i), 1, {.keepdims = true})), [](index_t, index_t c) {
      double most = 0;
      for (index_t k = 0; k < 64; ++k) most = std::max(most, static_cast<double>(entry(0, k)));
      return entry(0, c) - most;
    }));
  });
}

TEST_CASE("whole rows of floats by every index") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    for (const index_t width : {1, 2, 6, 33, 64}) {
      if (few && width == 6) continue;
      check_layouts<float, std::int64_t>(width, few && (width == 1 || width == 33));
    }
    check_layouts<float, std::int32_t>(8, few);
    check_layouts<float, std::uint8_t>(8, few);
    check_layouts<float, std::uint64_t>(8, few);
  });
}

TEST_CASE("whole rows of every type") {
  for_each_device([](gnp::device where) {
    const bool few = is_simulated(where);
    for (const index_t width : {1, 12, 16}) {
      if (few && width == 1) continue;
      check_layouts<gnp::half, std::int64_t>(width, few);
      check_layouts<std::uint8_t, std::int64_t>(width, few && width == 12);
      check_layouts<gnp::complex128, std::int32_t>(width, few);
      if (few && width == 12) continue;
      check_layouts<double, std::int64_t>(width, few);
      check_layouts<std::int16_t, std::int16_t>(width, few);
      check_layouts<gnp::complex64, std::int64_t>(width, few);
    }
  });
}

TEST_CASE("few and many rows in a sum") {
  for_each_device([](gnp::device where) {
    const array<float> x = table<float>(40, 16);
    const auto same = [](index_t n) { return n; };
    for (const index_t each : {1, 2, 8, 16, 100}) {
      if (is_simulated(where) && (each == 2 || each == 8)) continue;
      for (const index_t bags : {1, 2, sanitized ? 70 : 700})
        check_rows<float, std::int64_t>("contiguous", x, same, same, bags, each);
    }
    check_rows<float, std::int64_t>("contiguous", x, same, same, 3, sanitized ? 2000 : 20000);
    check_rows<float, std::int64_t>("contiguous", x, same, same, sanitized ? 900 : 9000, 16);
  });
}

TEST_CASE("rows of a table of more axes and of several tables") {
  for_each_device([](gnp::device) {
    const index_t rows = 12, width = 8, count = 300;
    const array<float> x = table<float>(rows * rows, width).reshape({rows, rows, width});
    const array<float> u = table<float>(rows, width) * 2.0F;
    const host_array<index_t> chosen = choices<index_t>(count, 2, rows);
    const array<index_t> both = gnp::asarray(chosen);
    const array<index_t> i = both(all, 0);
    const array<index_t> j = both(all, 1);
    const auto row = [&](index_t n, index_t k) { return (chosen(n, k) + rows) % rows; };
    CHECK(is_all(array<float>(x(i, j)), [&](index_t n, index_t c) {
      return static_cast<double>(entry(row(n, 0) * rows + row(n, 1), c));
    }));
    CHECK(is_all(array<float>(x(i, j) + u(j) * u(i + 0)), [&](index_t n, index_t c) {
      return entry(row(n, 0) * rows + row(n, 1), c) + 4.0 * entry(row(n, 1), c) * entry(row(n, 0), c);
    }));
    // Indices that are gathered themselves.
    CHECK(
        is_all(array<float>(u(i(j))), [&](index_t n, index_t c) { return 2.0 * entry(row(row(n, 1), 0), c); }));
    // Of each row a part that the slices leave.
    CHECK(is_all(array<float>(x(i, 3, slice(4, 8))), [&](index_t n, index_t c) {
      return static_cast<double>(entry(row(n, 0) * rows + 3, c + 4));
    }));
    CHECK(is_all(array<float>(x(all, j)(2)),
                 [&](index_t n, index_t c) { return static_cast<double>(entry(2 * rows + row(n, 1), c)); }));
    CHECK(is_all(array<float>(sum(x(all, i), 0)), [&](index_t n, index_t c) {
      double sum = 0;
      for (index_t r = 0; r < rows; ++r) sum += entry(r * rows + row(n, 0), c);
      return sum;
    }));
    // One row of a table, for all, and a table of one row.
    CHECK(is_all(array<float>(u({3}) + u),
                 [&](index_t n, index_t c) { return 2.0 * (entry(3, c) + entry(n, c)); }));
    CHECK(is_all(array<float>(u(slice(0, 1))(i * 0)), [](index_t, index_t c) { return 2.0 * entry(0, c); }));
    CHECK(is_all(array<float>(gnp::broadcast_to(u(0), {rows, width})(i)),
                 [](index_t, index_t c) { return 2.0 * entry(0, c); }));
    const index_t many = index_t{1} << 33;
    CHECK(
        is_all(array<float>(gnp::broadcast_to(u(3), {many, width})(gnp::asarray({many - 1, -many, many / 2}))),
               [](index_t, index_t c) { return 2.0 * entry(3, c); }));
    CHECK(is_all(array<float>(gnp::take(u, i + 5 * rows, {.axis = 0, .mode = "wrap"})),
                 [&](index_t n, index_t c) { return 2.0 * entry(row(n, 0), c); }));
    CHECK(is_all(array<float>(gnp::take(u, i + 5 * rows, {.axis = 0, .mode = "clip"})),
                 [&](index_t, index_t c) { return 2.0 * entry(rows - 1, c); }));
  });
}

TEST_CASE("rows that are clipped or wrapped") {
  for_each_device([](gnp::device) {
    const index_t rows = 100;
    const array<float> x = table<float>(rows, 64);
    const std::vector<index_t> wanted = {-(index_t{1} << 32) + 5, 3, -1, (index_t{1} << 32) + 4, 99, -100, 100};
    const array<index_t> i = gnp::asarray(wanted);
    const auto clipped = [&](index_t r) {
      return (std::min)((std::max)(wanted[static_cast<std::size_t>(r)], index_t{0}), rows - 1);
    };
    const auto wrapped = [&](index_t r) { return (wanted[static_cast<std::size_t>(r)] % rows + rows) % rows; };
    CHECK(is_all(array<float>(gnp::take(x, i, 0, {.mode = "clip"}) + 0.0F),
                 [&](index_t r, index_t c) { return entry(clipped(r), c); }));
    CHECK(is_all(array<float>(gnp::take(x, i, 0, {.mode = "wrap"}) + 0.0F),
                 [&](index_t r, index_t c) { return entry(wrapped(r), c); }));
  });
}

TEST_CASE("a table beside views that begin where it does") {
  for_each_device([](gnp::device) {
    const index_t rows = 100;
    const array<float> x = table<float>(rows, 64);
    const array<index_t> i = gnp::asarray(choices<index_t>(1, 300, rows)).reshape(gnp::shape_t{300});
    const host_array<index_t> chosen = choices<index_t>(1, 300, rows);
    const auto row = [&](index_t r) { return (chosen(0, r) + rows) % rows; };
    const array<float> other = gnp::ones<float>({rows, 64});
    // Backwards: the first element is the last row's.
    const array<float> back = x(slice(none, none, -1));
    CHECK(is_all(array<float>(back(0, slice(0, 1)) + back(i) + other(i)),
                 [&](index_t r, index_t c) { return entry(rows - 1, 0) + entry(rows - 1 - row(r), c) + 1; }));
    CHECK(is_all(array<float>(x(0, slice(0, 1)) + x(i) + other(i)),
                 [&](index_t r, index_t c) { return entry(0, 0) + entry(row(r), c) + 1; }));
    // Another table there, of fewer rows.
    const array<index_t> low = i % index_t{10};
    CHECK(is_all(array<float>(x(slice(none, 10))(low) * 2.0F + x(i)),
                 [&](index_t r, index_t c) { return 2 * entry(row(r) % 10, c) + entry(row(r), c); }));
  });
}

TEST_CASE("no rows and rows of nothing") {
  for_each_device([](gnp::device) {
    const array<float> x = table<float>(5, 8);
    const array<index_t> nothing = gnp::zeros<index_t>({0, 4});
    CHECK(array<float>(x(nothing)).shape() == gnp::shape_t{0, 4, 8});
    CHECK(array<float>(sum(x(nothing), 1)).shape() == gnp::shape_t{0, 8});
    CHECK(gnp::to_vector(array<float>(sum(x(gnp::zeros<index_t>({2, 0})), 1))) == std::vector<float>(16, 0.0F));
    CHECK(array<float>(x(all, slice(0, 0))(gnp::zeros<index_t>({3}))).shape() == gnp::shape_t{3, 0});
  });
}

TEST_CASE("a row that is not there is an error and the next call works") {
  for_each_device([](gnp::device where) {
    const array<float> x = table<float>(50, 64);
    array<index_t> i = gnp::zeros<index_t>({1000, 16});
    const auto words = [](const char* index) {
      return std::string("index: index ") + index + " is out of bounds for axis 0 with size 50";
    };
    for (const auto& [bad, word] : {std::pair<index_t, const char*>{50, "50"},
                                    {-51, "-51"},
                                    {index_t{1} << 40, "1099511627776"},
                                    {-(index_t{1} << 40), "-1099511627776"},
                                    {(index_t{1} << 32) + 3, "4294967299"},
                                    {-(index_t{1} << 32) - 3, "-4294967299"},
                                    {-(index_t{1} << 32), "-4294967296"}}) {
      i(700, 3) = bad;
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(mean(x(i), 1))); }) == words(word));
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(max(x(i), 1))); }) == words(word));
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(sum(x(i), 2))); }) == words(word));
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(x(i) + x(0))); }) == words(word));
      CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(x(all, slice(none, 3))(i))); }) == words(word));
    }
    const array<std::uint64_t> huge = gnp::zeros<std::uint64_t>({1000, 16}) + ~std::uint64_t{0};
    CHECK(thrown(where, [&] { gnp::asnumpy(array<float>(sum(x(huge), 1))); }).find("out of bounds") !=
          std::string::npos);
    i(700, 3) = 49;
    CHECK(is_all(array<float>(sum(x(i), 1)), [](index_t b, index_t c) {
      return b == 700 ? 15.0 * entry(0, c) + entry(49, c) : 16.0 * entry(0, c);
    }));
  });
}
