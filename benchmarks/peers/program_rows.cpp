// SPDX-License-Identifier: MIT
// Whole programs of several statements on a GPU: a line "row milliseconds checksums" each, which
// peers_programs.py holds against other libraries. Their inputs are the same numbers, made by the same
// arithmetic. program_rows [regular expression of rows, or - [what sizes are divided by]]
#include <memory>
#include <string>
#include <tuple>

#include "gnp_rows.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::ellipsis;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;
using rows::numbers;
using rows::row;
using std::to_string;

/// A size of a row, smaller where the rows are only tried.
index_t sized(index_t size) { return std::max<index_t>(size / rows::smaller, 4); }

/// Numbers in [-4, 4).
template <class T = float>
array<T> values(const gnp::shape_t& shape) {
  return (numbers(shape) * 8.0F - 4.0F).template astype<T>();
}

constexpr index_t columns = 8192;

template <class T>
void softmax(const std::string& name, const gnp::shape_t& shape, int axis) {
  row(name.c_str(), [&] {
    return [x = values<T>(shape), y = gnp::empty<T>(shape), axis]() mutable {
      const auto e = exp(x - max(x, axis, {.keepdims = true}));
      y(ellipsis) = e / sum(e, axis, {.keepdims = true});
      return y;
    };
  });
}

template <class T>
void layer_norm(const char* name) {
  row(name, [] {
    const gnp::shape_t shape{sized(16384), columns};
    return [x = values<T>(shape), scale = values<T>({columns}), shift = values<T>({columns}),
            y = gnp::empty<T>(shape)]() mutable {
      const auto centred = x - mean(x, 1, {.keepdims = true});
      y(ellipsis) = centred / sqrt(var(x, 1, {.keepdims = true}) + 1e-5) * scale + shift;
      return y;
    };
  });
}

template <class T>
void copy(const char* name, const gnp::shape_t& shape) {
  row(name, [&] {
    return [x = values<T>(shape), y = gnp::empty<T>(shape)]() mutable {
      y(ellipsis) = x;
      return y;
    };
  });
}

void copies() {
  const gnp::shape_t matrix{sized(16384), columns};
  copy<float>("copy", matrix);
  copy<gnp::half>("copy_half", matrix);
  copy<double>("copy_double", matrix);
  copy<float>("copy_26", {sized(index_t{1} << 26)});
}

void rows_and_columns() {
  const gnp::shape_t shape{sized(16384), columns};
  softmax<float>("softmax", shape, 1);
  softmax<gnp::half>("softmax_half", shape, 1);
  softmax<double>("softmax_double", shape, 1);
  softmax<float>("softmax_columns", shape, 0);
  layer_norm<float>("layer_norm");
  layer_norm<gnp::half>("layer_norm_half");
  layer_norm<double>("layer_norm_double");
  row("logsumexp", [&] {
    return [x = values(shape)] {
      const auto top = max(x, 1, {.keepdims = true});
      return array<float>(log(sum(exp(x - top), 1, {.keepdims = true})) + top);
    };
  });
  row("standardize", [&] {
    return [x = values(shape), y = gnp::empty<float>(shape)]() mutable {
      y(ellipsis) = (x - mean(x, 0)) / gnp::std(x, 0);
      return y;
    };
  });
  // Many shorter columns.
  softmax<float>("softmax_columns_1000", {1000, sized(65536)}, 0);
  row("standardize_1000", [&] {
    return [x = values({1000, sized(65536)}), y = gnp::empty<float>({1000, sized(65536)})]() mutable {
      y(ellipsis) = (x - mean(x, 0)) / gnp::std(x, 0);
      return y;
    };
  });
  row("rescale_2000", [&] {
    return [x = values({2000, sized(32768)}), y = gnp::empty<float>({2000, sized(32768)})]() mutable {
      const auto low = min(x, 0);
      y(ellipsis) = (x - low) / (max(x, 0) - low);
      return y;
    };
  });
  row("embedding_bag", [&] {
    return [t = values({100000, 64}),
            i = array<std::int64_t>((numbers({sized(65536), 16}) * 100000.0F).astype<std::int64_t>())] {
      return array<float>(mean(t(i), 1));
    };
  });
  row("embedding_norm", [&] {
    const index_t texts = sized(128);
    return [t = values({30000, 768}),
            i = array<std::int64_t>((numbers({texts, 512}) * 30000.0F).astype<std::int64_t>()),
            p = values({512, 768}), y = gnp::empty<float>({texts, 512, 768})]() mutable {
      const auto x = t(i) + p;
      y(ellipsis) = (x - mean(x, -1, {.keepdims = true})) / sqrt(var(x, -1, {.keepdims = true}) + 1e-5F);
      return y;
    };
  });
  row("edges", [&] {
    const index_t edges = sized(index_t{1} << 20);
    return [h = values({100000, 32}),
            i = array<std::int64_t>((numbers({edges}) * 100000.0F).astype<std::int64_t>()),
            j = array<std::int64_t>(((1.0F - numbers({edges})) * 99991.0F).astype<std::int64_t>())] {
      return gnp::eval(sum(h(i) * h(j), 1), sum(square(h(i) - h(j)), 1));
    };
  });
  row("returns", [&] {
    return [p = array<float>(numbers({sized(10000), 4096}) + 0.5F)] {
      return array<float>(gnp::std(p(slice(1, none)) / p(slice(none, -1)) - 1.0F, 0));
    };
  });
  row("statistics",
      [&] { return [x = values(shape)] { return gnp::eval(mean(x), gnp::std(x), min(x), max(x)); }; });
  for (const index_t length : {10, 33, 64, 100, 127, 1000, 1025, 20000, 50257, 65536}) {
    softmax<float>("softmax_rows_" + to_string(length), {sized((index_t{1} << 26) / length), length}, 1);
  }
  softmax<gnp::half>("softmax_words", {sized((index_t{1} << 27) / 50257), 50257}, 1);
}

