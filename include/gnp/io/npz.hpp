// SPDX-License-Identifier: MIT
// savez, savez_compressed, load_npz: several arrays under their names in one .npz, NumPy's ZIP of .npy files.
#pragma once

#include <gnp/io/crc32.hpp>
#include <gnp/io/deflate.hpp>
#include <gnp/io/npy.hpp>
#include <gnp/io/zip_writer.hpp>

namespace gnp { inline namespace GNP_ABI {

/// load_npz.
struct npz_options {
  by_name only = by_name();
  /// A compressed array of more bytes is refused: a small file may expand to a thousand times its size.
  index_t max_bytes = index_t{16} << 30;
};

namespace detail {

/// One member of a .npz as the .npy that it is: what is read of it goes through its CRC.
class npz_member {
 public:
  GNP_INLINE npz_member(const input_file& file, const zip_member& member) : file_(file), member_(member) {
    begin_ = zip_reader::data_of(file, member);
    if (member.method == zip_deflated) expanding_.emplace(file, begin_, member.packed);
  }

  GNP_INLINE any_array read(const dtype* wanted, const progress_function& progress) {
    const npy_header header = read_npy_header(
        [&](void* to, std::size_t bytes, std::uint64_t offset) { read_start(to, bytes, offset); }, member_.size,
        begin_, file_.errors());
    if (header.size + header.data_bytes() != member_.size)
      file_.errors().fail_at(begin_, "'" + member_.name + "' is longer than the array that it holds");
    const any_array result = array_of(header, wanted, file_.errors());
    std::uint32_t crc = crc32(0, start_.data(), start_.size());
    if (expanding_) {
      crc = read_expanding(result, header, progress, crc);
      expanding_->finish();
    } else {
      crc = read_stored(result, header, progress, crc);
    }
    if (crc != member_.crc)
      file_.errors().fail_at(begin_,
                             "the bytes of '" + member_.name + "' are not those that were written (CRC)");
    return result;
  }

 private:
  /// The header of the .npy, from the beginning on and remembered.
  GNP_INLINE void read_start(void* to, std::size_t bytes, std::uint64_t offset) {
    const auto end = static_cast<std::size_t>(offset) + bytes;
    if (end > start_.size()) {
      const std::size_t known = start_.size();
      start_.resize(end);
      if (expanding_) {
        expanding_->read(start_.data() + known, end - known);
      } else {
        file_.read(start_.data() + known, end - known, begin_ + known);
      }
    }
    std::memcpy(to, start_.data() + offset, bytes);
  }

  GNP_INLINE std::uint32_t read_stored(const any_array& result, const npy_header& header,
                                       const progress_function& progress, std::uint32_t crc) const {
    struct piece {
      std::uint64_t begin;
      std::uint64_t bytes;
      std::uint32_t crc;
    };
    std::vector<piece> pieces;
    std::mutex mutex;
    read_elements(result, header.is_swapped, progress, [&](char* to, std::size_t bytes, std::size_t offset) {
      file_.read(to, bytes, begin_ + header.size + offset);
      const piece read{offset, bytes, crc32(0, to, bytes)};
      const std::lock_guard lock(mutex);
      pieces.push_back(read);
    });
    std::sort(pieces.begin(), pieces.end(), [](const piece& a, const piece& b) { return a.begin < b.begin; });
    for (const piece& p : pieces) crc = crc32_of_both(crc, p.crc, p.bytes);
    return crc;
  }

  GNP_INLINE std::uint32_t read_expanding(const any_array& result, const npy_header& header,
                                          const progress_function& progress, std::uint32_t crc) {
    read_elements_in_order(result, header.is_swapped, progress, [&](char* to, std::size_t bytes) {
      expanding_->read(to, bytes);
      crc = crc32(crc, to, bytes);
    });
    return crc;
  }

  const input_file& file_;
  const zip_member& member_;
  std::uint64_t begin_ = 0;
  std::optional<inflater> expanding_;
  std::string start_;
};

}  // namespace detail

/// The arrays of a .npz by name. The file stays open and is read when an array is asked for; copies share it.
class npz_file {
 public:
  GNP_INLINE explicit npz_file(const path_arg& path, const npz_options& options = {})
      : file_(std::make_shared<const detail::input_file>("load_npz", path)),
        members_(std::make_shared<const detail::zip_reader>(*file_)),
        max_bytes_(options.max_bytes) {
    for (const detail::zip_member& member : members_->members) {
      std::string name = member.name;
      if (name.ends_with(".npy")) name.resize(name.size() - 4);
      if (contains(name)) file_->errors().fail("there are two arrays '" + name + "'");
      names_.push_back(std::move(name));
    }
  }

