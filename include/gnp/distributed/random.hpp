// SPDX-License-Identifier: MIT
// Random numbers in distributed arrays: the same numbers that a single process would get, whatever the number
// of processes and the layout.
#pragma once

#include <gnp/distributed/creation.hpp>
#include <gnp/random/generator.hpp>

namespace gnp { inline namespace GNP_ABI { namespace distributed {

/// Like gnp::random's generator. Every process has one with the same seed, and all make the same calls.
class generator {
 public:
  explicit generator(std::uint64_t seed) : numbers_(seed) {}

  /// The array that `draw(generator, shape)` makes, shared out. `draw` has to make each element by itself, as
  /// all distributions do, but not permutations and choices without replacement.
  ///
  ///   rng.draw({n, 3}, [](auto& g, const gnp::shape_t& shape) { return g.template gamma<float>(2.0, 1.0,
  ///   shape); });
  template <class Draw>
  auto draw(const shape_t& shape, const Draw& draw, const array_options& options = {}) {
    using T = typename std::remove_cvref_t<decltype(draw(numbers_, shape))>::value_type;
    constexpr auto column = static_cast<index_t>(4 * gnp::detail::groups_of_a_column);
    const detail::sharing how = detail::sharing_of(shape, options, "draw");
    // Rows follow one after the other, and numbers are counted in this order. A process makes its own rows, and
    // before them as many elements as it takes to begin with a group that from_group accepts.
    const layout rows = shape.empty() ? everywhere() : along(0);
    const detail::sharing by_rows(how.all(), shape, rows, "draw");
    const detail::box own = by_rows.here();
    index_t row = 1;
    for (int d = 1; d < shape.rank(); ++d) row *= shape[d];
    const index_t first = shape.empty() ? 0 : own.begin[0] * row;
    const index_t count = shape.empty() ? 1 : (own.end[0] - own.begin[0]) * row;
    random::generator part = numbers_.from_group(static_cast<std::uint64_t>(first / column * (column / 4)));
    const gnp::array<T> elements = draw(part, shape_t{count + first % column});
    numbers_ = part.from_group(0);  // after as many calls as `draw` has made
    const array<T> made(by_rows, elements(slice(first % column, none)).reshape(own.shape()));
    return how.how() == by_rows.how() ? made : made.in_layout(how.how());
  }

  /// Uniform on [0, 1).
  template <element T = double>
  array<T> random(const shape_t& shape, const array_options& options = {}) {
    return draw(shape, [](auto& g, const shape_t& s) { return g.template random<T>(s); }, options);
  }
  /// Uniform on [low, high).
  template <element T = double>
  array<T> uniform(double low, double high, const shape_t& shape, const array_options& options = {}) {
    return draw(shape, [=](auto& g, const shape_t& s) { return g.template uniform<T>(low, high, s); }, options);
  }
  template <element T = double>
  array<T> standard_normal(const shape_t& shape, const array_options& options = {}) {
    return draw(shape, [](auto& g, const shape_t& s) { return g.template standard_normal<T>(s); }, options);
  }
  /// Mean `loc`, standard deviation `scale`.
  template <element T = double>
  array<T> normal(double loc, double scale, const shape_t& shape, const array_options& options = {}) {
    return draw(shape, [=](auto& g, const shape_t& s) { return g.template normal<T>(loc, scale, s); }, options);
  }
  /// Each integer of [low, high) with the same probability.
  template <element T = std::int64_t>
  array<T> integers(std::int64_t low, std::int64_t high, const shape_t& shape,
                    const array_options& options = {}) {
    return draw(
        shape, [=](auto& g, const shape_t& s) { return g.template integers<T>(low, high, s); }, options);
  }

 private:
  random::generator numbers_;
};

inline generator default_rng(std::uint64_t seed) { return generator(seed); }

}}}  // namespace gnp::GNP_ABI::distributed
