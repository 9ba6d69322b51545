// SPDX-License-Identifier: MIT
// The whole text of a reduction's kernel.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/reduce_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The slot of the positions of an indexed reducer: after all others.
GNP_INLINE int position_slot(const reduction_code& code, const kernel_plan& plan) {
  return code.indexed ? plan.slots - 1 : -1;
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const reduction_code& code, const kernel_plan& plan) {
  source_writer writer(plan.slot_of.data());
  write_value(writer, *code.values);
  const std::string_view reducer(code.reducer);
  writer.needs(reducer.substr(0, reducer.find('<')));
  writer.needs("cast");
  writer.uses(code.result);
  writer.uses(code.computed);
  std::vector<dtype> types = slot_types(*code.values, plan);
  const int positions = position_slot(code, plan);
  if (positions >= 0) types.back() = dtype::int64;

  std::string loads;
  std::string call("compute(p");
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string number = std::to_string(slot);
    loads += filled_in(
        "      pack<$type> x$slot[items];\n"
        "      for (int i = 0; i < items; ++i) x$slot[i] = loaded<$type, $slot, $access>(p, at[i]);\n",
        {{"slot", number}, {"type", device_name(types[slot])}, {"access", access_name(plan.access[slot])}});
    if (static_cast<int>(slot) != positions) call += ", element(x" + number + "[i], e)";
  }
  call += ")";
  const std::string position =
      positions < 0 ? "0" : "static_cast<offset_t>(x" + std::to_string(positions) + "[i].v[e])";
  if (positions >= 0) types.pop_back();

  const bool by_rows = plan.shape == kernel_shape::reduce_rows;
  std::string text = kernel_head(writer, plan, types, code.values->result);
  text += filled_in(
      "struct reducer_types { using T = $T; using A = $A; using P = $P; using type = $reducer; };\n"
      "using reducer = reducer_types::type;\nusing result_t = $result;\nconstexpr int kept = $kept;\n",
      {{"T", device_name(code.values->result)},
       {"A", device_name(code.computed)},
       {"P", device_name(real_part_of(code.computed))},
       {"reducer", reducer},
       {"result", device_name(code.result)},
       {"kept", std::to_string(plan.kept)}});
  text += reduction_arguments_text;
  text += filled_in(reduction_text,
                    {{"lifted", code.indexed ? "reducer::lift(x[i], position[i])" : "reducer::lift(x[i])"}});
  text += filled_in(
      by_rows ? reduce_rows_text : reduce_columns_text,
      {{"loads", loads}, {"compute", call}, {"position", position}, {"group", std::to_string(plan.group)}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
