// SPDX-License-Identifier: MIT
// x(index) as a node of an expression: elements of a table, at the places that index arrays give.
#pragma once

#include <gnp/expr/expression.hpp>
#include <gnp/expr/scalar/index.hpp>
#include <gnp/expr/scalar/real.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Memory that an expression reads at places that it computes, relative to the array's first element.
template <element T>
struct table {
  using value_type = T;
  array<T> memory;
  /// It takes no part in broadcasting.
  const shape_t& shape() const {
    static const shape_t none{};
    return none;
  }
};

/// What is known about each of `Count` indices.
template <std::size_t Count>
struct index_rules {
  using value_type = std::int64_t;
  gnp::device where;
  const char* function;
  std::array<scalar::index_facts, Count> facts;
  scalar::index_reach reach{};  // of the table

  static constexpr int slots = 2 + 2 * static_cast<int>(Count);
  /// Writes them for a run that begins now, on this thread.
  void copy_to(unsigned char* to) const {
    scalar::index_report report{nullptr, function};
    if (where.is_cpu()) {
      report.found = &bad_index_on_cpu();
    } else {
#if GNP_HAS_CUDA
      report.found = make_bad_index_of_gpu(where.ordinal());
      if (checks_indices_at_once().load(std::memory_order_relaxed)) indices_were_sent() = true;
#endif
    }
    static_assert(sizeof report == 16 && sizeof reach == 16 && sizeof(scalar::index_facts) == 32);
    std::memcpy(to, &report, sizeof report);
    std::memcpy(to + 16, &reach, sizeof reach);
    std::memcpy(to + 32, facts.data(), sizeof facts);
  }
};

template <std::size_t Count>
inline constexpr bool is_constant_v<index_rules<Count>> = true;

/// The operands keep their types. The result has the first operand's type: for a table, that of its elements.
struct gather_rule {
  template <std::size_t Count>
  constexpr signature<Count> resolve(const operand_types<Count>& operands) const {
    signature<Count> s;
    s.supported = true;
    s.halves_as_they_are = true;
    for (std::size_t i = 0; i < Count; ++i) s.loop[i] = operands[i].type;
    s.result = operands[0].type;
    return s;
  }
};

}  // namespace detail

namespace operations {

/// x(index). Operands: a table (place has none), a position in it, the rules, and the indices. Writable if the
/// elements read are those of an array, which may be assigned to.
template <bool Writable>
struct gather {
  static constexpr const char* name = "index";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};
/// The place itself, or a negative number where an index is out of bounds.
struct place {
  static constexpr const char* name = "index";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};

}  // namespace operations

namespace detail {

template <bool Writable, element T, std::size_t Count, class... Index>
using gathered = expression<operations::gather<Writable>, table<T>, position, index_rules<Count>, Index...>;
template <std::size_t Count, class... Index>
using places = expression<operations::place, position, index_rules<Count>, Index...>;

/// Is there a table in this expression?
template <class X>
inline constexpr bool reads_a_table = false;
template <class T>
inline constexpr bool reads_a_table<table<T>> = true;
template <class Op, class... X>
inline constexpr bool reads_a_table<expression<Op, X...>> = (reads_a_table<X> || ...);

template <>
inline constexpr bool writes_through<operations::gather<true>> = true;

template <element T>
table<T> indexed_operands(const table<T>& t, const shape_t&, const index_arg*, std::size_t) {
  return t;
}
template <std::size_t Count>
index_rules<Count> indexed_operands(const index_rules<Count>& r, const shape_t&, const index_arg*,
                                    std::size_t) {
  return r;
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
