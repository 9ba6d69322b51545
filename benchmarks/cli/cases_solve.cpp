// SPDX-License-Identifier: MIT
// Systems of linear equations.
#include <gnp/linalg/solve.hpp>

#include "cases.hpp"
#include "factorisations.hpp"

namespace bench {
namespace {

/// Diagonal entries that outweigh the rest of the spectrum: solving loses no more than a few bits.
template <class T>
gnp::host_array<T> well_conditioned(index_t n, unsigned seed) {
  gnp::host_array<T> a = uniform<T>({n, n}, seed);
  for (index_t i = 0; i < n; ++i) a(i, i) += static_cast<T>(2 * std::sqrt(static_cast<double>(n)));
  return a;
}

}  // namespace

void add_solve(std::vector<bench_case>& cases) {
  cases.push_back(define(
      {"solve", "a x = b for one right side", rows_and_columns, {32, 64, 128, 256, 512, 1024, 2048}},
      []<class T>(of<T>, index_t n) {
        return work<T>{
            .inputs = {well_conditioned<T>(n, 1), uniform<T>({n}, 2)},
            .outputs = {shape_t{n}},
            .eigen = [](auto& x,
                        auto& y) { vec(y[0]).matrix() = mat(x[0]).partialPivLu().solve(vec(x[1]).matrix()); },
            .gnp = [](auto& x, auto& y) { y[0] = gnp::linalg::solve(x[0], x[1]); },
            .tolerance = rounding<T>(n),
            .eigen_has_threads = true};
      }));
}

}  // namespace bench
