// SPDX-License-Identifier: MIT
// test: asan, tsan, timeout=600
// Long random orders: what sorting by the items' keys gives, however it is done.
#include <algorithm>
#include <array>
#include <cmath>
#include <gnp/random/shuffled.hpp>
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

TEST_CASE("samples are right whether or not enough items are left when others are passed over") {
  const index_t count = 20000;
  const auto all = by_definition(some_call, count);
  for (const index_t wanted : {1, 63, 64, 65, 4096, 10000, 19000, 19999, 20000}) {
    for (const double deviations : {6.0, -100.0}) {
      INFO(wanted << " wanted, " << deviations << " deviations");
      std::vector<index_t> order(static_cast<std::size_t>(count));
      detail::order_by_keys(some_call.from(0), order.data(), count, wanted, deviations);
      CHECK(std::equal(order.begin(), order.begin() + wanted, all.begin()));
    }
  }
}

namespace {

/// The words that belong to no element, one after the other.
struct plain_words {
  gnp::scalar::random_source source;
  unsigned long long used = 0;

  std::uint64_t next() {
    const auto w = source.at(used / 4, 65536);
    const std::uint32_t words[4] = {w.x, w.y, w.z, w.w};
    return words[used++ % 4];
  }
  index_t below(std::uint64_t n) {
    for (;;) {
      const std::uint64_t product = next() * n;
      if (product % (std::uint64_t{1} << 32) >= (std::uint64_t{1} << 32) % n)
        return static_cast<index_t>(product >> 32);
    }
  }
  void shuffle(std::vector<index_t>& items) {
    for (std::size_t i = items.size(); i-- > 1;)
      std::swap(items[i], items[static_cast<std::size_t>(below(i + 1))]);
  }
};

}  // namespace

TEST_CASE("short orders are those of Fisher and Yates's shuffle") {
  // 8 blocks of words are made one by one, and then 32 at a time.
  for (const index_t n : {1, 2, 3, 32, 33, 34, 160, 161, 162, 289, 1000, 65536, 131072}) {
    INFO(n << " items");
    plain_words words{detail::numbers_of_call{86, 0}.from(0)};
    std::vector<index_t> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), index_t{0});
    words.shuffle(expected);
    const auto order = gnp::asnumpy(generator(86, gnp::device::cpu()).permutation(n));
    CHECK(std::equal(order.begin(), order.end(), expected.begin(), expected.end()));
    if (n > 65536) continue;
    for (const index_t size : {n / 2 + 1, (std::max)(n / 2 + 1, n - 1), n}) {
      const auto sample = gnp::asnumpy(generator(86, gnp::device::cpu()).choice(n, {size}, {.replace = false}));
      REQUIRE(sample.size() == size);
      CHECK(std::equal(sample.begin(), sample.end(), expected.begin()));
    }
  }
}

