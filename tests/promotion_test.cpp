// SPDX-License-Identifier: MIT
// Types: which dtypes meet in which, what weak scalars do, and which ufunc takes and returns what, as in NumPy.
#include <array>
#include <gnp/gnp.hpp>
#include <map>
#include <set>
#include <utility>

#include "golden.hpp"

namespace {

constexpr std::size_t count = gnp::dtype_count;

/// What the golden file calls the dtypes, one character each; '.' means that there is no result.
constexpr char codes[] = "?bhiqBHIQeEfdFD.";

constexpr char code_of(gnp::dtype d) { return codes[static_cast<int>(d)]; }
template <std::size_t I>
using type_at = gnp::type_of<static_cast<gnp::dtype>(I)>;

/// promotion.txt by the first two words of its lines.
const std::map<std::string, std::vector<std::string>>& table() {
  static const auto lines = [] {
    std::map<std::string, std::vector<std::string>> result;
    for (const std::string& line : golden::split(golden::read_file("promotion.txt"), "\n")) {
      if (line.empty()) continue;
      auto words = golden::split(line, " ");
      const bool header = words.at(0) == "dtypes" || words.at(0) == "codes";
      const std::string key = header ? words.at(0) : words.at(0) + " " + words.at(1);
      words.erase(words.begin(), words.begin() + (header ? 1 : 2));
      result[key] = words;
    }
    return result;
  }();
  return lines;
}

// ------------------------------------------------------------------------------------------ ufuncs

// The results of one ufunc for every type, and for every pair of types, row by row.
template <class Ufunc, class... T>
constexpr char result_code() {
  if constexpr (Ufunc::template supports<T...>) {
    return code_of(gnp::dtype_of<typename Ufunc::template result_type<T...>>);
  } else {
    return '.';
  }
}
template <class Ufunc, std::size_t... I>
std::string unary_codes(std::index_sequence<I...>) {
  return {result_code<Ufunc, type_at<I>>()...};
}
template <class Ufunc, std::size_t... I>
std::string binary_codes(std::index_sequence<I...>) {
  return {result_code<Ufunc, type_at<I / count>, type_at<I % count>>()...};
}
template <class Ufunc, std::size_t... I>
std::string clip_codes(std::index_sequence<I...>) {
  return {result_code<Ufunc, type_at<I>, type_at<I>, type_at<I>>()...};
}
template <class Ufunc, std::size_t... I>
std::string where_codes(std::index_sequence<I...>) {
  return {result_code<Ufunc, bool, type_at<I / count>, type_at<I % count>>()...};
}
/// round and nan_to_num are functions, not ufuncs; their expressions know the type.
struct round_function {
  template <class T>
  static constexpr bool supports = true;
  template <class T>
  using result_type = typename decltype(gnp::round(std::declval<const gnp::array<T>&>()))::value_type;
};
struct nan_to_num_function {
  template <class T>
  static constexpr bool supports = true;
  template <class T>
  using result_type = typename decltype(gnp::nan_to_num(std::declval<const gnp::array<T>&>()))::value_type;
};
constexpr auto each_type = std::make_index_sequence<count>{};
constexpr auto each_pair = std::make_index_sequence<count * count>{};

/// "add(int8, bool): gives int8, NumPy float16", for each difference.
void check_codes(const std::string& key, const std::string& got) {
  const std::string expected = table().at(key).at(0);
  REQUIRE(got.size() == expected.size());
  const auto say = [](char code) {
    return code == '.' ? std::string("nothing")
                       : std::string(gnp::name(static_cast<gnp::dtype>(std::string(codes).find(code))));
  };
  std::string differences;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected[i]) continue;
    const std::size_t first = got.size() > count ? i / count : i;
    differences += std::string("\n  ") + key + "(" + say(codes[first]) +
                   (got.size() > count ? ", " + say(codes[i % count]) : "") + "): gives " + say(got[i]) +
                   ", NumPy's " + say(expected[i]);
  }
  if (!differences.empty())
    FAIL_CHECK("result types differ:" << differences);
  else
    SUCCEED();
}

// clang-format off
#define UNARY_UFUNCS(X) \
  X(abs) X(fabs) X(sign) X(negative) X(positive) X(reciprocal) X(square) X(sqrt) X(cbrt) X(exp) X(exp2) X(expm1) \
  X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(arcsin) X(arccos) X(arctan) X(sinh) X(cosh) X(tanh) \
  X(arcsinh) X(arccosh) X(arctanh) X(degrees) X(radians) X(floor) X(ceil) X(trunc) X(rint) X(fix) \
  X(signbit) X(isnan) X(isinf) X(isfinite) X(isposinf) X(isneginf) X(real) X(imag) X(conj) X(angle) X(sinc) \
  X(logical_not) X(invert)
