// SPDX-License-Identifier: MIT
// memory_info and device_properties: what a device has, and how much of its memory is taken.
#pragma once

#include <fstream>
#include <gnp/memory/storage.hpp>
#include <limits>
#include <ostream>
#include <string>
#include <thread>

namespace gnp { inline namespace GNP_ABI {

/// A device's memory, in bytes.
struct memory_facts {
  std::size_t total = 0;    // of the device
  std::size_t free = 0;     // for whoever asks next
  std::size_t in_use = 0;   // by arrays
  std::size_t kept = 0;     // for arrays that will be made: freed, and not given back to the driver
  std::size_t highest = 0;  // in use and kept, at a time, since the program began
};

/// What a device is.
struct device_facts {
  std::string name;
  int compute_capability = 0;  // 90 for 9.0; 0 on the CPU
  int multiprocessors = 0;     // on the CPU: hardware threads
  std::size_t memory = 0;      // bytes
  std::size_t l2_cache = 0;    // bytes; 0 where it is not known
  std::size_t shared_memory_per_block = 0;
  int driver = 0;  // 13000 for CUDA 13.0
};

namespace detail {

/// The value of the first "key : value" line of a file of /proc.
[[gnu::cold]] GNP_INLINE std::string proc_entry(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return {};
}

[[gnu::cold]] GNP_INLINE memory_facts memory_of_cpu() {
  memory_facts facts;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  facts.total = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page;
  const std::string available = proc_entry("/proc/meminfo", "MemAvailable");  // "16224936 kB"
  facts.free = available.empty() ? static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) * page
                                 : std::size_t{1024} * std::stoull(available);
  facts.in_use = memory_on_cpu.now.load(std::memory_order_relaxed);
  facts.highest = memory_on_cpu.highest_ever();
  return facts;
}

#if GNP_HAS_CUDA

[[gnu::cold]] GNP_INLINE memory_facts memory_of_gpu(int ordinal) {
  gpu& device = activate(ordinal);
  memory_facts facts;
  GNP_CUDA_CALL(cuMemGetInfo, &facts.free, &facts.total);
  const auto of_pool = [&device](CUmemPool_attribute what) {
    cuuint64_t bytes = 0;
    GNP_CUDA_CALL(cuMemPoolGetAttribute, device.pool, what, &bytes);
    return static_cast<std::size_t>(bytes);
  };
  const std::size_t used = of_pool(CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
  std::size_t kept = 0;
  {
    const std::lock_guard lock(device.lock_streams);
    for (stream_state* stream : device.streams) kept += stream->cache.kept_bytes();
  }
  facts.in_use = used - (std::min)(kept, used);
  const std::size_t reserved = of_pool(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
  facts.kept = reserved - (std::min)(facts.in_use, reserved);
  facts.highest = of_pool(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH);
  return facts;
}

[[gnu::cold]] GNP_INLINE device_facts facts_of_gpu(int ordinal) {
  const gpu& device = activate(ordinal);
  device_facts facts;
  facts.name = device.name;
  facts.compute_capability = device.arch;
  facts.multiprocessors = device.multiprocessors;
  const auto attribute = [&device](CUdevice_attribute which) {
    int value = 0;
    GNP_CUDA_CALL(cuDeviceGetAttribute, &value, which, device.handle);
    return static_cast<std::size_t>(value);
  };
  facts.l2_cache = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts.shared_memory_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  GNP_CUDA_CALL(cuDeviceTotalMem, &facts.memory, device.handle);
  GNP_CUDA_CALL(cuDriverGetVersion, &facts.driver);
  return facts;
}

#endif

[[gnu::cold]] GNP_INLINE device_facts facts_of_cpu() {
  device_facts facts;
  facts.name = proc_entry("/proc/cpuinfo", "model name");
  if (facts.name.empty()) facts.name = "CPU";
  facts.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
  facts.memory = memory_of_cpu().total;
  const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  facts.l2_cache = cache > 0 ? static_cast<std::size_t>(cache) : 0;
  return facts;
}

}  // namespace detail

/// How much of a device's memory is there, free, and taken by arrays.
GNP_INLINE memory_facts memory_info(device where = default_device()) {
#if GNP_HAS_CUDA
  if (detail::require(where).is_cuda()) return detail::memory_of_gpu(where.ordinal());
#endif
  detail::require(where);
  return detail::memory_of_cpu();
}

/// What a device is.
GNP_INLINE device_facts device_properties(device where = default_device()) {
#if GNP_HAS_CUDA
  if (detail::require(where).is_cuda()) return detail::facts_of_gpu(where.ordinal());
#endif
  detail::require(where);
  return detail::facts_of_cpu();
}

GNP_INLINE std::ostream& operator<<(std::ostream& out, const memory_facts& facts) {
  const auto mib = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  return out << "in use " << mib(facts.in_use) << ", kept " << mib(facts.kept) << ", highest "
             << mib(facts.highest) << ", free " << mib(facts.free) << " of " << mib(facts.total);
}

GNP_INLINE std::ostream& operator<<(std::ostream& out, const device_facts& facts) {
  out << facts.name << ", " << facts.multiprocessors
      << (facts.compute_capability > 0 ? " multiprocessors" : " hardware threads");
  if (facts.compute_capability > 0) {
    out << ", compute capability " << facts.compute_capability / 10 << '.' << facts.compute_capability % 10;
  }
  return out << ", " << (facts.memory >> 30) << " GiB";
}

}}  // namespace gnp::GNP_ABI
