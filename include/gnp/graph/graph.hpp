// SPDX-License-Identifier: MIT
// gnp::graph: work that is recorded once and then started as one.
#pragma once

#include <concepts>
#include <functional>
#include <gnp/graph/recorded_work.hpp>
#include <memory>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

/// What a body does on a GPU, recorded, and done at each call:
///
///   gnp::graph step([&] { u(all) = u + rate * laplace(u); });
///   for (int i = 0; i < 1000; ++i) step();
///
/// Recording computes nothing, and a call starts all of it at once, on the calling thread's current stream. It
/// works on the arrays that the body used, which the graph keeps: those that are written keep their addresses.
/// On the CPU a call runs the body.
class graph {
 public:
  template <std::invocable Body>
  explicit graph(Body body, gnp::device where = default_device()) : where_(detail::require(where)) {
#if GNP_HAS_CUDA
    if (where.is_cuda()) {
      work_ = std::make_unique<detail::recorded_work>(where, [&body] { static_cast<void>(body()); });
      return;
    }
#endif
    body_ = [kept = std::make_shared<Body>(std::move(body))] { static_cast<void>((*kept)()); };
  }
  graph(graph&&) noexcept = default;
  graph& operator=(graph&&) noexcept = default;
  ~graph() = default;

  void operator()() {
#if GNP_HAS_CUDA
    if (work_ != nullptr) return work_->start();
#endif
    if (!body_) throw graph_error("gnp::graph: this graph was moved from");
    const use_device guard(where_);
    body_();
  }

  gnp::device device() const { return where_; }

 private:
  gnp::device where_;
  std::function<void()> body_;
#if GNP_HAS_CUDA
  std::unique_ptr<detail::recorded_work> work_;
#endif
};

}}  // namespace gnp::GNP_ABI
