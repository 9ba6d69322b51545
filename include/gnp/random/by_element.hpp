// SPDX-License-Identifier: MIT
// Distributions whose parameters are arrays: each element is drawn by its own law, from the same words that it
// would get with any other law.
#pragma once

#include <gnp/random/counts.hpp>
#include <gnp/random/integers.hpp>
#include <gnp/random/real.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// Element i has the parameter values[i], up to `last`; the elements that fill the last group have values[last].
// Without `values`, all have `value`.
GNP_SCALAR(parameter, random,
  template <class Stored, class Value> struct parameter {
    const Stored* values;
    unsigned long long last;
    Value value;
    [[gnu::always_inline]] inline Value at(unsigned long long i) const {
      return values == nullptr ? value : static_cast<Value>(values[i < last ? i : last]);
    }
  };)

// A draw makes two elements. Here it is made once by the law of each element, and one of the two is kept. The
// compiler computes what the two draws have in common only once, and drops what is not kept.
GNP_SCALAR(by_element, random,
  template <class Laws> struct by_element {
    using draw = typename Laws::draw;
    static constexpr int words = draw::words;
    static constexpr int pieces = draw::pieces;
    Laws laws;
    unsigned long long first;  // the number of the array's first element in the call
    template <class T> [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      const unsigned long long i = 4u * ((place.source.first_column << 16) + place.group) + place.element - first;
      T made[2];
      laws.at(i)(place, w, made);
      out[0] = made[0];
      laws.at(i + 1)(place, w, made);
      out[1] = made[1];
    }
  };)

GNP_SCALAR(uniform_laws, random,
  template <class T, class Stored> struct uniform_laws {
    using draw = uniform_draw<T>;
    parameter<Stored, double> low;
    parameter<Stored, double> high;
    [[gnu::always_inline]] inline draw at(unsigned long long i) const { return uniform_within<T>(low.at(i), high.at(i)); }
  };)

// Mean and standard deviation of normal and log-normal numbers.
GNP_SCALAR(normal_laws, random,
  template <class Draw, class Stored> struct normal_laws {
    using draw = Draw;
    parameter<Stored, double> mean;
    parameter<Stored, double> deviation;
    [[gnu::always_inline]] inline draw at(unsigned long long i) const {
      return draw{static_cast<typename draw::real>(mean.at(i)), static_cast<typename draw::real>(deviation.at(i))};
    }
  };)

GNP_SCALAR(exponential_laws, random,
  template <class T, class Stored> struct exponential_laws {
    using draw = exponential_draw<T>;
    parameter<Stored, double> scale;
    [[gnu::always_inline]] inline draw at(unsigned long long i) const { return draw{static_cast<typename draw::real>(0.5 * scale.at(i))}; }
  };)

GNP_SCALAR(poisson_laws, random,
  template <class T, class Stored> struct poisson_laws {
    using draw = poisson_draw<T>;
    parameter<Stored, double> mean;
    inline draw at(unsigned long long i) const { return draw{poisson_law_of(mean.at(i))}; }
  };)

GNP_SCALAR(binomial_laws, random,
  template <class T, class Stored, class Count> struct binomial_laws {
    using draw = binomial_draw<T>;
    parameter<Count, long long> trials;
    parameter<Stored, double> chance;
    inline draw at(unsigned long long i) const { return draw::of(trials.at(i), chance.at(i)); }
  };)

// Integers from `low` to `high`, as 64 bits, signed or not; `excluded` is 1 if `high` is not one of them.
GNP_SCALAR(integer_laws, random,
  template <class Draw, class Wide> struct integer_laws {
    using draw = Draw;
    parameter<Wide, Wide> low;
    parameter<Wide, Wide> high;
    unsigned excluded;
    [[gnu::always_inline]] inline draw at(unsigned long long i) const {
      const unsigned long long first = static_cast<unsigned long long>(low.at(i));
      return draw::among(first, static_cast<unsigned long long>(high.at(i)) - first + 1u - excluded);
    }
  };)

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
