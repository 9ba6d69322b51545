// SPDX-License-Identifier: MIT
// The functions of BLAS and LAPACK that gnp uses, declared by gnp itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An integer that is passed by its address. A library with 32-bit integers reads and writes only its first
/// half. That is enough, because sizes that do not fit are never passed, and integers that the library writes
/// to are initialised to 0.
using lapack_int = std::int64_t;
/// The length of a text, which Fortran expects after all the arguments. It is always 1.
using lapack_length = std::size_t;

// X(name, its names for float, double, complex64 and complex128, type). Pointers to numbers are pointers to
// void, because the types differ only in these.
#define GNP_LAPACK_FUNCTIONS(X)                                                                               \
  X(gemm, sgemm, dgemm, cgemm, zgemm,                                                                         \
    void(const char* a_form, const char* b_form, const lapack_int* m, const lapack_int* n,                    \
         const lapack_int* k, const void* alpha, const void* a, const lapack_int* a_leading, const void* b,   \
         const lapack_int* b_leading, const void* beta, void* c, const lapack_int* c_leading, lapack_length,  \
         lapack_length))                                                                                      \
  X(syrk, ssyrk, dsyrk, csyrk, zsyrk,                                                                         \
    void(const char* triangle, const char* a_form, const lapack_int* n, const lapack_int* k,                  \
         const void* alpha, const void* a, const lapack_int* a_leading, const void* beta, void* c,            \
         const lapack_int* c_leading, lapack_length, lapack_length))                                          \
  X(getrf, sgetrf, dgetrf, cgetrf, zgetrf,                                                                    \
    void(const lapack_int* m, const lapack_int* n, void* a, const lapack_int* a_leading, lapack_int* pivots,  \
         lapack_int* info))                                                                                   \
  X(getrs, sgetrs, dgetrs, cgetrs, zgetrs,                                                                    \
    void(const char* form, const lapack_int* n, const lapack_int* columns, const void* a,                     \
         const lapack_int* a_leading, const lapack_int* pivots, void* b, const lapack_int* b_leading,         \
         lapack_int* info, lapack_length))                                                                    \
  X(potrf, spotrf, dpotrf, cpotrf, zpotrf,                                                                    \
    void(const char* triangle, const lapack_int* n, void* a, const lapack_int* a_leading, lapack_int* info,   \
         lapack_length))                                                                                      \
  X(trtri, strtri, dtrtri, ctrtri, ztrtri,                                                                    \
    void(const char* triangle, const char* diagonal, const lapack_int* n, void* a,                            \
         const lapack_int* a_leading, lapack_int* info, lapack_length, lapack_length))                        \
  X(geqrf, sgeqrf, dgeqrf, cgeqrf, zgeqrf,                                                                    \
    void(const lapack_int* m, const lapack_int* n, void* a, const lapack_int* a_leading, void* tau,           \
         void* work, const lapack_int* work_size, lapack_int* info))                                          \
  X(orgqr, sorgqr, dorgqr, cungqr, zungqr,                                                                    \
    void(const lapack_int* m, const lapack_int* n, const lapack_int* k, void* a, const lapack_int* a_leading, \
         const void* tau, void* work, const lapack_int* work_size, lapack_int* info))

// X(name, its names for float and double, type)
#define GNP_LAPACK_REAL_FUNCTIONS(X)                                                                           \
  X(syevd, ssyevd, dsyevd,                                                                                     \
    void(const char* vectors, const char* triangle, const lapack_int* n, void* a, const lapack_int* a_leading, \
         void* values, void* work, const lapack_int* work_size, lapack_int* int_work,                          \
         const lapack_int* int_work_size, lapack_int* info, lapack_length, lapack_length))                     \
  X(geev, sgeev, dgeev,                                                                                        \
    void(const char* left, const char* right, const lapack_int* n, void* a, const lapack_int* a_leading,       \
         void* real_parts, void* imaginary_parts, void* vl, const lapack_int* vl_leading, void* vr,            \
         const lapack_int* vr_leading, void* work, const lapack_int* work_size, lapack_int* info,              \
         lapack_length, lapack_length))                                                                        \
  X(gesdd, sgesdd, dgesdd,                                                                                     \
    void(const char* vectors, const lapack_int* m, const lapack_int* n, void* a, const lapack_int* a_leading,  \
         void* values, void* u, const lapack_int* u_leading, void* vh, const lapack_int* vh_leading,           \
         void* work, const lapack_int* work_size, lapack_int* int_work, lapack_int* info, lapack_length))

// X(name, its names for complex64 and complex128, type): the same, with an additional work space of real
// numbers.
#define GNP_LAPACK_COMPLEX_FUNCTIONS(X)                                                                        \
  X(heevd, cheevd, zheevd,                                                                                     \
    void(const char* vectors, const char* triangle, const lapack_int* n, void* a, const lapack_int* a_leading, \
         void* values, void* work, const lapack_int* work_size, void* real_work,                               \
         const lapack_int* real_work_size, lapack_int* int_work, const lapack_int* int_work_size,              \
         lapack_int* info, lapack_length, lapack_length))                                                      \
  X(complex_geev, cgeev, zgeev,                                                                                \
    void(const char* left, const char* right, const lapack_int* n, void* a, const lapack_int* a_leading,       \
         void* values, void* vl, const lapack_int* vl_leading, void* vr, const lapack_int* vr_leading,         \
         void* work, const lapack_int* work_size, void* real_work, lapack_int* info, lapack_length,            \
         lapack_length))                                                                                       \
  X(complex_gesdd, cgesdd, zgesdd,                                                                             \
    void(const char* vectors, const lapack_int* m, const lapack_int* n, void* a, const lapack_int* a_leading,  \
         void* values, void* u, const lapack_int* u_leading, void* vh, const lapack_int* vh_leading,           \
         void* work, const lapack_int* work_size, void* real_work, lapack_int* int_work, lapack_int* info,     \
         lapack_length))

}}}  // namespace gnp::GNP_ABI::detail
