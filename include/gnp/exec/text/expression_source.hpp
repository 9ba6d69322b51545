// SPDX-License-Identifier: MIT
// An expression as CUDA C++: nested calls of its operations, with names for its inputs, numbers and reductions.
#pragma once

#include <algorithm>
#include <gnp/exec/elementwise/kernel_plan.hpp>
#include <gnp/exec/text/function_writer.hpp>
#include <gnp/exec/text/names.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Does a thread divide many elements by the same number, in a kernel that is bound by instructions, or that
/// takes long to compile? (Where rows are not whole vectors, what a condition guards would be computed again
/// for each vector.)
inline bool has_many_divisions(const kernel_plan& plan) {
  if (plan.shape != kernel_shape::row_program) return plan.reads_little;
  return plan.rows.whole_rows && plan.items * (plan.rows.by_columns ? 1 : plan.vector) >= 16;
}

/// Writes an expression. While it does, it counts the inputs, numbers, reductions and loops that the text
/// names, in the order of the text.
class source_writer : public function_writer {
 public:
  /// For a kernel whose expression reads nothing.
  source_writer() = default;
  explicit source_writer(const kernel_plan& plan)
      : slot_of_input_(plan.slot_of.data()),
        step_at_(plan.rows.step_at),
        equal_numbers_(plan.numbers.equal),
        ones_(plan.numbers.ones),
        divisors_(plan.numbers.divisors),
        powers_(plan.numbers.powers),
        divides_often_(has_many_divisions(plan)),
        gathered_runs_(plan.gathered_runs) {}

  /// "v2": the variable that holds an input. Within a reduction that a thread computes alone, it is the address
  /// where its elements begin: "v2[n0 * loop_step(p, 3)]", or "y2[n0]" if they are loaded as vectors. Along two
  /// axes, m0 is the place along the outer one.
  [[gnu::cold]] GNP_INLINE std::string input(dtype type) {
    if (chosen_ != nullptr) return chosen_->inputs[chosen_input_++];
    const std::size_t slot = slot_of_input_[inputs_++];
    std::string text = numbered("v", slot);
    if (open_loops_.empty() || within_repeated_ > 0) return text;
    if (types_in_loops_.size() <= slot) types_in_loops_.resize(slot + 1, -1);
    types_in_loops_[slot] = static_cast<int>(type);
    const int input = inputs_ - 1;
    const int inner = open_loops_.back();
    const auto is = [input](std::uint64_t inputs) { return input < 64 && (inputs >> input & 1) != 0; };
    const bool one_by_one = is(loops_.one_by_one);
    std::string place;
    // Each loop has a number for each of its axes, even where the text says how the input moves.
    const auto add_step = [&](const std::string& index, bool stays, bool is_next) {
      const auto step = static_cast<std::size_t>(loop_constant());
      if (stays) return;
      place += (place.empty() ? "" : " + ") + index + (is_next ? "" : numbered(" * loop_step(p, ", step) + ")");
    };
    std::string index;  // along the innermost axis
    for (const int loop : open_loops_) {
      const bool innermost = loop == inner;
      index = numbered("n", static_cast<std::size_t>(loop));
      if (has_two_axes(loop)) {
        add_step(numbered("m", static_cast<std::size_t>(loop)), innermost && is(loops_.same_along_outer),
                 innermost && is(loops_.next_along_outer));
      }
      add_step(index, innermost && is(loops_.same_along_inner), innermost && one_by_one);
    }
    if (one_by_one && open_loops_.size() == 1 && is(loops_.in_whole_vectors)) {
      vectors_in_loops_.emplace_back(inner, slot);
      return std::string("y") + text.substr(1) + "[" + index + "]";
    }
    return text + "[" + (place.empty() ? "0" : place) + "]";
  }

  /// "reinterpret_cast<const float*>(p.data[2])": the memory of an input that is a table.
  [[gnu::cold]] GNP_INLINE std::string table(dtype type) {
    return std::string("reinterpret_cast<const ") + device_name(type) + "*>(" +
           numbered("p.data[", slot_of_input_[inputs_++]) + "])";
  }

