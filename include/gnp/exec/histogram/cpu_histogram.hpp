// SPDX-License-Identifier: MIT
// A histogram on the CPU. Each thread has its own counters. Weights are added up in pieces, and then the sums
// of the pieces in order, so that the result does not depend on the number of threads.
#pragma once

#include <gnp/exec/histogram/binning_loops.hpp>
#include <gnp/exec/reduce/cpu_reduce.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Calls f(values, count) for the values [begin, end), a buffer's worth at a time.
template <class F>
void for_each_buffer(const job& j, index_t begin, index_t end, const F& f) {
  value_reader reader(j);
  const index_t most = reader.in_place() ? end - begin : values_at_once;
  for (index_t done = begin; done < end;) {
    const index_t count = (std::min)(most, end - done);
    f(reader.values(done, count), count);
    done += count;
  }
}

GNP_INLINE void count_on_cpu(const histogram_job& h, std::int64_t* counts) {
  const job& j = h.values;
  const index_t bins = h.bins.count;
  // (Tables have to be cleared and added up, which takes longer than counting a few values.)
  const index_t tables = bins <= most_bins_in_tables && j.count >= 4 * counter_tables * bins ? counter_tables : 1;
  std::mutex adding;
  parallel_for(j.count, cpu_grain + 4 * bins, [&](index_t begin, index_t end) {
    if (tables == 1 && end - begin == j.count) {  // one thread: it needs no counters of its own
      for_each_buffer(j, begin, end, [&](const void* values, index_t count) {
        h.code->count(values, count, h.bins, counts, 1);
      });
      return;
    }
    std::vector<std::int64_t> own(static_cast<std::size_t>(tables * bins));
    for_each_buffer(j, begin, end, [&](const void* values, index_t count) {
      h.code->count(values, count, h.bins, own.data(), tables);
    });
    const std::lock_guard lock(adding);
    for (index_t table = 0; table < tables; ++table) {
      for (index_t bin = 0; bin < bins; ++bin) counts[bin] += own[static_cast<std::size_t>(table * bins + bin)];
    }
  });
}

GNP_INLINE void add_weights_on_cpu(const histogram_job& h, const expression_code& weight_code, double* sums) {
  const job& j = h.values;
  // A job with the weights as its only input.
  job weights = j;
  weights.code = &weight_code;
  weights.operands = j.operands + j.operand_count() - 1;
  const index_t bins = h.bins.count;
  const index_t piece = (std::max)(index_t{1} << 18, 4 * bins);
  const index_t pieces = (j.count + piece - 1) / piece;
  const index_t at_once = (std::min)(pieces, index_t{get_num_threads()});
  std::vector<double> memory(static_cast<std::size_t>(at_once * bins));
  for (index_t first = 0; first < pieces; first += at_once) {
    const index_t last = (std::min)(first + at_once, pieces);
    std::fill(memory.begin(), memory.end(), 0.0);
    parallel_for(last - first, 1, [&](index_t p, index_t end) {
      for (; p < end; ++p) {
        double* own = memory.data() + p * bins;
        value_reader values(j);
        value_reader added(weights);
        const index_t stop = (std::min)((first + p + 1) * piece, j.count);
        for (index_t done = (first + p) * piece; done < stop;) {
          const index_t count = (std::min)(values_at_once, stop - done);
          h.code->add(values.values(done, count), static_cast<const double*>(added.values(done, count)), count,
                      h.bins, own);
          done += count;
        }
      }
    });
    for (index_t p = 0; p < last - first; ++p) {
      for (index_t bin = 0; bin < bins; ++bin) sums[bin] += memory[static_cast<std::size_t>(p * bins + bin)];
    }
  }
}

}}}  // namespace gnp::GNP_ABI::detail
