// SPDX-License-Identifier: MIT
// Reductions of distributed arrays and expressions: each process reduces its part, and the processes among
// which a reduced axis is divided combine their results. Reductions run at once, and the result is a
// distributed array.
#pragma once

#include <gnp/distributed/creation.hpp>
#include <gnp/routines/reductions.hpp>
#include <limits>

namespace gnp { inline namespace GNP_ABI {

namespace distributed { namespace detail {

/// The processes in line with this one along one direction of the mesh, in the order of the parts that they
/// have.
inline const group& line_of(const sharing& how, bool is_down) {
  return is_down ? how.over()->down() : how.over()->across();
}

/// What is known about a reduction before its type is known.
struct reduction_plan {
  gnp::detail::axis_set axes;
  sharing operand;  // how the parts that are reduced are divided
  sharing result;   // how the results are divided
  bool joins_down = false, joins_across = false;

  template <class X>
  reduction_plan(const X& x, const gnp::reduce_options& options, const char* function)
      : axes(options.axis, x.ndim(), function),
        operand(x.among(), x.shape(), x.natural_layout(), function),
        result(operand) {
    layout how = operand.how();
    joins_down = how.cut_by_rows != uncut && axes.chosen[how.cut_by_rows];
    joins_across = how.cut_by_columns != uncut && axes.chosen[how.cut_by_columns];
    for (int* axis : {&how.cut_by_rows, &how.cut_by_columns}) {
      if (*axis == uncut) continue;
      int kept = *axis;
      for (int d = 0; d < *axis && !options.keepdims; ++d) kept -= axes.chosen[d] ? 1 : 0;
      *axis = axes.chosen[*axis] ? uncut : kept;
    }
    shape_t shape;
    for (int d = 0; d < x.ndim(); ++d) {
      if (!axes.chosen[d]) shape.push_back(x.shape()[d]);
      if (axes.chosen[d] && options.keepdims) shape.push_back(1);
    }
    result = sharing(operand.over(), shape, how);
  }

