// SPDX-License-Identifier: MIT
// Rows of a row program that begin and end within vectors of memory: rows of odd lengths, and parts of longer
// rows. Their threads take the vectors in between, and single elements at the ends (row_ends_text.hpp).
#pragma once

#include <gnp/core/whole_numbers.hpp>
#include <gnp/exec/elementwise/plan_access.hpp>
#include <gnp/exec/elementwise/shifted_plan.hpp>
#include <optional>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The fewest threads of such a row: each takes at most one of the elements at its ends.
GNP_INLINE std::uint64_t threads_with_ends(const kernel_plan& plan) {
  return power_of_two(2 * (std::uint64_t{plan.vector} - 1));
}

/// Where in a vector does the first row begin? -1 for memory that is not aligned even for its elements.
GNP_INLINE int elements_into_vector(const job_operand& o, int vector) {
  const auto address = reinterpret_cast<std::uintptr_t>(o.data);
  const auto size = static_cast<std::uintptr_t>(o.itemsize);
  return address % size == 0 ? static_cast<int>(address / size % static_cast<std::uintptr_t>(vector)) : -1;
}

/// Does each row begin at the same place in a vector of both?
GNP_INLINE bool rows_begin_alike(const job& j, const job_operand& a, const job_operand& b, int vector) {
  const int into = elements_into_vector(a, vector);
  if (into < 0 || into != elements_into_vector(b, vector)) return false;
  for (int d = 0; d + 1 < j.rank; ++d) {
    if ((a.strides[d] - b.strides[d]) % vector != 0) return false;
  }
  return true;
}

/// Can a vector of what all rows share be cut out of two vectors of memory?
GNP_INLINE bool lies_between_vectors(const job_operand& o, int vector) {
  return bytes_at_once(o, vector) >= 4 && elements_into_vector(o, vector) >= 0;
}

/// What the rows of a row program's slots need for their ends to be taken apart.
struct rows_to_cut {
  std::size_t model = 0;  // an input that differs from row to row, whose vectors those of the others are; or 0
  int widest = 1;         // bytes of an element
  bool shares = false;    // is an input the same for all rows?
};

/// Nothing, if a slot could not be read or written that way.
GNP_INLINE std::optional<rows_to_cut> find_rows_to_cut(const job& j, const kernel_plan& plan,
                                                       std::size_t first) {
  rows_to_cut rows;
  if (j.rank - plan.kept != 1 || plan.gathered_runs != 0 || plan.slots > 64) return std::nullopt;
  for (std::size_t slot = first; slot < plan.slots; ++slot) {
    const lane_access access = plan.access[slot];
    if (access == lane_access::repeated || access == lane_access::counted) continue;
    if (access != lane_access::run) return std::nullopt;
    rows.shares = rows.shares || plan.rows.is_same_for_rows(slot);
    if (plan.rows.is_same_for_rows(slot)) continue;
    if (slot > 0) rows.model = slot;
    rows.widest = (std::max)(rows.widest, j.operands[slot].itemsize);
  }
  return rows.model == 0 ? std::nullopt : std::optional(rows);
}

/// If a thread takes no more than so many bytes at once, it is faster to take ends apart. What rows share has
/// to be cut out of vectors, which is worthwhile only for short rows, and for halves. (Measured on an H200 with
/// softmax and layer norm of 33 to 50258 elements.)
GNP_INLINE int most_bytes_without_ends(const job& j, const rows_to_cut& rows) {
  constexpr index_t short_row = 1024;
  constexpr index_t long_row = 65536;
  const index_t bytes = j.shape[j.rank - 1] * rows.widest;
  if (rows.shares) return bytes <= short_row ? 4 : 2;
  return bytes <= long_row ? 8 : 4;
}

/// Takes the elements at the ends of rows apart from vectors, if threads then take more elements at once than
/// they could otherwise.
GNP_INLINE bool take_ends_apart(const job& j, kernel_plan& plan) {
  const std::size_t first = plan.rows.per_row ? 1 : 0;
  const std::optional<rows_to_cut> rows = find_rows_to_cut(j, plan, first);
  if (!rows || plan.vector * rows->widest > most_bytes_without_ends(j, *rows)) return false;
  const auto fits = [&](int vector) {
    // Fewer vectors would leave most of a row's threads idle.
    const index_t least_vectors = vector * vector / 2;
    if (j.shape[j.rank - 1] < least_vectors * vector) return false;
    for (std::size_t slot = first; slot < plan.slots; ++slot) {
      if (plan.access[slot] != lane_access::run) continue;
      const job_operand& o = j.operands[slot];
      if (plan.rows.is_same_for_rows(slot) ? !lies_between_vectors(o, vector)
                                           : !rows_begin_alike(j, j.operands[rows->model], o, vector))
        return false;
    }
    return true;
  };
  int vector = longest_vector_of_loads(j, plan);
  if (!plan.rows.per_row) vector = (std::min)(vector, 16 / j.operands[0].itemsize);
  while (vector > plan.vector && !fits(vector)) vector /= 2;
  if (vector <= (std::max)(2, int{plan.vector})) return false;
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.rows.ends_apart = true;
  plan.rows.alike = static_cast<std::uint8_t>(rows->model);
  return true;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
