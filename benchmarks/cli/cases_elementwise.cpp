// SPDX-License-Identifier: MIT
// Elementwise formulas, in one pass and in several.
#include "cases.hpp"
#include "inputs.hpp"

namespace bench {
namespace {

constexpr double alpha = 1.67;
constexpr double lambda = 1.05;

}  // namespace

void add_elementwise(std::vector<bench_case>& cases) {
  cases.push_back(define(
      {"fused", "sin(x) y + x as one expression", elements, vector_sizes},  //
      []<class T>(of<T>, index_t n) {
        return work<T>{.inputs = {uniform<T>({n}, 1, -3, 3), uniform<T>({n}, 2)},
                       .outputs = {shape_t{n}},
                       .eigen = [](auto& x, auto& y) { vec(y[0]) = vec(x[0]).sin() * vec(x[1]) + vec(x[0]); },
                       .gnp = [](auto& x, auto& y) { y[0](gnp::ellipsis) = sin(x[0]) * x[1] + x[0]; },
                       .tolerance = 8 * eps<T>};
      }));

  cases.push_back(define({"unfused", "sin(x) y + x, a statement for each operation", elements, vector_sizes},
                         []<class T>(of<T>, index_t n) {
                           return work<T>{.inputs = {uniform<T>({n}, 1, -3, 3), uniform<T>({n}, 2)},
                                          .outputs = {shape_t{n}, shape_t{n}},
                                          .eigen =
                                              [](auto& x, auto& y) {
                                                vec(y[1]) = vec(x[0]).sin();
                                                vec(y[1]) *= vec(x[1]);
                                                vec(y[0]) = vec(y[1]) + vec(x[0]);
                                              },
                                          .gnp =
                                              [](auto& x, auto& y) {
                                                y[1](gnp::ellipsis) = sin(x[0]);
                                                y[1](gnp::ellipsis) = y[1] * x[1];
                                                y[0](gnp::ellipsis) = y[1] + x[0];
                                              },
                                          .tolerance = 8 * eps<T>};
                         }));

  cases.push_back(define({"transpose", "a transposed copy of an n x n matrix", rows_and_columns, matrix_sizes},
                         []<class T>(of<T>, index_t n) {
                           return work<T>{.inputs = {uniform<T>({n, n}, 1)},
                                          .outputs = {shape_t{n, n}},
                                          .eigen = [](auto& x, auto& y) { mat(y[0]) = mat(x[0]).transpose(); },
                                          .gnp = [](auto& x, auto& y) { y[0](gnp::ellipsis) = x[0].T(); }};
                         }));
}

void add_tutorial_elementwise(std::vector<bench_case>& cases) {
  cases.push_back(define({.name = "tutorial-add",
                          .what = "x + y of 10^7 elements",
                          .size_means = elements,
                          .sizes = {10000000},
                          .dtypes = {"float32"}},
                         []<class T>(of<T>, index_t n) {
                           return work<T>{.inputs = {uniform<T>({n}, 1), uniform<T>({n}, 2)},
                                          .outputs = {shape_t{n}},
                                          .eigen = [](auto& x, auto& y) { vec(y[0]) = vec(x[0]) + vec(x[1]); },
                                          .gnp = [](auto& x, auto& y) { y[0](gnp::ellipsis) = x[0] + x[1]; }};
                         }));

  cases.push_back(define(
      {.name = "tutorial-trig",
       .what = "cos(x)^2 + sin(x)^2 of 10^7 elements",
       .size_means = elements,
       .sizes = {10000000},
       .dtypes = {"float32"}},
      []<class T>(of<T>, index_t n) {
        return work<T>{
            .inputs = {uniform<T>({n}, 1, -3, 3)},
            .outputs = {shape_t{n}},
            .eigen = [](auto& x, auto& y) { vec(y[0]) = vec(x[0]).cos().square() + vec(x[0]).sin().square(); },
            .gnp = [](auto& x, auto& y) { y[0](gnp::ellipsis) = square(cos(x[0])) + square(sin(x[0])); },
            .tolerance = 8 * eps<T>};
      }));

  cases.push_back(define(
      {.name = "tutorial-selu",
       .what = "lambda where(x > 0, x, alpha exp(x) - alpha) of 10^6 elements",
       .size_means = elements,
       .sizes = {1000000},
       .dtypes = {"float32"}},
      []<class T>(of<T>, index_t n) {
        return work<T>{.inputs = {uniform<T>({n}, 1, -3, 3)},
                       .outputs = {shape_t{n}},
                       .eigen =
                           [](auto& x, auto& y) {
                             const auto v = vec(x[0]);
                             vec(y[0]) = T(lambda) * (v > 0).select(v, T(alpha) * v.exp() - T(alpha));
                           },
                       .gnp =
                           [](auto& x, auto& y) {
                             y[0](gnp::ellipsis) = lambda * where(x[0] > 0, x[0], alpha * exp(x[0]) - alpha);
                           },
                       .tolerance = 8 * eps<T>};
      }));
}

}  // namespace bench
