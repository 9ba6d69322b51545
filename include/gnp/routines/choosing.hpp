// SPDX-License-Identifier: MIT
// choose, select and piecewise: one of several arrays for each element.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/parts.hpp>
#include <gnp/routines/types.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI {

struct choose_options {
  by_name only = by_name();
  index_mode mode = "raise";
};

namespace detail {

template <class X>
concept choice = array_like<X> || scalar_like<X>;

/// Choices in braces with elements of type T. (A class with a constructor from a list comes after a parameter
/// that is a list itself, as that of numbers of several types is.)
template <class T>
struct choices_of {
  choices_of(std::initializer_list<part_in_braces<T>> given) : parts(given) {}
  std::initializer_list<part_in_braces<T>> parts;
};

/// A number among numbers of other types.
struct mixed_number {
  template <plain_number Number>
  constexpr mixed_number(Number number)
      : value(static_cast<double>(number)), floating(std::is_floating_point_v<Number>) {}
  double value;
  bool floating;
};
[[noreturn]] GNP_INLINE void throw_several_integer_types(const char* function) {
  throw dtype_error(std::string(function) + ": the choices are integers of several types: give them one type");
}

/// Accepts any choices in braces, behind any index or conditions: the conversion of these comes last.
struct any_choices {
  struct any_choice {
    template <choice X>
    any_choice(const X&) {}
  };
  any_choices(std::initializer_list<any_choice>) {}
};
struct any_conditions {
  any_conditions(std::initializer_list<array<bool>>) {}
};
#define GNP_CHOICES_OF_ONE_TYPE                                                                          \
  "gnp: choices in braces have elements of one type, with numbers that this type can hold: where types " \
  "differ, say std::tuple(a, n)"

/// Choices in braces as arrays; `where` is the device of those that are numbers or vectors.
template <class T>
std::vector<array<T>> stored_choices(const choices_of<T>& choices, const device& where, const char* function) {
  std::vector<array<T>> stored;
  for (const part_in_braces<T>& choice : choices.parts) {
    stored.emplace_back(choice.shape(), choice.device().value_or(where), function);
    assign(stored.back(), choice, function);
  }
  return stored;
}

/// Numbers of several types as arrays. They are doubles, so one of them must have a point. (A template, so that
/// only files that use it compile it.)
template <class Mixed>
std::vector<array<double>> stored_numbers(std::initializer_list<Mixed> choices, const device& where,
                                          const char* function) {
  const use_device guard(where);
  bool any_floating = false;
  std::vector<array<double>> stored;
  for (const Mixed& choice : choices) {
    any_floating = any_floating || choice.floating;
    stored.emplace_back(choice.value);
  }
  if (!any_floating) throw_several_integer_types(function);
  return stored;
}

/// The type of the result when one of these is chosen for each element; plain numbers are weak.
template <class... Choice>
using chosen_type = type_of<type_of_result(operand_types<sizeof...(Choice)>{operand_type_of<Choice>()...})>;

template <class Choices>
inline constexpr bool is_tuple_of_choices_v = false;
template <class... X>
inline constexpr bool is_tuple_of_choices_v<std::tuple<X...>> = (choice<std::remove_cvref_t<X>> && ...);
template <class Conditions>
inline constexpr bool is_tuple_of_conditions_v = false;
template <array_like... X>
inline constexpr bool is_tuple_of_conditions_v<std::tuple<X...>> =
    (std::is_same_v<typename X::value_type, bool> && ...);

/// A choice as an operand of where() next to other choices; all are of type R.
template <class R, class X>
decltype(auto) choice_in_type(const X& x, const char* function) {
  if constexpr (scalar_like<X>) {
    return make_constant<R>(x, function).value;
  } else {
    return in_type<R>(x);
  }
}

/// One formula: where(condition(0), choices[0], where(condition(1), choices[1], ... otherwise)).
template <class R, std::size_t From, std::size_t Count, class Condition, class Choices, class Otherwise>
auto first_that_is_true(const Condition& condition, const Choices& choices, const Otherwise& otherwise,
                        const char* function) {
  if constexpr (From == Count) {
    return std::remove_cvref_t<decltype(choice_in_type<R>(otherwise, function))>(
        choice_in_type<R>(otherwise, function));
  } else {
    return where(condition(std::integral_constant<std::size_t, From>()),
                 choice_in_type<R>(std::get<From>(choices), function),
                 first_that_is_true<R, From + 1, Count>(condition, choices, otherwise, function));
  }
}

/// `shape` broadcast with the shape of x; a number has no shape.
template <class X>
shape_t broadcast_with(const shape_t& shape, const X& x, const char* function) {
  if constexpr (scalar_like<X>) {
    return shape;
  } else {
    return broadcast(function, shape, x.shape());
  }
}

/// The number of the choice for each element, computed once. Negative numbers do not count from the end; the
/// mode says what happens to numbers out of range.
template <array_like Index>
array<std::int64_t> choice_numbers(const Index& index, index_t count, const device& on,
                                   const choose_options& options) {
  const auto number = index_operand(index, on);
  scalar::index_facts facts = facts_of_axis(count, 1, 0, outside_of(options.mode, "choose"));
  facts.from_end = 0;
  using numbers = places<1, std::remove_cvref_t<decltype(number)>>;
  const shape_t own = number.shape();
  return numbers(std::in_place, position(own, shape_t(own.size(), 0), 0), index_rules<1>{on, "choose", {facts}},
                 number);
}

[[noreturn]] GNP_INLINE void throw_select_counts(std::size_t choices, std::size_t conditions) {
  throw shape_error("select: each condition needs one choice, got " + std::to_string(choices) + " and " +
                    std::to_string(conditions));
}

}  // namespace detail

