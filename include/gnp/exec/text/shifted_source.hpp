// SPDX-License-Identifier: MIT
// The kernel for rows that are not aligned: shifted views, rows of odd lengths, parts of arrays.
//
// In each row, vectors begin where those of the destination's memory begin, so that every store except a row's
// first and last is a whole vector. An input's elements for such a vector may be unaligned: they are assembled
// from the whole vectors of memory that contain them.
#pragma once

#include <gnp/exec/elementwise/plan.hpp>
#include <gnp/exec/text/access.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/filled_in.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* shifted_kernel_text = R"(
struct surroundings {
  long long length;  // of a row, in elements
  long long rows;    // above each other
  unsigned long long block[slots][2];  // where the memory that a slot is in begins and ends
};

// The elements from a thread's first one to the last that is `Reach` further than its vector, of views of one array
// that are shifted by that much at most. In memory's vectors first; then they are moved to the front, unless it is
// known how far from the front they are: `Before` is that many bytes, or -1.
template <int Size, int Reach, int Before> struct window {
  static constexpr int piece_bytes = Size * vector < 16 ? Size * vector : 16;
  static constexpr int bytes = Size * (vector + Reach);
  static constexpr int pieces = ((Before < 0 ? piece_bytes - Size : Before) + bytes + piece_bytes - 1) / piece_bytes;
  static constexpr int words = pieces * piece_bytes / 4;
  static constexpr int skipped = Before < 0 ? 0 : Before;
  using piece = typename raw<piece_bytes>::type;
  union {
    piece whole[pieces];
    unsigned word[words];
  };
  int before;
  window() {}

  static bool within(const unsigned long long* block, const void* first_element) {
    const auto address = reinterpret_cast<unsigned long long>(first_element);
    const unsigned long long first = address - address % piece_bytes;
    const unsigned long long end = (address + bytes + piece_bytes - 1) / piece_bytes * piece_bytes;
    return first >= block[0] && end <= block[1];
  }
  void load(const void* first_element) {
    before = Before < 0 ? static_cast<int>(reinterpret_cast<unsigned long long>(first_element) % piece_bytes) : Before;
    const piece* from = reinterpret_cast<const piece*>(static_cast<const char*>(first_element) - before);
    #pragma unroll
    for (int i = 0; i < pieces; ++i) {
      if (i + 1 < pieces || before + bytes > i * piece_bytes) whole[i] = from[i];
    }
  }
  void move() {
    if (Before >= 0) return;
    if (piece_bytes == 16 && Size < 16) {
      #pragma unroll
      for (int i = 0; i + 2 < words; ++i) word[i] = (before & 8) != 0 ? word[i + 2] : word[i];
    }
    if (piece_bytes >= 8 && Size < 8) {
      #pragma unroll
      for (int i = 0; i + 1 < words; ++i) word[i] = (before & 4) != 0 ? word[i + 1] : word[i];
    }
    if (Size < 4) {
      #pragma unroll
      for (int i = 0; i + 1 < words; ++i) word[i] = __funnelshift_r(word[i], word[i + 1], before * 8);
      word[words - 1] >>= before % 4 * 8;
    }
  }
};

template <class T, int Ahead, class Window> inline pack<T> cut(const Window& from) {
  constexpr int words = pack<T>::bytes / 4;
  constexpr int skip = Window::skipped + Ahead * sizeof(T);
  union {
    typename pack<T>::piece whole[pack<T>::pieces];
    unsigned word[words];
  };
  #pragma unroll
  for (int i = 0; i < words; ++i) {
    constexpr int last = Window::words - 1;
    const int low = i + skip / 4;
    word[i] = skip % 4 == 0 ? from.word[low] : __funnelshift_r(from.word[low], from.word[low < last ? low + 1 : last], skip % 4 * 8);
  }
  pack<T> x;
  #pragma unroll
  for (int i = 0; i < pack<T>::pieces; ++i) x.whole[i] = whole[i];
  return x;
}

// Four elements of 8 bits.
template <class T> inline unsigned word_of(const pack<T>& x, int i) { return reinterpret_cast<const unsigned*>(x.whole)[i]; }
template <class T> inline void set_word(pack<T>& x, int i, unsigned word) { reinterpret_cast<unsigned*>(x.whole)[i] = word; }

