// SPDX-License-Identifier: MIT
// Sorts and partitions rows on the CPU in vectors of 64 bytes, if the processor has them: rows of numbers of 4
// and 8 bytes, and of complex numbers; sorts and partitions integers of 2 bytes, too. The results are the same
// as without such vectors.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/exec/sort/rows_to_sort.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/sort/vector_sorted_places.hpp>
#include <gnp/exec/sort/vector_sorted_rows.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

// Each of these returns false if the elements or the processor are not of the right kind. Nothing has been
// sorted then, but the memory may have been overwritten. partition_row_in_vectors() also returns false if there
// are NaN or -0.0, because then equal numbers have different keys.
GNP_DECLARED_ON_USE bool sort_in_vectors(const rows_to_sort& r, void* to);
GNP_DECLARED_ON_USE bool argsort_in_vectors(const rows_to_sort& r, index_t* to);
GNP_DECLARED_ON_USE bool partition_row_in_vectors(const rows_to_sort& r, void* to,
                                                  const partition_asked& asked);
GNP_DECLARED_ON_USE bool argpartition_in_vectors(const rows_to_sort& r, index_t* to,
                                                 const partition_asked& asked);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {
#if GNP_VECTOR_SORTS
namespace vector_sorts {

/// Does the processor have the instructions, and do places fit in 32 bits?
inline bool are_sorted_here(const rows_to_sort& r) {
  return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && r.length <= index_t{0xffffffff};
}

/// Returns f(a number of the rows' type); false if rows of this type are not sorted here.
template <class F>
bool with_sorted_type(const rows_to_sort& r, const F& f) {
  if (!are_sorted_here(r)) return false;
  switch (r.type) {
    case dtype::int32:
      return f(std::int32_t());
    case dtype::uint32:
      return f(std::uint32_t());
    case dtype::float32:
      return f(float());
    case dtype::int64:
      return f(std::int64_t());
    case dtype::uint64:
      return f(std::uint64_t());
    case dtype::float64:
      return f(double());
    case dtype::complex64:
      return f(complex64());
    case dtype::complex128:
      return f(complex128());
    default:
      return false;
  }
}

}  // namespace vector_sorts

GNP_DEFINED_ON_USE bool sort_in_vectors(const rows_to_sort& r, void* to) {
  if (vector_sorts::are_sorted_here(r)) {
    if (r.type == dtype::int16) return vector_sorts::sort_rows_of_2_bytes(r, static_cast<std::int16_t*>(to));
    if (r.type == dtype::uint16) return vector_sorts::sort_rows_of_2_bytes(r, static_cast<std::uint16_t*>(to));
  }
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (is_complex(dtype_of<T>)) {
      vector_sorts::sort_complex_rows(r, static_cast<T*>(to));
    } else {
      vector_sorts::sort_rows(r, static_cast<T*>(to));
    }
    return true;
  });
}

GNP_DEFINED_ON_USE bool argsort_in_vectors(const rows_to_sort& r, index_t* to) {
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    vector_sorts::argsort_rows<T>(r, to);
    return true;
  });
}

GNP_DEFINED_ON_USE bool partition_row_in_vectors(const rows_to_sort& r, void* to,
                                                 const partition_asked& asked) {
  if (vector_sorts::are_sorted_here(r) && vector_sorts::has_words_of_2_bytes()) {
    if (r.type == dtype::int16) return vector_sorts::partition_row(r, static_cast<std::int16_t*>(to), asked);
    if (r.type == dtype::uint16) return vector_sorts::partition_row(r, static_cast<std::uint16_t*>(to), asked);
  }
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (is_complex(dtype_of<T>)) {
      return false;
    } else {
      return vector_sorts::partition_row(r, static_cast<T*>(to), asked);
    }
  });
}

GNP_DEFINED_ON_USE bool argpartition_in_vectors(const rows_to_sort& r, index_t* to,
                                                const partition_asked& asked) {
  return vector_sorts::with_sorted_type(r, [&]<class T>(T) {
    if constexpr (!is_complex(dtype_of<T>)) vector_sorts::argpartition_rows<T>(r, to, asked);
    return !is_complex(dtype_of<T>);
  });
}

#else

GNP_DEFINED_ON_USE bool sort_in_vectors(const rows_to_sort&, void*) { return false; }
GNP_DEFINED_ON_USE bool argsort_in_vectors(const rows_to_sort&, index_t*) { return false; }
GNP_DEFINED_ON_USE bool partition_row_in_vectors(const rows_to_sort&, void*, const partition_asked&) {
  return false;
}
GNP_DEFINED_ON_USE bool argpartition_in_vectors(const rows_to_sort&, index_t*, const partition_asked&) {
  return false;
}

#endif
}}}  // namespace gnp::GNP_ABI::detail

#endif