  /// Is the next input a table from which a thread's elements are loaded together?
  bool gathers_run() const { return inputs_ < 64 && (gathered_runs_ >> inputs_ & 1) != 0; }
  /// "g0": an element of such a run, which begins at `place` in `memory`. Runs of the same type, memory and
  /// place are loaded once.
  [[gnu::cold]] GNP_INLINE std::string gathered_run(dtype type, const std::string& memory,
                                                    const std::string& place) {
    std::size_t k = 0;
    while (k < gathered_.size() &&
           (gathered_[k].type != type || gathered_[k].memory != memory || gathered_[k].place != place))
      ++k;
    if (k == gathered_.size()) gathered_.push_back({type, memory, place});
    return numbered("g", k);
  }
  struct run_text {
    dtype type;
    std::string memory;
    std::string place;
  };
  const std::vector<run_text>& gathered_runs() const { return gathered_; }

  /// The first of `count` slots of constants that the text reads directly. If all of them are known to be equal
  /// to earlier ones, it is the first of those.
  GNP_INLINE int raw_constants(int count) {
    const std::size_t first = slot_of_number_.size();
    for (int k = 0; k < count; ++k) add_number(dtype::int64);
    const std::size_t known = first_equal(first);
    bool alike = known != first;
    for (std::size_t k = 1; k < static_cast<std::size_t>(count); ++k)
      alike = alike && first_equal(first + k) == known + k;
    return static_cast<int>(slot_of_number_[alike ? known : first]);
  }

  /// A constant that belongs to a loop of a thread, and does not occur in the text's expressions.
  GNP_INLINE int loop_constant() {
    constant_types_.push_back(dtype::int64);
    return static_cast<int>(constant_types_.size()) - 1;
  }

  /// "k0": the variable that holds a constant, whose type is recorded. Constants that are known to be equal
  /// have one variable.
  [[gnu::cold]] GNP_INLINE std::string constant(dtype type) {
    uses(type);
    if (chosen_ != nullptr) return chosen_->numbers[chosen_number_++];
    add_number(type);
    const std::size_t number = slot_of_number_.size() - 1;
    if (number < most_noted_numbers) {
      if (type == dtype::float32 && (ones_ >> number & 1) != 0) return "1.0f";
      if (type == dtype::float64 && (ones_ >> (most_noted_numbers + number) & 1) != 0) return "1.0";
    }
    return numbered("k", slot_of_number_[first_equal(number)]);
  }

  /// For expressions whose inputs and numbers are not counted consecutively: names these inputs and numbers,
  /// which are the first ones of the text. Further calls do nothing.
  [[gnu::cold]] GNP_INLINE void name_leaves_once(const std::vector<dtype>& inputs,
                                                 const std::vector<dtype>& numbers) {
    if (named_) return;
    named_ = true;
    for (const dtype type : inputs) {
      uses(type);
      named_leaves_.inputs.push_back(input(type));
    }
    for (const dtype type : numbers) named_leaves_.numbers.push_back(constant(type));
  }
  const std::string& name_of_input(std::size_t number) const { return named_leaves_.inputs[number]; }
  const std::string& name_of_number(std::size_t number) const { return named_leaves_.numbers[number]; }
  /// The inputs and numbers that an expression takes, in order.
  struct chosen_leaves {
    std::vector<std::string> inputs, numbers;
  };
  [[gnu::cold]] GNP_INLINE std::string with_leaves(const chosen_leaves& leaves, const node_source& node) {
    chosen_ = &leaves;
    chosen_input_ = chosen_number_ = 0;
    std::string text = node.write(*this, node);
    chosen_ = nullptr;
    return text;
  }

  /// May small integers be divided by the next constant through its reciprocal?
  bool divides_through_reciprocal(dtype type) const { return next_number_is(divisors_, type); }
  /// Is it worth it to compute the reciprocal of what many elements are divided by?
  bool divides_often() const { return divides_often_; }
  /// Is the next constant a power of two?
  bool divides_by_power_of_two(dtype type) const { return next_number_is(powers_, type); }

  /// "r0": the variable that holds the result of a reduction, whose elements are `elements`. Reductions that
  /// are the same step have one variable.
  [[gnu::cold]] GNP_INLINE std::string reduction(const reduction_code& code, const std::string& elements) {
    const auto step = static_cast<std::size_t>(step_at_[reductions_ / 16] >> (4 * (reductions_ % 16)) & 15);
    ++reductions_;
    if (step >= steps.size()) steps.resize(step + 1);
    if (steps[step].reducer == nullptr) steps[step] = {&code, elements};
    return numbered("r", step);
  }
  /// The steps that come before the value.
  struct step_text {
    const reduction_code* reducer = nullptr;
    std::string elements;
  };
  std::vector<step_text> steps;

