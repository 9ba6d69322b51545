// SPDX-License-Identifier: MIT
// A job that writes elements to places in memory, without the elements' C++ type.
#pragma once

#include <gnp/array/array.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct scatter_job {
  char* memory;
  storage* block;
  int itemsize;
  element_span reach;  // of the memory, in elements
  const array<std::int64_t>& places;
  const char* values;
  storage* values_block;
  bool one_value;   // is there one value for all places?
  bool may_repeat;  // may places repeat? Then the last element counts
  index_t run = 1;  // on the CPU: the number of consecutive elements at each place
};

GNP_DECLARED void run(const scatter_job& s);

}}}  // namespace gnp::GNP_ABI::detail
