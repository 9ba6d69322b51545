// SPDX-License-Identifier: MIT
// Columns that are nearly orthonormal, made so.
#pragma once

#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/matrices.hpp>

namespace gnp::inline GNP_ABI::detail {

/// A Newton step, which squares the distance from orthonormal. Of one matrix or a stack.
template <class W>
void straighten(const array<W>& q) {
  const array<W> gram = matmul(conj(matrix_transpose(q)), q).eval();
  const array<W> turned = matmul(q, gram).eval();
  constexpr auto half = static_cast<real_t<W>>(0.5);
  q.assign(q * (3 * half) - turned * half);
}

}  // namespace gnp::inline GNP_ABI::detail
