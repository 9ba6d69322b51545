// SPDX-License-Identifier: MIT
// The members that arrays and expressions have in common: x.astype<U>(), (a + b).sum() and the like.
#pragma once

#include <array>
#include <gnp/array/forward.hpp>
#include <gnp/array/host_array.hpp>
#include <gnp/array/rows.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/reduce_options.hpp>
#include <gnp/core/slice.hpp>
#include <gnp/core/sort_options.hpp>
#include <gnp/core/ufunc_options.hpp>
#include <gnp/memory/device.hpp>
#include <initializer_list>
#include <ranges>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

struct take_options;
struct repeat_options;

namespace detail {

/// Integers or truth values, in an array, an expression or a range on the host.
template <class Index>
constexpr bool is_index_array() {
  if constexpr (array_like<Index>) {
    constexpr dtype type = dtype_of<typename Index::value_type>;
    return is_integer(type) || type == dtype::bool_;
  } else if constexpr (std::ranges::range<const Index> && !is_host_array_v<Index>) {
    using value = std::ranges::range_value_t<const Index>;
    return std::integral<value> && !std::is_same_v<value, char>;  // a(":") is text
  } else {
    return false;
  }
}
/// Arrays of indices, one for each axis, as nonzero() returns them.
template <class OneIndex>
inline constexpr bool is_index_list_v = [] {
  if constexpr (std::ranges::range<const OneIndex> && !array_like<OneIndex> && !is_host_array_v<OneIndex>) {
    using X = std::ranges::range_value_t<const OneIndex>;
    if constexpr (array_like<X>) return is_integer(dtype_of<typename X::value_type>);
  }
  return false;
}();
template <class OneIndex>
inline constexpr bool is_index_v =
    std::convertible_to<OneIndex, index_arg> || is_index_array<OneIndex>() || is_index_list_v<OneIndex>;

/// Holds classes that arrays and expressions are made of: base classes, and operands other than arrays. An
/// unqualified call f(x) in a user's code also looks for f in the namespaces of x's base classes and template
/// arguments, so this namespace must contain no functions.
namespace parts {

/// Base of array<T> and expression<...>. Its functions are defined where the types that they need are complete.
template <class Derived>
class array_members {
 public:
  index_t shape(int axis) const {
    const shape_t& all = derived().shape();
    return all[static_cast<std::size_t>(normalize_axis(axis, all.rank(), "shape"))];
  }
  /// The sizes of an array that must have exactly `Rank` dimensions: auto [rows, columns] = a.shape<2>();
  template <std::size_t Rank>
  std::array<index_t, Rank> shape() const {
    return sizes<Rank>(derived().shape());
  }
  int ndim() const { return derived().shape().rank(); }
  index_t size() const { return element_count(derived().shape(), "size"); }
  index_t nbytes() const { return derived().size() * itemsize(); }
  static constexpr index_t itemsize() { return sizeof(typename Derived::value_type); }
  static constexpr gnp::dtype dtype() { return dtype_of<typename Derived::value_type>; }

  /// Runs the expression; an array is returned as it is.
  auto eval() const { return evaluate(derived()); }

