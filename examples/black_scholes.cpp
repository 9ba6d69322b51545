// SPDX-License-Identifier: MIT
// Prices of a million European options by the formula of Black and Scholes, and how they react: the Greeks.
// The same function makes a table of five, for shapes broadcast.
#include <gnp/gnp.hpp>
#include <iomanip>
#include <iostream>

#include "support/options.hpp"

using doubles = gnp::array<double>;

GNP_UFUNC(normal_cdf, (x), 0.5 * erfc(-x * 0.70710678118654752));
GNP_UFUNC(normal_pdf, (x), 0.39894228040143268 * exp(-x * x / 2));

struct valuation {
  doubles call, put;
  doubles delta;  // of the call: its change with the price of the stock
  doubles gamma;  // the change of delta with it
  doubles vega;   // the change with the volatility
  doubles theta;  // of the call: the change with time that passes
};

/// Of options to buy (call) or to sell (put) a stock, which is at `spot` now, for `strike` after `years`.
valuation black_scholes(const doubles& spot, const doubles& strike, const doubles& volatility,
                        const doubles& years, double rate) {
  const auto root = volatility * sqrt(years);
  // d1 is stored, because five results read it; the rest stays formulas, which join the kernels of the results.
  const doubles d1 = (log(spot / strike) + (rate + square(volatility) / 2) * years) / root;
  const auto d2 = d1 - root;
  const auto discounted = strike * exp(-rate * years);
  const auto density = normal_pdf(d1);
  return {
      .call = spot * normal_cdf(d1) - discounted * normal_cdf(d2),
      .put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1),
      .delta = normal_cdf(d1),
      .gamma = density / (spot * root),
      .vega = spot * density * sqrt(years),
      .theta = -spot * density * volatility / (2 * sqrt(years)) - rate * discounted * normal_cdf(d2),
  };
}

int main(int argc, char** argv) {
  gnp::index_t count = 1 << 20;
  double rate = 0.05;
  std::uint64_t seed = 1;
  support::options options("Prices of European options, and their Greeks.");
  options.add("count", count, "options to price");
  options.add("rate", rate, "interest in a year: 0.05 is 5 %");
  options.add("seed", seed, "of the random numbers", std::uint64_t{0});
  options.parse(argc, argv);

  // Five strikes of one stock; the other three are arrays of rank 0.
  const doubles strikes = gnp::linspace(80, 120, 5);
  const valuation table = black_scholes(100.0, strikes, 0.2, 1.0, rate);
  std::cout << "  strike     call      put    delta    gamma     vega    theta\n"
            << std::fixed << std::setprecision(4)
            << gnp::column_stack(
                   {strikes, table.call, table.put, table.delta, table.gamma, table.vega, table.theta})
            << '\n'
            << std::defaultfloat << std::setprecision(5);

  auto rng = gnp::random::default_rng(seed);
  const doubles spot = rng.uniform(80, 120, count), strike = rng.uniform(80, 120, count);
  const doubles volatility = rng.uniform(0.1, 0.5, count), years = rng.uniform(0.1, 2, count);
  const valuation all = black_scholes(spot, strike, volatility, years, rate);

  // Who has the call and owes the put will own the stock in the end and pay the strike, whatever happens.
  const auto parity = spot - strike * exp(-rate * years);
  std::cout << "put-call parity holds up to " << gnp::max(abs(all.call - all.put - parity)) << '\n';

  // Delta and gamma are derivatives: differences of prices nearby must say the same.
  const double h = 0.01;
  const doubles above = black_scholes(spot + h, strike, volatility, years, rate).call;
  const doubles below = black_scholes(spot - h, strike, volatility, years, rate).call;
  std::cout << "delta is within " << gnp::max(abs((above - below) / (2 * h) - all.delta))
            << " of a difference, gamma within "
            << gnp::max(abs((above - 2 * all.call + below) / (h * h) - all.gamma)) << '\n';

  std::cout << count << " calls cost " << all.call.mean() << " on average, puts " << all.put.mean() << ", on "
            << gnp::to_string(spot.device()) << '\n';
}
