// SPDX-License-Identifier: MIT
// Where assignment and evaluation happen: from a typed expression to a job, and off to its device.
#pragma once

#include <gnp/exec/elementwise/cpu_tiles.hpp>
#include <gnp/exec/elementwise/gpu_run.hpp>
#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/gather/gather_node.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/expression_source.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Calls f with every array, position and constant of an expression, in the order they are written.
template <class X, class F>
void for_each_leaf(const X& x, F&& f) {
  if constexpr (is_expression_v<X>) {
    std::apply([&f](const auto&... operand) { (for_each_leaf(operand, f), ...); }, x.operands());
  } else {
    f(x);
  }
}

template <class X>
constexpr auto input_types_of() {
  std::array<dtype, static_cast<std::size_t>(input_count<X>) + 1> types{};
  if constexpr (is_expression_v<X>) {
    []<class Op, class... Operands>(const expression<Op, Operands...>*, auto& list) {
      std::size_t next = 0;
      const auto append = [&list, &next](const auto& part, int count) {
        for (int i = 0; i < count; ++i) list[next++] = part[static_cast<std::size_t>(i)];
      };
      (append(input_types_of<Operands>(), input_count<Operands>), ...);
    }(static_cast<const X*>(nullptr), types);
  } else if constexpr (!is_constant_v<X>) {
    types[0] = dtype_of<typename X::value_type>;
  }
  return types;
}

template <class X>
inline constexpr auto input_types = input_types_of<X>();

#if GNP_HAS_CUDA
template <class X>
inline kernel_table kernels_of;
template <class X>
inline constexpr kernel_table* kernels_for = &kernels_of<X>;
#else
template <class X>
inline constexpr kernel_table* kernels_for = nullptr;
#endif

template <class X>
inline constexpr program program_of{input_count<X>,        constant_count<X>, dtype_of<typename X::value_type>,
                                    input_types<X>.data(), compute<X>,        write_source<X>,
                                    kernels_for<X>,        is_array_v<X>};

template <class X>
constexpr const char* function_name() {
  if constexpr (is_expression_v<X>) {
    return X::op::name;
  } else {
    return "assignment";
  }
}

/// Room for an expression's inputs.
template <class X>
using leaf_list = std::array<leaf_view, static_cast<std::size_t>(input_count<X>) + 1>;

/// The arrays and positions of an expression, in the order they are written; one more than there are, unused.
template <class X>
leaf_list<X> leaves_of(const X& source) {
  static_assert(input_count<X> <= most_operands - 1,
                "gnp: an expression of more than 64 arrays: compute a part of it first with .eval()");
  leaf_list<X> leaves;
  std::size_t next = 0;
  for_each_leaf(source, [&leaves, &next](const auto& leaf) {
    using leaf_type = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (!is_constant_v<leaf_type>) leaves[next++] = view_of(leaf);
  });
  return leaves;
}

/// Room for an expression's constants, each in a slot of its own.
template <class X>
using constant_list = std::array<unsigned char, constant_slot*(constant_count<X> + 1)>;

template <class X>
void copy_constants(const X& source, constant_list<X>& constants) {
  std::size_t next = 0;
  for_each_leaf(source, [&constants, &next](const auto& leaf) {
    using leaf_type = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (is_constant_v<leaf_type>) {
      leaf.copy_to(constants.data() + constant_slot * next);
      next += constant_count<leaf_type>;
    }
  });
}

/// The device all arrays of an expression are on; nothing where it has none (arange and the like).
template <class X>
std::optional<device> device_of(const X& source) {
  const leaf_list<X> leaves = leaves_of(source);
  return common_device(leaves.data(), input_count<X>, function_name<X>());
}

GNP_INLINE void run(job& j) {
  collapse(j);
  if (j.where.is_cpu()) {
    const cpu_tiling cut = cut_into_tiles(j);
    cut.axis >= 0 ? run_tiles_on_cpu(j, cut) : run_on_cpu(j);
    return throw_bad_index_on_cpu();
  }
#if GNP_HAS_CUDA
  run_on_gpu(j);
  check_sent_indices(j.where);
#endif
}

