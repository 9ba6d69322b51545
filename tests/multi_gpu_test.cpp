// SPDX-License-Identifier: MIT
// test: no-asan
// Two GPUs: arrays on each, copies between them, and what mixing them says.
#include <cmath>
#include <functional>
#include <gnp/core.hpp>
#include <thread>

#include "catch.hpp"
#include "devices.hpp"

namespace {

/// Runs the body where there are two GPUs; says so where there are not.
template <class F>
void on_two_gpus(const F& body) {
  if (gnp::detail::cuda_device_count() < 2) {
    std::puts("skipped: fewer than two CUDA devices");
    return;
  }
  body(gnp::device::cuda(0), gnp::device::cuda(1));
}

TEST_CASE("each GPU computes, and arrays travel between them") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const gnp::use_device guard(first);
    const gnp::array<float> a = gnp::arange<float>(100000);
    for (int round = 0; round < 50; ++round) {
      const gnp::array<float> b = (a + round).to(second);  // its source is gone when the copy runs
      CHECK(b.device() == second);
      const gnp::array<float> c = b * 2;
      CHECK(c.device() == second);
      const gnp::array<float> back = c.to(first);
      REQUIRE(back.device() == first);
      REQUIRE(back.item(0) == 2 * static_cast<float>(round));
      REQUIRE(back.item(99999) == 2 * (99999 + static_cast<float>(round)));
    }
    const gnp::array<float> columns = a.reshape(100, 1000)(gnp::all, gnp::slice(1, gnp::none, 3)).to(second);
    CHECK(columns.is_contiguous());
    CHECK(columns.item(99, 332) == 99997);
    CHECK(a.to(first).data() == a.data());
  });
}

TEST_CASE("a scope's device decides where arrays are made") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const gnp::use_device guard(second);
    CHECK(gnp::zeros({3}).device() == second);
    {
      const gnp::use_device inner(first);
      CHECK(gnp::arange(3).device() == first);
    }
    const gnp::stream s(second);
    const gnp::use_stream on(s);
    CHECK((gnp::ones({5}) * 3).eval().item(4) == 3);
  });
}

TEST_CASE("each GPU has a thread, and both make the same new kernel at once") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const auto work = [](gnp::device mine, double& total) {
      const gnp::use_device guard(mine);
      gnp::array<double> x = gnp::arange<double>(3000);
      for (int round = 0; round < 200; ++round) x = gnp::sqrt(x * x + 1) - 0.25;
      total = x.item(0) + x.item(2999) + (x.device() == mine ? 0 : 1e9);
    };
    double totals[2] = {};
    std::thread other(work, second, std::ref(totals[1]));
    work(first, totals[0]);
    other.join();
    double expected[2] = {0, 2999};
    for (int round = 0; round < 200; ++round) {
      for (double& x : expected) x = std::sqrt(x * x + 1) - 0.25;
    }
    for (const double total : totals) CHECK(total == Approx(expected[0] + expected[1]).epsilon(1e-12));
  });
}

TEST_CASE("memory goes back to the GPU it came from, whichever is in use") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    for (const gnp::index_t size : {gnp::index_t{100}, gnp::index_t{1} << 22}) {  // kept for reuse, and not
      for (int round = 0; round < 20; ++round) {
        const gnp::use_device guard(round % 2 == 0 ? first : second);
        const gnp::device elsewhere = round % 2 == 0 ? second : first;
        gnp::array<float> a = gnp::full<float>({size}, 3.0F);
        gnp::array<float> b = a.to(elsewhere);
        a = b * 2;  // on the other GPU now; what a was goes back to this one
        REQUIRE(a.device() == elsewhere);
        b = a.to(first) + 1;
        REQUIRE(b.item(size - 1) == 7);
      }
    }
  });
}

TEST_CASE("a copy waits for the streams of both GPUs") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const gnp::use_device guard(first);
    constexpr gnp::index_t size = 1 << 24;  // long enough to be caught unfinished
    const gnp::stream here(first);
    const gnp::stream there(second);
    for (int round = 0; round < 10; ++round) {
      const gnp::array<float> arrived = [&] {
        const gnp::use_stream on(here);
        const gnp::array<float> made = gnp::full<float>({size}, static_cast<float>(round)) * 3 + 1;
        const gnp::use_stream to(there);
        return made.to(second);
      }();
      const gnp::array<float> doubled = arrived * 2;  // on the default stream of the second
      REQUIRE(doubled.item(0) == 2 * (3 * static_cast<float>(round) + 1));
      REQUIRE(doubled.item(size - 1) == 2 * (3 * static_cast<float>(round) + 1));
    }
  });
}

TEST_CASE("arrays of two GPUs do not mix") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const gnp::array<float> a = gnp::array<float>({3}, first);
    const gnp::array<float> b = gnp::array<float>({3}, second);
    CHECK_THROWS_AS((a + b).eval(), gnp::device_error);
    CHECK_THROWS_WITH((a + b).eval(), contains("add: arrays on different devices: cuda:0 and cuda:1"));
  });
}

}  // namespace
