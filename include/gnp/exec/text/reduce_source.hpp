// SPDX-License-Identifier: MIT
// The whole text of a reduction's kernel.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/folding_text.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/exec/text/pairs_source.hpp>
#include <gnp/exec/text/reduce_kernels.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The slot of an indexed reducer's positions: after all others.
GNP_INLINE int position_slot(const reduction_code& code, const kernel_plan& plan) {
  return code.indexed ? plan.slots - 1 : -1;
}

/// The part of a reduction kernel's text about its reducers: a single one, or several combined into one.
[[gnu::cold]] GNP_INLINE std::string reducer_text(const std::vector<const reduction_code*>& parts) {
  std::string types;
  std::string elements;
  std::string states;
  std::string identities;
  std::string combined;
  std::string batches;
  std::string stores;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const reduction_code& code = *parts[k];
    const auto add = [&](std::string& to, const char* text) {
      to += filled_in(text, {{"k", std::to_string(k)},
                             {"T", device_name(code.values->result)},
                             {"A", device_name(code.computed)},
                             {"P", device_name(real_part_of(code.computed))},
                             {"reducer", code.reducer},
                             {"comma", k == 0 ? "" : ", "},
                             {"to", k == 0 ? std::string("p.data[0]") : numbered("r.results[", k) + "]"},
                             {"state", parts.size() == 1 ? std::string("s") : numbered("s.s", k)},
                             {"result", device_name(code.result)}});
    };
    add(types,
        "struct part_$k { using T = $T; using A = $A; using P = $P; using reducer = $reducer; using result = "
        "$result; };\n");
    add(elements, "$T v$k; ");
    add(states, "part_$k::reducer::state s$k; ");
    add(identities, "$commapart_$k::reducer::identity()");
    add(combined, "$commapart_$k::reducer::combine(a.s$k, b.s$k)");
    add(batches,
        "    { part_$k::T y[Count]; for (int i = 0; i < Count; ++i) y[i] = x[i].v$k; s.s$k = "
        "batch_of<part_$k::reducer>(y, position); }\n");
    add(stores,
        "  reinterpret_cast<part_$k::result*>($to)[offset] = "
        "cast<part_$k::result>(part_$k::reducer::finish($state, r.parameter[$k]));\n");
  }
  std::string text = types;
  if (parts.size() == 1) {
    text += "using element_t = value_t;\nusing reducer = part_0::reducer;\n";
  } else {
    text += filled_in(
        "struct element_t { $elements};\nstruct reducer {\n  struct state { $states};\n"
        "  static state identity() { return {$identities}; }\n"
        "  static state combine(const state& a, const state& b) { return {$combined}; }\n"
        "  template <int Count> static state batch(const element_t (&x)[Count], const offset_t "
        "(&position)[Count]) {\n"
        "    state s;\n$batches    return s;\n  }\n};\n",
        {{"elements", elements},
         {"states", states},
         {"identities", identities},
         {"combined", combined},
         {"batches", batches}});
  }
  return text + filled_in(
                    "inline void store_results(const arguments& p, const reduction_arguments& r, offset_t "
                    "offset, const "
                    "reducer::state& s) {\n$stores}\n",
                    {{"stores", stores}});
}

GNP_INLINE bool is_in_line(const kernel_plan& plan, std::size_t slot) {
  return plan.loops.any() && plan.in_loops[slot].in_line != 0;
}

/// Loads what a thread reads of a slot for all its items at once. Loops get where the elements of each item
/// begin among those that have been loaded, which is in registers.
[[gnu::cold]] GNP_INLINE std::string line_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                               std::size_t slot) {
  const lane_access access = plan.access[slot];
  std::string text =
      "      $element l$slot[items * $each];\n"
      "      load_line<$within, $moves, $neighbours>(l$slot, p, at[0]);\n"
      "      pack<$type> x$slot[items];\n"
      "      #pragma unroll\n"
      "      for (int i = 0; i < items; ++i) {\n"
      "        for (int e = 0; e < vector; ++e) x$slot[i].v[e] = ";
  text += access == lane_access::pointers     ? "l$slot + i * $each"
          : access == lane_access::neighbours ? "l$slot[i * $each + e]"
                                              : "l$slot[i]";
  text += ";\n      }\n";
  return filled_in(text, {{"slot", std::to_string(slot)},
                          {"each", std::to_string(plan.in_loops[slot].in_line)},
                          {"element", device_name(types[slot])},
                          {"type", slot_type(plan, types, slot)},
                          {"within", std::to_string(plan.in_loops[slot].within)},
                          {"moves", std::to_string(plan.moves[slot])},
                          {"neighbours", access == lane_access::neighbours ? "true" : "false"}});
}

