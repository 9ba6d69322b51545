// SPDX-License-Identifier: MIT
// rolled<E>: an array or expression whose arrays are rolled, each by its own shifts, and which has not been
// computed yet. So a stencil that wraps around, roll(u, 1, 0) + roll(u, -1, 0) - 2 * u, is one pass over u.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/exec/elementwise/rolled_job.hpp>
#include <gnp/expr/ufunc.hpp>
#include <utility>
#include <vector>
#ifdef GNP_READS_BODIES
#include <gnp/exec/elementwise/run_rolled.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {

template <class E>
class rolled;

namespace detail {

template <class E>
inline constexpr bool is_rolled_v<rolled<E>> = true;
template <class E>
inline constexpr bool is_deferred_v<rolled<E>> = true;

/// For each array of an expression, in the order of job_inputs: by how many elements it is rolled along each of
/// its axes, at least 0 and less than the axis's length; a shape of rank 0 if it is not rolled.
using leaf_shifts = std::vector<shape_t>;

/// For each array of an expression, the code that copies it; nothing for positions and tables, which are
/// never rolled.
template <class E>
constexpr auto copies_of() {
  std::array<const expression_code*, static_cast<std::size_t>(input_count<E>) + 1> copies{};
  if constexpr (is_expression_v<E>) {
    []<class Op, class... Operands>(const expression<Op, Operands...>*, auto& list) {
      std::size_t next = 0;
      const auto append = [&list, &next](const auto& part, int count) {
        for (int i = 0; i < count; ++i) list[next++] = part[static_cast<std::size_t>(i)];
      };
      (append(copies_of<Operands>(), input_count<Operands>), ...);
    }(static_cast<const E*>(nullptr), copies);
  } else if constexpr (is_array_v<E>) {
    copies[0] = &code_of<E>;
  }
  return copies;
}
template <class E>
inline constexpr auto copies_for = copies_of<E>();

/// Runs a job into memory that does not overlap its inputs.
GNP_DECLARED void run_rolled(const rolled_job& r, const leaf_view& destination);
/// Runs a job into memory that may overlap its inputs. If it does, the result is computed in other memory and
/// then copied.
GNP_DECLARED void run_rolled_into(const rolled_job& r, const expression_code& copy,
                                  const leaf_view& destination);
/// The number of boxes in which a job is computed; 0 if its inputs are first rolled into memory.
GNP_DECLARED index_t boxes_of_rolled(const rolled_job& r, const shape_t& shape, device where);

/// What a rolled expression passes to its job.
template <class E>
class rolled_inputs {
 public:
  explicit rolled_inputs(const rolled<E>& x) : inputs_(x.formula()), shifts_(x.shifts().data()) {}

  const job_inputs<E>& leaves() const { return inputs_; }
  rolled_job job() {
    return {&code_of<E>, copies_for<E>.data(), inputs_.leaves(),
            shifts_,     inputs_.constants(),  inputs_.operands()};
  }

 private:
  job_inputs<E> inputs_;
  const shape_t* shifts_;
};

}  // namespace detail

/// The result of roll(x, 1), and of ufuncs applied to it. It is computed when it is assigned; any other use
/// converts it to an array.
template <class E>
class rolled : public detail::array_members<rolled<E>>,
               public detail::one_element<rolled<E>, typename E::value_type> {
 public:
  using value_type = typename E::value_type;
  using detail::array_members<rolled>::shape;

  rolled(E formula, detail::leaf_shifts shifts) : formula_(std::move(formula)), shifts_(std::move(shifts)) {}

  const shape_t& shape() const { return formula_.shape(); }
  gnp::device device() const { return formula_.device(); }

  /// The expression as if nothing were rolled.
  const E& formula() const& { return formula_; }
  E&& formula() && { return std::move(formula_); }
  const detail::leaf_shifts& shifts() const { return shifts_; }
  /// Is this an array that is rolled as if it were flattened? Then it has a single shift, not one for each of
  /// its axes.
  bool is_flattened() const {
    return detail::is_array_v<E> && !shifts_.empty() && shifts_[0].rank() == 1 && formula_.shape().rank() != 1;
  }
  rolled as_one_row() const
    requires detail::is_array_v<E>
  {
    return {formula_.ravel(), shifts_};
  }

  array<value_type> compute() const {
    if constexpr (detail::is_array_v<E>) {
      if (is_flattened()) return as_one_row().compute().reshape(shape());
    }
    detail::rolled_inputs<E> inputs(*this);
    const auto& leaves = inputs.leaves();
    const gnp::device where = leaves.where(name()).value_or(default_device());
    const array<value_type> result(shape(), detail::dense_strides(leaves.leaves(), leaves.count, shape()),
                                   where, name());
    detail::run_rolled(inputs.job(), detail::view_of(result));
    return result;
  }

  void compute_into(const array<value_type>& destination, const char* function) const {
    if (is_flattened() || destination.shape() != shape() || destination.device() != device())
      return detail::assign(destination, compute(), function);
    detail::rolled_inputs<E> inputs(*this);
    detail::run_rolled_into(inputs.job(), detail::code_of<array<value_type>>, detail::view_of(destination));
  }

 private:
  static constexpr const char* name() { return detail::is_array_v<E> ? "roll" : detail::function_name<E>(); }

  E formula_;
  detail::leaf_shifts shifts_;
};

