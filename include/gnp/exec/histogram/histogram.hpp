// SPDX-License-Identifier: MIT
// From a typed expression and a kind of bins to a histogram of counts, or of sums of weights, on its device.
#pragma once

#include <gnp/exec/histogram/binning_loops.hpp>
#include <gnp/exec/reduce/reduce.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/histogram/run_histogram.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

// The kinds of bins, with their names in kernels.
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
      &code_of<X>, histogram_kernels_for<Finder, C, X>, Finder::text, dtype_of<C>, loops::count, loops::add};
}();

/// Bins, and their edges in memory if there are any. Edges have type C.
template <class C>
struct edges_in_memory {
  scalar::bin_layout bins;
  array<C> edges;
};

/// Computes a histogram of x in `result`: one count or sum for each bin, or one bit for each bin, which a GPU
/// packs into words. Weights have the shape of x.
template <class Finder, class C, class R, array_like X>
void histogram_into(const array<R>& result, const X& x, const edges_in_memory<C>& bins,
                    const array<double>* weights, const char* function) {
  const shape_t shape = x.shape();
  job_inputs<X> inputs(x);
  const device where = result.device();
  const index_t count = element_count(shape, function);
  if (count == 0 || result.size() == 0) {
    result.fill(R());
    return;
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
  constexpr bin_work kind = std::is_same_v<R, double>         ? bin_work::add_weights
                            : std::is_same_v<R, std::int64_t> ? bin_work::count
                                                              : bin_work::mark;
  run_histogram(h, kind, view_of(result), static_cast<std::size_t>(result.nbytes()), code_of<array<double>>,
                function);
}

/// An array for the result, with one element for each bin, on x's device.
template <class R, array_like X, class C>
array<R> room_for_bins(const X& x, const edges_in_memory<C>& bins, const char* function) {
  return array<R>(shape_t{static_cast<index_t>(bins.bins.count)}, device_of(x).value_or(default_device()),
                  function);
}

/// How many values are in each bin.
template <class Finder, class C, array_like X>
array<std::int64_t> count_in_bins(const X& x, const edges_in_memory<C>& bins, const char* function) {
  if constexpr (runs_first_v<X>) {
    return count_in_bins<Finder>(x.eval(), bins, function);
  } else {
    const array<std::int64_t> counts = room_for_bins<std::int64_t>(x, bins, function);
    histogram_into<Finder>(counts, x, bins, nullptr, function);
    return counts;
  }
}

#if GNP_HAS_CUDA
/// Which bins have values, for x on a GPU: one bit for each bin, packed into words from the lowest bit on.
template <class Finder, class C, array_like X>
array<std::uint32_t> mark_bins(const X& x, const edges_in_memory<C>& bins, const char* function) {
  const array<std::uint32_t> marks(shape_t{static_cast<index_t>(bins.bins.count + 31) / 32},
                                   device_of(x).value_or(default_device()), function);
  histogram_into<Finder>(marks, x, bins, nullptr, function);
  return marks;
}
#endif

/// The sum of the weights in each bin.
template <class Finder, class C, array_like X>
array<double> add_in_bins(const X& x, const edges_in_memory<C>& bins, const array<double>& weights,
                          const char* function) {
  if constexpr (runs_first_v<X>) {
    return add_in_bins<Finder>(x.eval(), bins, weights, function);
  } else {
    const array<double> sums = room_for_bins<double>(x, bins, function);
    require_same_device(function, sums.device(), weights.device());
    histogram_into<Finder>(sums, x, bins, &weights, function);
    return sums;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
