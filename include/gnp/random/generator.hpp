// SPDX-License-Identifier: MIT
// gnp::random::default_rng(seed): a generator of random arrays, with NumPy's methods.
#pragma once

#include <algorithm>
#include <array>
#include <gnp/array/asarray.hpp>
#include <gnp/array/forward.hpp>
#include <gnp/random/by_law.hpp>
#include <gnp/random/choice.hpp>
#include <gnp/random/count_tries.hpp>
#include <gnp/random/generator_state.hpp>
#include <gnp/random/inversions.hpp>
#include <gnp/random/more_counts.hpp>
#include <gnp/random/parameter.hpp>
#include <gnp/random/permuted.hpp>
#include <gnp/random/rejections.hpp>
#include <gnp/random/success_tries.hpp>
#include <gnp/random/vectors.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace detail {
template <class T>
struct multivariate_normal_of;  // random/multivariate_normal.hpp
struct module_generator;        // random/functions.hpp
}  // namespace detail

namespace random {

/// A shape in a place where options are also possible. (shape_t itself can be made from any list, and g++ would
/// match {.axis = 1} with it.)
class plain_shape {
 public:
  plain_shape(const shape_t& shape) : shape_(shape) {}
  template <detail::list_of_integers List>
  plain_shape(const List& sizes) : shape_(sizes) {}
  template <detail::plain_number First, detail::plain_number... Rest>
  plain_shape(First first, Rest... rest) : shape_{first, rest...} {}

  operator const shape_t&() const { return shape_; }

 private:
  shape_t shape_;
};

/// Empty braces in place of a shape: no shape.
struct no_shape {};

struct integers_options {
  by_name only = by_name();
  shape_t size = {};      // unless it is given by position
  bool endpoint = false;  // is `high` one of the numbers?
};

/// Keyword arguments of permutation and shuffle.
struct axis_options {
  by_name only = by_name();
  int axis = 0;
};

/// Keyword arguments of permuted: the axis along which rows lie, or none.
struct permuted_options {
  by_name only = by_name();
  axes_t axis = none;
};

/// How multivariate_normal computes a root of the covariance matrix.
enum class covariance_root : std::uint8_t { svd, eigh, cholesky };

struct multivariate_normal_options {
  by_name only = by_name();
  bool check_valid = true;  // refuse what is not a covariance matrix within `tol`; cholesky always does
  double tol = 1e-8;
  covariance_root method = covariance_root::svd;
};

/// If a parameter of a distribution is an array, each element of the result has its own parameter. Parameters
/// broadcast, and without a shape the result has theirs.
///
/// One seed is one sequence of calls, on every device: call k of a generator returns the same numbers on the
/// CPU as on a GPU. Any number of threads may use a generator at the same time: their calls share no numbers,
/// but which thread makes which call then depends on their timing. A copy continues from the current state of
/// the original.
class generator {
 public:
  /// Arrays are made on the default device at the time of the call.
  explicit generator(std::uint64_t seed) : state_(new_state(seed)) {}
  /// Arrays are made on this device.
  generator(std::uint64_t seed, gnp::device where)
      : state_(new_state(seed)), placed_(true), where_(detail::require(where)) {}
  generator(const generator& other)
      : state_(new_state(0)), first_group_(other.first_group_), placed_(other.placed_), where_(other.where_) {
    take_state(other);
  }
  GNP_DECLARED generator& operator=(const generator& other);
  ~generator() = default;

  /// Generators with their own sequences, for threads or tasks. The sequences depend on how many generators
  /// were spawned before, not on the calls.
  GNP_DECLARED std::vector<generator> spawn(int count);

  /// Continues as if `calls` calls had been made.
  GNP_DECLARED void advance(std::uint64_t calls = 1);

  /// For arrays that are made in parts: a generator of the same calls, whose arrays begin with what would be
  /// element number 4 * group. Only for functions that make each element by itself. The group is a multiple of
  /// 65536.
  GNP_DECLARED generator from_group(std::uint64_t group) const;

#define GNP_WITHOUT_PARENTHESES(...) __VA_ARGS__
#define GNP_RANDOM_METHOD(types, declaration, call, ...) \
  template <GNP_WITHOUT_PARENTHESES types>               \
  declaration __VA_ARGS__
#include <gnp/random/methods.hpp>
#undef GNP_RANDOM_METHOD

 private:
  /// The next call, on the device of the arrays among a distribution's parameters.
  template <class... P>
  detail::random_call next_beside(const char* function, const P&... parameters) {
    return next(detail::device_of_parameters(function, parameters...));
  }
  /// integers and randint, which is the name in messages.
  template <element T, class Low, class High>
  array<T> integers_in_name(const char* function, const Low& low, const High& high, bool endpoint,
                            const shape_t& shape) {
    static_assert(is_integer(dtype_of<T>) || dtype_of<T> == dtype::bool_,
                  "gnp: integers are of an integer type");
    if constexpr (array_like<Low> || array_like<High>) {
      return detail::integers_by_element<T>(next_beside(function, low, high), function, low, high, endpoint,
                                            shape);
    } else {
      return detail::integers_between<T>(next(), function, +low, +high, endpoint, shape);
    }
  }
  /// A covariance in braces, on the mean's device or where the generator's arrays are made.
  array<double> covariance_from(covariance_list rows, const number_list& mean) const {
    const use_device guard(mean.device().value_or(placed_ ? where_ : default_device()));
    return asarray(rows);
  }
  /// The next call on this device, or, without one, where the generator's arrays are made.
  detail::random_call next_on(const std::optional<gnp::device>& where) { return where ? next(*where) : next(); }
  detail::random_call next() { return next(placed_ ? where_ : default_device()); }
  GNP_DECLARED detail::random_call next(gnp::device where);

