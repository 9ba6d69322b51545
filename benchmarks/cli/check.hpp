// SPDX-License-Identifier: MIT
// Right first: how an answer is compared with Eigen's, or with what must be true of it.
#pragma once

#include <string>
#include <vector>

namespace bench {

/// All outputs of a call, flat and in float64, which holds every float32.
using answer = std::vector<std::vector<double>>;

/// The worst that was found wrong with an answer, beside what rounding explains.
struct verdict {
  double worst = 0;
  double allowed = 0;
  std::string what;

  bool right() const { return worst <= allowed; }  // false for NaN
};

/// Of two verdicts on one answer, the one that is further from right.
verdict worse(const verdict& a, const verdict& b);

/// Every element of every output, the difference taken relative to the output's largest element.
verdict compare(const answer& got, const answer& want, double tolerance);

/// Is this what n independent draws from the distribution look like? Moments, neighbours, and Kolmogorov and
/// Smirnov's distance, each so far out only once in a million runs.
verdict uniform_on_0_1(const std::vector<double>& draws);
verdict standard_normal(const std::vector<double>& draws);

/// U diag(s) Vh = A for n x n matrices, U and Vh orthogonal, s Eigen's. Both answers are {u, s, vh}.
verdict singular_values(const std::vector<double>& a, const answer& got, const answer& eigen, double tolerance);

/// A V = V diag(w), V orthogonal, w Eigen's. Both answers are {w, v}.
verdict eigenvalues(const std::vector<double>& a, const answer& got, const answer& eigen, double tolerance);

}  // namespace bench
