// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// Joining, splitting, repeating, rolling, padding and triangles give what NumPy gives: tests/data/joining.txt.
#include "named_golden.hpp"

namespace {

using gnp::array;
using gnp::none;
using gnp::slice;

struct inputs {
  array<float> a = numbers<float>({2, 3});
  array<float> b = numbers<float>({4, 3});
  array<int> c = numbers<int>({2, 3});
  array<float> v = numbers<float>(5);
  array<int> w = numbers<int>(3);
  array<std::int64_t> cube = numbers<std::int64_t>({2, 3, 4});
  array<float> v2 = v(slice(2));
  array<float> v3 = v(slice(3));
};

/// What is checked, by a member each, so that lambdas see the inputs.
struct checks : inputs {
  named_golden g{"joining.txt"};

  void check_joining();
  void check_editing();
  void check_splitting();
  void check_repeating();
  void check_ranks();
  void check_padding();
  void check_triangles();
};

void checks::check_joining() {
  g.check("concatenate", gnp::concatenate({a, b}));
  g.check("concatenate axis 1", gnp::concatenate({a, a, b(slice(2))}, {.axis = 1}));
  g.check("concatenate axis -2", gnp::concatenate({cube, cube(gnp::all, slice(1, none))}, -2));
  g.check("concatenate flat", gnp::concatenate({a, b.T()}, {.axis = none}));
  g.check("concatenate mixed", gnp::concatenate(std::tuple(a, c, a + 1)));
  g.check("concatenate half", gnp::concatenate(std::tuple(numbers<gnp::half>(3), numbers<std::int8_t>(3))));
  g.check("concatenate bool",
          gnp::concat(std::tuple(numbers<bool>(3), numbers<std::uint8_t>(3), numbers<gnp::complex64>(2))));
  g.check("concatenate views", gnp::concatenate({b(slice(none, none, -2)), b.T()(gnp::all, slice(3)),
                                                 gnp::broadcast_to(v3, {2, 3})}));
  g.check("concatenate empty", gnp::concatenate(std::vector{a(slice(0)), a, a(slice(0))}));
  g.refuses<gnp::shape_error>("concatenate rank", "the array at index 1 has 1 dimension(s)",
                              [&] { gnp::concatenate({a, v}); });
  g.refuses<gnp::shape_error>(
      "concatenate sizes",
      "along dimension 0, the array at index 0 has size 2 and the array at index 1 has size 4",
      [&] { gnp::concatenate({a, b}, 1); });
  g.refuses<gnp::shape_error>("concatenate zero", "zero-dimensional arrays cannot be concatenated",
                              [&] { gnp::concatenate({a.sum(), a.sum()}); });
  g.refuses<gnp::index_error>("concatenate axis", "axis 2 is out of bounds",
                              [&] { gnp::concatenate({a, a}, {.axis = 2}); });
  g.refuses<gnp::shape_error>("concatenate none", "need at least one array to concatenate",
                              [&] { gnp::concatenate(std::vector<array<float>>{}); });
  g.check("stack", gnp::stack(std::tuple(a, a + 1)));
  g.check("stack", gnp::stack({a, a + 1}));
  g.check("stack axis -1", gnp::stack(std::tuple(a, c, a), {.axis = -1}));
  g.check("stack axis 1", gnp::stack({a.T(), a.T() * 2}, 1));
  g.check("stack zero", gnp::stack({a(0, 0), a(0, 1)}));
  g.refuses<gnp::shape_error>("stack shapes",
                              "all input arrays must have the same shape, got (2, 3) and (4, 3)",
                              [&] { gnp::stack({a, b}); });
  g.refuses<gnp::index_error>("stack axis", "stack: axis 3 is out of bounds", [&] { gnp::stack({a, a}, 3); });
  g.check("vstack", gnp::vstack({a, b, v3}));
  g.check("vstack vectors", gnp::row_stack({w, w + 1}));
  g.check("hstack", gnp::hstack(std::tuple(a, c)));
  g.check("hstack vectors", gnp::hstack(std::tuple(v, w)));
  g.check("hstack zero", gnp::hstack({v(0), v(1)}));
  g.check("dstack", gnp::dstack(std::tuple(a, c)));
  g.check("dstack vectors", gnp::dstack({w, w + 1}));
  g.check("dstack cubes", gnp::dstack({cube, cube}));
  g.check("column_stack", gnp::column_stack({w, numbers<int>({3, 2}), w}));
  g.check("block", gnp::block(std::tuple(std::tuple(a, numbers<float>({2, 2})),
                                         std::tuple(numbers<float>({1, 3}), numbers<float>({1, 2}) * 0))));
  g.check("block row", gnp::block({a, a, v2(gnp::all, gnp::newaxis)}));
  g.check("block vectors", gnp::block({{w, w}, {w, w}}));
  g.refuses<gnp::shape_error>("block shapes", "block: all the input array dimensions except",
                              [&] { gnp::block(std::vector<std::vector<array<float>>>{{a, a}, {b}}); });
}

void checks::check_editing() {
  g.check("append", gnp::append(a, c));
  g.check("append axis 1", gnp::append(a, a + 1, 1));
  g.check("append number", gnp::append(v, 7));
  g.refuses<gnp::shape_error>("append rank", "append: all the input arrays must have same number",
                              [&] { gnp::append(a, v, {.axis = 0}); });
  g.check("delete index", gnp::delete_(v, 2));
  g.check("delete negative", gnp::delete_(b, -1, {.axis = 0}));
  g.check("delete slice", gnp::delete_(b, slice(0, 4, 2), 0));
  g.check("delete slice back", gnp::delete_(v, slice(none, none, -2)));
  g.check("delete list", gnp::delete_(cube, {1, -1, 1}, 2));
  g.check("delete flat", gnp::delete_(a.T(), {0, 4}));
  g.check("delete none", gnp::delete_(a, std::vector<int>{}, 1));
  g.refuses<gnp::index_error>("delete out of bounds",
                              "delete_: index 5 is out of bounds for axis 0 with size 5",
                              [&] { gnp::delete_(v, 5); });
  g.check("insert index", gnp::insert(v, 2, 9));
  g.check("insert row", gnp::insert(b, 1, v3, 0));
  g.check("insert column", gnp::insert(b, -1, v(slice(4)), {.axis = 1}));
  g.check("insert several at one", gnp::insert(v, 1, v2));
  g.check("insert list", gnp::insert(v, {1, 1, 4}, gnp::asarray({7, 8, 9})));
  g.check("insert list unordered", gnp::insert(v, {5, 0, -2}, gnp::asarray({7, 8, 9})));
  g.check("insert list columns", gnp::insert(a, {0, 3}, a(gnp::all, slice(2)) + 10, 1));
  g.check("insert flat", gnp::insert(a, 3, 100));
  g.refuses<gnp::index_error>("insert out of bounds", "insert: index 6 is out of bounds for axis 0 with size 5",
                              [&] { gnp::insert(v, 6, 1); });
}

void checks::check_splitting() {
  g.check("split", gnp::split(b, 2));
  g.check("split axis 1", gnp::split(b, 3, {.axis = 1}));
  g.check("split points", gnp::split(v, {1, 3}));
  g.check("split odd points", gnp::split(v, {3, 2, 9, -1}));
  g.refuses<gnp::shape_error>("split uneven", "array split does not result in an equal division",
                              [&] { gnp::split(v, 2); });
  g.refuses<gnp::error>("split zero", "number sections must be larger than 0", [&] { gnp::array_split(v, 0); });
  g.check("array_split", gnp::array_split(v, 3, 0));
  g.check("array_split many", gnp::array_split(w, 5));
  g.check("vsplit", gnp::vsplit(b, 4));
  g.check("hsplit", gnp::hsplit(b, {1}));
  g.check("hsplit vector", gnp::hsplit(w, 3));
  g.check("dsplit", gnp::dsplit(cube, 2));
  g.refuses<gnp::shape_error>("vsplit vector", "vsplit: only works on arrays of 2 or more dimensions",
                              [&] { gnp::vsplit(v, 1); });
  g.check("unstack", gnp::unstack(cube, 1));
  CHECK(gnp::split(b, 2)[1].data() == b.data() + 6);
}

void checks::check_repeating() {
  g.check("tile", gnp::tile(v, 3));
  g.check("tile 2 axes", gnp::tile(a, {2, 3}));
  g.check("tile more axes", gnp::tile(v, {2, 1, 2}));
  g.check("tile fewer", gnp::tile(cube, {2, 3}));
  g.check("tile row", gnp::tile(a(slice(1)), {2, 1}));
  g.check("tile zero times", gnp::tile(a, {0, 2}));
  g.check("tile transposed", gnp::tile(a.T() + 0, 2));
  g.check("repeat", gnp::repeat(a, 2));
  g.check("repeat axis 0", gnp::repeat(a, 3, 0));
  g.check("repeat axis -1", gnp::repeat(cube, 2, {.axis = -1}));
  g.check("repeat never", gnp::repeat(a, 0, 1));
  g.refuses<gnp::error>("repeat negative", "repeats may not contain negative values",
                        [&] { gnp::repeat(a, -1); });
  g.check("resize", gnp::resize(a, {3, 5}));
  g.check("resize smaller", gnp::resize(b, {2, 2}));
  g.check("resize empty", gnp::resize(a(slice(0)), {2, 2}));
  g.check("roll", gnp::roll(v, 2));
  g.check("roll back", gnp::roll(v, -7));
  g.check("roll flat", gnp::roll(b.T(), 3));
  g.check("roll axis", gnp::roll(cube, 1, {.axis = 1}));
  g.check("roll axes", gnp::roll(cube, {1, 2}, {0, 2}));
  g.check("roll one for both", gnp::roll(b + 0, 1, {0, 1}));
  g.check("roll twice", gnp::roll(b, {1, 2}, 0));
  std::vector<array<float>> turned;
  for (int k = -1; k < 4; ++k) turned.push_back(gnp::rot90(a, k));
  g.check("rot90", turned);
  g.check("rot90 axes", gnp::rot90(cube, 1, {2, 1}));
  g.check("rollaxis", gnp::rollaxis(cube, 2));
  g.check("rollaxis start", gnp::rollaxis(cube, 0, 3));
  g.refuses<gnp::index_error>("rollaxis error", "'start' arg requires -3 <= start < 4, but 4 was passed in",
                              [&] { gnp::rollaxis(cube, 0, 4); });
}

void checks::check_ranks() {
  g.check("atleast_1d", gnp::atleast_1d(gnp::asarray(3.0F)));
  g.check("atleast_2d", gnp::atleast_2d(v));
  g.check("atleast_3d 0", gnp::atleast_3d(v));
  g.check("atleast_3d 1", gnp::atleast_3d(a));
  g.check("atleast_3d 2", gnp::atleast_3d(cube));
  const auto [row, column] = gnp::broadcast_arrays(v3, b(gnp::all, slice(1)));
  g.check("broadcast_arrays", std::vector{row, column});
  CHECK(gnp::broadcast_shapes({3, 1}, {1, 4}, {4}) == gnp::shape_t{3, 4});
  g.refuses<gnp::shape_error>("broadcast_shapes error",
                              "objects cannot be broadcast to a single shape: (3,) (4,)",
                              [] { gnp::broadcast_shapes({3}, {4}); });
  const auto [x, y] = gnp::meshgrid(v, v2);
  g.check("meshgrid", std::vector{x, y});
  g.check("meshgrid ij", gnp::meshgrid(std::vector{v, v2, v3}, {.indexing = "ij"}));
  const auto [p, q, r] = gnp::meshgrid(v, v2, v3, {.copy = true, .sparse = true});
  g.check("meshgrid sparse", std::vector{p, q, r});
  CHECK_THROWS_WITH(gnp::meshgrid(v, v2, {.indexing = "yx"}),
                    contains("valid values for `indexing` are 'xy' and 'ij'"));
}

void checks::check_padding() {
  const auto d = numbers<double>({4, 5});
  const auto x = numbers<double>(9);
  g.check("pad", gnp::pad(w, 2));
  g.check("pad pair", gnp::pad(a, {1, 2}));
  g.check("pad pairs", gnp::pad(a + 0, {{1, 0}, {0, 2}}, {.constant_values = {{7, 0}, {0, -3}}}));
  g.check("pad empty array", gnp::pad(a(slice(0)), 1));
  g.refuses<gnp::error>("pad negative", "index can't contain negative values", [&] { gnp::pad(a, -1); });
  g.refuses<gnp::error>("pad mode", "mode 'mirror' is not supported",
                        [&] { gnp::pad(a, 1, {.mode = "mirror"}); });
  g.refuses<gnp::shape_error>("pad empty axis", "can't extend empty axis 0",
                              [&] { gnp::pad(a(slice(0)), 1, {.mode = "edge"}); });
  CHECK_THROWS_AS(gnp::pad(a, {{1, 2}, {1, 2}, {1, 2}}), gnp::shape_error);
  CHECK_THROWS_AS(gnp::pad(w, 1, {.constant_values = gnp::complex128(0, 1)}), gnp::dtype_error);
  CHECK(gnp::pad(a, 1, {.mode = "empty"}).shape() == gnp::shape_t{4, 5});
  for (const char* mode :
       {"edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap"}) {
    const std::string name = std::string("pad ") + mode;
    g.check(name + " truth values", gnp::pad(v > 2, {2, 3}, {.mode = mode}));
    g.check(name, gnp::pad(b, {{1, 2}, {2, 1}}, {.mode = mode}), 2);
    g.check(name + " integers", gnp::pad(cube, {{0, 1}, {1, 0}, {2, 2}}, {.mode = mode}));
    g.check(name + " wide", gnp::pad(w, {7, 11}, mode));
  }
  g.check("pad maximum some", gnp::pad(x, 2, "maximum", {.stat_length = 3}));
  g.check("pad mean some", gnp::pad(d, 2, {.mode = "mean", .stat_length = {{1, 2}, {3, 2}}}), 2);
  g.check("pad linear_ramp ends", gnp::pad(d, 3, {.mode = "linear_ramp", .end_values = {{1, 2}, {-5, 4}}}), 2);
  g.check("pad reflect odd", gnp::pad(x, {10, 19}, {.mode = "reflect", .reflect_type = "odd"}));
  g.check("pad symmetric odd", gnp::pad(x, {10, 19}, {.mode = "symmetric", .reflect_type = "odd"}));
  g.check("pad reflect one", gnp::pad(v(slice(1)), 2, {.mode = "reflect"}));
  const auto zeros = gnp::asarray<std::int64_t>({0, 0, 1, 0, 2, 0});
  g.check("trim_zeros", gnp::trim_zeros(zeros));
  g.check("trim_zeros front", gnp::trim_zeros(zeros, "f"));
  g.check("trim_zeros none left", gnp::trim_zeros(gnp::zeros(3)));
  g.check("trim_zeros matrix", gnp::trim_zeros(gnp::pad(a, 2)));
}

void checks::check_triangles() {
  for (const int k : {-2, -1, 0, 1, 3}) {
    const std::string number = " " + std::to_string(k);
    g.check("tri" + number, gnp::tri(3, 4, k));
    g.check("tril" + number, gnp::tril(cube, k));
    g.check("triu" + number, gnp::triu(b, k));
    g.check("diag" + number, gnp::diag(w, k));
    g.check("diag of matrix" + number, gnp::diag(b, k));
  }
  g.check("tril vector", gnp::tril(v));
  g.check("tril bool", gnp::tril(numbers<bool>({3, 3})));
  g.check("tril half", gnp::tril(numbers<gnp::half>({3, 3})));
  g.check("tril complex", gnp::tril(numbers<gnp::complex64>({3, 3})));
  g.check("triu transposed sum", gnp::sum(gnp::triu(b.T(), 1) + v(slice(4)), 0));
  g.check("tril row", (gnp::tril(b) * 2)(slice(1, none), 1));
  CHECK(static_cast<float>(gnp::tril(b)(2, 1)) == static_cast<float>(b(2, 1)));
  CHECK(static_cast<float>(gnp::tril(b)(1, 2)) == 0);
  g.check("diagflat", gnp::diagflat(a, -1));
  g.refuses<gnp::shape_error>("diag cube", "diag: input must be 1- or 2-d", [&] { gnp::diag(cube); });
  g.check("vander", gnp::vander(w));
  g.check("vander increasing", gnp::vander(v, 3, {.increasing = true}));
  g.check("vander short", gnp::vander(v, 1));
  g.check("vander complex", gnp::vander(numbers<gnp::complex128>(3), 4));
}

}  // namespace

