// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// The kernels of statements with reductions: row programs, loops of a thread, several reductions in one pass.
#include <gnp/exec/statement/run_steps.hpp>
#include <gnp/gnp.hpp>
#include <gnp/graph/row_kernels.hpp>

#include "kernel_text.hpp"
#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::newaxis;
using gnp::none;
using gnp::slice;
using namespace gnp::detail;

constexpr row_hardware with_clusters{.multiprocessors = 132, .most_in_cluster = 16};
constexpr row_hardware without_clusters{.multiprocessors = 132, .most_in_cluster = 1};
constexpr gnp::sum_options rows{.axis = 1, .keepdims = true};

/// A statement's kernel where it is a row program; empty where it is none.
template <class X>
std::string row_text(const X& x, row_hardware hardware = without_clusters) {
  const statement s = statement_of(x);
  const array<typename X::value_type> to(x.shape(), gnp::device::cpu());
  const std::optional<row_job> job = plan_rows(s, text_of<X>, view_of(to), hardware);
  return job ? kernel_source(job->program, job->plan) : std::string();
}

/// The kernel of the part that makes what the rest needs of each row; empty where there is none.
template <class X>
std::string part_text(const X& x, row_hardware hardware = without_clusters) {
  const statement s = statement_of(x);
  step_results results(s);
  const std::optional<row_part> part = row_part_from(s, 0, results);
  if (!part) return "";
  const std::size_t last = part->numbers.back();
  const std::optional<row_job> job =
      plan_part(*part, results.make(last, s.steps[last], gnp::device::cpu()), hardware);
  return job ? kernel_source(job->program, job->plan) : std::string();
}

/// Statements of 64 x 300 elements that a jit function holds.
class held_rows {
 public:
  /// Adds to = x. False if it cannot be held with those before.
  template <class T, class X>
  bool add(const array<T>& to, const X& x) {
    if constexpr (has_reductions_v<X> || is_reduced_v<X>) {
      return rows_.take(statement_of(x), text_of<X>, view_of(to), {});
    } else {
      return with_job_into(to, x, [this](job& j) { return rows_.take(j); });
    }
  }

  /// The texts of their kernels; one text for all kernels without reductions. Empty if they run one by one.
  std::vector<std::string> texts() {
    rows_.forget_unreadable();
    row_kernels kernels(rows_);
    std::vector<std::string> made;
    if (!kernels.plan(with_clusters)) return made;
    for (const auto& kernel : kernels.list())
      made.push_back(kernel->has_reductions() ? kernel->text() : "plain");
    return made;
  }

 private:
  static constexpr index_t shape_[] = {64, 300};
  static constexpr bool reduced_[] = {false, true};
  row_statements rows_{nullptr, gnp::device::cpu(), 2, shape_, reduced_};
};

/// The same where its inner reductions are loops of a thread.
template <class X>
std::string nested_text(const X& x) {
  const statement s = statement_of(x);
  nested_statement n;
  if (!lay_out_nested(n, s)) return "";
  const array<typename X::value_type> to(x.shape(), gnp::device::cpu());
  const statement_step& last = s.steps.back();
  expression_code code = text_of<X>;
  code.constants = static_cast<int>(n.numbers.size());
  std::vector<job_operand> operands(n.inputs.size() + 2);
  const auto mark = [&] {
    for (std::size_t i = 0; i < n.inputs.size(); ++i) operands[i + 1].in_loop = n.in_loop[i];
  };
  if (n.of_elements) {
    job j;
    j.code = &code;
    j.operands = operands.data();
    j.constants = bytes_of(n.numbers);
    lay_out(j, view_of(to), n.inputs.data());
    mark();
    collapse(j);
    kernel_plan plan = make_plan(j, n.loops);
    note_equal_numbers(j, n.loops, plan);
    return kernel_source(code, plan);
  }
  code.result = last.values->result;
  code.source = text_of<X>.source->operands[0];
  reduction_code of_elements = *last.reducer;
  of_elements.values = &code;
  reduction r;
  r.code = &of_elements;
  r.loops = n.loops;
  r.values.code = &code;
  r.values.operands = operands.data();
  r.values.constants = bytes_of(n.numbers);
  r.outputs = to.size();
  r.length = reduced_length(last.shape, last.options.axes);
  lay_out(r, last.shape, last.options.axes, view_of(to), n.inputs.data());
  mark();
  std::optional<reduced_along> along;
  if (r.outputs >= enough_results) along = reduced_along::columns;
  r.along = collapse(r.values, r.operand_count(), last.options.axes.chosen, r.kept, along);
  kernel_plan plan = plan_loads(r);
  plan.items = 2;
  plan.group = 32;
  if (r.along == reduced_along::columns) plan_lines(r, plan);
  return kernel_source(of_elements, plan);
}

