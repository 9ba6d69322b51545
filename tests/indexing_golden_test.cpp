// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Runs tests/data/indexing.txt: reading and writing by arrays of indices and masks, with NumPy's shapes, values
// and refusals.
#include "devices.hpp"
#include "golden.hpp"

namespace {

using values = gnp::array<std::int64_t>;

/// One index of a line, as each of the types there are.
struct token {
  std::vector<std::string> parts;

  gnp::index_arg plain() const {
    const auto bound = [this](std::size_t i) {
      return parts.at(i) == "None" ? gnp::detail::slice_bound(gnp::none)
                                   : gnp::detail::slice_bound(std::stoll(parts[i]));
    };
    if (parts.at(0) == "i") return std::stoll(parts.at(1));
    if (parts.at(0) == "s") return gnp::slice(bound(1), bound(2), bound(3));
    if (parts.at(0) == "n") return gnp::newaxis;
    return gnp::ellipsis;
  }
  template <class T>
  gnp::array<T> numbers() const {
    const gnp::shape_t shape = golden::parse_shape(parts.at(1));
    gnp::host_array<T> host(shape);
    gnp::index_t i = 0;
    if (host.size() > 0) {
      for (const std::string& value : golden::split(parts.at(2), ","))
        host[i++] = static_cast<T>(std::stoll(value));
    }
    return gnp::asarray(host);
  }
};

std::string describe(const values& result) {
  const auto join = [](const auto& list) {
    std::string text;
    for (const auto& item : list) text += (text.empty() ? "" : ",") + std::to_string(item);
    return text;
  };
  return "shape " + join(result.shape()) + " values " + join(gnp::to_vector(result));
}

/// What a line's operation makes of base and indices.
template <class... Index>
std::string outcome(const std::string& operation, const values& base, const Index&... index) {
  if (operation == "get") return describe(gnp::array(base(index...)));
  if (operation == "fill") {
    base(index...) = 7;
  } else if (operation == "add") {
    base(index...) += 5;
  } else {
    const gnp::shape_t shape = base(index...).shape();
    const values numbers = gnp::reshape(gnp::arange(gnp::detail::element_count(shape, "test")), shape) + 100;
    base(index...) = numbers;
  }
  return describe(base);
}

std::string run(const std::string& operation, const values& base, const std::vector<token>& tokens) {
  std::string pattern;
  for (const token& t : tokens) pattern += t.parts.at(0);
  const auto plain = [&](std::size_t i) { return tokens.at(i).plain(); };
  const auto numbers = [&](std::size_t i) { return tokens.at(i).numbers<std::int64_t>(); };
  const auto mask = [&](std::size_t i) { return tokens.at(i).numbers<bool>(); };
#define CASE(name, ...) \
  if (pattern == name) return outcome(operation, base, __VA_ARGS__)
  CASE("I", tokens[0].numbers<std::int32_t>());
  CASE("M", mask(0));
  CASE("MI", mask(0), numbers(1));
  CASE("II", numbers(0), numbers(1));
  CASE("IsI", numbers(0), plain(1), numbers(2));
  CASE("IeI", numbers(0), plain(1), numbers(2));
  CASE("Is", numbers(0), plain(1));
  CASE("Ii", numbers(0), plain(1));
  CASE("Ms", mask(0), plain(1));
  CASE("Isi", numbers(0), plain(1), plain(2));
  CASE("isI", plain(0), plain(1), numbers(2));
  CASE("sIs", plain(0), numbers(1), plain(2));
  if (pattern == "sM" || pattern == "iM") return outcome(operation, base, plain(0), mask(1));
  return outcome(operation, base, plain(0), numbers(1));
#undef CASE
}

}  // namespace

TEST_CASE("indexing by arrays reads and writes what NumPy does") {
  const std::string text = golden::read_file("indexing.txt");
  for_each_device([&text](gnp::device) {
    int lines = 0;
    for (const std::string& line : golden::split(text, "\n")) {
      if (line.empty()) continue;
      const auto parts = golden::split(line, " | ");
      const auto head = golden::split(parts.at(0), " ");
      const gnp::shape_t shape = golden::parse_shape(head.at(1));
      gnp::index_t size = 1;
      for (const gnp::index_t n : shape) size *= n;
      values base = gnp::reshape(gnp::arange(size), shape);
      if (head.at(2) == "1") base = gnp::transpose(gnp::flip(base));
      std::vector<token> tokens;
      for (const std::string& t : golden::split(parts.at(1), " ")) tokens.push_back({golden::split(t, ":")});
      std::string result;
      try {
        result = run(head.at(0), base, tokens);
        gnp::synchronize(base.device());
      } catch (const gnp::error&) {
        result = "error";
      }
      INFO(line);
      CHECK(result == parts.at(2));
      ++lines;
    }
    CHECK(lines > 500);
  });
}
