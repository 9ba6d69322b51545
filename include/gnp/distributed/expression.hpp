// SPDX-License-Identifier: MIT
// Elementwise expressions of distributed arrays. Like gnp's, they are computed when they are stored. Each
// process computes what it stores, as one expression of the elements that it has.
#pragma once

#include <gnp/distributed/fetch.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/operators.hpp>
#include <tuple>
#include <utility>

namespace gnp { inline namespace GNP_ABI {
namespace distributed {

namespace detail {

/// What an expression stores of an operand. An ordinary operand of gnp is computed as a whole in every process.
template <class X>
struct kept_operand {
  using type = gnp::array<typename X::value_type>;
};
template <scalar_like X>
struct kept_operand<X> {
  using type = X;
};
template <class X>
  requires gnp::detail::is_spread_v<X>
struct kept_operand<X> {
  using type = X;
};
template <class X>
using kept_operand_t = typename kept_operand<std::remove_cvref_t<X>>::type;

/// What takes the place of an operand in the expression of one process.
template <class X>
struct local_operand {
  using type = X;
};
template <element T>
struct local_operand<array<T>> {
  using type = gnp::array<T>;
};
template <class Op, class... X>
struct local_operand<expression<Op, X...>> {
  using type = gnp::detail::application_t<Op, typename local_operand<X>::type...>;
};

// brought() brings an operand to this process; at() then gives its part for one box of the result.

template <scalar_like X>
X brought(X number, const boxes_of_all&, exchange_of_statement&) {
  return number;
}
template <element T>
fetched<T> brought(const gnp::array<T>& same, const boxes_of_all&, exchange_of_statement&) {
  return fetched<T>(same);
}
template <element T>
fetched<T> brought(const array<T>& x, const boxes_of_all& results, exchange_of_statement& exchange) {
  return fetch(x, results, exchange);
}
template <class Op, class... X>
auto brought(const expression<Op, X...>& x, const boxes_of_all& results, exchange_of_statement& exchange);

template <class Op, class... Brought>
struct brought_expression {
  std::tuple<Brought...> operands;
};
template <class Op, class... X>
auto brought(const expression<Op, X...>& x, const boxes_of_all& results, exchange_of_statement& exchange) {
  return std::apply(
      [&](const auto&... operand) {
        using result = brought_expression<Op, decltype(brought(operand, results, exchange))...>;
        return result{{brought(operand, results, exchange)...}};
      },
      x.operands());
}

template <scalar_like X>
X at(X number, const box&) {
  return number;
}
template <element T>
gnp::array<T> at(const fetched<T>& x, const box& of_result) {
  return x.at(of_result);
}
template <class Op, class... Brought>
auto at(const brought_expression<Op, Brought...>& x, const box& of_result) {
  return std::apply([&](const auto&... operand) { return gnp::detail::apply<Op>(at(operand, of_result)...); },
                    x.operands);
}

/// Calls f for each array or fetched array in an expression, also for those of gnp.
template <scalar_like X, class F>
void for_each_leaf(X, const F&) {}
template <element T, class F>
void for_each_leaf(const gnp::array<T>& x, const F& f) {
  f(x);
}
template <element T, class F>
void for_each_leaf(const array<T>& x, const F& f) {
  f(x);
}
template <element T, class F>
void for_each_leaf(const fetched<T>& x, const F& f) {
  f(x);
}
template <class Op, class... X, class F>
void for_each_leaf(const brought_expression<Op, X...>& x, const F& f) {
  std::apply([&](const auto&... operand) { (for_each_leaf(operand, f), ...); }, x.operands);
}
template <class Op, class... X, class F>
void for_each_leaf(const expression<Op, X...>& x, const F& f) {
  std::apply([&](const auto&... operand) { (for_each_leaf(operand, f), ...); }, x.operands());
}

/// Where the result of an expression is stored: in the sharing of its first array that has the whole shape, or
/// else of its first array, whose axes count from the end.
struct home {
  std::optional<group> among;
  gnp::device device = gnp::device::cpu();
  layout how;
  bool is_exact = false;
};

}  // namespace detail

/// An expression such as sin(x) * y + 1. Its operands may be shared out in different ways, and may include
/// numbers and arrays of gnp, which are the same in every process.
template <class Op, class... Operands>
class expression : public detail::spread_members<expression<Op, Operands...>> {
 public:
  using detail::spread_members<expression>::shape;
  using local_type = gnp::detail::application_t<Op, typename detail::local_operand<Operands>::type...>;
  using value_type = typename local_type::value_type;

  template <class... X>
  explicit expression(std::in_place_t, const X&... operands)
      : shape_(gnp::detail::common_shape(Op::name, {gnp::detail::shape_of_operand(operands)...})),
        operands_(kept<Operands>(operands)...) {
    detail::for_each_leaf(*this, [this](const auto& x) { this->join(x); });
  }

  const shape_t& shape() const { return shape_; }
  const group& among() const { return *home_.among; }
  gnp::device device() const { return home_.device; }
  layout natural_layout() const { return home_.how; }
  const std::tuple<Operands...>& operands() const { return operands_; }

  array<value_type> eval() const { return stored<value_type>(); }
  /// The result in a new array.
  template <element U>
  array<U> stored() const {
    array<U> result(detail::sharing(among(), shape_, home_.how, Op::name), device(), Op::name);
    result.assign(*this);
    return result;
  }
  /// A view of the result.
  template <class... Index>
    requires(std::convertible_to<Index, index_arg> && ...)
  auto operator()(Index... indices) const {
    return eval()(indices...);
  }
  operator value_type() const { return this->item(); }

 private:
  template <class Kept, class X>
  static Kept kept(const X& operand) {
    if constexpr (array_like<X>) {
      return operand.eval();
    } else {
      return operand;
    }
  }
  template <element T>
  void join(const gnp::array<T>&) {}
  template <element T>
  void join(const array<T>& x) {
    if (home_.among && !(*home_.among == x.among()))
      throw distributed_error(std::string(Op::name) + ": arrays of two groups of processes");
    // Everything that the operands fetch is moved in one exchange, on one device.
    if (home_.among) gnp::detail::require_same_device(Op::name, home_.device, x.device());
    if (home_.among && home_.is_exact) return;
    const bool is_exact = x.shape() == shape_;
    if (home_.among && !is_exact) return;
    layout how = x.natural_layout();
    for (int* axis : {&how.cut_by_rows, &how.cut_by_columns}) {
      if (*axis != uncut) *axis += shape_.rank() - x.ndim();
    }
    home_ = {x.among(), x.device(), how, is_exact};
  }

  shape_t shape_;
  std::tuple<Operands...> operands_;
  detail::home home_;
};

template <class Derived>
auto detail::spread_members<Derived>::gathered() const {
  return derived().eval().in_layout(everywhere()).local();
}
template <class Derived>
template <element U>
auto detail::spread_members<Derived>::astype() const {
  return gnp::detail::apply<operations::astype_ufunc<U>>(derived());
}

}  // namespace distributed

namespace detail {

template <class Op, class... Operands>
inline constexpr bool is_spread_v<distributed::expression<Op, Operands...>> = true;

template <class Op, class... Operands>
  requires(is_spread_v<Operands> || ...)
struct own_application<Op, Operands...> {
  static_assert(sizeof...(Operands) == static_cast<std::size_t>(Op::arity), "gnp: wrong number of arguments");
  using type = distributed::expression<Op, distributed::detail::kept_operand_t<Operands>...>;
  template <class... X>
  static type of(const X&... operands) {
    return type(std::in_place, operands...);
  }
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
