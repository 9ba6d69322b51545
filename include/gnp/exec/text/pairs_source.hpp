// SPDX-License-Identifier: MIT
// What the text of a reduction over pairs says about its operands.
#pragma once

#include <gnp/exec/elementwise/kernel_plan.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/pairs_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The kernel, but for what comes before it in every kernel of a reduction.
[[gnu::cold]] GNP_INLINE std::string pairs_text(const kernel_plan& plan, const std::vector<dtype>& types) {
  std::string beginnings;
  std::string fetches;  // to registers, while the elements before them are used
  std::string copies;   // from there to shared memory
  std::string copies_of_one;
  std::string loads;
  std::string loads_of_one;
  std::string given("compute(p");
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    // An operand has rows, columns, or neither of them. Then it is the same for all pairs.
    const bool has_rows = (plan.moves[slot] >> (plan.kept - 2) & 1) != 0;
    const bool has_columns = (plan.moves[slot] >> (plan.kept - 1) & 1) != 0;
    const auto text = [&](const char* pattern) {
      return filled_in(pattern, {{"slot", std::to_string(slot)},
                                 {"type", device_name(types[slot])},
                                 {"access", plan.access[slot] == lane_access::run ? "run" : "strided"},
                                 {"own", has_rows ? "row" : "column"}});
    };
    beginnings += text("  const $type* const from$slot = beginning<$type, $slot>(p, start);\n");
    if (!has_rows && !has_columns) {
      loads += text(
          "      const pack<$type> x$slot = several_from<$type, $slot, $access>(p, from$slot, done + k * "
          "vector);\n");
      loads_of_one +=
          text("      const pack<$type> x$slot = pack_of(one_from<$type, $slot>(p, from$slot, whole + i));\n");
      given += numbered(", element(x", slot) + ", e)";
      continue;
    }
    beginnings += text(
        "  __shared__ alignas(16) $type lines$slot[tile][spaced];\n"
        "  pack<$type> next$slot;\n");
    fetches += text("      next$slot = several_from<$type, $slot, $access>(p, from$slot, n);\n");
    copies += text("      store_vector(&lines$slot[line][place_in_line], next$slot);\n");
    copies_of_one +=
        text("        lines$slot[line][place_in_line + i] = one_from<$type, $slot>(p, from$slot, n);\n");
    loads += text(
        "      pack<$type> x$slot[pairs];\n"
        "      for (int i = 0; i < pairs; ++i) load_vector(x$slot[i], &lines$slot[$own + i * 16][k * "
        "vector]);\n");
    loads_of_one += text(
        "      pack<$type> x$slot[pairs];\n"
        "      for (int j = 0; j < pairs; ++j) x$slot[j] = pack_of(lines$slot[$own + j * 16][i]);\n");
    given += numbered(", element(x", slot) + (has_rows ? "[a], e)" : "[b], e)");
  }
  return filled_in(
      reduce_pairs_text,
      {{"pairs", std::to_string(plan.pairs)},
       {"beginnings", beginnings},
       {"fetches", fetches},
       {"copies", copies},
       {"copies_of_one", copies_of_one},
       {"loads", loads},
       {"loads_of_one", loads_of_one},
       // (Eight values of each pair, or one vector, so that the text of a long expression stays short.)
       {"unrolled", std::to_string((std::max)(8 / plan.vector, 1))},
       {"compute", given + ")"}});
}

}}}  // namespace gnp::GNP_ABI::detail
