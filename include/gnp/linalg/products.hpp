// SPDX-License-Identifier: MIT
// dot, vdot, inner, outer, vecdot, tensordot, kron, cross: NumPy's other products.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/linalg/product/contract.hpp>
#include <gnp/routines/creation.hpp>
#include <initializer_list>
#include <optional>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Labels for `count` axes, starting with `first`.
GNP_INLINE std::string labels_from(char first, int count) {
  std::string labels;
  for (int d = 0; d < count; ++d) labels += static_cast<char>(first + d);
  return labels;
}

/// Sums over pairs of axes, each one of a's with one of b's. In the result, the remaining axes of a come before
/// those of b.
template <class T>
array<T> contract_axes(const array<T>& a, const array<T>& b, const shape_t& a_axes, const shape_t& b_axes,
                       const char* function) {
  const auto fail = [&](const std::string& why) { throw_product_shapes(function, a.shape(), b.shape(), why); };
  require_same_device(function, a.device(), b.device());
  if (a_axes.rank() != b_axes.rank()) {
    fail(std::string("axes ") + to_string(a_axes) + " and " + to_string(b_axes) + " are not as many");
  }
  std::string a_labels = labels_from('A', a.ndim());
  std::string b_labels = labels_from('a', b.ndim());
  std::string kept_a = a_labels;
  const axis_set a_set(a_axes, a.ndim(), function);  // checks the axes
  const axis_set b_set(b_axes, b.ndim(), function);
  for (std::size_t i = 0; i < a_axes.size(); ++i) {
    const int x = normalize_axis(a_axes[i], a.ndim(), function);
    const int y = normalize_axis(b_axes[i], b.ndim(), function);
    if (a.shape()[x] != b.shape()[y]) {
      fail(std::to_string(a.shape()[x]) + " (axis " + std::to_string(x) + ") is not " +
           std::to_string(b.shape()[y]) + " (axis " + std::to_string(y) + ")");
    }
    b_labels[static_cast<std::size_t>(y)] = a_labels[static_cast<std::size_t>(x)];
  }
  return contract<T>({a, a_labels}, {b, b_labels}, "", function).values;
}

/// The sum over the last axis of both. Two vectors do without the labels of axes, which would take longer than
/// the sum of a hundred elements.
template <class T>
array<T> sum_over_last_axes(const array<T>& a, const array<T>& b, const char* function) {
  if (a.ndim() == 1 && a.shape() == b.shape()) {
    require_same_device(function, a.device(), b.device());
    return vector_product<T>(a, b, none);
  }
  return contract_axes<T>(a, b, {-1}, {-1}, function);
}

template <array_like X>
auto conjugated(const X& x) {
  if constexpr (is_complex(dtype_of<typename X::value_type>)) {
    return conj(x);
  } else {
    return x;
  }
}

template <class A, class B>
concept array_and_number = (array_like<A> && scalar_like<B>) || (scalar_like<A> && array_like<B>);

/// How many axes to sum over, or which axes of a and of b.
struct contracted_axes {
  contracted_axes(int axes) : count(axes) {}
  contracted_axes(const shape_t& a_axes, const shape_t& b_axes) : of_a(a_axes), of_b(b_axes) {}

  std::optional<int> count = {};
  shape_t of_a = {};
  shape_t of_b = {};
};

}  // namespace detail

struct tensordot_options {
  by_name only = by_name();
  detail::contracted_axes axes = 2;
};

/// Sums over pairs of axes, a_axes[i] of a with b_axes[i] of b.
template <array_like A, array_like B>
auto tensordot(const A& a, const B& b, const shape_t& a_axes, const shape_t& b_axes) {
  using T = detail::product_type<A, B>;
  return detail::contract_axes<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), a_axes, b_axes,
                                  "tensordot");
}
/// Sums over the last `axes` axes of a and the first `axes` axes of b.
template <array_like A, array_like B>
auto tensordot(const A& a, const B& b, int axes = 2) {
  if (axes < 0 || axes > a.ndim() || axes > b.ndim()) {
    detail::throw_product_shapes("tensordot", a.shape(), b.shape(), std::to_string(axes) + " axes of each");
  }
  shape_t last, first;
  for (int d = 0; d < axes; ++d) {
    last.push_back(a.ndim() - axes + d);
    first.push_back(d);
  }
  return tensordot(a, b, last, first);
}

