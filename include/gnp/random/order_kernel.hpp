// SPDX-License-Identifier: MIT
// Long random orders on the GPU. Items are moved to buckets of about 24 by the first bits of their keys, in
// whatever order the threads run. Then each item counts the members of its bucket that come before it.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <gnp/array/array.hpp>
#include <gnp/random/philox.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Sorts 0, 1, ..., order.size() - 1 by their keys.
GNP_DECLARED_ON_USE void order_by_keys_on_gpu(const scalar::random_source& source, const array<index_t>& order);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/order_buckets.hpp>
#endif

#endif
