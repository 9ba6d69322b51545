// SPDX-License-Identifier: MIT
// The templates that are in gnp::compiled. Files that use the library read each list with `extern template`,
// and one of the library's files reads it with `template`.
#pragma once

#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/fft/transforms.hpp>
#include <gnp/io/print.hpp>
#include <gnp/linalg/cholesky.hpp>
#include <gnp/linalg/determinant.hpp>
#include <gnp/linalg/eig.hpp>
#include <gnp/linalg/eigh.hpp>
#include <gnp/linalg/least_squares.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/qr.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/linalg/svd.hpp>
#include <gnp/random/generator.hpp>
#include <gnp/routines/comparisons.hpp>
#include <gnp/routines/ranges.hpp>
#include <gnp/routines/reductions.hpp>

#define GNP_PRODUCT_TEMPLATES(keyword, T)                                                          \
  keyword void multiply_into<T>(const array<T>&, const array<T>&, const array<T>&, gemm_scalar<T>, \
                                gemm_scalar<T>, const char*);                                      \
  keyword matrix_product<T> make_product<T>(array<T>, array<T>, const char*, bool, bool);

// Products on a GPU: by gnp's kernel for every type, by cuBLAS for the types that it has.
#if GNP_HAS_CUDA
#define GNP_GPU_PRODUCT_TEMPLATES(keyword, T) \
  keyword bool suits_sums<T>(gemm_job);       \
  keyword bool multiply_by_kernel<T>(gemm_job&, gemm_scalar<T>, gemm_scalar<T>);
#define GNP_CUBLAS_TEMPLATES(keyword, T) \
  keyword void multiply_on_gpu<T>(gemm_job&, gemm_scalar<T>, gemm_scalar<T>);
#else
#define GNP_GPU_PRODUCT_TEMPLATES(keyword, T)
#define GNP_CUBLAS_TEMPLATES(keyword, T)
#endif

// The work of each function of linalg, for an array of the type in which it computes.
#define GNP_FACTORISATION_TEMPLATES(keyword, T)                                   \
  keyword array<T> cholesky_of<T>(const array<T>&, bool);                         \
  keyword array<T> determinant_of<T>(const array<T>&);                            \
  keyword slogdet_result<T> logarithm_of_determinant<T>(const array<T>&);         \
  keyword array<T> solve_stack<T>(const array<T>&, const array<T>&, const char*); \
  keyword array<T> inverse_of<T>(const array<T>&, const char*);                   \
  keyword qr_result<T> qr_of<T>(const array<T>&, qr_mode);

#define GNP_SPECTRUM_TEMPLATES(keyword, T)                                     \
  keyword eigh_result<T> eigh_of<T>(const array<T>&, char, bool, const char*); \
  keyword eig_result<complex_t<T>> eig_of<T>(const array<T>&, bool, const char*);

#define GNP_SVD_TEMPLATES(keyword, T)                                                           \
  keyword svd_result<T> svd_of<T>(const array<T>&, bool, bool, const char*);                    \
  keyword svd_result<T> hermitian_svd<T>(const array<T>&, bool, const char*);                   \
  keyword array<T> pseudo_inverse<T>(const array<T>&, double, const array<double>*, bool);      \
  keyword void solve_least_squares<T>(const array<wide_t<T>>&, const array<wide_t<T>>&, double, \
                                      array<wide_t<T>>&, lstsq_result<T>&, const char*);

#define GNP_FOR_LINALG_TYPES(list, keyword) \
  list(keyword, float) list(keyword, double) list(keyword, complex64) list(keyword, complex128)

#define GNP_LINALG_TEMPLATES(keyword, T)  \
  GNP_PRODUCT_TEMPLATES(keyword, T)       \
  GNP_FACTORISATION_TEMPLATES(keyword, T) \
  GNP_SPECTRUM_TEMPLATES(keyword, T)      \
  GNP_SVD_TEMPLATES(keyword, T)

// Fourier transforms with real type R.
#define GNP_FFT_TEMPLATES(keyword, R)                                                                         \
  keyword array<std::complex<R>> run_fft<std::complex<R>>(const array<std::complex<R>>&, const fft_request&); \
  keyword array<std::complex<R>> run_fft<std::complex<R>>(const array<R>&, const fft_request&);               \
  keyword array<R> run_fft<R>(const array<std::complex<R>>&, const fft_request&);

