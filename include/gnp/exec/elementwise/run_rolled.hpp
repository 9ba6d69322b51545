// SPDX-License-Identifier: MIT
// A job with some rolled inputs. It runs in boxes, cut where one of these inputs wraps around. Within a box,
// all inputs are plain views, shifted against each other. On a GPU, most jobs are one kernel instead, which
// rolls its operands (rolled_plan.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <gnp/exec/elementwise/rolled_job.hpp>
#include <gnp/exec/elementwise/run_job.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Enough for five different shifts along each of three axes.
inline constexpr index_t most_boxes = 128;

GNP_INLINE bool is_rolled(const shape_t& shifts) {
  return std::any_of(shifts.begin(), shifts.end(), [](index_t shift) { return shift != 0; });
}

/// Where boxes begin along each axis of a result.
GNP_INLINE std::vector<std::vector<index_t>> box_beginnings(const shape_t& shape, const shape_t* shifts,
                                                            int inputs) {
  std::vector<std::vector<index_t>> begins(shape.size(), {0});
  for (int i = 0; i < inputs; ++i) {
    // An axis along which an input is broadcast has no shift.
    const int before = shape.rank() - shifts[i].rank();
    for (int d = 0; d < shifts[i].rank(); ++d)
      begins[static_cast<std::size_t>(before + d)].push_back(shifts[i][d]);
  }
  for (std::vector<index_t>& axis : begins) {
    std::sort(axis.begin(), axis.end());
    axis.erase(std::unique(axis.begin(), axis.end()), axis.end());
  }
  return begins;
}

/// The number of boxes, but counted only up to a number that is too many in any case. (With one rolled input
/// there are no more than that.)
GNP_INLINE index_t count_boxes(const std::vector<std::vector<index_t>>& begins) {
  constexpr index_t very_many = index_t{1} << max_rank;
  index_t count = 1;
  for (const std::vector<index_t>& axis : begins)
    count = (std::min)(count * static_cast<index_t>(axis.size()), very_many);
  return count;
}

/// An operand, of which each box of a result takes a part.
class operand_of_boxes {
 public:
  operand_of_boxes(const leaf_view& whole, const shape_t& shape, const shape_t& shifts)
      : whole_(whole), strides_(shape.size(), 0), shape_(shape), shifts_(shape.size(), 0) {
    broadcast_strides(*whole.shape, *whole.strides, shape, strides_.begin());
    std::copy(shifts.begin(), shifts.end(), shifts_.end() - shifts.rank());
  }

  /// The operand's part of the box of shape `box` that begins at `begin` in the result.
  leaf_view at(const shape_t& begin, const shape_t& box) const {
    index_t elements = 0;
    for (int d = 0; d < shape_.rank(); ++d) {
      const index_t from = begin[d] - shifts_[d];
      elements += (from < 0 ? from + shape_[d] : from) * strides_[d];
    }
    leaf_view part = whole_;
    // Positions count elements.
    part.data = moved(whole_.data, whole_.block == nullptr ? elements : elements * whole_.itemsize);
    part.shape = &box;
    part.strides = &strides_;
    return part;
  }

 private:
  leaf_view whole_;
  shape_t strides_;
  const shape_t& shape_;
  shape_t shifts_;
};

/// Calls `f` with where each box of a shape begins, and with the box's shape, until `f` returns false. False if
/// it has.
template <class F>
bool for_each_box(const shape_t& shape, const std::vector<std::vector<index_t>>& begins, const F& f) {
  shape_t number(shape.size(), 0);  // of the box, along each axis
  shape_t begin = number;
  shape_t box = number;
  for (int d = 0; d >= 0;) {
    for (d = 0; d < shape.rank(); ++d) {
      const std::vector<index_t>& axis = begins[static_cast<std::size_t>(d)];
      const auto next = static_cast<std::size_t>(number[d]) + 1;
      begin[d] = axis[next - 1];
      box[d] = (next < axis.size() ? axis[next] : shape[d]) - begin[d];
    }
    if (!f(begin, box)) return false;
    for (d = shape.rank() - 1; d >= 0; --d) {
      if (++number[d] < static_cast<index_t>(begins[static_cast<std::size_t>(d)].size())) break;
      number[d] = 0;
    }
  }
  return true;
}

