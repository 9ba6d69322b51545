// SPDX-License-Identifier: MIT
// The whole text of a kernel: prelude, the expression as a function, and the loop of one of the kernel shapes.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/access.hpp>
#include <gnp/exec/text/elementwise_kernels.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/flat_source.hpp>
#include <gnp/exec/text/folding_text.hpp>
#include <gnp/exec/text/functions_text.hpp>
#include <gnp/exec/text/loop_source.hpp>
#include <gnp/exec/text/packed_source.hpp>
#include <gnp/exec/text/shifted_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The element type of each slot; slot 0 is the destination.
GNP_INLINE std::vector<dtype> slot_types(const expression_code& code, const kernel_plan& plan) {
  std::vector<dtype> types(plan.slots, code.result);
  for (std::size_t i = 0; i < plan.inputs; ++i) types[plan.slot_of[i]] = code.input_types[i];
  return types;
}

constexpr const char* access_name(lane_access access) {
  constexpr const char* names[] = {"run",     "repeated", "every_other", "strided",  "transposed",
                                   "counted", "pointers", "neighbours",  "staged",   "wrapped",
                                   "written", "rolled",   "unaligned",   "in_record"};
  return names[static_cast<int>(access)];
}

/// The type of what a thread gets from a slot: elements, or the address where the elements of a loop begin.
[[gnu::cold]] GNP_INLINE std::string slot_type(const kernel_plan& plan, const std::vector<dtype>& types,
                                               std::size_t slot) {
  const std::string type = device_name(types[slot]);
  return plan.access[slot] == lane_access::pointers ? "const " + type + "*" : type;
}

/// How a thread gets them: "loaded<float, 1, run>". With loops, with gathers that read runs, if there are many
/// more elements than values from which they are computed, and if some of these are the same for a whole
/// result, the text says along which axes a slot moves, so that what is the same for many elements is loaded
/// and computed once.
[[gnu::cold]] GNP_INLINE std::string load_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                               std::size_t slot) {
  const lane_access access = plan.access[slot];
  if (access == lane_access::wrapped)
    return std::string("loaded_through_rows<") + device_name(types[slot]) + numbered(", ", slot) +
           numbered(", ", plan.moves[slot]) + ">";
  if (access == lane_access::rolled) {
    const rolled_slot& r = plan.rolled_slots[slot];
    return filled_in("loaded_rolled<$type, $source, $shifts, $inner, $ahead, $next>",
                     {{"type", device_name(types[slot])},
                      {"source", std::to_string(r.source)},
                      {"shifts", std::to_string(r.shifts) + "ull"},
                      {"inner", access_name(r.inner)},
                      {"ahead", std::to_string(r.ahead)},
                      {"next", std::to_string(r.next_shift)}});
  }
  if (access == lane_access::unaligned) {
    const unaligned_slot& u = plan.unaligned_slots[slot];
    return filled_in("loaded_unaligned<$type, $slot, $ahead, $source, $before, $moves>",
                     {{"type", device_name(types[slot])},
                      {"slot", std::to_string(slot)},
                      {"ahead", std::to_string(u.ahead)},
                      {"source", std::to_string(u.source)},
                      {"before", std::to_string(u.source_ahead)},
                      {"moves", plan.knows_moves() ? std::to_string(plan.moves[slot]) : std::string("~0u")}});
  }
  const bool in_loop = access == lane_access::pointers;
  const bool neighbours = access == lane_access::neighbours;
  const bool known = access == lane_access::strided || access == lane_access::repeated;
  const bool by_one = neighbours || (known && plan.loops.any());
  std::string text(in_loop ? "pointers_to<" : by_one ? "loaded_from<" : "loaded<");
  text += slot_type(plan, types, slot) + ", ";
  if (!in_loop && !by_one) {
    text += std::to_string(slot) + ", " + access_name(access);
    const bool knows_moves = plan.gathered_runs != 0 || plan.reads_little || plan.some_stay ||
                             (plan.has_rows_above() && !plan.loops.any());
    return text + (knows_moves ? numbered(", ", plan.moves[slot]) : std::string()) + ">";
  }
  text += std::to_string(plan.in_loops[slot].within) + ", " + std::to_string(plan.moves[slot]);
  if (by_one) text += neighbours ? ", true" : ", false";
  return text + ">";
}

