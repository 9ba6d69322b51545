// SPDX-License-Identifier: MIT
// The arrays of an expression without their types, and what is decided from them before a job runs: the device,
// the layout of the result, and the strides of each operand.
#pragma once

#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/expr/expression.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One array of an expression. Positions have no memory; their "data" is the first position.
struct leaf_view {
  char* data;
  storage* block;
  int itemsize;
  const shape_t* shape;
  const shape_t* strides;  // in elements
  bool table = false;      // read at places that the expression computes
  element_span reach = {};
  bool read_only = false;
};

template <class T>
leaf_view view_of(const array<T>& a) {
  return {reinterpret_cast<char*>(a.data()),
          a.block().get(),
          sizeof(T),
          &a.shape(),
          &a.element_strides(),
          false,
          {},
          a.is_read_only()};
}

GNP_INLINE leaf_view view_of(const position& p) {
  return {reinterpret_cast<char*>(static_cast<std::uintptr_t>(p.first)), nullptr, sizeof(std::int64_t),
          &p.extent, &p.strides};
}

[[noreturn]] GNP_INLINE void throw_mixed_devices(const char* function, device a, device b) {
  throw device_error(std::string(function) + ": arrays on different devices: " + to_string(a) + " and " +
                     to_string(b) + "; bring them together with .to(device)");
}

GNP_INLINE void require_same_device(const char* function, device a, device b) {
  if (!(a == b)) throw_mixed_devices(function, a, b);
}

GNP_DECLARED std::optional<device> common_device(const leaf_view* leaves, int count, const char* function);

[[gnu::cold]] GNP_INLINE void check_writable(const leaf_view& destination, const char* function) {
  for (std::size_t d = 0; d < destination.shape->size(); ++d) {
    if ((*destination.strides)[d] != 0 || (*destination.shape)[d] < 2) continue;
    throw shape_error(std::string(function) + ": the destination is a broadcast view of shape " +
                      to_string(*destination.shape) + " and cannot be written: copy() it first");
  }
  if (!destination.read_only) return;
  throw shape_error(
      std::string(function) + ": the destination, of shape " + to_string(*destination.shape) +
      ", is for reading only (its elements are repeated elsewhere, or it is memory that was given "
      "like that) and cannot be written: copy() it first");
}

/// The number of elements that an array has in memory: along axes over which it is broadcast, one.
GNP_INLINE index_t elements_in_memory(const leaf_view& leaf) {
  index_t elements = 1;
  for (std::size_t d = 0; d < leaf.shape->size(); ++d) {
    if ((*leaf.strides)[d] != 0) elements *= (*leaf.shape)[d];
  }
  return elements;
}

/// Do elements overlap, as those of windows that slide over an array? Then each place in memory holds several.
GNP_INLINE bool overlaps_itself(const leaf_view& leaf) {
  const element_span span = span_of(leaf.shape->rank(), leaf.shape->begin(), leaf.strides->begin());
  return span.size() < elements_in_memory(leaf);
}

/// Does any memory lie between the first and the last element of both? Different blocks may lie there, too:
/// those of from_pointer().
GNP_INLINE bool extents_overlap(const leaf_view& a, const leaf_view& b) {
  if (a.block == nullptr || b.block == nullptr) return false;
  const auto ends = [](const leaf_view& leaf) {
    const element_span span =
        leaf.table ? leaf.reach : span_of(leaf.shape->rank(), leaf.shape->begin(), leaf.strides->begin());
    return std::pair(leaf.data + span.first * leaf.itemsize, leaf.data + (span.last + 1) * leaf.itemsize);
  };
  const auto [a_first, a_end] = ends(a);
  const auto [b_first, b_end] = ends(b);
  return a_first < b_end && b_first < a_end;
}

GNP_INLINE void set_memory(job_operand& o, const leaf_view& leaf) {
  o.data = leaf.data;
  o.block = leaf.block;
  o.itemsize = leaf.itemsize;
  o.table = leaf.table;
  o.reach = leaf.reach;
  o.shifts = nullptr;
}

