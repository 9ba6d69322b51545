// SPDX-License-Identifier: MIT
// gradient, trapezoid, ediff1d and unwrap: differences of neighbours, and sums of them.
#pragma once

#include <gnp/routines/array_or_list.hpp>
#include <gnp/routines/differences.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/scans.hpp>
#include <gnp/routines/stretches.hpp>

namespace gnp { inline namespace GNP_ABI {

struct gradient_options {
  by_name only = by_name();
  axes_t axis = none;
  int edge_order = 1;
};

/// The spacing of samples: a distance, or the samples' coordinates in an array, a std::vector, or braces with
/// two numbers at least. (Empty braces stand for the options, {2.0} for a distance.)
class sample_spacing : public detail::array_or_list<double> {
 public:
  template <scalar_like S>
  sample_spacing(S distance) : array_or_list(nothing()), distance_(static_cast<double>(distance)) {}
  using array_or_list::array_or_list;

  double distance() const { return distance_; }

 private:
  double distance_ = 1;
};

namespace detail {

/// Integers are differentiated as double.
template <class T>
using differentiated = std::conditional_t<is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_, double, T>;

/// A vector reshaped to lie along one axis of arrays of this rank.
template <class T>
array<T> laid_along(const array<T>& line, int axis, int rank) {
  shape_t shape(static_cast<std::size_t>(rank), 1);
  shape[axis] = line.size();
  return reshape(line, shape);
}

template <class R>
void gradient_evenly(const array<R>& result, const array<R>& f, int axis, double h, int edge_order) {
  const index_t n = f.shape()[axis];
  const auto at = [&](index_t i, index_t count = 1) { return stretch_of(f, axis, i, count); };
  const auto out = [&](index_t i) { return stretch_of(result, axis, i, 1); };
  stretch_of(result, axis, 1, n - 2).assign((at(2, n - 2) - at(0, n - 2)) / (2.0 * h));
  if (edge_order == 1) {
    out(0).assign((at(1) - at(0)) / h);
    out(n - 1).assign((at(n - 1) - at(n - 2)) / h);
  } else {
    out(0).assign((-1.5 / h) * at(0) + (2.0 / h) * at(1) + (-0.5 / h) * at(2));
    out(n - 1).assign((0.5 / h) * at(n - 3) + (-2.0 / h) * at(n - 2) + (1.5 / h) * at(n - 1));
  }
}

template <class R, class X>
void gradient_unevenly(const array<R>& result, const array<R>& f, int axis, const array<X>& x, int edge_order) {
  const index_t n = f.shape()[axis];
  const int rank = f.ndim();
  const auto at = [&](index_t i, index_t count = 1) { return stretch_of(f, axis, i, count); };
  const auto step = [&](index_t i, index_t count = 1) {  // from sample i to the next
    return laid_along(stretch_of(x, 0, i + 1, count), axis, rank) -
           laid_along(stretch_of(x, 0, i, count), axis, rank);
  };
  const auto write = [&](index_t i, index_t count, const auto& values) {
    stretch_of(result, axis, i, count).assign(values.template astype<R>());
  };
  const auto before = step(0, n - 2);
  const auto after = step(1, n - 2);
  write(1, n - 2,
        -after / (before * (before + after)) * at(0, n - 2) +
            (after - before) / (before * after) * at(1, n - 2) +
            before / (after * (before + after)) * at(2, n - 2));
  if (edge_order == 1) {
    write(0, 1, (at(1) - at(0)) / step(0));
    write(n - 1, 1, (at(n - 1) - at(n - 2)) / step(n - 2));
    return;
  }
  const array<double> a = step(0);
  const array<double> b = step(1);
  write(0, 1, -(2.0 * a + b) / (a * (a + b)) * at(0) + (a + b) / (a * b) * at(1) - a / (b * (a + b)) * at(2));
  const array<double> c = step(n - 3);
  const array<double> d = step(n - 2);
  write(n - 1, 1,
        d / (c * (c + d)) * at(n - 3) - (d + c) / (c * d) * at(n - 2) +
            (2.0 * d + c) / (d * (c + d)) * at(n - 1));
}

template <class T, class R = differentiated<T>>
array<R> gradient_along(const array<T>& samples, int axis, const sample_spacing& spacing, int edge_order,
                        const char* function) {
  const index_t n = samples.shape()[axis];
  if (edge_order != 1 && edge_order != 2)
    throw error(std::string(function) + ": 'edge_order' greater than 2 not supported");
  if (n < edge_order + 1) {
    throw shape_error(std::string(function) +
                      ": shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                      "elements are required, got shape " +
                      to_string(samples.shape()));
  }
  array<double> x;
  if (spacing.given()) {
    x = spacing.on(samples.device());
    if (x.ndim() != 1 || x.size() != n) {
      throw shape_error(std::string(function) + ": coordinates of shape " + to_string(x.shape()) +
                        " must match the length of the corresponding dimension, " + std::to_string(n));
    }
  }
  const array<R> f = in_type<R>(samples);
  const array<R> result(f.shape(), f.device(), function);
  if (spacing.given()) {
    gradient_unevenly(result, f, axis, x, edge_order);
  } else {
    gradient_evenly(result, f, axis, spacing.distance(), edge_order);
  }
  return result;
}

/// One gradient for each axis, in the order in which the axes are given, with a spacing for each.
template <class T>
auto gradients_along(const array<T>& a, const std::vector<sample_spacing>& spacings,
                     const gradient_options& options) {
  const axis_set chosen(options.axis, a.ndim(), "gradients");
  if (spacings.size() != static_cast<std::size_t>(chosen.count)) {
    throw shape_error("gradients: " + std::to_string(spacings.size()) + " spacings are given for " +
                      std::to_string(chosen.count) + (chosen.count == 1 ? " axis" : " axes"));
  }
  std::vector<array<differentiated<T>>> result;
  for (const sample_spacing& spacing : spacings) {
    const auto next = static_cast<int>(result.size());
    const int axis =
        options.axis.given() ? normalize_axis(options.axis.values()[next], a.ndim(), "gradients") : next;
    result.push_back(gradient_along(a, axis, spacing, options.edge_order, "gradients"));
  }
  return result;
}

}  // namespace detail

/// The rate of change of samples along an axis, by central differences inside and one-sided ones at the edges;
/// a vector needs no axis. `spacing` is a distance or the samples' coordinates.
template <array_like X>
auto gradient(const X& x, const sample_spacing& spacing, const gradient_options& options = {}) {
  const auto a = x.eval();
  if (!options.axis.given() && a.ndim() != 1) {
    throw shape_error("gradient: an array of shape " + to_string(a.shape()) +
                      " has a gradient along each axis: name one, or call gradients");
  }
  const detail::axis_set chosen(options.axis, a.ndim(), "gradient");
  if (chosen.count != 1) throw shape_error("gradient: takes one axis, got " + to_string(options.axis.values()));
  int axis = 0;
  while (!chosen.chosen[axis]) ++axis;
  return detail::gradient_along(a, axis, spacing, options.edge_order, "gradient");
}
template <array_like X>
auto gradient(const X& x, const gradient_options& options = {}) {
  return gradient(x, sample_spacing(1.0), options);
}
GNP_REFUSES_VECTORS(gradient)
template <array_like X, std::convertible_to<sample_spacing>... Spacings>
  requires(sizeof...(Spacings) > 1)
array<double> gradient(const X&, const Spacings&...) {
  static_assert(!array_like<X>, "gnp: gradient is along one axis: a spacing for each is for gnp::gradients");
  return {};
}
/// The gradients along all axes, or along those given. This is what NumPy's gradient returns for more than one
/// axis.
template <array_like X>
auto gradients(const X& x, const sample_spacing& spacing, const gradient_options& options = {}) {
  const auto a = x.eval();
  const auto axes = static_cast<std::size_t>(detail::axis_set(options.axis, a.ndim(), "gradients").count);
  return detail::gradients_along(a, std::vector<sample_spacing>(axes, spacing), options);
}
template <array_like X>
auto gradients(const X& x, const gradient_options& options = {}) {
  return gradients(x, sample_spacing(1.0), options);
}
/// With a spacing for each axis, or for each of those given: gradients(x, 0.5, {0, 1, 3}).
template <array_like X>
auto gradients(const X& x, const sample_spacing& first, const sample_spacing& second,
               const gradient_options& options = {}) {
  return detail::gradients_along(x.eval(), {first, second}, options);
}
template <array_like X>
auto gradients(const X& x, const sample_spacing& first, const sample_spacing& second,
               const sample_spacing& third, const gradient_options& options = {}) {
  return detail::gradients_along(x.eval(), {first, second, third}, options);
}
/// (A template, because {1, 2} are the coordinates of an axis.)
template <array_like X, std::same_as<sample_spacing> Spacing>
auto gradients(const X& x, const std::vector<Spacing>& spacings, const gradient_options& options = {}) {
  return detail::gradients_along(x.eval(), spacings, options);
}

struct trapezoid_options {
  by_name only = by_name();
  detail::any_real dx = 1.0;
  int axis = -1;
};

/// The places of the samples by name: trapezoid(y, {.x = {0, 1, 3}}).
struct placed_trapezoid_options {
  by_name only = by_name();
  sample_spacing x;
  int axis = -1;
};

namespace detail {

template <class Y>
auto sums_of_neighbours(const Y& y, int axis) {
  const index_t n = y.shape()[axis];
  const index_t count = (std::max)(n - 1, index_t{0});
  return stretch_of(y, axis, n - count, count) + stretch_of(y, axis, 0, count);
}

}  // namespace detail

/// The integral along an axis by the trapezoidal rule, for samples dx apart.
template <array_like Y>
auto trapezoid(const Y& y, const trapezoid_options& options = {}) {
  const int axis = detail::normalize_axis(options.axis, y.ndim(), "trapezoid");
  return sum(double{options.dx} * detail::sums_of_neighbours(y, axis) / 2.0, axis);
}
/// The same for samples at the places x.
template <array_like Y, array_like X>
auto trapezoid(const Y& y, const X& x, const trapezoid_options& options = {}) {
  const int axis = detail::normalize_axis(options.axis, y.ndim(), "trapezoid");
  const auto places = x.eval();
  const auto steps = [&] {
    if (places.ndim() == 1) return detail::laid_along(array(diff(places)), axis, y.ndim());
    return array(diff(places, 1, options.axis));
  }();
  const auto pairs = detail::sums_of_neighbours(y, axis);
  if (shape_t both; !detail::broadcast_shapes(steps.shape(), pairs.shape(), both)) {
    throw shape_error("trapezoid: x of shape " + to_string(places.shape()) + " does not fit y of shape " +
                      to_string(y.shape()));
  }
  return sum(steps * pairs / 2.0, axis);
}
/// Refused, as NumPy refuses a number for the places.
template <array_like Y, scalar_like Number>
array<double> trapezoid(const Y&, Number) {
  static_assert(!scalar_like<Number>,
                "gnp: the distance between the samples is given by name: gnp::trapezoid(y, {.dx = 0.5})");
  return {};
}
/// The places in braces, or in a std::vector: trapezoid(y, {0, 1, 3}).
template <array_like Y>
auto trapezoid(const Y& y, const detail::listed_numbers& x, const trapezoid_options& options = {}) {
  return trapezoid(y, detail::list_beside(y, x), options);
}
template <array_like Y, class X>
  requires(detail::is_host_vector_v<X>)
auto trapezoid(const Y& y, const X& x, const trapezoid_options& options = {}) {
  return trapezoid(y, detail::list_beside(y, x), options);
}
template <array_like Y>
auto trapezoid(const Y& y, const placed_trapezoid_options& options) {
  if (!options.x.given()) {
    throw error("trapezoid: .x has a place for each sample: a distance between them is .dx");
  }
  return trapezoid(y, options.x.on(y.device()), {.axis = options.axis});
}
GNP_TAKES_LIST_FIRST(trapezoid, (const trapezoid_options& options = {}), (options))
GNP_TAKES_LIST_FIRST(trapezoid, (const placed_trapezoid_options& options), (options))
GNP_TAKES_LIST_FIRST(trapezoid, (const detail::listed_numbers& places, const trapezoid_options& options = {}),
                     (places, options))
GNP_TAKES_LIST_FIRST(trapezoid, (const auto& places, const trapezoid_options& options = {}), (places, options))

template <element T>
struct ediff1d_options {
  by_name only = by_name();
  diff_edge<T, detail::edges_of::ediff1d> to_end = {};
  diff_edge<T, detail::edges_of::ediff1d> to_begin = {};
};

/// The differences of neighbours in the flattened array, with optional values before and after them.
template <array_like X>
auto ediff1d(const X& x, const ediff1d_options<typename X::value_type>& options = {}) {
  using T = typename X::value_type;
  static_assert(!std::is_same_v<T, bool>,
                "gnp: ediff1d subtracts, which booleans cannot: astype another type first");
  const array<T> flat = ravel(x);
  const auto length = [](const auto& edge) {
    return edge.number() != nullptr ? index_t{1} : edge.given() ? edge.values()->size() : index_t{0};
  };
  const index_t count = (std::max)(flat.size() - 1, index_t{0});
  const index_t before = length(options.to_begin);
  const index_t after = length(options.to_end);
  const array<T> result(shape_t{before + count + after}, flat.device(), "ediff1d");
  const auto put = [&](const auto& edge, index_t start, index_t room) {
    if (edge.number() != nullptr) detail::stretch_of(result, 0, start, room).fill(*edge.number());
    if (edge.values() != nullptr) detail::stretch_of(result, 0, start, room).assign(ravel(*edge.values()));
  };
  put(options.to_begin, 0, before);
  detail::stretch_of(result, 0, before, count)
      .assign(detail::stretch_of(flat, 0, flat.size() - count, count) - detail::stretch_of(flat, 0, 0, count));
  put(options.to_end, before + count, after);
  return result;
}
GNP_REFUSES_ALL_VECTORS(ediff1d)

struct unwrap_options {
  by_name only = by_name();
  std::optional<double> discont = std::nullopt;  // half of the period
  int axis = -1;
  detail::any_real period = 6.283185307179586;
};

/// Removes jumps of at least `discont` along an axis, by adding multiples of the period.
template <array_like X>
auto unwrap(const X& x, const unwrap_options& options = {}) {
  using R = detail::differentiated<typename X::value_type>;
  const array<R> p = detail::in_type<R>(x);
  const int axis = detail::normalize_axis(options.axis, p.ndim(), "unwrap");
  const index_t count = (std::max)(p.shape()[axis] - 1, index_t{0});
  const array<R> result = copy(p);
  if (count == 0 || p.size() == 0) return result;
  const auto later = detail::stretch_of(p, axis, 1, count);
  const double period = options.period;
  const double half = period / 2;
  const auto jump = later - detail::stretch_of(p, axis, 0, count);
  const auto wrapped = remainder(jump + half, period) - half;
  const auto inside = where(logical_and(wrapped == -half, jump > 0), half, wrapped);
  const auto correction = where(abs(jump) < options.discont.value_or(half), 0, inside - jump);
  detail::stretch_of(result, axis, 1, count).assign(later + cumsum(correction, axis));
  return result;
}
// The values in braces: gradient({1, 2, 4}), ediff1d({1, 2, 4}, {.to_end = 9}).
GNP_TAKES_VALUES_BESIDE(gradient, (const sample_spacing& spacing, const gradient_options& options = {}),
                        (spacing, options))
GNP_TAKES_VALUES_BESIDE(gradient, (const gradient_options& options = {}), (options))
GNP_REFUSES_MIXED_NUMBERS(gradient, class Nothing = void, const gradient_options& = {})
GNP_TAKES_VALUES_BESIDE(ediff1d, (const ediff1d_options<Number>& options = {}), (options))
GNP_REFUSES_MIXED_NUMBERS(ediff1d, class Nothing = void, const ediff1d_options<T>& = {})
GNP_TAKES_VALUES_BESIDE(unwrap, (const unwrap_options& options = {}), (options))
GNP_REFUSES_MIXED_NUMBERS(unwrap, class Nothing = void, const unwrap_options& = {})

}}  // namespace gnp::GNP_ABI
