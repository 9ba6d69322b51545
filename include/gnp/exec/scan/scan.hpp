// SPDX-License-Identifier: MIT
// From a typed expression to a scan, which runs on its device.
#pragma once

#include <gnp/exec/reduce/reduce.hpp>
#include <gnp/exec/scan/scan_job.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/scan/run_scan.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct running_sum_tag {
  static constexpr const char* text = "running_sum<T, A>";
  template <class T, class A>
  using type = scalar::running_sum<T, A>;
};
struct running_product_tag {
  static constexpr const char* text = "running_product<T, A>";
  template <class T, class A>
  using type = scalar::running_product<T, A>;
};

struct running_maximum_tag {
  static constexpr const char* text = "running_maximum<T, A>";
  template <class T, class A>
  using type = scalar::running_maximum<T, A>;
  static constexpr bool picks = true;
};
struct running_minimum_tag {
  static constexpr const char* text = "running_minimum<T, A>";
  template <class T, class A>
  using type = scalar::running_minimum<T, A>;
  static constexpr bool picks = true;
};

/// What kernels are written from; the CPU's loops take far longer to compile.
template <class Tag, class X, class A, class R>
constexpr scan_code scan_text_of() {
  scan_code code{};
  code.values = &code_of<X>;
  code.kernels = reduction_kernels_for<Tag, X, A, R>;
  code.total_size = static_cast<int>(sizeof(A));
  code.result = dtype_of<R>;
  code.operation = Tag::text;
  code.computed = dtype_of<A>;
  code.operations = operations_of<Tag, A>();
  code.same_in_parts = is_integer(dtype_of<A>) || requires { Tag::picks; };
  return code;
}

template <class Tag, class X, class A, class R>
inline constexpr scan_code scan_code_of = [] {
  using T = typename X::value_type;
  using functions = scanning<typename Tag::template type<T, A>, T, A, R>;
  scan_code code = scan_text_of<Tag, X, A, R>();
  code.begin = functions::begin;
  code.run = functions::run;
  code.sum_up = functions::sum_up;
  code.rows = functions::rows;
  code.join = functions::join;
  return code;
}();

/// Runs a scan along some of its job's axes, for a function of this name.
GNP_DECLARED void run_scan(scan& s, const bool* scanned, const char* function);

/// A new contiguous array with x's shape, in which each element is combined with all elements before it along
/// `axes`, which are one axis or all axes.
template <class Tag, class A, class R, array_like X>
  requires runs_first_v<X>
array<R> accumulate(const X& x, const axis_set& axes, const char* function) {
  return accumulate<Tag, A, R>(x.eval(), axes, function);
}
template <class Tag, class A, class R, array_like X>
array<R> accumulate(const X& x, const axis_set& axes, const char* function) {
  const scan_code& code = scan_code_of<Tag, X, A, R>;
  const shape_t shape = x.shape();
  job_inputs<X> inputs(x);
  const device where = inputs.where(function).value_or(default_device());
  const array<R> result(shape, where, function);
  if (result.size() == 0) return result;

  scan s;
  s.code = &code;
  s.length = reduced_length(shape, axes);
  s.outputs = result.size() / s.length;
  job& j = s.values;
  j.code = code.values;
  j.operands = inputs.operands();
  j.constants = inputs.constants();
  j.where = where;
  j.rank = shape.rank();
  j.count = result.size();
  std::copy(shape.begin(), shape.end(), j.shape);
  set_operand(j.operands[0], view_of(result), shape);
  for (int i = 0; i < input_count<X>; ++i) set_operand(j.operands[i + 1], inputs.leaves()[i], shape);
  run_scan(s, axes.chosen, function);
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
