// SPDX-License-Identifier: MIT
// arange, linspace, logspace, eye, identity and full give NumPy's very values; tests/data/creation.txt has
// them.
#include <array>
#include <span>

#include "devices.hpp"
#include "golden.hpp"

namespace {

/// One line of creation.txt.
struct call {
  std::string text;  // what was called, for people
  std::string function;
  std::vector<std::string> arguments;
  gnp::shape_t shape;
  golden::block result;
};

const std::vector<call>& calls() {
  static const auto lines = [] {
    std::vector<call> result;
    for (const std::string& line : golden::split(golden::read_file("creation.txt"), "\n")) {
      if (line.empty()) continue;
      const auto parts = golden::split(line, " | ");
      const auto words = golden::split(parts.at(0), " ");
      std::string bytes;
      for (std::size_t i = 0; i < parts.at(2).size(); i += 2) {
        bytes += static_cast<char>(std::stoi(parts[2].substr(i, 2), nullptr, 16));
      }
      result.push_back({parts[0],
                        words.at(0),
                        {words.begin() + 2, words.end()},
                        golden::parse_shape(parts.at(1)),
                        {words.at(1), bytes}});
    }
    return result;
  }();
  return lines;
}

/// Integers as such, to the last bit; anything else as double.
template <class T>
auto number(const std::string& text) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<gnp::index_t>(std::stoll(text));
  } else {
    return std::strtod(text.c_str(), nullptr);  // stod refuses subnormal numbers
  }
}

template <class T>
void check_result(const call& c, const gnp::array<T>& result,
                  const golden::tolerance& allowed = golden::exact) {
  INFO(c.text);
  REQUIRE(gnp::to_string(result.shape()) == gnp::to_string(c.shape));
  const gnp::host_array<T> got = gnp::asnumpy(result);
  const gnp::host_array<T> expected = c.result.values<T>();
  REQUIRE(got.size() == expected.size());
  for (gnp::index_t i = 0; i < got.size(); ++i) {
    if (golden::close(got[i], expected[i], allowed)) continue;
    FAIL_CHECK("element " << i << " is " << golden::describe(got[i]) << ", NumPy's "
                          << golden::describe(expected[i]));
    return;
  }
  SUCCEED();
}

/// Those functions that gnp has for every type, and those for numbers with an order.
template <class T>
void check_call(const call& c) {
  const auto integer = [&](std::size_t i) { return static_cast<gnp::index_t>(std::stoll(c.arguments.at(i))); };
  const auto real = [&](std::size_t i) { return std::strtod(c.arguments.at(i).c_str(), nullptr); };
  if (c.function == "eye") {
    check_result<T>(c, gnp::eye<T>(integer(0), integer(1), integer(2)));
  } else if (c.function == "identity") {
    check_result<T>(c, gnp::identity<T>(integer(0)));
  } else if (c.function == "full") {
    check_result<T>(c, gnp::full<T>(c.shape, static_cast<T>(static_cast<float>(real(0)))));
  } else if constexpr (!golden::is_complex_v<T> && !std::is_same_v<T, bool>) {
    if (c.function == "arange") {
      check_result<T>(c, gnp::arange<T>(number<T>(c.arguments.at(0)), number<T>(c.arguments.at(1)),
                                        number<T>(c.arguments.at(2))));
    } else if (c.function == "linspace") {
      check_result<T>(c, gnp::linspace<T>(real(0), real(1), integer(2), {.endpoint = integer(3) != 0}));
    } else if (c.function == "logspace") {
      const gnp::array<T> result =
          gnp::logspace<T>(real(0), real(1), integer(2), {.endpoint = integer(3) != 0, .base = real(4)});
      check_result<T>(c, result, golden::ulps(4));
    } else {
      FAIL("unknown function " << c.function);
    }
  } else {
    FAIL("unknown function " << c.function << " for " << c.result.dtype);
  }
}

/// All calls whose result has one of these types.
template <class... T>
int check_calls(golden::types<T...>) {
  int run = 0;
  for_each_device([&](gnp::device) {
    run = 0;
    for (const call& c : calls()) {
      const auto try_type = [&]<class U>(U*) {
        if (c.result.dtype != gnp::name(gnp::dtype_of<U>)) return;
        check_call<U>(c);
        ++run;
      };
      (try_type(static_cast<T*>(nullptr)), ...);
    }
    CHECK(run > 0);
  });
  return run;
}

template <class T, class Array>
constexpr bool holds = std::is_same_v<typename Array::value_type, T>;

}  // namespace

