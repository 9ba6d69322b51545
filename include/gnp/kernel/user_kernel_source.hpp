// SPDX-License-Identifier: MIT
// A GNP_KERNEL as CUDA C++.
#pragma once

#include <gnp/kernel/array_view.hpp>
#include <gnp/kernel/device_function.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct kernel_texts {
  const char* name;
  const char* file;
  const char* template_parameters;  // "(class T)", or empty
  const char* parameters;           // "(const float* in, float* out)"
  const char* body;                 // "{ ... }"
  bool is_gufunc = false;           // the body is for one call, with parameters without types
};

/// How a kernel is compiled.
struct kernel_form {
  bool checked = false;  // are indices of views checked?
  bool early = false;    // may it be launched early (launch_shape::early)?
};

/// `parameter_types` are those of the arguments, in order.
GNP_DECLARED std::string user_kernel_source(const kernel_texts& texts,
                                            const std::vector<std::string>& parameter_types, kernel_form form);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/kernel/user_kernel_text.hpp>
#endif
