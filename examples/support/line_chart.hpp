// SPDX-License-Identifier: MIT
// Lines over linear or logarithmic axes, told apart by colour, marker and dashes.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "frame.hpp"
#include "ticks.hpp"

namespace chart {

struct line {
  std::string name;  // none: not in the legend
  std::vector<double> x;
  std::vector<double> y;  // what an axis cannot show, such as NaN, is a gap
  bool joined = true;     // false: points alone
};

/// A labelled vertical line.
struct mark {
  double x;
  std::string label;
};

struct line_chart {
  std::string title;
  std::string subtitle = {};
  axis x = {};
  axis y = {};
  std::vector<line> lines = {};
  std::vector<mark> marks = {};
  double width = 760;
  double plot_height = 330;
};

namespace detail {

/// The path of a line, and its markers: on every point of a short line, apart by some distance on a long one.
inline void draw_line(drawing& d, const line& l, std::size_t series, const axis_map& x, const axis_map& y) {
  struct point {
    double x, y;
  };
  std::vector<point> markers;
  std::string path;
  bool pen_down = false;
  const double apart = !l.joined || l.x.size() <= 40 ? 0 : 45;
  double next_marker = -1e9;
  for (std::size_t i = 0; i < std::min(l.x.size(), l.y.size()); ++i) {
    if (!x.shows(l.x[i]) || !y.shows(l.y[i])) {
      pen_down = false;
      continue;
    }
    const point p{x.pixel(l.x[i]), y.pixel(l.y[i])};
    path += std::string(pen_down ? "L" : "M") + pixels(p.x) + ' ' + pixels(p.y);
    pen_down = true;
    if (l.joined && p.x < next_marker) continue;
    // Lines with the same x have their long lines' markers at different places.
    next_marker = markers.empty() ? p.x + apart * (0.4 + 0.15 * static_cast<double>(series)) : p.x + apart;
    markers.push_back(p);
  }
  if (l.joined && !path.empty()) d.path(path, colour_of(series), "none", 2, dash_of(series));
  for (const point& p : markers) d.marker(p.x, p.y, series);
}

/// Labels above the plot, where no curve runs, one below the other: all to the right of their lines where there
/// is room, else all to the left, and the outermost first, so that no line crosses another one's label.
inline void draw_marks(drawing& d, std::vector<mark> marks, const axis_map& x, double left, double right,
                       double top, double bottom) {
  std::erase_if(marks,
                [&](const mark& m) { return !x.shows(m.x) || x.pixel(m.x) < left || x.pixel(m.x) > right; });
  const bool to_the_right = std::all_of(marks.begin(), marks.end(), [&](const mark& m) {
    return x.pixel(m.x) + 5 + text_width(m.label, label_size) <= right;
  });
  std::sort(marks.begin(), marks.end(),
            [&](const mark& a, const mark& b) { return to_the_right ? a.x < b.x : a.x > b.x; });
  double label_y = top - line_height * static_cast<double>(marks.size()) + 7;
  for (const mark& m : marks) {
    const double at = x.pixel(m.x);
    d.line(at, label_y - 10, at, bottom, pale_ink, 1.3, "1.5 3");
    d.text(at + (to_the_right ? 5 : -5), label_y, m.label, label_size, ink,
           to_the_right ? anchor::start : anchor::end);
    label_y += line_height;
  }
}

}  // namespace detail

inline drawing draw(const line_chart& chart) {
  drawing d;
  d.width = chart.width;
  double top = draw_title(d, chart.title, chart.subtitle);
  if (chart.lines.size() > 1) {
    std::vector<std::string> names;
    for (const line& l : chart.lines) names.push_back(l.name);
    top = draw_legend(d, names, top, 34, [&](double x, double y, std::size_t series) {
      if (chart.lines[series].joined) d.line(x, y, x + 34, y, colour_of(series), 2, dash_of(series));
      d.marker(x + 17, y, series);
    });
  }
  top += 26;  // the label of the vertical axis
  top += line_height * static_cast<double>(chart.marks.size());
  const double bottom = top + chart.plot_height;

  std::vector<double> xs;
  std::vector<double> ys;
  for (const line& l : chart.lines) {
    xs.insert(xs.end(), l.x.begin(), l.x.end());
    ys.insert(ys.end(), l.y.begin(), l.y.end());
  }
  const axis_map y(chart.y, ys, bottom, top, static_cast<int>(chart.plot_height / 32));
  double left = 0;
  for (const double tick : y.ticks()) left = std::max(left, text_width(chart.y.tick_label(tick), label_size));
  left += outer_margin + 10;
  const double right = chart.width - outer_margin - 4;
  const axis_map x(chart.x, xs, left, right, static_cast<int>((right - left) / 64));

  d.text(outer_margin, top - 12 - line_height * static_cast<double>(chart.marks.size()), chart.y.label,
         label_size, pale_ink);
  for (const double tick : y.ticks()) {
    d.line(left, y.pixel(tick), right, y.pixel(tick), grid_colour);
    d.text(left - 8, y.pixel(tick) + 4, chart.y.tick_label(tick), label_size, ink, anchor::end);
  }
  double label_end = 0;
  for (const double tick : x.ticks()) {
    d.line(x.pixel(tick), top, x.pixel(tick), bottom, grid_colour);
    const std::string label = chart.x.tick_label(tick);
    const double half = text_width(label, label_size) / 2;
    if (x.pixel(tick) - half < label_end) continue;  // too close to the one before
    d.text(x.pixel(tick), bottom + 18, label, label_size, ink, anchor::middle);
    label_end = x.pixel(tick) + half + 6;
  }
  d.text((left + right) / 2, bottom + 40, chart.x.label, label_size, pale_ink, anchor::middle);
  d.line(left, top, left, bottom, ink);
  d.line(left, bottom, right, bottom, ink);

  if (x.empty() || y.empty()) {
    d.text((left + right) / 2, (top + bottom) / 2, "no data", 16, pale_ink, anchor::middle);
  } else {
    for (std::size_t i = 0; i < chart.lines.size(); ++i) detail::draw_line(d, chart.lines[i], i, x, y);
    detail::draw_marks(d, chart.marks, x, left, right, top, bottom);
  }
  d.height = bottom + 40 + outer_margin;
  return d;
}

}  // namespace chart
