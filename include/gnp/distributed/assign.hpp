// SPDX-License-Identifier: MIT
// A statement on distributed arrays: each process computes the elements that it stores.
#pragma once

#include <gnp/core/layout.hpp>
#include <gnp/distributed/expression.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// The share of this process in a statement: parts of the result that each read one piece of every operand. The
/// parts for which this process has all elements are computed first, while the elements for the others are
/// being transferred.
template <class X>
class share_of_statement {
 public:
  /// `results` says which places each process computes.
  share_of_statement(const X& source, const boxes_of_all& results, int self)
      : here_(brought(source, results, exchange_)) {
    exchange_.run();
    cuts where(results[static_cast<std::size_t>(self)]);
    for_each_leaf(here_, [&](const auto& x) { x.cut(where); });
    const std::vector<box> boxes = where.boxes();
    for (const bool now : {true, false}) {
      for (const box& part : boxes) {
        if (is_here(part) == now) parts_.push_back(part);
      }
    }
  }

  const std::vector<box>& parts() const { return parts_; }
  auto at(const box& part) const { return detail::at(here_, part); }

 private:
  bool is_here(const box& part) const {
    bool all = true;
    for_each_leaf(here_, [&](const auto& x) { all = all && x.is_here(part); });
    return all;
  }

  exchange_of_statement exchange_;
  decltype(brought(std::declval<const X&>(), std::declval<const boxes_of_all&>(),
                   std::declval<exchange_of_statement&>())) here_;
  std::vector<box> parts_;
};

/// The places of an array or a view that each process has.
template <element T>
boxes_of_all places_of_all(const array<T>& x) {
  boxes_of_all all;
  for (int r = 0; r < x.among().size(); ++r) all.push_back(x.of(r));
  return all;
}

template <element T, element U>
bool reads_elsewhere(const array<U>& x, const array<T>& destination) {
  return x.block().block().get() == destination.block().block().get() && !(x.places() == destination.places());
}
/// An array of gnp may be any view of this process's elements.
template <element T, element U>
bool reads_elsewhere(const gnp::array<U>& x, const array<T>& destination) {
  return x.block().get() == destination.block().block().get();
}

/// Does the right side read other elements of what the left side writes?
template <element T, class X>
bool reads_what_it_writes(const array<T>& destination, const X& source) {
  bool reads = false;
  for_each_leaf(source, [&](const auto& x) { reads = reads || reads_elsewhere(x, destination); });
  return reads;
}

template <element T, class X>
void assign_kept(const array<T>& destination, const X& source) {
  const share_of_statement<X> share(source, places_of_all(destination), destination.among().rank());
  if (!reads_what_it_writes(destination, source)) {
    for (const box& part : share.parts()) destination.elements_of(part).assign(share.at(part));
    return;
  }
  // The result must be as if the right side had been computed first. So all parts except the largest are
  // computed into other memory first. Then the largest is computed directly into its place, where gnp itself
  // handles overlaps.
  const auto size_of = [](const box& b) { return gnp::detail::element_count(b.shape(), "assign"); };
  const auto largest = std::max_element(share.parts().begin(), share.parts().end(),
                                        [&](const box& a, const box& b) { return size_of(a) < size_of(b); });
  std::vector<std::pair<const box*, gnp::array<T>>> computed;
  for (const box& part : share.parts()) {
    if (&part == &*largest) continue;
    const gnp::array<T> place = destination.elements_of(part);
    gnp::array<T> elements(place.shape(), place.device(), "assign");
    elements.assign(share.at(part));
    computed.emplace_back(&part, std::move(elements));
  }
  if (!share.parts().empty()) destination.elements_of(*largest).assign(share.at(*largest));
  for (const auto& [part, elements] : computed) destination.elements_of(*part).assign(elements);
}

/// The source without the extra leading axes of size 1, which an assignment drops, as in NumPy.
template <element T>
gnp::array<T> without_leading_ones(const gnp::array<T>& source, int rank) {
  return gnp::detail::without_leading_ones(source, rank);
}
template <element T>
array<T> without_leading_ones(array<T> source, int rank) {
  while (source.ndim() > rank && source.shape()[0] == 1) source = source(0);
  return source;
}

template <element T, class X>
void assign(const array<T>& destination, const X& source, const char* function) {
  if constexpr (gnp::detail::is_spread_v<X>) {
    if (!(source.among() == destination.among()))
      throw distributed_error(std::string(function) + ": arrays of two groups of processes");
  }
  if constexpr (!scalar_like<X>) {
    gnp::detail::check_same_kind<typename X::value_type, T>();
    if (!gnp::detail::broadcasts_to(source.shape(), destination.shape())) {
      shape_t shape = source.shape();
      while (shape.rank() > destination.ndim() && shape[0] == 1) shape.erase(0);
      if (!gnp::detail::broadcasts_to(shape, destination.shape()))
        gnp::detail::throw_no_broadcast(source.shape(), destination.shape(), function);
      return assign(destination, without_leading_ones(source.eval(), destination.ndim()), function);
    }
  }
  if constexpr (array_like<X>) {
    assign_kept(destination, source.eval());
  } else {
    assign_kept(destination, source);
  }
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail

namespace gnp { inline namespace GNP_ABI { namespace distributed {

// In-place operators. They write to the elements, also of an unnamed view: a(0) += 1.
#define GNP_DISTRIBUTED_OPERATOR(symbol, function)      \
  template <element T, detail::source X>                \
  array<T>& operator symbol(array<T>& a, const X & x) { \
    detail::assign(a, gnp::function(a, x), #function);  \
    return a;                                           \
  }                                                     \
  template <element T, detail::source X>                \
  array<T> operator symbol(array<T>&& a, const X & x) { \
    detail::assign(a, gnp::function(a, x), #function);  \
    return a;                                           \
  }
GNP_DISTRIBUTED_OPERATOR(+=, add)
GNP_DISTRIBUTED_OPERATOR(-=, subtract)
GNP_DISTRIBUTED_OPERATOR(*=, multiply)
GNP_DISTRIBUTED_OPERATOR(/=, divide)
#undef GNP_DISTRIBUTED_OPERATOR

}}}  // namespace gnp::GNP_ABI::distributed
