// SPDX-License-Identifier: MIT
// Arrays that go from process to process, all at once.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/distributed/group.hpp>
#include <span>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// Contiguous memory that goes to a process, or is filled by one.
template <element T>
struct parcel {
  int peer = 0;
  gnp::array<T> memory;
};

template <element T>
void exchange_arrays(const group& among, const char* function, gnp::device, std::span<const parcel<T>> sent,
                     std::span<const parcel<T>> received) {
  std::vector<gnp::array<T>> here;
  std::vector<message> out, in;
  for (const parcel<T>& p : sent) {
    here.push_back(p.memory.to(device::cpu()));
    out.push_back(to(p.peer, here.back()));
  }
  const std::size_t first_received = here.size();
  for (const parcel<T>& p : received) {
    here.push_back(p.memory.device().is_cpu() ? p.memory
                                              : gnp::array<T>(p.memory.shape(), device::cpu(), function));
    in.push_back(to(p.peer, here.back()));
  }
  among.engine()->exchange(function, out, in);
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (!received[i].memory.device().is_cpu())
      received[i].memory.assign(here[first_received + i].to(received[i].memory.device()));
  }
}

/// The root's contiguous array into that of all others, which has its shape already.
template <element T>
void broadcast_in_place(const group& among, const char* function, const gnp::array<T>& memory, int root) {
  const gnp::array<T> here = memory.to(device::cpu());
  among.engine()->broadcast(function, here.data(), static_cast<std::size_t>(here.nbytes()), root);
  if (!memory.device().is_cpu()) memory.assign(here.to(memory.device()));
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
