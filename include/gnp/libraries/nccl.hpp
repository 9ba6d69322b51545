// SPDX-License-Identifier: MIT
// NCCL: opened when several processes first exchange arrays that are on GPUs.
#pragma once

#include <gnp/cuda/library.hpp>
#include <gnp/libraries/calls.hpp>
#include <gnp/libraries/nccl_functions.hpp>
#if GNP_HAS_CUDA

#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct nccl_api {
  GNP_NCCL_FUNCTIONS(GNP_DECLARE_FUNCTION)
  shared_library library;
  std::string unusable;  // why there is no NCCL; empty if there is
};

[[gnu::cold]] inline nccl_api load_nccl() {
  nccl_api api;
  api.library = open_library({"libnccl.so.2"});
  if (!api.library) {
    api.unusable =
        "NCCL, which moves data between GPUs, was not found. Install it from NVIDIA's packages (libnccl2) or "
        "the "
        "package nvidia-nccl, or set CUDA_HOME. Looked at" +
        api.library.where_it_looked();
    return api;
  }
  try {
    GNP_NCCL_FUNCTIONS(GNP_LOAD_FUNCTION)
  } catch (const device_error& e) {
    api.unusable = e.what();
  }
  return api;
}

/// The library, loaded once. Check `unusable` before calling anything through it.
GNP_VISIBLE inline const nccl_api& nccl() {
  static const nccl_api& api = *new nccl_api(load_nccl());
  return api;
}

/// What NCCL says of a failed call, and of what came before it.
[[gnu::cold]] inline std::string nccl_text(nccl_status status) {
  std::string text = nccl().ncclGetErrorString(status);
  const char* const last = nccl().ncclGetLastError(nullptr);
  if (last != nullptr && *last != '\0') text += std::string(": ") + last;
  return text;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