TEST_CASE("creation: NumPy's values for integers and bool") {
  check_calls(golden::signed_types{});
  check_calls(golden::unsigned_types{});
}
TEST_CASE("creation: NumPy's values for floating types") {
  check_calls(golden::types<gnp::half, float, double>{});
}
TEST_CASE("creation: NumPy's values for complex types") { check_calls(golden::complex_types{}); }

TEST_CASE("creation: every line of the golden file is of a type that was tested") {
  for (const call& c : calls()) {
    INFO(c.text);
    CHECK(golden::itemsize(c.result.dtype) > 0);
    CHECK(c.result.dtype != "bfloat16");
  }
}

TEST_CASE("creation: the dtype comes from the arguments") {
  gnp::array integers = gnp::arange(10);
  gnp::array from_to = gnp::arange(2, 10);
  gnp::array reals = gnp::arange(1.0);
  gnp::array mixed = gnp::arange(0, 1, 0.25);
  gnp::array line = gnp::linspace(0, 1);
  gnp::array log_line = gnp::logspace(0, 1);
  gnp::array square = gnp::eye(3);
  gnp::array unit = gnp::identity(3);
  static_assert(holds<std::int64_t, decltype(integers)>);
  static_assert(holds<std::int64_t, decltype(from_to)>);
  static_assert(holds<double, decltype(reals)>);
  static_assert(holds<double, decltype(mixed)>);
  static_assert(holds<double, decltype(line)>);
  static_assert(holds<double, decltype(log_line)>);
  static_assert(holds<double, decltype(square)>);
  static_assert(holds<double, decltype(unit)>);
  CHECK(integers.shape() == gnp::shape_t{10});
  CHECK(from_to.shape() == gnp::shape_t{8});
  CHECK(mixed.shape() == gnp::shape_t{4});
  CHECK(line.shape() == gnp::shape_t{50});
  CHECK(log_line.shape() == gnp::shape_t{50});
  CHECK(square.shape() == gnp::shape_t{3, 3});
  CHECK(gnp::asnumpy(from_to)(0) == 2);
  CHECK(gnp::asnumpy(from_to)(-1) == 9);
}

TEST_CASE("creation: a shape is made of integers of any type") {
  for_each_device([](gnp::device) {
    const std::vector<double> rows(3);
    const std::vector<std::uint8_t> sizes{3, 4};
    const gnp::shape_t three{3};
    const gnp::shape_t both{3, 4};
    CHECK(gnp::zeros(3).shape() == three);
    CHECK(gnp::zeros(rows.size()).shape() == three);
    CHECK(gnp::zeros<float>(3, 4).shape() == both);
    CHECK(gnp::ones(rows.size(), 4).shape() == both);
    CHECK(gnp::empty(3, 4U, std::int8_t{1}).shape() == gnp::shape_t{3, 4, 1});
    CHECK(gnp::zeros({rows.size(), 4}).shape() == both);
    CHECK(gnp::zeros(sizes).shape() == both);
    CHECK(gnp::zeros(std::array<long, 2>{3, 4}).shape() == both);
    CHECK(gnp::zeros(std::span<const std::uint8_t>(sizes)).shape() == both);
    const short c_array[2] = {3, 4};
    CHECK(gnp::zeros(c_array).shape() == both);
    enum { some = 3 };
    CHECK(gnp::zeros({some, 4}).shape() == both);
    CHECK(gnp::zeros({}).shape() == gnp::shape_t{});
    CHECK(gnp::zeros(std::vector<int>{}).shape() == gnp::shape_t{});
    CHECK(gnp::zeros(0).shape() == gnp::shape_t{0});
    // full's second argument is the value.
    CHECK(gnp::array_equal(gnp::full(2, 3), gnp::asarray<int>({3, 3})));
    CHECK(gnp::array_equal(gnp::full({rows.size()}, 1.5F), gnp::asarray({1.5F, 1.5F, 1.5F})));
    CHECK(gnp::full(sizes, true).shape() == both);
    CHECK(gnp::empty_pinned<float>(3, 4).shape() == both);
    CHECK(gnp::empty_pinned<float>(rows.size()).shape() == three);
    CHECK(gnp::zeros_pinned<float>(sizes).shape() == both);
    const gnp::array<std::int64_t> a = gnp::arange(12);
    CHECK(a.reshape({rows.size(), -1}).shape() == both);
    CHECK(a.reshape(rows.size(), -1).shape() == both);
    CHECK(a.reshape(sizes).shape() == both);
    CHECK(gnp::reshape(a, sizes).shape() == both);
    CHECK(gnp::reshape(a.reshape(3, 4), 12).shape() == a.shape());
    CHECK(gnp::broadcast_to(gnp::arange(4), {rows.size(), 4}).shape() == both);
    CHECK(gnp::broadcast_to(gnp::full({}, 1), rows.size()).shape() == three);
    CHECK(gnp::eye(rows.size(), 4).shape() == both);
    CHECK(gnp::identity(rows.size()).shape() == gnp::shape_t{3, 3});
    CHECK(gnp::linspace(0, 1, rows.size()).shape() == three);
    CHECK(gnp::logspace(0, 1, rows.size()).shape() == three);
    const std::vector<int> values{1, 2, 3};
    CHECK(gnp::asarray(values.data(), values.size()).shape() == three);
    CHECK_THROWS_AS(gnp::zeros(~std::uint64_t{0}), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::zeros({2, std::uint64_t{1} << 63}),
                      contains("at most 9223372036854775807, got 9223372036854775808"));
    CHECK_THROWS_AS(gnp::zeros(-3), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::zeros(3, -4),
                      contains("zeros: negative dimensions are not allowed, got shape (3, -4)"));
    CHECK_THROWS_AS(gnp::zeros(std::vector<int>(17, 1)), gnp::shape_error);
  });
  // What holds values holds no sizes.
  static_assert(!std::is_convertible_v<gnp::array<int>, gnp::shape_t>);
  static_assert(!std::is_convertible_v<gnp::host_array<int>, gnp::shape_t>);
  static_assert(!std::is_convertible_v<std::vector<double>, gnp::shape_t>);
  static_assert(!std::is_convertible_v<std::vector<bool>, gnp::shape_t>);
  static_assert(!std::is_convertible_v<std::string, gnp::shape_t>);
}