  /// Does each replay of what this thread records draw from this generator? If the recorded body makes the
  /// generator, it starts again at each replay instead.
  GNP_DECLARED bool is_replayed() const;
  GNP_DECLARED static std::shared_ptr<detail::generator_state> new_state(std::uint64_t seed);
  GNP_DECLARED void take_state(const generator& other);
  /// Tag: the new object is another name for the same generator.
  struct same {};
  generator(const generator& other, same)
      : state_(other.state_), first_group_(other.first_group_), placed_(other.placed_), where_(other.where_) {}
  friend detail::module_generator;

  /// Numbers by a law whose parameters are numbers or arrays.
  template <class T, class Law, class MoreRules = detail::no_more_rules, class... P>
  array<T> by_law(const detail::law_facts& facts, const shape_t& shape, const P&... parameters) {
    constexpr bool counts =
        std::is_same_v<decltype(std::declval<const Law&>().make(std::declval<scalar::own_words&>())),
                       long long>;
    static_assert(counts || is_floating(dtype_of<T>),
                  "gnp: numbers of this distribution are of a real floating-point type");
    constexpr bool arrays = (array_like<P> || ...);
    constexpr std::size_t count = sizeof...(P);
    std::size_t k = 0;
    std::array<detail::law_values, count> given{
        detail::checked_parameter(facts, k++, detail::given_parameter(parameters))...};
    MoreRules::template check<arrays>(given);
    return detail::numbers_by_law<T, Law, arrays>(next_on(detail::device_of(facts.function, given)), facts,
                                                  shape, given);
  }

  // The parameters are numbers as double, or arrays.
  template <class T, class Low, class High>
  array<T> uniform_of(const char* function, const Low& low, const High& high, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: uniform numbers are of a real floating-point type");
    if constexpr (detail::some_arrays<Low, High>) {
      return detail::uniform_by_element<T>(next_beside(function, low, high), low, high, shape);
    } else {
      const auto draw = detail::uniform_between<T>(function, low, high);
      return detail::drawn<T>(next(), function, "uniform_draw<result_t>", draw, shape);
    }
  }
  /// The names that messages use for the function, its rule and its deviation, and the draw's name in kernels.
  struct names {
    const char* function;
    const char* rule;
    const char* deviation;
    const char* draw;
  };
  static constexpr names standard_normal_names{"standard_normal", "scale < 0", "scale",
                                               "normal_draw<result_t>"};
  static constexpr names normal_names{"normal", "scale < 0", "scale", "normal_draw<result_t>"};
  static constexpr names lognormal_names{"lognormal", "sigma < 0", "sigma", "lognormal_draw<result_t>"};

  /// Normal and log-normal numbers, by Draw.
  template <class T, class Draw, class Mean, class Deviation>
  array<T> normal_of(const names& as, const Mean& mean, const Deviation& deviation, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: normal numbers are of a real floating-point type");
    if constexpr (detail::some_arrays<Mean, Deviation>) {
      return detail::normal_by_element<T, Draw>(next_beside(as.function, mean, deviation), as.function, as.rule,
                                                as.draw, mean, deviation, shape);
    } else {
      detail::check_non_negative(as.function, as.rule, as.deviation, deviation);
      using real_t = typename scalar::computed_as<T>::type;
      const Draw draw{static_cast<real_t>(mean), static_cast<real_t>(deviation)};
      return detail::drawn<T>(next(), as.function, as.draw, draw, shape);
    }
  }
  template <class T, class Scale>
  array<T> exponential_of(const char* function, const Scale& scale, const shape_t& shape) {
    static_assert(is_floating(dtype_of<T>), "gnp: exponential numbers are of a real floating-point type");
    if constexpr (array_like<Scale>) {
      return detail::exponential_by_element<T>(next_beside(function, scale), scale, shape);
    } else {
      detail::check_non_negative(function, "scale < 0", "scale", scale);
      using real_t = typename scalar::computed_as<T>::type;
      const scalar::exponential_draw<T> draw{static_cast<real_t>(0.5 * scale)};
      return detail::drawn<T>(next(), function, "exponential_draw<result_t>", draw, shape);
    }
  }

  std::shared_ptr<detail::generator_state> state_;
  std::uint64_t first_group_ = 0;
  bool placed_ = false;  // on where_, not on the default device
  gnp::device where_ = gnp::device::cpu();
};

inline generator default_rng(std::uint64_t seed) { return generator(seed); }
inline generator default_rng(std::uint64_t seed, gnp::device where) { return generator(seed, where); }
/// A seed of several numbers, such as one for the program and one for the process: default_rng({5, rank}).
/// Each list is another sequence; a list of one number is that seed.
GNP_DECLARED generator default_rng(const std::vector<seed_word>& seeds);
inline generator default_rng(std::initializer_list<seed_word> seeds) {
  return default_rng(std::vector<seed_word>(seeds));
}
template <std::integral Word>
generator default_rng(const std::vector<Word>& seeds) {
  return default_rng(std::vector<seed_word>(seeds.begin(), seeds.end()));
}
/// A generator with a seed from the system.
GNP_DECLARED generator default_rng();

}  // namespace random
}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/random/generator_members.hpp>
#endif
