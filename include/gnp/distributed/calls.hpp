// SPDX-License-Identifier: MIT
// What calls of several processes have in common: how processes compare their arrays, and how an array is cut
// into parts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <gnp/array/array.hpp>
#include <gnp/distributed/moving.hpp>
#include <gnp/distributed/start.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/manipulation.hpp>
#include <span>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

inline std::atomic<bool>& checks_of_program() {
  static std::atomic<bool> checks = number_in("GNP_DISTRIBUTED_CHECKS") != 0;
  return checks;
}

}  // namespace detail

/// Sets whether all_reduce and similar calls check that all processes make the same call, with matching arrays.
/// A mismatch is then an error on all processes at once. Each comparison costs a small message.
/// GNP_DISTRIBUTED_CHECKS=1 turns it on from the start.
inline void check_calls(bool wanted = true) { detail::checks_of_program().store(wanted); }

namespace detail {

// ------------------------------------------------------------------------------------------------- parts

/// Parts as array_split makes them: the first parts have one element more if the length cannot be shared
/// evenly.
inline index_t length_of_part(index_t length, int part, int parts) {
  return length / parts + (part < length % parts ? 1 : 0);
}
inline index_t begin_of_part(index_t length, int part, int parts) {
  return length / parts * part + (std::min)(index_t{part}, length % parts);
}
template <element T>
gnp::array<T> part_of(const gnp::array<T>& x, int axis, int part, int parts) {
  const index_t length = x.shape()[axis];
  return gnp::detail::stretch_of(x, axis, begin_of_part(length, part, parts),
                                 length_of_part(length, part, parts));
}

// ------------------------------------------------------------------------------------------------- records

/// What a process is about to do. It is sent as bytes, since all processes of a run are the same program on
/// machines of one kind.
struct call_record {
  char function[24] = "";
  dtype type = dtype::float32;
  int how = 0;
  int on_gpu = 0;
  int connection = -1;  // of send: which of the connected GPUs the elements take; -1 for the host
  int rank = 0;
  index_t sizes[max_rank] = {};

  shape_t shape_of() const { return shape_t(std::span(sizes, static_cast<std::size_t>(rank))); }
};
template <element T>
call_record record_of(const char* function, const gnp::array<T>& x, int how = 0) {
  call_record record;
  std::memset(static_cast<void*>(&record), 0, sizeof record);  // gaps between members are compared, too
  std::strncpy(record.function, function, sizeof record.function - 1);
  record.type = x.dtype();
  record.how = how;
  record.on_gpu = x.device().is_cuda() ? 1 : 0;
  record.connection = -1;
  record.rank = x.ndim();
  for (int d = 0; d < x.ndim(); ++d) record.sizes[d] = x.shape()[d];
  return record;
}

/// The records of all processes, on each of them.
inline std::vector<call_record> records_of_all(engine& e, const char* function, const call_record& own) {
  std::vector<call_record> all(static_cast<std::size_t>(e.size()));
  const std::vector<std::size_t> bytes(all.size(), sizeof(call_record));
  e.all_gather(function, &own, all.data(), bytes);
  return all;
}

inline std::string text_of(const call_record& r) {
  return std::string(r.function) + " of shape " + to_string(r.shape_of()) + " of " + name(r.type);
}
inline bool are_all_on_gpus(const std::vector<call_record>& all) {
  return std::all_of(all.begin(), all.end(), [](const call_record& r) { return r.on_gpu != 0; });
}

/// If checks are turned on, throws unless all processes make this call, with arrays of one shape and type.
template <element T>
void require_same_calls(engine& e, const char* function, const gnp::array<T>& x, reduction how) {
  if (!checks_of_program().load(std::memory_order_relaxed) || e.size() == 1) return;
  const std::vector<call_record> all =
      records_of_all(e, function, record_of(function, x, static_cast<int>(how)));
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (std::memcmp(&all[r], &all[0], sizeof(call_record)) != 0) {
      throw distributed_error(std::string(function) + ": process 0 calls " + text_of(all[0]) + ", process " +
                              std::to_string(r) + " " + text_of(all[r]) +
                              (all[r].how != all[0].how         ? " with another operation"
                               : all[r].on_gpu != all[0].on_gpu ? " on another kind of device"
                                                                : ""));
    }
  }
}

