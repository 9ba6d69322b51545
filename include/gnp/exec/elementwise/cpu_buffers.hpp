// SPDX-License-Identifier: MIT
// Copies of an operand's elements in contiguous memory, where the CPU's typed loops read and write.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gnp/cpu/loop.hpp>
#include <gnp/exec/layout/job.hpp>
#include <memory>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Memory for elements of any type, aligned so that no vector crosses a cache line.
struct alignas(64) buffer_line {
  unsigned char bytes[64];
};
using element_buffer = std::unique_ptr<buffer_line[]>;

/// Room for `count` elements of any type, uninitialised.
GNP_INLINE element_buffer make_buffer(index_t count) {
  return std::make_unique_for_overwrite<buffer_line[]>(static_cast<std::size_t>(count + 3) / 4);
}

template <std::size_t Size>
struct raw_element {
  unsigned char bytes[Size];
};

#if GNP_WIDE_LOOPS
/// Copies elements in reverse order: `from` is the last of them.
template <std::size_t Size>
GNP_LOOP __attribute__((target("avx2"))) void copy_reversed_wide(char* to, const char* from, index_t count) {
  using word = std::conditional_t<
      Size == 8, std::uint64_t,
      std::conditional_t<Size == 4, std::uint32_t, std::conditional_t<Size == 2, std::uint16_t, std::uint8_t>>>;
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) {
    word one;
    std::memcpy(&one, from - i * index_t{Size}, Size);
    std::memcpy(to + i * index_t{Size}, &one, Size);
  }
}
/// Copies every other element into contiguous memory.
template <std::size_t Size>
GNP_LOOP __attribute__((target("avx2"))) void copy_every_other_wide(char* to, const char* from, index_t count) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  GNP_INDEPENDENT
  for (index_t i = 0; i < count; ++i) std::memcpy(out + i, in + 2 * i, Size);
}
/// Copies elements of 4 or 8 bytes that are any number of bytes apart. As many as fill a register are stored
/// together, because the processor can read two elements at a time but store only one.
template <class Number>
GNP_LOOP void copy_apart(char* to, const char* from, index_t apart, index_t count) {
  typedef Number vector __attribute__((vector_size(16)));
  constexpr index_t together = 16 / index_t{sizeof(Number)};
  const auto element = [&](index_t i) {
    Number x;
    std::memcpy(&x, from + i * apart, sizeof x);
    return x;
  };
  for (; count >= together; count -= together) {
    vector some;
    if constexpr (together == 2) {
      some = vector{element(0), element(1)};
    } else {
      some = vector{element(0), element(1), element(2), element(3)};
    }
    std::memcpy(to, &some, sizeof some);
    from += together * apart;
    to += sizeof some;
  }
  for (index_t i = 0; i < count; ++i)
    std::memcpy(to + i * index_t{sizeof(Number)}, from + i * apart, sizeof(Number));
}
#endif

/// Copies elements that are `stride` apart into contiguous memory. Strides of 2, 0 and -1 are vectorised.
template <std::size_t Size>
GNP_LOOP void copy_strided(char* to, const char* from, index_t stride, index_t count) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * Size);
  } else if (stride == 2) {
#if GNP_WIDE_LOOPS
    if constexpr (Size <= 8) {
      if (__builtin_cpu_supports("avx2")) return copy_every_other_wide<Size>(to, from, count);
    }
#endif
    GNP_INDEPENDENT
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, in + 2 * i, Size);
#if GNP_WIDE_LOOPS
  } else if (Size <= 8 && stride == -1 && __builtin_cpu_supports("avx2")) {
    if constexpr (Size <= 8) copy_reversed_wide<Size>(to, from, count);
#endif
  } else if (stride == 0) {
    const raw_element<Size> value = *in;
    GNP_INDEPENDENT
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, &value, Size);
  } else {
#if GNP_WIDE_LOOPS
    if constexpr (Size == 8) return copy_apart<double>(to, from, 8 * stride, count);
    if constexpr (Size == 4) return copy_apart<float>(to, from, 4 * stride, count);
#endif
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i, in + i * stride, Size);
  }
}

template <std::size_t Size>
GNP_LOOP void scatter_row(char* to, index_t stride, const char* from, index_t count) {
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  if (stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(count) * Size);
  } else {
    for (index_t i = 0; i < count; ++i) std::memcpy(out + i * stride, in + i, Size);
  }
}

/// Calls f(integral_constant) for the element size.
template <class F>
void with_itemsize(int itemsize, const F& f) {
  switch (itemsize) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>());
    case 2:
      return f(std::integral_constant<std::size_t, 2>());
    case 4:
      return f(std::integral_constant<std::size_t, 4>());
    case 8:
      return f(std::integral_constant<std::size_t, 8>());
    default:
      return f(std::integral_constant<std::size_t, 16>());
  }
}

