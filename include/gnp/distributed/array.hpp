// SPDX-License-Identifier: MIT
// distributed::array<T>: an array whose elements are divided among the processes of a group.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/array/spread.hpp>
#include <gnp/distributed/spread_members.hpp>
#include <gnp/distributed/view.hpp>
#include <gnp/exec/assign.hpp>
#include <utility>

namespace gnp { inline namespace GNP_ABI {
namespace distributed {

template <element T>
class array;
template <class Op, class... Operands>
class expression;

namespace detail {

/// Writes a distributed array, or a value that is the same in every process, through a view.
template <element T, class X>
void assign(const array<T>& destination, const X& source, const char* function);

/// What can be on the right side of an assignment.
template <class X>
concept source = gnp::detail::is_spread_v<X> || array_like<X> || scalar_like<X>;

}  // namespace detail

/// Keyword arguments of functions that make arrays: how an array is divided (by rows, unless specified
/// otherwise), and among which processes.
struct array_options {
  by_name only = by_name();
  distributed::layout layout = along(0);
  std::optional<distributed::group> among = std::nullopt;  // world()
};

/// Copies share the elements, and x(slice(1, 9)) is a view of them, as with gnp::array. A statement has one
/// meaning for the whole array, whichever process has which part: all processes of a group make the same calls.
template <element T>
class array : public detail::spread_members<array<T>> {
 public:
  using value_type = T;
  using detail::spread_members<array>::shape;

  /// An array whose elements are not set yet. The public functions that make arrays are zeros, full and similar
  /// ones.
  array(const detail::sharing& how, gnp::device where, const char* function = "empty")
      : sharing_(how), block_(how.here().shape(), where, function), view_(how.shape()) {}
  /// An array of existing blocks, each of the shape that the sharing gives it.
  array(const detail::sharing& how, const gnp::array<T>& block)
      : sharing_(how), block_(block), view_(how.shape()) {}
  array(const array&) = default;
  array(array&&) noexcept = default;
  ~array() = default;
  /// Computes an expression, in the layout of its first array that has the whole shape.
  template <class X>
    requires(gnp::detail::is_spread_v<X> && !std::same_as<X, array>)
  array(const X& source) : array(source.template stored<T>()) {}

  // As gnp::array: assigning to a name rebinds it, assigning to a view writes through it.
  array& operator=(const array&) & = default;
  array& operator=(array&&) & noexcept = default;
  array& operator=(const array& x) && { return write(x); }
  array& operator=(array&& x) && { return write(x); }
  template <class X>
    requires(gnp::detail::is_spread_v<X> && !std::same_as<X, array>)
  array& operator=(const X& x) & {
    return *this = array(x);
  }
  template <detail::source X>
  array& operator=(const X& x) && {
    return write(x);
  }
  /// Writes to the elements, also of a named array.
  template <detail::source X>
  void assign(const X& x) const {
    detail::assign(*this, x, "assign");
  }
  void fill(T value) const { detail::assign(*this, value, "fill"); }

  const shape_t& shape() const { return view_.shape(); }
  gnp::device device() const { return block_.device(); }
  const group& among() const { return sharing_.all(); }
  /// The layout of the array that this is a view of.
  const distributed::layout& layout() const { return sharing_.how(); }

  /// The elements that this process has, to be read and written here: from place begin() to place end() of each
  /// axis. An array of rank 0 cannot be empty, so this throws in processes that do not have its element.
  gnp::array<T> local() const {
    const detail::box own = here();
    if (own.rank() == 0 && own.is_nothing) {
      throw distributed_error("local: process " + std::to_string(among().rank()) +
                              " does not have the one element of this array of shape ()");
    }
    return elements_of(own);
  }
  shape_t begin() const { return here().begin; }
  shape_t end() const { return here().end; }

  /// A view: integers, slices, all, newaxis, ellipsis.
  template <class... Index>
    requires(std::convertible_to<Index, index_arg> && ...)
  array operator()(Index... indices) const {
    const index_arg list[sizeof...(Index) + 1] = {index_arg(indices)..., index_arg(ellipsis)};
    return with(view_.indexed(list, sizeof...(Index)));
  }
  /// A view with the axes in reverse order, or in the given order.
  array transpose() const {
    shape_t axes;
    for (int d = this->ndim(); d-- > 0;) axes.push_back(d);
    return with(view_.transposed(axes));
  }
  array transpose(const shape_t& axes) const {
    shape_t order;
    for (const index_t axis : axes)
      order.push_back(gnp::detail::normalize_axis(axis, this->ndim(), "transpose"));
    bool is_permutation = order.rank() == this->ndim();
    for (int d = 0; d < order.rank(); ++d) {
      is_permutation = is_permutation && std::count(order.begin(), order.end(), index_t{d}) == 1;
    }
    if (!is_permutation) {
      throw shape_error("transpose: the axes " + to_string(axes) + " are not those of shape " +
                        to_string(shape()));
    }
    return with(view_.transposed(order));
  }

  /// A copy, in this layout or in another one.
  array copy() const { return in_layout(natural_layout()); }
  array in_layout(const distributed::layout& how) const {
    array result(detail::sharing(among(), shape(), how, "in_layout"), device(), "in_layout");
    result.assign(*this);
    return result;
  }
  array eval() const { return *this; }

  operator T() const { return this->item(); }

  /// The layout of a new array with this shape: its axes are cut like those of this view's array.
  distributed::layout natural_layout() const {
    distributed::layout how = layout();
    for (int* axis : {&how.cut_by_rows, &how.cut_by_columns}) {
      if (*axis != uncut) *axis = view_.axis_along(*axis).value_or(uncut);
    }
    return how;
  }

  // For functions that run on several processes.

  const detail::sharing& shared() const { return sharing_; }
  const gnp::array<T>& block() const { return block_; }
  const detail::view& places() const { return view_; }
  /// The places of this view that process `rank`, or this process, has.
  detail::box of(int rank) const { return view_.within(sharing_.of(rank)); }
  detail::box here() const { return of(among().rank()); }
  /// The elements at places that this process has.
  gnp::array<T> elements_of(const detail::box& own) const {
    return view_.of_block(block_, sharing_.here().begin, own);
  }
  template <element U>
  array<U> stored() const {
    array<U> result(detail::sharing(among(), shape(), natural_layout(), "copy"), device(), "copy");
    result.assign(*this);
    return result;
  }

 private:
  array with(const detail::view& other) const {
    array result = *this;
    result.view_ = other;
    return result;
  }
  template <class X>
  array& write(const X& x) {
    detail::assign(*this, x, "assignment");
    return *this;
  }

  detail::sharing sharing_;
  gnp::array<T> block_;
  detail::view view_;
};

template <class Op, class... Operands>
array(const expression<Op, Operands...>&) -> array<typename expression<Op, Operands...>::value_type>;

}  // namespace distributed

namespace detail {
template <class T>
inline constexpr bool is_spread_v<distributed::array<T>> = true;
}  // namespace detail

}}  // namespace gnp::GNP_ABI
