// SPDX-License-Identifier: MIT
// Command lines: options bound to variables whose values are the defaults.
//
//   int size = 64;
//   support::options options("Multiplies two random matrices.");
//   options.add("size", size, "rows and columns");
//   options.parse(argc, argv);  // --size 100, --size=100, --device cpu, --help
//
// A wrong option is one line on stderr and exit code 2. An exception that leaves main later is one line and
// exit code 1.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdlib>
#include <exception>
#include <functional>
#include <gnp/memory/stream.hpp>
#include <iomanip>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace support {

template <class T>
concept number = std::integral<T> || std::floating_point<T>;

class options {
 public:
  explicit options(std::string purpose) : purpose_(std::move(purpose)) {}

  /// A number from `least` to `most`. Sizes and counts are the rule, so whole numbers begin at 1.
  template <number T>
  void add(std::string name, T& value, std::string help, T least = std::integral<T> ? 1 : lowest<T>,
           T most = std::numeric_limits<T>::max()) {
    const auto read = [&value, least, most](std::string_view text) {
      T parsed{};
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
      const bool is_number = error == std::errc() && end == text.data() + text.size();
      if (!is_number || !(parsed >= least && parsed <= most)) return expected<T>(least, most);
      value = parsed;
      return std::string();
    };
    entries_.push_back({std::move(name), std::integral<T> ? "N" : "X", std::move(help), shown(value), read});
  }

  void add(std::string name, std::string& value, std::string help) {
    const auto read = [&value](std::string_view text) {
      value = text;
      return std::string(text.empty() ? "a text that is not empty" : "");
    };
    entries_.push_back({std::move(name), "TEXT", std::move(help), value, read});
  }

  /// One of several words.
  void add(std::string name, std::string& value, std::string help, std::vector<std::string> choices) {
    std::string list;
    for (const std::string& choice : choices) list += (list.empty() ? "" : ", ") + choice;
    const auto read = [&value, choices, list](std::string_view text) {
      if (std::find(choices.begin(), choices.end(), text) == choices.end()) return "one of " + list;
      value = text;
      return std::string();
    };
    entries_.push_back({std::move(name), "WORD", help + ": " + list, value, read});
  }

  /// Present or not.
  void add(std::string name, bool& value, std::string help) {
    const auto read = [&value](std::string_view) {
      value = true;
      return std::string();
    };
    entries_.push_back({std::move(name), "", std::move(help), "", read});
  }

  void parse(int argc, char** argv) {
    std::string device;
    const auto is_own = [](const entry& e) { return e.name == "device"; };
    if (std::none_of(entries_.begin(), entries_.end(), is_own)) {  // a program may have one that takes several
      entries_.push_back({"device", "NAME", "cpu, cuda or cuda:1",
                          "GNP_DEVICE, else the first GPU, else the CPU", [&device](std::string_view text) {
                            device = text;
                            return std::string(is_device(text) ? "" : "cpu, cuda or cuda:N");
                          }});
    }
    const std::string_view path = argv[0];
    program() = path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
    std::set_terminate(report_exception);
    for (int i = 1; i < argc; ++i) {
      const std::string_view argument = argv[i];
      if (argument == "--help") help();
      if (!argument.starts_with("--")) fail("unexpected argument '" + std::string(argument) + "'; see --help");
      const std::size_t equals = argument.find('=');
      const auto name = argument.substr(2, equals == argument.npos ? argument.npos : equals - 2);
      const auto known = [name](const entry& e) { return e.name == name; };
      const auto found = std::find_if(entries_.begin(), entries_.end(), known);
      if (found == entries_.end()) fail("unknown option '--" + std::string(name) + "'; see --help");

      std::string_view text;
      if (found->value.empty()) {
        if (equals != argument.npos) fail("--" + found->name + " takes no value");
      } else if (equals != argument.npos) {
        text = argument.substr(equals + 1);
      } else if (++i < argc) {
        text = argv[i];
      } else {
        fail("--" + found->name + " needs a value");
      }
      const std::string wanted = found->read(text);
      if (!wanted.empty())
        fail("--" + found->name + ": expected " + wanted + ", got '" + std::string(text) + "'");
    }
    // --device is GNP_DEVICE for this run. A device that is not there is an exception of gnp's, which says why.
    if (!device.empty()) setenv("GNP_DEVICE", device.c_str(), 1);
    gnp::default_device();
  }

 private:
  struct entry {
    std::string name, value, help, fallback;
    /// Stores the value, or returns what it should have been.
    std::function<std::string(std::string_view)> read;
  };

  template <class T>
  static constexpr T lowest = std::numeric_limits<T>::lowest();

  /// A number as the command line would have it: 0.1, not 0.100000.
  template <class T>
  static std::string shown(T number) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, number).ptr};
  }

  template <class T>
  static std::string expected(T least, T most) {
    std::string text = std::integral<T> ? "a whole number" : "a number";
    if (least > lowest<T>) text += " from " + shown(least);
    if (std::integral<T> || most < std::numeric_limits<T>::max()) text += " up to " + shown(most);
    return text;
  }

  static bool is_device(std::string_view text) {
    if (!text.starts_with("cuda:")) return text == "cpu" || text == "cuda";
    return text.size() > 5 && text.find_first_not_of("0123456789", 5) == text.npos;
  }

  /// The name the program was called by; static, for the handler of exceptions takes no arguments.
  static std::string& program() {
    static std::string name;
    return name;
  }

  [[noreturn]] static void fail(const std::string& message) {
    std::cerr << program() << ": " << message << '\n';
    std::exit(2);
  }

  [[noreturn]] static void report_exception() {
    try {
      if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
      std::cout.flush();
      std::cerr << program() << ": " << e.what() << std::endl;
    }
    std::_Exit(1);
  }

  [[noreturn]] void help() const {
    std::cout << "usage: " << program() << " [options]\n" << purpose_ << "\n\n";
    std::size_t width = 0;
    for (const entry& e : entries_) width = std::max(width, e.name.size() + e.value.size() + 1);
    const auto line = [width](const std::string& left, const std::string& right) {
      std::cout << "  --" << std::left << std::setw(static_cast<int>(width)) << left << "  " << right << '\n';
    };
    for (const entry& e : entries_) {
      line(e.name + ' ' + e.value, e.help + (e.fallback.empty() ? "" : " (" + e.fallback + ')'));
    }
    line("help", "this text");
    std::exit(0);
  }

  std::string purpose_;
  std::vector<entry> entries_;
};

}  // namespace support
