// SPDX-License-Identifier: MIT
// The singular value decomposition's two contenders, in files of their own: they take long to compile.
#pragma once

#include "work.hpp"

namespace bench {

/// From {a} to {u, s, vh}, for float and double.
template <class T>
void eigen_svd(const hosts<T>& x, hosts<T>& y);
template <class T>
void gnp_svd(const arrays<T>& x, arrays<T>& y);

}  // namespace bench
