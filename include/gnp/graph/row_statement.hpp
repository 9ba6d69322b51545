// SPDX-License-Identifier: MIT
// One of the held statements over the elements of rows (row_statements.hpp).
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/statement/gpu_rows.hpp>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A value that a statement reads: the result of an earlier statement, or memory.
struct row_input {
  job_operand operand;  // as the elements of all rows see it
  dtype type;
  storage_ref block;
  int statement = -1;  // the earlier statement; none for memory
};

struct row_reduction {
  const reduction_code* code;
  double parameter;
};

/// How a statement runs on its own.
struct statement_alone {
  job elements;  // of the statement, or of a reduction
  std::vector<job_operand> operands;
  reduction reduces;
  axis_set axes{none, 0, ""};
  const char* function = "";
  std::optional<row_job> rows;       // a statement with reductions in it
  std::vector<number_slot> numbers;  // of such a statement
  bool runs_with_next = false;       // is it a part of the statement after it?
};

struct row_statement {
  const node_source* source = nullptr;
  dtype type;  // of the result
  std::vector<row_input> inputs;
  std::vector<number_slot> numbers;
  std::vector<row_reduction> reductions;
  std::vector<int> places;  // for each reduction in the source, its place among them
  bool per_row = false;     // is the result one element for each row?
  job_operand result;       // as the elements of all rows see it
  storage_ref block;
  bool is_stored = true;  // false if a later statement writes the same elements, or if nobody can read them
  statement_alone alone;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
