// SPDX-License-Identifier: MIT
// group: processes that make calls together, on arrays. All processes of a group make each call, in the same
// order.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/distributed/calls.hpp>
#include <gnp/distributed/on_gpus.hpp>
#include <gnp/distributed/options.hpp>
#include <gnp/distributed/start.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/routines/joining.hpp>
#include <optional>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

struct lines_of_grid;

/// What the copies of a group share. The GPU connections are destroyed before the engine that made them.
struct members {
  explicit members(std::shared_ptr<engine> all) : host(std::move(all)) {}

  std::shared_ptr<engine> host;
  connected_gpus gpus;
  std::vector<std::shared_ptr<lines_of_grid>> grids;  // in which the processes stand for arrays
};

}  // namespace detail

/// Processes, each with a rank from 0 on. Copies are the same group.
class group {
 public:
  explicit group(std::shared_ptr<detail::engine> host)
      : members_(std::make_shared<detail::members>(std::move(host))) {}

  int rank() const { return host().rank(); }
  int size() const { return host().size(); }
  /// Do both have the same processes, and make the same calls?
  bool operator==(const group& other) const { return members_ == other.members_; }

  /// The processes that give the same colour, ranked by key and then by their rank here; nothing for a negative
  /// colour.
  std::optional<group> split(int color, int key = 0) const {
    auto part = host().split("split", color, key);
    return part == nullptr ? std::nullopt : std::optional(group(std::move(part)));
  }

  /// Waits until all processes have called it.
  void barrier() const { host().barrier("barrier"); }

  /// The elements of all processes, reduced; all processes get the result. The arrays have one shape and type.
  template <array_like X>
  auto all_reduce(const X& x, const reduce_options& options = {}) const {
    const auto own = x.eval();
    detail::require_same_calls(host(), "all_reduce", own, options.op);
    const detail::route way = route_for("all_reduce", own.device().is_cuda(), own.device());
    const auto from = detail::placed(way, own);
    const std::remove_const_t<decltype(from)> result(from.shape(), way.where, "all_reduce");
    detail::all_reduce_by(way, "all_reduce", from, result, options.op);
    return result.to(x.device());
  }
  /// Like all_reduce, but the result replaces the elements of x.
  template <element T>
  void all_reduce_in_place(const gnp::array<T>& x, const reduce_options& options = {}) const {
    if (x.is_read_only()) {
      throw shape_error("all_reduce_in_place: the array of shape " + to_string(x.shape()) +
                        " is read-only and cannot be written: copy() it first");
    }
    gnp::detail::check_writable(gnp::detail::view_of(x), "all_reduce_in_place");
    detail::require_same_calls(host(), "all_reduce_in_place", x, options.op);
    const detail::route way = route_for("all_reduce_in_place", x.device().is_cuda(), x.device());
    const gnp::array<T> memory = detail::placed(way, x);
    detail::all_reduce_by(way, "all_reduce_in_place", memory, memory, options.op);
    if (memory.data() != x.data()) x.assign(memory.to(x.device()));
  }

  /// Like all_reduce, but only the root gets the result; the others get an array without elements.
  template <array_like X>
  auto reduce(const X& x, const reduce_options& options = {}) const {
    require_root("reduce", options.root);
    const auto own = x.eval();
    detail::require_same_calls(host(), "reduce", own, options.op);
    const detail::route way = route_for("reduce", own.device().is_cuda(), own.device());
    const auto from = detail::placed(way, own);
    const bool here = rank() == options.root;
    const std::remove_const_t<decltype(from)> result(here ? from.shape() : shape_t{0}, way.where, "reduce");
    detail::reduce_by(way, "reduce", from, result, options.op, options.root);
    return result.to(x.device());
  }

  /// This process's part of what all_reduce would give, cut along an axis as array_split does it.
  template <array_like X>
  auto reduce_scatter(const X& x, const reduce_options& options = {}) const {
    const auto own = x.eval();
    detail::require_same_calls(host(), "reduce_scatter", own, options.op);
    const int axis = gnp::detail::normalize_axis(options.axis, own.ndim(), "reduce_scatter");
    const detail::route way = route_for("reduce_scatter", own.device().is_cuda(), own.device());
    using result = std::remove_const_t<decltype(own)>;
    const result from = detail::placed(way, result(moveaxis(own, axis, 0)));  // its parts are contiguous
    std::vector<index_t> counts;
    const index_t length = from.shape()[0];
    for (int r = 0; r < size(); ++r)
      counts.push_back(detail::length_of_part(length, r, size()) * (length == 0 ? 0 : from.size() / length));
    shape_t shape = from.shape();
    shape[0] = detail::length_of_part(length, rank(), size());
    const result part(shape, way.where, "reduce_scatter");
    detail::reduce_scatter_by(way, "reduce_scatter", from, part, counts, options.op);
    return ascontiguousarray(result(moveaxis(part, 0, axis)).to(x.device()));
  }

