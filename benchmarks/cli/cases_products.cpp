// SPDX-License-Identifier: MIT
// Products of matrices and of vectors.
#include <gnp/linalg/products.hpp>

#include "cases.hpp"
#include "inputs.hpp"

namespace bench {
namespace {

/// a b for n x n matrices.
const auto square_product = []<class T>(of<T>, index_t n) {
  return work<T>{.inputs = {uniform<T>({n, n}, 1), uniform<T>({n, n}, 2)},
                 .outputs = {shape_t{n, n}},
                 .eigen = [](auto& x, auto& y) { mat(y[0]).noalias() = mat(x[0]) * mat(x[1]); },
                 .gnp = [](auto& x, auto& y) { y[0](gnp::ellipsis) = gnp::matmul(x[0], x[1]); },
                 .tolerance = rounding<T>(n),
                 .eigen_has_threads = true};
};

}  // namespace

void add_products(std::vector<bench_case>& cases) {
  cases.push_back(define({.name = "matmul",
                          .what = "a b, both n x n",
                          .size_means = rows_and_columns,
                          .sizes = {32, 64, 128, 256, 512, 1024, 2048}},
                         square_product));

  cases.push_back(define(
      {"dot", "the inner product of two vectors", elements, vector_sizes},  //
      []<class T>(of<T>, index_t n) {
        return work<T>{.inputs = {signs<T>({n}, 1), signs<T>({n}, 2)},
                       .outputs = {shape_t{}},
                       .eigen = [](auto& x, auto& y) { y[0][0] = vec(x[0]).matrix().dot(vec(x[1]).matrix()); },
                       .gnp = [](auto& x, auto& y) { y[0] = gnp::dot(x[0], x[1]); },
                       .tolerance = rounding<T>(n)};
      }));
}

void add_tutorial_products(std::vector<bench_case>& cases) {
  cases.push_back(define({.name = "tutorial-matmul",
                          .what = "the usual first test of a GPU library: matmul of 2048 x 2048",
                          .size_means = rows_and_columns,
                          .sizes = {2048},
                          .dtypes = {"float32"}},
                         square_product));
  cases.push_back(define({.name = "tutorial-dot",
                          .what = "np.dot of two 1000 x 1000 matrices",
                          .size_means = rows_and_columns,
                          .sizes = {1000},
                          .dtypes = {"float64"}},
                         square_product));
}

}  // namespace bench
