// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests: what gnp does about drivers that a test machine does not have. GNP_FAKE_DRIVER says
// what it is like: "broken" (cuInit fails), "no-device", or "device": one GPU whose memory is the host's, and
// whose kernels do nothing.
#include <cuda.h>

#include <cstdlib>
#include <cstring>

namespace {

bool is(const char* kind) {
  const char* chosen = std::getenv("GNP_FAKE_DRIVER");
  return chosen != nullptr && std::strcmp(chosen, kind) == 0;
}

int something;  // what handles point to

template <class Handle>
CUresult hand_out(Handle* handle) {
  *handle = reinterpret_cast<Handle>(&something);
  return CUDA_SUCCESS;
}

thread_local CUcontext current = nullptr;

CUresult copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return CUDA_SUCCESS;
}
void* memory(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

}  // namespace

extern "C" {

CUresult cuInit(unsigned) {
  return is("broken") ? CUDA_ERROR_SYSTEM_NOT_READY : is("no-device") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}
CUresult cuGetExportTable(const void** table, const CUuuid*) {  // NVRTC asks for one
  *table = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuDriverGetVersion(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char** text) {
  *text = "CUDA_ERROR_FAKE";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char** text) {
  *text = "the fake driver says no";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int, CUdevice) {
  std::strcpy(name, "fake");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) { return hand_out(context); }
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  current = context;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) { return hand_out(pool); }
CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream) {
  *address = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  return *address == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream) {
  std::free(memory(address));
  return CUDA_SUCCESS;
}
CUresult cuMemGetInfo(std::size_t* available, std::size_t* total) {
  *available = *total = std::size_t{1} << 30;
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
  *address = std::malloc(bytes);
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* address) {
  std::free(address);
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream) {
  return copy(memory(to), from, bytes);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return copy(to, memory(from), bytes);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  return copy(memory(to), memory(from), bytes);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream) {
  return copy(memory(to), memory(from), bytes);
}
CUresult cuStreamCreate(CUstream* stream, unsigned) { return hand_out(stream); }
CUresult cuEventCreate(CUevent* event, unsigned) { return hand_out(event); }
CUresult cuModuleLoadData(CUmodule* module, const void*) { return hand_out(module); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) { return hand_out(function); }

}  // extern "C"
