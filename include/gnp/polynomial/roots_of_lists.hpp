// SPDX-License-Identifier: MIT
// poly and roots of numbers in braces that are of more than one type.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/polynomial/roots.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE array<double> poly(std::initializer_list<double> roots) { return poly(asarray(roots)); }
GNP_DEFINED_ON_USE array<complex128> roots(std::initializer_list<double> p) { return roots(asarray(p)); }

}}  // namespace gnp::GNP_ABI
