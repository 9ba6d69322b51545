// SPDX-License-Identifier: MIT
// Parts of an expression that a GPU computes first, into memory that the kernel of the whole reads: those that
// take long and have far fewer elements than the whole, like the sine in x * sin(row); and in reductions,
// arrays whose rows lie across those of the others, like the second one in max(abs(x - x.transpose())).
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <cstring>
#include <gnp/core/error.hpp>
#include <gnp/exec/elementwise/arrays_across.hpp>
#include <gnp/exec/elementwise/shortened_expression.hpp>
#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/exec/text/chain_source.hpp>
#include <gnp/memory/storage.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The axes from `begin` to `end`.
struct axis_range {
  int begin;
  int end;
};

/// The parts of a job's expression that are computed first, if there are any.
class first_parts {
 public:
  /// Chooses parts of a job, whose axes are as few as possible, and makes their results inputs of it; false if
  /// there are none, or no memory for them. `kernels` are those made from the job's code. Operands after its
  /// inputs stay where they are. Small parts move along one of these axes. If the kernel has no tiles to read
  /// arrays that lie across the innermost axis, these become parts as well.
  GNP_INLINE bool take_from(job& j, expression_sources sources, kernel_table& kernels, axis_range along,
                            bool has_tiles) {
    const std::vector<expression_part> parts = chosen_from(j, sources, along, has_tiles);
    if (parts.empty()) return false;
    taken_ = &kernels.shortened(*j.code, sources, parts);
    const job whole = j;
    const std::vector<job_operand> inputs(j.operands + 1, j.operands + j.operand_count());
    try {
      for (std::size_t k = 0; k < taken_->parts.size(); ++k) results_.push_back(result_of(whole, inputs, k));
    } catch (const out_of_memory&) {
      results_.clear();
      return false;
    }
    for (std::size_t i = 0; i < taken_->input_from.size(); ++i) {
      const int from = taken_->input_from[i];
      j.operands[i + 1] = from >= 0 ? inputs[static_cast<std::size_t>(from)]
                                    : results_[static_cast<std::size_t>(-1 - from)].whole;
    }
    numbers_.resize(taken_->number_from.size() * constant_slot);
    for (std::size_t k = 0; k < taken_->number_from.size(); ++k)
      std::memcpy(&numbers_[k * constant_slot], number_at(whole, taken_->number_from[k]), constant_slot);
    j.code = &taken_->code;
    j.constants = numbers_.data();
    return true;
  }

  /// The expressions without the parts; after take_from().
  expression_sources sources() const { return taken_->sources; }

  /// Calls `run` with a job for each part.
  template <class Run>
  void run_each(const Run& run) const {
    for (const part_result& result : results_) {
      if (result.operands.empty()) continue;
      std::vector<job_operand> operands = result.operands;
      job own = result.own;
      own.operands = operands.data();
      collapse(own);
      run(own);
    }
  }

 private:
  // If less work is saved, or the whole has not many times the elements of a part, another kernel takes as long
  // as it saves. (An H200 does so much work in ten microseconds.)
  static constexpr index_t enough_work = 1 << 28;
  static constexpr index_t most_work = 1 << 8;  // of a part, about
  static constexpr index_t times_as_many = 16;
  // A kernel of fewer instructions for each byte waits for memory in any case.
  static constexpr int instructions_for_a_byte = 5;

  struct part_result {
    storage_ref memory;
    job_operand whole;                  // as an input of the whole
    std::vector<job_operand> operands;  // of its own job; none if it is the result of another part
    job own;
  };

  static const unsigned char* number_at(const job& j, int number) {
    return j.constants + static_cast<std::size_t>(number) * constant_slot;
  }

  GNP_INLINE static std::vector<expression_part> chosen_from(const job& j, expression_sources sources,
                                                             axis_range along, bool has_tiles) {
    if (j.rank < 2 || j.rolls || j.code->condition != nullptr) return {};
    const bool some_are_small = may_have_small_ones(j);
    const bool some_lie_across = !has_tiles && may_have_some_across(j);
    if (!some_are_small && !some_lie_across) return {};
    choice chosen(j, along, some_are_small, some_lie_across);
    if (!chosen.add(sources)) return {};
    if (!some_are_small || chosen.work >= instructions_for_a_byte * bytes_of_an_element(j)) return chosen.parts;
    if (!some_lie_across) return {};
    choice of_arrays(j, along, false, true);
    of_arrays.add(sources);
    return of_arrays.parts;
  }
  static bool may_have_small_ones(const job& j) {
    return j.count >= enough_work / most_work &&
           std::any_of(j.operands + 1, j.operands + j.operand_count(), [&j](const job_operand& o) {
             return o.block != nullptr && !o.table && times_as_many * elements_of(j, &o, 1) <= j.count;
           });
  }
  static bool may_have_some_across(const job& j) {
    return std::any_of(j.operands + 1, j.operands + j.operand_count(),
                       [&j](const job_operand& o) { return lies_across(j, o); });
  }

