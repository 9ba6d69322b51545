// SPDX-License-Identifier: MIT
// The layout of statements whose inner reductions are loops: each thread of the kernel computes those that it
// needs itself.
#pragma once

#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/statement/statement.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most loops in a statement; identical ones count once.
inline constexpr std::size_t most_loops = 8;
/// The most places in the text where a loop occurs.
inline constexpr std::size_t most_places_of_loops = 21;

/// The most elements that loops may process for one result, counting each time that the result is computed
/// again. With more, the result is computed once and stored.
inline constexpr double most_elements_taken = 256;

/// A statement as one kernel with loops: what it reads, laid out over the elements of its last step, and its
/// numbers, including those that the loops need, in the order of the text.
struct nested_statement {
  std::vector<leaf_view> inputs;
  std::vector<bool> in_loop;
  std::vector<number_slot> numbers;
  std::vector<std::uint8_t> slot_of_number;  // of the statement's own
  loop_facts loops;
  bool of_elements = true;  // is the last step elementwise, except for loops? Otherwise it is a reduction
  std::deque<shape_t> shapes;
};

/// The most elements of a step that a loop may process.
GNP_INLINE index_t most_in_loop(const statement_step& step) {
  const bool slides = std::any_of(step.inputs.begin(), step.inputs.end(), [](const step_input& input) {
    return input.step < 0 && input.memory.block != nullptr && overlaps_itself(input.memory);
  });
  return slides ? longest_window : longest_loop;
}

/// The axes that a loop runs along: one, or two like those of the windows of a picture.
struct loop_axes {
  int outer = -1;  // -1 if there is one
  int inner = -1;  // -1 if a reduction is not a loop, because it has more axes or too many elements

  bool found() const { return inner >= 0; }
};
GNP_INLINE loop_axes axes_of_loop(const statement_step& step) {
  const axis_set& axes = step.options.axes;
  const index_t length = reduced_length(step.shape, axes);
  loop_axes found;
  if (axes.count < 1 || axes.count > 2 || length < 1 || length > most_in_loop(step)) return found;
  for (int d = 0; d < step.shape.rank(); ++d) {
    if (axes.chosen[d]) found = {.outer = found.inner, .inner = d};
  }
  return found;
}

/// Is the last step also a reduction that can be a loop, and does it have enough results?
GNP_INLINE bool last_is_loop(const statement_step& last) {
  return axes_of_loop(last).found() && element_count(last.result, "reduce") >= enough_results;
}

/// Is a statement one reduction, or a function of one, whose elements share every value that they read? Each
/// value of a product of small matrices, for example, belongs to a whole row or column of the result.
GNP_INLINE bool reads_all_repeatedly(const statement& s) {
  const statement_step& first = s.steps.front();
  if (first.reducer == nullptr || s.steps.size() > 2 ||
      (s.steps.size() == 2 && s.steps.back().reducer != nullptr))
    return false;
  const auto elements = static_cast<double>(element_count(first.shape, "reduce"));
  return std::all_of(s.leaves.begin(), s.leaves.end(), [elements](const leaf_view& leaf) {
    return leaf.block != nullptr && !leaf.table &&
           elements >= 2 * static_cast<double>(elements_in_memory(leaf));
  });
}

/// How many elements a loop processes for one result, counting each time that the result is computed again. A
/// loop within another one is repeated if all elements of the outer loop need the same result, like max(x, 1)
/// in a sum of x - max(x, 1) over the same rows.
GNP_INLINE index_t elements_taken(const statement& s, std::size_t loop, std::size_t outer) {
  const auto step_of = [&s](std::size_t k) -> const statement_step& {
    return s.steps[static_cast<std::size_t>(s.loops[k].step)];
  };
  index_t elements = reduced_length(step_of(loop).shape, step_of(loop).options.axes);
  for (int k = s.loops[loop].parent; k >= static_cast<int>(outer);
       loop = static_cast<std::size_t>(k), k = s.loops[loop].parent) {
    const statement_step& around = step_of(static_cast<std::size_t>(k));
    const shape_t& result = *s.loops[loop].result;
    for (int d = 0; d < around.shape.rank(); ++d) {
      const int along = d - (around.shape.rank() - result.rank());
      const bool same = along < 0 || result[static_cast<std::size_t>(along)] == 1;
      if (around.options.axes.chosen[d] && same) elements *= around.shape[static_cast<std::size_t>(d)];
    }
  }
  return elements;
}