/// Are elements that are no whole vector read one by one, because a vector there would not be aligned, or could
/// leave memory?
GNP_INLINE bool takes_rest_apart(const kernel_plan& plan, std::size_t slot) {
  const lane_access access = plan.access[slot];
  return access == lane_access::unaligned || (access == lane_access::run && plan.ragged);
}
[[gnu::cold]] GNP_INLINE std::string single_loads_text(const std::vector<dtype>& types, std::size_t slot) {
  return std::string("loaded<") + device_name(types[slot]) + numbered(", ", slot) + ", strided>";
}

/// The functions of formulas that are stored beside reductions, which are the last parts, added to the text;
/// and how a thread stores their values for all its items.
[[gnu::cold]] GNP_INLINE std::string stores_text(std::string& text, const source_writer& writer,
                                                 const kernel_plan& plan, const std::vector<dtype>& types,
                                                 const std::vector<std::string>& values,
                                                 const std::string& given) {
  std::string stores;
  for (int k = 0; k < plan.stored; ++k) {
    const std::size_t slot = slot_of_stored(plan, k);
    const std::string type = device_name(types[slot]);
    const std::string function = numbered("stored_", slot);
    const std::size_t part = values.size() - static_cast<std::size_t>(plan.stored - k);
    text += compute_text(writer, types, type + " " + function, values[part]);
    stores += filled_in(
        "      for (int i = 0; i < items; ++i) {\n"
        "        pack<$type> y;\n"
        "        for (int e = 0; e < vector; ++e) y.v[e] = $value;\n"
        "        store<$type, $access, $slot>(p, at[i], y);\n"
        "      }\n",
        {{"type", type},
         {"value", function + given},
         {"access", access_name(plan.access[slot])},
         {"slot", std::to_string(slot)}});
  }
  return stores;
}

/// How the kernel of a reduction gets what a thread's elements are computed from.
struct reduction_loads {
  std::string once;      // of columns, what is the same for a whole column
  std::string of_items;  // for several items
  std::string of_one;    // for those at a part's end
  std::string of_rest;   // of rows, for elements at the end that are no whole vector
  std::string given;     // the arguments of compute()
  bool in_lines = false;
};

/// Does a slot of a reduction along columns stay the same along them?
GNP_INLINE bool stays_in_columns(const kernel_plan& plan, std::size_t slot) {
  const unsigned reduced = (1u << (plan.rank - plan.kept)) - 1;
  return plan.some_stay && plan.shape == kernel_shape::reduce_columns &&
         plan.access[slot] != lane_access::counted && (plan.moves[slot] & reduced) == 0;
}

[[gnu::cold]] GNP_INLINE reduction_loads loads_of_reduction(const source_writer& writer,
                                                            const kernel_plan& plan,
                                                            const std::vector<dtype>& types, int positions) {
  reduction_loads loads;
  std::string first_of_run("p");
  loads.given = "(p";
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string number = std::to_string(slot);
    if (stays_in_columns(plan, slot)) {
      loads.once += filled_in(
          "    const pack<$type> x$slot = $load(p, start);\n",
          {{"slot", number}, {"type", device_name(types[slot])}, {"load", load_text(plan, types, slot)}});
      loads.given += ", element(x" + number + ", e)";
      first_of_run += ", element(x" + number + ", 0)";
      continue;
    }
    if (is_stored(plan, slot)) {
      const std::string unread = filled_in("      pack<$type> x$slot[items];\n",
                                           {{"slot", number}, {"type", device_name(types[slot])}});
      loads.of_items += unread;
      loads.of_rest += unread;
      loads.given += ", element(x" + number + "[i], e)";
      continue;
    }
    const auto load_by = [&](const std::string& load) {
      return filled_in(
          "      pack<$type> x$slot[items];\n"
          "      for (int i = 0; i < items; ++i) x$slot[i] = $load(p, at[i]);\n",
          {{"slot", number}, {"type", slot_type(plan, types, slot)}, {"load", load}});
    };
    const std::string load = load_by(load_text(plan, types, slot));
    loads.of_rest += takes_rest_apart(plan, slot) ? load_by(single_loads_text(types, slot)) : load;
    const bool in_line = is_in_line(plan, slot);
    loads.in_lines = loads.in_lines || in_line;
    loads.of_items += in_line ? line_text(plan, types, slot) : load;
    loads.of_one += load;
    if (static_cast<int>(slot) == positions) continue;
    loads.given += ", element(x" + number + "[i], e)";
    first_of_run += ", element(x" + number + "[i], 0)";
  }
  const std::string of_runs = run_loads_text(writer, first_of_run, "true");
  loads.of_items += of_runs;
  loads.of_one += of_runs;
  loads.of_rest += of_runs;
  loads.given += given_runs(writer) + ")";
  return loads;
}

