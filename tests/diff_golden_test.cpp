// SPDX-License-Identifier: MIT
// test: asan
// diff with what is prepended and appended, beside NumPy's; tests/golden/make_differences.py says what a line
// is.
#include <complex>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::shape_t;

// As operand() of make_differences.py.
template <class T>
array<T> operand(index_t i, const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) {
    const index_t real = (j * 7 + i * 3 + j / 5) % 11;
    if constexpr (std::is_same_v<T, bool>) {
      host[j] = real > 4;
    } else if constexpr (std::is_same_v<T, gnp::complex64>) {
      host[j] = T(static_cast<float>(real) / 4, static_cast<float>((j * 5 + i) % 7) / 4);
    } else if constexpr (std::is_same_v<T, float>) {
      host[j] = static_cast<float>(real) / 4;
    } else {
      host[j] = static_cast<T>(real * 23);
    }
  }
  return asarray(host);
}

template <class T>
gnp::diff_edge<T> edge(index_t i, const std::string& text) {
  if (text.empty()) return {};
  if (text[0] == '=') return static_cast<T>(static_cast<float>(std::stoi(text.substr(1))));
  return operand<T>(i, text == "," ? shape_t{} : golden::parse_shape(text));
}

template <class T>
gnp::host_array<T> parsed(const shape_t& shape, const std::string& text) {
  gnp::host_array<T> host(shape);
  std::istringstream in(text);
  for (index_t i = 0; i < host.size(); ++i) {
    std::string word;
    in >> word;
    const auto parts = golden::split(word, ",");
    if constexpr (std::is_same_v<T, gnp::complex64>) {
      host[i] = T(std::stof(parts.at(0)), std::stof(parts.at(1)));
    } else {
      host[i] = static_cast<T>(std::stod(parts.at(0)));
    }
  }
  return host;
}

}  // namespace

TEMPLATE_TEST_CASE("diff between edges is NumPy's", "", bool, std::uint8_t, std::int32_t, float,
                   gnp::complex64) {
  using T = TestType;
  const auto lines = golden::split(golden::read_file("differences.txt"), "\n");
  for_each_device([&](gnp::device) {
    int found = 0;
    for (const std::string& line : lines) {
      if (line.empty()) continue;
      const auto fields = golden::split(line, ";");
      if (fields.at(0) != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(line);
      const array<T> x = operand<T>(0, golden::parse_shape(fields.at(1)));
      const gnp::diff_options<T> options{.n = std::stoi(fields.at(2)),
                                         .axis = std::stoi(fields.at(3)),
                                         .prepend = edge<T>(1, fields.at(4)),
                                         .append = edge<T>(2, fields.at(5))};
      if (fields.at(6) == "error") {
        CHECK_THROWS_AS(gnp::diff(x, options), gnp::error);
        continue;
      }
      const shape_t shape = golden::parse_shape(fields.at(6));
      const array<T> got = gnp::diff(x, options);
      REQUIRE(got.shape() == shape);
      CHECK(gnp::array_equal(got, asarray(parsed<T>(shape, fields.at(7)))));
      if (x.ndim() > 1) CHECK(gnp::array_equal(gnp::diff(x.T().copy().T(), options), got));
    }
    CHECK(found == 128);
  });
}

TEST_CASE("diff's edges are numbers, arrays and expressions of the array's type or less") {
  for_each_device([](gnp::device) {
    const array<float> t = asarray<float>({1, 3, 6, 10});
    CHECK(gnp::array_equal(gnp::diff(t, {.prepend = 0}), asarray<float>({1, 2, 3, 4})));
    CHECK(gnp::array_equal(gnp::diff(t, {.prepend = t(0)}), asarray<float>({0, 2, 3, 4})));
    CHECK(gnp::array_equal(gnp::diff(t * 2, {.n = 2, .append = 2.5}), asarray<float>({2, 2, -25.5F})));
    CHECK(
        gnp::array_equal(gnp::diff(t, {.prepend = t(gnp::slice(0, 2)) - 1}), asarray<float>({2, -1, 2, 3, 4})));
    CHECK(gnp::array_equal(gnp::diff(t, {.append = asarray<std::int8_t>({11, 9})}),
                           asarray<float>({2, 3, 4, 1, -2})));
    const array<float> kept = gnp::diff(t, {.prepend = t(gnp::slice(3, 4)), .append = t(0)});
    CHECK(gnp::array_equal(kept, asarray<float>({-9, 2, 3, 4, -9})));
    CHECK(gnp::array_equal(t, asarray<float>({1, 3, 6, 10})));
    const array<std::uint8_t> small = asarray<std::uint8_t>({3, 1});
    CHECK(gnp::array_equal(gnp::diff(small, {.prepend = 255}), asarray<std::uint8_t>({4, 254})));
    CHECK_THROWS_WITH(gnp::diff(small, {.prepend = 256}),
                      contains("diff: the integer 256 is out of bounds for uint8"));
    const array<double> table = gnp::zeros<double>({2, 3});
    CHECK_THROWS_WITH(
        gnp::diff(table, {.axis = -1, .prepend = gnp::ones<double>({3})}),
        contains("diff: prepend of shape (3,) does not fit an array of shape (2, 3) along axis 1"));
    CHECK_THROWS_WITH(
        gnp::diff(table, {.axis = 0, .append = gnp::ones<double>({1, 2})}),
        contains("diff: append of shape (1, 2) does not fit an array of shape (2, 3) along axis 0"));
  });
  if (gnp::cuda_available()) {
    const array<float> here = gnp::ones<float>({3}), there = here.to(gnp::device::cpu());
    CHECK_THROWS_AS(gnp::diff(here, {.prepend = there}), gnp::device_error);
  }
}
