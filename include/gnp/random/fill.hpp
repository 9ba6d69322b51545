// SPDX-License-Identifier: MIT
// Fills a new array from a distribution, on the CPU or a GPU.
#pragma once

#include <algorithm>
#include <gnp/array/array.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/random/kernel.hpp>
#include <gnp/random/philox.hpp>
#include <gnp/random/philox_vectors.hpp>

// The loops are compiled a second time for the processors of the last ten years, which have the fused
// multiply-add that the distributions need. On other processors a function of the C library does it. The
// numbers are the same.
#if defined(__x86_64__) && !defined(__FMA__) && !defined(GNP_PLAIN_LOOPS)
#define GNP_RANDOM_TWICE 1
#else
#define GNP_RANDOM_TWICE 0
#endif
// May the only version use AVX2's vectors?
#if defined(__AVX2__) && !GNP_RANDOM_TWICE
#define GNP_RANDOM_WIDE true
#else
#define GNP_RANDOM_WIDE false
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// One call's share of a generator, and the device of its array.
struct random_call {
  numbers_of_call numbers;
  gnp::device where;

  random_call inner(std::uint64_t k) const { return {numbers.inner(k), where}; }
};

/// The source of what the host draws, or a GPU with the host's help.
GNP_INLINE scalar::random_source source_for_host(const random_call& call) {
#if GNP_HAS_CUDA
  if (call.numbers.recorded != nullptr)
    throw_not_recorded(
        "orders and samples without replacement would be the same at each replay: draw them before, into an "
        "array that the graph reads");
#endif
  return call.numbers.from(0);
}

/// The words of `count` groups, or of half groups if an element takes two words.
template <bool in_vectors, std::uint32_t words, std::uint32_t count>
[[gnu::always_inline]] inline void write_words(const scalar::random_source& from, std::uint32_t first,
                                               std::uint32_t* __restrict out) {
#if GNP_VECTOR_PRODUCTS
  if constexpr (in_vectors && count % 4 == 0) return write_words_in_vectors<words, count>(from, first, out);
#endif
  for (std::uint32_t j = 0; j < count; ++j) {
    const scalar::words4 w = words == 1 ? from.group(first + j) : from.half_group(first + j);
    out[4 * j] = w.x;
    out[4 * j + 1] = w.y;
    out[4 * j + 2] = w.z;
    out[4 * j + 3] = w.w;
  }
}

/// Fills `tile` groups from `first` on: first all their words, then the elements, so that each loop is simple.
template <bool in_vectors, std::uint32_t tile, class Draw, class T>
[[gnu::always_inline]] inline void fill_tile(const Draw draw, const scalar::random_source& from,
                                             std::uint32_t first, T* __restrict out) {
  constexpr std::uint32_t words = Draw::words;
  std::uint32_t drawn[4 * words * tile];
  write_words<in_vectors, words, words * tile>(from, words * first, drawn);
  for (std::uint32_t j = 0; j < 2 * tile; ++j) {
    const std::uint32_t* w = drawn + 2 * words * j;
    draw(scalar::draw_place{from, first + j / 2, 2 * (j % 2)},
         scalar::words4{w[0], w[1], words == 1 ? 0 : w[2 * words - 2], words == 1 ? 0 : w[2 * words - 1]},
         out + 2 * j);
  }
}

/// Draws that reject, but whose first try is made in tiles: see first_tries.hpp.
template <class Draw>
struct tries_in_tiles {
  static constexpr bool known = false;
};

/// Other laws that reject take a different time for each element, so tiles would bring no gain and would only
/// compile them twice.
template <class Draw>
#if defined(GNP_PLAIN_LOOPS)
inline constexpr bool drawn_in_tiles = false;
#else
inline constexpr bool drawn_in_tiles = tries_in_tiles<Draw>::known || !requires { requires Draw::rejects; };
#endif

