// SPDX-License-Identifier: MIT
// How a .npz is read and written.
#pragma once

#include <algorithm>
#include <gnp/io/crc32.hpp>
#include <gnp/io/deflate.hpp>
#include <gnp/io/npy_file.hpp>
#include <gnp/io/npz.hpp>
#include <gnp/io/sort_pointers.hpp>
#include <gnp/io/zip_writer.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One member of a .npz, read as the .npy that it is, with its CRC computed over everything that is read.
class npz_member {
 public:
  npz_member(const input_file& file, const zip_member& member)
      : file_(file),
        errors_{file.errors().function, file.errors().path + ": " + member.name},
        member_(member),
        begin_(zip_reader::data_of(file, member)) {}

  GNP_INLINE any_array read(const dtype* wanted, const progress_function& progress) {
    if (member_.method == zip_stored) return read_through(nullptr, wanted, progress);
    inflater expanding(file_, begin_, member_.packed);
    return read_through(&expanding, wanted, progress);
  }

 private:
  GNP_INLINE any_array read_through(inflater* expanding, const dtype* wanted,
                                    const progress_function& progress) {
    std::string start;  // the header of the .npy, as far as it has been read
    const npy_header header = read_npy_header(
        [&](void* to, std::size_t bytes, std::uint64_t offset) {
          const std::size_t known = start.size();
          const std::size_t end = static_cast<std::size_t>(offset) + bytes;
          if (end > known) {
            start.resize(end);
            if (expanding != nullptr) {
              expanding->read(start.data() + known, end - known);
            } else {
              file_.read(start.data() + known, end - known, begin_ + known);
            }
          }
          std::memcpy(to, start.data() + offset, bytes);
        },
        member_.size, begin_, errors_);
    if (header.size + header.data_bytes() != member_.size)
      errors_.fail_at(begin_, "it is longer than the array that it holds");
    require_type(header, wanted, errors_);
    const any_array result = array_of(header, errors_);
    std::uint32_t crc = crc32(0, start.data(), start.size());
    if (expanding == nullptr) {
      std::atomic<std::uint32_t> sum{crc32_before(crc, header.data_bytes())};
      read_elements(result, header.is_swapped, progress, [&](char* to, std::size_t bytes, std::size_t offset) {
        file_.read(to, bytes, begin_ + header.size + offset);
        sum ^= crc32_before(crc32(0, to, bytes), header.data_bytes() - offset - bytes);
      });
      crc = sum;
    } else {
      read_elements_in_order(result, header.is_swapped, progress, [&](char* to, std::size_t bytes) {
        expanding->read(to, bytes);
        crc = crc32(crc, to, bytes);
      });
      expanding->finish();
    }
    if (crc != member_.crc) {
      errors_.fail_at(begin_, "the bytes are not those that were written (CRC)");
    }
    return result;
  }

  const input_file& file_;
  file_errors errors_;
  const zip_member& member_;
  std::uint64_t begin_;
};

/// A .npz that is open.
struct open_npz {
  explicit open_npz(const path_arg& path) : file("load_npz", path), directory(file) {}

  input_file file;
  zip_reader directory;
};

inline int compare_names(const std::string& a, const std::string& b) { return a.compare(b); }

/// A name that is there twice, or null. They are sorted, because a file may have a million of them.
GNP_INLINE const std::string* repeated_name(const std::vector<std::string>& names) {
  std::vector<const std::string*> ordered;
  for (const std::string& name : names) ordered.push_back(&name);
  sort_pointers<const std::string, compare_names>(ordered);
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    if (*ordered[i - 1] == *ordered[i]) return ordered[i];
  }
  return nullptr;
}

GNP_INLINE std::shared_ptr<open_npz> open_npz_file(const path_arg& path, std::vector<std::string>& names) {
  auto open = std::make_shared<open_npz>(path);
  for (const zip_member& member : open->directory.members) {
    std::string name = member.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    names.push_back(std::move(name));
  }
  // "a" and "a.npy" are one name.
  const std::string* const repeated = repeated_name(names);
  if (repeated != nullptr) open->file.errors().fail("there are two arrays '" + *repeated + "'");
  return open;
}

GNP_INLINE any_array read_npz(const open_npz& open, const std::vector<std::string>& names,
                              std::string_view name, const dtype* wanted, const load_options& options,
                              index_t max_bytes) {
  const file_errors& errors = open.file.errors();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string there;
    for (const std::string& other : names) there += (there.empty() ? "'" : ", '") + other + "'";
    errors.fail("there is no array '" + std::string(name) + "' but " + (there.empty() ? "none" : there));
  }
  const zip_member& member = open.directory.members[static_cast<std::size_t>(found - names.begin())];
  if (member.method == zip_deflated &&
      member.size > static_cast<std::uint64_t>((std::max)(max_bytes, index_t{0}))) {
    errors.fail("'" + std::string(name) + "' expands to " + std::to_string(member.size) +
                " bytes, more than max_bytes, " + std::to_string(max_bytes));
  }
  return npz_member(open.file, member).read(wanted, options.progress);
}

/// Writes one array, as it is or through a deflater.
GNP_INLINE void write_member(output_file& file, zip_writer& zip, const std::string& name, const any_array& x,
                             deflater* packed, const progress_function& progress) {
  zip.begin_member(name, packed == nullptr ? zip_stored : zip_deflated);
  std::uint32_t crc = 0;
  const auto write = [&](const char* from, std::size_t bytes) {
    crc = crc32(crc, from, bytes);
    if (packed != nullptr) {
      packed->write(from, bytes);
    } else {
      file.write(from, bytes);
    }
  };
  const std::string header = npy_header_text(x.dtype(), !x.is_contiguous(), x.shape());
  write(header.data(), header.size());
  write_elements(x, progress, write);
  if (packed != nullptr) packed->finish();
  zip.end_member(crc, header.size() + static_cast<std::uint64_t>(x.nbytes()));
}

GNP_INLINE void write_npz(const char* function, const path_arg& path, const named_array* arrays,
                          std::size_t count, npz_method method, const progress_function& progress) {
  output_file file(function, with_ending(path.text(), ".npz"));
  zip_writer zip(file);
  index_t total = 0;
  index_t before = 0;
  std::vector<std::string> names;
  std::size_t without_name = 0;
  for (std::size_t i = 0; i < count; ++i) {
    total += arrays[i].array.nbytes();
    names.push_back(arrays[i].name.empty() ? "arr_" + std::to_string(without_name++) : arrays[i].name);
  }
  const std::string* const repeated = repeated_name(names);
  if (repeated != nullptr) file.errors().fail("two arrays have the name '" + *repeated + "'");
  for (std::size_t i = 0; i < count; ++i) {
    const any_array& x = arrays[i].array;
    const std::string name = names[i] + ".npy";
    progress_function part;
    if (progress) part = [&](index_t done, index_t) { progress(before + done, total); };
    if (method == npz_method::deflated) {
      deflater packed(file);
      write_member(file, zip, name, x, &packed, part);
    } else {
      write_member(file, zip, name, x, nullptr, part);
    }
    before += x.nbytes();
  }
  zip.finish();
}

}}}  // namespace gnp::GNP_ABI::detail
