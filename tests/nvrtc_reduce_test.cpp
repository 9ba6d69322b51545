// SPDX-License-Identifier: MIT
// test: no-asan, timeout=1800
// Every reducer for every element type, and every way a reduction's kernel shares out its work.
#include <functional>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/scan/gpu_scan.hpp>
#include <gnp/gnp.hpp>

#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::array;
using gnp::detail::kernel_plan;
using gnp::detail::kernel_shape;
using gnp::detail::lane_access;

kernel_plan plan_for(kernel_shape shape, int rank, int kept, int group, int vector, int items, bool wide,
                     bool indexed, lane_access access = lane_access::run) {
  kernel_plan plan;
  plan.shape = shape;
  plan.rank = static_cast<std::uint8_t>(rank);
  plan.kept = static_cast<std::uint8_t>(kept);
  plan.group = static_cast<std::uint16_t>(group);
  plan.vector = static_cast<std::uint8_t>(vector);
  plan.items = static_cast<std::uint8_t>(items);
  plan.wide = wide;
  plan.inputs = 1;
  plan.slots = indexed ? 3 : 2;
  plan.access[0] = lane_access::strided;
  plan.access[1] = access;
  plan.access[2] = lane_access::counted;
  plan.slot_of[0] = 1;
  plan.slot_of[1] = 2;
  return plan;
}

template <class Tag, class T, class A, class R = A>
void add(std::vector<kernel>& kernels, const char* name) {
  const gnp::detail::reduction_code code = gnp::detail::reduction_text_of<Tag, array<T>, A, R>();
  const int vector = 16 / static_cast<int>(sizeof(T));
  kernels.push_back(
      {std::string(name) + " of " + gnp::name(gnp::dtype_of<T>),
       kernel_source(code, plan_for(kernel_shape::reduce_rows, 2, 1, 256, vector, 4, false, code.indexed))});
}

GNP_REDUCTION(mean_distance, (x, y), square(x - y), (a, b), a + b, (r, n), sqrt(r / n), 0);
GNP_REDUCTION(largest, (x), x, (a, b), max(a, b), (r), r, lowest);

template <class T>
void add_users(std::vector<kernel>& kernels) {
  using namespace gnp::detail;
  using A = folded_in<T>;
  using mean =
      fold_reducer<mean_distance_combine_ufunc, mean_distance_identity_ufunc, mean_distance_finish_ufunc>;
  add<mean, T, A, gnp::type_of<mean::result<A>()>>(kernels, "a user's mean");
  if constexpr (!gnp::detail::is_complex_v<T>) {
    add<fold_reducer<largest_combine_ufunc, largest_identity_ufunc, largest_finish_ufunc>, T, A>(
        kernels, "a user's maximum");
  }
}

template <class T>
void add_all(std::vector<kernel>& kernels) {
  using namespace gnp::detail;
  using A = computed_in<T>;
  using mean_type = averaged_type<T>;
  using real = gnp::type_of<real_part_of(gnp::dtype_of<mean_type>)>;
  if constexpr (is_inexact_v<T> && !is_16_bit_float<T>) {
    add<sum_reducer, T, T>(kernels, "sum");
    add<mean_reducer, T, T>(kernels, "mean");
    add<root_reducer, T, T>(kernels, "root");
    add<root_of_squares_reducer, T, T>(kernels, "root of squares");
  } else {
    add<plain_sum_reducer, T, computed_in<summed_type<T>>, summed_type<T>>(kernels, "sum");
  }
  if constexpr (small_integers<array<T>>::are_there) {
    add<integer_mean_reducer, T, double, double>(kernels, "mean");
    add<integer_mean_reducer, T, float, float>(kernels, "mean as float");
  }
  if constexpr (is_16_bit_float<T>) {
    add<plain_mean_reducer, T, float, T>(kernels, "mean");
    add<plain_root_of_squares_reducer, T, float, T>(kernels, "root of squares");
  }
  if constexpr (is_inexact_v<T>) {
    add<nanmin_reducer, T, A, T>(kernels, "nanmin");
    add<nanmax_reducer, T, A, T>(kernels, "nanmax");
    add<nanargmin_reducer, T, A, std::int64_t>(kernels, "nanargmin");
    add<nanargmax_reducer, T, A, std::int64_t>(kernels, "nanargmax");
    add<nanmean_reducer, T, A, T>(kernels, "nanmean");
    add<nanvar_reducer, T, A, real>(kernels, "nanvar");
    add<nanstd_reducer, T, A, real>(kernels, "nanstd");
  }
  add<product_reducer, T, computed_in<summed_type<T>>, summed_type<T>>(kernels, "prod");
  add<count_reducer, T, std::int64_t>(kernels, "count_nonzero");
  add<any_reducer, T, bool>(kernels, "any");
  add<all_reducer, T, bool>(kernels, "all");
  add<min_reducer, T, A, T>(kernels, "min");
  add<max_reducer, T, A, T>(kernels, "max");
  add<range_reducer, T, A, T>(kernels, "ptp");
  add<argmin_reducer, T, A, std::int64_t>(kernels, "argmin");
  add<argmax_reducer, T, A, std::int64_t>(kernels, "argmax");
  add<var_reducer, T, computed_in<mean_type>, real>(kernels, "var");
  add<std_reducer, T, computed_in<mean_type>, real>(kernels, "std");
}

