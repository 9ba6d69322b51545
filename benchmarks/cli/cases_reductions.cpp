// SPDX-License-Identifier: MIT
// Sums and extremes of everything and by axis, and running sums.
#include <gnp/dense/eigen_solvers.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/scans.hpp>
#include <numeric>

#include "cases.hpp"
#include "inputs.hpp"

namespace bench {
namespace {

/// The sums of the columns as one writes them for a matrix that lies by rows: colwise().sum() would walk down
/// the columns, whose elements are far apart.
template <class Matrix, class Row>
void add_rows(const Matrix& matrix, Row sums) {
  sums.setZero();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) sums += matrix.row(i);
}

}  // namespace

void add_reductions(std::vector<bench_case>& cases) {
  cases.push_back(define({"sum", "the sum of a vector", elements, vector_sizes},  //
                         []<class T>(of<T>, index_t n) {
                           return work<T>{.inputs = {signs<T>({n}, 1)},
                                          .outputs = {shape_t{}},
                                          .eigen = [](auto& x, auto& y) { y[0][0] = vec(x[0]).sum(); },
                                          .gnp = [](auto& x, auto& y) { y[0] = gnp::sum(x[0]); }};
                         }));

  cases.push_back(
      define({"sum-axis0", "the sums of the columns of an n x n matrix", rows_and_columns, matrix_sizes},
             []<class T>(of<T>, index_t n) {
               return work<T>{.inputs = {signs<T>({n, n}, 1)},
                              .outputs = {shape_t{n}},
                              .eigen = [](auto& x, auto& y) { add_rows(mat(x[0]), mat(y[0])); },
                              .gnp = [](auto& x, auto& y) { y[0] = gnp::sum(x[0], {.axis = 0}); }};
             }));

  cases.push_back(define(
      {"sum-axis1", "the sums of the rows of an n x n matrix", rows_and_columns, matrix_sizes},
      []<class T>(of<T>, index_t n) {
        return work<T>{.inputs = {signs<T>({n, n}, 1)},
                       .outputs = {shape_t{n}},
                       .eigen = [](auto& x, auto& y) { mat(y[0]) = mat(x[0]).rowwise().sum().transpose(); },
                       .gnp = [](auto& x, auto& y) { y[0] = gnp::sum(x[0], {.axis = 1}); }};
      }));

  cases.push_back(
      define({"max-axis1", "the largest of each row of an n x n matrix", rows_and_columns, matrix_sizes},
             []<class T>(of<T>, index_t n) {
               return work<T>{
                   .inputs = {uniform<T>({n, n}, 1)},
                   .outputs = {shape_t{n}},
                   .eigen = [](auto& x, auto& y) { mat(y[0]) = mat(x[0]).rowwise().maxCoeff().transpose(); },
                   .gnp = [](auto& x, auto& y) { y[0] = gnp::max(x[0], {.axis = 1}); }};
             }));

  // Eigen has no running sum: the standard library's stands in for it.
  cases.push_back(
      define({"cumsum", "running sums of a vector (Eigen: std::partial_sum)", elements, vector_sizes},
             []<class T>(of<T>, index_t n) {
               return work<T>{
                   .inputs = {signs<T>({n}, 1)},
                   .outputs = {shape_t{n}},
                   .eigen = [](auto& x, auto& y) { std::partial_sum(x[0].begin(), x[0].end(), y[0].begin()); },
                   .gnp = [](auto& x, auto& y) { y[0] = gnp::cumsum(x[0]); }};
             }));
}

}  // namespace bench
