// SPDX-License-Identifier: MIT
// gnp::compiled: Fourier transforms.
#include <gnp/fft/run_fft.hpp>
#include <gnp/gnp.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {
GNP_FOR_REAL_TYPES(GNP_FFT_TEMPLATES, template)
}}}  // namespace gnp::GNP_ABI::detail
