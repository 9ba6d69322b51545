// SPDX-License-Identifier: MIT
// Contiguous arrays that several processes send each other at once, on the host or on GPUs.
#pragma once

#include <gnp/distributed/group.hpp>
#include <gnp/distributed/moving.hpp>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// All processes of the group call it, also those that have nothing to send. All arrays are on one device of
/// the process, and on GPUs on all processes or on none. Those between two processes arrive in the order in
/// which both name them; those without elements are left out on both sides.
template <element T>
void exchange_arrays(const group& g, const char* function, std::span<const parcel<T>> sent,
                     std::span<const parcel<T>> received) {
  const device where = !sent.empty()       ? sent[0].memory.device()
                       : !received.empty() ? received[0].memory.device()
                                           : default_device();
  const route way = g.route_for(function, where.is_cuda(), where);
  if (way.where == where) return exchange_by(way, function, sent, received);
  std::vector<parcel<T>> out, in;
  for (const parcel<T>& p : sent) out.push_back({p.peer, p.memory.to(way.where)});
  for (const parcel<T>& p : received) in.push_back({p.peer, array<T>(p.memory.shape(), way.where, function)});
  exchange_by<T>(way, function, out, in);
  for (std::size_t i = 0; i < in.size(); ++i) received[i].memory.assign(in[i].memory.to(where));
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
