// SPDX-License-Identifier: MIT
// The singular vectors of a divided bidiagonal matrix: how those of two parts become those of the whole.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/dense/block.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

#if GNP_HAS_EIGEN

template <class R>
using divided_vectors = Eigen::Matrix<R, Eigen::Dynamic, Eigen::Dynamic>;

/// The rows in which a column of vectors has entries other than zero.
enum class vector_rows { upper, all, lower };
/// An entry of the diagonal and of the row above it, and the vectors that belong to it.
struct divided_column {
  double d;
  double z;
  index_t at;
  vector_rows where;
};
/// `kept`: the columns that the row couples, ascending after the null vector. `settled`: those that it does not
/// couple.
struct divided_row {
  std::vector<divided_column> kept;
  std::vector<index_t> settled;
  std::vector<double> settled_values;
};
/// The columns that are recombined: those of upper rows first, those of lower rows last.
struct grouped_columns {
  std::vector<index_t> columns;
  index_t upper = 0;
  index_t all = 0;
  index_t lower = 0;
  index_t count() const { return upper + all + lower; }
};

/// Groups the right vectors and the left ones; the null vector has no left one. Returns the places of the right
/// ones.
GNP_INLINE std::vector<index_t> group(const std::vector<divided_column>& kept, grouped_columns& of_v,
                                      grouped_columns& of_u) {
  std::vector<index_t> place(kept.size());
  for (const vector_rows where : {vector_rows::upper, vector_rows::all, vector_rows::lower}) {
    const auto add = [where](grouped_columns& g, index_t column) {
      ++(where == vector_rows::upper ? g.upper : where == vector_rows::all ? g.all : g.lower);
      g.columns.push_back(column);
    };
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (kept[j].where != where) continue;
      place[j] = of_v.count();
      add(of_v, kept[j].at);
      if (j > 0) add(of_u, kept[j].at);
    }
  }
  return place;
}

/// Turns two columns from row `first` on, as turned_columns does.
template <class R>
void turn_vectors(divided_vectors<R>& vectors, index_t first, index_t rows, index_t x, index_t y, double c,
                  double s) {
  const auto sine = static_cast<R>(s);
  const auto tau = static_cast<R>(s / (1 + c));
  auto of_x = vectors.col(x).segment(first, rows);
  auto of_y = vectors.col(y).segment(first, rows);
  const Eigen::Matrix<R, Eigen::Dynamic, 1> change = (of_y - of_x * tau) * sine;
  of_y -= (of_x + of_y * tau) * sine;
  of_x += change;
}

/// Overwrites the columns from `first` on with the kept columns times the coefficients, followed by the settled
/// columns. This is done in `upper` rows from row `first` on and in `lower` rows from row `lower_first` on.
/// Columns with only upper or only lower rows take half the work of others.
template <class R>
void recombine_vectors(divided_vectors<R>& vectors, index_t first, index_t upper, index_t lower_first,
                       index_t lower, const grouped_columns& kept, const std::vector<index_t>& settled,
                       const divided_vectors<R>& coefficients) {
  const auto with_upper = kept.upper + kept.all;
  const auto with_lower = kept.all + kept.lower;
  const index_t k = coefficients.cols();
  divided_vectors<R> above(upper, with_upper + static_cast<index_t>(settled.size()));
  divided_vectors<R> below(lower, with_lower + static_cast<index_t>(settled.size()));
  const auto take = [&](divided_vectors<R>& to, index_t begin, index_t at, index_t from) {
    to.col(at) = vectors.col(from).segment(begin, to.rows());
  };
  for (index_t j = 0; j < kept.count(); ++j) {
    const index_t from = kept.columns[static_cast<std::size_t>(j)];
    if (j < with_upper) take(above, first, j, from);
    if (j >= kept.upper) take(below, lower_first, j - kept.upper, from);
  }
  for (std::size_t i = 0; i < settled.size(); ++i) {
    take(above, first, with_upper + static_cast<index_t>(i), settled[i]);
    take(below, lower_first, with_lower + static_cast<index_t>(i), settled[i]);
  }
  parallel_columns(k, upper * with_upper + lower * with_lower, [&](index_t begin, index_t end) {
    const index_t width = end - begin;
    const auto into_upper = block_of(vectors).part(first, first + begin, upper, width);
    const auto into_lower = block_of(vectors).part(lower_first, first + begin, lower, width);
    for (const auto& block : {into_upper, into_lower}) scale_block(block, R(0));
    add_product<matrix_op::none, matrix_op::none>(into_upper, R(1),
                                                  block_of(above).part(0, 0, upper, with_upper),
                                                  block_of(coefficients).part(0, begin, with_upper, width));
    add_product<matrix_op::none, matrix_op::none>(
        into_lower, R(1), block_of(below).part(0, 0, lower, with_lower),
        block_of(coefficients).part(coefficients.rows() - with_lower, begin, with_lower, width));
  });
  const auto rest = static_cast<index_t>(settled.size());
  vectors.block(first, first + k, upper, rest) = above.rightCols(rest);
  vectors.block(lower_first, first + k, lower, rest) = below.rightCols(rest);
}

#endif

}}}  // namespace gnp::GNP_ABI::detail
