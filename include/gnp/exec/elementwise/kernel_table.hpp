// SPDX-License-Identifier: MIT
// The GPU kernels made from one expression type.
#pragma once

#include <atomic>
#include <gnp/exec/layout/job.hpp>
#include <span>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct alike_parts;
struct expression_part;
struct gpu_kernel;
struct kernel_plan;
struct shortened_expression;

/// Kernels by plan and device. Reading takes no lock; entries are never removed.
class kernel_table {
 public:
  constexpr kernel_table() = default;

  GNP_DECLARED const gpu_kernel* find(const kernel_plan& plan, int ordinal) const;
  GNP_DECLARED const gpu_kernel* add(const kernel_plan& plan, int ordinal, const gpu_kernel& kernel);
  /// The result of find_alike_parts() for the expressions, which must be the same in each call.
  GNP_DECLARED const std::vector<alike_parts>& alike(const node_source* const* sources, int count);
  /// The expressions without some of their parts.
  GNP_DECLARED const shortened_expression& shortened(const expression_code& whole,
                                                     std::span<const node_source* const> sources,
                                                     const std::vector<expression_part>& parts);

 private:
  struct entry;
  std::atomic<const std::vector<alike_parts>*> alike_{nullptr};
  std::atomic<const shortened_expression*> shortened_{nullptr};
  std::atomic<entry*> head_{nullptr};
};

}}}  // namespace gnp::GNP_ABI::detail