/// The loads of a slot for all items of a thread. The slot of a record's first element loads the whole record.
[[gnu::cold]] GNP_INLINE std::string item_loads_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                     std::size_t slot) {
  std::string type = "pack<" + slot_type(plan, types, slot) + ">";
  std::string load;
  if (plan.access[slot] == lane_access::in_record) {
    const slot_in_record& record = plan.records[slot];
    if (record.first != slot) return {};
    const std::string of = device_name(types[slot]) + numbered(", ", record.width);
    type = "record<" + of + ">";
    load = "loaded_record<" + of + numbered(", ", slot) +
           (plan.has_rows_above() ? numbered(", ", plan.moves[slot]) : std::string()) + ">";
  } else {
    load = load_text(plan, types, slot);
  }
  return filled_in(
      "  $type x$slot[items];\n"
      "  for (int i = 0; i < items; ++i) {\n"
      "    if (at[i].valid > 0) x$slot[i] = $load(p, at[i]);\n"
      "  }\n",
      {{"slot", std::to_string(slot)}, {"type", type}, {"load", load}});
}

/// "element(x2[i], e)": element `e` of a slot for item i, after these loads.
[[gnu::cold]] GNP_INLINE std::string item_element_text(const kernel_plan& plan, std::size_t slot,
                                                       const char* e) {
  const bool in_record = plan.access[slot] == lane_access::in_record;
  const slot_in_record& record = plan.records[slot];
  return numbered("element(x", in_record ? record.first : slot) + "[i], " +
         (in_record ? std::to_string(record.place) : std::string(e)) + ")";
}

/// A function of a thread's inputs.
[[gnu::cold]] GNP_INLINE std::string function_text(const source_writer& writer, const std::vector<dtype>& types,
                                                   std::string_view function, std::string_view value,
                                                   std::string_view more_parameters = {}) {
  std::string text = filled_in("inline $function(const arguments& p", {{"function", function}});
  for (std::size_t slot = 1; slot < types.size(); ++slot) {
    text += std::string(", ") + writer.slot_type(slot, types[slot]) + numbered(" v", slot);
  }
  text += more_parameters;
  text += ") {\n";
  text += constants_text(writer.constant_types(), value);
  return text + filled_in("  return $value;\n}\n", {{"value", value}});
}

/// compute(), which is the expression. Its parameters include the runs that gathers read.
[[gnu::cold]] GNP_INLINE std::string compute_text(const source_writer& writer, const std::vector<dtype>& types,
                                                  std::string_view function, std::string_view value) {
  std::string parameters;
  for (std::size_t k = 0; k < writer.gathered_runs().size(); ++k)
    parameters += std::string(", ") + device_name(writer.gathered_runs()[k].type) + numbered(" g", k);
  return function_text(writer, types, function, value, parameters);
}

/// The places where the runs begin that gathers read, as functions of a thread's inputs for the first element
/// of each run. There are fast functions for indices that are inside their axes, and others for any indices. No
/// place is negative. If 32 bits can hold the places and the sizes of the axes, the fast functions take half as
/// many instructions, because the upper half of an index is then only its sign.
inline constexpr const char* run_place_text = R"(
template <class OneIndex> inline index_t quick_place(bool& inside, const index_facts& facts, OneIndex index) {
  const long long given = static_cast<long long>(index);
  const index_t negative = is_signed_integer<OneIndex>() ? static_cast<index_t>(given >> 63) : 0;
  const index_t i = static_cast<index_t>(given) + (static_cast<index_t>(facts.from_end) & negative);
  if (i >= static_cast<index_t>(facts.size) || (sizeof(index_t) == 4 && static_cast<int>(given) != given)) inside = false;
  return i * static_cast<index_t>(facts.stride);
}
template <bool Quick, class OneIndex> inline index_t run_place(bool& inside, const index_report& report, const index_facts& facts, OneIndex index) {
  return Quick ? quick_place(inside, facts, index) : index_place<index_t>(report, facts, index);
}
)";
[[gnu::cold]] GNP_INLINE std::string run_addresses_text(const source_writer& writer,
                                                        const std::vector<dtype>& types) {
  std::string text;
  for (std::size_t k = 0; k < writer.gathered_runs().size(); ++k) {
    const source_writer::run_text& run = writer.gathered_runs()[k];
    if (k == 0) text += run_place_text;
    text += "template <bool Quick> ";
    text += function_text(writer, types, numbered("index_t run_", k), run.place, ", bool& inside");
  }
  return text;
}

