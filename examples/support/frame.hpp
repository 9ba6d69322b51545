// SPDX-License-Identifier: MIT
// What is around the data of every chart: title, subtitle, legend.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "svg.hpp"

namespace chart {

inline constexpr double outer_margin = 20;

/// Words put into lines no wider than `width`.
inline std::vector<std::string> wrapped(const std::string& text, double width, double font_size) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (lines.empty() || text_width(lines.back() + ' ' + word, font_size) > width) {
      lines.push_back(word);
    } else {
      lines.back() += ' ' + word;
    }
  }
  return lines;
}

/// Draws title and subtitle; returns the height below them.
inline double draw_title(drawing& d, const std::string& title, const std::string& subtitle) {
  const double width = d.width - 2 * outer_margin;
  double y = outer_margin;
  for (const std::string& line : wrapped(title, width, 17)) {
    y += 18;
    d.text(outer_margin, y - 4, line, 17, ink, anchor::start, true);
  }
  for (const std::string& line : wrapped(subtitle, width, label_size)) {
    y += line_height;
    d.text(outer_margin, y - 2, line, label_size, pale_ink);
  }
  return y + 6;
}

/// Draws an entry for each name, in rows, each with the sample that `draw_sample(x, y, series)` makes to the
/// left of x; returns the height below them. What has no name has no entry, but keeps its colour.
template <class Sample>
double draw_legend(drawing& d, const std::vector<std::string>& names, double y, double sample_width,
                   const Sample& draw_sample) {
  double x = outer_margin;
  y += line_height;
  for (std::size_t series = 0; series < names.size(); ++series) {
    if (names[series].empty()) continue;
    const double width = sample_width + 6 + text_width(names[series], label_size) + 22;
    if (x > outer_margin && x + width > d.width - outer_margin + 22) {
      x = outer_margin;
      y += line_height + 2;
    }
    draw_sample(x, y - 4, series);
    d.text(x + sample_width + 6, y, names[series]);
    x += width;
  }
  return y + 8;
}

}  // namespace chart
