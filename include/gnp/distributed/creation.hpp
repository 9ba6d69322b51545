// SPDX-License-Identifier: MIT
// Makes distributed arrays, also from arrays that every process has, and gathers them on the host.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/distributed/assign.hpp>
#include <gnp/distributed/world.hpp>
#include <gnp/routines/ranges.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

namespace detail {

inline sharing sharing_of(const shape_t& shape, const array_options& options, const char* function) {
  const group& among = options.among ? *options.among : world();
  gnp::detail::element_count(shape, function);
  layout how = options.layout;
  if (shape.empty() && how == along(0)) how = everywhere();  // one element, which nothing cuts
  return sharing(among, shape, how, function);
}

}  // namespace detail

/// Elements that are not set yet.
template <element T = double>
array<T> empty(const shape_t& shape, const array_options& options = {}) {
  return array<T>(detail::sharing_of(shape, options, "empty"), default_device(), "empty");
}
namespace detail {
template <class T>
array<T> filled(const shape_t& shape, T value, const array_options& options, const char* function) {
  array<T> result(sharing_of(shape, options, function), default_device(), function);
  result.fill(value);
  return result;
}
}  // namespace detail
template <scalar_like T>
array<T> full(const shape_t& shape, T value, const array_options& options = {}) {
  return detail::filled(shape, value, options, "full");
}
template <element T = double>
array<T> zeros(const shape_t& shape, const array_options& options = {}) {
  return detail::filled(shape, T(0), options, "zeros");
}
template <element T = double>
array<T> ones(const shape_t& shape, const array_options& options = {}) {
  return detail::filled(shape, T(1), options, "ones");
}

namespace detail {

/// An array with one axis. `elements` makes the elements at given positions.
template <element T, class F>
array<T> by_position(index_t count, const array_options& options, const char* function, const F& elements) {
  const sharing how = sharing_of({(std::max)(count, index_t{0})}, options, function);
  const box own = how.here();
  return array<T>(how, gnp::array<T>(elements(gnp::detail::position(own.shape(), shape_t{1}, own.begin[0]))));
}

}  // namespace detail

/// 0, 1, 2, ... up to, but not including, `stop`.
template <element T = std::int64_t>
array<T> arange(index_t stop, const array_options& options = {}) {
  return detail::by_position<T>(stop, options, "arange", [](const auto& position) {
    return ufunc<operations::integer_ramp_ufunc>()(position, index_t{0}, index_t{1}).template astype<T>();
  });
}
/// `count` evenly spaced numbers from start to stop, which is the last one.
template <element T = double>
array<T> linspace(double start, double stop, index_t count, const array_options& options = {}) {
  if (count < 0) {
    throw shape_error("linspace: number of samples, " + std::to_string(count) + ", must be non-negative");
  }
  const double intervals = count > 1 ? static_cast<double>(count - 1) : 1;
  const double distance = stop - start;
  const double step = distance / intervals;
  using numbers = gnp::array<double>;
  const array<double> values = detail::by_position<double>(count, options, "linspace", [&](const auto& i) {
    return step == 0.0 && distance != 0.0  // a denormal distance has no smaller parts
               ? numbers(ufunc<operations::fraction_ramp_ufunc>()(i, start, intervals, distance))
               : numbers(ufunc<operations::ramp_ufunc>()(i, start, step));
  });
  if (count > 1) values(-1).fill(stop);
  if constexpr (std::is_same_v<T, double>) {
    return values;
  } else if constexpr (is_integer(dtype_of<T>)) {
    return array<T>(floor(values).template astype<T>());
  } else {
    return array<T>(values.template astype<T>());
  }
}

/// Divides an array that every process has: each process keeps its part.
template <array_like X>
auto asarray(const X& x, const array_options& options = {}) {
  using T = typename X::value_type;
  const detail::sharing how = detail::sharing_of(x.shape(), options, "asarray");
  const gnp::array<T> whole = x.eval();
  return array<T>(how, detail::elements_in(whole, shape_t(x.shape().size(), 0), how.here()).copy());
}
template <element T>
array<T> asarray(const host_array<T>& x, const array_options& options = {}) {
  const gnp::device where = default_device();
  const use_device on_host(device::cpu());  // only this process's part goes to the device
  const array<T> part = asarray(gnp::asarray(x), options);
  return array<T>(part.shared(), part.block().to(where));
}

namespace detail {

/// x in the given layout; x itself if it already has this layout.
template <class X>
auto laid_out(const X& x, const group& among, const layout& how, const char* function) {
  using T = typename X::value_type;
  if constexpr (array_like<X>) {
    return asarray(x, {.layout = how, .among = among});
  } else {
    if (!(x.among() == among))
      throw distributed_error(std::string(function) + ": arrays of two groups of processes");
    const array<T> made = x.eval();
    const bool lies_so = made.natural_layout() == complete(how, among.size(), made.ndim(), "layout") &&
                         made.places().is_whole(made.shared().shape());
    return lies_so ? made : made.in_layout(how);
  }
}

}  // namespace detail

/// All elements on the host, in every process.
template <class X>
  requires gnp::detail::is_spread_v<X>
auto asnumpy(const X& x) {
  return gnp::asnumpy(x.gathered());
}

}}}  // namespace gnp::GNP_ABI::distributed
