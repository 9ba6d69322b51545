// SPDX-License-Identifier: MIT
// Objects of several types side by side.
#pragma once

#include <cstddef>
#include <gnp/core/config.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <std::size_t Place, class X>
struct packed {
  X value;
};

template <class Sequence, class... X>
struct pack_of;
template <std::size_t... Place, class... X>
struct pack_of<std::index_sequence<Place...>, X...> : packed<Place, X>... {
  /// Calls f with all of them.
  template <class F>
  constexpr decltype(auto) apply(const F& f) const {
    return f(static_cast<const packed<Place, X>&>(*this).value...);
  }
  /// Calls f with each of them, in order.
  template <class F>
  constexpr void for_each(F& f) const {
    (f(static_cast<const packed<Place, X>&>(*this).value), ...);
  }
};

/// A tuple that is an aggregate: pack<A, B>{{a}, {b}}. Every expression has one. With a std::tuple, which
/// checks many properties of its types, an expression would take twice as long to compile.
template <class... X>
using pack = pack_of<std::index_sequence_for<X...>, X...>;

template <std::size_t Place, class X>
constexpr const X& item_of(const packed<Place, X>& p) {
  return p.value;
}

}}}  // namespace gnp::GNP_ABI::detail
