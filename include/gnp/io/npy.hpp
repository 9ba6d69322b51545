// SPDX-License-Identifier: MIT
// save, load, load_any: NumPy's .npy files.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/path.hpp>
#include <gnp/io/progress.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// Options of load and load_any. With mmap_mode "c" or "r", on the CPU, the file itself is the array's memory.
/// It is read where it is used, and copied where it is written to ("c") or never written ("r").
struct load_options {
  by_name only = by_name();
  std::string mmap_mode = {};
  progress_function progress = nullptr;
};

/// Options of save.
struct save_options {
  by_name only = by_name();
  progress_function progress = nullptr;
};

namespace detail {

GNP_DECLARED any_array read_npy(const path_arg& path, const dtype* wanted, const load_options& options,
                                const char* function);

}  // namespace detail

/// The array of a .npy, on the default device. Fortran's order is kept. The type must be the file's.
template <element T>
array<T> load(const path_arg& path, const load_options& options = {}) {
  constexpr dtype wanted = dtype_of<T>;
  return detail::read_npy(path, &wanted, options, "load").template get<T>();
}

/// load(path) without a type: exists only for its error message.
template <class Path, class Unnamed = void>
  requires std::convertible_to<Path, path_arg>
array<double> load(const Path&) {
  static_assert(!std::is_void_v<Unnamed>,
                "gnp: name the type, gnp::load<float>(path), or take the file's, gnp::load_any(path)");
  return array<double>();
}

/// The array of a .npy, of whatever type it is.
inline any_array load_any(const path_arg& path, const load_options& options = {}) {
  return detail::read_npy(path, nullptr, options, "load_any");
}

/// Writes an array or an expression, as np.save does. The file gets its name only when it is complete; until
/// then an existing file of that name is untouched.
GNP_DECLARED void save(const path_arg& path, const any_array& x, const save_options& options = {});
/// save(x, path): exists only for its error message.
template <array_like X, class... More>
void save(const X&, const path_arg&, const More&...) {
  static_assert(!array_like<X>, "gnp: the path comes first: gnp::save(\"x.npy\", x)");
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/io/npy_file.hpp>
#endif