/// Of one array as a whole and along each axis, its gigabyte read once.
template <class T>
void reductions(const std::string& type, index_t height, index_t width) {
  const auto each = [&](const std::string& name, auto reduce) {
    const auto add = [&](const char* which, auto call) {
      row((name + "_" + type + which).c_str(),
          [&] { return [x = values<T>({height, width}), call] { return call(x); }; });
    };
    add("", [reduce](const array<T>& x) { return array<T>(reduce(x)); });
    add("_0", [reduce](const array<T>& x) { return array<T>(reduce(x, 0)); });
    add("_1", [reduce](const array<T>& x) { return array<T>(reduce(x, 1)); });
  };
  each("max", [](const array<T>& x, auto... axis) { return max(x, axis...); });
  each("min", [](const array<T>& x, auto... axis) { return min(x, axis...); });
  each("var", [](const array<T>& x, auto... axis) { return var(x, axis...); });
}

/// What is done around a classifier: losses, accuracy, queries turned, pictures made ready.
void classifier() {
  for (const index_t width : {10, 32, 1024}) {
    const index_t height = sized((index_t{1} << 26) / width);
    row(("cross_entropy_" + to_string(width)).c_str(), [&] {
      return [x = values({height, width}), label = array<index_t>(gnp::arange(height) * 7 % width),
              each = gnp::arange(height)] {
        const auto top = max(x, 1);
        const auto log_of_sum = top + log(sum(exp(x - top(all, newaxis)), 1));
        return array<float>(mean(log_of_sum - x(each, label)));
      };
    });
  }
  const gnp::shape_t shape{sized(16384), 4096};
  row("masked_softmax", [&] {
    return
        [x = values(shape), keep = array<bool>(values(shape) > -1.0F), y = gnp::empty<float>(shape)]() mutable {
          const auto kept = where(keep, x, -1e30F);
          const auto e = exp(kept - max(kept, 1, {.keepdims = true}));
          y(ellipsis) = e / sum(e, 1, {.keepdims = true});
          return y;
        };
  });
  // Attention: what comes later counts for nothing, or less the further away it is.
  const gnp::shape_t scores{sized(32), 1024, 1024};
  row("causal", [&] {
    return
        [x = values(scores), i = array<int>(gnp::arange<int>(1024)), y = gnp::empty<float>(scores)]() mutable {
          const auto kept = where(i(all, newaxis) >= i, x, -std::numeric_limits<float>::infinity());
          const auto e = exp(kept - max(kept, -1, {.keepdims = true}));
          y(ellipsis) = e / sum(e, -1, {.keepdims = true});
          return y;
        };
  });
  row("alibi", [&] {
    return [x = values(scores), i = array<float>(gnp::arange<float>(1024)), slope = values({scores[0]}),
            y = gnp::empty<float>(scores)]() mutable {
      const auto nearer = x * 0.125F - abs(slope(all, newaxis, newaxis)) * abs(i(all, newaxis) - i);
      const auto e = exp(nearer - max(nearer, -1, {.keepdims = true}));
      y(ellipsis) = e / sum(e, -1, {.keepdims = true});
      return y;
    };
  });
  row("accuracy", [&] {
    const index_t height = sized(65536);
    return [x = values({height, 1000}), label = array<index_t>(gnp::arange(height) % 1000)] {
      return array<float>(mean<float>(argmax(x, 1) == label));
    };
  });
  row("mask_overlap", [&] {
    const index_t n = sized(1 << 28);
    return [a = array<bool>(numbers({n}) > 0.5F), b = array<bool>(numbers({n}) < 0.75F)] {
      return array<double>(sum(a & b) / sum(a | b));
    };
  });
  const auto whole = [&] { return (numbers({sized(index_t{1} << 26)}) * 1e9F).astype<int>(); };
  row("multiples", [&] { return [x = whole()] { return array<index_t>(sum(x % 7 == 0)); }; });
  row("digits", [&] { return [x = whole()] { return array<int>(gnp::floor_divide(x, 10) % 10); }; });
  row("regression", [&] {
    const index_t points = sized(16384);
    return [x = numbers({points, 2}), y = numbers({points, 2}), v = numbers({points})] {
      const auto k = exp(sum(square(x(all, newaxis) - y), 2) * -50.0F);
      return array<float>(sum(k * v, 1) / sum(k, 1));
    };
  });
  row("density", [&] {
    return [x = numbers({sized(1 << 17)}), c = numbers({sized(4096)})] {
      return array<float>(mean(exp(square((x(all, newaxis) - c) / 0.13F) * -0.5F), 1));
    };
  });
  row("rotary", [&] {
    const gnp::shape_t queries{sized(64), 2048, 128};
    return [q = values(queries), c = values({2048, 64}), s = values({2048, 64}),
            y = gnp::empty<float>(queries)]() mutable {
      const auto low = slice(none, 64), high = slice(64, none);
      const auto a = q(ellipsis, low), b = q(ellipsis, high);
      gnp::together(y(ellipsis, low), y(ellipsis, high)) = std::tuple(a * c - b * s, b * c + a * s);
      return y;
    };
  });
  row("grey", [&] {
    const gnp::shape_t pictures{sized(256), 224, 224, 3};
    return [x = array<std::uint8_t>((numbers(pictures) * 255.0F).astype<std::uint8_t>()),
            w = array<float>(numbers({3}) / 4.0F)] {
      return array<std::uint8_t>(sum(x.astype<float>() * w, -1).astype<std::uint8_t>());
    };
  });
  row("pooling", [&] {
    return [x = values({sized(64), 1024, 1024})] {
      return array<float>(max(x.reshape(x.shape(0), 512, 2, 512, 2), {2, 4}));
    };
  });
  row("channels", [&] {
    const gnp::shape_t pictures{sized(64), 21, 224, 224};
    return [x = values(pictures), y = gnp::empty<float>(pictures)]() mutable {
      const auto e = exp(x - max(x, 1, {.keepdims = true}));
      y(ellipsis) = e / sum(e, 1, {.keepdims = true});
      return y;
    };
  });
  row("channels_norm", [&] {
    const gnp::shape_t pictures{sized(64), 21, 224, 224};
    return [x = values(pictures), scale = values({21, 1, 1}), shift = values({21, 1, 1}),
            y = gnp::empty<float>(pictures)]() mutable {
      const auto centred = x - mean(x, 1, {.keepdims = true});
      y(ellipsis) = centred / sqrt(var(x, 1, {.keepdims = true}) + 1e-5) * scale + shift;
      return y;
    };
  });
  row("unit_vectors", [&] {
    return [x = values({3, sized(index_t{1} << 24)})] { return array<float>(x / sqrt(sum(x * x, 0))); };
  });
  row("lattice", [&] {
    const index_t n = sized(2048);
    return [f = array<float>(numbers({9, n, n}) + 0.5F), w = array<float>(numbers({9, 1, 1}) / 4.5F),
            cx = gnp::asarray<float>({0, 1, 0, -1, 0, 1, -1, -1, 1}).reshape(9, 1, 1),
            cy = gnp::asarray<float>({0, 0, 1, 0, -1, 1, 1, -1, -1}).reshape(9, 1, 1)] {
      const auto rho = sum(f, 0);
      const auto ux = sum(f * cx, 0) / rho, uy = sum(f * cy, 0) / rho;
      const auto along = 3.0F * (cx * ux + cy * uy);
      const auto rest = 1.0F + along + 0.5F * along * along - 1.5F * (ux * ux + uy * uy);
      return array<float>(f - 0.6F * (f - w * rho * rest));
    };
  });
  row("adam", [&] {
    const index_t n = sized(index_t{1} << 24);
    return [p = values({n}), g = values({n}), m = values({n}), v = numbers({n})] {
      const auto mean = 0.9F * m + 0.1F * g;
      const auto square = 0.999F * v + 0.001F * g * g;
      return gnp::eval(p - 0.001F * (mean / 0.5F) / (sqrt(square / 0.3F) + 1e-8F), mean, square);
    };
  });
  row("reaction", [&] {
    const index_t n = sized(4096);
    return [u = numbers({n, n}), v = numbers({n, n})] {
      const slice inner(1, -1), before(none, -2), after(2, none);
      const auto spread = [&](const array<float>& x) {
        return x(before, inner) + x(after, inner) + x(inner, before) + x(inner, after) - 4 * x(inner, inner);
      };
      const auto a = u(inner, inner), b = v(inner, inner);
      return gnp::eval(a + 0.16F * spread(u) - a * b * b + 0.06F * (1 - a),
                       b + 0.08F * spread(v) + a * b * b - 0.122F * b);
    };
  });
  row("torus", [&] {
    const index_t n = sized(4096);
    return [u = numbers({n, n}), v = numbers({n, n})] {
      const auto spread = [](const array<float>& x) {
        return gnp::roll(x, 1, 0) + gnp::roll(x, -1, 0) + gnp::roll(x, 1, 1) + gnp::roll(x, -1, 1) - 4 * x;
      };
      return gnp::eval(u + 0.16F * spread(u) - u * v * v + 0.06F * (1 - u),
                       v + 0.08F * spread(v) + u * v * v - 0.122F * v);
    };
  });
  row("torus_jit", [&] {
    const index_t n = sized(4096);
    const auto steps = [](const array<float>& u, const array<float>& v) {
      const auto spread = [](const array<float>& x) {
        return gnp::roll(x, 1, 0) + gnp::roll(x, -1, 0) + gnp::roll(x, 1, 1) + gnp::roll(x, -1, 1) - 4 * x;
      };
      const array<float> of_u = spread(u);
      const array<float> of_v = spread(v);
      const array<float> together = u * v * v;
      const array<float> next_u = u + 0.16F * of_u - together + 0.06F * (1 - u);
      const array<float> next_v = v + 0.08F * of_v + together - 0.122F * v;
      return std::tuple(next_u, next_v);
    };
    return [f = gnp::jit(steps), u = numbers({n, n}), v = numbers({n, n})] { return f(u, v); };
  });
  row("normals", [&] {
    const index_t n = sized(1 << 24);
    return [x = numbers({n}), y = numbers({n})] {
      const auto radius = gnp::sqrt(-2.0F * gnp::log(1.0F - x));
      return gnp::eval(radius * gnp::cos(6.2831853F * y), radius * gnp::sin(6.2831853F * y));
    };
  });
  row("waves", [&] {
    const index_t n = sized(1 << 26);
    return [x = numbers({n}), y = numbers({n})] { return array<float>(gnp::mean(gnp::sin(x) * gnp::cos(y))); };
  });
  row("logistic_loss", [&] {
    const index_t n = sized(1 << 26);
    return [x = values({n}), y = values({n})] { return array<float>(gnp::mean(gnp::logaddexp(0, -x * y))); };
  });
  row("total_variation", [&] {
    return [x = numbers({sized(8192), 8192})] {
      return array<float>(gnp::sum(gnp::abs(gnp::diff(x, {.axis = 0}))) +
                          gnp::sum(gnp::abs(gnp::diff(x, {.axis = 1}))));
    };
  });
  row("lags", [&] {
    const index_t n = sized(1 << 26);
    return [x = values({n}), n] {
      const auto lag = [&](index_t by) { return sum(x(slice(by, none)) * x(slice(none, n - by))); };
      return array<float>((lag(1) + lag(2) + lag(3) + lag(4)) / lag(0));
    };
  });
  row("centring", [&] {
    return [x = numbers({sized(8192), 8192})] {
      return array<float>(x - mean(x, 0) - mean(x, 1, {.keepdims = true}));
    };
  });
  row("shares", [&] {
    return [x = numbers({sized(8192), 8192})] {
      const auto of_columns = x / sum(x, 0);
      return array<float>(of_columns / sum(of_columns, 1, {.keepdims = true}));
    };
  });
  row("power", [&] {
    return [a = numbers({sized(8192), 8192}), v = numbers({8192})] {
      const array<float> next = gnp::matmul(a, v);
      return array<float>(next / sqrt(sum(next * next)));
    };
  });
  row("predictions", [&] {
    return [x = values({sized(1 << 20), 64}), w = values({64})] {
      return array<float>(1 / (1 + exp(-gnp::matmul(x, w))));
    };
  });
  row("outliers", [&] {
    return [x = values({sized(8192), 8192})] {
      return array<gnp::index_t>(gnp::count_nonzero(abs(x - mean(x, 0)) > 1.5F * gnp::std(x, 0), 0));
    };
  });
  row("residual", [&] {
    const index_t n = sized(1 << 26);
    return [r = values({n}), q = values({n})] {
      const auto next = r - 0.3F * q;
      return gnp::eval(next, gnp::sum(gnp::square(next)));
    };
  });
  row("shallow_water", [&] {
    const gnp::shape_t sea{sized(4096), 4096};
    return [h = array<float>(numbers(sea) + 1), u = array<float>(values(sea) * 0.1F),
            v = array<float>(values(sea) * 0.1F)] {
      const auto along = [](const auto& f, int axis) {
        return 0.5F * (gnp::roll(f, -1, axis) - gnp::roll(f, 1, axis));
      };
      return gnp::eval(h - 0.1F * (along(h * u, 1) + along(h * v, 0)),
                       u - 0.1F * (u * along(u, 1) + v * along(u, 0) + 9.8F * along(h, 1)),
                       v - 0.1F * (u * along(v, 1) + v * along(v, 0) + 9.8F * along(h, 0)));
    };
  });
  row("triangle_areas", [&] {
    return [corners = values({sized(1 << 21), 3, 3})] {
      const auto one = corners(all, 1) - corners(all, 0), other = corners(all, 2) - corners(all, 0);
      return array<float>(0.5F * gnp::sqrt(gnp::sum(gnp::square(gnp::cross(one, other)), 1)));
    };
  });
  row("mahalanobis", [&] {
    return [x = values({sized(1 << 22), 4}), m = values({4}), p = numbers({4, 4})] {
      const auto e = x - m;
      return array<float>(gnp::sum(e(all, all, newaxis) * p * e(all, newaxis, all), {1, 2}));
    };
  });
  row("polynomial", [&] {
    return [c = values({6}), x = numbers({sized(1 << 25)})] { return array<float>(gnp::polyval(c, x)); };
  });
  row("places", [&] {
    return [at = array<float>(8192 * numbers({sized(8192)})), rate = numbers({8192})] {
      return array<float>(gnp::sin(at(all, newaxis) / gnp::power(10000.0F, rate)));
    };
  });
  row("mixture", [&] {
    return [x = numbers({sized(1 << 22)}), w = numbers({8}), s = array<float>(numbers({8}) + 0.1F)] {
      const auto l = gnp::log(w + 0.1F) - gnp::log(s) - 0.5F * gnp::square((x(all, newaxis) - w) / s);
      const auto e = gnp::exp(l - gnp::max(l, 1, {.keepdims = true}));
      return array<float>(e / gnp::sum(e, 1, {.keepdims = true}));
    };
  });
  row("asymmetry", [&] {
    return [x = values({sized(8192), sized(8192)})] { return array<float>(gnp::max(gnp::abs(x - x.T()))); };
  });
  row("weighted_columns", [&] {
    return [x = values({sized(8192), 8192}), w = numbers({sized(8192)})] {
      return array<float>(gnp::sum(x.T() * w, 1));
    };
  });
  row("huber", [&] {
    return [x = values({sized(8192), 8192}), y = values({sized(8192), 8192})] {
      const auto e = x - y;
      const auto size = gnp::abs(e);
      const auto near = size < 0.3F;
      return gnp::eval(gnp::mean(gnp::where(near, 0.5F * gnp::square(e), 0.3F * (size - 0.15F)), 1),
                       gnp::where(near, e, 0.3F * gnp::sign(e)));
    };
  });
  row("sums_of_8",
      [&] { return [x = values({sized(1 << 23), 8})] { return array<float>(gnp::cumsum(x, 1)); }; });
  row("outer", [&] {
    return [x = values({sized(8192)}), y = values({8192})] { return array<float>(gnp::outer(x, y)); };
  });
  row("inside", [&] {
    return [p = values({sized(16384), 2}), q = numbers({16384, 2})] {
      return array<bool>((p(all, newaxis, 0) < q(all, 0)) & (p(all, newaxis, 1) < q(all, 1)));
    };
  });
  row("line", [&] {
    const index_t n = sized(1 << 24);
    return [x = values({n}), y = numbers({n})] {
      const auto from_mean = x - gnp::mean(x);
      const auto slope = gnp::sum(from_mean * (y - gnp::mean(y))) / gnp::sum(gnp::square(from_mean));
      return gnp::eval(slope, gnp::mean(y) - slope * gnp::mean(x));
    };
  });
  row("images", [&] {
    const gnp::shape_t pictures{sized(256), 224, 224, 3};
    return [x = array<std::uint8_t>((numbers(pictures) * 255.0F).astype<std::uint8_t>()), m = numbers({3}),
            s = array<float>(numbers({3}) + 0.5F), y = gnp::empty<float>(pictures)]() mutable {
      y(ellipsis) = (x.astype<float>() / 255.0F - m) / s;
      return y;
    };
  });
}

