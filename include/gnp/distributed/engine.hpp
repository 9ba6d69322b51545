// SPDX-License-Identifier: MIT
// What moves memory between processes: the calls that every engine has, in bytes and elements of the host's
// memory.
#pragma once

#include <cstddef>
#include <gnp/core/dtype.hpp>
#include <memory>
#include <span>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// How the elements of several processes become one.
enum class reduction { sum, prod, min, max };

namespace detail {

/// Memory that goes to a process, or comes from one.
struct message {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// The processes of a group, and the calls that all of them make together. `function` is named in errors.
class engine {
 public:
  engine() = default;
  engine(const engine&) = delete;
  engine& operator=(const engine&) = delete;
  virtual ~engine() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void barrier(const char* function) = 0;
  virtual void broadcast(const char* function, void* data, std::size_t bytes, int root) = 0;
  /// In place, on all processes.
  virtual void all_reduce(const char* function, void* data, index_t count, dtype type, reduction how) = 0;
  /// The result is in the root's memory; that of the others is only read.
  virtual void reduce(const char* function, void* data, index_t count, dtype type, reduction how, int root) = 0;
  /// `all` holds the parts of all processes, one after the other; bytes[r] is the length of process r's.
  virtual void all_gather(const char* function, const void* part, void* all,
                          std::span<const std::size_t> bytes) = 0;
  /// All these at once. Messages between two processes arrive in the order in which both name them.
  virtual void exchange(const char* function, std::span<const message> sent,
                        std::span<const message> received) = 0;
  /// A group of those that say the same colour, in the order of their keys; null where it is negative.
  virtual std::shared_ptr<engine> split(const char* function, int color, int key) = 0;
};

}  // namespace detail
}}}  // namespace gnp::GNP_ABI::distributed
