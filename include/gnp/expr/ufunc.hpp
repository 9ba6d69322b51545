// SPDX-License-Identifier: MIT
// Ufuncs: elementwise functions with one body that runs on the host and, as text, on the GPU.
#pragma once

#include <gnp/array/spread.hpp>
#include <gnp/core/number.hpp>
#include <gnp/core/ufunc_options.hpp>
#include <gnp/expr/expression.hpp>
#include <gnp/expr/macros.hpp>
#include <gnp/expr/user_ufunc.hpp>
#include <initializer_list>
#include <tuple>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Converts a scalar to the type in which the ufunc computes. Throws if an integer, or the whole part of a
/// floating-point number that becomes an integer, does not fit.
template <element To, scalar_like From>
constant<To, dtype_of<From>> make_constant(From value, const char* function) {
  if constexpr (is_integer(dtype_of<To>)) require_whole_part_fits<To>(value, function);
  return {scalar::cast<To>(value)};
}

template <class X>
inline constexpr bool is_operand_v =
    (array_like<X> && !is_rolled_v<X>) || scalar_like<X> || std::is_same_v<X, position> || is_constant_v<X>;

/// An operand as a node of an expression that computes in Loop.
template <class Loop, class X>
decltype(auto) node_of(X&& operand, const char* function) {
  if constexpr (scalar_like<std::remove_cvref_t<X>>) {
    return make_constant<Loop>(std::remove_cvref_t<X>(operand), function);
  } else if constexpr (is_deferred_v<std::remove_cvref_t<X>> &&
                       !stays_in_expressions_v<std::remove_cvref_t<X>>) {
    return operand.compute();
  } else {
    return std::forward<X>(operand);
  }
}

template <dtype Loop, class X>
struct node_type {
  using type = X;
};
template <dtype Loop, scalar_like X>
struct node_type<Loop, X> {
  using type = constant<type_of<Loop>, dtype_of<X>>;
};
template <dtype Loop, class X>
  requires(is_deferred_v<X> && !stays_in_expressions_v<X>)
struct node_type<Loop, X> {
  using type = array<typename X::value_type>;
};

template <class Op, class... X>
inline constexpr bool takes_operands = false;
template <class Op, class... X>
  requires(sizeof...(X) == static_cast<std::size_t>(Op::arity) && (is_operand_v<X> && ...))
inline constexpr bool takes_operands<Op, X...> = signature_for<Op, operand_type_of<X>()...>.supported;

/// The type that results from an operation on operands of these types; apply() names it as its result, so that
/// a declaration does not instantiate the body. If the operation does not take them, it is the type of the
/// first operand, so that the error is reported only once.
template <class Op, class... X>
struct application {
  using type = void;
};
template <class Op, class First, class... Rest>
struct application<Op, First, Rest...> {
  using type = std::decay_t<First>;
};
template <class Op, class First, class... Rest>
  requires takes_operands<Op, First, Rest...>
struct application<Op, First, Rest...> {
  static constexpr const auto& signature =
      signature_for<Op, operand_type_of<First>(), operand_type_of<Rest>()...>;
  template <std::size_t... Index>
  static auto of(std::index_sequence<Index...>)
      -> expression<Op, typename node_type<signature.loop[0], First>::type,
                    typename node_type<signature.loop[Index + 1], Rest>::type...>;
  using type = decltype(of(std::index_sequence_for<Rest...>()));
};
/// The same if an operand cannot be part of an expression: distributed/expression.hpp defines it for elements
/// that are distributed over processes, routines/rolled.hpp for rolled arrays.
template <class Op, class... Operands>
struct own_application;
template <class Op, class First, class... Rest>
  requires(has_own_application_v<First> || (has_own_application_v<Rest> || ...))
struct application<Op, First, Rest...> {
  using type = typename own_application<Op, First, Rest...>::type;
};
template <class Op, class... Operands>
using application_t = typename application<Op, std::remove_cvref_t<Operands>...>::type;

template <class First, class... Rest>
First&& first_of(First&& first, Rest&&...) {
  return std::forward<First>(first);
}
inline void first_of() {}

/// Operands that show that gnp's function of this name is meant. They include lists on the host, which apply()
/// refuses with an error message. (Texts do not: many programs have an add() or a power() of a name.)
template <class Operand>
concept operand_or_list = elementwise_like<Operand> || is_host_array_v<Operand> || is_host_vector_v<Operand>;

