// SPDX-License-Identifier: MIT
// Matrices that are hard on factorisations, and the measure of a result: everything on the host, in double.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "devices.hpp"

namespace linalg_cases {

using gnp::index_t;

template <class T>
using real_of = gnp::type_of<gnp::detail::real_part_of(gnp::dtype_of<T>)>;
template <class T>
inline constexpr bool is_complex = gnp::is_complex(gnp::dtype_of<T>);

using number = std::complex<double>;

/// A matrix on the host, row by row.
struct matrix {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<number> values;

  matrix(index_t m, index_t n) : rows(m), columns(n), values(static_cast<std::size_t>(m * n)) {}
  number& operator()(index_t i, index_t j) { return values[static_cast<std::size_t>(i * columns + j)]; }
  number operator()(index_t i, index_t j) const { return values[static_cast<std::size_t>(i * columns + j)]; }
  /// A row's real and imaginary parts, one after the other: for long loops, which take ten times as long by
  /// calls where nothing is in line.
  double* row(index_t i) { return reinterpret_cast<double*>(values.data() + i * columns); }
  const double* row(index_t i) const { return reinterpret_cast<const double*>(values.data() + i * columns); }
};

inline matrix operator*(const matrix& a, const matrix& b) {
  matrix c(a.rows, b.columns);
  for (index_t i = 0; i < a.rows; ++i) {
    for (index_t k = 0; k < a.columns; ++k) {
      const number x = a(i, k);
      const double re = x.real();
      const double im = x.imag();
      if (re == 0 && im == 0) continue;
      const double* const y = b.row(k);
      double* const to = c.row(i);
      for (index_t j = 0; j < 2 * b.columns; j += 2) {
        to[j] += re * y[j] - im * y[j + 1];
        to[j + 1] += re * y[j + 1] + im * y[j];
      }
    }
  }
  return c;
}
inline matrix operator-(matrix a, const matrix& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] -= b.values[i];
  return a;
}
inline matrix adjoint(const matrix& a) {
  matrix t(a.columns, a.rows);
  for (index_t i = 0; i < a.rows; ++i) {
    for (index_t j = 0; j < a.columns; ++j) t(j, i) = std::conj(a(i, j));
  }
  return t;
}
inline matrix identity(index_t n) {
  matrix e(n, n);
  for (index_t i = 0; i < n; ++i) e(i, i) = 1;
  return e;
}
/// The Frobenius norm, safe from overflow.
inline double norm(const matrix& a) {
  double largest = 0;
  for (const number& x : a.values) largest = std::fmax(largest, std::abs(x));
  if (!(largest > 0) || std::isinf(largest)) return largest;
  double sum = 0;
  for (const number& x : a.values) sum += std::norm(x / largest);
  return largest * std::sqrt(sum);
}
/// How far the columns are from orthonormal. In more digits than they have: long sums of equal terms are not
/// right to the last one.
inline double orthogonality(const matrix& q) {
  long double sum = 0;
  for (index_t i = 0; i < q.columns; ++i) {
    for (index_t j = 0; j <= i; ++j) {
      long double re = i == j ? -1 : 0;
      long double im = 0;
      const double* x = q.row(0) + 2 * i;
      const double* y = q.row(0) + 2 * j;
      for (index_t r = 0; r < q.rows; ++r, x += 2 * q.columns, y += 2 * q.columns) {
        const long double a = x[0];
        const long double b = x[1];
        re += a * y[0] + b * y[1];
        im += a * y[1] - b * y[0];
      }
      sum += (i == j ? 1 : 2) * (re * re + im * im);
    }
  }
  return static_cast<double>(std::sqrt(sum));
}

struct generator {
  std::uint64_t state;
  double uniform() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 4503599627370496.0 - 1;
  }
  double normal() { return (uniform() + uniform() + uniform() + uniform()) * 0.866; }
};

inline matrix random(index_t m, index_t n, bool with_imaginary, std::uint64_t seed) {
  generator g{seed * 2654435769U + 88172645463325252U};
  matrix a(m, n);
  for (number& x : a.values) x = number(g.normal(), with_imaginary ? g.normal() : 0.0);
  return a;
}