// The loops of a reduction, of arrays and of anything else that is computed.
#define GNP_FOLD_TEMPLATES(keyword, tag, A, T)                                                           \
  keyword void fold_rows<tag::type<T, A>, T>(void*, const void*, element_positions, index_t, index_t,    \
                                             index_t);                                                   \
  keyword void fold_columns<tag::type<T, A>, T>(void*, const void*, element_positions, index_t, index_t, \
                                                index_t);                                                \
  keyword void combine_states<tag::type<T, A>>(void*, const void*, index_t);

// A reduction of an array of T along any axes, computed in A, with results of type R: one with the loops of
// another (reducer_of_loops), and one with loops of its own.
#define GNP_COMPILED_REDUCTION_BY_OTHER_LOOPS(keyword, tag, A, R, T)                                      \
  keyword array<R> computed_reduction<reduced<tag, A, R, array<T>>>(const reduced<tag, A, R, array<T>>&); \
  keyword void finish_states<tag::type<T, A>, R>(void*, const void*, index_t, double);
#define GNP_COMPILED_REDUCTION(keyword, tag, A, R, T)          \
  GNP_COMPILED_REDUCTION_BY_OTHER_LOOPS(keyword, tag, A, R, T) \
  GNP_FOLD_TEMPLATES(keyword, tag, A, T)

#define GNP_COMPILED_REDUCTIONS(keyword, T)                                        \
  GNP_COMPILED_REDUCTION(keyword, min_reducer, computed_in<T>, T, T)               \
  GNP_COMPILED_REDUCTION(keyword, max_reducer, computed_in<T>, T, T)               \
  GNP_COMPILED_REDUCTION(keyword, argmin_reducer, computed_in<T>, std::int64_t, T) \
  GNP_COMPILED_REDUCTION(keyword, argmax_reducer, computed_in<T>, std::int64_t, T)

#define GNP_REAL_TEMPLATES(keyword, T)                                                                  \
  GNP_COMPILED_REDUCTIONS(keyword, T)                                                                   \
  GNP_COMPILED_REDUCTION(keyword, sum_reducer, T, T, T)                                                 \
  GNP_COMPILED_REDUCTION_BY_OTHER_LOOPS(keyword, mean_reducer, T, T, T)                                 \
  GNP_COMPILED_REDUCTION(keyword, var_reducer, T, T, T)                                                 \
  GNP_COMPILED_REDUCTION_BY_OTHER_LOOPS(keyword, std_reducer, T, T, T)                                  \
  keyword array<T> drawn<T, scalar::uniform_draw<T>>(const random_call&, const char*, std::string_view, \
                                                     const scalar::uniform_draw<T>&, const shape_t&,    \
                                                     std::initializer_list<storage*>);                  \
  keyword array<T> drawn<T, scalar::normal_draw<T>>(const random_call&, const char*, std::string_view,  \
                                                    const scalar::normal_draw<T>&, const shape_t&,      \
                                                    std::initializer_list<storage*>);

#define GNP_INTEGER_TEMPLATES(keyword, T) \
  GNP_COMPILED_REDUCTIONS(keyword, T)     \
  GNP_COMPILED_REDUCTION(keyword, plain_sum_reducer, computed_in<std::int64_t>, std::int64_t, T)

#define GNP_BOOL_TEMPLATES(keyword)                              \
  GNP_COMPILED_REDUCTION(keyword, any_reducer, bool, bool, bool) \
  GNP_COMPILED_REDUCTION(keyword, all_reducer, bool, bool, bool) \
  GNP_COMPILED_REDUCTION(keyword, plain_sum_reducer, std::int64_t, std::int64_t, bool)

// Copies between layouts, and to the host; new arrays for what expressions and reductions compute.
#define GNP_TRANSFER_TEMPLATES(keyword, T)                                                             \
  keyword void copy_elements<array<T>>(const array<T>&, T*);                                           \
  keyword void assign<T, array<T>>(const array<T>&, const array<T>&, const char*);                     \
  keyword array<T> run_into_new<T>(const expression_code&, const shape_t&, const leaf_view*, int,      \
                                   const unsigned char*, job_operand*, const char*);                   \
  keyword array<T> reduce_into_new<T>(const reduction_code&, const shape_t&, const reduction_options&, \
                                      const leaf_view*, int, const unsigned char*, job_operand*);

