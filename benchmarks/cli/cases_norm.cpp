// SPDX-License-Identifier: MIT
// Norms, a file of their own: norm.hpp brings all of the singular value decomposition along.
#include <gnp/linalg/norm.hpp>

#include "cases.hpp"
#include "inputs.hpp"

namespace bench {

void add_norm(std::vector<bench_case>& cases) {
  cases.push_back(define({"norm", "the 2-norm of a vector", elements, vector_sizes},  //
                         []<class T>(of<T>, index_t n) {
                           return work<T>{
                               .inputs = {signs<T>({n}, 1)},
                               .outputs = {shape_t{}},
                               .eigen = [](auto& x, auto& y) { y[0][0] = vec(x[0]).matrix().norm(); },
                               .gnp = [](auto& x, auto& y) { y[0] = gnp::linalg::vector_norm(x[0]); },
                               .tolerance = 4 * eps<T>};
                         }));
}

}  // namespace bench
