// SPDX-License-Identifier: MIT
// The whole text of a histogram's kernel.
#pragma once

#include <gnp/exec/histogram/histogram_job.hpp>
#include <gnp/exec/text/histogram_parts_kernels.hpp>
#include <gnp/exec/text/kernel_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One of the kernels of a histogram, in the form that kernel_of() takes. A plan's group is how many copies of
/// each counter shared memory holds.
struct histogram_pass {
  kernel_table* kernels;
  const histogram_code* code;
  bin_work work;
};

[[gnu::cold]] GNP_INLINE std::string kernel_source(const histogram_pass& pass, const kernel_plan& plan) {
  const histogram_code& code = *pass.code;
  source_writer writer(plan);
  write_value(writer, *code.values);
  const std::string_view finder(code.finder);
  writer.needs(finder.substr(0, finder.find('<')));
  writer.needs("cast");
  std::vector<dtype> types = slot_types(*code.values, plan);
  const bool weighted = pass.work == bin_work::largest_weight || pass.work == bin_work::add_weights;
  if (weighted) types.back() = dtype::float64;

  std::string loads;
  std::string call("compute(p");
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string number = std::to_string(slot);
    loads += filled_in(
        "    pack<$type> x$slot[items];\n"
        "    for (int i = 0; i < items; ++i) x$slot[i] = loaded<$type, $slot, $access>(p, at[i]);\n",
        {{"slot", number}, {"type", device_name(types[slot])}, {"access", access_name(plan.access[slot])}});
    if (!weighted || slot + 1 < plan.slots) call += ", element(x" + number + "[i], e)";
  }
  call += ")";
  if (weighted) types.pop_back();

  constexpr const char* works[bin_works] = {count_values_text, mark_values_text,  largest_weight_text,
                                            add_weights_text,  count_values_text, part_starts_text};
  std::string text = kernel_head(writer, plan, types, code.values->result);
  text += filled_in(
      "struct finder_types { using C = $C; using type = $finder; };\nusing finder = finder_types::type;\n"
      "constexpr int copies = $copies;\nconstexpr int lanes = copies > 0 ? copies : 1;\n"
      "constexpr int threads = $threads;\nconstexpr int part_bits = $part_bits;\n"
      "constexpr int shift = $shift;\n",
      {{"C", device_name(code.compared)},
       {"finder", finder},
       {"copies", std::to_string(plan.group)},
       {"threads", std::to_string(plan.threads)},
       {"part_bits", std::to_string(part_bits)},
       {"shift", std::to_string(pass.work == bin_work::count_parts ? part_bits : 0)}});
  text += binned_values_text;
  text += works[static_cast<int>(pass.work)];
  text += filled_in(
      pass.work == bin_work::spread ? spread_values_text : histogram_text,
      {{"loads", loads},
       {"compute", call},
       {"weight", weighted ? "x" + std::to_string(plan.slots - 1) + "[i].v[e]" : std::string("0.0")}});
  return text + "}\n";
}

[[gnu::cold]] GNP_INLINE std::string count_lists_source() {
  return std::string(prelude_text) + "constexpr int part_bits = " + std::to_string(part_bits) + ";\n" +
         binned_values_text + part_starts_text + count_lists_text;
}

[[gnu::cold]] GNP_INLINE std::string histogram_sums_source() {
  return std::string(prelude_text) + binned_values_text + histogram_sums_text;
}

}}}  // namespace gnp::GNP_ABI::detail