/// Windows that slide over an array, and sums of its segments.
void windows() {
  const auto line = [] { return values({sized(index_t{1} << 24)}); };
  const auto picture = [] { return values({sized(4096), 4096}); };
  row("moving_sum",
      [&] { return [x = line()] { return array<float>(sum(gnp::sliding_window_view(x, 32), 1)); }; });
  row("moving_max",
      [&] { return [x = line()] { return array<float>(max(gnp::sliding_window_view(x, 200), 1)); }; });
  row("filter", [&] {
    return
        [x = line(), w = numbers({33})] { return array<float>(sum(gnp::sliding_window_view(x, 33) * w, 1)); };
  });
  row("blur", [&] {
    return [x = picture()] { return array<float>(mean(gnp::sliding_window_view(x, {5, 5}), {2, 3})); };
  });
  row("largest_around", [&] {
    return [x = picture()] { return array<float>(max(gnp::sliding_window_view(x, {7, 7}), {2, 3})); };
  });
  row("segment_sums", [&] {
    const index_t segments = sized(index_t{1} << 20);
    return [y = gnp::empty<float>({segments}), i = gnp::floor_divide(gnp::arange(16 * segments), 16).eval(),
            x = values({16 * segments})]() mutable {
      y(ellipsis) = 0.0F;
      gnp::add_at(y, i, x, {.any_order = true});
      return y;
    };
  });
}

