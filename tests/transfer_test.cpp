// SPDX-License-Identifier: MIT
// test: asan
// Host memory to the device and back, byte for byte: sizes about those where the way changes, ordinary and
// page-locked memory, other streams and several threads at once. And where arrays on the CPU have their memory.
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::index_t;
using bytes = std::vector<std::uint8_t>;

constexpr index_t mib = index_t{1} << 20;

/// Bytes that differ from place to place and from seed to seed.
bytes noise(index_t count, std::uint64_t seed) {
  bytes result(static_cast<std::size_t>(count));
  std::uint64_t state = 88172645463325252U ^ (seed << 32);
  for (std::size_t i = 0; i < result.size(); i += sizeof(state)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(&result[i], &state, std::min(sizeof(state), result.size() - i));
  }
  return result;
}

/// (By pointers the bytes are compared by one call; by iterators one by one, which sanitizers take long for.)
template <class Host>
bool same(const Host& host, const bytes& want) {
  return host.size() == static_cast<index_t>(want.size()) &&
         std::equal(want.data(), want.data() + want.size(), host.data());
}

/// All bytes with these bits turned, eight at a time.
bytes turned(bytes values, std::uint8_t bits) {
  const std::uint64_t each = bits * std::uint64_t{0x0101010101010101};
  for (std::size_t i = 0; i < values.size(); i += sizeof(each)) {
    const std::size_t count = std::min(sizeof(each), values.size() - i);
    std::uint64_t word = 0;
    std::memcpy(&word, &values[i], count);
    word ^= each;
    std::memcpy(&values[i], &word, count);
  }
  return values;
}

/// To the device, changed there, and back.
bool makes_the_round(const bytes& values) {
  const gnp::array x = gnp::asarray(values);
  const gnp::array<std::uint8_t> y = x ^ std::uint8_t{0x5A};
  const auto back = gnp::asnumpy(y);
  return same(back, turned(values, 0x5A));
}

}  // namespace

TEST_CASE("transfers of every size arrive") {
  for_each_device([](gnp::device) {
    for (const index_t count :
         {index_t{0}, index_t{1}, index_t{511}, mib, 2 * mib - 1, 2 * mib, 2 * mib + 1, 3 * mib + 7,
          8 * mib - 1, 16 * mib + 513, 33 * mib, sanitized ? 0 : 71 * mib + 5}) {
      INFO(count);
      CHECK(makes_the_round(noise(count, 1)));
    }
  });
}

TEST_CASE("transfers arrive with any number of threads") {
  const int before = gnp::get_num_threads();
  for_each_device([](gnp::device) {
    for (const int threads : {1, 2, 3, 7, 64}) {
      gnp::set_num_threads(threads);
      INFO(threads);
      CHECK(makes_the_round(noise(19 * mib + 3, 2)));
    }
  });
  gnp::set_num_threads(before);
}

TEST_CASE("transfers from the middle of a block, and into page-locked memory") {
  for_each_device([](gnp::device) {
    const bytes values = noise(9 * mib, 3);
    const gnp::array<std::uint8_t> x =
        gnp::asarray(values.data() + 3, {static_cast<index_t>(values.size()) - 3});
    const bytes part(values.begin() + 103, values.end());
    CHECK(same(gnp::asnumpy(x(gnp::slice(100, gnp::none))), part));
    auto locked = gnp::empty_pinned<std::uint8_t>({static_cast<index_t>(part.size())});
    gnp::asnumpy(x(gnp::slice(100, gnp::none)), locked);
    CHECK(same(locked, part));
    CHECK(same(gnp::asnumpy(gnp::asarray(locked)), part));
    CHECK(same(gnp::asnumpy(gnp::asarray(values).to(gnp::device::cpu())), values));
  });
}

TEST_CASE("the source may change as soon as a transfer returns") {
  for_each_device([](gnp::device) {
    bytes values = noise(24 * mib, 4);
    const bytes kept = values;
    const gnp::array x = gnp::asarray(values);
    std::fill(values.begin(), values.end(), std::uint8_t{0});
    CHECK(same(gnp::asnumpy(x), kept));
  });
}

