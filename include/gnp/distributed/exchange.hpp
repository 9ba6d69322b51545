// SPDX-License-Identifier: MIT
// Exchanges contiguous arrays among several processes at once, on the host or on GPUs.
#pragma once

#include <gnp/distributed/group.hpp>
#include <gnp/distributed/moving.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// All processes of the group call this, also those that have nothing to send. All arrays are on `where`, which
/// is a GPU on all processes or on none. Arrays between two processes arrive in the order in which both name
/// them. Arrays without elements are left out on both sides.
template <element T>
void exchange_arrays(const group& g, const char* function, gnp::device where, std::span<const parcel<T>> sent,
                     std::span<const parcel<T>> received) {
  const route way = g.route_for(function, where.is_cuda(), where);
  if (way.where == where) return exchange_by(way, function, sent, received);
  std::vector<parcel<T>> out, in;
  for (const parcel<T>& p : sent) out.push_back({p.peer, p.memory.to(way.where)});
  for (const parcel<T>& p : received)
    in.push_back({p.peer, gnp::array<T>(p.memory.shape(), way.where, function)});
  exchange_by<T>(way, function, out, in);
  for (std::size_t i = 0; i < in.size(); ++i) received[i].memory.assign(in[i].memory.to(where));
}

/// Copies the root's contiguous array into the arrays of all others, which already have its shape.
template <element T>
void broadcast_in_place(const group& g, const char* function, const gnp::array<T>& memory, int root) {
  const route way = g.route_for(function, memory.device().is_cuda(), memory.device());
  const gnp::array<T> there = memory.to(way.where);
  broadcast_by(way, function, there, root);
  if (!(way.where == memory.device())) memory.assign(there.to(memory.device()));
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
