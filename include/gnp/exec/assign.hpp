// SPDX-License-Identifier: MIT
// Where assignment and evaluation happen: from a typed expression to a job, and off to its device.
#pragma once

#include <gnp/exec/compute.hpp>
#include <gnp/exec/cpu_run.hpp>
#include <gnp/exec/gpu_run.hpp>
#include <gnp/exec/source.hpp>
#include <optional>

namespace gnp::inline GNP_ABI {
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
    []<class Op, class... Operands>(const expression<Op, Operands...>*, auto& all) {
      std::size_t next = 0;
      const auto append = [&all, &next](const auto& part, int count) {
        for (int i = 0; i < count; ++i) all[next++] = part[static_cast<std::size_t>(i)];
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
                                    kernels_for<X>};

[[noreturn]] inline void throw_mixed_devices(const char* function, device a, device b) {
  throw device_error(std::string(function) + ": arrays on different devices: " + to_string(a) + " and " +
                     to_string(b) + "; bring them together with .to(device)");
}

template <class X>
constexpr const char* function_name() {
  if constexpr (is_expression_v<X>) {
    return X::op::name;
  } else {
    return "assignment";
  }
}

/// The device all arrays of an expression are on; nothing where it has none (arange and the like).
template <class X>
std::optional<device> device_of(const X& source) {
  std::optional<device> found;
  for_each_leaf(source, [&found](const auto& leaf) {
    if constexpr (is_array_v<std::remove_cvref_t<decltype(leaf)>>) {
      if (found && !(*found == leaf.device())) throw_mixed_devices(function_name<X>(), *found, leaf.device());
      found = leaf.device();
    }
  });
  return found;
}

inline void run(job& j) {
  if (j.where.is_cpu()) {
    collapse(j);
    run_on_cpu(j);
  } else {
#if GNP_HAS_CUDA
    collapse(j);
    run_on_gpu(j);
#endif
  }
}

/// Calls f with the job of running `source` into `destination`, not collapsed yet.
template <class T, class X, class F>
void with_job(const array<T>& destination, const X& source, const F& f) {
  static_assert(input_count<X> <= 64,
                "gnp: an expression of more than 64 arrays: compute a part of it first with .eval()");
  std::array<job_operand, static_cast<std::size_t>(input_count<X>) + 1> operands;
  alignas(16) std::array<unsigned char, constant_slot*(constant_count<X> + 1)> constants;
  job j;
  j.code = &program_of<X>;
  j.operands = operands.data();
  j.constants = constants.data();
  j.where = destination.device();
  j.count = destination.size();
  const shape_t& shape = destination.shape();

  bool one_run = destination.is_contiguous();
  for_each_leaf(source, [&](const auto& leaf) {
    if constexpr (is_array_v<std::remove_cvref_t<decltype(leaf)>>) {
      one_run = one_run && leaf.shape() == shape && leaf.is_contiguous();
    } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, position>) {
      one_run = one_run && leaf.shape() == shape;
    }
  });
  j.rank = one_run ? 1 : shape.rank();
  if (one_run) {
    j.shape[0] = j.count;
  } else {
    std::copy(shape.begin(), shape.end(), j.shape);
  }

  std::size_t next = 0;
  const auto add_operand = [&](char* data, storage* block, int itemsize, const shape_t& own_shape,
                               const shape_t& own_strides) {
    job_operand& o = operands[next++];
    o.data = data;
    o.block = block;
    o.itemsize = itemsize;
    if (one_run) {
      o.strides[0] = 1;
    } else {
      broadcast_strides(own_shape, own_strides, shape, o.strides);
    }
  };
  std::size_t next_constant = 0;
  add_operand(reinterpret_cast<char*>(destination.data()), destination.block().get(), sizeof(T), shape,
              destination.element_strides());
  for_each_leaf(source, [&](const auto& leaf) {
    using leaf_type = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (is_constant_v<leaf_type>) {
      std::memcpy(constants.data() + constant_slot * next_constant++, &leaf.value, sizeof leaf.value);
    } else if constexpr (is_array_v<leaf_type>) {
      add_operand(reinterpret_cast<char*>(leaf.data()), leaf.block().get(), leaf.itemsize(), leaf.shape(),
                  leaf.element_strides());
    } else {
      add_operand(nullptr, nullptr, sizeof(std::int64_t), leaf.shape(), contiguous_strides(leaf.shape()));
    }
  });

  f(j);
}

/// Runs `source` into `destination`, whose shape it broadcasts to and whose element type it has.
/// Where the memory of the two overlaps, `source` is computed first.
template <class T, class X>
void run_into(const array<T>& destination, const X& source) {
  with_job(destination, source, [&](job& j) {
    if (j.count == 0) return;
    if (destination_overlaps_input(j)) {
      const array<T> first(destination.shape(), j.where, "assignment");
      run_into(first, source);
      run_into(destination, first);
    } else {
      run(j);
    }
  });
}

/// Dense strides in the order of the inputs' own (NumPy's order="K"): row-major unless they all say otherwise.
template <class X>
shape_t dense_strides(const X& source, const shape_t& shape) {
  bool row_major = true;
  for_each_leaf(source, [&row_major](const auto& leaf) {
    if constexpr (is_array_v<std::remove_cvref_t<decltype(leaf)>>)
      row_major = row_major && leaf.is_contiguous();
  });
  if (row_major) return contiguous_strides(shape);

  constexpr std::size_t most = static_cast<std::size_t>(input_count<X>) + 1;
  std::array<std::array<index_t, max_rank>, most> strides;
  std::size_t inputs = 0;
  for_each_leaf(source, [&](const auto& leaf) {
    if constexpr (is_array_v<std::remove_cvref_t<decltype(leaf)>>) {
      broadcast_strides(leaf.shape(), leaf.element_strides(), shape, strides[inputs++].data());
    }
  });
  int order[max_rank];
  for (int d = 0; d < shape.rank(); ++d) order[d] = d;
  // Axis a belongs inside axis b if every input that moves along both moves less along a.
  const auto belongs_inside = [&](int a, int b) {
    bool decided = false;
    for (std::size_t i = 0; i < inputs; ++i) {
      const index_t along_a = strides[i][static_cast<std::size_t>(a)];
      const index_t along_b = strides[i][static_cast<std::size_t>(b)];
      if (along_a == 0 || along_b == 0) continue;
      if ((along_a < 0 ? -along_a : along_a) >= (along_b < 0 ? -along_b : along_b)) return false;
      decided = true;
    }
    return decided;
  };
  for (int d = 1; d < shape.rank(); ++d) {
    for (int e = d; e > 0 && belongs_inside(order[e - 1], order[e]); --e) std::swap(order[e - 1], order[e]);
  }
  shape_t result(shape.size(), 1);
  index_t step = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    result[static_cast<std::size_t>(order[d])] = step;
    const index_t length = shape[static_cast<std::size_t>(order[d])];
    step *= length > 0 ? length : 1;
  }
  return result;
}

