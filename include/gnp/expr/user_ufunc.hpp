// SPDX-License-Identifier: MIT
// A GNP_UFUNC as an operation: its texts, and its body applied to numbers.
#pragma once

#include <gnp/expr/body_text.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct ufunc_texts {
  const char* name;
  const char* parameters;
  const char* body;
};

constexpr int count_parameters(std::string_view parameters) {
  int commas = 0;
  for (const char c : parameters) commas += c == ',' ? 1 : 0;
  return commas + 1;
}

/// What GNP_UFUNC defines. Key is part of the type, and so of the names of everything made with it.
template <class Definition, class Key>
struct user_ufunc {
  static constexpr const char* name = Definition::texts().name;
  static constexpr const char* parameter_text = Definition::texts().parameters;
  static constexpr const char* body_text = Definition::texts().body;
  static constexpr std::uint64_t hash =
      hash_of(Definition::texts().parameters) * 31 + hash_of(Definition::texts().body);
  static constexpr int arity = Definition::arity;
  static constexpr bool native = true;
  /// If false, the definition has already reported an error, and no further errors are reported.
  static constexpr bool names_what_gpus_have = names_only_what_gpus_have(parameter_text, body_text);
  static constexpr bool says_its_types = names_floating_type(Definition::texts().body);

  /// Are C++'s own numbers weak in operations with parameters of these types? If one of them is double,
  /// everything is double anyway.
  template <class... T>
  static constexpr bool literals_are_weak = !says_its_types && (std::is_same_v<T, float> || ...) &&
                                            !((std::is_same_v<T, double> || scalar::is_complex_v<T>) || ...);

  template <class... T>
  static constexpr auto apply(T... operands) {
    constexpr auto body = Definition::body(Key());
    if constexpr (!names_what_gpus_have) {
      return;
    } else if constexpr (literals_are_weak<T...>) {
      return scalar::out_of_body(body(scalar::into_body(operands)...));
    } else {
      return body(operands...);
    }
  }
};

/// One result of a user's ufunc with several results, as an operation.
template <class Op, int Index>
struct part_of_ufunc : Op {
  static constexpr int part = Index;

  template <class... T>
  static constexpr auto apply(T... operands) {
    if constexpr (Op::names_what_gpus_have)
      return scalar::out_of_body(scalar::part_of_results<Index>(Op::apply(operands...)));
  }
};

}}}  // namespace gnp::GNP_ABI::detail
