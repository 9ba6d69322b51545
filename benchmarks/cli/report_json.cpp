// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>

#include "report.hpp"

namespace bench {
namespace {

std::string quoted(const std::string& text) {
  static constexpr const char* digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20) {
      result += std::string("\\u00") + digits[code / 16] + digits[code % 16];
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// The shortest text that reads back as the same number; JSON knows no NaN.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// "a": 1, "b": 2 in braces.
class object {
 public:
  object& text(const std::string& name, const std::string& value) { return raw(name, quoted(value)); }
  object& real(const std::string& name, double value) { return raw(name, number(value)); }
  object& raw(const std::string& name, const std::string& json) {
    members_ += (members_.empty() ? "" : ", ") + quoted(name) + ": " + json;
    return *this;
  }
  std::string done() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

std::string list(const std::vector<std::string>& items, const std::string& between) {
  std::string result;
  for (const std::string& item : items) result += (result.empty() ? "" : "," + between) + item;
  return '[' + result + ']';
}

std::string of_entry(const row& r, contender c, const results& all) {
  const entry& e = r.of(c);
  object o;
  o.text("case", r.name).text("dtype", r.dtype).raw("size", std::to_string(r.size)).text("contender", key(c));
  o.text("device", is_on_gpu(c) ? all.machine.gpu : "cpu");
  switch (e.status) {
    case status::wrong:
      return o.text("status", "wrong").text("message", e.message).done();
    case status::failed:
      return o.text("status", "failed").text("message", e.message).done();
    default:
      break;
  }
  std::vector<std::string> samples;
  for (const double sample : e.time.samples) samples.push_back(number(sample));
  return o.text("status", "timed")
      .real("median_s", e.time.median())
      .real("fastest_s", e.time.fastest())
      .real("spread", e.time.spread())
      .real("first_call_s", e.time.first_call)
      .raw("calls_per_sample", std::to_string(e.time.calls_per_sample))
      .raw("samples_s", list(samples, " "))
      .done();
}

}  // namespace

std::string as_json(const results& r) {
  object machine;
  for (const auto& [name, value] : r.machine.lines()) machine.text(name, value);
  object effort;
  effort.raw("repeats", std::to_string(r.effort.repeats)).real("seconds", r.effort.seconds);
  std::vector<std::string> entries;
  for (const row& line : r.rows) {
    for (const contender c : all_contenders) {
      if (line.of(c).status != status::absent) entries.push_back(of_entry(line, c, r));
    }
  }
  return "{\"format\": \"gnp-bench 1\",\n\"machine\": " + machine.done() + ",\n\"effort\": " + effort.done() +
         ",\n\"results\": " + list(entries, "\n") + "}\n";
}

}  // namespace bench
