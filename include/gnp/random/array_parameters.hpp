// SPDX-License-Identifier: MIT
// Distributions whose parameters are arrays: the parameters are checked, broadcast and converted for the draws.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/exec/layout/leaves.hpp>
#include <gnp/random/by_element.hpp>
#include <gnp/random/parameters.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/reductions.hpp>
#include <optional>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Each parameter is an array or a number, and at least one is an array.
template <class... P>
concept some_arrays = ((array_like<P> || std::is_arithmetic_v<P>) && ...) && (array_like<P> || ...);

/// Are all values of the parameter, an array or a number, integers?
template <class P>
constexpr bool is_integral_parameter() {
  if constexpr (array_like<P>) {
    return is_integer(dtype_of<typename P::value_type>);
  } else {
    return std::is_integral_v<P>;
  }
}

/// Does float hold every value of this parameter exactly? Also true for numbers, which are not kept in an
/// array.
template <class P>
constexpr bool float_holds() {
  if constexpr (array_like<P>) {
    constexpr dtype type = dtype_of<typename P::value_type>;
    static_assert(!is_complex(type), "gnp: parameters of distributions are real");
    return is_floating(type) ? type != dtype::float64 : itemsize(type) <= 2;
  } else {
    return true;
  }
}
template <class... P>
using stored_for = std::conditional_t<(float_holds<P>() && ...), float, double>;

/// The name of Stored in a kernel's text.
template <class Stored>
inline constexpr const char* stored_name = std::is_same_v<Stored, float> ? "float" : "double";

template <class... P>
device device_of_parameters(const char* function, const P&... parameters) {
  std::optional<device> found;
  const auto look = [&](const auto& p) {
    if constexpr (!std::is_arithmetic_v<std::remove_cvref_t<decltype(p)>>) {
      if (found) require_same_device(function, *found, p.device());
      found = p.device();
    }
  };
  (look(parameters), ...);
  return *found;
}

/// The requested shape, to which the parameters' shape must broadcast. If none was requested, the parameters'
/// shape.
GNP_INLINE shape_t shape_of_draws(const char* function, const shape_t& wanted, const shape_t& parameters) {
  if (wanted.rank() == 0) return parameters;
  if (!broadcasts_to(parameters, wanted)) {
    throw shape_error(std::string(function) + ": parameters of shape " + to_string(parameters) +
                      " do not broadcast to the shape " + to_string(wanted));
  }
  return wanted;
}

/// The same for parameters some of which are arrays.
template <class... P>
  requires some_arrays<P...>
shape_t shape_of_draws(const char* function, const shape_t& wanted, const P&... parameters) {
  shape_t common;
  const auto merge = [&](const auto& p) {
    if constexpr (!std::is_arithmetic_v<std::remove_cvref_t<decltype(p)>>)
      common = broadcast(function, common, p.shape());
  };
  (merge(parameters), ...);
  return shape_of_draws(function, wanted, common);
}

/// Throws if an element of `bad` is true, and says which one.
template <class Bad>
void refuse_where(const char* function, const char* rule, const Bad& bad) {
  const asks_for_elements asking(function);
  if (bad.size() == 0 || !any(bad).item()) return;
  index_t place = argmax(bad).item();
  shape_t index = bad.shape();
  for (int d = index.rank() - 1; d >= 0; --d) {
    const index_t size = index[d];
    index[d] = place % size;
    place /= size;
  }
  throw error(std::string(function) + ": " + rule +
              (index.rank() > 0 ? std::string(", at ") + to_string(index) : ""));
}

/// A parameter: an array of Stored, or a number.
template <class Stored, class Value>
class law_parameter {
 public:
  template <class P>
  explicit law_parameter(const P& given) {
    if constexpr (array_like<P>) {
      is_array_ = true;
      values_ = asarray<Stored>(given);
    } else {
      value_ = static_cast<Value>(given);
    }
  }

  bool is_array() const { return is_array_; }
  const array<Stored>& values() const { return values_; }
  Value value() const { return value_; }

  void refuse_beyond(const char* function, const char* rule, double most) const {
    if (is_array_) refuse_where(function, rule, !(abs(values_) <= most));
    if (!(std::abs(value_) <= most)) throw error(std::string(function) + ": " + rule);
  }

  /// The parameter for the draws of a result of this shape. The draws read block().
  scalar::parameter<Stored, Value> over(const shape_t& shape) {
    if (!is_array_) return {nullptr, 0, value_};
    if (values_.size() != 1 && !(values_.shape() == shape && values_.is_contiguous()))
      values_ = broadcast_to(values_, shape).copy();
    return {values_.data(), static_cast<unsigned long long>(values_.size() - 1), Value()};
  }
  /// The array's memory; null for a number.
  storage* block() const { return is_array_ ? values_.block().get() : nullptr; }

 private:
  bool is_array_ = false;
  array<Stored> values_;
  Value value_ = Value();
};