/// How often a loop computes each of its results. It is more than once if several elements read the same
/// result, like sum(square(c), 1) in sum(square(c), 1) - 2 * products, for few centres c and many points.
GNP_INLINE double times_made(const statement& s, std::size_t loop, std::size_t outer, const shape_t& outside) {
  double times = static_cast<double>(element_count(outside, "reduce"));
  for (int k = s.loops[loop].parent; k >= static_cast<int>(outer);
       k = s.loops[static_cast<std::size_t>(k)].parent) {
    const statement_step& around = s.steps[static_cast<std::size_t>(s.loops[static_cast<std::size_t>(k)].step)];
    times *= static_cast<double>(reduced_length(around.shape, around.options.axes));
  }
  return times / static_cast<double>(element_count(*s.loops[loop].result, "reduce"));
}

/// For each reduction of the text, from the one at `outer` on, the number of its loop, counted in the order in
/// which loops first appear. Reductions that are the same step, read in the same shape within the same loop,
/// are one loop.
GNP_INLINE std::vector<std::size_t> distinct_loops(const statement& s, std::size_t outer) {
  std::vector<std::size_t> loop_at(s.loops.size(), 0);
  std::size_t count = 0;
  const auto around = [&](const statement_loop& at) {
    return at.parent < static_cast<int>(outer) ? -1
                                               : static_cast<int>(loop_at[static_cast<std::size_t>(at.parent)]);
  };
  for (std::size_t k = outer; k < s.loops.size(); ++k) {
    const statement_loop& at = s.loops[k];
    std::size_t same = outer;
    while (same < k && (s.loops[same].step != at.step || around(s.loops[same]) != around(at) ||
                        !(*s.loops[same].result == *at.result)))
      ++same;
    loop_at[k] = same < k ? loop_at[same] : count++;
  }
  return loop_at;
}

/// Converts strides over a reduction's elements to strides over its result, in the shape in which it is read,
/// and these to strides over the elements that the result is broadcast to.
GNP_INLINE shape_t strides_outside(const shape_t& strides, const statement_step& step, const shape_t& result,
                                   const shape_t& outside) {
  shape_t kept(result.size(), 0);
  int from = 0;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (result[d] == 1) continue;
    while (step.options.axes.chosen[from] || step.shape[static_cast<std::size_t>(from)] == 1) ++from;
    kept[d] = strides[static_cast<std::size_t>(from++)];
  }
  shape_t broadcast(outside.size(), 0);
  broadcast_strides(result, kept, outside, broadcast.begin());
  return broadcast;
}

/// Lays a statement out, and finds out whether it is of this kind.
class nested_layout {
 public:
  nested_layout(const statement& s, nested_statement& made) : s_(s), made_(made), last_(s.steps.back()) {
    made_.of_elements = last_.reducer == nullptr || last_is_loop(last_);
    outer_ = made_.of_elements ? 0 : 1;
    outside_ = made_.of_elements ? &last_.result : &last_.shape;
  }

  GNP_INLINE bool lay_out() {
    if (!find_loops() || !loops_are_short()) return false;
    add_numbers_of_loops();
    for (std::size_t leaf = 0; leaf < s_.leaves.size(); ++leaf) {
      if (!add_input(leaf)) return false;
    }
    order_numbers();
    // If the elements of each result are not contiguous, adjacent threads should read them, unless those read
    // the same anyway.
    return last_.reducer == nullptr || !made_.of_elements || made_.loops.one_by_one != 0 ||
           reads_all_repeatedly(s_);
  }

 private:
  /// Numbers that the loops need, and where they are in the text.
  struct numbers_in_text {
    int order;
    std::size_t numbers_before;  // of the statement's own
    std::vector<number_slot> numbers;
  };