/// Groups [begin, end) of a source.
template <bool in_tiles, bool in_vectors, class Draw, class T>
[[gnu::always_inline]] inline void fill_groups_inline(const Draw& draw, const scalar::random_source& source,
                                                      std::uint32_t begin, std::uint32_t end, T* out) {
  constexpr std::uint32_t tile = 64;  // a constant: then the loops need no ends of fewer elements
  const scalar::random_source from = source;
  if constexpr (in_tiles && tries_in_tiles<Draw>::known) {
    // The last groups are made as a whole tile, which takes no longer than a quarter of it one by one.
    constexpr std::uint32_t fewest = tile / 4;
    const bool possible = tries_in_tiles<Draw>::possible(draw);
    for (; possible && end - begin >= fewest; begin += tile, out += 4 * tile) {
      const bool whole = end - begin >= tile;
      T rest[4 * tile];
      tries_in_tiles<Draw>::template fill<in_vectors, tile>(draw, from, begin, whole ? out : rest);
      if (whole) continue;
      std::copy(rest, rest + 4 * (end - begin), out);
      return;
    }
  } else if constexpr (in_tiles) {
    for (; end - begin >= tile; begin += tile, out += 4 * tile)
      fill_tile<in_vectors, tile>(draw, from, begin, out);
  }
  for (; begin != end; ++begin, out += 4) fill_tile<in_vectors, 1>(draw, from, begin, out);
}

/// Uses tiles only if there is no version for fused multiply-add. If there is one, few processors run this
/// version.
template <class Draw, class T>
GNP_LOOP [[gnu::flatten]] void fill_groups_anywhere(const Draw& draw, const scalar::random_source& source,
                                                    std::uint32_t begin, std::uint32_t end, T* out) {
  fill_groups_inline<drawn_in_tiles<Draw> && !GNP_RANDOM_TWICE, GNP_RANDOM_WIDE>(draw, source, begin, end, out);
}

#if GNP_RANDOM_TWICE
template <class Draw, class T>
GNP_LOOP [[gnu::flatten, gnu::target("avx2,fma")]] void fill_groups_fused(const Draw& draw,
                                                                          const scalar::random_source& source,
                                                                          std::uint32_t begin,
                                                                          std::uint32_t end, T* out) {
  fill_groups_inline<drawn_in_tiles<Draw>, true>(draw, source, begin, end, out);
}
#endif

#if GNP_RANDOM_TWICE
/// Has the processor what the second version needs?
inline bool random_is_fused() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

template <class Draw, class T>
void fill_groups(const Draw& draw, const scalar::random_source& source, std::uint32_t begin, std::uint32_t end,
                 T* out) {
#if GNP_RANDOM_TWICE
  if (random_is_fused()) return fill_groups_fused(draw, source, begin, end, out);
#endif
  fill_groups_anywhere(draw, source, begin, end, out);
}

template <class T, class Draw>
void fill_on_cpu(const Draw& draw, const numbers_of_call& numbers, T* out, index_t count) {
  constexpr index_t grain = 1 << 12;  // the number of groups for which a separate thread is worthwhile
  constexpr auto most = static_cast<index_t>(4 * groups_of_a_source);
  for (index_t done = 0; done < count; done += most) {
    const index_t now = (std::min)(count - done, most);
    const scalar::random_source source = numbers.from(static_cast<std::uint64_t>(done) / 4);
    parallel_for(now / 4, grain, [&](index_t begin, index_t end) {
      fill_groups(draw, source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                  out + done + 4 * begin);
    });
    if (now % 4 == 0) continue;
    T last[4];
    const auto group = static_cast<std::uint32_t>(now / 4);
    fill_groups(draw, source, group, group + 1, last);
    std::copy(last, last + now % 4, out + done + now / 4 * 4);
  }
}

/// `name` is Draw's name in the kernel text, where T is called result_t. `reads` are the blocks that Draw
/// reads; null ones are ignored.
template <element T, class Draw>
array<T> drawn(const random_call& call, const char* function, std::string_view name, const Draw& draw,
               const shape_t& shape, [[maybe_unused]] std::initializer_list<storage*> reads = {}) {
  array<T> result(shape, call.where, function);
  if (result.size() == 0) return result;
  const watched_work watched(
      call.where, [&] { return facts_of(function, dtype_of<T>, static_cast<std::size_t>(result.nbytes())); });
  if (call.where.is_cpu()) {
    fill_on_cpu(draw, call.numbers, result.data(), result.size());
  } else {
#if GNP_HAS_CUDA
    fill_on_gpu(name, draw, call.numbers, reads, *result.block().get(), result.data(), result.size());
#else
    static_cast<void>(name);
#endif
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
