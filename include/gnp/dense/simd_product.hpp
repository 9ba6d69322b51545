// SPDX-License-Identifier: MIT
// Matrix products on x86-64 by the processor's own vectors, in the blocks of Goto and van de Geijn ("Anatomy of
// high-performance matrix multiplication", 2008): a block of b's rows and one of a's are packed as panels, and
// each pair of panels makes a tile of c.
#pragma once

#include <gnp/dense/simd_pack.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_WIDE_PRODUCTS

/// c += alpha a b with one set of instructions.
template <class T>
class simd_product {
 public:
  using real = real_t<T>;

  simd_product(const simd_tiles<real>& tiles, T* c, index_t leading, T alpha)
      : tiles_(tiles),
        c_(reinterpret_cast<real*>(c)),
        leading_(leading * reals_of<T>),
        real_alpha_(std::real(alpha)),
        imaginary_alpha_(std::imag(alpha)) {}

  /// With `lower_only`, at least the entries on c's diagonal and below it: the vectors above it are left out.
  void add(index_t rows, index_t columns, index_t depth, const wide_factor<T>& a, const wide_factor<T>& b,
           bool lower_only = false) {
    // Few blocks, of equal depth, because each reads and writes all of c. The sums depend on nothing else.
    const index_t blocks = (depth + most_depth - 1) / most_depth;
    const index_t block_depth = blocks == 0 ? 1 : (depth + blocks - 1) / blocks;
    const index_t most_rows = 8 * tiles_.rows() / reals_of<T>;
    keeps_b_ = rows > most_rows;
    const index_t reals = block_depth * reals_of<T>;
    const index_t b_size = rounded_up(keeps_b_ ? (std::min)(columns, most_columns) : 1, tiles_.columns) * reals;
    const index_t a_size = rounded_up((std::min)(rows, most_rows) * reals_of<T>, tiles_.lanes) * reals;
    a_panels_ = panel_memory::of_this_thread<real>(a_size + b_size);
    b_panels_ = a_panels_ + a_size;
    for (index_t j = 0; j < columns; j += most_columns) {
      for (index_t k = 0; k < depth; k += block_depth) {
        depth_ = (std::min)(block_depth, depth - k);
        for (index_t i = 0; i < rows; i += most_rows) {
          add_block(c_ + i * reals_of<T> + j * leading_, (std::min)(most_rows, rows - i),
                    (std::min)(most_columns, columns - j), a.from(i, k), b.from(j, k), i == 0,
                    lower_only ? j - i : -columns);
        }
      }
    }
  }

 private:
  // A panel of b stays in the first-level cache (16 KiB of 32 or 48), a's block in the second (192 or 384 KiB
  // of 256 KiB to 2 MiB), b's in the third (2 MiB).
  static constexpr index_t most_depth = 2048 / index_t{sizeof(T)};
  static constexpr index_t most_columns = 1024;

  static index_t rounded_up(index_t x, index_t multiple) { return (x + multiple - 1) / multiple * multiple; }

  /// In the block's column j, what is above row `diagonal` + j may be left out.
  void add_block(real* c, index_t rows, index_t columns, const wide_factor<T>& a, const wide_factor<T>& b,
                 bool b_is_new, index_t diagonal) {
    const index_t panel_rows = tiles_.rows() / reals_of<T>;
    const index_t a_panel = tiles_.rows() * depth_ * reals_of<T>;
    const index_t b_panel = tiles_.columns * depth_ * reals_of<T>;
    // Where few columns share the work of packing, the tiles read a in place; with more columns, only if a is
    // near in memory. In place, 64^3 takes 7.0 instead of 7.7 us, but 2000 x 32 x 2000 takes 8.1 instead of 4.7
    // ms.
    const bool is_near =
        columns <= 8 * tiles_.columns && a.depth_step * depth_ * index_t{sizeof(T)} <= 512 << 10;
    const bool a_in_place = reals_of<T> == 1 && a.step == 1 && (is_near || columns <= tiles_.columns);
    real* b_at = b_panels_;
    for (index_t j = 0; j < columns; j += tiles_.columns, b_at += keeps_b_ ? b_panel : 0) {
      const index_t width = (std::min)(tiles_.columns, columns - j);
      if (b_is_new) pack_panel<side::right>(tiles_, b_at, b.from(j, 0), width, depth_, tiles_.columns);
      real* a_at = a_panels_;
      for (index_t i = 0; i < rows; i += panel_rows, a_at += a_panel) {
        const index_t height = (std::min)(panel_rows, rows - i);
        const index_t above =
            (std::max)(index_t{0}, (diagonal + j - i) * reals_of<T>) / tiles_.lanes * tiles_.lanes;
        if (above >= height * reals_of<T>) continue;  // so are this panel's later tiles
        const index_t whole = rounded_up(height * reals_of<T>, tiles_.lanes);
        const wide_factor<T> from = a.from(i, 0);
        const bool in_place = a_in_place && whole == height;
        if (j == 0 && !in_place) pack_panel<side::left>(tiles_, a_at, from, height, depth_, whole);
        add_tile(c + i * reals_of<T> + above + j * leading_, height * reals_of<T> - above, width,
                 (in_place ? reinterpret_cast<const real*>(from.data) : a_at) + above,
                 in_place ? a.depth_step : whole, b_at);
      }
    }
  }

