// SPDX-License-Identifier: MIT
// ZIP files as Python's zipfile writes them for NumPy: zip64 sizes in every member's header, no time of day.
#pragma once

#include <gnp/io/zip_reader.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class zip_writer {
 public:
  explicit zip_writer(output_file& file) : file_(file) {
    if (file.is_direct()) file.errors().fail("is not a regular file, which a .npz has to be");
  }

  /// Everything that is written to the file from now on belongs to this member, until end_member. No other
  /// member has this name.
  GNP_INLINE void begin_member(const std::string& name, unsigned method) {
    if (!is_plain_name(name))
      file_.errors().fail("'" + name + "' is no name for a member: a plain relative path is");
    zip_member member;
    member.name = name;
    member.method = method;
    member.header = file_.position();
    members_.push_back(member);
    const std::string header = member_header(member);
    file_.write(header.data(), header.size());
  }
  GNP_INLINE void end_member(std::uint32_t crc, std::uint64_t size) {
    zip_member& member = members_.back();
    member.crc = crc;
    member.size = size;
    const std::string empty = member_header(member);
    member.packed = file_.position() - member.header - empty.size();
    const std::string header = member_header(member);
    file_.write_over(header.data(), header.size(), member.header);
  }
  GNP_INLINE void finish() {
    const std::uint64_t begin = file_.position();
    for (const zip_member& member : members_) write(directory_entry(member));
    write_directory_end(begin);
    file_.finish();
  }

 private:
  static constexpr std::uint64_t narrow = 0x7fffffff;  // what Python writes without zip64
  static constexpr std::uint64_t wide = 0xffffffff;

  static void add(std::string& text, std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 255U);
  }
  void write(const std::string& text) { file_.write(text.data(), text.size()); }

  /// Version, flags, method, and the first of January 1980, so that the same arrays give the same bytes.
  static GNP_INLINE void add_kind(std::string& text, const zip_member& member) {
    bool is_ascii = true;
    for (const char c : member.name) is_ascii = is_ascii && static_cast<unsigned char>(c) < 128;
    constexpr std::uint64_t utf8 = 0x800;
    add(text, 45, 2);
    add(text, is_ascii ? 0 : utf8, 2);
    add(text, member.method, 2);
    add(text, 0, 2);
    add(text, 1U << 5 | 1U, 2);
    add(text, member.crc, 4);
  }

  static GNP_INLINE std::string member_header(const zip_member& member) {
    std::string text("PK\3\4");
    add_kind(text, member);
    add(text, wide, 4);
    add(text, wide, 4);
    add(text, member.name.size(), 2);
    add(text, 20, 2);
    text += member.name;
    add(text, 1, 2);
    add(text, 16, 2);
    add(text, member.size, 8);
    add(text, member.packed, 8);
    return text;
  }

  static GNP_INLINE std::string directory_entry(const zip_member& member) {
    std::string fields;
    const bool has_wide_sizes = member.size > narrow || member.packed > narrow;
    if (has_wide_sizes) {
      add(fields, member.size, 8);
      add(fields, member.packed, 8);
    }
    const bool has_wide_offset = member.header > narrow;
    if (has_wide_offset) add(fields, member.header, 8);
    std::string text("PK\1\2");
    add(text, 45 | 3 << 8, 2);  // made on a Unix
    add_kind(text, member);
    add(text, has_wide_sizes ? wide : member.packed, 4);
    add(text, has_wide_sizes ? wide : member.size, 4);
    add(text, member.name.size(), 2);
    add(text, fields.empty() ? 0 : fields.size() + 4, 2);
    add(text, 0, 2);
    add(text, 0, 2);
    add(text, 0, 2);
    add(text, std::uint64_t{0600} << 16, 4);
    add(text, has_wide_offset ? wide : member.header, 4);
    text += member.name;
    if (fields.empty()) return text;
    add(text, 1, 2);
    add(text, fields.size(), 2);
    return text + fields;
  }

  GNP_INLINE void write_directory_end(std::uint64_t begin) {
    const std::uint64_t end = file_.position();
    const std::uint64_t count = members_.size();
    std::string text;
    if (count > 0xffff || begin > narrow || end - begin > narrow) {
      text += "PK\6\6";
      add(text, 44, 8);
      add(text, 45, 2);
      add(text, 45, 2);
      add(text, 0, 8);
      add(text, count, 8);
      add(text, count, 8);
      add(text, end - begin, 8);
      add(text, begin, 8);
      text += "PK\6\7";
      add(text, 0, 4);
      add(text, end, 8);
      add(text, 1, 4);
    }
    text += "PK\5\6";
    add(text, 0, 4);
    add(text, (std::min)(count, std::uint64_t{0xffff}), 2);
    add(text, (std::min)(count, std::uint64_t{0xffff}), 2);
    add(text, (std::min)(end - begin, wide), 4);
    add(text, (std::min)(begin, wide), 4);
    add(text, 0, 2);
    write(text);
  }

  output_file& file_;
  std::vector<zip_member> members_;
};

}}}  // namespace gnp::GNP_ABI::detail
