// SPDX-License-Identifier: MIT
// Several arrays as one argument: a list in braces or a range of one type, or a std::tuple of any types.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/host_values.hpp>
#include <gnp/core/promotion.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/statement/formula_list.hpp>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class Parts>
inline constexpr bool is_tuple_of_arrays_v = false;
template <class... X>
inline constexpr bool is_tuple_of_arrays_v<std::tuple<X...>> = (array_like<std::remove_cvref_t<X>> && ...);

template <class Parts>
concept list_of_arrays = range_of_arrays<Parts> || is_tuple_of_arrays_v<Parts>;

template <class Part>
inline constexpr bool is_listed_part_v = scalar_like<Part> || is_host_vector_v<Part>;
template <class Parts>
inline constexpr bool is_tuple_with_lists_v = false;
template <class... X>
inline constexpr bool is_tuple_with_lists_v<std::tuple<X...>> =
    (is_listed_part_v<std::remove_cvref_t<X>> || ...) &&
    ((array_like<std::remove_cvref_t<X>> || is_listed_part_v<std::remove_cvref_t<X>>) && ...);
/// A std::tuple of arrays with numbers or vectors among them: std::tuple(x, 1.0).
template <class Parts>
concept tuple_with_lists = is_tuple_with_lists_v<Parts>;

/// The same with arrays in place of the numbers and vectors, on the device of the first array.
template <class... X>
auto as_arrays(const std::tuple<X...>& parts) {
  return std::apply(
      [](const auto&... part) {
        device where = default_device();
        bool found = false;
        const auto look_at = [&](const auto& one) {
          if constexpr (array_like<std::remove_cvref_t<decltype(one)>>) {
            if (!found) where = one.device();
            found = true;
          }
        };
        (look_at(part), ...);
        const use_device guard(where);
        const auto as_array = [](const auto& one) {
          if constexpr (array_like<std::remove_cvref_t<decltype(one)>>) {
            return one;
          } else {
            return asarray(one);
          }
        };
        return std::tuple(as_array(part)...);
      },
      parts);
}

template <class... X>
constexpr dtype promoted_of() {
  dtype common = dtype::bool_;
  ((common = promote(common, dtype_of<typename X::value_type>)), ...);
  return common;
}

template <class Parts>
struct joined_element {
  using type = typename std::ranges::range_value_t<const Parts>::value_type;
};
template <class... X>
struct joined_element<std::tuple<X...>> {
  using type = type_of<promoted_of<std::remove_cvref_t<X>...>()>;
};
/// The type that can hold the elements of all parts.
template <class Parts>
using joined_type = typename joined_element<Parts>::type;

template <class Parts, class F>
void for_each_part(const Parts& parts, const F& f) {
  if constexpr (is_tuple_of_arrays_v<Parts>) {
    std::apply([&f](const auto&... part) { (f(part), ...); }, parts);
  } else {
    for (const auto& part : parts) f(part);
  }
}

/// Any array or expression with elements of type T, as one of several in braces; or a std::vector of T, or a
/// number that T can hold, which go where the arrays are. It refers to its source, so it must not outlive the
/// call that the braces are in.
template <class T>
class part_in_braces {
 public:
  using value_type = T;

  template <array_like X>
    requires(dtype_of<typename X::value_type> == dtype_of<T>)
  part_in_braces(const X& x)
      : part_(&x),
        shape_(x.shape()),
        device_(x.device()),
        write_([](const void* part, const array<T>& place, const char* function) {
          gnp::detail::assign(place, *static_cast<const X*>(part), function);
        }) {
#if GNP_HAS_CUDA
    add_ = [](const void* part, formula_list& list) { list.add(*static_cast<const X*>(part)); };
#endif
  }
  template <scalar_like Number>
    requires(kind_of(dtype_of<Number>) <= kind_of(dtype_of<T>))
  part_in_braces(const Number& number)
      : part_(&number), write_([](const void* part, const array<T>& place, const char* function) {
          place.fill(make_constant<T>(*static_cast<const Number*>(part), function).value);
        }) {}
  template <host_vector V>
    requires(dtype_of<typename V::value_type> == dtype_of<T>)
  part_in_braces(const V& values)
      : part_(&values),
        shape_{static_cast<index_t>(values.size())},
        write_([](const void* part, const array<T>& place, const char* function) {
          const use_device guard(place.device());
          gnp::detail::assign(place, asarray(*static_cast<const V*>(part)), function);
        }) {}

  const shape_t& shape() const { return shape_; }
  int ndim() const { return shape_.rank(); }
  /// Nothing for what the host lists.
  std::optional<gnp::device> device() const { return device_; }
  friend void assign(const array<T>& place, const part_in_braces& part, const char* function) {
    part.write_(part.part_, place, function);
  }
#if GNP_HAS_CUDA
  void add_to(formula_list& list) const { add_(part_, list); }
#endif

 private:
  const void* part_;
  shape_t shape_;
  std::optional<gnp::device> device_;
  void (*write_)(const void* part, const array<T>& place, const char* function);
#if GNP_HAS_CUDA
  void (*add_)(const void* part, formula_list& list) = nullptr;
#endif
};

/// What is known about the parts before their elements are computed: their shapes, and their device.
struct part_shapes {
  std::vector<shape_t> shapes;
  std::optional<gnp::device> where;
  bool all_on_device = true;  // no part is a number or a std::vector

  template <class Parts>
  part_shapes(const Parts& parts, const char* function) {
    for_each_part(parts, [&](const auto& part) {
      shapes.push_back(part.shape());
      const std::optional<gnp::device> here = part.device();
      all_on_device = all_on_device && here;
      if (!here) return;
      if (where) require_same_device(function, *where, *here);
      where = here;
    });
  }
};

}}}  // namespace gnp::GNP_ABI::detail
