// SPDX-License-Identifier: MIT
// Products through cuBLASLt, the part of cuBLAS that computes them, with its choice of a kernel cached. cuBLAS
// itself chooses in every call, which takes longer than a product of a few hundred rows: 1 to 3 us of 7 to 14
// on an H200 (benchmarks/matmul_bench.cpp). The kernels, and so the results, are the same, except where
// gemm_choice.hpp knows better.
#pragma once

#include <gnp/linalg/product/gemm_choice.hpp>
#include <gnp/linalg/product/gemm_kind.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <array>
#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A kind of product, described for cuBLASLt, and the kernel that cuBLASLt proposes or is told to use.
class gemm_plan {
 public:
  gemm_plan(cublas_handle handle, const gemm_kind& kind, const gemm_recipe* recipe, std::size_t workspace_bytes)
      : kind_(kind) {
    GNP_CUBLAS_CALL(cublasLtMatmulDescCreate, product_.out(), kind.compute, kind.scale);
    set(product_, cublas_lt_product_attribute::a_operation, kind.a.as);
    set(product_, cublas_lt_product_attribute::b_operation, kind.b.as);
    describe(a_, kind.a, kind.m, kind.k);
    describe(b_, kind.b, kind.k, kind.n);
    describe(c_, kind.c, kind.m, kind.n);

    if (recipe != nullptr && take(handle, *recipe, workspace_bytes)) return;
    ask(handle, workspace_bytes);
  }

  const gemm_kind& kind() const { return kind_; }
  /// Is there a kernel? If there is none, cuBLAS has other methods.
  bool usable() const { return usable_; }
  std::size_t workspace_bytes() const { return workspace_bytes_; }

  /// With at least workspace_bytes() of work space.
  GNP_INLINE void run(cublas_handle handle, const void* alpha, const void* a, const void* b, const void* beta,
                      void* c, void* workspace, CUstream stream) const {
    GNP_CUBLAS_CALL(cublasLtMatmul, context(handle), product_.get(), alpha, a, a_.get(), b, b_.get(), beta, c,
                    c_.get(), c, c_.get(), &algorithm_, workspace, workspace_bytes_, stream);
  }

 private:
  /// An object that cuBLASLt makes and destroys.
  template <class T, auto Destroy>
  class owned {
   public:
    owned() = default;
    ~owned() {
      if (object_ != nullptr) (cublas().*Destroy)(object_);
    }
    owned(const owned&) = delete;
    owned& operator=(const owned&) = delete;
    T* get() const { return object_; }
    T** out() { return &object_; }

   private:
    T* object_ = nullptr;
  };
  using layout = owned<cublas_lt_layout, &cublas_api::cublasLtMatrixLayoutDestroy>;
  using product = owned<cublas_lt_product, &cublas_api::cublasLtMatmulDescDestroy>;

  /// A cuBLAS handle is a cuBLASLt handle, too.
  static cublas_lt_context* context(cublas_handle handle) {
    return reinterpret_cast<cublas_lt_context*>(handle);
  }

  template <class Object, class Attribute, class Value>
  static void set(Object& object, Attribute attribute, Value value) {
    if constexpr (std::is_same_v<Attribute, cublas_lt_algorithm_attribute>) {
      GNP_CUBLAS_CALL(cublasLtMatmulAlgoConfigSetAttribute, &object, attribute, &value, sizeof value);
    } else if constexpr (std::is_same_v<Attribute, cublas_lt_product_attribute>) {
      GNP_CUBLAS_CALL(cublasLtMatmulDescSetAttribute, object.get(), attribute, &value, sizeof value);
    } else if constexpr (std::is_same_v<Attribute, cublas_lt_layout_attribute>) {
      GNP_CUBLAS_CALL(cublasLtMatrixLayoutSetAttribute, object.get(), attribute, &value, sizeof value);
    } else {
      GNP_CUBLAS_CALL(cublasLtMatmulPreferenceSetAttribute, object.get(), attribute, &value, sizeof value);
    }
  }

  /// Describes a matrix as it is in memory; after the operation o.as it is rows by columns.
  GNP_INLINE void describe(layout& made, const gemm_kind::operand& o, index_t rows, index_t columns) const {
    if (o.as == cublas_operation::transposed) std::swap(rows, columns);
    GNP_CUBLAS_CALL(cublasLtMatrixLayoutCreate, made.out(), kind_.type, static_cast<std::uint64_t>(rows),
                    static_cast<std::uint64_t>(columns), std::int64_t{o.leading});
    if (kind_.count == 1) return;
    set(made, cublas_lt_layout_attribute::count, static_cast<std::int32_t>(kind_.count));
    set(made, cublas_lt_layout_attribute::step, std::int64_t{o.step});
  }

