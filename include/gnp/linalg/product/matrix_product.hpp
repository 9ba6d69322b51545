// SPDX-License-Identifier: MIT
// matrix_product<T>: alpha a b (+ beta c), which has not been computed yet, so that an assignment computes it
// in place: c(gnp::ellipsis) = 2 * matmul(a, b) + c is one call of the library.
#pragma once

#include <gnp/expr/operators.hpp>
#include <gnp/linalg/product/multiply.hpp>

namespace gnp { inline namespace GNP_ABI {

template <element T, bool HasAddend = false>
class matrix_product;

namespace detail {

template <class T, bool HasAddend>
inline constexpr bool is_deferred_v<matrix_product<T, HasAddend>> = true;

/// The factors of a product as stacks of matrices, and the result's shape. A vector is a matrix of one row or
/// column; that axis is not in the result's shape.
template <element T>
struct factors {
  array<T> a;
  array<T> b;
  shape_t stack;  // of the result as matrices
  bool from_row = false;
  bool from_column = false;
  const char* function;

  /// The result's shape, without the axes that were added to vectors. as_matrices() adds them to such an array.
  shape_t shape() const {
    shape_t result = stack;
    if (from_column) result.pop_back();
    if (from_row) result.erase(stack.rank() - 2);
    return result;
  }
  array<T> as_matrices(const array<T>& c) const {
    view_layout layout{0, stack, c.element_strides()};
    if (from_row) layout.strides.insert(stack.rank() - 2, 0);
    if (from_column) layout.strides.push_back(0);
    return c.view(layout);
  }
};

/// An array added to a product, times a number.
template <element T>
struct addend {
  array<T> c;
  gemm_scalar<T> beta;
};

}  // namespace detail

/// alpha a b, or alpha a b + beta c. An assignment computes it in place; any other use converts it to an array.
template <element T, bool HasAddend>
class matrix_product : public detail::array_members<matrix_product<T, HasAddend>>,
                       public detail::one_element<matrix_product<T, HasAddend>, T> {
 public:
  using value_type = T;
  using detail::array_members<matrix_product>::shape;
  using factor = detail::gemm_scalar<T>;
  struct no_addend {};
  using addend_type = std::conditional_t<HasAddend, detail::addend<T>, no_addend>;

  explicit matrix_product(detail::factors<T> factors, factor alpha = factor(1), addend_type added = {})
      : factors_(std::move(factors)), alpha_(alpha), added_(std::move(added)), shape_(factors_.shape()) {
    if constexpr (HasAddend) shape_ = detail::broadcast("add", shape_, added_.c.shape());
  }

  const shape_t& shape() const { return shape_; }
  gnp::device device() const { return factors_.a.device(); }

  /// The same product with other alpha and beta, for the operators.
  matrix_product scaled(factor alpha) const
    requires(!HasAddend)
  {
    return matrix_product(factors_, alpha_ * alpha);
  }
  matrix_product<T, true> plus(detail::addend<T> added) const
    requires(!HasAddend)
  {
    return matrix_product<T, true>(factors_, alpha_, std::move(added));
  }

  array<T> compute() const {
    if (factors_.a.ndim() < 2) return {};  // moved from
    if constexpr (HasAddend) {
      if (alpha_ == factor(0) || !(shape_ == factors_.shape())) return elementwise();
    } else if (alpha_ == factor(0)) {
      return elementwise();
    }
    const array<T> result(shape_, device(), factors_.function);
    run(result);
    return result;
  }

  void compute_into(const array<T>& destination, const char* function) const {
    const bool in_place = alpha_ != factor(0) && destination.shape() == shape_ && shape_ == factors_.shape() &&
                          destination.device() == device() && !detail::may_overlap(destination, factors_.a) &&
                          !detail::may_overlap(destination, factors_.b);
    if (!in_place) return detail::assign(destination, compute(), function);
    run(destination);
  }

 private:
  /// Computes into an array of the product's own shape that overlaps neither factor.
  void run(const array<T>& destination) const {
    factor beta(0);
    if constexpr (HasAddend) {
      const auto& [c, number] = added_;
      const bool there = c.data() == destination.data() && c.shape() == destination.shape() &&
                         c.element_strides() == destination.element_strides();
      beta = number;
      if (number == factor(0)) {  // c may contain NaN, but libraries do not read c if beta is 0
        detail::assign(destination, c * scalar::cast<T>(number), factors_.function);
        beta = factor(1);
      } else if (!there) {
        detail::assign(destination, c, factors_.function);
      }
    }
    const auto& [a, b, stack, from_row, from_column, function] = factors_;
    if (from_row || from_column) {
      return detail::multiply_into(factors_.as_matrices(destination), a, b, alpha_, beta, function);
    }
    detail::multiply_into(destination, a, b, alpha_, beta, function);
  }

  /// Applies the operators one after the other, if the result is broadcast, or if alpha is 0 (because 0 times
  /// NaN is NaN).
  array<T> elementwise() const {
    const array<T> product = matrix_product<T>(factors_).compute();
    if constexpr (HasAddend) {
      return product * scalar::cast<T>(alpha_) + added_.c * scalar::cast<T>(added_.beta);
    } else {
      return product * scalar::cast<T>(alpha_);
    }
  }

  detail::factors<T> factors_;
  factor alpha_;
  [[no_unique_address]] addend_type added_;
  detail::moving_shape shape_;
};

namespace detail {

/// Numbers that do not change the product's type.
template <class S, class T>
concept product_factor =
    scalar_like<S> && is_gemm_type_v<T> && promote_weak(dtype_of<T>, dtype_of<S>) == dtype_of<T>;

template <class T, scalar_like S>
gemm_scalar<T> product_factor_of(S value) {
  return static_cast<gemm_scalar<T>>(make_constant<T>(value, "multiply").value);
}

/// What may be added to a product of T's in the same call: an array of T's, or one times a number.
template <class T>
addend<T> addend_of(const array<T>& c) {
  return {c, gemm_scalar<T>(1)};
}
template <class T, dtype D>
addend<T> addend_of(const expression<operations::multiply_ufunc, constant<T, D>, array<T>>& x) {
  return {item_of<1>(x.operands()), static_cast<gemm_scalar<T>>(item_of<0>(x.operands()).value)};
}
template <class T, dtype D>
addend<T> addend_of(const expression<operations::multiply_ufunc, array<T>, constant<T, D>>& x) {
  return {item_of<0>(x.operands()), static_cast<gemm_scalar<T>>(item_of<1>(x.operands()).value)};
}
template <class X, class T>
concept product_addend = is_gemm_type_v<T> && requires(const X& x) {
  { addend_of(x) } -> std::same_as<addend<T>>;
};

template <class T>
addend<T> negated(addend<T> added) {
  added.beta = -added.beta;
  return added;
}

}  // namespace detail

// clang-format off
template <element T, detail::product_factor<T> S>
auto operator*(S scale, matrix_product<T> product) { return product.scaled(detail::product_factor_of<T>(scale)); }
template <element T, detail::product_factor<T> S>
auto operator*(matrix_product<T> product, S scale) { return product.scaled(detail::product_factor_of<T>(scale)); }
template <element T>
  requires detail::is_gemm_type_v<T>
auto operator-(matrix_product<T> product) { return product.scaled(detail::gemm_scalar<T>(-1)); }

template <element T, class X>
  requires detail::product_addend<std::remove_cvref_t<X>, T>
auto operator+(matrix_product<T> product, X&& x) { return product.plus(detail::addend_of(x)); }
template <element T, class X>
  requires detail::product_addend<std::remove_cvref_t<X>, T>
auto operator+(X&& x, matrix_product<T> product) { return product.plus(detail::addend_of(x)); }
template <element T, class X>
  requires detail::product_addend<std::remove_cvref_t<X>, T>
auto operator-(matrix_product<T> product, X&& x) { return product.plus(detail::negated(detail::addend_of(x))); }
template <element T, class X>
  requires detail::product_addend<std::remove_cvref_t<X>, T>
auto operator-(X&& x, matrix_product<T> product) { return (-product).plus(detail::addend_of(x)); }

template <element T>
  requires detail::is_gemm_type_v<T>
array<T>& operator+=(array<T>& c, matrix_product<T> product) { return c.assign(c + product), c; }
template <element T>
  requires detail::is_gemm_type_v<T>
array<T> operator+=(array<T>&& c, matrix_product<T> product) { return c.assign(c + product), c; }
template <element T>
  requires detail::is_gemm_type_v<T>
array<T>& operator-=(array<T>& c, matrix_product<T> product) { return c.assign(c - product), c; }
template <element T>
  requires detail::is_gemm_type_v<T>
array<T> operator-=(array<T>&& c, matrix_product<T> product) { return c.assign(c - product), c; }
// clang-format on

}}  // namespace gnp::GNP_ABI