#define ARITHMETIC_UFUNCS(X) \
  X(add) X(subtract) X(multiply) X(divide) X(floor_divide) X(remainder) X(fmod) X(power) X(float_power) \
  X(logaddexp) X(logaddexp2) X(arctan2) X(hypot) X(maximum) X(minimum) X(fmax) X(fmin) X(heaviside) X(copysign) \
  X(nextafter) X(ldexp)
#define LOGIC_UFUNCS(X) \
  X(gcd) X(lcm) X(equal) X(not_equal) X(less) X(less_equal) X(greater) X(greater_equal) X(logical_and) \
  X(logical_or) X(logical_xor) X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(left_shift) X(right_shift)
// clang-format on

#define UNARY(f) check_codes("unary " #f, unary_codes<std::decay_t<decltype(gnp::ufuncs::f)>>(each_type));
#define BINARY(f) check_codes("binary " #f, binary_codes<std::decay_t<decltype(gnp::ufuncs::f)>>(each_pair));
#define NAME(f) #f,

}  // namespace

TEST_CASE("the golden table has gnp's dtypes in gnp's order") {
  const auto& names = table().at("dtypes");
  REQUIRE(names.size() == count);
  for (std::size_t d = 0; d < count; ++d) CHECK(names[d] == gnp::name(static_cast<gnp::dtype>(d)));
  CHECK(table().at("codes").at(0) == codes);
}

TEST_CASE("two dtypes promote to NumPy's") {
  for (std::size_t a = 0; a < count; ++a) {
    const auto first = static_cast<gnp::dtype>(a);
    const auto& row = table().at(std::string("promote ") + gnp::name(first));
    for (std::size_t b = 0; b < count; ++b) {
      const auto second = static_cast<gnp::dtype>(b);
      INFO(gnp::name(first) << " with " << gnp::name(second));
      CHECK(gnp::name(gnp::promote(first, second)) == row.at(b));
    }
  }
}

namespace {

template <class E>
constexpr const char* type_name(const E&) {
  return gnp::name(gnp::dtype_of<typename E::value_type>);
}

template <class T>
void check_weak() {
  const auto& row = table().at(std::string("weak ") + gnp::name(gnp::dtype_of<T>));
  INFO(gnp::name(gnp::dtype_of<T>));
  const T values[] = {static_cast<T>(1.0F)};
  const gnp::array<T> a = gnp::asarray(values, {1});
  CHECK(type_name(a + true) == row.at(0));
  CHECK(type_name(true + a) == row.at(0));
  CHECK(type_name(a + 1) == row.at(1));
  CHECK(type_name(1 + a) == row.at(1));
  CHECK(type_name(a + 1L) == row.at(1));
  CHECK(type_name(a + 1.5) == row.at(2));
  CHECK(type_name(1.5 + a) == row.at(2));
  CHECK(type_name(a + 1.5F) == row.at(2));
  CHECK(type_name(a + gnp::complex128(0, 1)) == row.at(3));
  CHECK(type_name(gnp::complex64(0, 1) + a) == row.at(3));
}

}  // namespace

TEST_CASE("scalars are weak") {
  const gnp::use_device guard(gnp::device::cpu());
  const auto check = []<class... T>(golden::types<T...>) { (check_weak<T>(), ...); };
  check(golden::all_types{});
}

TEST_CASE("ufuncs of one operand take and return NumPy's types") {
  UNARY_UFUNCS(UNARY)
  check_codes("unary round", unary_codes<round_function>(each_type));
  check_codes("unary nan_to_num", unary_codes<nan_to_num_function>(each_type));
  check_codes("unary clip", clip_codes<std::decay_t<decltype(gnp::ufuncs::clip)>>(each_type));
}

TEST_CASE("arithmetic ufuncs of two operands take and return NumPy's types") {
  ARITHMETIC_UFUNCS(BINARY)
  CHECK(table().contains("binary add"));
}

TEST_CASE("logical ufuncs of two operands take and return NumPy's types") {
  LOGIC_UFUNCS(BINARY)
  check_codes("binary where", where_codes<std::decay_t<decltype(gnp::ufuncs::where)>>(each_pair));
}

TEST_CASE("every ufunc of the golden table is compared") {
  const std::set<std::string> unary{UNARY_UFUNCS(NAME) "round", "nan_to_num", "clip"};
  const std::set<std::string> binary{ARITHMETIC_UFUNCS(NAME) LOGIC_UFUNCS(NAME) "where"};
  std::set<std::string> recorded_unary;
  std::set<std::string> recorded_binary;
  for (const auto& [key, values] : table()) {
    const auto words = golden::split(key, " ");
    // The second argument of round is a value, not a type.
    if (words[0] == "unary" && !words.at(1).starts_with("round_")) recorded_unary.insert(words.at(1));
    if (words[0] == "binary") recorded_binary.insert(words.at(1));
  }
  CHECK(recorded_unary == unary);
  CHECK(recorded_binary == binary);
}