// A thread's part of a row: `vector` elements from at.c[rank - 1] on, of which those from `first` to `end` are its own.
struct stretch {
  place at;
  int first;
  int end;
};

// Of vector `number` of a row, which is cut short at the row's ends. Unless those elements go by a loop, the thread has
// elements of its neighbour there too, so that all it computes with are the row's.
inline void stretch_of(const arguments& p, const surroundings& s, stretch& part, offset_t number) {
  part.at.c[rank - 1] = 0;
  const value_t* row = reinterpret_cast<const value_t*>(p.data[0]) + offset_of<0, run>(p, part.at);
  const offset_t start = number * vector - static_cast<offset_t>(reinterpret_cast<unsigned long long>(row) / sizeof(value_t) % vector);
  const offset_t length = static_cast<offset_t>(s.length);
  const offset_t inside = ends_by_loop ? start : start < 0 ? 0 : start > length - vector ? length - vector : start;
  part.at.c[rank - 1] = inside;
  part.first = static_cast<int>((start < 0 ? 0 : start < length ? start : length) - inside);
  part.end = static_cast<int>((start + vector < length ? start + vector : length) - inside);
}

inline stretch located(const arguments& p, const surroundings& s, index_t block, int item) {
  stretch part;
  part.first = part.end = 0;
  if (across == 0) {
    const index_t n = block * ($threads * items) + threadIdx.x / 32 * (32 * items) + item * 32 + threadIdx.x % 32;
    if (n >= static_cast<index_t>(p.count)) return part;
    locate<0, rank>(p, part.at, n);
    stretch_of(p, s, part, part.at.c[rank - 1]);
    return part;
  }
  // Blocks take rows above each other, so that those they share are read once.
  constexpr int x = rank - 1, y = rank > 1 ? rank - 2 : 0;
  if (down_first) {
    const index_t rows = static_cast<index_t>(p.size[y]);
    const index_t rest = block / rows;
    part.at.c[y] = static_cast<offset_t>(block % rows);
    part.at.c[x] = static_cast<offset_t>(rest % static_cast<index_t>(p.size[x]));
    locate<0, rank - 2>(p, part.at, rest / static_cast<index_t>(p.size[x]));
  } else {
    locate<0, rank>(p, part.at, block);
  }
  const int thread = static_cast<int>(threadIdx.x);
  const offset_t number = part.at.c[x] * across + thread % across;
  part.at.c[y] = part.at.c[y] * above + thread / across;
  if (part.at.c[y] >= static_cast<offset_t>(s.rows)) return part;
  stretch_of(p, s, part, number);
  return part;
}

extern "C" __global__ void __launch_bounds__($threads) gnp_kernel(const __grid_constant__ arguments p, const __grid_constant__ surroundings s) {
  wait_for_results();
  stretch part[items];
  bool whole[items];
$declared  #pragma unroll
  for (int i = 0; i < items; ++i) {
    part[i] = located(p, s, blockIdx.x, i);
    const place& at = part[i].at;
    whole[i] = part[i].first < part[i].end;
    if (!whole[i]) continue;
    const offset_t offset0 = offset_of<0, run>(p, at);
    to0[i] = reinterpret_cast<value_t*>(p.data[0]) + offset0;
$placed    whole[i] = !ends_by_loop || (part[i].first == 0 && part[i].end == vector);
$within    if (whole[i]) {
$loaded    }
  }
  #pragma unroll
  for (int i = 0; i < items; ++i) {
    if (whole[i]) {
$moved$results    } else if (ends_by_loop || guarded) {
      #pragma unroll 1
      for (int e = part[i].first; e < part[i].end; ++e) {
$singles      }
    }
  }
}
)";

/// One vector of a result.
inline constexpr const char* shifted_result_text = R"(      {
        pack<$type> result;
        #pragma unroll
$computed        if (ends_by_loop || (part[i].first == 0 && part[i].end == vector)) {
          store_vector(to$slot[i], result);
        } else {
          #pragma unroll
          for (int e = 0; e < vector; ++e) if (e >= part[i].first && e < part[i].end) to$slot[i][e] = result.v[e];
        }
      }
)";

/// What the inputs add to the text of a shifted kernel: where they are, their loads and their elements.
class shifted_inputs_text {
 public:
  std::string declared = "  value_t* to0[items];\n";
  std::string placed;
  std::string placed_later;  // loaded by their leaders
  std::string within;
  std::string loaded;
  std::string moved;
  std::string elements;         // of a vector, for the function that computes a result
  std::string packed_elements;  // the same, four at a time
  std::string singles;          // the same for single elements at the ends of rows

