// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Products of small matrices by the thousand, of many rows with few columns, and of few very long rows, in
// every type and layout, against three loops written here.
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "devices.hpp"

namespace small_products {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;

/// Small whole numbers, which every type holds; complex ones have an imaginary part.
template <class T>
T element_at(index_t i, int seed) {
  const auto value = static_cast<int>((i * 7 + seed * 13 + i / 11) % 7) - (std::is_unsigned_v<T> ? 0 : 3);
  if constexpr (std::is_same_v<T, bool>) {
    return value == 2;
  } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    using P = typename T::value_type;
    return T(static_cast<P>(value), static_cast<P>((i + seed) % 3 - 1));
  } else {
    return gnp::scalar::cast<T>(value);
  }
}

template <class T>
array<T> filled(const shape_t& shape, int seed) {
  gnp::host_array<T> values(shape);
  for (index_t i = 0; i < values.size(); ++i) values.data()[i] = element_at<T>(i, seed);
  return gnp::asarray(values);
}

/// What the product of two rows' elements is added up in.
template <class T>
using sum_type = std::conditional_t<gnp::is_complex(gnp::dtype_of<T>), std::complex<double>,
                                    std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>;

/// Stacks of equal shape, or of which one is a single matrix.
template <class T>
gnp::host_array<T> product_by_loops(const array<T>& a, const array<T>& b) {
  const gnp::host_array<T> x = gnp::asnumpy(a.copy());
  const gnp::host_array<T> y = gnp::asnumpy(b.copy());
  const index_t m = a.shape(-2), k = a.shape(-1), n = b.shape(-1);
  shape_t shape = a.ndim() >= b.ndim() ? a.shape() : b.shape();
  shape.pop_back();
  shape.pop_back();
  index_t count = 1;
  for (const index_t size : shape) count *= size;
  shape.push_back(m);
  shape.push_back(n);
  gnp::host_array<T> c(shape);
  for (index_t at = 0; at < count; ++at) {
    const T* const left = x.data() + (a.ndim() > 2 ? at * m * k : 0);
    const T* const right = y.data() + (b.ndim() > 2 ? at * k * n : 0);
    for (index_t i = 0; i < m; ++i) {
      for (index_t j = 0; j < n; ++j) {
        sum_type<T> sum{};
        for (index_t l = 0; l < k; ++l) sum += sum_type<T>(left[i * k + l]) * sum_type<T>(right[l * n + j]);
        if constexpr (std::is_same_v<T, bool>) {
          c.data()[(at * m + i) * n + j] = sum != 0;
        } else {
          c.data()[(at * m + i) * n + j] = gnp::scalar::cast<T>(sum);
        }
      }
    }
  }
  return c;
}

template <class T>
void check_equal(const array<T>& got, const gnp::host_array<T>& right) {
  INFO(gnp::name(gnp::dtype_of<T>) << " " << gnp::to_string(got.shape()));
  REQUIRE(got.shape() == right.shape());
  const gnp::host_array<T> values = gnp::asnumpy(got.copy());
  bool same = true;
  for (index_t i = 0; i < right.size(); ++i) same = same && values.data()[i] == right.data()[i];
  CHECK(same);
}

template <class T>
void check_product(const array<T>& a, const array<T>& b) {
  check_equal<T>(gnp::matmul(a, b), product_by_loops(a, b));
}

template <class T>
void check_shapes() {
  // Stacks of small matrices and vectors, more than the kernel for few small products takes.
  for (const auto& [m, k, n] : std::vector<std::array<index_t, 3>>{{3, 3, 3},
                                                                   {2, 2, 2},
                                                                   {4, 4, 4},
                                                                   {3, 10, 3},
                                                                   {1, 5, 1},
                                                                   {6, 1, 5},
                                                                   {7, 5, 1},
                                                                   {1, 4, 9},
                                                                   {12, 12, 12}}) {
    check_product(filled<T>({203, m, k}, 1), filled<T>({203, k, n}, 2));
  }
  // One matrix for all, on either side; stacks with more axes; transposed matrices.
  check_product(filled<T>({203, 3, 4}, 1), filled<T>({4, 3}, 2));
  check_product(filled<T>({3, 4}, 1), filled<T>({203, 4, 2}, 2));
  check_product(filled<T>({7, 31, 3, 3}, 1), filled<T>({7, 31, 3, 2}, 2));
  check_product(gnp::swapaxes(filled<T>({301, 5, 3}, 1), 1, 2), filled<T>({301, 5, 3}, 2));
  check_product(filled<T>({301, 3, 5}, 1), gnp::swapaxes(filled<T>({301, 3, 5}, 2), 1, 2));
  // Many rows of few columns, a wide matrix, few very long rows.
  check_product(filled<T>({4099, 3}, 1), filled<T>({3, 3}, 2));
  check_product(filled<T>({2, 3}, 1), filled<T>({3, 4099}, 2));
  check_product(filled<T>({4099, 3}, 1).T(), filled<T>({4099, 3}, 2));
  check_product(filled<T>({2, 4099}, 1), filled<T>({4099, 3}, 2));
  check_product(filled<T>({4099, 5}, 1), filled<T>({5, 1}, 2));
}

}  // namespace small_products