  /// Takes the kernel of this recipe, if this cuBLASLt has it.
  GNP_INLINE bool take(cublas_handle handle, const gemm_recipe& recipe, std::size_t workspace_bytes) {
    const cublas_api& api = cublas();
    const cuda_data_type type = kind_.type;
    if (api.cublasLtMatmulAlgoInit(context(handle), kind_.compute, kind_.scale, type, type, type, type,
                                   recipe.algorithm, &algorithm_) != cublas_status::success)
      return false;
    using attribute = cublas_lt_algorithm_attribute;
    set(algorithm_, attribute::tile, recipe.tile);
    set(algorithm_, attribute::stages, recipe.stages);
    set(algorithm_, attribute::instruction, recipe.instruction);
    cublas_lt_choice checked = {};
    usable_ = api.cublasLtMatmulAlgoCheck(context(handle), product_.get(), a_.get(), b_.get(), c_.get(),
                                          c_.get(), &algorithm_, &checked) == cublas_status::success &&
              checked.workspace_bytes <= workspace_bytes;
    workspace_bytes_ = checked.workspace_bytes;
    return usable_;
  }

  GNP_INLINE void ask(cublas_handle handle, std::size_t workspace_bytes) {
    owned<cublas_lt_preference, &cublas_api::cublasLtMatmulPreferenceDestroy> preference;
    GNP_CUBLAS_CALL(cublasLtMatmulPreferenceCreate, preference.out());
    using wanted = cublas_lt_preference_attribute;
    set(preference, wanted::workspace_bytes, std::uint64_t{workspace_bytes});
    const bool half = kind_.type == cuda_data_type::float16 || kind_.type == cuda_data_type::bfloat16;
    set(preference, wanted::reductions,
        half ? cublas_lt_reductions::in_full_precision : cublas_lt_reductions::any);
    set(preference, wanted::a_alignment, static_cast<std::uint32_t>(kind_.a.alignment));
    set(preference, wanted::b_alignment, static_cast<std::uint32_t>(kind_.b.alignment));
    for (const wanted c : {wanted::c_alignment, wanted::result_alignment})
      set(preference, c, static_cast<std::uint32_t>(kind_.c.alignment));
    cublas_lt_choice choice = {};
    int found = 0;
    const cublas_status status =
        cublas().cublasLtMatmulAlgoGetHeuristic(context(handle), product_.get(), a_.get(), b_.get(), c_.get(),
                                                c_.get(), preference.get(), 1, &choice, &found);
    algorithm_ = choice.algorithm;
    workspace_bytes_ = choice.workspace_bytes;
    usable_ = status == cublas_status::success && found > 0 && choice.status == cublas_status::success;
  }

  gemm_kind kind_;
  product product_;
  layout a_;
  layout b_;
  layout c_;
  cublas_lt_algorithm algorithm_ = {};
  std::size_t workspace_bytes_ = 0;
  bool usable_ = false;
};

/// The plans of one stream, some thousands. When a row is full, its least recently used plan is replaced. Used
/// by one thread at a time, which the lock of cublas_stream ensures.
class gemm_plans : public stream_resource {
 public:
  explicit gemm_plans(stream_state* stream) {
    const gpu& device = gpu_at(stream->ordinal);
    // The rules were measured with this architecture and version.
    if (device.arch == 90 && cublas().cublasLtGetVersion() / 10000 == 13)
      known_multiprocessors_ = device.multiprocessors;
  }

  /// A better kernel than cuBLAS would choose, if there is one.
  const gemm_recipe* recipe_for(const gemm_kind& wanted) const {
    return known_multiprocessors_ > 0 ? better_recipe(wanted, known_multiprocessors_) : nullptr;
  }

  GNP_INLINE const gemm_plan& find(cublas_handle handle, const gemm_kind& wanted, std::size_t workspace_bytes) {
    auto& row = rows_[wanted.hash() % rows_.size()];
    auto place = row.begin();
    while (*place != nullptr && !((*place)->kind() == wanted) && place + 1 != row.end()) ++place;
    if (*place == nullptr || !((*place)->kind() == wanted))
      *place = std::make_unique<gemm_plan>(handle, wanted, recipe_for(wanted), workspace_bytes);
    std::rotate(row.begin(), place, place + 1);  // the most recently used comes first
    return *row.front();
  }

 private:
  int known_multiprocessors_ = 0;  // 0: cuBLASLt's own choices
  std::array<std::array<std::unique_ptr<gemm_plan>, 8>, 256> rows_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