/// NumPy refuses -0.0 too.
template <class Stored>
void check_non_negative(const char* function, const char* rule, const char* name,
                        const law_parameter<Stored, double>& p) {
  if (p.is_array()) {
    refuse_where(function, rule, signbit(p.values()) & (p.values() == p.values()));
  } else {
    check_non_negative(function, rule, name, p.value());
  }
}

/// Calls f(a, b) for two parameters, at least one of which is an array. f gets arrays and numbers of type
/// Value.
template <class Stored, class Value, class F>
void with_both(const law_parameter<Stored, Value>& a, const law_parameter<Stored, Value>& b, const F& f) {
  const auto of = [](const array<Stored>& x) {
    if constexpr (std::is_floating_point_v<Value>) {
      return x.template astype<Value>();  // Stored is float only where that is exact
    } else {
      return x;
    }
  };
  if (!a.is_array()) {
    f(a.value(), of(b.values()));
  } else if (!b.is_array()) {
    f(of(a.values()), b.value());
  } else {
    f(of(a.values()), of(b.values()));
  }
}

template <class T, class Low, class High>
array<T> uniform_by_element(const random_call& call, const Low& low, const High& high, const shape_t& wanted) {
  static_assert(is_floating(dtype_of<T>), "gnp: uniform numbers are of a real floating-point type");
  using stored = stored_for<Low, High>;
  using draw_t = scalar::by_element<scalar::uniform_laws<T, stored>>;
  const shape_t shape = shape_of_draws("uniform", wanted, low, high);
  law_parameter<stored, double> from(low);
  law_parameter<stored, double> to(high);
  const char* too_far = "high - low range exceeds valid bounds";
  if constexpr (largest_finite(dtype_of<T>) < largest_finite(dtype_of<stored>)) {
    from.refuse_beyond("uniform", too_far, largest_finite(dtype_of<T>));
    to.refuse_beyond("uniform", too_far, largest_finite(dtype_of<T>));
  }
  with_both(from, to, [too_far](const auto& l, const auto& h) {
    refuse_where("uniform", too_far,
                 !(abs(h - l) <= largest_finite(dtype_of<typename scalar::computed_as<T>::type>)));
    refuse_where("uniform", "high - low < 0", h < l);
  });
  const draw_t laws{{from.over(shape), to.over(shape)}, call.numbers.first_element()};
  return drawn<T>(call, "uniform",
                  std::string("by_element<uniform_laws<result_t, ") + stored_name<stored> + ">>", laws, shape,
                  {from.block(), to.block()});
}

/// Normal and log-normal numbers, by Draw.
template <class T, class Draw, class Mean, class Deviation>
array<T> normal_by_element(const random_call& call, const char* function, const char* rule, const char* draw,
                           const Mean& mean, const Deviation& deviation, const shape_t& wanted) {
  static_assert(is_floating(dtype_of<T>), "gnp: normal numbers are of a real floating-point type");
  using stored = stored_for<Mean, Deviation>;
  using draw_t = scalar::by_element<scalar::normal_laws<Draw, stored>>;
  const shape_t shape = shape_of_draws(function, wanted, mean, deviation);
  law_parameter<stored, double> about(mean);
  law_parameter<stored, double> spread(deviation);
  check_non_negative(function, rule, "scale", spread);
  const draw_t laws{{about.over(shape), spread.over(shape)}, call.numbers.first_element()};
  return drawn<T>(call, function,
                  std::string("by_element<normal_laws<") + draw + ", " + stored_name<stored> + ">>", laws,
                  shape, {about.block(), spread.block()});
}

template <class T, class Scale>
array<T> exponential_by_element(const random_call& call, const Scale& scale, const shape_t& wanted) {
  static_assert(is_floating(dtype_of<T>), "gnp: exponential numbers are of a real floating-point type");
  using stored = stored_for<Scale>;
  using draw_t = scalar::by_element<scalar::exponential_laws<T, stored>>;
  const shape_t shape = shape_of_draws("exponential", wanted, scale);
  law_parameter<stored, double> mean(scale);
  check_non_negative("exponential", "scale < 0", "scale", mean);
  const draw_t laws{{mean.over(shape)}, call.numbers.first_element()};
  return drawn<T>(call, "exponential",
                  std::string("by_element<exponential_laws<result_t, ") + stored_name<stored> + ">>", laws,
                  shape, {mean.block()});
}

template <class T, class Lam>
array<T> poisson_by_element(const random_call& call, const Lam& lam, const shape_t& wanted) {
  using stored = stored_for<Lam>;
  using draw_t = scalar::by_element<scalar::poisson_laws<T, stored>>;
  const shape_t shape = shape_of_draws("poisson", wanted, lam);
  law_parameter<stored, double> mean(lam);
  refuse_where("poisson", "lam < 0 or lam is NaN", !(mean.values() >= 0));
  refuse_where("poisson", "lam value too large",
               mean.values().template astype<double>() > largest_poisson_mean);
  const draw_t laws{{mean.over(shape)}, call.numbers.first_element()};
  return drawn<T>(call, "poisson",
                  std::string("by_element<poisson_laws<result_t, ") + stored_name<stored> + ">>", laws, shape,
                  {mean.block()});
}

