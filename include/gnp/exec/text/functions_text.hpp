// SPDX-License-Identifier: MIT
// The beginning of a kernel's text: what all kernels have in common, and the functions that this one calls.
#pragma once

#include <gnp/exec/text/expression_source.hpp>
#include <gnp/exec/text/filled_in.hpp>
#include <gnp/exec/text/prelude.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The text leaves the namespace gnp open.
[[gnu::cold]] GNP_INLINE std::string functions_text(const source_writer& writer) {
  std::string text = prelude_text;
  if (writer.uses_half()) text += half_text;
  if (writer.uses_complex()) text += complex_text;
  return text + filled_in("namespace gnp {\nnamespace scalar {\n$functions}\nusing namespace scalar;\n",
                          {{"functions", writer.functions()}});
}

}}}  // namespace gnp::GNP_ABI::detail
