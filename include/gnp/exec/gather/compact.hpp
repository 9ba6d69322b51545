// SPDX-License-Identifier: MIT
// The elements of one expression for which another is true.
#pragma once

#include <gnp/array/array_list.hpp>
#include <gnp/exec/assign.hpp>
#include <gnp/exec/gather/compact_code.hpp>
#include <gnp/exec/layout/job_axes.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/memory/bad_index.hpp>
#include <gnp/memory/watched_work.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/gather/cpu_compact.hpp>
#include <gnp/exec/gather/gpu_compact.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace operations {

/// Two expressions that a compaction computes together: the values, and the condition that says which of them
/// are kept.
struct compaction {
  static constexpr const char* name = "index";
  static constexpr bool native = false;
  static constexpr auto rule() { return ::gnp::detail::gather_rule{}; }
};

}  // namespace operations

namespace detail {

template <class V, class C>
inline constexpr expression_code compaction_code{
    .inputs = input_count<V> + input_count<C>,
    .constants = constant_count<V> + constant_count<C>,
    .result = dtype_of<typename V::value_type>,
    .input_types = input_types<expression<operations::compaction, V, C>>.data(),
    .source = &source_of<V>};
template <class V, class C>
inline constexpr compact_code compact_code_of{&compaction_code<V, C>, &source_of<C>,
                                              kernels_for<expression<operations::compaction, V, C>>,
                                              std::is_same_v<V, position>};

/// Calls f with a job for the source's elements in row-major order, whose destination has no memory yet.
template <class X, class F>
void with_row_major_job(const X& source, const shape_t& shape, device where, const expression_code& code,
                        const F& f) {
  job_inputs<X> inputs(source);
  job j;
  j.code = &code;
  j.operands = inputs.operands();
  j.constants = inputs.constants();
  j.where = where;
  j.rank = shape.rank();
  j.count = element_count(shape, "index");
  std::copy(shape.begin(), shape.end(), j.shape);
  const shape_t rows = contiguous_strides(shape);
  j.operands[0].itemsize = static_cast<int>(itemsize(code.result));
  std::copy(rows.begin(), rows.end(), j.operands[0].strides);
  for (int i = 0; i < input_count<X>; ++i) {
    set_operand(j.operands[i + 1], inputs.leaves()[i], shape);
  }
  job_axes(j, j.operand_count()).merge();
  f(j);
}

/// The truth values of the condition, contiguous in row-major order.
template <class C>
array<bool> in_rows(const C& condition, device where) {
  if constexpr (is_array_v<C>) {
    if (condition.is_contiguous()) return condition;
  }
  const array<bool> result(condition.shape(), where, "index");
  assign(result, condition, "index");
  return result;
}

/// The elements of `values` (an array, an expression or positions) where `condition` (of bool, on `where`) is
/// true, in row-major order. The result is a new array of one axis. It starts with `room` more elements, which
/// the caller is to write. `values` and `condition` have the same shape.
template <class V, class C>
array<typename V::value_type> compact(const V& values, const C& condition, device where, index_t room = 0) {
  using T = typename V::value_type;
  const shape_t shape = condition.shape();
  const index_t count = element_count(shape, "index");
  if (count == 0) return array<T>(shape_t{room}, where, "index");
  const watched_work watched(where, [count] {
    return facts_of("index by a mask,", dtype_of<T>, static_cast<std::size_t>(count) * (sizeof(T) + 1));
  });
  if (where.is_cpu()) {
    const array<bool> keep = in_rows(condition, where);
    const auto* bytes = reinterpret_cast<const unsigned char*>(keep.data());
    const std::vector<index_t> before = kept_before(bytes, count);
    const array<T> result(shape_t{room + before.back()}, where, "index");
    with_row_major_job(values, shape, where, code_of<V>, [&](const job& j) {
      compact_on_cpu(j, bytes, before, std::is_same_v<V, position>,
                     reinterpret_cast<char*>(result.data() + room));
    });
    throw_bad_index_on_cpu();
    return result;
  }
#if GNP_HAS_CUDA
  const expression<operations::compaction, V, C> both(std::in_place, values, condition);
  const compact_code& code = compact_code_of<V, C>;
  const auto run_to = [&](const array<T>& to) {
    index_t kept = 0;
    with_row_major_job(both, shape, where, *code.elements, [&](job& j) {
      j.operands[0].data = reinterpret_cast<char*>(to.data() + room);
      j.operands[0].block = to.block().get();
      kept = compact_on_gpu(j, code, to.size() - room);
    });
    return kept;
  };
  // Room for all elements, so that one pass is enough. If there is not that much memory, another pass counts
  // first.
  array<T> all;
  index_t kept = 0;
  try {
    all = array<T>(shape_t{room + count}, where, "index");
  } catch (const out_of_memory&) {
    kept = run_to(array<T>(shape_t{room}, where, "index"));
    all = array<T>(shape_t{room + kept}, where, "index");
  }
  kept = run_to(all);
  const array<T> result = all.view({0, shape_t{room + kept}, shape_t{1}});
  // Do not keep much memory for a few elements, if saving it is worth a copy.
  constexpr index_t worth_a_copy = 1 << 16;
  return kept < count / 4 && all.nbytes() > worth_a_copy ? result.copy() : result;
#else
  return {};
#endif
}

/// The coordinates of the elements where a condition on the CPU is true: one array for each axis or, if
/// `as_one_array`, one array with a row for each element.
template <class C>
array_list<std::int64_t> true_coordinates(const C& condition, bool as_one_array, const char* function) {
  const shape_t shape = condition.shape();
  const index_t count = element_count(shape, function);
  const device where = condition.device();
  const watched_work watched(where,
                             [&] { return facts_of(function, dtype::int64, static_cast<std::size_t>(count)); });
  const array<bool> keep = in_rows(condition, where);
  const auto* bytes = reinterpret_cast<const unsigned char*>(keep.data());
  const std::vector<index_t> before = kept_before(bytes, count);
  array_list<std::int64_t> result;
  std::int64_t* to[max_rank] = {};
  for (int d = 0; d < shape.rank(); ++d) {
    if (!as_one_array) {
      result.emplace_back(shape_t{before.back()}, where, function);
    } else if (d == 0) {
      result.emplace_back(shape_t{before.back(), shape.rank()}, where, function);
    }
    to[d] = as_one_array ? result[0].data() + d : result.back().data();
  }
  if (before.back() > 0) coordinates_on_cpu(bytes, shape, before, to, as_one_array ? shape.rank() : 1);
  return result;
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
