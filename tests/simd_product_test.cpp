// SPDX-License-Identifier: MIT
// test: tsan, asan, optimised
// Products of blocks of matrices by the processor's own vectors, against sums written out in long double: each
// set of instructions that the processor has, each type, each way to take a factor, sizes around those of a
// tile.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <gnp/dense/block.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/ranges.hpp>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

// gnp's own products, also where the machine has a BLAS.
[[maybe_unused]] const int without_blas = ::setenv("GNP_LAPACK", "none", 1);

using gnp::index_t;
using gnp::detail::dense_block;
using gnp::detail::matrix_op;
using gnp::detail::real_t;

#if GNP_HAS_EIGEN && GNP_WIDE_PRODUCTS

template <class T>
struct named_tiles {
  std::string name;
  const gnp::detail::simd_tiles<real_t<T>>* tiles;
};

/// The sets of instructions that this processor has.
template <class T>
std::vector<named_tiles<T>> all_tiles() {
  std::vector<named_tiles<T>> all;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    all.push_back({"avx2", &gnp::detail::avx2_tiles<real_t<T>>});
  } else {
    std::puts("skipped: this processor has no AVX2");
  }
  if (__builtin_cpu_supports("avx512f")) {
    all.push_back({"avx512", &gnp::detail::avx512_tiles<real_t<T>>});
  } else {
    std::puts("skipped: this processor has no AVX-512");
  }
  return all;
}

std::uint64_t state = 88172645463325252U;
index_t random_below(index_t end) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<index_t>((state >> 20) % static_cast<std::uint64_t>(end));
}
template <class T>
T random_number() {
  const auto part = [] { return static_cast<real_t<T>>(random_below(1 << 20)) / real_t<T>(1 << 19) - 1; };
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    const auto real = part();
    return T(real, part());
  } else {
    return part();
  }
}

/// A matrix whose columns have something between them.
template <class T>
struct matrix {
  index_t rows;
  index_t columns;
  index_t leading;
  std::vector<T> data;

  matrix(index_t r, index_t c, T between) : rows(r), columns(c), leading(r + random_below(4)) {
    // Nothing after the last column: the sanitizer sees who reads there.
    data.assign(static_cast<std::size_t>(r == 0 || c == 0 ? 0 : leading * (c - 1) + r), between);
    for (index_t j = 0; j < c; ++j) {
      for (index_t i = 0; i < r; ++i) (*this)(i, j) = random_number<T>();
    }
  }
  T& operator()(index_t i, index_t j) { return data[static_cast<std::size_t>(i + j * leading)]; }
  const T& operator()(index_t i, index_t j) const { return data[static_cast<std::size_t>(i + j * leading)]; }
  dense_block<T> block() { return {data.data(), rows, columns, leading}; }
};

template <class T>
T between_columns() {
  return T(std::numeric_limits<real_t<T>>::quiet_NaN());
}
template <class T>
matrix<T> factor(matrix_op how, index_t rows, index_t columns) {
  return how == matrix_op::none ? matrix<T>(rows, columns, between_columns<T>())
                                : matrix<T>(columns, rows, between_columns<T>());
}
/// A number in more digits than any type has. (A plain one: the sums below are most of what this test
/// computes.)
struct wide_number {
  long double re;
  long double im;
  long double size;
};
template <class T>
wide_number wide(T x) {
  const std::complex<long double> value(std::real(x), std::imag(x));
  return {value.real(), value.imag(), std::abs(value)};
}

/// The factor as it is taken: its rows one after the other, or its columns.
template <class T>
std::vector<wide_number> entries(const matrix<T>& x, matrix_op how, bool by_rows) {
  const bool turned = how != matrix_op::none;
  const index_t rows = turned ? x.columns : x.rows;
  const index_t columns = turned ? x.rows : x.columns;
  std::vector<wide_number> all;
  for (index_t outer = 0; outer < (by_rows ? rows : columns); ++outer) {
    for (index_t inner = 0; inner < (by_rows ? columns : rows); ++inner) {
      const index_t i = by_rows ? outer : inner;
      const index_t j = by_rows ? inner : outer;
      all.push_back(wide(turned ? x(j, i) : x(i, j)));
      if (how == matrix_op::adjoint) all.back().im = -all.back().im;
    }
  }
  return all;
}

template <class T>
gnp::detail::wide_factor<T> packed_as(matrix_op how, bool left, matrix<T>& x) {
  const auto of = [&]<matrix_op How>() {
    return left ? gnp::detail::factor_of<How, true>(dense_block<const T>(x.block()))
                : gnp::detail::factor_of<How, false>(dense_block<const T>(x.block()));
  };
  if (how == matrix_op::none) return of.template operator()<matrix_op::none>();
  if (how == matrix_op::transposed) return of.template operator()<matrix_op::transposed>();
  return of.template operator()<matrix_op::adjoint>();
}