/// Loads these runs, those of item i if `needed`, after everything that is `given` to the functions above has
/// been loaded. Only if an index is outside its axis are the places computed again, and then for all items,
/// because a branch for each item would prevent their loads from overlapping.
inline constexpr const char* run_loads_of_table = R"(
  pack<$type> g$k[items];
  {
    index_t from[items];
    bool inside = true;
    #pragma unroll
    for (int i = 0; i < items; ++i) if ($needed) from[i] = run_$k<true>($given, inside);
    if (!inside) {
      #pragma unroll
      for (int i = 0; i < items; ++i) if ($needed) from[i] = run_$k<false>($given, inside);
    }
    #pragma unroll
    for (int i = 0; i < items; ++i) if ($needed) load_vector(g$k[i], $memory + from[i]);
  }
)";
[[gnu::cold]] GNP_INLINE std::string run_loads_text(const source_writer& writer, std::string_view given,
                                                    std::string_view needed) {
  std::string text;
  for (std::size_t k = 0; k < writer.gathered_runs().size(); ++k) {
    const source_writer::run_text& run = writer.gathered_runs()[k];
    text += filled_in(run_loads_of_table, {{"type", device_name(run.type)},
                                           {"memory", run.memory},
                                           {"k", std::to_string(k)},
                                           {"needed", needed},
                                           {"given", given}});
  }
  return text;
}

/// The arguments of compute() for these runs.
[[gnu::cold]] GNP_INLINE std::string given_runs(const source_writer& writer) {
  std::string text;
  for (std::size_t k = 0; k < writer.gathered_runs().size(); ++k)
    text += ", element(" + numbered("g", k) + "[i], e)";
  return text;
}

/// How scans and compactions get their elements.
struct item_loads {
  std::string loads;  // of all items that have elements
  std::string given;  // "(p, element(x1[i], e))": the arguments of compute() for element e of item i
};
[[gnu::cold]] GNP_INLINE item_loads loads_of_items(const kernel_plan& plan, const std::vector<dtype>& types) {
  item_loads items{{}, "(p"};
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string number = std::to_string(slot);
    items.loads += filled_in(
        "  pack<$type> x$slot[items];\n"
        "  for (int i = 0; i < items; ++i) {\n"
        "    if (at[i].valid > 0) x$slot[i] = loaded<$type, $slot, $access>(p, at[i]);\n"
        "  }\n",
        {{"slot", number}, {"type", device_name(types[slot])}, {"access", access_name(plan.access[slot])}});
    items.given += ", element(x" + number + "[i], e)";
  }
  items.given += ")";
  return items;
}

/// The functions for the places of vectors in kernels whose threads take them one after the other.
struct located_vectors {
  std::string functions;
  std::string first;  // of a thread
  const char* step;   // to the next
};
[[gnu::cold]] GNP_INLINE located_vectors places_of_vectors(const kernel_plan& plan) {
  const vector_places& places = plan.through_rows ? places_through_rows
                                : plan.in_patches ? places_in_patches
                                                  : places_in_rows;
  const std::string threads = std::to_string(plan.threads);
  std::string functions;
  if (plan.through_rows) functions = wrapped_text + filled_in(through_rows_text, {{"threads", threads}});
  if (plan.in_patches) functions = filled_in(patches_text, {{"threads", threads}});
  functions += filled_in(located_text, {{"locate", places.locate}});
  return {functions, filled_in(places.first, {{"threads", threads}}), places.step};
}

