// SPDX-License-Identifier: MIT
// The methods of a generator, which are also the functions of the module; each is written only once.
// generator.hpp and functions.hpp each define the macro below and include this list:
//
//     GNP_RANDOM_METHOD((template parameters), result and parameters, a call with the same arguments, { body })
//
// where the body is that of the method. (So there is no #pragma once, and by itself the list is empty.)
#ifdef GNP_RANDOM_METHOD

// clang-format off

/// Uniform on [0, 1).
GNP_RANDOM_METHOD((element T = double),
  array<T> random(const shape_t& shape = {}), random<T>(shape),
  { return uniform_of<T>("random", 0.0, 1.0, shape); })

/// Uniform on [low, high).
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Low = detail::left_out, detail::real_or_array High = detail::left_out),
  array<T> uniform(const Low& low = detail::usual{0.0}, const High& high = detail::usual{1.0}, const shape_t& shape = {}), uniform<T>(low, high, shape),
  { return uniform_of<T>("uniform", detail::given_parameter(low), detail::given_parameter(high), shape); })

GNP_RANDOM_METHOD((element T = double),
  array<T> standard_normal(const shape_t& shape = {}), standard_normal<T>(shape),
  { return normal_of<T, scalar::normal_draw<T>>(standard_normal_names, 0.0, 1.0, shape); })

/// Mean `loc`, standard deviation `scale`.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Loc = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> normal(const Loc& loc = detail::usual{0.0}, const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), normal<T>(loc, scale, shape),
  { return normal_of<T, scalar::normal_draw<T>>(normal_names, detail::given_parameter(loc), detail::given_parameter(scale), shape); })

/// exp of a normal number of this mean and standard deviation.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Mean = detail::left_out, detail::real_or_array Sigma = detail::left_out),
  array<T> lognormal(const Mean& mean = detail::usual{0.0}, const Sigma& sigma = detail::usual{1.0}, const shape_t& shape = {}), lognormal<T>(mean, sigma, shape),
  { return normal_of<T, scalar::lognormal_draw<T>>(lognormal_names, detail::given_parameter(mean), detail::given_parameter(sigma), shape); })

/// Each integer of [low, high) with the same probability.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High),
  array<T> integers(const Low& low, const High& high, const plain_shape& asked, integers_options options = {}), integers<T>(low, high, asked, options),
  { return integers_in_name<T>("integers", low, high, options.endpoint, asked); })
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High),
  array<T> integers(const Low& low, const High& high, integers_options options = {}), integers<T>(low, high, options),
  { return integers<T>(low, high, options.size, options); })
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array Low, detail::integer_or_array High),
  array<T> integers(const Low& low, const High& high, const no_shape&, integers_options options), integers<T>(low, high, options),
  { return integers<T>(low, high, options.size, options); })
/// Refused: NumPy cuts the fractions off without a word.
GNP_RANDOM_METHOD((element T = std::int64_t, class Low, class High, class... More),
  requires(std::floating_point<Low> || std::floating_point<High>) array<T> integers([[maybe_unused]] const Low& low, [[maybe_unused]] const High& high, [[maybe_unused]] const More&... more), integers<T>(low, high, more...),
  {
    static_assert(!std::floating_point<Low> && !std::floating_point<High>, "gnp: the bounds of integers are integers: gnp::random::integers(2, 8, 3)");
    return array<T>();
  })
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array High = detail::left_out),
  array<T> integers(const High& high, const plain_shape& shape, integers_options options = {}), integers<T>(high, shape, options),
  { if constexpr (!std::is_same_v<High, detail::left_out>) return integers<T>(0, high, shape, options); })
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array High = detail::left_out),
  array<T> integers(const High& high, integers_options options = {}), integers<T>(high, options),
  { if constexpr (!std::is_same_v<High, detail::left_out>) return integers<T>(0, high, options.size, options); })
GNP_RANDOM_METHOD((element T = std::int64_t, detail::integer_or_array High = detail::left_out),
  array<T> integers(const High& high, const no_shape&, integers_options options), integers<T>(high, options),
  { if constexpr (!std::is_same_v<High, detail::left_out>) return integers<T>(0, high, options.size, options); })

