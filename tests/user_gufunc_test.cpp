// SPDX-License-Identifier: MIT
// test: asan, alone, simulated-gpu
// GNP_GUFUNC: functions of small arrays, broadcast over all other dimensions, beside loops over host arrays and
// gnp's own functions.
#include <gnp/gnp.hpp>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::shape_t;
using gnp::slice;

GNP_GUFUNC(matvec, "(m,n),(n)->(m)", (a, x, y), {
  using T = typename decltype(y)::value_type;
  for (gnp::index_t i = 0; i < a.shape(0); ++i) {
    T sum = T(0);
    for (gnp::index_t k = 0; k < a.shape(1); ++k) sum += a(i, k) * x(k);
    y(i) = sum;
  }
})

GNP_GUFUNC(cross_product, "(3),(3)->(3)", (a, b, c), {
  for (int k = 0; k < 3; ++k) c(k) = a((k + 1) % 3) * b((k + 2) % 3) - a((k + 2) % 3) * b((k + 1) % 3);
})

// Two results, a number for each call, names that are longer.
GNP_GUFUNC(mean_and_range, "(count), () -> (), ()", (x, scale, mean, range), {
  auto low = x(0);
  auto high = x(0);
  auto sum = x(0);
  for (gnp::index_t k = 1; k < x.shape(0); ++k) {
    sum += x(k);
    low = std::min(low, x(k));
    high = std::max(high, x(k));
  }
  using T = typename decltype(mean)::value_type;
  mean() = static_cast<T>(scale * sum / static_cast<T>(x.shape(0)));
  range() = static_cast<T>(scale * (high - low));
})

GNP_GUFUNC(weighted, "(),()->()", (x, y, z), { z() = 3 * x + y; })

GNP_GUFUNC(row_sums, "(m,n)->(m)", (a, y), {
  for (gnp::index_t i = 0; i < a.shape(0); ++i) {
    y(i) = 0;
    for (gnp::index_t k = 0; k < a.shape(1); ++k) y(i) += a(i, k);
  }
})

template <class T>
void check_matvec() {
  INFO(gnp::name(gnp::dtype_of<T>));
  const auto numbers = [](const shape_t& shape) {
    return gnp::arange<double>(gnp::zeros<bool>(shape).size()).template astype<T>().reshape(shape);
  };
  const array<T> a = numbers({5, 3, 4});
  const array<T> x = numbers({5, 4});
  const auto same = [](const auto& got, const auto& expected) {
    CHECK(got.shape() == expected.shape());
    CHECK(gnp::allclose(got, expected));
  };
  same(matvec(a, x), gnp::squeeze(matmul(a, x(all, all, newaxis)), -1));
  same(matvec(a(1), x), matmul(x, a(1).T()));
  same(matvec(a(1), x(2)), matmul(a(1), x(2)));
  same(matvec(a, x(2)), matmul(a, x(2)));
  same(matvec(a(slice(none, none, -2)), x(slice(3))),
       gnp::squeeze(matmul(a(slice(none, none, -2)), x(slice(3))(all, all, newaxis)), -1));
  same(matvec(matrix_transpose(a), x(all, slice(3))),
       gnp::squeeze(matmul(matrix_transpose(a).copy(), x(all, slice(3), newaxis)), -1));
  // Each of 5 matrices with each of 5 vectors, and expressions.
  const array<T> each = matvec(a(all, newaxis), x);
  CHECK(each.shape() == shape_t{5, 5, 3});
  same(each(2, 3), matmul(a(2), x(3)));
  same(matvec(a + a, x * x), gnp::squeeze(matmul(array(a + a), array(x * x)(all, all, newaxis)), -1));
}

}  // namespace

TEST_CASE("gufuncs of matrices and vectors, in all shapes of the loop") {
  for_each_device([](gnp::device) {
    check_matvec<float>();
    check_matvec<double>();
    check_matvec<std::int32_t>();
    check_matvec<std::uint64_t>();
    check_matvec<gnp::complex64>();
    check_matvec<gnp::complex128>();
  });
}

TEST_CASE("gufuncs of a fixed size, of several results, of numbers") {
  for_each_device([](gnp::device) {
    const array<double> a = gnp::sin(gnp::arange<double>(7 * 3)).reshape(7, 3);
    const array<double> b = gnp::cos(gnp::arange<double>(3));
    // A GPU's compiler fuses products with sums in a user's body.
    CHECK(gnp::allclose(cross_product(a, b), gnp::cross(a, b)));
    CHECK_THROWS_WITH(
        cross_product(a, gnp::zeros<double>(4)),
        contains("cross_product: argument 2 has shape (4,), whose dimension 3 has size 4, not 3"));

    const array<float> x = gnp::asarray<float>({{1, 5, 3}, {2, 2, 8}});
    const auto [mean, range] = mean_and_range(x, 2);
    CHECK(gnp::array_equal(mean, gnp::asarray<float>({6, 8})));
    CHECK(gnp::array_equal(range, gnp::asarray<float>({8, 12})));
    const auto [each_mean, each_range] =
        mean_and_range.returning<double>(x, gnp::asarray<float>({{1}, {10}, {100}}));
    static_assert(std::is_same_v<decltype(each_mean), const array<double>>);
    CHECK(gnp::array_equal(each_mean, gnp::asarray<double>({{3, 4}, {30, 40}, {300, 400}})));
    CHECK(gnp::array_equal(each_range, gnp::asarray<double>({{4, 6}, {40, 60}, {400, 600}})));
    const auto [one_mean, one_range] = mean_and_range(x(0), 1);
    CHECK(one_mean.shape() == shape_t{});
    CHECK((one_mean.item() == 3 && one_range.item() == 4));

    CHECK(gnp::array_equal(weighted(gnp::arange<int>(6).reshape(2, 3), gnp::asarray({10, 20, 30})),
                           gnp::asarray({{10, 23, 36}, {19, 32, 45}})));
    static_assert(std::is_same_v<decltype(weighted(x, 1)), array<float>>);
    static_assert(std::is_same_v<decltype(weighted(gnp::array<int>(), 1.5)), array<double>>);
    CHECK(gnp::array_equal(weighted(gnp::asarray({1, 2}), 0.5), gnp::asarray({3.5, 6.5})));
  });
}

