// SPDX-License-Identifier: MIT
// NVTX ranges in gnp's domain, which Nsight Systems shows next to the kernels.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_NVTX

#include <nvtx3/nvToolsExt.h>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE nvtxDomainHandle_t nvtx_domain() {
  static const nvtxDomainHandle_t domain = ::nvtxDomainCreateA("gnp");
  return domain;
}

[[gnu::cold]] GNP_INLINE void begin_nvtx_range(const char* name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  ::nvtxDomainRangePushEx(nvtx_domain(), &attributes);
}

[[gnu::cold]] GNP_INLINE void end_nvtx_range() { ::nvtxDomainRangePop(nvtx_domain()); }

}}}  // namespace gnp::GNP_ABI::detail

#endif
