// SPDX-License-Identifier: MIT
// Where a quantile lies among sorted values: Hyndman and Fan's nine definitions, and four more of NumPy's.
// Computed on the host for rows of one length, and in kernels where each row has its own number of values.
#pragma once

#include <gnp/core/unknown_name.hpp>
#include <gnp/expr/macros.hpp>
#include <gnp/expr/scalar/special.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

namespace scalar {

// clang-format off

// Methods are numbered as in quantile_method.
GNP_SCALAR(quantile_place, real,
  inline double place_between(double n, double q, double alpha, double beta) {
    return n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0;
  }
  inline double quantile_place(double n, double q, double method) {
    const double even = (n - 1.0) * q;
    if (method == 0.0) {
      const double at = n * q - 1.0;
      return fmax(ceil(at), 0.0);
    }
    if (method == 1.0) { return n * q - 1.0; }
    if (method == 2.0) {
      const double at = n * q - 1.5;
      const double below = floor(at);
      const bool odd = below - 2.0 * floor(below * 0.5) == 1.0;
      return fmax(at == below && odd ? below : below + 1.0, 0.0);
    }
    if (method == 3.0) { return place_between(n, q, 0.0, 1.0); }
    if (method == 4.0) { return place_between(n, q, 0.5, 0.5); }
    if (method == 5.0) { return place_between(n, q, 0.0, 0.0); }
    if (method == 7.0) { return place_between(n, q, 1.0 / 3.0, 1.0 / 3.0); }
    if (method == 8.0) { return place_between(n, q, 0.375, 0.375); }
    if (method == 9.0) { return floor(even); }
    if (method == 10.0) { return ceil(even); }
    if (method == 11.0) { return 0.5 * (floor(even) + ceil(even)); }
    if (method == 12.0) { return rint(even); }
    return even;
  }
  inline double rank_below(double n, double place) { return fmin(fmax(floor(place), 0.0), fmax(n - 1.0, 0.0)); }
  inline double rank_above(double n, double place) {
    return place < 0.0 ? 0.0 : fmin(floor(place) + 1.0, fmax(n - 1.0, 0.0));
  }
  inline double share_of_above(double place, double method) {
    const double share = place - floor(place);
    if (method == 1.0) { return share == 0.0 ? 0.5 : 1.0; }
    if (method == 11.0) { return share == 0.0 ? 0.0 : 0.5; }
    return share;
  })

// clang-format on

}  // namespace scalar

/// A method of quantile(), by NumPy's name for it: {.method = "hazen"}.
class quantile_method {
 public:
  quantile_method() = default;
  quantile_method(const char* name) : quantile_method(std::string_view(name)) {}
  quantile_method(const std::string& name) : quantile_method(std::string_view(name)) {}
  quantile_method(std::string_view name) : unknown_(name) {
    for (int i = 0; i < count; ++i) {
      if (name != names[i]) continue;
      number_ = i;
      unknown_ = {};
    }
  }
  GNP_INLINE void require_known(const char* function) const {
    if (!unknown_.given()) return;
    std::string known;
    for (const char* other : names) known += (known.empty() ? "" : ", ") + std::string(other);
    unknown_.refuse(function, "", " is not a valid method: use one of " + known);
  }
  const char* name() const { return names[number_]; }
  int number() const { return number_; }
  /// Is the result always one of the values?
  bool is_discrete() const {
    return number_ == 0 || number_ == 2 || number_ == 9 || number_ == 10 || number_ == 12;
  }

 private:
  static constexpr int count = 13;
  static constexpr const char* names[count] = {"inverted_cdf",
                                               "averaged_inverted_cdf",
                                               "closest_observation",
                                               "interpolated_inverted_cdf",
                                               "hazen",
                                               "weibull",
                                               "linear",
                                               "median_unbiased",
                                               "normal_unbiased",
                                               "lower",
                                               "higher",
                                               "midpoint",
                                               "nearest"};
  int number_ = 6;
  detail::unknown_name unknown_;
};

}}  // namespace gnp::GNP_ABI
