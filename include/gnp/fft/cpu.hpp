// SPDX-License-Identifier: MIT
// Fourier transforms along axes of an array on the CPU, one axis after the other.
#pragma once

#include <gnp/dense/fft_batch.hpp>
#include <gnp/dense/types.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/fft/request.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The transform along an axis, times a number. Its kind follows from the types, and from the length of `out`
/// along the axis. `in` and `out` may be the same complex array.
template <class In, class Out>
void fft_along(const array<In>& in, const array<Out>& out, int axis, index_t n, bool inverse, double scale) {
  using Real = real_t<Out>;
  constexpr bool from_complex = is_complex(dtype_of<In>);
  constexpr bool to_complex = is_complex(dtype_of<Out>);
  const bool in_pairs = n % 2 == 0 && from_complex != to_complex;
  fft_batch<Real> batch;
  batch.n = in_pairs ? n / 2 : n;
  batch.inverse = inverse;
  batch.scale = static_cast<Real>(scale);
  for (int d = 0; d < in.ndim(); ++d) {
    if (d == axis) continue;
    batch.sizes.push_back(in.shape()[d]);
    batch.source_steps.push_back(in.element_strides()[d] * (from_complex ? 2 : 1));
    batch.target_steps.push_back(out.element_strides()[d] * (to_complex ? 2 : 1));
  }
  const auto* const from = reinterpret_cast<const Real*>(in.data());
  const index_t from_step = in.element_strides()[axis] * (from_complex ? 2 : 1);
  const index_t there = (std::min)(n, in.shape()[axis]);
  if (from_complex) {
    batch.source = {from, from + 1, from_step, there, there};
  } else if (in_pairs) {
    batch.source = {from, from + from_step, 2 * from_step, (there + 1) / 2, there / 2};
  } else {
    batch.source = {from, nullptr, from_step, there, 0};
  }
  auto* const to = reinterpret_cast<Real*>(out.data());
  const index_t to_step = out.element_strides()[axis] * (to_complex ? 2 : 1);
  const index_t wanted = out.shape()[axis];
  if (in_pairs && to_complex) {
    batch.kind = wanted == n ? fft_kind::mirrored : fft_kind::from_real;
    batch.target = {to, to + 1, to_step, n / 2, n / 2};
  } else if (in_pairs) {
    batch.kind = fft_kind::to_real;
    batch.target = {to, to + to_step, 2 * to_step, n / 2, n / 2};
  } else if (to_complex) {
    batch.target = {to, to + 1, to_step, wanted, wanted};
  } else {
    batch.target = {to, nullptr, to_step, wanted, 0};
  }
  fft_runner<Real>(batch).run();
}

/// n numbers along an axis: the first n / 2 + 1 are given, the others are their conjugates in reverse order.
template <class C>
array<C> with_conjugates(const array<C>& half, int axis, index_t n) {
  shape_t shape = half.shape();
  shape[axis] = n;
  const array<C> whole(shape, half.device(), "irfft");
  std::vector<index_arg> part(static_cast<std::size_t>(axis) + 1, index_arg(all));
  const auto along = [&](const array<C>& a, const slice& s) {
    part.back() = s;
    return a.index(part);
  };
  const index_t there = (std::min)(half.shape()[axis], n / 2 + 1);
  if (there < n / 2 + 1) whole.fill(C());
  along(whole, slice(0, there)).assign(along(half, slice(0, there)));
  // A sum of real numbers is real.
  if (there > 0) along(whole, slice(0, 1)).assign(real(along(half, slice(0, 1))));
  if (there > 1) along(whole, slice(n - there + 1, n)).assign(conj(along(half, slice(there - 1, 0, -1))));
  return whole;
}

/// The transform along one axis, from In to Out, as a new array.
template <class Out, class In>
array<Out> fft_along_new(const array<In>& in, const fft_request& r) {
  const int axis = static_cast<int>(r.axes[0]);
  const index_t n = r.points[0];
  constexpr bool to_complex = is_complex(dtype_of<Out>);
  shape_t shape = in.shape();
  shape[axis] = r.span == fft_span::half && to_complex ? n / 2 + 1 : n;
  const array<Out> out(shape, in.device(), r.function);
  if (out.size() == 0) return out;
  if constexpr (is_complex(dtype_of<In>) && !to_complex) {
    if (n % 2 != 0) {
      fft_along(with_conjugates(in, axis, n), out, axis, n, r.inverse, r.scale());
      return out;
    }
  }
  fft_along(in, out, axis, n, r.inverse, r.scale());
  return out;
}

/// A complex transform along one axis of an array that nothing else uses.
template <class C>
array<C> fft_along_own(const array<C>& a, const fft_request& r) {
  const int axis = static_cast<int>(r.axes[0]);
  if (a.shape()[axis] != r.points[0]) return fft_along_new<C>(a, r);
  if (a.size() > 0) fft_along(a, a, axis, r.points[0], r.inverse, r.scale());
  return a;
}

/// In NumPy's order: the last axis comes first, unless it becomes real.
template <class Out, class In>
array<Out> fft_on_cpu(const array<In>& in, const fft_request& r) {
  using C = complex_t<Out>;
  const int last = r.count() - 1;
  if constexpr (is_complex(dtype_of<Out>)) {
    if (last < 0) return in.template astype<C>();
    array<C> a = fft_along_new<C>(in, r.along(last));
    for (int i = last - 1; i >= 0; --i) a = fft_along_own(a, r.along(i));
    return a;
  } else {
    if (last == 0) return fft_along_new<Out>(in, r);
    array<C> a = fft_along_new<C>(in, r.along(0));
    for (int i = 1; i < last; ++i) a = fft_along_own(a, r.along(i));
    return fft_along_new<Out>(a, r.along(last));
  }
}

}}}  // namespace gnp::GNP_ABI::detail