/// An expression of these operands; temporaries move into it.
template <class Op, class... Operands>
application_t<Op, Operands...> apply(Operands&&... operands) {
  using result = application<Op, std::remove_cvref_t<Operands>...>;
  constexpr bool complete = sizeof...(Operands) == static_cast<std::size_t>(Op::arity);
  static_assert(complete,
                "gnp: wrong number of arguments (a result goes into an array by assignment: y(gnp::ellipsis) = "
                "add(a, b))");
  constexpr bool no_host_array = !(is_host_array_v<std::remove_cvref_t<Operands>> || ...);
  static_assert(
      no_host_array,
      "gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first");
  constexpr bool no_vector = !(is_host_vector_v<std::remove_cvref_t<Operands>> || ...);
  static_assert(
      no_vector,
      "gnp: a std::vector and an array do not mix: bring it to the device with gnp::asarray(...) first");
  constexpr bool on_device = no_host_array && no_vector;
  constexpr bool valid = (is_operand_v<std::remove_cvref_t<Operands>> && ...);
  static_assert(valid || !on_device, "gnp: ufuncs take arrays, expressions and numbers");
  if constexpr (takes_operands<Op, std::remove_cvref_t<Operands>...>) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return typename result::type(std::in_place, node_of<type_of<result::signature.loop[Index]>>(
                                                      std::forward<Operands>(operands), Op::name)...);
    }(std::index_sequence_for<Operands...>());
  } else {
    constexpr bool understood = !complete || !valid;  // otherwise the error has been reported above
    if constexpr (!Op::native) {
      static_assert(understood, "gnp: this function is not defined for these element types");
    } else if constexpr (Op::names_what_gpus_have) {
      static_assert(understood, "gnp: a ufunc's body must return a number");
    }
    return first_of(std::forward<Operands>(operands)...);
  }
}
template <class Op, class... Operands>
  requires(has_own_application_v<std::remove_cvref_t<Operands>> || ...)
application_t<Op, Operands...> apply(Operands&&... operands) {
  return own_application<Op, std::remove_cvref_t<Operands>...>::of(std::forward<Operands>(operands)...);
}

/// The result of an operation on plain numbers, treated as operands of these types.
template <class Op, operand_type... Types, scalar_like... Numbers>
constexpr auto apply_to_numbers_as(const Numbers&... numbers) {
  constexpr auto signature = signature_for<Op, Types...>;
  static_assert(signature.supported, "gnp: this function is not defined for these element types");
  if constexpr (signature.supported) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return scalar::cast<type_of<signature.result>>(Op::apply(
          scalar::cast<body_type_of<signature.loop[Index], signature.halves_as_they_are>>(numbers)...));
    }(std::index_sequence_for<Numbers...>());
  }
}

/// The same, but the type of the result follows from their C++ types, as that of an array follows from its
/// operands.
template <class Op, scalar_like... Numbers>
constexpr auto apply_to_numbers(const Numbers&... numbers) {
  constexpr bool complete = sizeof...(Numbers) == static_cast<std::size_t>(Op::arity);
  static_assert(complete, "gnp: wrong number of arguments");
  if constexpr (complete) return apply_to_numbers_as<Op, operand_type{dtype_of<Numbers>}...>(numbers...);
}

class index_of_update;  // routines/updating.hpp

}  // namespace detail

/// An elementwise function as an object that knows its types: gnp::ufuncs::sin.
template <class Op>
class ufunc {
 public:
  /// Is the function defined for elements of these types?
  template <element... T>
  static constexpr bool supports = detail::signature_for<Op, detail::operand_type{dtype_of<T>}...>.supported;

  /// The element type of the result for arrays of these types.
  template <element... T>
  using result_type = type_of<detail::signature_for<Op, detail::operand_type{dtype_of<T>}...>.result>;

  template <class... Operands>
  detail::application_t<Op, Operands...> operator()(Operands&&... operands) const {
    return detail::apply<Op>(std::forward<Operands>(operands)...);
  }

