// SPDX-License-Identifier: MIT
// diff: the differences between neighbouring elements.
#pragma once

#include <cstdint>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/manipulation.hpp>
#include <variant>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Whose edges they are, for error messages.
enum class edges_of : std::uint8_t { diff, ediff1d };

}  // namespace detail

/// What diff puts before or after elements of type T: a number, or an array whose elements fit into T.
template <element T, detail::edges_of Function = detail::edges_of::diff>
class diff_edge {
 public:
  diff_edge() = default;
  template <scalar_like S>
  diff_edge(S value) {
    constexpr bool fits = detail::promote_weak(dtype_of<T>, dtype_of<S>) == dtype_of<T>;
    static_assert(fits, "gnp: differences have the array's type: convert the array with astype first");
    if constexpr (fits) value_ = detail::make_constant<T>(value, function).value;
  }
  template <array_like X>
  diff_edge(const X& values) {
    using S = typename X::value_type;
    constexpr bool fits = promote(dtype_of<T>, dtype_of<S>) == dtype_of<T>;
    static_assert(fits, "gnp: differences have the array's type: convert the array with astype first");
    if constexpr (std::is_same_v<S, T>) {
      value_ = values.eval();
    } else if constexpr (fits) {
      value_ = array<T>(values.template astype<T>());
    }
  }

  /// Several numbers: {.to_begin = {0, 1}}.
  template <scalar_like A, scalar_like B, scalar_like... More>
  diff_edge(A first, B second, More... more)
      : diff_edge(asarray(
            {of_all<A, B, More...>(first), of_all<A, B, More...>(second), of_all<A, B, More...>(more)...})) {}

  bool given() const { return value_.index() != 0; }
  const T* number() const { return std::get_if<T>(&value_); }
  const array<T>* values() const { return std::get_if<array<T>>(&value_); }

 private:
  static constexpr const char* function = Function == detail::edges_of::diff ? "diff" : "ediff1d";

  /// A number in the type of all of them together: T, if that holds their kinds.
  template <class... All, class S>
  static auto of_all(S value) {
    if constexpr (((detail::promote_weak(dtype_of<T>, dtype_of<All>) == dtype_of<T>) && ...)) {
      return detail::make_constant<T>(value, function).value;
    } else {
      return static_cast<std::common_type_t<All...>>(value);
    }
  }

  std::variant<std::monostate, T, array<T>> value_;
};

/// The options of diff: how often, along which axis, and what comes before the first and after the last
/// element.
template <element T>
struct diff_options {
  by_name only = by_name();
  int n = 1;
  int axis = -1;
  diff_edge<T> prepend = {};
  diff_edge<T> append = {};
};

namespace detail {

/// How many elements an edge has along the axis, for an array of this shape. A number, or an array of rank 0,
/// counts as one element.
template <class T>
index_t edge_length(const diff_edge<T>& edge, const char* name, const shape_t& shape, int axis, device where) {
  if (!edge.given()) return 0;
  if (edge.number() != nullptr) return 1;
  const array<T>& values = *edge.values();
  if (!(values.device() == where)) throw_mixed_devices("diff", where, values.device());
  if (values.ndim() == 0) return 1;
  bool fits = values.ndim() == shape.rank();
  for (int d = 0; fits && d < shape.rank(); ++d) fits = d == axis || values.shape()[d] == shape[d];
  if (!fits) {
    throw shape_error(std::string("diff: ") + name + " of shape " + to_string(values.shape()) +
                      " does not fit an array of shape " + to_string(shape) + " along axis " +
                      std::to_string(axis));
  }
  return values.shape()[axis];
}

/// A new array: x between its edges.
template <class X, class T = typename X::value_type>
array<T> between_edges(const X& x, int axis, const diff_options<T>& options) {
  const index_t before = edge_length(options.prepend, "prepend", x.shape(), axis, x.device());
  const index_t after = edge_length(options.append, "append", x.shape(), axis, x.device());
  shape_t shape = x.shape();
  shape[axis] += before + after;
  const array<T> joined(shape, x.device(), "diff");
  std::vector<index_arg> part(static_cast<std::size_t>(axis) + 1, index_arg(all));
  const auto fill = [&](const diff_edge<T>& edge, index_t begin, index_t length) {
    part.back() = slice(begin, begin + length);
    if (edge.number() != nullptr) {
      joined.index(part).fill(*edge.number());
    } else if (edge.given()) {
      joined.index(part).assign(*edge.values());
    }
  };
  fill(options.prepend, 0, before);
  fill(options.append, shape[axis] - after, after);
  part.back() = slice(before, shape[axis] - after);
  joined.index(part).assign(x);
  return joined;
}

}  // namespace detail

namespace detail {

template <class T>
auto changes(const array<T>& later, const array<T>& earlier) {
  if constexpr (std::is_same_v<T, bool>) {
    return later != earlier;
  } else {
    return later - earlier;
  }
}

}  // namespace detail

/// The differences of neighbours along an axis, taken n times; for booleans, whether they differ. `prepend` and
/// `append` are added before the first difference is taken. They are numbers, or arrays with x's shape except
/// along the axis. The result is an expression: sum(abs(diff(x))) reads x, and stores no differences.
template <array_like X>
auto diff(const X& x, const diff_options<typename X::value_type>& options = {}) {
  using T = typename X::value_type;
  if (options.n < 0) throw error("diff: order must be non-negative but got " + std::to_string(options.n));
  if (options.n == 0) {
    const array<T> zero(shape_t{}, x.device(), "diff");
    zero.fill(T());
    return detail::changes(x.eval(), zero);
  }
  if (x.ndim() == 0) throw shape_error("diff: the input must have one dimension at least, got shape ()");
  const int axis = detail::normalize_axis(options.axis, x.ndim(), "diff");
  const bool edges = options.prepend.given() || options.append.given();
  array<T> values = edges ? detail::between_edges(x, axis, options) : x.eval();
  std::vector<index_arg> later(static_cast<std::size_t>(axis) + 1, index_arg(all));
  std::vector<index_arg> earlier = later;
  later.back() = slice(1, none);
  earlier.back() = slice(none, -1);
  for (int i = 1; i < options.n && values.shape()[axis] > 0; ++i)
    values = detail::changes(values.index(later), values.index(earlier));
  return detail::changes(values.index(later), values.index(earlier));
}
template <array_like X, std::integral Times>
auto diff(const X& x, Times n, diff_options<typename X::value_type> options = {}) {
  options.n = static_cast<int>(n);
  return diff(x, options);
}
template <array_like X, std::integral Times, std::integral Axis>
auto diff(const X& x, Times n, Axis axis, diff_options<typename X::value_type> options = {}) {
  options.axis = static_cast<int>(axis);
  return diff(x, n, options);
}

GNP_REFUSES_VECTORS(diff)
GNP_TAKES_VALUES(diff)
GNP_TAKES_VALUES_BESIDE(diff, (const diff_options<Number>& options), (options))

}}  // namespace gnp::GNP_ABI
