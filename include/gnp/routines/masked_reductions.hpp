// SPDX-License-Identifier: MIT
// Reductions of some elements: sum(x, {.where = c}). A mask replaces the others, while they are read, by what
// does not change the result.
#pragma once

#include <gnp/expr/math.hpp>
#include <gnp/routines/mask.hpp>
#include <gnp/routines/ranks.hpp>
#include <gnp/routines/reductions.hpp>

namespace gnp { inline namespace GNP_ABI {

/// mean, any and all of some elements.
struct masked_reduce_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  bool keepdims = false;
  detail::mask where;
};

/// sum and prod of some elements; min and max, which need `initial`, because there may be none.
struct masked_sum_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  bool keepdims = false;
  number initial = {};
  detail::mask where;
};

/// var and std of some elements.
struct masked_var_options {
  by_name only = by_name();
  axes_t axis = none;
  detail::no_dtype_by_name dtype = {};
  detail::no_out_by_name out = {};
  detail::any_real ddof = 0;
  bool keepdims = false;
  detail::mask where;
  detail::no_mean_by_name mean = {};
  detail::any_real correction = 0;

  double less(const char* function) const { return detail::one_correction(ddof, correction, function); }
};

namespace detail {

template <class Options>
sum_options without_mask(const Options& options) {
  if constexpr (requires { options.initial; }) {
    return {.axis = options.axis, .keepdims = options.keepdims, .initial = options.initial};
  } else {
    return {.axis = options.axis, .keepdims = options.keepdims};
  }
}

/// x where the mask is true, a number elsewhere.
template <array_like X>
auto chosen(const X& x, const mask& which, typename X::value_type otherwise, const char* function) {
  return gnp::where(which.beside(x.shape(), function), x, otherwise);
}

GNP_INLINE void require_initial(const masked_sum_options& options, const char* function) {
  if (!options.initial.given())
    throw error(std::string(function) +
                ": to use .where, .initial must be given, because the mask may be false");
}

template <class T>
T initial_element(const number& given, const char* function) {
  return given.visit([&](auto initial) {
    if constexpr (is_complex(dtype_of<decltype(initial)>) && !is_complex(dtype_of<T>)) {
      throw dtype_error(std::string(function) + ": a complex initial value does not fit " + name(dtype_of<T>));
      return T{};
    } else {
      if constexpr (is_integer(dtype_of<T>)) require_whole_part_fits<T>(initial, function);
      return scalar::cast<T>(initial);
    }
  });
}

/// For min and max: x with `initial` where the mask is false.
template <array_like X>
auto chosen_or_initial(const X& x, const masked_sum_options& options, const char* function) {
  using T = typename X::value_type;
  require_initial(options, function);
  return chosen(x, options.where, initial_element<T>(options.initial, function), function);
}

/// How many elements the mask chooses along these axes, in the type of what they divide.
template <class T, array_like X, class Options>
auto chosen_count(const X& x, const Options& options, const char* function) {
  return sum(options.where.beside(x.shape(), function), {.axis = options.axis, .keepdims = options.keepdims})
      .template astype<T>();
}

/// Sums of halves are too large for their type.
template <class T>
using mean_type = std::conditional_t<is_16_bit_float<T>, float, averaged_type<T>>;

template <array_like X, class Options>
auto chosen_mean(const X& x, const Options& options, const char* function) {
  using T = mean_type<typename X::value_type>;
  return sum(chosen(in_type<T>(x), options.where, T{}, function),
             {.axis = options.axis, .keepdims = options.keepdims}) /
         chosen_count<T>(x, options, function);
}

template <array_like X>
auto chosen_variance(const X& x, const masked_var_options& options, const char* function) {
  using T = mean_type<typename X::value_type>;
  using R = type_of<real_part_of(dtype_of<T>)>;
  const array<T> mean = chosen_mean(
      x, masked_reduce_options{.axis = options.axis, .keepdims = true, .where = options.where}, function);
  const auto squares = [](const auto& distances) {
    if constexpr (is_complex(dtype_of<T>)) {
      return square(real(distances)) + square(imag(distances));
    } else {
      return square(distances);
    }
  };
  const auto total = sum(chosen(squares(in_type<T>(x) - mean), options.where, R{}, function),
                         {.axis = options.axis, .keepdims = options.keepdims});
  return total / maximum(chosen_count<R>(x, options, function) - options.less(function), 0);
}

}  // namespace detail

