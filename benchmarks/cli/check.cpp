// SPDX-License-Identifier: MIT
#include "check.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace bench {
namespace {

using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using matrix_view = Eigen::Map<const row_major>;
using vector_view = Eigen::Map<const Eigen::VectorXd>;

double ratio(const verdict& v) { return v.allowed > 0 ? v.worst / v.allowed : v.worst > 0 ? 1e300 : 0; }

verdict wrong_size(std::size_t got, std::size_t want, const std::string& of) {
  return {1e300, 0, of + ": " + std::to_string(got) + " instead of " + std::to_string(want)};
}

verdict orthogonal(const row_major& q, const std::string& name, double tolerance) {
  const auto n = q.rows();
  const double distance =
      (q.transpose() * q - row_major::Identity(n, n)).norm() / std::sqrt(static_cast<double>(n));
  return {distance, tolerance, name + " orthogonal"};
}

/// The largest distance between the draws' share below a value and the distribution's, by a fine histogram.
template <class Distribution>
double largest_distance(const std::vector<double>& draws, double low, double high, const Distribution& below) {
  constexpr std::size_t bins = 4096;
  std::vector<double> counts(bins + 2);  // with what lies outside
  const double scale = bins / (high - low);
  for (const double x : draws) {
    const double bin = std::floor((x - low) * scale);
    const double clamped = std::clamp(bin, -1.0, static_cast<double>(bins));
    ++counts[static_cast<std::size_t>(std::isnan(clamped) ? 0 : clamped + 1)];
  }
  const auto n = static_cast<double>(draws.size());
  double seen = 0;
  double worst = 0;
  for (std::size_t edge = 0; edge <= bins; ++edge) {
    seen += counts[edge];
    worst = std::max(worst, std::abs(seen / n - below(low + static_cast<double>(edge) / scale)));
  }
  return worst;
}

struct moments {
  double mean, variance, fourth;
};

/// The sampling errors of mean and variance follow from the distribution's own moments.
verdict like_draws(const std::vector<double>& draws, const moments& of, double distance) {
  const auto n = static_cast<double>(draws.size());
  double sum = 0;
  double squares = 0;
  double neighbours = 0;
  double previous = of.mean;
  for (const double x : draws) {
    sum += x - of.mean;
    squares += (x - of.mean) * (x - of.mean);
    neighbours += (x - of.mean) * (previous - of.mean);
    previous = x;
  }
  constexpr double sigmas = 5;
  const verdict mean{std::abs(sum / n), sigmas * std::sqrt(of.variance / n), "mean"};
  // Few draws are far from normal in their squares: bounded for them by the 1/n term.
  const verdict variance{std::abs(squares / n - of.variance),
                         sigmas * std::sqrt((of.fourth - of.variance * of.variance) / n) + 25 * of.variance / n,
                         "variance"};
  const verdict correlation{std::abs(neighbours / n), of.variance * (sigmas / std::sqrt(n) + 25 / n),
                            "correlation of neighbours"};
  const verdict shape{distance, 2.7 / std::sqrt(n), "distribution function"};
  return worse(worse(mean, variance), worse(correlation, shape));
}

}  // namespace

verdict worse(const verdict& a, const verdict& b) {
  if (a.right() != b.right()) return a.right() ? b : a;  // decides for NaN, which compares with nothing
  return ratio(b) > ratio(a) ? b : a;
}

verdict compare(const answer& got, const answer& want, double tolerance) {
  if (got.size() != want.size()) return wrong_size(got.size(), want.size(), "outputs");
  verdict result{0, tolerance, "nothing differs"};
  for (std::size_t output = 0; output < want.size(); ++output) {
    const std::vector<double>& g = got[output];
    const std::vector<double>& w = want[output];
    if (g.size() != w.size()) return wrong_size(g.size(), w.size(), "elements");
    double largest = 0;
    for (const double x : w) largest = std::max(largest, std::abs(x));
    if (largest == 0) largest = 1;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double difference = std::abs(g[i] - w[i]) / largest;
      if (difference <= result.worst) continue;
      result.worst = difference;
      result.what = "element " + std::to_string(i) +
                    (want.size() > 1 ? " of output " + std::to_string(output) : "") + ": " +
                    std::to_string(g[i]) + ", Eigen " + std::to_string(w[i]);
      if (std::isnan(difference)) return result;
    }
  }
  return result;
}

verdict uniform_on_0_1(const std::vector<double>& draws) {
  for (const double x : draws) {
    if (!(x >= 0 && x <= 1)) return {std::abs(x), 0, "a draw outside of [0, 1]: " + std::to_string(x)};
  }
  const double distance = largest_distance(draws, 0, 1, [](double x) { return x; });
  return like_draws(draws, {0.5, 1.0 / 12, 1.0 / 80}, distance);
}

verdict standard_normal(const std::vector<double>& draws) {
  const double distance =
      largest_distance(draws, -8, 8, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); });
  return like_draws(draws, {0, 1, 3}, distance);
}

verdict singular_values(const std::vector<double>& a, const answer& got, const answer& eigen,
                        double tolerance) {
  if (got.size() != 3) return wrong_size(got.size(), 3, "factors");
  const auto n = static_cast<Eigen::Index>(eigen[1].size());
  for (std::size_t i = 0; i < 3; ++i) {
    if (got[i].size() != eigen[i].size()) return wrong_size(got[i].size(), eigen[i].size(), "elements");
  }
  const matrix_view m(a.data(), n, n);
  const matrix_view u(got[0].data(), n, n);
  const matrix_view vh(got[2].data(), n, n);
  const vector_view s(got[1].data(), n);
  const vector_view known(eigen[1].data(), n);
  const verdict product{(u * s.asDiagonal() * vh - m).norm() / m.norm(), tolerance, "u diag(s) vh against a"};
  const verdict values{(s - known).cwiseAbs().maxCoeff() / known.maxCoeff(), tolerance, "singular values"};
  return worse(worse(product, values), worse(orthogonal(u, "u", tolerance), orthogonal(vh, "vh", tolerance)));
}

verdict eigenvalues(const std::vector<double>& a, const answer& got, const answer& eigen, double tolerance) {
  if (got.size() != 2) return wrong_size(got.size(), 2, "results");
  const auto n = static_cast<Eigen::Index>(eigen[0].size());
  for (std::size_t i = 0; i < 2; ++i) {
    if (got[i].size() != eigen[i].size()) return wrong_size(got[i].size(), eigen[i].size(), "elements");
  }
  const matrix_view m(a.data(), n, n);
  const vector_view w(got[0].data(), n);
  const matrix_view v(got[1].data(), n, n);
  const vector_view known(eigen[0].data(), n);
  const verdict product{(m * v - v * w.asDiagonal()).norm() / m.norm(), tolerance, "a v against v diag(w)"};
  const verdict values{(w - known).cwiseAbs().maxCoeff() / known.cwiseAbs().maxCoeff(), tolerance,
                       "eigenvalues"};
  return worse(worse(product, values), orthogonal(v, "v", tolerance));
}

}  // namespace bench
