// SPDX-License-Identifier: MIT
// convolve and correlate of vectors.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/core/axes_first.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/reductions.hpp>
#include <gnp/routines/stretches.hpp>
#include <gnp/routines/windowed_views.hpp>
#include <gnp/signal/long_correlation.hpp>
#include <gnp/signal/short_correlation.hpp>
#include <string_view>

namespace gnp { inline namespace GNP_ABI {

struct convolve_options {
  by_name only = by_name();
  std::string_view mode = "full";  // "same" or "valid"
};

struct correlate_options {
  by_name only = by_name();
  std::string_view mode = "valid";  // "same" or "full"
};

namespace detail {

/// With up to this many taps, a GPU adds four at a time for all places at once; with more, it computes a sum
/// over windows.
inline constexpr index_t few_taps = 256;

/// How far the short vector reaches beyond the beginning and the end of the long one.
struct correlation_borders {
  index_t left;
  index_t right;

  correlation_borders(index_t taps, std::string_view mode, const char* function) : left(0), right(0) {
    if (mode == "full") {
      left = right = taps - 1;
    } else if (mode == "same") {
      left = taps / 2;
      right = taps - left - 1;
    } else if (mode != "valid") {
      throw error(std::string(function) + ": mode must be one of 'valid', 'same', or 'full', got '" +
                  std::string(mode) + "'");
    }
  }
};

/// Is this type's correlation on the CPU made by its own loops? (Halves are computed as floats.)
template <class C>
inline constexpr bool correlates_on_cpu = std::is_arithmetic_v<C>;

template <class C>
array<C> correlated_on_cpu(const array<C>& a, const array<C>& w, const correlation_borders& borders) {
  const array<C> samples = a.is_contiguous() ? a : a.copy();
  const array<C> taps = w.is_contiguous() ? w : w.copy();
  const array<C> result(shape_t{borders.left + a.size() + borders.right - w.size() + 1}, a.device(),
                        "convolve");
  correlate_on_cpu<C>({samples.data(), samples.size(), taps.data(), taps.size(), borders.left}, result.data(),
                      result.size());
  return result;
}

template <class C>
array<C> with_zeros(const array<C>& a, const correlation_borders& borders) {
  if (borders.left + borders.right == 0) return a;
  const array<C> result =
      filled<C>(shape_t{borders.left + a.size() + borders.right}, C(), a.device(), "convolve");
  stretch_of(result, 0, borders.left, a.size()).assign(a);
  return result;
}

/// The sum of product(j) for all taps, four at a time.
template <class C, class Product>
array<C> sum_over_taps(index_t taps, const Product& product) {
  array<C> result = product(0);
  index_t j = 1;
  for (; j < taps && (taps - j) % 4 != 0; ++j) result += product(j);
  for (; j < taps; j += 4) result += product(j) + product(j + 1) + product(j + 2) + product(j + 3);
  return result;
}

/// Are taps times the zeros beside the samples zeros, too? Not if a tap is infinite or NaN. A GPU is not asked,
/// because this would have to wait.
template <class C>
bool vanish_beside_samples(const array<C>& w, const correlation_borders& borders) {
  if constexpr (is_floating(dtype_of<C>) || is_complex(dtype_of<C>)) {
    return borders.left + borders.right == 0 || (w.device().is_cpu() && all_along(isfinite(w), {}).item());
  } else {
    return true;
  }
}

/// result[k] = sum of a[k + j] w[j], with zeros on both sides of a, which is at least as long as w.
template <class C>
array<C> correlated(const array<C>& samples, const array<C>& w, const correlation_borders& borders) {
  const index_t taps = w.size();
  const index_t count = borders.left + samples.size() + borders.right - taps + 1;
  if constexpr (is_floating(dtype_of<C>) || is_complex(dtype_of<C>)) {
    if (is_long_correlation(count, taps, samples.device())) {
      const array<C> result = correlated_by_fft(with_zeros(samples, borders), w);
      if (!is_spoilt(result)) return result;
    }
  }
  if constexpr (correlates_on_cpu<C>) {
    if (samples.device().is_cpu()) return correlated_on_cpu(samples, w, borders);
  }
  const array<C> a = with_zeros(samples, borders);
  const bool vanish = vanish_beside_samples(w, borders);
  // Places count from the first zero before the samples.
  const auto on_samples = [&](const position& places, const auto& products) {
    const ufunc<operations::greater_equal_ufunc> at_least;
    const ufunc<operations::less_ufunc> below;
    return where(at_least(places, borders.left) & below(places, borders.left + samples.size()), products, C());
  };
  if (taps > few_taps && a.device().is_cuda()) {
    const array<C> result = sum<C>(sliding_window_view(a, taps) * w, -1);
    const auto correct = [&](index_t first, index_t results) {
      const auto windows = sliding_window_view(stretch_of(a, 0, first, results + taps - 1), taps);
      const position places({results, taps}, {1, 1}, first);
      stretch_of(result, 0, first, results).assign(sum<C>(on_samples(places, windows * w), -1));
    };
    if (!vanish && borders.left > 0) correct(0, borders.left);
    if (!vanish && borders.right > 0) correct(count - borders.right, borders.right);
    return result;
  }
  const auto product = [&](index_t j) { return stretch_of(a, 0, j, count) * w(j); };
  if (vanish) return sum_over_taps<C>(taps, product);
  return sum_over_taps<C>(taps, [&](index_t j) { return on_samples(position({count}, {1}, j), product(j)); });
}

template <class X>
void require_samples(const X& x, const char* function, const char* name) {
  if (x.ndim() > 1) {
    throw shape_error(std::string(function) + ": " + name + " must be a vector, got shape " +
                      to_string(x.shape()));
  }
  if (x.size() == 0) throw error(std::string(function) + ": " + name + " cannot be empty");
}

/// The type in which elements of R are multiplied and added: float for halves; truth values are counted.
template <class R>
using correlated_in = std::conditional_t<std::is_same_v<R, bool>, std::int64_t, computed_in<R>>;

/// Moves the short vector along the long one; the caller reverses `w` if that is wanted.
template <class R, class A, class W>
array<R> moved_along(const A& a, const W& w, std::string_view mode, const char* function) {
  using C = correlated_in<R>;
  require_same_device(function, a.device(), w.device());
  const array<C> samples = ravel(in_type<C>(a));
  const array<C> taps = ravel(in_type<C>(w));
  const correlation_borders borders(taps.size(), mode, function);
  const array<C> result = correlated(samples, taps, borders);
  if constexpr (std::is_same_v<R, C>) {
    return result;
  } else {
    return result.template astype<R>();
  }
}

}  // namespace detail

/// The vectors' product as polynomials: sum of a[k - j] v[j]. "full" is all of it, "same" is as long as the
/// longer vector, "valid" is the part where both overlap completely.
template <array_like A, array_like V>
auto convolve(const A& a, const V& v, std::string_view mode = "full") {
  using R = type_of<promote(dtype_of<typename A::value_type>, dtype_of<typename V::value_type>)>;
  detail::require_samples(a, "convolve", "a");
  detail::require_samples(v, "convolve", "v");
  return v.size() > a.size() ? detail::moved_along<R>(v, flip(ravel(a)), mode, "convolve")
                             : detail::moved_along<R>(a, flip(ravel(v)), mode, "convolve");
}

/// By name: convolve(a, v, {.mode = "same"}).
template <array_like A, array_like V>
auto convolve(const A& a, const V& v, const convolve_options& options) {
  return convolve(a, v, options.mode);
}

/// sum of a[k + j] conj(v[j]), for k as the mode says.
template <array_like A, array_like V>
auto correlate(const A& a, const V& v, std::string_view mode = "valid") {
  using R = type_of<promote(dtype_of<typename A::value_type>, dtype_of<typename V::value_type>)>;
  detail::require_samples(a, "correlate", "a");
  detail::require_samples(v, "correlate", "v");
  if (v.size() > a.size()) return array<R>(flip(detail::moved_along<R>(conj(v), a, mode, "correlate")));
  return detail::moved_along<R>(a, conj(v), mode, "correlate");
}
template <array_like A, array_like V>
auto correlate(const A& a, const V& v, const correlate_options& options) {
  return correlate(a, v, options.mode);
}

/// A number is one sample: convolve(a, 2).
template <array_like A, scalar_like V>
auto convolve(const A& a, V v, std::string_view mode = "full") {
  return convolve(a, detail::list_beside(a, std::initializer_list<V>{v}), mode);
}
template <scalar_like A, array_like V>
auto convolve(A a, const V& v, std::string_view mode = "full") {
  return convolve(detail::list_beside(v, std::initializer_list<A>{a}), v, mode);
}

// For numbers in braces or in a std::vector: convolve(a, {1, 2, 1}, "same"), convolve({1, 2}, {0, 0.5}).
#define GNP_MOVED_LIST(function, all, List)                               \
  auto function(const A& a, const List& v, std::string_view mode = all) { \
    return function(a, detail::list_beside(a, v), mode);                  \
  }
#define GNP_MOVED_LIST_BY_NAME(function, List)                                  \
  auto function(const A& a, const List& v, const function##_options& options) { \
    return function(a, detail::list_beside(a, v), options.mode);                \
  }
#define GNP_MOVED_LIST_FIRST(function, all, List)                         \
  auto function(const List& a, const V& v, std::string_view mode = all) { \
    return function(detail::list_beside(v, a), v, mode);                  \
  }
#define GNP_MOVED_LISTS(function, all)                                                                 \
  template <scalar_like Number, array_like V>                                                          \
  GNP_MOVED_LIST_FIRST(function, all, std::initializer_list<Number>)                                   \
  template <array_like V>                                                                              \
  GNP_MOVED_LIST_FIRST(function, all, std::initializer_list<double>)                                   \
  template <array_like A, scalar_like Number>                                                          \
  GNP_MOVED_LIST(function, all, std::initializer_list<Number>)                                         \
  template <array_like A>                                                                              \
  GNP_MOVED_LIST(function, all, std::initializer_list<double>)                                         \
  template <array_like A, scalar_like Number>                                                          \
  GNP_MOVED_LIST_BY_NAME(function, std::initializer_list<Number>)                                      \
  template <array_like A>                                                                              \
  GNP_MOVED_LIST_BY_NAME(function, std::initializer_list<double>)                                      \
  template <array_like A, class V>                                                                     \
    requires(detail::is_host_vector_v<V>)                                                              \
  GNP_MOVED_LIST(function, all, V)                                                                     \
  template <array_like A, class V>                                                                     \
    requires(detail::is_host_vector_v<V>)                                                              \
  GNP_MOVED_LIST_BY_NAME(function, V)                                                                  \
  template <scalar_like A, scalar_like V>                                                              \
  auto function(std::initializer_list<A> a, std::initializer_list<V> v, std::string_view mode = all) { \
    return function(asarray(a), asarray(v), mode);                                                     \
  }                                                                                                    \
  template <class Nothing = void>                                                                      \
  auto function(std::initializer_list<double> a, std::initializer_list<double> v,                      \
                std::string_view mode = all) {                                                         \
    return function(asarray(detail::on_use<Nothing>(a)), asarray(detail::on_use<Nothing>(v)), mode);   \
  }                                                                                                    \
  GNP_REFUSES_VECTORS(function)
GNP_MOVED_LISTS(convolve, "full")
GNP_MOVED_LISTS(correlate, "valid")
#undef GNP_MOVED_LISTS
#undef GNP_MOVED_LIST_FIRST
#undef GNP_MOVED_LIST_BY_NAME
#undef GNP_MOVED_LIST

}}  // namespace gnp::GNP_ABI
