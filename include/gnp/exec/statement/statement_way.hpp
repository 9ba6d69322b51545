// SPDX-License-Identifier: MIT
// In which ways a statement with reductions in it can run, and in which order they are tried. The code
// that runs statements and the code that explains them both use this.
#pragma once

#include <gnp/exec/statement/gpu_pairs.hpp>
#include <gnp/exec/statement/statement.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a statement can be at once, rather than one step after the other.
enum class statement_way {
  rows,         // whole rows at a time: a row program, or on the CPU as many rows as the cache holds
  loops,        // one kernel, whose threads compute the inner reductions in loops
  reduced_rows  // a row program, and a reduction of what it computes for each row
};

/// Asks whether a statement suits each way, in turn, until one does. False if none does: then it runs step by
/// step.
template <class Suits>
bool suits_a_way(const statement& s, device where, const Suits& suits) {
#if GNP_HAS_CUDA
  if (!where.is_cpu()) {
    if (runs_step_by_step(s)) return false;
    const bool loops_first = short_rows_read_little(s);
    return (loops_first && suits(statement_way::loops)) || suits(statement_way::rows) ||
           (!loops_first && suits(statement_way::loops)) || suits(statement_way::reduced_rows);
  }
#endif
  (void)s, (void)where;  // without CUDA
  return suits(statement_way::rows);
}

#if GNP_HAS_CUDA
/// How a reduction and later steps share a kernel if a statement runs step by step.
enum class step_way {
  row_part,     // a row program that computes some of the statement's steps
  loops_apart,  // each reader of the reduction's result computes it in loops
  joint         // reductions of the same elements in one pass over memory
};

/// Asks whether a step suits each way, in turn, until one does. False if none does: then it runs alone.
template <class Suits>
bool suits_a_step_way(device where, const Suits& suits) {
  return !where.is_cpu() &&
         (suits(step_way::row_part) || suits(step_way::loops_apart) || suits(step_way::joint));
}
#endif

}}}  // namespace gnp::GNP_ABI::detail