// The elements where `.where` is true: sum(x, {.axis = 0, .where = x > 0}).
template <class R = void, array_like X>
auto sum(const X& x, const masked_sum_options& options) {
  return sum<R>(detail::chosen(x, options.where, typename X::value_type{}, "sum"),
                detail::without_mask(options));
}
template <class R = void, array_like X>
auto prod(const X& x, const masked_sum_options& options) {
  return prod<R>(detail::chosen(x, options.where, scalar::cast<typename X::value_type>(1), "prod"),
                 detail::without_mask(options));
}
template <array_like X>
auto(min)(const X& x, const masked_sum_options& options) {
  return (min)(detail::chosen_or_initial(x, options, "min"), detail::without_mask(options));
}
template <array_like X>
auto(max)(const X& x, const masked_sum_options& options) {
  return (max)(detail::chosen_or_initial(x, options, "max"), detail::without_mask(options));
}
template <array_like X>
auto mean(const X& x, const masked_reduce_options& options) {
  using T = detail::averaged_type<typename X::value_type>;
  return array<T>(detail::chosen_mean(x, options, "mean").template astype<T>());
}
template <array_like X>
auto var(const X& x, const masked_var_options& options) {
  using T = type_of<detail::real_part_of(dtype_of<detail::averaged_type<typename X::value_type>>)>;
  return array<T>(detail::chosen_variance(x, options, "var").template astype<T>());
}
template <array_like X>
auto std(const X& x, const masked_var_options& options) {
  using T = type_of<detail::real_part_of(dtype_of<detail::averaged_type<typename X::value_type>>)>;
  return array<T>(sqrt(detail::chosen_variance(x, options, "std")).template astype<T>());
}
template <array_like X>
auto any(const X& x, const masked_reduce_options& options) {
  return any(logical_and(x, options.where.beside(x.shape(), "any")),
             {.axis = options.axis, .keepdims = options.keepdims});
}
template <class X>
auto all_t::operator()(const X& x, const masked_reduce_options& options) const {
  return (*this)(logical_or(x, !options.where.beside(x.shape(), "all")),
                 reduce_options{.axis = options.axis, .keepdims = options.keepdims});
}

// With the axes by position: sum(x, 0, {.where = c}) ...
#define GNP_AXES_BEFORE_MASK(function, unmasked_options, options_type)        \
  template <class... Type, array_like X>                                      \
  auto(function)(const X& x, const axes_t& axis, options_type options) {      \
    options.axis = axis;                                                      \
    return (function<Type...>)(x, static_cast<const options_type&>(options)); \
  }                                                                           \
  GNP_REFUSES_MASK_APART(function, unmasked_options, options_type)
// ... but not in braces of their own.
#define GNP_REFUSES_MASK_APART(function, unmasked_options, options_type)                                      \
  template <class... Type, array_like X>                                                                      \
  array<typename X::value_type>(function)(const X&, const unmasked_options&, const options_type&) {           \
    static_assert(!array_like<X>,                                                                             \
                  "gnp: all options are in the same braces: gnp::" #function "(x, {.axis = 0, .where = c})"); \
    return {};                                                                                                \
  }
GNP_AXES_BEFORE_MASK(sum, sum_options, masked_sum_options)
GNP_AXES_BEFORE_MASK(prod, sum_options, masked_sum_options)
GNP_AXES_BEFORE_MASK(min, sum_options, masked_sum_options)
GNP_AXES_BEFORE_MASK(max, sum_options, masked_sum_options)
GNP_AXES_BEFORE_MASK(mean, reduce_options, masked_reduce_options)
GNP_AXES_BEFORE_MASK(var, var_options, masked_var_options)
GNP_AXES_BEFORE_MASK(std, var_options, masked_var_options)
GNP_AXES_BEFORE_MASK(any, reduce_options, masked_reduce_options)
#undef GNP_REFUSES_MASK_APART
#undef GNP_AXES_BEFORE_MASK
template <class X>
auto all_t::operator()(const X& x, const axes_t& axis, const masked_reduce_options& options) const {
  masked_reduce_options given = options;
  given.axis = axis;
  return (*this)(x, static_cast<const masked_reduce_options&>(given));
}

// The same as members.
#define GNP_MEMBER_WITH_MASK(function, options_type)                                                      \
  template <class Derived>                                                                                \
  auto(detail::array_members<Derived>::function)(const options_type& options) const {                     \
    return (gnp::function)(derived(), options);                                                           \
  }                                                                                                       \
  template <class Derived>                                                                                \
  auto(detail::array_members<Derived>::function)(const axes_t& axis, const options_type& options) const { \
    return (gnp::function)(derived(), axis, options);                                                     \
  }
GNP_MEMBER_WITH_MASK(sum, masked_sum_options)
GNP_MEMBER_WITH_MASK(prod, masked_sum_options)
GNP_MEMBER_WITH_MASK(min, masked_sum_options)
GNP_MEMBER_WITH_MASK(max, masked_sum_options)
GNP_MEMBER_WITH_MASK(mean, masked_reduce_options)
GNP_MEMBER_WITH_MASK(var, masked_var_options)
GNP_MEMBER_WITH_MASK(std, masked_var_options)
GNP_MEMBER_WITH_MASK(any, masked_reduce_options)
GNP_MEMBER_WITH_MASK(all, masked_reduce_options)
#undef GNP_MEMBER_WITH_MASK
template <class Derived>
template <element R>
auto detail::array_members<Derived>::sum(const masked_sum_options& options) const {
  return gnp::sum<R>(derived(), options);
}
template <class Derived>
template <element R>
auto detail::array_members<Derived>::sum(const axes_t& axis, const masked_sum_options& options) const {
  return gnp::sum<R>(derived(), axis, options);
}
template <class Derived>
template <element R>
auto detail::array_members<Derived>::prod(const masked_sum_options& options) const {
  return gnp::prod<R>(derived(), options);
}
template <class Derived>
template <element R>
auto detail::array_members<Derived>::prod(const axes_t& axis, const masked_sum_options& options) const {
  return gnp::prod<R>(derived(), axis, options);
}

}}  // namespace gnp::GNP_ABI
