// SPDX-License-Identifier: MIT
// What a sort in vectors is asked for.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/core/shape.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Rows that lie one after the other.
struct rows_to_sort {
  dtype type;
  const void* from;
  index_t rows;
  index_t length;
  bool descending;
};

/// What a partition is to find: the elements at these places, which are ascending. `taken` of its first
/// elements are stored, and also sorted if asked for.
struct partition_asked {
  const index_t* first;
  const index_t* last;
  index_t taken;
  bool sorted;
};

}}}  // namespace gnp::GNP_ABI::detail