template <class T>
void add_rows(std::vector<kernel>& kernels, index_t height, index_t width, bool everything) {
  const std::string name =
      std::string(gnp::name(gnp::dtype_of<T>)) + " " + std::to_string(height) + " x " + std::to_string(width);
  const array<T> x = gnp::zeros<T>({height, width});
  const array<T> g = gnp::zeros<T>({width});
  const auto add = [&](const char* what, const std::string& text) {
    INFO(name << " " << what);
    REQUIRE(!text.empty());
    kernels.push_back({name + " " + what, text});
  };
  add("sum beside", row_text(x * g + sum(x, rows)));
  if (!everything) return;
  add("argmax of the rest", row_text(argmax(x - min(x, rows), 1)));
  add("any", row_text(where(any(x > T(1), {.axis = 1, .keepdims = true}), x, g)));
  add("prod and ptp", row_text(prod(x, 1) + ptp(x, 1)));
  if constexpr (is_inexact_v<T>) {
    const auto e = exp(x - max(x, rows));
    add("softmax", row_text(e / sum(e, rows)));
    add("standardise", row_text((x - mean(x, 1, {.keepdims = true})) / gnp::std(x, 1, {.keepdims = true}) * g));
    add("logsumexp", row_text(log(sum(e, 1)) + max(x, 1)));
    add("nan forms",
        row_text(x - nanmean(x, 1, {.keepdims = true}) + nanmax(x, rows) + nanvar(x, 1, {.keepdims = true})));
  }
}

}  // namespace

TEST_CASE("row programs compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  add_rows<float>(kernels, 16384, 8192, true);
  add_rows<float>(kernels, 1000000, 7, true);
  add_rows<float>(kernels, 100, 1025, true);
  add_rows<gnp::half>(kernels, 1000, 4096, true);
  add_rows<gnp::half>(kernels, 100, 4097, false);
  add_rows<double>(kernels, 100, 100, true);
  add_rows<gnp::complex64>(kernels, 100, 100, false);
  add_rows<gnp::complex128>(kernels, 10, 3, false);
  add_rows<gnp::bfloat16>(kernels, 100, 1000, false);
  add_rows<std::int8_t>(kernels, 100, 1001, false);
  add_rows<std::int32_t>(kernels, 100, 1000, true);
  add_rows<std::uint64_t>(kernels, 100, 33, false);
  const array<float> cube = gnp::zeros<float>({6, 5, 4, 3});
  kernels.push_back({"two axes of four", row_text(cube - mean(cube, {1, 3}, {.keepdims = true}))});
  const array<index_t> at = gnp::zeros<index_t>({64});
  const array<float> x = gnp::zeros<float>({100, 200});
  kernels.push_back({"a gather", row_text(x(all, at) - max(x(all, at), rows))});
  kernels.push_back({"positions", row_text(max(x, rows) + gnp::arange(200).astype<float>())});
  for (const kernel& k : kernels) CHECK(!k.program.source.empty());
  check_all(kernels, {75, 90, 120});
}

