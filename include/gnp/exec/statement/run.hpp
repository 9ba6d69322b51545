// SPDX-License-Identifier: MIT
// Runs a statement with reductions in it.
#pragma once

#include <gnp/exec/statement/statement_of.hpp>
#include <span>
#ifdef GNP_READS_BODIES
#include <gnp/exec/statement/run_steps.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

class step_results;

/// Runs a statement into memory of its result's shape, or of a shape that the result can be broadcast to.
/// `copy` is code that can copy the result there.
GNP_DECLARED void run(const statement& s, const expression_code& text, const leaf_view& destination,
                      const expression_code& copy);

/// Runs a statement as one kernel that also stores the results of some of its reductions, if it is a row
/// program on a GPU. `stored` has a bit for each such step, and `of_steps` its place in memory, row after row.
/// The destination is new memory.
GNP_DECLARED bool run_with_reductions(const statement& s, const expression_code& text,
                                      const leaf_view& destination, std::uint8_t stored,
                                      const leaf_view* of_steps);

/// Runs reduction `i` of a statement into new memory, together with reductions of the same elements, or of its
/// result.
GNP_DECLARED void run_into_results(const statement& s, std::size_t i, const expression_code& text,
                                   step_results& results, device where);

/// Stores formulas in the kernel of a statement's first reductions, if these go through the same elements, all
/// of them for one result, and if whole vectors can be read and written. Otherwise nothing runs, and it is
/// false.
GNP_DECLARED bool run_beside_formulas(const statement& s, const expression_code& text, step_results& results,
                                      device where, std::span<const formula_to_store> formulas);
/// Computes a formula from the results of a statement's reductions, into new memory.
GNP_DECLARED void run_after_reductions(const statement_step& formula, const step_results& results,
                                       const leaf_view& to);

/// The strides of a result in new memory: row-major, unless everything that the last step reads has another
/// layout.
GNP_DECLARED shape_t strides_of_result(const statement& s);

/// The name that error messages give a statement.
template <class X>
const char* name_of(const X& x) {
  if constexpr (is_reduced_v<X>) {
    return x.options().function;
  } else {
    return function_name<X>();
  }
}

/// Runs a statement with results of this shape into new memory.
template <class R>
array<R> run_into_new(const statement& s, const expression_code& text, const shape_t& shape, const char* name) {
  const array<R> result(shape, strides_of_result(s), s.where(name).value_or(default_device()), name);
  if (result.size() > 0) run(s, text, view_of(result), code_of<array<R>>);
  return result;
}

template <class X>
array<typename X::value_type> evaluate_statement(const X& x) {
  return run_into_new<typename X::value_type>(statement_of(x), text_of<X>, x.shape(), name_of(x));
}

template <class X, class T>
void run_statement(const X& source, const array<T>& destination, const char* function) {
  if (!broadcasts_to(source.shape(), destination.shape())) {
    if (source.shape().rank() > destination.ndim() && source.shape()[0] == 1)
      return assign(destination, evaluate(source), function);
    throw_no_broadcast(source.shape(), destination.shape(), function);
  }
  if constexpr (is_reduced_v<X>) {
    if (source.options().initial.given() || !source.in_own_shape())
      return assign(destination, source.compute(), function);
  }
  const statement s = statement_of(source);
  require_device(destination.device(), s.where(name_of(source)), function);
  if (destination.size() > 0) run(s, text_of<X>, view_of(destination), code_of<array<T>>);
}

template <class R>
R initial_value(const reduction_options& o) {
  return o.initial.visit([&o](auto value) {
    if constexpr (is_complex(dtype_of<decltype(value)>) && !is_complex(dtype_of<R>)) {
      throw dtype_error(std::string(o.function) + ": a complex initial does not fit " + name(dtype_of<R>));
      return R();
    } else {
      return scalar::cast<R>(value);
    }
  });
}

/// A result of a reduction with one more element, if there is one, and in another shape, if this is another.
template <class Reducer, class R>
array<R> completed_result(array<R> result, const reduction_options& o, const shape_t& shape) {
  if constexpr (takes_one_more<Reducer>) {
    if (o.initial.given()) result = apply<one_more<Reducer>>(result, initial_value<R>(o));
  }
  return result.shape() == shape ? result : result.reshape(shape);
}

#if GNP_HAS_CUDA
/// Does a reduction of these inputs, with elements of this shape, run as a statement?
GNP_DECLARED bool runs_as_statement(const shape_t& shape, const axis_set& axes, index_t results, device where,
                                    const leaf_view* inputs, int count);
#endif

template <class X>
array<typename X::value_type> computed_reduction(const X& x) {
  using R = typename X::value_type;
  using operand = typename X::operand_type;
  const reduction_options& o = x.options();
  if (x.operand().ndim() != o.rank) return {};  // moved from
  constexpr bool may_have_one_more = takes_one_more<typename X::reducer>;
  if (!x.in_own_shape() || (may_have_one_more && o.initial.given())) {
    if (!x.in_own_shape() && x.size() == 0) return array<R>(x.shape(), x.device(), o.function);
    reduction_options plain = o;
    if (may_have_one_more) plain.initial = {};
    return completed_result<typename X::reducer, R>(X(x.operand(), plain).compute(), o, x.shape());
  }
  if constexpr (has_reductions_v<operand>) {
    return evaluate_statement(x);
  } else {
    const shape_t& shape = x.operand().shape();
    job_inputs<operand> inputs(x.operand());
#if GNP_HAS_CUDA
    if (runs_as_statement(shape, o.axes, x.size(), x.device(), inputs.leaves(), inputs.count))
      return evaluate_statement(x);
#endif
    return reduce_into_new<R>(reduction_code_of<typename X::reducer, operand, typename X::computed_type, R>,
                              shape, o, inputs.leaves(), inputs.count, inputs.constants(), inputs.operands());
  }
}

}}}  // namespace gnp::GNP_ABI::detail
