// SPDX-License-Identifier: MIT
// test: no-asan, lapack
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// The products of NumPy's names beside NumPy's results; tests/golden/make_products.py says what a line is.
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
using gnp::index_t;
using gnp::shape_t;

struct line {
  std::string function, arguments, dtype;
  std::vector<shape_t> operands;
  bool error = false;
  shape_t shape;
  std::string result_dtype;
  std::string values;
};

std::vector<line> read_lines() {
  std::vector<line> lines;
  for (const std::string& text : golden::split(golden::read_file("products.txt"), "\n")) {
    if (text.empty()) continue;
    const auto fields = golden::split(text, ";");
    line l{fields.at(0), fields.at(1), fields.at(2), {}, fields.at(4) == "error", {}, "", ""};
    for (const std::string& shape : golden::split(fields.at(3), "|"))
      l.operands.push_back(golden::parse_shape(shape));
    if (!l.error) {
      const auto result = golden::split(fields.at(4), ":");
      l.shape = golden::parse_shape(result.at(0));
      l.result_dtype = result.at(1);
      l.values = fields.at(5);
    }
    lines.push_back(l);
  }
  return lines;
}

// As operand() of make_products.py.
template <class T>
array<T> operand(index_t i, const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) {
    const index_t real = (j * 7 + i * 3 + j / 5) % 11 - 5;
    const index_t imag = (j * 5 + i) % 7 - 3;
    if constexpr (std::is_same_v<T, bool>) {
      host[j] = real > 2;
    } else if constexpr (std::is_same_v<T, gnp::complex128>) {
      host[j] = T(static_cast<double>(real) / 4, static_cast<double>(imag) / 4);
    } else if constexpr (std::is_same_v<T, double>) {
      host[j] = static_cast<double>(real) / 4;
    } else {
      host[j] = static_cast<T>(real * 23);
    }
  }
  return gnp::asarray(host);
}

template <class T>
T parsed(std::istringstream& in) {
  std::string word;
  in >> word;
  if constexpr (std::is_same_v<T, gnp::complex128>) {
    const auto parts = golden::split(word, ",");
    return T(std::stod(parts.at(0)), std::stod(parts.at(1)));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::stod(word);
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return std::stoull(word);
  } else {
    return static_cast<T>(std::stoll(word));
  }
}

template <class R>
void check_result(const line& l, const array<R>& got) {
  CHECK(gnp::name(gnp::dtype_of<R>) == l.result_dtype);
  REQUIRE(got.shape() == l.shape);
  const auto host = gnp::asnumpy(got);
  std::istringstream in(l.values);
  int wrong = 0;
  for (index_t i = 0; i < host.size(); ++i) {
    const R expected = parsed<R>(in);
    if (host[i] != expected && wrong++ == 0) {
      INFO("element " << i << ": " << golden::describe(host[i]) << ", NumPy: " << golden::describe(expected));
      CHECK(wrong == 0);
    }
  }
  CHECK(wrong == 0);
}

std::vector<int> integers(const std::string& text) {
  std::vector<int> result;
  for (const std::string& word : golden::split(text, ",")) result.push_back(std::stoi(word));
  return result;
}

