// SPDX-License-Identifier: MIT
// Which transforms of an array cuFFT can do without first copying it to another layout, and in how many calls.
#pragma once

#include <gnp/core/shape.hpp>
#include <gnp/libraries/cufft.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The shape and strides of a transform's source or target, all in elements.
struct fft_side {
  shape_t shape;
  shape_t steps;
  bool is_real;
};

/// Several calls of one plan, each a number of elements further on.
struct cufft_calls {
  cufft_layout layout;
  shape_t counts;  // the axes that the calls go along
  shape_t in_steps;
  shape_t out_steps;
};

/// Describes the axes of one side as cuFFT expects them: the last axis's step and, for each other axis, its
/// step as a number of steps of the next axis. False if they cannot be described like that.
GNP_INLINE bool embed(const fft_side& side, const shape_t& axes, cufft_layout::side& made) {
  const int rank = axes.rank();
  made.step = side.steps[axes[rank - 1]];
  if (made.step < 1) return false;
  index_t below = made.step;
  for (int i = rank - 1; i > 0; --i) {
    const index_t step = side.steps[axes[i - 1]];
    if (step < 1 || step % below != 0 || step / below < side.shape[axes[i]]) return false;
    made.embed[i] = step / below;
    below = step;
  }
  made.embed[0] = side.shape[axes[0]];
  return true;
}

/// How cuFFT transforms these axes, with `points` along them, from `in` to `out`. False if it does not accept
/// the layout, or needs more than a few calls.
GNP_INLINE bool find_cufft_calls(const fft_side& in, const fft_side& out, const shape_t& axes,
                                 const shape_t& points, cufft_calls& calls) {
  constexpr index_t most_calls = 16;
  cufft_layout& layout = calls.layout;
  layout.rank = axes.rank();
  for (int i = 0; i < axes.rank(); ++i) layout.n[i] = points[i];
  if (!embed(in, axes, layout.in) || !embed(out, axes, layout.out)) return false;

  // The other axes; neighbours are merged if they form one axis on both sides.
  shape_t counts;
  shape_t in_steps;
  shape_t out_steps;
  for (int d = 0; d < in.shape.rank(); ++d) {
    bool transformed = false;
    for (const index_t axis : axes) transformed = transformed || axis == d;
    if (transformed || in.shape[d] == 1) continue;
    const int last = counts.rank() - 1;
    if (last >= 0 && in_steps[last] == in.shape[d] * in.steps[d] &&
        out_steps[last] == in.shape[d] * out.steps[d]) {
      counts[last] *= in.shape[d];
      in_steps[last] = in.steps[d];
      out_steps[last] = out.steps[d];
    } else {
      counts.push_back(in.shape[d]);
      in_steps.push_back(in.steps[d]);
      out_steps.push_back(out.steps[d]);
    }
  }
  // The longest of these axes is the batch of the plan.
  int batch = -1;
  for (int d = 0; d < counts.rank(); ++d) {
    if (batch < 0 || counts[d] > counts[batch]) batch = d;
  }
  if (batch >= 0) {
    layout.batch = counts[batch];
    layout.in.distance = in_steps[batch];
    layout.out.distance = out_steps[batch];
    if (layout.in.distance < 1 || layout.out.distance < 1) return false;
    counts.erase(batch);
    in_steps.erase(batch);
    out_steps.erase(batch);
  }
  index_t number = 1;
  for (int d = 0; d < counts.rank(); ++d) {
    number *= counts[d];
    // Real numbers must begin where a complex one could begin.
    if (number > most_calls || (in.is_real && in_steps[d] % 2 != 0) || (out.is_real && out_steps[d] % 2 != 0))
      return false;
  }
  calls.counts = counts;
  calls.in_steps = in_steps;
  calls.out_steps = out_steps;
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