/// Axes in NumPy's form: tensordot(a, b, {{0, 1}, {1, 0}}).
template <array_like A, array_like B>
auto tensordot(const A& a, const B& b, const detail::contracted_axes& axes) {
  if (axes.count) return tensordot(a, b, *axes.count);
  return tensordot(a, b, axes.of_a, axes.of_b);
}
/// By name: tensordot(a, b, {.axes = 1}), tensordot(a, b, {.axes = {{0, 1}, {1, 0}}}).
template <array_like A, array_like B>
auto tensordot(const A& a, const B& b, const tensordot_options& options) {
  return tensordot(a, b, options.axes);
}
// One operand in braces, or in a std::vector.
#define GNP_TENSORDOT_WITH_LISTS(parameters, arguments)                                               \
  GNP_TENSORDOT_WITH_LIST(scalar_like Number, std::initializer_list<Number>, parameters, arguments)   \
  GNP_TENSORDOT_WITH_LIST(class Nothing = void, std::initializer_list<detail::any_real>, parameters,  \
                          arguments)                                                                  \
  GNP_TENSORDOT_WITH_LIST(scalar_like Number, std::initializer_list<std::initializer_list<Number>>,   \
                          parameters, arguments)                                                      \
  GNP_TENSORDOT_WITH_LIST(class Nothing = void, std::initializer_list<std::initializer_list<double>>, \
                          parameters, arguments)                                                      \
  GNP_TENSORDOT_WITH_LIST(detail::host_vector V, const V&, parameters, arguments)
#define GNP_TENSORDOT_WITH_LIST(parameter, list_type, parameters, arguments)           \
  template <parameter, array_like B>                                                   \
  auto tensordot(list_type a, const B& b, GNP_WITHOUT_PARENTHESES parameters) {        \
    return tensordot(detail::list_beside(b, a), b, GNP_WITHOUT_PARENTHESES arguments); \
  }                                                                                    \
  template <array_like A, parameter>                                                   \
  auto tensordot(const A& a, list_type b, GNP_WITHOUT_PARENTHESES parameters) {        \
    return tensordot(a, detail::list_beside(a, b), GNP_WITHOUT_PARENTHESES arguments); \
  }
GNP_TENSORDOT_WITH_LISTS((int axes = 2), (axes))
GNP_TENSORDOT_WITH_LISTS((const detail::contracted_axes& axes), (axes))
GNP_TENSORDOT_WITH_LISTS((const tensordot_options& options), (options))
GNP_TENSORDOT_WITH_LISTS((const shape_t& a_axes, const shape_t& b_axes), (a_axes, b_axes))
#undef GNP_TENSORDOT_WITH_LIST
#undef GNP_TENSORDOT_WITH_LISTS

/// For two vectors, the sum of products; for two matrices, matmul; with more axes, the sum over the last axis
/// of a and the second to last of b. With a number, the product.
template <array_like A, array_like B>
auto dot(const A& a, const B& b) {
  using T = detail::product_type<A, B>;
  const int b_rank = b.ndim();
  if (a.ndim() == 0 || b_rank == 0) return array<T>(multiply(a, b));
  if (a.ndim() == 2 && b_rank == 2) {
    return detail::make_product<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), "dot").compute();
  }
  if (b_rank == 1)
    return detail::sum_over_last_axes<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), "dot");
  return detail::contract_axes<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), {-1}, {-2}, "dot");
}

template <class A, class B>
  requires detail::array_and_number<A, B>
auto dot(const A& a, const B& b) {
  return array(multiply(a, b));
}

/// The sum of products over the last axis of both; with a number, the product.
template <class A, class B>
  requires detail::array_and_number<A, B>
auto inner(const A& a, const B& b) {
  return array(multiply(a, b));
}
template <array_like A, array_like B>
auto inner(const A& a, const B& b) {
  using T = detail::product_type<A, B>;
  if (a.ndim() == 0 || b.ndim() == 0) return array<T>(multiply(a, b));
  return detail::sum_over_last_axes<T>(detail::operand_as<T>(a), detail::operand_as<T>(b), "inner");
}

/// The sum of conj(a) b over all elements, as if both were vectors.
template <array_like A, array_like B>
auto vdot(const A& a, const B& b) {
  using T = detail::product_type<A, B>;
  if (a.size() != b.size()) {
    detail::throw_product_shapes("vdot", a.shape(), b.shape(), "they have not as many elements");
  }
  if (a.shape() == b.shape()) return detail::vector_product<T>(detail::conjugated(a), b, none);
  return detail::vector_product<T>(detail::conjugated(ravel(a)), ravel(b), none);
}

