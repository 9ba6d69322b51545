// SPDX-License-Identifier: MIT
// destination = source where a condition is true. A GPU does not write the other elements, so that a condition
// that is rarely true costs little more than reading it. The CPU makes the choice for every element.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/logic.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace operations {

/// Two expressions that a kernel computes together: the values, and the condition that says where to store
/// them.
struct conditional {
  static constexpr const char* name = "assignment";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};

}  // namespace operations

namespace detail {

template <class V, class C>
inline constexpr expression_code conditional_code{
    .inputs = input_count<V> + input_count<C>,
    .constants = constant_count<V> + constant_count<C>,
    .result = dtype_of<typename V::value_type>,
    .input_types = input_types<expression<operations::conditional, V, C>>.data(),
    .source = &source_of<V>,
    .kernels = kernels_for<expression<operations::conditional, V, C>>,
    .condition = &source_of<C>};

/// If each thread takes one element, do adjacent threads access adjacent elements in memory?
GNP_INLINE bool goes_along_memory(const job& j) {
  return std::all_of(j.operands, j.operands + j.operand_count(), [&j](const job_operand& o) {
    return o.block == nullptr || o.table || j.rank == 0 || o.strides[j.rank - 1] == 0 ||
           o.strides[j.rank - 1] == 1;
  });
}

/// The source has the destination's type. Its shape and the condition's broadcast to the destination's.
template <class T, class C, class V>
void assign_where(const array<T>& destination, const C& condition, const V& source, const char* function) {
#if GNP_HAS_CUDA
  // (With smaller elements, a warp would store too little at a time.)
  if constexpr (sizeof(T) >= 4 && !runs_first_v<C> && !runs_first_v<V>) {
    if (!destination.device().is_cpu()) {
      const expression<operations::conditional, V, C> both(std::in_place, source, condition);
      job_inputs<expression<operations::conditional, V, C>> inputs(both);
      const leaf_view to = view_of(destination);
      check_writable(to, function);
      require_device(destination.device(), inputs.where(function), function);
      job j;
      j.code = &conditional_code<V, C>;
      j.operands = inputs.operands();
      j.constants = inputs.constants();
      lay_out(j, to, inputs.leaves());
      if (j.count == 0) return;
      collapse(j);
      if (!destination_overlaps_input(j) && goes_along_memory(j)) return run(j);
    }
  }
#endif
  assign(destination, where(condition, source, destination), function);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
