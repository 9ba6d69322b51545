// SPDX-License-Identifier: MIT
// Part of a file as memory of the CPU: nothing is read until it is used, and what is written stays in memory.
#pragma once

#include <sys/mman.h>

#include <gnp/io/file.hpp>
#include <gnp/memory/storage.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The bytes of a file from `begin` on, copied page by page when they are written to.
GNP_INLINE storage_ref map_file(const input_file& file, std::uint64_t begin, std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = static_cast<std::size_t>(begin) % page;  // a mapping begins with a page
  void* const memory = ::mmap(nullptr, bytes + before, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                              file.get(), static_cast<off_t>(begin - before));
  if (memory == MAP_FAILED) file.errors().fail_with_errno("cannot be mapped");
  storage_ref block = storage_ref::wrap(static_cast<char*>(memory) + before, bytes, gnp::device::cpu());
  block.give_back_by([size = bytes + before](void* mapped) { ::munmap(mapped, size); }, memory);
  return block;
}

}}}  // namespace gnp::GNP_ABI::detail
