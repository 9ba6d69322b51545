// SPDX-License-Identifier: MIT
// One number per matrix with the status of its factorisation. The host reads all of them after one wait.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/linalg/common/matrices.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The info that the libraries report for each matrix: 0 for success.
class factor_status {
 public:
  factor_status(index_t count, gnp::device where) : info_(shape_t{count}, where, "linalg") {}

  /// The status of `count` matrices from matrix i on, in the same memory.
  factor_status of(index_t i, index_t count = 1) const {
    return factor_status(info_.view({i, shape_t{count}, shape_t{1}}));
  }

  int* data() const { return info_.data(); }
  const array<int>& on_device() const { return info_; }

  /// Waits for the work; calls failed(index, info) for the first matrix whose info is not 0.
  template <class F>
  void check(const F& failed) const {
    const host_array<int> host = asnumpy(info_);
    for (index_t i = 0; i < host.size(); ++i) {
      if (host.data()[i] != 0) failed(i, host.data()[i]);
    }
  }

 private:
  explicit factor_status(const array<int>& info) : info_(info) {}

  array<int> info_;
};

/// For each matrix of an eigenvalue problem: whether it is finite (0, otherwise 1), and whether the iteration
/// converged (0, otherwise not 0). The host reads both after one wait.
class eigen_status {
 public:
  eigen_status(index_t count, gnp::device where)
      : both_(2 * count, where), finite_(both_.of(0, count)), converged_(both_.of(count, count)) {}

  const factor_status& finite() const { return finite_; }
  const factor_status& converged() const { return converged_; }

  GNP_INLINE void check(const matrix_stack& s, const char* function) const {
    both_.check([&](index_t i, int) {
      if (i < s.count) throw_linalg(function, "array must not contain infs or NaNs", s, i);
      throw_linalg(function, "eigenvalues did not converge", s, i - s.count);
    });
  }

 private:
  factor_status both_;
  factor_status finite_;
  factor_status converged_;
};

}}}  // namespace gnp::GNP_ABI::detail
