// SPDX-License-Identifier: MIT
// Numbers drawn by a law. Its parameters, numbers or arrays, are checked by NumPy's rules and broadcast.
#pragma once

#include <gnp/random/array_parameters.hpp>
#include <gnp/random/law.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// What a parameter may be, and NumPy's message if it is not; `$` stands for the parameter's name.
struct parameter_rule {
  const char* name;
  const char* sentence;
  double least;
  double most;
  bool minus_zero;  // may it be -0.0?
  bool nan;         // may it be NaN?
};

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr double above_zero = std::numeric_limits<double>::denorm_min();

constexpr parameter_rule any_number(const char* name) { return {name, "", -no_limit, no_limit, true, true}; }
constexpr parameter_rule positive(const char* name) {
  return {name, "$ <= 0", above_zero, no_limit, true, true};
}
constexpr parameter_rule positive_number(const char* name) {
  return {name, "$ <= 0 or $ is NaN", above_zero, no_limit, true, false};
}
constexpr parameter_rule non_negative(const char* name) { return {name, "$ < 0", 0, no_limit, false, true}; }
constexpr parameter_rule positive_chance(const char* name) {
  return {name, "$ <= 0, $ > 1 or $ contains NaNs", above_zero, 1, true, false};
}
constexpr parameter_rule chance_below_one(const char* name) {
  return {name, "$ < 0, $ >= 1 or $ is NaN", 0, 1 - 0x1p-53, true, false};
}
constexpr parameter_rule above_one(const char* name) {
  return {name, "$ <= 1 or $ is NaN", 1 + 0x1p-52, no_limit, true, false};
}

/// NumPy's names of a distribution and its parameters, and the name of its law in a kernel's text.
struct law_facts {
  const char* function;
  const char* law;
  parameter_rule rules[3] = {};
};

using law_values = law_parameter<double, double>;

GNP_DECLARED std::string sentence_of(const parameter_rule& rule);

/// A template, so that only programs that give arrays compile it.
template <class Values>
void check_values(const char* function, const parameter_rule& rule, const Values& v) {
  const bool minus_zero = rule.minus_zero;
  const bool nan = rule.nan;
  refuse_where(function, sentence_of(rule).c_str(),
               (v < rule.least) | (v > rule.most) | ((v == v) & signbit(v) & !minus_zero) | ((v != v) & !nan));
}

GNP_DECLARED void check_value(const char* function, const parameter_rule& rule, double v);

/// Parameter k of a law, checked.
template <class P>
law_values checked_parameter(const law_facts& facts, std::size_t k, const P& given) {
  law_values p(given);
  if constexpr (array_like<P>) {
    check_values(facts.function, facts.rules[k], p.values());
  } else {
    check_value(facts.function, facts.rules[k], p.value());
  }
  return p;
}

/// The device of the arrays among the parameters, if there are any.
GNP_DECLARED std::optional<device> device_of(const char* function, std::span<const law_values> given);

GNP_DECLARED shape_t shape_of(const char* function, const shape_t& wanted, std::span<const law_values> given);

/// All parameters as arrays, on the device of those that are arrays already.
GNP_DECLARED_ON_USE void as_arrays(const char* function, std::span<const law_values> given, array<double>* x);

/// Refuses parameters that are valid separately but not together: those for which bad({a, b, c}) is true, for
/// numbers or arrays.
template <bool arrays, class Bad>
void refuse_together(const char* function, const char* rule, std::span<const law_values> given,
                     const Bad& bad) {
  std::conditional_t<arrays, array<double>, double> x[3] = {};
  if constexpr (arrays) {
    as_arrays(function, given, x);
    const use_device guard(x[0].device());
    refuse_where(function, rule, bad(x));
  } else {
    for (std::size_t k = 0; k < given.size(); ++k) x[k] = given[k].value();
    if (bad(x)) throw error(std::string(function) + ": " + rule);
  }
}

/// Most laws have no rule about several parameters together.
struct no_more_rules {
  template <bool arrays>
  static void check(std::span<const law_values>) {}
};

struct rules_of_triangular {
  template <bool arrays>
  static void check(std::span<const law_values> given) {
    refuse_together<arrays>("triangular", "left > mode", given, [](const auto& x) { return x[0] > x[1]; });
    refuse_together<arrays>("triangular", "mode > right", given, [](const auto& x) { return x[1] > x[2]; });
    refuse_together<arrays>("triangular", "left == right", given, [](const auto& x) { return x[0] == x[2]; });
  }
};

struct rules_of_negative_binomial {
  template <bool arrays>
  static void check(std::span<const law_values> given) {
    refuse_together<arrays>("negative_binomial", "n too large or p too small", given, [](const auto& x) {
      using std::sqrt;
      return (1 - x[1]) / x[1] * (x[0] + 10 * sqrt(x[0])) > largest_poisson_mean;
    });
  }
};

struct rules_of_hypergeometric {
  template <bool arrays>
  static void check(std::span<const law_values> given) {
    const char* function = "hypergeometric";
    refuse_together<arrays>(function, "both ngood and nbad must be less than 1000000000", given,
                            [](const auto& x) { return (x[0] >= 1e9) | (x[1] >= 1e9); });
    refuse_together<arrays>(function, "ngood + nbad < nsample", given,
                            [](const auto& x) { return x[0] + x[1] < x[2]; });
  }
};

/// Draws with checked parameters. `arrays` says that some of them are arrays.
template <class T, class Law, bool arrays>
array<T> numbers_by_law(const random_call& call, const law_facts& facts, const shape_t& wanted,
                        std::span<law_values> given) {
  const std::string law = std::string(arrays ? "own" : "same") + "_law<result_t, " + facts.law + ">";
  if constexpr (arrays) {
    const shape_t shape = shape_of(facts.function, wanted, given);
    scalar::own_law<T, Law> draw{};
    draw.first = call.numbers.first_element();
    storage* blocks[3] = {};
    for (std::size_t k = 0; k < given.size(); ++k) {
      draw.given[k] = given[k].over(shape);
      blocks[k] = given[k].block();
    }
    return drawn<T>(call, facts.function, law, draw, shape, {blocks[0], blocks[1], blocks[2]});
  } else {
    double values[3] = {};
    for (std::size_t k = 0; k < given.size(); ++k) values[k] = given[k].value();
    return drawn<T>(call, facts.function, law, scalar::same_law<T, Law>{Law::of(values)}, wanted);
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/checked_by_law.hpp>
#endif
