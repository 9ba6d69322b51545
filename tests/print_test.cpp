// SPDX-License-Identifier: MIT
// test: asan
// Printing, held against NumPy's own str() and repr(): data/print.txt, whose lines make_print.py describes.
#include <fstream>
#include <gnp/io/print.hpp>
#include <sstream>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace {

struct printed_case {
  std::string type;
  gnp::shape_t shape;
  gnp::print_options options;
  std::vector<std::uint64_t> words;
  std::string str;
  std::string repr;
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> fields;
  std::size_t from = 0;
  for (std::size_t to; (to = text.find(separator, from)) != std::string::npos; from = to + separator.size()) {
    fields.push_back(text.substr(from, to - from));
  }
  fields.push_back(text.substr(from));
  return fields;
}

std::string with_newlines(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) text.replace(at, 2, "\n");
  return text;
}

printed_case parse(const std::string& line) {
  const auto fields = split(line, " | ");
  REQUIRE(fields.size() == 4);
  const auto head = split(fields[0], " ");
  REQUIRE(head.size() == 3);
  printed_case c;
  c.type = head[0];
  if (head[1] != "-") {
    for (const std::string& size : split(head[1], ",")) c.shape.push_back(std::stoll(size));
  }
  if (head[2] != "-") {
    const auto o = split(head[2], ",");
    c.options = {.precision = std::stoi(o[0]),
                 .threshold = std::stoll(o[1]),
                 .edgeitems = std::stoll(o[2]),
                 .linewidth = std::stoi(o[3]),
                 .suppress = o[4] == "1"};
    if (o.size() > 5) {
      const auto plain = [](std::string text) {
        for (char& letter : text) letter = letter == '_' ? ' ' : letter == ';' ? ',' : letter;
        return text;
      };
      c.options.sign = plain(o[5])[0];
      c.options.floatmode = o[6];
      c.options.nanstr = o[7];
      c.options.infstr = o[8];
      c.options.separator = plain(o[9]);
      c.options.prefix = plain(o[10]);
      c.options.suffix = plain(o[11]);
    }
  }
  std::istringstream words(fields[1]);
  for (std::string word; words >> word;) {
    std::size_t end = 0;
    const std::uint64_t first = std::stoull(word, &end, 16);
    const std::uint64_t count = end < word.size() ? std::stoull(word.substr(end + 1)) : 1;
    for (std::uint64_t i = 0; i < count; ++i) c.words.push_back(word[end] == '+' ? first + i : first);
  }
  c.str = with_newlines(fields[2]);
  c.repr = with_newlines(fields[3]);
  return c;
}

template <class T>
void compare(const printed_case& c, bool is_of_options) {
  gnp::host_array<T> a(c.shape);
  constexpr std::size_t words = gnp::detail::is_complex_v<T> ? 2 : 1;
  constexpr std::size_t bytes = sizeof(T) / words;
  REQUIRE(c.words.size() == words * static_cast<std::size_t>(a.size()));
  for (std::size_t i = 0; i < c.words.size(); ++i) {
    std::memcpy(reinterpret_cast<char*>(a.data()) + i * bytes, &c.words[i], bytes);  // little endian
  }
  CHECK((is_of_options ? gnp::array2string(a, c.options) : gnp::array_str(a, c.options)) == c.str);
  CHECK(gnp::array_repr(a, c.options) == c.repr);
}

void compare_any(const printed_case& c, bool is_of_options) {
  if (c.type == "bool") return compare<bool>(c, is_of_options);
  if (c.type == "int8") return compare<std::int8_t>(c, is_of_options);
  if (c.type == "int16") return compare<std::int16_t>(c, is_of_options);
  if (c.type == "int32") return compare<std::int32_t>(c, is_of_options);
  if (c.type == "int64") return compare<std::int64_t>(c, is_of_options);
  if (c.type == "uint8") return compare<std::uint8_t>(c, is_of_options);
  if (c.type == "uint16") return compare<std::uint16_t>(c, is_of_options);
  if (c.type == "uint32") return compare<std::uint32_t>(c, is_of_options);
  if (c.type == "uint64") return compare<std::uint64_t>(c, is_of_options);
  if (c.type == "float16") return compare<gnp::half>(c, is_of_options);
  if (c.type == "bfloat16") return compare<gnp::bfloat16>(c, is_of_options);
  if (c.type == "float32") return compare<float>(c, is_of_options);
  if (c.type == "float64") return compare<double>(c, is_of_options);
  if (c.type == "complex64") return compare<gnp::complex64>(c, is_of_options);
  if (c.type == "complex128") return compare<gnp::complex128>(c, is_of_options);
  FAIL("unknown dtype " + c.type);
}

template <class T>
gnp::host_array<T> vector(std::initializer_list<T> values) {
  gnp::host_array<T> a(gnp::shape_t{static_cast<gnp::index_t>(values.size())});
  std::copy(values.begin(), values.end(), a.begin());
  return a;
}

}  // namespace

TEST_CASE("arrays print as NumPy prints them", "[print]") {
  const bool is_of_options = GENERATE(false, true);
  std::ifstream file(test_data(is_of_options ? "print_options.txt" : "print.txt"));
  int cases = 0;
  for (std::string line; std::getline(file, line); ++cases) {
    INFO(line);
    compare_any(parse(line), is_of_options);
  }
  CHECK(cases >= 400);
}

