// SPDX-License-Identifier: MIT
// A scan (cumsum, cumprod) without its C++ types, and its typed loops.
#pragma once

#include <gnp/exec/reduce/reduction_code.hpp>
#include <gnp/expr/scalar/cast.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What is known about a scan at compile time.
struct scan_code {
  const expression_code* values;  // computes the elements
  kernel_table* kernels;  // the GPU kernels made so far
  int total_size;         // bytes of a running total
  dtype result;           // what is stored
  const char* operation;  // running_sum<T, A>: its name in kernels
  dtype computed;         // A of that; T is what `values` computes
  // For the CPU. Totals, values and results are arrays of the types above.
  void (*begin)(void* totals, index_t count);
  // One run of elements: computes the results, starting from the total so far, and updates the total.
  void (*run)(void* results, const void* values, void* total, index_t count);
  // The same without results.
  void (*sum_up)(const void* values, void* total, index_t count);
  // Rows of `count` elements one after the other, with a total for each column.
  void (*rows)(void* results, const void* values, void* totals, index_t count, index_t rows);
  void (*join)(void* total, const void* more);
  const fold_operations* operations = nullptr;  // of a scan by a user-defined reduction
  // Are results the same whatever parts the elements are combined in? So it is with integers, and where one of
  // the elements is picked.
  bool same_in_parts = false;
};

/// A scan ready to run: along the last axes of its job (rows), or along the first ones (columns).
struct scan {
  const scan_code* code = nullptr;
  job values;
  reduced_along along = reduced_along::rows;
  int kept = 0;         // axes that it does not run along
  index_t outputs = 1;  // how many scans there are
  index_t length = 1;   // elements of each
};

template <class Operation, class T, class A, class R>
struct scanning {
  static void begin(void* totals, index_t count) {
    for (index_t i = 0; i < count; ++i) static_cast<A*>(totals)[i] = Operation::identity();
  }
  static void run(void* results, const void* values, void* total, index_t count) {
    A so_far = *static_cast<A*>(total);
    for (index_t i = 0; i < count; ++i) {
      so_far = Operation::join(so_far, Operation::lift(static_cast<const T*>(values)[i]));
      static_cast<R*>(results)[i] = scalar::cast<R>(so_far);
    }
    *static_cast<A*>(total) = so_far;
  }
  static void sum_up(const void* values, void* total, index_t count) {
    A so_far = *static_cast<A*>(total);
    for (index_t i = 0; i < count; ++i)
      so_far = Operation::join(so_far, Operation::lift(static_cast<const T*>(values)[i]));
    *static_cast<A*>(total) = so_far;
  }
  static void rows(void* results, const void* values, void* totals, index_t count, index_t rows) {
    auto* so_far = static_cast<A*>(totals);
    auto* to = static_cast<R*>(results);
    const auto* from = static_cast<const T*>(values);
    for (index_t row = 0; row < rows; ++row, to += count, from += count) {
      for (index_t i = 0; i < count; ++i) {
        so_far[i] = Operation::join(so_far[i], Operation::lift(from[i]));
        to[i] = scalar::cast<R>(so_far[i]);
      }
    }
  }
  static void join(void* total, const void* more) {
    *static_cast<A*>(total) = Operation::join(*static_cast<A*>(total), *static_cast<const A*>(more));
  }
};

}}}  // namespace gnp::GNP_ABI::detail
