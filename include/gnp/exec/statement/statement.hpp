// SPDX-License-Identifier: MIT
// A statement with reductions in it, without its C++ types: its steps in an order in which they can run. Each
// step is a reduction, except that the last one may be elementwise.
#pragma once

#include <algorithm>
#include <deque>
#include <forward_list>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/reduce/reduction_code.hpp>
#include <gnp/expr/reduced.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does a reduction from which nothing else is computed run as a statement? If it has few elements for each
/// result, one thread can then compute each result. `slides` says whether its elements are those of windows.
template <class Slides>
bool runs_as_statement(index_t length, const axis_set& axes, index_t results, device where,
                       const Slides& slides) {
  if (where.is_cpu() || results < enough_results || length > longest_window) return false;
  return (axes.count <= 2 && length <= longest_loop) || slides();
}

/// A number of an expression, as kernels take it.
struct alignas(16) number_slot {
  unsigned char bytes[constant_slot];
  friend bool operator==(const number_slot& a, const number_slot& b) {
    return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
  }
};

GNP_INLINE const unsigned char* bytes_of(const std::vector<number_slot>& numbers) {
  return numbers.empty() ? nullptr : numbers.front().bytes;
}

/// What a step reads: memory, or the result of an earlier step, in the shape in which this step reads it.
struct step_input {
  leaf_view memory;  // for an earlier step's result, only shape and strides are set so far
  int step = -1;     // the earlier step; none if it is memory
};

/// A part of one of the statement's lists, each of which is in the order of its text.
struct text_part {
  std::size_t begin = 0;
  std::size_t end = 0;

  template <class T>
  std::vector<T> of(const std::vector<T>& whole) const {
    return std::vector<T>(whole.data() + begin, whole.data() + end);
  }
  template <class T>
  bool has(const std::vector<T>& whole, const T& wanted) const {
    return std::find(whole.data() + begin, whole.data() + end, wanted) != whole.data() + end;
  }
};

struct statement_step {
  const expression_code* values = nullptr;  // computes the elements, from inputs that have been computed
  const reduction_code* reducer = nullptr;  // what is computed from them; null if they are the result
  reduction_options options{.axes = axis_set(none, 0, "")};
  shape_t shape;   // of the elements
  shape_t result;  // of the step's result
  std::vector<step_input> inputs;
  std::vector<number_slot> numbers;
  bool is_result = false;  // one of several that are asked for together
  // For a reduction, together with everything inside it: its text, and its part of each list that the statement
  // keeps in the order of the whole text.
  const expression_code* text = nullptr;
  text_part leaves_within;
  text_part numbers_within;
  text_part reductions_within;  // including itself, in the order in which they end
  text_part loops_within;       // the same, in the order in which they begin
};

/// Are these the same memory in the same layout?
GNP_INLINE bool same_leaf(const leaf_view& a, const leaf_view& b) {
  return a.data == b.data && a.block == b.block && a.itemsize == b.itemsize && a.table == b.table &&
         *a.shape == *b.shape && *a.strides == *b.strides;
}

/// Do two reductions run over as many elements along the same axes?
GNP_INLINE bool have_same_rows(const statement_step& a, const statement_step& b) {
  return a.shape == b.shape && a.options.axes == b.options.axes;
}

GNP_INLINE bool same_step(const statement_step& a, const statement_step& b) {
  const auto same_input = [](const step_input& x, const step_input& y) {
    return x.step == y.step && same_leaf(x.memory, y.memory);
  };
  return a.reducer == b.reducer && have_same_rows(a, b) && a.numbers == b.numbers &&
         a.options.parameter == b.options.parameter &&
         std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), same_input);
}

/// A formula that a reduction's kernel stores, and new memory of its shape for it.
struct formula_to_store {
  const expression_code* code;
  const leaf_view* leaves;
  const unsigned char* numbers;
  leaf_view to;
};

/// A reduction at one place in a statement's text. A reduction inside another one comes after it.
struct statement_loop {
  int step = -1;    // which step it is
  int parent = -1;  // the reduction whose elements it is part of; none if it is part of the result
  int order = 0;    // among all reductions and everything that is read
  std::size_t numbers_before = 0;
  const shape_t* result = nullptr;  // in the shape in which it is read
};

struct statement {
  std::vector<statement_step> steps;
  std::vector<leaf_view> leaves;     // everything that is read, in the order of the whole text
  std::vector<bool> read_by_last;    // is a leaf read by the last step, if that is elementwise?
  std::vector<number_slot> numbers;  // in the order of the whole text
  // The step that each reduction is, in the order of the whole text; -1 for those that have run already.
  std::vector<int> reductions;
  std::vector<statement_loop> loops;
  std::vector<statement_loop> loop_of_leaf;  // for each leaf: the reduction around it is the parent
  int next_in_order() const { return static_cast<int>(loops.size() + leaves.size()); }
  bool one_text = true;  // does the text contain the whole computation? Not if a part has already run
  /// Arrays that were computed while the statement was built.
  std::deque<std::pair<storage_ref, std::pair<shape_t, shape_t>>> kept;
  std::forward_list<shape_t> strides;  // of the steps' results, in the shapes in which they are read

  /// Adds a step, or finds an identical one.
  GNP_INLINE int add(statement_step step) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (same_step(steps[i], step)) return static_cast<int>(i);
    }
    steps.push_back(std::move(step));
    return static_cast<int>(steps.size()) - 1;
  }

  template <class T>
  leaf_view keep(const array<T>& made) {
    one_text = false;
    const auto& [block, layout] =
        kept.emplace_back(made.block(), std::pair(made.shape(), made.element_strides()));
    return {reinterpret_cast<char*>(made.data()), block.get(), sizeof(T), &layout.first, &layout.second};
  }

  /// The device that everything is on; nothing if the statement reads no memory.
  std::optional<device> where(const char* function) const {
    return common_device(leaves.data(), static_cast<int>(leaves.size()), function);
  }
};

}}}  // namespace gnp::GNP_ABI::detail