/// Numbers that begin with `first` and grow by `step`.
inline __attribute__((always_inline)) void count_up(std::int64_t* to, std::int64_t first, std::int64_t step,
                                                    index_t count) {
  for (index_t i = 0; i < count; ++i, first += step) to[i] = first;
}
#if GNP_WIDE_LOOPS
GNP_LOOP __attribute__((target("avx2"))) inline void count_up_wide(std::int64_t* to, std::int64_t first,
                                                                   std::int64_t step, index_t count) {
  count_up(to, first, step, count);
}
#endif

/// Writes positions that are `stride` apart, beginning with the one that `from` stands for.
GNP_LOOP GNP_INLINE void copy_positions(char* to, const char* from, index_t stride, index_t count) {
  auto* out = reinterpret_cast<std::int64_t*>(to);
  const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(from));
#if GNP_WIDE_LOOPS
  if (__builtin_cpu_supports("avx2")) return count_up_wide(out, first, stride, count);
#endif
  count_up(out, first, stride, count);
}

/// Functions that gather elements of an operand's row, and that scatter them again. They are looked up once, so
/// that their arguments stay in registers: arguments in memory would have to wait for the results that are
/// being written.
using row_gather = void (*)(char* to, const char* from, index_t stride, index_t count);
using row_scatter = void (*)(char* to, index_t stride, const char* from, index_t count);
GNP_INLINE row_gather gather_of(const job_operand& o) {
  row_gather found = copy_positions;
  if (o.block != nullptr) with_itemsize(o.itemsize, [&](auto size) { found = copy_strided<size>; });
  return found;
}
GNP_INLINE row_scatter scatter_of(const job_operand& o) {
  row_scatter found = nullptr;
  with_itemsize(o.itemsize, [&](auto size) { found = scatter_row<size>; });
  return found;
}

/// A position in the job's iteration, in row-major order of the collapsed shape.
struct cursor {
  index_t coordinates[max_rank] = {};

  cursor(const job& j, index_t position) {
    for (int d = j.rank - 1; d >= 0; --d) {
      coordinates[d] = position % j.shape[d];
      position /= j.shape[d];
    }
  }
  GNP_INLINE index_t offset(const job& j, const job_operand& o) const {
    index_t elements = 0;
    for (int d = 0; d < j.rank; ++d) elements += coordinates[d] * o.strides[d];
    return elements;
  }
  /// Moves on by `count`, which stays within the row.
  GNP_INLINE void advance(const job& j, index_t count) {
    coordinates[j.rank - 1] += count;
    for (int d = j.rank - 1; d > 0 && coordinates[d] >= j.shape[d]; --d) {
      coordinates[d] = 0;
      ++coordinates[d - 1];
    }
  }
};

/// Calls f(operand offset, elements done, run length) for each run along the innermost axis.
template <class F>
void for_each_run(const job& j, const job_operand& o, cursor at, index_t count, const F& f) {
  const index_t row = j.shape[j.rank - 1];
  for (index_t done = 0; done < count;) {
    const index_t run = (std::min)(count - done, row - at.coordinates[j.rank - 1]);
    f(at.offset(j, o), done, run);
    done += run;
    at.advance(j, run);
  }
}

/// Copies rows of at least `Piece` bytes, a piece at a time. The last piece of a row overlaps the one before.
template <index_t Piece>
GNP_LOOP void copy_rows_in_pieces(char* to, index_t to_step, const char* from, index_t from_step, index_t rows,
                                  index_t row_bytes) {
  const index_t last = row_bytes - Piece;
  for (index_t r = 0; r < rows; ++r, to += to_step, from += from_step) {
    for (index_t done = 0; done < last; done += Piece) std::memcpy(to + done, from + done, Piece);
    std::memcpy(to + last, from + last, Piece);
  }
}

/// Copies rows whose elements are contiguous; sizes and steps are in bytes. For short rows, a call of memcpy
/// would take longer than the copy.
GNP_INLINE void copy_contiguous_rows(char* to, index_t to_step, const char* from, index_t from_step,
                                     index_t rows, index_t row_bytes) {
  constexpr index_t few_bytes = 128;
  if (row_bytes > few_bytes) {
    for (index_t r = 0; r < rows; ++r)
      std::memcpy(to + r * to_step, from + r * from_step, static_cast<std::size_t>(row_bytes));
  } else if (row_bytes >= 16) {
    copy_rows_in_pieces<16>(to, to_step, from, from_step, rows, row_bytes);
  } else if (row_bytes >= 8) {
    copy_rows_in_pieces<8>(to, to_step, from, from_step, rows, row_bytes);
  } else if (row_bytes >= 4) {
    copy_rows_in_pieces<4>(to, to_step, from, from_step, rows, row_bytes);
  } else {
    copy_rows_in_pieces<1>(to, to_step, from, from_step, rows, row_bytes);
  }
}

/// Copies `rows` rows of `row` elements that are `stride` apart; the rows begin `step` elements apart.
using rows_gather = void (*)(char* to, const char* from, index_t rows, index_t row, index_t stride,
                             index_t step);

