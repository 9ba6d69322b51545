// SPDX-License-Identifier: MIT
// qr: A = Q R by Householder reflections.
#pragma once

#include <concepts>
#include <gnp/linalg/common/factorisations.hpp>
#include <string_view>
#ifdef GNP_READS_BODIES
#include <gnp/linalg/stacks/qr.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace linalg {

struct qr_options {
  by_name only = by_name();
  std::string_view mode = "reduced";  // "complete": Q is square; "r": only R, and q stays empty
};

/// Orthonormal columns q and an upper triangle r with a = q r, for each matrix.
template <array_like X>
auto qr(const X& x, qr_options options = {}) {
  const bool r_alone = options.mode == "r";
  const bool complete = options.mode == "complete";
  if (!r_alone && !complete && options.mode != "reduced") {
    throw error(std::string("qr: unrecognized mode '") + std::string(options.mode) +
                "', expected 'reduced', 'complete' or 'r'");
  }
  const use_device guard(x.device());
  const auto mode = r_alone    ? detail::qr_mode::r
                    : complete ? detail::qr_mode::complete
                               : detail::qr_mode::reduced;
  return detail::qr_of(detail::operand_as<detail::factor_t<X>>(x), mode);
}
template <array_like X, std::convertible_to<std::string_view> Mode>
auto qr(const X& x, const Mode& mode) {
  return qr(x, qr_options{.mode = mode});
}

}}}  // namespace gnp::GNP_ABI::linalg
