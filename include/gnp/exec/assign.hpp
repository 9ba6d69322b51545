// SPDX-License-Identifier: MIT
// Assignment and evaluation: a typed expression becomes a job, which runs on its device.
#pragma once

#include <gnp/exec/elementwise/job_inputs.hpp>
#include <gnp/exec/elementwise/kernel_table.hpp>
#include <gnp/exec/elementwise/loop.hpp>
#include <gnp/exec/gather/gather_node.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/exec/text/node_source.hpp>
#include <optional>
#ifdef GNP_READS_BODIES
#include <gnp/exec/elementwise/run_job.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {
namespace detail {

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
  } else if constexpr (stays_in_expressions_v<X>) {
    return input_types_of<typename X::operand_type>();
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
inline constexpr expression_code code_of{.inputs = input_count<X>,
                                         .constants = constant_count<X>,
                                         .result = dtype_of<typename X::value_type>,
                                         .input_types = input_types<X>.data(),
                                         .compute = compute<X>,
                                         .source = &source_of<X>,
                                         .kernels = kernels_for<X>,
                                         .plain = is_array_v<X>};

template <class X>
constexpr const char* function_name() {
  if constexpr (is_expression_v<X>) {
    return X::op::name;
  } else {
    return "assignment";
  }
}

/// The device that all arrays of an expression are on; nothing if it has no arrays (arange and similar
/// expressions).
template <class X>
std::optional<device> device_of(const X& source) {
  if constexpr (has_reductions_v<X>) {
    std::optional<device> where;
    const auto find = [&where](const auto& self, const auto& x) -> void {
      using node = std::remove_cvref_t<decltype(x)>;
      if constexpr (is_expression_v<node>) {
        const auto each = [&self](const auto& operand) { self(self, operand); };
        x.for_each_operand(each);
      } else if constexpr (stays_in_expressions_v<node>) {
        self(self, x.operand());
      } else if constexpr (!is_constant_v<node>) {
        const auto found = device_of(x);
        if (where && found) require_same_device(function_name<X>(), *where, *found);
        where = found ? found : where;
      }
    };
    find(find, source);
    return where;
  } else {
    return job_inputs<X>(source).where(function_name<X>());
  }
}

/// Runs a job on the device that its memory is on.
GNP_DECLARED void run(job& j);
/// Computes an expression in memory that does not overlap its inputs.
GNP_DECLARED void run_apart(const expression_code& code, const leaf_view& destination, const leaf_view* inputs,
                            const unsigned char* constants, job_operand* operands);
/// Computes an expression in memory that may overlap its inputs. Overlapping inputs are copied first if they
/// are small, such as a row of a matrix; otherwise the result is computed in other memory and then copied.
GNP_DECLARED void run_into(const expression_code& code, const expression_code& copy,
                           const leaf_view& destination, const leaf_view* inputs,
                           const unsigned char* constants, job_operand* operands);

/// Computes an expression of this shape in new memory, which is laid out like its inputs.
template <class R>
array<R> run_into_new(const expression_code& code, const shape_t& shape, const leaf_view* inputs, int count,
                      const unsigned char* constants, job_operand* operands, const char* function) {
  const device where = common_device(inputs, count, function).value_or(default_device());
  const array<R> result(shape, dense_strides(inputs, count, shape), where, function);
  run_apart(code, view_of(result), inputs, constants, operands);
  return result;
}

/// Is this x(index), by one array, and nothing else?
template <class X>
inline constexpr bool is_gather_by_one_v = false;
template <bool Writable, class T, class Index>
inline constexpr bool is_gather_by_one_v<gathered<Writable, T, 1, array<Index>>> = true;

/// x(index) of a few elements on the CPU; nothing where it is not that.
template <bool Writable, class T, class Index>
std::optional<array<T>> few_gathered_on_cpu(const gathered<Writable, T, 1, array<Index>>& x) {
  std::optional<array<T>> result;
  x.operands().apply([&result](const table<T>& from, const position& at, const index_rules<1>& rules,
                               const array<Index>& index) {
    if (!are_few_places_on_cpu(at, rules, index)) return;
    T* const to = result.emplace(at.extent, rules.where, "index").data();
    const T* const elements = from.memory.data();
    for_places_on_cpu(at, rules, index, [&](index_t i, index_t place) { to[i] = elements[place]; });
  });
  return result;
}

template <array_like X>
array<typename X::value_type> evaluate(const X& source);

/// Is this x(...) with formulas among the indices, as in x(i % n), and nothing else?
template <class X>
inline constexpr bool is_gather_by_formulas_v = false;
template <bool Writable, class T, std::size_t Count, class... Index>
inline constexpr bool is_gather_by_formulas_v<gathered<Writable, T, Count, Index...>> =
    (is_expression_v<Index> || ...);

/// An index without its formula.
template <class Index>
auto stored_index(const Index& index) {
  if constexpr (is_expression_v<Index>) {
    return evaluate(index);
  } else {
    return index;
  }
}

/// x(...) on the CPU, where each index is used for many elements: the indices are computed once, and whole rows
/// are copied then. Nothing in other cases.
template <bool Writable, class T, std::size_t Count, class... Index>
std::optional<array<T>> rows_by_formulas_on_cpu(const gathered<Writable, T, Count, Index...>& x) {
  constexpr index_t many = 4;
  std::optional<array<T>> result;
  x.operands().apply(
      [&](const table<T>& from, const position& at, const index_rules<Count>& rules, const Index&... index) {
        if (!rules.where.is_cpu() || x.size() < many * (index.size() + ...)) return;
        using by_arrays = gathered<Writable, T, Count, decltype(stored_index(index))...>;
        result = evaluate(by_arrays(std::in_place, from, at, rules, stored_index(index)...));
      });
  return result;
}

template <array_like X>
array<typename X::value_type> evaluate(const X& source) {
  if constexpr (is_array_v<X>) {
    return source;
  } else if constexpr (is_deferred_v<X>) {
    return source.compute();
  } else if constexpr (has_reductions_v<X>) {
    return evaluate_statement(source);
  } else {
    if constexpr (is_gather_by_one_v<X>) {
      if (auto few = few_gathered_on_cpu(source)) return *std::move(few);
    }
    if constexpr (is_gather_by_formulas_v<X>) {
      if (auto rows = rows_by_formulas_on_cpu(source)) return *std::move(rows);
    }
    job_inputs<X> inputs(source);
    return run_into_new<typename X::value_type>(code_of<X>, source.shape(), inputs.leaves(), inputs.count,
                                                inputs.constants(), inputs.operands(), X::op::name);
  }
}

template <class From, class To>
inline constexpr bool loses_imaginary_part = is_complex(dtype_of<From>) && !is_complex(dtype_of<To>);

template <class From, class To>
constexpr void check_imaginary_part() {
  static_assert(!loses_imaginary_part<From, To>,
                "gnp: a complex value does not fit a real array: take gnp::real(...) or gnp::abs(...) of it");
}

template <class From, class To>
constexpr void check_same_kind() {
  check_imaginary_part<From, To>();
  static_assert(
      loses_imaginary_part<From, To> || same_kind_cast(dtype_of<From>, dtype_of<To>),
      "gnp: this assignment would lose information (NumPy's same_kind rule): convert with .astype<T>() first");
}

/// The source without its extra leading axes of size 1, which an assignment drops, as in NumPy.
template <class T>
array<T> without_leading_ones(const array<T>& source, int rank) {
  view_layout layout{0, source.shape(), source.element_strides()};
  while (layout.shape.rank() > rank && layout.shape[0] == 1) {
    layout.shape.erase(0);
    layout.strides.erase(0);
  }
  return source.view(layout);
}

GNP_INLINE void require_device(device destination, std::optional<device> source, const char* function) {
  if (source) require_same_device(function, destination, *source);
}

[[noreturn, gnu::cold]] GNP_INLINE void throw_no_broadcast(const shape_t& from, const shape_t& to,
                                                           const char* function) {
  throw shape_error(std::string(function) + ": could not broadcast from shape " + to_string(from) +
                    " into shape " + to_string(to));
}

template <class T, class X>
void assign(const array<T>& destination, const X& source, const char* function) {
  if constexpr (scalar_like<X>) {
    assign(destination, make_constant<T>(source, function), function);
  } else if constexpr (is_deferred_v<X> && std::is_same_v<typename X::value_type, T>) {
    check_writable(view_of(destination), function);
    source.compute_into(destination, function);
  } else if constexpr (!std::is_same_v<typename X::value_type, T>) {
    check_imaginary_part<typename X::value_type, T>();
    assign(destination, source.template astype<T>(), function);
  } else if constexpr (has_reductions_v<X>) {
    check_writable(view_of(destination), function);
    run_statement(source, destination, function);
  } else {
    const leaf_view to = view_of(destination);
    check_writable(to, function);
    job_inputs<X> inputs(source);
    if constexpr (!is_constant_v<X>) {
      require_device(destination.device(), inputs.where(function_name<X>()), function);
      if (!broadcasts_to(source.shape(), destination.shape())) {
        if constexpr (is_array_v<X>) {
          const array<T> reduced = without_leading_ones(source, destination.ndim());
          if (broadcasts_to(reduced.shape(), destination.shape()))
            return assign(destination, reduced, function);
        } else if (source.shape().rank() > destination.ndim() && source.shape()[0] == 1) {
          return assign(destination, evaluate(source), function);
        }
        throw_no_broadcast(source.shape(), destination.shape(), function);
      }
    }
    run_into(code_of<X>, code_of<array<T>>, to, inputs.leaves(), inputs.constants(), inputs.operands());
  }
}

}  // namespace detail

template <class Op, class... Operands>
gnp::device expression<Op, Operands...>::device() const {
  return detail::device_of(*this).value_or(default_device());
}

}}  // namespace gnp::GNP_ABI
