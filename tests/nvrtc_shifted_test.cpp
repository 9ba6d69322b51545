// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600
// The kernels of shifted views compile for every architecture: each way in which rows can lie, and bytes four
// at once.
#include <gnp/exec/elementwise/gpu_several.hpp>
#include <gnp/exec/elementwise/run_rolled.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>

#include "kernel_text.hpp"
#include "nvrtc.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::all;
using gnp::array;
using gnp::none;
using gnp::slice;

class texts {
 public:
  template <class X>
  void add(const char* name, const X& x) {
    kernels.push_back({name, kernel_text(x)});
  }
  /// Into part of an array.
  template <class T, class X>
  void add(const char* name, const array<T>& to, const X& x) {
    kernels.push_back({name, kernel_text_into(to, x)});
  }
  std::vector<kernel> kernels;
};

template <class T>
array<T> moved(const array<T>& u, gnp::index_t down, gnp::index_t right) {
  return u(slice(1 + down, u.shape(0) - 1 + down), slice(1 + right, u.shape(1) - 1 + right));
}

template <class T>
auto cross(const array<T>& u) {
  return moved(u, -1, 0) + moved(u, 1, 0) + moved(u, 0, -1) + moved(u, 0, 1) - moved(u, 0, 0);
}

TEST_CASE("kernels of shifted views compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  texts t;
  const auto of_type = [&t]<class T>(T) {
    const array<T> wide = gnp::zeros<T>({66, 2048}), odd = gnp::zeros<T>({66, 2047});
    const array<T> line = gnp::zeros<T>({1001});
    t.add("rows aligned alike", moved(gnp::zeros<T>({66, 2048}), 0, 0), cross(wide));
    t.add("rows that begin anywhere", cross(odd));
    t.add("in place", moved(wide, 0, 0), cross(wide));
    t.add("short rows", cross(wide(all, slice(none, 130))));
    t.add("a line", line(slice(1, none)) + line(slice(none, -1)));
    t.add("other operands", line(slice(1, none)) + gnp::zeros<T>({2000})(slice(none, none, 2)) + line(-1));
  };
  of_type(std::int8_t{}), of_type(std::uint16_t{}), of_type(gnp::half{}), of_type(gnp::bfloat16{});
  of_type(float{}), of_type(double{}), of_type(gnp::complex64{}), of_type(gnp::complex128{});
  std::size_t shifted = 0;
  for (const kernel& k : t.kernels) shifted += has(k, "struct surroundings") ? 1U : 0U;
  CHECK(shifted == t.kernels.size() - 6);  // an element of complex128 is a whole vector
  check_all(t.kernels);
}

TEST_CASE("kernels that roll compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  texts t;
  const auto of_type = [&t]<class T>(T) {
    const auto add = [&t](const char* name, const auto& x, bool in_patches = false) {
      using namespace gnp::detail;
      rolled_inputs inputs(x);
      const array<T> y = gnp::zeros<T>(x.shape());
      job_of_rolled all_of_it(inputs.job(), view_of(y));
      collapse(all_of_it.whole());
      kernel_plan plan = make_rolled_plan(all_of_it.whole());
      plan.in_patches = in_patches;
      t.kernels.push_back({name, kernel_source(*all_of_it.whole().code, plan)});
    };
    const array<T> u = gnp::zeros<T>({6, 7}), row = gnp::zeros<T>({7}), wide = gnp::zeros<T>({6, 32});
    add("along both axes", roll(u, 1, 0) + roll(u, -1, 0) + roll(u, 1, 1) + roll(u, -1, 1) - u);
    add("whole vectors", roll(wide, 1, 0) + roll(wide, 1, 1) + roll(wide, -1, 1) - wide);
    add("in patches", roll(wide, 1, 0) + roll(wide, 1, 1) - wide, true);
    add("in patches, of several axes", roll(wide.reshape({3, 2, 32}), 1, 1) + gnp::zeros<T>({3, 2, 32}), true);
    add("beside other operands", roll(u.T()(all, slice(none, none, -1)), 2, 1) + gnp::zeros<T>({7, 1}));
    add("beside rows and positions", where(gnp::arange(7) > 3, roll(u, {1, 2}, {0, 1}), row));
    const auto add_two = [&t]<class X, class Y>(const char* name, const gnp::rolled<X>& x,
                                                const gnp::rolled<Y>& y) {
      using namespace gnp::detail;
      const rolled_inputs<X> of_x(x);
      const rolled_inputs<Y> of_y(y);
      const array<T> results[2] = {gnp::zeros<T>(x.shape()), gnp::zeros<T>(x.shape())};
      std::vector<leaf_view> inputs;
      const auto append = [&inputs](const auto& of) {
        inputs.insert(inputs.end(), of.leaves().leaves(), of.leaves().leaves() + of.leaves().count);
      };
      append(of_x);
      append(of_y);
      inputs.push_back(view_of(results[1]));
      leaf_shifts shifts = x.shifts();
      shifts.insert(shifts.end(), y.shifts().begin(), y.shifts().end());
      shifts.emplace_back();
      std::vector<job_operand> operands(inputs.size() + 2);
      const several_code& code = several_code_of<X, Y>;
      job_of_rolled both({code.all, nullptr, inputs.data(), shifts.data(), nullptr, operands.data()},
                         view_of(results[0]));
      collapse(both.whole());
      for (const bool in_patches : {false, true}) {
        kernel_plan plan = make_rolled_plan(both.whole());
        plan.in_patches = in_patches;
        t.kernels.push_back({name, kernel_source(code, plan)});
      }
    };
    add_two("two formulas", roll(u, 1, 0) - u, roll(u, 1, 0) * roll(u, 2, 1));
  };
  of_type(std::int8_t{}), of_type(std::uint16_t{}), of_type(gnp::half{}), of_type(gnp::bfloat16{});
  of_type(float{}), of_type(double{}), of_type(gnp::complex64{}), of_type(gnp::complex128{});
  for (const kernel& k : t.kernels) CHECK(has(k, "loaded_rolled"));
  check_all(t.kernels);
}

