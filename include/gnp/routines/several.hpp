// SPDX-License-Identifier: MIT
// eval: several results at once.
#pragma once

#include <gnp/exec/statement/formula_list.hpp>
#include <gnp/exec/statement/run.hpp>
#include <gnp/exec/statement/step_results.hpp>
#include <gnp/routines/side_by_side.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Identifies the statement of one or more reductions, which contains nothing else.
template <class... X>
struct several {};
template <class... X>
inline constexpr expression_code text_of<several<X...>>{.kernels = kernels_for<several<X...>>};

/// Adds a reduction to the statement and returns its step; -1 for what is computed separately.
template <class X>
int add_if_reduction(statement& s, const X& x) {
  if constexpr (is_reduced_v<X>) {
    if (!x.options().initial.given() && x.operand().ndim() == x.options().rank) {
      const int step = add_reduction(s, x);
      s.steps[static_cast<std::size_t>(step)].is_result = true;
      return step;
    }
    pass_over_reductions(s, source_of<X>);
  }
  return -1;
}

/// The result of a step as an array. The first caller gets the step's own memory, and later ones get a copy.
template <class X>
array<typename X::value_type> result_of(const X& x, int step, const step_results& results,
                                        std::vector<bool>& given) {
  using T = typename X::value_type;
  if (step < 0) {
    if constexpr (is_expression_v<X> || is_reduced_v<X>) {
      return evaluate(x);
    } else {
      return x.copy();
    }
  }
  const auto at = static_cast<std::size_t>(step);
  const storage_ref& memory = results.memory(at);
  const array<T> result(memory, static_cast<T*>(memory->data), x.shape(), contiguous_strides(x.shape()));
  if (given[at]) return result.copy();
  given[at] = true;
  return result;
}

/// Formulas with reductions in them that are not reductions themselves.
template <class X>
inline constexpr bool is_formula_of_reductions_v = has_reductions_v<X> && !is_reduced_v<X>;

/// Is exactly one of them such a formula, and is each other one a reduction?
template <class... X>
inline constexpr bool is_formula_with_reductions_v = sizeof...(X) > 1 && (has_reductions_v<X> && ...) &&
                                                     (static_cast<int>(is_formula_of_reductions_v<X>) + ...) ==
                                                         1;

template <class... X>
constexpr std::size_t place_of_formula() {
  std::size_t place = 0, at = 0;
  ((is_formula_of_reductions_v<X> ? void(place = at) : void(), ++at), ...);
  return place;
}

/// The number of the step in a formula's statement, which has `steps` of them, that a reduction is; -1 if it is
/// none, or if a row program cannot store it. The statement gets another step then.
template <class X>
int step_of_formula([[maybe_unused]] statement& formula, [[maybe_unused]] std::size_t steps, const X& x) {
  if constexpr (is_reduced_v<X>) {
    if (x.options().initial.given() || !x.in_own_shape() || x.operand().ndim() != x.options().rank) return -1;
    const int step = add_reduction(formula, x);
    return step < 8 && static_cast<std::size_t>(step) + 1 < steps ? step : -1;
  } else {
    return -1;
  }
}

/// Computes a formula with reductions along rows in one kernel on a GPU, and some of these reductions
/// themselves. False if that is impossible.
template <class... X>
bool compute_with_reductions(std::tuple<array<typename X::value_type>...>& results, const X&... x) {
  constexpr std::size_t place = place_of_formula<X...>();
  const auto& formula = std::get<place>(std::tie(x...));
  const statement s = statement_of(formula);
  const device where = s.where("eval").value_or(default_device());
  if (where.is_cpu() || formula.size() == 0) return false;
  statement with_reductions = statement_of(formula);
  const int steps[] = {step_of_formula(with_reductions, s.steps.size(), x)...};
  std::uint8_t stored = 0;
  for (std::size_t k = 0; k < sizeof...(X); ++k) {
    if (k == place) continue;
    if (steps[k] < 0 || (stored >> steps[k] & 1) != 0) return false;
    stored |= static_cast<std::uint8_t>(1U << steps[k]);
  }
  leaf_view of_steps[8] = {};
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    const auto strides_of = [&](std::size_t k, const shape_t& shape) {
      return k == place ? strides_of_result(s) : contiguous_strides(shape);
    };
    results = {array<typename X::value_type>(x.shape(), strides_of(Index, x.shape()), where, "eval")...};
    ((steps[Index] < 0 ? void() : void(of_steps[steps[Index]] = view_of(std::get<Index>(results)))), ...);
  }(std::index_sequence_for<X...>());
  return run_with_reductions(s, text_of<std::remove_cvref_t<decltype(formula)>>,
                             view_of(std::get<place>(results)), stored, of_steps);
}

