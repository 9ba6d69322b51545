// SPDX-License-Identifier: MIT
// Random numbers, judged by their distribution: every generator has its own sequence.
#include <gnp/random/functions.hpp>

#include "cases.hpp"
#include "inputs.hpp"

namespace bench {

void add_random(std::vector<bench_case>& cases) {
  cases.push_back(define(
      {"random-uniform", "uniform on [0, 1) (Eigen: Random)", elements, vector_sizes},
      []<class T>(of<T>, index_t n) {
        gnp::random::seed(2024);
        return work<T>{.inputs = {},
                       .outputs = {shape_t{n}},
                       .eigen =
                           [](auto&, auto& y) {
                             auto out = vec(y[0]);
                             out = T(0.5) * (out.Random(out.size()) + T(1));
                           },
                       .gnp = [](auto&, auto& y) { y[0] = gnp::random::uniform<T>(0, 1, y[0].shape()); },
                       .judge = [](const answer& got, const answer&) { return uniform_on_0_1(got.at(0)); }};
      }));

  // Eigen has no normal numbers: the standard library's stand in for them.
  cases.push_back(define(
      {"random-normal", "standard normal (Eigen: std::normal_distribution)", elements, vector_sizes},
      []<class T>(of<T>, index_t n) {
        gnp::random::seed(2024);
        const auto generator = std::make_shared<std::mt19937_64>(1);
        return work<T>{.inputs = {},
                       .outputs = {shape_t{n}},
                       .eigen =
                           [generator](auto&, auto& y) {
                             std::normal_distribution<T> draw;
                             for (T& value : y[0]) value = draw(*generator);
                           },
                       .gnp = [](auto&, auto& y) { y[0] = gnp::random::normal<T>(0, 1, y[0].shape()); },
                       .judge = [](const answer& got, const answer&) { return standard_normal(got.at(0)); }};
      }));
}

}  // namespace bench
