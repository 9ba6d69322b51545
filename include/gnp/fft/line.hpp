// SPDX-License-Identifier: MIT
// One Fourier transform along one axis of an array, on the CPU.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/dense/fft_batch.hpp>
#include <gnp/dense/types.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A transform of `n` points along an axis: which one it is says whether the two arrays are real or complex.
struct fft_line_job {
  int axis;
  index_t n;
  bool inverse;
  double scale;
};

/// From In to Out, whose shapes are the same but for the axis.
template <class In, class Out>
void fft_on_cpu(const array<In>& in, const array<Out>& out, const fft_line_job& job) {
  using Real = real_t<Out>;
  constexpr bool from_complex = is_complex(dtype_of<In>);
  constexpr bool to_complex = is_complex(dtype_of<Out>);
  fft_batch<Real> batch{};
  for (int d = 0; d < in.ndim(); ++d) {
    if (d == job.axis) continue;
    batch.sizes.push_back(in.shape()[d]);
    batch.source_steps.push_back(in.element_strides()[d] * (from_complex ? 2 : 1));
    batch.target_steps.push_back(out.element_strides()[d] * (to_complex ? 2 : 1));
  }
  batch.inverse = job.inverse;
  batch.scale = static_cast<Real>(job.scale);
  batch.n = job.n;

  const index_t half = job.n / 2;
  const bool halves = job.n % 2 == 0 && from_complex != to_complex;
  const auto* const from = reinterpret_cast<const Real*>(in.data());
  const index_t from_step = in.element_strides()[job.axis] * (from_complex ? 2 : 1);
  const index_t there = (std::min)(job.n, in.shape()[job.axis]);
  if constexpr (from_complex) {
    batch.source = {from, from + 1, from_step, there, there};
  } else if (halves) {
    batch.source = {from, from + from_step, 2 * from_step, (there + 1) / 2, there / 2};
  } else {
    batch.source = {from, nullptr, from_step, there, 0};
  }
  auto* const to = reinterpret_cast<Real*>(out.data());
  const index_t to_step = out.element_strides()[job.axis] * (to_complex ? 2 : 1);
  const index_t wanted = out.shape()[job.axis];
  if constexpr (to_complex) {
    batch.target = {to, to + 1, to_step, wanted, wanted};
  } else if (halves) {
    batch.target = {to, to + to_step, 2 * to_step, half, half};
  } else {
    batch.target = {to, nullptr, to_step, wanted, 0};
  }
  if (halves) {
    batch.kind = !to_complex ? fft_kind::to_real : wanted == job.n ? fft_kind::mirrored : fft_kind::from_real;
    batch.n = half;
    if (to_complex) batch.target.re_count = batch.target.im_count = half;
  }
  fft_runner<Real>(batch).run();
}

}}}  // namespace gnp::GNP_ABI::detail
