// SPDX-License-Identifier: MIT
// What ufuncs need to know about elements that are distributed over several processes.
#pragma once

#include <gnp/array/forward.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

template <class X>
concept spread = is_spread_v<X>;

/// Base of spread_elements, so that argument-dependent look-up searches this namespace, too.
class spread_part {};

}  // namespace detail

/// Base of distributed::array and of expressions of them: gnp's functions are found for them as for arrays.
class spread_elements : public detail::spread_part {
 protected:
  spread_elements() = default;
  ~spread_elements() = default;
  spread_elements(const spread_elements&) = default;
  spread_elements& operator=(const spread_elements&) = default;
};

}}  // namespace gnp::GNP_ABI