struct product {
  index_t rows;
  index_t columns;
  index_t depth;
  matrix_op a;
  matrix_op b;
};

template <class T>
void multiply(const named_tiles<T>& set, const product& p, T alpha, matrix<T>& a, matrix<T>& b, matrix<T>& c) {
  gnp::detail::add_wide_product<T>(*set.tiles, c.data.data(), c.leading, alpha, p.rows, p.columns, p.depth,
                                   packed_as(p.a, true, a), packed_as(p.b, false, b));
}

template <class T>
void check(const named_tiles<T>& set, const product& p, T alpha) {
  const T guard(static_cast<real_t<T>>(-77.5));
  matrix<T> a = factor<T>(p.a, p.rows, p.depth);
  matrix<T> b = factor<T>(p.b, p.depth, p.columns);
  matrix<T> c(p.rows, p.columns, guard);
  const matrix<T> before = c;
  multiply(set, p, alpha, a, b, c);

  INFO(set.name << " " << gnp::name(gnp::dtype_of<T>) << ": " << p.rows << " x " << p.columns << ", depth "
                << p.depth << ", a taken " << static_cast<int>(p.a) << ", b " << static_cast<int>(p.b));
  const std::complex<long double> scale(std::real(alpha), std::imag(alpha));
  const long double epsilon = std::numeric_limits<real_t<T>>::epsilon();
  const std::vector<wide_number> rows = entries(a, p.a, true);
  const std::vector<wide_number> columns = entries(b, p.b, false);
  const auto exactly = [](T x) { return std::complex<long double>(std::real(x), std::imag(x)); };
  index_t wrong = 0;
  for (index_t j = 0; j < p.columns; ++j) {
    for (index_t i = 0; i < p.rows; ++i) {
      long double re = 0;
      long double im = 0;
      long double size = 0;
      const wide_number* x = rows.data() + i * p.depth;
      const wide_number* y = columns.data() + j * p.depth;
      for (index_t k = 0; k < p.depth; ++k, ++x, ++y) {
        re += x->re * y->re - x->im * y->im;
        im += x->re * y->im + x->im * y->re;
        size += x->size * y->size;
      }
      const auto expected = exactly(before(i, j)) + scale * std::complex<long double>(re, im);
      const auto error = std::abs(exactly(c(i, j)) - expected);
      const auto limit =
          4 * epsilon *
          (std::abs(expected) + (1 + std::sqrt(static_cast<long double>(p.depth))) * std::abs(scale) * size);
      if (!(error <= limit)) ++wrong;
    }
    for (index_t i = p.rows; p.rows > 0 && i < c.leading && j + 1 < p.columns; ++i) wrong += c(i, j) != guard;
  }
  CHECK(wrong == 0);
}

template <class T>
T alpha_number(index_t which) {
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    if (which == 3) return T(0, static_cast<real_t<T>>(1.5));
    if (which == 4) return T(static_cast<real_t<T>>(-0.25), 2);
  }
  return T(static_cast<real_t<T>>(which == 0 ? 1 : which == 1 ? -1 : which == 2 ? 0 : 0.75));
}

