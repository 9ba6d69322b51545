// SPDX-License-Identifier: MIT
// PageRank: how often someone who follows links at random comes to each page.
// The links are two arrays of integers, and no matrix is made, but to check the result.
#include <gnp/gnp.hpp>
#include <iostream>

#include "support/options.hpp"

using doubles = gnp::array<double>;
using integers = gnp::array<std::int64_t>;

/// Power iteration until nothing changes: of the pages' ranks `follow` makes what their links hand on.
template <class Follow>
doubles iterate(gnp::index_t pages, double damping, int& steps, const Follow& follow) {
  doubles rank = gnp::ones(pages) / pages;
  for (steps = 0; steps < 1000; ++steps) {
    const doubles next = damping * follow(rank) + (1 - damping) / static_cast<double>(pages);
    const double change = gnp::sum(abs(next - rank));
    rank = next;
    if (change < 1e-12) break;
  }
  return rank;
}

int main(int argc, char** argv) {
  gnp::index_t pages = 500, links = 4000;
  double damping = 0.85;
  std::uint64_t seed = 1;
  support::options options("PageRank of a random graph.");
  options.add("pages", pages, "of the graph", gnp::index_t{10});
  options.add("links", links, "between them");
  options.add("damping", damping, "how likely it is that a link is followed", 0.0, 0.99);
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // From anywhere, but to pages with small numbers rather than others; the last tenth has no links at all.
  auto rng = gnp::random::default_rng(seed);
  const integers from = rng.integers(0, pages - pages / 10, links);
  const integers to = (pages * power(rng.random(links), 3)).astype<std::int64_t>();
  const integers degree = gnp::bincount(from, {.minlength = pages});
  const integers dead_ends = gnp::flatnonzero(degree == 0);

  int steps = 0;
  const doubles rank = iterate(pages, damping, steps, [&](const doubles& r) {
    // Every link hands on its page's rank, divided by the page's links, and every page adds up what arrives.
    const doubles arrives = gnp::bincount(to, (r / degree)(from), {.minlength = pages});
    return arrives + r(dead_ends).sum() / pages;  // from a dead end one goes anywhere
  });

  std::cout.precision(4);
  const auto [values, indices] = gnp::top_k(rank, 5);
  const integers incoming = gnp::bincount(to, {.minlength = pages});
  std::cout << pages << " pages, " << links << " links, " << dead_ends.size() << " dead ends: " << steps
            << " steps\n";
  for (int i = 0; i < 5; ++i) {
    std::cout << "page " << indices(i) << ": rank " << values(i) << ", " << incoming(indices(i))
              << " links to it\n";
  }
  std::cout << "all ranks add up to 1 but for " << gnp::abs(1 - gnp::sum(rank)) << '\n';

  // The same with a matrix: a column for each page, which says where its links go. Links may occur twice.
  doubles matrix = gnp::zeros({pages, pages});
  gnp::add_at(matrix(to, from), (1.0 / degree)(from));
  matrix(gnp::all, dead_ends) = 1.0 / static_cast<double>(pages);
  int dense_steps = 0;
  const doubles dense =
      iterate(pages, damping, dense_steps, [&](const doubles& r) { return gnp::matmul(matrix, r); });
  std::cout << "with a dense matrix: the largest difference is " << gnp::max(abs(dense - rank)) << " after "
            << dense_steps << " steps\n"
            << "computed on " << gnp::to_string(rank.device()) << '\n';
}