  /// The root's array, on all processes. The arrays of the others give only the type and the result's device.
  template <array_like X>
  auto broadcast(const X& x, const gather_options& options = {}) const {
    require_root("broadcast", options.root);
    const auto own = x.eval();
    const auto [shape, on_gpus] = detail::record_of_root(host(), "broadcast", own, options.root);
    const detail::route way = route_for("broadcast", on_gpus, own.device());
    const std::remove_const_t<decltype(own)> result(shape, way.where, "broadcast");
    if (rank() == options.root) result.assign(own.to(way.where));
    detail::broadcast_by(way, "broadcast", result, options.root);
    return result.to(x.device());
  }

  /// The arrays of all processes joined along an axis, in the order of their ranks. They may differ in length
  /// along this axis.
  template <array_like X>
  auto all_gather(const X& x, const gather_options& options = {}) const {
    const auto own = x.eval();
    const auto parts = detail::parts_of_all(host(), "all_gather", own, options.axis);
    const detail::route way = route_for("all_gather", parts.all_on_gpus(), own.device());
    const auto all = parts.room(way.where, "all_gather");
    detail::all_gather_by(way, "all_gather", detail::placed(way, own), all, parts.bytes());
    return parts.joined(all).to(x.device());
  }

  /// Like all_gather, but only the root gets the result; the others get an array without elements.
  template <array_like X>
  auto gather(const X& x, const gather_options& options = {}) const {
    require_root("gather", options.root);
    const auto own = x.eval();
    using result = std::remove_const_t<decltype(own)>;
    using parcel = detail::parcel<typename result::value_type>;
    const auto parts = detail::parts_of_all(host(), "gather", own, options.axis);
    const detail::route way = route_for("gather", parts.all_on_gpus(), own.device());
    const bool here = rank() == options.root;
    const result all = here ? parts.room(way.where, "gather") : result(shape_t{0}, way.where);
    const parcel sent[] = {{options.root, detail::placed(way, own)}};
    const std::vector<parcel> received = here ? parts.places(all) : std::vector<parcel>();
    detail::exchange_by<typename result::value_type>(way, "gather", sent, received);
    return (here ? parts.joined(all) : all).to(x.device());
  }

  /// The root's array, cut along an axis as array_split does it: each process gets its part.
  template <array_like X>
  auto scatter(const X& x, const gather_options& options = {}) const {
    require_root("scatter", options.root);
    const auto own = x.eval();
    using result = std::remove_const_t<decltype(own)>;
    using parcel = detail::parcel<typename result::value_type>;
    const auto [shape, on_gpus] = detail::record_of_root(host(), "scatter", own, options.root);
    const detail::route way = route_for("scatter", on_gpus, own.device());
    const int axis = gnp::detail::normalize_axis(options.axis, shape.rank(), "scatter");
    std::vector<parcel> sent;
    for (int r = 0; rank() == options.root && r < size(); ++r)
      sent.push_back({r, detail::placed(way, detail::part_of(own, axis, r, size()))});
    shape_t shape_here = shape;
    shape_here[axis] = detail::length_of_part(shape[axis], rank(), size());
    const parcel received[] = {{options.root, result(shape_here, way.where, "scatter")}};
    detail::exchange_by<typename result::value_type>(way, "scatter", sent, received);
    return received[0].memory.to(x.device());
  }

