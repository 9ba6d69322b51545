// SPDX-License-Identifier: MIT
// A job with some rolled inputs, without its C++ types.
#pragma once

#include <gnp/exec/layout/job.hpp>
#include <gnp/exec/layout/leaves.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An expression, its inputs, and by how many elements each input is rolled along each of its axes: at least 0,
/// and less than the length of the axis. A shape of rank 0 means that an input is not rolled.
struct rolled_job {
  const expression_code* code;
  const expression_code* const* copies;  // of each input
  const leaf_view* inputs;
  const shape_t* shifts;
  const unsigned char* constants;
  job_operand* operands;
};

}}}  // namespace gnp::GNP_ABI::detail
