// SPDX-License-Identifier: MIT
// interp: piecewise linear functions.
#pragma once

#include <algorithm>
#include <gnp/array/asarray.hpp>
#include <gnp/core/number.hpp>
#include <gnp/cpu/loop.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/expr/scalar/interpolated.hpp>
#include <gnp/routines/joining.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/searching.hpp>
#include <gnp/routines/sorting.hpp>

namespace gnp { inline namespace GNP_ABI {

GNP_NUMPY_OPERATION(interp, (x, x0, x1, y0, y1), interpolation, interpolated(x, x0, x1, y0, y1))

namespace detail {

/// A number, or none.
class interp_period {
 public:
  constexpr interp_period(none_t) {}
  constexpr interp_period(any_real period) : value_(period), given_(true) {}
  template <plain_number Number>
  constexpr interp_period(Number period) : interp_period(any_real(period)) {}
  template <array_of_numbers X>
  interp_period(const X& period) : interp_period(any_real(period)) {}
  constexpr bool given() const { return given_; }
  constexpr double value() const { return value_; }

 private:
  double value_ = 0;
  bool given_ = false;
};

}  // namespace detail

/// What interp gives before the first and after the last point, by default these points' values; and the period
/// of x, if it has one.
struct interp_options {
  by_name only = by_name();
  number left = {};
  number right = {};
  detail::interp_period period = none;
};

namespace detail {

/// Puts the points of a periodic function in order, with the last one repeated before the first and the first
/// one after the last. Changes the places, and returns the order of the points.
GNP_DECLARED_ON_USE array<index_t> lay_out_places(array<double>& x, array<double>& xp, double period);

template <class Y>
void lay_out_period(array<double>& x, array<double>& xp, array<Y>& fp, double period) {
  const auto order = lay_out_places(x, xp, period);
  fp = take(fp, order);
  const slice first(0, 1);
  const slice last(-1, none);
  fp = concatenate({fp(last), fp, fp(first)});
}

/// How many of the ascending places are not above x. The search begins at `place`, the last x's answer: values
/// of x that ascend slowly find theirs within four steps; for others a search by halves follows.
template <class D>
index_t places_up_to(const D* places, index_t count, D x, index_t place) {
  index_t first = 0;
  index_t last = count;
  if (place > 0 && !(places[place - 1] <= x)) {
    last = place - 1;
  } else {
    first = place;
    for (int step = 0; step < 4; ++step, ++first) {
      if (first == count || !(places[first] <= x)) return first;
    }
  }
  while (first < last) {
    const index_t middle = first + (last - first) / 2;
    if (places[middle] <= x) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// One value after another, where each is likely to be near the one before. Two points at least.
template <class Y, class D>
void interpolate_one_by_one(const D* at, index_t count, const D* places, const Y* values, index_t points,
                            Y left, Y right, Y* out) {
  index_t place = 0;
  [[maybe_unused]] index_t slope_of = -1;
  [[maybe_unused]] D slope = 0;
  for (index_t i = 0; i < count; ++i) {
    const D x = at[i];
    if (x < places[0] || x > places[points - 1]) {
      out[i] = x < places[0] ? left : right;
      continue;
    }
    place = places_up_to(places, points, x, place);
    const index_t before = (std::max)(place - 1, index_t{0});
    const index_t next = (std::min)(place, points - 1);
    if constexpr (std::is_same_v<Y, D>) {
      // A division takes longer than the rest, and the slope is mostly the one before.
      if (slope_of != place) {
        slope_of = place;
        slope = (values[next] - values[before]) / (places[next] - places[before]);
      }
      const D y = slope * (x - places[before]) + values[before];
      if (x > places[before] && x < places[next] && y == y) {
        out[i] = y;
        continue;
      }
    }
    out[i] = scalar::interpolated(x, places[before], places[next], values[before], values[next]);
  }
}

/// Values in any order. The searches take the same steps for all of them, without a branch, so that the
/// processor is at several at a time.
template <class D>
GNP_LOOP void interpolate_each(const D* at, index_t count, const D* places, const D* values, index_t points,
                               D left, D right, D* out) {
  for (index_t i = 0; i < count; ++i) {
    const D x = at[i];
    index_t before = 0;
    for (index_t rest = points; rest > 1;) {
      const index_t half = rest / 2;
      before += half * static_cast<index_t>(places[before + half] <= x);
      rest -= half;
    }
    const index_t next = (std::min)(before + 1, points - 1);
    const D slope = (values[next] - values[before]) / (places[next] - places[before]);
    const D y = slope * (x - places[before]) + values[before];
    if (x > places[before] && x < places[next] && y == y) {
      out[i] = y;
    } else if (x < places[0] || x > places[points - 1]) {
      out[i] = x < places[0] ? left : right;
    } else {
      // (Above no place is only NaN.)
      const index_t after = x == x ? next : 0;
      out[i] = scalar::interpolated(x, places[before], places[after], values[before], values[after]);
    }
  }
}

/// For more points than this the search of many values at once, is faster: 10^4 values take 165 us instead of
/// 184 between 8192 points, and 205 instead of 196 between 16384.
inline constexpr index_t few_points = 8192;

template <class D>
bool ascends(const D* x, index_t count) {
  for (index_t i = 1; i < count; ++i) {
    if (!(x[i - 1] <= x[i])) return false;
  }
  return true;
}

/// Interpolates between points in ascending order; beyond them the result is `left` or `right`. (D is always
/// double. It is a template parameter so that only code that calls this function compiles it.)
template <class Y, class D>
array<Y> between_points(const array<D>& at, const array<D>& places, const array<Y>& values,
                        const array<Y>& left, const array<Y>& right) {
  const auto with_ends = [&](const auto& inside) {
    return array<Y>(where(at < places(0), left, where(at > places(-1), right, inside)));
  };
  if (places.size() == 1) return with_ends(values(0));
  // Below 64 values the steps of the loops over all elements take longer to start than to run. Values in
  // ascending order need no search. For others, the search of many at once is faster between many points.
  const bool in_place =
      places.device().is_cpu() && at.device().is_cpu() && values.device().is_cpu() && at.is_contiguous();
  const bool each = in_place && std::is_same_v<Y, D> && at.size() >= 64 && places.size() <= few_points;
  if (in_place && (each || at.size() < 64 || ascends(at.data(), at.size()))) {
    const array<D> x = places.is_contiguous() ? places : places.copy();
    const array<Y> y = values.is_contiguous() ? values : values.copy();
    const array<Y> result(at.shape(), at.device(), "interp");
    const Y first = left.item();
    const Y last = right.item();
    const D* from = at.data();
    Y* to = result.data();
    constexpr index_t grain = 1 << 13;  // values for which a separate thread is worthwhile
    parallel_for(at.size(), grain, [&](index_t begin, index_t end) {
      if constexpr (std::is_same_v<Y, D>) {
        if (each && !ascends(from + begin, end - begin))
          return interpolate_each(from + begin, end - begin, x.data(), y.data(), x.size(), first, last,
                                  to + begin);
      }
      interpolate_one_by_one(from + begin, end - begin, x.data(), y.data(), x.size(), first, last, to + begin);
    });
    return result;
  }
  // The points on both sides of each place; before the first point and from the last one on, the same point
  // twice.
  const auto next = searchsorted(places, at, {.side = "right"});
  const take_options clipped{.mode = "clip"};
  const auto before = next - 1;
  return with_ends(ufunc<operations::interp_ufunc>()(at, take(places, before, clipped),
                                                     take(places, next, clipped), take(values, before, clipped),
                                                     take(values, next, clipped)));
}

}  // namespace detail

/// The piecewise linear function through the points (xp, fp), at each element of x; xp must ascend. Computed in
/// double, as in NumPy.
template <class X, array_like XP, array_like FP>
  requires(array_like<X> || scalar_like<X>)
auto interp(const X& x, const XP& xp, const FP& fp, const interp_options& options = {}) {
  using Y = std::conditional_t<is_complex(dtype_of<typename FP::value_type>), complex128, double>;
  if (xp.ndim() != 1 || fp.ndim() != 1 || xp.size() != fp.size()) {
    throw shape_error("interp: fp and xp are not of the same length, got shapes " + to_string(xp.shape()) +
                      " and " + to_string(fp.shape()));
  }
  if (xp.size() == 0) throw error("interp: array of sample points is empty");
  const use_device guard(xp.device());
  array<double> places = detail::in_type<double>(xp);
  array<Y> values = detail::in_type<Y>(fp);
  array<double> at = detail::elements_as<double>(x, places.device());
  if (options.period.given()) detail::lay_out_period(at, places, values, options.period.value());
  const auto end = [](const number& given, const array<Y>& own) {
    if (!given.given()) return own;
    return given.visit([](auto v) {
      if constexpr (is_complex(dtype_of<decltype(v)>) && !is_complex(dtype_of<Y>)) {
        throw dtype_error("interp: a complex value does not fit float64");
        return array<Y>();
      } else {
        return array<Y>(scalar::cast<Y>(v));
      }
    });
  };
  const bool periodic = options.period.given();
  const array<Y> left = end(periodic ? number() : options.left, values(0));
  const array<Y> right = end(periodic ? number() : options.right, values(-1));
  return detail::between_points(at, places, values, left, right);
}

// For points in braces: interp(x, {0, 1, 2.5}, {0, 10, 20}).
template <class X, array_like FP>
  requires(array_like<X> || scalar_like<X>)
auto interp(const X& x, std::initializer_list<detail::any_real> xp, const FP& fp,
            const interp_options& options = {}) {
  return interp(x, detail::list_beside(fp, xp), fp, options);
}
template <class X, array_like XP>
  requires(array_like<X> || scalar_like<X>)
auto interp(const X& x, const XP& xp, std::initializer_list<detail::any_real> fp,
            const interp_options& options = {}) {
  return interp(x, xp, detail::list_beside(xp, fp), options);
}
template <class X>
  requires(array_like<X> || scalar_like<X>)
auto interp(const X& x, std::initializer_list<detail::any_real> xp, std::initializer_list<detail::any_real> fp,
            const interp_options& options = {}) {
  return interp(x, detail::list_beside(x, xp), fp, options);
}
template <array_like XP, array_like FP>
auto interp(std::initializer_list<detail::any_real> x, const XP& xp, const FP& fp,
            const interp_options& options = {}) {
  return interp(detail::list_beside(xp, x), xp, fp, options);
}
template <array_like FP>
auto interp(std::initializer_list<detail::any_real> x, std::initializer_list<detail::any_real> xp, const FP& fp,
            const interp_options& options = {}) {
  return interp(x, detail::list_beside(fp, xp), fp, options);
}
template <array_like XP>
auto interp(std::initializer_list<detail::any_real> x, const XP& xp, std::initializer_list<detail::any_real> fp,
            const interp_options& options = {}) {
  return interp(x, xp, detail::list_beside(xp, fp), options);
}
GNP_ON_USE array<double> interp(std::initializer_list<detail::any_real> x,
                                std::initializer_list<detail::any_real> xp,
                                std::initializer_list<detail::any_real> fp,
                                const interp_options& options = {}) {
  return interp(detail::list_beside(none, x), xp, fp, options);
}
// For a std::vector as any argument: one vector at a time is converted to an array.
template <class X, class XP, class FP>
  requires(detail::is_host_vector_v<X> || detail::is_host_vector_v<XP> || detail::is_host_vector_v<FP>)
auto interp(const X& x, const XP& xp, const FP& fp, const interp_options& options = {}) {
  if constexpr (array_like<XP> && array_like<FP>) {
    return interp(detail::list_beside(xp, x), xp, fp, options);
  } else if constexpr (array_like<XP>) {
    return interp(x, xp, detail::list_beside(xp, fp), options);
  } else if constexpr (array_like<FP>) {
    return interp(x, detail::list_beside(fp, xp), fp, options);
  } else {
    return interp(x, detail::list_beside(x, xp), fp, options);
  }
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/signal/periods.hpp>
#endif
