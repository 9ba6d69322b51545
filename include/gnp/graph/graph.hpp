// SPDX-License-Identifier: MIT
// gnp::graph: work that is recorded once and then started as a whole.
#pragma once

#include <concepts>
#include <gnp/core/function_ref.hpp>
#include <gnp/memory/device.hpp>
#include <gnp/memory/movable_launch.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// What calling a graph does: it runs a body, of any type, or starts recorded work.
class graph_body {
 public:
  graph_body() = default;
  graph_body(const graph_body&) = delete;
  graph_body& operator=(const graph_body&) = delete;
  virtual ~graph_body() = default;
  virtual void run() = 0;
  /// Could a call use other memory in place of this block, to which only its owner and the graph refer?
  virtual bool can_move(const storage&) const { return false; }
  /// Does a call use this block?
  virtual bool uses(const storage&) const { return true; }
  virtual bool writes(const storage&) const { return true; }
  /// A call with other memory in place of such blocks.
  virtual void run_moved(const std::vector<moved_block>&) { run(); }
};

template <class Body>
class graph_body_of final : public graph_body {
 public:
  explicit graph_body_of(Body body) : body_(std::move(body)) {}
  void run() override { static_cast<void>(body_()); }

 private:
  Body body_;
};

#if GNP_HAS_CUDA

/// `joins_rows`: may a reduction be computed in one kernel with the statements that use its results? Then its
/// sums are rounded as they would be in a single statement.
GNP_DECLARED graph_body* record_work(gnp::device where, function_ref<void()> body, bool joins_rows);

#endif

}  // namespace detail

template <class F>
class jit_function;

/// The work that a body does on a GPU: recorded once, and done again at each call:
///
///   gnp::graph step([&] { u(all) = u + rate * laplace(u); });
///   for (int i = 0; i < 1000; ++i) step();
///
/// Recording computes nothing, and a call starts all of it at once, on the calling thread's current stream. It
/// works on the arrays that the body used, which the graph keeps: those that are written keep their addresses.
/// On the CPU a call runs the body.
class graph {
 public:
  /// An empty graph, for a variable that is assigned later.
  graph() = default;
  template <std::invocable Body>
  explicit graph(Body body, gnp::device where = default_device()) : graph(std::move(body), where, false) {}
  graph(graph&&) noexcept = default;
  graph& operator=(graph&&) noexcept = default;
  ~graph() = default;

  GNP_DECLARED void operator()();

  gnp::device device() const { return where_; }

 private:
  template <class F>
  friend class jit_function;

  template <class Body>
  graph(Body body, gnp::device where, [[maybe_unused]] bool joins_rows) : where_(detail::require(where)) {
#if GNP_HAS_CUDA
    if (where.is_cuda()) {
      body_.reset(detail::record_work(where, [&body] { static_cast<void>(body()); }, joins_rows));
      return;
    }
#endif
    body_ = std::make_unique<detail::graph_body_of<Body>>(std::move(body));
  }

  gnp::device where_ = gnp::device::cpu();
  std::unique_ptr<detail::graph_body> body_;
};

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/graph/recorded_work.hpp>
#endif