  /// Takes integers, slices, all, newaxis and ellipsis; axes without an index are taken whole. An array gives a
  /// view, an expression gives an expression of views, a reduction that of a part of its operand, and a product
  /// a view that can only be read.
  template <class... Index>
    requires(std::convertible_to<Index, index_arg> && ...)
  decltype(auto) operator()(Index... indices) const {
    const index_arg list[sizeof...(Index) + 1] = {index_arg(indices)..., index_arg(ellipsis)};
    return indexed(derived(), list, sizeof...(Index));
  }
  /// With arrays of integers or of bool among the indices: the selected elements, which can be read or assigned
  /// to. Such an index may be an array, an expression, a vector or another range on the host.
  template <class... Index>
    requires(!(std::convertible_to<Index, index_arg> && ...))
  auto operator()(const Index&... indices) const {
    static_assert(
        (is_index_v<Index> && ...),
        "gnp: an index is an integer, a slice, all, newaxis, ellipsis, or an array of integers or of bool");
    if constexpr ((is_index_v<Index> && ...)) return indexed_by_arrays(derived(), indices...);
  }
  /// The element at the indices in a shape_t, such as ndindex yields: for (const shape_t& i : ndindex({2, 3}))
  /// a(i) = 1;
  template <std::same_as<shape_t> Place>
  decltype(auto) operator()(const Place& place) const {
    return index(place);
  }
  /// a({true, false, true}): a mask.
  template <std::same_as<bool> Bool>
  auto operator()(std::initializer_list<Bool> mask) const {
    return indexed_by_arrays(derived(), std::vector<bool>(mask));
  }
  // a(all, {true, false, true}) and a({true, false}, all): the mask of one axis.
  template <class First, std::same_as<bool> Bool>
  auto operator()(const First& first, std::initializer_list<Bool> mask) const {
    return (*this)(first, std::vector<bool>(mask));
  }
  template <std::same_as<bool> Bool, class Last>
  auto operator()(std::initializer_list<Bool> mask, const Last& last) const {
    return (*this)(std::vector<bool>(mask), last);
  }
  /// a({0, 2}): a list of indices.
  auto operator()(listed_indices indices) const {
    return indexed_by_arrays(derived(), index_numbers(indices, "index"));
  }
  // Two or three indices, one of them a list, as in a(all, {0, 2}) and image(all, all, {2, 1, 0}). No type is
  // deduced from braces, so each position of the list needs an overload.
  auto operator()(listed_indices rows, listed_indices columns) const {
    return indexed_by_arrays(derived(), index_numbers(rows, "index"), index_numbers(columns, "index"));
  }
  template <class Last>
  auto operator()(listed_indices first, const Last& last) const {
    return (*this)(index_numbers(first, "index"), last);
  }
  template <class Second, class Last>
  auto operator()(listed_indices first, const Second& second, const Last& last) const {
    return (*this)(index_numbers(first, "index"), second, last);
  }
  template <class First, class Last>
  auto operator()(const First& first, listed_indices second, const Last& last) const {
    return (*this)(first, index_numbers(second, "index"), last);
  }
  template <class First>
  auto operator()(const First& first, listed_indices last) const {
    return (*this)(first, index_numbers(last, "index"));
  }
  template <class First, class Second>
  auto operator()(const First& first, const Second& second, listed_indices last) const {
    return (*this)(first, second, index_numbers(last, "index"));
  }
  // As containers of C++ have them. (Indices are always checked.)
  template <class... Index>
    requires(std::convertible_to<Index, index_arg> && ...)
  decltype(auto) at(Index... indices) const {
    return (*this)(indices...);
  }
  decltype(auto) front() const { return (*this)(0); }
  decltype(auto) back() const { return (*this)(-1); }
  /// The same for a list made at run time.
  decltype(auto) index(const std::vector<index_arg>& indices) const {
    return indexed(derived(), indices.data(), indices.size());
  }
  template <std::same_as<shape_t> Place>
  decltype(auto) index(const Place& place) const {
    return index(std::vector<index_arg>(place.begin(), place.end()));
  }
#if defined(__cpp_multidimensional_subscript)
  template <class... Index>
    requires(std::convertible_to<Index, index_arg> && ...)
  decltype(auto) operator[](Index... indices) const {
    return (*this)(indices...);
  }
  template <class... Index>
    requires(!(std::convertible_to<Index, index_arg> && ...))
  auto operator[](const Index&... indices) const {
    return (*this)(indices...);
  }
#else
  decltype(auto) operator[](index_arg i) const { return (*this)(i); }
  template <class Index>
    requires(!std::convertible_to<Index, index_arg>)
  auto operator[](const Index& index) const {
    return (*this)(index);
  }
#endif

  /// Iterates along axis 0: for (auto row : a). A product or a sum that has not run yet runs once, before the
  /// first iteration.
  auto begin() const {
    if (ndim() == 0) throw shape_error("begin: iteration over an array of rank 0");
    if constexpr (runs_first_v<Derived>) {
      return row_iterator(eval());
    } else {
      return row_iterator(derived());
    }
  }
  auto end() const {
    if constexpr (is_array_v<Derived>) {
      return row_iterator(derived(), shape(0));
    } else {
      return rows_end{shape(0)};
    }
  }