/// Runs one line on these operands, and gives its result to `use`. False for a function it does not know.
template <class T, class Use>
bool run(const line& l, const std::vector<array<T>>& x, const Use& use) {
  const auto& f = l.function;
  const auto axis = [&] { return std::stoi(l.arguments); };
  const auto two = [&](const auto& call) { use(gnp::array(call(x.at(0), x.at(1)))); };
  if (f == "matmul") {
    two([](const auto& a, const auto& b) { return gnp::matmul(a, b); });
  } else if (f == "dot") {
    two([](const auto& a, const auto& b) { return gnp::dot(a, b); });
  } else if (f == "inner") {
    two([](const auto& a, const auto& b) { return gnp::inner(a, b); });
  } else if (f == "vdot") {
    two([](const auto& a, const auto& b) { return gnp::vdot(a, b); });
  } else if (f == "outer") {
    two([](const auto& a, const auto& b) { return gnp::outer(a, b); });
  } else if (f == "kron") {
    two([](const auto& a, const auto& b) { return gnp::kron(a, b); });
  } else if (f == "matvec") {
    two([](const auto& a, const auto& b) { return gnp::matvec(a, b); });
  } else if (f == "vecmat") {
    two([](const auto& a, const auto& b) { return gnp::vecmat(a, b); });
  } else if (f == "vecdot") {
    two([&](const auto& a, const auto& b) { return gnp::vecdot(a, b, {.axis = axis()}); });
  } else if (f == "cross") {
    if constexpr (!std::is_same_v<T, bool>) {
      two([&](const auto& a, const auto& b) {
        return l.arguments.empty() ? gnp::cross(a, b) : gnp::cross(a, b, {.axis = axis()});
      });
    }
  } else if (f == "tensordot") {
    const auto lists = golden::split(l.arguments, ":");
    two([&](const auto& a, const auto& b) {
      if (lists.size() == 1) return gnp::tensordot(a, b, axis());
      return gnp::tensordot(a, b, golden::parse_shape(lists.at(0)), golden::parse_shape(lists.at(1)));
    });
  } else if (f == "diagonal" || f == "trace") {
    const auto n = integers(l.arguments);
    if (f == "diagonal") {
      use(gnp::diagonal(x.at(0), n.at(0), n.at(1), n.at(2)));
    } else {
      use(gnp::trace(x.at(0), n.at(0), n.at(1), n.at(2)));
    }
  } else if (f == "multi_dot") {
    use(gnp::linalg::multi_dot(x));
  } else if (f == "matrix_power") {
    use(gnp::linalg::matrix_power(x.at(0), axis()));
  } else if (f == "einsum") {
    const std::string& s = l.arguments;
    if (x.size() == 1) {
      use(gnp::einsum(s, x[0]));
    } else if (x.size() == 2) {
      use(gnp::einsum(s, x[0], x[1]));
    } else if (x.size() == 3) {
      use(gnp::einsum(s, x[0], x[1], x[2]));
    } else if (x.size() == 4) {
      use(gnp::einsum(s, x[0], x[1], x[2], x[3]));
    } else {
      use(gnp::einsum(s, x.at(0), x.at(1), x.at(2), x.at(3), x.at(4)));
    }
  } else {
    return false;
  }
  return true;
}

template <class T>
int check_lines(const std::vector<line>& lines) {
  int count = 0;
  for (const line& l : lines) {
    if (l.dtype != gnp::name(gnp::dtype_of<T>)) continue;
    ++count;
    INFO(l.function << " " << l.arguments << " of " << l.dtype << " operands");
    std::vector<array<T>> x;
    for (std::size_t i = 0; i < l.operands.size(); ++i) {
      INFO(gnp::to_string(l.operands[i]));
      x.push_back(operand<T>(static_cast<index_t>(i), l.operands[i]));
    }
    if (l.error) {
      CHECK_THROWS_AS(run<T>(l, x, [](const auto&) {}), gnp::error);
      continue;
    }
    CHECK(run<T>(l, x, [&](const auto& result) { check_result(l, result.eval()); }));
    // The same from strided memory: every second element, backwards, along the last axis.
    for (array<T>& a : x) {
      if (a.ndim() == 0) continue;
      shape_t shape = a.shape();
      shape[shape.size() - 1] *= 2;
      const array<T> spread = gnp::zeros<T>(shape)(gnp::ellipsis, gnp::slice(gnp::none, gnp::none, 2))(
          gnp::ellipsis, gnp::slice(gnp::none, gnp::none, -1));
      spread.assign(a);
      a = spread;
    }
    run<T>(l, x, [&](const auto& result) { check_result(l, result.eval()); });
  }
  return count;
}

}  // namespace

TEMPLATE_TEST_CASE("Products are NumPy's", "[products]", bool, std::int8_t, std::int32_t, std::uint64_t, double,
                   gnp::complex128) {
  const std::vector<line> lines = read_lines();
  REQUIRE(lines.size() > 1000);
  for_each_device([&](gnp::device) { CHECK(check_lines<TestType>(lines) > 40); });
}