  // NumPy's methods of ufuncs with two operands, in routines/ufunc_methods.hpp. reduce<R>(x) computes in R.
  template <class R = void, array_like X>
  auto reduce(const X& x, const ufunc_reduce_options& options = {}) const;
  template <class R = void, array_like X>
  auto reduce(const X& x, const axes_t& axis, ufunc_reduce_options options = {}) const;
  template <class R = void, array_like X>
  auto reduce(const X& x, const ufunc_initial_options& options) const;
  template <class R = void, array_like X>
  auto reduce(const X& x, const axes_t& axis, ufunc_initial_options options) const;
  template <class R = void, array_like X>
  auto accumulate(const X& x, const accumulate_options& options = {}) const;
  template <class R = void, array_like X>
  auto accumulate(const X& x, int axis) const;
  template <class R = void, array_like X, class Index>
  auto reduceat(const X& x, const Index& indices, const accumulate_options& options = {}) const;
  template <class R = void, array_like X, class Index>
  auto reduceat(const X& x, const Index& indices, int axis) const;
  template <class R = void, array_like X>
  auto reduceat(const X& x, std::initializer_list<index_t> indices,
                const accumulate_options& options = {}) const;
  template <class R = void, array_like X>
  auto reduceat(const X& x, std::initializer_list<index_t> indices, int axis) const;
  template <class X, class Y>
  auto outer(const X& x, const Y& y) const;
  template <class... At, class V>
  void at(const expression<At...>& selected, const V& values, const at_options& options = {}) const;
  template <element T, class Index, class V>
  void at(const array<T>& x, const Index& index, const V& values, const at_options& options = {}) const;
  template <element T, class V>
  void at(const array<T>& x, std::initializer_list<detail::index_of_update> index, const V& values,
          const at_options& options = {}) const;
};

namespace detail {

/// A user's ufunc with several results: a tuple of expressions, one for each.
template <class Op, int Count>
class ufunc_of_results {
 public:
  template <class... Operands>
  auto operator()(const Operands&... operands) const {
    return [&]<int... Index>(std::integer_sequence<int, Index...>) {
      return std::tuple(apply<part_of_ufunc<Op, Index>>(operands...)...);
    }(std::make_integer_sequence<int, Count>());
  }
};

/// The object through which a user's ufunc is called, one for all files. (The number of results is counted at
/// the definition: inside a class, the members of Op cannot be evaluated before that class is complete.)
template <class Op, int Results>
inline constexpr std::conditional_t<Results == 0, ufunc<Op>, ufunc_of_results<Op, Results>> ufunc_object{};

}  // namespace detail
}}  // namespace gnp::GNP_ABI