template <class... T>
void add_types(std::vector<kernel>& kernels) {
  (add_all<T>(kernels), ...);
  (add_users<T>(kernels), ...);
}

}  // namespace

TEST_CASE("every reducer compiles for every element type") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  add_types<bool, std::int8_t, std::int32_t, std::int64_t, std::uint16_t, std::uint64_t, gnp::half,
            gnp::bfloat16, float, double, gnp::complex64, gnp::complex128>(kernels);
  check_all(kernels, {75, 90});
}

TEST_CASE("every shape of a reduction's kernel compiles") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add_shapes = [&kernels]<class Tag, class R>(const char* name, Tag*, R*) {
    const auto code = gnp::detail::reduction_text_of<Tag, array<float>, float, R>();
    const auto shape = [&](kernel_shape kind, int rank, int kept, int group, int vector, int items, bool wide,
                           lane_access access = lane_access::run) {
      kernels.push_back(
          {std::string(name) + " " + std::to_string(kernels.size()),
           kernel_source(code, plan_for(kind, rank, kept, group, vector, items, wide, code.indexed, access))});
    };
    const auto short_rows = [&](int kept, int group, int vector, int items, int rows, bool wide) {
      kernel_plan plan =
          plan_for(kernel_shape::reduce_rows, kept + 1, kept, group, vector, items, wide, code.indexed);
      plan.rows_each = static_cast<std::uint8_t>(rows);
      kernels.push_back(
          {std::string(name) + " of short rows " + std::to_string(kernels.size()), kernel_source(code, plan)});
    };
    const auto unaligned = [&](kernel_shape kind, int rank, int kept, int group, int vector, bool ragged) {
      kernel_plan plan =
          plan_for(kind, rank, kept, group, vector, 4, false, code.indexed, lane_access::unaligned);
      plan.unaligned = true;
      plan.ragged = ragged;
      plan.unaligned_slots[1] = {.ahead = 1, .source = 1, .source_ahead = 1};
      kernels.push_back({std::string(name) + " of unaligned rows " + std::to_string(kernels.size()),
                         kernel_source(code, plan)});
    };
    unaligned(kernel_shape::reduce_rows, 1, 0, 256, 4, false);
    unaligned(kernel_shape::reduce_rows, 2, 0, 256, 4, true);
    unaligned(kernel_shape::reduce_rows, 3, 1, 32, 2, true);
    unaligned(kernel_shape::reduce_columns, 2, 1, 32, 4, false);
    for (const bool wide : {false, true}) {
      short_rows(1, 1, 2, 1, 8, wide);
      short_rows(1, 1, 1, 3, 4, wide);
      short_rows(2, 8, 4, 1, 4, wide);
      shape(kernel_shape::reduce_rows, 1, 0, 256, 4, 4, wide);
      shape(kernel_shape::reduce_rows, 1, 0, 256, 8, 8, wide);
      shape(kernel_shape::reduce_rows, 2, 1, 1, 2, 1, wide);
      shape(kernel_shape::reduce_rows, 3, 1, 8, 4, 4, wide);
      shape(kernel_shape::reduce_rows, 4, 2, 32, 1, 4, wide, lane_access::strided);
      shape(kernel_shape::reduce_tiles, 2, 0, 256, 4, 4, wide, lane_access::transposed);
      shape(kernel_shape::reduce_tiles, 3, 0, 256, 1, 16, wide, lane_access::transposed);
      shape(kernel_shape::reduce_columns, 1, 1, 256, 4, 1, wide);
      shape(kernel_shape::reduce_columns, 2, 1, 32, 4, 4, wide);
      shape(kernel_shape::reduce_columns, 4, 2, 1, 2, 4, wide, lane_access::every_other);
      shape(kernel_shape::reduce_columns, 3, 2, 64, 1, 1, wide, lane_access::repeated);
    }
  };
  using namespace gnp::detail;
  add_shapes("sum", static_cast<sum_reducer*>(nullptr), static_cast<float*>(nullptr));
  // Beside what is the same for a whole column, or for a whole row.
  using beside = decltype(std::declval<array<float>&>() - std::declval<array<float>&>() / 2.0F);
  const auto of_both = gnp::detail::reduction_text_of<sum_reducer, beside, float, float>();
  for (const auto kind : {kernel_shape::reduce_columns, kernel_shape::reduce_rows}) {
    kernel_plan plan = plan_for(kind, 2, 1, 32, 4, 4, false, true);
    plan.inputs = 2;
    plan.some_stay = true;
    plan.access[2] = kind == kernel_shape::reduce_columns ? lane_access::run : lane_access::repeated;
    plan.moves[1] = 3;
    plan.moves[2] = kind == kernel_shape::reduce_columns ? 2 : 1;
    kernels.push_back({"sum beside what stays", kernel_source(of_both, plan)});
  }
  // Beside formulas that are stored.
  const auto sum = gnp::detail::reduction_text_of<sum_reducer, beside, float, float>();
  reduction_code positive{};
  positive.values = &code_of<decltype(std::declval<array<float>&>() > 0.0F)>;
  const reduction_code* const parts[] = {&sum, &of_both, &positive, &positive};
  const gnp::dtype types[] = {gnp::dtype::float32, gnp::dtype::float32, gnp::dtype::float32,
                              gnp::dtype::float32, gnp::dtype::float32, gnp::dtype::float32,
                              gnp::dtype::bool_,   gnp::dtype::bool_};
  expression_code values = *sum.values;
  values.inputs = 8;
  values.constants = 4;
  values.input_types = types;
  reduction_code together = sum;
  together.values = &values;
  together.parts = parts;
  together.part_count = 4;
  together.stored_parts = 2;
  for (const bool wide : {false, true}) {
    kernel_plan plan = plan_for(kernel_shape::reduce_rows, 1, 0, 256, 4, 4, wide, false);
    plan.inputs = 8;
    plan.slots = 5;
    plan.stored = 2;
    for (std::size_t i = 0; i < 8; ++i) plan.slot_of[i] = static_cast<std::uint8_t>(i < 6 ? 1 + i % 2 : i - 3);
    for (std::size_t slot = 1; slot < 5; ++slot) plan.access[slot] = lane_access::run;
    kernels.push_back({"sums beside what is stored", kernel_source(together, plan)});
    CHECK(has(kernels.back(), "store<bool, run, 4>"));
  }
  add_shapes("var", static_cast<var_reducer*>(nullptr), static_cast<float*>(nullptr));
  add_shapes("argmax", static_cast<argmax_reducer*>(nullptr), static_cast<std::int64_t*>(nullptr));
  check_all(kernels);
}

