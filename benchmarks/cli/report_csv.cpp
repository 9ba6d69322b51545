// SPDX-License-Identifier: MIT
#include <array>
#include <cstdio>

#include "report.hpp"

namespace bench {
namespace {

/// In quotes where the text holds what separates fields.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + '"';
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

}  // namespace

std::string as_csv(const results& r) {
  std::string text =
      "case,dtype,size,contender,device,status,median_s,fastest_s,spread,first_call_s,samples,calls_per_sample,"
      "message\n";
  for (const row& line : r.rows) {
    for (const contender c : all_contenders) {
      const entry& e = line.of(c);
      if (e.status == status::absent) continue;
      const char* status_name = e.status == status::timed   ? "timed"
                                : e.status == status::wrong ? "wrong"
                                                            : "failed";
      text += line.name + ',' + line.dtype + ',' + std::to_string(line.size) + ',' + key(c) + ',' +
              field(is_on_gpu(c) ? r.machine.gpu : "cpu") + ',' + status_name + ',';
      if (e.status == status::timed) {
        text += number(e.time.median()) + ',' + number(e.time.fastest()) + ',' + number(e.time.spread()) + ',' +
                number(e.time.first_call) + ',' + std::to_string(e.time.samples.size()) + ',' +
                std::to_string(e.time.calls_per_sample) + ',';
      } else {
        text += ",,,,,,";
      }
      text += field(e.message) + '\n';
    }
  }
  return text;
}

}  // namespace bench
