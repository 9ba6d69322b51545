// SPDX-License-Identifier: MIT
// A job on the CPU with an input that runs across the destination: a transposition, by itself or in an
// expression. Going row by row would use only a few bytes of each cache line of such an input; going in tiles
// uses all of them. The tiles are transposed in registers.
#pragma once

#include <cstdlib>
#include <gnp/exec/elementwise/cpu_run.hpp>
#include <vector>

// Shuffles of whole registers, which every x86-64 and ARM processor has.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_shufflevector)
#define GNP_TURNS_IN_REGISTERS 1
#endif
#endif
#ifndef GNP_TURNS_IN_REGISTERS
#define GNP_TURNS_IN_REGISTERS 0
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Bytes of a tile of the widest operand: a few such tiles stay in the second-level cache.
inline constexpr index_t cpu_tile_bytes = 1 << 15;
/// Bytes that a tile takes of each run of an input: several cache lines, one after the other.
inline constexpr index_t cpu_tile_run = 256;
/// Rows with fewer elements are not worth a separate call.
inline constexpr index_t cpu_short_row = 64;
/// Tiles of so few elements, as in stacks of small matrices, take longer to find than to copy one by one.
inline constexpr index_t cpu_tiny_tile = 16;
inline constexpr int cache_line = 64;

/// A job cut into tiles: `rows` along an outer axis, by `columns` along the innermost axis.
struct cpu_tiling {
  int axis = -1;  // of the rows; none if tiles are of no use
  index_t rows = 0;
  index_t columns = 0;
  bool by_rows = false;  // compute row by row; otherwise a whole tile at a time
};

#if GNP_TURNS_IN_REGISTERS

template <std::size_t Size>
struct integer_of_size;
template <>
struct integer_of_size<1> {
  using type = std::uint8_t;
};
template <>
struct integer_of_size<2> {
  using type = std::uint16_t;
};
template <>
struct integer_of_size<4> {
  using type = std::uint32_t;
};
template <>
struct integer_of_size<8> {
  using type = std::uint64_t;
};

/// A square of elements in registers of 16 bytes. It is transposed by interleaving rows i and i + n/2, for all
/// i, and repeating this log2(n) times. (Packs rather than loops keep its rows in registers at any level of
/// optimisation.)
template <std::size_t Size, class Row = std::make_integer_sequence<int, 16 / Size>>
struct register_square;

template <std::size_t Size, int... Row>
struct register_square<Size, std::integer_sequence<int, Row...>> {
  static constexpr int n = sizeof...(Row);
  typedef typename integer_of_size<Size>::type vector __attribute__((vector_size(16)));
  vector rows[16 / Size];

  /// Reads from rows that are `step` bytes apart; write() writes to such rows.
  static register_square read(const char* from, index_t step) {
    register_square square;
    (std::memcpy(&square.rows[Row], from + Row * step, 16), ...);
    return square;
  }
  void write(char* to, index_t step) const { (std::memcpy(to + Row * step, &rows[Row], 16), ...); }
  void write(char* to, index_t step, index_t count) const {
    ((Row < count ? static_cast<void>(std::memcpy(to + Row * step, &rows[Row], 16)) : static_cast<void>(0)),
     ...);
  }

  template <int High>
  static vector interleaved(vector a, vector b) {
    return __builtin_shufflevector(a, b, (High * n / 2 + Row / 2 + Row % 2 * n)...);
  }
  template <int Times = n>
  register_square turned() const {
    if constexpr (Times == 1) {
      return *this;
    } else {
      return register_square{{interleaved<Row % 2>(rows[Row / 2], rows[Row / 2 + n / 2])...}}
          .template turned<Times / 2>();
    }
  }
};

/// Writes the transpose of the square at `from`, whose rows are of 16 bytes. Steps are in bytes.
template <std::size_t Size>
void turn_square(char* to, index_t to_step, const char* from, index_t from_step) {
  register_square<Size>::read(from, from_step).turned().write(to, to_step);
}

/// Separates `parts` interleaved sequences, too few to fill a register, into a row for each. Returns the number
/// of columns that it has done: a register holds more than one column, so the last columns, which have no
/// elements behind them, are left to the caller. (With small elements, transposing whole squares takes longer
/// than going one by one.)
template <std::size_t Size>
index_t take_apart(char* to, index_t to_step, const char* from, index_t parts, index_t columns) {
  index_t c = 0;
  if constexpr (Size >= 4) {
    constexpr index_t size = Size;
    constexpr index_t n = 16 / size;
    for (; (columns - c) * parts >= (n - 1) * parts + n; c += n) {
      register_square<Size>::read(from + c * parts * size, parts * size)
          .turned()
          .write(to + c * size, to_step * size, parts);
    }
  }
  return c;
}

