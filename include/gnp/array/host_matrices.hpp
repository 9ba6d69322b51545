// SPDX-License-Identifier: MIT
// Matrices and tensors of other libraries that asarray accepts: Eigen's, and std::mdspan. They are recognised
// by their members, so that none of their headers is needed.
#pragma once

#include <array>
#include <gnp/array/host_values.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An Eigen matrix, a part of one, a Map, or an expression. Once evaluated, each lies in memory without gaps,
/// by rows or by columns.
template <class X>
concept dense_matrix = requires(const X& x) {
  requires element<typename X::Scalar>;
  x.rows();
  x.cols();
  { x.eval().data() } -> std::convertible_to<const typename X::Scalar*>;
  { X::IsVectorAtCompileTime } -> std::convertible_to<bool>;
  { std::remove_cvref_t<decltype(x.eval())>::IsRowMajor } -> std::convertible_to<bool>;
};

/// An Eigen tensor that lies in memory.
template <class X>
concept dense_tensor = requires(const X& x) {
  requires element<typename X::Scalar>;
  x.dimensions();
  { x.data() } -> std::convertible_to<const typename X::Scalar*>;
  { X::NumDimensions } -> std::convertible_to<int>;
  { X::Layout } -> std::convertible_to<int>;
};

/// A std::mdspan, or Kokkos's.
template <class X>
concept multidimensional_span = requires(const X& x) {
  requires element<std::remove_cv_t<typename X::element_type>>;
  { X::rank() } -> std::convertible_to<std::size_t>;
  x.extent(0);
  x.mapping();
  x.accessor().access(x.data_handle(), 0);
};

/// The numbers of a span in row-major order, whatever its layout.
template <class X>
auto values_of_span(const X& x) {
  constexpr std::size_t rank = X::rank();
  host_values<std::remove_cv_t<typename X::element_type>> all;
  index_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    all.shape.push_back(static_cast<index_t>(x.extent(d)));
    count *= all.shape[d];
  }
  all.values.reserve(static_cast<std::size_t>(count));
  std::array<index_t, rank> at{};
  for (index_t i = 0; i < count; ++i) {
    const auto place = [&]<std::size_t... D>(std::index_sequence<D...>) {
      return x.mapping()(static_cast<typename X::index_type>(at[D])...);
    }(std::make_index_sequence<rank>());
    all.values.push_back({x.accessor().access(x.data_handle(), static_cast<std::size_t>(place))});
    for (std::size_t d = rank; d-- > 0;) {
      if (++at[d] < all.shape[d]) break;
      at[d] = 0;
    }
  }
  return all;
}

}}}  // namespace gnp::GNP_ABI::detail