/// The root's array. All processes throw if one of them has another type.
struct array_of_root {
  shape_t shape;
  bool all_on_gpus;
};
template <element T>
array_of_root record_of_root(engine& e, const char* function, const gnp::array<T>& x, int root) {
  const std::vector<call_record> all = records_of_all(e, function, record_of(function, x));
  const call_record& of_root = all[static_cast<std::size_t>(root)];
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].type != of_root.type) {
      throw dtype_error(std::string(function) + ": process " + std::to_string(r) + " has " + name(all[r].type) +
                        ", the root " + name(of_root.type));
    }
  }
  return {of_root.shape_of(), are_all_on_gpus(all)};
}

/// The arrays of all processes. All processes throw if types or numbers of dimensions differ.
struct arrays_of_all {
  std::vector<shape_t> shapes;
  bool all_on_gpus;
};
template <element T>
arrays_of_all shapes_of_all(engine& e, const char* function, const gnp::array<T>& x) {
  const std::vector<call_record> all = records_of_all(e, function, record_of(function, x));
  std::vector<shape_t> shapes;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].type != all[0].type || all[r].rank != all[0].rank) {
      throw distributed_error(std::string(function) + ": process 0 has shape " + to_string(all[0].shape_of()) +
                              " of " + name(all[0].type) + ", process " + std::to_string(r) + " " +
                              to_string(all[r].shape_of()) + " of " + name(all[r].type));
    }
    shapes.push_back(all[r].shape_of());
  }
  return {std::move(shapes), are_all_on_gpus(all)};
}

/// All processes throw if these arrays differ in more than their length along an axis.
inline void require_joining(const std::vector<shape_t>& shapes, int axis, const char* function) {
  for (std::size_t r = 0; r < shapes.size(); ++r) {
    shape_t like_first = shapes[r];
    like_first[axis] = shapes[0][axis];
    if (like_first != shapes[0]) {
      throw shape_error(std::string(function) + ": process 0 has shape " + to_string(shapes[0]) + ", process " +
                        std::to_string(r) + " " + to_string(shapes[r]) + ", which do not join along axis " +
                        std::to_string(axis));
    }
  }
}

/// The arrays of all processes, which are joined to one along an axis.
template <element T>
class joined_parts {
 public:
  joined_parts(arrays_of_all arrays, int axis, const char* function)
      : shapes_(std::move(arrays.shapes)), all_on_gpus_(arrays.all_on_gpus), axis_(axis) {
    require_joining(shapes_, axis, function);
    for (const shape_t& shape : shapes_) length_ += shape[axis];
  }

  bool all_on_gpus() const { return all_on_gpus_; }
  std::vector<std::size_t> bytes() const {
    std::vector<std::size_t> each;
    for (const shape_t& shape : shapes_) {
      each.push_back(static_cast<std::size_t>(gnp::detail::element_count(shape, "all_gather")) * sizeof(T));
    }
    return each;
  }
  /// Memory for all parts, one after the other.
  gnp::array<T> room(gnp::device where, const char* function) const {
    shape_t shape = shapes_[0];
    shape[axis_] = length_;
    return gnp::array<T>(shape_t{gnp::detail::element_count(shape, function)}, where, function);
  }
  /// The places of the parts in this memory.
  std::vector<parcel<T>> places(const gnp::array<T>& memory) const {
    std::vector<parcel<T>> all;
    index_t begin = 0;
    for (const shape_t& part : shapes_) {
      const index_t count = gnp::detail::element_count(part, "all_gather");
      all.push_back({static_cast<int>(all.size()), gnp::detail::stretch_of(memory, 0, begin, count)});
      begin += count;
    }
    return all;
  }
  /// The joined array, from memory that the parts have filled.
  gnp::array<T> joined(const gnp::array<T>& memory) const {
    shape_t shape = shapes_[0];
    shape[axis_] = length_;
    if (axis_ == 0) return memory.reshape(shape);
    std::vector<gnp::array<T>> parts;
    for (const parcel<T>& place : places(memory)) parts.push_back(place.memory.reshape(shapes_[parts.size()]));
    return concatenate(parts, axis_);
  }

 private:
  std::vector<shape_t> shapes_;
  bool all_on_gpus_;
  int axis_;
  index_t length_ = 0;
};

template <element T>
joined_parts<T> parts_of_all(engine& e, const char* function, const gnp::array<T>& x, int axis) {
  // The shapes first: an axis that only some of the arrays have is an error on all processes.
  arrays_of_all arrays = shapes_of_all(e, function, x);
  const int normal = gnp::detail::normalize_axis(axis, x.ndim(), function);
  return joined_parts<T>(std::move(arrays), normal, function);
}

}  // namespace detail
}}}  // namespace gnp::GNP_ABI::distributed
