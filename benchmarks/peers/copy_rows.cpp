// SPDX-License-Identifier: MIT
// What joins, repeats and moves elements, beside a copy of 1 GiB: a line "row milliseconds part-of-the-copy's-
// bandwidth" each. copy_rows [regular expression of rows] [what sizes are divided by]
#include <string>
#include <vector>

#include "gnp_rows.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using rows::numbers;

double copy_time = 0;  // of 1 GiB, which is read and written

/// A call that moves so many GiB, read and written ones together.
template <class Call>
void moves(const char* name, double gib, const Call& call) {
  if (!std::regex_search(name, rows::wanted)) return;
  const double time = rows::time_of(call);
  std::printf("%-22s %9.4f %6.3f\n", name, time, copy_time * gib / 2 / time);
  std::fflush(stdout);
}

template <class T>
std::vector<array<T>> parts(int count, index_t length) {
  std::vector<array<T>> all;
  for (int i = 0; i < count; ++i) all.push_back((numbers({length}) * 100).template astype<T>().eval());
  return all;
}

void all_rows() {
  const index_t whole = (index_t{1} << 28) / rows::smaller;  // float32: 1 GiB
  {
    const array<float> x = numbers({whole});
    copy_time = rows::time_of([&] { return x.copy(); });
    std::printf("%-22s %9.4f\n", "copy", copy_time);
    const array<float> square = x.reshape(16384, -1);
    moves("roll", 2, [&] { return gnp::roll(x, 12345).eval(); });
    moves("pad", 2, [&] { return gnp::pad(x, 1); });
    moves("pad_2d", 2, [&] { return gnp::pad(square, 1); });
    moves("pad_2d_edge", 2, [&] { return gnp::pad(square, 1, "edge"); });
    moves("tril", 2, [&] { return gnp::tril(square).eval(); });
  }
  for (const int count : {2, 64}) {
    const auto even = parts<float>(count, whole / count), odd = parts<float>(count, whole / count + 1);
    moves(("concatenate_" + std::to_string(count)).c_str(), 2, [&] { return gnp::concatenate(even); });
    moves(("concatenate_" + std::to_string(count) + "_odd").c_str(), 2, [&] { return gnp::concatenate(odd); });
  }
  for (const int count : {2, 3, 4, 8, 16}) {
    const auto some = parts<float>(count, whole / count / 4 * 4);
    moves(("stack_" + std::to_string(count)).c_str(), 2, [&] { return gnp::stack(some, {.axis = 1}); });
  }
  {
    const auto some = parts<float>(2, whole / 2);
    moves("stack_expression", 3, [&] { return gnp::stack(std::tuple(some[0], some[1] + 1.0F), {.axis = 1}); });
  }
  {
    const auto bytes = parts<std::uint8_t>(3, whole * 4 / 3 / 16 * 16);
    moves("stack_3_bytes", 2, [&] { return gnp::stack(bytes, {.axis = 1}); });
  }
  {
    const auto doubles = parts<double>(2, whole / 4);
    moves("stack_2_doubles", 2, [&] { return gnp::stack(doubles, {.axis = 1}); });
  }
  for (const index_t times : {2, 16}) {
    const double gib = 1 + 1 / static_cast<double>(times);
    const array<float> even = numbers({whole / times}), odd = numbers({whole / times + 1});
    const std::string often = std::to_string(times);
    moves(("tile_" + often).c_str(), gib, [&] { return gnp::tile(even, {times}); });
    moves(("tile_" + often + "_odd").c_str(), gib, [&] { return gnp::tile(odd, {times}); });
    moves(("repeat_" + often).c_str(), gib, [&] { return gnp::repeat(even, times); });
  }
  {
    const array<float> x = numbers({whole / 2});
    moves("repeat_3", 2, [&] { return gnp::repeat(x, 3); });
  }
}

}  // namespace

int main(int count, char** arguments) { rows::answer(count, arguments, all_rows); }