/// For each index, the element of the choice with that number: choose(index, {a, b, c}). Everything broadcasts.
template <array_like Index, element T>
array<T> choose(const Index& index, const std::vector<array<T>>& choices, const choose_options& options = {}) {
  if (choices.empty()) throw shape_error("choose: there is nothing to choose from");
  shape_t shape = index.shape();
  for (const array<T>& c : choices) shape = detail::broadcast("choose", shape, c.shape());
  const device where_ = choices[0].device();
  const array<std::int64_t> chosen =
      detail::choice_numbers(index, static_cast<index_t>(choices.size()), where_, options);
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

/// Choices that are numbers: choose(index, {10, 20, 30}).
template <array_like Index, scalar_like Number>
auto choose(const Index& index, std::initializer_list<Number> choices, const choose_options& options = {}) {
  using T = std::conditional_t<std::is_integral_v<Number> && std::is_signed_v<Number>, std::int64_t, Number>;
  const use_device guard(index.device());
  std::vector<array<T>> numbers;
  for (const Number choice : choices) numbers.push_back(array<T>(static_cast<T>(choice)));
  return choose(index, numbers, options);
}

/// Choices that lie along the first axis of an array, read in one pass.
template <array_like Index, array_like Choices>
auto choose(const Index& index, const Choices& choices, const choose_options& options = {}) {
  using T = typename Choices::value_type;
  array<T> from = choices.eval();
  if (from.ndim() == 0) throw shape_error("choose: the choices lie along the first axis, got shape ()");
  shape_t one = from.shape();
  one.erase(0);
  const int rank = detail::broadcast("choose", index.shape(), one).rank();
  array<std::int64_t> chosen = detail::choice_numbers(index, from.shape()[0], from.device(), options);
  while (from.ndim() <= rank) from = expand_dims(from, 1);
  while (chosen.ndim() <= rank) chosen = expand_dims(chosen, 0);
  return array<T>(detail::along_axis<false>(from, chosen, 0, "choose"))(0);
}

/// The indices in braces: choose({0, 1, 1}, x).
template <array_like Choices>
auto choose(detail::listed_indices index, const Choices& choices, const choose_options& options = {}) {
  const use_device guard(choices.device());
  return choose(asarray(detail::index_numbers(index, "choose")), choices, options);
}

template <scalar_like Number>
auto choose(detail::listed_indices index, std::initializer_list<Number> choices,
            const choose_options& options = {}) {
  return choose(asarray(detail::index_numbers(index, "choose")), choices, options);
}

/// Choices that are numbers of several types: choose(index, {1, 0.5}).
template <array_like Index>
array<double> choose(const Index& index, std::initializer_list<detail::mixed_number> choices,
                     const choose_options& options = {}) {
  return choose(index, detail::stored_numbers(choices, index.device(), "choose"), options);
}

/// Catches all other braces, so that the compiler's message says what is wrong.
template <class Index, element T>
array<double> choose(const detail::one_element<Index, T>&, detail::any_choices, const choose_options& = {}) {
  static_assert(!array_like<Index>, GNP_CHOICES_OF_ONE_TYPE);
  return {};
}

/// Choices that are formulas, numbers and arrays of several types, in one pass: choose(index, std::tuple(a + 1,
/// 0)).
template <array_like Index, class... Choice>
  requires detail::is_tuple_of_choices_v<std::tuple<Choice...>>
auto choose(const Index& index, const std::tuple<Choice...>& choices, const choose_options& options = {}) {
  constexpr std::size_t count = sizeof...(Choice);
  static_assert(count > 0, "gnp: there is nothing to choose from");
  using R = detail::chosen_type<std::remove_cvref_t<Choice>...>;
  shape_t shape = index.shape();
  std::apply([&](const auto&... c) { ((shape = detail::broadcast_with(shape, c, "choose")), ...); }, choices);
  const array<std::int64_t> chosen = detail::choice_numbers(index, count, index.device(), options);
  const auto is_chosen = [&](auto number) { return chosen == static_cast<std::int64_t>(number()); };
  const array<R> result(shape, index.device(), "choose");
  result.assign(
      detail::first_that_is_true<R, 0, count - 1>(is_chosen, choices, std::get<count - 1>(choices), "choose"));
  return result;
}

namespace detail {

/// The type of select's default if none is given: NumPy's default is the number 0, which converts bools to
/// integers.
template <class T>
using zero_of = std::conditional_t<std::is_same_v<T, bool>, int, T>;

}  // namespace detail

/// For each element, the choice that belongs to the first true condition, otherwise the default, which may be
/// an array, too: select({x < 3, x > 5}, {a, b}, 7).
template <element T, detail::choice Default = detail::zero_of<T>>
auto select(const std::vector<array<bool>>& conditions, const std::vector<array<T>>& choices,
            const Default& otherwise = Default()) {
  using R = detail::chosen_type<array<T>, Default>;
  if (conditions.size() != choices.size() || conditions.empty())
    detail::throw_select_counts(choices.size(), conditions.size());
  shape_t shape = detail::broadcast_with({}, otherwise, "select");
  for (const array<T>& c : choices) shape = detail::broadcast("select", shape, c.shape());
  for (const array<bool>& c : conditions) shape = detail::broadcast("select", shape, c.shape());
  const array<R> result(shape, choices[0].device(), "select");
  detail::assign(result, otherwise, "select");
  for (std::size_t c = conditions.size(); c-- > 0;) result.assign(where(conditions[c], choices[c], result));
  return result;
}
template <element T, detail::choice Default = detail::zero_of<T>>
auto select(std::initializer_list<array<bool>> conditions, std::initializer_list<array<T>> choices,
            const Default& otherwise = Default()) {
  return select(std::vector<array<bool>>(conditions), std::vector<array<T>>(choices), otherwise);
}
/// Choices that are numbers. They have the type that where(x < 3, -1, 1) has, and beside an array as the
/// default they are weak: select({x < 3, x > 5}, {-1, 1}), select({x < 0, x > 255}, {0, 255}, x).
template <scalar_like Number, detail::choice Default = Number>
auto select(std::initializer_list<array<bool>> conditions, std::initializer_list<Number> choices,
            const Default& otherwise = Default()) {
  const use_device guard(conditions.size() == 0 ? default_device() : conditions.begin()->device());
  if constexpr (scalar_like<Default>) {
    using T = typename decltype(where(*conditions.begin(), Number(), Number()))::value_type;
    return select(std::vector<array<bool>>(conditions), std::vector<array<T>>(choices.begin(), choices.end()),
                  otherwise);
  } else {
    using R = detail::chosen_type<Number, Default>;
    std::vector<array<R>> numbers;
    for (const Number choice : choices)
      numbers.push_back(array<R>(detail::make_constant<R>(choice, "select").value));
    return select(std::vector<array<bool>>(conditions), numbers, otherwise);
  }
}

/// Choices that are numbers of several types: select({x < 3, x > 5}, {1, 0.5}).
template <detail::choice Default = double>
auto select(std::initializer_list<array<bool>> conditions, std::initializer_list<detail::mixed_number> choices,
            const Default& otherwise = Default()) {
  const device where = conditions.size() == 0 ? default_device() : conditions.begin()->device();
  const auto numbers = detail::stored_numbers(choices, where, "select");
  if constexpr (scalar_like<Default>) {
    return select(std::vector<array<bool>>(conditions), numbers, otherwise);
  } else {
    using R = detail::chosen_type<double, Default>;
    return select(std::vector<array<bool>>(conditions), std::vector<array<R>>(numbers.begin(), numbers.end()),
                  otherwise);
  }
}

/// Catches all other braces, so that the compiler's message says what is wrong.
template <detail::choice Default = int>
array<double> select(detail::any_conditions, detail::any_choices, const Default& = Default()) {
  static_assert(!detail::choice<Default>, GNP_CHOICES_OF_ONE_TYPE);
  return {};
}

/// Choices that are formulas, numbers and arrays of several types, and conditions that are formulas, all in one
/// pass: select(std::tuple(x < 3, x > 5), std::tuple(-x, x * x), 42).
template <class... Condition, class... Choice, detail::choice Default = int>
  requires detail::is_tuple_of_choices_v<std::tuple<Choice...>>
auto select(const std::tuple<Condition...>& conditions, const std::tuple<Choice...>& choices,
            const Default& otherwise = Default()) {
  static_assert(detail::is_tuple_of_conditions_v<std::tuple<std::remove_cvref_t<Condition>...>>,
                "gnp: select's conditions are arrays or formulas of bool");
  static_assert(sizeof...(Condition) == sizeof...(Choice) && sizeof...(Choice) > 0,
                "gnp: select takes a choice for each condition");
  using R = detail::chosen_type<std::remove_cvref_t<Choice>..., Default>;
  const auto condition = [&](auto number) -> decltype(auto) { return std::get<number()>(conditions); };
  return array<R>(detail::first_that_is_true<R, 0, sizeof...(Choice)>(condition, choices, otherwise, "select"));
}
template <class... Choice, detail::choice Default = int>
  requires detail::is_tuple_of_choices_v<std::tuple<Choice...>>
auto select(const std::vector<array<bool>>& conditions, const std::tuple<Choice...>& choices,
            const Default& otherwise = Default()) {
  constexpr std::size_t count = sizeof...(Choice);
  if (conditions.size() != count || count == 0) detail::throw_select_counts(count, conditions.size());
  using R = detail::chosen_type<std::remove_cvref_t<Choice>..., Default>;
  const auto condition = [&](auto number) -> const array<bool>& { return conditions[number()]; };
  return array<R>(detail::first_that_is_true<R, 0, count>(condition, choices, otherwise, "select"));
}
template <class... Choice, detail::choice Default = int>
  requires detail::is_tuple_of_choices_v<std::tuple<Choice...>>
auto select(std::initializer_list<array<bool>> conditions, const std::tuple<Choice...>& choices,
            const Default& otherwise = Default()) {
  return select(std::vector<array<bool>>(conditions), choices, otherwise);
}

// Choices in braces of several C++ types with elements of one type, as an array and a formula are, with numbers
// among them: select({x < 0, x > 1}, {-x, 1}). A template cannot deduce the element type there, so each of
// them has overloads of its own. Each choice is stored first; those of a std::tuple are computed in one pass.
#define GNP_CHOOSING_OF(T)                                                                                    \
  template <array_like Index>                                                                                 \
  array<T> choose(const Index& index, detail::choices_of<T> choices, const choose_options& options = {}) {    \
    return choose(index, detail::stored_choices(choices, index.device(), "choose"), options);                 \
  }                                                                                                           \
  template <class Nothing = void>                                                                             \
  array<T> choose(detail::listed_indices index, detail::choices_of<T> choices,                                \
                  const choose_options& options = {}) {                                                       \
    const auto stored = detail::stored_choices(detail::on_use<Nothing>(choices), default_device(), "choose"); \
    const use_device guard(stored.empty() ? default_device() : stored[0].device());                           \
    return choose(asarray(detail::index_numbers(index, "choose")), stored, options);                          \
  }                                                                                                           \
                                                                                                              \
  template <detail::choice Default = detail::zero_of<T>>                                                      \
  auto select(std::initializer_list<array<bool>> conditions, detail::choices_of<T> choices,                   \
              const Default& otherwise = Default()) {                                                         \
    const device where = conditions.size() == 0 ? default_device() : conditions.begin()->device();            \
    return select(std::vector<array<bool>>(conditions), detail::stored_choices(choices, where, "select"),     \
                  otherwise);                                                                                 \
  }
GNP_FOR_EACH_ELEMENT_TYPE(GNP_CHOOSING_OF)
#undef GNP_CHOOSING_OF

namespace detail {

template <class X, class F>
auto piece_of(const X& x, const F& piece) {
  if constexpr (std::invocable<const F&, const X&>) {
    return piece(x);
  } else {
    return piece;
  }
}

GNP_INLINE void require_pieces(std::size_t pieces, std::size_t conditions) {
  if (pieces == conditions || pieces == conditions + 1) return;
  throw shape_error("piecewise: with " + std::to_string(conditions) + " conditions, " +
                    std::to_string(conditions) + " or " + std::to_string(conditions + 1) +
                    " pieces are expected, got " + std::to_string(pieces));
}

GNP_INLINE void require_conditions_fit(const shape_t& shape, const std::vector<array<bool>>& conditions) {
  for (const array<bool>& condition : conditions) {
    if (broadcasts_to(condition.shape(), shape)) continue;
    throw shape_error("piecewise: a condition of shape " + to_string(condition.shape()) +
                      " does not fit an array of shape " + to_string(shape));
  }
}

}  // namespace detail

/// A function defined in pieces. Where a condition is true, the result is that of its piece, which is a number
/// or a function of x. If several conditions are true, the last one counts. With one more piece than
/// conditions, the extra piece is for all other elements, which are 0 otherwise: piecewise(x, {x < 0, x >= 0},
/// -1, sqrt_of). The result has x's type.
template <array_like X, class... Piece>
auto piecewise(const X& x, const std::vector<array<bool>>& conditions, const Piece&... pieces) {
  using T = typename X::value_type;
  const auto a = x.eval();
  detail::require_pieces(sizeof...(Piece), conditions.size());
  detail::require_conditions_fit(a.shape(), conditions);
  const array<T> result(a.shape(), a.device(), "piecewise");
  result.fill(T());
  const auto take = [&](const auto& condition, const auto& piece) {
    const auto value = detail::piece_of(a, piece);
    if constexpr (scalar_like<std::remove_cvref_t<decltype(value)>>) {
      detail::assign(result, where(condition, detail::make_constant<T>(value, "piecewise"), result),
                     "piecewise");
    } else {
      detail::assign(result, where(condition, value.template astype<T>(), result), "piecewise");
    }
  };
  // The piece for all other elements is written first, and the pieces of true conditions overwrite it.
  std::size_t next = 0;
  const auto rest = [&](const auto& piece) {
    if (next++ == conditions.size())
      take(detail::filled<bool>(shape_t{}, true, a.device(), "piecewise"), piece);
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
/// Pieces that are numbers may be a list, too: piecewise(x, {x < 0, x >= 0}, {-1, 1}).
template <array_like X>
auto piecewise(const X& x, const std::vector<array<bool>>& conditions, std::initializer_list<number> pieces) {
  using T = typename X::value_type;
  detail::require_pieces(pieces.size(), conditions.size());
  detail::require_conditions_fit(x.shape(), conditions);
  const auto piece = [&](std::size_t i) { return detail::number_as<T>(pieces.begin()[i], "piecewise"); };
  const T rest = pieces.size() > conditions.size() ? piece(conditions.size()) : T();
  const array<T> result = detail::filled<T>(x.shape(), rest, x.device(), "piecewise");
  for (std::size_t i = 0; i < conditions.size(); ++i)
    detail::assign(result, where(conditions[i], piece(i), result), "piecewise");
  return result;
}
template <array_like X>
auto piecewise(const X& x, std::initializer_list<array<bool>> conditions,
               std::initializer_list<number> pieces) {
  return piecewise(x, std::vector<array<bool>>(conditions), pieces);
}

}}  // namespace gnp::GNP_ABI

#undef GNP_CHOICES_OF_ONE_TYPE
