// SPDX-License-Identifier: MIT
// libcuda.so.1 for machines without a GPU: one device, whose memory is the CPU's, whose streams do everything
// at once, and whose kernels, compiled by the compiler beside this file, run in gnp's simulator, thread for
// thread and warp for warp. So tests find on any machine what kernels do wrong. What a graph's work need not
// wait for is done later than it, so that they find what it should have waited for.
//
// It has what gnp calls, clusters of blocks among it. It is no faster than that sounds.
#include <cuda.h>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <gnp/core/half.hpp>
#include <gnp/kernel/simulator.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace detail = gnp::detail;
using detail::simulated_block;

std::size_t allocated = 0, highest = 0;
std::map<CUdeviceptr, std::size_t> sizes;
std::mutex lock_sizes;
thread_local CUcontext current_context = nullptr;

constexpr std::size_t memory_bytes = std::size_t{4} << 30;

template <class T>
T* token(std::uintptr_t number) {
  return reinterpret_cast<T*>(number);
}
void* address(CUdeviceptr p) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(p)); }

/// What a program's image holds for a kernel: calls it with the parameters that launches pass.
using kernel_call = void (*)(void** parameters);
/// And how many bytes each of them has: the number of them.
using kernel_sizes = int (*)(unsigned long long* bytes);

/// What the blocks of a cluster have in common. Each is a thread of its own, whose thread_local variables are
/// its shared memory: what another block's address is follows from where both have theirs.
struct cluster_state {
  explicit cluster_state(unsigned size) : anchors(size) {}
  std::vector<std::atomic<char*>> anchors;
  std::atomic<std::int64_t> arrived{0};
};
thread_local cluster_state* own_cluster = nullptr;
thread_local unsigned own_number = 0;

/// A program's library, and the bytes of its shared variables.
struct program {
  void* library;
  std::size_t shared;
};

/// What a block has of shared memory without asking for more, and what it may ask for.
constexpr std::size_t shared_memory = std::size_t{48} << 10;
constexpr std::size_t most_shared_memory = std::size_t{160} << 10;

struct kernel {
  std::string name;
  kernel_call call;
  kernel_sizes sizes;
  std::size_t shared;  // of its program's variables
  std::atomic<std::size_t> most_dynamic{shared_memory - shared};
};

/// A piece of recorded work.
struct recorded_node {
  std::function<CUresult()> work;
  std::vector<recorded_node*> awaited;
  bool done = false;
  int level = 0;  // how many come before it, one after the other
};
using recorded_graph = std::vector<std::shared_ptr<recorded_node>>;

/// A stream that is being recorded.
struct recorded_stream {
  recorded_graph graph;
  std::vector<recorded_node*> awaited;  // by what is recorded next
};
std::map<CUstream, recorded_stream> recorded;
std::mutex lock_recorded;

/// Does this work, or records it where its stream is recorded.
template <class Work>
CUresult queue(CUstream stream, Work work) {
  {
    const std::lock_guard lock(lock_recorded);
    if (const auto found = recorded.find(stream); found != recorded.end()) {
      recorded_stream& to = found->second;
      to.graph.push_back(std::make_shared<recorded_node>(recorded_node{std::move(work), to.awaited}));
      to.awaited = {to.graph.back().get()};
      return CUDA_SUCCESS;
    }
  }
  return work();
}

/// In an order that a GPU may take: by turns, what was recorded last as early as it can be, and first all that
/// waits for nothing, then what waits for that alone, and so on.
CUresult replay(const recorded_graph& graph) {
  static std::atomic<int> replays{0};
  const bool by_levels = replays++ % 2 == 1;
  for (const auto& node : graph) {
    node->done = false;
    node->level = 0;
    for (const recorded_node* before : node->awaited) node->level = std::max(node->level, before->level + 1);
  }
  const auto is_ready = [](const auto& node) {
    const auto& awaited = node->awaited;
    return !node->done && std::all_of(awaited.begin(), awaited.end(), [](const auto* n) { return n->done; });
  };
  for (std::size_t count = 0; count < graph.size(); ++count) {
    recorded_node* next = nullptr;
    for (const auto& node : graph) {
      if (is_ready(node) && (next == nullptr || !by_levels || node->level <= next->level)) next = node.get();
    }
    if (const CUresult result = next->work(); result != CUDA_SUCCESS) return result;
    next->done = true;
  }
  return CUDA_SUCCESS;
}

