// SPDX-License-Identifier: MIT
// Indexing whole rows on the CPU, such as x(rows) of a matrix: each index is checked once, and its row is
// copied.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/cpu_taken_rows.hpp>
#include <optional>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A gather whose elements along the innermost axis are consecutive in the table, whatever the indices are.
class gathered_rows {
 public:
  /// Nothing if the job is anything other than such a gather.
  GNP_INLINE static std::optional<gathered_rows> of(const job& j) {
    const node_source& gather = *j.code->source;
    const int inner = j.rank - 1;
    if (gather.indices == 0 || inner < 0 || j.code->inputs != gather.inputs ||
        j.operands[0].strides[inner] != 1)
      return std::nullopt;
    std::optional<taken_rows> rows = taken_rows::of(j, gather, 0, 0);
    if (!rows || rows->stride() != 1) return std::nullopt;
    return gathered_rows(j, std::move(*rows));
  }

  GNP_INLINE void copy() const {
    const index_t length = j_.shape[j_.rank - 1];
    const index_t rows = j_.count / length;
    parallel_for(rows, (std::max)(cpu_grain / length, index_t{1}),
                 [&](index_t begin, index_t end) { copy_rows(begin, end); });
  }

 private:
  gathered_rows(const job& j, taken_rows rows)
      : j_(j), outer_(j), rows_(std::move(rows)), truths_(j.code->result == dtype::bool_) {
    outer_.rank = j.rank - 1;
  }

  void copy_rows(index_t begin, index_t end) const {
    const job_operand& to = j_.operands[0];
    const index_t bytes = j_.shape[j_.rank - 1] * to.itemsize;
    if (outer_.rank == 1 && to.strides[0] == j_.shape[1]) {
      return rows_.copy_rows(to.data + begin * bytes, begin, end - begin, bytes, truths_);
    }
    cursor at(outer_, begin);
    for (index_t row = begin; row < end; ++row) {
      copy_row(advanced(to, at.offset(outer_, to)), rows_.element(outer_, at), bytes, truths_);
      if (outer_.rank > 0) at.advance(outer_, 1);
    }
  }

  const job& j_;
  job outer_;  // of the rows
  taken_rows rows_;
  bool truths_;  // become 0 or 1
};

}}}  // namespace gnp::GNP_ABI::detail