void pairs() {
  const index_t points = sized(1000000), bodies = sized(8192);
  row("kmeans", [&] {
    return [x = values({points, 16}), c = values({64, 16})] {
      return array<std::int64_t>(argmin(sum(square(x(all, newaxis) - c(newaxis)), 2), 1));
    };
  });
  row("kmeans_matmul", [&] {
    return [x = values({points, 16}), c = values({64, 16})] {
      return array<std::int64_t>(argmin(sum(square(c), 1) - 2 * gnp::matmul(x, c.T()), 1));
    };
  });
  row("distances", [&] {
    return [x = values({bodies, 8}), c = numbers({8192, 8}), y = gnp::empty<float>({bodies, 8192})]() mutable {
      y(ellipsis) = sqrt(sum(square(x(all, newaxis) - c), -1));
      return y;
    };
  });
  row("manhattan", [&] {
    return [x = values({bodies, 64}), c = numbers({8192, 64})] {
      return array<float>(sum(abs(x(all, newaxis) - c), -1));
    };
  });
  row("radial", [&] {
    return [x = values({bodies, 64}), c = numbers({8192, 64})] {
      return array<float>(exp(-0.5F * sum(square(x(all, newaxis) - c), -1)));
    };
  });
  row("nearest", [&] {
    const index_t many = sized(16384);
    return [x = values({many, 3}), c = numbers({16384, 3})] {
      const auto apart = sum(square(x(all, newaxis) - c), -1);
      return gnp::eval(min(apart, 1), min(apart, 0));
    };
  });
  row("overlaps", [&] {
    return [b = numbers({bodies, 4})] {
      const auto column = [](const auto& x) { return x(all, newaxis); };
      const auto left = b(all, 0), top = b(all, 1), width = b(all, 2), height = b(all, 3);
      const auto right = left + width, bottom = top + height;
      const auto across = minimum(column(right), right) - maximum(column(left), left);
      const auto down = minimum(column(bottom), bottom) - maximum(column(top), top);
      const auto both = maximum(across, 0) * maximum(down, 0);
      const auto area = width * height;
      return array<std::int64_t>(sum(both / (column(area) + area - both) > 0.5F, 1));
    };
  });
  row("lennard_jones", [&] {
    return [x = values({bodies, 3})] {
      const auto squared = sum(square(x(newaxis) - x(all, newaxis)), -1) + 1.0F;
      const auto s = 1.0F / (squared * squared * squared);
      return array<float>(sum(4.0F * (s * s - s), 1));
    };
  });
  row("nbody", [&] {
    return [x = values({bodies, 3}), mass = numbers({bodies, 1})] {
      const auto apart = x(newaxis) - x(all, newaxis);
      const auto squared = sum(square(apart), -1, {.keepdims = true}) + 0.01F;
      return array<float>(sum(apart * (mass / (squared * sqrt(squared))), 1));
    };
  });
}

