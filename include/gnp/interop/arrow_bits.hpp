// SPDX-License-Identifier: MIT
// Truth values as bits, which is how Arrow stores them.
#pragma once

#include <cstdint>
#include <gnp/array/array.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/assign.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/packing.hpp>
#include <gnp/routines/reductions.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Bits in Arrow's order.
GNP_DECLARED_ON_USE array<std::uint8_t> arrow_bits(const array<bool>& x);
/// How many of a column's values are null.
GNP_DECLARED_ON_USE index_t null_count(const array<bool>& valid);
/// The mask of a column in which no value is null.
GNP_DECLARED_ON_USE array<bool> all_valid(index_t length);

#ifdef GNP_READS_BODIES

GNP_DEFINED_ON_USE array<std::uint8_t> arrow_bits(const array<bool>& x) {
  return packbits(x, {.bitorder = "little"});
}

GNP_DEFINED_ON_USE index_t null_count(const array<bool>& valid) {
  return valid.size() - sum<std::int64_t>(valid).item();
}

GNP_DEFINED_ON_USE array<bool> all_valid(index_t length) { return ones<bool>({length}); }

#endif

}}}  // namespace gnp::GNP_ABI::detail