/// The first columns of a product of random reflections.
inline matrix orthonormal(index_t m, index_t n, bool with_imaginary, std::uint64_t seed) {
  matrix q(m, n);
  for (index_t i = 0; i < n; ++i) q(i, i) = 1;
  for (std::uint64_t r = 0; r < 24; ++r) {
    const matrix v = random(m, 1, with_imaginary, seed * 100 + r);
    const double length = norm(v);
    const matrix w = adjoint(v) * q;
    for (index_t i = 0; i < m; ++i) {
      const number factor = 2.0 / (length * length) * v(i, 0);
      const double re = factor.real();
      const double im = factor.imag();
      const double* const from = w.row(0);
      double* const to = q.row(i);
      for (index_t j = 0; j < 2 * n; j += 2) {
        to[j] -= re * from[j] - im * from[j + 1];
        to[j + 1] -= re * from[j + 1] + im * from[j];
      }
    }
  }
  return q;
}

/// A matrix with these singular values.
inline matrix with_singular_values(index_t m, index_t n, bool with_imaginary,
                                   const std::function<double(double)>& value) {
  const index_t k = m < n ? m : n;
  matrix u = orthonormal(m, k, with_imaginary, 5);
  const matrix v = orthonormal(n, k, with_imaginary, 6);
  for (index_t j = 0; j < k; ++j) {
    const double s = value(k > 1 ? static_cast<double>(j) / static_cast<double>(k - 1) : 0);
    for (index_t i = 0; i < m; ++i) u(i, j) *= s;
  }
  return u * adjoint(v);
}

struct named_matrix {
  std::string name;
  matrix values;
};

/// The matrices that issue and design name: ill-conditioned, of low rank, clustered, badly scaled, and plain.
inline std::vector<named_matrix> hard_matrices(index_t m, index_t n, bool c) {
  const auto power = [](double exponent) {
    return [exponent](double t) { return std::pow(10.0, exponent * t); };
  };
  std::vector<named_matrix> list;
  const auto scaled = [&](double scale) {
    matrix a = random(m, n, c, 3);
    for (number& x : a.values) x *= scale;
    return a;
  };
  list.push_back({"random", random(m, n, c, 3)});
  list.push_back({"condition 1e3", with_singular_values(m, n, c, power(-3))});
  list.push_back({"condition 1e6", with_singular_values(m, n, c, power(-6))});
  list.push_back({"condition 1e14", with_singular_values(m, n, c, power(-14))});
  list.push_back(
      {"half the rank", with_singular_values(m, n, c, [](double t) { return t < 0.5 ? 1 + t : 0; })});
  list.push_back({"rank 1", with_singular_values(m, n, c, [](double t) { return t == 0 ? 1.0 : 0.0; })});
  list.push_back({"clustered", with_singular_values(m, n, c, [](double t) { return t < 0.5 ? 1 + 1e-7 : 1; })});
  list.push_back({"two clusters", with_singular_values(m, n, c, [](double t) { return t < 0.5 ? 1 : 1e-9; })});
  list.push_back({"all singular values 1", with_singular_values(m, n, c, [](double) { return 1.0; })});
  list.push_back({"zero", matrix(m, n)});
  list.push_back({"identity", orthonormal(m, n < m ? n : m, false, 0)});
  list.back().values = matrix(m, n);
  for (index_t i = 0; i < (m < n ? m : n); ++i) list.back().values(i, i) = 1;
  list.push_back({"ones", matrix(m, n)});
  for (number& x : list.back().values.values) x = 1;
  list.push_back({"times 1e-20", scaled(1e-20)});
  list.push_back({"times 1e18", scaled(1e18)});
  list.push_back({"a zero column", random(m, n, c, 4)});
  for (index_t i = 0; i < m; ++i) list.back().values(i, n / 2) = 0;
  return list;
}

template <class T>
gnp::host_array<T> rounded(const matrix& a) {
  gnp::host_array<T> host(gnp::shape_t{a.rows, a.columns});
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if constexpr (is_complex<T>) {
      host.data()[i] = T(a.values[i]);
    } else {
      host.data()[i] = static_cast<T>(a.values[i].real());
    }
  }
  return host;
}
template <class T>
gnp::array<T> on_device(const matrix& a) {
  return gnp::asarray(rounded<T>(a));
}

template <class T>
matrix on_host(const gnp::array<T>& a) {
  const gnp::host_array<T> host = gnp::asnumpy(a);
  matrix result(a.ndim() == 1 ? 1 : a.shape()[0], a.shape()[a.ndim() == 1 ? 0 : 1]);
  for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] = number(host.data()[i]);
  return result;
}

/// 30 eps √n: what a residual and a distance from orthogonality may be.
template <class T>
double bar(index_t n) {
  return 30 * static_cast<double>(std::numeric_limits<real_of<T>>::epsilon()) *
         std::sqrt(static_cast<double>(n > 0 ? n : 1));
}

}  // namespace linalg_cases
