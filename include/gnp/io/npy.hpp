// SPDX-License-Identifier: MIT
// save, load, load_any: NumPy's .npy files.
#pragma once

#include <gnp/io/elements.hpp>
#include <gnp/io/mapping.hpp>

namespace gnp { inline namespace GNP_ABI {

/// load and load_any: with mmap_mode "c", on the CPU, the file itself is the array's memory, read where it is
/// used and copied where it is written to.
struct load_options {
  by_name only = by_name();
  std::string mmap_mode = {};
  progress_function progress = nullptr;
};

/// save.
struct save_options {
  by_name only = by_name();
  progress_function progress = nullptr;
};

namespace detail {

/// NumPy adds the ending where it is missing.
GNP_INLINE std::string with_ending(const std::string& path, std::string_view ending) {
  return path.ends_with(ending) ? path : path + std::string(ending);
}

GNP_INLINE any_array read_npy(const path_arg& path, const dtype* wanted, const load_options& options) {
  const input_file file("load", path);
  const npy_header header =
      read_npy_header([&](void* to, std::size_t bytes, std::uint64_t offset) { file.read(to, bytes, offset); },
                      file.size(), 0, file.errors());
  require_type(header, wanted, file.errors());
  if (!options.mmap_mode.empty() && options.mmap_mode != "c")
    throw error("load: mmap_mode is \"c\", a copy on write, or nothing, got \"" + options.mmap_mode + "\"");
  // A bool may be any byte in a file, and a header of another make may end anywhere.
  const bool fits_memory = !header.is_swapped && header.type != dtype::bool_ && header.size % 8 == 0;
  if (!options.mmap_mode.empty() && fits_memory && header.elements > 0 && default_device().is_cpu()) {
    return any_array(header.type, header.shape, header.fortran_order,
                     map_file(file, header.size, static_cast<std::size_t>(header.data_bytes())));
  }
  any_array result = array_of(header, file.errors());
  read_elements(
      result, header.is_swapped, options.progress,
      [&](char* to, std::size_t bytes, std::size_t offset) { file.read(to, bytes, header.size + offset); });
  return result;
}

}  // namespace detail

/// The array of a .npy, on the default device; one in Fortran's order keeps it. The type must be the file's.
template <element T>
array<T> load(const path_arg& path, const load_options& options = {}) {
  constexpr dtype wanted = dtype_of<T>;
  return detail::read_npy(path, &wanted, options).template get<T>();
}

/// The array of a .npy, of whatever type it is.
GNP_INLINE any_array load_any(const path_arg& path, const load_options& options = {}) {
  return detail::read_npy(path, nullptr, options);
}

/// Writes an array or an expression, as np.save does. The file has its name when it is complete, and until then
/// what had that name is untouched.
GNP_INLINE void save(const path_arg& path, const any_array& x, const save_options& options = {}) {
  detail::output_file file("save", detail::with_ending(path.text(), ".npy"));
  const std::string header = detail::npy_header_text(x.dtype(), !x.is_contiguous(), x.shape());
  file.write(header.data(), header.size());
  detail::write_elements(x, options.progress,
                         [&](const char* from, std::size_t bytes) { file.write(from, bytes); });
  file.finish();
}

}}  // namespace gnp::GNP_ABI