namespace detail {

/// The type of an operand within the expression of a rolled: for a rolled operand, its expression; for an
/// operand that must run first, the array that it becomes. Rolled formulas run first, too, where all together
/// would read more arrays than one formula can.
template <class X, bool Joined = true>
struct formula_operand {
  using type = X;
};
template <class X, bool Joined>
  requires runs_first_v<X>
struct formula_operand<X, Joined> {
  using type = array<typename X::value_type>;
};
template <class E, bool Joined>
struct formula_operand<rolled<E>, Joined> {
  using type = std::conditional_t<Joined, E, array<typename E::value_type>>;
};
template <class X, bool Joined = true>
using formula_operand_t = typename formula_operand<X, Joined>::type;

template <class X>
constexpr int arrays_of_operand() {
  if constexpr (scalar_like<X>) {
    return 0;
  } else {
    return input_count<formula_operand_t<X>>;
  }
}
template <class... Operands>
inline constexpr bool join_one_formula = (arrays_of_operand<Operands>() + ...) <= most_operands - 1;

template <bool Joined, class X>
decltype(auto) formula_of(X&& operand) {
  using plain = std::remove_cvref_t<X>;
  if constexpr (is_rolled_v<plain> && is_array_v<formula_operand_t<plain, Joined>>) {
    if constexpr (is_array_v<formula_operand_t<plain>>) {
      return operand.is_flattened() || !Joined ? operand.compute() : operand.formula();
    } else {
      return operand.compute();
    }
  } else if constexpr (is_rolled_v<plain>) {
    return std::forward<X>(operand).formula();
  } else if constexpr (runs_first_v<plain>) {
    return operand.eval();
  } else {
    return std::forward<X>(operand);
  }
}

template <bool Joined, class X>
void append_shifts(leaf_shifts& shifts, const X& operand) {
  if constexpr (is_rolled_v<X>) {
    if (operand.is_flattened() || !Joined) {
      shifts.emplace_back();  // it is computed first
    } else {
      shifts.insert(shifts.end(), operand.shifts().begin(), operand.shifts().end());
    }
  } else if constexpr (!scalar_like<X>) {
    shifts.resize(shifts.size() + static_cast<std::size_t>(input_count<formula_operand_t<X>>));
  }
}

/// A ufunc with a rolled operand becomes a rolled of all operands' expressions.
template <class Op, class... Operands>
  requires(!(is_spread_v<Operands> || ...))
struct own_application<Op, Operands...> {
  static constexpr bool joined = join_one_formula<Operands...>;
  using formula = application_t<Op, formula_operand_t<Operands, joined>...>;
  static constexpr bool is_taken = takes_operands<Op, formula_operand_t<Operands, joined>...>;
  using type = std::conditional_t<is_taken, rolled<formula>, formula>;

  template <class... X>
  static type of(X&&... operands) {
    if constexpr (is_taken) {
      leaf_shifts shifts;
      shifts.reserve(static_cast<std::size_t>(input_count<formula>));
      (append_shifts<joined>(shifts, operands), ...);
      return type(detail::apply<Op>(formula_of<joined>(std::forward<X>(operands))...), std::move(shifts));
    } else {
      return detail::apply<Op>(formula_of<joined>(std::forward<X>(operands))...);
    }
  }
};

}  // namespace detail
}}  // namespace gnp::GNP_ABI
