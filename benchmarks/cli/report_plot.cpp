// SPDX-License-Identifier: MIT
// Charts: time against size for each case and type, and the speed-ups at the largest sizes.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "../../examples/support/chart.hpp"
#include "crossing.hpp"
#include "report.hpp"

namespace bench {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string seconds_label(double value) { return chart::quantity_label(value, "s"); }
std::string count_label(double value) { return chart::quantity_label(value, ""); }
std::string times_label(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 999.5 ? "%.3g" : "%.0f", value);
  return std::string(text) + "×";
}
/// 2048 as it is, 10000000 as 10M.
std::string size_label(index_t size) {
  return size % 10000 == 0 ? count_label(static_cast<double>(size)) : std::to_string(size);
}

/// The rows of one case and type, by size.
using series = std::vector<const row*>;

std::vector<series> by_case_and_type(const results& r) {
  std::vector<series> all;
  for (const row& line : r.rows) {
    const auto same = [&](const series& s) { return s[0]->name == line.name && s[0]->dtype == line.dtype; };
    const auto known = std::find_if(all.begin(), all.end(), same);
    if (known == all.end()) {
      all.push_back({&line});
    } else {
      known->push_back(&line);
    }
  }
  for (series& s : all) {
    std::sort(s.begin(), s.end(), [](const row* a, const row* b) { return a->size < b->size; });
  }
  return all;
}

std::vector<double> times_of(const series& rows, contender c) {
  std::vector<double> times;
  for (const row* line : rows) times.push_back(line->time(c));
  return times;
}

bool any_time(const std::vector<double>& times) {
  return std::any_of(times.begin(), times.end(), [](double t) { return std::isfinite(t); });
}

/// The best that the CPU does at each size, by whichever library.
std::vector<double> best_on_cpu(const series& rows) {
  std::vector<double> best(rows.size(), nan);
  for (const contender c : {contender::eigen_one, contender::eigen_all, contender::cpu}) {
    for (std::size_t i = 0; i < rows.size(); ++i) best[i] = std::fmin(best[i], rows[i]->time(c));
  }
  return best;
}

std::string rounded(double size) {
  const double power = std::pow(10.0, std::floor(std::log10(size)) - 1);
  return count_label(std::round(size / power) * power);
}

/// From which size on the GPU is faster than anything on the CPU, as lines in the chart or words below its
/// title.
void mark_crossings(chart::line_chart& c, const series& rows, const std::vector<double>& sizes) {
  const std::vector<double> cpu = best_on_cpu(rows);
  for (const contender who : {contender::gpu, contender::gpu_with_transfers}) {
    const std::vector<double> gpu = times_of(rows, who);
    if (!any_time(gpu) || !any_time(cpu)) continue;
    const std::string name = who == contender::gpu ? "GPU" : "GPU with transfers";
    const std::optional<double> crossing = first_win(sizes, cpu, gpu);
    if (!crossing) {
      c.subtitle += " " + name + ": not faster at the largest size.";
    } else if (*crossing <= sizes.front()) {
      c.subtitle += " " + name + ": faster at every size.";
    } else {
      c.marks.push_back({*crossing, name + " wins from about " + rounded(*crossing)});
    }
  }
}

chart::drawing time_against_size(const results& r, const series& rows) {
  const bench_case& of = r.case_of(*rows[0]);
  std::vector<double> sizes;
  for (const row* line : rows) sizes.push_back(static_cast<double>(line->size));
  chart::line_chart c{
      .title = of.name + ", " + rows[0]->dtype,
      .subtitle = of.what + ". " + r.machine.in_short() + ". Medians; lower is better.",
      .x = {.label = "size (" + of.size_means + ")",
            .scale = chart::scale::logarithmic,
            .tick_label = [](double size) { return size_label(static_cast<index_t>(size)); },
            .tick_values = sizes},
      .y = {.label = "time per call", .scale = chart::scale::logarithmic, .tick_label = seconds_label}};
  // A contender has the same colour and marker in all charts, so those that are absent keep their place.
  for (const contender who : all_contenders) {
    const std::vector<double> times = times_of(rows, who);
    c.lines.push_back({.name = any_time(times) ? label(who, r.machine.threads) : "", .x = sizes, .y = times});
  }
  mark_crossings(c, rows, sizes);
  return chart::draw(c);
}