/// Is one of them a formula of reductions, and can a list have all others?
template <class... X>
inline constexpr bool may_be_listed_v = sizeof...(X) > 1 && (is_formula_of_reductions_v<X> || ...) &&
                                        ((!is_deferred_v<X> || is_reduced_v<X>) && ...);

/// Computes formulas of the same shape on a GPU into `results`, after the reductions within all of them, each
/// of which runs once. False if their shapes differ, if they are not on a GPU, or if one is a kernel by itself.
template <class... X>
bool compute_as_list([[maybe_unused]] std::tuple<array<typename X::value_type>...>& results,
                     [[maybe_unused]] const X&... x) {
#if GNP_HAS_CUDA
  if (!share_a_shape_on_gpu(x...)) return false;
  formula_list list;
  (list.add(x), ...);
  if (!list.can_join()) return false;
  results = {array<typename X::value_type>(x.shape(), x.device(), "eval")...};
  return std::apply(
      [&list](const auto&... result) {
        const leaf_view places[] = {view_of(result)...};
        return list.write(places);
      },
      results);
#else
  return false;
#endif
}

/// Is it elementwise, without reductions and rolled operands?
template <class X>
inline constexpr bool is_plain_formula_v = is_formula_v<X> && !is_rolled_v<X>;

/// Are some of them reductions, or formulas of reductions, and others such formulas or plain ones?
template <class... X>
inline constexpr bool may_share_reductions_v = (has_reductions_v<X> || ...) && !(is_reduced_v<X> && ...) &&
                                               sizeof...(X) > 1 &&
                                               ((is_plain_formula_v<X> || has_reductions_v<X>) && ...);

#if GNP_HAS_CUDA
/// One of several results: a formula that is stored, a reduction, or a formula of reductions.
template <class X>
class result_beside {
 public:
  explicit result_beside(const X& x) : x_(x), inputs_(x) {}

  /// False if it has to run by itself.
  bool add_reductions(statement& s) {
    if constexpr (is_reduced_v<X>) {
      step_ = add_if_reduction(s, x_);
      return step_ >= 0;
    } else if constexpr (has_reductions_v<X>) {
      if (formula_list::is_one_kernel(statement_of(x_))) return false;
      last_ = last_step_of(s, x_);
      for (const step_input& input : last_.inputs) {
        if (input.step >= 0) s.steps[static_cast<std::size_t>(input.step)].is_result = true;
      }
    }
    return true;
  }
  void make_room(std::vector<formula_to_store>& formulas, gnp::device where) {
    if constexpr (!is_reduced_v<X>) stored_ = array<typename X::value_type>(x_.shape(), where, "eval");
    if constexpr (is_plain_formula_v<X>)
      formulas.push_back({&code_of<X>, inputs_.leaves(), inputs_.constants(), view_of(stored_)});
  }
  array<typename X::value_type> result(const step_results& results, std::vector<bool>& given) const {
    if constexpr (is_reduced_v<X>) {
      return result_of(x_, step_, results, given);
    } else {
      if constexpr (has_reductions_v<X>) run_after_reductions(last_, results, view_of(stored_));
      return stored_;
    }
  }

 private:
  struct no_inputs {
    explicit no_inputs(const X&) {}
  };

  const X& x_;
  std::conditional_t<is_plain_formula_v<X>, job_inputs<X>, no_inputs> inputs_;
  array<typename X::value_type> stored_;
  statement_step last_;
  int step_ = -1;
};

/// Are they on one GPU, and are plain formulas of one shape, with elements?
template <class First, class... X>
bool share_a_gpu_and_a_shape(const First& first, const X&... x) {
  const device where = first.device();
  if (where.is_cpu() || ((x.device() != where) || ...)) return false;
  const shape_t* shape = nullptr;
  const auto has_that_shape = [&shape](const auto& one) {
    if constexpr (is_plain_formula_v<std::remove_cvref_t<decltype(one)>>) {
      if (shape == nullptr) shape = &one.shape();
      return one.size() > 0 && one.shape() == *shape;
    }
    return true;
  };
  return has_that_shape(first) && (has_that_shape(x) && ...);
}
#endif

