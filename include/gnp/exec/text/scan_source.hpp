// SPDX-License-Identifier: MIT
// The whole text of a scan's kernel.
#pragma once

#include <gnp/exec/scan/scan_job.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/loop_source.hpp>
#include <gnp/exec/text/scan_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[gnu::cold]] GNP_INLINE std::string kernel_source(const scan_code& code, const kernel_plan& plan) {
  source_writer writer(plan);
  write_value(writer, *code.values);
  const std::string_view operation(code.operation);
  writer.needs(operation.substr(0, operation.find('<')));
  if (code.operations != nullptr) define_fold(writer, *code.operations, code.computed);
  writer.needs("cast");
  writer.uses(code.result);
  writer.uses(code.computed);
  const std::vector<dtype> types = slot_types(*code.values, plan);

  const item_loads items = loads_of_items(plan, types);
  // The number of blocks on a multiprocessor for which there are enough registers.
  const int words = plan.items * plan.vector * (std::max)(4, code.total_size) / 4;
  std::string text = kernel_head(writer, plan, types, code.values->result);
  text += filled_in(
      "struct types { using T = $T; using A = $A; using op = $op; };\n"
      "using A = types::A;\nusing op = types::op;\nusing result_t = $result;\nconstexpr int kept = $kept;\n",
      {{"T", device_name(code.values->result)},
       {"A", device_name(code.computed)},
       {"op", operation},
       {"result", device_name(code.result)},
       {"kept", std::to_string(plan.kept)}});
  text += scan_arguments_text;
  text += filled_in(scan_text, {{"access", access_name(plan.access[0])}});
  if (plan.shape != kernel_shape::scan_columns) text += vector_of_row_text;
  text += filled_in(
      plan.shape == kernel_shape::scan_rows         ? scan_rows_text
      : plan.shape == kernel_shape::scan_short_rows ? scan_short_rows_text
                                                    : scan_columns_text,
      {{"loads", items.loads},
       {"compute", "compute" + items.given},
       {"group", std::to_string(plan.group)},
       {"resident", std::to_string((words <= 32 ? 32 : 16) / (std::max)(8, static_cast<int>(plan.group)))}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