TEST_CASE("transfers keep the order of their stream") {
  for_each_device([](gnp::device) {
    const gnp::stream other;
    for (std::uint64_t seed = 5; seed < 9; ++seed) {
      const bytes values = noise(6 * mib + 1, seed);
      gnp::array<std::uint8_t> x;
      {
        const gnp::use_stream guard(other);
        x = gnp::asarray(values);
      }
      x += std::uint8_t{1};  // on the default stream, after the transfer on the other one
      bytes want = values;
      for (std::uint8_t& byte : want) ++byte;
      CHECK(same(gnp::asnumpy(x), want));
    }
  });
}

TEST_CASE("several threads may transfer at once") {
  for_each_device([](gnp::device device) {
    std::vector<int> right(6, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < right.size(); ++t) {
      threads.emplace_back([&, t] {
        const gnp::use_device guard(device);
        bool all = true;
        for (std::uint64_t seed = 0; seed < 3; ++seed)
          all = all && makes_the_round(noise(5 * mib + 1, 10 * t + seed));
        right[t] = all ? 1 : 0;
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const int all : right) CHECK(all == 1);
  });
}

TEST_CASE("of a large array, only what is shown is brought to the host") {
  for_each_device([](gnp::device) {
    const gnp::array<int> x = gnp::arange<int>(1200 * 30 * 40).reshape(1200, 30, 40);
    for (const gnp::array<int>& part : {x, x.T(), gnp::flip(x, 1), x.reshape(-1)}) {
      for (const index_t edge : {1, 3, 15, 16}) {
        const gnp::print_options options = {.edgeitems = edge};
        CHECK(gnp::array_repr(part, options) == gnp::array_repr(gnp::asnumpy(part), options));
      }
    }
    std::ostringstream out;
    out << gnp::broadcast_to(gnp::arange<float>(1000000), {1000000, 1000000});
    const std::string row = "[0.00000e+00 1.00000e+00 2.00000e+00 ... 9.99997e+05 9.99998e+05\n  9.99999e+05]";
    std::string all = "[" + row;
    for (int i = 1; i < 6; ++i) all += (i == 3 ? "\n ...\n " : "\n ") + row;
    CHECK(out.str() == all + "]");
  });
}

TEST_CASE("memory of large arrays on the CPU: apart from each other, aligned, and used again") {
  const gnp::use_device guard(gnp::device::cpu());
  // Around 4 MiB, from which on a block begins in a page of 2 MiB.
  constexpr index_t large = 4 * mib;
  std::vector<gnp::array<std::uint8_t>> all;
  for (const index_t n : {large - 1, large, large + 1, 2 * large, 2 * large + 4097}) {
    for (int k = 0; k < 17; ++k) {
      all.push_back(gnp::empty<std::uint8_t>({n}));
      std::memset(all.back().data(), static_cast<int>(all.size()), static_cast<std::size_t>(n));
      CHECK(reinterpret_cast<std::uintptr_t>(all.back().data()) % 64 == 0);
    }
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::uint8_t* const first = all[k].data();  // each byte is as the one before it
    CHECK(*first == k + 1);
    CHECK(std::memcmp(first, first + 1, static_cast<std::size_t>(all[k].size()) - 1) == 0);
    all[k] = gnp::array<std::uint8_t>();
  }
#if defined(__GLIBC__)
  if (sanitized) return;  // sanitizers keep memory from being used again
  // A block from the system costs a page fault for each of its pages, of which it has four at least.
  constexpr int rounds = 64;
  long fewest = 1000000;  // A busy system has its own reasons for faults, but not every time.
  for (int attempt = 0; attempt < 10 && fewest >= 2 * rounds; ++attempt) {
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    for (int k = 0; k < rounds; ++k) {  // three at a time: malloc alone would give back their memory
      std::vector<gnp::array<std::uint8_t>> three;
      for (int i = 0; i < 3; ++i) {
        three.push_back(gnp::empty<std::uint8_t>({2 * large}));
        std::memset(three.back().data(), i, static_cast<std::size_t>(2 * large));
      }
    }
    ::getrusage(RUSAGE_SELF, &after);
    fewest = std::min(fewest, after.ru_minflt - before.ru_minflt);
  }
  CHECK(fewest < 2 * rounds);
  CHECK(gnp::memory_info().kept >= 6 * large);
#endif
}