/// The functions for tiles, whose edge is that of the widest slot from this one on.
[[gnu::cold]] GNP_INLINE std::string text_of_tiles(const std::vector<dtype>& types, std::size_t first) {
  std::size_t widest = 1;
  for (std::size_t slot = first; slot < types.size(); ++slot)
    widest = (std::max)(widest, itemsize(types[slot]));
  return filled_in(tiles_text, {{"edge", std::to_string(tile_edge(static_cast<int>(widest)))}});
}

/// Each transposed input's tile, and how a block fills it.
[[gnu::cold]] GNP_INLINE void add_tile(std::string& tiles, std::string& fills, const std::string& type,
                                       std::size_t slot) {
  const auto line = [&](const char* text) {
    return filled_in(text, {{"slot", std::to_string(slot)}, {"type", type}});
  };
  tiles += line("  __shared__ tile<$type> tile_$slot;\n");
  fills += line("  fill<$type, $slot>(tile_$slot, p, corner, first_row, column);\n");
}

/// Can a thread's elements of all slots be taken as words of four?
GNP_INLINE bool has_words(const kernel_plan& plan) {
  const auto is_apart = [](lane_access access) {
    return access == lane_access::in_record || access == lane_access::wrapped;
  };
  return plan.shape == kernel_shape::elementwise && plan.gathered_runs == 0 && !plan.has_records() &&
         std::none_of(plan.access.begin(), plan.access.begin() + plan.slots, is_apart);
}

/// The text of the other kernel shapes with its operands filled in.
[[gnu::cold]] GNP_INLINE std::string shape_text(const source_writer& writer, const expression_code& code,
                                                const kernel_plan& plan, const std::vector<dtype>& types) {
  std::string loads;
  std::string tiles;
  std::string fills;
  std::string call("compute(p");
  std::string first_of_run("p");
  std::string stored("keeps(p");
  std::string words;
  const bool tiled = plan.shape == kernel_shape::tile;
  for (std::size_t slot = 1; slot < plan.slots; ++slot) {
    const std::string number = std::to_string(slot);
    const bool through_tile = plan.access[slot] == lane_access::transposed;
    // If vectors run through rows, what repeats in each row is the same for all vectors of a thread.
    const bool once = plan.access[slot] == lane_access::wrapped && plan.moves[slot] == 2;
    const auto line = [&](const char* text) {
      return filled_in(
          text,
          {{"slot", number}, {"type", slot_type(plan, types, slot)}, {"load", load_text(plan, types, slot)}});
    };
    stored += ", " + item_element_text(plan, slot, "0");
    words += itemsize(types[slot]) == 1 ? line(", word_of(x$slot[i], e)") : ", 0";
    call += tiled || once ? line(", element(x$slot, e)") : ", " + item_element_text(plan, slot, "e");
    first_of_run += ", " + item_element_text(plan, slot, "0");
    loads += through_tile ? line("  const auto x$slot = column_of(tile_$slot, row, column, at.valid);\n")
             : tiled      ? line("  const auto x$slot = $load(p, at);\n")
             : once       ? line("  const auto x$slot = $load(p, at[0]);\n")
                          : item_loads_text(plan, types, slot);
    if (through_tile) add_tile(tiles, fills, slot_type(plan, types, slot), slot);
  }
  loads += run_loads_text(writer, first_of_run, "at[i].valid > 0");
  call += given_runs(writer) + ")";
  stored = code.condition == nullptr ? "true" : stored + ")";
  const bool one_by_one = !tiled && !plan.has_rows_above();
  const located_vectors vectors = one_by_one ? places_of_vectors(plan) : located_vectors{};
  const std::string packed = has_words(plan) ? packed_text(std::array{&code}, plan) : std::string();
  std::string computed("for (int e = 0; e < vector; ++e) $result.v[e] = $compute");
  if (!packed.empty())
    computed = "for (int e = 0; e < vector / 4; ++e) set_word($result, e, compute_packed_0(p$words))";
  computed = filled_in(
      computed,
      {{"result", plan.has_rows_above() ? "result[i]" : "result"}, {"compute", call}, {"words", words}});
  const std::string text = tiled ? text_of_tiles(types, 0) : vectors.functions + packed;
  return text + filled_in(tiled        ? tile_text
                          : one_by_one ? elementwise_text
                                       : rows_above_text,
                          {{"loads", loads},
                           {"first", vectors.first},
                           {"step", one_by_one ? vectors.step : ""},
                           {"tiles", tiles},
                           {"fills", fills},
                           {"compute", call},
                           {"computed", computed},
                           {"stored", stored},
                           {"threads", std::to_string(plan.threads)},
                           {"access", access_name(plan.access[0])}});
}

