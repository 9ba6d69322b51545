// SPDX-License-Identifier: MIT
// The whole text of a kernel that computes several expressions over the same elements. What they all read is
// read once, and what they all compute is computed once.
#pragma once

#include <gnp/exec/elementwise/several_code.hpp>
#include <gnp/exec/text/chain_source.hpp>
#include <gnp/exec/text/kernel_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The same as elementwise_text, for several results.
inline constexpr const char* several_text = R"(
extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p) {
  wait_for_results();
  place at[items];
  const index_t first = $first;
  for (int i = 0; i < items; ++i) at[i] = located(p, first + i * $step);
$loads  for (int i = 0; i < items; ++i) {
    if (at[i].valid == 0) return;
$stores  }
}
)";

/// The record of all results, and its store.
[[gnu::cold]] GNP_INLINE std::string record_of_results_text(const std::vector<dtype>& types,
                                                            const std::vector<stored_result>& results) {
  return filled_in("    record<$type, $width> result;\n",
                   {{"type", device_name(types[results[0].slot])}, {"width", std::to_string(results.size())}});
}
[[gnu::cold]] GNP_INLINE std::string record_store_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                       const std::vector<stored_result>& results) {
  const auto first = std::find_if(results.begin(), results.end(), [&plan](const stored_result& result) {
    return plan.records[result.slot].place == 0;
  });
  return filled_in("    store_record<$type, $width, $slot>(p, at[i], result);\n",
                   {{"type", device_name(types[first->slot])},
                    {"width", std::to_string(results.size())},
                    {"slot", std::to_string(first->slot)}});
}

/// The stores of all results, which compute_all() computes.
[[gnu::cold]] GNP_INLINE std::string stores_of_all(const kernel_plan& plan, const std::vector<dtype>& types,
                                                   const std::vector<stored_result>& results,
                                                   const std::string& inputs) {
  std::string packs, taken, stores;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const auto line = [&](const char* text) {
      return filled_in(
          text, {{"k", std::to_string(k)},
                 {"type", device_name(types[results[k].slot])},
                 {"access", access_name(plan.access[results[k].slot])},
                 {"slot", std::to_string(results[k].slot)},
                 {"place", std::to_string(plan.stores_record ? plan.records[results[k].slot].place : 0)}});
    };
    taken +=
        line(plan.stores_record ? "      result.v[$place] = all.r$k;\n" : "      result_$k.v[e] = all.r$k;\n");
    if (plan.stores_record) continue;
    packs += line("    pack<$type> result_$k;\n");
    stores += line("    store<$type, $access, $slot>(p, at[i], result_$k);\n");
  }
  if (plan.stores_record) {
    packs = record_of_results_text(types, results);
    stores = record_store_text(plan, types, results);
  }
  return packs + "    for (int e = 0; e < vector; ++e) {\n      const all_results all = compute_all" + inputs +
         ";\n" + taken + "    }\n" + stores;
}

/// The loads of a kernel whose vectors are aligned, and the stores of its results.
[[gnu::cold]] GNP_INLINE std::string aligned_several_text(const source_writer& writer, const kernel_plan& plan,
                                                          const std::vector<dtype>& types,
                                                          const std::vector<stored_result>& results,
                                                          const std::vector<bool>& is_read) {
  std::string loads, inputs("(p"), first_of_run("p");
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    if (!is_read[slot]) {
      inputs += ", {}";
      first_of_run += ", {}";
      continue;
    }
    loads += item_loads_text(plan, types, slot);
    inputs += ", " + item_element_text(plan, slot, "e");
    first_of_run += ", " + item_element_text(plan, slot, "0");
  }
  loads += run_loads_text(writer, first_of_run, "at[i].valid > 0");
  inputs += given_runs(writer) + ")";
  const located_vectors vectors = places_of_vectors(plan);
  return vectors.functions + filled_in(several_text, {{"threads", std::to_string(plan.threads)},
                                                      {"first", vectors.first},
                                                      {"step", vectors.step},
                                                      {"loads", loads},
                                                      {"stores", stores_of_all(plan, types, results, inputs)}});
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const several_code& code, const kernel_plan& plan) {
  const expression_code& all = *code.all;
  const std::vector<dtype> types = slot_types(all, plan);
  const int first_result = all.inputs - (code.results - 1);  // of the results after the first, among the inputs
  const auto slot_of_result = [&](int k) {
    return k == 0 ? std::size_t{0} : std::size_t{plan.slot_of[static_cast<std::size_t>(first_result + k - 1)]};
  };
  const bool shifted = plan.shape == kernel_shape::shifted;
  source_writer writer(plan);
  const bool are_of_chain = code.sources[0]->write == write_chain_value && !shifted;
  std::string members, all_values("all_results{");
  std::vector<std::string> values;
  for (int k = 0; k < code.results; ++k) {
    writer.uses(types[slot_of_result(k)]);
    members +=
        std::string(device_name(types[slot_of_result(k)])) + numbered(" r", static_cast<std::size_t>(k)) + "; ";
    if (are_of_chain) continue;
    values.push_back(node_text(writer, *code.sources[k]));
    all_values += (k == 0 ? "" : ", ") + values.back();
  }
  if (are_of_chain) {
    all_values = chain_values_text(writer, code.sources, code.results);
  } else {
    all_values += "}";
  }

  // Results that are written in place are read, too.
  std::vector<bool> is_read(plan.slots);
  for (int i = 0; i < first_result; ++i) is_read[plan.slot_of[static_cast<std::size_t>(i)]] = true;
  std::vector<stored_result> results{{"compute", 0}};
  for (int k = 1; k < code.results; ++k)
    results.push_back({numbered("compute_", static_cast<std::size_t>(k)), slot_of_result(k)});
  if (!shifted) {
    // One function computes all results, so that the compiler finds what they have in common even if it has
    // branches.
    writer.value = "value_t()";
    return kernel_head(writer, plan, types, all.result) + "struct all_results { " + members + "};\n" +
           compute_text(writer, types, "all_results compute_all", all_values) +
           aligned_several_text(writer, plan, types, results, is_read) + "}\n";
  }
  writer.value = values[0];
  std::string functions;
  for (std::size_t k = 1; k < results.size(); ++k)
    functions += compute_text(
        writer, types, std::string(device_name(types[results[k].slot])) + " " + results[k].function, values[k]);
  return kernel_head(writer, plan, types, all.result) + functions + shifted_text(plan, types, results) + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
