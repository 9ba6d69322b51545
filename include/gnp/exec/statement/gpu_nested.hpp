// SPDX-License-Identifier: MIT
// A statement whose inner reductions run over few elements each, such as the sums in the distances between
// points. Each thread computes them itself where their results are needed, and nothing of the size of their
// elements is ever stored.
#pragma once

#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/statement/row_space.hpp>
#include <gnp/exec/statement/statement.hpp>
#include <gnp/exec/statement/statement_facts.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The most such reductions in a statement; identical ones count once.
inline constexpr std::size_t most_loops = 8;
/// The most places in the text where they occur.
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

/// The one axis that a reduction runs along; -1 if it has several axes or too many elements.
GNP_INLINE int loop_axis(const statement_step& step) {
  if (step.options.axes.count != 1) return -1;
  int axis = 0;
  while (!step.options.axes.chosen[axis]) ++axis;
  const index_t length = step.shape[static_cast<std::size_t>(axis)];
  return length >= 1 && length <= longest_loop ? axis : -1;
}

/// How many elements a loop processes for one result, counting each time that the result is computed again. A
/// loop within another one is repeated if all elements of the outer loop need the same result, like max(x, 1)
/// in a sum of x - max(x, 1) over the same rows.
GNP_INLINE index_t elements_taken(const statement& s, const std::vector<int>& axis, std::size_t loop,
                                  std::size_t outer) {
  const auto length_of = [&](std::size_t k) {
    return s.steps[static_cast<std::size_t>(s.loops[k].step)].shape[static_cast<std::size_t>(axis[k])];
  };
  index_t elements = length_of(loop);
  for (int k = s.loops[loop].parent; k >= static_cast<int>(outer);
       loop = static_cast<std::size_t>(k), k = s.loops[loop].parent) {
    const auto around = static_cast<std::size_t>(k);
    const shape_t& result = *s.loops[loop].result;
    const int along =
        axis[around] - (s.steps[static_cast<std::size_t>(s.loops[around].step)].shape.rank() - result.rank());
    if (along < 0 || result[static_cast<std::size_t>(along)] == 1) elements *= length_of(around);
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

/// Is the last step also such a reduction, and does it have enough results?
GNP_INLINE bool last_is_loop(const statement_step& last) {
  return loop_axis(last) >= 0 && element_count(last.result, "reduce") >= enough_results;
}

/// Do short rows have many more elements than the values from which they are computed, and one result for each
/// row, as with the squares of all distances between points? Then loops are better than a row program: what
/// they read comes from the cache, and threads that share a row would each read only a little of it.
GNP_INLINE bool short_rows_read_little(const statement& s) {
  row_space rows;
  const statement_step& last = s.steps.back();
  if (!find_rows(s, rows) || reduced_length(*rows.shape, *rows.axes) > longest_loop ||
      (last.reducer == nullptr && last.shape == *rows.shape))
    return false;
  double read = static_cast<double>(enough_results);
  for (const leaf_view& leaf : s.leaves) {
    if (leaf.block != nullptr) read += static_cast<double>(elements_in_memory(leaf));
  }
  return static_cast<double>(element_count(*rows.shape, "reduce")) > 8 * read;
}

/// How many elements of a leaf's rows a vector in memory can hold; 0 if the rows are not contiguous.
GNP_INLINE index_t vector_along(const leaf_view& leaf, int axis) {
  if ((*leaf.strides)[axis] != 1) return 0;
  const auto fits = [&](index_t v) {
    if (reinterpret_cast<std::uintptr_t>(leaf.data) % static_cast<std::uintptr_t>(v * leaf.itemsize) != 0)
      return false;
    for (int d = 0; d < leaf.shape->rank(); ++d) {
      if ((d == axis ? (*leaf.shape)[d] : (*leaf.strides)[d]) % v != 0) return false;
    }
    return true;
  };
  index_t vector = 16 / leaf.itemsize;
  while (vector > 1 && !fits(vector)) vector /= 2;
  return (std::max)(vector, index_t{1});
}

/// Is a statement one reduction of short rows of a whole number of vectors? A thread of the reduction kernel
/// then takes several such rows, or a part of several (plan_short_rows): on an H200, pairs of floats are
/// reduced in 0.10 ms where a row program takes 0.16, and rows of 3 in 0.085 instead of 0.21.
GNP_INLINE bool is_one_reduction_of_vectors(const statement& s) {
  const statement_step& last = s.steps.back();
  if (s.steps.size() != 1 || !last_is_loop(last) || short_rows_read_little(s)) return false;
  const int axis = loop_axis(last);
  const index_t length = last.shape[axis];
  index_t vector = 16;
  index_t widest = 1;
  for (const step_input& input : last.inputs) {
    const leaf_view& leaf = input.memory;
    if (leaf.table || leaf.block == nullptr) return false;
    const int own = axis - (last.shape.rank() - leaf.shape->rank());
    if (own < 0 || (*leaf.shape)[own] == 1) continue;
    vector = (std::min)(vector, vector_along(leaf, own));
    widest = (std::max)(widest, index_t{leaf.itemsize});
  }
  vector = (std::min)(vector, 32 / widest);
  if (vector == 0 || length % vector != 0) return false;
  if (length * widest <= 16) return length / vector <= 4;
  const bool combines_at_once = !last.reducer->indexed && last.reducer->around_mean == nullptr;
  return combines_at_once && vector > 1 && vector * widest >= 8 && length / vector <= 8;
}

/// Converts strides over a reduction's elements to strides over its result, in the shape in which it is read,
/// and these to strides over the elements that the result is broadcast to.
GNP_INLINE shape_t strides_outside(const shape_t& strides, const statement_step& step, int axis,
                                   const shape_t& result, const shape_t& outside) {
  shape_t kept(result.size(), 0);
  int from = 0;
  for (std::size_t d = 0; d < result.size(); ++d) {
    if (result[d] == 1) continue;
    while (from == axis || step.shape[static_cast<std::size_t>(from)] == 1) ++from;
    kept[d] = strides[static_cast<std::size_t>(from++)];
  }
  shape_t broadcast(outside.size(), 0);
  broadcast_strides(result, kept, outside, broadcast.begin());
  return broadcast;
}

/// Lays a statement out; false if it is not of this kind.
GNP_INLINE bool lay_out_nested(nested_statement& n, const statement& s) {
  const statement_step& last = s.steps.back();
  n.of_elements = last.reducer == nullptr || last_is_loop(last);
  const shape_t& outside = n.of_elements ? last.result : last.shape;
  const std::size_t outer = n.of_elements ? 0 : 1;  // the last step's reduction is no loop
  const std::size_t places = s.loops.size() - outer;
  if (!s.one_text || places == 0 || places > most_places_of_loops) return false;
  const std::vector<std::size_t> loop_at = distinct_loops(s, outer);
  const std::size_t loops = 1 + *std::max_element(loop_at.begin(), loop_at.end());
  if (loops > most_loops) return false;
  std::vector<bool> repeated(s.loops.size(), false);
  // A loop has a number of its own, and one for each input that it reads; loops within loops have more.
  const std::size_t numbers = s.numbers.size() + loops * (1 + s.leaves.size());
  if (!fits_in_a_kernel(s.leaves.size(), numbers, last.shape.rank())) return false;
  std::vector<int> axis(s.loops.size(), -1);
  for (std::size_t k = outer; k < s.loops.size(); ++k) {
    const statement_step& step = s.steps[static_cast<std::size_t>(s.loops[k].step)];
    axis[k] = loop_axis(step);
    if (axis[k] < 0) return false;
    n.loops.lengths |= static_cast<std::uint64_t>(step.shape[static_cast<std::size_t>(axis[k])])
                       << (8 * loop_at[k]);
    n.loops.loop_at |= std::uint64_t{loop_at[k]} << (3 * (k - outer));
    repeated[k] = std::find(loop_at.begin() + static_cast<std::ptrdiff_t>(outer),
                            loop_at.begin() + static_cast<std::ptrdiff_t>(k),
                            loop_at[k]) != loop_at.begin() + static_cast<std::ptrdiff_t>(k);
  }
  for (std::size_t k = outer; k < s.loops.size(); ++k) {
    if (elements_taken(s, axis, k, outer) > longest_loop) return false;
    const statement_step& step = s.steps[static_cast<std::size_t>(s.loops[k].step)];
    const auto length = static_cast<double>(step.shape[static_cast<std::size_t>(axis[k])]);
    if (length * times_made(s, k, outer, outside) > most_elements_taken) return false;
  }
  const auto number = [](const auto& value) {
    number_slot slot{};
    std::memcpy(slot.bytes, &value, sizeof value);
    return slot;
  };
  struct event {
    int order;
    std::size_t numbers_before;
    std::vector<number_slot> numbers;
  };
  std::vector<event> events;
  for (std::size_t k = outer; k < s.loops.size(); ++k) {
    if (repeated[k]) continue;
    const statement_step& step = s.steps[static_cast<std::size_t>(s.loops[k].step)];
    events.push_back({s.loops[k].order, s.loops[k].numbers_before, {number(step.options.parameter)}});
  }
  for (std::size_t i = 0; i < s.leaves.size(); ++i) {
    leaf_view leaf = s.leaves[i];
    int loop = s.loop_of_leaf[i].parent;
    if (outer == 1 && loop == 0) loop = -1;
    n.in_loop.push_back(loop >= 0);
    if (loop < 0) {
      n.inputs.push_back(leaf);
      continue;
    }
    if (leaf.block == nullptr || leaf.table) return false;
    const shape_t* over =
        &s.steps[static_cast<std::size_t>(s.loops[static_cast<std::size_t>(loop)].step)].shape;
    shape_t strides(over->size(), 0);
    broadcast_strides(*leaf.shape, *leaf.strides, *over, strides.begin());
    event steps{s.loop_of_leaf[i].order, s.loop_of_leaf[i].numbers_before, {}};
    const int inner = loop;
    while (loop >= 0) {
      const statement_loop& at = s.loops[static_cast<std::size_t>(loop)];
      const statement_step& step = s.steps[static_cast<std::size_t>(at.step)];
      const int along = axis[static_cast<std::size_t>(loop)];
      steps.numbers.insert(steps.numbers.begin(),
                           number(std::int64_t{strides[static_cast<std::size_t>(along)]}));
      loop = outer == 1 && at.parent == 0 ? -1 : at.parent;
      over = loop >= 0 ? &s.steps[static_cast<std::size_t>(s.loops[static_cast<std::size_t>(loop)].step)].shape
                       : &outside;
      strides = strides_outside(strides, step, along, *at.result, *over);
    }
    std::int64_t inner_step = 0;
    std::memcpy(&inner_step, steps.numbers.back().bytes, sizeof inner_step);
    if (inner_step == 1 && i < 64) {
      n.loops.one_by_one |= std::uint64_t{1} << i;
      const statement_step& step =
          s.steps[static_cast<std::size_t>(s.loops[static_cast<std::size_t>(inner)].step)];
      const index_t length = step.shape[static_cast<std::size_t>(axis[static_cast<std::size_t>(inner)])];
      const index_t bytes = length * leaf.itemsize;
      if (steps.numbers.size() == 1) n.loops.taken_in_line[i] = static_cast<std::uint8_t>(length);
      bool whole = bytes % 16 == 0 && reinterpret_cast<std::uintptr_t>(leaf.data) % 16 == 0;
      for (const index_t stride : strides) whole = whole && stride * leaf.itemsize % 16 == 0;
      if (whole) n.loops.in_whole_vectors |= std::uint64_t{1} << i;
    }
    if (!repeated[static_cast<std::size_t>(inner)]) events.push_back(std::move(steps));
    leaf.table = true;  // other code only needs to know that all of it may be read
    leaf.reach = span_of(leaf.shape->rank(), leaf.shape->begin(), leaf.strides->begin());
    leaf.shape = &n.shapes.emplace_back(outside);
    leaf.strides = &n.shapes.emplace_back(strides);
    n.inputs.push_back(leaf);
  }
  std::sort(events.begin(), events.end(), [](const event& a, const event& b) { return a.order < b.order; });
  const auto add_until = [&](std::size_t end) {
    for (std::size_t next = n.slot_of_number.size(); next < end; ++next) {
      n.slot_of_number.push_back(static_cast<std::uint8_t>(n.numbers.size()));
      n.numbers.push_back(s.numbers[next]);
    }
  };
  for (const event& e : events) {
    add_until(e.numbers_before);
    n.numbers.insert(n.numbers.end(), e.numbers.begin(), e.numbers.end());
  }
  add_until(s.numbers.size());
  n.loops.slot_of_number = n.slot_of_number.empty() ? nullptr : n.slot_of_number.data();
  // If the elements of each result are not contiguous, adjacent threads should read them.
  return last.reducer == nullptr || !n.of_elements || n.loops.one_by_one != 0;
}

/// Runs the statement in one kernel, if it is of this kind.
GNP_INLINE bool run_nested_on_gpu(const statement& s, const program& text, const leaf_view& destination) {
  const statement_step& last = s.steps.back();
  nested_statement n;
  if (!(*destination.shape == last.result) || !lay_out_nested(n, s)) return false;
  program code = text;
  code.constants = static_cast<int>(n.numbers.size());
  std::vector<job_operand> operands(n.inputs.size() + 2);
  const auto mark = [&n, &operands] {
    for (std::size_t i = 0; i < n.inputs.size(); ++i) operands[i + 1].in_loop = n.in_loop[i];
  };
  if (n.of_elements) {
    job j;
    j.code = &code;
    j.operands = operands.data();
    j.constants = bytes_of(n.numbers);
    lay_out(j, destination, n.inputs.data());
    mark();
    if (destination_overlaps_input(j)) return false;
    collapse(j);
    const watched_work watched(j.where, [&] { return facts_of(s, text, destination); });
    const submission work(j.where);
    kernel_plan plan = make_plan(j, n.loops);
    note_equal_numbers(j, n.loops, plan);
    const gpu_kernel kernel = kernel_of(code, plan, work.device());
    use_slots(work, j, plan);
    launch_job(work, j, plan, kernel.function);
    return true;
  }
  for (const leaf_view& input : n.inputs) {
    if (input.block == destination.block) return false;
  }
  code.result = last.values->result;
  code.source = text.source->operands[0];
  reduction_code of_elements = *last.reducer;
  of_elements.values = &code;
  of_elements.kernels = text.kernels;
  reduction r;
  r.code = &of_elements;
  r.parameter[0] = last.options.parameter;
  r.loops = n.loops;
  r.outputs = element_count(last.result, "reduce");
  r.length = reduced_length(last.shape, last.options.axes);
  if (r.outputs == 0 || r.length == 0) return false;
  r.values.code = &code;
  r.values.operands = operands.data();
  r.values.constants = bytes_of(n.numbers);
  lay_out(r, last.shape, last.options.axes, destination, n.inputs.data());
  mark();
  // If there are enough results, adjacent threads take adjacent results: then what they read for one element is
  // the same for all of them or adjacent, and what is the same for all elements stays in registers.
  r.along =
      collapse(r.values, r.operand_count(), last.options.axes.chosen, r.kept, r.outputs >= enough_results);
  const watched_work watched(r.values.where, [&] { return facts_of(s, text, destination); });
  reduce_on_gpu(r);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