void stencils() {
  const index_t n = sized(8192);
  row("heat", [&] {
    return [u = values({n, n}), v = values({n, n})]() mutable {
      const auto inner = slice(1, -1), before = slice(none, -2), after = slice(2, none);
      v(inner, inner) = u(inner, inner) + 0.2F * (u(before, inner) + u(after, inner) + u(inner, before) +
                                                  u(inner, after) - 4 * u(inner, inner));
      return v;
    };
  });
  row("heat_in_place", [&] {
    return [u = values({n, n})]() mutable {
      const auto inner = slice(1, -1), before = slice(none, -2), after = slice(2, none);
      u(inner, inner) += 0.2F * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) -
                                 4 * u(inner, inner));
      return u;
    };
  });
  row("jacobi", [&] {
    return [u = values({n, n})] {
      const auto inner = slice(1, -1), before = slice(none, -2), after = slice(2, none);
      const auto mean = 0.25F * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after));
      return gnp::eval(mean, gnp::max(gnp::abs(mean - u(inner, inner))));
    };
  });
  row("periodic", [&] {
    return [u = values({n, n})] {
      return array<float>(roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) - 4 * u);
    };
  });
  row("periodic_3d", [&] {
    const index_t edge = sized(512);
    return [u = values({edge, edge, edge})] {
      return array<float>(roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) + roll(u, 1, 2) +
                          roll(u, -1, 2) - 6 * u);
    };
  });
  row("pairs_on_a_torus", [&] {
    return [u = numbers({n, n})] { return array<float>(gnp::sum(u * (roll(u, 1, 0) + roll(u, 1, 1)))); };
  });
  row("life", [&] {
    const array<std::uint8_t> board = (numbers({n, n}) < 0.35F).astype<std::uint8_t>();
    return [u = board, v = board.copy()]() mutable {
      const auto at = [&u](index_t down, index_t right) {
        const auto from = [](index_t shift) {
          return shift == 1 ? slice(2, none) : slice(1 + shift, shift - 1);
        };
        return u(from(down), from(right));
      };
      const auto near =
          at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 1) + at(1, -1) + at(1, 0) + at(1, 1);
      v(slice(1, -1), slice(1, -1)) =
          (near == 3 || (near == 2 && at(0, 0) == 1)).template astype<std::uint8_t>();
      return v;
    };
  });
}

