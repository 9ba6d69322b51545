// SPDX-License-Identifier: MIT
// The flat kernel: one axis along which every operand is a run, one element or positions, as in most
// expressions. Threads take whole vectors; each element that is left over has its own thread.
//
// Most of a compilation's time is spent on reducing general code to the few instructions that remain. This text
// is already close to them: it has vectors of CUDA's own types, a statement for each element, and templates
// only for elements that CUDA has no vectors of. (x - y) * (x - y) / (1 + x * x) + 1 in float takes it 33 ms,
// where loops over the elements of a union and templated functions took 37 (NVRTC 13.0, one core).
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/access.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/filled_in.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* flat_kernel_text = R"(
extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p) {
  wait_for_results();
  const index_t count = static_cast<index_t>(p.count);
  const index_t whole = static_cast<index_t>(p.size[0]) / vector;
  const index_t n0 = static_cast<index_t>(blockIdx.x) * ($threads * items) + threadIdx.x / 32 * (32 * items) + threadIdx.x % 32;
  if (n0 >= count) return;
$places$loads$stores}
)";

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

/// The parts of the kernel's text, which flat_text puts together.
class flat_source {
 public:
  flat_source(const kernel_plan& plan, const std::vector<dtype>& types) : plan_(plan), types_(types) {
    for (const dtype type : types) lanes_.emplace_back(type, plan.vector);
  }

  /// The functions that operands need, each once.
  [[gnu::cold]] GNP_INLINE std::string helpers() const {
    std::string text;
    for (std::size_t slot = 0; slot < plan_.slots; ++slot) {
      const flat_lanes& l = lanes_[slot];
      if (slot > 0 && plan_.access[slot] != lane_access::run) continue;
      if (l.in_packs() && text.find(pack_text) == std::string::npos) text += pack_text;
      if (text.find(l.helpers()) == std::string::npos) text += l.helpers();
    }
    return text;
  }

  /// Loads the inputs that are one element.
  [[gnu::cold]] GNP_INLINE std::string loads_of_all_vectors() const {
    std::string text;
    for (std::size_t slot = 1; slot < plan_.slots; ++slot) {
      if (plan_.access[slot] == lane_access::repeated) {
        text += named("  const $type x$slot = *reinterpret_cast<const $type*>(p.data[$slot]);\n", slot);
      }
    }
    return text;
  }

  /// Says where the thread's vector i is, which may be a single element instead.
  [[gnu::cold]] GNP_INLINE std::string place(int i) const {
    std::string text;
    if (i > 0) text += numbered("  const index_t n$i = n0 + $i * 32;\n", i);
    text += numbered("  const bool one$i = n$i >= whole;\n  const index_t at$i = ", i);
    if (i > 0) text += numbered("n$i >= count ? 0 : ", i);  // a thread's first vector is there
    return text + numbered("one$i ? n$i + whole * (vector - 1) : n$i * vector;\n", i);
  }

  /// Loads vector i of every input.
  [[gnu::cold]] GNP_INLINE std::string loads(int i) const {
    std::string text;
    for (std::size_t slot = 1; slot < plan_.slots; ++slot) {
      if (plan_.access[slot] == lane_access::run) {
        text += lanes_[slot].loaded(named("x$slot_$i", slot, i),
                                    named("reinterpret_cast<const $type*>(p.data[$slot]) + at$i", slot, i),
                                    numbered("one$i", i));
      } else if (plan_.access[slot] == lane_access::counted) {
        text += named(
            "  const long long x$slot_$i = static_cast<long long>(p.data[$slot]) + "
            "static_cast<long long>(at$i) * p.stride[$slot][0];\n",
            slot, i);
      }
    }
    return text;
  }

  /// Computes the results of vector i and stores them.
  [[gnu::cold]] GNP_INLINE std::string stores(int i) const {
    std::vector<std::string> calls;
    for (int e = 0; e < plan_.vector; ++e) {
      std::string call = "compute(p";
      for (std::size_t slot = 1; slot < plan_.slots; ++slot) call += ", " + operand(slot, i, e);
      calls.push_back(call + ")");
    }
    std::string text;
    if (i > 0) text += numbered("  if (n$i >= count) return;\n", i);
    text += lanes_[0].made(numbered("result$i", i), calls);
    text += numbered("  value_t* to$i = reinterpret_cast<value_t*>(p.data[0]) + at$i;\n", i);
    return text + lanes_[0].stored(numbered("result$i", i), numbered("to$i", i), numbered("one$i", i));
  }

 private:
  /// Element e of an input's vector i.
  [[gnu::cold]] GNP_INLINE std::string operand(std::size_t slot, int i, int e) const {
    if (plan_.access[slot] == lane_access::repeated) return named("x$slot", slot);
    const std::string x = named("x$slot_$i", slot, i);
    if (plan_.access[slot] == lane_access::run) return lanes_[slot].operand(x, e);
    return x + " + " + std::to_string(e) + named(" * p.stride[$slot][0]", slot);
  }

  [[gnu::cold]] GNP_INLINE std::string numbered(const char* text, int i) const {
    return filled_in(text, {{"i", std::to_string(i)}});
  }
  [[gnu::cold]] GNP_INLINE std::string named(const char* text, std::size_t slot, int i = 0) const {
    return filled_in(
        text, {{"slot", std::to_string(slot)}, {"type", device_name(types_[slot])}, {"i", std::to_string(i)}});
  }

  const kernel_plan& plan_;
  const std::vector<dtype>& types_;
  std::vector<flat_lanes> lanes_;
};

/// For each vector of a thread, first its place, then its loads, and then what is computed from them, so that
/// all loads are issued before the kernel waits for the first.
[[gnu::cold]] GNP_INLINE std::string flat_text(const kernel_plan& plan, const std::vector<dtype>& types) {
  const flat_source source(plan, types);
  std::string places;
  std::string loads = source.loads_of_all_vectors();
  std::string stores;
  for (int i = 0; i < plan.items; ++i) {
    places += source.place(i);
    loads += source.loads(i);
    stores += source.stores(i);
  }
  return source.helpers() + filled_in(flat_kernel_text, {{"threads", std::to_string(plan.threads)},
                                                         {"places", places},
                                                         {"loads", loads},
                                                         {"stores", stores}});
}

}}}  // namespace gnp::GNP_ABI::detail