/// If the elements of these reductions are bytes that are computed from bytes, a thread computes them four at a
/// time, after its loads. The text gets the functions for that, and the element's call becomes what they have
/// computed.
[[gnu::cold]] GNP_INLINE void compute_packed(std::string& text, reduction_loads& loads, std::string& call,
                                             const std::vector<const reduction_code*>& parts,
                                             const kernel_plan& plan, const std::vector<dtype>& types) {
  const bool has_rows = plan.shape == kernel_shape::reduce_rows || plan.shape == kernel_shape::reduce_columns;
  if (!has_rows || plan.pairs != 0 || plan.stored != 0 || plan.some_stay || plan.loops.any() ||
      plan.gathered_runs != 0)
    return;
  std::vector<const expression_code*> values;
  for (const reduction_code* part : parts) values.push_back(part->values);
  const auto is_input = [](const expression_code* value) { return value->source->write == write_input; };
  if (std::all_of(values.begin(), values.end(), is_input)) return;
  const std::string functions = packed_text(values, plan);
  if (functions.empty()) return;
  text += functions;
  std::string words;
  for (std::size_t slot = 1; slot < plan.slots; ++slot)
    words += itemsize(types[slot]) == 1 ? numbered(", word_of(x", slot) + "[i], e)" : ", 0";
  std::string lines;
  call.clear();
  for (std::size_t k = 0; k < values.size(); ++k) {
    lines += filled_in(
        "      pack<$type> y$k[items];\n"
        "      for (int i = 0; i < items; ++i) {\n"
        "        for (int e = 0; e < vector / 4; ++e) set_word(y$k[i], e, compute_packed_$k(p$words));\n"
        "      }\n",
        {{"type", device_name(values[k]->result)}, {"k", std::to_string(k)}, {"words", words}});
    call += numbered(k == 0 ? "element(y" : ", element(y", k) + "[i], e)";
  }
  if (values.size() > 1) call = "element_t{" + call + "}";
  loads.of_items += lines;
  loads.of_one += lines;
  loads.of_rest += lines;
}

/// The text of a reduction tile by tile.
[[gnu::cold]] GNP_INLINE std::string tiles_source(const kernel_plan& plan, const std::vector<dtype>& types,
                                                  std::string_view call, std::string_view position) {
  std::string tiles, fills, loads, columns;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string type = slot_type(plan, types, slot);
    const bool through_tile = plan.access[slot] == lane_access::transposed;
    const auto line = [&](const char* text, const std::string& load) {
      return filled_in(text, {{"slot", std::to_string(slot)}, {"type", type}, {"load", load}});
    };
    if (through_tile) {
      add_tile(tiles, fills, type, slot);
      columns += line(
          "    pack<$type> x$slot[items];\n"
          "    for (int i = 0; i < items; ++i) x$slot[i] = column_of(tile_$slot, first_row + i * "
          "rows_at_once, column, at[i].valid);\n",
          {});
    } else {
      loads += line(
          "    pack<$type> x$slot[items];\n"
          "    for (int i = 0; i < items; ++i) if (at[i].valid > 0) x$slot[i] = $load(p, at[i]);\n",
          load_text(plan, types, slot));
    }
  }
  return text_of_tiles(types, 1) + filled_in(reduce_tiles_text, {{"tiles", tiles},
                                                                 {"fills", fills},
                                                                 {"loads", loads},
                                                                 {"columns", columns},
                                                                 {"compute", call},
                                                                 {"position", position}});
}

/// An element of the reduction, as the call of compute(). If there are several reductions, the other functions
/// for elements are added to the text.
[[gnu::cold]] GNP_INLINE std::string element_call(std::string& text, const source_writer& writer,
                                                  const std::vector<dtype>& types,
                                                  const std::vector<const reduction_code*>& parts,
                                                  const std::vector<std::string>& values,
                                                  const std::string& given) {
  std::string call = "compute" + given;
  if (parts.size() == 1) return call;
  call = "element_t{" + call;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::string name = numbered("compute_", k);
    text +=
        compute_text(writer, types, std::string(device_name(parts[k]->values->result)) + " " + name, values[k]);
    call += ", " + name + given;
  }
  return call + "}";
}