  /// Cuts this process's array along an axis, sends each process its part, and joins the parts that come from
  /// all.
  template <array_like X>
  auto all_to_all(const X& x, const all_to_all_options& options = {}) const {
    const auto own = x.eval();
    using result = std::remove_const_t<decltype(own)>;
    using parcel = detail::parcel<typename result::value_type>;
    const auto [shapes, on_gpus] = detail::shapes_of_all(host(), "all_to_all", own);
    const int axis = gnp::detail::normalize_axis(options.axis, own.ndim(), "all_to_all");
    const int into = gnp::detail::normalize_axis(options.into, own.ndim(), "all_to_all");
    detail::require_joining(shapes, into, "all_to_all");
    const detail::route way = route_for("all_to_all", on_gpus, own.device());
    std::vector<parcel> sent, received;
    std::vector<result> arrived;
    for (int r = 0; r < size(); ++r) {
      sent.push_back({r, detail::placed(way, detail::part_of(own, axis, r, size()))});
      shape_t shape = shapes[static_cast<std::size_t>(r)];
      shape[axis] = detail::length_of_part(shape[axis], rank(), size());
      arrived.push_back(result(shape, way.where, "all_to_all"));
      received.push_back({r, arrived.back()});
    }
    detail::exchange_by<typename result::value_type>(way, "all_to_all", sent, received);
    return result(concatenate(arrived, into)).to(x.device());
  }

  /// Sends an array to another process, which calls receive. Its shape and type are sent first.
  template <array_like X>
  void send(const X& x, int to) const {
    require_other("send", to);
    const auto own = x.eval();
    using T = typename std::remove_const_t<decltype(own)>::value_type;
    detail::call_record head = detail::record_of("send", own);
    head.connection = connection_of(own.device());
    const detail::message first = {to, &head, sizeof head};
    host().exchange("send", {&first, 1}, {});
    const detail::route way = route_by(head.connection);
    const detail::parcel<T> rest[] = {{to, detail::placed(way, own)}};
    detail::exchange_by<T>(way, "send", rest, {});
  }
  /// Receives an array that another process sends, on the default device.
  template <element T>
  gnp::array<T> receive(int from) const {
    require_other("receive", from);
    detail::call_record head;
    const detail::message first = {from, &head, sizeof head};
    host().exchange("receive", {}, {&first, 1});
    const detail::route way = route_by(head.connection);
    if (head.type != dtype_of<T>) {  // received anyway, because otherwise the next receive would get it
      const auto size = static_cast<std::size_t>(gnp::detail::element_count(head.shape_of(), "receive"));
      const gnp::array<std::uint8_t> wrong(shape_t{static_cast<index_t>(size * itemsize(head.type))}, way.where,
                                           "receive");
      const detail::parcel<std::uint8_t> rest[] = {{from, wrong}};
      detail::exchange_by<std::uint8_t>(way, "receive", {}, rest);
      throw dtype_error(std::string("receive: process ") + std::to_string(from) + " sends " + name(head.type) +
                        ", and " + name(dtype_of<T>) + " was asked for");
    }
    const detail::parcel<T> rest[] = {{from, gnp::array<T>(head.shape_of(), way.where, "receive")}};
    detail::exchange_by<T>(way, "receive", {}, rest);
    return rest[0].memory.to(default_device());
  }

  /// For gnp's own calls: what moves the host's memory, the grids of the processes, and the route for arrays on
  /// `where`, if `on_gpus` says that those of all processes are on GPUs.
  const std::shared_ptr<detail::engine>& engine() const { return members_->host; }
  std::vector<std::shared_ptr<detail::lines_of_grid>>& grids() const { return members_->grids; }
  detail::route route_for(const char* function, bool on_gpus, device where) const {
    detail::mover* const gpus = on_gpus ? members_->gpus.mover_of(function, host(), where) : nullptr;
    return gpus != nullptr ? detail::route{gpus, where} : detail::route{&host(), device::cpu()};
  }

 private:
  void require_root(const char* function, int root) const {
    if (root < 0 || root >= size()) {
      throw index_error(std::string(function) + ": the root " + std::to_string(root) + " is none of " +
                        std::to_string(size()) + " processes");
    }
  }
  void require_other(const char* function, int peer) const {
    require_root(function, peer);
    if (peer == rank())
      throw distributed_error(std::string(function) + ": process " + std::to_string(peer) + " is this one");
  }

  detail::engine& host() const { return *members_->host; }

  /// Two processes alone make no connection. They use one that an earlier call of all processes has made.
  int connection_of(device where) const {
    const auto& all = members_->gpus.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].where == where && all[i].by != nullptr) return static_cast<int>(i);
    }
    return -1;
  }
  detail::route route_by(int connection) const {
    if (connection < 0) return {&host(), device::cpu()};
    const auto& one = members_->gpus.all().at(static_cast<std::size_t>(connection));
    return {one.by.get(), one.where};
  }

  std::shared_ptr<detail::members> members_;
};

}}}  // namespace gnp::GNP_ABI::distributed
