// SPDX-License-Identifier: MIT
// From a typed expression with reductions in it to a statement.
#pragma once

#include <gnp/exec/reduce/reduce.hpp>
#include <gnp/exec/statement/statement.hpp>
#include <gnp/exec/text/node_source.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/text/loop_source.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class X>
inline constexpr const reduction_code& reduction_code_for =
    reduction_code_of<typename X::reducer, resolved_t<typename X::operand_type>, typename X::computed_type,
                      typename X::value_type>;

// In the text, a reduction is a variable whose value another part of the kernel computes.
template <class Reducer, class A, class R, class X>
inline constexpr int input_count<reduced<Reducer, A, R, X>> = input_count<X>;
template <class Reducer, class A, class R, class X>
inline constexpr int constant_count<reduced<Reducer, A, R, X>> = constant_count<X>;

GNP_DECLARED std::string write_reduction(source_writer& writer, const node_source& node);

template <class Reducer, class A, class R, class X>
inline constexpr node_source source_of<reduced<Reducer, A, R, X>>{
    write_reduction, dtype_of<R>,      {}, nullptr,
    false,           sources_of<X>,    1,  &reduction_code_for<reduced<Reducer, A, R, X>>,
    input_count<X>,  constant_count<X>};

/// The whole statement as one text, reductions and all.
template <class X>
inline constexpr program text_of{input_count<X>,
                                 constant_count<X>,
                                 dtype_of<typename X::value_type>,
                                 input_types<X>.data(),
                                 nullptr,
                                 &source_of<X>,
                                 kernels_for<X>,
                                 false};

/// Notes that a part of the text with all reductions in it has run. Kernels are kept by the places of their
/// reductions in the text, which are the same whether or not an earlier reduction has an initial value.
GNP_INLINE void pass_over_reductions(statement& s, const node_source& part) {
  for (int i = 0; i < part.operand_count; ++i) pass_over_reductions(s, *part.operands[i]);
  if (part.reducer != nullptr) s.reductions.push_back(-1);
}

/// Walks over what a step computes. A reduction on the way becomes a step of its own, before this one.
struct step_writer {
  statement& whole;
  statement_step& step;
  int loop = -1;  // the reduction that this is part of

  template <class X>
  void operator()(const X& x) {
    if constexpr (is_reduced_v<X>) {
      reduction_input(x);
    } else if constexpr (is_expression_v<X>) {
      x.for_each_operand(*this);
    } else if constexpr (is_constant_v<X>) {
      number_slot slots[static_cast<std::size_t>(constant_count<X>) + 1] = {};
      x.copy_to(slots[0].bytes);
      step.numbers.insert(step.numbers.end(), slots, slots + constant_count<X>);
      whole.numbers.insert(whole.numbers.end(), slots, slots + constant_count<X>);
    } else {
      step.inputs.push_back({view_of(x)});
      read(view_of(x));
    }
  }

 private:
  void read(const leaf_view& leaf) {
    whole.loop_of_leaf.push_back({-1, loop, whole.next_in_order(), whole.numbers.size()});
    whole.leaves.push_back(leaf);
    whole.read_by_last.push_back(step.reducer == nullptr);
  }
  template <class X>
  void reduction_input(const X& x);
};

/// What a step computes once the reductions within it have run.
template <class X>
const program& program_of_step() {
  using elements = resolved_t<X>;
  static_assert(input_count<elements> <= most_operands - 1,
                "gnp: an expression of more than 64 arrays: compute a part of it first with .eval()");
  return program_of<elements>;
}

/// Adds the step of a reduction, after those that it needs, and returns its number.
template <class X>
int add_reduction(statement& whole, const X& x, int parent = -1) {
  const int loop = static_cast<int>(whole.loops.size());
  whole.loops.push_back({-1, parent, whole.next_in_order(), whole.numbers.size()});
  statement_step step;
  step.values = &program_of_step<typename X::operand_type>();
  step.reducer = &reduction_code_for<X>;
  step.options = x.options();
  step.shape = x.operand().shape();
  step.result = reduced_shape(step.shape, step.options.axes, step.options.keepdims);
  step.text = &text_of<X>;
  step.leaves_within.begin = whole.leaves.size();
  step.numbers_within.begin = whole.numbers.size();
  step.reductions_within.begin = whole.reductions.size();
  step_writer{whole, step, loop}(x.operand());
  step.leaves_within.end = whole.leaves.size();
  step.numbers_within.end = whole.numbers.size();
  step.reductions_within.end = whole.reductions.size() + 1;
  step.loops_within = {static_cast<std::size_t>(loop), whole.loops.size()};
  const int number = whole.add(std::move(step));
  whole.reductions.push_back(number);
  whole.loops[static_cast<std::size_t>(loop)].step = number;
  whole.loops[static_cast<std::size_t>(loop)].result = &x.shape();
  return number;
}

template <class X>
void step_writer::reduction_input(const X& x) {
  if (x.options().initial.given()) {
    const leaf_view ready = whole.keep(x.compute());
    pass_over_reductions(whole, source_of<X>);
    step.inputs.push_back({ready});
    read(ready);
  } else {
    const int number = add_reduction(whole, x, loop);
    const shape_t& strides = whole.strides.emplace_front(contiguous_strides(x.shape()));
    step.inputs.push_back({{nullptr, nullptr, sizeof(typename X::value_type), &x.shape(), &strides}, number});
  }
}

template <class X>
statement statement_of(const X& x) {
  statement whole;
  if constexpr (is_reduced_v<X>) {
    add_reduction(whole, x);
  } else {
    statement_step step;
    step.values = &program_of_step<X>();
    step.shape = step.result = x.shape();
    step_writer{whole, step}(x);
    whole.steps.push_back(std::move(step));
  }
  return whole;
}

}}}  // namespace gnp::GNP_ABI::detail
