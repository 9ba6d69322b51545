// SPDX-License-Identifier: MIT
// gnp's part, to be instantiated in one file for each type.
#pragma once

#include <gnp/linalg/svd.hpp>

#include "svd_work.hpp"

namespace bench {

template <class T>
void gnp_svd(const arrays<T>& x, arrays<T>& y) {
  auto [u, s, vh] = gnp::linalg::svd(x[0]);
  y = {u, s, vh};
}

}  // namespace bench