/// A network with one hidden layer, and its gradients by hand.
struct network {
  array<float> w1 = values({784, 256}) * 0.02F, b1 = gnp::zeros<float>(256);
  array<float> w2 = values({256, 10}) * 0.02F, b2 = gnp::zeros<float>(10);

  array<float> train(const array<float>& x, const array<float>& wanted, float rate) {
    const array<float> h = maximum(gnp::matmul(x, w1) + b1, 0);
    const array<float> score = gnp::matmul(h, w2) + b2;
    const auto e = exp(score - max(score, 1, {.keepdims = true}));
    const array<float> p = e / sum(e, 1, {.keepdims = true});
    const array<float> loss = -mean(sum(wanted * log(p), 1));
    const array<float> d_score = (p - wanted) / x.shape(0);
    const array<float> d_hidden = gnp::matmul(d_score, w2.T()) * (h > 0);
    w2 -= rate * gnp::matmul(h.T(), d_score);
    b2 -= rate * sum(d_score, 0);
    w1 -= rate * gnp::matmul(x.T(), d_hidden);
    b1 -= rate * sum(d_hidden, 0);
    return loss;
  }
};

GNP_UFUNC(call_price, (spot, strike, rate, volatility, years), const auto root = volatility * sqrt(years),
          const auto d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / root,
          const auto d2 = d1 - root,
          0.5 * (spot * erfc(-d1 * 0.70710678) - strike * exp(-rate * years) * erfc(-d2 * 0.70710678)));