/// A job's inputs, of which each box of a result takes its parts.
class inputs_of_boxes {
 public:
  inputs_of_boxes(const rolled_job& r, const shape_t& shape)
      : parts_(static_cast<std::size_t>(r.code->inputs)) {
    for (int i = 0; i < r.code->inputs; ++i) wholes_.emplace_back(r.inputs[i], shape, r.shifts[i]);
  }

  const leaf_view* at(const shape_t& begin, const shape_t& box) {
    for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i] = wholes_[i].at(begin, box);
    return parts_.data();
  }

 private:
  std::vector<operand_of_boxes> wholes_;
  std::vector<leaf_view> parts_;
};

/// Computes an expression box by box, in memory that does not overlap its inputs.
GNP_INLINE void run_in_boxes(const rolled_job& r, const leaf_view& destination,
                             const std::vector<std::vector<index_t>>& begins) {
  const operand_of_boxes to(destination, *destination.shape, {});
  inputs_of_boxes from(r, *destination.shape);
  for_each_box(*destination.shape, begins, [&](const shape_t& begin, const shape_t& box) {
    run_apart(*r.code, to.at(begin, box), from.at(begin, box), r.constants, r.operands);
    return true;
  });
}

/// Used if there would be too many boxes: each rolled input is first copied, which takes few boxes.
GNP_INLINE void run_of_rolled_copies(const rolled_job& r, const leaf_view& destination) {
  const auto count = static_cast<std::size_t>(r.code->inputs);
  std::vector<leaf_view> inputs(r.inputs, r.inputs + count);
  std::vector<shape_t> strides(count);
  std::vector<storage_ref> memory;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_rolled(r.shifts[i])) continue;
    leaf_view& leaf = inputs[i];
    strides[i] = dense_strides(&leaf, 1, *leaf.shape);
    index_t bytes = leaf.itemsize;
    for (const index_t size : *leaf.shape) bytes *= size;
    memory.push_back(storage_ref::allocate(static_cast<std::size_t>(bytes), destination.block->device));
    leaf_view copy = leaf;
    copy.data = static_cast<char*>(memory.back()->data);
    copy.block = memory.back().get();
    copy.strides = &strides[i];
    const rolled_job one{r.copies[i], nullptr, &leaf, &r.shifts[i], nullptr, r.operands};
    run_in_boxes(one, copy, box_beginnings(*leaf.shape, one.shifts, 1));
    leaf = copy;
  }
  run_apart(*r.code, destination, inputs.data(), r.constants, r.operands);
}

/// Are there few enough boxes? With a single rolled input the answer is yes, because copying it would take as
/// many.
GNP_INLINE bool fits_boxes(const rolled_job& r, const std::vector<std::vector<index_t>>& begins) {
  return count_boxes(begins) <= most_boxes ||
         std::count_if(r.shifts, r.shifts + r.code->inputs, is_rolled) == 1;
}

#if GNP_HAS_CUDA
/// Can a kernel roll a job's operands itself?
GNP_INLINE bool fits_one_kernel(const rolled_job& r, const std::vector<std::vector<index_t>>& begins) {
  return shifts_fit_in_a_kernel(begins, static_cast<std::size_t>(r.code->inputs),
                                static_cast<std::size_t>(r.code->constants));
}

/// Is one kernel that rolls its operands itself faster than a kernel for each box? It is, unless it would take
/// so many single elements that boxes, whose kernels take vectors and pack bytes, save more than the time in
/// which they start.
GNP_INLINE bool is_one_kernel(const rolled_job& r, const shape_t& shape,
                              const std::vector<std::vector<index_t>>& begins, device where) {
  const index_t boxes = count_boxes(begins);
  if (where.is_cpu() || boxes == 1 || !fits_one_kernel(r, begins)) return false;
  constexpr index_t elements_for_a_start = 1 << 21;
  constexpr index_t least_vector = 8;  // bytes
  const auto bytes = static_cast<index_t>(itemsize(r.code->result));
  const auto is_of_bytes = [](dtype type) { return itemsize(type) == 1; };
  const bool packs_bytes =
      bytes == 1 && std::all_of(r.code->input_types, r.code->input_types + r.code->inputs, is_of_bytes);
  const bool takes_single_elements = shape.back() * bytes % least_vector != 0 || packs_bytes;
  return !takes_single_elements || element_count(shape, "roll") / elements_for_a_start <= boxes - 1;
}

