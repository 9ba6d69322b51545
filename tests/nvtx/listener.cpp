// SPDX-License-Identifier: MIT
// What Nsight Systems is to NVTX, in small: writes a line for each range that begins or ends, in its domain.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

namespace {

nvtxDomainHandle_t create_domain(const char* name) {
  static char domain[32];
  std::snprintf(domain, sizeof domain, "%s", name);
  return reinterpret_cast<nvtxDomainHandle_t>(domain);
}
int depth = 0;
int begin_range(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  std::printf("%s: begin %s\n", reinterpret_cast<const char*>(domain), attributes->message.ascii);
  return depth++;
}
int end_range(nvtxDomainHandle_t domain) {
  std::printf("%s: end\n", reinterpret_cast<const char*>(domain));
  return --depth;
}

}  // namespace

// NVTX opens the library that NVTX_INJECTION64_PATH names, and calls this.
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0)
    return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(create_domain);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(begin_range);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(end_range);
  return 1;
}
