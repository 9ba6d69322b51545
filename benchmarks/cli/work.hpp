// SPDX-License-Identifier: MIT
// How a case is written: the same work for Eigen and for gnp, its inputs, and how its answer is checked.
//
// A case is one call of define() in one of the cases_*.cpp files: name, description, sizes, and a function that
// makes the work at a size in an element type.
#pragma once

#include <gnp/core.hpp>
#include <memory>
#include <utility>

#include "case.hpp"

namespace bench {

using gnp::shape_t;

template <class T>
using hosts = std::vector<gnp::host_array<T>>;
template <class T>
using arrays = std::vector<gnp::array<T>>;

/// The work of a case. Outputs exist before the call; a function that returns new arrays may replace them.
template <class T>
struct work {
  hosts<T> inputs;
  std::vector<shape_t> outputs;
  std::function<void(const hosts<T>& x, hosts<T>& y)> eigen;
  std::function<void(const arrays<T>& x, arrays<T>& y)> gnp;
  double tolerance = 0;  // of the elements' comparison with Eigen's
  std::function<verdict(const answer& got, const answer& eigen)> judge =
      nullptr;  // where that is not the measure
  bool eigen_has_threads = false;

  // Cases that are themselves transfers have these instead of gnp.
  std::function<void(const hosts<T>& host_x, arrays<T>& y)> to_device = nullptr;
  std::function<void(const arrays<T>& x, hosts<T>& host_y)> to_host = nullptr;
  bool page_locked = false;
};

namespace detail {

/// No case's answer, so that an output that nobody wrote is not taken for a right one.
inline constexpr int unwritten = -77;

template <class T>
answer as_answer(const hosts<T>& outputs) {
  answer result;
  for (const gnp::host_array<T>& output : outputs) result.emplace_back(output.begin(), output.end());
  return result;
}

template <class T>
gnp::host_array<T> host_output(const shape_t& shape, bool page_locked) {
  gnp::host_array<T> output = page_locked ? gnp::empty_pinned<T>(shape) : gnp::host_array<T>(shape);
  std::fill(output.begin(), output.end(), static_cast<T>(unwritten));
  return output;
}

/// Everything a contender works with; each has its own.
template <class T>
struct buffers {
  std::shared_ptr<const work<T>> w;
  hosts<T> host_x, host_y;
  arrays<T> x, y;

  explicit buffers(const std::shared_ptr<const work<T>>& of) : w(of) {
    for (const gnp::host_array<T>& input : w->inputs) {
      gnp::host_array<T> copy = host_output<T>(input.shape(), w->page_locked);
      std::copy(input.begin(), input.end(), copy.begin());
      host_x.push_back(std::move(copy));
    }
    for (const shape_t& shape : w->outputs) host_y.push_back(host_output<T>(shape, w->page_locked));
  }

  void bring_inputs() {
    x.clear();
    for (const gnp::host_array<T>& input : host_x) x.push_back(gnp::asarray(input));
  }
  void make_outputs() {
    for (const gnp::host_array<T>& output : host_y) y.push_back(gnp::asarray(output));
  }
  void fetch_outputs() {
    for (std::size_t i = 0; i < y.size(); ++i) gnp::asnumpy(y[i], host_y[i]);
  }
};

template <class T>
attempt prepare(const std::shared_ptr<const work<T>>& w, contender who) {
  const bool is_transfer = w->to_device || w->to_host;
  if (who == contender::eigen_all && !(w->eigen_has_threads && eigen_uses_threads())) return {};
  if (who == contender::gpu && is_transfer) return {};

  const auto b = std::make_shared<buffers<T>>(w);
  const auto host_answer = [b] { return as_answer(b->host_y); };
  const auto device_answer = [b] {
    b->fetch_outputs();
    return as_answer(b->host_y);
  };
  if (is_eigen(who)) return {[b] { b->w->eigen(b->host_x, b->host_y); }, host_answer};
  b->make_outputs();
  if (w->to_device) return {[b] { b->w->to_device(b->host_x, b->y); }, device_answer};
  b->bring_inputs();
  if (w->to_host) return {[b] { b->w->to_host(b->x, b->host_y); }, host_answer};
  if (who != contender::gpu_with_transfers) return {[b] { b->w->gnp(b->x, b->y); }, device_answer};
  const auto there_and_back = [b] {
    b->bring_inputs();
    b->w->gnp(b->x, b->y);
    b->fetch_outputs();
  };
  return {there_and_back, host_answer};
}

template <class T>
problem as_problem(work<T> made) {
  const auto w = std::make_shared<const work<T>>(std::move(made));
  const auto judge = [w](const answer& got, const answer& eigen) {
    return w->judge ? w->judge(got, eigen) : compare(got, eigen, w->tolerance);
  };
  return {[w](contender who) { return prepare(w, who); }, judge};
}

}  // namespace detail

template <class T>
struct of {};  // carries an element type to a case's function

struct description {
  std::string name;
  std::string what;
  std::string size_means;
  std::vector<index_t> sizes;
  std::vector<std::string> dtypes = {"float32", "float64"};
};

template <class Make>
bench_case define(description d, Make make) {
  const auto at = [make](const std::string& dtype, index_t n) {
    if (dtype == "float32") return detail::as_problem<float>(make(of<float>(), n));
    return detail::as_problem<double>(make(of<double>(), n));
  };
  return {std::move(d.name),  std::move(d.what),   std::move(d.size_means),
          std::move(d.sizes), std::move(d.dtypes), at};
}

}  // namespace bench