/// Bytes before and after each block that nobody may write.
constexpr std::size_t margin = 512;
constexpr unsigned char untouched = 0x5a;

/// A new block whose bytes are not zero, so that what nobody has written is seen.
CUresult allocate(CUdeviceptr* result, std::size_t bytes) {
  const std::lock_guard lock(lock_sizes);
  if (allocated + bytes > memory_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  const std::size_t whole = (bytes + margin - 1) / margin * margin + 2 * margin;
  auto* const memory = static_cast<unsigned char*>(std::aligned_alloc(margin, whole));
  if (memory == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(memory, untouched, whole);
  std::memset(memory + margin, 0xa5, bytes);
  *result = reinterpret_cast<std::uintptr_t>(memory + margin);
  sizes[*result] = bytes;
  allocated += bytes;
  highest = allocated > highest ? allocated : highest;
  return CUDA_SUCCESS;
}

/// Has nobody written beside a block?
bool margins_are_untouched() {
  const std::lock_guard lock(lock_sizes);
  for (const auto& [memory, bytes] : sizes) {
    const auto* const first = static_cast<const unsigned char*>(address(memory));
    for (std::size_t i = 0; i < margin; ++i) {
      if (first[bytes + i] != untouched || first[i - margin] != untouched) return false;
    }
  }
  return true;
}

/// The blocks of each cluster side by side, the clusters one after the other.
void simulate_clusters(const detail::simulated_launch& all, unsigned size) {
  cluster_state state(size);
  std::barrier each_cluster(size, [&state]() noexcept { state.arrived = 0; });
  std::exception_ptr failure;
  std::mutex lock;
  const auto run = [&](unsigned number) {
    own_cluster = &state;
    own_number = number;
    simulated_block block(all);
    for (std::int64_t b = number; b < all.grid.count(); b += size) {
      try {
        block.run(all.grid.position(b));
      } catch (...) {
        const std::lock_guard guard(lock);
        failure = std::current_exception();
      }
      each_cluster.arrive_and_wait();
    }
  };
  std::vector<std::thread> blocks;
  for (unsigned number = 0; number < size; ++number) blocks.emplace_back(run, number);
  for (std::thread& block : blocks) block.join();
  if (failure) std::rethrow_exception(failure);
}

CUresult launch_now(const kernel& k, const detail::dimensions& grid, const detail::dimensions& block,
                    std::size_t shared_bytes, unsigned cluster, void** parameters) {
  struct {
    kernel_call call;
    void** parameters;
  } one{k.call, parameters};
  const detail::simulated_launch all{k.name.c_str(),
                                     grid,
                                     block,
                                     shared_bytes,
                                     false,
                                     [](const void* context) {
                                       const auto& each = *static_cast<const decltype(one)*>(context);
                                       each.call(each.parameters);
                                     },
                                     &one};
  try {
    cluster > 1 ? simulate_clusters(all, cluster) : detail::simulate(all);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "simulated GPU: %s\n", e.what());
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  if (!margins_are_untouched()) {
    std::fprintf(stderr, "simulated GPU: %s writes beside its arrays\n", k.name.c_str());
    return CUDA_ERROR_ILLEGAL_ADDRESS;
  }
  return CUDA_SUCCESS;
}

CUresult launch(CUfunction function, const detail::dimensions& grid, const detail::dimensions& block,
                std::size_t shared_bytes, unsigned cluster, CUstream stream, void** parameters) {
  const auto* const k = reinterpret_cast<const kernel*>(function);
  if (shared_bytes > k->most_dynamic) {
    std::fprintf(stderr,
                 "simulated GPU: %s has %zu bytes of shared variables, and may have no %zu beside them\n",
                 k->name.c_str(), k->shared, shared_bytes);
    return CUDA_ERROR_INVALID_VALUE;
  }
  unsigned long long bytes[64] = {};
  const int count = k->sizes(bytes);
  std::vector<std::vector<char>> values;
  for (int i = 0; i < count; ++i) {
    const auto* const from = static_cast<const char*>(parameters[i]);
    values.emplace_back(from, from + bytes[i]);
  }
  return queue(stream, [=]() mutable {
    std::vector<void*> places;
    for (auto& value : values) places.push_back(value.data());
    return launch_now(*k, grid, block, shared_bytes, cluster, places.data());
  });
}

detail::dimensions dimensions_of(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

}  // namespace

// What kernels call; device_names.hpp declares it.
extern "C" {

const unsigned* simulated_place(int what) {
  const simulated_block& block = *simulated_block::current();
  const detail::dimensions* const list[] = {&block.thread(), &block.where(), &block.launch().block,
                                            &block.launch().grid};
  return &list[what]->x;
}
int simulated_barrier(bool vote) { return simulated_block::current()->wait_for_all(vote); }
unsigned long long simulated_meeting(int kind, unsigned mask, unsigned long long value, int source) {
  return simulated_block::current()->meet(static_cast<detail::meeting>(kind), mask, value, source);
}
// (Of many threads that wait in vain, one lets the processor work for other blocks.)
void simulated_yield(bool is_alone) {
  simulated_block& block = *simulated_block::current();
  if (is_alone || block.thread() == detail::dimensions{0, 0, 0}) std::this_thread::yield();
  block.yield();
}
unsigned simulated_number_in_cluster() { return own_number; }
char* simulated_anchor(unsigned number, char* own) {
  if (own_cluster == nullptr) return own;
  if (own != nullptr) own_cluster->anchors[own_number] = own;
  return own_cluster->anchors[number];
}
void simulated_arrive() { ++own_cluster->arrived; }
bool simulated_all_arrived() {
  return own_cluster->arrived == static_cast<std::int64_t>(own_cluster->anchors.size()) *
                                     simulated_block::current()->launch().block.count();
}
double simulated_bessel_i0(double x) { return std::cyl_bessel_i(0.0, x); }
// Not every compiler has a type of 16 bits.
unsigned short simulated_half(float x) { return gnp::detail::float_to_half_bits(x); }
float simulated_float(unsigned short half) { return gnp::detail::half_bits_to_float(half); }
void* simulated_shared_memory() { return simulated_block::current()->dynamic_memory(); }

CUresult cuInit(unsigned) {
  // Kernels are libraries of their own, and find the functions above here.
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&simulated_place), &own);
  return dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == nullptr ? CUDA_ERROR_UNKNOWN
                                                                                : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult, const char** name) {
  *name = "simulated";
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult result, const char** text) {
  *text = result == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "the simulated GPU failed, or cannot do this";
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  std::snprintf(name, static_cast<std::size_t>(length), "simulated GPU");
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* id, CUdevice) {
  std::memset(id, 1, sizeof *id);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = 9;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = 0;
      break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = 4;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = most_shared_memory;
      break;
    default:
      *value = 1 << 20;
  }
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  *bytes = memory_bytes;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = token<CUctx_st>(static_cast<std::uintptr_t>(device) + 1);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current_context;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  current_context = context;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return CUDA_SUCCESS; }

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice) {
  *pool = token<CUmemPoolHandle_st>(1);
  return CUDA_SUCCESS;
}
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void*) { return CUDA_SUCCESS; }
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute attribute, void* value) {
  const std::lock_guard lock(lock_sizes);
  const bool high =
      attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH || attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH;
  *static_cast<cuuint64_t*>(value) = high ? highest : allocated;
  return CUDA_SUCCESS;
}
CUresult cuMemPoolTrimTo(CUmemoryPool, std::size_t) { return CUDA_SUCCESS; }
CUresult cuMemAllocAsync(CUdeviceptr* result, std::size_t bytes, CUstream) { return allocate(result, bytes); }
CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream) {
  const std::lock_guard lock(lock_sizes);
  const auto found = sizes.find(memory);
  if (found == sizes.end()) return CUDA_ERROR_INVALID_VALUE;
  allocated -= found->second;
  sizes.erase(found);
  std::free(static_cast<unsigned char*>(address(memory)) - margin);
  return CUDA_SUCCESS;
}
CUresult cuMemGetInfo(std::size_t* left, std::size_t* total) {
  const std::lock_guard lock(lock_sizes);
  *total = memory_bytes;
  *left = memory_bytes - allocated;
  return CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** result, std::size_t bytes, unsigned) {
  *result = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  return *result == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* memory) {
  std::free(memory);
  return CUDA_SUCCESS;
}
CUresult copy(void* to, const void* from, std::size_t bytes, CUstream stream) {
  return queue(stream, [=] { return std::memmove(to, from, bytes), CUDA_SUCCESS; });
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return copy(address(to), from, bytes, stream);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(to, address(from), bytes, stream);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return copy(address(to), address(from), bytes, stream);
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes,
                           CUstream stream) {
  return copy(address(to), address(from), bytes, stream);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  return queue(stream, [=] { return std::memset(address(to), value, bytes), CUDA_SUCCESS; });
}
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* wanted, void** values,
                                CUdeviceptr memory) {
  const std::lock_guard lock(lock_sizes);
  auto found = sizes.upper_bound(memory);
  const bool known = found != sizes.begin() && (--found, memory < found->first + found->second);
  for (unsigned i = 0; i < count; ++i) {
    if (wanted[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
      *static_cast<unsigned*>(values[i]) = known ? CU_MEMORYTYPE_DEVICE : 0;
    if (wanted[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(values[i]) = 0;
  }
  return CUDA_SUCCESS;
}

// Streams and events: everything has happened.
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  static std::atomic<std::uintptr_t> next{16};
  *stream = token<CUstream_st>(next++);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuStreamWaitEvent(CUstream, CUevent, unsigned) { return CUDA_SUCCESS; }
CUresult cuEventCreate(CUevent* event, unsigned) {
  *event = token<CUevent_st>(1);
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventRecord(CUevent, CUstream) { return CUDA_SUCCESS; }
CUresult cuEventQuery(CUevent) { return CUDA_SUCCESS; }
CUresult cuEventSynchronize(CUevent) { return CUDA_SUCCESS; }
#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 0.001F;
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode) {
  const std::lock_guard lock(lock_recorded);
  recorded[stream] = {};
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const std::lock_guard lock(lock_recorded);
  *graph = reinterpret_cast<CUgraph>(new recorded_graph(std::move(recorded[stream].graph)));
  recorded.erase(stream);
  return CUDA_SUCCESS;
}
#undef cuStreamGetCaptureInfo_v2
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                   const CUgraphNode** awaited, std::size_t* count) {
  const std::lock_guard lock(lock_recorded);
  const std::vector<recorded_node*>& list = recorded[stream].awaited;
  *awaited = reinterpret_cast<const CUgraphNode*>(list.data());
  *count = list.size();
  return CUDA_SUCCESS;
}
#undef cuStreamUpdateCaptureDependencies
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* awaited, std::size_t count, unsigned) {
  const std::lock_guard lock(lock_recorded);
  auto* const* const first = reinterpret_cast<recorded_node**>(awaited);
  recorded[stream].awaited.assign(first, first + count);
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long) {
  *made = reinterpret_cast<CUgraphExec>(new recorded_graph(*reinterpret_cast<recorded_graph*>(graph)));
  return CUDA_SUCCESS;
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode*, std::size_t* count) {
  *count = reinterpret_cast<recorded_graph*>(graph)->size();
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec graph, CUstream) {
  return replay(*reinterpret_cast<recorded_graph*>(graph));
}
CUresult cuGraphExecDestroy(CUgraphExec graph) {
  delete reinterpret_cast<recorded_graph*>(graph);
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  delete reinterpret_cast<recorded_graph*>(graph);
  return CUDA_SUCCESS;
}

/// Bytes of a program's variables that each block has its own of: its threads' own, as the simulator has them.
std::size_t static_shared_bytes(const Elf64_Ehdr& image) {
  const auto* const parts =
      reinterpret_cast<const Elf64_Phdr*>(reinterpret_cast<const char*>(&image) + image.e_phoff);
  const auto* const found =
      std::find_if(parts, parts + image.e_phnum, [](const auto& p) { return p.p_type == PT_TLS; });
  return found == parts + image.e_phnum ? 0 : found->p_memsz;
}

// Programs: an image is a library.
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  const auto& head = *static_cast<const Elf64_Ehdr*>(image);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return CUDA_ERROR_INVALID_IMAGE;
  const std::size_t shared = static_shared_bytes(head);
  if (shared > shared_memory) {
    std::fprintf(stderr, "simulated GPU: %zu bytes of shared variables are more than a block can have\n",
                 shared);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  const std::size_t bytes = head.e_shoff + std::size_t{head.e_shnum} * head.e_shentsize;
  const int file = memfd_create("simulated kernel", 0);
  const bool written = file >= 0 && write(file, image, bytes) == static_cast<ssize_t>(bytes);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  void* const library = written ? dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) std::fprintf(stderr, "simulated GPU: %s\n", dlerror());
  // (The file stays open: the loader knows libraries by their names.)
  *module = reinterpret_cast<CUmodule>(new program{library, shared});
  return library == nullptr ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const auto& [library, shared] = *reinterpret_cast<const program*>(module);
  void* const call = dlsym(library, (std::string("simulated_call_") + name).c_str());
  if (call == nullptr) return CUDA_ERROR_NOT_FOUND;
  void* const of_parameters = dlsym(library, (std::string("simulated_sizes_") + name).c_str());
  *function = reinterpret_cast<CUfunction>(new kernel{name, reinterpret_cast<kernel_call>(call),
                                                      reinterpret_cast<kernel_sizes>(of_parameters), shared});
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr*, std::size_t*, CUmodule, const char*) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  auto* const k = reinterpret_cast<kernel*>(function);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
  const auto bytes = static_cast<std::size_t>(value);
  if (value < 0 || bytes + k->shared > most_shared_memory) return CUDA_ERROR_INVALID_VALUE;
  k->most_dynamic = bytes;
  return CUDA_SUCCESS;
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  const auto* const k = reinterpret_cast<const kernel*>(function);
  const bool own = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
  const bool dynamic = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  *value = static_cast<int>(own ? k->shared : dynamic ? k->most_dynamic.load() : 0);
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void**) {
  return launch(function, dimensions_of(grid_x, grid_y, grid_z), dimensions_of(block_x, block_y, block_z),
                shared_bytes, 1, stream, parameters);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters, void**) {
  unsigned cluster = 1;
  for (unsigned i = 0; i < c->numAttrs; ++i) {
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) cluster = c->attrs[i].value.clusterDim.x;
  }
  return launch(function, dimensions_of(c->gridDimX, c->gridDimY, c->gridDimZ),
                dimensions_of(c->blockDimX, c->blockDimY, c->blockDimZ), c->sharedMemBytes, cluster, c->hStream,
                parameters);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  *blocks = 2;
  return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction, CUoccupancyB2DSize, std::size_t,
                                          int) {
  *grid = 8;
  *block = 256;
  return CUDA_SUCCESS;
}

}  // extern "C"
