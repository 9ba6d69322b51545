// SPDX-License-Identifier: MIT
// poly and roots for numbers of more than one type in braces.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/polynomial/roots.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE array<double> poly(std::initializer_list<double> roots) { return poly(asarray(roots)); }
GNP_DEFINED_ON_USE array<complex128> roots(std::initializer_list<double> p) { return roots(asarray(p)); }

}}  // namespace gnp::GNP_ABI
