// SPDX-License-Identifier: MIT
// What the programs that beside_numpy.py writes are made of: gnp arrays over NumPy's buffers, and a clock.
#pragma once

#include <time.h>

#include <gnp/core.hpp>
#include <gnp/routines/nan_reductions.hpp>
#include <type_traits>

namespace beside_numpy {

/// A NumPy array of rank 1 or 2; strides in elements.
struct operand {
  void* data;
  std::int64_t rank;
  std::int64_t shape[2];
  std::int64_t strides[2];
};

/// A view of NumPy's memory.
template <class T>
gnp::array<T> array_of(const operand& o) {
  gnp::index_t extent = 1;
  gnp::shape_t shape;
  gnp::shape_t strides;
  for (int d = 0; d < o.rank; ++d) {
    extent += (o.shape[d] - 1) * o.strides[d];
    shape.push_back(o.shape[d]);
    strides.push_back(o.strides[d]);
  }
  return gnp::from_pointer(static_cast<T*>(o.data), {extent}, gnp::device::cpu()).view({0, shape, strides});
}

/// This thread's own time: what other programs do in between does not count.
inline double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds that a call takes, of `calls` of them.
template <class F>
double timed(std::int64_t calls, const F& f) {
  const double begin = now();
  for (std::int64_t i = 0; i < calls; ++i) f();
  return (now() - begin) / static_cast<double>(calls);
}

/// Times storing an expression in an array that exists; the program does not compile if NumPy's type is
/// another.
template <class R, class F>
double stored(const operand& result, std::int64_t calls, const F& expression) {
  static_assert(std::is_same_v<typename decltype(expression())::value_type, R>);
  gnp::array<R> out = array_of<R>(result);
  return timed(calls, [&] { out(gnp::ellipsis) = expression(); });
}

/// Times a reduction or scan, whose result is a new array, as it is in NumPy.
template <class R, class F>
double returned(const operand& result, std::int64_t calls, const F& reduction) {
  gnp::array<R> out = array_of<R>(result);
  const double time = timed(calls, [&] { gnp::array<R> made = reduction(); });
  out(gnp::ellipsis) = reduction().reshape(out.shape());
  return time;
}

}  // namespace beside_numpy