#else

template <std::size_t Size>
void turn_square(char* to, index_t to_step, const char* from, index_t from_step) {
  constexpr index_t n = 16 / Size;
  for (index_t i = 0; i < n; ++i) {
    for (index_t k = 0; k < n; ++k)
      std::memcpy(to + i * to_step + k * Size, from + k * from_step + i * Size, Size);
  }
}

template <std::size_t>
index_t take_apart(char*, index_t, const char*, index_t, index_t) {
  return 0;
}

#endif

/// Writes a tile each of whose columns is contiguous in memory. Steps are in elements.
template <std::size_t Size>
void turn_tile(char* to, index_t to_step, const char* from, index_t from_step, index_t rows, index_t columns) {
  constexpr index_t size = Size;
  constexpr index_t line = cache_line / size;
  constexpr index_t n = 16 / size;
  if (columns < n) {
    for (index_t c = 0; c < columns; ++c)
      scatter_row<Size>(to + c * size, to_step, from + c * from_step * size, rows);
    return;
  }
  constexpr bool leaves_one = n == 2;  // of three rows, which squares of two would write twice
  if (rows < n || (leaves_one && rows == n + 1)) {
    const index_t done = rows < n && from_step == rows ? take_apart<Size>(to, to_step, from, rows, columns) : 0;
    for (index_t r = 0; r < rows; ++r) {
      copy_strided<Size>(to + (r * to_step + done) * size, from + (done * from_step + r) * size, from_step,
                         columns - done);
    }
    return;
  }
  // Takes squares of whole cache lines, so that each line is read or written in one go. The last squares
  // overlap the ones before them.
  for (index_t c0 = 0; c0 < columns; c0 += line) {
    for (index_t r0 = 0; r0 < rows; r0 += line) {
      for (index_t i = c0; i < (std::min)(c0 + line, columns); i += n) {
        for (index_t k = r0; k < (std::min)(r0 + line, rows); k += n) {
          const index_t c = (std::min)(i, columns - n);
          const index_t r = (std::min)(k, rows - n);
          turn_square<Size>(to + (r * to_step + c) * size, to_step * size, from + (c * from_step + r) * size,
                            from_step * size);
        }
      }
    }
  }
}

/// Fills a cache line of each of `rows` rows with elements that are `apart`. Steps and distances are in bytes.
template <std::size_t Size>
GNP_LOOP void fill_lines(char* to, index_t to_step, const char* from, index_t from_step, index_t apart,
                         index_t rows) {
  constexpr index_t size = Size;
  for (index_t r = 0; r < rows; ++r, to += to_step, from += from_step) {
    for (index_t k = 0; k < cache_line / size; ++k) std::memcpy(to + k * size, from + k * apart, Size);
  }
}

/// An operand's rows and columns of a tile. Distances are in elements.
struct tile_view {
  char* data;
  index_t row_step;
  index_t column_step;
};

/// Writes a tile into rows that are `to_step` elements apart.
template <std::size_t Size>
void copy_tile(char* to, index_t to_step, const tile_view& from, index_t rows, index_t columns) {
  constexpr index_t size = Size;
  const auto at = [&](index_t r, index_t c) {
    return from.data + (r * from.row_step + c * from.column_step) * size;
  };
  if (from.row_step == 0 || std::abs(from.row_step) >= std::abs(from.column_step)) {
    if (from.column_step == 1) {
      return copy_contiguous_rows(to, to_step * size, from.data, from.row_step * size, rows, columns * size);
    }
    for (index_t r = 0; r < rows; ++r)
      copy_strided<Size>(to + r * to_step * size, at(r, 0), from.column_step, columns);
    return;
  }
  if constexpr (Size < 16) {
    if (from.row_step == 1) return turn_tile<Size>(to, to_step, from.data, from.column_step, rows, columns);
  }
  constexpr index_t line = cache_line / size;
  index_t c = 0;
  for (; c + line <= columns; c += line) {
    fill_lines<Size>(to + c * size, to_step * size, at(0, c), from.row_step * size, from.column_step * size,
                     rows);
  }
  for (index_t r = 0; c < columns && r < rows; ++r)
    copy_strided<Size>(to + (r * to_step + c) * size, at(r, c), from.column_step, columns - c);
}

