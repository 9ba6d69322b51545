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
#include <gnp/exec/text/flat_lanes.hpp>

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

/// The parts of the kernel's text, which flat_text puts together.
class flat_source {
 public:
  /// `packed` is the function that computes four elements of 8 bits; it may be empty.
  flat_source(const kernel_plan& plan, const std::vector<dtype>& types, const std::string& packed)
      : plan_(plan), types_(types) {
    bool in_packs = true;
    for (std::size_t slot = 0; slot < plan.slots; ++slot) {
      lanes_.emplace_back(types[slot], plan.vector);
      in_packs = in_packs && (lanes_[slot].in_packs() || plan.access[slot] == lane_access::repeated);
    }
    if (in_packs) packed_ = packed;
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
    return text + packed_;
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
    std::string text;
    if (i > 0) text += numbered("  if (n$i >= count) return;\n", i);
    text += packed_.empty() ? lanes_[0].made(numbered("result$i", i), calls(i)) : made_of_words(i);
    text += numbered("  value_t* to$i = reinterpret_cast<value_t*>(p.data[0]) + at$i;\n", i);
    return text + lanes_[0].stored(numbered("result$i", i), numbered("to$i", i), numbered("one$i", i));
  }

 private:
  [[gnu::cold]] GNP_INLINE std::vector<std::string> calls(int i) const {
    std::vector<std::string> calls;
    for (int e = 0; e < plan_.vector; ++e) {
      std::string call = "compute(p";
      for (std::size_t slot = 1; slot < plan_.slots; ++slot) call += ", " + operand(slot, i, e);
      calls.push_back(call + ")");
    }
    return calls;
  }
  [[gnu::cold]] GNP_INLINE std::string made_of_words(int i) const {
    std::string words;
    for (std::size_t slot = 1; slot < plan_.slots; ++slot) {
      words += plan_.access[slot] == lane_access::repeated ? named(", four(x$slot)", slot)
                                                           : named(", word_of(x$slot_$i, e)", slot, i);
    }
    return filled_in(
        "  pack<$type> result$i;\n"
        "  for (int e = 0; e < vector / 4; ++e) set_word(result$i, e, compute_packed_0(p$words));\n",
        {{"type", device_name(types_[0])}, {"i", std::to_string(i)}, {"words", words}});
  }

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
  std::string packed_;
};

/// For each vector of a thread, first its place, then its loads, and then what is computed from them, so that
/// all loads are issued before the kernel waits for the first.
[[gnu::cold]] GNP_INLINE std::string flat_text(const kernel_plan& plan, const std::vector<dtype>& types,
                                               const std::string& packed) {
  const flat_source source(plan, types, packed);
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
