// SPDX-License-Identifier: MIT
// The checks refuse what is wrong, crossings are where they are, charts are well-formed whatever is in them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "../../../examples/support/chart.hpp"
#include "../../../tests/catch.hpp"
#include "../check.hpp"
#include "../crossing.hpp"
#include "formats.hpp"

namespace {

using bench::answer;
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<double> draws(bool normal, std::size_t count) {
  std::mt19937_64 generator(7);
  std::vector<double> values(count);
  for (double& value : values) {
    value = normal ? std::normal_distribution<double>()(generator)
                   : std::uniform_real_distribution<double>()(generator);
  }
  return values;
}

}  // namespace

TEST_CASE("comparison with Eigen refuses what is wrong") {
  const answer want{{1, 2, 4}, {100}};
  CHECK(bench::compare(want, want, 0).right());
  CHECK(bench::compare({{1, 2, 4.0001}, {100}}, want, 1e-4).right());
  CHECK_FALSE(bench::compare({{1, 2, 4.01}, {100}}, want, 1e-4).right());
  CHECK_FALSE(bench::compare({{1, not_a_number, 4}, {100}}, want, 1).right());
  CHECK_FALSE(bench::compare({{1, 2, std::numeric_limits<double>::infinity()}, {100}}, want, 1).right());
  CHECK_FALSE(bench::compare({{1, 2}, {100}}, want, 1).right());
  CHECK_FALSE(bench::compare({{1, 2, 4}}, want, 1).right());
  CHECK_FALSE(bench::compare({}, want, 1).right());
  // The small output has its own scale; the message says where the worst is.
  const bench::verdict v = bench::compare({{1, 2.5, 4}, {100}}, want, 1e-3);
  CHECK_FALSE(v.right());
  CHECK(v.worst == Approx(0.125));
  CHECK(v.what.find("element 1 of output 0") != std::string::npos);
}

TEST_CASE("factors are refused unless they multiply to the matrix, are orthogonal and Eigen's") {
  const double c = std::cos(0.3), s = std::sin(0.3);
  const answer right{{c, -s, s, c}, {3, 2}, {1, 0, 0, 1}};
  const std::vector<double> a{3 * c, -2 * s, 3 * s, 2 * c};
  const auto judge = [&](const answer& got) { return bench::singular_values(a, got, right, 1e-12).right(); };
  CHECK(judge(right));
  CHECK(judge({{-c, -s, -s, c}, {3, 2}, {-1, 0, 0, 1}}));  // signs are free
  CHECK_FALSE(judge({{c, -s, s, c}, {3, 2.001}, {1, 0, 0, 1}}));
  CHECK_FALSE(judge({{c, -s, s, -c}, {3, 2}, {1, 0, 0, 1}}));
  CHECK_FALSE(judge({{2 * c, -s, 2 * s, c}, {1.5, 2}, {1, 0, 0, 1}}));  // the product is right
  CHECK_FALSE(judge({{c, -s, s, not_a_number}, {3, 2}, {1, 0, 0, 1}}));
  CHECK_FALSE(judge({{c, -s, s, c}, {3, 2}}));

  const answer pairs{
      {1, 3},
      {std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2}};
  const std::vector<double> symmetric{2, 1, 1, 2};
  CHECK(bench::eigenvalues(symmetric, pairs, pairs, 1e-12).right());
  CHECK_FALSE(bench::eigenvalues(symmetric, {{3, 1}, pairs[1]}, pairs, 1e-12).right());
  CHECK_FALSE(bench::eigenvalues(symmetric, {{1, 3}, {0, 0, 0, 0}}, pairs, 1e-12).right());
}

TEST_CASE("draws are refused unless they have the distribution") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{1000}, std::size_t{100000}}) {
    CAPTURE(count);
    CHECK(bench::uniform_on_0_1(draws(false, count)).right());
    CHECK(bench::standard_normal(draws(true, count)).right());
  }
  std::vector<double> values = draws(false, 100000);
  CHECK_FALSE(bench::standard_normal(values).right());
  for (double& value : values) value = 0.5 + 0.98 * (value - 0.5);
  CHECK_FALSE(bench::uniform_on_0_1(values).right());
  CHECK_FALSE(bench::uniform_on_0_1(std::vector<double>(1000, 0.5)).right());
  CHECK_FALSE(bench::uniform_on_0_1({0.1, 0.5, 1.5}).right());
  CHECK_FALSE(bench::uniform_on_0_1({0.1, not_a_number, 0.5}).right());

  std::vector<double> normal = draws(true, 100000);
  normal[5] = not_a_number;
  CHECK_FALSE(bench::standard_normal(normal).right());
  normal = draws(true, 100000);
  std::sort(normal.begin(), normal.end());  // the right values, but each beside its like
  CHECK_FALSE(bench::standard_normal(normal).right());
}

