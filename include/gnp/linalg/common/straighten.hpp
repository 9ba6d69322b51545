// SPDX-License-Identifier: MIT
// Makes nearly orthonormal columns orthonormal.
#pragma once

#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For one matrix or a stack: takes a Newton step, which squares the distance from orthonormal columns, and
/// then scales them to lengths of exactly 1. The scaling is needed because a product's long sums of equal terms
/// are wrong in some of their last digits (all ones, 700 x 180). If `q` holds only some of a matrix's rows,
/// `add_up(sums)` adds the sums over the other rows.
template <class W, class F>
void straighten(const array<W>& q, const F& add_up) {
  const array<W> gram = matmul(conj(matrix_transpose(q)), q).eval();
  add_up(gram);
  const array<W> turned = matmul(q, gram).eval();
  constexpr auto half = static_cast<real_t<W>>(0.5);
  q.assign(q * (3 * half) - turned * half);
  const array<real_t<W>> squares = sum(squared_magnitude(q), {.axis = -2, .keepdims = true});
  add_up(squares);
  q.assign(q / sqrt(squares));
}
template <class W>
void straighten(const array<W>& q) {
  straighten(q, [](const auto&) {});
}

}}}  // namespace gnp::GNP_ABI::detail
