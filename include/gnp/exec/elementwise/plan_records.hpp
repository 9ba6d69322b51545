// SPDX-License-Identifier: MIT
// Records: operands that are components of the vectors in one array, such as q(all, 0) to q(all, 3) of an array of
// quaternions. A thread loads or stores all components of a vector at once. If each component had a load or store
// of its own, a warp would touch every cache line as often as there are components, and memory would take a part of
// a line each time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <gnp/exec/elementwise/kernel_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The number of elements of the record that begins with an operand's first element; 0 if none can begin there.
GNP_INLINE int width_of_record(const job& j, const job_operand& o) {
  const index_t width = o.strides[j.rank - 1];
  if (o.block == nullptr || o.table || o.in_loop || o.shifts != nullptr || width < 2 || width > 16) return 0;
  const index_t bytes = width * o.itemsize;
  if (bytes > 16 || !std::has_single_bit(static_cast<std::uint64_t>(bytes)) ||
      reinterpret_cast<std::uintptr_t>(o.data) % static_cast<std::uintptr_t>(bytes) != 0)
    return 0;
  for (int d = 0; d < j.rank; ++d) {
    if (j.shape[d] > 1 && o.strides[d] % width != 0) return 0;
  }
  return static_cast<int>(width);
}

/// The place of an operand's elements in the records that begin with those of another one; -1 if they are not in
/// these.
GNP_INLINE int place_in_record(const job& j, const job_operand& first, int width, const job_operand& o) {
  if (o.block != first.block || o.itemsize != first.itemsize || o.table || o.in_loop || o.shifts != nullptr ||
      !std::equal(o.strides, o.strides + j.rank, first.strides))
    return -1;
  const auto distance = reinterpret_cast<std::uintptr_t>(o.data) - reinterpret_cast<std::uintptr_t>(first.data);
  const auto itemsize = static_cast<std::uintptr_t>(o.itemsize);
  return distance < static_cast<std::uintptr_t>(width) * itemsize ? static_cast<int>(distance / itemsize) : -1;
}

/// Are the results all components of the same vectors? Calls found(slot, place) for each of them, if there are as
/// many as components.
template <class Found>
bool results_are_a_record(const job& j, const kernel_plan& plan, int results, const Found& found) {
  for (int k = 0; k < results && results > 1; ++k) {
    const job_operand& first = j.operands[slot_of_result(plan, k)];
    if (width_of_record(j, first) != results) continue;
    std::uint32_t places = 0;
    for (int other = 0; other < results; ++other) {
      const std::size_t slot = slot_of_result(plan, other);
      const int place = place_in_record(j, first, results, j.operands[slot]);
      if (place < 0) return false;
      places |= 1U << place;
      found(slot, place);
    }
    return places == (1U << results) - 1;
  }
  return false;
}

/// The records of which the first and the last element are read, so that what is between them is there to be read,
/// too. Calls found(first slot, slot, place) for each slot in one.
template <class Found>
void find_records_read(const job& j, const kernel_plan& plan, int results, const Found& found) {
  std::array<bool, most_operands> is_read{};
  for (int i = 0; i <= plan.inputs - results; ++i) is_read[plan.slot_of[static_cast<std::size_t>(i)]] = true;
  // A slot that is written by itself is read by itself.
  for (int k = 1; k < results && !plan.stores_record; ++k) is_read[slot_of_result(plan, k)] = false;
  for (std::size_t first = 1; first < plan.slots; ++first) {
    const int width = is_read[first] ? width_of_record(j, j.operands[first]) : 0;
    if (width == 0) continue;
    const auto place = [&](std::size_t slot) {
      return is_read[slot] ? place_in_record(j, j.operands[first], width, j.operands[slot]) : -1;
    };
    bool has_last = false;
    for (std::size_t slot = 1; slot < plan.slots; ++slot) has_last = has_last || place(slot) == width - 1;
    for (std::size_t slot = 1; slot < plan.slots && has_last; ++slot) {
      if (place(slot) >= 0) found(first, slot, place(slot));
    }
  }
}

/// Does a kernel with one result read records of four elements or more, which are of four bytes or more, as the
/// result's are? Then its threads take single elements: a warp's loads of what is four apart would be of a line
/// each, for every component and every element of a thread.
GNP_INLINE bool reads_wide_records(const job& j, const kernel_plan& plan, int results) {
  bool found_any = false;
  if (results > 1 || plan.shape != kernel_shape::elementwise || plan.loops.any() || j.operands[0].itemsize < 4)
    return false;
  find_records_read(j, plan, results, [&](std::size_t first, std::size_t, int) {
    const job_operand& o = j.operands[first];
    found_any = found_any || (o.itemsize >= 4 && o.strides[j.rank - 1] >= 4);
  });
  return found_any;
}

/// Marks the records of a kernel whose threads take single elements.
GNP_INLINE void mark_records(const job& j, kernel_plan& plan, int results) {
  if (plan.vector != 1 || plan.shape != kernel_shape::elementwise || plan.copied || plan.through_rows ||
      plan.loops.any() || plan.rows_each != 1)
    return;
  std::fill(plan.records.begin(), plan.records.begin() + plan.slots, slot_in_record{});
  plan.stores_record = results_are_a_record(j, plan, results, [&](std::size_t slot, int place) {
    plan.records[slot] = {0, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(results)};
  });
  find_records_read(j, plan, results, [&](std::size_t first, std::size_t slot, int place) {
    const auto width = static_cast<std::uint8_t>(j.operands[first].strides[j.rank - 1]);
    plan.reads_records = true;
    plan.access[slot] = lane_access::in_record;
    plan.records[slot] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(place), width};
  });
}

}}}  // namespace gnp::GNP_ABI::detail
