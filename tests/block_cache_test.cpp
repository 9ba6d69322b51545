// SPDX-License-Identifier: MIT
// test: asan
// The blocks a stream keeps for its next arrays: sizes, limits, and that each is given out once.
#include <gnp/cuda/block_cache.hpp>
#include <set>
#include <vector>

#include "catch.hpp"

using gnp::detail::block_cache;

TEST_CASE("a block has room for its size, and little more") {
  for (int c = 0; c < block_cache::classes; ++c) {
    const std::size_t room = block_cache::bytes_of(c);
    CHECK(block_cache::class_of(room) == c);
    CHECK(block_cache::class_of(room + 1) == c + 1);
    CHECK(room % 512 == 0);
  }
  CHECK(block_cache::class_of(0) == 0);
  CHECK(block_cache::bytes_of(block_cache::classes - 1) == std::size_t{64} << 20);
  CHECK(block_cache::class_of(~std::size_t{0}) == block_cache::classes);
  for (std::size_t bytes = (1 << 20) + 1; bytes < (std::size_t{64} << 20); bytes += bytes / 7) {
    const std::size_t room = block_cache::bytes_of(block_cache::class_of(bytes));
    CHECK(room >= bytes);
    CHECK(room - bytes < bytes / 4 + 1);
  }
}

TEST_CASE("kept blocks are given out once, and to those they have room for") {
  block_cache cache;
  std::vector<char> memory(4);
  CHECK(cache.take(100) == nullptr);
  CHECK(cache.keep(&memory[0], 100));
  CHECK(cache.keep(&memory[1], 2000000));
  CHECK(cache.take(513) == nullptr);
  CHECK(cache.take(512) == &memory[0]);
  CHECK(cache.take(512) == nullptr);
  CHECK(cache.take((1 << 20) + 1) == nullptr);
  CHECK(cache.take(1900000) == &memory[1]);
  CHECK(cache.take_any() == nullptr);
}

TEST_CASE("no more is kept than the limits say") {
  block_cache cache;
  std::vector<char> memory(1000);
  int small = 0;
  while (small < 1000 && cache.keep(&memory[static_cast<std::size_t>(small)], 4096)) ++small;
  CHECK(small == block_cache::most_of_a_class);
  CHECK_FALSE(cache.keep(&memory[999], (std::size_t{64} << 20) + 1));
  int large = 0;
  while (cache.keep(&memory[static_cast<std::size_t>(100 + large)], std::size_t{64} << 20)) ++large;
  CHECK(large == 3);  // and the small ones: the fourth would be one too many
  std::set<void*> given;
  while (void* block = cache.take_any()) given.insert(block);
  CHECK(given.size() == static_cast<std::size_t>(small + large));
  for (int i = 0; i < 4; ++i) CHECK(cache.keep(&memory[static_cast<std::size_t>(i)], std::size_t{64} << 20));
}
