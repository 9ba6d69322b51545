// SPDX-License-Identifier: MIT
// Eigenvalues of symmetric matrices.
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/linalg/eigh.hpp>

#include "cases.hpp"
#include "factorisations.hpp"

namespace bench {
namespace {

template <class T>
gnp::host_array<T> symmetric(index_t n, unsigned seed) {
  gnp::host_array<T> a = uniform<T>({n, n}, seed);
  for (index_t i = 0; i < n; ++i) {
    for (index_t j = 0; j < i; ++j) a(i, j) = a(j, i);
  }
  return a;
}

}  // namespace

void add_eigh(std::vector<bench_case>& cases) {
  cases.push_back(
      define({"eigh", "w, v of a symmetric n x n matrix", rows_and_columns, {16, 32, 64, 128, 256, 512}},
             []<class T>(of<T>, index_t n) {
               const gnp::host_array<T> a = symmetric<T>(n, 1);
               return work<T>{.inputs = {a},
                              .outputs = {shape_t{n}, shape_t{n, n}},
                              .eigen =
                                  [](auto& x, auto& y) {
                                    const Eigen::SelfAdjointEigenSolver<eigen_matrix<T>> solver(mat(x[0]));
                                    vec(y[0]) = solver.eigenvalues();
                                    mat(y[1]) = solver.eigenvectors();
                                  },
                              .gnp =
                                  [](auto& x, auto& y) {
                                    auto [w, v] = gnp::linalg::eigh(x[0]);
                                    y = {w, v};
                                  },
                              .judge =
                                  [a = as_doubles(a), n](const answer& got, const answer& eigen) {
                                    return eigenvalues(a, got, eigen, factor_tolerance<T>(n));
                                  }};
             }));
}

}  // namespace bench
