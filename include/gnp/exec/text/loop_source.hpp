// SPDX-License-Identifier: MIT
// A short reduction that each thread computes by itself, as a function of a kernel: its elements are computed
// in registers, and nothing as large as all of them is ever stored.
#pragma once

#include <gnp/exec/reduce/reduction_job.hpp>
#include <gnp/exec/text/expression_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* loop_text = R"(
inline $result loop_$k(const arguments& p$parameters) {
  struct of { using T = $T; using A = $A; using P = $P; using type = $reducer; };
$constants  $T values[$length];
  offset_t positions[$length];
  #pragma unroll
$down  for (int n$k = 0; n$k < $inner; ++n$k) {
    values[$place] = $element;
    positions[$place] = $place;
  }
  return cast<$result>(of::type::finish(batch_of<of::type>(values, positions), constant<double>(p, $number)));
}
)";

inline constexpr const char* rows_of_loop_text = "  for (int m$k = 0; m$k < $rows; ++m$k)\n  #pragma unroll\n";

/// The same of more elements than a thread has registers for: some at a time, each time from element `from` of
/// row m, if there are rows. Elements along one axis are the only row.
inline constexpr const char* long_loop_text = R"(
struct loop_of_$k { using T = $T; using A = $A; using P = $P; using type = $reducer; };
template <int Count> inline auto part_of_$k(const arguments& p$parameters, int m$k, int from) {
  using of = loop_of_$k;
$constants  $T values[Count];
  offset_t positions[Count];
  #pragma unroll
  for (int n = 0; n < Count; ++n) {
    const int n$k = from + n;
    values[n] = $element;
    positions[n] = m$k * $inner + n$k;
  }
  return batch_of<of::type>(values, positions);
}
inline $result loop_$k(const arguments& p$parameters) {
  using reducer = loop_of_$k::type;
  typename reducer::state total = reducer::identity();
  for (int m = 0; m < $rows; ++m) {
    for (int from = 0; from < $whole; from += $each) total = reducer::combine(total, part_of_$k<$each>($given, m, from));
$rest  }
  return cast<$result>(reducer::finish(total, constant<double>(p, $number)));
}
)";
/// The most elements of a thread at a time in a long loop.
inline constexpr std::uint64_t most_at_a_time = 16;
inline constexpr const char* rest_of_row_text =
    R"(    total = reducer::combine(total, part_of_$k<$left>($given, m, $whole));
)";

/// The struct that fold_of<T, A, ...> takes its operations from, for this A.
[[gnu::cold]] GNP_INLINE void define_fold(source_writer& writer, const fold_operations& fold, dtype computed) {
  writer.needs("highest");
  writer.needs("lowest");
  writer.needs("fold_of");
  const std::string type = device_name(computed);
  const bool integer = computed != fold.count_type && !is_complex(computed);
  std::vector<source_writer::operand> finished{
      {fold.counts && integer ? fold.count_type : computed, computed, "a"}};
  if (fold.counts)
    finished.push_back(
        {fold.count_type, dtype::float64, std::string("static_cast<") + device_name(fold.count_type) + ">(n)"});
  const dtype result = computed_in_type(fold.result);
  writer.define(std::string("template <class A> struct ") + fold.name + ";\n");
  writer.define(filled_in(
      "template <> struct $name<$A> {\n"
      "  static $A combine($A a, $A b) { return $combine; }\n"
      "  static $A identity() { return $identity; }\n"
      "  static $R finish($A a, double n) { return $finish; }\n"
      "};\n",
      {{"name", fold.name},
       {"A", type},
       {"R", device_name(result)},
       {"combine", writer.call(fold.combine, computed, {{computed, computed, "a"}, {computed, computed, "b"}})},
       {"identity", writer.call(fold.identity, computed,
                                {{computed, computed, "lowest<" + type + ">()"},
                                 {computed, computed, "highest<" + type + ">()"}})},
       {"finish", writer.call(fold.finish, result, finished)}}));
}

/// Asks for what the text of a reducer names.
[[gnu::cold]] GNP_INLINE void need_reducer(source_writer& writer, const reduction_code& code) {
  const std::string_view reducer(code.reducer);
  writer.needs(reducer.substr(0, reducer.find('<')));
  if (code.operations != nullptr) define_fold(writer, *code.operations, code.computed);
  writer.needs("cast");
  writer.uses(code.result);
  writer.uses(code.computed);
  writer.uses(code.values->result);
}

