// SPDX-License-Identifier: MIT
// The types related to an element type: that of its real part, its complex form, and the one with the precision
// of double.
#pragma once

#include <complex>
#include <gnp/core/promotion.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
using real_t = type_of<real_part_of(dtype_of<T>)>;
template <class T>
using complex_t = std::complex<real_t<T>>;
/// The type with the precision of double.
template <class T>
using wide_t = std::conditional_t<is_complex(dtype_of<T>), complex128, double>;

}}}  // namespace gnp::GNP_ABI::detail
