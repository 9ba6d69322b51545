// SPDX-License-Identifier: MIT
// The whole text of the kernel for rows that are not aligned (shifted_kernels.hpp).
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/access.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/shifted_kernels.hpp>
#include <gnp/exec/text/window_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What the inputs add to the text of a shifted kernel: where they are, their loads and their elements.
class shifted_inputs_text {
 public:
  std::string declared = "  value_t* to0[items];\n";
  std::string placed;
  std::string placed_later;  // loaded by their leaders
  std::string within;
  std::string loaded;
  std::string moved;
  std::string elements;         // of a vector, for the function that computes a result
  std::string packed_elements;  // the same, four at a time
  std::string singles;          // the same for single elements at the ends of rows

  [[gnu::cold]] shifted_inputs_text(const kernel_plan& plan, const std::vector<dtype>& types)
      : plan_(plan), types_(types) {
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      switch (plan.access[slot]) {
        case lane_access::written:
          elements += ", {}";
          singles += ", {}";
          break;
        case lane_access::counted:
          add_counted(slot);
          break;
        case lane_access::run:
          add_address(slot);
          add_window(slot);
          break;
        case lane_access::repeated:
          add_address(slot);
          add_repeated(slot);
          break;
        default:
          add_address(slot);
          add_strided(slot);
      }
    }
  }

 private:
  [[gnu::cold]] GNP_INLINE bool is_run(std::size_t slot) const {
    return plan_.access[slot] == lane_access::run;
  }

  /// How far the elements that are loaded together with a leader's reach ahead of its own.
  [[gnu::cold]] GNP_INLINE int reach_of(std::size_t leader) const {
    int reach = 0;
    for (std::size_t other = 1; other < plan_.slots && is_run(leader); ++other) {
      if (is_run(other) && plan_.shifted_slots[other].leader == leader)
        reach = (std::max)(reach, static_cast<int>(plan_.shifted_slots[other].ahead));
    }
    return reach;
  }

  [[gnu::cold]] GNP_INLINE std::string line(std::size_t slot, const char* text) const {
    const bool run = is_run(slot);
    const shifted_slot& how = plan_.shifted_slots[slot];
    return filled_in(text, {{"slot", std::to_string(slot)},
                            {"type", device_name(types_[slot])},
                            {"size", std::to_string(itemsize(types_[slot]))},
                            {"reach", std::to_string(reach_of(slot))},
                            {"before", std::to_string(run && plan_.shifted.aligned ? how.before : -1)},
                            {"leader", std::to_string(run ? how.leader : slot)},
                            {"like", std::to_string(run ? how.like : slot)},
                            {"access", run ? "run" : "strided"},
                            {"ahead", std::to_string(run ? how.ahead : 0)}});
  }

  /// A position, which is not in memory.
  [[gnu::cold]] GNP_INLINE void add_counted(std::size_t slot) {
    declared += line(slot, "  long long x$slot[items];\n");
    placed += line(
        slot, "    x$slot[i] = static_cast<long long>(p.data[$slot]) + offset_of<$slot, strided>(p, at);\n");
    elements += line(slot, ", x$slot[i] + e * p.stride[$slot][rank - 1]");
    singles += line(slot, ", x$slot[i] + e * p.stride[$slot][rank - 1]");
  }

  /// Where a thread's first element is.
  [[gnu::cold]] GNP_INLINE void add_address(std::size_t slot) {
    const bool leads = !is_run(slot) || plan_.shifted_slots[slot].leader == slot;
    const bool has_offset = !is_run(slot) || plan_.shifted_slots[slot].like == slot;
    declared += line(slot, "  const $type* from$slot[items];\n");
    if (has_offset)
      placed += line(slot, "    const offset_t offset$slot = offset_of<$slot, $access>(p, at);\n");
    if (leads) {
      placed += line(slot, "    from$slot[i] = reinterpret_cast<const $type*>(p.data[$slot]) + offset$like;\n");
    } else {
      placed_later +=
          line(slot, "    from$slot[i] = reinterpret_cast<const $type*>(from$leader[i]) + $ahead;\n");
    }
  }

  /// Elements that follow each other, cut from the window that their leader loads.
  [[gnu::cold]] GNP_INLINE void add_window(std::size_t slot) {
    if (plan_.shifted_slots[slot].leader == slot) {
      declared += line(slot, "  window<$size, $reach, $before> w$slot[items];\n");
      if (plan_.shifted.guarded) {
        within += line(slot,
                       "    whole[i] = whole[i] && window<$size, $reach, $before>::within(s.block[$slot], "
                       "from$slot[i]);\n");
      }
      loaded += line(slot, "      w$slot[i].load(from$slot[i]);\n");
      moved = line(slot, "      w$slot[i].move();\n") + moved;
    }
    moved += line(slot, "      const pack<$type> x$slot = cut<$type, $ahead>(w$leader[i]);\n");
    elements += line(slot, ", element(x$slot, e)");
    packed_elements += line(slot, ", word_of(x$slot, e)");
    singles += line(slot, ", from$slot[i][e]");
  }

  [[gnu::cold]] GNP_INLINE void add_repeated(std::size_t slot) {
    declared += line(slot, "  $type x$slot[items];\n");
    placed += line(slot, "    x$slot[i] = *from$slot[i];\n");
    elements += line(slot, ", x$slot[i]");
    packed_elements += line(slot, ", four(x$slot[i])");
    singles += line(slot, ", x$slot[i]");
  }

  [[gnu::cold]] GNP_INLINE void add_strided(std::size_t slot) {
    declared += line(slot, "  pack<$type> x$slot[items];\n");
    loaded += line(slot,
                   "      for (int e = 0; e < vector; ++e) x$slot[i].v[e] = from$slot[i][e * "
                   "static_cast<offset_t>(p.stride[$slot][rank - 1])];\n");
    elements += line(slot, ", element(x$slot[i], e)");
    packed_elements += line(slot, ", word_of(x$slot[i], e)");
    singles += line(slot, ", from$slot[i][e * static_cast<offset_t>(p.stride[$slot][rank - 1])]");
  }

  const kernel_plan& plan_;
  const std::vector<dtype>& types_;
};