// What one of NumPy's ufuncs consists of, besides the code of its body: its name, parameters and body as text.
#define GNP_UFUNC_PARTS(ufunc_name, parameters, ...)                          \
  [[maybe_unused]] static constexpr const char* name = #ufunc_name;           \
  [[maybe_unused]] static constexpr const char* parameter_text = #parameters; \
  [[maybe_unused]] static constexpr const char* body_text = #__VA_ARGS__;     \
  static constexpr int arity = ::gnp::detail::count_parameters(#parameters);

// The function that calls an operation's ufunc. For arrays, argument-dependent look-up finds it wherever a
// function of that name is. For numbers it does not conflict with the standard library's function, which has a
// fixed number of parameters and is therefore preferred if both are visible.
// clang-format off
#define GNP_UFUNC_FUNCTION(function, operation)                                      \
  template <class... Operands>                                                       \
    requires((::gnp::detail::operand_or_list<std::remove_cvref_t<Operands>> || ...)) \
  ::gnp::detail::application_t<operation, Operands...> function(Operands&&... operands) { \
    return ::gnp::detail::apply<operation>(std::forward<Operands>(operands)...);       \
  }                                                                                  \
  template <::gnp::scalar_like... Numbers>                                           \
    requires(sizeof...(Numbers) > 0)                                                 \
  constexpr auto function(const Numbers&... numbers) {                               \
    return ::gnp::detail::apply_to_numbers<operation>(numbers...);                   \
  }

// The forms with NumPy's options. Each of these says what to write in its place.
#define GNP_UFUNC_WITH_OPTIONS(function, operation)                                  \
  template <::gnp::array_like X>                                                     \
  auto function(const X& x, const ::gnp::detail::ufunc_call_options&) {              \
    return ::gnp::detail::apply<operation>(x);                                       \
  }                                                                                  \
  template <class A, class B>                                                        \
    requires(::gnp::array_like<A> || ::gnp::array_like<B>)                           \
  auto function(const A& a, const B& b, const ::gnp::detail::ufunc_call_options&) {  \
    return ::gnp::detail::apply<operation>(a, b);                                    \
  }
// clang-format on

// A variable in a body may have the name of a function that bodies can call.
#if defined(__clang__)
#define GNP_OWN_NAMES_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wshadow\"")
#define GNP_OWN_NAMES_END _Pragma("clang diagnostic pop")
#else
#define GNP_OWN_NAMES_BEGIN
#define GNP_OWN_NAMES_END
#endif

/// GNP_UFUNC(name, (x, y), expression) defines an elementwise function of your own, in a namespace, a
/// function or a class. GNP_UFUNC(name, (x), statement, statement, expression) is the same with several
/// statements. Where the expression is results(a, b), the function has two results: auto [a, b] = name(x);
#define GNP_UFUNC(ufunc_name, parameters, ...) GNP_UFUNC_DEFINED(ufunc_name, parameters, __VA_ARGS__)

// The body is a lambda inside a function whose parameter represents the text, so that two files may have
// different functions of the same name. The object is a reference, so that headers may name it.
#define GNP_UFUNC_DEFINED(ufunc_name, parameters, ...)                 \
  GNP_UFUNC_OPERATION(ufunc_name, ufunc_name, parameters, __VA_ARGS__) \
  [[maybe_unused]] static constexpr auto& ufunc_name =                 \
      ::gnp::detail::ufunc_object<ufunc_name##_ufunc, ::gnp::detail::count_results(#__VA_ARGS__)>;

// The type operation##_ufunc, called ufunc_name in messages and kernels.
#define GNP_UFUNC_OPERATION(operation, ufunc_name, parameters, ...)                                            \
  struct operation##_definition {                                                                              \
    static_assert(                                                                                             \
        ::gnp::detail::names_only_what_gpus_have(#parameters, #__VA_ARGS__),                                   \
        "gnp: a ufunc's body may name its parameters, its own variables and gnp's functions of numbers: "      \
        "nothing else is there on a GPU");                                                                     \
    using key = ::gnp::detail::text_key<::gnp::detail::hash_of(#ufunc_name " " #parameters " " #__VA_ARGS__)>; \
    enum : int { arity = ::gnp::detail::count_parameters(#parameters) };                                       \
    static constexpr ::gnp::detail::ufunc_texts texts() { return {#ufunc_name, #parameters, #__VA_ARGS__}; }   \
    static constexpr auto body(key) {                                                                          \
      GNP_BODY_NAMES                                                                                           \
      GNP_OWN_NAMES_BEGIN                                                                                      \
      return [](GNP_PARAMETERS parameters) { GNP_STATEMENTS(__VA_ARGS__) };                                    \
      GNP_OWN_NAMES_END                                                                                        \
    }                                                                                                          \
  };                                                                                                           \
  using operation##_ufunc =                                                                                    \
      ::gnp::detail::user_ufunc<operation##_definition, typename operation##_definition::key>;

// NumPy's own ufuncs: the same, with one of NumPy's rules for the types. gnp::ufuncs::sin is the object, which
// knows its types; gnp::sin is the function.
#define GNP_NUMPY_UFUNC(ufunc_name, parameters, type_rule, ...)       \
  GNP_NUMPY_OPERATION(ufunc_name, parameters, type_rule, __VA_ARGS__) \
  GNP_NUMPY_NAME(ufunc_name, ufunc_name)
#define GNP_NUMPY_NAME(alias, ufunc_name)                       \
  GNP_UFUNC_WITH_OPTIONS(alias, operations::ufunc_name##_ufunc) \
  GNP_NUMPY_NAME_WITHOUT_OPTIONS(alias, ufunc_name)
#define GNP_NUMPY_NAME_WITHOUT_OPTIONS(alias, ufunc_name)         \
  namespace ufuncs {                                              \
  inline constexpr ufunc<operations::ufunc_name##_ufunc> alias{}; \
  }                                                               \
  GNP_UFUNC_FUNCTION(alias, operations::ufunc_name##_ufunc)       \
  static_assert(operations::ufunc_name##_ufunc::arity > 0)
#define GNP_NUMPY_OPERATION(ufunc_name, parameters, type_rule, ...)                \
  namespace operations {                                                           \
  using namespace scalar;                                                          \
  struct ufunc_name##_ufunc {                                                      \
    GNP_UFUNC_PARTS(ufunc_name, parameters, __VA_ARGS__)                           \
    static constexpr bool native = false;                                          \
    static constexpr auto rule() { return ::gnp::detail::rules::type_rule; }       \
    static constexpr auto apply(GNP_PARAMETERS parameters) { return __VA_ARGS__; } \
  };                                                                               \
  }