/// Softmax along an axis, and its like.
template <class T>
void add_long(std::vector<kernel>& kernels, const gnp::shape_t& shape, int axis, row_hardware hardware) {
  const std::string name = std::string(gnp::name(gnp::dtype_of<T>)) + " " + std::to_string(shape[0]) + " x " +
                           std::to_string(shape[1]) + " along " + std::to_string(axis);
  const auto add = [&](const char* what, const std::string& text) {
    INFO(name << " " << what);
    REQUIRE(!text.empty());
    kernels.push_back({name + " " + what, text});
  };
  const gnp::sum_options along{.axis = axis, .keepdims = true};
  const array<T> x = gnp::zeros<T>(shape);
  const array<T> g = gnp::zeros<T>({shape[0], 1});
  const array<T> b = gnp::zeros<T>({shape[1]});
  const auto e = exp(x - max(x, along));
  add("softmax", row_text(e / sum(e, along), hardware));
  const auto centred = x - mean(x, axis, {.keepdims = true});
  add("norm", row_text(centred / sqrt(mean(centred * centred, axis, {.keepdims = true})) * g + b, hardware));
  add("logsumexp", row_text(log(sum(e, along)) + max(x, along), hardware));
  add("argmax of the rest", row_text(argmax(x - min(x, along), axis), hardware));
}

TEST_CASE("row programs of columns, of several blocks and of short rows compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  add_long<float>(kernels, {2000, 8192}, 0, without_clusters);
  add_long<gnp::half>(kernels, {999, 400}, 0, without_clusters);
  add_long<float>(kernels, {200000, 10}, 1, without_clusters);
  add_long<gnp::half>(kernels, {140000, 33}, 1, without_clusters);
  add_long<gnp::half>(kernels, {700000, 2}, 1, without_clusters);
  CHECK(has(kernels.back(), "rows_each = 4"));
  add_long<float>(kernels, {10, 4096}, 0, without_clusters);
  CHECK(has(kernels.back(), "group = 1;"));
  add_long<double>(kernels, {32, 101}, 0, without_clusters);
  CHECK(has(kernels.back(), "group = 1;"));
  check_all(kernels, {75, 90, 120});
  kernels.clear();
  const array<float> tall = gnp::zeros<float>({16384, 4096});
  const auto e = exp(tall - max(tall, 0));
  kernels.push_back({"softmax of columns of sixteen blocks", row_text(e / sum(e, 0), with_clusters)});
  CHECK(has(kernels.back(), "cluster = 16;"));
  add_long<float>(kernels, {8192, 4096}, 0, with_clusters);
  add_long<double>(kernels, {7001, 512}, 0, with_clusters);
  add_long<float>(kernels, {1000, 65536}, 1, with_clusters);
  add_long<gnp::half>(kernels, {1000, 50001}, 1, with_clusters);
  check_all(kernels, {90, 100, 120});
}

TEST_CASE("row programs that are a part of a statement compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  const auto add = [&]<class T>(const array<T>& x, int axis, row_hardware hardware) {
    const gnp::sum_options along{.axis = axis, .keepdims = true};
    const std::string name = std::string(gnp::name(gnp::dtype_of<T>)) + " along " + std::to_string(axis);
    const auto m = max(x, along);
    const std::string loss = part_text(mean(m + log(sum(exp(x - m), along))), hardware);
    INFO(name);
    CHECK(loss.find("results.of_step[0]") != std::string::npos);
    kernels.push_back({name + " loss", loss});
    // Nobody else reads the mean.
    const std::string spread =
        part_text(max(sum(square(x - mean(x, axis, {.keepdims = true})), along)), hardware);
    CHECK(!spread.empty());
    CHECK(spread.find("results.of_step") == std::string::npos);
    kernels.push_back({name + " spread", spread});
  };
  add(gnp::zeros<float>({1000, 1000}), 1, without_clusters);
  add(gnp::zeros<float>({200000, 10}), 1, without_clusters);
  add(gnp::zeros<gnp::half>({1000, 1001}), 1, without_clusters);
  add(gnp::zeros<double>({999, 500}), 0, without_clusters);
  check_all(kernels, {75, 90, 120});
  kernels.clear();
  add(gnp::zeros<float>({8192, 4096}), 0, with_clusters);
  add(gnp::zeros<float>({100, 65536}), 1, with_clusters);
  check_all(kernels, {90, 120});
  // There is none where reductions are beside each other, of other elements, or of rows that are too long.
  const array<float> x = gnp::zeros<float>({50, 60});
  CHECK(part_text(mean(max(x, 1) - min(x, 1))).empty());
  CHECK(part_text(max(x - sum(x, 0))).empty());
  const array<float> y = gnp::zeros<float>({3, 1000000});
  CHECK(part_text(mean(sum(exp(y - max(y, rows)), 1))).empty());
}