TEST_CASE("every float16 and bfloat16 prints digits that read back as itself", "[print]") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto h = gnp::half::from_bits(static_cast<std::uint16_t>(bits));
    const auto b = gnp::bfloat16::from_bits(static_cast<std::uint16_t>(bits));
    const auto number = [](auto x) {
      gnp::host_array<decltype(x)> a(gnp::shape_t{});
      a[0] = x;
      return std::stod(gnp::array_str(a));
    };
    if (h == h && gnp::half(number(h)).bits != bits) FAIL("float16 " << bits << " prints as " << number(h));
    if (b == b && gnp::bfloat16(number(b)).bits != bits)
      FAIL("bfloat16 " << bits << " prints as " << number(b));
  }
}

TEST_CASE("only the elements shown are read", "[print]") {
  // The pages in between are never touched, so this takes no memory and no time.
  gnp::host_array<std::int8_t> a(gnp::shape_t{1024, 1024, 1024});
  for (const gnp::index_t plane : {0, 1, 2, 1021, 1022, 1023}) {
    for (const gnp::index_t row : {0, 1, 2, 1021, 1022, 1023}) {
      for (const gnp::index_t column : {0, 1, 2, 1021, 1022, 1023}) a(plane, row, column) = 1;
    }
  }
  const std::string text = gnp::array_repr(a);
  CHECK(text.substr(0, 60) == "array([[[1, 1, 1, ..., 1, 1, 1],\n        [1, 1, 1, ..., 1, 1");
  CHECK(text.substr(text.size() - 43) == "1]]], shape=(1024, 1024, 1024), dtype=int8)");
}

TEST_CASE("print options", "[print]") {
  const auto a = vector({0.5, 1.0 / 3});
  CHECK(gnp::array2string(a) == "[0.5        0.33333333]");
  CHECK(gnp::array2string(a, {.precision = 3}) == "[0.5   0.333]");
  CHECK(gnp::array_str(a, {.precision = 1}) == "[0.5 0.3]");

  gnp::print_options options = gnp::get_printoptions();
  options.precision = 2;
  gnp::set_printoptions(options);
  CHECK(gnp::get_printoptions().precision == 2);
  CHECK(gnp::array2string(a) == "[0.5  0.33]");
  CHECK(gnp::array_repr(a) == "array([0.5 , 0.33])");
  std::string elsewhere;
  std::thread([&] { elsewhere = gnp::array2string(a); }).join();
  CHECK(elsewhere == "[0.5        0.33333333]");
  {
    const gnp::printoptions scope({.precision = 1});
    CHECK(gnp::array2string(a) == "[0.5 0.3]");
    CHECK_THROWS_AS(gnp::printoptions({.precision = -1}), gnp::error);
  }
  CHECK(gnp::array2string(a) == "[0.5  0.33]");
  // What is not named stays as it was set: in a call, in a scope, and for all that follows.
  const auto tiny = vector({1.23456789, 1e-9});
  gnp::set_printoptions({.precision = 3, .suppress = true});
  CHECK(gnp::array2string(tiny, {.separator = ", "}) == "[1.235, 0.   ]");
  {
    const gnp::printoptions scope({.precision = 2});
    CHECK(gnp::array2string(tiny) == "[1.23 0.  ]");
  }
  gnp::set_printoptions({.linewidth = 120});
  CHECK(gnp::array2string(tiny) == "[1.235 0.   ]");
  gnp::set_printoptions({.precision = 8, .linewidth = 75, .suppress = false});
  CHECK(gnp::array2string(a) == "[0.5        0.33333333]");

  CHECK_THROWS_WITH(gnp::set_printoptions({.precision = -1}), contains("precision must be >= 0, got -1"));
  CHECK_THROWS_WITH(gnp::array2string(a, {.edgeitems = -2}), contains("edgeitems must be >= 0, got -2"));
  const std::string many = gnp::array2string(a, {.precision = 1000, .floatmode = "fixed"});
  CHECK(many.substr(0, 6) == "[0.500");
  CHECK(many.find_first_not_of("[0123456789. \n]") == std::string::npos);
  CHECK_THROWS_WITH(gnp::array2string(a, {.sign = '*'}),
                    contains("sign must be one of '-', '+' and ' ', got '*'"));
  CHECK_THROWS_WITH(gnp::set_printoptions({.floatmode = "exact"}),
                    contains("floatmode must be one of 'maxprec'"));
}

TEST_CASE("arrays go into streams", "[print]") {
  std::ostringstream out;
  out << vector<std::int32_t>({1, -2}) << ' ' << vector<bool>({true, false});
  CHECK(out.str() == "[ 1 -2] [ True False]");
}

TEST_CASE("print: shapes and element types") {
  const gnp::host_array<float> a(gnp::shape_t{3, 4});
  std::ostringstream out;
  out << a.shape() << ' ' << gnp::shape_t{4} << ' ' << gnp::shape_t{} << ' ' << a.dtype() << ' '
      << gnp::dtype::complex128 << ' ' << gnp::device::cpu() << ' ' << gnp::device::cuda(1);
  CHECK(out.str() == "(3, 4) (4,) () float32 complex128 cpu cuda:1");
}
