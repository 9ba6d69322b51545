// SPDX-License-Identifier: MIT
// How a gather runs within an expression: on the CPU as a reader, on a GPU as text.
#pragma once

#include <atomic>
#include <gnp/cpu/threads.hpp>
#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <gnp/expr/gather.hpp>
#include <gnp/memory/watched_work.hpp>
#include <limits>
#ifdef GNP_READS_BODIES
#include <gnp/exec/text/gather_source.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The range of an array's elements, relative to its first one.
template <class T>
element_span reach_of(const array<T>& a) {
  return span_of(a.ndim(), a.shape().begin(), a.element_strides().begin());
}

/// Are these the places of elements on the CPU, one for each index? Then a loop over the indices is enough.
template <class Index>
bool are_single_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index) {
  if (!rules.where.is_cpu() || !(index.shape() == at.extent) || !index.is_contiguous() || work_is_watched())
    return false;
  return std::all_of(at.strides.begin(), at.strides.end(), [](index_t stride) { return stride == 0; });
}
/// And are they so few that the loop is done before a job would begin?
template <class Index>
bool are_few_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index) {
  return index.size() <= cpu_grain && are_single_places_on_cpu(at, rules, index);
}

/// How many places are found at a time, before the elements there are read or written. Finding them is then a
/// loop that vectorises, and the processor waits for several elements at the same time.
inline constexpr index_t places_at_once = 256;

/// The places that these indices mean. Returns false if an index is outside its axis, which is decided for all
/// of them together, without branches; the places are not right then.
template <class Index>
GNP_LOOP bool find_few_places(std::int64_t* places, std::int64_t first, const scalar::index_facts& facts,
                              const Index* indices, index_t count) {
  const auto start = static_cast<std::uint64_t>(first);
  const auto size = static_cast<std::uint64_t>(facts.size);
  const auto stride = static_cast<std::uint64_t>(facts.stride);
  const std::int64_t from_end = scalar::is_signed_integer<Index>() ? facts.from_end : 0;
  std::uint64_t signs = 0;
  const auto find_each = [&](auto times_stride) {
    for (index_t k = 0; k < count; ++k) {
      const auto given = static_cast<std::int64_t>(indices[k]);
      const auto i = static_cast<std::uint64_t>(given + (from_end & (given >> 63)));
      signs |= i | (size - 1 - i);
      places[k] = static_cast<std::int64_t>(start + times_stride(i));
    }
  };
  if (stride == 1) {
    find_each([](std::uint64_t i) { return i; });
  } else {
    find_each([stride](std::uint64_t i) { return i * stride; });
  }
  return signs >> 63 == 0;
}

