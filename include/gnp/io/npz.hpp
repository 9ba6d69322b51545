// SPDX-License-Identifier: MIT
// savez, savez_compressed, load_npz: several arrays under their names in one .npz, NumPy's ZIP of .npy files.
#pragma once

#include <algorithm>
#include <gnp/io/npy.hpp>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

/// Options of load_npz.
struct npz_options {
  by_name only = by_name();
  /// A compressed array of more bytes is refused, because a small file may expand to a thousand times its size.
  index_t max_bytes = index_t{16} << 30;
};

namespace detail {

struct open_npz;

/// Opens a .npz and reads the names of its arrays, in the order of the file.
GNP_DECLARED std::shared_ptr<open_npz> open_npz_file(const path_arg& path, std::vector<std::string>& names);
GNP_DECLARED any_array read_npz(const open_npz& open, const std::vector<std::string>& names,
                                std::string_view name, const dtype* wanted, const load_options& options,
                                index_t max_bytes);

}  // namespace detail

/// The arrays of a .npz by name. The file stays open and is read when an array is asked for; copies share it.
class npz_file {
 public:
  explicit npz_file(const path_arg& path, const npz_options& options = {})
      : open_(detail::open_npz_file(path, names_)), max_bytes_(options.max_bytes) {}

  /// In the order of the file.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names().size(); }
  bool contains(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }

  /// One array, on the default device. The type must be the file's.
  template <element T>
  array<T> get(std::string_view name, const load_options& options = {}) const {
    constexpr gnp::dtype wanted = dtype_of<T>;
    return read(name, &wanted, options).template get<T>();
  }
  /// One array, of whatever type it is.
  any_array get_any(std::string_view name, const load_options& options = {}) const {
    return read(name, nullptr, options);
  }
  any_array operator[](std::string_view name) const { return get_any(name); }
  any_array operator[](int) const = delete;  // 0 would be a null pointer to a name
  /// Without a type: exists only for its error message.
  template <class Unnamed = void>
    requires std::is_void_v<Unnamed>
  array<double> get(std::string_view) const {
    static_assert(!std::is_void_v<Unnamed>,
                  "gnp: name the type, get<float>(name), or take the file's, get_any(name)");
    return array<double>();
  }

 private:
  any_array read(std::string_view name, const gnp::dtype* wanted, const load_options& options) const {
    return detail::read_npz(*open_, names_, name, wanted, options, max_bytes_);
  }

  std::vector<std::string> names_;  // declared before open_, because opening the file fills it
  std::shared_ptr<detail::open_npz> open_;
  index_t max_bytes_;
};

/// Opens a .npz and reads its names; its arrays are read when they are requested.
inline npz_file load_npz(const path_arg& path, const npz_options& options = {}) {
  return npz_file(path, options);
}

/// An array, expression or number with the name it has in a .npz.
struct named_array {
  std::string name;
  any_array array;

  template <class X>
    requires std::convertible_to<const X&, any_array>
  named_array(std::string its_name, const X& x) : name(std::move(its_name)), array(x) {}
  /// Without a name: arr_0, arr_1 and so on, as in NumPy.
  template <class X>
    requires std::convertible_to<const X&, any_array>
  named_array(const X& x) : array(x) {}
};

namespace detail {

enum class npz_method : unsigned { stored, deflated };
GNP_DECLARED void write_npz(const char* function, const path_arg& path, const named_array* arrays,
                            std::size_t count, npz_method method, const progress_function& progress);

}  // namespace detail

/// Several arrays in one file: savez("data.npz", {{"x", x}, {"y", y * 2}}).
inline void savez(const path_arg& path, std::initializer_list<named_array> arrays,
                  const save_options& options = {}) {
  detail::write_npz("savez", path, arrays.begin(), arrays.size(), detail::npz_method::stored, options.progress);
}
inline void savez(const path_arg& path, const std::vector<named_array>& arrays,
                  const save_options& options = {}) {
  detail::write_npz("savez", path, arrays.data(), arrays.size(), detail::npz_method::stored, options.progress);
}

/// Without names, as arr_0, arr_1 and so on: savez("data.npz", x, y).
template <array_like... X>
  requires(sizeof...(X) > 0)
void savez(const path_arg& path, const X&... arrays) {
  savez(path, {named_array(arrays)...});
}

/// The same, compressed by zlib on all threads.
inline void savez_compressed(const path_arg& path, std::initializer_list<named_array> arrays,
                             const save_options& options = {}) {
  detail::write_npz("savez_compressed", path, arrays.begin(), arrays.size(), detail::npz_method::deflated,
                    options.progress);
}
inline void savez_compressed(const path_arg& path, const std::vector<named_array>& arrays,
                             const save_options& options = {}) {
  detail::write_npz("savez_compressed", path, arrays.data(), arrays.size(), detail::npz_method::deflated,
                    options.progress);
}
template <array_like... X>
  requires(sizeof...(X) > 0)
void savez_compressed(const path_arg& path, const X&... arrays) {
  savez_compressed(path, {named_array(arrays)...});
}

// A name and an array, or some of them, without the braces around all: exist only for their error message.
#define GNP_REFUSES_LOOSE_NAMES(function, ...)                                                            \
  template <class Nothing = void>                                                                         \
  void function(const path_arg&, const named_array&, __VA_ARGS__) {                                       \
    static_assert(!std::is_void_v<Nothing>, "gnp: braces go around all names and arrays: gnp::" #function \
                                            "(\"data.npz\", {{\"x\", x}, {\"y\", y}})");                  \
  }
GNP_REFUSES_LOOSE_NAMES(savez, const save_options& = {})
GNP_REFUSES_LOOSE_NAMES(savez, const named_array&, const save_options& = {})
GNP_REFUSES_LOOSE_NAMES(savez, const named_array&, const named_array&)
GNP_REFUSES_LOOSE_NAMES(savez_compressed, const save_options& = {})
GNP_REFUSES_LOOSE_NAMES(savez_compressed, const named_array&, const save_options& = {})
GNP_REFUSES_LOOSE_NAMES(savez_compressed, const named_array&, const named_array&)
#undef GNP_REFUSES_LOOSE_NAMES

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/io/npz_file.hpp>
#endif