TEST_CASE("reductions compute bytes four at a time") {
  if (nvrtc_is_missing()) return;
  using namespace gnp::detail;
  using signed_bytes = array<std::int8_t>&;
  using bytes = array<std::uint8_t>&;
  using between =
      decltype((std::declval<signed_bytes>() > std::int8_t{-3}) & (std::declval<bytes>() <= std::uint8_t{9}));
  using order = decltype(std::declval<bytes>() < std::declval<bytes>());
  using product = decltype(std::declval<bytes>() * std::declval<bytes>() > std::uint8_t{9});
  std::vector<kernel> kernels;
  const auto add_formula = [&]<class E>(const char* name, E*) {
    const auto add_plan = [&](const reduction_code& code, kernel_plan plan) {
      plan.inputs = 2;
      plan.access[2] = lane_access::run;
      kernels.push_back({name, kernel_source(code, plan)});
    };
    const auto sum = reduction_text_of<plain_sum_reducer, E, std::int64_t, std::int64_t>();
    add_plan(sum, plan_for(kernel_shape::reduce_rows, 1, 0, 256, 16, 4, false, true));
    add_plan(sum, plan_for(kernel_shape::reduce_columns, 2, 1, 32, 8, 4, true, true));
    const auto place = reduction_text_of<argmax_reducer, E, bool, std::int64_t>();
    kernel_plan with_positions = plan_for(kernel_shape::reduce_rows, 1, 0, 256, 16, 4, false, true);
    with_positions.slots = 4;
    with_positions.access[3] = lane_access::counted;
    add_plan(place, with_positions);
  };
  add_formula("between numbers", static_cast<between*>(nullptr));
  add_formula("in order", static_cast<order*>(nullptr));
  for (const kernel& k : kernels) CHECK(has(k, "compute_packed_0(p, word_of"));
  const std::size_t packed = kernels.size();
  add_formula("of a product", static_cast<product*>(nullptr));
  for (std::size_t k = packed; k < kernels.size(); ++k) CHECK(!has(kernels[k], "compute_packed"));
  check_all(kernels, {75, 90});
}