  /// Reductions of few elements are loops of a thread, if the plan says so.
  void loop_in_threads(const kernel_plan& plan) {
    loops_ = plan.loops;
  }
  bool loops_in_threads() const { return loops_.any(); }
  /// Which loop the next reduction is. If that loop has already been written, its elements are visited again,
  /// because their inputs and numbers are counted, but they are not written again.
  GNP_INLINE int begin_loop() {
    const int loop = static_cast<int>(loops_.loop_at >> (3 * places_of_loops_++) & 7);
    if (static_cast<std::size_t>(loop) < loop_calls_.size()) {
      ++within_repeated_;
    } else {
      open_loops_.push_back(loop);
      loop_calls_.emplace_back();
      parameter_of_loop_.push_back(loop_constant());
    }
    return loop;
  }
  [[gnu::cold]] GNP_INLINE std::string end_loop(int loop, const reduction_code& code,
                                                const std::string& element);
  /// The functions of these loops, and what they need.
  const std::string& loop_functions() const { return loop_functions_; }
  /// "float", or "const float*" for what is read within such a loop.
  [[gnu::cold]] std::string slot_type(std::size_t slot, dtype type) const {
    const bool in_loop = slot < types_in_loops_.size() && types_in_loops_[slot] >= 0;
    return in_loop ? std::string("const ") + device_name(type) + "*" : std::string(device_name(type));
  }

  const std::vector<dtype>& constant_types() const { return constant_types_; }

  /// The value of the whole expression, as text.
  std::string value;

 private:
  [[gnu::cold]] GNP_INLINE std::string loop_layout_text(int loop) const;
  bool has_two_axes(int loop) const { return (loops_.inner_lengths >> (8 * loop) & 255) != 0; }

  /// Is the bit set that was noted for the next constant, as a number of this type?
  bool next_number_is(std::uint32_t noted, dtype type) const {
    const std::size_t number = slot_of_number_.size();
    if (chosen_ != nullptr || number >= most_noted_numbers ||
        (type != dtype::float32 && type != dtype::float64))
      return false;
    return (noted >> (number + (type == dtype::float64 ? most_noted_numbers : 0)) & 1) != 0;
  }

  /// The first number of the same type that this one is known to be equal to.
  std::size_t first_equal(std::size_t number) const {
    const dtype type = constant_types_[slot_of_number_[number]];
    while (number < most_compared_numbers) {
      const std::size_t before = equal_numbers_[number];
      if (before == 0 || before > number || constant_types_[slot_of_number_[number - before]] != type) break;
      number -= before;
    }
    return number;
  }
  [[gnu::cold]] GNP_INLINE void add_number(dtype type) {
    slot_of_number_.push_back(constant_types_.size());
    constant_types_.push_back(type);
  }

  const std::uint8_t* slot_of_input_ = nullptr;
  std::array<std::uint64_t, most_row_reductions / 16> step_at_ = {};
  std::array<std::uint8_t, most_compared_numbers> equal_numbers_ = {};
  std::uint32_t ones_ = 0;
  std::uint32_t divisors_ = 0;
  std::uint32_t powers_ = 0;
  bool divides_often_ = false;
  std::uint64_t gathered_runs_ = 0;
  std::vector<run_text> gathered_;
  std::size_t reductions_ = 0;
  thread_loops loops_;
  int places_of_loops_ = 0;
  int within_repeated_ = 0;  // loops that have already been written
  std::vector<std::string> loop_calls_;
  std::vector<std::pair<int, std::size_t>> vectors_in_loops_;  // which loop loads which slot as whole vectors
  std::vector<int> open_loops_;
  std::vector<int> parameter_of_loop_;
  std::vector<int> types_in_loops_;  // of a slot; -1 for others
  std::string loop_functions_;
  int inputs_ = 0;
  bool named_ = false;
  chosen_leaves named_leaves_;
  const chosen_leaves* chosen_ = nullptr;
  std::size_t chosen_input_ = 0, chosen_number_ = 0;
  std::vector<dtype> constant_types_;
  std::vector<std::size_t> slot_of_number_;  // of the expressions' own
};

[[gnu::cold]] GNP_INLINE std::string node_text(source_writer& writer, const node_source& node) {
  return node.write(writer, node);
}

[[gnu::cold]] GNP_INLINE std::string write_input(source_writer& writer, const node_source& node) {
  writer.uses(node.type);
  return writer.input(node.type);
}

