// SPDX-License-Identifier: MIT
// Rows that a gather takes from a table on the CPU, as in x(i) of a matrix x: elements that follow each other
// along the innermost axis are as far apart in the table as those of an array, whatever the indices are. Each
// index is checked once, and the row is read like one of an array.
#pragma once

#include <cstring>
#include <gnp/exec/elementwise/cpu_buffers.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <gnp/expr/scalar/index.hpp>
#include <optional>
#include <type_traits>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Where rows lie that one array of indices takes, and where they go. All distances are in bytes.
struct rows_by_index {
  const char* table;
  const char* indices;
  index_t index_step;
  index_t item;   // of an element
  index_t bytes;  // of a row
};

/// Copies at least `Piece` bytes. The last piece overlaps the one before. Truth values become 0 or 1.
template <index_t Piece, bool Truths>
inline __attribute__((always_inline)) void copy_in_pieces(char* to, const char* from, index_t bytes) {
  const index_t last = bytes - Piece;
  const auto copy_piece = [&](index_t at) {
    unsigned char piece[static_cast<std::size_t>(Piece)];
    std::memcpy(piece, from + at, sizeof piece);
    for (index_t k = 0; Truths && k < Piece; ++k) piece[k] = piece[k] != 0 ? 1 : 0;
    std::memcpy(to + at, piece, sizeof piece);
  };
  for (index_t at = 0; at < last; at += Piece) copy_piece(at);
  copy_piece(last);
}

/// Copies one row, whose elements may be truth values.
GNP_INLINE void copy_row(char* to, const char* from, index_t bytes, bool truths) {
  if (!truths) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  } else if (bytes >= 16) {
    copy_in_pieces<16, true>(to, from, bytes);
  } else {
    copy_in_pieces<1, true>(to, from, bytes);
  }
}

/// Copies rows of at least `Piece` bytes. For short rows, a call of memcpy would take longer than the copy.
template <class Index, index_t Piece, bool Truths>
GNP_LOOP void copy_rows_by_index(char* to, const rows_by_index& which, const scalar::index_report& report,
                                 const scalar::index_facts& facts, index_t rows) {
  constexpr index_t few_bytes = 256;
  const rows_by_index here = which;
  const char* at = here.indices;
  for (index_t r = 0; r < rows; ++r, at += here.index_step, to += here.bytes) {
    Index index;
    std::memcpy(&index, at, sizeof index);
    const char* const from = here.table + scalar::index_place<long long>(report, facts, index) * here.item;
    if (Truths || here.bytes <= few_bytes) {
      copy_in_pieces<Piece, Truths>(to, from, here.bytes);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(here.bytes));
    }
  }
}

template <class Index>
void copy_rows_by_index(char* to, const rows_by_index& which, const scalar::index_report& report,
                        const scalar::index_facts& facts, index_t rows, bool truths) {
  const auto copy = [&](auto piece, auto are_truths) {
    copy_rows_by_index<Index, piece, are_truths>(to, which, report, facts, rows);
  };
  const auto with_piece = [&](auto are_truths) {
    using std::integral_constant;
    if (which.bytes >= 16) return copy(integral_constant<index_t, 16>(), are_truths);
    if (which.bytes >= 4) return copy(integral_constant<index_t, 4>(), are_truths);
    copy(integral_constant<index_t, 1>(), are_truths);
  };
  if (truths) return with_piece(std::true_type());
  with_piece(std::false_type());
}

/// One gather of a job.
class taken_rows {
 public:
  /// Nothing if the gather takes anything other than rows. Its table is the job's input number `input`.
  GNP_INLINE static std::optional<taken_rows> of(const job& j, const node_source& gather, int input,
                                                 int number) {
    const int inner = j.rank - 1;
    if (inner < 0 || gather.inputs != 2 + gather.indices) return std::nullopt;
    for (int k = 0; k < gather.indices; ++k) {
      const int at = input + 2 + k;
      const dtype type = j.code->input_types[at];
      const job_operand& index = j.operands[1 + at];
      if (gather.operands[3 + k]->write != write_input || index.block == nullptr || index.strides[inner] != 0 ||
          (type != dtype::int64 && type != dtype::int32))
        return std::nullopt;
    }
    taken_rows made(j, gather.indices, input, number);
    for (const scalar::index_facts& facts : made.facts_) {
      if (facts.beyond == scalar::outside::leave_out) return std::nullopt;
    }
    return made;
  }

  /// The operands: the table, the offsets in it, and the indices follow each other.
  int table() const { return table_; }
  bool reads(int operand) const {
    return operand >= table_ && operand < table_ + 2 + static_cast<int>(facts_.size());
  }
  /// How far apart a row's elements are in the table.
  index_t stride() const { return job_->operands[table_ + 1].strides[job_->rank - 1]; }

