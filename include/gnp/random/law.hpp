// SPDX-License-Identifier: MIT
// A law: how one element is computed from its own words. It is a struct in the kernels' text:
//
//     struct some_law {
//       static constexpr int parameters = 2;
//       static constexpr bool rejects = true;      does it ask for more words than the two that it is handed?
//       static some_law of(const double* given);   what is computed once for the parameters
//       double make(own_words& own) const;         one number, or a long long where the law counts
//     };
//
// A distribution adds nothing but its law: the draws below serve both numbers and arrays as parameters, every
// element type and both devices. Laws compute in double, whatever the element type.
#pragma once

#include <gnp/expr/scalar/cast.hpp>
#include <gnp/random/by_element.hpp>

namespace gnp { inline namespace GNP_ABI { namespace scalar {

// clang-format off

// All elements by one law.
GNP_SCALAR(same_law, random,
  template <class T, class Law> struct same_law {
    static constexpr int words = 2;
    static constexpr int pieces = Law::rejects ? 1 : 4;
    static constexpr bool rejects = Law::rejects;
    Law law;
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      if constexpr (rejects) {
        for (unsigned k = 0; k < 2u; ++k) {
          own_words own = own_words::of(place, k, k == 0u ? w.x : w.z, k == 0u ? w.y : w.w);
          out[k] = cast<T>(law.make(own));
        }
      } else {
        own_words first = own_words::of(place, 0u, w.x, w.y);
        own_words second = own_words::of(place, 1u, w.z, w.w);
        out[0] = cast<T>(law.make(first));
        out[1] = cast<T>(law.make(second));
      }
    }
  };)

// Each element by a law with its own parameters.
GNP_SCALAR(own_law, random,
  template <class T, class Law> struct own_law {
    static constexpr int words = 2;
    static constexpr int pieces = 1;
    static constexpr bool rejects = true;
    parameter<double, double> given[Law::parameters];
    unsigned long long first;  // the number of the array's first element in the call
    [[gnu::always_inline]] inline void operator()(const draw_place& place, const words4& w, T* out) const {
      const unsigned long long i = 4u * ((place.source.first_column << 16) + place.group) + place.element - first;
      for (unsigned k = 0; k < 2u; ++k) {
        double values[Law::parameters];
        for (int p = 0; p < Law::parameters; ++p) { values[p] = given[p].at(i + k); }
        own_words own = own_words::of(place, k, k == 0u ? w.x : w.z, k == 0u ? w.y : w.w);
        out[k] = cast<T>(Law::of(values).make(own));
      }
    }
  };)

// A count as 64 bits; a larger count becomes the largest that 64 bits hold.
GNP_SCALAR(as_count, random,
  [[gnu::always_inline]] inline long long as_count(double k) { return k < 9223372036854775807.0 ? static_cast<long long>(k) : 9223372036854775807ll; })

// clang-format on

}}}  // namespace gnp::GNP_ABI::scalar
