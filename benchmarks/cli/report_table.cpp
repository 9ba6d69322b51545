// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "report.hpp"

namespace bench {
namespace {

constexpr int name_width = 15;
constexpr int size_width = 9;
constexpr int dtype_width = 7;
constexpr int time_width = 12;
constexpr int first_width = 7;
constexpr int ratio_width = 6;

/// Letters, not bytes: µ and ± are two bytes each.
int columns_of(const std::string& text) {
  return static_cast<int>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}
std::string left(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - columns_of(text))), ' ');
}
std::string right(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - columns_of(text))), ' ') + text;
}

std::string number(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// Three digits, never an exponent below a million.
std::string three_digits(double value) {
  return number(value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
}

std::string ratio(double value) {
  if (!std::isfinite(value)) return "-";
  if (value < 0.005) return "<0.01x";
  return (value < 99999.5 ? three_digits(value) : number("%.0e", value)) + "x";
}

std::string time_cell(const entry& e) {
  switch (e.status) {
    case status::absent:
      return "-";
    case status::wrong:
      return "WRONG";
    case status::failed:
      return "failed";
    default:
      break;
  }
  const double percent = 100 * e.time.spread();
  return human_time(e.time.median()) + right("±" + number("%.0f", std::min(percent, 99.0)) + '%', 5);
}

std::string heading(contender c, int threads) {
  switch (c) {
    case contender::eigen_one:
      return "Eigen, 1";
    case contender::eigen_all:
      return "Eigen, " + std::to_string(threads);
    case contender::cpu:
      return "gnp CPU";
    case contender::gpu:
      return "gnp GPU";
    default:
      return "with copies";
  }
}

bool contains(const std::vector<contender>& contenders, contender c) {
  return std::find(contenders.begin(), contenders.end(), c) != contenders.end();
}

/// Whose first call and whose speed-ups are shown: the GPU's where there is one.
contender first_shown(const row& r, const std::vector<contender>& contenders) {
  for (const contender c : {contender::gpu, contender::gpu_with_transfers}) {
    if (contains(contenders, c) && r.of(c).status == status::timed) return c;
  }
  return contender::cpu;
}
std::vector<contender> compared(const std::vector<contender>& contenders) {
  if (contains(contenders, contender::gpu)) return {contender::gpu, contender::gpu_with_transfers};
  return {contender::cpu};
}

}  // namespace

std::string human_time(double seconds) {
  struct unit {
    double size;
    const char* name;
  };
  static constexpr std::array<unit, 4> units{{{1, "s "}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  const unit* chosen = &units.front();
  for (const unit& u : units) {
    chosen = &u;
    if (seconds >= 0.9995 * u.size) break;
  }
  return three_digits(seconds / chosen->size) + ' ' + chosen->name;
}

std::string table_header(const std::vector<contender>& contenders, int threads) {
  std::string line =
      left("case", name_width) + ' ' + right("size", size_width) + ' ' + left("dtype", dtype_width);
  for (const contender c : contenders) line += ' ' + right(heading(c, threads), time_width);
  line += ' ' + right("first", first_width);
  for (const contender c : compared(contenders)) {
    line += ' ' + right(c == contender::gpu_with_transfers ? "copies" : "speed", ratio_width);
  }
  return line + '\n' + std::string(static_cast<std::size_t>(columns_of(line)), '-') + '\n';
}

std::string table_row(const row& r, const std::vector<contender>& contenders, int threads) {
  std::string text = left(r.name, name_width) + ' ' + right(std::to_string(r.size), size_width) + ' ' +
                     left(r.dtype, dtype_width);
  for (const contender c : contenders) text += ' ' + right(time_cell(r.of(c)), time_width);
  const entry& first = r.of(first_shown(r, contenders));
  text += ' ' + right(first.status == status::timed ? human_time(first.time.first_call) : "-", first_width);
  for (const contender c : compared(contenders))
    text += ' ' + right(ratio(r.best_eigen() / r.time(c)), ratio_width);
  text += '\n';
  for (const contender c : all_contenders) {
    const entry& e = r.of(c);
    if (e.status == status::wrong) text += "  WRONG: " + label(c, threads) + ": " + e.message + '\n';
    if (e.status == status::failed) text += "  failed: " + label(c, threads) + ": " + e.message + '\n';
  }
  return text;
}

std::string table_notes(const std::vector<contender>& contenders, int threads) {
  const bool has_gpu = contains(contenders, contender::gpu);
  std::string text = "Medians; ± is half the distance between the quartiles. ";
  text +=
      has_gpu
          ? "gnp GPU: between two events on the GPU.\nwith copies: inputs to the GPU, the work, results back. "
          : "";
  text += "first: the first call, kernels compiled or loaded.\nspeed";
  text += has_gpu ? " and copies: the better of Eigen's times over the GPU's without and with copies.\n"
                  : ": the better of Eigen's times over gnp's on the CPU.\n";
  if (contains(contenders, contender::eigen_all)) text += eigen_all_means(threads) + '\n';
  return text;
}

}  // namespace bench