[[gnu::cold]] GNP_INLINE std::string write_number(source_writer& writer, const node_source& node) {
  return writer.constant(node.type);
}

/// Are these elements integers with at most half as many digits as the type that they are converted to?
[[gnu::cold]] GNP_INLINE bool are_small_integers(const node_source& node, dtype type) {
  const operation_source& operation = node.operation;  // (A reduction has none.)
  const bool converts = node.operand_count == 1 && operation.name != nullptr && !operation.users &&
                        std::string_view(operation.name) == "astype";
  if (converts && node.type == type) return are_small_integers(*node.operands[0], type);
  return node.reducer == nullptr && !is_floating(node.type) && !is_complex(node.type) &&
         2 * itemsize(node.type) <= itemsize(type);
}

/// Is this operation gnp's own quotient of elements of `type`?
[[gnu::cold]] GNP_INLINE bool is_quotient(const node_source& node, dtype type) {
  return node.operand_count == 2 && node.operation.body != nullptr && !node.operation.users &&
         node.type == type && node.loop[0] == type && node.loop[1] == type &&
         std::string_view(node.operation.body) == "over(x, y)";
}

// x / y of integers of at most half of the type's digits, with the bits of a division. The compiler computes
// the reciprocal once for all elements of a thread. Its product with x is off by less than two units in the
// last place. For floats, one correction is enough: all quotients of 16-bit integers by the 2^23 floats from 1
// to 2 have been compared with divisions. For doubles, the correction leads to one of the two numbers next to
// the quotient. A second one then rounds correctly, because it uses an exact remainder and a reciprocal that is
// rounded to nearest. All of this requires numbers that are far from the limits of the type, which
// note_divisors checks.
inline constexpr std::string_view small_over_text =
    "template <class T> inline T small_over(T x, T y) { const T r = T(1) / y; T q = x * r; "
    "for (int i = 0; i < sizeof(T) / 4; ++i) q = ::fma(::fma(-q, y, x), r, q); return q; }\n";

// A power of two has an exact reciprocal, so that this product is rounded as the quotient is.
inline constexpr std::string_view power_quotient_text =
    "template <class T> inline T over_power_of_two(T x, T power_of_two) { return x * (T(1) / power_of_two); "
    "}\n";

/// Is this the same for all elements that a thread has of a row?
[[gnu::cold]] GNP_INLINE bool is_one_number(const source_writer& writer, const node_source& node) {
  if (node.write == write_number) return true;
  if (node.reducer != nullptr) return !writer.loops_in_threads();
  if (node.write != write_operation) return false;
  return std::all_of(node.operands, node.operands + node.operand_count,
                     [&](const node_source* operand) { return is_one_number(writer, *operand); });
}

[[gnu::cold]] GNP_INLINE std::string write_operation(source_writer& writer, const node_source& node) {
  const bool quotient = is_quotient(node, node.type);
  const bool small_quotient = quotient && are_small_integers(*node.operands[0], node.type);
  bool by_power = false, through_reciprocal = false;
  std::vector<source_writer::operand> operands;
  for (int i = 0; i < node.operand_count; ++i) {
    const node_source& operand = *node.operands[i];
    const dtype wanted = node.halves_as_they_are ? node.loop[i] : computed_in_type(node.loop[i]);
    if (i == 1 && quotient && operand.write == write_number && operand.type == node.type) {
      by_power = writer.divides_by_power_of_two(node.type);
      through_reciprocal = small_quotient && !by_power && writer.divides_through_reciprocal(node.type);
    }
    operands.push_back({wanted, operand.type, node_text(writer, operand)});
  }
  if (!by_power && !through_reciprocal) {
    operation_source operation = node.operation;
    if (quotient && writer.divides_often() && operands[0].wanted == dtype::float32 &&
        is_one_number(writer, *node.operands[1]) && !is_one_number(writer, *node.operands[0]))
      operation.body = "over_one_number(x, y)";
    return writer.call(operation, node.type, operands);
  }
  writer.define(std::string(by_power ? power_quotient_text : small_over_text));
  return std::string(by_power ? "over_power_of_two<" : "small_over<") + device_name(node.type) + ">(" +
         operands[0].text + ", " + operands[1].text + ")";
}

/// Writes the value of an expression.
[[gnu::cold]] GNP_INLINE void write_value(source_writer& writer, const expression_code& code) {
  writer.uses(code.result);
  writer.value = node_text(writer, *code.source);
}

}}}  // namespace gnp::GNP_ABI::detail