  [[gnu::cold]] shifted_inputs_text(const kernel_plan& plan, const std::vector<dtype>& types)
      : plan_(plan), types_(types) {
    for (std::size_t slot = 1; slot < plan.slots; ++slot) {
      switch (plan.access[slot]) {
        case lane_access::written:
          elements += ", {}";
          singles += ", {}";
          break;
        case lane_access::counted:
          add_counted(slot);
          break;
        case lane_access::run:
          add_address(slot);
          add_window(slot);
          break;
        case lane_access::repeated:
          add_address(slot);
          add_repeated(slot);
          break;
        default:
          add_address(slot);
          add_strided(slot);
      }
    }
  }

 private:
  [[gnu::cold]] GNP_INLINE bool is_run(std::size_t slot) const {
    return plan_.access[slot] == lane_access::run;
  }

  /// How far the elements that are loaded together with a leader's reach ahead of its own.
  [[gnu::cold]] GNP_INLINE int reach_of(std::size_t leader) const {
    int reach = 0;
    for (std::size_t other = 1; other < plan_.slots && is_run(leader); ++other) {
      if (is_run(other) && plan_.shifted_slots[other].leader == leader)
        reach = (std::max)(reach, static_cast<int>(plan_.shifted_slots[other].ahead));
    }
    return reach;
  }

  [[gnu::cold]] GNP_INLINE std::string line(std::size_t slot, const char* text) const {
    const bool run = is_run(slot);
    const shifted_slot& how = plan_.shifted_slots[slot];
    return filled_in(text, {{"slot", std::to_string(slot)},
                            {"type", device_name(types_[slot])},
                            {"size", std::to_string(itemsize(types_[slot]))},
                            {"reach", std::to_string(reach_of(slot))},
                            {"before", std::to_string(run && plan_.shifted.aligned ? how.before : -1)},
                            {"leader", std::to_string(run ? how.leader : slot)},
                            {"like", std::to_string(run ? how.like : slot)},
                            {"access", run ? "run" : "strided"},
                            {"ahead", std::to_string(run ? how.ahead : 0)}});
  }

  /// A position, which is not in memory.
  [[gnu::cold]] GNP_INLINE void add_counted(std::size_t slot) {
    declared += line(slot, "  long long x$slot[items];\n");
    placed += line(
        slot, "    x$slot[i] = static_cast<long long>(p.data[$slot]) + offset_of<$slot, strided>(p, at);\n");
    elements += line(slot, ", x$slot[i] + e * p.stride[$slot][rank - 1]");
    singles += line(slot, ", x$slot[i] + e * p.stride[$slot][rank - 1]");
  }

  /// Where a thread's first element is.
  [[gnu::cold]] GNP_INLINE void add_address(std::size_t slot) {
    const bool leads = !is_run(slot) || plan_.shifted_slots[slot].leader == slot;
    const bool has_offset = !is_run(slot) || plan_.shifted_slots[slot].like == slot;
    declared += line(slot, "  const $type* from$slot[items];\n");
    if (has_offset)
      placed += line(slot, "    const offset_t offset$slot = offset_of<$slot, $access>(p, at);\n");
    if (leads) {
      placed += line(slot, "    from$slot[i] = reinterpret_cast<const $type*>(p.data[$slot]) + offset$like;\n");
    } else {
      placed_later +=
          line(slot, "    from$slot[i] = reinterpret_cast<const $type*>(from$leader[i]) + $ahead;\n");
    }
  }

  /// Elements that follow each other, cut from the window that their leader loads.
  [[gnu::cold]] GNP_INLINE void add_window(std::size_t slot) {
    if (plan_.shifted_slots[slot].leader == slot) {
      declared += line(slot, "  window<$size, $reach, $before> w$slot[items];\n");
      if (plan_.shifted.guarded) {
        within += line(slot,
                       "    whole[i] = whole[i] && window<$size, $reach, $before>::within(s.block[$slot], "
                       "from$slot[i]);\n");
      }
      loaded += line(slot, "      w$slot[i].load(from$slot[i]);\n");
      moved = line(slot, "      w$slot[i].move();\n") + moved;
    }
    moved += line(slot, "      const pack<$type> x$slot = cut<$type, $ahead>(w$leader[i]);\n");
    elements += line(slot, ", element(x$slot, e)");
    packed_elements += line(slot, ", word_of(x$slot, e)");
    singles += line(slot, ", from$slot[i][e]");
  }