/// Mean `scale`.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Scale = detail::left_out),
  array<T> exponential(const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), exponential<T>(scale, shape),
  { return exponential_of<T>("exponential", detail::given_parameter(scale), shape); })

GNP_RANDOM_METHOD((element T = double),
  array<T> standard_exponential(const shape_t& shape = {}), standard_exponential<T>(shape),
  { return exponential_of<T>("standard_exponential", 1.0, shape); })

/// Gamma-distributed numbers with shape parameter `k` and mean `k * scale`.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Shape = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> gamma(const Shape& k, const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), gamma<T>(k, scale, shape),
  { return by_law<T, scalar::gamma_law>({"gamma", "gamma_law", {detail::non_negative("shape"), detail::non_negative("scale")}}, shape, k, scale); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Shape = detail::left_out),
  array<T> standard_gamma(const Shape& k, const shape_t& shape = {}), standard_gamma<T>(k, shape),
  { return by_law<T, scalar::standard_gamma_law>({"standard_gamma", "standard_gamma_law", {detail::non_negative("shape")}}, shape, k); })

/// On (0, 1), with a density proportional to x^(a - 1) (1 - x)^(b - 1).
GNP_RANDOM_METHOD((element T = double, detail::real_or_array A = detail::left_out, detail::real_or_array B = detail::left_out),
  array<T> beta(const A& a, const B& b, const shape_t& shape = {}), beta<T>(a, b, shape),
  { return by_law<T, scalar::beta_law>({"beta", "beta_law", {detail::positive("a"), detail::positive("b")}}, shape, a, b); })

/// The sum of the squares of `df` standard normal numbers.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Df = detail::left_out),
  array<T> chisquare(const Df& df, const shape_t& shape = {}), chisquare<T>(df, shape),
  { return by_law<T, scalar::chisquare_law>({"chisquare", "chisquare_law", {detail::positive("df")}}, shape, df); })

/// `nonc` is the sum of the squares of the normal numbers' means.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Df = detail::left_out, detail::real_or_array Nonc = detail::left_out),
  array<T> noncentral_chisquare(const Df& df, const Nonc& nonc, const shape_t& shape = {}), noncentral_chisquare<T>(df, nonc, shape),
  { return by_law<T, scalar::noncentral_chisquare_law>({"noncentral_chisquare", "noncentral_chisquare_law", {detail::positive("df"), detail::non_negative("nonc")}}, shape, df, nonc); })

/// The quotient of two chi-square numbers, each divided by its degrees of freedom.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Num = detail::left_out, detail::real_or_array Den = detail::left_out),
  array<T> f(const Num& dfnum, const Den& dfden, const shape_t& shape = {}), f<T>(dfnum, dfden, shape),
  { return by_law<T, scalar::f_law>({"f", "f_law", {detail::positive("dfnum"), detail::positive("dfden")}}, shape, dfnum, dfden); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Num = detail::left_out, detail::real_or_array Den = detail::left_out, detail::real_or_array Nonc = detail::left_out),
  array<T> noncentral_f(const Num& dfnum, const Den& dfden, const Nonc& nonc, const shape_t& shape = {}), noncentral_f<T>(dfnum, dfden, nonc, shape),
  { return by_law<T, scalar::noncentral_f_law>({"noncentral_f", "noncentral_f_law", {detail::positive("dfnum"), detail::positive("dfden"), detail::non_negative("nonc")}}, shape, dfnum, dfden, nonc); })

/// Student's t distribution with `df` degrees of freedom.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Df = detail::left_out),
  array<T> standard_t(const Df& df, const shape_t& shape = {}), standard_t<T>(df, shape),
  { return by_law<T, scalar::standard_t_law>({"standard_t", "standard_t_law", {detail::positive("df")}}, shape, df); })

