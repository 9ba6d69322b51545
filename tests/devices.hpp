// SPDX-License-Identifier: MIT
// for_each_device: the same test on every device of this machine; is_simulated: which of them runs less of it.
#pragma once

#include <cstdio>
#include <gnp/gnp.hpp>

#include "catch.hpp"

/// Says once per program that only the CPU was tested.
inline void say_that_cuda_was_skipped() {
  static const int written = std::puts("skipped: no CUDA device");
  static_cast<void>(written);
}

/// Whether this is the GPU of simulated_gpu/, which takes a tenth of a second for each kernel: loops over
/// types, layouts and sizes take one of each kind there that gives another text.
inline bool is_simulated(gnp::device d) {
  return !d.is_cpu() && gnp::device_properties(d).name == "simulated GPU";
}

/// Runs body(device) on the CPU and, where there is one, on the first GPU, with that device as the default.
template <class Body>
void for_each_device(const Body& body) {
  const auto run = [&](gnp::device d) {
    INFO("device: " << gnp::to_string(d));
    const gnp::use_device guard(d);
    body(d);
  };
  run(gnp::device::cpu());
  if (gnp::cuda_available()) {
    run(gnp::device::cuda(0));
  } else {
    say_that_cuda_was_skipped();
  }
}
