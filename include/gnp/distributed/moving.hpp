// SPDX-License-Identifier: MIT
// Arrays that move among processes: on the host by the group's engine, or on GPUs.
#pragma once

#include <algorithm>
#include <gnp/array/array.hpp>
#include <gnp/distributed/engine.hpp>
#include <gnp/distributed/gpu_mover.hpp>
#include <gnp/expr/arithmetic.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/memory/submission.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/stretches.hpp>
#include <optional>
#include <span>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// How arrays are moved: the device on which they have to be, and the object that moves them.
struct route {
  mover* by;
  gnp::device where;
};

/// An array that goes to a process, or memory for one that comes from it. Contiguous.
template <element T>
struct parcel {
  int peer = 0;
  gnp::array<T> memory = {};
};

/// The elements in row-major order on the route's device, for reading only.
template <array_like X>
gnp::array<typename X::value_type> placed(const route& way, const X& x) {
  const gnp::array<typename X::value_type> a = x.eval();
  return a.device() == way.where ? ascontiguousarray(a) : a.to(way.where);
}

/// During its lifetime, this thread queues work that uses the arrays passed to reads() and writes().
class use_of_arrays {
 public:
#if GNP_HAS_CUDA
  explicit use_of_arrays(const route& way) {
    if (way.where.is_cuda()) work_.emplace(way.where);
  }
  template <element T>
  const T* reads(const gnp::array<T>& a) const {
    if (work_.has_value() && a.size() > 0) work_->reads(a);
    return a.data();
  }
  template <element T>
  T* writes(const gnp::array<T>& a) const {
    if (work_.has_value() && a.size() > 0) work_->writes(a);
    return a.data();
  }

 private:
  std::optional<gnp::detail::submission> work_;
#else
  explicit use_of_arrays(const route&) {}
  template <element T>
  const T* reads(const gnp::array<T>& a) const {
    return a.data();
  }
  template <element T>
  T* writes(const gnp::array<T>& a) const {
    return a.data();
  }
#endif
};

/// Messages between two processes arrive in the order in which both name them.
template <element T>
void exchange_by(const route& way, const char* function, std::span<const parcel<T>> sent,
                 std::span<const parcel<T>> received) {
  const use_of_arrays use(way);
  std::vector<message> out, in;
  for (const parcel<T>& p : sent) {
    if (p.memory.size() == 0) continue;
    use.reads(p.memory);
    out.push_back({p.peer, p.memory.data(), static_cast<std::size_t>(p.memory.nbytes())});
  }
  for (const parcel<T>& p : received) {
    if (p.memory.size() == 0) continue;
    in.push_back({p.peer, use.writes(p.memory), static_cast<std::size_t>(p.memory.nbytes())});
  }
  way.by->exchange(function, out, in);
}

template <element T>
void broadcast_by(const route& way, const char* function, const gnp::array<T>& x, int root) {
  const use_of_arrays use(way);
  way.by->broadcast(function, use.writes(x), static_cast<std::size_t>(x.nbytes()), root);
}

template <element T>
void all_gather_by(const route& way, const char* function, const gnp::array<T>& part, const gnp::array<T>& all,
                   std::span<const std::size_t> bytes) {
  const use_of_arrays use(way);
  const T* const from = use.reads(part);
  way.by->all_gather(function, from, use.writes(all), bytes);
}

// ------------------------------------------------------------------------------------------------- reductions

/// Does NCCL lack this reduction? Then each process reduces a part of all arrays itself.
template <element T>
bool is_reduced_here([[maybe_unused]] const route& way, [[maybe_unused]] reduction how) {
#if GNP_HAS_CUDA
  return way.where.is_cuda() && way.by->size() > 1 && !is_reduced_by_nccl(dtype_of<T>, how);
#else
  return false;
#endif
}

/// x = combined(x, y).
template <element T>
void combine_here([[maybe_unused]] const gnp::array<T>& x, [[maybe_unused]] const gnp::array<T>& y,
                  [[maybe_unused]] reduction how) {
#if GNP_HAS_CUDA
  if constexpr (!is_reduced_by_nccl(dtype_of<T>, reduction::sum)) {
    if (how == reduction::sum) x.assign(x + y);
  }
  if constexpr (!is_reduced_by_nccl(dtype_of<T>, reduction::prod)) {
    if (how == reduction::prod) x.assign(x * y);
  }
  if constexpr (!is_reduced_by_nccl(dtype_of<T>, reduction::min)) {
    if (how == reduction::min) x.assign(minimum(x, y));
    if (how == reduction::max) x.assign(maximum(x, y));
  }
#endif
}

/// `from` is contiguous and holds the parts one after the other. This process gets counts[rank] of the reduced
/// elements in `part`.
template <element T>
void reduce_scatter_by(const route& way, const char* function, const gnp::array<T>& from,
                       const gnp::array<T>& part, std::span<const index_t> counts, reduction how) {
  if (!is_reduced_here<T>(way, how)) {
    const use_of_arrays use(way);
    const T* const data = use.reads(from);
    way.by->reduce_scatter(function, data, use.writes(part), counts, dtype_of<T>, how);
    return;
  }
  const gnp::array<T> flat = from.reshape(shape_t{from.size()});
  std::vector<parcel<T>> sent, received;
  index_t begin = 0;
  for (int r = 0; r < way.by->size(); ++r) {
    const index_t count = counts[static_cast<std::size_t>(r)];
    sent.push_back({r, gnp::detail::stretch_of(flat, 0, begin, count)});
    received.push_back({r, gnp::array<T>(shape_t{part.size()}, way.where, function)});
    begin += count;
  }
  exchange_by<T>(way, function, sent, received);
  const gnp::array<T> sum = part.reshape(shape_t{part.size()});
  if (sum.size() == 0) return;
  sum.assign(received[0].memory);
  for (std::size_t r = 1; r < received.size(); ++r) combine_here(sum, received[r].memory, how);
}

/// `from` and `into` are contiguous; they may be the same array.
template <element T>
void all_reduce_by(const route& way, const char* function, const gnp::array<T>& from, const gnp::array<T>& into,
                   reduction how) {
  if (!is_reduced_here<T>(way, how)) {
    const use_of_arrays use(way);
    const T* const data = use.reads(from);
    way.by->all_reduce(function, data, use.writes(into), into.size(), dtype_of<T>, how);
    return;
  }
  const int size = way.by->size(), rank = way.by->rank();
  std::vector<index_t> counts;
  std::vector<std::size_t> bytes;
  for (int r = 0; r < size; ++r) {
    counts.push_back(into.size() * (r + 1) / size - into.size() * r / size);
    bytes.push_back(static_cast<std::size_t>(counts.back()) * sizeof(T));
  }
  const gnp::array<T> part(shape_t{counts[static_cast<std::size_t>(rank)]}, way.where, function);
  reduce_scatter_by<T>(way, function, from, part, counts, how);
  all_gather_by(way, function, part, into, bytes);
}

/// `into` has memory only on the root.
template <element T>
void reduce_by(const route& way, const char* function, const gnp::array<T>& from, const gnp::array<T>& into,
               reduction how, int root) {
  if (!is_reduced_here<T>(way, how)) {
    const use_of_arrays use(way);
    const T* const data = use.reads(from);
    way.by->reduce(function, data, use.writes(into), from.size(), dtype_of<T>, how, root);
    return;
  }
  const bool here = way.by->rank() == root;
  all_reduce_by(way, function, from, here ? into : gnp::array<T>(from.shape(), way.where, function), how);
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
