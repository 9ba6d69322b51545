// SPDX-License-Identifier: MIT
// explain: describes as text what a statement becomes when it runs: its kernels, what each reads and writes,
// and what is stored between them.
#pragma once

#include <gnp/exec/statement/run.hpp>
#include <gnp/routines/rolled.hpp>
#include <string>
#include <vector>
#ifdef GNP_READS_BODIES
#include <gnp/exec/statement/explanation.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Explanations of a statement with reductions; of an expression without reductions; of one with rolled arrays;
/// of something that a library or an algorithm computes; and of an array.
GNP_DECLARED std::string explain_statement(const statement& s, const expression_code& text,
                                           const leaf_view& result);
GNP_DECLARED std::string explain_loop(const expression_code& code, const std::vector<leaf_view>& leaves,
                                      const unsigned char* numbers, const shape_t& shape, device where);
GNP_DECLARED std::string explain_rolled(const rolled_job& r, const shape_t& shape, device where);
GNP_DECLARED std::string explain_library(dtype result, const shape_t& shape, device where);
GNP_DECLARED std::string explain_nothing(device where);

}  // namespace detail

/// The kernels that `x` becomes when it is stored in a new array, what each reads and writes, and what is
/// stored between them: std::cout << gnp::explain(e / sum(e, 1, {.keepdims = true}));
template <array_like X>
std::string explain(const X& x) {
  constexpr dtype type = dtype_of<typename X::value_type>;
  if constexpr (detail::has_reductions_v<X>) {
    // The layout that the result would have, as far as it matters here.
    const shape_t strides = detail::contiguous_strides(x.shape());
    const detail::storage_ref nowhere(x.device());
    const detail::leaf_view result{nullptr, nowhere.get(), sizeof(typename X::value_type), &x.shape(),
                                   &strides};
    return detail::explain_statement(detail::statement_of(x), detail::text_of<X>, result);
  } else if constexpr (detail::is_rolled_v<X>) {
    if constexpr (requires { x.as_one_row(); }) {
      if (x.is_flattened()) return explain(x.as_one_row());
    }
    detail::rolled_inputs inputs(x);
    return detail::explain_rolled(inputs.job(), x.shape(), x.device());
  } else if constexpr (detail::is_deferred_v<X>) {
    return detail::explain_library(type, x.shape(), x.device());
  } else if constexpr (!detail::is_array_v<X>) {
    const detail::job_inputs<X> inputs(x);
    return detail::explain_loop(detail::code_of<X>, {inputs.leaves(), inputs.leaves() + inputs.count},
                                inputs.constants(), x.shape(), x.device());
  } else {
    return detail::explain_nothing(x.device());
  }
}

}}  // namespace gnp::GNP_ABI