GNP_RANDOM_METHOD((element T = double),
  array<T> standard_cauchy(const shape_t& shape = {}), standard_cauchy<T>(shape),
  { return by_law<T, scalar::standard_cauchy_law>({"standard_cauchy", "standard_cauchy_law"}, shape); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Loc = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> laplace(const Loc& loc = detail::usual{0.0}, const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), laplace<T>(loc, scale, shape),
  { return by_law<T, scalar::laplace_law>({"laplace", "laplace_law", {detail::any_number("loc"), detail::non_negative("scale")}}, shape, loc, scale); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Loc = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> logistic(const Loc& loc = detail::usual{0.0}, const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), logistic<T>(loc, scale, shape),
  { return by_law<T, scalar::logistic_law>({"logistic", "logistic_law", {detail::any_number("loc"), detail::non_negative("scale")}}, shape, loc, scale); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Loc = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> gumbel(const Loc& loc = detail::usual{0.0}, const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), gumbel<T>(loc, scale, shape),
  { return by_law<T, scalar::gumbel_law>({"gumbel", "gumbel_law", {detail::any_number("loc"), detail::non_negative("scale")}}, shape, loc, scale); })

/// The Pareto distribution of the second kind (Lomax), which starts at 0.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array A = detail::left_out),
  array<T> pareto(const A& a, const shape_t& shape = {}), pareto<T>(a, shape),
  { return by_law<T, scalar::pareto_law>({"pareto", "pareto_law", {detail::positive("a")}}, shape, a); })

/// On [0, 1], with a density proportional to x^(a - 1).
GNP_RANDOM_METHOD((element T = double, detail::real_or_array A = detail::left_out),
  array<T> power(const A& a, const shape_t& shape = {}), power<T>(a, shape),
  { return by_law<T, scalar::power_law>({"power", "power_law", {detail::positive("a")}}, shape, a); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array Scale = detail::left_out),
  array<T> rayleigh(const Scale& scale = detail::usual{1.0}, const shape_t& shape = {}), rayleigh<T>(scale, shape),
  { return by_law<T, scalar::rayleigh_law>({"rayleigh", "rayleigh_law", {detail::non_negative("scale")}}, shape, scale); })

/// On [left, right], with the peak at `mode`.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Left = detail::left_out, detail::real_or_array Mode = detail::left_out, detail::real_or_array Right = detail::left_out),
  array<T> triangular(const Left& left, const Mode& mode, const Right& right, const shape_t& shape = {}), triangular<T>(left, mode, right, shape),
  { return by_law<T, scalar::triangular_law, detail::rules_of_triangular>({"triangular", "triangular_law", {detail::any_number("left"), detail::any_number("mode"), detail::any_number("right")}}, shape, left, mode, right); })

/// Angles of [-pi, pi] about `mu`.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Mu = detail::left_out, detail::real_or_array Kappa = detail::left_out),
  array<T> vonmises(const Mu& mu, const Kappa& kappa, const shape_t& shape = {}), vonmises<T>(mu, kappa, shape),
  { return by_law<T, scalar::vonmises_law>({"vonmises", "vonmises_law", {detail::any_number("mu"), detail::non_negative("kappa")}}, shape, mu, kappa); })

/// Inverse Gaussian numbers.
GNP_RANDOM_METHOD((element T = double, detail::real_or_array Mean = detail::left_out, detail::real_or_array Scale = detail::left_out),
  array<T> wald(const Mean& mean, const Scale& scale, const shape_t& shape = {}), wald<T>(mean, scale, shape),
  { return by_law<T, scalar::wald_law>({"wald", "wald_law", {detail::positive("mean"), detail::positive("scale")}}, shape, mean, scale); })

GNP_RANDOM_METHOD((element T = double, detail::real_or_array A = detail::left_out),
  array<T> weibull(const A& a, const shape_t& shape = {}), weibull<T>(a, shape),
  { return by_law<T, scalar::weibull_law>({"weibull", "weibull_law", {detail::non_negative("a")}}, shape, a); })

/// The number of events in a time in which `lam` are expected.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Lam = detail::left_out),
  array<T> poisson(const Lam& lam = detail::usual{1.0}, const shape_t& shape = {}), poisson<T>(lam, shape),
  {
    if constexpr (array_like<Lam>) {
      return detail::poisson_by_element<T>(next_beside("poisson", lam), lam, shape);
    } else {
      const auto draw = detail::poisson_of<T>(static_cast<double>(lam));
      return detail::drawn<T>(next(), "poisson", "poisson_draw<result_t>", draw, shape);
    }
  })

