// SPDX-License-Identifier: MIT
// Columns that are nearly orthonormal, made so.
#pragma once

#include <gnp/linalg/common/matrices.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A Newton step, which squares the distance from orthonormal. Of one matrix or a stack. Then lengths of
/// exactly 1: a product's long sums of equal terms are off by some of their last digits each (all ones, 700 x
/// 180). `add_up(sums)` adds what others have, where `q` is only some of a matrix's rows.
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
