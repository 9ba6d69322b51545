// SPDX-License-Identifier: MIT
// What moves memory between processes: the calls that every engine has, in bytes and elements.
#pragma once

#include <cstddef>
#include <gnp/core/dtype.hpp>
#include <memory>
#include <span>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// How the elements of several processes are combined into one.
enum class reduction { sum, prod, min, max };

namespace detail {

/// Memory that goes to a process, or comes from one.
struct message {
  int peer = 0;
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// The calls that the processes of a group make together on memory of one kind: the host's, or that of GPUs.
/// Memory of a GPU is moved on its current stream, and the calls do not wait for that. `function` is named in
/// errors.
class mover {
 public:
  mover() = default;
  mover(const mover&) = delete;
  mover& operator=(const mover&) = delete;
  virtual ~mover() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void broadcast(const char* function, void* data, std::size_t bytes, int root) = 0;
  /// `from` may be `into`, here and below.
  virtual void all_reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                          reduction how) = 0;
  /// `into` is used only on the root.
  virtual void reduce(const char* function, const void* from, void* into, index_t count, dtype type,
                      reduction how, int root) = 0;
  /// Process r gets counts[r] of the reduced elements into `part`; the parts follow one after the other. `part`
  /// must not be inside `from`.
  virtual void reduce_scatter(const char* function, const void* from, void* part,
                              std::span<const index_t> counts, dtype type, reduction how) {
    const char* at = static_cast<const char*>(from);
    for (int r = 0; r < size(); ++r) {
      const index_t count = counts[static_cast<std::size_t>(r)];
      reduce(function, at, part, count, type, how, r);
      at += static_cast<std::size_t>(count) * itemsize(type);
    }
  }
  /// `all` gets the parts of all processes, one after the other; bytes[r] is the length of process r's part.
  virtual void all_gather(const char* function, const void* part, void* all,
                          std::span<const std::size_t> bytes) = 0;
  /// Moves all these messages at once. Messages between two processes arrive in the order in which both name
  /// them.
  virtual void exchange(const char* function, std::span<const message> sent,
                        std::span<const message> received) = 0;
};

/// The processes of a group, and what moves the host's memory among them.
class engine : public mover {
 public:
  virtual void barrier(const char* function) = 0;
  /// A group of the processes that give the same colour, in the order of their keys; null for a negative
  /// colour.
  virtual std::shared_ptr<engine> split(const char* function, int color, int key) = 0;
  /// The object that moves GPU memory among the processes, if the engine itself uses one; otherwise null.
  virtual std::shared_ptr<mover> mover_on_gpu(int) { return nullptr; }
  /// Why the group has ended; empty if it has not. Any thread may call this, and any thread may end the group.
  virtual std::string failure() const { return {}; }
  virtual void end(const std::string&) {}
};

}  // namespace detail
}}}  // namespace gnp::GNP_ABI::distributed