TEST_CASE("Types mix as NumPy's", "[products]") {
  for_each_device([](gnp::device) {
    const array<float> f = gnp::asarray<float>({1, 2, 3});
    const array<std::int16_t> i = gnp::asarray<std::int16_t>({1, 2, 3});
    const array<gnp::complex64> z =
        gnp::asarray<gnp::complex64>({gnp::complex64(0, 1), gnp::complex64(1, 1), gnp::complex64(2)});
    static_assert(std::is_same_v<decltype(gnp::dot(f, i)), array<float>>);
    static_assert(std::is_same_v<decltype(gnp::vdot(z, f)), array<gnp::complex64>>);
    static_assert(std::is_same_v<decltype(gnp::einsum("i,i", i, i)), array<std::int16_t>>);
    static_assert(std::is_same_v<decltype(gnp::einsum("i,i,i", i, f, z)), array<gnp::complex64>>);
    CHECK(gnp::dot(f, i).item() == 14);
    CHECK(gnp::vdot(z, f).item() == gnp::complex64(8, -3));
    CHECK(gnp::dot(z, f).item() == gnp::complex64(8, 3));
    CHECK(gnp::vecdot(z, z).item() == gnp::complex64(7, 0));
    CHECK(gnp::einsum("i,i,i", i, f, z).item() == gnp::complex64(22, 5));
    CHECK(gnp::outer(f + 1, i).item(2, 2) == 12);
  });
}

TEST_CASE("16-bit products are summed in float", "[products]") {
  for_each_device([](gnp::device) {
    const array<gnp::half> h = gnp::full<gnp::half>({4096}, gnp::half(1.0F));
    CHECK(static_cast<float>(gnp::dot(h, h).item()) == 4096);
    CHECK(static_cast<float>(gnp::matmul(h, h).item()) == 4096);
    CHECK(static_cast<float>(gnp::vecdot(h.reshape(2, 2048), h.reshape(2, 2048)).item(1)) == 2048);
    const array<gnp::half> small_part = gnp::full<gnp::half>({4096}, gnp::half(0.01F));
    const float tenth_square = static_cast<float>(small_part.item(0)) * static_cast<float>(small_part.item(0));
    CHECK(std::abs(static_cast<float>(gnp::dot(small_part, small_part).item()) - 4096 * tenth_square) < 3e-4F);
  });
}

TEST_CASE("einsum's views, and what its messages say", "[products]") {
  for_each_device([](gnp::device) {
    array<float> a = gnp::zeros<float>({3, 3});
    gnp::einsum("ii->i", a).fill(2);
    gnp::einsum("ij->ji", a)(0, 1).fill(5);
    CHECK(a.item(1, 1) == 2);
    CHECK(a.item(1, 0) == 5);
    CHECK_THROWS_WITH(gnp::einsum("ij,jk->ik", a, gnp::ones<float>({4, 2})),
                      contains("einsum") && contains("(4, 2)"));
    CHECK_THROWS_WITH(gnp::einsum("i", a), contains("'i' has 1 subscripts"));
    CHECK_THROWS_WITH(gnp::einsum("ij->k", a), contains("'k'"));
    CHECK_THROWS_WITH(gnp::tensordot(a, gnp::ones<float>({4, 2}), 1),
                      contains("tensordot") && contains("(3, 3) and (4, 2)"));
    CHECK_THROWS_WITH(gnp::linalg::outer(a, a), contains("linalg::outer"));
    CHECK_THROWS_WITH(gnp::linalg::matrix_power(gnp::ones<float>({2, 3}), 2),
                      contains("matrix_power") && contains("(2, 3)"));
  });
}