TEST_CASE("joining, splitting and making give NumPy's results") {
  for_each_device([](gnp::device) {
    checks all;
    all.check_joining();
    all.check_editing();
    all.check_splitting();
    all.check_repeating();
    all.check_ranks();
    all.check_padding();
    all.check_triangles();
    all.g.check_complete();
  });
}

TEST_CASE("joining: a wrong answer is noticed") {
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> a = numbers<float>({2, 3});
  const auto stacked = gnp::stack(std::tuple(a, a + 2));
  CHECK_FALSE(gnp::array_equal(stacked, gnp::stack(std::tuple(a, a + 1))));
}

// Parts may be empty, and elements of broadcast views are free, so nothing else would stop the list from
// growing.
TEST_CASE("more parts than a list can hold are refused") {
  const gnp::index_t many = gnp::index_t{1} << 40;
  const gnp::array x = gnp::arange(3);
  CHECK_THROWS_WITH(gnp::array_split(x, many), contains("array_split: 1099511627776 parts are more than"));
  CHECK_THROWS_WITH(gnp::split(gnp::zeros(0), many), contains("split: 1099511627776 parts are more than"));
  CHECK_THROWS_WITH(gnp::unstack(gnp::broadcast_to(x(0), {many})),
                    contains("unstack: 1099511627776 parts are more than"));
}
