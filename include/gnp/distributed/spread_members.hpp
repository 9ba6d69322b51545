// SPDX-License-Identifier: MIT
// The members that distributed arrays and expressions have in common; they are like gnp's.
#pragma once

#include <gnp/array/spread.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/reduce_options.hpp>
#include <gnp/core/slice.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

template <class Derived>
class spread_members : public spread_elements {
 public:
  index_t shape(int axis) const {
    return derived().shape()[gnp::detail::normalize_axis(axis, ndim(), "shape")];
  }
  int ndim() const { return derived().shape().rank(); }
  index_t size() const { return gnp::detail::element_count(derived().shape(), "size"); }
  static constexpr gnp::dtype dtype() { return dtype_of<typename Derived::value_type>; }

  /// All elements, in every process.
  auto gathered() const;
  /// The only element. All processes must call this.
  auto item() const {
    if (size() != 1) {
      throw shape_error("item: only an array of one element is a number, got shape " +
                        to_string(derived().shape()));
    }
    return derived().gathered().item();
  }

  /// Elements converted to another type: an expression.
  template <element U>
  auto astype() const;
  /// The axes in reverse order: a view. An expression is computed first.
  auto T() const { return derived().eval().transpose(); }

  // Bodies in reductions.hpp.
  GNP_MEMBER_ALONG_AXES(sum, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(prod, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(mean, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(var, gnp::var_options)
  GNP_MEMBER_ALONG_AXES(std, gnp::var_options)
  GNP_MEMBER_ALONG_AXES(min, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(max, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(argmin, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(argmax, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(any, gnp::reduce_options)
  GNP_MEMBER_ALONG_AXES(all, gnp::reduce_options)

 protected:
  spread_members() = default;
  ~spread_members() = default;
  spread_members(const spread_members&) = default;
  spread_members& operator=(const spread_members&) = default;
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
