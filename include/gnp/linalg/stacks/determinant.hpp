// SPDX-License-Identifier: MIT
// Determinants of stacks of matrices of one type, on either device.
#pragma once

#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/linalg/common/factorisations.hpp>
#include <gnp/linalg/cpu/lapack/lu.hpp>
#include <gnp/linalg/gpu/determinant_text.hpp>
#include <gnp/linalg/gpu/lu.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Determinants as mantissa * 2^exponent, so that intermediate results do not overflow.
template <class T>
struct scaled_determinant {
  array<T> mantissa;
  array<double> exponent;
};

/// x 2^exponent, where 2^exponent alone may be out of range although the result is not.
template <class T>
T times_power_of_two(T x, int exponent) {
  if constexpr (is_complex(dtype_of<T>)) {
    return T(std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent));
  } else {
    return std::ldexp(x, exponent);
  }
}

/// Computes determinant i from the diagonal of U and the sign of P, for a matrix that was divided by 2^scale.
template <class T>
void multiply_diagonal(const T* lu, index_t n, real_t<T> sign, int scale, const scaled_determinant<T>& d,
                       index_t i) {
  using real = real_t<T>;
  T product(sign);
  double exponent = static_cast<double>(n) * scale;
  for (index_t k = 0; k < n; ++k) {
    product *= lu[k * (n + 1)];
    const real largest = std::abs(product);
    if (!(largest > 0) || !(largest - largest == 0)) continue;
    const int e = std::ilogb(largest);
    product = times_power_of_two(product, -e);
    exponent += e;
  }
  d.mantissa.data()[i] = product;
  d.exponent.data()[i] = exponent;
}

template <class T>
void determinants_on_cpu(const array<T>& a, const matrix_stack& s, const scaled_determinant<T>& d,
                         [[maybe_unused]] const char* function) {
  using real = real_t<T>;
  const index_t n = s.rows;
  if (const lapack_api* api = lapack_for_lu<T>(n)) {
    return for_each_by_lapack(*api, s.count, n * n * n, [&](index_t i) {
      T* const matrix = a.data() + i * n * n;
      const matrix_range range = bring_into_range(matrix, n * n);
      const lapack_lu<T> lu(*api, matrix, n);
      multiply_diagonal(matrix, n, lu.odd() ? real(-1) : real(1), range.exponent, d, i);
    });
  }
#if GNP_HAS_EIGEN
  require_eigen(function);
  for_each_matrix(s.count, n * n * n, [&](index_t i) {
    matrix_map<T> m(a.data() + i * n * n, n, n);
    const int scale = scale_for_lu(m);
    const Eigen::PartialPivLU<Eigen::Ref<eigen_matrix<T>>> lu(m);
    multiply_diagonal(m.data(), n, static_cast<real>(lu.permutationP().determinant()), scale, d, i);
  });
#else
  throw_no_eigen(function);
#endif
}

#if GNP_HAS_CUDA

template <class T>
void determinants_on_gpu(const array<T>& a, const matrix_stack& s, const scaled_determinant<T>& d) {
  static device_kernel product_of_diagonal;
  // cuSOLVER's LU may leave no trace of a NaN in its factors. (Complex matrices are scaled before, which
  // detects NaN.)
  array<bool> has_no_nan;
  if constexpr (!is_complex(dtype_of<T>))
    has_no_nan = all_along(equal(a, a), {.axis = {-2, -1}}).reshape(d.mantissa.shape());
  const gpu_lu<T> lu(a, s);
  {
    const submission work(a.device());
    const CUfunction function = product_of_diagonal.on(
        work.device(), [] { return linalg_source(device_real(dtype_of<T>), "", determinant_kernel_text); });
    work.launch(function, blocks_for(s.count, s.rows > 128 ? 256 : 32), work.reads(a),
                static_cast<long long>(s.rows), is_complex(dtype_of<T>) ? 2 : 1, lu.pivots(work),
                lu.pivot_bytes(), work.writes(d.mantissa), work.writes(d.exponent));
  }
  if constexpr (is_complex(dtype_of<T>)) {
    const array<real_t<T>> scale = lu.scale().reshape(d.exponent.shape());
    d.mantissa.assign(where(isnan(scale), T(std::numeric_limits<real_t<T>>::quiet_NaN()), d.mantissa));
    d.exponent.assign(d.exponent + log2(scale.template astype<double>()) * static_cast<double>(s.rows));
  } else {
    d.mantissa.assign(where(has_no_nan, d.mantissa, std::numeric_limits<T>::quiet_NaN()));
  }
}

#endif

template <class T>
scaled_determinant<T> determinants(const array<T>& x, const char* function) {
  const watched_work watched(
      x.device(), [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(x.nbytes())); });
  const matrix_stack s = check_square(x.shape(), function);
  const scaled_determinant<T> d{array<T>(s.batch, x.device(), function),
                                array<double>(s.batch, x.device(), function)};
  if (s.empty()) {  // a matrix without elements has the determinant 1
    d.mantissa.fill(T(1));
    d.exponent.fill(0.0);
    return d;
  }
  const array<T> a = column_major_copy<T>(x, function);
  if (x.device().is_cpu()) {
    determinants_on_cpu(a, s, d, function);
  } else {
#if GNP_HAS_CUDA
    determinants_on_gpu(a, s, d);
#endif
  }
  return d;
}

template <class T>
array<T> determinant_of(const array<T>& x) {
  using real = real_t<T>;
  const use_device guard(x.device());
  const auto d = determinants(x, "det");
  // In two steps, because 2^exponent alone may be out of range although the determinant is not. Neither power
  // is infinite, because zero times infinity would be NaN.
  const array half = floor(d.exponent * 0.5);
  const auto power = [](const auto& exponent) {
    constexpr double most = std::numeric_limits<real>::max_exponent - 1;
    return exp2(minimum(maximum(exponent, -most), most)).template astype<real>();
  };
  return array<T>(d.mantissa * power(half) * power(d.exponent - half));
}

template <class T>
slogdet_result<T> logarithm_of_determinant(const array<T>& x) {
  using real = real_t<T>;
  const use_device guard(x.device());
  const auto d = determinants(x, "slogdet");
  const array<real> magnitude = absolute(d.mantissa);
  slogdet_result<T> result;
  if constexpr (is_complex(dtype_of<T>)) {
    result.sign = where(equal(magnitude, real(0)), T(), d.mantissa / magnitude);
  } else {
    result.sign = sign(d.mantissa);
  }
  result.logabsdet =
      (log(magnitude).template astype<double>() + d.exponent * 0.6931471805599453).template astype<real>();
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