TEST_CASE("reductions that roll compile") {
  if (nvrtc_is_missing()) return;
  using namespace gnp::detail;
  const gnp::use_device on(gnp::device::cpu());
  std::vector<kernel> kernels;
  const auto of_type = [&kernels]<class T>(T) {
    const auto add = [&kernels]<class Tag, class E>(const char* name, Tag, const gnp::rolled<E>& x, int axis) {
      using A = computed_in<T>;
      const reduction_code code = reduction_text_of<Tag, E, A, T>();
      const axis_set axes(axis, x.ndim(), "test");
      const array<T> results = gnp::zeros<T>(reduced_shape(x.shape(), axes, false));
      rolled_inputs<E> inputs(x);
      const rolled_job rolled = inputs.job();
      reduction r;
      r.code = &code;
      r.outputs = results.size();
      r.length = x.shape(axis);
      r.values.code = code.values;
      r.values.operands = rolled.operands;
      lay_out(r, x.shape(), axes, view_of(results), rolled.inputs);
      const operand_shifts shifts(rolled, r.values);
      collapse(r, axes.chosen);
      kernel_plan plan = plan_loads(r);
      plan.group = 32;
      kernels.push_back({name, kernel_source(code, plan)});
    };
    for (const gnp::index_t columns : {32, 33}) {
      const array<T> u = gnp::zeros<T>({6, columns});
      add("largest of rows", max_reducer{}, roll(u, 1, 0) - roll(u, -3, 1), 1);
      add("sums of columns", plain_sum_reducer{}, roll(u, 1, 1) * gnp::zeros<T>({6, 1}), 0);
    }
  };
  of_type(std::int8_t{}), of_type(std::int32_t{}), of_type(float{}), of_type(double{});
  for (const kernel& k : kernels) CHECK(has(k, "loaded_rolled"));
  check_all(kernels);
}

TEST_CASE("kernels of rows of three compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  texts t;
  const auto of_type = [&t]<class T>(T) {
    const array<T> x = gnp::zeros<T>({66, 9}), to = gnp::zeros<T>({66, 3});
    const auto column = [&x](gnp::index_t k) { return x(all, slice(k, k + 1)); };
    const auto same = column(0) + column(1) * column(2);
    t.add("rows that are the same all along", to, same);
    t.add("beside every other element", to, same + x(all, slice(4, none, 2)));
    t.add("beside strided ones", to, same - x(all, slice(none, none, 3)));
    const gnp::ufunc<gnp::operations::equal_ufunc> equal;
    t.add("beside positions", to,
          where(equal(gnp::detail::positions<T>({3}), gnp::index_t{1}), same, column(3)));
  };
  of_type(std::int8_t{}), of_type(std::uint16_t{}), of_type(gnp::half{}), of_type(gnp::bfloat16{});
  of_type(float{}), of_type(double{}), of_type(gnp::complex64{}), of_type(gnp::complex128{});
  for (const kernel& k : t.kernels) CHECK(has(k, "constexpr int vector = 3;"));
  // Fewer, or one whose elements follow each other, are read in the way of their own.
  const array<float> x = gnp::zeros<float>({66, 3});
  const auto column = [&x](gnp::index_t k) { return x(all, slice(k, k + 1)); };
  texts others;
  others.add("two", gnp::zeros<float>({66, 3}), column(0) + column(1));
  others.add("and a run", column(0) + column(1) * column(2) + x);
  others.add("as columns", gnp::zeros<float>({3, 66}).T(), column(0) + column(1) * column(2));
  for (const kernel& k : others.kernels) CHECK(!has(k, "constexpr int vector = 3;"));
  check_all(t.kernels);
}