/// The number of successes in n trials of probability p.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Trials = detail::left_out, detail::real_or_array Chance = detail::left_out),
  array<T> binomial(const Trials& n, const Chance& p, const shape_t& shape = {}), binomial<T>(n, p, shape),
  {
    if constexpr (array_like<Trials> || array_like<Chance>) {
      return detail::binomial_by_element<T>(next_beside("binomial", n, p), n, p, shape);
    } else {
      const auto draw = detail::binomial_of<T>(static_cast<std::int64_t>(n), static_cast<double>(p));
      return detail::drawn<T>(next(), "binomial", "binomial_draw<result_t>", draw, shape);
    }
  })

/// The number of trials of probability p up to and including the first success.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Chance = detail::left_out),
  array<T> geometric(const Chance& p, const shape_t& shape = {}), geometric<T>(p, shape),
  { return by_law<T, scalar::geometric_law>({"geometric", "geometric_law", {detail::positive_chance("p")}}, shape, p); })

/// The number of failures before n successes of probability p; n need not be an integer.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Successes = detail::left_out, detail::real_or_array Chance = detail::left_out),
  array<T> negative_binomial(const Successes& n, const Chance& p, const shape_t& shape = {}), negative_binomial<T>(n, p, shape),
  { return by_law<T, scalar::negative_binomial_law, detail::rules_of_negative_binomial>({"negative_binomial", "negative_binomial_law", {detail::positive_number("n"), detail::positive_chance("p")}}, shape, n, p); })

/// The number of good items among `nsample` that are taken from `ngood` good and `nbad` bad ones.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Good = detail::left_out, detail::real_or_array Bad = detail::left_out, detail::real_or_array Sample = detail::left_out),
  array<T> hypergeometric(const Good& ngood, const Bad& nbad, const Sample& nsample, const shape_t& shape = {}), hypergeometric<T>(ngood, nbad, nsample, shape),
  {
    static_assert(detail::is_integral_parameter<Good>() && detail::is_integral_parameter<Bad>() && detail::is_integral_parameter<Sample>(), "gnp: numbers of good and bad ones and of samples are integers");
    return by_law<T, scalar::hypergeometric_law, detail::rules_of_hypergeometric>({"hypergeometric", "hypergeometric_law", {detail::non_negative("ngood"), detail::non_negative("nbad"), detail::non_negative("nsample")}}, shape, ngood, nbad, nsample);
  })

/// k with a probability proportional to p^k / k.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Chance = detail::left_out),
  array<T> logseries(const Chance& p, const shape_t& shape = {}), logseries<T>(p, shape),
  { return by_law<T, scalar::logseries_law>({"logseries", "logseries_law", {detail::chance_below_one("p")}}, shape, p); })

/// k with a probability proportional to k^-a.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array A = detail::left_out),
  array<T> zipf(const A& a, const shape_t& shape = {}), zipf<T>(a, shape),
  { return by_law<T, scalar::zipf_law>({"zipf", "zipf_law", {detail::above_one("a")}}, shape, a); })

/// Parts of a whole, along the last axis: gamma numbers of the shapes `alpha`, divided by their sum.
GNP_RANDOM_METHOD((element T = double),
  array<T> dirichlet(const number_list& alpha, const shape_t& shape = {}), dirichlet<T>(alpha, shape),
  {
    const detail::random_call call = next_on(alpha.device());
    return detail::dirichlet_numbers<T>(call, alpha.on(call.where), shape);
  })

/// How often each of several outcomes with the probabilities `pvals` occurs in n trials, along the last axis.
GNP_RANDOM_METHOD((element T = std::int64_t, detail::real_or_array Trials = detail::left_out),
  array<T> multinomial(const Trials& n, const number_list& pvals, const shape_t& shape = {}), multinomial<T>(n, pvals, shape),
  {
    static_assert(detail::is_integral_parameter<Trials>(), "gnp: numbers of trials are integers");
    const detail::law_parameter<std::int64_t, long long> trials(n);
    std::optional<gnp::device> where = pvals.device();
    if (trials.is_array()) {
      if (where) detail::require_same_device("multinomial", *where, trials.values().device());
      where = trials.values().device();
    }
    const detail::random_call call = next_on(where);
    return detail::counts_as<T>(detail::multinomial_counts(call, trials, pvals.on(call.where), shape));
  })

