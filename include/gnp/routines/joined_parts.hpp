// SPDX-License-Identifier: MIT
// How parts are arranged along an axis of a result, and how each is written to its place there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <gnp/exec/join/joined.hpp>
#include <gnp/exec/statement/formula_list.hpp>
#include <gnp/expr/reduced.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/routines/parts.hpp>
#include <gnp/routines/stretches.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// How parts are placed along one axis of a result. Each part first gets axes of size 1 at the positions in
/// `added`.
struct join_plan {
  shape_t shape;
  int axis = 0;
  std::vector<shape_t> added;
};

/// Sets the shape of the result; throws if the parts do not fit together.
GNP_DECLARED void fit_together(join_plan& plan, const std::vector<shape_t>& shapes, index_t axis,
                               const char* function);

/// Runs the plan: each part is computed directly into its place.
template <class T, class Parts>
void join_into(const array<T>& result, const Parts& parts, const part_shapes& known, const join_plan& plan,
               const char* function) {
  index_t start = 0;
  std::size_t i = 0;
  for_each_part(parts, [&](const auto& part) {
    const shape_t& added = plan.added[i];
    const index_t length = with_axes(known.shapes[i++], added)[plan.axis];
    assign(without_axes(stretch_of(result, plan.axis, start, length), added), part, function);
    start += length;
  });
}

/// Writes all parts with one GPU kernel. The parts must alternate in each row of the result, with a few bytes
/// each, or follow each other in its only row. False if one kernel for each part is as good.
template <class T, class Parts>
bool join_at_once([[maybe_unused]] const array<T>& result, [[maybe_unused]] const Parts& parts,
                  [[maybe_unused]] const part_shapes& known, [[maybe_unused]] index_t rows,
                  [[maybe_unused]] const char* function) {
#if GNP_HAS_CUDA
  if (result.device().is_cpu() || result.size() == 0) return false;
  const index_t first = element_count(known.shapes[0], function);
  const bool alike = std::all_of(known.shapes.begin(), known.shapes.end(),
                                 [&](const shape_t& shape) { return element_count(shape, function) == first; });
  const auto row_bytes = static_cast<std::size_t>(first / rows) * sizeof(T);
  const bool beside = rows > 1 && alike && can_interleave(known.shapes.size(), row_bytes);
  if (!beside && (rows > 1 || known.shapes.size() < 2)) return false;

  const auto in_place = [](const auto& part) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, array<T>>) {
      return part.is_contiguous();
    } else {
      return false;
    }
  };
  bool all_in_place = true;
  for_each_part(parts, [&](const auto& part) { all_in_place = all_in_place && in_place(part); });
  // A part that is not such an array takes a kernel in any case: then one is enough.
  constexpr index_t few_bytes = 1 << 20;
  if (!all_in_place && (!beside || result.nbytes() < few_bytes)) return false;

  const watched_work watched(result.device(), [&] {
    return facts_of(function, dtype_of<T>, 2 * static_cast<std::size_t>(result.nbytes()));
  });
  std::vector<array<T>> made;
  std::vector<joined_part> list;
  for_each_part(parts, [&](const auto& part) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, array<T>>) {
      const bool fits = in_place(part) && (!beside || reinterpret_cast<std::uintptr_t>(part.data()) % 16 == 0);
      if (fits) made.push_back(part);
    }
    if (made.size() == list.size()) {
      made.emplace_back(part.shape(), result.device(), function);
      assign(made.back(), part, function);
    }
    const array<T>& a = made.back();
    list.push_back({a.data(), a.block().get(), static_cast<std::size_t>(a.nbytes())});
  });
  if (beside) {
    interleave(result.data(), *result.block().get(), list, row_bytes);
  } else {
    join_consecutive(result.data(), *result.block().get(), list);
  }
  return true;
#else
  return false;
#endif
}

/// Could one kernel compute parts of these types together? Not if they are all arrays, or if one is computed by
/// itself, as products of matrices are.
template <class Parts>
inline constexpr bool may_be_formulas_v = !is_array_v<std::ranges::range_value_t<const Parts>> &&
                                          !is_deferred_v<std::ranges::range_value_t<const Parts>>;
template <class... X>
inline constexpr bool may_be_formulas_v<std::tuple<X...>> =
    (is_expression_v<std::remove_cvref_t<X>> || ...) &&
    !((is_deferred_v<std::remove_cvref_t<X>> && !is_reduced_v<std::remove_cvref_t<X>>) || ...);