using namespace small_products;

TEST_CASE("small products: every type and layout") {
  for_each_device([](gnp::device) {
    check_shapes<float>();
    check_shapes<double>();
    check_shapes<std::complex<float>>();
    check_shapes<std::int8_t>();
    check_shapes<std::int64_t>();
    check_shapes<bool>();
  });
}

TEST_CASE("small products: the other types, one shape each") {
  for_each_device([](gnp::device) {
    const auto check = []<class T>(T) { check_product(filled<T>({203, 3, 4}, 1), filled<T>({203, 4, 3}, 2)); };
    check(gnp::half());
    check(gnp::bfloat16());
    check(std::complex<double>());
    check(std::uint16_t());
    check(std::int32_t());
  });
}

TEST_CASE("small products: scaled, added to others, and written to views") {
  for_each_device([](gnp::device) {
    const array<float> a = filled<float>({203, 3, 4}, 1);
    const array<float> b = filled<float>({203, 4, 2}, 2);
    const array<float> c = filled<float>({203, 3, 2}, 3);
    gnp::host_array<float> right = product_by_loops(a, b);
    const gnp::host_array<float> added = gnp::asnumpy(c);
    check_equal<float>(2 * gnp::matmul(a, b), [&] {
      gnp::host_array<float> r = right;
      for (index_t i = 0; i < r.size(); ++i) r.data()[i] *= 2;
      return r;
    }());
    const auto combined = [&](float alpha, float beta) {
      gnp::host_array<float> r = right;
      for (index_t i = 0; i < r.size(); ++i) r.data()[i] = alpha * r.data()[i] + beta * added.data()[i];
      return r;
    };
    check_equal<float>(gnp::matmul(a, b) + c, combined(1, 1));
    check_equal<float>(3 * gnp::matmul(a, b) - 2 * c, combined(3, -2));
    array<float> in_place = c.copy();
    in_place(gnp::all) = gnp::matmul(a, b) + 2 * in_place;
    check_equal<float>(in_place, combined(1, 2));
    // Every second place of a larger array; the others stay.
    array<float> larger = gnp::zeros<float>({203, 6, 4});
    larger(gnp::all, gnp::slice(gnp::none, gnp::none, 2), gnp::slice(1, gnp::none, 2)) = gnp::matmul(a, b);
    check_equal<float>(larger(gnp::all, gnp::slice(gnp::none, gnp::none, 2), gnp::slice(1, gnp::none, 2)),
                       right);
    CHECK(gnp::all(larger(gnp::all, gnp::slice(1, gnp::none, 2)) == 0.0F).item());
    // A factor that is also the destination.
    array<float> square = filled<float>({203, 3, 3}, 1);
    const gnp::host_array<float> squared = product_by_loops(square, square);
    square(gnp::all) = gnp::matmul(square, square);
    check_equal<float>(square, squared);
  });
}

TEST_CASE("small products: nothing, NaN and infinity") {
  for_each_device([](gnp::device) {
    const array<double> none = gnp::matmul(gnp::zeros({300, 3, 0}), gnp::zeros({300, 0, 2}));
    CHECK(none.shape() == shape_t{300, 3, 2});
    CHECK(gnp::all(none == 0.0).item());
    array<double> a = gnp::ones({300, 2, 2});
    a(7, 0, 1) = std::numeric_limits<double>::infinity();
    a(8, 1, 1) = std::numeric_limits<double>::quiet_NaN();
    array<double> b = gnp::ones({300, 2, 2});
    b(7, 1, 0) = 0.0;
    const array<double> c = gnp::matmul(a, b);
    CHECK(std::isnan(c.item(7, 0, 0)));
    CHECK(c.item(7, 0, 1) == std::numeric_limits<double>::infinity());
    CHECK(c.item(7, 1, 1) == 2);
    CHECK(std::isnan(c.item(8, 1, 0)));
    CHECK(c.item(8, 0, 0) == 2);
  });
}

TEST_CASE("small products: einsum") {
  for_each_device([](gnp::device) {
    const array<double> x = filled<double>({250, 10, 3}, 1);
    check_equal<double>(gnp::einsum("nki,nkj->nij", x, x),
                        product_by_loops(array<double>(gnp::swapaxes(x, 1, 2)), x));
  });
}
