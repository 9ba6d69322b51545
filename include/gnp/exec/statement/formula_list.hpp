// SPDX-License-Identifier: MIT
// Formulas of one shape whose types are only known where they run, such as the parts of a list in braces. One
// GPU kernel computes them together, after the reductions within them.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/exec/statement/statement_of.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class formula_list {
 public:
  /// Adds a formula, an array or a reduction, which must outlive the list. Of anything else only notes that it
  /// cannot be joined.
  template <class X>
  void add(const X& x) {
    if constexpr (is_deferred_v<X> && !is_reduced_v<X>) {
      can_join_ = false;
    } else {
      if constexpr (has_reductions_v<X> && !is_reduced_v<X>)
        can_join_ = can_join_ && !is_one_kernel(statement_of(x));
      has_formula_ = has_formula_ || is_expression_v<X>;
      add(last_step_of(reductions_, x), source_of<X>);
    }
  }

  /// Is one kernel for all of them possible and worthwhile? Not if none is a formula, or if one is a kernel by
  /// itself, with its reductions.
  bool can_join() const { return can_join_ && has_formula_ && formulas_.size() > 1; }

  /// Writes each formula to its place, which is new memory of its shape and type. False if separate kernels are
  /// better.
  GNP_DECLARED bool write(const leaf_view* places) const;

  /// Is a statement with reductions best run as one kernel, which does not read what others also read?
  GNP_DECLARED static bool is_one_kernel(const statement& s);

 private:
  GNP_DECLARED void add(statement_step formula, const node_source& text);

  statement reductions_;
  std::vector<statement_step> formulas_;   // from the results of the reductions
  std::vector<const node_source*> texts_;  // what each formula computes, with its reductions
  bool can_join_ = true;
  bool has_formula_ = false;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/exec/statement/gpu_formula_list.hpp>
#endif
#endif