TEST_CASE("shape: as many sizes as there must be dimensions") {
  for_each_device([](gnp::device) {
    const gnp::array<float> a = gnp::zeros<float>(3, 4);
    const auto [rows, columns] = a.shape<2>();
    CHECK(rows == 3);
    CHECK(columns == 4);
    const auto [length] = (a(0) + 1).shape<1>();
    CHECK(length == 4);
    CHECK(gnp::asnumpy(a).shape<2>()[1] == 4);
    CHECK(gnp::zeros({}).shape<0>().empty());
    CHECK_THROWS_AS(a.shape<1>(), gnp::shape_error);
    CHECK_THROWS_WITH(a.shape<3>(), contains("shape: 3 dimensions are wanted of an array of shape (3, 4)"));
    CHECK_THROWS_AS((a + 1).shape<1>(), gnp::shape_error);
    CHECK_THROWS_AS(gnp::asnumpy(a).shape<1>(), gnp::shape_error);
  });
}

TEMPLATE_TEST_CASE("creation: ranges of integers, of any length, on one thread and on several", "", std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t) {
  const int threads = gnp::get_num_threads();
  for (const int count : {1, 3}) {
    gnp::set_num_threads(count);
    for_each_device([](gnp::device) {
      for (const gnp::index_t n : {0, 1, 15, 16, 17, 33, 127, 32769, 100003}) {
        for (const gnp::index_t step : {1, 3, -1, -7}) {
          INFO(n << " by " << step);
          // Longer ranges than the type holds wrap.
          const gnp::index_t first = step > 0 ? 2 : 100;
          const auto made = gnp::asnumpy(gnp::arange<TestType>(first, first + n * step, step));
          REQUIRE(made.size() == n);
          gnp::index_t wrong = 0;
          for (gnp::index_t i = 0; i < n; ++i)
            wrong += made(i) == static_cast<TestType>(static_cast<std::uint64_t>(first + i * step)) ? 0 : 1;
          CHECK(wrong == 0);
        }
      }
    });
  }
  gnp::set_num_threads(threads);
}

TEST_CASE("creation: what cannot be is an error") {
  for_each_device([](gnp::device) {
    CHECK_THROWS_AS(gnp::array<double>(gnp::arange<double>(0, 1, 0)), gnp::error);
    CHECK_THROWS_AS(gnp::array<std::int64_t>(gnp::arange<std::int64_t>(0, 1, 0)), gnp::error);
    CHECK_THROWS_AS(gnp::array<double>(gnp::linspace<double>(0, 1, -1)), gnp::error);
    CHECK_THROWS_AS(gnp::array<double>(gnp::eye<double>(-1)), gnp::error);
    CHECK_THROWS_AS(gnp::zeros<float>(gnp::shape_t{2, -1}), gnp::shape_error);
  });
}
