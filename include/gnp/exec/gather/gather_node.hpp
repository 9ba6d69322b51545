// SPDX-License-Identifier: MIT
// How a gather runs within an expression: on the CPU as a reader, on a GPU as text.
#pragma once

#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/expr/gather.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The places of an array's elements, from its first one on.
template <class T>
element_span reach_of(const array<T>& a) {
  return span_of(a.ndim(), a.shape().begin(), a.element_strides().begin());
}

template <class T>
leaf_view view_of(const table<T>& t) {
  leaf_view leaf = view_of(t.memory);
  leaf.reach = reach_of(t.memory);
  leaf.shape = leaf.strides = &t.shape();
  leaf.table = true;
  return leaf;
}

template <std::size_t Count>
inline constexpr int input_count<index_rules<Count>> = 0;
template <std::size_t Count>
inline constexpr int constant_count<index_rules<Count>> = index_rules<Count>::slots;

/// The place of element i: that of its offset, and what each index adds.
template <reader_place Place, std::size_t Count, class... Index>
struct place_reader {
  static constexpr auto operands = places_of<position, index_rules<Count>, Index...>(Place);
  template <class Sequence>
  struct typed_indices;
  template <std::size_t... K>
  struct typed_indices<std::index_sequence<K...>> {
    std::tuple<reader<Index, operands[K + 2]>...> all;
    typed_indices(const void* const* inputs, const void* constants)
        : all(reader<Index, operands[K + 2]>(inputs, constants)...) {}
    std::int64_t operator()(index_t i, const scalar::index_report& to,
                            const std::array<scalar::index_facts, Count>& known) const {
      return (std::int64_t{0} + ... + scalar::index_place(to, known[K], std::get<K>(all)(i)));
    }
  };

  reader<position, operands[0]> first;
  typed_indices<std::index_sequence_for<Index...>> indices;
  scalar::index_report report;
  std::array<scalar::index_facts, Count> facts;

  place_reader(const void* const* inputs, const void* constants)
      : first(inputs, constants), indices(inputs, constants) {
    const auto* from = static_cast<const unsigned char*>(constants) +
                       constant_slot * static_cast<std::size_t>(operands[1].constant);
    std::memcpy(&report, from, sizeof report);
    std::memcpy(facts.data(), from + 32, sizeof facts);
  }
  std::int64_t operator()(index_t i) const { return first(i) + indices(i, report, facts); }
};

template <std::size_t Count, class... Index, reader_place Place>
struct reader<places<Count, Index...>, Place> : place_reader<Place, Count, Index...> {
  using place_reader<Place, Count, Index...>::place_reader;
};

template <bool Writable, class T, std::size_t Count, class... Index, reader_place Place>
struct reader<gathered<Writable, T, Count, Index...>, Place> {
  static constexpr reader_place after_table{Place.input + 1, Place.constant};
  const in_memory<T>* memory;
  place_reader<after_table, Count, Index...> place;

  reader(const void* const* inputs, const void* constants)
      : memory(static_cast<const in_memory<T>*>(inputs[Place.input])), place(inputs, constants) {}
  T operator()(index_t i) const {
    if constexpr (std::is_same_v<T, bool>) {
      return memory[place(i)] != 0;
    } else {
      return memory[place(i)];
    }
  }
};

/// What a slot of constants holds, of a struct of that name.
[[gnu::cold]] GNP_INLINE std::string constant_text(const char* type, int slot) {
  return std::string("*reinterpret_cast<const ") + type + "*>(p.constant[" + std::to_string(slot) + "])";
}

/// The place of an element, v2 + index_place(report, facts, v3) + ... What a gather reads there is within its
/// table. The operands are the position, the rules, and an index for each axis.
[[gnu::cold]] GNP_INLINE std::string place_text(source_writer& writer, const node_source* const* operands,
                                                int count, bool read) {
  writer.needs("index_place");
  writer.needs("index_reach");
  std::string text = writer.input(dtype::int64);
  const int first = writer.raw_constants(2 + 2 * (count - 2));
  int slot = first + 2;
  std::vector<std::string> indices;
  for (int k = 2; k < count; ++k) indices.push_back(node_text(writer, *operands[k]));
  for (const std::string& index : indices) {
    text += " + index_place(" + constant_text("index_report", first) + ", " +
            constant_text("index_facts", slot) + ", " + index + ")";
    slot += 2;
  }
  return read ? "within(" + constant_text("index_reach", first + 1) + ", " + text + ")" : "(" + text + ")";
}

[[gnu::cold]] GNP_INLINE std::string write_places(source_writer& writer, const node_source& node) {
  return place_text(writer, node.operands, node.operand_count, false);
}

[[gnu::cold]] GNP_INLINE std::string write_gathered(source_writer& writer, const node_source& node) {
  writer.uses(node.type);
  const std::string memory = writer.table(node.type);
  return "(" + memory + "[" + place_text(writer, node.operands + 1, node.operand_count - 1, true) + "])";
}

template <std::size_t Count, class... Index>
inline constexpr node_source source_of<places<Count, Index...>>{
    write_places, dtype::int64, {}, nullptr, false, sources_of<position, index_rules<Count>, Index...>,
    2 + Count};
template <bool Writable, class T, std::size_t Count, class... Index>
inline constexpr node_source source_of<gathered<Writable, T, Count, Index...>>{
    write_gathered, dtype_of<T>, {},
    nullptr,        false,       sources_of<table<T>, position, index_rules<Count>, Index...>,
    3 + Count};

}}}  // namespace gnp::GNP_ABI::detail