/// f(i, place of element i) for each i from begin to end. An index that is out of bounds is noted. Are all
/// indices within their axis?
template <class Index, class F>
bool for_some_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index,
                            index_t begin, index_t end, const F& f) {
  const scalar::index_report report{&bad_index_on_cpu(), rules.function};
  const scalar::index_facts& facts = rules.facts[0];
  std::int64_t places[places_at_once];
  bool are_within = true;
  for (index_t done = begin; done < end; done += places_at_once) {
    const index_t here = (std::min)(places_at_once, end - done);
    const Index* const indices = index.data() + done;
    if (!find_few_places(places, at.first, facts, indices, here)) {
      are_within = false;
      for (index_t k = 0; k < here; ++k)
        places[k] = at.first + scalar::index_place<long long>(report, facts, indices[k]);
    }
    for (index_t k = 0; k < here; ++k) f(done + k, places[k]);
  }
  return are_within;
}
/// f(i, place of element i) for each of them, one after the other.
template <class Index, class F>
void for_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index, const F& f) {
  for_some_places_on_cpu(at, rules, index, 0, index.size(), f);
  throw_bad_index_on_cpu();
}
/// The same where all indices are within their axis. A processor stores in order: places that were stored first
/// would wait behind the elements that f writes far apart in memory. (A million doubles: 2.4 times as long.)
template <class Index, class F>
void for_places_within_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index,
                              const F& f) {
  const auto start = static_cast<std::uint64_t>(at.first);
  const auto stride = static_cast<std::uint64_t>(rules.facts[0].stride);
  const std::int64_t from_end = scalar::is_signed_integer<Index>() ? rules.facts[0].from_end : 0;
  const Index* const indices = index.data();
  const index_t count = index.size();
  for (index_t k = 0; k < count; ++k) {
    const auto given = static_cast<std::int64_t>(indices[k]);
    const auto i = static_cast<std::uint64_t>(given + (from_end & (given >> 63)));
    f(k, static_cast<index_t>(start + i * stride));
  }
}
/// Throws if one of them is out of bounds. Are all within their axis, so that none is wrapped or clipped?
template <class Index>
bool check_places_on_cpu(const position& at, const index_rules<1>& rules, const array<Index>& index) {
  std::atomic<bool> are_within{true};
  parallel_for(index.size(), cpu_grain, [&](index_t begin, index_t end) {
    if (!for_some_places_on_cpu(at, rules, index, begin, end, [](index_t, index_t) {}))
      are_within.store(false, std::memory_order_relaxed);
  });
  throw_bad_index_on_cpu();
  return are_within.load(std::memory_order_relaxed);
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
        indices{{reader<Index>(from)}...} {
    for (scalar::index_facts& f : facts) {
      if (f.beyond == scalar::outside::known) f.size = (std::numeric_limits<long long>::max)();
    }
  }
  /// Are the elements that the places name in memory one after the other? (The CPU reads whole rows so.)
  bool is_done() const { return first.data == nullptr; }
  std::int64_t operator()(index_t i) const {
    return (first(i) + ... + scalar::index_place<long long>(report, facts[K], item_of<K>(indices)(i)));
  }
  /// f(i, place of element i) for each of them. Where the elements of all indexed axes are one after the other,
  /// several places are found together.
  template <class F>
  __attribute__((always_inline)) void for_each(index_t count, const F& f) const {
    index_t i = 0;
    if (((facts[K].stride == 1) && ...)) {
      constexpr index_t some = 16;
      std::int64_t at[some];
      for (; i + some <= count; i += some) {
        if (find_by_one(i, at)) {
          for (index_t k = 0; k < some; ++k) f(i + k, at[k]);
        } else {
          for (index_t k = i; k < i + some; ++k) f(k, (*this)(k));
        }
      }
    }
    for (std::int64_t at = 0; i < count && find(i, at); ++i) f(i, at);
    for (; i < count; ++i) f(i, (*this)(i));
  }

 private:
  /// The place of element i, if none of its indices is outside its axis; then returns true.
  __attribute__((always_inline)) bool find(index_t i, std::int64_t& place) const {
    auto sum = static_cast<std::uint64_t>(first(i));
    const bool found = (add_inside(facts[K], item_of<K>(indices)(i), sum) && ...);
    place = static_cast<std::int64_t>(sum);
    return found;
  }
  /// The places of some elements from i on, where all strides are 1. Returns false if one of their indices is
  /// outside its axis, which is decided for all of them together, without branches; the places are not right
  /// then.
  template <std::size_t Some>
  __attribute__((always_inline)) bool find_by_one(index_t i, std::int64_t (&places)[Some]) const {
    std::uint64_t signs = 0;
    for (std::size_t k = 0; k < Some; ++k) {
      const index_t at = i + static_cast<index_t>(k);
      auto sum = static_cast<std::uint64_t>(first(at));
      (add_by_one(facts[K], item_of<K>(indices)(at), sum, signs), ...);
      places[k] = static_cast<std::int64_t>(sum);
    }
    return signs >> 63 == 0;
  }
  template <class OneIndex>
  static __attribute__((always_inline)) bool add_inside(const scalar::index_facts& its, OneIndex index,
                                                        std::uint64_t& sum) {
    auto i = static_cast<std::int64_t>(index);
    if (scalar::is_signed_integer<OneIndex>()) i += its.from_end & (i >> 63);
    sum += static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(its.stride);
    return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(its.size);
  }
  /// The highest bit of `signs` is set if the index is outside its axis.
  template <class OneIndex>
  static __attribute__((always_inline)) void add_by_one(const scalar::index_facts& its, OneIndex index,
                                                        std::uint64_t& sum, std::uint64_t& signs) {
    const auto given = static_cast<std::int64_t>(index);
    const std::int64_t from_end = scalar::is_signed_integer<OneIndex>() ? its.from_end : 0;
    const auto i = static_cast<std::uint64_t>(given + (from_end & (given >> 63)));
    signs |= i | (static_cast<std::uint64_t>(its.size) - 1 - i);
    sum += i;
  }
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
  __attribute__((always_inline)) void gather_all(std::int64_t* results, index_t count) const {
    this->for_each(count, [results](index_t i, std::int64_t at) { results[i] = at; });
  }
};
template <std::size_t Count, class... Index>
inline constexpr bool gathers<places<Count, Index...>> = true;

template <bool Writable, class T, std::size_t Count, class... Index>
struct reader<gathered<Writable, T, Count, Index...>> {
  const in_memory<T>* memory;
  place_reader<std::make_index_sequence<Count>, Index...> place;

  explicit reader(reader_inputs& from) : memory(static_cast<const in_memory<T>*>(*from.input++)), place(from) {}
  T operator()(index_t i) const { return element_at(place.is_done() ? i : place(i)); }
  __attribute__((always_inline)) void gather_all(in_memory<T>* results, index_t count) const {
    if (place.is_done()) {
      for (index_t i = 0; i < count; ++i) results[i] = element_at(i);
      return;
    }
    place.for_each(count, [=, this](index_t i, std::int64_t at) { results[i] = element_at(at); });
  }

 private:
  T element_at(std::int64_t at) const {
    if constexpr (std::is_same_v<T, bool>) {
      return memory[at] != 0;
    } else {
      return memory[at];
    }
  }
};
template <bool Writable, class T, std::size_t Count, class... Index>
inline constexpr bool gathers<gathered<Writable, T, Count, Index...>> = true;

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