struct vecdot_options {
  by_name only = by_name();
  int axis = -1;
};

/// vecdot with {.keepdims = true}, which is stored at once.
struct vecdot_keepdims_options {
  by_name only = by_name();
  int axis = -1;
  named_flag keepdims;
};

/// The sum of conj(a) b along one axis, for stacks of vectors.
template <array_like A, array_like B>
auto vecdot(const A& a, const B& b, const vecdot_options& options = {}) {
  using T = detail::product_type<A, B>;
  const auto length = [&](const auto& x) {
    return x.shape()[detail::normalize_axis(options.axis, x.ndim(), "vecdot")];
  };
  if (length(a) != length(b)) {
    detail::throw_product_shapes("vecdot", a.shape(), b.shape(),
                                 std::to_string(length(a)) + " is not " + std::to_string(length(b)));
  }
  // The axis is counted in each array separately; it is moved to the end before they are broadcast.
  const auto axis_last = [&](const auto& x) { return moveaxis(x, options.axis, -1); };
  if (options.axis == -1) return detail::vector_product<T>(detail::conjugated(a), b, -1);
  return detail::vector_product<T>(detail::conjugated(axis_last(a)), axis_last(b), -1);
}

template <array_like A, array_like B>
auto vecdot(const A& a, const B& b, const vecdot_keepdims_options& options) {
  const array sums = vecdot(a, b, vecdot_options{.axis = options.axis});
  return options.keepdims.value ? expand_dims(sums, options.axis) : sums;
}

/// Every element of a times every element of b, as an expression: m -= outer(a, b) stores no product.
template <array_like A, array_like B>
auto outer(const A& a, const B& b) {
  const auto x = ravel(a);
  const auto y = ravel(b);
  return multiply(x.reshape(x.size(), 1), y.reshape(1, y.size()));
}

/// The Kronecker product: a block a[i] b for every element of a.
template <array_like A, array_like B>
auto kron(const A& a, const B& b) {
  const auto x = a.eval();
  const auto y = b.eval();
  const int rank = (std::max)(x.ndim(), y.ndim());
  shape_t x_shape, y_shape, shape;
  for (int d = 0; d < rank; ++d) {
    const int x_axis = d - (rank - x.ndim());
    const int y_axis = d - (rank - y.ndim());
    const index_t x_size = x_axis < 0 ? 1 : x.shape()[x_axis];
    const index_t y_size = y_axis < 0 ? 1 : y.shape()[y_axis];
    for (const index_t size : {x_size, index_t{1}}) x_shape.push_back(size);
    for (const index_t size : {index_t{1}, y_size}) y_shape.push_back(size);
    shape.push_back(x_size * y_size);
  }
  return array(multiply(x.reshape(x_shape), y.reshape(y_shape))).reshape(shape);
}

template <array_like A, scalar_like B>
auto kron(const A& a, const B& b) {
  return array(multiply(a, b));
}
template <scalar_like A, array_like B>
auto kron(const A& a, const B& b) {
  return array(multiply(a, b));
}

/// The axes along which the vectors of a, b and the result lie; `axis` sets all three.
struct cross_options {
  by_name only = by_name();
  int axisa = -1;
  int axisb = -1;
  int axisc = -1;
  std::optional<int> axis = {};
};

namespace detail {

/// Assigns x, y and z to places 0, 1 and 2 of the last axis of `to`. On the CPU they are assigned one after the
/// other, which is fastest there; on a GPU by one kernel, in which each element chooses by its position.
template <class T, array_like X, array_like Y, array_like Z>
void assign_three(const array<T>& to, const X& x, const Y& y, const Z& z) {
  if (to.device().is_cpu()) {
    to(ellipsis, 0).assign(x);
    to(ellipsis, 1).assign(y);
    to(ellipsis, 2).assign(z);
    return;
  }
  const auto is = [](index_t k) { return ufunc<operations::equal_ufunc>()(positions<T>({3}), k); };
  const auto in_place = [](const auto& e) { return e(ellipsis, newaxis); };
  to.assign(where(is(0), in_place(x), where(is(1), in_place(y), in_place(z))));
}

/// A formula of a few arrays as it is; of anything else the array that it becomes.
template <array_like X>
auto formula_or_array(const X& x) {
  if constexpr (is_expression_v<X> && !is_deferred_v<X> && !has_reductions_v<X> && input_count<X> <= 4) {
    return x;
  } else {
    return x.eval();
  }
}

/// Stacks of vectors whose components lie along an axis.
template <class X>
class vectors_along {
 public:
  vectors_along(const X& x, int axis)
      : vectors_(formula_or_array(x)), axis_(normalize_axis(axis, x.ndim(), "cross")), shape_(x.shape()) {
    shape_.erase(axis_);
    shape_.push_back(x.shape()[axis_]);
  }

