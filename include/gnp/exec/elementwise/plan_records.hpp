// SPDX-License-Identifier: MIT
// Records: operands that are components of the vectors in one array, such as q(all, 0) to q(all, 3) of an array
// of quaternions. A thread loads or stores all components of a vector at once. If each component had a load or
// store of its own, a warp would touch every cache line as often as there are components, and memory would take
// a part of a line each time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <gnp/exec/elementwise/kernel_plan.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Finds records among the slots of a job that has this many results.
class record_finder {
 public:
  record_finder(const job& j, const kernel_plan& plan, int results) : j_(j), plan_(plan), results_(results) {
    types_[0] = j.code->result;
    for (std::size_t i = 0; i < plan.inputs; ++i) types_[plan.slot_of[i]] = j.code->input_types[i];
  }

  /// Are the results all components of the same vectors? Calls found(slot, place) for each of them, if there
  /// are as many as components.
  template <class Found>
  bool results_are_a_record(const Found& found) const {
    for (int k = 0; k < results_ && results_ > 1; ++k) {
      const std::size_t first = slot_of_result(plan_, k);
      if (width_from(first) != results_) continue;
      std::uint32_t places = 0;
      for (int other = 0; other < results_; ++other) {
        const std::size_t slot = slot_of_result(plan_, other);
        const int place = place_in(first, results_, slot);
        if (place < 0) return false;
        places |= 1U << place;
        found(slot, place);
      }
      return places == (1U << results_) - 1;
    }
    return false;
  }

  /// The records of which the first and the last element are read, so that what is between them is there to be
  /// read, too. Calls found(first slot, width, slot, place) for each slot in one.
  template <class Found>
  void find_read(const Found& found) const {
    std::array<bool, most_operands> is_read{};
    for (int i = 0; i <= plan_.inputs - results_; ++i)
      is_read[plan_.slot_of[static_cast<std::size_t>(i)]] = true;
    // A slot that is written by itself is read by itself.
    for (int k = 1; k < results_ && !plan_.stores_record; ++k) is_read[slot_of_result(plan_, k)] = false;
    for (std::size_t first = 1; first < plan_.slots; ++first) {
      const int width = is_read[first] ? width_from(first) : 0;
      if (width == 0) continue;
      const auto place = [&](std::size_t slot) { return is_read[slot] ? place_in(first, width, slot) : -1; };
      bool has_last = false;
      for (std::size_t slot = 1; slot < plan_.slots; ++slot) has_last = has_last || place(slot) == width - 1;
      for (std::size_t slot = 1; slot < plan_.slots && has_last; ++slot) {
        if (place(slot) >= 0) found(first, width, slot, place(slot));
      }
    }
  }

 private:
  static bool can_be_in_record(const job_operand& o) {
    return o.block != nullptr && !o.table && !o.in_loop && o.shifts == nullptr;
  }

  /// The number of elements of the record that begins with a slot's first element; 0 if none can begin there.
  int width_from(std::size_t slot) const {
    const job_operand& o = j_.operands[slot];
    const index_t width = o.strides[j_.rank - 1];
    if (!can_be_in_record(o) || width < 2 || width > 16) return 0;
    const auto bytes = static_cast<std::uintptr_t>(width * o.itemsize);
    if (bytes > 16 || !std::has_single_bit(bytes) || reinterpret_cast<std::uintptr_t>(o.data) % bytes != 0)
      return 0;
    for (int d = 0; d < j_.rank; ++d) {
      if (j_.shape[d] > 1 && o.strides[d] % width != 0) return 0;
    }
    return static_cast<int>(width);
  }

  /// The place of a slot's elements in the records that begin with those of `first`; -1 if they are not in
  /// these.
  int place_in(std::size_t first, int width, std::size_t slot) const {
    const job_operand& a = j_.operands[first];
    const job_operand& b = j_.operands[slot];
    // (One array's memory can be seen as elements of several types.)
    if (!can_be_in_record(b) || b.block != a.block || types_[first] != types_[slot] ||
        !std::equal(a.strides, a.strides + j_.rank, b.strides))
      return -1;
    const auto distance = reinterpret_cast<std::uintptr_t>(b.data) - reinterpret_cast<std::uintptr_t>(a.data);
    const auto itemsize = static_cast<std::uintptr_t>(a.itemsize);
    return distance < static_cast<std::uintptr_t>(width) * itemsize ? static_cast<int>(distance / itemsize)
                                                                    : -1;
  }

  const job& j_;
  const kernel_plan& plan_;
  int results_;
  std::array<dtype, most_operands> types_{};
};

/// Does a kernel with one result read records of at least four elements, all of at least four bytes, as the
/// result's are? Then its threads take single elements. With vectors, a warp would load elements of every
/// fourth record, each from another cache line, once for each component and each element of a thread.
GNP_INLINE bool reads_wide_records(const job& j, const kernel_plan& plan, int results) {
  bool any_wide = false;
  if (results > 1 || plan.shape != kernel_shape::elementwise || plan.loops.any() || j.operands[0].itemsize < 4)
    return false;
  record_finder(j, plan, results).find_read([&](std::size_t first, int width, std::size_t, int) {
    any_wide = any_wide || (j.operands[first].itemsize >= 4 && width >= 4);
  });
  return any_wide;
}

/// Marks the records of a kernel whose threads take single elements.
GNP_INLINE void mark_records(const job& j, kernel_plan& plan, int results) {
  if (plan.vector != 1 || plan.shape != kernel_shape::elementwise || plan.copied || plan.through_rows ||
      plan.loops.any() || plan.rows_each != 1)
    return;
  const record_finder records(j, plan, results);
  std::fill(plan.records.begin(), plan.records.begin() + plan.slots, slot_in_record{});
  plan.stores_record = records.results_are_a_record([&](std::size_t slot, int place) {
    plan.records[slot] = {0, static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(results)};
  });
  records.find_read([&](std::size_t first, int width, std::size_t slot, int place) {
    plan.reads_records = true;
    plan.access[slot] = lane_access::in_record;
    plan.records[slot] = {static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(place),
                          static_cast<std::uint8_t>(width)};
  });
}

}}}  // namespace gnp::GNP_ABI::detail