  /// Elements converted to another type: an expression, so that it fuses.
  template <element U>
  auto astype() const;
  /// Refused: an array's type is known when the program is compiled.
  template <class Type>
    requires(std::same_as<Type, gnp::dtype> || element<Type>)
  const Derived& astype(Type) const {
    static_assert(sizeof(Type) == 0,
                  "gnp: the type of the elements is a template argument: write x.astype<float>()");
    return derived();
  }

  /// On the host: the only element, the element at these indices, or that at a position in row-major order.
  template <std::integral... Index, class D = Derived>
  typename D::value_type item(Index... indices) const;

  /// All elements, on the host.
  auto get() const;
  /// The elements in row-major order.
  auto tolist() const;

  /// Writes the elements' bytes to a file. Body in io/raw.hpp.
  template <class Path>
  void tofile(const Path& path) const;

  /// A new contiguous array with the same elements, on the same device.
  auto copy() const;

  /// A copy on another device, or an array itself if it is already there.
  auto to(gnp::device where) const;

  // Views; an expression is evaluated first. Bodies in routines/manipulation.hpp.

  /// The axes in reverse order.
  auto T() const;
  /// The last two axes in reverse order.
  auto mT() const;
  template <plain_number... Axes>
  auto transpose(Axes... axes) const;
  auto transpose(const shape_t& axes) const;
  template <one_size... Count>
  auto reshape(const Count&... sizes) const;
  auto reshape(const shape_t& shape) const;
  auto ravel() const;
  /// A copy with one axis.
  auto flatten() const;
  GNP_REFUSES_ORDER(reshape, (const shape_t&, ), const)
  GNP_REFUSES_ORDER(ravel, (), const)
  GNP_REFUSES_ORDER(flatten, (), const)
  /// The same memory, read as elements of another type. If they have another size, the last axis gets another
  /// length.
  template <element U>
  auto view() const;
  auto swapaxes(int first, int second) const;
  auto squeeze(const axes_t& axes = none) const;
  auto squeeze(const axes_options& options) const;

  // Bodies in routines/reductions.hpp and routines/scans.hpp.

  GNP_TYPED_MEMBER_ALONG_AXES(sum, sum_options)
  GNP_TYPED_MEMBER_ALONG_AXES(prod, sum_options)
  GNP_TYPED_MEMBER_ALONG_AXES(mean, reduce_options)
  GNP_TYPED_MEMBER_ALONG_AXES(var, var_options)
  GNP_TYPED_MEMBER_ALONG_AXES(std, var_options)
  GNP_MEMBER_ALONG_AXES(ptp, reduce_options)
  GNP_MEMBER_ALONG_AXES(min, sum_options)
  GNP_MEMBER_ALONG_AXES(max, sum_options)
  GNP_MEMBER_ALONG_AXES(argmin, reduce_options)
  GNP_MEMBER_ALONG_AXES(argmax, reduce_options)
  GNP_MEMBER_ALONG_AXES(any, reduce_options)
  GNP_MEMBER_ALONG_AXES(all, reduce_options)
  GNP_TYPED_MEMBER_ALONG_AXES(cumsum, scan_options)
  GNP_TYPED_MEMBER_ALONG_AXES(cumprod, scan_options)

  // Of the elements where a mask is true; bodies in routines/masked_reductions.hpp.

#define GNP_MEMBER_WITH_MASK(function, options_type) \
  auto(function)(const options_type& options) const; \
  auto(function)(const axes_t& axis, const options_type& options) const;
  GNP_MEMBER_WITH_MASK(sum, masked_sum_options)
  GNP_MEMBER_WITH_MASK(prod, masked_sum_options)
  GNP_MEMBER_WITH_MASK(min, masked_sum_options)
  GNP_MEMBER_WITH_MASK(max, masked_sum_options)
  GNP_MEMBER_WITH_MASK(mean, masked_reduce_options)
  GNP_MEMBER_WITH_MASK(var, masked_var_options)
  GNP_MEMBER_WITH_MASK(std, masked_var_options)
  GNP_MEMBER_WITH_MASK(any, masked_reduce_options)
  GNP_MEMBER_WITH_MASK(all, masked_reduce_options)
#undef GNP_MEMBER_WITH_MASK
  template <element R>
  auto sum(const masked_sum_options& options) const;
  template <element R>
  auto sum(const axes_t& axis, const masked_sum_options& options) const;
  template <element R>
  auto prod(const masked_sum_options& options) const;
  template <element R>
  auto prod(const axes_t& axis, const masked_sum_options& options) const;