// The lengths of ranges.
#define GNP_RANGE_TEMPLATES(keyword, T) keyword index_t range_length<T>(T, T, T);

// Sorted rows, and where their elements were.
#define GNP_SORT_TEMPLATES(keyword, T)                                 \
  keyword array<T> sorted_rows<T>(const array<T>&, bool, const char*); \
  keyword array<index_t> argsorted_rows<T>(const array<T>&, bool, const char*);

// Comparisons; these and what follows are in gnp, not in detail.
#define GNP_COMPARISON_TEMPLATES(keyword, T) \
  keyword bool array_equal<array<T>, array<T>>(const array<T>&, const array<T>&, const array_equal_options&);

// Printing.
#define GNP_PRINT_TEMPLATES(keyword, T)                                      \
  keyword host_array<T> asnumpy<array<T>>(const array<T>&);                  \
  keyword std::ostream& operator<< <T>(std::ostream&, const host_array<T>&); \
  keyword std::ostream& operator<< <array<T>>(std::ostream&, const array<T>&);

#define GNP_FOR_REAL_TYPES(list, keyword) list(keyword, float) list(keyword, double)
#define GNP_FOR_INTEGER_TYPES(list, keyword) list(keyword, std::int32_t) list(keyword, std::int64_t)
#define GNP_FOR_USUAL_TYPES(list, keyword) \
  list(keyword, bool) GNP_FOR_INTEGER_TYPES(list, keyword) GNP_FOR_LINALG_TYPES(list, keyword)

#define GNP_FOR_16_BIT_FLOATS(list, keyword) list(keyword, half) list(keyword, bfloat16)
#define GNP_FOR_INTEGERS_AND_BOOL(list, keyword)                                                         \
  list(keyword, bool) list(keyword, std::int8_t) list(keyword, std::int16_t) list(keyword, std::int32_t) \
      list(keyword, std::int64_t) list(keyword, std::uint8_t) list(keyword, std::uint16_t)               \
          list(keyword, std::uint32_t) list(keyword, std::uint64_t)

#define GNP_FOR_RANGE_TYPES(list, keyword) \
  list(keyword, double) list(keyword, std::int64_t) list(keyword, std::uint64_t)

// All products of a GPU.
#define GNP_PRODUCTS_OF_GPU(keyword)                            \
  GNP_FOR_LINALG_TYPES(GNP_GPU_PRODUCT_TEMPLATES, keyword)      \
  GNP_FOR_16_BIT_FLOATS(GNP_GPU_PRODUCT_TEMPLATES, keyword)     \
  GNP_FOR_INTEGERS_AND_BOOL(GNP_GPU_PRODUCT_TEMPLATES, keyword) \
  GNP_FOR_LINALG_TYPES(GNP_CUBLAS_TEMPLATES, keyword)           \
  GNP_FOR_16_BIT_FLOATS(GNP_CUBLAS_TEMPLATES, keyword)

#define GNP_EXTERN_TEMPLATE extern template GNP_VISIBLE

#if defined(GNP_USES_COMPILED)
namespace gnp { inline namespace GNP_ABI {
namespace detail {
GNP_FOR_LINALG_TYPES(GNP_LINALG_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_PRODUCTS_OF_GPU(GNP_EXTERN_TEMPLATE)
GNP_FOR_REAL_TYPES(GNP_FFT_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_FOR_REAL_TYPES(GNP_REAL_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_FOR_INTEGER_TYPES(GNP_INTEGER_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_BOOL_TEMPLATES(GNP_EXTERN_TEMPLATE)
GNP_FOR_USUAL_TYPES(GNP_TRANSFER_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_FOR_USUAL_TYPES(GNP_SORT_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_FOR_RANGE_TYPES(GNP_RANGE_TEMPLATES, GNP_EXTERN_TEMPLATE)
}  // namespace detail
GNP_FOR_USUAL_TYPES(GNP_COMPARISON_TEMPLATES, GNP_EXTERN_TEMPLATE)
GNP_FOR_USUAL_TYPES(GNP_PRINT_TEMPLATES, GNP_EXTERN_TEMPLATE)
}}  // namespace gnp::GNP_ABI
#endif