  void add_tile(real* c, index_t rows, index_t columns, const real* a, index_t a_step, const real* b) {
    const index_t depth = depth_ * reals_of<T>;
    const index_t vectors = (rows + tiles_.lanes - 1) / tiles_.lanes;
    const index_t height = vectors * tiles_.lanes;
    const auto add = tiles_.add[vectors - 1];
    const bool in_place = rows == height && imaginary_alpha_ == 0;
    real* column[simd_tiles<real>::most_columns];
    for (index_t j = 0; j < tiles_.columns; ++j) {
      column[j] = in_place && j < columns ? c + j * leading_ : tile_ + j * height;
    }
    if (in_place) return add(a, a_step, b, depth, column, real_alpha_);
    // The arithmetic is the same outside c as in it, because it depends on the number of threads which entries
    // are in whole tiles.
    if (imaginary_alpha_ == 0) {
      for (index_t j = 0; j < columns; ++j) std::copy_n(c + j * leading_, rows, column[j]);
      add(a, a_step, b, depth, column, real_alpha_);
      for (index_t j = 0; j < columns; ++j) std::copy_n(column[j], rows, c + j * leading_);
      return;
    }
    std::fill_n(tile_, columns * height, real());
    add(a, a_step, b, depth, column, real(1));
    for (index_t j = 0; j < columns; ++j) {
      for (index_t i = 0; i < rows; i += 2) {
        const real* x = column[j] + i;
        real* out = c + i + j * leading_;
        out[0] += real_alpha_ * x[0] - imaginary_alpha_ * x[1];
        out[1] += real_alpha_ * x[1] + imaginary_alpha_ * x[0];
      }
    }
  }

  const simd_tiles<real>& tiles_;
  real* c_;
  index_t leading_;
  real real_alpha_;
  real imaginary_alpha_;
  index_t depth_ = 0;     // of the present blocks
  bool keeps_b_ = false;  // for more than one block of a
  real* a_panels_ = nullptr;
  real* b_panels_ = nullptr;
  alignas(64) real tile_[simd_tiles<real>::most_rows * simd_tiles<real>::most_columns] = {};
};

/// c += alpha a b with the given instructions.
template <class T>
void add_wide_product(const simd_tiles<real_t<T>>& tiles, T* c, index_t leading, T alpha, index_t rows,
                      index_t columns, index_t depth, const wide_factor<T>& a, const wide_factor<T>& b) {
  simd_product<T>(tiles, c, leading, alpha).add(rows, columns, depth, a, b);
}

/// c += alpha a b for a symmetric c (which must be symmetric before, too), of which the part below the diagonal
/// is computed and copied. For real numbers this has the bits of add_wide_product(): the same products are
/// summed in the same order.
template <class T>
void add_symmetric_product(const simd_tiles<T>& tiles, T* c, index_t leading, T alpha, index_t rows,
                           index_t depth, const wide_factor<T>& a, const wide_factor<T>& b) {
  simd_product<T>(tiles, c, leading, alpha).add(rows, rows, depth, a, b, true);
  constexpr index_t strip = 64 / index_t{sizeof(T)};  // a cache line of each column is written at a time
  for (index_t first = 0; first < rows; first += strip) {
    for (index_t j = first + 1; j < rows; ++j) {
      const index_t end = (std::min)(first + strip, j);
      for (index_t i = first; i < end; ++i) c[i + j * leading] = c[j + i * leading];
    }
  }
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
