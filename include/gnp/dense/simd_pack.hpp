// SPDX-License-Identifier: MIT
// The factors of a product laid out in the order in which its innermost loop reads them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <gnp/dense/simd_kernel.hpp>
#include <gnp/dense/types.hpp>
#include <new>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_WIDE_PRODUCTS

/// A factor in the form that a product takes: a's rows or b's columns are `step` apart, and the numbers that
/// are summed over are `depth_step` apart.
template <class T>
struct wide_factor {
  const T* data;
  index_t step;
  index_t depth_step;
  bool conjugated;

  wide_factor from(index_t first, index_t depth) const {
    return {data + first * step + depth * depth_step, step, depth_step, conjugated};
  }
};

/// Complex products are computed as real ones of twice the rows and the depth, [re -im; im re] [re; im], in
/// which c is laid out as in memory. This is how many reals an entry has.
template <class T>
inline constexpr index_t reals_of = is_complex(dtype_of<T>) ? 2 : 1;
enum class side { left, right };

/// f(i, k, entry) for each entry of a panel.
template <class T, class F>
void for_each_entry(const wide_factor<T>& from, index_t count, index_t depth, const F& f) {
  constexpr index_t block = 16;  // steps at a time, whose part of the panel stays in the first-level cache
  for (index_t k0 = 0; k0 < depth; k0 += block) {
    const index_t end = (std::min)(k0 + block, depth);
    for (index_t i = 0; i < count; ++i) {
      for (index_t k = k0; k < end; ++k) f(i, k, from.data[i * from.step + k * from.depth_step]);
    }
  }
}

/// out[k * out_step + i] = in[i * step + k * depth_step] for i < count, k < depth; one of the two steps is 1.
template <class Real>
void move_panel(const simd_tiles<Real>& tiles, Real* out, index_t out_step, const Real* in, index_t step,
                index_t depth_step, index_t count, index_t depth) {
  const index_t strips = count / tiles.columns;
  index_t moved = depth;
  if (step == 1) {
    tiles.copy(out, out_step, in, depth_step, strips, depth);
  } else {
    moved = depth / tiles.columns * tiles.columns;
    tiles.transpose(out, out_step, in, step, strips, moved);
  }
  for (index_t k = 0; k < depth; ++k) {
    for (index_t i = k < moved ? strips * tiles.columns : 0; i < count; ++i) {
      out[k * out_step + i] = in[i * step + k * depth_step];
    }
  }
}

/// Packs a panel of `count` of a's rows or b's columns: `width` reals for each step of the depth, padded with
/// zeros.
template <side Side, class T>
void pack_panel(const simd_tiles<real_t<T>>& tiles, real_t<T>* out, const wide_factor<T>& from, index_t count,
                index_t depth, index_t width) {
  using real = real_t<T>;
  constexpr index_t reals = reals_of<T>;
  const auto* in = reinterpret_cast<const real*>(from.data);
  const index_t step = from.step * reals;
  const index_t depth_step = from.depth_step * reals;
  index_t filled = count;
  index_t strips = 0;  // that need not be moved before they are turned
  if constexpr (reals == 1) {
    move_panel(tiles, out, width, in, step, depth_step, count, depth);
  } else if constexpr (Side == side::left) {
    filled = 2 * count;
    strips = from.step == 1 ? filled / tiles.columns : 0;
    const index_t first = strips * tiles.columns / 2;
    for_each_entry(from.from(first, 0), count - first, depth, [=](index_t i, index_t k, const T& x) {
      out[2 * k * width + 2 * (first + i)] = x.real();
      out[2 * k * width + 2 * (first + i) + 1] = x.imag();
    });
  } else if (from.depth_step == 1) {
    move_panel(tiles, out, width, in, step, 1, count, 2 * depth);
  } else {
    for_each_entry(from, count, depth, [=](index_t i, index_t k, const T& x) {
      out[2 * k * width + i] = x.real();
      out[(2 * k + 1) * width + i] = x.imag();
    });
  }
  if (filled < width) {
    for (index_t k = 0; k < depth * reals; ++k)
      std::fill(out + k * width + filled, out + (k + 1) * width, real());
  }
  if constexpr (reals == 2) {
    if (Side == side::left) {
      tiles.rows_times_i(out, width, in, depth_step, strips, depth, from.conjugated);
    } else if (from.conjugated) {
      for (index_t k = 0; k < depth; ++k) {
        for (index_t i = 0; i < width; ++i) out[(2 * k + 1) * width + i] *= -1;
      }
    }
  }
}

/// This thread's memory for panels, kept for the next product and freed when the thread ends.
class panel_memory {
 public:
  template <class Real>
  static Real* of_this_thread(index_t count) {
    // Two objects, because static destructors may multiply: they then find the first one empty, but usable.
    static thread_local panel_memory memory;
    static thread_local const guard at_end{memory};
    return reinterpret_cast<Real*>(memory.at_least(static_cast<std::size_t>(count) * sizeof(Real)));
  }

 private:
  static constexpr std::align_val_t alignment{64};
  struct guard {
    panel_memory& memory;
    ~guard() { memory.give_back(); }
  };

  std::byte* at_least(std::size_t bytes) {
    if (bytes > size_) {
      give_back();
      bytes_ = static_cast<std::byte*>(::operator new(bytes, alignment));
      size_ = bytes;
    }
    return bytes_;
  }
  GNP_INLINE void give_back() {
    ::operator delete(std::exchange(bytes_, nullptr), alignment);
    size_ = 0;
  }

  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;
};

#endif

}}}  // namespace gnp::GNP_ABI::detail
