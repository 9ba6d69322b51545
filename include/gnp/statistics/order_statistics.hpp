// SPDX-License-Identifier: MIT
// The basis of medians and quantiles: the elements of given ranks along any axes.
#pragma once

#include <gnp/core/axes.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/statistics/select_cpu.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A contiguous array whose last axis combines the axes that a statistic runs along; and what is left of its
/// shape.
template <class T>
struct statistic_rows {
  array<T> rows;
  shape_t kept;  // the result's shape
  index_t length = 1;
};

template <class T>
array<T> axes_as_rows(const array<T>& x, const axis_set& axes) {
  view_layout layout{0, {}, {}};
  for (const bool chosen : {false, true}) {
    for (int d = 0; d < x.ndim(); ++d) {
      if (axes.chosen[d] != chosen) continue;
      layout.shape.push_back(x.shape()[d]);
      layout.strides.push_back(x.element_strides()[d]);
    }
  }
  const array<T> turned = x.view(layout);
  const array<T> rows = turned.is_contiguous() ? turned : turned.copy();
  shape_t shape;
  index_t length = 1;
  for (int d = 0; d < rows.ndim(); ++d) {
    if (d < rows.ndim() - axes.count) {
      shape.push_back(rows.shape()[d]);
    } else {
      length *= rows.shape()[d];
    }
  }
  shape.push_back(length);
  return rows.view({0, shape, contiguous_strides(shape)});
}

template <array_like X>
auto rows_along(const X& x, const axes_t& axis, bool keepdims, const char* function) {
  using T = typename X::value_type;
  const array<T> values = x.eval();
  const axis_set axes(axis, values.ndim(), function);
  const array<T> rows = axes_as_rows(values, axes);
  return statistic_rows<T>{rows, reduced_shape(values.shape(), axes, keepdims), rows.shape().back()};
}

/// Each rank once, in ascending order; and the place of one rank among them.
GNP_DECLARED_ON_USE std::vector<index_t> sorted_ranks(std::vector<index_t> ranks);
GNP_DECLARED_ON_USE index_t place_of_rank(const std::vector<index_t>& ranks, index_t rank);

/// The elements of some ranks in each row.
template <class T>
class order_statistics {
 public:
  order_statistics(const array<T>& rows, std::vector<index_t> ranks, const char* function)
      : ranks_(sorted_ranks(std::move(ranks))), all_(rows.device().is_cuda() || is_complex(dtype_of<T>)) {
    if constexpr (!is_complex(dtype_of<T>)) {
      if (!all_) {
        values_ = select_on_cpu(rows, ranks_, function);
        return;
      }
    }
    values_ = sorted_rows(rows, false, function);
  }
  /// The elements of one rank, as a view.
  array<T> of(index_t rank) const { return values_(ellipsis, all_ ? rank : place_of_rank(ranks_, rank)); }

 private:
  std::vector<index_t> ranks_;
  bool all_;
  array<T> values_;
};

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/statistics/sorted_ranks.hpp>
#endif
