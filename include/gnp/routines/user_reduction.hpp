// SPDX-License-Identifier: MIT
// GNP_REDUCTION: user-defined reductions.
#pragma once

#include <gnp/routines/scans.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// "fold_of<T, A, combined_0123456789abcdef<A>>": two reductions in one kernel need two names.
template <std::uint64_t Hash>
struct fold_name {
  static constexpr std::size_t digits = 16;
  static constexpr auto write(std::string_view before, std::string_view after) {
    std::array<char, 64> text{};
    std::size_t at = 0;
    for (const char c : before) text[at++] = c;
    for (std::size_t i = 0; i < digits; ++i) text[at++] = "0123456789abcdef"[Hash >> (60 - 4 * i) & 15];
    for (const char c : after) text[at++] = c;
    return text;
  }
  static constexpr auto name = write("combined_", "");
  static constexpr auto reducer = write("fold_of<T, A, combined_", "<A>>");
};

/// The type in which `finish` gets the number of elements: one that it can divide the combined value by.
template <class A>
using count_for = std::conditional_t<is_complex_v<A>, type_of<real_part_of(dtype_of<A>)>,
                                     std::conditional_t<std::is_floating_point_v<A>, A, double>>;

/// The type that `finish` takes: if it also gets the number of elements, an integer is converted to that
/// number's type.
template <class Finish, class A>
using finished_from = std::conditional_t<Finish::arity == 2 && std::is_integral_v<A>, count_for<A>, A>;

/// The operations of a reduction on numbers of type A, on the CPU.
template <class Combine, class Identity, class Finish, class A>
struct fold_on_cpu {
  static constexpr A combine(A a, A b) { return scalar::cast<A>(Combine::apply(a, b)); }
  static constexpr A identity() {
    return scalar::cast<A>(Identity::apply(scalar::lowest<A>(), scalar::highest<A>()));
  }
  static constexpr auto finish(A a, [[maybe_unused]] double count) {
    if constexpr (Finish::arity == 2) {
      return Finish::apply(static_cast<finished_from<Finish, A>>(a), static_cast<count_for<A>>(count));
    } else {
      return Finish::apply(a);
    }
  }
};

/// The reducer of a GNP_REDUCTION.
template <class Combine, class Identity, class Finish>
struct fold_reducer {
  using names = fold_name<(Combine::hash ^ 3 * Identity::hash) + 5 * Finish::hash>;
  static constexpr const char* text = names::reducer.data();
  template <class T, class A, class P = A>
  using type = scalar::fold_of<T, A, fold_on_cpu<Combine, Identity, Finish, A>>;

  template <class Op, class... X>
  static constexpr operation_source as_text() {
    return {Op::name, Op::parameter_text, Op::body_text, true, Op::template literals_are_weak<X...>};
  }
  /// The type of the result, for values that were combined in A.
  template <class A>
  static constexpr dtype result() {
    if constexpr (Finish::arity == 2) {
      return signature_for<Finish, operand_type{dtype_of<finished_from<Finish, A>>},
                           operand_type{dtype_of<count_for<A>>}>.result;
    } else {
      return signature_for<Finish, operand_type{dtype_of<A>}>.result;
    }
  }
  template <class A>
  static constexpr auto finish_as_text() {
    if constexpr (Finish::arity == 2) {
      return as_text<Finish, finished_from<Finish, A>, count_for<A>>();
    } else {
      return as_text<Finish, A>();
    }
  }
  template <class A>
  static constexpr fold_operations operations{
      names::name.data(),  as_text<Combine, A, A>(), as_text<Identity, A, A>(),
      finish_as_text<A>(), Finish::arity == 2,       dtype_of<count_for<A>>,
      result<A>()};
};

/// The type in which the values of elements of type T are combined.
template <class T>
using folded_in = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, computed_in<T>>;

/// The function object that calls a reduction.
template <class Map, class Combine, class Identity, class Finish>
class user_reduction {
  static_assert(Combine::arity == 2, "gnp: what combines two values of a reduction has two parameters");
  static_assert(
      Finish::arity <= 2,
      "gnp: what finishes a reduction has one parameter, or two: the number of elements is the second");

