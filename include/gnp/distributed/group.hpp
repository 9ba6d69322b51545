// SPDX-License-Identifier: MIT
// group: processes that make calls together, on arrays. Each call is made by all of a group, in the same order.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/distributed/calls.hpp>
#include <gnp/distributed/start.hpp>
#include <gnp/routines/joining.hpp>
#include <optional>

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

/// Processes, each with a rank from 0 on. Copies are the same group.
class group {
 public:
  explicit group(std::shared_ptr<detail::engine> engine) : engine_(std::move(engine)) {}

  int rank() const { return engine_->rank(); }
  int size() const { return engine_->size(); }
  /// What moves this group's memory, for functions of several processes of your own.
  const std::shared_ptr<detail::engine>& engine() const { return engine_; }
  /// The same processes, and calls among them?
  bool operator==(const group& other) const { return engine_ == other.engine_; }

  /// Those that say the same colour, ranked by key and then as here; nothing for a negative colour.
  std::optional<group> split(int color, int key = 0) const {
    auto part = engine_->split("split", color, key);
    return part == nullptr ? std::nullopt : std::optional(group(std::move(part)));
  }

  /// Waits until all are here.
  void barrier() const { engine_->barrier("barrier"); }

  /// What the elements of all processes come to, on all of them. The arrays have one shape and type.
  template <array_like X>
  auto all_reduce(const X& x, const reduce_options& options = {}) const {
    const auto result = detail::copied_to_cpu(x);
    detail::require_same_calls(*engine_, "all_reduce", result, options.op);
    engine_->all_reduce("all_reduce", result.data(), result.size(), result.dtype(), options.op);
    return detail::moved_to(x.device(), result);
  }
  /// The same where the elements are.
  template <element T>
  void all_reduce_in_place(const array<T>& x, const reduce_options& options = {}) const {
    if (x.device().is_cpu() && x.is_contiguous()) {
      detail::require_same_calls(*engine_, "all_reduce_in_place", x, options.op);
      engine_->all_reduce("all_reduce_in_place", x.data(), x.size(), x.dtype(), options.op);
    } else {
      x.assign(all_reduce(x, options));
    }
  }

  /// The same on the root alone; on the others an array without elements.
  template <array_like X>
  auto reduce(const X& x, const reduce_options& options = {}) const {
    require_root("reduce", options.root);
    auto result = detail::copied_to_cpu(x);
    detail::require_same_calls(*engine_, "reduce", result, options.op);
    engine_->reduce("reduce", result.data(), result.size(), result.dtype(), options.op, options.root);
    if (rank() != options.root) result = decltype(result)();
    return detail::moved_to(x.device(), result);
  }

  /// Of what all_reduce would give, the part of this process: as array_split cuts it along an axis.
  template <array_like X>
  auto reduce_scatter(const X& x, const reduce_options& options = {}) const {
    const auto all = detail::copied_to_cpu(x);
    detail::require_same_calls(*engine_, "reduce_scatter", all, options.op);
    const int axis = gnp::detail::normalize_axis(options.axis, all.ndim(), "reduce_scatter");
    engine_->all_reduce("reduce_scatter", all.data(), all.size(), all.dtype(), options.op);
    return detail::moved_to(x.device(), detail::part_of(all, axis, rank(), size()).copy());
  }

  /// The root's array, on all processes; what the others give says the type, and where the result is.
  template <array_like X>
  auto broadcast(const X& x, const gather_options& options = {}) const {
    require_root("broadcast", options.root);
    auto result = detail::copied_to_cpu(x);
    const shape_t shape = detail::shape_of_root(*engine_, "broadcast", result, options.root);
    if (rank() != options.root) result = decltype(result)(shape, device::cpu(), "broadcast");
    engine_->broadcast("broadcast", result.data(), static_cast<std::size_t>(result.nbytes()), options.root);
    return detail::moved_to(x.device(), result);
  }

  /// The arrays of all processes joined along an axis, in the order of their ranks. They may differ in length
  /// along it.
  template <array_like X>
  auto all_gather(const X& x, const gather_options& options = {}) const {
    const auto part = detail::on_cpu(x);
    const auto parts = detail::parts_of_all(*engine_, "all_gather", part, options.axis);
    const auto all = parts.room("all_gather");
    engine_->all_gather("all_gather", part.data(), all.data(), parts.bytes());
    return detail::moved_to(x.device(), parts.joined(all));
  }

