// SPDX-License-Identifier: MIT
// together: several assignments at once, like Python's a[...], b[...] = x, y.
#pragma once

#include <gnp/routines/several.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// What an assignment stores in an array of T.
template <element T, class X>
auto as_stored(const X& x) {
  if constexpr (scalar_like<X>) {
    return x;
  } else if constexpr (std::is_same_v<typename X::value_type, T>) {
    return x;
  } else {
    static_assert(!is_complex(dtype_of<typename X::value_type>) || is_complex(dtype_of<T>),
                  "gnp: a complex value does not fit a real array: take gnp::real(...) or gnp::abs(...) of it");
    return x.template astype<T>();
  }
}

/// Throws the error that an assignment would throw, before anything is stored.
template <class T, class X>
void check_assignable(const array<T>& to, const X& x) {
  check_writable(view_of(to), "together");
  if constexpr (array_like<X>) {
    shape_t shape = x.shape();
    while (shape.rank() > to.ndim() && shape[0] == 1) shape.erase(0);
    if (!broadcasts_to(shape, to.shape())) throw_no_broadcast(x.shape(), to.shape(), "together");
    if constexpr (!is_deferred_v<X>) require_device(to.device(), device_of(x), "together");
  }
}

/// Could an expression read memory between the first and the last element of an array?
template <class T, class X>
bool may_read(const X& x, const array<T>& of) {
  if constexpr (scalar_like<X>) {
    return false;
  } else if constexpr (is_array_v<X> || (is_formula_v<X> && !is_rolled_v<X>)) {
    const leaf_view written = view_of(of);
    const job_inputs<X> inputs(x);
    return std::any_of(inputs.leaves(), inputs.leaves() + inputs.count,
                       [&written](const leaf_view& leaf) { return extents_overlap(leaf, written); });
  } else if constexpr (is_reduced_v<X>) {
    return may_read(x.operand(), of);
  } else {
    return true;
  }
}

/// Several values computed as new arrays; numbers stay numbers.
template <class... X>
auto computed_first(const X&... x) {
  if constexpr ((array_like<X> && ...)) {
    return eval(x...);
  } else {
    const auto one = [](const auto& value) {
      if constexpr (scalar_like<std::remove_cvref_t<decltype(value)>>) {
        return value;
      } else {
        return std::get<0>(eval(value));
      }
    };
    return std::tuple(one(x)...);
  }
}

}  // namespace detail

/// Arrays, or parts of them, that are assigned to together.
template <element... T>
class assigned_together {
 public:
  explicit assigned_together(const array<T>&... to) : to_(to...) {}

  /// Stores each value in the array at the same place in the list. All values are computed before anything is
  /// stored.
  template <class... X>
    requires((array_like<X> || scalar_like<X>) && ...)
  void operator=(const std::tuple<X...>& values) && {
    static_assert(sizeof...(X) == sizeof...(T), "gnp: together takes as many values as it has arrays");
    if constexpr (sizeof...(X) == sizeof...(T)) {
      std::apply([&](const X&... x) { store(std::index_sequence_for<X...>(), detail::as_stored<T>(x)...); },
                 values);
    }
  }

 private:
  template <std::size_t... Index, class... X>
  void store(std::index_sequence<Index...> places, const X&... x) {
    (detail::check_assignable(std::get<Index>(to_), x), ...);
    if (in_one_kernel(x...)) return;
    const std::tuple<const X&...> values(x...);
    const auto is_in_order = [&]<std::size_t Place>(std::integral_constant<std::size_t, Place>) {
      return ((Index >= Place || !detail::may_read(std::get<Place>(values), std::get<Index>(to_))) && ...);
    };
    if ((is_in_order(std::integral_constant<std::size_t, Index>()) && ...)) return assign_each(places, values);
    assign_each(places, detail::computed_first(x...));
  }

  template <std::size_t... Index, class Values>
  void assign_each(std::index_sequence<Index...>, const Values& values) {
    (detail::assign(std::get<Index>(to_), std::get<Index>(values), "together"), ...);
  }

  /// Uses one kernel on a GPU if all values are formulas of the same shape.
  template <class... X>
  bool in_one_kernel([[maybe_unused]] const X&... x) {
#if GNP_HAS_CUDA
    if constexpr ((detail::is_formula_v<X> && ...)) {
      if constexpr (detail::fit_side_by_side<X...>) {
        const auto& first = std::get<0>(to_);
        const bool alike = std::apply(
            [&](const auto&... to) {
              return ((to.shape() == first.shape() && to.device() == first.device()) && ...) &&
                     ((x.shape().rank() <= first.ndim()) && ...);
            },
            to_);
        if (!alike || first.device().is_cpu() || first.size() == 0) return false;
        return detail::formulas_side_by_side<X...>(x...).write(to_);
      }
    }
#endif
    return false;
  }

  std::tuple<array<T>...> to_;
};

/// Several assignments at once: together(a(i), b(j)) = std::tuple(x, y), like Python's a[i], b[j] = x, y. On a
/// GPU, formulas for parts of one shape become one kernel, which reads once what several of them need.
template <element... T>
assigned_together<T...> together(const array<T>&... to) {
  static_assert(sizeof...(T) > 0, "gnp: together takes the arrays that are assigned to");
  return assigned_together<T...>(to...);
}

}}  // namespace gnp::GNP_ABI
