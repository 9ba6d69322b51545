// SPDX-License-Identifier: MIT
// test: tsan, timeout=600
// Long random orders: what sorting by the items' keys gives, however it is done.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "devices.hpp"
#include "distributions.hpp"

namespace {

using gnp::index_t;
using gnp::random::generator;
namespace detail = gnp::detail;

const detail::numbers_of_call some_call{0x123456789abcdefULL, 3};

/// The order as it is defined, with nothing but Philox.
std::vector<index_t> by_definition(const detail::numbers_of_call& call, index_t count) {
  const gnp::scalar::random_source source = call.from(0);
  using block = std::array<std::uint32_t, 4>;
  std::vector<block> blocks;
  for (index_t i = 0; i < count; ++i) {
    const auto item = static_cast<std::uint64_t>(i);
    const auto w = source.at(item >> 16, static_cast<std::uint32_t>(item % 65536));
    blocks.push_back({w.x, w.y, w.z, w.w});
  }
  std::vector<index_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), index_t{0});
  std::sort(order.begin(), order.end(), [&](index_t a, index_t b) {
    return blocks[static_cast<std::size_t>(a)] < blocks[static_cast<std::size_t>(b)];
  });
  return order;
}

std::vector<index_t> made(const detail::numbers_of_call& call, index_t count, gnp::device where) {
  const gnp::array<index_t> order(gnp::shape_t{count}, where);
  if (where.is_cpu()) {
    detail::order_by_keys(call.from(0), order.data(), count, count);
  } else {
#if GNP_HAS_CUDA
    detail::order_by_keys_on_gpu(call.from(0), order);
#endif
  }
  const auto host = gnp::asnumpy(order);
  return {host.begin(), host.end()};
}

}  // namespace

TEST_CASE("items are sorted by their Philox blocks") {
  for_each_device([](gnp::device d) {
    for (const index_t n : {0, 1, 2, 31, 32, 33, 64, 65, 4097, 65536, 131073, sanitized ? 131074 : 1000003}) {
      INFO(n << " items");
      CHECK(made(some_call, n, d) == by_definition(some_call, n));
    }
    // The public functions, where they take this way: the first call of a generator.
    const index_t n = 131073;
    const auto order = by_definition({84, 0}, n);
    const auto host = gnp::asnumpy(generator(84).permutation(n));
    CHECK(std::equal(order.begin(), order.end(), host.begin(), host.end()));
    const auto sample = gnp::asnumpy(generator(84).choice(n, {10000}, {.replace = false}));
    CHECK(sample.size() == 10000);
    CHECK(std::equal(sample.begin(), sample.end(), order.begin()));
    // Samples that end with a pile, within one, or with the last item: 4096 items make a pile on average.
    for (const index_t size : {8193, 12345, 131072, 131073}) {
      const auto some = gnp::asnumpy(generator(84).choice(n, {size}, {.replace = false}));
      REQUIRE(some.size() == size);
      CHECK(std::equal(some.begin(), some.end(), order.begin()));
    }
  });
}

TEST_CASE("items whose kept keys are the same are told apart by the rest of their blocks") {
  const auto source = some_call.from(0);
  int before = 0;
  for (unsigned long long i = 0; i < 1000; ++i) {
    const gnp::scalar::keyed_item a{7, i}, b{7, i + 1};
    const bool less = gnp::scalar::comes_before(source, a, b);
    CHECK(less != gnp::scalar::comes_before(source, b, a));
    CHECK_FALSE(gnp::scalar::comes_before(source, a, a));
    before += less ? 1 : 0;
  }
  CHECK(std::abs(before - 500) < 80);
  // Words with room for only 3 bits, or for 1, of the keys: the items are told apart by the keys' other bits.
  for (const int item_bits : {61, 63}) {
    std::vector<std::uint64_t> pile;
    for (std::uint64_t i = 0; i < 500; ++i)
      pile.push_back(gnp::scalar::key_of_item(source, i) >> item_bits << item_bits | i);
    std::vector<index_t> order(pile.size());
    detail::sort_pile(source, pile.data(), pile.size(), item_bits, order.data());
    CHECK(order == by_definition(some_call, static_cast<index_t>(order.size())));
  }
}

TEST_CASE("every order by keys is equally likely") {
  std::map<std::vector<index_t>, int> counts;
  const int total = sanitized ? 12000 : 60000;
  for (int call = 0; call < total; ++call) {
    ++counts[made({85, static_cast<std::uint64_t>(call)}, 5, gnp::device::cpu())];
  }
  std::vector<double> observed;
  for (const auto& [order, count] : counts) observed.push_back(count);
  REQUIRE(observed.size() == 120);
  const chi_square test(observed, std::vector<double>(120, total / 120.0));
  CHECK(test.statistic < test.limit);
}