/// At the largest size of each case, beside Eigen on one thread.
chart::drawing speed_ups(const results& r, const std::vector<series>& all, const std::string& dtype) {
  chart::bar_chart c{
      .title = "Speed-up over Eigen on one thread, " + dtype,
      .subtitle = "Each case at its largest size here. " + r.machine.in_short() + ". Higher is better.",
      .values = {.label = "times as fast as Eigen on one thread",
                 .scale = chart::scale::logarithmic,
                 .tick_label = times_label},
      .base = 1,
      .first_colour = 1};
  for (const contender who : all_contenders) {
    if (who == contender::eigen_one) continue;
    const bool shown = std::any_of(r.rows.begin(), r.rows.end(),
                                   [&](const row& line) { return std::isfinite(line.time(who)); });
    c.series.push_back(shown ? label(who, r.machine.threads) : "");
  }
  for (const series& rows : all) {
    const row& largest = *rows.back();
    if (largest.dtype != dtype || !std::isfinite(largest.time(contender::eigen_one))) continue;
    chart::bar_group group{largest.name + ' ' + size_label(largest.size), {}};
    for (std::size_t i = 1; i < all_contenders.size(); ++i) {
      group.values.push_back(largest.time(contender::eigen_one) / largest.time(all_contenders[i]));
    }
    if (any_time(group.values)) c.groups.push_back(group);
  }
  return chart::draw(c);
}

/// Speed-ups first, then the cases in their order.
std::vector<chart::drawing> charts(const results& r) {
  const std::vector<series> all = by_case_and_type(r);
  std::vector<chart::drawing> drawings;
  for (const char* dtype : {"float32", "float64"}) {
    const auto shown = [&](const row& line) {
      return line.dtype == dtype && std::isfinite(line.time(contender::eigen_one));
    };
    if (std::any_of(r.rows.begin(), r.rows.end(), shown)) drawings.push_back(speed_ups(r, all, dtype));
  }
  for (const series& rows : all) {
    if (rows.size() > 1) drawings.push_back(time_against_size(r, rows));
  }
  if (drawings.empty()) drawings.push_back(chart::draw(chart::line_chart{.title = "Nothing was timed"}));
  return drawings;
}

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>gnp-bench</title>
<style>
body { font: 15px/1.45 Helvetica, Arial, "Liberation Sans", sans-serif; color: #222; max-width: 780px;
       margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; }
table { border-collapse: collapse; margin: 1em 0; }
td, th { padding: .15em .8em .15em 0; text-align: left; vertical-align: top; }
.results { font-size: 12px; }
.results td:nth-child(n+3), .results th:nth-child(n+3) { text-align: right; }
.results tr { border-bottom: 1px solid #e3e3e3; }
svg { display: block; max-width: 100%; height: auto; margin: 1.2em 0; break-inside: avoid; }
</style></head><body>
<h1>gnp-bench: CPU and GPU compared</h1>
)";

std::string cell(const std::string& text) { return "<td>" + chart::escape(text) + "</td>"; }

std::string results_table(const results& r) {
  std::string text = "<table class=\"results\"><tr><th>case</th><th>dtype</th><th>size</th>";
  for (const contender c : r.contenders) text += "<th>" + chart::escape(label(c, r.machine.threads)) + "</th>";
  text += "</tr>\n";
  for (const row& line : r.rows) {
    text += "<tr>" + cell(line.name) + cell(line.dtype) + cell(std::to_string(line.size));
    for (const contender c : r.contenders) {
      const entry& e = line.of(c);
      text += cell(e.status == status::timed    ? human_time(e.time.median())
                   : e.status == status::wrong  ? "WRONG"
                   : e.status == status::failed ? "failed"
                                                : "–");
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string as_svg(const results& r) { return chart::to_svg(chart::stack(charts(r))); }

std::string as_html(const results& r) {
  std::string page = page_head;
  page += "<table>\n";
  for (const auto& [name, value] : r.machine.lines()) page += "<tr>" + cell(name) + cell(value) + "</tr>\n";
  page += "</table>\n<p>" + chart::escape(table_notes(r.contenders, r.machine.threads)) + "</p>\n";
  for (const chart::drawing& d : charts(r)) page += chart::to_svg(d);
  page += "<h2>All medians</h2>\n" + results_table(r);
  return page + "</body></html>\n";
}

}  // namespace bench
