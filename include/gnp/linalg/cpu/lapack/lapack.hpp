// SPDX-License-Identifier: MIT
// The functions of the machine's LAPACK, and how the CPU device calls them over a stack of matrices.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <gnp/cpu/lapack_threads.hpp>
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/libraries/calls.hpp>
#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/cpu/lapack/functions.hpp>
#include <limits>
#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct lapack_api {
  GNP_LAPACK_FUNCTIONS(GNP_DECLARE_TYPED_FUNCTION)
#define GNP_DECLARE_PAIR(name, single, precise, ...) by_type<__VA_ARGS__> name;
  GNP_LAPACK_REAL_FUNCTIONS(GNP_DECLARE_PAIR)
  GNP_LAPACK_COMPLEX_FUNCTIONS(GNP_DECLARE_PAIR)
#undef GNP_DECLARE_PAIR
  const lapack_library* library = nullptr;
};

[[gnu::cold]] GNP_INLINE lapack_api load_lapack(const lapack_library& library) {
  lapack_api api;
  api.library = &library;
  const auto load = [&library](auto& table, dtype type, const char* name) {
    load_symbol(library.file, library.name_of(name).c_str(), table.of(type));
  };
#define GNP_LOAD(name, s, d, c, z, ...) \
  load(api.name, dtype::float32, #s);   \
  load(api.name, dtype::float64, #d);   \
  load(api.name, dtype::complex64, #c); \
  load(api.name, dtype::complex128, #z);
#define GNP_LOAD_REAL(name, s, d, ...) \
  load(api.name, dtype::float32, #s);  \
  load(api.name, dtype::float64, #d);
#define GNP_LOAD_COMPLEX(name, c, z, ...) \
  load(api.name, dtype::complex64, #c);   \
  load(api.name, dtype::complex128, #z);
  GNP_LAPACK_FUNCTIONS(GNP_LOAD)
  GNP_LAPACK_REAL_FUNCTIONS(GNP_LOAD_REAL)
  GNP_LAPACK_COMPLEX_FUNCTIONS(GNP_LOAD_COMPLEX)
#undef GNP_LOAD
#undef GNP_LOAD_REAL
#undef GNP_LOAD_COMPLEX
  return api;
}

/// The library, for sizes, leading dimensions and work spaces up to `largest`. Null if there is no library, or
/// if its integers cannot hold them.
GNP_INLINE const lapack_api* lapack_for(index_t largest) {
  static const lapack_api* const api = [] {
    const lapack_library& library = lapack_of_process();
    return library ? new lapack_api(load_lapack(library)) : nullptr;
  }();
  if (api == nullptr || (!api->library->wide && largest > (std::numeric_limits<std::int32_t>::max)()))
    return nullptr;
  return api;
}

/// The same for work that the library does faster than gnp from size `least` on. It is not used for smaller
/// sizes, so that a program with small matrices does not open it, unless GNP_LAPACK names it or there is no
/// alternative.
GNP_INLINE const lapack_api* lapack_from(index_t size, index_t least, index_t largest) {
  if (GNP_HAS_EIGEN && !lapack_is_asked_for()) {
    if (size < least) return nullptr;
    const lapack_api* const api = lapack_for(largest);
    return api != nullptr && api->library->is_fast() ? api : nullptr;
  }
  return lapack_for(largest);
}

/// Calls f(i) for each matrix of a stack. A few matrices are done one by one, each by all of the library's
/// threads; more are done several at a time, each by one thread.
template <class F>
void for_each_by_lapack(const lapack_api& api, index_t count, index_t work, const F& f) {
  const int threads = get_num_threads();
  if (count < threads) {
    const lapack_call call(*api.library, threads);
    for (index_t i = 0; i < count; ++i) f(i);
  } else {
    const lapack_call call(*api.library, 1);
    for_each_matrix(count, work, f);
  }
}

/// How a call ended: 0, or a positive number whose meaning depends on the function.
class lapack_info {
 public:
  lapack_int* address() { return &word_; }
  GNP_INLINE int value(const char* function) const {
    const auto info = static_cast<std::int32_t>(word_);
    if (info < 0) [[unlikely]] {
      throw linalg_error(std::string(function) + ": LAPACK refuses argument " + std::to_string(-info) +
                         " of this function");
    }
    return info;
  }

 private:
  lapack_int word_ = 0;
};

/// The largest magnitude of a matrix's elements, or of their real and imaginary parts; not finite if one of
/// them is not. It compares their bits, which have the same order, with NaN above all numbers.
template <class T>
real_t<T> largest_magnitude(const T* data, index_t count) {
  using real = real_t<T>;
  using word = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
  constexpr word magnitude = ~word{0} >> 1;
  constexpr index_t lanes = 8;
  const real* parts = reinterpret_cast<const real*>(data);
  count *= static_cast<index_t>(sizeof(T) / sizeof(real));
  word largest[lanes] = {};
  index_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (index_t k = 0; k < lanes; ++k) {
      const word x = std::bit_cast<word>(parts[i + k]) & magnitude;
      largest[k] = x > largest[k] ? x : largest[k];
    }
  }
  for (; i < count; ++i) largest[0] = (std::max)(largest[0], std::bit_cast<word>(parts[i]) & magnitude);
  return std::bit_cast<real>(*std::max_element(largest, largest + lanes));
}

struct matrix_range {
  bool finite;
  int exponent;  // of the power of two that the matrix was divided by
};

/// Checks whether a matrix is finite, and scales it to about 1 if it is near the limits of its type, where
/// libraries differ in their treatment of squares and quotients.
template <class T>
matrix_range bring_into_range(T* data, index_t count) {
  using real = real_t<T>;
  using limits = std::numeric_limits<real>;
  const real largest = largest_magnitude(data, count);
  if (!(largest <= (limits::max)())) return {false, 0};
  if (largest == 0) return {true, 0};
  const int exponent = (std::max)(std::ilogb(largest), limits::min_exponent);
  if (std::abs(exponent) < limits::max_exponent / 4) return {true, 0};
  const real factor = std::ldexp(real(1), -exponent);
  for (index_t i = 0; i < count; ++i) data[i] *= factor;
  return {true, exponent};
}

/// Multiplies by the power of two that a matrix was divided by.
template <class T>
void undo_range(T* data, index_t count, int exponent) {
  if (exponent == 0) return;
  const real_t<T> factor = std::ldexp(real_t<T>(1), exponent);
  for (index_t i = 0; i < count; ++i) data[i] *= factor;
}

/// The size of a work space from the first element of that work space, where a function has stored it: as a
/// float, it may have been rounded down.
template <class T>
lapack_int asked_size(const T& first) {
  using real = real_t<T>;
  const real size = *reinterpret_cast<const real*>(&first);
  return static_cast<lapack_int>(std::nextafter(size, std::numeric_limits<real>::infinity()));
}

/// Uninitialised work space, and one element after it that OpenBLAS may read: see column_major_empty().
template <class T>
std::unique_ptr<T[]> work_space(lapack_int count) {
  return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count) + 1);
}

}}}  // namespace gnp::GNP_ABI::detail