/// Do all parts have one shape, and the same place in the result but for where it begins?
GNP_DECLARED bool are_alike(const part_shapes& known, const join_plan& plan);

#if GNP_HAS_CUDA
/// Writes the parts, which are alike, to their places in the result. False if separate kernels are better.
template <class T>
bool write_to_places(const formula_list& list, const array<T>& result, const join_plan& plan) {
  if (!list.can_join()) return false;
  const std::size_t count = plan.added.size();
  const index_t length = plan.shape[plan.axis] / static_cast<index_t>(count);
  std::vector<array<T>> places;
  for (std::size_t i = 0; i < count; ++i) {
    const index_t start = static_cast<index_t>(i) * length;
    places.push_back(without_axes(stretch_of(result, plan.axis, start, length), plan.added[i]));
  }
  std::vector<leaf_view> views;
  for (const array<T>& place : places) views.push_back(view_of(place));
  return list.write(views.data());
}
#endif

/// Computes formulas, and arrays and reductions among them, with one GPU kernel, which reads once what several
/// of them need. False on the CPU, or if separate kernels are better.
template <class T, class Parts>
bool join_formulas([[maybe_unused]] const array<T>& result, [[maybe_unused]] const Parts& parts,
                   [[maybe_unused]] const part_shapes& known, [[maybe_unused]] const join_plan& plan) {
#if GNP_HAS_CUDA
  if constexpr (may_be_formulas_v<Parts>) {
    if (result.device().is_cpu() || result.size() == 0 || !known.all_on_device || !are_alike(known, plan))
      return false;
    formula_list list;
    if constexpr (is_tuple_of_arrays_v<Parts>) {
      const auto convert = [](const auto& part) {
        if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(part)>::value_type, T>) {
          return part;
        } else {
          return part.template astype<T>();
        }
      };
      const auto write = [&](const auto&... converted) {
        (list.add(converted), ...);
        return write_to_places(list, result, plan);
      };
      return std::apply([&](const auto&... part) { return write(convert(part)...); }, parts);
    } else {
      for (const auto& part : parts) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(part)>, part_in_braces<T>>) {
          part.add_to(list);
        } else {
          list.add(part);
        }
      }
      return write_to_places(list, result, plan);
    }
  }
#endif
  return false;
}

template <class Parts>
array<joined_type<Parts>> join(const Parts& parts, const part_shapes& known, const join_plan& plan,
                               const char* function) {
  const array<joined_type<Parts>> result(plan.shape, known.where.value_or(default_device()), function);
  index_t rows = 1;
  for (int d = 0; d < plan.axis; ++d) rows *= plan.shape[d];
  if (!join_formulas(result, parts, known, plan) && !join_at_once(result, parts, known, rows, function))
    join_into(result, parts, known, plan, function);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE bool are_alike(const part_shapes& known, const join_plan& plan) {
  const auto same = [](const std::vector<shape_t>& shapes) {
    return std::all_of(shapes.begin(), shapes.end(), [&](const shape_t& shape) { return shape == shapes[0]; });
  };
  return same(known.shapes) && same(plan.added);
}

GNP_INLINE void fit_together(join_plan& plan, const std::vector<shape_t>& shapes, index_t axis,
                             const char* function) {
  const std::string name = std::string(function) + ": ";
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const shape_t shape = with_axes(shapes[i], plan.added[i]);
    if (i == 0) {
      if (shape.empty()) throw shape_error(name + "zero-dimensional arrays cannot be concatenated");
      plan.axis = normalize_axis(axis, shape.rank(), function);
      plan.shape = shape;
      continue;
    }
    if (shape.rank() != plan.shape.rank()) {
      throw shape_error(
          name + "all the input arrays must have same number of dimensions, but the array at index 0 has " +
          std::to_string(plan.shape.rank()) + " dimension(s) and the array at index " + std::to_string(i) +
          " has " + std::to_string(shape.rank()) + " dimension(s)");
    }
    for (int d = 0; d < shape.rank(); ++d) {
      if (d == plan.axis || shape[d] == plan.shape[d]) continue;
      throw shape_error(
          name +
          "all the input array dimensions except for the concatenation axis must match exactly, but along "
          "dimension " +
          std::to_string(d) + ", the array at index 0 has size " + std::to_string(plan.shape[d]) +
          " and the array at index " + std::to_string(i) + " has size " + std::to_string(shape[d]));
    }
    plan.shape[plan.axis] = sum_of_sizes(plan.shape[plan.axis], shape[plan.axis], function);
  }
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
