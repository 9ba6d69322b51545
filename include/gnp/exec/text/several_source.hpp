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
  const index_t first = static_cast<index_t>(blockIdx.x) * ($threads * items) + threadIdx.x / 32 * (32 * items) + threadIdx.x % 32;
  for (int i = 0; i < items; ++i) {
    at[i].valid = 0;
    if (first + i * 32 < static_cast<index_t>(p.count)) locate_vector<0>(p, at[i], first + i * 32);
  }
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

/// The stores of results that one function computes together.
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
                                                          const std::vector<bool>& is_read, bool together) {
  std::string loads, stores, inputs("(p"), first_of_run("p");
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
  if (together) {
    stores = stores_of_all(plan, types, results, inputs);
  } else if (plan.stores_record) {
    stores = record_of_results_text(types, results) + "    constexpr int e = 0;\n";
    for (const stored_result& result : results)
      stores += "    result.v[" + std::to_string(plan.records[result.slot].place) + "] = " + result.function +
                inputs + ";\n";
    stores += record_store_text(plan, types, results);
  } else {
    for (const stored_result& result : results) {
      stores += filled_in(
          "    {\n      pack<$type> result;\n"
          "      for (int e = 0; e < vector; ++e) result.v[e] = $function$inputs;\n"
          "      store<$type, $access, $slot>(p, at[i], result);\n    }\n",
          {{"type", device_name(types[result.slot])},
           {"function", result.function},
           {"inputs", inputs},
           {"access", access_name(plan.access[result.slot])},
           {"slot", std::to_string(result.slot)}});
    }
  }
  return filled_in(several_text,
                   {{"threads", std::to_string(plan.threads)}, {"loads", loads}, {"stores", stores}});
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const several_code& code, const kernel_plan& plan) {
  const expression_code& all = *code.all;
  const std::vector<dtype> types = slot_types(all, plan);
  const int first_result = all.inputs - (code.results - 1);  // of the results after the first, among the inputs
  const auto slot_of_result = [&](int k) {
    return k == 0 ? std::size_t{0} : std::size_t{plan.slot_of[static_cast<std::size_t>(first_result + k - 1)]};
  };
  source_writer writer(plan);
  const bool together = code.sources[0]->write == write_chain_value && plan.shape != kernel_shape::shifted;
  std::vector<std::string> values;
  for (int k = 0; k < code.results; ++k) {
    writer.uses(types[slot_of_result(k)]);
    // (If results are computed together, compute() is not called.)
    values.push_back(together ? "value_t()" : node_text(writer, *code.sources[k]));
  }
  writer.value = values[0];

  // Results that are written in place are read, too.
  std::vector<bool> is_read(plan.slots);
  for (int i = 0; i < first_result; ++i) is_read[plan.slot_of[static_cast<std::size_t>(i)]] = true;
  std::vector<stored_result> results{{"compute", 0}};
  std::string functions;
  if (together) {
    functions = "struct all_results { ";
    for (int k = 0; k < code.results; ++k)
      functions += std::string(device_name(types[slot_of_result(k)])) + " r" + std::to_string(k) + "; ";
    functions += "};\n" + compute_text(writer, types, "all_results compute_all",
                                       chain_values_text(writer, code.sources, code.results));
  }
  for (int k = 1; k < code.results; ++k) {
    const auto number = static_cast<std::size_t>(k);
    results.push_back({numbered("compute_", number), slot_of_result(k)});
    if (together) continue;
    functions += compute_text(
        writer, types, std::string(device_name(types[slot_of_result(k)])) + " " + results[number].function,
        values[number]);
  }
  return kernel_head(writer, plan, types, all.result) + functions +
         (plan.shape == kernel_shape::shifted
              ? shifted_text(plan, types, results)
              : aligned_several_text(writer, plan, types, results, is_read, together)) +
         "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