TEST_CASE("small samples are drawn until the items are different") {
  // The numbers that are taken are bits, or a hash table's if they are few of many.
  const index_t counts[] = {2, 5, 64, 65, 1000, 16384, 16385, 100000, sanitized ? 200000 : 3000000};
  for (const index_t n : counts) {
    for (const index_t size : {index_t{1}, index_t{2}, n / 300, n / 256, n / 17, n / 3, n / 2}) {
      if (size < 1 || size > n / (n > 131072 ? 16 : 2)) continue;
      INFO(size << " of " << n);
      plain_words words{detail::numbers_of_call{87, 0}.from(0)};
      std::vector<index_t> expected;
      std::vector<bool> taken(static_cast<std::size_t>(n));
      while (static_cast<index_t>(expected.size()) < size) {
        const index_t one = words.below(static_cast<std::uint64_t>(n));
        if (!taken[static_cast<std::size_t>(one)]) expected.push_back(one);
        taken[static_cast<std::size_t>(one)] = true;
      }
      const auto sample = gnp::asnumpy(generator(87, gnp::device::cpu()).choice(n, {size}, {.replace = false}));
      CHECK(std::equal(sample.begin(), sample.end(), expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("a number below a large bound, or one whose remainder counts, is drawn as it is defined") {
  const auto source = detail::numbers_of_call{88, 0}.from(0);
  for (const std::uint64_t n :
       {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{0x80000001}, std::uint64_t{0xffffffff}}) {
    detail::word_stream made(source, 0);
    plain_words words{source};
    for (int i = 0; i < 400; ++i) CHECK(made.below(n) == static_cast<std::uint64_t>(words.below(n)));
  }
  for (const std::uint64_t n : {std::uint64_t{1} << 32, (std::uint64_t{1} << 63) + 1}) {
    detail::word_stream made(source, 0);
    plain_words words{source};
    for (int i = 0; i < 400; ++i) {
      __extension__ using wide = unsigned __int128;
      wide product = 0;
      do {
        const std::uint64_t low = words.next();
        product = static_cast<wide>(low | words.next() << 32) * n;
      } while (static_cast<std::uint64_t>(product) < (0 - n) % n);
      CHECK(made.below(n) == static_cast<std::uint64_t>(product >> 64));
    }
  }
}

TEST_CASE("rows are permuted in the order of their keys") {
  for_each_device([](gnp::device) {
    for (const gnp::shape_t& shape :
         {gnp::shape_t{3, 1}, gnp::shape_t{0, 5}, gnp::shape_t{5, 0}, gnp::shape_t{700, 10},
          gnp::shape_t{9, 4095}, gnp::shape_t{3, 4096}, gnp::shape_t{3, 4097}, gnp::shape_t{2, 40000}}) {
      INFO(shape[0] << " rows of " << shape[1]);
      const gnp::array<index_t> table = gnp::arange(shape[0] * shape[1]).reshape(shape);
      const auto keys =
          gnp::asnumpy(generator(89).integers<std::uint64_t>(0, ~std::uint64_t{0}, shape, {.endpoint = true}));
      const auto rows = gnp::asnumpy(generator(89).permuted(table, {.axis = 1}));
      const auto bytes = gnp::asnumpy(generator(89).permuted(table.astype<std::uint8_t>(), {.axis = -1}));
      const auto columns = gnp::asnumpy(generator(89).permuted(table.T(), {.axis = 0}));
      REQUIRE(columns.shape() == gnp::shape_t{shape[1], shape[0]});
      bool same = true;
      for (index_t r = 0; r < shape[0]; ++r) {
        std::vector<index_t> order(static_cast<std::size_t>(shape[1]));
        std::iota(order.begin(), order.end(), index_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](index_t a, index_t b) { return keys(r, a) < keys(r, b); });
        for (index_t i = 0; i < shape[1]; ++i) {
          const index_t expected = r * shape[1] + order[static_cast<std::size_t>(i)];
          same = same && rows(r, i) == expected && columns(i, r) == expected &&
                 bytes(r, i) == static_cast<std::uint8_t>(expected);
        }
      }
      CHECK(same);
    }
  });
}

TEST_CASE("keys of a row that are equal, or differ in the lowest bits only, are told apart") {
  for (const index_t length : {2, 5, 100, 1000}) {
    std::vector<std::uint64_t> keys;
    for (index_t i = 0; i < 2 * length; ++i)
      keys.push_back((static_cast<std::uint64_t>(i % 3) << 60) + static_cast<std::uint64_t>((i * 7) % 5));
    std::vector<index_t> order(keys.size());
    detail::order_rows(keys.data(), 2, length, order.data());
    for (index_t row = 0; row < 2; ++row) {
      const std::uint64_t* const own = keys.data() + row * length;
      std::vector<index_t> expected(static_cast<std::size_t>(length));
      std::iota(expected.begin(), expected.end(), index_t{0});
      std::stable_sort(expected.begin(), expected.end(), [&](index_t a, index_t b) { return own[a] < own[b]; });
      CHECK(std::equal(expected.begin(), expected.end(), order.begin() + row * length));
    }
  }
}

TEST_CASE("samples with probabilities are the first of exponential arrivals") {
  // From 4096 things on, most are passed over.
  for (const index_t n : {2, 64, 65, 4095, 4096, 20000}) {
    gnp::array<double> p = generator(90, gnp::device::cpu()).uniform(0.0, 1.0, {n});
    p(gnp::slice(0, gnp::none, 2)) = p(gnp::slice(0, gnp::none, 2)) * 1e-3;
    if (n > 2) p(gnp::slice(1, gnp::none, 5)) = 0.0;
    p = p / gnp::sum(p).item();
    const auto host = gnp::asnumpy(p);
    const auto source = detail::numbers_of_call{91, 0}.from(0);
    std::vector<std::pair<double, index_t>> arrivals;
    for (index_t i = 0; i < n; ++i) {
      const auto w = source.at(static_cast<unsigned long long>(i), 65536);
      if (host(i) > 0)
        arrivals.emplace_back(gnp::scalar::minus_two_log(gnp::scalar::unit(w.x, w.y)) / host(i), i);
    }
    std::sort(arrivals.begin(), arrivals.end());
    const auto possible = static_cast<index_t>(arrivals.size());
    for (const index_t size : {index_t{1}, n / 100 + 1, n / 4 + 1, possible - 1, possible}) {
      INFO(size << " of " << n);
      const auto sample =
          gnp::asnumpy(generator(91, gnp::device::cpu()).choice(n, {size}, {.replace = false, .p = p}));
      bool same = sample.size() == size;
      for (index_t i = 0; same && i < size; ++i)
        same = sample(i) == arrivals[static_cast<std::size_t>(i)].second;
      CHECK(same);
    }
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
