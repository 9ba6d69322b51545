// SPDX-License-Identifier: MIT
// Ufuncs: elementwise functions with one body that runs on the host and, as text, on the GPU.
#pragma once

#include <gnp/expr/expression.hpp>
#include <gnp/expr/macros.hpp>
#include <gnp/expr/user_ufunc.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Turns a scalar into the type the ufunc computes in; throws where an integer does not fit (NumPy 2's rule).
template <element To, scalar_like From>
constant<To, dtype_of<From>> make_constant(From value, const char* function) {
  if constexpr (is_integer(dtype_of<To>) && is_integer(dtype_of<From>)) {
    if (!std::in_range<type_of<dtype_of<To>>>(static_cast<type_of<dtype_of<From>>>(value))) {
      throw dtype_error(std::string(function) + ": the integer " + std::to_string(value) +
                        " is out of bounds for " + name(dtype_of<To>));
    }
  }
  return {scalar::cast<To>(value)};
}

template <class X>
inline constexpr bool is_operand_v =
    array_like<X> || scalar_like<X> || std::is_same_v<X, position> || is_constant_v<X>;

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

  /// An expression of these operands; temporaries move into it. What is wrong is said once: then the first
  /// operand stands in for the result.
  template <class... Operands>
  auto operator()(Operands&&... operands) const {
    constexpr bool complete = sizeof...(Operands) == static_cast<std::size_t>(Op::arity);
    static_assert(complete, "gnp: wrong number of arguments");
    constexpr bool on_device = !(detail::is_host_array_v<std::remove_cvref_t<Operands>> || ...);
    static_assert(
        on_device,
        "gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first");
    constexpr bool valid = (detail::is_operand_v<std::remove_cvref_t<Operands>> && ...);
    static_assert(valid || !on_device, "gnp: ufuncs take arrays, expressions and numbers");
    if constexpr (complete && valid) {
      constexpr auto& signature =
          detail::signature_for<Op, detail::operand_type_of<std::remove_cvref_t<Operands>>()...>;
      if constexpr (!Op::native) {
        static_assert(signature.supported, "gnp: this function is not defined for these element types");
      } else if constexpr (Op::names_what_gpus_have) {
        static_assert(signature.supported, "gnp: a ufunc's body must return a number");
      }
      if constexpr (signature.supported) {
        return apply<signature>(std::make_index_sequence<sizeof...(Operands)>(),
                                std::forward<Operands>(operands)...);
      } else {
        return std::get<0>(std::tuple(std::forward<Operands>(operands)...));
      }
    } else {
      return std::get<0>(std::tuple(std::forward<Operands>(operands)...));
    }
  }

 private:
  template <auto& Signature, std::size_t... Index, class... Operands>
  static auto apply(std::index_sequence<Index...>, Operands&&... operands) {
    return make_expression(node<type_of<Signature.loop[Index]>>(std::forward<Operands>(operands))...);
  }

  template <class... Nodes>
  static auto make_expression(Nodes&&... nodes) {
    return expression<Op, std::remove_cvref_t<Nodes>...>(std::in_place, std::forward<Nodes>(nodes)...);
  }

  template <class Loop, class X>
  static decltype(auto) node(X&& operand) {
    if constexpr (scalar_like<std::remove_cvref_t<X>>) {
      return detail::make_constant<Loop>(std::remove_cvref_t<X>(operand), Op::name);
    } else if constexpr (detail::is_deferred_v<std::remove_cvref_t<X>>) {
      return operand.compute();
    } else {
      return std::forward<X>(operand);
    }
  }
};

namespace detail {

/// The object that a user's ufunc is called by, one for all files.
template <class Op>
inline constexpr ufunc<Op> ufunc_object{};

}  // namespace detail
}}  // namespace gnp::GNP_ABI

// What one of NumPy's is made of besides its body as code: its name, its parameters and body as text.
#define GNP_UFUNC_PARTS(ufunc_name, parameters, ...)                          \
  [[maybe_unused]] static constexpr const char* name = #ufunc_name;           \
  [[maybe_unused]] static constexpr const char* parameter_text = #parameters; \
  [[maybe_unused]] static constexpr const char* body_text = #__VA_ARGS__;     \
  static constexpr int arity = ::gnp::detail::count_parameters(#parameters);

// The function that calls an operation's ufunc: found for arrays wherever a function of that name is, by
// argument-dependent look-up, and out of the way of the standard library's for numbers.
// clang-format off
#define GNP_UFUNC_FUNCTION(function, operation)                                      \
  template <class... Operands>                                                       \
    requires((::gnp::array_like<std::remove_cvref_t<Operands>> || ...))              \
  auto function(Operands&&... operands) {                                            \
    return ::gnp::ufunc<operation>()(std::forward<Operands>(operands)...);           \
  }
// clang-format on

// A variable of a body may have the name of a function that bodies have.
#if defined(__clang__)
#define GNP_OWN_NAMES_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wshadow\"")
#define GNP_OWN_NAMES_END _Pragma("clang diagnostic pop")
#else
#define GNP_OWN_NAMES_BEGIN
#define GNP_OWN_NAMES_END
#endif

/// GNP_UFUNC(name, (x, y), expression) defines an elementwise function of your own, in a namespace or in a
/// function. GNP_UFUNC(name, (x), statement, statement, expression) is the same with several statements.
#define GNP_UFUNC(ufunc_name, parameters, ...) GNP_UFUNC_DEFINED(ufunc_name, parameters, __VA_ARGS__)

// The body is a lambda of a function whose parameter stands for the text, so that two files may have two
// functions of one name. The object is a reference, so that it may be named in headers.
#define GNP_UFUNC_DEFINED(ufunc_name, parameters, ...)                                                         \
  struct ufunc_name##_definition {                                                                             \
    static_assert(                                                                                             \
        ::gnp::detail::names_only_what_gpus_have(#parameters, #__VA_ARGS__),                                   \
        "gnp: a ufunc's body may name its parameters, its own variables and gnp's functions of numbers: "      \
        "nothing else is there on a GPU");                                                                     \
    using key = ::gnp::detail::text_key<::gnp::detail::hash_of(#ufunc_name " " #parameters " " #__VA_ARGS__)>; \
    static constexpr ::gnp::detail::ufunc_texts texts() { return {#ufunc_name, #parameters, #__VA_ARGS__}; }   \
    static constexpr auto body(key) {                                                                          \
      GNP_BODY_NAMES                                                                                           \
      GNP_OWN_NAMES_BEGIN                                                                                      \
      return [](GNP_PARAMETERS parameters) { GNP_STATEMENTS(__VA_ARGS__) };                                    \
      GNP_OWN_NAMES_END                                                                                        \
    }                                                                                                          \
  };                                                                                                           \
  using ufunc_name##_ufunc = ::gnp::detail::user_ufunc<ufunc_name##_definition, ufunc_name##_definition::key>; \
  [[maybe_unused]] static constexpr auto& ufunc_name = ::gnp::detail::ufunc_object<ufunc_name##_ufunc>;

// NumPy's own: the same, with one of NumPy's rules for the types. gnp::ufuncs::sin is the object, which
// knows its types; gnp::sin the function.
#define GNP_NUMPY_UFUNC(ufunc_name, parameters, type_rule, ...)       \
  GNP_NUMPY_OPERATION(ufunc_name, parameters, type_rule, __VA_ARGS__) \
  GNP_NUMPY_NAME(ufunc_name, ufunc_name)
#define GNP_NUMPY_NAME(alias, ufunc_name)                         \
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
