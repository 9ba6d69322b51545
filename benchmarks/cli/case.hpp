// SPDX-License-Identifier: MIT
// What a case is to the rest of the program: its name, its sizes, and something to time for each contender.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"

namespace bench {

using index_t = std::int64_t;

enum class contender { eigen_one, eigen_all, cpu, gpu, gpu_with_transfers };
inline constexpr std::array<contender, 5> all_contenders{
    contender::eigen_one, contender::eigen_all, contender::cpu, contender::gpu, contender::gpu_with_transfers};

constexpr bool is_eigen(contender c) { return c == contender::eigen_one || c == contender::eigen_all; }
constexpr bool is_on_gpu(contender c) { return c == contender::gpu || c == contender::gpu_with_transfers; }

/// One contender at work: `call` is what is timed, `result` brings its last answer to the host.
struct attempt {
  std::function<void()> call;
  std::function<answer()> result;

  explicit operator bool() const { return call != nullptr; }
};

/// A case at one size, in one element type.
struct problem {
  std::function<attempt(contender)> prepare;  // gives nothing where the contender cannot take part
  std::function<verdict(const answer& got, const answer& eigen)> judge;
};

struct bench_case {
  std::string name;
  std::string what;
  std::string size_means;
  std::vector<index_t> sizes;
  std::vector<std::string> dtypes;
  std::function<problem(const std::string& dtype, index_t size)> make;
};

std::vector<bench_case> all_cases();

bool eigen_uses_threads();  // is this program compiled with OpenMP?

}  // namespace bench
