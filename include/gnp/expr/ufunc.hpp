// SPDX-License-Identifier: MIT
// Ufuncs: elementwise functions with one body that runs on the host and, as text, on the GPU.
#pragma once

#include <gnp/expr/expression.hpp>
#include <gnp/expr/macros.hpp>
#include <gnp/expr/scalar/compare.hpp>
#include <utility>

namespace gnp::inline GNP_ABI {

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

  /// An expression of these operands; temporaries move into it.
  template <class... Operands>
  auto operator()(Operands&&... operands) const {
    static_assert(sizeof...(Operands) == static_cast<std::size_t>(Op::arity), "gnp: wrong number of arguments");
    static_assert(
        !(detail::is_host_array_v<std::remove_cvref_t<Operands>> || ...),
        "gnp: a host_array and an array do not mix: bring it to the device with gnp::asarray(...) first");
    constexpr bool valid = (detail::is_operand_v<std::remove_cvref_t<Operands>> && ...);
    static_assert(valid, "gnp: ufuncs take arrays, expressions and numbers");
    if constexpr (valid) {
      constexpr auto& signature =
          detail::signature_for<Op, detail::operand_type_of<std::remove_cvref_t<Operands>>()...>;
      static_assert(signature.supported, "gnp: this function is not defined for these element types");
      if constexpr (signature.supported) {
        return apply<signature>(std::make_index_sequence<sizeof...(Operands)>(),
                                std::forward<Operands>(operands)...);
      }
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

}  // namespace gnp::inline GNP_ABI

// The scalar functions a body may call, preferred over the C library's and the standard library's.
#define GNP_SCALAR_FUNCTIONS                                                                                   \
  using ::gnp::scalar::abs, ::gnp::scalar::acos, ::gnp::scalar::acosh, ::gnp::scalar::asin,                    \
      ::gnp::scalar::asinh, ::gnp::scalar::atan, ::gnp::scalar::atan2, ::gnp::scalar::atanh,                   \
      ::gnp::scalar::cbrt, ::gnp::scalar::ceil, ::gnp::scalar::clip, ::gnp::scalar::conj,                      \
      ::gnp::scalar::copysign, ::gnp::scalar::cos, ::gnp::scalar::cosh, ::gnp::scalar::erf,                    \
      ::gnp::scalar::erfc, ::gnp::scalar::exp, ::gnp::scalar::exp2, ::gnp::scalar::expm1, ::gnp::scalar::fabs, \
      ::gnp::scalar::floor, ::gnp::scalar::fmax, ::gnp::scalar::fmin, ::gnp::scalar::fmod,                     \
      ::gnp::scalar::hypot, ::gnp::scalar::imag, ::gnp::scalar::isfinite, ::gnp::scalar::isinf,                \
      ::gnp::scalar::isnan, ::gnp::scalar::lgamma, ::gnp::scalar::log, ::gnp::scalar::log10,                   \
      ::gnp::scalar::log1p, ::gnp::scalar::log2, ::gnp::scalar::max, ::gnp::scalar::maximum,                   \
      ::gnp::scalar::min, ::gnp::scalar::minimum, ::gnp::scalar::pow, ::gnp::scalar::real,                     \
      ::gnp::scalar::rint, ::gnp::scalar::sign, ::gnp::scalar::signbit, ::gnp::scalar::sin,                    \
      ::gnp::scalar::sinh, ::gnp::scalar::sqrt, ::gnp::scalar::square, ::gnp::scalar::tan,                     \
      ::gnp::scalar::tanh, ::gnp::scalar::tgamma, ::gnp::scalar::trunc, ::gnp::scalar::where;

// What a ufunc is made of: its name, its parameters and body as text, and the body as code.
#define GNP_UFUNC_PARTS(ufunc_name, parameters, ...)                                   \
  [[maybe_unused]] static constexpr const char* name = #ufunc_name;                    \
  [[maybe_unused]] static constexpr const char* parameter_text = #parameters;          \
  [[maybe_unused]] static constexpr const char* body_text = #__VA_ARGS__;              \
  static constexpr int arity = [] {                                                    \
    int commas = 0;                                                                    \
    for (const char* c = parameter_text; *c != '\0'; ++c) commas += *c == ',' ? 1 : 0; \
    return commas + 1;                                                                 \
  }();

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

/// GNP_UFUNC(name, (x, y), expression) defines an elementwise function of your own, at namespace scope.
/// GNP_UFUNC(name, (x), statement, statement, expression) is the same with several statements.
#define GNP_UFUNC(ufunc_name, parameters, ...)                                           \
  struct ufunc_name##_ufunc {                                                            \
    GNP_UFUNC_PARTS(ufunc_name, parameters, __VA_ARGS__)                                 \
    static constexpr bool native = true;                                                 \
    static constexpr auto apply(auto... operands) {                                      \
      GNP_SCALAR_FUNCTIONS                                                               \
      return [](GNP_PARAMETERS parameters) { GNP_STATEMENTS(__VA_ARGS__) }(operands...); \
    }                                                                                    \
  };                                                                                     \
  GNP_UFUNC_FUNCTION(ufunc_name, ufunc_name##_ufunc)                                     \
  static_assert(ufunc_name##_ufunc::arity > 0)

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