/// A result of a kernel: the function that computes it, and the slot where it is stored.
struct stored_result {
  std::string function;
  std::size_t slot;
};

/// The whole kernel. If it has one result, `packed` may be the function that computes four elements at once.
[[gnu::cold]] GNP_INLINE std::string shifted_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                  const std::vector<stored_result>& results,
                                                  const std::string& packed = {}) {
  const shifted_inputs_text inputs(plan, types);
  std::string declared = inputs.declared;
  std::string stored;
  const std::string constants = filled_in(
      "constexpr int across = $across;\nconstexpr int above = $above;\n"
      "constexpr bool down_first = $down_first;\n"
      "constexpr bool ends_by_loop = $ends_by_loop;\nconstexpr bool guarded = $guarded;\n",
      {{"across", std::to_string(plan.shifted.across)},
       {"above", std::to_string(plan.shifted.above)},
       {"down_first", plan.shifted.down_first ? "true" : "false"},
       {"ends_by_loop", plan.shifted.ends_by_loop ? "true" : "false"},
       {"guarded", plan.shifted.guarded ? "true" : "false"}});
  // Results that loops compute are stored when all of them are complete, because a result may be in memory that
  // another one reads.
  std::string vectors, alone, alone_stored;
  for (const stored_result& result : results) {
    const auto line = [&](const char* text) {
      return filled_in(text, {{"slot", std::to_string(result.slot)},
                              {"type", device_name(types[result.slot])},
                              {"function", result.function},
                              {"elements", inputs.elements},
                              {"packed", inputs.packed_elements},
                              {"singles", inputs.singles}});
    };
    if (result.slot != 0) {
      declared += line("  $type* to$slot[items];\n");
      stored += line("    to$slot[i] = reinterpret_cast<$type*>(p.data[$slot]) + offset0;\n");
    }
    vectors +=
        filled_in(shifted_result_text,
                  {{"computed",
                    line(packed.empty()
                             ? "        for (int e = 0; e < vector; ++e) result.v[e] = $function(p$elements);\n"
                             : "        for (int e = 0; e < vector / 4; ++e) set_word(result, e, "
                               "compute_packed_0(p$packed));\n")},
                   {"slot", std::to_string(result.slot)},
                   {"type", device_name(types[result.slot])}});
    alone += line("        const $type y$slot = $function(p$singles);\n");
    alone_stored += line("        to$slot[i][e] = y$slot;\n");
  }
  return packed + constants + window_text +
         filled_in(shifted_kernel_text, {{"threads", std::to_string(plan.threads)},
                                         {"declared", declared},
                                         {"placed", stored + inputs.placed + inputs.placed_later},
                                         {"within", inputs.within},
                                         {"loaded", inputs.loaded},
                                         {"moved", inputs.moved},
                                         {"results", vectors},
                                         {"singles", alone + alone_stored}});
}

}}}  // namespace gnp::GNP_ABI::detail