/// The shifts of a job's operands.
class operand_shifts {
 public:
  operand_shifts(const rolled_job& r, job& j) : of_inputs_(static_cast<std::size_t>(r.code->inputs)) {
    j.rolls = true;
    for (std::size_t i = 0; i < of_inputs_.size(); ++i) {
      const shape_t& by = r.shifts[i];
      if (!is_rolled(by)) continue;
      std::copy(by.begin(), by.end(), of_inputs_[i].begin() + (j.rank - by.rank()));
      j.operands[i + 1].shifts = of_inputs_[i].data();
    }
  }
  operand_shifts(const operand_shifts&) = delete;
  operand_shifts& operator=(const operand_shifts&) = delete;
  ~operand_shifts() = default;

 private:
  std::vector<std::array<index_t, max_rank>> of_inputs_;
};

/// A job whose kernel rolls its operands and computes the whole result at once.
class job_of_rolled {
 public:
  job_of_rolled(const rolled_job& r, const leaf_view& destination)
      : job_(laid_out(r, destination)), shifts_(r, job_) {}

  job& whole() { return job_; }

 private:
  static job laid_out(const rolled_job& r, const leaf_view& destination) {
    const shape_t& shape = *destination.shape;
    job j;
    j.code = r.code;
    j.operands = r.operands;
    j.constants = r.constants;
    j.where = destination.block->device;
    j.rank = shape.rank();
    j.count = 1;
    for (const index_t size : shape) j.count *= size;
    std::copy(shape.begin(), shape.end(), j.shape);
    set_operand(j.operands[0], destination, shape);
    for (int i = 0; i < r.code->inputs; ++i) set_operand(j.operands[i + 1], r.inputs[i], shape);
    return j;
  }

  job job_;
  operand_shifts shifts_;
};
#endif

GNP_INLINE void run_rolled(const rolled_job& r, const leaf_view& destination) {
  for (const index_t size : *destination.shape)
    if (size == 0) return;
  const auto begins = box_beginnings(*destination.shape, r.shifts, r.code->inputs);
#if GNP_HAS_CUDA
  if (is_one_kernel(r, *destination.shape, begins, destination.block->device))
    return run(job_of_rolled(r, destination).whole());
#endif
  fits_boxes(r, begins) ? run_in_boxes(r, destination, begins) : run_of_rolled_copies(r, destination);
}

GNP_INLINE void run_rolled_into(const rolled_job& r, const expression_code& copy,
                                const leaf_view& destination) {
  job j;
  j.code = r.code;
  j.operands = r.operands;
  lay_out(j, destination, r.inputs);
  if (j.count == 0) return;
  bool overlaps = destination_overlaps_input(j);
  // An element of a rolled input is read for a different place of the result.
  for (int i = 0; i < r.code->inputs && !overlaps; ++i)
    overlaps = r.inputs[i].data == destination.data && is_rolled(r.shifts[i]);
  if (!overlaps) return run_rolled(r, destination);

  const spare_memory elsewhere(destination, j.where);
  run_rolled(r, elsewhere.view());
  run_apart(copy, destination, &elsewhere.view(), nullptr, r.operands);
}

GNP_INLINE index_t boxes_of_rolled(const rolled_job& r, const shape_t& shape, [[maybe_unused]] device where) {
  const auto begins = box_beginnings(shape, r.shifts, r.code->inputs);
#if GNP_HAS_CUDA
  if (is_one_kernel(r, shape, begins, where)) return 1;
#endif
  return fits_boxes(r, begins) ? count_boxes(begins) : 0;
}

}}}  // namespace gnp::GNP_ABI::detail