  template <class T>
  static number_slot number(const T& value) {
    number_slot slot{};
    std::memcpy(slot.bytes, &value, sizeof value);
    return slot;
  }
  GNP_INLINE const statement_step& step_of(std::size_t loop) const {
    return s_.steps[static_cast<std::size_t>(s_.loops[loop].step)];
  }
  GNP_INLINE index_t length_of(std::size_t loop) const {
    return reduced_length(step_of(loop).shape, step_of(loop).options.axes);
  }
  /// The loop around a loop or a leaf, if there is one.
  GNP_INLINE std::optional<std::size_t> loop_around(const statement_loop& at) const {
    if (at.parent < static_cast<int>(outer_)) return {};
    return static_cast<std::size_t>(at.parent);
  }

  /// Finds the axes of each loop, and which of them are the same; false if there are too many, or none.
  GNP_INLINE bool find_loops() {
    const std::size_t places = s_.loops.size() - outer_;
    if (!s_.one_text || places == 0 || places > most_places_of_loops) return false;
    const std::vector<std::size_t> loop_at = distinct_loops(s_, outer_);
    const std::size_t loops = 1 + *std::max_element(loop_at.begin(), loop_at.end());
    if (loops > most_loops) return false;
    // A loop has a number of its own, and one for each input and axis that it reads along; loops within loops
    // have more.
    const std::size_t numbers = s_.numbers.size() + loops * (1 + 2 * s_.leaves.size());
    if (!fits_in_a_kernel(s_.leaves.size(), numbers, last_.shape.rank())) return false;
    axes_.assign(s_.loops.size(), {});
    repeated_.assign(s_.loops.size(), false);
    std::size_t known = 0;
    for (std::size_t k = outer_; k < s_.loops.size(); ++k) {
      axes_[k] = axes_of_loop(step_of(k));
      if (!axes_[k].found()) return false;
      made_.loops.lengths |= static_cast<std::uint64_t>(length_of(k)) << (8 * loop_at[k]);
      if (axes_[k].outer >= 0) {
        const auto inner = static_cast<std::uint64_t>(step_of(k).shape[axes_[k].inner]);
        made_.loops.inner_lengths |= inner << (8 * loop_at[k]);
      }
      made_.loops.loop_at |= std::uint64_t{loop_at[k]} << (3 * (k - outer_));
      repeated_[k] = loop_at[k] < known;
      known = (std::max)(known, loop_at[k] + 1);
    }
    return true;
  }

  GNP_INLINE bool loops_are_short() const {
    for (std::size_t k = outer_; k < s_.loops.size(); ++k) {
      if (elements_taken(s_, k, outer_) > most_in_loop(step_of(k))) return false;
      const auto length = static_cast<double>(length_of(k));
      if (length * times_made(s_, k, outer_, *outside_) > most_elements_taken) return false;
    }
    return true;
  }

  GNP_INLINE void add_numbers_of_loops() {
    for (std::size_t k = outer_; k < s_.loops.size(); ++k) {
      const statement_loop& at = s_.loops[k];
      if (!repeated_[k])
        numbers_.push_back({at.order, at.numbers_before, {number(step_of(k).options.parameter)}});
    }
  }

  /// Adds an input; false if a loop reads it and it is not plain memory.
  GNP_INLINE bool add_input(std::size_t i) {
    leaf_view leaf = s_.leaves[i];
    const std::optional<std::size_t> loop = loop_around(s_.loop_of_leaf[i]);
    made_.in_loop.push_back(loop.has_value());
    if (!loop) {
      made_.inputs.push_back(leaf);
      return true;
    }
    if (leaf.block == nullptr || leaf.table) return false;
    shape_t strides(step_of(*loop).shape.size(), 0);
    broadcast_strides(*leaf.shape, *leaf.strides, step_of(*loop).shape, strides.begin());
    const bool one_by_one = strides[static_cast<std::size_t>(axes_[*loop].inner)] == 1;
    if (i < 64) note_steps_of(i, *loop, strides);
    std::vector<number_slot> steps = leave_loops(*loop, strides);
    if (one_by_one && i < 64) note_one_by_one(i, *loop, strides, steps.size() == 1);
    const statement_loop& at = s_.loop_of_leaf[i];
    if (!repeated_[*loop]) numbers_.push_back({at.order, at.numbers_before, std::move(steps)});
    leaf.table = true;  // other code only needs to know that all of it may be read
    leaf.reach = span_of(leaf.shape->rank(), leaf.shape->begin(), leaf.strides->begin());
    leaf.shape = &made_.shapes.emplace_back(*outside_);
    leaf.strides = &made_.shapes.emplace_back(strides);
    made_.inputs.push_back(leaf);
    return true;
  }

