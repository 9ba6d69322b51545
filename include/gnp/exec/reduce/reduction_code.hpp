// SPDX-License-Identifier: MIT
// A reduction without its C++ types: an expression for the elements, and the reducer that combines them.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The positions of reduced elements among all elements: that of the first one, and the step from one to the
/// next.
struct element_positions {
  std::int64_t first = 0;
  std::int64_t step = 0;
};

/// The factors of products: where the first ones are, and how many elements apart the others follow.
struct product_factors {
  const void* x;
  const void* y;
  index_t x_step = 1;
  index_t y_step = 1;
};

struct fold_operations;

/// What is known about a reduction at compile time. There is one object for each pair of expression type and
/// reducer.
struct reduction_code {
  const expression_code* values;  // computes the elements
  kernel_table* kernels;  // the GPU kernels made so far
  int state_size;         // bytes
  bool indexed;           // the reducer also takes each element's position
  dtype result;           // what is stored
  const char* reducer;    // sum_of<T, A>: the reducer's name in kernels
  dtype computed;         // A of that; T is what `values` computes
  // For the CPU. States and values are arrays of the types above; only indexed reducers use positions.
  void (*begin)(void* states, index_t count);
  // rows: `count` runs of `length` elements each, one after the other. Each run has its own state; the
  // positions are the same for all. The elements of a single run may be 2 or 4 `apart`, if takes_apart,
  // or any number, if takes_any_step.
  void (*rows)(void* states, const void* values, element_positions at, index_t count, index_t length,
               index_t apart);
  bool takes_apart;
  bool takes_any_step;
  // Of a sum of products of two inputs, its rows: `count` elements of each, in one run. Null for all others.
  // The factors of a single row may be any number of elements apart.
  void (*products)(void* states, const product_factors& of, index_t rows, index_t count, index_t step);
  // Of a sum of products of two inputs of real numbers, its columns: the factors of a row lie side by side, and
  // the rows are as far apart as `of` says. Null for all others.
  void (*product_columns)(void* states, const product_factors& of, index_t count, index_t rows);
  // columns: `rows` rows of `count` elements, `step` apart. Each column has its own state, and each row its
  // position.
  void (*columns)(void* states, const void* values, element_positions at, index_t count, index_t rows,
                  index_t step);
  void (*combine)(void* states, const void* more, index_t count);
  bool (*is_final)(const void* state);  // can no element change it any more? null if one always can
  void (*finish)(void* results, const void* states, index_t count, double parameter);
  const expression_code* fill;  // one value everywhere: the result where there are no elements
  // If one kernel computes several reductions of the same elements, these are the reductions; `values` has
  // their values, inputs and numbers one after the other. Null for a single reduction.
  const reduction_code* const* parts = nullptr;
  int part_count = 0;
  // The last parts may be no reductions, but formulas of the same elements whose values are stored. Where they
  // go are the last inputs.
  int stored_parts = 0;
  const fold_operations* operations = nullptr;  // of a user-defined reduction
  // The same reduction, computed from the elements' distances from their mean, which is less work if the
  // elements can be read again. Null if there is none.
  const char* around_mean = nullptr;
  // The same reduction of the integers that the elements are, or were before a conversion, which is less work
  // if nothing else needs the converted elements. `values` reads the same inputs in both. Null if there is
  // none.
  const reduction_code* of_integers = nullptr;
};

constexpr const reduction_code& in_integers(const reduction_code& code) {
  return code.of_integers != nullptr ? *code.of_integers : code;
}

/// How many reductions one kernel can compute.
inline constexpr int most_reductions = 8;

/// With at least this many results, a GPU has enough threads even if each result is computed by a single
/// thread.
inline constexpr index_t enough_results = 8192;

/// The most elements of a reduction that a single thread computes, in its registers.
inline constexpr index_t longest_loop = 32;

/// The same of windows that slide over an array, of which a thread takes some elements at a time. Neighbours
/// read the same elements, so that memory has little to do. (Plans have a byte for this.)
inline constexpr index_t longest_window = 255;

/// The direction of the smallest steps in memory: along the reduced axes (rows), or along the kept ones
/// (columns).
enum class reduced_along : std::uint8_t { rows, columns };

}}}  // namespace gnp::GNP_ABI::detail