/// How a thread takes the elements that only some of the reductions have.
[[gnu::cold]] GNP_INLINE std::string overhangs_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                    const std::vector<const reduction_code*>& parts,
                                                    const std::string& given) {
  std::string text;
  std::size_t input = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::size_t first = input;
    input += static_cast<std::size_t>(parts[k]->values->inputs);
    if ((plan.overhangs >> k & 1) == 0) continue;
    const auto* const slot_of = plan.slot_of.data();
    std::string loads;
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      const lane_access access = plan.access[slot];
      const bool is_read = std::find(slot_of + first, slot_of + input, slot) != slot_of + input;
      const bool as_everywhere = access == lane_access::counted || access == lane_access::repeated;
      loads +=
          filled_in(is_read ? "      const pack<$type> x$slot[items] = {$load(p, at[0])};\n"
                            : "      const pack<$type> x$slot[items] = {};\n",
                    {{"type", slot_type(plan, types, slot)},
                     {"slot", std::to_string(slot)},
                     {"load", as_everywhere ? load_text(plan, types, slot) : single_loads_text(types, slot)}});
    }
    text += filled_in(overhang_text,
                      {{"k", std::to_string(k)},
                       {"loads", loads},
                       {"compute", (k == 0 ? std::string("compute") : numbered("compute_", k)) + given}});
  }
  return text;
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const reduction_code& code, const kernel_plan& plan) {
  std::vector<const reduction_code*> parts{&code};
  if (code.parts != nullptr) parts.assign(code.parts, code.parts + code.part_count);
  source_writer writer(plan);
  writer.loop_in_threads(plan);
  std::vector<std::string> values;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    write_value(writer, *parts[k]->values);
    values.push_back(writer.value);
    if (k + plan.stored < parts.size()) need_reducer(writer, *parts[k]);
  }
  parts.resize(parts.size() - plan.stored);
  writer.value = values[0];
  std::vector<dtype> types = slot_types(*code.values, plan);
  const int positions = position_slot(code, plan);
  if (positions >= 0) types.back() = dtype::int64;
  reduction_loads loads = loads_of_reduction(writer, plan, types, positions);
  const std::vector<dtype> all_types = types;
  if (positions >= 0) types.pop_back();  // compute() does not take them

  std::string text = kernel_head(writer, plan, types, parts[0]->values->result);
  text += filled_in("constexpr int kept = $kept;\n", {{"kept", std::to_string(plan.kept)}});
  text += reduction_arguments_text;
  if (plan.overhangs != 0) text += std::string(overhang_arguments_text) + overhang_place_text;
  if (writer.loop_functions().empty()) text += folding_text;  // otherwise it is already there
  text += reducer_text(parts);
  std::string call = element_call(text, writer, types, parts, values, loads.given);
  const std::string stores = stores_text(text, writer, plan, types, values, loads.given);
  compute_packed(text, loads, call, parts, plan, all_types);
  text += reduction_text;
  if (plan.pairs != 0) return text + pairs_text(plan, types) + "}\n";

  const std::string position =
      positions < 0 ? "0"
                    : numbered("static_cast<offset_t>(x", static_cast<std::size_t>(positions)) + "[i].v[e])";
  if (plan.shape == kernel_shape::reduce_tiles) {
    text += filled_in(reduced_group_text, {{"group", "256"}});
    text += reduced_blocks_text;
    return text + tiles_source(plan, all_types, call, position) + "}\n";
  }

  // (If one kernel has several reductions, they all go the way that all of them can go.)
  const row_walk& walk = code.indexed && parts.size() == 1 ? walk_past_the_end : walk_to_the_end;
  const row_rest& rest = plan.ragged ? rest_of_rows : rest_of_row;
  const std::string group = std::to_string(plan.group);
  const bool by_rows = plan.shape == kernel_shape::reduce_rows;
  if (by_rows) text += filled_in(reduced_group_text, {{"group", group}});
  if (by_rows && plan.rows_each == 1) text += reduced_blocks_text;
  text += filled_in(!by_rows             ? reduce_columns_text
                    : plan.rows_each > 1 ? reduce_short_rows_text
                                         : reduce_rows_text,
                    {{"once", loads.once},
                     {"loads", loads.of_items},
                     {"loads_of_one", loads.of_one},
                     {"loads_of_rest", loads.of_rest},
                     {"stores", stores},
                     {"more", plan.overhangs != 0 ? ", const __grid_constant__ overhang_arguments o" : ""},
                     {"overhangs", overhangs_text(plan, types, parts, loads.given)},
                     {"walk_rest", rest.walk},
                     {"locate_rest", rest.locate},
                     // (Registers have no addresses: every place in a line has to be known.)
                     {"unrolled", loads.in_lines ? "      #pragma unroll\n" : ""},
                     {"goes_on", walk.goes_on},
                     {"next", walk.vector},
                     {"then", walk.then},
                     {"compute", call},
                     {"position", position},
                     {"group", group},
                     {"rows", std::to_string(plan.rows_each)},
                     {"in_parts", plan.loops.any() || plan.reads_little ? "true" : "false"}});
  return text + "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