TEST_CASE("gufuncs of nothing, of many, and of wrong arguments") {
  for_each_device([](gnp::device) {
    CHECK(matvec(gnp::zeros<float>({0, 2, 3}), gnp::zeros<float>(3)).shape() == shape_t{0, 2});
    CHECK(row_sums(gnp::zeros<float>({4, 0, 3})).shape() == shape_t{4, 0});
    CHECK(gnp::array_equal(row_sums(gnp::ones<float>({4, 2, 0})), gnp::zeros<float>({4, 2})));
    const array<float> many = gnp::arange<float>(6 * 100001).reshape(100001, 2, 3) % 17;
    CHECK(gnp::array_equal(row_sums(many), sum(many, 2)));
    CHECK(gnp::array_equal(row_sums(many.reshape(11, 9091, 2, 3)(slice(none, none, 2))),
                           sum(many.reshape(11, 9091, 2, 3)(slice(none, none, 2)), 3)));
    CHECK_THROWS_WITH(matvec(gnp::zeros<float>(3), gnp::zeros<float>(3)),
                      contains("matvec: argument 1 has shape (3,), and takes at least 2 dimensions"));
    CHECK_THROWS_WITH(matvec(gnp::zeros<float>({2, 3}), gnp::zeros<float>(2)),
                      contains("matvec: argument 2 has shape (2,), whose dimension n has size 2, not 3"));
    CHECK_THROWS_WITH(matvec(gnp::zeros<float>({2, 3, 4}), gnp::zeros<float>({3, 4})),
                      contains("matvec: operands could not be broadcast together with shapes (2,) (3,)"));
  });
  CHECK_THROWS_AS(weighted(gnp::zeros<float>(2), 1).item(), gnp::error);
}

GNP_GUFUNC(reads_beside, "(n)->()", (x, y), { y() = x(x.shape(0)); })

TEST_CASE("an index outside of what a gufunc is given is an error on the CPU") {
  const gnp::use_device cpu(gnp::device::cpu());
  CHECK_THROWS_WITH(reads_beside(gnp::zeros<float>({3, 4})),
                    contains("index 4 is out of bounds for axis 0 with size 4"));
}

namespace {

// Every kind of function that a class may have for its own.
struct weighing {
  GNP_UFUNC(scaled, (x, y), x * 2 + y)
  GNP_UFUNC(both, (x), results(x + 1, x* x))
  GNP_REDUCTION(largest, (x), x, (a, b), max(a, b), (r), r, lowest)
  GNP_KERNEL(twice, (float* x, gnp::index_t n), {
    const gnp::index_t i = grid_index();
    if (i < n) x[i] *= 2;
  })
  GNP_GUFUNC(dot, "(n),(n)->()", (a, x, y), {
    y() = 0;
    for (gnp::index_t i = 0; i < x.shape(0); ++i) y() += a(i) * x(i);
  })

  array<float> of(const array<float>& x) const {
    array<float> y = scaled(x, 1);
    twice(gnp::grid(y.size()))(y, y.size());
    const auto [next, square] = both(y);
    return next + square + largest(x) + dot(x, x);
  }
};

template <class T>
struct weighing_of {
  GNP_UFUNC(scaled, (x, y), x * 3 + y)
  GNP_REDUCTION(largest, (x), x, (a, b), max(a, b), (r), r, lowest)
  array<T> of(const array<T>& x) const { return scaled(x, largest(x)); }
};

}  // namespace

TEST_CASE("ufuncs, reductions, kernels and gufuncs of a class's own") {
  for_each_device([](gnp::device) {
    // x = 1, 2: y = 6, 10; y + 1 + y^2 = 43, 111; the largest is 2, the product 5.
    const auto of_class = gnp::asnumpy(weighing().of(gnp::asarray<float>({1, 2})));
    CHECK(of_class(0) == 50);
    CHECK(of_class(1) == 118);
    CHECK(gnp::asnumpy(weighing_of<double>().of(gnp::asarray<double>({1, 2})))(0) == 5);
    CHECK(gnp::asnumpy(weighing_of<int>().of(gnp::asarray<int>({1, 2})))(1) == 8);
    CHECK(gnp::asnumpy(array<float>(weighing::scaled(gnp::ones<float>(3), 1)))(2) == 3);
    CHECK(float(weighing::scaled.reduce(gnp::ones<float>(3))) == 7);
  });
}
