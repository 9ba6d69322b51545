// SPDX-License-Identifier: MIT
// From an index to a place in memory. A negative index counts from the end, and no place is outside its axis.
#pragma once

#include <gnp/expr/scalar/text.hpp>
#include <gnp/memory/bad_index.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

using detail::bad_index;
inline const detail::device_text text_bad_index{"bad_index", detail::text_family::base, detail::bad_index_text};

// clang-format off

// What is known about one index: its axis, and what happens if it is outside the axis.
GNP_SCALAR(index_facts, base,
  enum class outside : int { raise, wrap, clip, leave_out, known };
  struct index_facts {
    long long size;
    long long stride;
    long long from_end;
    int axis;
    outside beyond;
  };)

// Which function the index belongs to, and where to record an index that is out of bounds.
GNP_SCALAR(index_report, base,
  struct index_report {
    bad_index* found;
    const char* function;
  };)

// The range of places in a table. Kernels also compute lanes whose results are not used; these must stay within
// the table, too.
GNP_SCALAR(index_reach, base,
  struct index_reach {
    long long first;
    long long last;
  };
  template <class Place> inline Place within(const index_reach& reach, Place place) {
    const Place first = static_cast<Place>(reach.first);
    const Place last = static_cast<Place>(reach.last);
    return place < first ? first : place > last ? last : place;
  })

// clang-format on

// The versions for host and device differ only in the atomic operation. `is_unsigned`: the bits of `index` are
// those of an unsigned number, which may be 2^63 or more.
inline void report_index(const index_report& report, const index_facts& facts, long long index,
                         bool is_unsigned) {
  unsigned nothing = 0;
  const std::atomic_ref state(report.found->state);
  if (!state.compare_exchange_strong(nothing, 1)) return;
  report.found->axis = facts.axis;
  report.found->index = index;
  report.found->is_unsigned = is_unsigned ? 1 : 0;
  report.found->size = facts.size;
  report.found->function = report.function;
  state.store(2);
}
inline const detail::device_text text_report_index{"report_index", detail::text_family::base, R"(
  __noinline__ void report_index(const index_report& report, const index_facts& facts, long long index, bool is_unsigned) {
    if (atomicCAS(&report.found->state, 0u, 1u) != 0u) return;
    report.found->axis = facts.axis;
    report.found->index = index;
    report.found->is_unsigned = is_unsigned ? 1 : 0;
    report.found->size = facts.size;
    report.found->function = report.function;
    __threadfence_system();
    *const_cast<volatile unsigned*>(&report.found->state) = 2u;
  })"};

// clang-format off

// What an index that is to be ignored adds to a place. Sums of these, one for each possible axis of an array,
// do not wrap. A place is below half of this if at least one such index contributes to it.
GNP_SCALAR(nowhere, base, inline constexpr long long nowhere = -0x0400000000000000;)

GNP_SCALAR(index_outside, base,
  inline long long index_outside(const index_report& report, const index_facts& facts, long long index, bool is_unsigned) {
    const bool below = index < 0 && !is_unsigned;
    if (facts.beyond == outside::wrap) {
      if (is_unsigned) { return static_cast<long long>(static_cast<unsigned long long>(index) % static_cast<unsigned long long>(facts.size)) * facts.stride; }
      const long long rest = index % facts.size;
      return (rest < 0 ? rest + facts.size : rest) * facts.stride;
    }
    if (facts.beyond == outside::clip) { return (below ? 0 : facts.size - 1) * facts.stride; }
    report_index(report, facts, index, is_unsigned);
    if (facts.beyond == outside::leave_out) { return nowhere; }
    return (below ? 0 : facts.size - 1) * facts.stride;
  })

// clang-format on

// On a GPU this is a separate function: if it were inlined, this rarely used code would make up most of a
// kernel.
inline long long index_outside_apart(const index_report& report, const index_facts& facts, long long index,
                                     bool is_unsigned) {
  return index_outside(report, facts, index, is_unsigned);
}
inline const detail::device_text text_index_outside_apart{"index_outside_apart", detail::text_family::base, R"(
  __noinline__ long long index_outside_apart(const index_report& report, const index_facts& facts, long long index, bool is_unsigned) {
    return index_outside(report, facts, index, is_unsigned);
  })"};

// clang-format off

// Distance from the axis's first element, in a type with enough bits for the places of all elements of a table.
GNP_SCALAR(index_place, base,
  template <class Place, class OneIndex> inline Place index_place(const index_report& report, const index_facts& facts, OneIndex index) {
    const long long given = static_cast<long long>(index);
    long long i = given;
    if (is_signed_integer<OneIndex>() && i < 0) { i += facts.from_end; }
    if (static_cast<unsigned long long>(i) >= static_cast<unsigned long long>(facts.size)) {
      if (facts.beyond != outside::known) { return static_cast<Place>(index_outside_apart(report, facts, given, !is_signed_integer<OneIndex>())); }
      i = given;
    }
    return static_cast<Place>(i) * static_cast<Place>(facts.stride);
  })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
