// SPDX-License-Identifier: MIT
// Indexing whole rows on the CPU, such as x(rows) of a matrix: each index is checked once, and its row is
// copied.
#pragma once

#include <algorithm>
#include <cstring>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/cpu_run.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <gnp/expr/scalar/index.hpp>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A gather whose elements along the innermost axis are consecutive in the table, whatever the indices are.
class gathered_rows {
 public:
  /// Nothing if the job is anything other than such a gather.
  GNP_INLINE static std::optional<gathered_rows> of(const job& j) {
    constexpr index_t short_row = 16;  // bytes: for shorter rows, copying single elements is as fast
    const node_source& gather = *j.code->source;
    const int inner = j.rank - 1;
    if (gather.indices == 0 || inner < 0 || j.code->result == dtype::bool_ || j.code->inputs != gather.inputs ||
        gather.inputs != 2 + gather.indices || j.shape[inner] * j.operands[0].itemsize <= short_row ||
        j.operands[0].strides[inner] != 1 || j.operands[2].strides[inner] != 1)
      return std::nullopt;
    for (int k = 0; k < gather.indices; ++k) {
      const dtype type = j.code->input_types[2 + k];
      if (gather.operands[3 + k]->write != write_input || j.operands[3 + k].block == nullptr ||
          j.operands[3 + k].strides[inner] != 0 || (type != dtype::int64 && type != dtype::int32))
        return std::nullopt;
    }
    gathered_rows made(j, gather.indices);
    for (const scalar::index_facts& facts : made.facts_) {
      if (facts.beyond == scalar::outside::leave_out) return std::nullopt;
    }
    return made;
  }

  GNP_INLINE void copy() const {
    const index_t length = j_.shape[j_.rank - 1];
    const index_t rows = j_.count / length;
    parallel_for(rows, (std::max)(cpu_grain / length, index_t{1}),
                 [&](index_t begin, index_t end) { copy_rows(begin, end); });
  }

 private:
  gathered_rows(const job& j, int indices) : j_(j), outer_(j), facts_(static_cast<std::size_t>(indices)) {
    std::memcpy(&report_, j.constants, sizeof report_);
    std::memcpy(facts_.data(), j.constants + 2 * constant_slot, facts_.size() * sizeof facts_[0]);
    outer_.rank = j.rank - 1;
  }

  void copy_rows(index_t begin, index_t end) const {
    const job_operand& to = j_.operands[0];
    const job_operand& table = j_.operands[1];
    const job_operand& offsets = j_.operands[2];
    const auto bytes = static_cast<std::size_t>(j_.shape[j_.rank - 1]) * static_cast<std::size_t>(to.itemsize);
    cursor at(outer_, begin);
    for (index_t row = begin; row < end; ++row) {
      // (The "data" of offsets is the first offset itself.)
      index_t place =
          static_cast<index_t>(reinterpret_cast<std::uintptr_t>(offsets.data)) + at.offset(outer_, offsets);
      for (std::size_t k = 0; k < facts_.size(); ++k) place += place_of_index(k, at);
      std::memcpy(advanced(to, at.offset(outer_, to)), advanced(table, place), bytes);
      if (outer_.rank > 0) at.advance(outer_, 1);
    }
  }

  index_t place_of_index(std::size_t k, const cursor& at) const {
    const job_operand& indices = j_.operands[3 + k];
    const char* const index = advanced(indices, at.offset(outer_, indices));
    if (indices.itemsize == 8) return place_of_index<std::int64_t>(k, index);
    return place_of_index<std::int32_t>(k, index);
  }
  template <class Index>
  index_t place_of_index(std::size_t k, const char* from) const {
    Index index;
    std::memcpy(&index, from, sizeof index);
    return scalar::index_place<long long>(report_, facts_[k], index);
  }

  const job& j_;
  job outer_;  // of the rows
  scalar::index_report report_;
  std::vector<scalar::index_facts> facts_;
};

}}}  // namespace gnp::GNP_ABI::detail