  GNP_MEMBER_ALONG_AXES(argsort, sort_options)

  GNP_MEMBER_REFUSES_DDOF(sum)
  GNP_MEMBER_REFUSES_DDOF(prod)
  GNP_MEMBER_REFUSES_DDOF(mean)
  GNP_MEMBER_REFUSES_DDOF(min)
  GNP_MEMBER_REFUSES_DDOF(max)

  // Bodies next to the functions of the same names.

  template <class Low, class High>
  auto clip(const Low& low, const High& high) const;
  template <scalar_like Number, class High>
  auto clip(std::initializer_list<Number> low, const High& high) const;
  template <class Nothing = void, class High>
  auto clip(std::initializer_list<double> low, const High& high) const;
  template <class Low, scalar_like Number>
  auto clip(const Low& low, std::initializer_list<Number> high) const;
  template <class Low, class Nothing = void>
  auto clip(const Low& low, std::initializer_list<double> high) const;
  template <scalar_like A, scalar_like B>
  auto clip(std::initializer_list<A> low, std::initializer_list<B> high) const;
  template <class Nothing = void>
  auto clip(std::initializer_list<double> low, std::initializer_list<double> high) const;
  /// The lower bound alone, as in NumPy's method: x.clip(0).
  template <class Low>
    requires(elementwise_like<Low> || scalar_like<Low>)
  auto clip(const Low& low) const;
  template <class D = Derived>
  auto clip(const clip_options_for<typename D::value_type>& options) const;
  template <class Low, class High, class... More>
    requires(sizeof...(More) > 0)
  double clip(const Low&, const High&, const More&...) const {
    static_assert(sizeof...(More) == 0,
                  "gnp: clip takes two bounds: a result goes into an array by assignment, y(gnp::ellipsis) = "
                  "x.clip(0, 1)");
    return {};
  }
  auto round(int decimals = 0) const;
  auto round(const round_options& options) const;
  auto real() const;
  auto imag() const;
  auto conj() const;
  auto conjugate() const;
  auto diagonal(index_t offset = 0, int axis1 = 0, int axis2 = 1) const;
  auto trace(index_t offset = 0, int axis1 = 0, int axis2 = 1) const;
  template <class X>
    requires(array_like<X> || scalar_like<X> || detail::is_host_vector_v<X>)
  auto dot(const X& x) const;
  template <scalar_like Number>
  auto dot(std::initializer_list<Number> numbers) const;
  template <class Nothing = void>
  auto dot(std::initializer_list<double> numbers) const;
  template <scalar_like Number>
  auto dot(std::initializer_list<std::initializer_list<Number>> numbers) const;
  template <class Nothing = void>
  auto dot(std::initializer_list<std::initializer_list<double>> numbers) const;
  template <class Index>
  auto take(const Index& indices, const axes_t& axis = none) const;
  auto take(listed_indices indices, const axes_t& axis = none) const;
  auto take(std::initializer_list<std::initializer_list<index_t>> indices, const axes_t& axis = none) const;
  template <class Index>
  auto take(const Index& indices, const take_options& options) const;
  auto take(listed_indices indices, const take_options& options) const;
  auto take(std::initializer_list<std::initializer_list<index_t>> indices, const take_options& options) const;
  template <class Counts>
  auto repeat(const Counts& counts, const axes_t& axis = none) const;
  auto repeat(std::initializer_list<index_t> counts, const axes_t& axis = none) const;
  template <class Counts>
  auto repeat(const Counts& counts, const repeat_options& options) const;
  auto repeat(std::initializer_list<index_t> counts, const repeat_options& options) const;
  auto nonzero() const;

 protected:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  array_members() = default;
  ~array_members() = default;
  array_members(const array_members&) = default;
  array_members& operator=(const array_members&) = default;
};

}  // namespace parts
using parts::array_members;

}  // namespace detail
}}  // namespace gnp::GNP_ABI

/// size() is the number of elements, not of the rows that an iteration visits.
template <gnp::array_like X>
inline constexpr bool std::ranges::disable_sized_range<X> = true;
/// An iterator keeps the array, so it outlives the view that it comes from: std::ranges::max_element(m(0)).
template <gnp::array_like X>
inline constexpr bool std::ranges::enable_borrowed_range<X> = true;
