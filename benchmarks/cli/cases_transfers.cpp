// SPDX-License-Identifier: MIT
// Between host and device. Eigen copies within the host, the CPU device likewise: that is what there is to
// compare.
#include "cases.hpp"
#include "inputs.hpp"

namespace bench {
namespace {

template <class T>
work<T> transfer(index_t n, bool to_device, bool page_locked) {
  work<T> w{.inputs = {uniform<T>({n}, 1)},
            .outputs = {shape_t{n}},
            .eigen = [](auto& x, auto& y) { vec(y[0]) = vec(x[0]); },
            .gnp = nullptr,
            .page_locked = page_locked};
  if (to_device) {
    w.to_device = [](auto& host_x, auto& y) { y[0] = gnp::asarray(host_x[0]); };
  } else {
    w.to_host = [](auto& x, auto& host_y) { gnp::asnumpy(x[0], host_y[0]); };
  }
  return w;
}

}  // namespace

void add_transfers(std::vector<bench_case>& cases) {
  for (const bool to_device : {true, false}) {
    for (const bool page_locked : {false, true}) {
      const std::string name = std::string(to_device ? "to-gpu" : "to-host") + (page_locked ? "-pinned" : "");
      const std::string what = std::string(to_device ? "asarray" : "asnumpy") + ", host memory is " +
                               (page_locked ? "page-locked" : "ordinary") + " (Eigen: a copy)";
      cases.push_back(define({name, what, elements, vector_sizes, {"float32"}}, [=]<class T>(of<T>, index_t n) {
        return transfer<T>(n, to_device, page_locked);
      }));
    }
  }
}

}  // namespace bench
