// SPDX-License-Identifier: MIT
// test: no-asan, alone
// gnp's own declarations of cuBLAS, cuFFT, cuSOLVER and NCCL are those of NVIDIA's headers, and the libraries
// have the functions.
#include <gnp/libraries/cufft.hpp>
#include <gnp/libraries/cusolver.hpp>
#include <gnp/libraries/nccl.hpp>

#include "catch.hpp"

#if GNP_HAS_CUDA && __has_include(<cublas_v2.h>) && __has_include(<cufftXt.h>) && __has_include(<cusolverDn.h>)

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufftXt.h>
#include <cusolverDn.h>
#if __has_include(<nccl.h>)
#include <nccl.h>
#endif

#include <cstdio>
#include <tuple>

// cusolverDnXgeev and cusolverDnXsyevBatched came with CUDA 12.6 (cuSOLVER 11.7.1).
#if CUSOLVER_VERSION >= 11701
#define HAS_NEWER_FUNCTIONS 1
#else
#define HAS_NEWER_FUNCTIONS 0
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail { namespace {

// ---------------------------------------------------------------------------------------------------------
// Values: NVIDIA's for each of gnp's. A value that is left out here is a warning of the compiler.

constexpr int none = -1000;

constexpr int theirs(cuda_data_type t) {
  switch (t) {
    case cuda_data_type::float32:
      return CUDA_R_32F;
    case cuda_data_type::float64:
      return CUDA_R_64F;
    case cuda_data_type::float16:
      return CUDA_R_16F;
    case cuda_data_type::bfloat16:
      return CUDA_R_16BF;
    case cuda_data_type::complex64:
      return CUDA_C_32F;
    case cuda_data_type::complex128:
      return CUDA_C_64F;
  }
  return none;
}
constexpr int theirs(cublas_status s) {
  switch (s) {
    case cublas_status::success:
      return CUBLAS_STATUS_SUCCESS;
    case cublas_status::alloc_failed:
      return CUBLAS_STATUS_ALLOC_FAILED;
  }
  return none;
}
constexpr int theirs(cublas_operation o) {
  switch (o) {
    case cublas_operation::as_is:
      return CUBLAS_OP_N;
    case cublas_operation::transposed:
      return CUBLAS_OP_T;
  }
  return none;
}
constexpr int theirs(cublas_fill f) {
  switch (f) {
    case cublas_fill::lower:
      return CUBLAS_FILL_MODE_LOWER;
    case cublas_fill::upper:
      return CUBLAS_FILL_MODE_UPPER;
  }
  return none;
}
constexpr int theirs(cublas_side s) {
  switch (s) {
    case cublas_side::left:
      return CUBLAS_SIDE_LEFT;
    case cublas_side::right:
      return CUBLAS_SIDE_RIGHT;
  }
  return none;
}
constexpr int theirs(cublas_diagonal d) {
  switch (d) {
    case cublas_diagonal::unit:
      return CUBLAS_DIAG_UNIT;
    case cublas_diagonal::not_unit:
      return CUBLAS_DIAG_NON_UNIT;
  }
  return none;
}
constexpr int theirs(cublas_pointer_mode m) {
  switch (m) {
    case cublas_pointer_mode::host:
      return CUBLAS_POINTER_MODE_HOST;
    case cublas_pointer_mode::device:
      return CUBLAS_POINTER_MODE_DEVICE;
  }
  return none;
}
constexpr int theirs(cublas_math m) {
  switch (m) {
    case cublas_math::no_sums_in_16_bits:
      return CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  }
  return none;
}
constexpr int theirs(cublas_compute c) {
  switch (c) {
    case cublas_compute::float32:
      return CUBLAS_COMPUTE_32F;
    case cublas_compute::float64:
      return CUBLAS_COMPUTE_64F;
    case cublas_compute::tf32:
      return CUBLAS_COMPUTE_32F_FAST_TF32;
  }
  return none;
}
constexpr int theirs(cublas_algorithm a) {
  switch (a) {
    case cublas_algorithm::standard:
      return CUBLAS_GEMM_DEFAULT;
  }
  return none;
}
constexpr int theirs(cublas_lt_product_attribute a) {
  switch (a) {
    case cublas_lt_product_attribute::a_operation:
      return CUBLASLT_MATMUL_DESC_TRANSA;
    case cublas_lt_product_attribute::b_operation:
      return CUBLASLT_MATMUL_DESC_TRANSB;
  }
  return none;
}
constexpr int theirs(cublas_lt_layout_attribute a) {
  switch (a) {
    case cublas_lt_layout_attribute::count:
      return CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
    case cublas_lt_layout_attribute::step:
      return CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET;
  }
  return none;
}
constexpr int theirs(cublas_lt_preference_attribute a) {
  switch (a) {
    case cublas_lt_preference_attribute::workspace_bytes:
      return CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
    case cublas_lt_preference_attribute::reductions:
      return CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK;
    case cublas_lt_preference_attribute::a_alignment:
      return CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES;
    case cublas_lt_preference_attribute::b_alignment:
      return CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES;
    case cublas_lt_preference_attribute::c_alignment:
      return CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES;
    case cublas_lt_preference_attribute::result_alignment:
      return CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES;
  }
  return none;
}
constexpr int theirs(cublas_lt_algorithm_attribute a) {
  switch (a) {
    case cublas_lt_algorithm_attribute::tile:
      return CUBLASLT_ALGO_CONFIG_TILE_ID;
    case cublas_lt_algorithm_attribute::stages:
      return CUBLASLT_ALGO_CONFIG_STAGES_ID;
    case cublas_lt_algorithm_attribute::instruction:
      return CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID;
  }
  return none;
}
constexpr int theirs(cublas_lt_tile t) {
  switch (t) {
    case cublas_lt_tile::of_32x32:
      return CUBLASLT_MATMUL_TILE_32x32;
    case cublas_lt_tile::of_64x128:
      return CUBLASLT_MATMUL_TILE_64x128;
    case cublas_lt_tile::of_128x64:
      return CUBLASLT_MATMUL_TILE_128x64;
    case cublas_lt_tile::of_128x128:
      return CUBLASLT_MATMUL_TILE_128x128;
    case cublas_lt_tile::of_128x256:
      return CUBLASLT_MATMUL_TILE_128x256;
    case cublas_lt_tile::of_256x128:
      return CUBLASLT_MATMUL_TILE_256x128;
  }
  return none;
}
constexpr int theirs(cublas_lt_stages s) {
  switch (s) {
    case cublas_lt_stages::three_of_16:
      return CUBLASLT_MATMUL_STAGES_16x3;
    case cublas_lt_stages::three_of_8:
      return CUBLASLT_MATMUL_STAGES_8x3;
  }
  return none;
}
constexpr int theirs(cublas_lt_instruction i) {
  switch (i) {
    case cublas_lt_instruction::any:
      return CUBLASLT_MATMUL_INNER_SHAPE_UNDEFINED;
    case cublas_lt_instruction::mma_16x8x8:
      return CUBLASLT_MATMUL_INNER_SHAPE_MMA1688;
  }
  return none;
}
static_assert(static_cast<int>(cublas_lt_reductions::any) == CUBLASLT_REDUCTION_SCHEME_MASK &&
              static_cast<int>(cublas_lt_reductions::in_full_precision) ==
                  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);
static_assert(sizeof(cublas_lt_algorithm) == sizeof(cublasLtMatmulAlgo_t) &&
              sizeof(cublas_lt_choice) == sizeof(cublasLtMatmulHeuristicResult_t) &&
              offsetof(cublas_lt_choice, workspace_bytes) ==
                  offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize) &&
              offsetof(cublas_lt_choice, status) == offsetof(cublasLtMatmulHeuristicResult_t, state));
constexpr int theirs(cusolver_status s) {
  switch (s) {
    case cusolver_status::success:
      return CUSOLVER_STATUS_SUCCESS;
    case cusolver_status::alloc_failed:
      return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  return none;
}
constexpr int theirs(cusolver_vectors v) {
  switch (v) {
    case cusolver_vectors::none:
      return CUSOLVER_EIG_MODE_NOVECTOR;
    case cusolver_vectors::wanted:
      return CUSOLVER_EIG_MODE_VECTOR;
  }
  return none;
}

constexpr int theirs(cufft_status s) {
  switch (s) {
    case cufft_status::success:
      return CUFFT_SUCCESS;
    case cufft_status::alloc_failed:
      return CUFFT_ALLOC_FAILED;
  }
  return none;
}
constexpr int theirs(cufft_type t) {
  switch (t) {
    case cufft_type::complex64:
      return CUFFT_C2C;
    case cufft_type::float32_to_complex64:
      return CUFFT_R2C;
    case cufft_type::complex64_to_float32:
      return CUFFT_C2R;
    case cufft_type::complex128:
      return CUFFT_Z2Z;
    case cufft_type::float64_to_complex128:
      return CUFFT_D2Z;
    case cufft_type::complex128_to_float64:
      return CUFFT_Z2D;
  }
  return none;
}

#if __has_include(<nccl.h>)
constexpr int theirs(nccl_status s) {
  switch (s) {
    case nccl_status::success:
      return ncclSuccess;
    case nccl_status::in_progress:
      return ncclInProgress;
  }
  return none;
}
constexpr int theirs(nccl_type t) {
  switch (t) {
    case nccl_type::int8:
      return ncclInt8;
    case nccl_type::uint8:
      return ncclUint8;
    case nccl_type::int32:
      return ncclInt32;
    case nccl_type::uint32:
      return ncclUint32;
    case nccl_type::int64:
      return ncclInt64;
    case nccl_type::uint64:
      return ncclUint64;
    case nccl_type::float16:
      return ncclFloat16;
    case nccl_type::float32:
      return ncclFloat32;
    case nccl_type::float64:
      return ncclFloat64;
    case nccl_type::bfloat16:
      return ncclBfloat16;
  }
  return none;
}
constexpr int theirs(nccl_operation o) {
  switch (o) {
    case nccl_operation::sum:
      return ncclSum;
    case nccl_operation::prod:
      return ncclProd;
    case nccl_operation::max:
      return ncclMax;
    case nccl_operation::min:
      return ncclMin;
  }
  return none;
}
#endif

template <class Ours>
constexpr bool values_are_theirs() {
  for (int value = -256; value <= 256; ++value) {
    const int known = theirs(static_cast<Ours>(value));
    if (known != none && known != value) return false;
  }
  return true;
}

// Those that are passed by address.
static_assert(values_are_theirs<cublas_lt_tile>() && values_are_theirs<cublas_lt_stages>() &&
              values_are_theirs<cublas_lt_instruction>());

// ---------------------------------------------------------------------------------------------------------
// Types.

template <class Ours, class Theirs>
struct pair_of {
  using ours = Ours;
  using theirs = Theirs;
};

/// What stands for what. Everything else is the same type, or void for a number.
using pairs =
    std::tuple<pair_of<cublas_context, std::remove_pointer_t<cublasHandle_t>>,
               pair_of<cuda_data_type, cudaDataType>, pair_of<cublas_status, cublasStatus_t>,
               pair_of<cublas_operation, cublasOperation_t>, pair_of<cublas_fill, cublasFillMode_t>,
               pair_of<cublas_side, cublasSideMode_t>, pair_of<cublas_diagonal, cublasDiagType_t>,
               pair_of<cublas_pointer_mode, cublasPointerMode_t>, pair_of<cublas_math, cublasMath_t>,
               pair_of<cublas_compute, cublasComputeType_t>, pair_of<cublas_algorithm, cublasGemmAlgo_t>,
               pair_of<cublas_lt_context, std::remove_pointer_t<cublasLtHandle_t>>,
               pair_of<cublas_lt_product, std::remove_pointer_t<cublasLtMatmulDesc_t>>,
               pair_of<cublas_lt_layout, std::remove_pointer_t<cublasLtMatrixLayout_t>>,
               pair_of<cublas_lt_preference, std::remove_pointer_t<cublasLtMatmulPreference_t>>,
               pair_of<cublas_lt_algorithm, cublasLtMatmulAlgo_t>,
               pair_of<cublas_lt_choice, cublasLtMatmulHeuristicResult_t>,
               pair_of<cublas_lt_product_attribute, cublasLtMatmulDescAttributes_t>,
               pair_of<cublas_lt_layout_attribute, cublasLtMatrixLayoutAttribute_t>,
               pair_of<cublas_lt_preference_attribute, cublasLtMatmulPreferenceAttributes_t>,
               pair_of<cublas_lt_algorithm_attribute, cublasLtMatmulAlgoConfigAttributes_t>,
               pair_of<cusolver_context, std::remove_pointer_t<cusolverDnHandle_t>>,
               pair_of<cusolver_settings, std::remove_pointer_t<cusolverDnParams_t>>,
               pair_of<cusolver_status, cusolverStatus_t>, pair_of<cusolver_vectors, cusolverEigMode_t>,
               pair_of<cufft_status, cufftResult>, pair_of<cufft_type, cufftType>
#if __has_include(<nccl.h>)
               ,
               pair_of<nccl_communicator, std::remove_pointer_t<ncclComm_t>>,
               pair_of<nccl_unique_id, ncclUniqueId>, pair_of<nccl_status, ncclResult_t>,
               pair_of<nccl_type, ncclDataType_t>, pair_of<nccl_operation, ncclRedOp_t>
#endif
               >;
#if __has_include(<nccl.h>)
static_assert(sizeof(nccl_unique_id) == sizeof(ncclUniqueId));
#endif

template <class Ours, class Theirs>
constexpr bool is_pair = []<class... Pair>(std::tuple<Pair...>*) {
  return ((std::is_same_v<Ours, typename Pair::ours> && std::is_same_v<Theirs, typename Pair::theirs>) || ...);
}(static_cast<pairs*>(nullptr));

template <class T>
constexpr bool is_number =
    std::is_floating_point_v<T> || std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;

/// One parameter or result: the same kind of thing of the same size, and for a pointer the same of what it is
/// to.
template <class Ours, class Theirs>
constexpr bool passes_as() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using to_ours = std::remove_pointer_t<Ours>;
    using to_theirs = std::remove_pointer_t<Theirs>;
    using ours = std::remove_const_t<to_ours>;
    using theirs = std::remove_const_t<to_theirs>;
    return std::is_const_v<to_ours> == std::is_const_v<to_theirs> &&
           ((std::is_void_v<ours> && is_number<theirs>) || passes_as<ours, theirs>());
  } else if constexpr (std::is_enum_v<Ours> && std::is_enum_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && is_pair<Ours, Theirs> && values_are_theirs<Ours>();
  } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  } else {
    return std::is_same_v<Ours, Theirs> || is_pair<Ours, Theirs>;
  }
}