template <class T, class Stored>
array<T> binomial_numbers(const random_call& call, const shape_t& shape,
                          law_parameter<std::int64_t, long long>& trials,
                          law_parameter<Stored, double>& chance) {
  using draw_t = scalar::by_element<scalar::binomial_laws<T, Stored, std::int64_t>>;
  const draw_t laws{{trials.over(shape), chance.over(shape)}, call.numbers.first_element()};
  return drawn<T>(call, "binomial",
                  std::string("by_element<binomial_laws<result_t, ") + stored_name<Stored> + ", long long>>",
                  laws, shape, {trials.block(), chance.block()});
}

GNP_DECLARED_ON_USE void check_trials(const char* function,
                                      const law_parameter<std::int64_t, long long>& trials);

template <class T, class Trials, class Chance>
array<T> binomial_by_element(const random_call& call, const Trials& n, const Chance& p, const shape_t& wanted) {
  static_assert(is_integral_parameter<Trials>(), "gnp: numbers of trials are integers");
  using stored = stored_for<Chance>;
  const shape_t shape = shape_of_draws("binomial", wanted, n, p);
  law_parameter<std::int64_t, long long> trials(n);
  law_parameter<stored, double> chance(p);
  check_trials("binomial", trials);
  if (chance.is_array()) {
    refuse_where("binomial", "p < 0, p > 1 or p is NaN", !((chance.values() >= 0) & (chance.values() <= 1)));
  } else {
    check_chance(chance.value());
  }
  return binomial_numbers<T>(call, shape, trials, chance);
}

/// Refuses a bound that T cannot hold. An excluded bound may be one more than T's largest value, unless T has
/// 64 bits, because the largest 64-bit number has no successor.
template <class T, class Bound>
void check_integer_bound(const char* function, const char* rule, const Bound& bound, bool excluded) {
  static_assert(is_integral_parameter<Bound>(), "gnp: bounds of integers are integers");
  constexpr auto least = least_integer<T>;
  constexpr auto most = most_integer<T>;
  if constexpr (std::is_arithmetic_v<Bound>) {
    const bool one_more =
        excluded && sizeof(T) < 8 && std::cmp_equal(bound, static_cast<std::uint64_t>(most) + 1);
    if (std::cmp_less(bound, least) || (std::cmp_greater(bound, most) && !one_more))
      throw error(std::string(function) + ": " + rule);
  } else {
    using V = typename Bound::value_type;
    if constexpr (std::cmp_less(least_integer<V>, least)) refuse_where(function, rule, bound < V(least));
    if constexpr (std::cmp_greater(most_integer<V>, most))
      refuse_where(function, rule, bound > static_cast<V>(V(most) + (excluded && sizeof(T) < 8 ? 1 : 0)));
  }
}

template <class T, class Low, class High>
array<T> integers_by_element(const random_call& call, const char* function, const Low& low, const High& high,
                             bool endpoint, const shape_t& wanted) {
  static_assert(is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_, "gnp: integers are of an integer type");
  // Holds all values of T and one more, if there is one.
  using wide = std::conditional_t<dtype_of<T> == dtype::uint64, std::uint64_t, std::int64_t>;
  using draw = std::conditional_t<sizeof(T) < 8, scalar::narrow_integer_draw<T>, scalar::wide_integer_draw<T>>;
  using draw_t = scalar::by_element<scalar::integer_laws<draw, wide>>;
  if (asks_for_nothing(wanted)) return array<T>(wanted, call.where, function);
  const shape_t shape = shape_of_draws(function, wanted, low, high);
  check_integer_bound<T>(function, "low is out of bounds", low, false);
  check_integer_bound<T>(function, "high is out of bounds", high, !endpoint);
  law_parameter<wide, wide> first(low);
  law_parameter<wide, wide> end(high);
  with_both(first, end, [endpoint, function](const auto& l, const auto& h) {
    if (endpoint) {
      refuse_where(function, "low > high", l > h);
    } else {
      refuse_where(function, "low >= high", l >= h);
    }
  });
  const std::string name = sizeof(T) < 8 ? "narrow_integer_draw" : "wide_integer_draw";
  const draw_t laws{{first.over(shape), end.over(shape), endpoint ? 0U : 1U}, call.numbers.first_element()};
  return drawn<T>(call, function,
                  "by_element<integer_laws<" + name + "<result_t>, " +
                      (std::is_signed_v<wide> ? "" : "unsigned ") + "long long>>",
                  laws, shape, {first.block(), end.block()});
}

}}}  // namespace gnp::GNP_ABI::detail

#ifdef GNP_READS_BODIES
#include <gnp/random/checked_parameters.hpp>
#endif