/// The kernel of a statement's reductions where their shapes differ slightly; empty where they share none.
template <class X>
std::string overhanging_text(const X& x) {
  const statement s = statement_of(x);
  step_results results(s);
  const joint_group group = joint_steps(s, 0, results);
  if (!group.overhangs()) return "";
  joint_reduction joint(s, group.steps, text_of<X>, results, {});
  reduction& r = joint.job();
  r.outputs = element_count(s.steps[0].result, "");
  r.length = reduced_length(group.common, s.steps[0].options.axes);
  joint.lay_out_overhangs(s, group, results.make(0, s.steps[0], gnp::device::cpu()));
  kernel_plan plan = plan_loads(r);
  plan.items = 4;
  plan.group = r.outputs == 1 ? 256 : 32;
  return kernel_source(*r.code, plan);
}

TEST_CASE("reductions of slightly different shapes compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  const auto add = [&]<class T>(const array<T>& x, const char* name) {
    INFO(name);
    const auto steps = [&x](int axis) { return gnp::diff(x, {.axis = axis}); };
    kernels.push_back({std::string(name) + " of all", overhanging_text(sum(steps(0)) + max(steps(1)))});
    kernels.push_back({std::string(name) + " of rows", overhanging_text(min(steps(1), 1) + sum(x, 1))});
    CHECK(has(kernels.back(), "overhang_place(o, 1"));
    CHECK(has(kernels[kernels.size() - 2], "overhang_place(o, 0"));
  };
  add(gnp::zeros<float>({301, 400}), "float");
  add(gnp::zeros<double>({64, 63}), "double");
  add(gnp::zeros<std::int8_t>({64, 99}), "int8");
  add(gnp::zeros<gnp::half>({100, 1024}), "half");
  const array<float> cube = gnp::zeros<float>({40, 50, 60});
  const array<float> weights = gnp::zeros<float>({60});
  kernels.push_back({"deviations", overhanging_text(gnp::std(gnp::diff(cube, {.axis = 0}) * weights) +
                                                    mean(cube) + sum(cube(all, slice(2, none)) / 3.0F))});
  for (const kernel& k : kernels) CHECK(!k.program.source.empty());
  check_all(kernels, {75, 90, 120});
  // There is none where shapes have little in common, or where arrays lie across each other.
  const array<float> x = gnp::zeros<float>({50, 60});
  CHECK(overhanging_text(sum(x) + sum(x(slice(0, 10)))).empty());
  CHECK(overhanging_text(sum(x) + sum(x.T()(slice(1, none)))).empty());
  CHECK(overhanging_text(sum(x, 0) + sum(gnp::diff(x, {.axis = 0}), 0)).empty());
}

