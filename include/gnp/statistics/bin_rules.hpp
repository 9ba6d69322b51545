// SPDX-License-Identifier: MIT
// The number of bins of a histogram by a named rule: NumPy's auto, fd, doane, scott, stone, rice, sturges and
// sqrt.
#pragma once

#include <gnp/core/constants.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/statistics/bin_edges.hpp>
#include <gnp/statistics/quantile.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void check_bin_rule(std::string_view rule, const char* function) {
  for (const std::string_view known : {"auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"}) {
    if (rule == known) return;
  }
  throw error(std::string(function) + ": '" + std::string(rule) +
              "' is not a valid estimator for bins: use auto, fd, doane, scott, stone, rice, sturges or sqrt");
}

/// The bin widths that the rules choose for some values, which stay on their device.
template <class T>
class bin_widths {
 public:
  bin_widths(const array<T>& values, const outer_edges& outer)
      : values_(values),
        outer_(outer),
        count_(static_cast<double>(values.size())),
        distance_(distance_between(static_cast<T>((min)(values)), static_cast<T>((max)(values)))) {}

  /// The width by a rule's name; 0 if the rule finds none.
  double by(std::string_view rule) const {
    if (rule == "auto") return (std::min)((std::max)(fd(), sqrt() / 2), sturges());
    if (rule == "fd") return fd();
    if (rule == "doane") return doane();
    if (rule == "scott") return scott();
    if (rule == "stone") return stone();
    if (rule == "rice") return distance_ / (2 * std::pow(count_, 1.0 / 3));
    if (rule == "sturges") return sturges();
    return sqrt();
  }

 private:
  static double distance_between(T low, T high) {
    if constexpr (std::is_integral_v<T>) {  // exact, even if the distance of 64-bit integers overflows
      return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
    } else {
      return static_cast<double>(static_cast<T>(high - low));
    }
  }
  double sqrt() const { return distance_ / std::sqrt(count_); }
  double sturges() const { return distance_ / (std::log2(count_) + 1); }
  double deviation() const { return static_cast<double>(gnp::std(values_).item()); }
  double scott() const { return std::cbrt(24 * std::sqrt(gnp::pi) / count_) * deviation(); }
  double fd() const {
    const auto quartiles = asnumpy(percentile(values_, {75, 25}));
    const double between = static_cast<double>(quartiles[0]) - static_cast<double>(quartiles[1]);
    return 2 * between * std::pow(count_, -1.0 / 3);
  }
  double doane() const {
    if (count_ <= 2) return 0;
    const double spread = deviation();
    if (!(spread > 0)) return 0;
    const double unit = std::sqrt(6 * (count_ - 2) / ((count_ + 1) * (count_ + 3)));
    const auto standard = ((values_ - mean(values_)) / spread).eval();
    const double skew = static_cast<double>(mean(standard * standard * standard).item());
    return distance_ / (1 + std::log2(count_) + std::log2(1 + std::abs(skew) / unit));
  }
  /// Tries every number of bins up to a bound.
  double stone() const {
    if (count_ <= 1 || distance_ == 0) return 0;
    const auto most = (std::max)(index_t{100}, static_cast<index_t>(std::sqrt(count_)));
    index_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (index_t bins = 1; bins <= most; ++bins) {
      const auto there = even_bins_on<T>(values_.device(), even_edges<edge_type<T>>(outer_, bins, "histogram"));
      const auto counts = asnumpy(count_in_bins<even_finder>(values_, there, "histogram"));
      double squares = 0;
      for (const std::int64_t n : counts)
        squares += static_cast<double>(n) / count_ * (static_cast<double>(n) / count_);
      const double risk = (2 - (count_ + 1) * squares) / (distance_ / static_cast<double>(bins));
      if (risk < least) {
        least = risk;
        best = bins;
      }
    }
    return distance_ / static_cast<double>(best);
  }

  array<T> values_;
  outer_edges outer_;
  double count_;
  double distance_;
};

/// The number of bins that a rule chooses between the outer edges. Waits for what it needs to know about the
/// values.
template <array_like X>
index_t bins_by_rule(const X& x, std::string_view rule, const outer_edges& outer, const char* function) {
  using given = typename X::value_type;
  using T = std::conditional_t<std::is_same_v<given, bool>, std::uint8_t, given>;
  check_bin_rule(rule, function);
  array<T> values(in_type<T>(x).ravel());
  if (!outer.of_values && values.size() > 0) {
    const auto kept = values >= outer.first && values <= outer.last;
    if (!gnp::all(kept).item()) values = array<T>(values(array<bool>(kept)));
  }
  if (values.size() == 0) return 1;
  double width = bin_widths<T>(values, outer).by(rule);
  if (!(width > 0)) return 1;
  if (is_integer(dtype_of<T>) && width < 1) width = 1;
  const double bins = std::ceil((outer.last - outer.first) / width);
  if (!(bins < 0x1p62)) {
    throw error(std::string(function) + ": bins of the width that '" + std::string(rule) + "' finds, " +
                shown(width) + ", would be more than can be counted");
  }
  return static_cast<index_t>(bins);
}

}}}  // namespace gnp::GNP_ABI::detail
