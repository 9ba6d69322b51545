// SPDX-License-Identifier: MIT
// Folds along an axis, or along its segments, with operations whose result depends on the order: op(op(x0, x1),
// x2). On the CPU, segments are folded in lanes where the order does not matter.
#pragma once

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/exec/elementwise/cpu_operations.hpp>
#include <gnp/exec/gather/fold_segments.hpp>
#include <gnp/exec/text/fold_in_order_kernels.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is folded: contiguous elements of shape (outer, length, inner), along the middle axis.
struct fold_in_order {
  index_t outer = 1;
  index_t length = 1;
  index_t inner = 1;
  index_t segments = 1;
  bool running = false;  // is there a result for each element, or one for each segment?
};

#if GNP_HAS_CUDA

template <class Op, class T>
void fold_in_order_on_gpu(const fold_in_order& fold, const array<T>& values, const array<std::int64_t>* bounds,
                          const array<T>& results) {
  using node = expression<Op, array<T>, array<T>>;
  static device_kernel kernel;
  const submission work(values.device());
  const CUfunction function = kernel.on(work.device(), [] {
    return fold_in_order_source(source_of<node>.operation, dtype_of<T>, dtype_of<body_type<node, 0>>);
  });
  const auto address = [](const void* p) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p));
  };
  fold_in_order_arguments a;
  a.values = address(work.reads(values));
  a.results = address(work.writes(results));
  a.bounds = bounds == nullptr ? 0 : address(work.reads(*bounds));
  a.outer = static_cast<std::uint64_t>(fold.outer);
  a.segments = static_cast<std::uint64_t>(fold.segments);
  a.length = static_cast<std::uint64_t>(fold.length);
  a.inner = static_cast<std::uint64_t>(fold.inner);
  a.running = fold.running ? 1 : 0;
  work.launch(function, {.blocks = (a.outer * a.segments * a.inner + 255) / 256, .early = true}, a);
}

#endif

/// A task is a few neighbouring columns of a segment. The fold so far is kept in a row of the results.
template <class Op, class T>
void fold_in_order_on_cpu(const fold_in_order& fold, const array<T>& values, const array<std::int64_t>* bounds,
                          const array<T>& results) {
  if constexpr (folds_in_lanes<Op, T>) {
    if (fold.inner == 1 && bounds != nullptr) {
      const index_t grain = (std::max)(index_t{1}, cpu_grain / (fold.length / fold.segments + 1));
      for (index_t block = 0; block < fold.outer; ++block) {
        parallel_for(fold.segments, grain, [&](index_t first, index_t last) {
          fold_segments<Op>(values.data() + block * fold.length, bounds->data() + 2 * first, last - first,
                            results.data() + block * fold.segments + first);
        });
      }
      return;
    }
  }
  using node = expression<Op, array<T>, array<T>>;
  constexpr index_t columns = 256;
  const index_t strips = (fold.inner + columns - 1) / columns;
  const index_t elements = fold.length * (std::min)(columns, fold.inner) / fold.segments + 1;  // of a task
  const index_t grain = (std::max)(index_t{1}, cpu_grain / elements);
  parallel_for(fold.outer * fold.segments * strips, grain, [&](index_t task, index_t last) {
    for (; task < last; ++task) {
      const index_t column = task % strips * columns;
      const index_t segment = task / strips % fold.segments;
      const index_t block = task / strips / fold.segments;
      const index_t width = (std::min)(columns, fold.inner - column);
      const index_t begin = bounds == nullptr ? 0 : bounds->data()[2 * segment];
      const index_t end = bounds == nullptr ? fold.length : bounds->data()[2 * segment + 1];
      const T* from = values.data() + (block * fold.length + begin) * fold.inner + column;
      T* to = results.data() +
              (fold.running ? block * fold.length + begin : block * fold.segments + segment) * fold.inner +
              column;
      std::copy_n(from, width, to);
      for (index_t k = begin + 1; k < end; ++k) {
        const T* const so_far = to;
        from += fold.inner;
        if (fold.running) to += fold.inner;
        for (index_t i = 0; i < width; ++i) {
          to[i] = scalar::cast<T>(on_cpu<Op>::apply(scalar::cast<body_type<node, 0>>(so_far[i]),
                                                    scalar::cast<body_type<node, 1>>(from[i])));
        }
      }
    }
  });
}

/// Folds into `results`, which have shape (outer, length, inner) if `running` is true, and otherwise (outer,
/// segments, inner). `bounds` has the begin and the end of each segment; without it, the whole axis is one
/// segment. No axis may be empty.
template <class Op, class T>
void compute_in_order(const fold_in_order& fold, const array<T>& values, const array<std::int64_t>* bounds,
                      const array<T>& results) {
  if (results.size() == 0) return;
  const watched_work watched(values.device(), [&] {
    return facts_of(Op::name, dtype_of<T>, static_cast<std::size_t>(values.nbytes() + results.nbytes()));
  });
  if (values.device().is_cpu()) return fold_in_order_on_cpu<Op>(fold, values, bounds, results);
#if GNP_HAS_CUDA
  fold_in_order_on_gpu<Op>(fold, values, bounds, results);
#endif
}

}}}  // namespace gnp::GNP_ABI::detail
