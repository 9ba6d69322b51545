// SPDX-License-Identifier: MIT
// The elements that a thread of the flat kernel has of one operand, as variables, of CUDA's own vector types
// where CUDA has them.
#pragma once

#include <algorithm>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/names.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Loads and elements of types that CUDA has no vectors of.
inline constexpr const char* taken_text = R"(
template <class T> inline pack<T> taken(const T* from, bool one) {
  pack<T> x;
  if (one) {
    const T only = *from;
    for (int e = 0; e < vector; ++e) x.v[e] = only;
  } else {
    load_vector(x, from);
  }
  return x;
}
)";

/// Halves and bfloat16s, which come and go in words of two.
inline constexpr const char* words_text = R"(
template <class T> inline T half_word(unsigned word) { T x; x.bits = static_cast<unsigned short>(word); return x; }
template <class T> inline unsigned word(T low, T high) { return low.bits | static_cast<unsigned>(high.bits) << 16; }
)";

/// A thread's elements of one operand, in variables whose names have the same beginning.
class flat_lanes {
 public:
  flat_lanes(dtype type, int vector)
      : element_(device_name(type)), kind_(kind_of(type, vector)), vector_(vector) {
    const char* stem = kind_ == kind::words ? "uint" : stem_of(type);
    const int size = static_cast<int>(itemsize(type));
    in_piece_ = (std::min)(vector, 16 / size);
    const int members = kind_ == kind::words ? in_piece_ / 2 : in_piece_;
    if (stem != nullptr) piece_ = members > 1 ? stem + std::to_string(members) : "unsigned";
  }

  /// The functions that the variables need.
  const char* helpers() const {
    return kind_ == kind::pack ? taken_text : kind_ == kind::words ? words_text : "";
  }
  bool in_packs() const { return kind_ == kind::pack; }

  /// Loads `x` from `from`: a vector, or one element if `one`.
  [[gnu::cold]] GNP_INLINE std::string loaded(const std::string& x, std::string_view from,
                                              std::string_view one) const {
    const auto line = [&](std::string_view text, std::string_view every = {}, std::string_view pieces = {}) {
      return filled_in(text, {{"T", element_},
                              {"V", piece_},
                              {"x", x},
                              {"from", from},
                              {"one", one},
                              {"every", every},
                              {"pieces", pieces}});
    };
    if (kind_ == kind::pack) return line("  const auto $x = taken($from, $one);\n");
    if (kind_ == kind::single) return line("  const auto $x = *($from);\n");
    std::string text = line("  const $T* from_$x = $from;\n");
    std::string every;
    std::string pieces;
    for (int i = 0; i < piece_count(); ++i) {
      text += "  " + piece_ + " " + piece(x, i) + ";\n";
      pieces += piece(x, i) + line(" = reinterpret_cast<const $V*>(from_$x)[") + std::to_string(i) + "]; ";
    }
    const int step = kind_ == kind::words ? 2 : 1;
    for (int e = 0; e < vector_; e += step) every += member(x, e) + " = ";
    return text + line(kind_ == kind::words ? "  if ($one) { $everyfrom_$x->bits; } else { $pieces}\n"
                                            : "  if ($one) { $every*from_$x; } else { $pieces}\n",
                       every, pieces);
  }

  /// Element e of `x`, as an expression takes it.
  [[gnu::cold]] GNP_INLINE std::string operand(const std::string& x, int e) const {
    if (kind_ == kind::pack) return "element(" + x + ", " + std::to_string(e) + ")";
    if (kind_ == kind::words) {
      return "half_word<" + element_ + ">(" + member(x, e) + (e % 2 == 0 ? ")" : " >> 16)");
    }
    return member(x, e);
  }

