// SPDX-License-Identifier: MIT
// The types that go with an element type: its real part's, its complex form, and the one with double's digits.
#pragma once

#include <complex>
#include <gnp/core/promotion.hpp>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class T>
using real_t = type_of<real_part_of(dtype_of<T>)>;
template <class T>
using complex_t = std::complex<real_t<T>>;
/// The type with double's digits.
template <class T>
using wide_t = std::conditional_t<is_complex(dtype_of<T>), complex128, double>;

}}}  // namespace gnp::GNP_ABI::detail