template <array_like X>
array<typename X::value_type> evaluate(const X& source) {
  if constexpr (is_array_v<X>) {
    return source;
  } else {
    const device where = device_of(source).value_or(default_device());
    array<typename X::value_type> result(source.shape(), dense_strides(source, source.shape()), where,
                                         X::op::name);
    run_into(result, source);
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
  } else if constexpr (!std::is_same_v<typename X::value_type, T>) {
    static_assert(!is_complex(dtype_of<typename X::value_type>) || is_complex(dtype_of<T>),
                  "gnp: a complex value does not fit a real array: take gnp::real(...) or gnp::abs(...) of it");
    assign(destination, source.template astype<T>(), function);
  } else {
    for (int d = 0; d < destination.ndim(); ++d) {
      if (destination.element_strides()[static_cast<std::size_t>(d)] == 0 &&
          destination.shape()[static_cast<std::size_t>(d)] > 1) {
        throw shape_error(std::string(function) + ": the destination is a broadcast view of shape " +
                          to_string(destination.shape()) + " and cannot be written: copy() it first");
      }
    }
    if constexpr (!is_constant_v<X>) {
      if (const std::optional<device> where = device_of(source); where && !(*where == destination.device())) {
        throw_mixed_devices(function, destination.device(), *where);
      }
      shape_t common;
      if (!broadcast_shapes(source.shape(), destination.shape(), common) || !(common == destination.shape())) {
        if constexpr (is_array_v<X>) {
          const array<T> reduced = without_leading_ones(source, destination.ndim());
          if (reduced.ndim() < source.ndim()) return assign(destination, reduced, function);
        } else if (source.shape().rank() > destination.ndim() && source.shape()[0] == 1) {
          return assign(destination, evaluate(source), function);
        }
        throw shape_error(std::string(function) + ": could not broadcast from shape " +
                          to_string(source.shape()) + " into shape " + to_string(destination.shape()));
      }
    }
    run_into(destination, source);
  }
}

}  // namespace detail

template <class Op, class... Operands>
gnp::device expression<Op, Operands...>::device() const {
  return detail::device_of(*this).value_or(default_device());
}

}  // namespace gnp::inline GNP_ABI
