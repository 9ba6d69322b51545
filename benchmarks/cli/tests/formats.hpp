// SPDX-License-Identifier: MIT
// Enough of JSON, XML and CSV to see that a file is one.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace formats {

struct json {
  enum class kind { null, boolean, number, text, list, object } is = kind::null;
  double number = 0;
  std::string text;
  std::vector<json> items;
  std::map<std::string, json> members;

  const json& operator[](const std::string& name) const { return members.at(name); }
};

/// Throws where the text is not JSON.
class json_reader {
 public:
  explicit json_reader(const std::string& text) : text_(text) {}

  json whole() {
    json value = read();
    skip();
    if (at_ != text_.size()) fail("something after the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("JSON: " + what + " at " + std::to_string(at_));
  }
  void skip() {
    while (at_ < text_.size() && std::string(" \t\r\n").find(text_[at_]) != std::string::npos) ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c) {
    if (peek() != c) fail(std::string("expected ") + c);
    ++at_;
  }
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  std::string string() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("control character in a string");
      if (text_[at_] == '\\') {
        ++at_;
        if (at_ >= text_.size() || std::string("\"\\/bfnrtu").find(text_[at_]) == std::string::npos)
          fail("escape");
      }
      result += text_[at_++];
    }
    expect('"');
    return result;
  }

  json read() {
    json value;
    const char c = peek();
    if (c == '{') {
      value.is = json::kind::object;
      for (char separator = '{'; peek() == separator; separator = ',') {
        ++at_;
        if (separator == '{' && peek() == '}') break;
        const std::string name = (skip(), string());
        expect(':');
        if (!value.members.emplace(name, read()).second) fail("a name twice: " + name);
      }
      expect('}');
    } else if (c == '[') {
      value.is = json::kind::list;
      for (char separator = '['; peek() == separator; separator = ',') {
        ++at_;
        if (separator == '[' && peek() == ']') break;
        value.items.push_back(read());
      }
      expect(']');
    } else if (c == '"') {
      value.is = json::kind::text;
      value.text = string();
    } else if (take("true") || take("false")) {
      value.is = json::kind::boolean;
    } else if (!take("null")) {
      value.is = json::kind::number;
      const char* start = text_.c_str() + at_;
      char* end = nullptr;
      value.number = std::strtod(start, &end);
      if (end == start || std::isalpha(static_cast<unsigned char>(*start)) != 0) fail("no value");
      at_ += static_cast<std::size_t>(end - start);
    }
    return value;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

inline json read_json(const std::string& text) { return json_reader(text).whole(); }

/// Throws where tags are not closed in order, attributes have no quotes, or & starts nothing known.
inline void check_xml(const std::string& text) {
  std::vector<std::string> open;
  const auto fail = [](const std::string& what) { throw std::runtime_error("XML: " + what); };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '&') {
      const std::string entity = text.substr(at, text.find(';', at) - at);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") fail("entity " + entity);
    }
    if (text[at] == '>') fail("a > outside of tags");
    if (text[at] != '<') continue;
    std::size_t end = at + 1;
    bool quoted = false;
    for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') fail("a < inside a tag");
      if (text[end] == '=' && !quoted && text[end + 1] != '"') fail("an attribute without quotes");
    }
    if (end >= text.size()) fail("a tag without an end");
    const std::string tag = text.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /\n", 1));
    if (tag.starts_with("/")) {
      if (open.empty() || '/' + open.back() != tag) fail("closes <" + tag + ">, which is not open");
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(name);
    }
    at = end;
  }
  if (!open.empty()) fail("<" + open.back() + "> is not closed");
}

/// The fields of one line.
inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace formats