  /// Where an element is. (`axes` are the job's, or those without the innermost one.)
  GNP_INLINE char* element(const job& axes, const cursor& at) const {
    const job_operand& offsets = job_->operands[table_ + 1];
    // (The "data" of offsets is the first offset itself.)
    index_t place =
        static_cast<index_t>(reinterpret_cast<std::uintptr_t>(offsets.data)) + at.offset(axes, offsets);
    for (std::size_t k = 0; k < facts_.size(); ++k) {
      const job_operand& indices = job_->operands[table_ + 2 + static_cast<int>(k)];
      const char* const index = advanced(indices, at.offset(axes, indices));
      place += indices.itemsize == 8 ? place_of<std::int64_t>(facts_[k], index)
                                     : place_of<std::int32_t>(facts_[k], index);
    }
    return advanced(job_->operands[table_], place);
  }

  /// Writes elements [position, position + count) of the job's order into contiguous memory.
  GNP_INLINE void read(char* to, index_t position, index_t count) const {
    const job& j = *job_;
    const job_operand& table = j.operands[table_];
    const row_gather gather = gather_of(table);
    const int inner = j.rank - 1;
    const index_t row = j.shape[inner];
    for (cursor at(j, position); count > 0;) {
      if (inner == 1 && stride() == 1 && at.coordinates[1] == 0 && count >= row) {
        const index_t rows = count / row;
        copy_rows(to, at.coordinates[0], rows, row * table.itemsize, false);
        to += rows * row * table.itemsize;
        count -= rows * row;
        at.coordinates[0] += rows;
        continue;
      }
      const index_t run = (std::min)(count, row - at.coordinates[inner]);
      gather(to, element(j, at), stride(), run);
      to += run * table.itemsize;
      count -= run;
      at.advance(j, run);
    }
  }

  /// Copies whole contiguous rows of a job of two axes, from number `first` on. Are they `truths`, which become
  /// 0 or 1?
  GNP_INLINE void copy_rows(char* to, index_t first, index_t rows, index_t bytes, bool truths) const {
    const job_operand& table = job_->operands[table_];
    const job_operand& offsets = job_->operands[table_ + 1];
    const job_operand& indices = job_->operands[table_ + 2];
    const auto begin = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(offsets.data));
    if (facts_.size() == 1 && offsets.strides[0] == 0) {
      const rows_by_index which{advanced(table, begin), advanced(indices, first * indices.strides[0]),
                                indices.strides[0] * indices.itemsize, table.itemsize, bytes};
      if (indices.itemsize == 8)
        return copy_rows_by_index<std::int64_t>(to, which, report_, facts_[0], rows, truths);
      return copy_rows_by_index<std::int32_t>(to, which, report_, facts_[0], rows, truths);
    }
    for (index_t r = first; r < first + rows; ++r, to += bytes) {
      index_t place = begin + r * offsets.strides[0];
      for (std::size_t k = 0; k < facts_.size(); ++k) {
        const job_operand& which = job_->operands[table_ + 2 + static_cast<int>(k)];
        const char* const index = advanced(which, r * which.strides[0]);
        place += which.itemsize == 8 ? place_of<std::int64_t>(facts_[k], index)
                                     : place_of<std::int32_t>(facts_[k], index);
      }
      copy_row(to, advanced(table, place), bytes, truths);
    }
  }

 private:
  taken_rows(const job& j, int indices, int input, int number)
      : job_(&j), table_(input + 1), facts_(static_cast<std::size_t>(indices)) {
    const unsigned char* const numbers = j.constants + static_cast<std::size_t>(number) * constant_slot;
    std::memcpy(&report_, numbers, sizeof report_);
    std::memcpy(facts_.data(), numbers + 2 * constant_slot, facts_.size() * sizeof facts_[0]);
  }

  template <class Index>
  index_t place_of(const scalar::index_facts& facts, const char* from) const {
    Index index;
    std::memcpy(&index, from, sizeof index);
    return scalar::index_place<long long>(report_, facts, index);
  }

  const job* job_;
  int table_;
  scalar::index_report report_;
  std::vector<scalar::index_facts> facts_;
};

/// The gathers of a job that take rows long enough for this: a few elements are as fast one by one.
GNP_INLINE std::vector<taken_rows> find_taken_rows(const job& j) {
  constexpr index_t short_row = 5;
  std::vector<taken_rows> found;
  const auto is_table = [](const job_operand& o) { return o.table; };
  if (j.rank == 0 || j.shape[j.rank - 1] < short_row ||
      std::none_of(j.operands + 1, j.operands + j.operand_count(), is_table))
    return found;
  for_each_gather(*j.code->source, 0, 0, [&](const node_source& gather, int input, int number) {
    if (std::optional<taken_rows> rows = taken_rows::of(j, gather, input, number)) found.push_back(*rows);
  });
  return found;
}

/// The one of these gathers that reads an operand, or null.
GNP_INLINE const taken_rows* reader_of(const std::vector<taken_rows>& taken, int operand) {
  for (const taken_rows& rows : taken) {
    if (rows.reads(operand)) return &rows;
  }
  return nullptr;
}

}}}  // namespace gnp::GNP_ABI::detail
