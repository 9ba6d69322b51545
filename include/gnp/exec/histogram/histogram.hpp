// SPDX-License-Identifier: MIT
// From a typed expression and a kind of bins to counts, or to sums of weights, and off to its device.
#pragma once

#include <gnp/exec/histogram/cpu_histogram.hpp>
#include <gnp/exec/histogram/gpu_histogram.hpp>
#include <gnp/exec/reduce/reduce.hpp>
#include <gnp/memory/watched_work.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// Kinds of bins under their names in kernels.
struct numbered_finder {
  static constexpr const char* text = "numbered_bins";
  template <class>
  using type = scalar::numbered_bins;
};
struct even_finder {
  static constexpr const char* text = "even_bins<C>";
  template <class C>
  using type = scalar::even_bins<C>;
};
struct edged_finder {
  static constexpr const char* text = "edged_bins<C>";
  template <class C>
  using type = scalar::edged_bins<C>;
};

#if GNP_HAS_CUDA
template <class Finder, class C, class X>
inline kernel_table histogram_kernels_of[bin_works];
template <class Finder, class C, class X>
inline constexpr kernel_table* histogram_kernels_for = histogram_kernels_of<Finder, C, X>;
#else
template <class Finder, class C, class X>
inline constexpr kernel_table* histogram_kernels_for = nullptr;
#endif

template <class Finder, class C, class X>
inline constexpr histogram_code histogram_code_of = [] {
  using loops = binning_loops<typename Finder::template type<C>, typename X::value_type>;
  return histogram_code{
      &program_of<X>, histogram_kernels_for<Finder, C, X>, Finder::text, dtype_of<C>, loops::count, loops::add};
}();

/// The edges in memory, of type C, of bins that have some.
template <class C>
struct edges_in_memory {
  scalar::bin_layout bins;
  array<C> edges;
};

/// Runs a histogram of x, whose result has as many elements as there are bins; weights have x's shape.
template <class Finder, class C, class R, array_like X>
array<R> histogram_of(const X& x, const edges_in_memory<C>& bins, const array<double>* weights,
                      const char* function) {
  const shape_t shape = x.shape();
  job_inputs<X> inputs(x);
  const device where = inputs.where(function).value_or(default_device());
  if (weights != nullptr) require_same_device(function, where, weights->device());
  const array<R> result(shape_t{static_cast<index_t>(bins.bins.count)}, where, function);
  const index_t count = element_count(shape, function);
  if (count == 0 || result.size() == 0) {
    result.fill(R());
    return result;
  }
  histogram_job h;
  h.code = &histogram_code_of<Finder, C, X>;
  h.bins = bins.bins;
  h.weighted = weights != nullptr;
  if (bins.edges.size() > 0) {
    require_same_device(function, where, bins.edges.device());
    h.edges = bins.edges.block().get();
    h.bins.edges = bins.edges.data();
  }
  job& j = h.values;
  j.code = h.code->values;
  j.operands = inputs.operands();
  j.constants = inputs.constants();
  j.where = where;
  j.rank = shape.rank();
  j.count = count;
  std::copy(shape.begin(), shape.end(), j.shape);
  set_memory(j.operands[0], view_of(result));
  std::fill_n(j.operands[0].strides, shape.size(), 0);
  for (int i = 0; i < input_count<X>; ++i) set_operand(j.operands[i + 1], inputs.leaves()[i], shape);
  if (weights != nullptr) set_operand(j.operands[input_count<X> + 1], view_of(*weights), shape);
  const watched_work watched(where, [&] { return facts_of(j, function, dtype_of<R>); });
  collapse(h);
  if (where.is_cpu()) {
    result.fill(R());
    if constexpr (std::is_same_v<R, double>) {
      add_weights_on_cpu(h, program_of<array<double>>, result.data());
    } else {
      count_on_cpu(h, result.data());
    }
    throw_bad_index_on_cpu();
  } else {
#if GNP_HAS_CUDA
    if constexpr (std::is_same_v<R, double>) {
      add_weights_on_gpu(h);
    } else {
      count_on_gpu(h);
    }
#endif
  }
  return result;
}

/// How many values are in each bin.
template <class Finder, class C, array_like X>
array<std::int64_t> count_in_bins(const X& x, const edges_in_memory<C>& bins, const char* function) {
  if constexpr (runs_first_v<X>) {
    return count_in_bins<Finder>(x.eval(), bins, function);
  } else {
    return histogram_of<Finder, C, std::int64_t>(x, bins, nullptr, function);
  }
}

/// The sum of the weights in each bin.
template <class Finder, class C, array_like X>
array<double> add_in_bins(const X& x, const edges_in_memory<C>& bins, const array<double>& weights,
                          const char* function) {
  if constexpr (runs_first_v<X>) {
    return add_in_bins<Finder>(x.eval(), bins, weights, function);
  } else {
    return histogram_of<Finder, C, double>(x, bins, &weights, function);
  }
}

}}}  // namespace gnp::GNP_ABI::detail
