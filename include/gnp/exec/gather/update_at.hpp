// SPDX-License-Identifier: MIT
// x(index) op= values for every element, also if indices repeat. This is what add_at and similar functions do.
#pragma once

#include <gnp/exec/gather/index_arrays.hpp>
#include <gnp/exec/sort/sort_rows.hpp>
#include <gnp/exec/text/at_kernels.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// For integers, do the low bits of the result depend only on the low bits of the operands?
template <class Op>
inline constexpr bool keeps_last_bits =
    std::is_same_v<Op, operations::add_ufunc> || std::is_same_v<Op, operations::subtract_ufunc> ||
    std::is_same_v<Op, operations::multiply_ufunc> || std::is_same_v<Op, operations::bitwise_and_ufunc> ||
    std::is_same_v<Op, operations::bitwise_or_ufunc> || std::is_same_v<Op, operations::bitwise_xor_ufunc>;

/// Does the result depend on the order in which values of type V are joined with an element of type T?
template <class Op, class T, class V>
inline constexpr bool order_shows =
    !is_integer(dtype_of<T>) ||
    !(keeps_last_bits<Op> || (std::is_same_v<T, V> && (std::is_same_v<Op, operations::minimum_ufunc> ||
                                                       std::is_same_v<Op, operations::maximum_ufunc>)));

/// The type in which values are joined with elements of type T. It is T, unless the result depends on bits that
/// T cannot hold; then it is V. (Each result is converted to T before the next value, as in NumPy.)
template <class Op, class T, class V>
constexpr auto joined_value() {
  if constexpr (promote(dtype_of<T>, dtype_of<V>) == dtype_of<T> ||
                (is_integer(dtype_of<T>) && keeps_last_bits<Op>)) {
    return std::type_identity<T>();
  } else {
    return std::type_identity<V>();
  }
}

#if GNP_HAS_CUDA

template <class Op, class Node, class T, class V>
void update_on_gpu(const array<T>& memory, const array<std::int64_t>& places, const array<V>& values,
                   [[maybe_unused]] bool any_order) {
  static device_kernel kernels[2];
  constexpr bool words = sizeof(T) == 4 || sizeof(T) == 8;
  const bool in_order = !words || (order_shows<Op, T, V> && !any_order);
  const array<std::int64_t> order = in_order ? argsorted_rows(places, false, Op::name) : places;
  const submission work(memory.device());
  const CUfunction function = kernels[in_order ? 1 : 0].on(work.device(), [&] {
    return at_source(source_of<Node>.operation, dtype_of<T>, dtype_of<V>, dtype_of<body_type<Node, 0>>,
                     in_order);
  });
  const auto address = [](const void* p) {
    return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p));
  };
  at_arguments a;
  a.places = address(work.reads(places));
  a.order = address(work.reads(order));
  a.values = address(work.reads(values));
  a.memory = address(work.writes(memory));
  a.count = static_cast<std::uint64_t>(places.size());
  a.one_value = values.ndim() == 0 ? 1 : 0;
  work.launch(function, {.blocks = (a.count + 255) / 256, .early = true}, a);
}

#endif

/// element = op(element, value)
template <class Op, class T, class V>
inline __attribute__((always_inline)) void update_element(T& element, V value) {
  using node = expression<Op, array<T>, array<V>>;
  element = scalar::cast<T>(
      on_cpu<Op>::apply(scalar::cast<body_type<node, 0>>(element), scalar::cast<body_type<node, 1>>(value)));
}

/// memory[place] = op(memory[place], value), one after the other.
template <class Op, class T, class V>
void update_places(const array<T>& memory, const array<std::int64_t>& places, const array<V>& values,
                   [[maybe_unused]] bool any_order) {
  using elements = expression<Op, array<T>, array<T>>;
  static_assert(elements::signature.supported && elements::signature.result == dtype_of<T>,
                "gnp: this operation of these elements gives another type, which they cannot hold");
  using node = expression<Op, array<T>, array<V>>;
  static_assert(std::is_same_v<body_type<node, 0>, body_type<node, 1>>);
  if (places.size() == 0) return;
  const watched_work watched(memory.device(), [&] {
    return facts_of((std::string(Op::name) + " at").c_str(), dtype_of<T>,
                    static_cast<std::size_t>(places.nbytes() + 3 * values.nbytes()));
  });
  if (memory.device().is_cpu()) {
    T* const to = memory.data();
    const V* const from = values.data();
    const std::int64_t* const place = places.data();
    const index_t step = values.ndim() == 0 ? 0 : 1;
    for (index_t i = 0; i < places.size(); ++i) update_element<Op>(to[place[i]], from[i * step]);
    return;
  }
#if GNP_HAS_CUDA
  update_on_gpu<Op, node>(memory, places, values, any_order);
#endif
}

template <class Op, class T, std::size_t Count, class... Index, class X>
void update_at(const gathered<true, T, Count, Index...>& destination, const X& source, bool any_order,
               const char* function) {
  const auto joined_as = [] {
    if constexpr (scalar_like<X>) {
      check_same_kind<type_of<promote_weak(dtype_of<T>, dtype_of<X>)>, T>();
      return std::type_identity<T>();
    } else {
      check_same_kind<typename X::value_type, T>();
      return joined_value<Op, T, typename X::value_type>();
    }
  }();
  using V = typename decltype(joined_as)::type;
  const array<T>& memory = item_of<0>(destination.operands()).memory;
  check_writable(view_of(memory), function);
  const array<V> values =
      apart(source_of_scatter<V>(source, destination.shape(), memory.device(), function), memory);
  T* const to = memory.data();
  const V* const from = values.data();
  const index_t step = values.ndim() == 0 ? 0 : 1;
  const auto update = [=](index_t i, index_t place) { update_element<Op>(to[place], from[i * step]); };
  if (for_single_places_on_cpu(destination, function, update)) return;
  const array<std::int64_t> places = places_of_elements(destination, function);
  update_places<Op>(memory, places.view({0, shape_t{places.size()}, shape_t{1}}), values, any_order);
}

}}}  // namespace gnp::GNP_ABI::detail
