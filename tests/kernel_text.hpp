// SPDX-License-Identifier: MIT
// The kernel that an expression becomes on a GPU, as text: no GPU is needed to write or to compile it.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/gnp.hpp>
#include <string>

#if GNP_HAS_CUDA

/// Calls f with the job of an assignment to a destination.
template <class T, class X, class F>
auto with_job_into(const gnp::array<T>& destination, const X& x, const F& f) {
  using namespace gnp::detail;
  job_inputs<X> inputs(x);
  job j;
  j.code = &code_of<X>;
  j.operands = inputs.operands();
  j.constants = inputs.constants();
  lay_out(j, view_of(destination), inputs.leaves());
  return f(j);
}

/// Of an assignment to a destination.
template <class T, class X>
std::string kernel_text_into(const gnp::array<T>& destination, const X& x) {
  return with_job_into(destination, x, [](gnp::detail::job& j) {
    collapse(j);
    return kernel_source(*j.code, make_plan(j));
  });
}

/// Of an evaluation.
template <class X>
std::string kernel_text(const X& x) {
  return kernel_text_into(gnp::array<typename X::value_type>(x.shape(), gnp::device::cpu()), x);
}

#endif
