// SPDX-License-Identifier: MIT
// Rows in braces that have several C++ types, as an array and a formula do, in place of the array of a
// reduction: one sentence as the compiler's message. (Those of one type are taken.)
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/axes.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/reduce_options.hpp>
#include <initializer_list>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Accepts any rows in braces. It is not a std::initializer_list itself, so that overloads with one come first.
struct any_rows {
  struct any_row {
    template <class Row>
      requires(array_like<Row> || is_host_vector_v<Row>)
    any_row(const Row&) {}
  };
  any_rows(std::initializer_list<any_row>) {}
};

}  // namespace detail

#define GNP_REFUSES_ROWS_WITH(function, ...)                                                                  \
  template <element T = double>                                                                               \
  array<T>(function)(detail::any_rows, __VA_ARGS__) {                                                         \
    static_assert(!element<T>, "gnp: an array and formulas in braces become one array first: gnp::" #function \
                               "(gnp::stack({x, x * 2}), 0)");                                                \
    return {};                                                                                                \
  }
#define GNP_REFUSES_ROWS(function, options_type)            \
  GNP_REFUSES_ROWS_WITH(function, const options_type& = {}) \
  GNP_REFUSES_ROWS_WITH(function, const axes_t&, const options_type& = {})
GNP_REFUSES_ROWS(sum, sum_options)
GNP_REFUSES_ROWS(prod, sum_options)
GNP_REFUSES_ROWS(min, sum_options)
GNP_REFUSES_ROWS(max, sum_options)
GNP_REFUSES_ROWS(mean, reduce_options)
GNP_REFUSES_ROWS(any, reduce_options)
GNP_REFUSES_ROWS(var, var_options)
GNP_REFUSES_ROWS(std, var_options)
#undef GNP_REFUSES_ROWS
#undef GNP_REFUSES_ROWS_WITH

}}  // namespace gnp::GNP_ABI