/// All of a kernel before its loop: types, the functions of its expression, constants, access to its operands.
[[gnu::cold]] GNP_INLINE std::string kernel_head(const source_writer& writer, const kernel_plan& plan,
                                                 const std::vector<dtype>& types, dtype computed) {
  // A softmax whose rows are mostly masked out divides as many zeros, and so do boxes most of which do not
  // overlap.
  const bool many_zeros = plan.shape == kernel_shape::row_program || plan.reads_little;
  std::string text = many_zeros ? "#define divides_many_zeros\n" : "";
  text += functions_text(writer);
  text += filled_in(
      "constexpr int rank = $rank;\nconstexpr int vector = $vector;\nconstexpr int slots = $slots;\n"
      "constexpr int items = $items;\nconstexpr bool in_vectors = $in_vectors;\n"
      "constexpr bool whole_vectors = $whole_vectors;\n"
      "constexpr bool copied = $copied;\n"
      "constexpr int constants = $constants;\nusing index_t = $index;\n"
      "using offset_t = $offset;\nusing value_t = $value;\n",
      {{"rank", std::to_string(plan.rank)},
       {"vector", std::to_string(plan.vector)},
       {"slots", std::to_string(plan.slots)},
       {"items", std::to_string(plan.items)},
       {"in_vectors", counts_in_vectors(plan) ? "true" : "false"},
       {"whole_vectors", counts_in_vectors(plan) || plan.shape == kernel_shape::row_program ? "true" : "false"},
       {"copied", plan.copied ? "true" : "false"},
       {"constants", std::to_string(writer.constant_types().size())},
       {"index", plan.wide ? "unsigned long long" : "unsigned"},
       {"offset", plan.wide ? "long long" : "int"},
       {"value", device_name(computed)}});
  text += filled_in(
      arguments_text,
      {{"shifts",
        plan.shifts == 0 ? std::string() : filled_in(shifts_text, {{"count", std::to_string(plan.shifts)}})}});
  if (!writer.loop_functions().empty()) {
    text += pack_text;
    text += access_text;
    text += location_text;
    text += pointers_text;
    text += folding_text;
    text += writer.loop_functions();
    return text + compute_text(writer, types, "value_t compute", writer.value);
  }
  text += run_addresses_text(writer, types);
  // (A row program has a function for each step.)
  if (plan.shape != kernel_shape::row_program)
    text += compute_text(writer, types, "value_t compute", writer.value);
  if (plan.shape == kernel_shape::flat) return text;
  text += pack_text;
  text += access_text;
  text += location_text;
  if (plan.shifts > 0) text += rolled_text;
  if (plan.unaligned) text += unaligned_text;
  if (plan.has_records()) text += records_text;
  return text;
}

[[gnu::cold]] GNP_INLINE std::string kernel_source(const expression_code& code, const kernel_plan& plan) {
  source_writer writer(plan);
  writer.loop_in_threads(plan);
  write_value(writer, code);
  const std::string condition = code.condition != nullptr ? node_text(writer, *code.condition) : std::string();
  const std::vector<dtype> types = slot_types(code, plan);
  return kernel_head(writer, plan, types, code.result) +
         (condition.empty() ? condition : compute_text(writer, types, "bool keeps", condition)) +
         (plan.shape == kernel_shape::flat ? flat_text(plan, types, packed_text(std::array{&code}, plan))
          : plan.shape == kernel_shape::shifted
              ? shifted_text(plan, types, {{"compute", 0}}, packed_text(std::array{&code}, plan))
              : shape_text(writer, code, plan, types)) +
         "}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