/// How many items of each color, along the last axis, are among `nsample` items. `colors` says how many there
/// are of each.
GNP_RANDOM_METHOD((element T = std::int64_t),
  array<T> multivariate_hypergeometric(const number_list& colors, index_t nsample, const shape_t& shape = {}), multivariate_hypergeometric<T>(colors, nsample, shape),
  {
    const detail::random_call call = next_on(colors.device());
    return detail::counts_as<T>(detail::multivariate_hypergeometric_counts(call, colors.on(call.where), nsample, shape));
  })

/// Vectors, along the last axis, of this mean and covariance. (Include gnp/random/multivariate_normal.hpp, as
/// gnp/gnp.hpp does.)
GNP_RANDOM_METHOD((element T = double, array_like Covariance),
  array<T> multivariate_normal(const number_list& mean, const Covariance& cov, const plain_shape& shape, multivariate_normal_options options = {}), multivariate_normal<T>(mean, cov, shape, options),
  {
    const array<double> covariance = asarray<double>(cov);
    if (mean.device()) detail::require_same_device("multivariate_normal", *mean.device(), covariance.device());
    const detail::random_call call = next(covariance.device());
    return detail::multivariate_normal_of<T>::make(call, mean.on(call.where), covariance, shape, options);
  })
GNP_RANDOM_METHOD((element T = double, array_like Covariance),
  array<T> multivariate_normal(const number_list& mean, const Covariance& cov, multivariate_normal_options options = {}), multivariate_normal<T>(mean, cov, options),
  { return multivariate_normal<T>(mean, cov, shape_t{}, options); })
GNP_RANDOM_METHOD((element T = double, array_like Covariance),
  array<T> multivariate_normal(const number_list& mean, const Covariance& cov, const no_shape&, multivariate_normal_options options), multivariate_normal<T>(mean, cov, options),
  { return multivariate_normal<T>(mean, cov, shape_t{}, options); })

/// The covariance in braces.
GNP_RANDOM_METHOD((element T = double),
  array<T> multivariate_normal(const number_list& mean, covariance_list cov, const plain_shape& shape, multivariate_normal_options options = {}), multivariate_normal<T>(mean, cov, shape, options),
  { return multivariate_normal<T>(mean, covariance_from(cov, mean), shape, options); })
GNP_RANDOM_METHOD((element T = double),
  array<T> multivariate_normal(const number_list& mean, covariance_list cov, multivariate_normal_options options = {}), multivariate_normal<T>(mean, cov, options),
  { return multivariate_normal<T>(mean, covariance_from(cov, mean), shape_t{}, options); })

/// `length` random bytes.
GNP_RANDOM_METHOD((std::same_as<std::uint8_t> T = std::uint8_t),
  array<T> bytes(index_t length), bytes<T>(length),
  { return detail::integers_from<T>(next(), "bytes", 0, 255, shape_t{length}); })

/// 0, 1, ..., n - 1 in random order, or a copy of an array with its rows (or what lies along `axis`) in random
/// order.
GNP_RANDOM_METHOD((class X = detail::left_out),
  auto permutation(const X& x, axis_options options = {}), permutation(x, options),
  {
    static_assert(std::integral<X> || array_like<X>, "gnp: permutation takes a number or an array");
    if constexpr (std::integral<X>) {
      // Of a negative number it is empty, as arange is.
      return detail::order_of(next(), (std::max)(static_cast<index_t>(x), index_t{0}), "permutation");
    } else if constexpr (array_like<X>) {
      const auto source = x.eval();
      const int axis = detail::normalize_axis(options.axis, source.ndim(), "permutation");
      const auto rows = moveaxis(source, axis, 0);
      const array<index_t> order = detail::order_of(next(source.device()), rows.shape()[0], "permutation");
      return moveaxis(detail::take_rows(rows, order, order.shape(), "permutation"), 0, axis);
    }
  })
GNP_RANDOM_METHOD((array_like X),
  auto permutation(const X& x, int axis), permutation(x, axis),
  { return permutation(x, {.axis = axis}); })

GNP_RANDOM_METHOD((element X),
  auto permutation(std::initializer_list<X> values), permutation(values),
  { return permutation(asarray(values)); })

