// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// norm, vector_norm and matrix_norm beside NumPy's; tests/golden/make_norms.py says what a line is.
#include <cmath>
#include <complex>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;
using gnp::linalg::norm_order;

// As operand() of make_norms.py.
template <class T>
array<T> operand(const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) {
    const index_t real = (j * 7 + j / 5) % 11 - 5;
    if constexpr (std::is_same_v<T, gnp::complex128>) {
      host[j] = T(static_cast<double>(real) / 4, static_cast<double>((j * 5) % 7 - 3) / 4);
    } else if constexpr (std::is_same_v<T, double>) {
      host[j] = static_cast<double>(real) / 4;
    } else {
      host[j] = static_cast<T>(real * 23);
    }
  }
  return gnp::asarray(host);
}

norm_order order_of(const std::string& text) {
  if (text.empty()) return gnp::none;
  if (text == "fro" || text == "nuc") return text.c_str();
  return std::stod(text);
}

template <class T>
array<double> compute(const std::vector<std::string>& fields) {
  const array<T> x = operand<T>(golden::parse_shape(fields.at(5)));
  const norm_order ord = order_of(fields.at(1));
  const gnp::axes_t axis =
      fields.at(2).empty() ? gnp::axes_t(gnp::none) : gnp::axes_t(golden::parse_shape(fields.at(2)));
  const bool keepdims = fields.at(3) == "1";
  if (fields.at(0) == "norm") return gnp::linalg::norm(x, {.ord = ord, .axis = axis, .keepdims = keepdims});
  if (fields.at(0) == "vector_norm")
    return gnp::linalg::vector_norm(x, {.axis = axis, .keepdims = keepdims, .ord = ord});
  return gnp::linalg::matrix_norm(x, {.keepdims = keepdims, .ord = ord});
}

array<double> compute(const std::vector<std::string>& fields) {
  if (fields.at(4) == "float64") return compute<double>(fields);
  if (fields.at(4) == "int32") return compute<std::int32_t>(fields);
  return compute<gnp::complex128>(fields);
}

}  // namespace

TEST_CASE("Norms are NumPy's", "[norm]") {
  const auto lines = golden::split(golden::read_file("norms.txt"), "\n");
  REQUIRE(lines.size() > 2000);
  for_each_device([&](gnp::device) {
    int checked = 0;
    for (const std::string& text : lines) {
      if (text.empty()) continue;
      const auto fields = golden::split(text, ";");
      INFO(text);
      if (fields.at(6) == "error") {
        CHECK_THROWS_AS(compute(fields), gnp::error);
        continue;
      }
      const array<double> got = compute(fields);
      const auto result = golden::split(fields.at(6), ":");
      REQUIRE(got.shape() == golden::parse_shape(result.at(0)));
      const auto host = gnp::asnumpy(got);
      std::istringstream in(fields.at(7));
      bool same = true;
      for (index_t i = 0; i < host.size(); ++i) {
        std::string word;
        in >> word;
        const double expected = std::stod(word);
        same = same &&
               (host[i] == expected || std::abs(host[i] - expected) <= 1e-13 * std::abs(expected) + 1e-14 ||
                (std::isnan(expected) && std::isnan(host[i])));
      }
      CHECK(same);
      ++checked;
    }
    CHECK(checked > 1000);
  });
}

TEST_CASE("Types and uses of norms", "[norm]") {
  for_each_device([](gnp::device) {
    const array<float> f = gnp::asarray<float>({3, 4});
    static_assert(std::is_same_v<decltype(gnp::linalg::norm(f)), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::linalg::norm(f.astype<gnp::half>(), 1)), array<gnp::half>>);
    static_assert(std::is_same_v<decltype(gnp::linalg::norm(f.astype<gnp::complex64>(), 3)), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::linalg::norm(f.astype<bool>())), array<double>>);
    CHECK(gnp::linalg::norm(f).item() == 5);
    CHECK(gnp::linalg::norm(f - 1).item() == Approx(std::sqrt(13.0)));
    CHECK(gnp::linalg::norm(f, 1).item() == 7);
    CHECK(gnp::linalg::norm(f, std::numeric_limits<double>::infinity()).item() == 4);
    CHECK(gnp::linalg::norm(gnp::matmul(gnp::eye<float>(2), f)).item() == 5);
    // Halves are added in float, where 200 squared still fits.
    CHECK(static_cast<float>(gnp::linalg::norm(gnp::full<gnp::half>({4}, gnp::half(200.0F))).item()) == 400);
    CHECK(gnp::linalg::norm(gnp::empty<float>({0})).item() == 0);
    // The largest of nothing is 0, as NumPy 2.4 has it; the least is an error.
    constexpr double infinite = std::numeric_limits<double>::infinity();
    CHECK(gnp::linalg::norm(gnp::empty<float>({0}), infinite).item() == 0);
    CHECK(gnp::linalg::norm(gnp::zeros<float>({0, 3}), 2).item() == 0);
    CHECK(gnp::linalg::norm(gnp::zeros<float>({0, 3}), infinite).item() == 0);
    CHECK(gnp::linalg::norm(gnp::zeros<float>({3, 0}), 1).item() == 0);
    CHECK(gnp::array_equal(gnp::linalg::norm(gnp::zeros<float>({3, 0}), infinite, 1), gnp::zeros<float>({3})));
    CHECK(gnp::linalg::vector_norm(gnp::zeros<float>({0}), {.ord = infinite}).item() == 0);
    CHECK_THROWS_AS(gnp::linalg::norm(gnp::empty<float>({0}), -infinite), gnp::shape_error);
    CHECK_THROWS_WITH(gnp::linalg::norm(f, "spectral"), contains("spectral"));
    CHECK_THROWS_WITH(gnp::linalg::norm(gnp::ones<float>({2, 2}), 3), contains("order"));
  });
}