/// Is a job a plain copy of long rows? The C library copies each of them in one go, without reading what was
/// there.
GNP_INLINE bool copies_long_rows(const job& j) {
  constexpr index_t long_row = 65536;  // bytes
  const int inner = j.rank - 1;
  return j.code->result != dtype::bool_ && j.operands[0].strides[inner] == 1 &&
         j.operands[1].strides[inner] == 1 && j.operands[1].block != nullptr &&
         j.shape[inner] * j.operands[0].itemsize >= long_row;
}

/// Along which axis a plain copy takes several rows at a time: along the next one, unless that makes tiles of
/// only a few elements, as in `tile` of short rows.
GNP_INLINE int axis_of_copied_rows(const job& j) {
  constexpr index_t enough = 256;
  const int inner = j.rank - 1;
  int axis = inner - 1;
  if (j.shape[inner] * j.shape[axis] >= enough) return axis;
  for (int d = 0; d < inner; ++d) axis = j.shape[d] > j.shape[axis] ? d : axis;
  return axis;
}

/// How to cut a collapsed job into tiles: along the axis on which an input that runs across the destination has
/// its smallest step.
GNP_INLINE cpu_tiling cut_into_tiles(const job& j) {
  cpu_tiling cut;
  const int inner = j.rank - 1;
  index_t least = 0;
  index_t widest = 1;
  for (int i = 0; i < j.operand_count(); ++i) {
    const job_operand& o = j.operands[i];
    widest = (std::max)(widest, static_cast<index_t>(o.itemsize));
    if (i == 0 || o.block == nullptr) continue;
    const index_t along = std::abs(o.strides[inner]);
    for (int d = 0; d < inner; ++d) {
      const index_t across = std::abs(o.strides[d]);
      if (across == 0 || across >= along || (cut.axis >= 0 && across >= least)) continue;
      cut.axis = d;
      least = across;
    }
  }
  // A plain copy goes directly to its place, even if rows are short. Long rows need no tiles for that.
  const bool along_rows = cut.axis < 0;
  if (along_rows && (!j.code->plain || j.rank < 2 || copies_long_rows(j))) return cut;
  if (along_rows) cut.axis = axis_of_copied_rows(j);
  const index_t area = cpu_tile_bytes / widest;
  cut.rows = along_rows ? 1 : (std::min)(j.shape[cut.axis], cpu_tile_run / widest);
  cut.columns = (std::min)(j.shape[inner], area / cut.rows);
  cut.rows = (std::min)(j.shape[cut.axis], area / cut.columns);
  const index_t elements = cut.rows * cut.columns;
  if (!along_rows && (elements <= cpu_tiny_tile || elements * widest <= cache_line)) return {};
  cut.by_rows = cut.columns >= cpu_short_row;
  return cut;
}

/// Computes one tile after the other.
class tile_walk {
 public:
  tile_walk(const job& j, const cpu_tiling& cut)
      : j_(j),
        cut_(cut),
        inputs_(static_cast<std::size_t>(j.code->inputs)),
        steps_(static_cast<std::size_t>(j.code->inputs)),
        buffers_(static_cast<std::size_t>(j.operand_count())) {}

  /// The number of tiles of a job.
  GNP_INLINE static index_t count(const job& j, const cpu_tiling& cut) {
    index_t tiles = 1;
    for (int d = 0; d < j.rank; ++d) tiles *= tiles_along(j, cut, d);
    return tiles;
  }

  /// Tiles [begin, end), counted along the innermost axis first.
  GNP_INLINE void run(index_t begin, index_t end) {
    index_t place[max_rank];
    index_t rest = begin;
    for (int d = j_.rank - 1; d >= 0; --d) {
      const index_t tiles = tiles_along(j_, cut_, d);
      place[d] = rest % tiles;
      rest /= tiles;
    }
    for (index_t tile = begin; tile < end; ++tile) {
      run_tile(place);
      for (int d = j_.rank - 1; d >= 0 && ++place[d] == tiles_along(j_, cut_, d); --d) place[d] = 0;
    }
  }

 private:
  static index_t extent(const job& j, const cpu_tiling& cut, int axis) {
    return axis == cut.axis ? cut.rows : axis == j.rank - 1 ? cut.columns : 1;
  }
  GNP_INLINE static index_t tiles_along(const job& j, const cpu_tiling& cut, int axis) {
    const index_t of = extent(j, cut, axis);
    return (j.shape[axis] + of - 1) / of;
  }

