// SPDX-License-Identifier: MIT
// Sorts rows on a GPU, without C++ types: the choice of kernels, the memory through which they communicate, and
// the launches.
#pragma once

#include <gnp/core/config.hpp>
#include <gnp/core/whole_numbers.hpp>
#if GNP_HAS_CUDA

#include <gnp/cuda/kernel.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/sort/sort_request.hpp>
#include <gnp/exec/text/sort_source.hpp>
#include <gnp/memory/submission.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The longest row that a single block sorts: the row must fit in its shared memory.
constexpr index_t most_in_block(dtype type) { return itemsize(type) > 8 ? 2048 : 4096; }

/// The kernel in which a block sorts rows of up to 2^log2 elements.
constexpr sort_variant block_variant(dtype type, bool with_places, int log2) {
  return {.step = sort_step::block,
          .type = type,
          .with_places = with_places,
          .threads = log2 == 9    ? 64
                     : log2 == 10 ? 128
                                  : 256,
          .items = log2 == 12 ? 16 : 8};
}
constexpr sort_variant lanes_variant(dtype type, bool with_places, int log2) {
  return {.step = sort_step::lanes,
          .type = type,
          .with_places = with_places,
          .items = log2 > 5 ? 1 << (log2 - 5) : 1,
          .lanes = log2 > 5 ? 32 : 1 << log2};
}
/// One pass over rows of any length. A multiprocessor holds three blocks at a time, with as many items as their
/// registers hold. On an H200, for 2^26 elements (ms): int32 1.30 with 23 items, 1.32 with 20, 1.36 with two
/// blocks of 28; int64 3.60 with 12 items, 3.76 with 11, 3.99 with 15 in smaller blocks or 11 in larger ones;
/// float32's places 2.25 with 18 items, 2.76 with two blocks of 20.
constexpr sort_variant pass_variant(dtype type, bool with_places, bool wide, bool upper_half = false) {
  const std::size_t place = with_places ? (wide ? 8 : 4) : 1;
  const std::size_t carried = upper_half ? 4 : itemsize(type);
  const std::size_t widest = carried > place ? carried : place;
  return {.step = sort_step::pass,
          .type = type,
          .with_places = with_places,
          .upper_half = upper_half,
          .wide = wide,
          .threads = 384,
          .items = widest <= 2   ? 28
                   : widest == 4 ? (with_places ? 18 : 23)
                   : widest == 8 ? (with_places ? 10 : 12)
                                 : 5,
          .resident = 3};
}

GNP_INLINE CUfunction sort_kernel(device_kernel& kernel, const gpu& device, const sort_variant& variant) {
  return kernel.on(device, [&variant] { return sort_kernel_source(variant); });
}

/// Rows of a few elements, in one launch.
GNP_INLINE void sort_short_rows(const submission& work, const sort_request& r, const sort_arguments& a) {
  int log2 = 1;
  while ((index_t{1} << log2) < r.length) ++log2;
  const bool by_lanes = log2 <= 8;
  if (!by_lanes && log2 < 9) log2 = 9;
  const sort_variant v =
      by_lanes ? lanes_variant(r.type, r.with_places, log2) : block_variant(r.type, r.with_places, log2);
  const int places = r.with_places ? 1 : 0;
  device_kernel& kernel = by_lanes ? r.kernels->lanes[places][log2 - 1] : r.kernels->block[places][log2 - 9];
  const std::uint64_t blocks = by_lanes ? divided_up(a.rows * static_cast<unsigned>(v.lanes), 256) : a.rows;
  if (blocks > most_blocks)
    throw error(std::string(r.function) + ": " + std::to_string(r.rows) +
                " rows are more than one launch can cover");
  void* to = r.with_places ? nullptr : r.to;
  void* result = r.with_places ? r.to : nullptr;
  work.launch(sort_kernel(kernel, work.device(), v),
              {.blocks = blocks, .threads = static_cast<unsigned>(v.threads), .early = true}, a, r.from, to,
              result);
}