TEST_CASE("kernels whose vectors run through short rows compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  texts t;
  const auto of_type = [&t]<class T>(T) {
    const array<T> x = gnp::zeros<T>({66, 3});
    const array<T> row = gnp::zeros<T>({3});
    const array<T> column = gnp::zeros<T>({66, 1});
    t.add("with a row", x - row);
    t.add("with a row and a column", (x - row) * column);
    t.add("of those alone", row * column);
  };
  of_type(std::int8_t{}), of_type(std::uint16_t{}), of_type(gnp::half{}), of_type(gnp::bfloat16{});
  of_type(float{}), of_type(double{}), of_type(gnp::complex64{});
  const array<std::uint8_t> image = gnp::zeros<std::uint8_t>({5, 7, 3});
  t.add("an image", image.astype<float>() / 255.0F - gnp::zeros<float>({3}));
  for (const kernel& k : t.kernels) CHECK(has(k, "locate_through_rows"));
  // Not where rows have something between them, or positions beside them.
  const array<float> x = gnp::zeros<float>({66, 4})(all, slice(none, 3));
  texts others;
  others.add("a part of the columns", x, x - gnp::zeros<float>({3}));
  const gnp::ufunc<gnp::operations::equal_ufunc> equal;
  others.add("positions", where(equal(gnp::detail::positions<float>({3}), gnp::index_t{1}),
                                gnp::zeros<float>({66, 3}), gnp::zeros<float>({3})));
  for (const kernel& k : others.kernels) CHECK(!has(k, "locate_through_rows"));
  check_all(t.kernels);
}

TEST_CASE("vectors that could reach past an array's memory are asked about") {
  const gnp::use_device on(gnp::device::cpu());
  const auto is_guarded = [](const auto& x) {
    const std::string text = kernel_text(x);
    REQUIRE(text.find("struct surroundings") != std::string::npos);
    return text.find("constexpr bool guarded = true") != std::string::npos;
  };
  const array<float> whole = gnp::zeros<float>({1000}), odd = gnp::zeros<float>({1001});
  CHECK(!is_guarded(whole(slice(1, none)) + 1));
  CHECK(is_guarded(odd(slice(1, none)) + 1));
  CHECK(!is_guarded(odd(slice(1, -1)) + 1));
  const array<std::uint8_t> bytes = gnp::zeros<std::uint8_t>({20, 101});  // 4 bytes more than whole vectors
  CHECK(is_guarded(bytes(all, slice(1, none)) + 1));
  CHECK(!is_guarded(bytes(slice(none, -1), slice(1, none)) + 1));
}

TEST_CASE("kernels of bytes four at once compile") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device on(gnp::device::cpu());
  texts t;
  const auto of_type = [&t]<class T>(T) {
    const array<T> u = gnp::zeros<T>({66, 2048});
    const array<bool> b = gnp::zeros<bool>({66, 2048});
    const auto l = moved(u, 0, -1), r = moved(u, 0, 1), o = moved(u, 1, 0);
    const auto c = moved(b, 0, -1), d = moved(b, 1, 1);
    t.add("sums", l + r - o + T(3));
    t.add("extremes", maximum(l, minimum(r, o)));
    t.add("bits", (l & r) | (o ^ ~l));
    t.add("comparisons", l == r || (o != 3 && !c));
    t.add("wide numbers", l == std::uint64_t{7} && r != std::int64_t{-1});
    t.add("choice", where(c ^ d, l, o));
    t.add("conversion", (l.template astype<bool>() || d).template astype<T>());
  };
  of_type(std::uint8_t{}), of_type(std::int8_t{});
  for (const kernel& k : t.kernels) {
    INFO(k.name);
    CHECK(has(k, "compute_packed"));
  }
  // What bytes cannot hold, or what has no such form, goes element by element.
  texts others;
  const array<std::uint8_t> u = gnp::zeros<std::uint8_t>({66, 2048});
  others.add("a product", moved(u, 0, -1) * moved(u, 0, 1));
  others.add("a fraction", (moved(u, 0, -1) == 2.5).astype<std::uint8_t>());
  others.add("different signs", moved(u, 0, -1) == moved(u, 0, 1).astype<std::int8_t>());
  others.add("wider", moved(u, 0, -1).astype<std::int16_t>() + moved(u, 0, 1).astype<std::int16_t>());
  for (const kernel& k : others.kernels) {
    INFO(k.name);
    CHECK(!has(k, "compute_packed"));
  }
  check_all(t.kernels);
  check_all(others.kernels);
}

}  // namespace

#else

TEST_CASE("kernels of shifted views") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