/// Sets an operand, broadcast to the shape of a job.
GNP_INLINE void set_operand(job_operand& o, const leaf_view& leaf, const shape_t& shape) {
  set_memory(o, leaf);
  broadcast_strides(*leaf.shape, *leaf.strides, shape, o.strides);
}

/// Sets a job's shape and operands: with one axis if everything is contiguous, otherwise broadcast to the
/// destination's shape.
GNP_DECLARED void lay_out(job& j, const leaf_view& destination, const leaf_view* inputs);

/// Strides without gaps, in the order of the inputs' strides (NumPy's order="K"): row-major unless the inputs
/// have another order.
GNP_DECLARED shape_t dense_strides(const leaf_view* leaves, int count, const shape_t& shape);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::optional<device> common_device(const leaf_view* leaves, int count, const char* function) {
  std::optional<device> found;
  for (int i = 0; i < count; ++i) {
    if (leaves[i].block == nullptr) continue;
    const device where = leaves[i].block->device;
    if (found) require_same_device(function, *found, where);
    found = where;
  }
  return found;
}

GNP_INLINE void lay_out(job& j, const leaf_view& destination, const leaf_view* inputs) {
  const shape_t& shape = *destination.shape;
  j.where = destination.block->device;
  j.count = 1;
  for (const index_t size : shape) j.count *= size;

  bool one_run = is_contiguous(shape, *destination.strides);
  for (int i = 0; i < j.code->inputs && one_run; ++i) {
    one_run = *inputs[i].shape == shape && is_contiguous(shape, *inputs[i].strides);
  }
  const shape_t run{j.count};
  j.rank = one_run ? 1 : shape.rank();
  std::copy(one_run ? run.begin() : shape.begin(), one_run ? run.end() : shape.end(), j.shape);
  for (int i = 0; i < j.operand_count(); ++i) {
    const leaf_view& leaf = i == 0 ? destination : inputs[i - 1];
    job_operand& o = j.operands[i];
    if (one_run) {
      set_memory(o, leaf);
      o.strides[0] = 1;
    } else {
      set_operand(o, leaf, shape);
    }
  }
}

GNP_INLINE shape_t dense_strides(const leaf_view* leaves, int count, const shape_t& shape) {
  bool row_major = true;
  for (int i = 0; i < count; ++i) {
    row_major =
        row_major && (leaves[i].block == nullptr || is_contiguous(*leaves[i].shape, *leaves[i].strides));
  }
  if (row_major) return contiguous_strides(shape);

  std::vector<shape_t> strides;
  for (int i = 0; i < count; ++i) {
    if (leaves[i].block == nullptr) continue;
    strides.emplace_back(shape.size(), 0);
    broadcast_strides(*leaves[i].shape, *leaves[i].strides, shape, strides.back().begin());
  }
  // Should axis a be outside axis b? Yes if all inputs that move along both move further along a, no if one of
  // them does not, and undecided if no input moves along both.
  enum class answer { no, yes, undecided };
  const auto is_outside = [&strides](std::size_t a, std::size_t b) {
    answer found = answer::undecided;
    for (const shape_t& s : strides) {
      if (s[a] == 0 || s[b] == 0) continue;
      if ((s[a] < 0 ? -s[a] : s[a]) <= (s[b] < 0 ? -s[b] : s[b])) return answer::no;
      found = answer::yes;
    }
    return found;
  };
  // From the innermost axis outwards, each axis is placed inside those that should be outside it. It passes
  // axes for which the answer is undecided if there is such an axis beyond them.
  std::size_t order[max_rank];
  for (std::size_t d = 0; d < shape.size(); ++d) order[d] = d;
  for (std::size_t d = shape.size(); d-- > 0;) {
    std::size_t to = d;
    for (std::size_t e = d + 1; e < shape.size(); ++e) {
      const answer outside = is_outside(order[e], order[d]);
      if (outside == answer::no) break;
      if (outside == answer::yes) to = e;
    }
    std::rotate(order + d, order + d + 1, order + to + 1);
  }
  shape_t result(shape.size(), 1);
  index_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    result[order[d]] = step;
    step *= shape[order[d]] > 0 ? shape[order[d]] : 1;
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