  /// Has this process no elements, although x has some?
  template <class X>
  bool has_no_part(const X& x) const {
    return operand.here().is_empty() && x.size() > 0;
  }
};

/// Calls f with this process's part of an array or expression: an expression of the elements that it has, if
/// these are enough, or else an array of all that it needs. All processes call this, even those without a part,
/// because others may need their elements.
template <class X, class F>
void on_part(const X& x, const sharing& how, const F& f) {
  boxes_of_all places;
  for (int r = 0; r < how.all().size(); ++r) places.push_back(how.of(r));
  const int self = how.all().rank();
  const share_of_statement<X> share(x, places, self);
  if (share.parts().size() == 1 && gnp::detail::is_spread_v<X>) {
    const auto part = share.at(share.parts()[0]);
    if (part.shape() == share.parts()[0].shape()) {
      f(part);
      return;
    }
  }
  using T = typename X::value_type;
  gnp::array<T> whole(how.here().shape(), x.device(), "fetch");
  for (const box& part : share.parts()) {
    elements_in(whole, how.here().begin, part).assign(share.at(part));
  }
  f(whole);
}

/// `reduce(part)` of every process, joined by `how`. A process without elements has `identity`.
template <element R, class X, class Reduce>
array<R> reduced(const X& x, const gnp::reduce_options& options, const char* function, reduction how,
                 R identity, const Reduce& reduce) {
  const reduction_plan plan(x, options, function);
  const shape_t own = plan.result.here().shape();
  gnp::array<R> part(own, x.device(), function);
  on_part(x, plan.operand, [&](const auto& mine) {
    if (part.size() == 0) return;  // `reduce` may have no identity
    if (plan.has_no_part(x)) {
      part.fill(identity);
    } else {
      part.assign(reduce(mine, options));
    }
  });
  for (const bool down : {true, false}) {
    if (down ? plan.joins_down : plan.joins_across)
      line_of(plan.operand, down).all_reduce_in_place(part, {.op = how});
  }
  return array<R>(plan.result, part);
}

template <class T>
T lowest() {
  if constexpr (std::is_same_v<T, bool>) {
    return false;
  } else if constexpr (gnp::scalar::is_complex_v<T>) {
    constexpr auto infinity = std::numeric_limits<typename T::value_type>::infinity();
    return T(-infinity, -infinity);
  } else if constexpr (is_floating(dtype_of<T>)) {
    return T(-std::numeric_limits<float>::infinity());
  } else {
    return std::numeric_limits<T>::lowest();
  }
}
template <class T>
T highest() {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (gnp::scalar::is_complex_v<T> || is_floating(dtype_of<T>)) {
    return -lowest<T>();
  } else {
    return (std::numeric_limits<T>::max)();
  }
}

/// Throws if a reduction without an identity has no elements in any process.
template <class X>
void require_elements(const X& x, const gnp::reduce_options& options, const char* function) {
  const gnp::detail::axis_set axes(options.axis, x.ndim(), function);
  if (gnp::detail::reduced_length(x.shape(), axes) == 0) {
    throw shape_error(std::string(function) + ": zero-size array of shape " + to_string(x.shape()) +
                      " to reduction operation " + function + " which has no identity");
  }
}

/// The type in which sums are combined: that of the result, but float for halves.
template <class T>
using joined_type = std::conditional_t<gnp::detail::is_16_bit_float<T>, float, T>;

}}  // namespace distributed::detail

// Adds f(x, axis) and f(x, axis, options) to f(x, options).
#define GNP_SPREAD_AXES_FIRST(function, options_type)                         \
  template <class... Type, detail::spread X>                                  \
  auto(function)(const X& x, const axes_t& axis, options_type options = {}) { \
    options.axis = axis;                                                      \
    return (function<Type...>)(x, static_cast<const options_type&>(options)); \
  }

/// The sum: for integers in 64 bits, for halves in float.
template <class R = void, detail::spread X>
auto sum(const X& x, const reduce_options& options = {}) {
  using T = detail::sum_result<R, X>;
  using S = distributed::detail::joined_type<T>;
  const auto joined = distributed::detail::reduced<S>(
      x, options, "sum", distributed::reduction::sum, S(0), [](const auto& part, const reduce_options& o) {
        return gnp::sum<S>(part, {.axis = o.axis, .keepdims = o.keepdims});
      });
  if constexpr (std::is_same_v<S, T>) {
    return joined;
  } else {
    return distributed::array<T>(joined.template astype<T>());
  }
}
GNP_SPREAD_AXES_FIRST(sum, reduce_options)

template <class R = void, detail::spread X>
auto prod(const X& x, const reduce_options& options = {}) {
  using T = detail::sum_result<R, X>;
  using S = distributed::detail::joined_type<T>;
  const auto joined = distributed::detail::reduced<S>(
      x, options, "prod", distributed::reduction::prod, S(1), [](const auto& part, const reduce_options& o) {
        return gnp::prod<S>(part, {.axis = o.axis, .keepdims = o.keepdims});
      });
  if constexpr (std::is_same_v<S, T>) {
    return joined;
  } else {
    return distributed::array<T>(joined.template astype<T>());
  }
}
GNP_SPREAD_AXES_FIRST(prod, reduce_options)

/// The smallest element; NaN if there is a NaN.
template <detail::spread X>
auto(min)(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  distributed::detail::require_elements(x, options, "min");
  return distributed::detail::reduced<T>(x, options, "min", distributed::reduction::min,
                                         distributed::detail::highest<T>(),
                                         [](const auto& part, const reduce_options& o) {
                                           return (gnp::min)(part, {.axis = o.axis, .keepdims = o.keepdims});
                                         });
}
GNP_SPREAD_AXES_FIRST(min, reduce_options)
/// The largest element; NaN if there is a NaN.
template <detail::spread X>
auto(max)(const X& x, const reduce_options& options = {}) {
  using T = typename X::value_type;
  distributed::detail::require_elements(x, options, "max");
  return distributed::detail::reduced<T>(x, options, "max", distributed::reduction::max,
                                         distributed::detail::lowest<T>(),
                                         [](const auto& part, const reduce_options& o) {
                                           return (gnp::max)(part, {.axis = o.axis, .keepdims = o.keepdims});
                                         });
}
GNP_SPREAD_AXES_FIRST(max, reduce_options)

/// Is any element nonzero?
template <detail::spread X>
auto any(const X& x, const reduce_options& options = {}) {
  return distributed::detail::reduced<bool>(
      x, options, "any", distributed::reduction::max, false,
      [](const auto& part, const reduce_options& o) { return gnp::any(part, o); });
}
GNP_SPREAD_AXES_FIRST(any, reduce_options)

/// The number of nonzero elements.
template <detail::spread X>
auto count_nonzero(const X& x, const reduce_options& options = {}) {
  return distributed::detail::reduced<std::int64_t>(
      x, options, "count_nonzero", distributed::reduction::sum, std::int64_t{0},
      [](const auto& part, const reduce_options& o) { return gnp::count_nonzero(part, o); });
}
GNP_SPREAD_AXES_FIRST(count_nonzero, reduce_options)

/// The mean; for integers, a double.
template <class R = void, detail::spread X>
auto mean(const X& x, const reduce_options& options = {}) {
  using T = detail::averaged_type<detail::asked_type<R, X>>;
  using S = distributed::detail::joined_type<T>;
  const auto total = sum<S>(x, options);
  const auto count = static_cast<type_of<detail::real_part_of(dtype_of<S>)>>(
      detail::reduced_length(x.shape(), detail::axis_set(options.axis, x.ndim(), "mean")));
  return distributed::array<T>((total / count).template astype<T>());
}
GNP_SPREAD_AXES_FIRST(mean, reduce_options)

/// The variance: the mean squared distance from the mean, which is computed first.
template <class R = void, detail::spread X>
auto var(const X& x, const var_options& options = {}) {
  using T = detail::averaged_type<detail::asked_type<R, X>>;
  using S = distributed::detail::joined_type<T>;
  using real = type_of<detail::real_part_of(dtype_of<S>)>;
  const auto centre = mean<S>(x, {.axis = options.axis, .keepdims = true});
  const auto total =
      sum(square(abs(x.template astype<S>() - centre)), {.axis = options.axis, .keepdims = options.keepdims});
  const auto count = static_cast<real>((std::max)(
      static_cast<double>(detail::reduced_length(x.shape(), detail::axis_set(options.axis, x.ndim(), "var"))) -
          options.less("var"),
      0.0));
  return distributed::array<type_of<detail::real_part_of(dtype_of<T>)>>(
      (total / count).template astype<type_of<detail::real_part_of(dtype_of<T>)>>());
}
GNP_SPREAD_AXES_FIRST(var, var_options)

/// The standard deviation: the root of the variance.
template <class R = void, detail::spread X>
auto std(const X& x, const var_options& options = {}) {
  using T = detail::averaged_type<detail::asked_type<R, X>>;
  using real = type_of<detail::real_part_of(dtype_of<T>)>;
  const auto spread = var<distributed::detail::joined_type<T>>(x, options);
  return distributed::array<real>(sqrt(spread).template astype<real>());
}
GNP_SPREAD_AXES_FIRST(std, var_options)

namespace detail {

/// Are all elements nonzero? gnp::all(x) calls this.
template <spread X>
auto all_along(const X& x, const reduce_options& options) {
  return distributed::detail::reduced<bool>(
      x, options, "all", distributed::reduction::min, true,
      [](const auto& part, const reduce_options& o) { return all_along(part, o); });
}

/// Each process finds its own largest or smallest element; then all processes compare these few.
template <bool largest, spread X>
distributed::array<std::int64_t> place_of(const X& x, const reduce_options& options, const char* function) {
  using T = typename X::value_type;
  namespace dist = distributed::detail;
  gnp::detail::require_one_axis_or_none(options.axis, function);
  dist::require_elements(x, options, function);
  const dist::reduction_plan plan(x, options, function);
  const dist::box own = plan.operand.here();
  gnp::array<T> best(plan.result.here().shape(), x.device(), function);
  gnp::array<std::int64_t> place(best.shape(), x.device(), function);
  dist::on_part(x, plan.operand, [&](const auto& part) {
    if (best.size() == 0) return;
    if (plan.has_no_part(x)) {
      best.fill(largest ? dist::lowest<T>() : dist::highest<T>());
      place.fill((std::numeric_limits<std::int64_t>::max)());
      return;
    }
    const sum_options along{.axis = options.axis, .keepdims = options.keepdims};
    best.assign(largest ? gnp::array<T>((gnp::max)(part, along)) : gnp::array<T>((gnp::min)(part, along)));
    using places = gnp::array<std::int64_t>;
    const places within = largest ? places(gnp::argmax(part, options)) : places(gnp::argmin(part, options));
    if (options.axis.given()) {
      place.assign(within + own.begin[normalize_axis(options.axis.values()[0], x.ndim(), function)]);
      return;
    }
    // The place in the whole array, counted row by row.
    const shape_t counts = contiguous_strides(own.shape()), steps = contiguous_strides(x.shape());
    places rest = within, flat = gnp::zeros_like(within);
    for (int d = 0; d < own.rank(); ++d) {
      flat = flat + (floor_divide(rest, counts[d]) + own.begin[d]) * steps[d];
      rest = rest % counts[d];
    }
    place.assign(flat);
  });
  for (const bool down : {true, false}) {
    if (!(down ? plan.joins_down : plan.joins_across)) continue;
    const distributed::group& line = dist::line_of(plan.operand, down);
    const gnp::array<T> values = line.all_gather(best(newaxis));
    const gnp::array<std::int64_t> places = line.all_gather(place(newaxis));
    // NaN is the extreme where there is one; of equal elements the first counts.
    best = largest ? gnp::array<T>((gnp::max)(values, 0)) : gnp::array<T>((gnp::min)(values, 0));
    place = (gnp::min)(
        where(values == best || values != values, places, (std::numeric_limits<std::int64_t>::max)()), 0);
  }
  return distributed::array<std::int64_t>(plan.result, place);
}

}  // namespace detail

/// Where the largest element is, the first of several; without an axis, in the flattened array.
template <detail::spread X>
auto argmax(const X& x, const reduce_options& options = {}) {
  return detail::place_of<true>(x, options, "argmax");
}
GNP_SPREAD_AXES_FIRST(argmax, reduce_options)
template <detail::spread X>
auto argmin(const X& x, const reduce_options& options = {}) {
  return detail::place_of<false>(x, options, "argmin");
}
GNP_SPREAD_AXES_FIRST(argmin, reduce_options)
#undef GNP_SPREAD_AXES_FIRST

// The same as members.
#define GNP_SPREAD_MEMBER(function, options_type)                                                        \
  template <class Derived>                                                                               \
  auto(distributed::detail::spread_members<Derived>::function)(const options_type& options) const {      \
    return (gnp::function)(derived(), options);                                                          \
  }                                                                                                      \
  template <class Derived>                                                                               \
  auto(distributed::detail::spread_members<Derived>::function)(const axes_t& axis, options_type options) \
      const {                                                                                            \
    options.axis = axis;                                                                                 \
    return (gnp::function)(derived(), options);                                                          \
  }
GNP_SPREAD_MEMBER(sum, gnp::reduce_options)
GNP_SPREAD_MEMBER(prod, gnp::reduce_options)
GNP_SPREAD_MEMBER(mean, gnp::reduce_options)
GNP_SPREAD_MEMBER(var, gnp::var_options)
GNP_SPREAD_MEMBER(std, gnp::var_options)
GNP_SPREAD_MEMBER(min, gnp::reduce_options)
GNP_SPREAD_MEMBER(max, gnp::reduce_options)
GNP_SPREAD_MEMBER(argmin, gnp::reduce_options)
GNP_SPREAD_MEMBER(argmax, gnp::reduce_options)
GNP_SPREAD_MEMBER(any, gnp::reduce_options)
GNP_SPREAD_MEMBER(all, gnp::reduce_options)
#undef GNP_SPREAD_MEMBER

}}  // namespace gnp::GNP_ABI