/// Puts an array's rows (or what lies along `axis`) into random order, in place.
GNP_RANDOM_METHOD((class T),
  void shuffle(const array<T>& x, axis_options options = {}), shuffle(x, options),
  {
    const int axis = detail::normalize_axis(options.axis, x.ndim(), "shuffle");
    const auto rows = moveaxis(x, axis, 0);
    const array<index_t> order = detail::order_of(next(x.device()), rows.shape()[0], "shuffle");
    detail::assign(rows, detail::take_rows(rows, order, order.shape(), "shuffle"), "shuffle");
  })
GNP_RANDOM_METHOD((class T),
  void shuffle(const array<T>& x, int axis), shuffle(x, axis),
  { shuffle(x, {.axis = axis}); })

GNP_RANDOM_METHOD((detail::host_vector V),
  void shuffle(const V& values), shuffle(values),
  {
    static_cast<void>(values);
    static_assert(!detail::host_vector<V>, "gnp: shuffle takes an array: std::shuffle is for a std::vector");
  })

/// A copy of an array with its elements in random order, or, along `axis`, with each row in its own random
/// order.
GNP_RANDOM_METHOD((array_like X),
  auto permuted(const X& x, const permuted_options& options = {}), permuted(x, options),
  {
    const auto source = x.eval();
    return detail::permuted_along(next(source.device()), source, options.axis);
  })
GNP_RANDOM_METHOD((array_like X),
  auto permuted(const X& x, int axis), permuted(x, axis),
  { return permuted(x, {.axis = axis}); })
GNP_RANDOM_METHOD((detail::host_vector V),
  array<typename V::value_type> permuted(const V& values), permuted(values),
  {
    static_assert(!detail::host_vector<V>,
                  "gnp: a std::vector is brought to the device first: permuted(gnp::asarray(v))");
    return asarray(values);
  })

/// Random choices from 0, 1, ..., n - 1 or from an array's elements; if it has more dimensions, from what lies
/// along `axis`.
GNP_RANDOM_METHOD((class X = detail::left_out),
  auto choice(const X& x, const plain_shape& asked, const choice_options& options = {}), choice(x, asked, options),
  {
    const shape_t& shape = asked;
    static_assert(std::integral<X> || array_like<X>, "gnp: choice takes a number or an array");
    if constexpr (std::integral<X>) {
      return detail::chosen(next(), static_cast<index_t>(x), shape, options);
    } else if constexpr (array_like<X>) {
      const auto source = x.eval();
      const int axis = detail::normalize_axis(options.axis, source.ndim(), "choice");
      const auto rows = moveaxis(source, axis, 0);
      const auto which = detail::chosen(next(source.device()), rows.shape()[0], shape, options);
      const auto taken = detail::take_rows(rows, which, shape, "choice");
      shape_t from;
      shape_t to;
      for (int d = 0; d < shape.rank(); ++d) {
        from.push_back(d);
        to.push_back(axis + d);
      }
      return moveaxis(taken, from, to);
    }
  })
GNP_RANDOM_METHOD((class X = detail::left_out, std::same_as<bool> Replace = bool),
  auto choice(const X& x, const plain_shape& shape, Replace replace, choice_options options = {}), choice(x, shape, replace, options),
  {
    options.replace = replace;
    return choice(x, shape, static_cast<const choice_options&>(options));
  })
GNP_RANDOM_METHOD((class X = detail::left_out),
  auto choice(const X& x, const choice_options& options = {}), choice(x, options),
  { return choice(x, options.size, options); })
GNP_RANDOM_METHOD((class X = detail::left_out),
  auto choice(const X& x, const no_shape&, const choice_options& options), choice(x, options),
  { return choice(x, options.size, options); })
GNP_RANDOM_METHOD((element X),
  auto choice(std::initializer_list<X> values, const plain_shape& shape, const choice_options& options = {}), choice(values, shape, options),
  { return choice(asarray(values), shape, options); })
GNP_RANDOM_METHOD((element X),
  auto choice(std::initializer_list<X> values, const choice_options& options = {}), choice(values, options),
  { return choice(asarray(values), options.size, options); })

// clang-format on

#endif
