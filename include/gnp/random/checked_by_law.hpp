// SPDX-License-Identifier: MIT
// The checks of a law's parameters: whether they are valid, on which device they are, and which shape they
// have.
#pragma once

#include <cmath>
#include <gnp/random/by_law.hpp>
#include <gnp/routines/creation.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::string sentence_of(const parameter_rule& rule) {
  std::string sentence;
  for (const char* c = rule.sentence; *c != '\0'; ++c) {
    if (*c == '$') {
      sentence += rule.name;
    } else {
      sentence += *c;
    }
  }
  return sentence;
}

GNP_INLINE void check_value(const char* function, const parameter_rule& rule, double v) {
  const bool refused =
      v < rule.least || v > rule.most || (v == v ? !rule.minus_zero && std::signbit(v) : !rule.nan);
  if (refused) throw_parameter(function, sentence_of(rule).c_str(), rule.name, v);
}

GNP_INLINE std::optional<device> device_of(const char* function, std::span<const law_values> given) {
  std::optional<device> found;
  for (const law_values& p : given) {
    if (!p.is_array()) continue;
    if (found) require_same_device(function, *found, p.values().device());
    found = p.values().device();
  }
  return found;
}

GNP_INLINE shape_t shape_of(const char* function, const shape_t& wanted, std::span<const law_values> given) {
  shape_t common;
  for (const law_values& p : given) {
    if (p.is_array()) common = broadcast(function, common, p.values().shape());
  }
  return shape_of_draws(function, wanted, common);
}

GNP_DEFINED_ON_USE void as_arrays(const char* function, std::span<const law_values> given, array<double>* x) {
  const use_device guard(*device_of(function, given));
  for (std::size_t k = 0; k < given.size(); ++k)
    x[k] = given[k].is_array() ? given[k].values() : full<double>({}, given[k].value());
}

}}}  // namespace gnp::GNP_ABI::detail