  /// The same on the root alone; on the others an array without elements.
  template <array_like X>
  auto gather(const X& x, const gather_options& options = {}) const {
    require_root("gather", options.root);
    const auto part = detail::on_cpu(x);
    const auto parts = detail::parts_of_all(*engine_, "gather", part, options.axis);
    const bool here = rank() == options.root;
    auto all = here ? parts.room("gather") : std::remove_const_t<decltype(part)>();
    const detail::message sent = detail::to(options.root, part);
    engine_->exchange("gather", {&sent, 1}, here ? parts.messages(all.data()) : std::vector<detail::message>());
    return detail::moved_to(x.device(), here ? parts.joined(all) : all);
  }

  /// The root's array cut along an axis, as array_split cuts it: to each process its part.
  template <array_like X>
  auto scatter(const X& x, const gather_options& options = {}) const {
    require_root("scatter", options.root);
    const auto all = detail::on_cpu(x);
    const shape_t shape = detail::shape_of_root(*engine_, "scatter", all, options.root);
    const int axis = gnp::detail::normalize_axis(options.axis, shape.rank(), "scatter");
    std::vector<std::remove_const_t<decltype(all)>> parts;
    std::vector<detail::message> sent;
    for (int r = 0; rank() == options.root && r < size(); ++r) {
      parts.push_back(ascontiguousarray(detail::part_of(all, axis, r, size())));
      sent.push_back(detail::to(r, parts.back()));
    }
    shape_t own = shape;
    own[axis] = detail::length_of_part(shape[axis], rank(), size());
    const std::remove_const_t<decltype(all)> result(own, device::cpu(), "scatter");
    const detail::message received = detail::to(options.root, result);
    engine_->exchange("scatter", sent, {&received, 1});
    return detail::moved_to(x.device(), result);
  }

  /// Cuts this process's array along an axis, sends each process its part, and joins what comes from all.
  template <array_like X>
  auto all_to_all(const X& x, const all_to_all_options& options = {}) const {
    const auto own = detail::on_cpu(x);
    using result = std::remove_const_t<decltype(own)>;
    const int axis = gnp::detail::normalize_axis(options.axis, own.ndim(), "all_to_all");
    const int into = gnp::detail::normalize_axis(options.into, own.ndim(), "all_to_all");
    const std::vector<shape_t> shapes = detail::shapes_of_all(*engine_, "all_to_all", own);
    std::vector<result> parts, arrived;
    std::vector<detail::message> sent, received;
    for (int r = 0; r < size(); ++r) {
      parts.push_back(ascontiguousarray(detail::part_of(own, axis, r, size())));
      shape_t shape = shapes[static_cast<std::size_t>(r)];
      shape[axis] = detail::length_of_part(shape[axis], rank(), size());
      arrived.push_back(result(shape, device::cpu(), "all_to_all"));
      sent.push_back(detail::to(r, parts.back()));
      received.push_back(detail::to(r, arrived.back()));
    }
    engine_->exchange("all_to_all", sent, received);
    return detail::moved_to(x.device(), result(concatenate(arrived, into)));
  }

  /// An array to another process, which calls receive. Its shape and type go before it.
  template <array_like X>
  void send(const X& x, int to) const {
    require_other("send", to);
    const auto own = detail::on_cpu(x);
    detail::call_record head = detail::record_of("send", own);
    const detail::message sent[] = {{to, &head, sizeof head}, detail::to(to, own)};
    engine_->exchange("send", sent, {});
  }
  /// An array from another process that sends one, on the default device.
  template <element T>
  array<T> receive(int from) const {
    require_other("receive", from);
    detail::call_record head;
    const detail::message first = {from, &head, sizeof head};
    engine_->exchange("receive", {}, {&first, 1});
    const auto size = static_cast<std::size_t>(gnp::detail::element_count(head.shape_of(), "receive"));
    std::vector<std::byte> wrong;  // of another type: taken, so that the next message is not taken for it
    array<T> result;
    if (head.type == dtype_of<T>) {
      result = array<T>(head.shape_of(), device::cpu(), "receive");
    } else {
      wrong.resize(size * itemsize(head.type));
    }
    const detail::message rest =
        wrong.empty() ? detail::to(from, result) : detail::message{from, wrong.data(), wrong.size()};
    engine_->exchange("receive", {}, {&rest, 1});
    if (head.type != dtype_of<T>) {
      throw dtype_error(std::string("receive: process ") + std::to_string(from) + " sends " + name(head.type) +
                        ", and " + name(dtype_of<T>) + " was asked for");
    }
    return detail::moved_to(default_device(), result);
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

  std::shared_ptr<detail::engine> engine_;
};

/// All processes of this run. One that no launcher has started is a world of its own.
inline const group& world() {
  static const group& all = *new group(detail::first_engine());  // never destroyed: MPI ends before it would be
  return all;
}

}}}  // namespace gnp::GNP_ABI::distributed
