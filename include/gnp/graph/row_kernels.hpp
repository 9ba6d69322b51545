// SPDX-License-Identifier: MIT
// Which kernels compute held statements of rows, and which results each of them stores.
#pragma once

#include <gnp/core/config.hpp>
#if GNP_HAS_CUDA

#include <deque>
#include <gnp/graph/composed_rows.hpp>
#include <memory>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How many arrays of all elements are read and written if each reduction is a separate kernel, and all other
/// results are computed together.
GNP_INLINE std::size_t arrays_moved_apart(const row_statements& all,
                                          const std::vector<std::unique_ptr<composed_rows>>& kernels) {
  std::size_t moved = 0;
  const std::vector<bool> nothing_is_there(all.list().size());
  for (std::size_t k = 0; k < all.list().size(); ++k) {
    if (!all.list()[k].reductions.empty()) moved += composed_rows(all, k, nothing_is_there).arrays();
  }
  std::vector<const char*> read;
  for (const auto& kernel : kernels) {
    kernel->add_arrays(read);
    moved += kernel->is_of_rows() ? 0U : 1U;
  }
  return moved + read.size();
}

/// Marks a statement with one element for each row, and likewise all such statements that it depends on.
GNP_INLINE void mark_reductions_of(const row_statements& all, std::size_t statement,
                                   std::vector<bool>& marked) {
  const row_statement& s = all.list()[statement];
  if (!s.per_row || marked[statement]) return;
  marked[statement] = true;
  if (s.source->reducer != nullptr) return;
  for (const row_input& input : s.inputs) {
    if (input.statement >= 0) mark_reductions_of(all, static_cast<std::size_t>(input.statement), marked);
  }
}

/// Plans the kernels of all results that are to be stored.
class row_kernels {
 public:
  explicit row_kernels(const row_statements& all) : all_(all), is_there_(all.list().size()) {}

  /// False if it is better to run these statements one after the other.
  GNP_INLINE bool plan(row_hardware hardware) {
    const std::deque<row_statement>& list = all_.list();
    // Results with one element for each row are stored by a kernel that computes them anyway, and so are the
    // results that these depend on.
    std::vector<bool> of_rows(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (list[k].is_stored) mark_reductions_of(all_, k, of_rows);
    }
    for (const bool per_row : {false, true}) {
      for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k].is_stored && list[k].per_row == per_row && !is_there_[k] && !add(k, of_rows, hardware))
          return false;
      }
    }
    return kernels_.size() < 2 || is_worth_it();
  }
  const std::vector<std::unique_ptr<composed_rows>>& list() const { return kernels_; }

 private:
  /// A kernel for one more result.
  GNP_INLINE bool add(std::size_t statement, const std::vector<bool>& of_rows, row_hardware hardware) {
    const std::deque<row_statement>& list = all_.list();
    auto made = std::make_unique<composed_rows>(all_, statement, is_there_);
    bool is_late = false;  // does it read memory that an earlier kernel has overwritten?
    made->for_each_read([&](std::size_t reader, const row_input& input) {
      for (const std::size_t other : stored_)
        is_late = is_late || (other > reader && all_.share_memory(all_.list()[other].result, input.operand));
    });
    if (is_late) return false;
    for (std::size_t k = 0; k < of_rows.size(); ++k) {
      const bool is_wanted = list[k].is_stored || (of_rows[k] && !list[statement].per_row);
      if (is_wanted && !is_there_[k] && k != statement && made->also_store(k)) store(k);
    }
    store(statement);
    kernels_.push_back(std::move(made));
    return kernels_.back()->plan(hardware);
  }
  /// Several kernels may each compute what they have in common, if that is little work and they do not read
  /// more memory for it.
  GNP_INLINE bool is_worth_it() const {
    constexpr int little = 64;
    std::size_t moved = 0;
    int operations = 0, operations_once = 0;
    for (const auto& kernel : kernels_) {
      moved += kernel->arrays();
      operations += kernel->operations();
    }
    for (const row_statement& s : all_.list()) {
      std::vector<dtype> numbers;
      operations_once += count_operations(*s.source, numbers);
    }
    return operations <= operations_once + little && moved <= arrays_moved_apart(all_, kernels_);
  }
  void store(std::size_t statement) {
    is_there_[statement] = true;
    stored_.push_back(statement);
  }

  const row_statements& all_;
  std::vector<bool> is_there_;
  std::vector<std::size_t> stored_;
  std::vector<std::unique_ptr<composed_rows>> kernels_;
};

}}}  // namespace gnp::GNP_ABI::detail

#endif