  /// In the order of the file.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }
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

 private:
  GNP_INLINE any_array read(std::string_view name, const gnp::dtype* wanted,
                            const load_options& options) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) {
      std::string there;
      for (const std::string& other : names_) there += (there.empty() ? "'" : ", '") + other + "'";
      file_->errors().fail("there is no array '" + std::string(name) + "' but " +
                           (there.empty() ? "none" : there));
    }
    const detail::zip_member& member = members_->members[static_cast<std::size_t>(found - names_.begin())];
    if (member.method == detail::zip_deflated && member.size > static_cast<std::uint64_t>(max_bytes_)) {
      file_->errors().fail("'" + std::string(name) + "' expands to " + std::to_string(member.size) +
                           " bytes, more than max_bytes, " + std::to_string(max_bytes_));
    }
    return detail::npz_member(*file_, member).read(wanted, options.progress);
  }

  std::shared_ptr<const detail::input_file> file_;
  std::shared_ptr<const detail::zip_reader> members_;
  std::vector<std::string> names_;
  index_t max_bytes_;
};

/// Opens a .npz: its names are known then, its arrays are read when they are asked for.
GNP_INLINE npz_file load_npz(const path_arg& path, const npz_options& options = {}) {
  return npz_file(path, options);
}

/// An array, expression or number with the name it has in a .npz.
struct named_array {
  std::string name;
  any_array array;

  template <class X>
    requires std::convertible_to<const X&, any_array>
  named_array(std::string its_name, const X& x) : name(std::move(its_name)), array(x) {}
  /// Without a name: arr_0, arr_1 and so on, as NumPy has it.
  template <class X>
    requires std::convertible_to<const X&, any_array>
  named_array(const X& x) : array(x) {}
};

namespace detail {

GNP_INLINE void write_npz(const char* function, const path_arg& path, const named_array* arrays,
                          std::size_t count, unsigned method, const progress_function& progress) {
  output_file file(function, with_ending(path.text(), ".npz"));
  zip_writer zip(file);
  index_t total = 0;
  index_t before = 0;
  for (std::size_t i = 0; i < count; ++i) total += arrays[i].array.nbytes();
  for (std::size_t i = 0; i < count; ++i) {
    const any_array& x = arrays[i].array;
    zip.begin_member((arrays[i].name.empty() ? "arr_" + std::to_string(i) : arrays[i].name) + ".npy", method);
    std::optional<deflater> packed;
    if (method == zip_deflated) packed.emplace(file);
    std::uint32_t crc = 0;
    const auto write = [&](const char* from, std::size_t bytes) {
      crc = crc32(crc, from, bytes);
      if (packed) {
        packed->write(from, bytes);
      } else {
        file.write(from, bytes);
      }
    };
    const std::string header = npy_header_text(x.dtype(), !x.is_contiguous(), x.shape());
    write(header.data(), header.size());
    progress_function part;
    if (progress) part = [&](index_t done, index_t) { progress(before + done, total); };
    write_elements(x, part, write);
    if (packed) packed->finish();
    zip.end_member(crc, header.size() + static_cast<std::uint64_t>(x.nbytes()));
    before += x.nbytes();
  }
  zip.finish();
}

}  // namespace detail

/// Several arrays in one file: savez("data.npz", {{"x", x}, {"y", y * 2}}).
GNP_INLINE void savez(const path_arg& path, std::initializer_list<named_array> arrays,
                      const save_options& options = {}) {
  detail::write_npz("savez", path, arrays.begin(), arrays.size(), detail::zip_stored, options.progress);
}
GNP_INLINE void savez(const path_arg& path, const std::vector<named_array>& arrays,
                      const save_options& options = {}) {
  detail::write_npz("savez", path, arrays.data(), arrays.size(), detail::zip_stored, options.progress);
}

/// The same compressed, by zlib on all threads.
GNP_INLINE void savez_compressed(const path_arg& path, std::initializer_list<named_array> arrays,
                                 const save_options& options = {}) {
  detail::write_npz("savez_compressed", path, arrays.begin(), arrays.size(), detail::zip_deflated,
                    options.progress);
}
GNP_INLINE void savez_compressed(const path_arg& path, const std::vector<named_array>& arrays,
                                 const save_options& options = {}) {
  detail::write_npz("savez_compressed", path, arrays.data(), arrays.size(), detail::zip_deflated,
                    options.progress);
}

}}  // namespace gnp::GNP_ABI