/// The same as it is written, and as a graph.
void small_kernels() {
  const array<float> wanted =
      (gnp::arange<int>(128).reshape(-1, 1) % 10 == gnp::arange<int>(10)).astype<float>();
  row("train_step", [&] {
    return [net = network(), x = numbers({128, 784}), wanted]() mutable {
      const array<float> loss = net.train(x, wanted, 0.01F);
      return std::tuple(loss, net.w1, net.b1, net.w2, net.b2);
    };
  });
  // Programs of several statements, each into an array of its own.
  row("softmax_jit", [&] {
    const auto steps = [](const array<float>& x) {
      const array<float> highest = max(x, 1, {.keepdims = true});
      const array<float> e = exp(x - highest);
      const array<float> total = sum(e, 1, {.keepdims = true});
      return array<float>(e / total);
    };
    return [f = gnp::jit(steps), x = values({sized(16384), columns})] { return f(x); };
  });
  row("layer_norm_jit", [&] {
    const auto steps = [](const array<float>& x, const array<float>& scale, const array<float>& shift) {
      const array<float> m = mean(x, 1, {.keepdims = true});
      const array<float> centred = x - m;
      const array<float> variance = mean(centred * centred, 1, {.keepdims = true});
      const array<float> each = 1.0F / sqrt(variance + 1e-5F);
      const array<float> normal = centred * each;
      return array<float>(normal * scale + shift);
    };
    return [f = gnp::jit(steps), x = values({sized(16384), columns}), scale = values({columns}),
            shift = values({columns})] { return f(x, scale, shift); };
  });
  row("norm_parts_jit", [&] {
    const auto steps = [](const array<float>& x) {
      const array<float> m = mean(x, 1, {.keepdims = true});
      const array<float> c = x - m;
      const array<float> each = 1.0F / sqrt(mean(c * c, 1, {.keepdims = true}) + 1e-5F);
      return std::tuple(array<float>(c * each), m, each);
    };
    return [f = gnp::jit(steps), x = values({sized(16384), 4096})] { return f(x); };
  });
  row("centre_rows_jit", [&] {
    const auto centred = [](const array<float>& x) {
      const array<float> m = mean(x, 1, {.keepdims = true});
      const array<float> c = x - m;
      const array<float> s = mean(c * c, 1, {.keepdims = true});
      return array<float>(c / sqrt(s + 1e-5F));
    };
    return [f = gnp::jit(centred), x = values({sized(16384), 4096})] { return f(x); };
  });
  row("train_step_graph", [&] {
    struct recorded {
      network net;
      array<float> loss;
    };
    const auto made = std::make_shared<recorded>();
    const auto step = std::make_shared<gnp::graph>(
        [made, x = numbers({128, 784}), wanted] { made->loss = made->net.train(x, wanted, 0.01F); });
    return [made, step] {
      (*step)();
      return std::tuple(made->loss, made->net.w1, made->net.b1, made->net.w2, made->net.b2);
    };
  });
  const auto dependent = [](const array<float>& x) {
    array<float> s = x;
    for (int i = 0; i < 100; ++i) s = s * 0.99F + 0.01F;
    return s;
  };
  // Formulas in statements of their own, one after the other.
  const auto adam_step = [](const array<float>& p, const array<float>& g, const array<float>& m,
                            const array<float>& v) {
    const array<float> mean = 0.9F * m + 0.1F * g;
    const array<float> square = 0.999F * v + 0.001F * g * g;
    const array<float> root = sqrt(square / 0.3F) + 1e-8F;
    const array<float> step = 0.001F * (mean / 0.5F) / root;
    return std::array{array<float>(p - step), mean, square};
  };
  row("adam_graph", [&] {
    const index_t n = sized(index_t{1} << 24);
    const auto made = std::make_shared<std::array<array<float>, 3>>();
    const auto step =
        std::make_shared<gnp::graph>([made, adam_step, p = values({n}), g = values({n}), m = values({n}),
                                      v = numbers({n})] { *made = adam_step(p, g, m, v); });
    return [made, step] {
      (*step)();
      return std::tuple((*made)[0], (*made)[1], (*made)[2]);
    };
  });
  row("adam_jit", [&] {
    const index_t n = sized(index_t{1} << 24);
    return [step = gnp::jit(adam_step), p = values({n}), g = values({n}), m = values({n}), v = numbers({n})] {
      const auto made = step(p, g, m, v);
      return std::tuple(made[0], made[1], made[2]);
    };
  });
  const auto mandelbrot = [](const array<float>& x, const array<float>& y) {
    array<float> a = gnp::zeros<float>(x.shape()), b = gnp::zeros<float>(x.shape());
    array<float> steps = gnp::zeros<float>(x.shape());
    for (int i = 0; i < 10; ++i) {
      const array<float> a2 = a * a, b2 = b * b;
      const array<bool> inside = a2 + b2 < 4.0F;
      b = where(inside, 2.0F * a * b + y, b);
      a = where(inside, a2 - b2 + x, a);
      steps += inside.astype<float>();
    }
    return steps;
  };
  const index_t pixels = sized(index_t{1} << 24);
  row("mandelbrot",
      [&] { return [x = values({pixels}), y = values({pixels}), mandelbrot] { return mandelbrot(x, y); }; });
  row("mandelbrot_graph", [&] {
    const auto steps = std::make_shared<array<float>>();
    const auto set = std::make_shared<gnp::graph>(
        [steps, x = values({pixels}), y = values({pixels}), mandelbrot] { *steps = mandelbrot(x, y); });
    return [steps, set] {
      (*set)();
      return *steps;
    };
  });
  row("mandelbrot_jit", [&] {
    return [set = gnp::jit(mandelbrot), x = values({pixels}), y = values({pixels})] { return set(x, y); };
  });
  row("dependent_100", [&] { return [x = numbers({1000}), dependent] { return dependent(x); }; });
  row("dependent_100_graph", [&] {
    const auto s = std::make_shared<array<float>>();
    const auto chain = std::make_shared<gnp::graph>([s, x = numbers({1000}), dependent] { *s = dependent(x); });
    return [s, chain] {
      (*chain)();
      return *s;
    };
  });
}