/// Rows of any length: count, then a pass for each byte of the keys. Only the GPU knows which bytes need a
/// pass, so all passes are launched, and those that are not needed return immediately.
GNP_INLINE void sort_long_rows(const submission& work, const sort_request& r, sort_arguments a) {
  const bool wide = r.length >= index_t{1} << 29;
  const std::uint64_t count_size = wide ? 8 : 4;
  const auto bytes = static_cast<std::uint64_t>(itemsize(r.type));  // also of a key
  const bool has_halves = r.with_places && bytes == 8;
  const auto upper_half = [&](std::uint64_t byte) { return has_halves && byte >= 4; };
  const auto tiles_of = [&](const sort_variant& v) {
    return divided_up(a.length, static_cast<std::uint64_t>(v.threads) * static_cast<std::uint64_t>(v.items));
  };
  const sort_variant pass = pass_variant(r.type, r.with_places, wide);
  const std::uint64_t tiles = tiles_of(pass);  // at most, because a tile holds more upper halves
  const std::uint64_t elements = a.rows * a.length;
  if (a.rows * tiles > most_blocks || a.rows * bytes > most_blocks)
    throw error(std::string(r.function) + ": " + std::to_string(elements) +
                " elements are more than one launch can cover");

  // The counts, the bits of `mixed`, and for each pass the notices of its tiles. All are zero at the beginning.
  const auto room = [&](std::uint64_t size) { return divided_up(size, 256) * 256; };
  const std::uint64_t starts_size = a.rows * bytes * 256 * count_size;
  const std::uint64_t mixed_size = room(a.rows * sizeof(unsigned));
  const std::uint64_t notices_size = a.rows * tiles * 256 * count_size;
  const std::uint64_t zero_size = starts_size + mixed_size + notices_size * bytes;
  const std::uint64_t elements_size = bytes > 1 ? room(elements * bytes) : 0;
  const std::uint64_t places_size = r.with_places && bytes > 1 ? room(elements * count_size) : 0;
  const storage_ref memory = storage_ref::allocate(
      room(zero_size) + elements_size * (r.with_places ? 2 : 1) + places_size * 2, r.to_block->device);
  const std::uint64_t zeros = address_of(memory->data);
  sort_memory m;
  m.original = address_of(r.from);
  m.odd = zeros + room(zero_size);
  m.even = r.with_places ? m.odd + elements_size : address_of(r.to);
  m.places_odd = m.odd + elements_size * 2;
  m.places_even = m.places_odd + places_size;
  m.result = address_of(r.to);
  work.writes(*memory.get());
  GNP_CUDA_CALL(cuMemsetD8Async, zeros, 0, zero_size, work.handle());

  const int is_wide = wide ? 1 : 0;
  sort_variant v = pass;
  v.with_places = false;
  v.threads = 256;
  v.items = 1;
  v.step = sort_step::count;
  const std::uint64_t most_useful =
      divided_up(static_cast<std::uint64_t>(work.device().multiprocessors) * 8, a.rows);
  a.parts = (std::max)(std::uint64_t{1}, (std::min)(divided_up(a.length, 2048), most_useful));
  const std::uint64_t starts = zeros;
  const std::uint64_t mixed = starts + starts_size;
  work.launch(sort_kernel(r.kernels->count[is_wide], work.device(), v),
              {.blocks = a.rows * a.parts, .early = true}, a, r.from, starts);
  v.step = sort_step::starts;
  work.launch(sort_kernel(r.kernels->starts[is_wide], work.device(), v),
              {.blocks = a.rows * bytes, .early = true}, a, starts, mixed);

  for (std::uint64_t byte = 0; byte < bytes; ++byte) {
    const sort_variant p = pass_variant(r.type, r.with_places, wide, upper_half(byte));
    device_kernel& kernel =
        upper_half(byte) ? r.kernels->upper_pass[is_wide] : r.kernels->pass[r.with_places ? 1 : 0][is_wide];
    a.parts = tiles_of(p);
    a.byte = static_cast<int>(byte);
    work.launch(sort_kernel(kernel, work.device(), p),
                {.blocks = a.rows * a.parts, .threads = static_cast<unsigned>(p.threads), .early = true}, a, m,
                starts, mixed, mixed + mixed_size + notices_size * byte);
  }
}

GNP_INLINE void sort_rows_on_gpu(const sort_request& r) {
  const submission work(r.to_block->device);
  work.reads(*r.from_block);
  work.writes(*r.to_block);
  sort_arguments a;
  a.length = static_cast<std::uint64_t>(r.length);
  a.rows = static_cast<std::uint64_t>(r.rows);
  a.flip = r.descending ? ~0ULL : 0;
  if (r.length <= most_in_block(r.type)) {
    sort_short_rows(work, r, a);
  } else {
    sort_long_rows(work, r, a);
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
