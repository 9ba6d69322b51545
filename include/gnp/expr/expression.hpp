// SPDX-License-Identifier: MIT
// expression<Op, Operands...>: a computation that has not run yet. It holds its arrays by value (a handle
// each), so it may be kept, returned and evaluated later.
#pragma once

#include <cstring>
#include <gnp/array/array.hpp>
#include <gnp/core/pack.hpp>
#include <gnp/expr/signature.hpp>
#include <initializer_list>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

namespace parts {

/// A scalar inside an expression, already converted to the type in which it is computed. Promotion uses its
/// original type.
template <element T, dtype Original = dtype_of<T>>
struct constant {
  using value_type = T;
  T value;
  void copy_to(unsigned char* slot) const { std::memcpy(slot, &value, sizeof value); }
};

/// The position of each element in row-major order; arange, eye and linspace are expressions of it. A view of
/// it starts at `first` and advances by its strides.
struct position {
  using value_type = std::int64_t;
  shape_t extent;
  shape_t strides;
  index_t first = 0;

  explicit position(const shape_t& shape) : position(shape, contiguous_strides(shape), 0) {}
  position(const shape_t& shape, const shape_t& steps, index_t start)
      : extent(shape), strides(steps), first(start) {}
  const shape_t& shape() const { return extent; }
};

}  // namespace parts
using parts::constant;
using parts::position;

template <class X>
inline constexpr bool is_constant_v = false;
template <class T, dtype Original>
inline constexpr bool is_constant_v<constant<T, Original>> = true;
template <class X>
inline constexpr dtype original_type = dtype_of<typename X::value_type>;
template <class T, dtype Original>
inline constexpr dtype original_type<constant<T, Original>> = Original;

/// What promotion needs to know about an operand's type.
template <class X>
constexpr operand_type operand_type_of() {
  if constexpr (scalar_like<X>) {
    return {dtype_of<X>, true};
  } else {
    return {original_type<X>, is_constant_v<X>};
  }
}

GNP_INLINE shape_t broadcast(const char* function, const shape_t& a, const shape_t& b) {
  shape_t result;
  if (!broadcast_shapes(a, b, result)) {
    const shape_t nothing{0};
    throw shape_error(std::string(function) + ": operands could not be broadcast together with shapes " +
                      to_string(a) + " " + to_string(b) +
                      (a == nothing || b == nothing
                           ? ": an array of shape (0,), such as one that nothing was assigned to, is empty"
                           : ""));
  }
  return result;
}

/// A number has none.
template <class X>
const shape_t* shape_of_operand(const X& operand) {
  if constexpr (is_constant_v<X> || scalar_like<X>) {
    return nullptr;
  } else {
    return &operand.shape();
  }
}

/// The shape that these are broadcast to.
GNP_DECLARED shape_t common_shape(const char* function, std::initializer_list<const shape_t*> shapes);

/// Can an expression with this operation be assigned to, like x(index)?
template <class Op>
inline constexpr bool writes_through = false;

template <class Op, class... Operands>
inline constexpr const auto& signature_of = signature_for<Op, operand_type_of<Operands>()...>;

}  // namespace detail

template <class Op, class... Operands>
class expression : public detail::array_members<expression<Op, Operands...>>,
                   public detail::one_element<expression<Op, Operands...>,
                                              type_of<detail::signature_of<Op, Operands...>.result>> {
 public:
  using op = Op;
  static constexpr std::size_t operand_count = sizeof...(Operands);
  static constexpr const auto& signature = detail::signature_of<Op, Operands...>;
  using value_type = type_of<signature.result>;
  using detail::array_members<expression>::shape;

  /// Takes each operand by forwarding reference, so that a temporary is moved only once.
  template <class... X>
  explicit expression(std::in_place_t, X&&... operands)
      : shape_(detail::common_shape(op::name, {detail::shape_of_operand(operands)...})),
        operands_{{std::forward<X>(operands)}...} {}

  expression(const expression&) = default;
  expression(expression&&) noexcept = default;
  ~expression() = default;
  // A temporary cannot be assigned to: (a + b)(0) = c would have no effect.
  expression& operator=(const expression&) & = default;
  expression& operator=(expression&&) & noexcept = default;
  // The exception is x(index) = c, which writes through.
  // clang-format off
  expression& operator=(const expression& source) && requires(detail::writes_through<Op>) {
    detail::write_selected(*this, source, "assignment");
    return *this;
  }
      // clang-format on
      template <class X>
        requires(detail::writes_through<Op> && (array_like<X> || scalar_like<X>))
      expression& operator=(const X& source) && {
    detail::write_selected(*this, source, "assignment");
    return *this;
  }
  /// x({0, 2}) = {5, 6}
  template <element Number>
    requires(detail::writes_through<Op>)
  expression& operator=(std::initializer_list<Number> values) && {
    detail::write_selected(*this, detail::list_on(device(), values), "assignment");
    return *this;
  }
  template <class X>
    requires(!detail::writes_through<Op> && (array_like<X> || scalar_like<X>))
  void operator=(const X&) && {
    detail::refuse_assignment_to_computed<X>();
  }
  template <element Number>
  void operator=(const std::vector<Number>&) && {
    detail::refuse_vector<expression, Number>();
  }
  template <element Number, std::size_t Count>
  void operator=(const std::array<Number, Count>&) && {
    detail::refuse_vector<expression, Number>();
  }

  const shape_t& shape() const { return shape_; }
  /// The device of its arrays; throws if they are on different ones.
  gnp::device device() const;

  const detail::pack<Operands...>& operands() const { return operands_; }
  template <class F>
  void for_each_operand(F& f) const {
    operands_.for_each(f);
  }

 private:
  detail::moving_shape shape_;
  detail::pack<Operands...> operands_;
};

namespace detail {

// Index the operands of an expression of this shape, each as if it were broadcast to that shape.

template <class T>
array<T> indexed_operands(const array<T>& a, const shape_t& shape, const index_arg* indices,
                          std::size_t count) {
  shape_t strides(shape.size(), 0);
  broadcast_strides(a.shape(), a.element_strides(), shape, strides.begin());
  return a.view(index_view(shape, strides, indices, count));
}
template <class T, dtype Original>
constant<T, Original> indexed_operands(const constant<T, Original>& c, const shape_t&, const index_arg*,
                                       std::size_t) {
  return c;
}
GNP_INLINE position indexed_operands(const position& p, const shape_t& shape, const index_arg* indices,
                                     std::size_t count) {
  shape_t strides(shape.size(), 0);
  broadcast_strides(p.extent, p.strides, shape, strides.begin());
  const view_layout view = index_view(shape, strides, indices, count);
  return {view.shape, view.strides, p.first + view.offset};
}
template <class Op, class... Operands>
expression<Op, Operands...> indexed_operands(const expression<Op, Operands...>& x, const shape_t& shape,
                                             const index_arg* indices, std::size_t count) {
  return x.operands().apply([&](const Operands&... operand) {
    return expression<Op, Operands...>(std::in_place, indexed_operands(operand, shape, indices, count)...);
  });
}

}  // namespace detail

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE shape_t common_shape(const char* function, std::initializer_list<const shape_t*> shapes) {
  const shape_t* common = nullptr;
  shape_t merged;
  for (const shape_t* shape : shapes) {
    if (shape == nullptr || (common != nullptr && *common == *shape)) continue;
    if (common != nullptr) {
      merged = broadcast(function, *common, *shape);
      common = &merged;
    } else {
      common = shape;
    }
  }
  return common != nullptr ? *common : shape_t();
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
