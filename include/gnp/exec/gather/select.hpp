// SPDX-License-Identifier: MIT
// Turns x(...) with arrays among its indices into a node that reads and writes the selected elements.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/index_places.hpp>
#include <gnp/exec/gather/compact.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// An index as an array or expression on a device; numbers on the host are copied there.
template <class OneIndex>
auto index_operand(const OneIndex& index, device where) {
  if constexpr (runs_first_v<OneIndex>) {
    return index.eval();
  } else if constexpr (array_like<OneIndex>) {
    return index;
  } else {
    const use_device guard(where);
    return asarray(index);
  }
}

GNP_DECLARED std::vector<index_arg> axes_after(int axes);

/// A view of an array or expression of indices, with `axes` more axes of size 1 at the end.
template <class X>
auto with_axes_after(const X& x, int axes) {
  const std::vector<index_arg> list = axes_after(axes);
  return indexed(x, list.data(), list.size());
}

GNP_INLINE scalar::index_facts facts_of_axis(index_t size, index_t stride, int axis,
                                             scalar::outside beyond = scalar::outside::raise) {
  const bool counts_from_end = beyond == scalar::outside::raise || beyond == scalar::outside::leave_out;
  return {size, stride, counts_from_end ? size : 0, axis, beyond};
}
/// The facts for places that gnp has computed itself, which are never out of bounds.
inline scalar::index_facts known_places() { return {0, 1, 0, 0, scalar::outside::known}; }

/// The place of each element where a mask is true, along the axes that the mask covers: those from `first` on.
template <class Mask>
array<std::int64_t> places_where(const Mask& mask, const shape_t& strides, int first, device where) {
  position at(mask.shape(), shape_t(mask.shape().size(), 0), 0);
  for (int d = 0; d < mask.ndim(); ++d) at.strides[d] = strides[first + d];
  return compact(at, mask, where);
}

/// Checks indices that no kernel will check: those of an empty result, or of an axis of size 0, which has no
/// valid index.
template <class Index>
void check_without_running(const Index& index, const scalar::index_facts& facts, const char* function) {
  if constexpr (array_like<Index>) {
    if (facts.beyond == scalar::outside::known || index.size() == 0) return;
    if (facts.size == 0) {
      throw index_error(std::string(function) + ": cannot take elements from axis " +
                        std::to_string(facts.axis) + " with size 0");
    }
    if (facts.from_end == 0) return;
    using number =
        std::conditional_t<std::is_same_v<typename Index::value_type, char>, int, typename Index::value_type>;
    for (const number i : to_vector(index)) {
      const bool inside = std::cmp_less(i, facts.size) && std::cmp_greater_equal(i, -facts.size);
      if (!inside) throw_out_of_bounds(function, std::to_string(i), facts.axis, facts.size);
    }
  }
}

/// Throws if an index is on another device. (Positions are on every device.)
template <class Index>
void require_index_on(const char* function, device where, const Index& index) {
  if constexpr (array_like<Index>) require_same_device(function, where, index.device());
}

/// Elements of `a` at offsets and indices, which have the result's shape or broadcast to it.
template <bool Writable, class T, class... Index>
gathered<Writable, T, sizeof...(Index), Index...> gather_node(
    const array<T>& a, const position& at, const std::array<scalar::index_facts, sizeof...(Index)>& facts,
    const char* function, const Index&... index) {
  bool nothing = element_count(at.extent, function) == 0;
  for (const scalar::index_facts& f : facts) nothing = nothing || f.size == 0;
  if (nothing) {
    std::size_t next = 0;
    (check_without_running(index, facts[next++], function), ...);
  }
  (require_index_on(function, a.device(), index), ...);
  const element_span reach = reach_of(a);
  return gathered<Writable, T, sizeof...(Index), Index...>(
      std::in_place, table<T>{a}, at,
      index_rules<sizeof...(Index)>{a.device(), function, facts, {reach.first, reach.last}}, index...);
}

template <class OneIndex>
index_part part_of(const OneIndex& index) {
  if constexpr (array_like<OneIndex>) {
    if constexpr (std::is_same_v<typename OneIndex::value_type, bool>)
      return {index_arg(ellipsis), index.ndim()};
    return {index_arg(ellipsis), 1};
  } else {
    return {index_arg(index), -1};
  }
}