TEMPLATE_TEST_CASE("products of all sizes around a tile's", "", float, double, gnp::complex64,
                   gnp::complex128) {
  constexpr matrix_op ways[] = {matrix_op::none, matrix_op::transposed, matrix_op::adjoint};
  for (const auto& set : all_tiles<TestType>()) {
    const index_t rows = set.tiles->rows();
    const index_t columns = set.tiles->columns;
    const auto near = [](index_t size) { return random_below(2 * size + 3) + 1; };
    for (int turn = 0; turn < (sanitized ? 5 : 20); ++turn) {
      for (const matrix_op a : ways) {
        for (const matrix_op b : ways)
          check(set, {near(rows), near(columns), near(20), a, b}, alpha_number<TestType>(turn % 5));
      }
    }
    for (const matrix_op a : ways) {
      for (const matrix_op b : ways) {
        for (const index_t few : {1, 2, 3}) {
          check(set, {few, near(40), near(40), a, b}, TestType(1));
          check(set, {near(2 * rows), few, near(40), a, b}, TestType(1));
          check(set, {near(2 * rows), near(40), few, a, b}, TestType(1));
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("products of several blocks", "", float, double, gnp::complex64, gnp::complex128) {
  constexpr matrix_op ways[] = {matrix_op::none, matrix_op::transposed, matrix_op::adjoint};
  for (const auto& set : all_tiles<TestType>()) {
    const index_t rows = set.tiles->rows();
    for (const matrix_op a : ways) {
      for (const matrix_op b : ways) {
        if (sanitized && a != b) continue;  // each factor is packed by itself
        check(set, {9 * rows + 5, 11, 21, a, b}, TestType(1));                                      // of a
        check(set, {rows + 1, 2 * set.tiles->columns + 1, 1100, a, b}, alpha_number<TestType>(4));  // of depth
        check(set, {9, 2100, 12, a, b}, TestType(-1));                                              // of b
      }
    }
    check(set, {9 * rows + 1, 2070, 3, matrix_op::none, matrix_op::none}, TestType(1));
    check(set, {40, 260, 30, matrix_op::none, matrix_op::none}, TestType(1));
  }
}

TEMPLATE_TEST_CASE("nothing to add", "", float, double, gnp::complex64, gnp::complex128) {
  for (const auto& set : all_tiles<TestType>()) {
    check(set, {5, 7, 0, matrix_op::none, matrix_op::none}, TestType(1));
    check(set, {0, 7, 3, matrix_op::none, matrix_op::transposed}, TestType(1));
    check(set, {5, 0, 3, matrix_op::transposed, matrix_op::none}, TestType(1));
  }
}

TEMPLATE_TEST_CASE("a NaN or an infinity is seen in its row or column only", "", float, double, gnp::complex64,
                   gnp::complex128) {
  const real_t<TestType> odd[] = {std::numeric_limits<real_t<TestType>>::quiet_NaN(),
                                  std::numeric_limits<real_t<TestType>>::infinity()};
  constexpr matrix_op ways[] = {matrix_op::none, matrix_op::transposed, matrix_op::adjoint};
  for (const auto& set : all_tiles<TestType>()) {
    for (int turn = 0; turn < 36; ++turn) {
      const product p{random_below(60) + 1, random_below(20) + 1, random_below(30) + 1, ways[turn % 3],
                      ways[turn / 3 % 3]};
      matrix<TestType> a = factor<TestType>(p.a, p.rows, p.depth);
      matrix<TestType> b = factor<TestType>(p.b, p.depth, p.columns);
      matrix<TestType> c(p.rows, p.columns, TestType(0));
      const bool in_a = turn % 2 == 0;
      const index_t at = random_below(in_a ? p.rows : p.columns);
      const index_t k = random_below(p.depth);
      const bool as_it_is = (in_a ? p.a : p.b) == matrix_op::none;
      const TestType value(odd[turn / 2 % 2]);
      if (in_a) {
        (as_it_is ? a(at, k) : a(k, at)) = value;
      } else {
        (as_it_is ? b(k, at) : b(at, k)) = value;
      }
      multiply(set, p, TestType(1), a, b, c);
      index_t wrong = 0;
      for (index_t j = 0; j < p.columns; ++j) {
        for (index_t i = 0; i < p.rows; ++i) {
          const bool finite = std::isfinite(std::real(c(i, j))) && std::isfinite(std::imag(c(i, j)));
          wrong += finite == ((in_a ? i : j) == at);
        }
      }
      INFO(set.name << ": " << p.rows << " x " << p.columns << ", depth " << p.depth);
      CHECK(wrong == 0);
    }
  }
}

TEMPLATE_TEST_CASE("a part of a product has the bits of the whole", "", float, double, gnp::complex64,
                   gnp::complex128) {
  constexpr matrix_op as_it_is = matrix_op::none;
  for (const auto& set : all_tiles<TestType>()) {
    for (index_t alpha = 0; alpha < 5; ++alpha) {
      const index_t rows = 150, columns = 45, depth = 300;
      matrix<TestType> a = factor<TestType>(as_it_is, rows, depth);
      matrix<TestType> b = factor<TestType>(as_it_is, depth, columns);
      matrix<TestType> whole(rows, columns, TestType(0));
      matrix<TestType> parts = whole;
      multiply(set, {rows, columns, depth, as_it_is, as_it_is}, alpha_number<TestType>(alpha), a, b, whole);
      const index_t i0 = random_below(rows - 1) + 1;
      const index_t j0 = random_below(columns - 1) + 1;
      for (const bool low : {false, true}) {
        for (const bool right : {false, true}) {
          const index_t i = low ? i0 : 0;
          const index_t j = right ? j0 : 0;
          gnp::detail::add_wide_product<TestType>(
              *set.tiles, &parts(i, j), parts.leading, alpha_number<TestType>(alpha), low ? rows - i0 : i0,
              right ? columns - j0 : j0, depth, packed_as(as_it_is, true, a).from(i, 0),
              packed_as(as_it_is, false, b).from(j, 0));
        }
      }
      CHECK(std::memcmp(whole.data.data(), parts.data.data(), whole.data.size() * sizeof(TestType)) == 0);
    }
  }
}

TEMPLATE_TEST_CASE("a symmetric product has the bits of any other", "", float, double) {
  for (const auto& set : all_tiles<TestType>()) {
    const index_t rows = set.tiles->rows();
    for (const matrix_op how : {matrix_op::none, matrix_op::transposed}) {
      const matrix_op other = how == matrix_op::none ? matrix_op::transposed : matrix_op::none;
      // Around a tile, several blocks of a, of the depth, and of b.
      for (const index_t n :
           {1, 7, 8, 9, 15, 16, 17, 23, 25, 47, 49, 100, static_cast<int>(8 * rows + 5), 1030}) {
        const index_t depth = n == 100 ? 1100 : n > 1000 ? 5 : 70;
        matrix<TestType> a = factor<TestType>(how, n, depth);
        matrix<TestType> whole(n, n, TestType(0));
        for (index_t i = 0; i < n; ++i) {
          for (index_t j = 0; j < n; ++j) whole(i, j) = 0;
        }
        matrix<TestType> halved = whole;
        multiply(set, {n, n, depth, how, other}, TestType(0.75), a, a, whole);
        gnp::detail::add_symmetric_product<TestType>(*set.tiles, halved.data.data(), halved.leading,
                                                     TestType(0.75), n, depth, packed_as(how, true, a),
                                                     packed_as(other, false, a));
        INFO(set.name << ": " << n << ", depth " << depth << ", taken " << static_cast<int>(how));
        CHECK(std::memcmp(whole.data.data(), halved.data.data(), whole.data.size() * sizeof(TestType)) == 0);
      }
    }
  }
}

#endif

TEMPLATE_TEST_CASE("an array times its own transpose is as if the two were apart", "", float, double,
                   gnp::complex64) {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const int threads = gnp::get_num_threads();
  for (const int count : {1, 3}) {
    gnp::set_num_threads(count);
    for (const index_t n : {5, 15, 16, 17, 33, 50, 101}) {
      for (const index_t depth : {63, 64, 300}) {
        if (sanitized && n * depth > 30000) continue;
        const gnp::array<double> places = gnp::arange<double>(n * depth).reshape({n, depth});
        gnp::array<TestType> x = gnp::sin(places * places).eval().template astype<TestType>();
        x(n / 2, 3) = TestType(std::numeric_limits<float>::infinity());
        for (const gnp::array<TestType>& a : {x, gnp::array<TestType>(x.T())}) {
          const gnp::array<TestType> transpose = a.T().copy();
          INFO(n << ", depth " << depth << ", " << count << " threads");
          CHECK(gnp::array_equal(gnp::matmul(a, a.T()), gnp::matmul(a, transpose), {.equal_nan = true}));
          // Other products of parts of one array.
          const gnp::array<TestType> some = a(gnp::slice(0, 5));
          CHECK(gnp::array_equal(gnp::matmul(some, a.T()), gnp::matmul(some, transpose), {.equal_nan = true}));
          gnp::array<TestType> sum = gnp::arange<float>(a.shape(0) * a.shape(0))
                                         .reshape({a.shape(0), a.shape(0)})
                                         .template astype<TestType>();
          gnp::array<TestType> other = sum.copy();
          sum += gnp::matmul(a, a.T());
          other += gnp::matmul(a, transpose);
          CHECK(gnp::array_equal(sum, other, {.equal_nan = true}));
        }
      }
    }
  }
  gnp::set_num_threads(threads);
}

TEST_CASE("the number of threads changes no bit of a product") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const int threads = gnp::get_num_threads();
  struct shape {
    index_t m, n, k;
  };
  for (const auto& [m, n, k] : {shape{300, 17, 200},
                                {17, 300, 200},
                                {121, 130, 119},
                                {17, 16, 9000},
                                {40, 47, 900},
                                shape{5000, 1, 300},
                                {1, 5000, 300},
                                {6, 5000, 70},
                                {5001, 3, 70}}) {
    const auto x = gnp::arange<float>(m * k).reshape({m, k});
    const auto y = gnp::arange<float>(k * n).reshape({n, k});
    const gnp::array<float> a = gnp::sin(x * x);
    const gnp::array<float> b = gnp::cos(y * y).eval().T();
    gnp::set_num_threads(1);
    const gnp::host_array<float> one = gnp::asnumpy(gnp::matmul(a, b));
    for (const int more : {2, 3, 5}) {
      gnp::set_num_threads(more);
      const gnp::host_array<float> same = gnp::asnumpy(gnp::matmul(a, b));
      INFO(m << " x " << n << ", depth " << k << ", " << more << " threads");
      CHECK(std::memcmp(one.data(), same.data(), static_cast<std::size_t>(m * n) * sizeof(float)) == 0);
    }
  }
  gnp::set_num_threads(threads);
}

}  // namespace
