// SPDX-License-Identifier: MIT
// A libcuda.so.1 for tests: what gnp does about drivers that a test machine does not have. GNP_FAKE_DRIVER says
// what it is like: "broken" (cuInit fails), "no-device", "device" or "two-devices": GPUs whose memory is the
// host's, and whose kernels do nothing. It watches the order of what is queued (order_of_work.hpp).
#include <cuda.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "order_of_work.hpp"

namespace {

order_of_work& order() {
  static order_of_work& watched = *new order_of_work;
  return watched;
}

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

void* memory(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

struct queued_copy {
  void* to;
  const void* from;
  std::size_t bytes;
  std::vector<queued_copy*> awaited;
};
using copies = std::vector<std::shared_ptr<queued_copy>>;

/// The streams that are captured, and what they have been given since: copies, done when the graph is launched.
struct captured_stream {
  copies queued;
  std::vector<queued_copy*> awaited;  // by the next one
};
struct captured_streams {
  std::mutex mutex;
  std::map<CUstream, captured_stream> streams;
};
captured_streams& captured() {
  static captured_streams& all = *new captured_streams;
  return all;
}
/// Nothing that waits, orders streams or takes memory from a pool is allowed there.
bool is_captured(CUstream stream) {
  const std::lock_guard lock(captured().mutex);
  return captured().streams.contains(stream);
}
CUresult copy(void* to, const void* from, std::size_t bytes, CUstream stream) {
  {
    const std::lock_guard lock(captured().mutex);
    if (const auto found = captured().streams.find(stream); found != captured().streams.end()) {
      captured_stream& into = found->second;
      into.queued.push_back(std::make_shared<queued_copy>(queued_copy{to, from, bytes, into.awaited}));
      into.awaited = {into.queued.back().get()};
      return CUDA_SUCCESS;
    }
  }
  order().use(stream, from, to);
  if (bytes != 0) std::memcpy(to, from, bytes);
  return CUDA_SUCCESS;
}

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
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = is("two-devices") ? 2 : 1;
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
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  static int contexts[2];
  *context = reinterpret_cast<CUcontext>(&contexts[device]);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  current = context;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) { return hand_out(pool); }
CUresult cuMemAllocAsync(CUdeviceptr* address, std::size_t bytes, CUstream stream) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  *address = reinterpret_cast<CUdeviceptr>(order().allocate(bytes));
  return *address == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  order().free(stream, memory(address));
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
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy(memory(to), from, bytes, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(to, memory(from), bytes, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(memory(to), memory(from), bytes, stream);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream stream) {
  return cuMemcpyDtoDAsync(to, from, bytes, stream);
}
CUresult cuOccupancyMaxPotentialBlockSize(int* blocks, int* threads, CUfunction, CUoccupancyB2DSize,
                                          std::size_t, int) {
  *blocks = 1;
  *threads = 192;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction, void** parameters, void**) {
  order().launch(*config, parameters);
  // (A recorded kernel does as little as another.)
  return is_captured(config->hStream) ? copy(nullptr, nullptr, 0, config->hStream) : CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(new char);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream stream) {
  delete reinterpret_cast<char*>(stream);
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  order().synchronize(stream);
  return CUDA_SUCCESS;
}
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = reinterpret_cast<CUevent>(new char);
  return CUDA_SUCCESS;
}
CUresult fake_state_of_events = CUDA_SUCCESS;  // whether what was recorded has happened
CUresult cuEventQuery(CUevent) { return fake_state_of_events; }
CUresult cuEventDestroy(CUevent event) {
  delete reinterpret_cast<char*>(event);
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return order().record(event, stream) ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 2;
  return CUDA_SUCCESS;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  order().wait(stream, event);
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
  const std::lock_guard lock(captured().mutex);
  return captured().streams.empty() ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  const std::lock_guard lock(captured().mutex);
  captured().streams[stream] = {};
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const std::lock_guard lock(captured().mutex);
  auto* const ended = new copies(std::move(captured().streams.at(stream).queued));
  captured().streams.erase(stream);
  order().note_graph(*ended);
  *graph = reinterpret_cast<CUgraph>(ended);
  return CUDA_SUCCESS;
}
#undef cuStreamGetCaptureInfo_v2
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                   const CUgraphNode** awaited, std::size_t* count) {
  const std::lock_guard lock(captured().mutex);
  const auto& list = captured().streams.at(stream).awaited;
  *awaited = reinterpret_cast<const CUgraphNode*>(list.data());
  *count = list.size();
  return CUDA_SUCCESS;
}
#undef cuStreamUpdateCaptureDependencies
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* awaited, std::size_t count, unsigned) {
  if (order().order_of_graphs_fails()) return CUDA_ERROR_UNKNOWN;
  const std::lock_guard lock(captured().mutex);
  auto* const* const first = reinterpret_cast<queued_copy**>(awaited);
  captured().streams.at(stream).awaited.assign(first, first + count);
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long) {
  *made = reinterpret_cast<CUgraphExec>(new copies(*reinterpret_cast<copies*>(graph)));
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  if (is_captured(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  // Each copy on a stream of its own, which waits for what the copy awaits.
  const copies& all = *reinterpret_cast<copies*>(graph);
  const auto done = [](const auto& c) { return reinterpret_cast<CUevent>(&*c); };
  char begun = 0;
  order().record(reinterpret_cast<CUevent>(&begun), stream);
  for (const auto& c : all) {
    const auto own = reinterpret_cast<CUstream>(c.get());
    order().wait(own, reinterpret_cast<CUevent>(&begun));
    for (queued_copy* before : c->awaited) order().wait(own, done(before));
    copy(c->to, c->from, c->bytes, own);
    order().record(done(c), own);
  }
  for (const auto& c : all) order().wait(stream, done(c));
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  delete reinterpret_cast<copies*>(graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec graph) {
  delete reinterpret_cast<copies*>(graph);
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* module, const void*) { return hand_out(module); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) { return hand_out(function); }

order_of_work* fake_order_of_work() { return &order(); }

}  // extern "C"