  GNP_INLINE static int bytes_of_an_element(const job& j) {
    double bytes = 0;
    for (int i = 0; i < j.operand_count(); ++i) {
      const job_operand& o = j.operands[i];
      const auto is_same = [&o](const job_operand& other) { return other.data == o.data; };
      if (o.block == nullptr || std::any_of(j.operands + 1, j.operands + (std::max)(i, 1), is_same)) continue;
      bytes += static_cast<double>(elements_of(j, &o, 1)) * o.itemsize / static_cast<double>(j.count);
    }
    return static_cast<int>(bytes);
  }

  /// May a part of a job that reads these inputs be computed first? (Halves are rounded only in memory.)
  GNP_INLINE static bool is_small(const job& j, axis_range along, const node_source& node,
                                  const job_operand* inputs) {
    if (node.write != write_operation || node.inputs == 0 ||
        (is_floating(node.type) && itemsize(node.type) == 2) ||
        times_as_many * elements_of(j, inputs, node.inputs) > j.count || !is_plain_formula(node))
      return false;
    bool moves = false;
    for (int d = along.begin; d < along.end && !moves; ++d) moves = moves_along(inputs, node.inputs, d);
    std::vector<dtype> numbers;
    return moves && count_operations(node, numbers) * j.count >= enough_work;
  }

  /// Chooses parts of a job.
  class choice {
   public:
    std::vector<expression_part> parts;
    int work = 0;  // of all operations, each of which counts once

    choice(const job& j, axis_range along, bool takes_small_ones, bool takes_those_across)
        : j_(j), along_(along), takes_small_ones_(takes_small_ones), takes_those_across_(takes_those_across) {}

    /// Goes through all expressions of the job. False if it has numbers that are not theirs.
    GNP_INLINE bool add(expression_sources sources) {
      int input = 0, number = 0;
      for (const node_source* source : sources) {
        add(*source, input, number, true);
        input += source->inputs;
        number += source->numbers;
      }
      return number == j_.code->constants;
    }

   private:
    /// Goes through a node, whose inputs and numbers begin here.
    GNP_INLINE void add(const node_source& node, int input, int number, bool may_take) {
      if (std::find(counted_.begin(), counted_.end(), &node) == counted_.end()) {
        counted_.push_back(&node);
        work += weight_of_operation(node);
      }
      const job_operand* const inputs = j_.operands + 1 + input;
      const bool is_array = node.write == write_input;
      may_take = may_take && (node.write == write_operation || node.reducer != nullptr || is_array);
      if (may_take && (is_array ? takes_those_across_ && lies_across(j_, *inputs)
                                : takes_small_ones_ && is_small(j_, along_, node, inputs))) {
        parts.push_back({&node, input, number});
        may_take = false;
      }
      for (int i = 0; i < node.operand_count; ++i) {
        const node_source& operand = *node.operands[i];
        add(operand, input, number, may_take);
        input += operand.inputs;
        number += operand.numbers;
      }
    }

    const job& j_;
    axis_range along_;
    bool takes_small_ones_;
    bool takes_those_across_;
    std::vector<const node_source*> counted_;
  };

  /// The memory for a part's result, and the job that computes it; the result of an earlier part if that is the
  /// same.
  GNP_INLINE part_result result_of(const job& whole, const std::vector<job_operand>& inputs,
                                   std::size_t number) const {
    const expression_part& part = taken_->parts[number];
    const expression_code& code = taken_->of_parts[number].code;
    const job_operand* const first = inputs.data() + part.input;
    for (std::size_t k = 0; k < number; ++k) {
      const expression_part& other = taken_->parts[k];
      const auto same = [&whole](const job_operand& a, const job_operand& b) {
        return a.data == b.data && a.block == b.block &&
               std::equal(a.strides, a.strides + whole.rank, b.strides);
      };
      if (other.node == part.node &&
          std::equal(first, first + code.inputs, inputs.data() + other.input, same) &&
          std::memcmp(number_at(whole, part.number), number_at(whole, other.number),
                      static_cast<std::size_t>(code.constants) * constant_slot) == 0)
        return {results_[k].memory, results_[k].whole, {}, {}};
    }
    part_result result;
    job& j = result.own;
    j.code = &code;
    j.constants = number_at(whole, part.number);
    j.where = whole.where;
    j.count = elements_of(whole, first, code.inputs);
    result.memory = storage_ref::allocate(
        static_cast<std::size_t>(j.count) * static_cast<std::size_t>(itemsize(code.result)), whole.where);
    result.whole.data = static_cast<char*>(result.memory->data);
    result.whole.block = result.memory.get();
    result.whole.itemsize = static_cast<int>(itemsize(code.result));
    result.operands.push_back(result.whole);
    result.operands.insert(result.operands.end(), first, first + code.inputs);
    result.operands.emplace_back();  // for the use of plans
    index_t step = j.count;
    for (int d = 0; d < whole.rank; ++d) {
      result.whole.strides[d] = 0;
      if (!moves_along(first, code.inputs, d)) continue;
      step /= whole.shape[d];
      result.whole.strides[d] = step;
      result.operands[0].strides[j.rank] = step;
      for (int i = 0; i < code.inputs; ++i)
        result.operands[static_cast<std::size_t>(i) + 1].strides[j.rank] = first[i].strides[d];
      j.shape[j.rank++] = whole.shape[d];
    }
    return result;
  }

  const shortened_expression* taken_ = nullptr;
  std::vector<part_result> results_;
  std::vector<unsigned char> numbers_;  // of what is left
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