/// x(...) by a list of arrays, one for each of the first axes.
template <bool Writable, class T, class List>
auto select_by_list(const array<T>& a, const List& list) {
  const int count = static_cast<int>(std::size(list));
  std::vector<index_part> parts(static_cast<std::size_t>(count), {index_arg(ellipsis), 1});
  const index_axes axes = resolve_index(a.shape(), a.element_strides(), parts);
  std::vector<shape_t> shapes;
  for (const auto& index : list) shapes.push_back(index.shape());
  const shape_t common = common_index_shape(shapes, "index");
  array<std::int64_t> where(common, a.device(), "index");
  where.fill(0);
  int axis = 0;
  for (const auto& index : list) {
    using OneIndex = std::remove_cvref_t<decltype(index)>;
    // A place outside the axis becomes `nowhere`; a place at the end of the axis could be written to.
    const std::array facts{
        facts_of_axis(a.shape()[axis], a.element_strides()[axis], axis, scalar::outside::leave_out)};
    require_index_on("index", a.device(), index);
    if (facts[0].size == 0) check_without_running(index, facts[0], "index");
    where.assign(where + places<1, OneIndex>(std::in_place, position(common, shape_t(common.size(), 0), 0),
                                             index_rules<1>{a.device(), "index", facts}, index));
    ++axis;
  }
  position at(common, shape_t(common.size(), 0), axes.offset);
  for (int d = 0; d < axes.shape.rank(); ++d) {
    at.extent.push_back(axes.shape[d]);
    at.strides.push_back(axes.strides[d]);
  }
  return gather_node<Writable>(a, at, std::array{known_places()}, "index",
                               with_axes_after(where, axes.shape.rank()));
}

/// a(index), by one array of integers: for each of them, what lies there along the first axis. This is what
/// resolve_index and the rest of select() come to, without their lists, which would take longer than ten
/// elements.
template <bool Writable, class T, class Index>
auto select_along_first(const array<T>& a, const array<Index>& index) {
  position at(index.shape(), shape_t(index.shape().size(), 0), 0);
  view_layout with_axes{0, index.shape(), index.element_strides()};
  for (int d = 1; d < a.ndim(); ++d) {
    at.extent.push_back(a.shape()[d]);
    at.strides.push_back(a.element_strides()[d]);
    with_axes.shape.push_back(1);
    with_axes.strides.push_back(0);
  }
  const std::array facts{facts_of_axis(a.shape()[0], a.element_strides()[0], 0)};
  return gather_node<Writable>(a, at, facts, "index", a.ndim() == 1 ? index : index.view(with_axes));
}

template <class... Index>
inline constexpr bool is_one_integer_array = false;
template <class Index>
inline constexpr bool is_one_integer_array<array<Index>> = is_integer(dtype_of<Index>);

/// x(...) of an array. The indices are already what index_operand() makes of them.
template <bool Writable, class T, class... Index>
auto select(const array<T>& a, const Index&... indices) {
  if constexpr (is_one_integer_array<Index...>) {
    if (a.ndim() > 0) return select_along_first<Writable>(a, indices...);
  }
  const index_axes axes = resolve_index(a.shape(), a.element_strides(), {part_of(indices)...});
  constexpr std::size_t arrays = (std::size_t{0} + ... + (array_like<Index> ? 1 : 0));
  std::array<scalar::index_facts, arrays> facts{};
  std::size_t next = 0;
  // The arrays of indices, in a tuple. A mask is replaced by the places where it is true.
  const auto array_of = [&](const auto& index) {
    using OneIndex = std::remove_cvref_t<decltype(index)>;
    if constexpr (!array_like<OneIndex>) {
      return std::tuple<>();
    } else {
      const std::size_t number = next++;
      const int axis = axes.first_of_array[number];
      if constexpr (std::is_same_v<typename OneIndex::value_type, bool>) {
        check_mask(index.shape(), a.shape(), axis);
        facts[number] = known_places();
        return std::tuple(places_where(index, a.element_strides(), axis, a.device()));
      } else {
        static_assert(is_integer(dtype_of<typename OneIndex::value_type>));
        facts[number] = facts_of_axis(a.shape()[axis], a.element_strides()[axis], axis);
        return std::tuple(index);
      }
    }
  };
  const std::tuple<decltype(array_of(indices))...> parts{array_of(indices)...};  // braces keep the order
  return std::apply(
      [&](const auto&... index) {
        const shape_t common = common_index_shape({index.shape()...}, "index");
        position at(axes.shape, axes.strides, axes.offset);
        for (const index_t size : common) {
          at.extent.push_back(size);
          at.strides.push_back(0);
        }
        std::rotate(at.extent.begin() + axes.block, at.extent.begin() + axes.shape.rank(), at.extent.end());
        std::rotate(at.strides.begin() + axes.block, at.strides.begin() + axes.shape.rank(), at.strides.end());
        return gather_node<Writable>(a, at, facts, "index", with_axes_after(index, axes.after())...);
      },
      std::apply([](const auto&... part) { return std::tuple_cat(part...); }, parts));
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE std::vector<index_arg> axes_after(int axes) {
  std::vector<index_arg> list{index_arg(ellipsis)};
  list.resize(static_cast<std::size_t>(axes) + 1, index_arg(newaxis));
  return list;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
