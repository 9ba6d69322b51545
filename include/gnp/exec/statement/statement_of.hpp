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
    .write = write_reduction,
    .type = dtype_of<R>,
    .operands = sources_of<X>,
    .operand_count = 1,
    .reducer = &reduction_code_for<reduced<Reducer, A, R, X>>,
    .inputs = input_count<X>,
    .numbers = constant_count<X>,
    .divides = source_of<X>.divides};

/// The whole statement as one text, reductions and all.
template <class X>
inline constexpr expression_code text_of{.inputs = input_count<X>,
                                         .constants = constant_count<X>,
                                         .result = dtype_of<typename X::value_type>,
                                         .input_types = input_types<X>.data(),
                                         .source = &source_of<X>,
                                         .kernels = kernels_for<X>};

/// Notes that a part of the text has already run, with all reductions in it. Kernels are cached by the places
/// of their reductions in the text, which must be the same whether or not an earlier reduction has an initial
/// value.
GNP_INLINE void pass_over_reductions(statement& s, const node_source& part) {
  for (int i = 0; i < part.operand_count; ++i) pass_over_reductions(s, *part.operands[i]);
  if (part.reducer != nullptr) s.reductions.push_back(-1);
}

/// Builds a step of a statement: what it reads and the numbers in it, in the order of the text.
class step_builder {
 public:
  step_builder(statement& whole, statement_step& step, int loop)
      : whole_(whole), step_(step), loop_(loop) {}

  GNP_DECLARED void add_memory(const leaf_view& leaf);
  GNP_DECLARED void add_numbers(const number_slot* slots, int count);
  /// Adds a reduction with a result of this shape, whose step already exists.
  GNP_DECLARED void add_result(int step, const shape_t& shape, int itemsize);

  statement& whole() const { return whole_; }
  int loop() const { return loop_; }

 private:
  statement& whole_;
  statement_step& step_;
  int loop_;  // the reduction that this is part of; none for an elementwise last step
};

/// Walks over what a step computes. A reduction on the way becomes a step of its own, before this one.
struct step_writer {
  step_builder builder;

  template <class X>
  void operator()(const X& x) {
    if constexpr (is_reduced_v<X>) {
      reduction_input(x);
    } else if constexpr (is_expression_v<X>) {
      x.for_each_operand(*this);
    } else if constexpr (is_constant_v<X>) {
      number_slot slots[static_cast<std::size_t>(constant_count<X>) + 1] = {};
      x.copy_to(slots[0].bytes);
      builder.add_numbers(slots, constant_count<X>);
    } else {
      builder.add_memory(view_of(x));
    }
  }

 private:
  template <class X>
  void reduction_input(const X& x);
};

/// What a step computes once the reductions within it have run.
template <class X>
const expression_code& code_of_step() {
  using elements = resolved_t<X>;
  static_assert(input_count<elements> <= most_operands - 1,
                "gnp: an expression of more than 64 arrays: compute a part of it first with .eval()");
  return code_of<elements>;
}

/// Builds the step of a reduction, after the steps that it needs.
class reduction_builder {
 public:
  reduction_builder(statement& whole, const reduction_options& options, const shape_t& elements, int parent)
      : whole_(whole), loop_(static_cast<int>(whole.loops.size())) {
    begin(options, elements, parent);
  }
  step_builder inputs() { return {whole_, step_, loop_}; }
  /// Adds the step to the statement and returns its number. `shape` is the shape in which the result is read.
  GNP_DECLARED int add(const expression_code& values, const reduction_code& reducer,
                       const expression_code& text, const shape_t& shape);

 private:
  GNP_DECLARED void begin(const reduction_options& options, const shape_t& elements, int parent);

  statement& whole_;
  statement_step step_;
  int loop_;
};

/// Adds the step of a reduction, after those that it needs, and returns its number.
template <class X>
int add_reduction(statement& whole, const X& x, int parent = -1) {
  reduction_builder builder(whole, x.options(), x.operand().shape(), parent);
  step_writer{builder.inputs()}(x.operand());
  return builder.add(code_of_step<typename X::operand_type>(), reduction_code_for<X>, text_of<X>, x.shape());
}

template <class X>
void step_writer::reduction_input(const X& x) {
  statement& whole = builder.whole();
  if (x.options().initial.given()) {
    const leaf_view ready = whole.keep(x.compute());
    pass_over_reductions(whole, source_of<X>);
    builder.add_memory(ready);
  } else {
    builder.add_result(add_reduction(whole, x, builder.loop()), x.shape(),
                       static_cast<int>(sizeof(typename X::value_type)));
  }
}

/// Adds the reductions within a formula, and returns the step that computes it from their results.
template <class X>
statement_step last_step_of(statement& whole, const X& x) {
  statement_step step;
  step.values = &code_of_step<X>();
  step.shape = step.result = x.shape();
  step_writer{step_builder(whole, step, -1)}(x);
  return step;
}

template <class X>
statement statement_of(const X& x) {
  statement whole;
  if constexpr (is_reduced_v<X>) {
    add_reduction(whole, x);
  } else {
    whole.steps.push_back(last_step_of(whole, x));
  }
  return whole;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void step_builder::add_memory(const leaf_view& leaf) {
  step_.inputs.push_back({leaf});
  whole_.loop_of_leaf.push_back({-1, loop_, whole_.next_in_order(), whole_.numbers.size()});
  whole_.leaves.push_back(leaf);
  whole_.read_by_last.push_back(loop_ < 0);
}

GNP_INLINE void step_builder::add_numbers(const number_slot* slots, int count) {
  step_.numbers.insert(step_.numbers.end(), slots, slots + count);
  whole_.numbers.insert(whole_.numbers.end(), slots, slots + count);
}

GNP_INLINE void step_builder::add_result(int step, const shape_t& shape, int itemsize) {
  const shape_t& strides = whole_.strides.emplace_front(contiguous_strides(shape));
  step_.inputs.push_back({{nullptr, nullptr, itemsize, &shape, &strides}, step});
}

GNP_INLINE void reduction_builder::begin(const reduction_options& options, const shape_t& elements, int parent) {
  whole_.loops.push_back({-1, parent, whole_.next_in_order(), whole_.numbers.size()});
  step_.options = options;
  step_.shape = elements;
  step_.result = reduced_shape(elements, options.axes, options.keepdims);
  step_.leaves_within.begin = whole_.leaves.size();
  step_.numbers_within.begin = whole_.numbers.size();
  step_.reductions_within.begin = whole_.reductions.size();
}

GNP_INLINE int reduction_builder::add(const expression_code& values, const reduction_code& reducer,
                                      const expression_code& text, const shape_t& shape) {
  step_.values = &values;
  step_.reducer = &reducer;
  step_.text = &text;
  step_.leaves_within.end = whole_.leaves.size();
  step_.numbers_within.end = whole_.numbers.size();
  step_.reductions_within.end = whole_.reductions.size() + 1;
  step_.loops_within = {static_cast<std::size_t>(loop_), whole_.loops.size()};
  const int number = whole_.add(std::move(step_));
  whole_.reductions.push_back(number);
  whole_.loops[static_cast<std::size_t>(loop_)].step = number;
  whole_.loops[static_cast<std::size_t>(loop_)].result = &shape;
  return number;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
