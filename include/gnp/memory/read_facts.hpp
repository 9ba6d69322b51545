// SPDX-License-Identifier: MIT
// Where the facts about a device come from.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <gnp/memory/facts.hpp>
#include <gnp/memory/storage_life.hpp>
#include <ostream>
#include <thread>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// The value of the first "key : value" line of a file of /proc.
GNP_ON_USE [[gnu::cold]] std::string proc_entry(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", line.find(':') + 1);
    if (begin != std::string::npos) return line.substr(begin);
  }
  return {};
}

GNP_ON_USE [[gnu::cold]] memory_facts memory_of_cpu() {
  memory_facts facts;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  facts.total = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page;
  const std::string available = proc_entry("/proc/meminfo", "MemAvailable");  // "16224936 kB"
  facts.free = available.empty() ? static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) * page
                                 : std::size_t{1024} * std::stoull(available);
  facts.in_use = memory_on_cpu.now.load(std::memory_order_relaxed);
  facts.kept = blocks_kept_on_cpu::bytes();
  facts.highest = memory_on_cpu.highest_ever();
  return facts;
}

#if GNP_HAS_CUDA

GNP_ON_USE [[gnu::cold]] memory_facts memory_of_gpu(int ordinal) {
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

GNP_ON_USE [[gnu::cold]] device_facts facts_of_gpu(int ordinal) {
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

GNP_ON_USE [[gnu::cold]] device_facts facts_of_cpu() {
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

GNP_DEFINED_ON_USE memory_facts memory_info(device where) {
#if GNP_HAS_CUDA
  if (detail::require(where).is_cuda()) return detail::memory_of_gpu(where.ordinal());
#endif
  detail::require(where);
  return detail::memory_of_cpu();
}

GNP_DEFINED_ON_USE device_facts device_properties(device where) {
#if GNP_HAS_CUDA
  if (detail::require(where).is_cuda()) return detail::facts_of_gpu(where.ordinal());
#endif
  detail::require(where);
  return detail::facts_of_cpu();
}

GNP_DEFINED_ON_USE std::ostream& operator<<(std::ostream& out, const memory_facts& facts) {
  const auto mib = [](std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; };
  return out << "in use " << mib(facts.in_use) << ", kept " << mib(facts.kept) << ", highest "
             << mib(facts.highest) << ", free " << mib(facts.free) << " of " << mib(facts.total);
}

GNP_DEFINED_ON_USE std::ostream& operator<<(std::ostream& out, const device_facts& facts) {
  out << facts.name << ", " << facts.multiprocessors
      << (facts.compute_capability > 0 ? " multiprocessors" : " hardware threads");
  if (facts.compute_capability > 0) {
    out << ", compute capability " << facts.compute_capability / 10 << '.' << facts.compute_capability % 10;
  }
  return out << ", " << (facts.memory >> 30) << " GiB";
}

}}  // namespace gnp::GNP_ABI