TEST_CASE("equal parts with equal numbers are written once") {
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> x = gnp::zeros<float>({1000, 1000});
  const auto count = [](const std::string& text, const std::string& part) {
    index_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  const auto softmax_of = [&](float a, float b) {
    const auto z = [&](float least) { return where(x > 0.0F, x, least); };
    const auto e = exp(z(b) - max(z(a), rows));
    return row_text(e / sum(e, rows));
  };
  CHECK(count(softmax_of(-1, -1), "where_") == 2);  // its definition, and one use
  CHECK(count(softmax_of(-1, -2), "where_") == 3);
  // After more numbers, too.
  const auto long_softmax_of = [&](float a, float b) {
    const auto z = [&](float least) {
      const auto y = ((x * 2.0F + 3.0F) * 4.0F + 5.0F) * 6.0F;
      return where(y > 7.0F, y, least);
    };
    return row_text(exp(z(b) - max(z(a), rows)) / sum(x, rows));
  };
  CHECK(count(long_softmax_of(-1, -1), "where_") == 2);
  CHECK(count(long_softmax_of(-1, -2), "where_") == 3);
}

TEST_CASE("which statements are row programs") {
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> x = gnp::zeros<float>({50, 50});
  CHECK(!row_text(x / sum(x, rows)).empty());
  CHECK(row_text(x / sum(x, 1)).empty());  // it lines up with the columns
  CHECK(row_text(x / sum(x, rows) - max(x, 0)).empty());
  CHECK(!row_text(x - sum(x, {.axis = 0, .keepdims = true})).empty());
  CHECK(!row_text((x - mean(x, 0)) / gnp::std(x, 0)).empty());
  CHECK(row_text(gnp::sqrt(sum(x, 0) * max(x, 0))).empty());  // one pass for all of them
  const array<double> long_columns = gnp::zeros<double>({2000, 50});
  constexpr row_hardware with_small_clusters{.multiprocessors = 132, .most_in_cluster = 8};
  CHECK(!row_text(long_columns - mean(long_columns, 0), with_clusters).empty());
  CHECK(row_text(long_columns - mean(long_columns, 0), with_small_clusters).empty());  // as fast in two
  const array<double> longer_columns = gnp::zeros<double>({20000, 50});
  CHECK(row_text(longer_columns - mean(longer_columns, 0), with_clusters).empty());  // as fast in two
  CHECK(!row_text(exp(x - max(x, 0)) / sum(exp(x - max(x, 0)), 0)).empty());
  CHECK(row_text(x - sum(x, rows) + sum(x(all, gnp::slice(0, 20)), rows)).empty());
  const array<float> wide = gnp::zeros<float>({2, 100000});
  CHECK(row_text(wide - max(wide, rows)).empty());
  CHECK(!row_text(wide - max(wide, rows), with_clusters).empty());
  const array<float> wider = gnp::zeros<float>({1, 1000000});
  CHECK(row_text(wider - max(wider, rows), with_clusters).empty());
  const array<float> tall = gnp::zeros<float>({16384, 64});
  const auto e = exp(tall - max(tall, 0));
  CHECK(!row_text(e / sum(e, 0), with_clusters).empty());
  CHECK(row_text(e / sum(e, 0), without_clusters).empty());
  CHECK(!row_text(x - x.mean()).empty());  // one row, short enough
  CHECK(row_text(x - sum(x, {.axis = 1, .keepdims = true, .initial = 1})).empty());
  const statement s = statement_of(x / sum(x, rows));
  const array<float> overlapping = x(gnp::slice(gnp::none, gnp::none, -1));
  using X = decltype(x / sum(x, rows));
  CHECK(!plan_rows(s, text_of<X>, view_of(overlapping), with_clusters));
}

TEST_CASE("statements of rows that a jit function holds compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  const array<float> x = gnp::zeros<float>({64, 300}), y = gnp::zeros<float>({64, 300});
  const array<float> scale = gnp::zeros<float>(300);
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  std::vector<kernel> kernels;
  {
    held_rows softmax;
    {
      const array<float> m = gnp::empty<float>({64, 1}), e = gnp::empty<float>({64, 300}),
                         s = gnp::empty<float>(64);
      CHECK(softmax.add(m, max(x, rows)));
      CHECK(softmax.add(e, exp(x - m)));
      CHECK(softmax.add(s, sum(e, 1)));
      CHECK(softmax.add(y, e / s(all, newaxis)));
    }
    const std::vector<std::string> texts = softmax.texts();
    REQUIRE(texts.size() == 1);
    CHECK(count(texts[0], "struct step_") == 2);
    CHECK(count(texts[0], "constexpr int slots = 2;") == 1);  // x and y
    // The same as one statement.
    const auto all_at_once = exp(x - max(x, rows));
    CHECK(texts[0] == row_text(all_at_once / sum(all_at_once, rows), with_clusters));
    kernels.push_back({"softmax", texts[0]});
  }
  {
    // What is still there is stored, each in a kernel that reads what is stored already.
    held_rows norm;
    const array<float> normal = gnp::empty<float>({64, 300});
    {
      const array<float> m = gnp::empty<float>({64, 1}), v = gnp::empty<float>({64, 1}),
                         r = gnp::empty<float>({64, 1});
      CHECK(norm.add(m, mean(x, 1, {.keepdims = true})));
      CHECK(norm.add(v, mean(square(x - m), 1, {.keepdims = true})));
      CHECK(norm.add(r, 1.0F / sqrt(v + 1e-5F)));
      CHECK(norm.add(normal, (x - m) * r));
      CHECK(norm.add(y, normal * scale));
    }
    const std::vector<std::string> texts = norm.texts();
    REQUIRE(texts.size() == 2);
    CHECK(texts[1] == "plain");
    kernels.push_back({"normal rows", texts[0]});
  }
  {
    // Results for each row are stored beside the elements, and what is made of them needs no elements again.
    held_rows norm;
    const array<float> m = gnp::empty<float>({64, 1}), r = gnp::empty<float>({64, 1});
    const array<index_t> at = gnp::empty<index_t>(64);
    {
      const array<float> v = gnp::empty<float>(64), c = gnp::empty<float>({64, 300});
      CHECK(norm.add(m, mean(x, 1, {.keepdims = true})));
      CHECK(norm.add(c, x - m));
      CHECK(norm.add(at, argmax(abs(c), 1)));
      CHECK(norm.add(v, mean(square(c), 1)));
      CHECK(norm.add(r, 1.0F / sqrt(v(all, newaxis) + 1e-5F)));
      CHECK(norm.add(y, c * r + at(all, newaxis).astype<float>()));
    }
    const std::vector<std::string> texts = norm.texts();
    REQUIRE(texts.size() == 2);
    CHECK(texts[1] == "plain");
    CHECK(count(texts[0], "results.of_step[") == 3);  // m, v and at
    kernels.push_back({"normal rows with their means", texts[0]});
  }
  {
    // Likewise where the reduction has no statement of its own.
    held_rows norm;
    const array<float> m = gnp::empty<float>({64, 1}), r = gnp::empty<float>({64, 1});
    {
      const array<float> c = gnp::empty<float>({64, 300});
      CHECK(norm.add(m, mean(x, 1, {.keepdims = true})));
      CHECK(norm.add(c, x - m));
      CHECK(norm.add(r, 1.0F / sqrt(mean(gnp::square(c), 1, {.keepdims = true}) + 1e-5F)));
      CHECK(norm.add(y, c * r));
    }
    const std::vector<std::string> texts = norm.texts();
    REQUIRE(texts.size() == 2);
    CHECK(texts[1] == "plain");
    CHECK(count(texts[0], "results.of_step[") == 2);  // m and the mean of squares
    kernels.push_back({"normal rows with their factors", texts[0]});
    // By themselves they are one kernel, which stores nothing else.
    held_rows factors;
    const auto c = x - mean(x, 1, {.keepdims = true});
    CHECK(factors.add(r, 1.0F / sqrt(mean(gnp::square(c), 1, {.keepdims = true}) + 1e-5F)));
    const std::vector<std::string> alone = factors.texts();
    REQUIRE(alone.size() == 1);
    CHECK(count(alone[0], "results.of_step[") == 0);
    kernels.push_back({"factors of rows", alone[0]});
  }
  {
    // One element for each row, of an integer sum and a position.
    held_rows rest;
    const array<std::int32_t> whole = gnp::zeros<std::int32_t>({64, 300});
    const array<double> result = gnp::empty<double>(64);
    {
      const array<std::int64_t> s = gnp::empty<std::int64_t>(64), at = gnp::empty<std::int64_t>({64, 1});
      CHECK(rest.add(s, sum(whole, 1)));
      CHECK(rest.add(at, argmax(whole - s(all, newaxis), {.axis = 1, .keepdims = true})));
      CHECK(rest.add(result, s / (1.0 + at(all, 0))));
    }
    const std::vector<std::string> texts = rest.texts();
    REQUIRE(texts.size() == 1);
    kernels.push_back({"a number for each row", texts[0]});
  }
  {
    // Three results of one sum: to add up the rows three times costs more than to store the sums.
    held_rows several;
    const array<float> a = gnp::empty<float>({64, 300}), b = gnp::empty<float>({64, 300});
    {
      const array<float> s = gnp::empty<float>({64, 1});
      CHECK(several.add(s, sum(x, rows)));
      CHECK(several.add(a, scale - s));
      CHECK(several.add(b, scale + s));
      CHECK(several.add(y, scale * s));
    }
    CHECK(several.texts().empty());
  }
  {
    // What takes long to compute is not computed again for each result.
    held_rows dear;
    const array<float> lowest = gnp::empty<float>(64), highest = gnp::empty<float>(64);
    {
      const array<float> e = gnp::empty<float>({64, 300});
      CHECK(dear.add(e, sin(cos(tan(exp(x - max(x, rows)))))));
      CHECK(dear.add(lowest, min(e, 1)));
      CHECK(dear.add(highest, max(e, 1)));
    }
    CHECK(dear.texts().empty());
  }
  {
    held_rows shapes;
    CHECK(!shapes.add(gnp::empty<float>(300), scale * 2.0F));
    CHECK(shapes.add(y, x - sum(x, rows)));
    CHECK(!shapes.add(gnp::empty<float>(300), sum(x, 0)));
    CHECK(
        !shapes.add(gnp::empty<float>({64, 300}), y(all, gnp::slice(none, none, -1)) + 1.0F));  // half written
    CHECK(shapes.add(gnp::empty<float>({64, 300}), y + 1.0F));
  }
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("loops of a thread compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device guard(gnp::device::cpu());
  std::vector<kernel> kernels;
  const auto add = [&kernels](const char* name, const std::string& text) {
    INFO(name);
    REQUIRE(!text.empty());
    kernels.push_back({name, text});
  };
  const array<float> x = gnp::zeros<float>({10000, 16});
  const array<float> c = gnp::zeros<float>({64, 16});
  const auto distances = sum(square(x(all, newaxis) - c(newaxis)), 2);
  add("distances", nested_text(sqrt(distances)));
  add("the nearest", nested_text(argmin(distances, 1)));
  add("the nearest of few",
      nested_text(argmin(sum(square(x(all, newaxis) - c(newaxis, gnp::slice(0, 5))), 2), 1)));
  // Sums of 64 rows are not made again for each of 10000 others; of 3 elements they are, for these.
  CHECK(nested_text(argmin(sum(square(c), 1) - gnp::zeros<float>({10000, 64}), 1)).empty());
  add("three of each", nested_text(sum(exp(sum(gnp::zeros<float>({10000, 3, 5}), 2, {.keepdims = true}) *
                                           gnp::zeros<float>({10000, 3, 3})),
                                       2)));
  add("short rows", nested_text(mean(x * 2.0F + 1.0F, 1)));
  add("places in short rows", nested_text(argmax(x, 1)));
  // The outer of two loops reads whole vectors before the inner one is written.
  const array<float> w = gnp::zeros<float>({16, 4});
  add("a loop within a loop", nested_text(sum(x * sum(x(all, all, newaxis) * w(newaxis), 2), 1)));
  add("a variance", nested_text(gnp::std(x, 1, {.ddof = 1})));
  const array<double> p = gnp::zeros<double>({9000, 3});
  const auto d = p(newaxis) - p(all, newaxis);
  const auto r2 = sum(d * d, 2, {.keepdims = true}) + 0.5;
  add("forces", nested_text(sum(d / (r2 * sqrt(r2)), 1)));
  // Nine places of one loop; and two loops, each at two places, one of which is within the other.
  const auto loops_in = [&](const std::string& text) {
    std::size_t count = 0;
    while (text.find("inline double loop_" + std::to_string(count)) != std::string::npos) ++count;
    return count;
  };
  const auto apart = sum(d * d, 2) + 0.5;
  const auto cube = 1.0 / (apart * apart * apart);
  add("energies", nested_text(sum(4.0 * (cube * cube - cube), 1)));
  CHECK(loops_in(kernels.back().program.source) == 1);
  // Their numbers are read once: 4 and 0.5. The 1 is in the text, where its quotient takes half the
  // instructions.
  const auto numbers_in = [](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(" = constant<"); at != std::string::npos;
         at = text.find(" = constant<", at + 1))
      ++count;
    return count;
  };
  CHECK(numbers_in(kernels.back().program.source) == 2);
  const auto scaled = [&](double by) { return by / apart; };
  add("two scales", nested_text(sum(scaled(1) * scaled(2) - scaled(1), 1)));
  CHECK(numbers_in(kernels.back().program.source) == 2);
  const auto mixed = sum(p(all, newaxis) * gnp::zeros<double>({3, 3}), 2);
  const auto outer = sum(mixed * mixed - mixed, 1);
  add("loops within loops, again", nested_text(outer * outer + outer));
  CHECK(loops_in(kernels.back().program.source) == 2);
  const array<gnp::half> h = gnp::zeros<gnp::half>({9000, 5});
  add("halves", nested_text(sum(h, 1)));
  const array<gnp::complex64> z = gnp::zeros<gnp::complex64>({9000, 4});
  add("complex numbers", nested_text(sum(z, 1)));
  add("bytes", nested_text(sum(gnp::zeros<std::int8_t>({9000, 4}), 1)));
  // Windows that slide over an array: along one axis and two, all elements at once and some at a time.
  const array<float> line = gnp::zeros<float>({9100});
  const array<float> picture = gnp::zeros<float>({110, 122});
  add("windows", nested_text(sum(gnp::sliding_window_view(line, 9), 1)));
  add("long windows", nested_text(argmax(gnp::sliding_window_view(line, 70), 1)));
  add("square windows", nested_text(gnp::std(gnp::sliding_window_view(picture, {3, 5}), {2, 3})));
  const auto large = gnp::sliding_window_view(picture, {11, 12});
  add("large square windows", nested_text(sum(large * gnp::zeros<float>({11, 12}), {2, 3})));
  CHECK(nested_text(sum(gnp::sliding_window_view(line, 256), 1)).empty());
  // Pairs of points of other types, eight or four of which are loaded at once.
  const auto add_pairs = [&]<class T>(const char* name, index_t coordinates, T) {
    const array<T> points = gnp::zeros<T>({9000, coordinates});
    add(name, nested_text(sum(square(sum(square(points(newaxis) - points(all, newaxis)), 2)), 1)));
    INFO(name);
    CHECK(kernels.back().program.source.find("      load_line<") != std::string::npos);
  };
  add_pairs("pairs of halves", 2, gnp::half());
  add_pairs("pairs of complex numbers", 3, gnp::complex64());
  add_pairs("pairs of bytes", 2, std::uint8_t());
  check_all(kernels, {75, 90, 120});
}

#else

TEST_CASE("kernel texts of statements") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
