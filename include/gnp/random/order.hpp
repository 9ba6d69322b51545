// SPDX-License-Identifier: MIT
// Random orders and samples of 0, 1, ..., n - 1. Every order is equally likely, and all devices give the same
// one. Short orders are shuffled on the host; long ones are sorted by random keys on the device that needs
// them.
#pragma once

#include <gnp/random/fill.hpp>
#include <gnp/random/order_kernel.hpp>
#include <gnp/random/order_keys.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The first `wanted` of 0, 1, ..., count - 1 in random order, on the call's device.
GNP_DECLARED_ON_USE array<index_t> first_of_order(const random_call& call, index_t count, index_t wanted,
                                                  const char* function);
/// All of them.
GNP_ON_USE array<index_t> order_of(const random_call& call, index_t count, const char* function) {
  return first_of_order(call, count, count, function);
}

/// `size` different numbers of 0, 1, ..., count - 1, in random order, on the call's device.
GNP_DECLARED_ON_USE array<index_t> random_sample(const random_call& call, index_t count, index_t size);

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/shuffled.hpp>
#endif
