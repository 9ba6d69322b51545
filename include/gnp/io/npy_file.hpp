// SPDX-License-Identifier: MIT
// How a .npy is read and written.
#pragma once

#include <gnp/io/elements.hpp>
#include <gnp/io/mapping.hpp>
#include <gnp/io/npy.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// NumPy adds the ending where it is missing.
GNP_INLINE std::string with_ending(const std::string& path, std::string_view ending) {
  return path.ends_with(ending) ? path : path + std::string(ending);
}

GNP_INLINE any_array read_npy(const path_arg& path, const dtype* wanted, const load_options& options,
                              const char* function) {
  const input_file file(function, path);
  const npy_header header =
      read_npy_header([&](void* to, std::size_t bytes, std::uint64_t offset) { file.read(to, bytes, offset); },
                      file.size(), 0, file.errors());
  require_type(header, wanted, file.errors());
  const bool is_read_only = options.mmap_mode == "r";
  if (!options.mmap_mode.empty() && options.mmap_mode != "c" && !is_read_only) {
    throw error(std::string(function) +
                ": mmap_mode is \"c\", a copy on write, \"r\", read only, or nothing, got \"" +
                options.mmap_mode + "\"");
  }
  // In a file, a bool may be any byte, and a header written by other software may end anywhere.
  const bool fits_memory = !header.is_swapped && header.type != dtype::bool_ && header.size % 8 == 0;
  if (!options.mmap_mode.empty() && fits_memory && header.elements > 0 && default_device().is_cpu()) {
    const any_array mapped(header.type, header.shape, header.fortran_order,
                           map_file(file, header.size, static_cast<std::size_t>(header.data_bytes())));
    return is_read_only ? mapped.read_only() : mapped;
  }
  any_array result = array_of(header, file.errors());
  read_elements(
      result, header.is_swapped, options.progress,
      [&](char* to, std::size_t bytes, std::size_t offset) { file.read(to, bytes, header.size + offset); });
  return is_read_only ? result.read_only() : result;
}

}  // namespace detail

GNP_INLINE void save(const path_arg& path, const any_array& x, const save_options& options) {
  detail::output_file file("save", detail::with_ending(path.text(), ".npy"));
  const std::string header = detail::npy_header_text(x.dtype(), !x.is_contiguous(), x.shape());
  file.write(header.data(), header.size());
  detail::write_elements(x, options.progress,
                         [&](const char* from, std::size_t bytes) { file.write(from, bytes); });
  file.finish();
}

}}  // namespace gnp::GNP_ABI