  /// Makes `x` from the values of its elements.
  [[gnu::cold]] GNP_INLINE std::string made(const std::string& x,
                                            const std::vector<std::string>& values) const {
    std::string text;
    if (kind_ == kind::pack) text = "  pack<" + element_ + "> " + x + ";\n";
    for (int i = 0; kind_ == kind::members && i < piece_count(); ++i) {
      text += "  const " + piece_ + " " + piece(x, i) + " = {";
      for (int e = i * in_piece_; e < (i + 1) * in_piece_; ++e)
        text += values[static_cast<std::size_t>(e)] + ", ";
      text += "};\n";
    }
    for (int e = 0; kind_ != kind::members && e < vector_; ++e) {
      text += kind_ == kind::pack ? "  " : "  const " + element_ + " ";
      text += result(x, e) + " = " + values[static_cast<std::size_t>(e)] + ";\n";
    }
    return text;
  }

  /// Stores `x` at `to`: a vector, or one element if `one`.
  [[gnu::cold]] GNP_INLINE std::string stored(const std::string& x, const std::string& to,
                                              const std::string& one) const {
    const std::string first = "*" + to + " = " + result(x, 0) + "; ";
    if (kind_ == kind::single) return "  " + first + "\n";
    std::string whole;
    if (kind_ == kind::pack) whole = "store_vector(" + to + ", " + x + "); ";
    for (int i = 0; i < piece_count() && kind_ != kind::pack; ++i) {
      whole +=
          filled_in("reinterpret_cast<$V*>($to)[$i] = ", {{"V", piece_}, {"to", to}, {"i", std::to_string(i)}});
      whole += (kind_ == kind::words ? words(x, i) : piece(x, i)) + "; ";
    }
    return "  if (" + one + ") { " + first + "} else { " + whole + "}\n";
  }

 private:
  enum class kind {
    single,   // one element
    members,  // of CUDA's vectors
    words,    // of two elements each
    pack
  };

  /// What the names of CUDA's vectors start with, for the types that fill 16 bytes with two or four.
  GNP_INLINE static const char* stem_of(dtype type) {
    switch (type) {
      case dtype::int32:
        return "int";
      case dtype::uint32:
        return "uint";
      case dtype::int64:
        return "longlong";
      case dtype::uint64:
        return "ulonglong";
      case dtype::float32:
        return "float";
      case dtype::float64:
        return "double";
      default:
        return nullptr;
    }
  }

  GNP_INLINE static kind kind_of(dtype type, int vector) {
    if (vector == 1) return kind::single;
    if (type == dtype::float16 || type == dtype::bfloat16) return kind::words;
    return stem_of(type) != nullptr ? kind::members : kind::pack;
  }

  /// Element e of the variables that made() makes.
  [[gnu::cold]] GNP_INLINE std::string result(const std::string& x, int e) const {
    if (kind_ == kind::pack) return x + ".v[" + std::to_string(e) + "]";
    return kind_ == kind::words ? x + "_" + std::to_string(e) : member(x, e);
  }

  int piece_count() const { return vector_ / in_piece_; }
  [[gnu::cold]] std::string piece(const std::string& x, int i) const {
    return piece_count() > 1 ? x + "_" + std::to_string(i) : x;
  }

  /// The variable or member that holds element e: the element itself, or a word with two of them.
  [[gnu::cold]] GNP_INLINE std::string member(const std::string& x, int e) const {
    const std::string name = piece(x, e / in_piece_);
    const int within = kind_ == kind::words ? e % in_piece_ / 2 : e % in_piece_;
    return kind_ == kind::single || piece_ == "unsigned" ? name : name + "." + "xyzw"[within];
  }

  /// Piece i of the results, in words.
  [[gnu::cold]] GNP_INLINE std::string words(const std::string& x, int i) const {
    std::string text = piece_ + "{";
    for (int e = i * in_piece_; e < (i + 1) * in_piece_; e += 2)
      text += "word(" + result(x, e) + ", " + result(x, e + 1) + "), ";
    return text + "}";
  }

  std::string element_;
  std::string piece_;  // the type in which they are loaded and stored
  kind kind_;
  int vector_;
  int in_piece_;  // elements
};

}}}  // namespace gnp::GNP_ABI::detail
