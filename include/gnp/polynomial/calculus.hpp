// SPDX-License-Identifier: MIT
// polyder and polyint: the coefficients of derivatives and integrals.
#pragma once

#include <gnp/polynomial/arithmetic.hpp>
#include <gnp/routines/ranges.hpp>

namespace gnp { inline namespace GNP_ABI {

/// polyint's constants: one number for all integrations, or a list with one for each.
class integration_constants {
 public:
  integration_constants() = default;
  template <scalar_like Number>
  integration_constants(Number each) : values_(1, static_cast<double>(each)) {}
  integration_constants(std::initializer_list<double> values) : values_(values) {}
  integration_constants(std::vector<double> values) : values_(std::move(values)) {}

  bool empty() const { return values_.empty(); }
  std::size_t size() const { return values_.size(); }
  double operator[](std::size_t i) const { return values_[i]; }

 private:
  std::vector<double> values_;
};

/// The constants are zero by default.
struct polyint_options {
  by_name only = by_name();
  detail::any_integer m = 1;
  integration_constants k = {};
};
struct polyder_options {
  by_name only = by_name();
  detail::any_integer m = 1;
};

namespace detail {

template <class T>
using with_int64 = type_of<promote(dtype_of<T>, dtype::int64)>;

inline void require_order(index_t order, const char* function) {
  if (order < 0) {
    throw error(std::string(function) + ": order must be positive, got " + std::to_string(order));
  }
}

/// The powers that belong to `count` coefficients, the lowest being `last`: an expression.
template <class T>
auto powers(index_t count, index_t last) {
  return ufunc<operations::integer_ramp_ufunc>()(positions<T>(shape_t{count}), count - 1 + last, index_t{-1});
}

}  // namespace detail

/// The m-th derivative.
template <array_like P>
auto polyder(const P& p, detail::any_integer m = 1) {
  using R = detail::with_int64<typename P::value_type>;
  const index_t order = m;
  detail::require_order(order, "polyder");
  array<R> result = detail::coefficients(p, "polyder").template astype<R>();
  for (index_t i = 0; i < order && result.size() > 0; ++i) {
    const index_t count = result.size() - 1;
    result = array<R>(detail::stretch_of(result, 0, 0, count) * detail::powers<R>(count, 1));
  }
  return result;
}

/// The m-th integral, whose constants are zero unless `.k` says otherwise.
template <array_like P>
auto polyint(const P& p, detail::any_integer m = 1, const polyint_options& options = {}) {
  using R = detail::with_int64<detail::divided<typename P::value_type>>;
  const index_t order = m;
  detail::require_order(order, "polyint");
  if (options.k.size() > 1 && options.k.size() < static_cast<std::size_t>(order)) {
    throw error("polyint: k must be one number or at least " + std::to_string(order) + " of them, got " +
                std::to_string(options.k.size()));
  }
  array<R> result = detail::coefficients(p, "polyint").template astype<R>();
  for (index_t i = 0; i < order; ++i) {
    const array<R> longer(shape_t{result.size() + 1}, result.device(), "polyint");
    detail::stretch_of(longer, 0, 0, result.size()).assign(result / detail::powers<R>(result.size(), 1));
    const double constant = options.k.empty()       ? 0
                            : options.k.size() == 1 ? options.k[0]
                                                    : options.k[static_cast<std::size_t>(i)];
    longer(-1).fill(scalar::cast<R>(constant));
    result = longer;
  }
  return result;
}
template <array_like P>
auto polyint(const P& p, const polyint_options& options) {
  return polyint(p, options.m, options);
}
template <array_like P>
auto polyder(const P& p, const polyder_options& options) {
  return polyder(p, options.m);
}

// For coefficients in braces or in a std::vector: polyder({3, 2, 1}, 2).
#define GNP_CALCULUS_OF_LISTS(parameter, list_type)                                                  \
  template <parameter>                                                                               \
  auto polyder(const list_type& p, const polyder_options& options) {                                 \
    return polyder(asarray(detail::on_use<Number>(p)), options.m);                                   \
  }                                                                                                  \
  template <parameter>                                                                               \
  auto polyder(const list_type& p, detail::any_integer m = 1) {                                      \
    return polyder(asarray(detail::on_use<Number>(p)), m);                                           \
  }                                                                                                  \
  template <parameter>                                                                               \
  auto polyint(const list_type& p, detail::any_integer m = 1, const polyint_options& options = {}) { \
    return polyint(asarray(detail::on_use<Number>(p)), m, options);                                  \
  }                                                                                                  \
  template <parameter>                                                                               \
  auto polyint(const list_type& p, const polyint_options& options) {                                 \
    return polyint(asarray(detail::on_use<Number>(p)), options);                                     \
  }
GNP_CALCULUS_OF_LISTS(scalar_like Number, std::initializer_list<Number>)
GNP_CALCULUS_OF_LISTS(class Number = void, std::initializer_list<double>)
GNP_CALCULUS_OF_LISTS(element Number, std::vector<Number>)
#undef GNP_CALCULUS_OF_LISTS

}}  // namespace gnp::GNP_ABI
