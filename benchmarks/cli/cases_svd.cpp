// SPDX-License-Identifier: MIT
// The singular value decomposition.
#include "cases.hpp"
#include "factorisations.hpp"
#include "svd_work.hpp"

namespace bench {
namespace {

const auto whole_svd = []<class T>(of<T>, index_t n) {
  const gnp::host_array<T> a = uniform<T>({n, n}, 1);
  return work<T>{.inputs = {a},
                 .outputs = {shape_t{n, n}, shape_t{n}, shape_t{n, n}},
                 .eigen = eigen_svd<T>,
                 .gnp = gnp_svd<T>,
                 .judge =
                     [a = as_doubles(a), n](const answer& got, const answer& eigen) {
                       return singular_values(a, got, eigen, factor_tolerance<T>(n));
                     },
                 .eigen_has_threads = true};
};

}  // namespace

void add_svd(std::vector<bench_case>& cases) {
  cases.push_back(
      define({"svd", "u, s, vh of an n x n matrix", rows_and_columns, {16, 32, 64, 128, 256, 512}}, whole_svd));
}

void add_tutorial_svd(std::vector<bench_case>& cases) {
  cases.push_back(define({.name = "tutorial-svd",
                          .what = "svd of a 64 x 64 matrix",
                          .size_means = rows_and_columns,
                          .sizes = {64},
                          .dtypes = {"float32"}},
                         whole_svd));
}

}  // namespace bench