  /// Converts strides over a loop's elements to strides over the elements outside all loops. Gives the steps
  /// that the loops take, those of the outermost one first.
  GNP_INLINE std::vector<number_slot> leave_loops(std::size_t loop, shape_t& strides) const {
    std::vector<number_slot> steps;
    for (std::optional<std::size_t> at = loop; at;) {
      const statement_loop& left = s_.loops[*at];
      const auto [outer, inner] = axes_[*at];
      steps.insert(steps.begin(), number(std::int64_t{strides[static_cast<std::size_t>(inner)]}));
      if (outer >= 0)
        steps.insert(steps.begin(), number(std::int64_t{strides[static_cast<std::size_t>(outer)]}));
      const std::optional<std::size_t> around = loop_around(left);
      const shape_t& over = around ? step_of(*around).shape : *outside_;
      strides = strides_outside(strides, step_of(*at), *left.result, over);
      at = around;
    }
    return steps;
  }

  /// Notes along which axes of a loop an input stays the same, or advances by one element, given its strides over
  /// the loop's elements.
  GNP_INLINE void note_steps_of(std::size_t i, std::size_t loop, const shape_t& strides) {
    const auto [outer, inner] = axes_[loop];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (strides[static_cast<std::size_t>(inner)] == 0) made_.loops.same_along_inner |= bit;
    if (outer < 0) return;
    if (strides[static_cast<std::size_t>(outer)] == 0) made_.loops.same_along_outer |= bit;
    if (strides[static_cast<std::size_t>(outer)] == 1) made_.loops.next_along_outer |= bit;
  }

  /// Notes that an input's elements follow each other in a loop, and whether they are whole vectors for each of
  /// the elements outside, over which it has these strides.
  GNP_INLINE void note_one_by_one(std::size_t i, std::size_t loop, const shape_t& strides, bool alone) {
    const leaf_view& leaf = s_.leaves[i];
    made_.loops.one_by_one |= std::uint64_t{1} << i;
    const index_t length = length_of(loop);
    if (axes_[loop].outer >= 0 || length > longest_loop) return;
    if (alone) made_.loops.taken_in_line[i] = static_cast<std::uint8_t>(length);
    const auto is_whole = [&leaf](index_t elements) { return elements * leaf.itemsize % 16 == 0; };
    bool whole = is_whole(length) && reinterpret_cast<std::uintptr_t>(leaf.data) % 16 == 0;
    for (const index_t stride : strides) whole = whole && is_whole(stride);
    if (whole) made_.loops.in_whole_vectors |= std::uint64_t{1} << i;
  }

  /// Puts the loops' numbers among the statement's own, in the order of the text.
  GNP_INLINE void order_numbers() {
    std::sort(numbers_.begin(), numbers_.end(),
              [](const numbers_in_text& a, const numbers_in_text& b) { return a.order < b.order; });
    const auto add_until = [&](std::size_t end) {
      for (std::size_t next = made_.slot_of_number.size(); next < end; ++next) {
        made_.slot_of_number.push_back(static_cast<std::uint8_t>(made_.numbers.size()));
        made_.numbers.push_back(s_.numbers[next]);
      }
    };
    for (const numbers_in_text& some : numbers_) {
      add_until(some.numbers_before);
      made_.numbers.insert(made_.numbers.end(), some.numbers.begin(), some.numbers.end());
    }
    add_until(s_.numbers.size());
    made_.loops.slot_of_number = made_.slot_of_number.empty() ? nullptr : made_.slot_of_number.data();
  }

  const statement& s_;
  nested_statement& made_;
  const statement_step& last_;
  std::size_t outer_;           // the first loop: 1 if the last step's reduction comes first, which is none
  const shape_t* outside_;      // the shape outside all loops
  std::vector<loop_axes> axes_;  // of each loop
  std::vector<bool> repeated_;  // is a loop the same as one before it?
  std::vector<numbers_in_text> numbers_;
};

/// Lays a statement out; false if it is not of this kind.
GNP_INLINE bool lay_out_nested(nested_statement& n, const statement& s) {
  return nested_layout(s, n).lay_out();
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
