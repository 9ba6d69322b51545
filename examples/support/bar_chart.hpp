// SPDX-License-Identifier: MIT
// Horizontal bars in groups, one bar per series, each with its value written at its end.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "frame.hpp"
#include "ticks.hpp"

namespace chart {

struct bar_group {
  std::string label;
  std::vector<double> values;  // one per series; NaN: no bar
};

struct bar_chart {
  std::string title;
  std::string subtitle = {};
  axis values = {};
  std::vector<std::string> series = {};  // a series without a name has no bars
  std::vector<bar_group> groups = {};
  double base = 0;  // where the bars begin: 1 for ratios on a logarithmic axis
  std::size_t first_colour = 0;
  double width = 760;
};

inline drawing draw(const bar_chart& chart) {
  constexpr double bar_height = 14;
  constexpr double group_gap = 12;
  drawing d;
  d.width = chart.width;
  double top = draw_title(d, chart.title, chart.subtitle);
  const auto colour = [&](std::size_t series) { return colour_of(series + chart.first_colour); };
  if (chart.series.size() > 1) {
    top = draw_legend(d, chart.series, top, 14, [&](double x, double y, std::size_t series) {
      d.rectangle(x, y - 6, 14, 12, colour(series));
    });
  }
  top += 12;
  const auto has_bar = [&](std::size_t series) {
    return series >= chart.series.size() || !chart.series[series].empty();
  };

  std::vector<double> values{chart.base};
  double left = 0;
  double bottom = top;
  bool reaches_left = false;
  for (const bar_group& group : chart.groups) {
    values.insert(values.end(), group.values.begin(), group.values.end());
    for (const double value : group.values) reaches_left = reaches_left || value < chart.base;
    left = std::max(left, text_width(group.label, label_size));
    bottom += group_gap;
    for (std::size_t series = 0; series < group.values.size(); ++series)
      bottom += has_bar(series) ? bar_height : 0;
  }
  left += outer_margin + 10;
  bottom += group_gap;
  const double value_room = 56;  // for the number at the end of the longest bar
  const double right = chart.width - outer_margin - value_room;
  const axis_map x(chart.values, values, reaches_left ? left + value_room : left, right,
                   static_cast<int>((right - left) / 70));

  for (const double tick : x.ticks()) {
    d.line(x.pixel(tick), top, x.pixel(tick), bottom, grid_colour);
    d.text(x.pixel(tick), bottom + 18, chart.values.tick_label(tick), label_size, ink, anchor::middle);
  }
  double y = top + group_gap;
  for (const bar_group& group : chart.groups) {
    const double group_top = y;
    for (std::size_t series = 0; series < group.values.size(); ++series) {
      if (!has_bar(series)) continue;
      y += bar_height;
      const double value = group.values[series];
      if (!x.shows(value)) continue;
      const double from = x.pixel(chart.base);
      const double to = x.pixel(value);
      d.rectangle(std::min(from, to), y - bar_height + 1, std::max(1.0, std::abs(to - from)), bar_height - 2,
                  colour(series));
      d.text(to + (value < chart.base ? -5 : 5), y - 3.2, chart.values.tick_label(value), 11, ink,
             value < chart.base ? anchor::end : anchor::start);
    }
    d.text(left - 2, (group_top + y) / 2 + 4, group.label, label_size, ink, anchor::end);
    y += group_gap;
  }
  d.line(x.pixel(chart.base), top, x.pixel(chart.base), bottom, ink, 1.2);
  d.text((left + right) / 2, bottom + 40, chart.values.label, label_size, pale_ink, anchor::middle);
  d.height = bottom + 40 + outer_margin;
  return d;
}

}  // namespace chart