TEST_CASE("the first win is where the curves cross for good") {
  const std::vector<double> sizes{1, 10, 100, 1000};
  CHECK(*bench::first_win(sizes, {1, 10, 100, 1000}, {10, 10, 10, 10}) == Approx(10));
  CHECK(*bench::first_win(sizes, {1, 10, 100, 1000}, {100, 100, 100, 100}) == Approx(100));
  CHECK(*bench::first_win(sizes, {2, 20, 200, 2000}, {20, 20, 20, 20}) == Approx(10));
  CHECK(*bench::first_win(sizes, {1, 1, 10, 10}, {2, 2, 1, 1}) ==
        Approx(10 * std::pow(10, std::log(2) / std::log(20))));
  CHECK(*bench::first_win(sizes, {9, 9, 9, 9}, {1, 1, 1, 1}) == Approx(1));
  CHECK_FALSE(bench::first_win(sizes, {1, 9, 9, 1}, {2, 1, 1, 2}));
  CHECK(*bench::first_win(sizes, {9, 1, not_a_number, 9}, {1, 9, 1, 1}) == Approx(100));
  CHECK_FALSE(bench::first_win(sizes, {not_a_number, not_a_number, not_a_number, not_a_number}, {1, 1, 1, 1}));
}

TEST_CASE("charts are well-formed, whatever is in them") {
  using namespace chart;
  const std::string hostile = "a < b & \"c\" > d\x01\n";
  CHECK_THROWS(formats::check_xml("<svg><g></svg>"));
  CHECK_THROWS(formats::check_xml("<svg>a & b</svg>"));
  for (const chart::scale scale : {scale::linear, scale::logarithmic}) {
    line_chart lines{.title = hostile, .subtitle = hostile, .x = {hostile, scale}, .y = {hostile, scale}};
    CHECK_NOTHROW(formats::check_xml(to_svg(draw(lines))));
    lines.lines = {{hostile, {1, 2, 3}, {not_a_number, 0, -5}},
                   {"one", {3}, {0}},
                   {"", {}, {}},
                   {"far", {1e-300, 1e300}, {1, 1}}};
    lines.marks = {{2, hostile}, {not_a_number, ""}, {1e9, "outside"}};
    const std::string svg = to_svg(draw(lines));
    CHECK_NOTHROW(formats::check_xml(svg));
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);

    bar_chart bars{.title = hostile, .values = {hostile, scale}, .series = {"a", ""}, .base = 1};
    CHECK_NOTHROW(formats::check_xml(to_svg(draw(bars))));
    bars.groups = {{hostile, {2, not_a_number}}, {"b", {0, 5}}, {"c", {}}};
    const std::string bars_svg = to_svg(stack({draw(bars), draw(lines)}));
    CHECK_NOTHROW(formats::check_xml(bars_svg));
    CHECK(bars_svg.find("nan") == std::string::npos);
  }
}

TEST_CASE("the labels of a chart's marks are above the curves, its ticks where it was measured") {
  using namespace chart;
  CHECK(escape("one\ntwo") == "one two");
  line_chart c{.title = "t", .x = {.scale = scale::logarithmic, .tick_values = {64, 256, 700, 701}}};
  c.lines = {{"a", {64, 256, 700, 701}, {1, 2, 3, 3}}};
  // Where a label is, by the y of its text element; -1: there is none.
  const auto height_of = [](const std::string& svg, const std::string& label) {
    const std::size_t end = svg.find('>' + label + "</text>");
    if (end == std::string::npos) return -1.0;
    const std::size_t y = svg.find(" y=\"", svg.rfind("<text", end));
    return std::stod(svg.substr(y + 4));
  };
  std::string svg = draw(c).elements;
  CHECK(height_of(svg, "64") > 0);
  CHECK(height_of(svg, "256") > 0);
  CHECK(height_of(svg, "700") > 0);
  CHECK(height_of(svg, "701") == -1);  // would lie on the one before
  CHECK(height_of(svg, "100") == -1);
  for (const double second : {100.0, 690.0}) {
    c.marks = {{second, "the second mark"}, {90, "the first mark"}};
    svg = draw(c).elements;
    const double first_y = height_of(svg, "the first mark"), second_y = height_of(svg, "the second mark");
    // The highest point of the curve: paths are M x y L x y …
    const std::size_t path = svg.find("<path d=\"M");
    double x = 0, y = 0, top = 1e9;
    const char* at = svg.c_str() + path + 10;
    for (int used = 0; std::sscanf(at, "%lf %lf%n", &x, &y, &used) == 2; at += used + 1) top = std::min(top, y);
    CHECK(std::max(first_y, second_y) < top);
    // To the right of their lines the left one is higher, to the left of them the right one.
    CHECK((first_y < second_y) == (second == 100));
  }
}

TEST_CASE("ticks are round numbers with short labels") {
  using namespace chart;
  CHECK(axis_map({}, {0, 10}, 0, 100, 6).ticks() == std::vector<double>{0, 2, 4, 6, 8, 10});
  const axis_map decades({.scale = scale::logarithmic}, {1, 1e6}, 0, 700, 8);
  CHECK(decades.ticks().size() == 7);
  CHECK(decades.pixel(1e3) == Approx(350));
  CHECK(number_label(0) == "0");
  CHECK(number_label(0.25) == "0.25");
  CHECK(number_label(2e-6) == "2×10⁻⁶");
  CHECK(number_label(1e7) == "10⁷");
  CHECK(quantity_label(2e-5, "s") == "20 µs");
  CHECK(quantity_label(10000000, "") == "10M");
}
