// SPDX-License-Identifier: MIT
// Keyword arguments of the calls of a group.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/distributed/engine.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// all_reduce, reduce and reduce_scatter.
struct reduce_options {
  by_name only = by_name();
  reduction op = reduction::sum;
  int root = 0;  // of reduce
  int axis = 0;  // of reduce_scatter: the one that is cut
};
/// all_gather, gather, scatter and broadcast.
struct gather_options {
  by_name only = by_name();
  int root = 0;  // all_gather has none
  int axis = 0;  // that is joined or cut; broadcast has none
};
/// all_to_all.
struct all_to_all_options {
  by_name only = by_name();
  int axis = 0;  // that is cut
  int into = 0;  // that is joined
};

}}}  // namespace gnp::GNP_ABI::distributed