template <class Ours, class Theirs>
constexpr bool is_called_as = false;
template <class R, class... P, class S, class... Q>
requires(sizeof...(P) == sizeof...(Q)) constexpr bool is_called_as<R(P...), S(Q...)> = passes_as<R, S>() &&
                                                                                       (passes_as<P, Q>() &&
                                                                                        ...);

int compared = 0;

#define COMPARE(name, ...)                                                              \
  static_assert(is_called_as<__VA_ARGS__, decltype(::name)>, #name " is not NVIDIA's"); \
  ++compared;
#define COMPARE_TYPED(name, s, d, c, z, ...) \
  COMPARE(s, __VA_ARGS__) COMPARE(d, __VA_ARGS__) COMPARE(c, __VA_ARGS__) COMPARE(z, __VA_ARGS__)

TEST_CASE("each function is declared as NVIDIA declares it") {
  GNP_CUBLAS_FUNCTIONS(COMPARE)
  GNP_CUBLAS_TYPED_FUNCTIONS(COMPARE_TYPED)
  GNP_CUFFT_FUNCTIONS(COMPARE)
  GNP_CUSOLVER_FUNCTIONS(COMPARE)
  GNP_CUSOLVER_TYPED_FUNCTIONS(COMPARE_TYPED)
#if HAS_NEWER_FUNCTIONS
  GNP_CUSOLVER_NEWER_FUNCTIONS(COMPARE)
#else
  std::puts("skipped: these headers do not have the functions that came with CUDA 12.6");
#endif
#if __has_include(<nccl.h>)
  GNP_NCCL_FUNCTIONS(COMPARE)
#else
  std::puts("skipped: no header of NCCL");
#endif
  std::printf("%d functions compared with the headers of cuBLAS %d, cuFFT %d and cuSOLVER %d\n", compared,
              CUBLAS_VERSION, CUFFT_VERSION, CUSOLVER_VERSION);
  CHECK(compared > 0);
}

TEST_CASE("cuFFT's statuses have their names") {
#define CHECK_FFT_NAME(status) CHECK(cufft_status_name(static_cast<cufft_status>(status)) == #status)
  CHECK_FFT_NAME(CUFFT_SUCCESS);
  CHECK_FFT_NAME(CUFFT_INVALID_PLAN);
  CHECK_FFT_NAME(CUFFT_ALLOC_FAILED);
  CHECK_FFT_NAME(CUFFT_INVALID_TYPE);
  CHECK_FFT_NAME(CUFFT_INVALID_VALUE);
  CHECK_FFT_NAME(CUFFT_INTERNAL_ERROR);
  CHECK_FFT_NAME(CUFFT_EXEC_FAILED);
  CHECK_FFT_NAME(CUFFT_SETUP_FAILED);
  CHECK_FFT_NAME(CUFFT_INVALID_SIZE);
  CHECK_FFT_NAME(CUFFT_UNALIGNED_DATA);
  CHECK_FFT_NAME(CUFFT_INVALID_DEVICE);
  CHECK_FFT_NAME(CUFFT_NO_WORKSPACE);
  CHECK_FFT_NAME(CUFFT_NOT_IMPLEMENTED);
  CHECK_FFT_NAME(CUFFT_NOT_SUPPORTED);
  CHECK(cufft_status_name(static_cast<cufft_status>(99)) == "CUFFT_99");
}

TEST_CASE("cuSOLVER's statuses have their names") {
#define CHECK_NAME(status) CHECK(cusolver_status_name(static_cast<cusolver_status>(status)) == #status)
  CHECK_NAME(CUSOLVER_STATUS_SUCCESS);
  CHECK_NAME(CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK_NAME(CUSOLVER_STATUS_ALLOC_FAILED);
  CHECK_NAME(CUSOLVER_STATUS_INVALID_VALUE);
  CHECK_NAME(CUSOLVER_STATUS_ARCH_MISMATCH);
  CHECK_NAME(CUSOLVER_STATUS_MAPPING_ERROR);
  CHECK_NAME(CUSOLVER_STATUS_EXECUTION_FAILED);
  CHECK_NAME(CUSOLVER_STATUS_INTERNAL_ERROR);
  CHECK_NAME(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  CHECK_NAME(CUSOLVER_STATUS_NOT_SUPPORTED);
  CHECK(cusolver_status_name(static_cast<cusolver_status>(31)) == "CUSOLVER_STATUS_31");
}

}}}}  // namespace gnp::GNP_ABI::detail

#else

TEST_CASE("each function is declared as NVIDIA declares it") {
  std::puts("skipped: compiled without the headers of cuBLAS, cuFFT and cuSOLVER");
}

#endif

#if GNP_HAS_CUDA

/// Calls load(), which throws where a function is missing. Skips, visibly, where the library is not installed.
template <class Load>
void check_library(const Load& load) {
  try {
    load();
  } catch (const gnp::device_error& e) {
    const std::string why = e.what();
    if (why.find("was not found") == std::string::npos) FAIL(why);
    std::printf("skipped: %s\n", why.substr(0, why.find('.')).c_str());
  }
}

TEST_CASE("the libraries have the functions") {
  check_library([] { CHECK(gnp::detail::cublas().cublasCreate_v2 != nullptr); });
  check_library([] { CHECK(gnp::detail::cufft().cufftXtExec != nullptr); });
  check_library([] { CHECK(gnp::detail::cusolver().cusolverDnCreate != nullptr); });
  check_library([] {
    if (const std::string& why = gnp::detail::nccl().unusable; !why.empty()) throw gnp::device_error(why);
    CHECK(gnp::detail::nccl().ncclAllReduce != nullptr);
  });
}

#endif
