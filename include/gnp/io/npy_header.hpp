// SPDX-License-Identifier: MIT
// The header of a .npy: a Python dictionary as text, read without trust and written as NumPy writes it.
#pragma once

#include <bit>
#include <gnp/core/function_ref.hpp>
#include <gnp/core/shape.hpp>
#include <gnp/io/file.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct npy_header {
  gnp::dtype type = gnp::dtype::float64;
  bool is_swapped = false;  // the other byte order than this machine's
  bool fortran_order = false;
  shape_t shape;
  std::uint64_t elements = 0;
  std::uint64_t size = 0;  // of the header itself; the elements follow it

  std::uint64_t data_bytes() const { return elements * itemsize(type); }
};

inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// Many times the size of the longest header that an array can have.
inline constexpr std::size_t longest_npy_header = std::size_t{1} << 16;
inline constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

/// Reads the dictionary. Offsets in errors count from the beginning of the file; the text begins at `origin`.
class npy_header_parser {
 public:
  npy_header_parser(std::string_view text, std::uint64_t origin, const file_errors& errors)
      : text_(text), origin_(origin), errors_(errors) {}

  GNP_INLINE npy_header parse() {
    npy_header header;
    bool seen[3] = {};
    expect('{');
    while (!skip('}')) {
      const std::size_t at = position_;
      const std::string_view key = string();
      expect(':');
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : 3;
      if (which == 3) fail_at(at, "the header has an unknown key '" + shown(key) + "'");
      if (std::exchange(seen[which], true)) fail_at(at, "the header has the key '" + shown(key) + "' twice");
      if (which == 0) read_descr(header);
      if (which == 1) header.fortran_order = truth();
      if (which == 2) read_shape(header);
      if (!skip(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (position_ != text_.size()) fail("the header goes on after its dictionary");
    for (int i = 0; i < 3; ++i) {
      constexpr const char* keys[] = {"descr", "fortran_order", "shape"};
      if (!seen[i]) fail_at(0, std::string("the header has no key '") + keys[i] + "'");
    }
    count(header);
    return header;
  }

 private:
  [[noreturn]] void fail_at(std::size_t position, const std::string& what) const {
    errors_.fail_at(origin_ + position, what);
  }
  [[noreturn]] void fail(const std::string& what) const { fail_at(position_, what); }

  /// A part of the file's text, made printable.
  GNP_INLINE static std::string shown(std::string_view text) {
    std::string printable(text.substr(0, 40));
    for (char& c : printable) {
      if (c < ' ' || c > '~') c = '?';
    }
    return text.size() > 40 ? printable + "..." : printable;
  }

  void skip_spaces() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  GNP_INLINE bool skip(char wanted) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }
  GNP_INLINE void expect(char wanted) {
    if (skip(wanted)) return;
    fail(std::string("the header has ") +
         (position_ < text_.size() ? "'" + shown(text_.substr(position_, 1)) + "'" : "its end") + " where '" +
         wanted + "' was expected");
  }

  GNP_INLINE std::string_view string() {
    skip_spaces();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '\'' && quote != '"') fail("the header has no string where one was expected");
    const std::size_t begin = ++position_;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) fail("the header has a string without an end");
    position_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  GNP_INLINE bool truth() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      return word == "True";
    }
    fail("fortran_order is neither True nor False");
  }

  GNP_INLINE index_t size() {
    skip_spaces();
    const std::size_t begin = position_;
    index_t value = 0;
    while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') {
      if (value > (index_t{1} << 62) / 10) fail_at(begin, "a size of the shape is more than 2^62");
      value = value * 10 + (text_[position_++] - '0');
    }
    if (position_ == begin) fail("a size of the shape is no number");
    if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // a long of Python 2
    return value;
  }

  GNP_INLINE void read_shape(npy_header& header) {
    expect('(');
    while (!skip(')')) {
      if (header.shape.rank() == max_rank)
        fail("the shape has more than the " + std::to_string(max_rank) + " dimensions an array can have");
      header.shape.push_back(size());
      if (skip(',')) continue;
      expect(')');
      if (header.shape.rank() == 1) fail("the shape is no tuple");  // (3) is a number in brackets
      break;
    }
  }

  static bool is_swapped(std::string_view descr, gnp::dtype type) {
    return (descr[0] == '<' || descr[0] == '>') && descr[0] != native_order && itemsize(type) > 1;
  }

  GNP_INLINE void read_descr(npy_header& header) {
    skip_spaces();
    const std::size_t at = position_;
    if (position_ < text_.size() && text_[position_] == '[') refuse("records (a structured dtype)", at);
    const std::string_view descr = string();
    if (descr == "bfloat16") {  // some programs write this name, so that the type is recognised
      header.type = gnp::dtype::bfloat16;
      return;
    }
    const bool has_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    const std::string_view code = descr.substr(has_order ? 1 : 0);
    constexpr std::string_view codes[dtype_count] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4",
                                                     "u8", "f2", "V2", "f4", "f8", "c8", "c16"};
    for (int i = 0; i < dtype_count; ++i) {
      if (code != codes[i]) continue;
      header.type = static_cast<gnp::dtype>(i);
      header.is_swapped = is_swapped(descr, header.type);
      return;
    }
    // NumPy also reads the characters of C's types, and its own names of types.
    constexpr std::string_view letters[dtype_count] = {"?",    "b", "h", "i", "lqpn", "B", "H", "I",
                                                       "LQPN", "e", "",  "f", "d",    "F", "D"};
    for (int i = 0; i < dtype_count; ++i) {
      const auto type = static_cast<gnp::dtype>(i);
      const bool is_letter = code.size() == 1 && letters[i].find(code[0]) != std::string_view::npos;
      if (!is_letter && (has_order || descr != name(type))) continue;
      header.type = type;
      header.is_swapped = is_swapped(descr, type);
      return;
    }
    const char kind = code.empty() ? '\0' : code[0];
    if (kind == 'O') refuse("Python objects, which are stored as a pickle, and gnp never reads one", at);
    if (kind == 'U' || kind == 'S' || kind == 'a') refuse("text ('" + shown(descr) + "')", at);
    if (kind == 'M' || kind == 'm') refuse("dates or durations ('" + shown(descr) + "')", at);
    if (kind == 'V') refuse("records or raw bytes ('" + shown(descr) + "')", at);
    if (kind == 'f' || kind == 'c')
      refuse("numbers of a type that gnp does not have ('" + shown(descr) + "')", at);
    fail_at(at, "'" + shown(descr) + "' is not a dtype of NumPy's");
  }
  /// For a valid file whose elements have no type in gnp.
  [[noreturn]] GNP_INLINE void refuse(const std::string& what, std::size_t at) const {
    throw dtype_error(std::string(errors_.function) + ": " + errors_.path + ", byte " +
                      std::to_string(origin_ + at) + ": the array holds " + what);
  }

  GNP_INLINE void count(npy_header& header) const {
    const std::uint64_t most = (std::uint64_t{1} << 62) / itemsize(header.type);
    std::uint64_t product = 1;  // of the sizes that are not 0, as NumPy has it
    bool is_empty = false;
    for (const index_t size : header.shape) {
      is_empty = is_empty || size == 0;
      if (size == 0) continue;
      if (product > most / static_cast<std::uint64_t>(size))
        fail_at(0, "the shape " + to_string(header.shape) + " of " + name(header.type) +
                       " is more than 2^62 bytes");
      product *= static_cast<std::uint64_t>(size);
    }
    header.elements = is_empty ? 0 : product;
  }

  std::string_view text_;
  std::uint64_t origin_;
  const file_errors& errors_;
  std::size_t position_ = 0;
};