/// Computes formulas of reductions on a GPU into `results`, after the reductions within all of them, each of
/// which runs once. Plain formulas, of one shape, are stored while elements of that shape are reduced. False if
/// that is impossible, or if one of them is a kernel by itself.
template <class... X>
bool compute_after_reductions([[maybe_unused]] std::tuple<array<typename X::value_type>...>& results,
                              [[maybe_unused]] const X&... x) {
#if GNP_HAS_CUDA
  if (!share_a_gpu_and_a_shape(x...)) return false;
  const device where = std::get<0>(std::tie(x...)).device();
  statement s;
  std::tuple<result_beside<X>...> parts(x...);
  return std::apply(
      [&](result_beside<X>&... part) {
        if (!(part.add_reductions(s) && ...)) return false;
        std::vector<formula_to_store> formulas;
        (part.make_room(formulas, where), ...);
        step_results of_steps(s);
        const expression_code& text = text_of<several<X...>>;
        if (!formulas.empty() && !run_beside_formulas(s, text, of_steps, where, formulas)) return false;
        for (std::size_t i = 0; i < s.steps.size(); ++i) {
          if (!of_steps.has(i)) run_into_results(s, i, text, of_steps, where);
        }
        std::vector<bool> given(s.steps.size() + 1);
        results = {part.result(of_steps, given)...};
        return true;
      },
      parts);
#else
  return false;
#endif
}

}  // namespace detail

/// The values of several expressions as new arrays: auto [m, s, low, high] = eval(mean(x), std(x), min(x),
/// max(x)). On a GPU, reductions of the same elements along the same axes are computed in one pass over memory,
/// and so are formulas of the same shape: std::tie(m, p) = eval(0.9F * m + g, p - 0.9F * m - g) reads m, g and
/// p once. A reduction that several formulas contain, of any shapes, is computed once: eval(b, mean(y) - b *
/// mean(x)). A formula with reductions along rows stores these, too: eval((x - m) / s, m, s) with the means and
/// deviations of the rows reads x once. Formulas are stored while whole arrays of the same shape are reduced:
/// eval(r - a * q, sum(square(r - a * q))) reads r and q once.
template <array_like... X>
std::tuple<array<typename X::value_type>...> eval(const X&... x) {
  static_assert(sizeof...(X) > 0, "gnp: eval takes what is to be computed");
  if constexpr ((detail::is_formula_v<X> && ...)) {
    std::tuple<array<typename X::value_type>...> results;
    if (detail::compute_side_by_side(results, x...)) return results;
  }
  if constexpr (detail::is_formula_with_reductions_v<X...>) {
    std::tuple<array<typename X::value_type>...> results;
    if (detail::compute_with_reductions(results, x...)) return results;
  }
  if constexpr (detail::may_be_listed_v<X...>) {
    std::tuple<array<typename X::value_type>...> results;
    if (detail::compute_as_list(results, x...)) return results;
  }
  if constexpr (detail::may_share_reductions_v<X...>) {
    std::tuple<array<typename X::value_type>...> results;
    if (detail::compute_after_reductions(results, x...)) return results;
  }
  detail::statement s;
  const int steps[] = {detail::add_if_reduction(s, x)...};
  detail::step_results results(s);
  const device where = s.where("eval").value_or(default_device());
  for (std::size_t i = 0; i < s.steps.size(); ++i) {
    if (!results.has(i)) detail::run_into_results(s, i, detail::text_of<detail::several<X...>>, results, where);
  }
  std::vector<bool> given(s.steps.size() + 1);
  return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    return std::tuple<array<typename X::value_type>...>{detail::result_of(x, steps[Index], results, given)...};
  }(std::index_sequence_for<X...>());
}

/// The same for what a ufunc with several results returns: auto [r, phi] = eval(polar(x, y)).
template <array_like... X>
auto eval(const std::tuple<X...>& several) {
  return std::apply([](const auto&... x) { return eval(x...); }, several);
}

}}  // namespace gnp::GNP_ABI
