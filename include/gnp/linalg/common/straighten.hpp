// SPDX-License-Identifier: MIT
// Columns that are nearly orthonormal, made so.
#pragma once

#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A Newton step, which squares the distance from orthonormal. Of one matrix or a stack. Then lengths of
/// exactly 1: a product's long sums of equal terms are off by some of their last digits each (all ones, 700 x
/// 180).
template <class W>
void straighten(const array<W>& q) {
  const array<W> gram = matmul(conj(matrix_transpose(q)), q).eval();
  const array<W> turned = matmul(q, gram).eval();
  constexpr auto half = static_cast<real_t<W>>(0.5);
  q.assign(q * (3 * half) - turned * half);
  q.assign(q / sqrt(sum(squared_magnitude(q), {.axis = -2, .keepdims = true})));
}

}}}  // namespace gnp::GNP_ABI::detail