TEST_CASE("reductions over pairs compile for every element type") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  const auto add_pairs = [&kernels]<class Tag, class T, class A>(Tag*, T*, A*) {
    using differences = decltype(std::declval<array<T>&>() * std::declval<array<T>&>());
    const auto code = gnp::detail::reduction_text_of<Tag, differences, A, A>();
    const auto shape = [&](int kept, int pairs, int vector, bool wide, lane_access access) {
      kernel_plan plan =
          plan_for(kernel_shape::reduce_rows, kept + 1, kept, 0, vector, 4, wide, code.indexed, access);
      plan.pairs = static_cast<std::uint8_t>(pairs);
      plan.reads_little = true;
      plan.inputs = 2;
      plan.access[2] = lane_access::run;
      plan.slots = 3;
      plan.access[2] = access;
      plan.moves[0] = static_cast<std::uint16_t>((1 << kept) - 1);
      plan.moves[1] = static_cast<std::uint16_t>(1 << (kept - 2) | 1 << kept);
      plan.moves[2] = static_cast<std::uint16_t>(1 << (kept - 1) | 1 << kept);
      kernels.push_back({std::string("pairs of ") + gnp::name(gnp::dtype_of<T>), kernel_source(code, plan)});
      CHECK(has(kernels.back(), "lines2[tile][spaced]"));
    };
    const int vector = std::min(8, 16 / static_cast<int>(sizeof(T)));
    shape(2, 4, vector, false, lane_access::run);
    shape(3, 2, 1, true, lane_access::strided);
    // An operand that is the same for all pairs.
    kernel_plan plan = plan_for(kernel_shape::reduce_rows, 3, 2, 0, vector, 4, false, code.indexed);
    plan.pairs = 2;
    plan.reads_little = true;
    plan.inputs = 2;
    plan.slots = 3;
    plan.access[2] = lane_access::run;
    plan.moves[0] = 3;
    plan.moves[1] = 7;
    plan.moves[2] = 4;
    kernels.push_back({"weighted", kernel_source(code, plan)});
  };
  using namespace gnp::detail;
  [&]<class... T>(T*... types) {
    (add_pairs(static_cast<max_reducer*>(nullptr), types, static_cast<computed_in<T>*>(nullptr)), ...);
  }(static_cast<std::uint8_t*>(nullptr), static_cast<std::int64_t*>(nullptr), static_cast<gnp::half*>(nullptr),
    static_cast<float*>(nullptr), static_cast<double*>(nullptr), static_cast<gnp::complex128*>(nullptr));
  add_pairs(static_cast<sum_reducer*>(nullptr), static_cast<float*>(nullptr), static_cast<float*>(nullptr));
  add_pairs(static_cast<sum_reducer*>(nullptr), static_cast<gnp::complex64*>(nullptr),
            static_cast<gnp::complex64*>(nullptr));
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("every scan compiles for every element type and shape of kernel") {
  if (nvrtc_is_missing()) return;
  std::vector<kernel> kernels;
  using namespace gnp::detail;
  const auto add_type = [&kernels]<class T>(T*) {
    using R = summed_type<T>;
    const auto add_code = [&kernels](const char* name, const scan_code& code) {
      const auto shape = [&](kernel_shape kind, int rank, int kept, int vector, bool wide,
                             lane_access access = lane_access::run, int items = 8) {
        kernel_plan plan = plan_for(kind, rank, kept, rank == 3 ? 1 : 16, vector, items, wide, false, access);
        plan.access[0] = access == lane_access::run ? access : lane_access::strided;
        kernels.push_back({name, kernel_source(code, plan)});
      };
      constexpr int vector = 16 / (sizeof(R) < 4 ? 4 : static_cast<int>(sizeof(R)));
      const std::vector<std::function<void()>> shapes = {
          [&] { shape(kernel_shape::scan_rows, 1, 0, vector, false); },
          [&] { shape(kernel_shape::scan_rows, 1, 0, vector, true, lane_access::run, 16); },
          [&] { shape(kernel_shape::scan_rows, 3, 1, 1, true, lane_access::strided); },
          [&] { shape(kernel_shape::scan_short_rows, 2, 1, vector, false); },
          [&] { shape(kernel_shape::scan_short_rows, 3, 1, 1, true, lane_access::strided); },
          [&] { shape(kernel_shape::scan_columns, 2, 1, vector, false); },
          [&] { shape(kernel_shape::scan_columns, 3, 2, 1, true, lane_access::repeated); }};
      // Sums in each shape, and of the others each in one by turns.
      if (std::string(name) == "cumsum") {
        for (const auto& add : shapes) add();
      } else {
        shapes[kernels.size() % shapes.size()]();
      }
    };
    add_code("cumsum", scan_text_of<running_sum_tag, array<T>, computed_in<R>, R>());
    add_code("cumprod", scan_text_of<running_product_tag, array<T>, computed_in<R>, R>());
    add_code("maximum_accumulate", scan_text_of<running_maximum_tag, array<T>, computed_in<T>, T>());
    add_code("minimum_accumulate", scan_text_of<running_minimum_tag, array<T>, computed_in<T>, T>());
    if constexpr (std::is_same_v<T, gnp::half> || std::is_same_v<T, std::int32_t>) {
      using users = fold_reducer<largest_combine_ufunc, largest_identity_ufunc, largest_finish_ufunc>;
      add_code("a user's scan", scan_text_of<users, array<T>, folded_in<T>, T>());
    }
  };
  [&]<class... T>(T*... types) { (add_type(types), ...); }(
      static_cast<bool*>(nullptr), static_cast<std::int8_t*>(nullptr), static_cast<std::int32_t*>(nullptr),
      static_cast<std::uint64_t*>(nullptr), static_cast<gnp::half*>(nullptr), static_cast<float*>(nullptr),
      static_cast<double*>(nullptr), static_cast<gnp::complex64*>(nullptr),
      static_cast<gnp::complex128*>(nullptr));
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("calls of functions that branch are counted") {
  using gnp::detail::branching_calls_in;
  CHECK(branching_calls_in("sin(x)") == 1);
  CHECK(branching_calls_in("asin(x) + sinh(x) + cospi(x)") == 0);
  CHECK(branching_calls_in("pow(x, 2) * gnp::cos(y) + sin(sin(x))") == 4);
  const auto calls = []<class X>(const X&) { return gnp::detail::source_of<X>.branching_calls; };
  const array<float> x = gnp::ones<float>({2});
  CHECK(calls(sin(x) * cos(x)) == 2);
  CHECK(calls(gnp::power(x, 1.5F) + exp(x)) == 1);
  CHECK(calls(exp(x) + 1) == 0);
}

#else

TEST_CASE("kernel texts of reductions and scans") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
