// SPDX-License-Identifier: MIT
// test: asan, tsan
// Arrays of memory that gnp did not allocate: strides of any sign, deleters, and what is refused.
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::index_t;
using gnp::shape_t;

constexpr gnp::device cpu = gnp::device::cpu();

std::vector<int> counted(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

void free_text(void* memory) { std::free(memory); }

}  // namespace

TEST_CASE("strides in bytes, of any sign") {
  std::vector<int> memory = counted(12);
  // Columns first, from the end of each row to its beginning.
  const gnp::array<int> x =
      gnp::from_pointer(memory.data() + 3, shape_t{4, 3}, {.strides = {-4, 16}, .device = cpu});
  CHECK(x.strides() == shape_t{-4, 16});
  CHECK(gnp::to_vector(x) == std::vector<int>{3, 7, 11, 2, 6, 10, 1, 5, 9, 0, 4, 8});
  CHECK(x.block()->data == memory.data());
  CHECK(x.block()->bytes == 48);
  x(0, 2) = 100;
  CHECK(memory[11] == 100);
  x.assign(gnp::zeros<int>({4, 3}).to(cpu));
  CHECK(memory == std::vector<int>(12, 0));

  // Views reach what is around the first element.
  std::iota(memory.begin(), memory.end(), 0);
  CHECK(gnp::to_vector(gnp::as_strided(x, {3}, {16})) == std::vector<int>{3, 7, 11});
  CHECK_THROWS_AS(gnp::as_strided(x, {4}, {16}), gnp::index_error);
  CHECK_THROWS_AS(gnp::as_strided(x, {5}, {-4}), gnp::index_error);
}

TEST_CASE("an element that is there several times, and axes whose strides nobody follows") {
  std::vector<int> memory = counted(4);
  const gnp::array<int> repeated = gnp::from_pointer(memory.data(), {2, 4}, {.strides = {0, 4}, .device = cpu});
  CHECK(gnp::to_vector(repeated) == std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK_THROWS_AS(repeated.fill(1), gnp::shape_error);
  CHECK(repeated.is_read_only());
  CHECK(gnp::as_strided(gnp::arange(3).to(cpu), {3}, {0}).is_read_only());
  const gnp::array<int> windows = gnp::from_pointer(memory.data(), {3, 2}, {.strides = {4, 4}, .device = cpu});
  CHECK(gnp::to_vector(windows) == std::vector<int>{0, 1, 1, 2, 2, 3});
  const gnp::array<int> row = gnp::from_pointer(memory.data(), {1, 4}, {.strides = {3, 4}, .device = cpu});
  CHECK(row.is_contiguous());
  CHECK(row.strides() == shape_t{16, 4});
  const gnp::array<int> none = gnp::from_pointer<int>(nullptr, {3, 0}, {.strides = {1, 1}, .device = cpu});
  CHECK(none.size() == 0);
  const gnp::array<int> number = gnp::from_pointer(memory.data() + 2, {}, cpu);
  CHECK(number.item() == 2);
}

TEST_CASE("results are laid out as their inputs, across axes that do not move, too") {
  std::vector<int> memory = counted(400);
  const auto strides_of_result = [&memory](const shape_t& shape, const shape_t& strides) {
    const gnp::array<int> x =
        gnp::from_pointer(memory.data() + 200, shape, {.strides = strides, .device = cpu});
    return gnp::array<int>(x + 1).strides();
  };
  // As NumPy 2.4 lays out x + 1.
  CHECK(strides_of_result({4, 2, 3}, {4, 0, 16}) == shape_t{4, 48, 16});
  CHECK(strides_of_result({3, 3, 4}, {4, 0, -12}) == shape_t{4, 48, 12});
  CHECK(strides_of_result({4, 2, 4, 3}, {4, 0, 96, 32}) == shape_t{4, 192, 48, 16});
  CHECK(strides_of_result({2, 3, 2, 4}, {0, 4, 0, 12}) == shape_t{96, 4, 48, 12});
  CHECK(strides_of_result({2, 4, 3}, {12, 4, 0}) == shape_t{48, 12, 4});
}

TEST_CASE("the deleter is called once, with the pointer, when the last handle is gone") {
  for_each_device([](gnp::device d) {
    const gnp::array<int> owner = gnp::arange<int>(6);
    std::vector<void*> calls;
    {
      gnp::array<int> x = gnp::from_pointer(
          owner.data() + 5, {6},
          {.strides = {-4}, .device = d, .deleter = [&calls](void* p) { calls.push_back(p); }});
      gnp::array<int> part = x(gnp::slice(1, 3));
      const gnp::array<int> moved = std::move(x);
      x = gnp::array<int>();
      CHECK(calls.empty());
      CHECK(gnp::to_vector(part) == std::vector<int>{4, 3});
      part = gnp::array<int>();
      CHECK(calls.empty());
      const auto later = moved + 1;  // an expression holds a handle
      CHECK(calls.empty());
    }
    CHECK(calls == std::vector<void*>{owner.data() + 5});
  });
}

TEST_CASE("what may be a deleter") {
  auto* const text = static_cast<char*>(std::malloc(3));
  std::memcpy(text, "abc", 3);
  CHECK(gnp::from_pointer(text, {3}, {.device = cpu, .deleter = free_text}).item(2) == 'c');

  auto kept = std::make_unique<std::vector<int>>(counted(3));
  int* const data = kept->data();
  int calls = 0;
  {
    const gnp::array<int> x = gnp::from_pointer(
        data, {3}, {.device = cpu, .deleter = [kept = std::move(kept), &calls] { ++calls; }});  // moves only
    CHECK(x.item(2) == 2);
  }
  CHECK(calls == 1);

  const float* given_back = nullptr;  // by a function of the elements' own pointer
  float value = 1;
  static_cast<void>(
      gnp::from_pointer(&value, {1}, {.device = cpu, .deleter = [&given_back](float* p) { given_back = p; }}));
  CHECK(given_back == &value);

  void (*const nobody)(void*) = nullptr;
  int number = 7;
  CHECK(gnp::from_pointer(&number, {}, {.device = cpu, .deleter = nobody}).item() == 7);
  CHECK(gnp::from_pointer(&number, {}, {.device = cpu, .deleter = std::function<void(void*)>()}).item() == 7);

  bool called = false;
  static_cast<void>(
      gnp::from_pointer<int>(nullptr, {0}, {.device = cpu, .deleter = [&called] { called = true; }}));
  CHECK(called);
}

TEST_CASE("a deleter runs in the thread that drops the last handle") {
  std::vector<int> memory = counted(1000);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> calls{0};
    std::thread::id caller;
    gnp::array<int> x = gnp::from_pointer(memory.data(), {1000}, {.device = cpu, .deleter = [&] {
                                                                    ++calls;
                                                                    caller = std::this_thread::get_id();
                                                                  }});
    std::vector<std::thread> threads;
    std::atomic<int> right{0};  // Catch counts assertions in one thread only
    for (int t = 0; t < 4; ++t) threads.emplace_back([&right, mine = x] { right += mine.size() == 1000; });
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    CHECK(right == 4);
    CHECK(calls == 0);
    std::thread::id last;
    std::thread other([&last, mine = std::move(x)]() mutable {
      last = std::this_thread::get_id();
      mine = gnp::array<int>();
    });
    other.join();
    CHECK(calls == 1);
    CHECK(caller == last);
  }
}