  /// With the components along the last axis.
  const shape_t& shape() const { return shape_; }
  auto component(index_t k) const {
    std::vector<index_arg> indices(static_cast<std::size_t>(axis_) + 1, index_arg(all));
    indices.back() = k;
    return vectors_.index(indices);
  }
  gnp::device device() const { return vectors_.device(); }

 private:
  decltype(formula_or_array(std::declval<const X&>())) vectors_;
  int axis_;
  shape_t shape_;
};

}  // namespace detail

/// The cross product of vectors with three components, or of stacks of them.
template <array_like A, array_like B>
auto cross(const A& a, const B& b, const cross_options& options = {}) {
  using T = detail::product_type<A, B>;
  const detail::vectors_along<A> x(a, options.axis.value_or(options.axisa));
  const detail::vectors_along<B> y(b, options.axis.value_or(options.axisb));
  if (x.shape().back() != 3 || y.shape().back() != 3) {
    detail::throw_product_shapes("cross", a.shape(), b.shape(), "the vectors must have 3 components");
  }
  const array<T> result(detail::broadcast("cross", x.shape(), y.shape()), x.device(), "cross");
  const auto component = [&x, &y](int k) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    return x.component(next) * y.component(last) - x.component(last) * y.component(next);
  };
  detail::assign_three(result, component(0), component(1), component(2));
  return moveaxis(result, -1, options.axis.value_or(options.axisc));
}

GNP_TAKES_LISTS(matmul)
GNP_TAKES_LISTS(matvec)
GNP_TAKES_LISTS(vecmat)
GNP_TAKES_LISTS(dot)
GNP_TAKES_LISTS(vdot)
GNP_TAKES_LISTS(inner)
GNP_TAKES_LISTS(outer)
GNP_TAKES_LISTS(kron)
GNP_TAKES_LISTS(cross)
GNP_TAKES_TWO_LISTS(dot)
GNP_TAKES_TWO_LISTS(inner)
GNP_TAKES_TWO_LISTS(outer)
GNP_TAKES_TWO_LISTS(kron)
GNP_TAKES_TWO_LISTS(cross)
GNP_TAKES_MATRIX_AND_LIST(matmul)
GNP_TAKES_MATRIX_AND_LIST(dot)
GNP_TAKES_TWO_ARRAYS(dot)
GNP_TAKES_TWO_ARRAYS(vdot)
GNP_TAKES_TWO_ARRAYS(inner)
GNP_TAKES_TWO_ARRAYS(outer)
GNP_TAKES_TWO_ARRAYS(kron)
GNP_REFUSES_VECTORS(dot)
GNP_REFUSES_VECTORS(vdot)
GNP_REFUSES_VECTORS(inner)
GNP_REFUSES_VECTORS(outer)
GNP_REFUSES_ALL_VECTORS(vecdot)
GNP_REFUSES_VECTORS(kron)
GNP_REFUSES_VECTORS(cross)

template <class Derived>
template <class X>
  requires(array_like<X> || scalar_like<X> || detail::is_host_vector_v<X>)
auto detail::array_members<Derived>::dot(const X& x) const {
  return gnp::dot(derived(), x);
}

#define GNP_DOT_OF_LIST(parameter, list_type)                         \
  template <class Derived>                                            \
  template <parameter>                                                \
  auto detail::array_members<Derived>::dot(list_type numbers) const { \
    return gnp::dot(derived(), numbers);                              \
  }
GNP_DOT_OF_LIST(scalar_like Number, std::initializer_list<Number>)
GNP_DOT_OF_LIST(class Nothing, std::initializer_list<double>)
GNP_DOT_OF_LIST(scalar_like Number, std::initializer_list<std::initializer_list<Number>>)
GNP_DOT_OF_LIST(class Nothing, std::initializer_list<std::initializer_list<double>>)
#undef GNP_DOT_OF_LIST

}}  // namespace gnp::GNP_ABI