/// The header of a .npy of `available` bytes, which `read(to, bytes, offset)` reads. Offsets count from the
/// beginning of the .npy, which lies at `origin` in the file.
GNP_INLINE npy_header read_npy_header(function_ref<void(void*, std::size_t, std::uint64_t)> read,
                                      std::uint64_t available, std::uint64_t origin,
                                      const file_errors& errors) {
  unsigned char start[12] = {};
  const auto got = static_cast<std::size_t>((std::min)(available, std::uint64_t{sizeof start}));
  read(start, got, 0);
  const std::string_view beginning(reinterpret_cast<const char*>(start), got);
  if (!beginning.starts_with(npy_magic)) {
    if (beginning.starts_with("PK")) errors.fail("this is a .npz: load_npz reads it");
    if (beginning.starts_with("\x80")) errors.fail("this is no .npy; if it is a pickle, gnp never reads one");
    errors.fail_at(origin, "this is no .npy: it does not begin with \\x93NUMPY");
  }
  if (got < 10) errors.fail_at(origin + got, "the file ends in its header");
  const int version = start[6];
  if (version < 1 || version > 3 || start[7] != 0) {
    errors.fail_at(origin + 6, "version " + std::to_string(version) + "." + std::to_string(start[7]) +
                                   " of the format; gnp reads 1.0, 2.0 and 3.0");
  }
  if (got < 12) errors.fail_at(origin + got, "the file ends in its header");
  const std::size_t text_begin = version == 1 ? 10 : 12;
  std::size_t length = 0;
  for (std::size_t i = text_begin; i-- > 8;) length = length << 8 | start[i];
  if (length > longest_npy_header) {
    errors.fail_at(origin + 8, "a header of " + std::to_string(length) + " bytes, more than the " +
                                   std::to_string(longest_npy_header) + " that gnp reads");
  }
  if (length > available - text_begin) {
    errors.fail_at(origin + 8, "a header of " + std::to_string(length) + " bytes, and the file ends after " +
                                   std::to_string(available - text_begin));
  }
  std::string text(length, '\0');
  read(text.data(), length, text_begin);
  npy_header header = npy_header_parser(text, origin + text_begin, errors).parse();
  header.size = text_begin + length;
  if (header.data_bytes() > available - header.size) {
    errors.fail_at(origin + header.size, "the header promises " + to_string(header.shape) + " of " +
                                             name(header.type) + ", " + std::to_string(header.data_bytes()) +
                                             " bytes, and " + std::to_string(available - header.size) +
                                             " are there");
  }
  return header;
}

/// The header as np.save writes it, byte for byte. A bfloat16 is two raw bytes, as in ml_dtypes.
GNP_INLINE std::string npy_header_text(gnp::dtype type, bool fortran_order, const shape_t& shape) {
  constexpr const char* codes[dtype_count] = {"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4",
                                              "u8", "f2", "V2", "f4", "f8", "c8", "c16"};
  std::string text =
      std::string("{'descr': '") + (itemsize(type) == 1 ? '|' : native_order) + codes[static_cast<int>(type)] +
      "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + to_string(shape) + ", }";
  // Spaces leave room for a larger size, in case somebody appends to the file, and make the header end at a
  // multiple of 64 bytes.
  if (shape.rank() > 0)
    text.append(21 - std::to_string(shape[fortran_order ? shape.rank() - 1 : 0]).size(), ' ');
  text.append(64 - (10 + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string header(npy_magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 255), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}}}  // namespace gnp::GNP_ABI::detail