template <std::size_t Size>
GNP_LOOP void copy_rows(char* to, const char* from, index_t rows, index_t row, index_t stride, index_t step) {
  const auto row_bytes = static_cast<std::size_t>(row) * Size;
  if (step == 0) {  // the same row again and again: what is there already is copied behind itself
    copy_strided<Size>(to, from, stride, row);
    const std::size_t all = static_cast<std::size_t>(rows) * row_bytes;
    for (std::size_t done = row_bytes; done < all; done *= 2) {
      std::memcpy(to + done, to, (std::min)(done, all - done));
    }
    return;
  }
  constexpr index_t size = Size;
  if (stride == 1) return copy_contiguous_rows(to, row * size, from, step * size, rows, row * size);
  constexpr std::size_t few_bytes = 64;  // a call for a row takes as long as copying these one by one
  if (row_bytes > few_bytes) {
    for (index_t r = 0; r < rows; ++r)
      copy_strided<Size>(to + r * row * size, from + r * step * size, stride, row);
    return;
  }
  auto* out = reinterpret_cast<raw_element<Size>*>(to);
  const auto* in = reinterpret_cast<const raw_element<Size>*>(from);
  for (index_t r = 0; r < rows; ++r) {
    for (index_t k = 0; k < row; ++k) std::memcpy(out + k, in + r * step + k * stride, Size);
    out += row;
  }
}

GNP_INLINE void copy_rows_of_positions(char* to, const char* from, index_t rows, index_t row, index_t stride,
                                       index_t step) {
  const auto first = reinterpret_cast<std::uintptr_t>(from);
  for (index_t r = 0; r < rows; ++r) {
    copy_positions(to + r * row * index_t{sizeof(std::int64_t)},
                   reinterpret_cast<const char*>(first + static_cast<std::uintptr_t>(r * step)), stride, row);
  }
}

/// An operand's elements in the job's order of iteration. Axes that follow each other in the operand's own
/// memory are one axis here, whatever keeps them apart in other operands: in b(newaxis) - b(all, newaxis) of
/// points in space, b(newaxis) has one long row, not one of three coordinates for each point. Of short rows,
/// all that lie on the next axis are copied in one go.
class operand_elements {
 public:
  operand_elements(const job& j, const job_operand& o) : operand_(&o), gather_(gather_of(o)) {
    for (int d = j.rank - 1; d >= 0; --d) {
      if (rank_ > 0 && (j.shape[d] == 1 || o.strides[d] == strides_[rank_ - 1] * shape_[rank_ - 1])) {
        shape_[rank_ - 1] *= j.shape[d];
        continue;
      }
      shape_[rank_] = j.shape[d];
      strides_[rank_++] = o.strides[d];
    }
    rows_ = copy_rows_of_positions;
    if (o.block != nullptr) with_itemsize(o.itemsize, [this](auto size) { rows_ = copy_rows<size>; });
  }

  /// Writes elements [position, position + count) into contiguous memory.
  GNP_INLINE void read(char* to, index_t position, index_t count) const {
    index_t at[max_rank];  // like shape_, the innermost axis first
    index_t offset = 0;
    for (int d = 0; d < rank_; ++d) {
      at[d] = d == rank_ - 1 ? position : position % shape_[d];
      position /= shape_[d];
      offset += at[d] * strides_[d];
    }
    while (count > 0) {
      const char* const from = advanced(*operand_, offset);
      index_t run = 0;
      int axis = 0;  // along which to go on
      if (rank_ > 1 && at[0] == 0 && count >= shape_[0]) {
        const index_t rows = (std::min)(count / shape_[0], shape_[1] - at[1]);
        rows_(to, from, rows, shape_[0], strides_[0], strides_[1]);
        run = rows * shape_[0];
        axis = 1;
        at[1] += rows;
        offset += rows * strides_[1];
      } else {
        run = (std::min)(count, shape_[0] - at[0]);
        gather_(to, from, strides_[0], run);
        at[0] += run;
        offset += run * strides_[0];
      }
      to += run * operand_->itemsize;
      count -= run;
      for (; axis < rank_ - 1 && at[axis] == shape_[axis]; ++axis) {
        offset += strides_[axis + 1] - shape_[axis] * strides_[axis];
        at[axis] = 0;
        ++at[axis + 1];
      }
    }
  }

 private:
  const job_operand* operand_;
  row_gather gather_;
  rows_gather rows_;
  int rank_ = 0;
  index_t shape_[max_rank];  // the innermost axis first
  index_t strides_[max_rank];
};

GNP_INLINE void empty_buffer(const job& j, const job_operand& o, const cursor& at, index_t count,
                             const char* buffer) {
  const index_t stride = o.strides[j.rank - 1];
  const row_scatter scatter = scatter_of(o);
  for_each_run(j, o, at, count, [&](index_t offset, index_t done, index_t run) {
    scatter(advanced(o, offset), stride, buffer + done * o.itemsize, run);
  });
}

}}}  // namespace gnp::GNP_ABI::detail
