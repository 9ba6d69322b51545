// SPDX-License-Identifier: MIT
// test: no-asan
// Two GPUs: arrays on each, copies between them, and what mixing them says.
#include <gnp/core.hpp>

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
    CHECK(columns.item(99, 332) == 99998);
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

TEST_CASE("arrays of two GPUs do not mix") {
  on_two_gpus([](gnp::device first, gnp::device second) {
    const gnp::array<float> a = gnp::array<float>({3}, first);
    const gnp::array<float> b = gnp::array<float>({3}, second);
    CHECK_THROWS_AS((a + b).eval(), gnp::device_error);
    CHECK_THROWS_WITH((a + b).eval(), contains("add: arrays on different devices: cuda:0 and cuda:1"));
  });
}

}  // namespace
