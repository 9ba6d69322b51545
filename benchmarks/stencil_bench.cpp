// SPDX-License-Identifier: MIT
// Stencils and other views that are shifted against each other. The floor is one whole read and one whole write
// of the array, at the bandwidth of this run's copy; in place, a temporary adds one of each.
#include "gpu_timing.hpp"

namespace {

using namespace gpu_timing;
using gnp::ellipsis;
using gnp::none;
using gnp::slice;

constexpr index_t board = 8192;

/// The part of an array that is moved by -1, 0 or 1 along each axis: with 0, its inner part.
slice moved(int by) { return by < 0 ? slice(none, -2) : by > 0 ? slice(2, none) : slice(1, -1); }
template <class T>
gnp::array<T> part(const gnp::array<T>& u, int down, int right) {
  return u(moved(down), moved(right));
}

template <class T>
auto heat_step(const gnp::array<T>& u) {
  const auto centre = part(u, 0, 0);
  return centre +
         T(0.2F) * (part(u, -1, 0) + part(u, 1, 0) + part(u, 0, -1) + part(u, 0, 1) - T(4.0F) * centre);
}

template <class T>
void heat(benchmark::State& state, bool in_place) {
  gnp::array<T> u = waves<T>({board, board}, 0.37);
  gnp::array<T> v = u.copy();
  part(v, 0, 0) = heat_step(u);
  for (const index_t at : places((board - 2) * (board - 2))) {
    const index_t i = at / (board - 2) + 1, k = at % (board - 2) + 1;
    const auto value = [&](index_t y, index_t x) { return number(u.item(y, x)); };
    const double around = value(i - 1, k) + value(i + 1, k) + value(i, k - 1) + value(i, k + 1);
    expect(number(v.item(i, k)), value(i, k) + number(T(0.2F)) * (around - 4 * value(i, k)), 4 * tolerance<T>,
           at);
  }
  const gnp::array<T> to = in_place ? u : v;
  time_bandwidth(state, 2.0 * board * board * sizeof(T), [&] { part(to, 0, 0) = heat_step(u); });
}

void life(benchmark::State& state) {
  using byte = std::uint8_t;
  const gnp::array<byte> u = (waves<float>({board, board}, 0.37) > 0.3F).astype<byte>();
  const gnp::array<byte> v = gnp::zeros<byte>({board, board});
  const auto count = part(u, -1, -1) + part(u, -1, 0) + part(u, -1, 1) + part(u, 0, -1) + part(u, 0, 1) +
                     part(u, 1, -1) + part(u, 1, 0) + part(u, 1, 1);
  const auto next = (count == 3 || (count == 2 && part(u, 0, 0) != 0)).astype<byte>();
  part(v, 0, 0) = next;
  for (const index_t at : places((board - 2) * (board - 2))) {
    const index_t i = at / (board - 2) + 1, k = at % (board - 2) + 1;
    int around = -u.item(i, k);
    for (index_t y = i - 1; y <= i + 1; ++y) {
      for (index_t x = k - 1; x <= k + 1; ++x) around += u.item(y, x);
    }
    expect(v.item(i, k), around == 3 || (around == 2 && u.item(i, k) != 0) ? 1 : 0, 0, at);
  }
  time_bandwidth(state, 2.0 * board * board, [&] { part(v, 0, 0) = next; });
}

void seven_points(benchmark::State& state) {
  constexpr index_t n = 512;
  const gnp::array<float> u = waves<float>({n, n, n}, 0.37), v = gnp::zeros<float>({n, n, n});
  const auto at = [&u](int i, int j, int k) { return u(moved(i), moved(j), moved(k)); };
  const auto step =
      at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1) - 6 * at(0, 0, 0);
  const auto call = [&] { v(slice(1, -1), slice(1, -1), slice(1, -1)) = step; };
  call();
  for (const index_t place : places((n - 2) * (n - 2) * (n - 2))) {
    const index_t i = place / ((n - 2) * (n - 2)) + 1, j = place / (n - 2) % (n - 2) + 1,
                  k = place % (n - 2) + 1;
    const auto value = [&](index_t x, index_t y, index_t z) { return number(u.item(i + x, j + y, k + z)); };
    const double want = value(-1, 0, 0) + value(1, 0, 0) + value(0, -1, 0) + value(0, 1, 0) + value(0, 0, -1) +
                        value(0, 0, 1) - 6 * value(0, 0, 0);
    expect(number(v.item(i, j, k)), want, 1e-5, place);
  }
  time_bandwidth(state, 2.0 * n * n * n * sizeof(float), call);
}

void differences(benchmark::State& state) {
  constexpr index_t n = index_t{1} << 28;
  const gnp::array<float> x = waves<float>({n}, 0.37), y = gnp::zeros<float>({n});
  const auto call = [&] { y(slice(none, -1)) = x(slice(1, none)) - x(slice(none, -1)); };
  call();
  for (const index_t i : places(n - 1)) expect(y.item(i), x.item(i + 1) - x.item(i), 1e-6, i);
  time_bandwidth(state, 2.0 * n * sizeof(float), call);
}

template <class T>
void roll_case(benchmark::State& state) {
  constexpr index_t n = (index_t{1} << 30) / static_cast<index_t>(sizeof(T));
  constexpr index_t by = 12345;
  const gnp::array<T> x = (waves<float>({n}, 0.37) * 100).template astype<T>();
  const gnp::array<T> rolled = roll(x, by);
  for (const index_t i : places(n)) expect(number(rolled.item(i)), number(x.item((i + n - by) % n)), 0, i);
  time_bandwidth(state, 2.0 * n * sizeof(T), [&] { const gnp::array<T> y = roll(x, by); });
}

void pad_case(benchmark::State& state) {
  constexpr index_t n = 16384;
  const gnp::array<float> x = waves<float>({n, n}, 0.37);
  const gnp::array<float> padded = pad(x, 1);
  for (const index_t at : places(n * n))
    expect(padded.item(at / n + 1, at % n + 1), x.item(at / n, at % n), 0, at);
  time_bandwidth(state, 2.0 * n * n * sizeof(float), [&] { const gnp::array<float> y = pad(x, 1); });
}

}  // namespace

void register_stencil_benchmarks(bool quick) {
  gpu_timing::quick_run = quick;
  using benchmark::State;
  add_case("stencil/heat/float32", [](State& s) { heat<float>(s, false); });
  add_case("stencil/heat/float64", [](State& s) { heat<double>(s, false); });
  add_case("stencil/heat/float16", [](State& s) { heat<gnp::half>(s, false); });
  add_case("stencil/heat_in_place/float32", [](State& s) { heat<float>(s, true); });
  add_case("stencil/life/uint8", life);
  add_case("stencil/seven_points/float32", seven_points);
  add_case("stencil/differences/float32", differences);
  add_case("stencil/roll/float32", roll_case<float>);
  add_case("stencil/roll/uint8", roll_case<std::uint8_t>);
  add_case("stencil/pad/float32", pad_case);
}
