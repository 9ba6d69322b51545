// SPDX-License-Identifier: MIT
// The axes of a job while its layout is being rewritten with as few axes as possible. Elementwise work,
// reductions and scans share this code; each chooses its own order of axes.
#pragma once

#include <algorithm>
#include <gnp/exec/layout/job.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

class job_axes {
 public:
  /// The axes of a job's first `operands` operands. Some axes may be marked: those that are reduced or scanned.
  /// Axes of size 1 are dropped immediately.
  job_axes(job& j, int operands, const bool* marked = nullptr) : job_(j), operands_(operands) {
    int rank = 0;
    for (int d = 0; d < j.rank; ++d) {
      if (j.shape[d] == 1) continue;
      marked_[d] = marked != nullptr && marked[d];
      move(d, rank++);
    }
    j.rank = rank;
  }

  int count() const { return job_.rank; }
  bool marked(int d) const { return marked_[d]; }
  index_t stride(int operand, int d) const { return job_.operands[operand].strides[d]; }

  /// Reverses the direction of an axis.
  GNP_INLINE void turn_round(int d) {
    for (int i = 0; i < operands_; ++i) {
      job_operand& o = job_.operands[i];
      o.data = advanced(o, (job_.shape[d] - 1) * o.strides[d]);
      o.strides[d] = -o.strides[d];
      if (o.shifts != nullptr && o.shifts[d] != 0) o.shifts[d] = job_.shape[d] - o.shifts[d];
    }
  }

  /// Insertion sort: an axis moves in front of its predecessor as long as belongs_before(later, earlier) is
  /// true. Others keep their order. It is written by hand because there are few axes.
  template <class Before>
  void sort(const Before& belongs_before) {
    for (int d = 1; d < job_.rank; ++d) {
      for (int e = d; e > 0 && belongs_before(e, e - 1); --e) swap(e, e - 1);
    }
  }

  /// Merges neighbouring axes that are both marked or both unmarked, and contiguous in every operand. At least
  /// one axis remains. Returns how many of the remaining axes are unmarked.
  GNP_INLINE int merge() {
    int last = -1;
    for (int d = 0; d < job_.rank; ++d) {
      bool mergeable = last >= 0 && marked_[last] == marked_[d];
      for (int i = 0; i < operands_ && mergeable; ++i) {
        mergeable = stride(i, last) == stride(i, d) * job_.shape[d] && shift(i, d) == 0;
      }
      const index_t merged = mergeable ? job_.shape[last] : 1;
      // What is rolled along the outer axis only is rolled by whole rows.
      for (int i = 0; i < operands_ && mergeable && job_.rolls; ++i) {
        index_t* const shifts = job_.operands[i].shifts;
        if (shifts != nullptr) shifts[d] = shifts[last] * job_.shape[d];
      }
      if (!mergeable) ++last;
      move(d, last);
      job_.shape[last] *= merged;
    }
    job_.rank = last + 1;
    int unmarked = 0;
    for (int d = 0; d < job_.rank; ++d) unmarked += marked_[d] ? 0 : 1;
    if (job_.rank == 0) {
      job_.rank = 1;
      job_.shape[0] = 1;
      for (int i = 0; i < operands_; ++i) job_.operands[i].strides[0] = 1;
    }
    return unmarked;
  }

 private:
  index_t shift(int operand, int d) const {
    const index_t* const shifts = job_.rolls ? job_.operands[operand].shifts : nullptr;
    return shifts == nullptr ? 0 : shifts[d];
  }
  GNP_INLINE void move(int from, int to) {
    job_.shape[to] = job_.shape[from];
    marked_[to] = marked_[from];
    for (int i = 0; i < operands_; ++i) {
      job_operand& o = job_.operands[i];
      o.strides[to] = o.strides[from];
      if (job_.rolls && o.shifts != nullptr) o.shifts[to] = o.shifts[from];
    }
  }
  GNP_INLINE void swap(int a, int b) {
    std::swap(job_.shape[a], job_.shape[b]);
    std::swap(marked_[a], marked_[b]);
    for (int i = 0; i < operands_; ++i) {
      job_operand& o = job_.operands[i];
      std::swap(o.strides[a], o.strides[b]);
      if (job_.rolls && o.shifts != nullptr) std::swap(o.shifts[a], o.shifts[b]);
    }
  }

  job& job_;
  int operands_;
  bool marked_[max_rank];
};

/// Orders axes by the inputs' memory, the largest strides first, and makes the strides of the first input
/// positive. For work in which the order of the elements does not matter. Axes along which no input moves stay
/// where they are.
GNP_DECLARED void order_by_inputs(job_axes& axes, const job& j);

/// Merges an elementwise job's axes into as few as possible. The destination's fastest axis becomes the last,
/// and the destination's strides become positive.
GNP_INLINE void collapse(job& j) {
  job_axes axes(j, j.operand_count());
  for (int d = 0; d < axes.count(); ++d) {
    if (axes.stride(0, d) < 0) axes.turn_round(d);
  }
  axes.sort([&axes](int later, int earlier) { return axes.stride(0, later) > axes.stride(0, earlier); });
  axes.merge();
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void order_by_inputs(job_axes& axes, const job& j) {
  for (int d = 0; d < axes.count(); ++d) {
    if (j.code->inputs > 0 && axes.stride(1, d) < 0) axes.turn_round(d);
  }
  // An array that is broadcast has few elements in memory. Its order matters where the others do not decide.
  const auto elements = [&j, &axes](int input) {
    double count = 1;
    for (int d = 0; d < axes.count(); ++d) {
      if (axes.stride(input, d) != 0) count *= static_cast<double>(j.shape[d]);
    }
    return count;
  };
  double most = 0;
  for (int i = 1; i < j.operand_count(); ++i) {
    if (j.operands[i].block != nullptr) most = (std::max)(most, elements(i));
  }
  const auto least_step = [&](int d, double least_elements) {
    index_t least = 0;
    for (int i = 1; i < j.operand_count(); ++i) {
      const index_t stride = axes.stride(i, d) < 0 ? -axes.stride(i, d) : axes.stride(i, d);
      if (j.operands[i].block != nullptr && (least == 0 || (stride != 0 && stride < least)) &&
          elements(i) >= least_elements)
        least = stride;
    }
    return least;
  };
  axes.sort([&](int later, int earlier) {
    for (const double elements_at_least : {most / 2, 0.0}) {
      const index_t one = least_step(later, elements_at_least), other = least_step(earlier, elements_at_least);
      if (one != 0 && other != 0) return one > other;
    }
    return false;
  });
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