  [[gnu::cold]] GNP_INLINE void add_repeated(std::size_t slot) {
    declared += line(slot, "  $type x$slot[items];\n");
    placed += line(slot, "    x$slot[i] = *from$slot[i];\n");
    elements += line(slot, ", x$slot[i]");
    packed_elements += line(slot, ", four(x$slot[i])");
    singles += line(slot, ", x$slot[i]");
  }

  [[gnu::cold]] GNP_INLINE void add_strided(std::size_t slot) {
    declared += line(slot, "  pack<$type> x$slot[items];\n");
    loaded += line(slot,
                   "      for (int e = 0; e < vector; ++e) x$slot[i].v[e] = from$slot[i][e * "
                   "static_cast<offset_t>(p.stride[$slot][rank - 1])];\n");
    elements += line(slot, ", element(x$slot[i], e)");
    packed_elements += line(slot, ", word_of(x$slot[i], e)");
    singles += line(slot, ", from$slot[i][e * static_cast<offset_t>(p.stride[$slot][rank - 1])]");
  }

  const kernel_plan& plan_;
  const std::vector<dtype>& types_;
};

/// A result of a kernel: the function that computes it, and the slot where it is stored.
struct stored_result {
  std::string function;
  std::size_t slot;
};

/// The whole kernel. `packed` computes four elements at once, in a kernel of one result.
[[gnu::cold]] GNP_INLINE std::string shifted_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                                  const std::vector<stored_result>& results,
                                                  const std::string& packed = {}) {
  const shifted_inputs_text inputs(plan, types);
  std::string declared = inputs.declared;
  std::string stored;
  const std::string constants = filled_in(
      "constexpr int across = $across;\nconstexpr int above = $above;\n"
      "constexpr bool down_first = $down_first;\n"
      "constexpr bool ends_by_loop = $ends_by_loop;\nconstexpr bool guarded = $guarded;\n",
      {{"across", std::to_string(plan.shifted.across)},
       {"above", std::to_string(plan.shifted.above)},
       {"down_first", plan.shifted.down_first ? "true" : "false"},
       {"ends_by_loop", plan.shifted.ends_by_loop ? "true" : "false"},
       {"guarded", plan.shifted.guarded ? "true" : "false"}});
  // Results that loops compute are stored when all of them are complete, because a result may be in memory that
  // another one reads.
  std::string vectors, alone, alone_stored;
  for (const stored_result& result : results) {
    const auto line = [&](const char* text) {
      return filled_in(text, {{"slot", std::to_string(result.slot)},
                              {"type", device_name(types[result.slot])},
                              {"function", result.function},
                              {"elements", inputs.elements},
                              {"packed", inputs.packed_elements},
                              {"singles", inputs.singles}});
    };
    if (result.slot != 0) {
      declared += line("  $type* to$slot[items];\n");
      stored += line("    to$slot[i] = reinterpret_cast<$type*>(p.data[$slot]) + offset0;\n");
    }
    vectors +=
        filled_in(shifted_result_text,
                  {{"computed",
                    line(packed.empty()
                             ? "        for (int e = 0; e < vector; ++e) result.v[e] = $function(p$elements);\n"
                             : "        for (int e = 0; e < vector / 4; ++e) set_word(result, e, "
                               "compute_packed(p$packed));\n")},
                   {"slot", std::to_string(result.slot)},
                   {"type", device_name(types[result.slot])}});
    alone += line("        const $type y$slot = $function(p$singles);\n");
    alone_stored += line("        to$slot[i][e] = y$slot;\n");
  }
  return packed + constants +
         filled_in(shifted_kernel_text, {{"threads", std::to_string(plan.threads)},
                                         {"declared", declared},
                                         {"placed", stored + inputs.placed + inputs.placed_later},
                                         {"within", inputs.within},
                                         {"loaded", inputs.loaded},
                                         {"moved", inputs.moved},
                                         {"results", vectors},
                                         {"singles", alone + alone_stored}});
}

}}}  // namespace gnp::GNP_ABI::detail