/// Calls f with the job of running `source`, whose leaves these are, into `destination`; not collapsed yet.
template <class T, class X, class F>
void with_job(const array<T>& destination, const X& source, const leaf_list<X>& leaves, const F& f) {
  std::array<job_operand, static_cast<std::size_t>(input_count<X>) + 1> operands;
  alignas(16) constant_list<X> constants;
  copy_constants(source, constants);
  job j;
  j.code = &program_of<X>;
  j.operands = operands.data();
  j.constants = constants.data();
  lay_out(j, view_of(destination), leaves.data());
  f(j);
}

template <class T, class X, class F>
void with_job(const array<T>& destination, const X& source, const F& f) {
  with_job(destination, source, leaves_of(source), f);
}

/// Runs `source` into `destination`, whose shape it broadcasts to and whose element type it has.
/// Where the memory of the two overlaps, `source` is computed first.
template <class T, class X>
void run_into(const array<T>& destination, const X& source, const leaf_list<X>& leaves) {
  bool overlapping = false;
  with_job(destination, source, leaves, [&overlapping](job& j) {
    if (j.count == 0) return;
    overlapping = destination_overlaps_input(j);
    if (!overlapping) run(j);
  });
  if (overlapping) {
    const array<T> first(destination.shape(), destination.device(), "assignment");
    run_into(first, source, leaves);
    run_into(destination, first, leaves_of(first));
  }
}

template <array_like X>
array<typename X::value_type> evaluate(const X& source) {
  if constexpr (is_array_v<X>) {
    return source;
  } else if constexpr (is_deferred_v<X>) {
    return source.compute();
  } else {
    const leaf_list<X> leaves = leaves_of(source);
    const device where = common_device(leaves.data(), input_count<X>, X::op::name).value_or(default_device());
    array<typename X::value_type> result(
        source.shape(), dense_strides(leaves.data(), input_count<X>, source.shape()), where, X::op::name);
    with_job(result, source, leaves, [](job& j) {
      if (j.count > 0) run(j);  // into new memory: nothing overlaps
    });
    return result;
  }
}

template <class From, class To>
constexpr void check_same_kind() {
  static_assert(
      same_kind_cast(dtype_of<From>, dtype_of<To>),
      "gnp: this assignment would lose information (NumPy's same_kind rule): convert with .astype<T>() first");
}

/// The source with the shape an assignment takes it in: extra leading axes of size 1 go, as in NumPy.
template <class T>
array<T> without_leading_ones(const array<T>& source, int rank) {
  view_layout layout{0, source.shape(), source.element_strides()};
  while (layout.shape.rank() > rank && layout.shape[0] == 1) {
    layout.shape.erase(0);
    layout.strides.erase(0);
  }
  return source.view(layout);
}

template <class T, class X>
void assign(const array<T>& destination, const X& source, const char* function) {
  if constexpr (scalar_like<X>) {
    assign(destination, make_constant<T>(source, function), function);
  } else if constexpr (is_deferred_v<X> && std::is_same_v<typename X::value_type, T>) {
    check_writable(view_of(destination), function);
    source.compute_into(destination, function);
  } else if constexpr (!std::is_same_v<typename X::value_type, T>) {
    static_assert(!is_complex(dtype_of<typename X::value_type>) || is_complex(dtype_of<T>),
                  "gnp: a complex value does not fit a real array: take gnp::real(...) or gnp::abs(...) of it");
    assign(destination, source.template astype<T>(), function);
  } else {
    check_writable(view_of(destination), function);
    const leaf_list<X> leaves = leaves_of(source);
    if constexpr (!is_constant_v<X>) {
      const std::optional<device> where = common_device(leaves.data(), input_count<X>, function_name<X>());
      if (where && !(*where == destination.device())) {
        throw_mixed_devices(function, destination.device(), *where);
      }
      if (!broadcasts_to(source.shape(), destination.shape())) {
        if constexpr (is_array_v<X>) {
          const array<T> reduced = without_leading_ones(source, destination.ndim());
          if (broadcasts_to(reduced.shape(), destination.shape()))
            return assign(destination, reduced, function);
        } else if (source.shape().rank() > destination.ndim() && source.shape()[0] == 1) {
          return assign(destination, evaluate(source), function);
        }
        throw shape_error(std::string(function) + ": could not broadcast from shape " +
                          to_string(source.shape()) + " into shape " + to_string(destination.shape()));
      }
    }
    run_into(destination, source, leaves);
  }
}

}  // namespace detail

template <class Op, class... Operands>
gnp::device expression<Op, Operands...>::device() const {
  return detail::device_of(*this).value_or(default_device());
}

}}  // namespace gnp::GNP_ABI
