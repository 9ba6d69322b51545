// SPDX-License-Identifier: MIT
// Numbers in regular steps: arange, linspace, logspace and geomspace.
#pragma once

#include <cmath>
#include <gnp/core/by_name.hpp>
#include <gnp/core/number.hpp>
#include <gnp/core/reduce_options.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/routines/creation.hpp>
#include <limits>
#include <type_traits>
#include <utility>

namespace gnp { inline namespace GNP_ABI {

// The operations of which ranges consist: functions of each element's position.
GNP_NUMPY_OPERATION(ramp, (i, start, step), always_double, plus(start, times(i, step)))
GNP_NUMPY_OPERATION(integer_ramp, (i, start, step), any, plus(start, times(i, step)))
GNP_NUMPY_OPERATION(fraction_ramp, (i, start, parts, distance), always_double, start + i / parts * distance)
GNP_NUMPY_OPERATION(float_ramp, (i, start, step), single, plus(start, times(i, step)))

namespace detail {

/// NumPy's length of a range: ceil((stop - start) / step).
template <class T>
index_t range_length(T start, T stop, T step) {
  if (step == T(0)) throw error("arange: step cannot be zero");
  if constexpr (std::is_integral_v<T>) {
    if (step > 0 ? start >= stop : start <= stop) return 0;
    // The distance is unsigned, because it may be more than the signed type can hold.
    const auto distance = step > 0 ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                                   : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
    const auto stride = step > 0 ? static_cast<std::uint64_t>(step) : ~static_cast<std::uint64_t>(step) + 1;
    const std::uint64_t most_steps = (distance - 1) / stride;
    if (most_steps >= static_cast<std::uint64_t>((std::numeric_limits<index_t>::max)())) {
      throw shape_error("arange: a range from " + std::to_string(start) + " to " + std::to_string(stop) +
                        " by " + std::to_string(step) + " has more elements than any array");
    }
    return static_cast<index_t>(most_steps) + 1;
  } else {
    const double steps = (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
    if (steps == 0 && stop != start) return std::signbit(steps) ? 0 : 1;
    const double length = std::ceil(steps);
    if (length != length || length > 4e18) {
      throw shape_error(std::string("arange: cannot compute the length of a range from ") +
                        shown(static_cast<double>(start)) + " to " + shown(static_cast<double>(stop)) + " by " +
                        shown(static_cast<double>(step)));
    }
    return length > 0 ? static_cast<index_t>(length) : 0;
  }
}

/// The same for integers of any types except characters and bools, which the standard library's comparisons
/// refuse.
template <class A, class B, class C>
index_t range_length_of(A start, B stop, C step) {
  constexpr auto most = (std::numeric_limits<index_t>::max)();
  if (std::cmp_greater(start, most) || std::cmp_greater(stop, most)) {
    using U = std::uint64_t;
    const auto low = [](auto value) { return std::cmp_less(value, 0) ? U{0} : static_cast<U>(value); };
    if (std::cmp_greater(step, 0)) return range_length<U>(low(start), low(stop), static_cast<U>(step));
    if (std::cmp_less(step, 0)) return range_length<U>(low(stop), low(start), ~static_cast<U>(step) + 1);
  }
  return range_length<index_t>(static_cast<index_t>(start), static_cast<index_t>(stop),
                               static_cast<index_t>(step));
}

/// Each element is the one before it plus the step, in unsigned numbers of T's size: they wrap as a conversion
/// of the 64-bit sum would. (A formula of each position would be computed in 64 bits.)
template <class T>
GNP_LOOP void write_range(T* out, index_t count, std::make_unsigned_t<T> value, std::make_unsigned_t<T> step) {
  using U = std::make_unsigned_t<T>;
  for (index_t i = 0; i < count; ++i) {
    out[i] = static_cast<T>(value);
    value = static_cast<U>(value + step);
  }
}

template <class T>
array<T> range_on_cpu(index_t first, index_t count, index_t step) {
  using U = std::make_unsigned_t<T>;
  const array<T> result(shape_t{count}, device::cpu(), "arange");
  T* out = result.data();
  parallel_for(count, cpu_grain, [=](index_t begin, index_t end) {
    const auto at = static_cast<std::uint64_t>(first) +
                    static_cast<std::uint64_t>(begin) * static_cast<std::uint64_t>(step);
    write_range<T>(out + begin, end - begin, static_cast<U>(at), static_cast<U>(step));
  });
  return result;
}

template <element T, class A, class B, class C>
array<T> range(A start, B stop, C step) {
  if constexpr (is_integer(dtype_of<T>) && std::is_integral_v<A> && std::is_integral_v<B> &&
                std::is_integral_v<C>) {
    const auto first = static_cast<index_t>(start);
    const index_t count = range_length_of(+start, +stop, +step);
    if (default_device().is_cpu()) return range_on_cpu<T>(first, count, static_cast<index_t>(step));
    const auto i = positions<T>(shape_t{count});
    return ufunc<operations::integer_ramp_ufunc>()(i, first, static_cast<index_t>(step)).template astype<T>();
  } else if constexpr (is_complex(dtype_of<T>)) {
    return range<type_of<real_part_of(dtype_of<T>)>>(start, stop, step).template astype<T>();
  } else {
    const auto first = static_cast<double>(start);
    const auto i = positions<T>(
        shape_t{range_length<double>(first, static_cast<double>(stop), static_cast<double>(step))});
    // As in NumPy, the step is the second element minus the first, both in the array's own type.
    const auto from = static_cast<double>(scalar::cast<T>(first));
    const bool is_alone = std::isinf(static_cast<double>(step));  // there is no second element
    const auto second =
        is_alone ? from : static_cast<double>(scalar::cast<T>(first + static_cast<double>(step)));
    if constexpr (std::is_same_v<computed_in<T>, float>) {
      const auto by = static_cast<double>(static_cast<float>(second) - static_cast<float>(from));
      return ufunc<operations::float_ramp_ufunc>()(i, from, by).template astype<T>();
    } else {
      return ufunc<operations::ramp_ufunc>()(i, from, second - from).template astype<T>();
    }
  }
}

template <class X>
auto number_of(const X& x) {
  if constexpr (array_like<X>) {
    return static_cast<typename X::value_type>(x);
  } else {
    return x;
  }
}

/// arange's type if none is named: int64 for integers, as in NumPy, otherwise the arguments' common type in
/// C++.
template <class T, class... A>
using range_element = std::conditional_t<
    !std::is_void_v<T>, T,
    std::conditional_t<(std::is_integral_v<A> && ...), std::int64_t, std::common_type_t<A...>>>;

}  // namespace detail

/// start, start + step, ... up to but not including stop: arange(10), arange<float>(0, 1, 0.1).
template <class T = void, scalar_like A>
array<detail::range_element<T, A>> arange(A stop) {
  return detail::range<detail::range_element<T, A>>(0, stop, 1);
}
template <class T = void, scalar_like A, scalar_like B>
array<detail::range_element<T, A, B>> arange(A start, B stop) {
  return detail::range<detail::range_element<T, A, B>>(start, stop, 1);
}
template <class T = void, scalar_like A, scalar_like B, scalar_like C>
array<detail::range_element<T, A, B, C>> arange(A start, B stop, C step) {
  return detail::range<detail::range_element<T, A, B, C>>(start, stop, step);
}

template <class T = void, scalar_like A>
auto arange(A stop, const detail::refused_creation_options&) {
  return arange<T>(stop);
}
template <class T = void, scalar_like A, scalar_like B>
auto arange(A start, B stop, const detail::refused_creation_options&) {
  return arange<T>(start, stop);
}

/// The same if some of the numbers come from arrays: arange(n.max()).
template <class T = void, class... Numbers>
  requires(sizeof...(Numbers) <= 3 && (array_like<Numbers> || ...) &&
           ((array_like<Numbers> || scalar_like<Numbers>) && ...))
auto arange(const Numbers&... numbers) {
  return arange<T>(detail::number_of(numbers)...);
}

struct linspace_options {
  by_name only = by_name();
  bool endpoint = true;
  detail::no_dtype_by_name dtype = {};
};

namespace detail {

GNP_INLINE index_t number_of_samples(index_t num, const char* function) {
  if (num >= 0) return num;
  throw shape_error(std::string(function) + ": number of samples, " + std::to_string(num) +
                    ", must be non-negative");
}

}  // namespace detail

/// `num` evenly spaced numbers from start to stop, which is the last one unless endpoint is false.
template <element T = double>
array<T> linspace(detail::any_real first, detail::any_real last, detail::any_integer samples = 50,
                  linspace_options options = {}) {
  const double start = first;
  const double stop = last;
  const index_t num = detail::number_of_samples(samples, "linspace");
  const index_t intervals = options.endpoint ? num - 1 : num;
  const double distance = stop - start;
  const double step = intervals > 0 ? distance / static_cast<double>(intervals) : distance;
  const auto i = detail::positions<T>(shape_t{num});
  const bool vanishes = step == 0.0 && distance != 0.0;  // a denormal distance cannot be divided further
  // Each number is computed as double, and then stored as T.
  const auto stored = [](const auto& values) -> array<T> {
    if constexpr (is_integer(dtype_of<T>)) {
      return floor(values).template astype<T>();
    } else {
      return values.template astype<T>();
    }
  };
  const array<T> result =
      vanishes
          ? stored(ufunc<operations::fraction_ramp_ufunc>()(i, start, static_cast<double>(intervals), distance))
          : stored(ufunc<operations::ramp_ufunc>()(i, start, step));
  if (options.endpoint && num > 1) {
    const double end = is_integer(dtype_of<T>) ? std::floor(stop) : stop;
    result(-1).fill(scalar::cast<T>(end));
  }
  return result;
}

/// linspace(0, 1, 5, {.retstep = true}): auto [samples, step].
struct linspace_step_options {
  by_name only = by_name();
  bool endpoint = true;
  named_part retstep;
};
template <element T>
struct linspace_result {
  array<T> samples;
  double step;  // NaN if there is none
};
template <element T = double>
linspace_result<T> linspace(detail::any_real start, detail::any_real stop, detail::any_integer samples,
                            const linspace_step_options& options) {
  const index_t intervals = options.endpoint ? samples - 1 : index_t{samples};
  const double step = intervals > 0 ? (stop - start) / static_cast<double>(intervals)
                                    : std::numeric_limits<double>::quiet_NaN();
  return {linspace<T>(start, stop, samples, linspace_options{.endpoint = options.endpoint}), step};
}

/// linspace with the number of samples given by name: linspace(0, 1, {.num = 5, .endpoint = false}).
struct linspace_num_options {
  by_name only = by_name();
  detail::any_integer num = 50;
  bool endpoint = true;
  detail::no_dtype_by_name dtype = {};
};

/// The endpoint in NumPy's place: linspace(0, 1, 5, false).
template <element T = double, std::same_as<bool> Flag>
array<T> linspace(detail::any_real start, detail::any_real stop, detail::any_integer samples, Flag endpoint) {
  return linspace<T>(start, stop, samples, linspace_options{.endpoint = endpoint});
}

struct linspace_num_step_options {
  by_name only = by_name();
  detail::any_integer num = 50;
  bool endpoint = true;
  named_part retstep;
};
template <element T = double>
linspace_result<T> linspace(detail::any_real start, detail::any_real stop,
                            const linspace_num_step_options& options) {
  return linspace<T>(start, stop, options.num,
                     linspace_step_options{.endpoint = options.endpoint, .retstep = options.retstep});
}

template <element T = double>
array<T> linspace(detail::any_real start, detail::any_real stop, const linspace_num_options& options) {
  return linspace<T>(start, stop, options.num, {.endpoint = options.endpoint});
}

namespace detail {

/// Numbers of which one at least is complex.
template <class First, class Last>
concept complex_ends =
    scalar_like<First> && scalar_like<Last> && (is_complex(dtype_of<First>) || is_complex(dtype_of<Last>));

template <class T>
double imaginary_part(const T& x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return x.imag();
  } else {
    return 0;
  }
}
template <class T>
double real_part(const T& x) {
  if constexpr (is_complex(dtype_of<T>)) {
    return x.real();
  } else {
    return static_cast<double>(x);
  }
}

}  // namespace detail

/// Complex numbers on a straight line: linspace(0, 1i, 5).
template <element T = complex128, class First, class Last>
  requires detail::complex_ends<First, Last>
array<T> linspace(const First& start, const Last& stop, detail::any_integer samples = 50,
                  linspace_options options = {}) {
  static_assert(is_complex(dtype_of<T>), "gnp: complex numbers do not fit a real array");
  // Each part by itself, so that one that is infinite leaves the other as it is.
  using part_type = decltype(T().real());
  const index_t num = detail::number_of_samples(samples, "linspace");
  const array<T> result(shape_t{num}, default_device(), "linspace");
  const array<part_type> parts = result.template view<part_type>();
  parts(slice(0, none, 2))
      .assign(linspace<part_type>(detail::real_part(start), detail::real_part(stop), num, options));
  parts(slice(1, none, 2))
      .assign(linspace<part_type>(detail::imaginary_part(start), detail::imaginary_part(stop), num, options));
  return result;
}
template <element T = complex128, class First, class Last>
  requires detail::complex_ends<First, Last>
array<T> linspace(const First& start, const Last& stop, const linspace_num_options& options) {
  return linspace<T>(start, stop, options.num, {.endpoint = options.endpoint});
}

struct logspace_options {
  by_name only = by_name();
  bool endpoint = true;
  detail::any_real base = 10.0;
};

/// base to the powers of linspace(start, stop).
template <element T = double>
array<T> logspace(detail::any_real start, detail::any_real stop, detail::any_integer samples = 50,
                  logspace_options options = {}) {
  using exponent = std::conditional_t<true, double, T>;
  const index_t num = detail::number_of_samples(samples, "logspace");
  return float_power(double{options.base}, linspace<exponent>(start, stop, num, {.endpoint = options.endpoint}))
      .template astype<T>();
}

/// logspace with the number of samples given by name.
struct logspace_num_options {
  by_name only = by_name();
  detail::any_integer num = 50;
  bool endpoint = true;
  detail::any_real base = 10.0;
};

template <element T = double>
array<T> logspace(detail::any_real start, detail::any_real stop, const logspace_num_options& options) {
  return logspace<T>(start, stop, options.num, {.endpoint = options.endpoint, .base = options.base});
}

struct geomspace_options {
  by_name only = by_name();
  bool endpoint = true;
};

/// `num` numbers from start to stop, with a constant ratio.
template <element T = double>
array<T> geomspace(detail::any_real first, detail::any_real last, detail::any_integer samples = 50,
                   geomspace_options options = {}) {
  const double start = first;
  const double stop = last;
  if (start == 0 || stop == 0) throw error("geomspace: geometric sequence cannot include zero");
  if ((start < 0) != (stop < 0)) {
    throw error("geomspace: from " + std::to_string(start) + " to " + std::to_string(stop) +
                " real numbers have no geometric sequence");
  }
  using exponent = std::conditional_t<true, double, T>;
  const index_t num = detail::number_of_samples(samples, "geomspace");
  const double sign = start < 0 ? -1 : 1;
  const array<exponent> values =
      sign * float_power(10.0, linspace<exponent>(std::log10(sign * start), std::log10(sign * stop), num,
                                                  {.endpoint = options.endpoint}));
  if (num > 0) values(0).fill(start);
  if (num > 1 && options.endpoint) values(-1).fill(stop);
  return values.template astype<T>();
}
template <element T = double>
array<T> geomspace(detail::any_real start, detail::any_real stop, const linspace_num_options& options) {
  return geomspace<T>(start, stop, options.num, {.endpoint = options.endpoint});
}

GNP_REFUSES_DTYPES(arange)
GNP_REFUSES_DTYPES(linspace)
GNP_REFUSES_DTYPES(logspace)
GNP_REFUSES_DTYPES(geomspace)

}}  // namespace gnp::GNP_ABI