/// The text of a loop with its rows and their elements filled in: those of a loop along two axes, or one row.
[[gnu::cold]] GNP_INLINE std::string source_writer::loop_layout_text(int loop) const {
  const bool two_axes = has_two_axes(loop);
  const std::uint64_t length = loops_.lengths >> (8 * loop) & 255;
  const std::uint64_t inner = two_axes ? loops_.inner_lengths >> (8 * loop) & 255 : length;
  const bool at_once = length <= static_cast<std::uint64_t>(longest_loop);
  const std::uint64_t each = (std::min)(inner, most_at_a_time);
  const std::uint64_t whole = inner / each * each;
  const auto with_sizes = [&](std::string_view text) {
    return filled_in(text, {{"length", std::to_string(length)},
                            {"rows", std::to_string(length / inner)},
                            {"inner", std::to_string(inner)},
                            {"whole", std::to_string(whole)},
                            {"each", std::to_string(each)},
                            {"left", std::to_string(inner - whole)}});
  };
  return filled_in(with_sizes(at_once ? loop_text : long_loop_text),
                   {{"down", at_once && two_axes ? with_sizes(rows_of_loop_text) : ""},
                    {"place", two_axes ? with_sizes("m$k * $inner + n$k") : "n$k"},
                    {"rest", whole == inner ? "" : with_sizes(rest_of_row_text)}});
}

[[gnu::cold]] GNP_INLINE std::string source_writer::end_loop(int loop, const reduction_code& code,
                                                             const std::string& element) {
  std::string& call = loop_calls_[static_cast<std::size_t>(loop)];
  if (within_repeated_ > 0) {
    --within_repeated_;
    return call;
  }
  open_loops_.pop_back();
  need_reducer(*this, code);
  std::string parameters;
  std::string given = "(p";
  const auto pass = [&](const std::string& type, const std::string& variable) {
    parameters += ", " + type + " " + variable;
    given += ", " + variable;
  };
  std::vector<bool> inputs = named_in(element, 'v', types_in_loops_.size());
  std::vector<bool> in_vectors(inputs.size());
  for (const auto& [in_loop, slot] : vectors_in_loops_) {
    if (in_loop == loop) inputs[slot] = in_vectors[slot] = true;
  }
  const std::string length = std::to_string(loops_.lengths >> (8 * loop) & 255);  // of values that are in registers
  std::string vectors;
  for (std::size_t slot = 0; slot < in_vectors.size(); ++slot) {
    if (!in_vectors[slot]) continue;
    vectors += filled_in("  $type y$slot[$length];\n  load_elements(y$slot, v$slot);\n",
                         {{"type", device_name(static_cast<dtype>(types_in_loops_[slot]))},
                          {"slot", std::to_string(slot)},
                          {"length", length}});
  }
  for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
    if (inputs[slot]) pass(slot_type(slot, static_cast<dtype>(types_in_loops_[slot])), numbered("v", slot));
  }
  for (const int outer : open_loops_) {
    pass("int", numbered("n", static_cast<std::size_t>(outer)));
    if (has_two_axes(outer)) pass("int", numbered("m", static_cast<std::size_t>(outer)));
  }
  loop_functions_ += filled_in(
      loop_layout_text(loop), {{"k", std::to_string(loop)},
                               {"given", given.substr(1)},
                               {"parameters", parameters},
                               {"T", device_name(code.values->result)},
                               {"A", device_name(code.computed)},
                               {"P", device_name(real_part_of(code.computed))},
                               {"reducer", code.reducer},
                               {"result", device_name(code.result)},
                               {"constants", constants_text(constant_types_, element) + vectors},
                               {"element", element},
                               {"number", std::to_string(parameter_of_loop_[static_cast<std::size_t>(loop)])}});
  call = numbered("loop_", static_cast<std::size_t>(loop)) + given + ")";
  return call;
}

[[gnu::cold]] GNP_INLINE std::string write_reduction(source_writer& writer, const node_source& node) {
  if (writer.loops_in_threads()) {
    const int loop = writer.begin_loop();
    return writer.end_loop(loop, *node.reducer, node_text(writer, *node.operands[0]));
  }
  const std::string elements = node_text(writer, *node.operands[0]);
  writer.uses(node.type);
  return writer.reduction(*node.reducer, elements);
}

}}}  // namespace gnp::GNP_ABI::detail