  /// An operand's elements in the tile at this position.
  GNP_INLINE tile_view view(const job_operand& o, const index_t* place) const {
    index_t offset = 0;
    for (int d = 0; d < j_.rank; ++d) offset += place[d] * extent(j_, cut_, d) * o.strides[d];
    return {advanced(o, offset), o.strides[cut_.axis], o.strides[j_.rank - 1]};
  }

  GNP_INLINE void run_tile(const index_t* place) {
    const int inner = j_.rank - 1;
    rows_ = (std::min)(cut_.rows, j_.shape[cut_.axis] - place[cut_.axis] * cut_.rows);
    columns_ = (std::min)(cut_.columns, j_.shape[inner] - place[inner] * cut_.columns);

    const job_operand& destination = j_.operands[0];
    const tile_view out = view(destination, place);
    const bool in_place = can_be_used(out);
    char* const results = in_place ? out.data : buffer(0);
    const index_t step = in_place ? out.row_step : columns_;
    if (j_.code->plain) {  // directly to where the results go
      fetch(results, step, j_.operands[1], view(j_.operands[1], place));
    } else {
      for (int i = 1; i < j_.operand_count(); ++i) take_input(i, view(j_.operands[i], place));
      compute(results, step * destination.itemsize);
    }
    if (in_place) return;
    with_itemsize(destination.itemsize, [&](auto size) {
      for (index_t r = 0; r < rows_; ++r) {
        scatter_row<size>(out.data + r * out.row_step * destination.itemsize, out.column_step,
                          results + r * step * destination.itemsize, columns_);
      }
    });
  }

  /// Can the typed loop work directly on a tile's memory?
  bool can_be_used(const tile_view& tile) const {
    return tile.column_step == 1 && (cut_.by_rows || j_.code->plain || tile.row_step == columns_);
  }

  GNP_INLINE void take_input(int i, const tile_view& in) {
    const job_operand& o = j_.operands[i];
    const auto number = static_cast<std::size_t>(i - 1);
    if (o.table) {
      inputs_[number] = o.data;
      steps_[number] = 0;
    } else if (o.block != nullptr && can_be_used(in)) {
      inputs_[number] = in.data;
      steps_[number] = in.row_step * o.itemsize;
    } else {
      fetch(buffer(i), columns_, o, in);
      inputs_[number] = buffer(i);
      steps_[number] = columns_ * o.itemsize;
    }
  }

  /// Results go to rows that are `step` bytes apart.
  GNP_INLINE void compute(char* results, index_t step) {
    if (!cut_.by_rows) return j_.code->compute(results, inputs_.data(), j_.constants, rows_ * columns_);
    for (index_t r = 0; r < rows_; ++r, results += step) {
      j_.code->compute(results, inputs_.data(), j_.constants, columns_);
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        inputs_[i] = static_cast<const char*>(inputs_[i]) + steps_[i];
    }
  }

  GNP_INLINE void fetch(char* to, index_t to_step, const job_operand& o, const tile_view& from) const {
    if (o.block != nullptr) {
      with_itemsize(o.itemsize, [&](auto size) { copy_tile<size>(to, to_step, from, rows_, columns_); });
      return;
    }
    const auto first = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(from.data));
    for (index_t r = 0; r < rows_; ++r) {
      auto* positions = reinterpret_cast<std::int64_t*>(to) + r * to_step;
      for (index_t c = 0; c < columns_; ++c) positions[c] = first + r * from.row_step + c * from.column_step;
    }
  }

  /// Room for a tile of an operand.
  GNP_INLINE char* buffer(int i) {
    auto& buffer = buffers_[static_cast<std::size_t>(i)];
    if (buffer == nullptr) buffer = make_buffer(cut_.rows * cut_.columns);
    return reinterpret_cast<char*>(buffer.get());
  }

  const job& j_;
  const cpu_tiling cut_;
  index_t rows_ = 0;  // of the current tile
  index_t columns_ = 0;
  std::vector<const void*> inputs_;  // of the current row
  std::vector<index_t> steps_;       // from row to row, in bytes
  std::vector<element_buffer> buffers_;
};

GNP_INLINE void run_tiles_on_cpu(const job& j, const cpu_tiling& cut) {
  const index_t grain = (std::max)(index_t{1}, cpu_grain / (cut.rows * cut.columns));
  parallel_for(tile_walk::count(j, cut), grain,
               [&](index_t begin, index_t end) { tile_walk(j, cut).run(begin, end); });
}

}}}  // namespace gnp::GNP_ABI::detail
