// SPDX-License-Identifier: MIT
// A matrix product without C++ types: c = alpha a b + beta c for each matrix of a stack, and what is decided
// about it before a library is called.
#pragma once

#include <gnp/array/array.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Types whose products the libraries compute, which also scale and add. Products of integers and bools are
/// computed by gnp itself.
template <class T>
inline constexpr bool is_gemm_type_v = is_floating(dtype_of<T>) || is_complex(dtype_of<T>);

/// The type of alpha and beta: float for the 16-bit types, which are multiplied and added in float.
template <class T>
using gemm_scalar = std::conditional_t<is_floating(dtype_of<T>) && sizeof(T) == 2, float, T>;

/// The number of multiplications for which a separate thread is worthwhile.
inline constexpr index_t gemm_grain = index_t{1} << 18;

/// The matrices of one operand. Strides are in elements.
struct gemm_operand {
  char* data = nullptr;
  storage* block = nullptr;
  index_t row = 0;
  index_t column = 0;
  index_t batch[max_rank];
};

/// c is m by n, a is m by k, b is k by n.
struct gemm_job {
  int itemsize;
  index_t m;
  index_t n;
  index_t k;
  int batch_rank = 0;
  index_t batch[max_rank];
  gemm_operand a;
  gemm_operand b;
  gemm_operand c;

  GNP_INLINE index_t batch_count() const {
    index_t count = 1;
    for (int d = 0; d < batch_rank; ++d) count *= batch[d];
    return count;
  }
};

/// The same product read the other way: c's transpose is b's times a's.
inline void transpose(gemm_operand& o) { std::swap(o.row, o.column); }
GNP_INLINE void transpose(gemm_job& j) {
  std::swap(j.m, j.n);
  std::swap(j.a, j.b);
  transpose(j.a);
  transpose(j.b);
  transpose(j.c);
}

/// How a library that only knows column-major matrices can read an operand: as it is, transposed, or not at
/// all.
struct gemm_form {
  bool usable;
  bool transposed;
  index_t leading;
};

constexpr bool column_major(index_t rows, index_t columns, index_t row, index_t column) {
  return (row == 1 || rows == 1) && (column >= rows || columns == 1);
}
constexpr gemm_form form_of(index_t rows, index_t columns, index_t row, index_t column) {
  if (column_major(rows, columns, row, column)) {
    return {true, false, columns == 1 ? (std::max)(rows, index_t{1}) : (std::max)(column, index_t{1})};
  }
  if (column_major(columns, rows, column, row)) {
    return {true, true, rows == 1 ? (std::max)(columns, index_t{1}) : (std::max)(row, index_t{1})};
  }
  return {false, false, 0};
}

/// The last two axes of an array as matrices, the others as the batch axes of a stack of this shape.
template <class T>
gemm_operand gemm_operand_of(const array<T>& a, const shape_t& stack) {
  gemm_operand o;
  o.data = reinterpret_cast<char*>(a.data());
  o.block = a.block().get();
  const int rank = a.ndim();
  o.row = a.element_strides()[rank - 2];
  o.column = a.element_strides()[rank - 1];
  const int offset = stack.rank() - rank;
  for (int d = 0; d < stack.rank() - 2; ++d) {
    const bool stretched = d < offset || a.shape()[d - offset] == 1;
    o.batch[d] = stretched ? 0 : a.element_strides()[d - offset];
  }
  return o;
}

/// Can a library read the array's matrices in place?
template <class T>
bool has_usable_matrices(const array<T>& a) {
  const int rank = a.ndim();
  return form_of(a.shape()[rank - 2], a.shape()[rank - 1], a.element_strides()[rank - 2],
                 a.element_strides()[rank - 1])
      .usable;
}

/// Reduces the batch axes to as few as possible: those of size 1 are dropped, and neighbours are merged if all
/// operands have even steps.
GNP_DECLARED void collapse_batch(gemm_job& j);

/// Turns batch axes into more rows of one large product, if b is the same for all matrices and a's and c's rows
/// continue with equal steps.
GNP_DECLARED void fold_batch_into_rows(gemm_job& j);

/// Brings a job into the form that libraries take: c column-major, as few batches as possible.
GNP_INLINE void simplify(gemm_job& j) {
  collapse_batch(j);
  fold_batch_into_rows(j);
  transpose(j);
  fold_batch_into_rows(j);
  if (!column_major(j.m, j.n, j.c.row, j.c.column)) transpose(j);
}

/// Calls f(a, b, c, count) with the operands' addresses for batches [first, last), in row-major order: the
/// first of `count` that follow each other along the last batch axis.
template <class F>
void for_each_run(const gemm_job& j, index_t first, index_t last, const F& f) {
  const int inner = j.batch_rank - 1;
  for (index_t i = first; i < last;) {
    index_t offset[3] = {};
    index_t rest = i;
    index_t count = 1;
    for (int d = inner; d >= 0; --d) {
      const index_t at = rest % j.batch[d];
      rest /= j.batch[d];
      if (d == inner) count = (std::min)(j.batch[d] - at, last - i);
      offset[0] += at * j.a.batch[d];
      offset[1] += at * j.b.batch[d];
      offset[2] += at * j.c.batch[d];
    }
    f(j.a.data + offset[0] * j.itemsize, j.b.data + offset[1] * j.itemsize, j.c.data + offset[2] * j.itemsize,
      count);
    i += count;
  }
}

/// Calls f(a, b, c) for each of these batches.
template <class F>
void for_each_batch(const gemm_job& j, index_t first, index_t last, const F& f) {
  const int inner = j.batch_rank - 1;
  const auto step = [&](const gemm_operand& o) { return inner < 0 ? 0 : o.batch[inner] * j.itemsize; };
  for_each_run(j, first, last, [&](char* a, char* b, char* c, index_t count) {
    for (; count > 0; --count, a += step(j.a), b += step(j.b), c += step(j.c)) f(a, b, c);
  });
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void collapse_batch(gemm_job& j) {
  gemm_operand* const operands[] = {&j.a, &j.b, &j.c};
  int rank = 0;
  for (int d = 0; d < j.batch_rank; ++d) {
    const index_t size = j.batch[d];
    if (size == 1) continue;
    bool merges = rank > 0;
    for (const gemm_operand* o : operands) merges = merges && o->batch[rank - 1] == o->batch[d] * size;
    if (!merges) ++rank;
    j.batch[rank - 1] = merges ? j.batch[rank - 1] * size : size;
    for (gemm_operand* o : operands) o->batch[rank - 1] = o->batch[d];
  }
  j.batch_rank = rank;
}

GNP_INLINE void fold_batch_into_rows(gemm_job& j) {
  for (int d = j.batch_rank; d-- > 0;) {
    // With only one row, the step to the next one is arbitrary.
    const index_t a_row = j.m == 1 ? j.a.batch[d] : j.a.row;
    const index_t c_row = j.m == 1 ? j.c.batch[d] : j.c.row;
    const index_t rows = j.m * j.batch[d];
    if (j.b.batch[d] != 0 || j.a.batch[d] != j.m * a_row || j.c.batch[d] != j.m * c_row) continue;
    if (!form_of(rows, j.k, a_row, j.a.column).usable || !form_of(rows, j.n, c_row, j.c.column).usable)
      continue;
    j.m = rows;
    j.a.row = a_row;
    j.c.row = c_row;
    for (int e = d; e + 1 < j.batch_rank; ++e) {
      j.batch[e] = j.batch[e + 1];
      for (gemm_operand* o : {&j.a, &j.b, &j.c}) o->batch[e] = o->batch[e + 1];
    }
    d = --j.batch_rank;
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
