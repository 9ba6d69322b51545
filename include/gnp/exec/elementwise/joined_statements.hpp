// SPDX-License-Identifier: MIT
// Several statements over the same elements, which one thread could compute one after the other for each
// element: what each statement takes from earlier ones, what it reads from memory, and what has to be stored.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <algorithm>
#include <cstring>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/layout/shared_elements.hpp>
#include <gnp/exec/text/chain_source.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct joined_statements {
  // A larger kernel takes long to compile, or needs more registers than a thread has.
  static constexpr std::size_t most_formulas = 128;
  static constexpr int most_operations = 512;
  static constexpr std::size_t most_arrays = 24;
  // Statements that have nothing in common are joined up to this limit, because a later statement may use both.
  static constexpr std::size_t few_arrays = 8;

  struct array_read {
    job_operand operand;  // without shifts
    dtype type;
    storage_ref block;
    std::vector<index_t> shifts;  // along each axis, if it is rolled

    /// The operand of a job that may change its shifts.
    job_operand rolled_by(std::vector<index_t>& by) const {
      job_operand o = operand;
      by = shifts;
      if (!by.empty()) o.shifts = by.data();
      return o;
    }
  };
  struct formula {
    const expression_code* code;
    std::vector<chain_input> inputs;
    std::vector<std::size_t> numbers;
    job_operand result;
    storage_ref block;
    bool is_stored = true;   // false if a later statement writes the same elements, or if nobody can read them
    bool has_memory = true;  // false if the memory has been released
  };

  const stream_state* stream;  // the stream that is recorded
  gnp::device where;
  int rank;
  index_t shape[max_rank];
  index_t count;
  std::vector<array_read> reads;
  std::vector<formula> formulas;
  std::vector<dtype> number_types;
  std::vector<unsigned char> numbers;
  int operations = 0;

  joined_statements(const job& first, const stream_state* recorded)
      : stream(recorded), where(first.where), rank(first.rank), count(first.count) {
    std::copy(first.shape, first.shape + rank, shape);
    add(first);
  }

  bool rolls() const {
    return std::any_of(reads.begin(), reads.end(), [](const array_read& read) { return !read.shifts.empty(); });
  }

  /// A job over these elements, without code and operands.
  job elements() const {
    job j;
    j.rolls = rolls();
    j.where = where;
    j.rank = rank;
    j.count = count;
    std::copy(shape, shape + rank, j.shape);
    return j;
  }

  /// Gives the job and the statements the same axes, by changing one or the other. False if that is not
  /// possible.
  GNP_INLINE bool bring_to_one_shape(job& j) {
    if (j.count != count || !(j.where == where)) return false;
    if (j.rank == rank && std::equal(shape, shape + rank, j.shape)) return true;
    // Contiguous elements that have a single axis can be given the axes of others.
    const auto is_run = [](int axes, const job_operand& o) {
      return axes == 1 && o.strides[0] == 1 && o.shifts == nullptr;
    };
    if (std::all_of(j.operands, j.operands + j.operand_count(),
                    [&](const job_operand& o) { return is_run(j.rank, o); })) {
      for (int i = 0; i < j.operand_count(); ++i) set_dense_strides(j.operands[i]);
      j.rank = rank;
      std::copy(shape, shape + rank, j.shape);
      return true;
    }
    if (!std::all_of(
            reads.begin(), reads.end(),
            [&](const array_read& read) { return read.shifts.empty() && is_run(rank, read.operand); }) ||
        !std::all_of(formulas.begin(), formulas.end(),
                     [&](const formula& f) { return is_run(rank, f.result); }))
      return false;
    rank = j.rank;
    std::copy(j.shape, j.shape + rank, shape);
    for (array_read& read : reads) set_dense_strides(read.operand);
    for (formula& f : formulas) set_dense_strides(f.result);
    return true;
  }

  /// Sets the strides of contiguous elements.
  GNP_INLINE void set_dense_strides(job_operand& o) const {
    index_t step = 1;
    for (int d = rank - 1; d >= 0; --d) {
      o.strides[d] = step;
      step *= shape[d];
    }
  }

  /// May this job be joined to the statements, and is that worthwhile? Then one thread computes an element of
  /// all of them before other threads compute theirs, and the results must be the same.
  GNP_INLINE bool may_join(const job& j) const {
    bool shares = false;
    std::size_t slots = reads.size(), results = 1;
    std::vector<const char*> arrays;  // an array that is rolled in several ways is one of them
    const auto note_array = [&arrays](const job_operand& o) {
      if (std::find(arrays.begin(), arrays.end(), o.data) == arrays.end()) arrays.push_back(o.data);
    };
    for (const array_read& read : reads) note_array(read.operand);
    for (int i = 0; i < j.code->inputs; ++i) {
      const job_operand& o = j.operands[i + 1];
      if (o.block == nullptr) continue;
      const dtype type = j.code->input_types[i];
      const std::optional<std::size_t> computed = formula_taken(j, o, type);
      if (!computed) return false;
      const bool known = *computed < formulas.size() || read_of(o, type) < reads.size();
      shares = shares || known;
      slots += known ? 0 : 1;
      if (!known) note_array(o);
    }
    for (const array_read& read : reads) {
      // A rolled element is read by another thread than the one that writes it.
      if (read.shifts.empty() ? writing_changes(j, j.operands[0], read.operand)
                              : share_elements(j, j.operands[0], read.operand))
        return false;
    }
    for (const formula& f : formulas) {
      if (!f.is_stored) continue;
      const bool again = f.code->result == j.code->result && same_place(f.result, j.operands[0]);
      if (!again && share_elements(j, f.result, j.operands[0])) return false;
      results += again ? 0 : 1;
    }
    std::vector<dtype> types;
    const int all_operations = operations + count_operations(*j.code->source, types);
    slots += results;
    const std::size_t number_count = number_types.size() + types.size();
    return formulas.size() < most_formulas && all_operations <= most_operations &&
           arrays.size() + results <= (shares ? most_arrays : few_arrays) &&
           fits_in_a_kernel(slots, number_count, rank) &&
           (!(j.rolls || rolls()) || shifts_fit(j, slots, number_count));
  }

  /// May a job that reads results of these statements, as elements of a reduction, run before them and compute
  /// these results itself? That is only done if they are in memory of this recording, which hardly anything
  /// else will read, and if they depend on few arrays.
  GNP_INLINE bool may_be_computed_again(const job& j) const {
    constexpr std::size_t cheap_arrays = 3;
    constexpr int cheap_operations = 48;
    bool reads_results = false;
    for (int i = 0; i < j.code->inputs; ++i) {
      const job_operand& o = j.operands[i + 1];
      if (o.block == nullptr) continue;
      const std::optional<std::size_t> computed = formula_taken(j, o, j.code->input_types[i]);
      if (!computed) return false;
      if (*computed == formulas.size()) continue;
      if (!formulas[*computed].block->uses.is_made_on(stream)) return false;
      reads_results = true;
    }
    if (!reads_results) return false;
    const auto is_apart = [&](const job_operand& o) {
      return o.block == nullptr || !share_elements(j, o, j.operands[0]);
    };
    if (!std::all_of(reads.begin(), reads.end(),
                     [&](const array_read& read) { return is_apart(read.operand); }) ||
        !std::all_of(formulas.begin(), formulas.end(),
                     [&](const formula& f) { return !f.has_memory || is_apart(f.result); }))
      return false;
    joined_statements with_job = *this;
    with_job.add(j);
    const joined_statements needed = with_job.needed_by_last();
    return !needed.rolls() && needed.reads.size() <= cheap_arrays && needed.operations <= cheap_operations &&
           fits_in_a_kernel(needed.reads.size(), needed.number_types.size(), rank);
  }

  /// The last statement with only those statements that it depends on, and what these read.
  GNP_INLINE joined_statements needed_by_last() const {
    std::vector<bool> is_needed(formulas.size());
    is_needed.back() = true;
    return needed_by(std::move(is_needed));
  }
  /// The same for all statements that are to be stored.
  GNP_INLINE joined_statements needed_to_store() const {
    std::vector<bool> is_needed;
    for (const formula& f : formulas) is_needed.push_back(f.is_stored);
    return needed_by(std::move(is_needed));
  }

  /// The statements in the form from which a kernel's text is written.
  GNP_INLINE formula_chain chain() const {
    formula_chain made{{}, {}, number_types};
    for (const array_read& read : reads) made.reads.push_back(read.type);
    for (const formula& f : formulas)
      made.formulas.push_back({f.code->source, f.code->result, f.inputs, f.numbers});
    return made;
  }

  GNP_INLINE void add(const job& j) {
    formula made{j.code, {}, {}, j.operands[0], storage_ref::sharing(j.operands[0].block)};
    for (int i = 0; i < j.code->inputs; ++i) {
      const job_operand& o = j.operands[i + 1];
      const dtype type = j.code->input_types[i];
      const std::size_t computed = o.block == nullptr ? formulas.size() : formula_of(o, type);
      if (computed < formulas.size()) {
        made.inputs.push_back({true, computed});
        continue;
      }
      const std::size_t read = read_of(o, type);
      if (read == reads.size()) {
        reads.push_back({o, type, o.block == nullptr ? storage_ref() : storage_ref::sharing(o.block), {}});
        if (o.shifts != nullptr) reads.back().shifts.assign(o.shifts, o.shifts + rank);
        reads.back().operand.shifts = nullptr;
      }
      made.inputs.push_back({false, read});
    }
    std::vector<dtype> types;
    operations += count_operations(*j.code->source, types);
    for (std::size_t k = 0; k < types.size(); ++k)
      made.numbers.push_back(number_of(types[k], j.constants + k * constant_slot));
    for (formula& f : formulas) {
      if (same_place(f.result, made.result)) f.is_stored = false;
    }
    formulas.push_back(std::move(made));
  }

  /// Finds results in memory of the recording to which only this object still refers. They need not be stored.
  /// (Other memory has a state that the next call reads.) If no statement reads that memory, it is released.
  GNP_INLINE void forget_unreadable() {
    for (const formula& f : formulas) {
      if (!f.has_memory) continue;
      const storage* const block = f.block.get();
      const auto is_here = [block](const auto& held) { return held.block.get() == block; };
      const auto read_here = std::count_if(reads.begin(), reads.end(), is_here);
      const auto held = std::count_if(formulas.begin(), formulas.end(), is_here) + read_here;
      if (!block->owned || !block->uses.is_made_on(stream) ||
          block->references.load(std::memory_order_acquire) != held)
        continue;
      for (formula& other : formulas) {
        if (!is_here(other)) continue;
        other.is_stored = false;
        if (read_here > 0) continue;
        other.has_memory = false;
        other.block = storage_ref();
      }
    }
  }

 private:
  GNP_INLINE joined_statements needed_by(std::vector<bool> is_needed) const {
    for (std::size_t k = formulas.size(); k-- > 0;) {
      for (const chain_input& input : formulas[k].inputs)
        if (is_needed[k] && input.computed) is_needed[input.number] = true;
    }
    joined_statements needed = *this;
    needed.reads.clear();
    needed.formulas.clear();
    needed.operations = 0;
    std::vector<std::size_t> place_of_formula(formulas.size()), place_of_read(reads.size(), reads.size());
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      if (!is_needed[k]) continue;
      formula f = formulas[k];
      for (chain_input& input : f.inputs) {
        if (input.computed) {
          input.number = place_of_formula[input.number];
          continue;
        }
        std::size_t& place = place_of_read[input.number];
        if (place == reads.size()) {
          place = needed.reads.size();
          needed.reads.push_back(reads[input.number]);
        }
        input.number = place;
      }
      std::vector<dtype> types;
      needed.operations += count_operations(*f.code->source, types);
      place_of_formula[k] = needed.formulas.size();
      needed.formulas.push_back(std::move(f));
    }
    return needed;
  }

  bool same_place(const job_operand& a, const job_operand& b) const {
    return are_same_elements(rank, shape, a, b);
  }

  /// The last formula that computes exactly these elements; formulas.size() if there is none.
  GNP_INLINE std::size_t formula_of(const job_operand& o, dtype type) const {
    if (o.shifts != nullptr) return formulas.size();  // other threads compute them
    for (std::size_t k = formulas.size(); k-- > 0;) {
      const formula& f = formulas[k];
      if (f.has_memory && f.code->result == type && same_place(f.result, o)) return k;
    }
    return formulas.size();
  }
  /// The same; nothing if other formulas have yet to store some of these elements.
  GNP_INLINE std::optional<std::size_t> formula_taken(const job& j, const job_operand& o, dtype type) const {
    const std::size_t computed = formula_of(o, type);
    for (std::size_t k = 0; k < formulas.size(); ++k) {
      if (k != computed && formulas[k].is_stored && share_elements(j, formulas[k].result, o))
        return std::nullopt;
    }
    return computed;
  }
  GNP_INLINE std::size_t read_of(const job_operand& o, dtype type) const {
    const auto is_rolled_alike = [&](const array_read& read) {
      return o.shifts == nullptr
                 ? read.shifts.empty()
                 : std::equal(read.shifts.begin(), read.shifts.end(), o.shifts, o.shifts + rank);
    };
    std::size_t k = 0;
    while (k < reads.size() &&
           (reads[k].type != type || !same_place(reads[k].operand, o) || !is_rolled_alike(reads[k])))
      ++k;
    return k;
  }

  /// Can one kernel roll what these statements and a job roll?
  GNP_INLINE bool shifts_fit(const job& j, std::size_t slots, std::size_t number_count) const {
    std::vector<std::vector<index_t>> shifts(static_cast<std::size_t>(rank), {0});
    const auto note = [&](const index_t* by) {
      for (std::size_t d = 0; d < shifts.size(); ++d) {
        if (std::find(shifts[d].begin(), shifts[d].end(), by[d]) == shifts[d].end()) shifts[d].push_back(by[d]);
      }
    };
    for (const array_read& read : reads) {
      if (!read.shifts.empty()) note(read.shifts.data());
    }
    for (int i = 0; i < j.code->inputs; ++i) {
      if (j.operands[i + 1].shifts != nullptr) note(j.operands[i + 1].shifts);
    }
    return shifts_fit_in_a_kernel(shifts, slots, number_count);
  }

  /// The place of a number among those of all statements. Equal numbers have the same place.
  GNP_INLINE std::size_t number_of(dtype type, const unsigned char* value) {
    for (std::size_t k = 0; k < number_types.size(); ++k) {
      if (number_types[k] == type && std::memcmp(numbers.data() + k * constant_slot, value, constant_slot) == 0)
        return k;
    }
    number_types.push_back(type);
    numbers.insert(numbers.end(), value, value + constant_slot);
    return number_types.size() - 1;
  }
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
