// SPDX-License-Identifier: MIT
// A profile's rows, and its table.
#pragma once

#include <algorithm>
#include <chrono>
#include <gnp/memory/profile.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/memory/work_log.hpp>
#include <iomanip>
#include <memory>
#include <ostream>
#include <sstream>

namespace gnp { inline namespace GNP_ABI {

struct profile::state {
  detail::work_log log;
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point end{};
  bool stopped = false;
};

GNP_INLINE profile::state* profile::begin() {
  auto made = std::make_unique<state>();
  detail::running_logs::all().add(&made->log);
  detail::work_watchers.fetch_add(1);
  return made.release();
}

GNP_INLINE void profile::end() noexcept {
  stop();
  delete state_;
}

GNP_INLINE void profile::stop() noexcept {
  if (state_->stopped) return;
  state_->stopped = true;
  state_->end = std::chrono::steady_clock::now();
  try {
    detail::running_logs::all().remove(&state_->log);
  } catch (const std::exception&) {  // the driver has already shut down, at the end of the process
  }
  detail::work_watchers.fetch_sub(1);
}

GNP_INLINE double profile::seconds() const {
  const auto end = state_->stopped ? state_->end : std::chrono::steady_clock::now();
  return std::chrono::duration<double>(end - state_->begin).count();
}

GNP_DEFINED_ON_USE std::vector<profile_row> profile::rows() const {
  std::vector<profile_row> sorted = state_->log.rows();
  std::sort(sorted.begin(), sorted.end(), [](const profile_row& a, const profile_row& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.name < b.name;
  });
  return sorted;
}

GNP_INLINE std::size_t profile::highest_memory(device where) const {
  return detail::running_logs::all().most_memory(state_->log, detail::require(where));
}

namespace detail {

/// "1.234 ms", in the unit that leaves one to three digits before the point.
GNP_ON_USE [[gnu::cold]] std::string with_unit(double value, double step, const char* const* units) {
  while (value >= step && units[1] != nullptr) {
    value /= step;
    ++units;
  }
  std::ostringstream text;
  text << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value << ' ' << *units;
  return text.str();
}
GNP_ON_USE [[gnu::cold]] std::string time_text(double seconds) {
  static constexpr const char* units[] = {"us", "ms", "s", nullptr};
  return with_unit(seconds * 1e6, 1000, units);
}
GNP_ON_USE [[gnu::cold]] std::string size_text(std::size_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", nullptr};
  return bytes == 0 ? "-" : with_unit(static_cast<double>(bytes), 1024, units);
}

}  // namespace detail

GNP_DEFINED_ON_USE std::ostream& operator<<(std::ostream& out, const profile& seen) {
  const std::vector<profile_row> rows = seen.rows();
  double in_all = 0;
  std::vector<device> devices;
  for (const profile_row& row : rows) {
    in_all += row.seconds;
    if (std::find(devices.begin(), devices.end(), row.device) == devices.end()) devices.push_back(row.device);
  }
  std::ostringstream text;
  text << std::fixed << "   calls       time   share       bytes     GB/s  work\n";
  for (const profile_row& row : rows) {
    const bool moves = row.bytes > 0 && row.seconds > 0;
    text << std::setw(8) << row.calls << std::setw(12) << detail::time_text(row.seconds) << std::setw(6)
         << std::setprecision(1) << (in_all > 0 ? 100 * row.seconds / in_all : 0) << " %" << std::setw(12)
         << detail::size_text(row.bytes) << std::setw(9);
    if (moves) {
      text << std::setprecision(1) << static_cast<double>(row.bytes) / row.seconds / 1e9;
    } else {
      text << "-";
    }
    text << "  " << row.name << (devices.size() > 1 ? ", " + to_string(row.device) : std::string()) << '\n';
  }
  text << detail::time_text(in_all) << " of work in " << detail::time_text(seen.seconds());
  for (const device where : devices)
    text << "; at most " << detail::size_text(seen.highest_memory(where)) << " on " << to_string(where);
  return out << text.str() << '\n';
}

}}  // namespace gnp::GNP_ABI
