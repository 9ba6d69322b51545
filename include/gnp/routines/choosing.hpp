// SPDX-License-Identifier: MIT
// choose, select and piecewise: one of several arrays for each element.
#pragma once

#include <gnp/routines/creation.hpp>
#include <gnp/routines/indexing.hpp>

namespace gnp { inline namespace GNP_ABI {

struct choose_options {
  by_name only = by_name();
  index_mode mode = "raise";
};

/// For each index the element of that choice: choose(index, {a, b, c}). Everything broadcasts.
template <array_like Index, element T>
array<T> choose(const Index& index, const std::vector<array<T>>& choices, const choose_options& options = {}) {
  if (choices.empty()) throw shape_error("choose: there is nothing to choose from");
  shape_t shape = index.shape();
  for (const array<T>& c : choices) shape = detail::broadcast("choose", shape, c.shape());
  const device where_ = choices[0].device();
  // The index, looked at once, not counted from the end, brought to its range as the mode says.
  const auto number = detail::index_operand(index, where_);
  const auto count = static_cast<index_t>(choices.size());
  scalar::index_facts facts = detail::facts_of_axis(count, 1, 0, detail::outside_of(options.mode, "choose"));
  facts.from_end = 0;
  using places = detail::places<1, std::remove_cvref_t<decltype(number)>>;
  const shape_t own = number.shape();
  const array<std::int64_t> chosen = places(std::in_place, detail::position(own, shape_t(own.size(), 0), 0),
                                            detail::index_rules<1>{where_, "choose", {facts}}, number);
  const array<T> result(shape, where_, "choose");
  result.assign(choices.back());
  for (std::size_t c = 0; c + 1 < choices.size(); ++c)
    result.assign(where(chosen == static_cast<std::int64_t>(c), choices[c], result));
  return result;
}
template <array_like Index, element T>
array<T> choose(const Index& index, std::initializer_list<array<T>> choices,
                const choose_options& options = {}) {
  return choose(index, std::vector<array<T>>(choices), options);
}

/// For each element the choice of the first condition that is true, else the default:
/// select({x < 3, x > 5}, {a, b}, 7).
template <element T, scalar_like Default = T>
auto select(const std::vector<array<bool>>& conditions, const std::vector<array<T>>& choices,
            Default otherwise = Default()) {
  using R = typename decltype(where(conditions[0], choices[0], otherwise))::value_type;
  if (conditions.size() != choices.size() || conditions.empty()) {
    throw shape_error("select: a choice for each condition is wanted, got " + std::to_string(choices.size()) +
                      " and " + std::to_string(conditions.size()));
  }
  shape_t shape;
  for (const array<T>& c : choices) shape = detail::broadcast("select", shape, c.shape());
  for (const array<bool>& c : conditions) shape = detail::broadcast("select", shape, c.shape());
  const array<R> result(shape, choices[0].device(), "select");
  result.assign(otherwise);
  for (std::size_t c = conditions.size(); c-- > 0;) result.assign(where(conditions[c], choices[c], result));
  return result;
}
template <element T, scalar_like Default = T>
auto select(std::initializer_list<array<bool>> conditions, std::initializer_list<array<T>> choices,
            Default otherwise = Default()) {
  return select(std::vector<array<bool>>(conditions), std::vector<array<T>>(choices), otherwise);
}
/// The choices may be numbers, of the type that where(x < 3, -1, 1) has: select({x < 3, x > 5}, {-1, 1}).
template <scalar_like Number, scalar_like Default = Number>
auto select(std::initializer_list<array<bool>> conditions, std::initializer_list<Number> choices,
            Default otherwise = Default()) {
  using T = typename decltype(where(*conditions.begin(), Number(), Number()))::value_type;
  const use_device guard(conditions.size() == 0 ? default_device() : conditions.begin()->device());
  return select(std::vector<array<bool>>(conditions), std::vector<array<T>>(choices.begin(), choices.end()),
                otherwise);
}

namespace detail {

template <class X, class F>
auto piece_of(const X& x, const F& piece) {
  if constexpr (std::invocable<const F&, const X&>) {
    return piece(x);
  } else {
    return piece;
  }
}

}  // namespace detail

/// A function in pieces: where a condition is true its piece, a number or a function of x; of several, the
/// last. One piece more than conditions is for all the rest, which is 0 else: piecewise(x, {x < 0, x >= 0}, -1,
/// sqrt_of). Of x's type.
template <array_like X, class... Piece>
auto piecewise(const X& x, const std::vector<array<bool>>& conditions, const Piece&... pieces) {
  using T = typename X::value_type;
  constexpr std::size_t count = sizeof...(Piece);
  const auto a = x.eval();
  if (count != conditions.size() && count != conditions.size() + 1) {
    throw shape_error("piecewise: with " + std::to_string(conditions.size()) + " conditions, " +
                      std::to_string(conditions.size()) + " or " + std::to_string(conditions.size() + 1) +
                      " pieces are expected, got " + std::to_string(count));
  }
  const array<T> result(a.shape(), a.device(), "piecewise");
  result.fill(T());
  const auto take = [&](const auto& condition, const auto& piece) {
    const auto value = detail::piece_of(a, piece);
    if constexpr (scalar_like<std::remove_cvref_t<decltype(value)>>) {
      result.assign(where(condition, detail::make_constant<T>(value, "piecewise"), result));
    } else {
      result.assign(where(condition, value.template astype<T>(), result));
    }
  };
  // The rest first: what a condition is true for is written after it.
  std::size_t next = 0;
  const auto rest = [&](const auto& piece) {
    if (next++ == conditions.size()) take(array<bool>(full({}, true)), piece);
  };
  (rest(pieces), ...);
  next = 0;
  const auto each = [&](const auto& piece) {
    if (next < conditions.size()) take(conditions[next], piece);
    ++next;
  };
  (each(pieces), ...);
  return result;
}
template <array_like X, class... Piece>
auto piecewise(const X& x, std::initializer_list<array<bool>> conditions, const Piece&... pieces) {
  return piecewise(x, std::vector<array<bool>>(conditions), pieces...);
}

}}  // namespace gnp::GNP_ABI