TEST_CASE("vector products of many vectors, broadcast, in any layout", "[products]") {
  for_each_device([](gnp::device) {
    const auto check = [](const auto& a, const auto& b, const auto& product) {
      using T = typename std::decay_t<decltype(product)>::value_type;
      REQUIRE(product.shape().back() == 3);
      const auto full = [&](const auto& x) {
        return gnp::asnumpy(
            gnp::broadcast_to(array<T>(x.template astype<T>()), product.shape()).reshape(-1, 3));
      };
      const gnp::host_array<T> x = full(a), y = full(b), z = gnp::asnumpy(product.reshape(-1, 3));
      for (index_t i = 0; i < z.shape(0); ++i) {
        for (index_t k = 0; k < 3; ++k) {
          const index_t next = (k + 1) % 3, last = (k + 2) % 3;
          const T wanted =
              static_cast<T>(static_cast<T>(x(i, next) * y(i, last)) - static_cast<T>(x(i, last) * y(i, next)));
          if (z(i, k) != wanted) FAIL("vector " << i << ", component " << k);
        }
      }
    };
    const auto all_layouts = [&]<class T>(T, index_t count) {
      INFO(gnp::name(gnp::dtype_of<T>) << ", " << count << " vectors");
      const auto a = operand<T>(0, {2 * count, 3}), b = operand<T>(1, {count, 3});
      check(a, a, gnp::cross(a, a));
      const auto some = a(gnp::slice(gnp::none, gnp::none, -2));
      check(some, b, gnp::cross(some, b));
      check(some + b, b, gnp::cross(some + b, b));
      check(b(0), a, gnp::cross(b(0), a));
      check(b(gnp::all, gnp::newaxis), b(gnp::newaxis, gnp::slice(0, 2)),
            gnp::cross(b(gnp::all, gnp::newaxis), b(gnp::newaxis, gnp::slice(0, 2))));
      const array<T> columns = b.T().copy();
      check(b, b * b, gnp::cross(columns, columns * columns, {.axis = 0}).T());
      check(b, some, gnp::cross(columns, some, {.axisa = 0, .axisc = 0}).T());
    };
    for (const index_t count : {2, 1000}) {
      all_layouts(float{}, count);
      all_layouts(double{}, count);
      all_layouts(std::int8_t{}, count);
      all_layouts(std::int64_t{}, count);
      all_layouts(gnp::complex128{}, count);
    }
    const auto a = operand<std::int32_t>(0, {5, 3});
    check(a, operand<float>(1, {5, 3}), gnp::cross(a, operand<float>(1, {5, 3})));
    CHECK(gnp::cross(gnp::zeros<float>({0, 3}), gnp::zeros<float>({3})).shape() == shape_t{0, 3});
    const array<float> zero = gnp::zeros<float>({3, 3}), far = gnp::full<float>({3}, INFINITY);
    CHECK(gnp::isnan(gnp::cross(zero, far)).all().item());
    CHECK_THROWS_WITH(gnp::cross(zero, gnp::zeros<float>({3, 2})), contains("3 components"));
  });
}

TEST_CASE("linalg's names are the top level's with the last axes", "[products]") {
  for_each_device([](gnp::device) {
    const array<double> a = operand<double>(0, {2, 3, 3});
    const array<double> t = gnp::linalg::trace(a);
    REQUIRE(t.shape() == shape_t{2});
    CHECK(t.item(1) == a.item(1, 0, 0) + a.item(1, 1, 1) + a.item(1, 2, 2));
    CHECK(gnp::linalg::diagonal(a, 1).shape() == shape_t{2, 2});
    CHECK(gnp::linalg::diagonal(a, 1).item(1, 0) == a.item(1, 0, 1));
    CHECK(gnp::linalg::matmul(a, a).shape() == shape_t{2, 3, 3});
    CHECK(gnp::linalg::vecdot(a, a).shape() == shape_t{2, 3});
    CHECK(gnp::linalg::tensordot(a, a, {0, 1}, {0, 1}).shape() == shape_t{3, 3});
    CHECK(gnp::linalg::matrix_transpose(a).item(0, 1, 2) == a.item(0, 2, 1));
    CHECK(gnp::linalg::outer(a(0, 0), a(0, 1)).item(2, 1) == a.item(0, 0, 2) * a.item(0, 1, 1));
    CHECK(gnp::linalg::cross(a, a).item(1, 1, 1) == 0);
    const array<double> chain = gnp::linalg::multi_dot(a(0), a(1), a(0), a(1, 2));
    const array<double> steps = gnp::matmul(a(0), gnp::matmul(a(1), gnp::matmul(a(0), a(1, 2))));
    CHECK(std::abs(chain.item(2) - steps.item(2)) < 1e-12);
  });
}
