// SPDX-License-Identifier: MIT
// memory_info and device_properties: what a device has, and how much of its memory is in use.
#pragma once

#include <cstddef>
#include <gnp/memory/device.hpp>
#include <iosfwd>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// A device's memory, in bytes.
struct memory_facts {
  std::size_t total = 0;    // of the device
  std::size_t free = 0;     // available to the next allocation of any process
  std::size_t in_use = 0;   // by arrays
  std::size_t kept = 0;     // freed, but not given back to the driver: for later arrays
  std::size_t highest = 0;  // the highest sum of in_use and kept since the program began
};

/// What a device is.
struct device_facts {
  std::string name;
  int compute_capability = 0;  // 90 for 9.0; 0 on the CPU
  int multiprocessors = 0;     // on the CPU: hardware threads
  std::size_t memory = 0;      // bytes
  std::size_t l2_cache = 0;    // bytes; 0 if it is not known
  std::size_t shared_memory_per_block = 0;
  int driver = 0;  // 13000 for CUDA 13.0
};

/// How much memory a device has, how much of it is free, and how much arrays use.
GNP_DECLARED_ON_USE memory_facts memory_info(device where = default_device());

/// What a device is.
GNP_DECLARED_ON_USE device_facts device_properties(device where = default_device());

GNP_DECLARED_ON_USE std::ostream& operator<<(std::ostream& out, const memory_facts& facts);

GNP_DECLARED_ON_USE std::ostream& operator<<(std::ostream& out, const device_facts& facts);

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/memory/read_facts.hpp>
#endif
