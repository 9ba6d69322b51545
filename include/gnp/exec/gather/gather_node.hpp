// SPDX-License-Identifier: MIT
// How a gather runs within an expression: on the CPU as a reader, on a GPU as text.
#pragma once

#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <gnp/expr/gather.hpp>
#include <gnp/memory/watched_work.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/text/gather_source.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The range of an array's elements, relative to its first one.
template <class T>
element_span reach_of(const array<T>& a) {
  return span_of(a.ndim(), a.shape().begin(), a.element_strides().begin());
}

/// Are these the places of a few elements on the CPU, one for each index? Then a loop is done before a job
/// would begin.
template <class Index>
bool are_few_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index) {
  if (!rules.where.is_cpu() || index.size() > cpu_grain || !(index.shape() == at.extent) ||
      !index.is_contiguous() || work_is_watched())
    return false;
  return std::all_of(at.strides.begin(), at.strides.end(), [](index_t stride) { return stride == 0; });
}

/// f(i, place of element i) for each of them.
template <class Index, class F>
void for_few_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index,
                           const F& f) {
  const scalar::index_report report{&bad_index_on_cpu(), rules.function};
  const Index* const indices = index.data();
  const index_t count = index.size();
  for (index_t i = 0; i < count; ++i)
    f(i, at.first + scalar::index_place<long long>(report, rules.facts[0], indices[i]));
  throw_bad_index_on_cpu();
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

/// The place of element i: its offset plus the contribution of each index.
template <class Sequence, class... Index>
struct place_reader;
template <std::size_t... K, class... Index>
struct place_reader<std::index_sequence<K...>, Index...> {
  reader<position> first;
  scalar::index_report report;
  std::array<scalar::index_facts, sizeof...(K)> facts;
  pack<reader<Index>...> indices;

  explicit place_reader(reader_inputs& from)
      : first(from),
        report(read_rules<scalar::index_report>(from, 2)),
        facts(read_rules<std::array<scalar::index_facts, sizeof...(K)>>(from, 2 * sizeof...(K))),
        indices{{reader<Index>(from)}...} {}
  /// Are the elements that the places name in memory one after the other? (The CPU reads whole rows so.)
  bool is_done() const { return first.data == nullptr; }
  std::int64_t operator()(index_t i) const {
    return (first(i) + ... + scalar::index_place<long long>(report, facts[K], item_of<K>(indices)(i)));
  }

 private:
  /// Reads what index_rules::copy_to() wrote.
  template <class Rules>
  static Rules read_rules(reader_inputs& from, std::size_t slots) {
    Rules rules;
    std::memcpy(&rules, from.constant, sizeof rules);
    from.constant += constant_slot * slots;
    return rules;
  }
};

template <std::size_t Count, class... Index>
struct reader<places<Count, Index...>> : place_reader<std::make_index_sequence<Count>, Index...> {
  using place_reader<std::make_index_sequence<Count>, Index...>::place_reader;
};

template <bool Writable, class T, std::size_t Count, class... Index>
struct reader<gathered<Writable, T, Count, Index...>> {
  const in_memory<T>* memory;
  place_reader<std::make_index_sequence<Count>, Index...> place;

  explicit reader(reader_inputs& from) : memory(static_cast<const in_memory<T>*>(*from.input++)), place(from) {}
  T operator()(index_t i) const {
    const in_memory<T> value = memory[place.is_done() ? i : place(i)];
    if constexpr (std::is_same_v<T, bool>) {
      return value != 0;
    } else {
      return value;
    }
  }
};

GNP_DECLARED std::string write_places(source_writer& writer, const node_source& node);
GNP_DECLARED std::string write_gathered(source_writer& writer, const node_source& node);

template <std::size_t Count, class... Index>
inline constexpr node_source source_of<places<Count, Index...>>{
    .write = write_places,
    .type = dtype::int64,
    .operands = sources_of<position, index_rules<Count>, Index...>,
    .operand_count = 2 + Count,
    .inputs = input_count<places<Count, Index...>>,
    .numbers = constant_count<places<Count, Index...>>};
template <bool Writable, class T, std::size_t Count, class... Index>
inline constexpr node_source source_of<gathered<Writable, T, Count, Index...>>{
    .write = write_gathered,
    .type = dtype_of<T>,
    .operands = sources_of<table<T>, position, index_rules<Count>, Index...>,
    .operand_count = 3 + Count,
    .inputs = input_count<gathered<Writable, T, Count, Index...>>,
    .numbers = constant_count<gathered<Writable, T, Count, Index...>>,
    .indices = Count};

}}}  // namespace gnp::GNP_ABI::detail