 public:
  template <class X>
    requires(Map::arity == 1 && array_like<X>)
  auto operator()(const X& x, const reduce_options& options = {}) const {
    return reduced_by(detail::apply<Map>(x), options);
  }
  template <class X>
    requires(Map::arity == 1 && array_like<X>)
  auto operator()(const X& x, const axes_t& axis, reduce_options options = {}) const {
    options.axis = axis;
    return reduced_by(detail::apply<Map>(x), options);
  }
  template <class X, class Y>
    requires(Map::arity == 2 && (array_like<X> || array_like<Y>))
  auto operator()(const X& x, const Y& y, const reduce_options& options = {}) const {
    return reduced_by(detail::apply<Map>(x, y), options);
  }
  template <class X, class Y>
    requires(Map::arity == 2 && (array_like<X> || array_like<Y>))
  auto operator()(const X& x, const Y& y, const axes_t& axis, reduce_options options = {}) const {
    options.axis = axis;
    return reduced_by(detail::apply<Map>(x, y), options);
  }
  template <class X, class Y, class Z>
    requires(Map::arity == 3 && (array_like<X> || array_like<Y> || array_like<Z>))
  auto operator()(const X& x, const Y& y, const Z& z, const reduce_options& options = {}) const {
    return reduced_by(detail::apply<Map>(x, y, z), options);
  }
  template <class X, class Y, class Z>
    requires(Map::arity == 3 && (array_like<X> || array_like<Y> || array_like<Z>))
  auto operator()(const X& x, const Y& y, const Z& z, const axes_t& axis, reduce_options options = {}) const {
    options.axis = axis;
    return reduced_by(detail::apply<Map>(x, y, z), options);
  }

  template <array_like... X>
    requires(sizeof...(X) != Map::arity)
  auto operator()(const X&...) const {
    static_assert(sizeof...(X) == Map::arity, "gnp: wrong number of arguments");
    return array<double>();
  }

 private:
  using tag = fold_reducer<Combine, Identity, Finish>;

  template <class X>
  static auto reduced_by(const X& elements, const reduce_options& options) {
    using T = typename X::value_type;
    using A = folded_in<T>;
    using F = type_of<tag::template result<A>()>;
    using R = std::conditional_t<is_16_bit_float<T> && std::is_same_v<F, float>, T, F>;
    const shape_t shape = elements.shape();
    const axis_set axes = reduced_axes(options.axis, shape.rank(), Map::name);
    return reduce_with<tag, R, A>(elements, options, static_cast<double>(reduced_length(shape, axes)),
                                  Map::name);
  }
};
template <class... Operation>
inline constexpr user_reduction<Operation...> reduction_object{};

}  // namespace detail

/// The running reduction, of each element and all elements before it, along one axis or along the flattened
/// array: scan(x, largest, 0). The elements are combined in order; `finish` is not applied.
template <array_like X, class Map, class Combine, class Identity, class Finish>
  requires(Map::arity == 1)
auto scan(const X& x, const detail::user_reduction<Map, Combine, Identity, Finish>&,
          const scan_options& options = {}) {
  using T = typename decltype(detail::apply<Map>(x))::value_type;
  using A = detail::folded_in<T>;
  using R = std::conditional_t<detail::is_16_bit_float<T>, T, A>;
  return detail::scan_as<detail::fold_reducer<Combine, Identity, Finish>, A, R>(detail::apply<Map>(x), options,
                                                                                "scan");
}
template <array_like X, class Map, class Combine, class Identity, class Finish>
  requires(Map::arity == 1)
auto scan(const X& x, const detail::user_reduction<Map, Combine, Identity, Finish>& operation,
          const axes_t& axis) {
  return scan(x, operation, {.axis = axis});
}

}}  // namespace gnp::GNP_ABI

/// GNP_REDUCTION(name, (x, y), map, (a, b), combine, (r), finish, identity) defines a reduction. It applies
/// `map` to each element, then `combine` to pairs of such values, in any order, until one is left, and `finish`
/// to that one. `identity` is the value for no elements. With (r, n), `finish` also gets the number of
/// elements. `identity` may be `lowest` or `highest`.
#define GNP_REDUCTION(reduction_name, inputs, map, pair, combine, last, finish, identity)         \
  GNP_UFUNC_OPERATION(reduction_name##_map, reduction_name, inputs, map)                          \
  GNP_UFUNC_OPERATION(reduction_name##_combine, reduction_name, pair, combine)                    \
  GNP_UFUNC_OPERATION(reduction_name##_identity, reduction_name, (lowest, highest), identity)     \
  GNP_UFUNC_OPERATION(reduction_name##_finish, reduction_name, last, finish)                      \
  [[maybe_unused]] static constexpr auto& reduction_name =                                        \
      ::gnp::detail::reduction_object<reduction_name##_map_ufunc, reduction_name##_combine_ufunc, \
                                      reduction_name##_identity_ufunc, reduction_name##_finish_ufunc>;