TEST_CASE("what memory of others cannot be") {
  std::vector<int> memory = counted(6);
  int calls = 0;
  const auto count = [&calls] { ++calls; };
  int* const data = memory.data();
  CHECK_THROWS_WITH(gnp::from_pointer(data, {2, 3}, {.strides = {12}, .device = cpu, .deleter = count}),
                    "from_pointer: shape (2, 3) and strides (12,) must have the same length");
  CHECK_THROWS_WITH(gnp::from_pointer(data, {2, 3}, {.strides = {6, 4}, .device = cpu, .deleter = count}),
                    "from_pointer: the stride 6 is not a multiple of the element size, 4 bytes");
  CHECK_THROWS_WITH(gnp::from_pointer<int>(nullptr, {2, 3}, {.device = cpu, .deleter = count}),
                    "from_pointer: the pointer is null, and an array of shape (2, 3) has elements");
  auto* const between = reinterpret_cast<int*>(reinterpret_cast<char*>(data) + 2);
  CHECK_THROWS_WITH(gnp::from_pointer(between, {2}, {.device = cpu, .deleter = count}),
                    contains("is not a multiple of the 4 bytes that int32 is aligned to"));
  CHECK_THROWS_WITH(gnp::from_pointer(data, {-1}, {.device = cpu, .deleter = count}),
                    contains("from_pointer: negative dimensions are not allowed, got shape (-1,)"));
  constexpr index_t far = index_t{1} << 61;
  for (const index_t stride : {far, -far, index_t{1} << 46}) {
    CHECK_THROWS_AS(
        gnp::from_pointer(data, {1 << 20, 3}, {.strides = {stride, 4}, .device = cpu, .deleter = count}),
        gnp::shape_error);
  }
  CHECK_THROWS_WITH(gnp::from_pointer(data, {2}, {.strides = {-far}, .device = cpu, .deleter = count}),
                    contains("reaches out of the address space"));
  // A device that is not there. (The memory stays the caller's: it was freed once.)
  CHECK_THROWS_AS(gnp::from_pointer(data, {6}, gnp::device::cuda(63)), gnp::device_error);
  CHECK_THROWS_AS(gnp::from_pointer(data, {6}, {.device = gnp::device::cuda(63), .deleter = count}),
                  gnp::device_error);
  CHECK(calls == 0);
  CHECK(memory == counted(6));
}

TEST_CASE("a complex number on the CPU may lie where its parts may") {
  std::vector<double> memory{1, 2, 3, 4, 5};
  auto* const second = reinterpret_cast<gnp::complex128*>(memory.data() + 1);
  const gnp::array<gnp::complex128> x = gnp::from_pointer(second, {2}, cpu);
  const gnp::array<gnp::complex128> twice = x + x;
  CHECK(twice.item(0) == gnp::complex128(4, 6));
  CHECK(twice.item(1) == gnp::complex128(8, 10));
}
