// SPDX-License-Identifier: MIT
// Reads the directory of a ZIP without trusting it: every place and size in it is checked against the file.
#pragma once

#include <algorithm>
#include <gnp/io/file.hpp>
#include <gnp/io/sort_pointers.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Numbers of a ZIP, which are little-endian.
inline std::uint64_t zip_number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct zip_member {
  std::string name;
  unsigned method = 0;  // 0: stored, 8: deflated
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;  // bytes in the file
  std::uint64_t size = 0;    // bytes when expanded
  std::uint64_t header = 0;  // where its own header begins
  std::uint64_t end = 0;     // where the next thing in the file begins
};

inline constexpr unsigned zip_stored = 0;
inline constexpr unsigned zip_deflated = 8;

/// Is it a relative path that stays inside its folder? Then it is safe to create a file with this name.
GNP_INLINE bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > 0xffff) return false;
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127 || c == '\\') return false;
  }
  // A drive of Windows, "c:x"; a tensor of TensorFlow's has a number after the colon, "w:0".
  const bool has_letter = (name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z');
  const bool has_number = name.size() > 2 && name[2] >= '0' && name[2] <= '9';
  if (has_letter && name.substr(1).starts_with(':') && !has_number) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = (std::min)(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

class zip_reader {
 public:
  explicit zip_reader(const input_file& file) : file_(file) {
    find_directory();
    read_directory();
  }

  /// In the order of the directory.
  std::vector<zip_member> members;

  /// Where the member's bytes begin; its own header has to say what the directory says.
  static GNP_INLINE std::uint64_t data_of(const input_file& file, const zip_member& member) {
    const auto fail = [&](const char* what) { file.errors().fail_at(member.header, what); };
    if (member.end - member.header < 30) fail("the header of a member is cut short");
    const std::string start = text(file, member.header, 30);
    if (!start.starts_with("PK\3\4")) fail("there is no header of a member");
    const std::uint64_t name = zip_number(start, 26, 2);
    const std::uint64_t extra = zip_number(start, 28, 2);
    const std::uint64_t begin = member.header + 30 + name + extra;
    if (begin > member.end || member.packed > member.end - begin)
      fail("a member reaches into what comes behind it");
    if (text(file, member.header + 30, name) != member.name)
      fail("a member has another name than the directory says");
    if (zip_number(start, 8, 2) != member.method) fail("a member has another method than the directory says");
    constexpr unsigned sizes_come_later = 8;
    if ((zip_number(start, 6, 2) & sizes_come_later) == 0) {
      zip_member own = member;
      own.crc = static_cast<std::uint32_t>(zip_number(start, 14, 4));
      own.packed = zip_number(start, 18, 4);
      own.size = zip_number(start, 22, 4);
      const std::string fields = text(file, member.header + 30 + name, extra);
      if (!widen(fields, {&own.size, &own.packed})) fail("a member's zip64 sizes are cut short");
      if (own.crc != member.crc || own.packed != member.packed || own.size != member.size)
        fail("a member has other sizes than the directory says");
    }
    return begin;
  }

 private:
  static constexpr std::uint64_t wide = 0xffffffff;  // stands for a number that is in a zip64 field

  static std::string text(const input_file& file, std::uint64_t begin, std::uint64_t bytes) {
    std::string result(static_cast<std::size_t>(bytes), '\0');
    file.read(result.data(), result.size(), begin);
    return result;
  }
  [[noreturn]] void fail_at(std::uint64_t offset, const std::string& what) const {
    file_.errors().fail_at(offset, what);
  }

  /// Replaces the numbers that are in the extra fields; false if one should be there and is not.
  static GNP_INLINE bool widen(std::string_view fields, std::initializer_list<std::uint64_t*> numbers) {
    bool needed = false;
    for (const std::uint64_t* number : numbers) needed = needed || *number == wide;
    if (!needed) return true;
    while (fields.size() >= 4) {
      const std::uint64_t id = zip_number(fields, 0, 2);
      const auto length = static_cast<std::size_t>(zip_number(fields, 2, 2));
      if (length > fields.size() - 4) return false;
      std::string_view field = fields.substr(4, length);
      fields.remove_prefix(4 + length);
      if (id != 1) continue;
      for (std::uint64_t* number : numbers) {
        if (*number != wide) continue;
        if (field.size() < 8) return false;
        *number = zip_number(field, 0, 8);
        field.remove_prefix(8);
      }
      return true;
    }
    return false;
  }

  GNP_INLINE void find_directory() {
    const std::uint64_t size = file_.size();
    const std::uint64_t tail_size = (std::min)(size, std::uint64_t{22 + 0xffff});
    const std::string tail = text(file_, size - tail_size, tail_size);
    // The last one that the file ends with; or else, as for NumPy, the last one that has other bytes behind it.
    std::size_t at = std::string::npos;
    for (const bool at_the_end : {true, false}) {
      for (std::size_t i = tail.size() < 22 ? 0 : tail.size() - 21; i-- > 0 && at == std::string::npos;) {
        if (!std::string_view(tail).substr(i).starts_with("PK\5\6")) continue;
        const std::uint64_t behind = tail.size() - i - 22;
        const std::uint64_t comment = zip_number(tail, i + 20, 2);
        if (at_the_end ? comment == behind : comment < behind) at = i;
      }
    }
    if (at == std::string::npos) {
      if (!text(file_, 0, (std::min)(size, std::uint64_t{2})).starts_with("PK"))
        file_.errors().fail("this is no .npz; load reads a .npy");
      fail_at(size, "the directory of the .npz is missing: the file is cut off");
    }
    end_ = size - tail_size + at;
    std::uint64_t disks = zip_number(tail, at + 4, 2) | zip_number(tail, at + 6, 2);
    count_ = zip_number(tail, at + 10, 2);
    bytes_ = zip_number(tail, at + 12, 4);
    begin_ = zip_number(tail, at + 16, 4);
    // Python also writes the wide directory if the narrow one would be enough; then the two agree.
    if (bytes_ == wide || begin_ == wide || begin_ > end_ || bytes_ != end_ - begin_) {
      if (end_ < 20 + 56) fail_at(end_, "the directory of the .npz is not where it should be");
      const std::string locator = text(file_, end_ - 20, 20);
      const std::uint64_t place = zip_number(locator, 8, 8);
      if (!locator.starts_with("PK\6\7") || place != end_ - 20 - 56)
        fail_at(end_, "the directory of the .npz is not where it should be");
      const std::string record = text(file_, place, 56);
      if (!record.starts_with("PK\6\6")) fail_at(place, "the zip64 directory is missing");
      disks |= zip_number(record, 16, 4) | zip_number(record, 20, 4);
      const auto replace = [&](std::uint64_t& number, std::uint64_t unknown, std::size_t at_byte) {
        const std::uint64_t value = zip_number(record, at_byte, 8);
        if (number != unknown && number != value) fail_at(place, "the zip64 directory contradicts the other");
        number = value;
      };
      replace(count_, 0xffff, 32);
      replace(bytes_, wide, 40);
      replace(begin_, wide, 48);
      end_ = place;
    }
    if (disks != 0) fail_at(end_, "the .npz is one of several parts");
    if (begin_ > end_ || bytes_ != end_ - begin_)
      fail_at(end_, "the directory of the .npz is not where it should be");
    if (count_ > bytes_ / 46) fail_at(end_, "the directory of the .npz has no room for its members");
  }

  GNP_INLINE void read_directory() {
    const std::string directory = text(file_, begin_, bytes_);
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < count_; ++i) {
      const std::uint64_t offset = begin_ + at;
      const std::string_view entry = std::string_view(directory).substr(at);
      if (entry.size() < 46 || !entry.starts_with("PK\1\2")) fail_at(offset, "the directory has no entry here");
      const auto name = static_cast<std::size_t>(zip_number(entry, 28, 2));
      const auto extra = static_cast<std::size_t>(zip_number(entry, 30, 2));
      const std::size_t whole = 46 + name + extra + static_cast<std::size_t>(zip_number(entry, 32, 2));
      if (whole > entry.size()) fail_at(offset, "an entry of the directory is cut short");
      zip_member member;
      member.name = entry.substr(46, name);
      const bool is_folder = member.name.ends_with('/') && zip_number(entry, 24, 4) == 0;
      if (is_folder && is_plain_name(std::string_view(member.name).substr(0, name - 1))) {
        at += whole;
        continue;
      }
      if (!is_plain_name(member.name)) fail_at(offset + 46, "a member's name is no plain relative path");
      if ((zip_number(entry, 8, 2) & 1U) != 0) fail_at(offset, "the member '" + member.name + "' is encrypted");
      member.method = static_cast<unsigned>(zip_number(entry, 10, 2));
      if (member.method != zip_stored && member.method != zip_deflated) {
        fail_at(offset, "the member '" + member.name + "' is compressed by method " +
                            std::to_string(member.method) + "; gnp has 8, deflate");
      }
      member.crc = static_cast<std::uint32_t>(zip_number(entry, 16, 4));
      member.packed = zip_number(entry, 20, 4);
      member.size = zip_number(entry, 24, 4);
      member.header = zip_number(entry, 42, 4);
      if (!widen(entry.substr(46 + name, extra), {&member.size, &member.packed, &member.header}))
        fail_at(offset, "the zip64 sizes of '" + member.name + "' are cut short");
      check_sizes(member, offset);
      members.push_back(std::move(member));
      at += whole;
    }
    if (at != directory.size()) fail_at(begin_ + at, "the directory has more than its members");
    order_members();
  }

  GNP_INLINE void check_sizes(const zip_member& member, std::uint64_t offset) const {
    if (member.header >= begin_ || member.packed > begin_ - member.header)
      fail_at(offset, "the member '" + member.name + "' is not in the file");
    // Deflate expands one byte to at most 1032.
    const bool is_possible =
        member.method == zip_stored ? member.size == member.packed : member.size / 1032 <= member.packed;
    if (!is_possible) {
      fail_at(offset, "the member '" + member.name + "' cannot have " + std::to_string(member.size) +
                          " bytes in " + std::to_string(member.packed));
    }
  }

  /// Sets each member's end to where the next begins, and checks that no name occurs twice.
  GNP_INLINE void order_members() {
    std::vector<zip_member*> ordered(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) ordered[i] = &members[i];
    sort_pointers<zip_member, by_place>(ordered);
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      ordered[i]->end = i + 1 < ordered.size() ? ordered[i + 1]->header : begin_;
      if (ordered[i]->end == ordered[i]->header) fail_at(ordered[i]->header, "two members begin here");
    }
    sort_pointers<zip_member, by_name>(ordered);
    for (std::size_t i = 1; i < ordered.size(); ++i) {
      if (ordered[i - 1]->name == ordered[i]->name)
        fail_at(begin_, "the directory has two members '" + ordered[i]->name + "'");
    }
  }
  static int by_place(const zip_member& a, const zip_member& b) {
    return a.header < b.header ? -1 : a.header > b.header ? 1 : 0;
  }
  static int by_name(const zip_member& a, const zip_member& b) { return a.name.compare(b.name); }

  const input_file& file_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;  // of the directory
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

}}}  // namespace gnp::GNP_ABI::detail
