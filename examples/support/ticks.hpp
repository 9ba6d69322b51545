// SPDX-License-Identifier: MIT
// Axes: which values get a tick, what is written there, and where a value lies between two pixels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace chart {

/// 0.25, 1500, 2×10⁻⁶
inline std::string number_label(double value) {
  std::array<char, 64> text{};
  const double size = std::abs(value);
  if (value == 0 || (size >= 1e-4 && size < 1e5)) {
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
  }
  const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
  std::snprintf(text.data(), text.size(), "%.4g", value / std::pow(10.0, exponent));
  std::string label = text.data();
  label = label == "1" ? "10" : label == "-1" ? "-10" : label + "×10";
  for (const char digit : std::to_string(exponent)) {
    static constexpr std::array<const char*, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    label += digit == '-' ? "⁻" : raised[static_cast<std::size_t>(digit - '0')];
  }
  return label;
}

/// With a unit and its prefix: 20 µs, 1.5 GB; without a unit 64, 1k, 10M.
inline std::string quantity_label(double value, const std::string& unit) {
  struct prefix {
    double factor;
    const char* name;
  };
  static constexpr std::array<prefix, 8> prefixes{
      {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}};
  const prefix* chosen = &prefixes[4];
  for (const prefix& p : prefixes) {
    chosen = &p;
    if (std::abs(value) >= p.factor * 0.9995) break;
  }
  if (value == 0) chosen = &prefixes[4];
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value / chosen->factor);
  return text.data() + std::string(unit.empty() ? "" : " ") + chosen->name + unit;
}

enum class scale { linear, logarithmic };

struct axis {
  std::string label = {};  // with its unit: "time per call (s)"
  chart::scale scale = chart::scale::linear;
  std::function<std::string(double)> tick_label = number_label;
  std::vector<double> tick_values = {};  // none: round numbers
};

/// From the values on an axis to pixels, with the ticks between.
class axis_map {
 public:
  /// `most_ticks` is what there is room for.
  axis_map(const axis& a, const std::vector<double>& values, double first_pixel, double last_pixel,
           int most_ticks)
      : logarithmic_(a.scale == scale::logarithmic), first_pixel_(first_pixel), last_pixel_(last_pixel) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const double value : values) {
      if (!shows(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    empty_ = least > most;
    if (empty_) least = most = 1;
    if (!logarithmic_ && least > 0 && least < 0.4 * most) least = 0;  // a true zero where it costs little room
    low_ = place(least);
    high_ = place(most);
    const bool one_value = !(high_ > low_);
    const double room = !one_value     ? 0.035 * (high_ - low_)
                        : logarithmic_ ? 0.3
                                       : std::max(1.0, std::abs(low_)) / 2;
    if (logarithmic_ || one_value || least != 0) low_ -= room;  // a line may start on the axis
    high_ += room;
    ticks_ = !a.tick_values.empty() ? a.tick_values
             : logarithmic_         ? logarithmic_ticks(most_ticks)
                                    : linear_ticks(low_, high_, most_ticks);
  }

  bool empty() const { return empty_; }
  const std::vector<double>& ticks() const { return ticks_; }
  /// Can this value be drawn? Not if it is NaN or infinite, or not above zero on a logarithmic axis.
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  double pixel(double value) const {
    return first_pixel_ + (place(value) - low_) / (high_ - low_) * (last_pixel_ - first_pixel_);
  }

 private:
  double place(double value) const { return logarithmic_ ? std::log10(value) : value; }

  /// Steps of 1, 2 or 5 times a power of ten.
  static std::vector<double> linear_ticks(double low, double high, int most_ticks) {
    const double rough = (high - low) / most_ticks;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double nice : {1.0, 2.0, 5.0}) {
      if (nice * power >= rough) {
        step = nice * power;
        break;
      }
    }
    std::vector<double> ticks;
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
      ticks.push_back(i * step + 0.0);
    return ticks;
  }

  std::vector<double> powers(const std::vector<double>& digits, int every) const {
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(low_)); power <= high_; ++power) {
      if (power % every != 0) continue;
      for (const double digit : digits) {
        const double tick = digit * std::pow(10.0, power);
        if (std::log10(tick) >= low_ && std::log10(tick) <= high_) ticks.push_back(tick);
      }
    }
    return ticks;
  }

  /// The densest of the usual choices that there is room for.
  std::vector<double> logarithmic_ticks(int most_ticks) const {
    const auto fits = [&](const std::vector<double>& ticks) {
      return static_cast<int>(ticks.size()) <= most_ticks;
    };
    if (const auto ticks = linear_ticks(std::pow(10.0, low_), std::pow(10.0, high_), most_ticks);
        high_ - low_ < 0.5)
      return ticks;
    if (const auto ticks = powers({1, 2, 5}, 1); fits(ticks)) return ticks;
    for (int every = 1;; ++every) {
      if (const auto ticks = powers({1}, every); fits(ticks)) return ticks;
    }
  }

  bool logarithmic_;
  bool empty_ = false;
  double first_pixel_;
  double last_pixel_;
  double low_ = 0;
  double high_ = 1;
  std::vector<double> ticks_;
};

}  // namespace chart