void the_rest() {
  const index_t many = sized(index_t{1} << 26), points = sized(1000000);
  row("black_scholes", [&] {
    const array<float> any = numbers({many});
    return [spot = array<float>(80 + 40 * any), strike = array<float>(120 - 40 * any),
            rate = array<float>(0.01F + 0.05F * any), volatility = array<float>(0.1F + 0.4F * any),
            years = array<float>(2 - any), y = gnp::empty<float>({many})]() mutable {
      y(ellipsis) = call_price(spot, strike, rate, volatility, years);
      return y;
    };
  });
  row("black_scholes_formula", [&] {
    const array<float> any = numbers({many});
    return [spot = array<float>(80 + 40 * any), strike = array<float>(120 - 40 * any),
            rate = array<float>(0.01F + 0.05F * any), volatility = array<float>(0.1F + 0.4F * any),
            years = array<float>(2 - any)] {
      const auto root = volatility * gnp::sqrt(years);
      const auto d1 = (gnp::log(spot / strike) + (rate + volatility * volatility / 2.0F) * years) / root;
      const auto d2 = d1 - root;
      return array<float>(0.5F * (spot * gnp::erfc(-d1 * 0.70710678F) -
                                  strike * gnp::exp(-rate * years) * gnp::erfc(-d2 * 0.70710678F)));
    };
  });
  row("cross", [&] {
    return [a = values({points, 3}), b = numbers({points, 3})] { return array<float>(gnp::cross(a, b)); };
  });
  row("quaternions", [] {
    const index_t turns = sized(index_t{1} << 22);
    return [p = values({turns, 4}), q = numbers({turns, 4})] {
      const auto a = p(all, 0), b = p(all, 1), c = p(all, 2), d = p(all, 3);
      const auto e = q(all, 0), f = q(all, 1), g = q(all, 2), h = q(all, 3);
      return array<float>(gnp::stack(std::tuple(a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                                                a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e),
                                     {.axis = 1}));
    };
  });
  row("products_of_3", [&] {
    return [a = values({points, 3, 3}), b = numbers({points, 3, 3})] { return array<float>(matmul(a, b)); };
  });
  row("rows_of_4", [] {
    return
        [x = values({sized(index_t{1} << 22), 4}), a = numbers({4, 4})] { return array<float>(matmul(x, a)); };
  });
  row("gram",
      [] { return [x = values({sized(index_t{1} << 22), 4})] { return array<float>(matmul(x.T(), x)); }; });
  row("covariances", [] {
    return [x = values({sized(100000), 10, 3})] { return array<float>(gnp::einsum("nki,nkj->nij", x, x)); };
  });
  row("norm_of_3",
      [&] { return [a = values({points, 3})] { return array<float>(gnp::linalg::norm(a, {.axis = 1})); }; });
  row("centre_1000", [] { return [x = numbers({1000})] { return array<float>(x - mean(x)); }; });
  row("sum_item_1000", [] { return [x = numbers({1000})] { return double{sum(x).item()}; }; });
}

GNP_REDUCTION(own_distance, (x, y), square(x - y), (a, b), a + b, (r), sqrt(r), 0)
GNP_REDUCTION(largest, (x), x, (a, b), max(a, b), (r), r, lowest)
GNP_GUFUNC(own_matvec, "(m,n),(n)->(m)", (a, x, y), {
  using T = typename decltype(y)::value_type;
  for (gnp::index_t i = 0; i < a.shape(0); ++i) {
    T sum = 0;
    for (gnp::index_t k = 0; k < a.shape(1); ++k) sum += a(i, k) * x(k);
    y(i) = sum;
  }
})

/// Functions of the user's own, beside gnp's like them.
void users() {
  const index_t many = sized(index_t{1} << 26), points = sized(1000000);
  row("norm_of_difference", [&] {
    return [x = values({many}), y = numbers({many})] { return array<float>(gnp::linalg::norm(x - y)); };
  });
  row("cumsum", [&] { return [x = numbers({many})] { return gnp::cumsum(x); }; });
  row("own_distance",
      [&] { return [x = values({many}), y = numbers({many})] { return array<float>(own_distance(x, y)); }; });
  row("own_scan", [&] { return [x = numbers({many})] { return gnp::scan(x, largest); }; });
  row("own_matvec",
      [&] { return [a = values({points, 3, 3}), x = values({points, 3})] { return own_matvec(a, x); }; });
}

}  // namespace

int main(int count, char** arguments) {
  rows::answer(count, arguments, [] {
    copies();
    rows_and_columns();
    reductions<float>("float", sized(16384), 16384);
    reductions<gnp::half>("half", sized(16384), 32768);
    reductions<double>("double", sized(16384), 8192);
    classifier();
    pairs();
    windows();
    stencils();
    small_kernels();
    the_rest();
    users();
  });
}
