// SPDX-License-Identifier: MIT
// test: no-asan, timeout=900
// Every kernel text is compiled for every architecture, which takes NVRTC but no GPU.
#include "nvrtc.hpp"

#include <gnp/exec/elementwise/gpu_several.hpp>
#include <gnp/exec/elementwise/joined_job.hpp>
#include <gnp/exec/text/kernel_source.hpp>
#include <gnp/gnp.hpp>
#include <optional>
#include <string_view>

#include "kernel_text.hpp"

#if GNP_HAS_CUDA

namespace {

using gnp::dtype;
using gnp::dtype_count;
using gnp::detail::expression_code;
using gnp::detail::job;
using gnp::detail::job_operand;
using gnp::detail::kernel_plan;
using gnp::detail::node_source;
using gnp::detail::operand_type;
using gnp::detail::operand_types;
using gnp::detail::source_writer;

// ---------------------------------------------------------------------------------------------------------
// The bodies: one source per element type, a kernel in it for each ufunc that takes the type.

/// Adds kernels that call Op on elements of the given types, where it is defined for them.
template <class Op>
void add_body(source_writer& writer, std::string& kernels, int& count, const operand_types<Op::arity>& types) {
  const auto signature = Op::rule().resolve(types);
  if (!signature.supported) return;
  std::string parameters = std::string("gnp::") + "result_" + std::to_string(count) + "* out";
  std::vector<source_writer::operand> operands;
  std::string aliases = std::string("namespace gnp { using result_") + std::to_string(count) + " = " +
                        gnp::detail::device_name(signature.result) + "; ";
  for (std::size_t i = 0; i < Op::arity; ++i) {
    const dtype loop = signature.loop[i];
    const bool as_float = !signature.halves_as_they_are && (loop == dtype::float16 || loop == dtype::bfloat16);
    writer.uses(types[i].type);
    writer.uses(loop);
    const std::string number = std::to_string(count) + "_" + std::to_string(i);
    aliases += "using operand_" + number + " = " + gnp::detail::device_name(types[i].type) + "; ";
    parameters += ", const gnp::operand_" + number + "* x" + std::to_string(i);
    operands.push_back({as_float ? dtype::float32 : loop, types[i].type, "x" + std::to_string(i) + "[0]"});
  }
  const std::string call =
      writer.call({Op::name, Op::parameter_text, Op::body_text}, signature.result, operands);
  kernels += aliases + "}\nextern \"C\" __global__ void k" + std::to_string(count) + "(" + parameters +
             ") { using namespace gnp; using namespace gnp::scalar; out[0] = " + call + "; }\n";
  ++count;
}

template <class... Ops>
int add_bodies(source_writer& writer, std::string& kernels, dtype type, const gnp::ufunc<Ops>&...) {
  int count = 0;
  const auto add = [&]<class Op>(const Op*) {
    operand_types<Op::arity> types;
    types.fill(operand_type{type});
    add_body<Op>(writer, kernels, count, types);
    // where's condition and ldexp's exponent are of other types.
    if constexpr (Op::arity > 1) {
      for (const dtype other : {dtype::bool_, dtype::int32, dtype::int64}) {
        if (other == type) continue;
        types.fill(operand_type{type});
        types[std::is_same_v<Op, gnp::operations::ldexp_ufunc> ? 1 : 0] = {other};
        if (std::is_same_v<Op, gnp::operations::ldexp_ufunc> ||
            std::is_same_v<Op, gnp::operations::where_ufunc> ||
            std::is_same_v<Op, gnp::operations::less_ufunc>) {
          add_body<Op>(writer, kernels, count, types);
        }
      }
    }
  };
  (add(static_cast<const Ops*>(nullptr)), ...);
  return count;
}

std::string translation_unit(const source_writer& writer, const std::string& kernels) {
  std::string source = gnp::detail::prelude_text;
  if (writer.uses_half()) source += gnp::detail::half_text;
  if (writer.uses_complex()) source += gnp::detail::complex_text;
  return source + "namespace gnp { namespace scalar {\n" + writer.functions() + "} }\n" + kernels;
}

TEST_CASE("every ufunc's body compiles for every type it takes") {
  if (nvrtc_is_missing()) return;
  namespace u = gnp::ufuncs;
  std::vector<kernel> kernels;
  int bodies = 0;
  for (int t = 0; t < dtype_count; ++t) {
    const auto type = static_cast<dtype>(t);
    source_writer writer;
    std::string text;
    bodies += add_bodies(
        writer, text, type, u::add, u::subtract, u::multiply, u::divide, u::floor_divide, u::remainder, u::fmod,
        u::power, u::float_power, u::negative, u::positive, u::absolute, u::fabs, u::sign, u::reciprocal,
        u::square, u::gcd, u::lcm, u::maximum, u::minimum, u::fmax, u::fmin, u::clip, u::sqrt, u::cbrt, u::exp,
        u::exp2, u::expm1, u::log, u::log2, u::log10, u::log1p, u::logaddexp, u::logaddexp2, u::sin, u::cos,
        u::tan, u::arcsin, u::arccos, u::arctan, u::arctan2, u::hypot, u::sinh, u::cosh, u::tanh, u::arcsinh,
        u::arccosh, u::arctanh, u::erf, u::erfc, u::lgamma, u::tgamma, u::degrees, u::radians, u::sinc,
        u::floor, u::ceil, u::trunc, u::fix, u::rint, u::heaviside, u::copysign, u::nextafter, u::ldexp,
        u::real, u::imag, u::conj, u::angle, u::equal, u::not_equal, u::less, u::less_equal, u::greater,
        u::greater_equal, u::logical_and, u::logical_or, u::logical_xor, u::logical_not, u::bitwise_and,
        u::bitwise_or, u::bitwise_xor, u::invert, u::left_shift, u::right_shift, u::isnan, u::isinf,
        u::isfinite, u::isposinf, u::isneginf, u::signbit, u::where,
        gnp::ufunc<gnp::operations::round_decimals_ufunc>(), gnp::ufunc<gnp::operations::nan_to_num_ufunc>(),
        gnp::ufunc<gnp::operations::ramp_ufunc>(), gnp::ufunc<gnp::operations::integer_ramp_ufunc>(),
        gnp::ufunc<gnp::operations::float_ramp_ufunc>(), u::spacing, u::bitwise_count, u::i0,
        gnp::ufunc<gnp::operations::frexp_mantissa_ufunc>(),
        gnp::ufunc<gnp::operations::frexp_exponent_ufunc>(), gnp::ufunc<gnp::operations::modf_fraction_ufunc>(),
        gnp::ufunc<gnp::operations::modf_integer_ufunc>(), gnp::ufunc<gnp::operations::interp_ufunc>(),
        gnp::ufunc<gnp::operations::fftfreq_ufunc>());
    kernels.push_back({std::string("the ufuncs on ") + name(type), translation_unit(writer, text)});
  }
  CHECK(bodies > 900);
  check_all(kernels);
}

TEST_CASE("every conversion between element types compiles") {
  if (nvrtc_is_missing()) return;
  source_writer writer;
  writer.uses(dtype::float16);
  writer.uses(dtype::complex64);
  writer.needs("cast");
  std::string text;
  for (int from = 0; from < dtype_count; ++from) {
    for (int to = 0; to < dtype_count; ++to) {
      const std::string types = std::string("using from = ") +
                                gnp::detail::device_name(static_cast<dtype>(from)) +
                                "; using to = " + gnp::detail::device_name(static_cast<dtype>(to)) + ";";
      text += "extern \"C\" __global__ void k" + std::to_string(from) + "_" + std::to_string(to) +
              "(const void* x, void* y) { using namespace gnp; " + types +
              " *static_cast<to*>(y) = gnp::scalar::cast<to>(*static_cast<const from*>(x)); }\n";
    }
  }
  check_all({{"conversions", translation_unit(writer, text)}});
}

// ---------------------------------------------------------------------------------------------------------
// The kernel shapes: jobs whose layouts lead to each of them, for each family of element types.

struct layout {
  const char* name;
  std::vector<gnp::index_t> shape;
  std::vector<std::vector<gnp::index_t>> strides;  // the destination's, then the inputs'
  std::size_t misalignment = 0;                    // elements
  bool positions = false;                          // is the second input no memory but positions?
  std::size_t ahead = 0;  // elements from the first input on to the second, of one array
};

dtype from_type;
dtype to_type;

/// An expression of two inputs for any types.
std::string write_choice(source_writer& writer, const node_source&) {
  writer.needs("cast");
  writer.uses(from_type);
  writer.uses(to_type);
  const std::string first = writer.input(from_type);
  const std::string second = writer.input(from_type);
  return "cast<to>(" + first + ") == cast<to>(" + second + ") ? cast<to>(" + first + ") : cast<to>(" + second +
         ")";
}

kernel shaped_kernel(const layout& l, dtype from, dtype to) {
  from_type = from;
  to_type = to;
  const dtype inputs[] = {from, l.positions ? dtype::int64 : from};
  const node_source choice{.write = write_choice, .type = to};
  expression_code code{.inputs = 2, .result = to, .input_types = inputs, .source = &choice};
  std::vector<job_operand> operands(3);
  gnp::detail::storage block;  // only its presence matters
  job j;
  j.code = &code;
  j.operands = operands.data();
  j.rank = static_cast<int>(l.shape.size());
  j.count = 1;
  for (int d = 0; d < j.rank; ++d) {
    j.shape[d] = l.shape[static_cast<std::size_t>(d)];
    j.count *= j.shape[d];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    job_operand& o = operands[i];
    o.itemsize = static_cast<int>(itemsize(i == 0 ? to : from));
    o.block = l.positions && i == 2 ? nullptr : &block;
    const bool same_array = i == 2 && l.ahead > 0;
    const std::size_t address =
        (std::size_t{1} << 40) * (same_array ? 2 : i + 1) +
        (l.misalignment + (same_array ? l.ahead : 0)) * static_cast<std::size_t>(o.itemsize);
    o.data = reinterpret_cast<char*>(address);
    std::copy(l.strides[i].begin(), l.strides[i].end(), o.strides);
  }
  gnp::detail::collapse(j);
  kernel_plan plan = gnp::detail::make_plan(j);
  gnp::detail::take_rows_above(j, plan);
  source_writer writer(plan);
  std::string source = kernel_source(code, plan);
  // The types that the sum is cast to, and all that the casts need.
  const std::size_t at = source.find("using namespace scalar;");
  source.insert(at, std::string("using to = ") + gnp::detail::device_name(to) + ";\n");
  return {std::string(l.name) + " " + name(from) + " to " + name(to), source};
}

TEST_CASE("every kernel shape compiles for every family of types") {
  if (nvrtc_is_missing()) return;
  const gnp::index_t big = gnp::index_t{1} << 32;
  const std::vector<layout> layouts = {
      {"contiguous", {1000}, {{1}, {1}, {1}}},
      {"contiguous, 64 bits", {big}, {{1}, {1}, {1}}},
      {"unaligned", {1000}, {{1}, {1}, {1}}, 1},
      {"two elements from alignment", {1000}, {{1}, {1}, {1}}, 2},
      {"four elements from alignment", {1000}, {{1}, {1}, {1}}, 4},
      {"contiguous and one element", {1000}, {{1}, {1}, {0}}},
      {"contiguous and positions", {1000}, {{1}, {1}, {1}}, 0, true},
      {"rows and positions", {64, 64}, {{128, 1}, {128, 1}, {64, 1}}, 0, true},
      {"rows", {64, 64}, {{64, 1}, {64, 1}, {0, 1}}},
      {"columns", {64, 64}, {{64, 1}, {64, 1}, {1, 0}}},
      {"a row and a column", {8192, 4096}, {{4096, 1}, {0, 1}, {1, 0}}},
      {"rows of odd length", {64, 63}, {{64, 1}, {63, 1}, {0, 1}}},
      {"neighbours", {1000}, {{1}, {1}, {1}}, 0, false, 1},
      {"neighbours, 64 bits", {big}, {{1}, {1}, {1}}, 3, false, 2},
      {"neighbours in rows", {64, 510}, {{512, 1}, {512, 1}, {512, 1}}, 1, false, 2},
      {"rows that begin anywhere", {8, 64, 510}, {{40000, 510, 1}, {40000, 511, 1}, {0, 1, 0}}, 1},
      {"rows that begin anywhere, and positions", {64, 510}, {{510, 1}, {511, 1}, {510, 1}}, 0, true},
      {"rows that begin anywhere, and strides", {64, 510}, {{510, 1}, {511, 1}, {2000, 2}}, 1},
      {"every other", {64, 64}, {{64, 1}, {128, 2}, {64, 1}}},
      {"strided", {64, 64}, {{64, 1}, {1000, 3}, {64, 1}}},
      {"strided destination", {64, 64}, {{192, 3}, {64, 1}, {64, 1}}},
      {"strided, 64 bits", {64, 64, 64}, {{big, 64, 1}, {big, 1000, 3}, {4096, 64, 1}}},
      {"tile", {64, 64}, {{64, 1}, {1, 64}, {64, 1}}},
      {"two tiles", {64, 64}, {{64, 1}, {1, 64}, {1, 128}}},
      {"tiles of a stack", {3, 64, 64}, {{4096, 64, 1}, {5000, 1, 64}, {0, 64, 1}}},
      {"tile, 64 bits", {64, 64}, {{big, 1}, {1, big}, {64, 1}}},
      {"five dimensions", {2, 3, 4, 5, 6}, {{9000, 900, 90, 10, 1}, {1, 7, 77, 777, 7777}, {0, 3, 0, 5, 0}}},
  };
  const std::pair<dtype, dtype> types[] = {
      {dtype::int8, dtype::int8},
      {dtype::float16, dtype::float16},
      {dtype::bfloat16, dtype::float32},
      {dtype::float32, dtype::float32},
      {dtype::float32, dtype::bool_},
      {dtype::float64, dtype::float64},
      {dtype::int64, dtype::uint16},
      {dtype::complex64, dtype::complex64},
      {dtype::complex128, dtype::complex128},
      {dtype::bool_, dtype::complex64},
  };
  std::vector<kernel> kernels;
  for (const layout& l : layouts) {
    for (const auto& [from, to] : types) kernels.push_back(shaped_kernel(l, from, to));
  }
  check_all(kernels);
}

namespace {

/// A kernel of several formulas whose arrays all lie alike. The arrays that are read are each `width` adjacent
/// components of vectors, and so are the results.
template <class... X>
kernel records_kernel(const char* what, const std::vector<gnp::index_t>& shape, gnp::index_t width,
                      const X&...) {
  const gnp::detail::several_code& code = gnp::detail::several_code_of<X...>;
  std::vector<job_operand> operands(static_cast<std::size_t>(code.all->inputs) + 2);
  gnp::detail::storage block;  // only its presence matters
  job j;
  j.code = code.all;
  j.operands = operands.data();
  j.rank = static_cast<int>(shape.size());
  j.count = 1;
  for (int d = j.rank - 1; d >= 0; --d) {
    j.shape[d] = shape[static_cast<std::size_t>(d)];
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) operands[i].strides[d] = j.count;
    j.count *= j.shape[d];
  }
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    operands[i].itemsize = static_cast<int>(itemsize(i == 0 ? code.all->result : code.all->input_types[i - 1]));
    operands[i].block = &block;
    operands[i].data = reinterpret_cast<char*>((std::size_t{1} << 40) * (i + 1));
  }
  if (j.rank == 2 && width == 1) operands[1].strides[0] = 0;
  const auto reads = operands.size() - 1 - sizeof...(X);
  for (std::size_t i = 0; i + 1 < operands.size() && width > 1; ++i) {
    const bool is_result = i == 0 || i > reads;
    const std::size_t number = i == 0 ? 0 : is_result ? i - reads : i - 1;
    const auto place = number % static_cast<std::size_t>(width);
    operands[i].data =
        operands[is_result ? 0 : i - place].data + place * static_cast<std::size_t>(operands[i].itemsize);
    for (int d = 0; d < j.rank; ++d) operands[i].strides[d] *= width;
  }
  kernel_plan plan;
  REQUIRE(gnp::detail::plan_several(j, code, plan));
  return {what, kernel_source(code, plan)};
}
template <class... X>
kernel several_kernel(const char* what, const std::vector<gnp::index_t>& shape, const X&... x) {
  return records_kernel(what, shape, 1, x...);
}

}  // namespace

TEST_CASE("several formulas in one kernel compile") {
  if (nvrtc_is_missing()) return;
  const gnp::array<float> x, y;
  const gnp::array<gnp::half> h;
  const gnp::array<gnp::complex128> z;
  std::vector<kernel> kernels;
  for (const std::vector<gnp::index_t>& shape : {std::vector<gnp::index_t>{4096}, {37, 64}}) {
    kernels.push_back(several_kernel("floats and truth", shape, x * 2.0F + y, x > y, gnp::sqrt(y)));
    kernels.push_back(several_kernel("halves and complex numbers", shape, h + 1, z * z, h.astype<double>()));
  }
  const gnp::array<std::uint8_t> bytes;
  const gnp::array<std::uint32_t> words;
  const gnp::array<std::int64_t> longs;
  kernels.push_back(several_kernel("integers", {4096}, words + 1U, longs * 2, bytes + bytes));
  // Rows that begin anywhere.
  kernels.push_back(several_kernel("shifted integers", {37, 63}, longs + 1, longs * 2));
  kernels.push_back(several_kernel("shifted floats", {37, 63}, x * 2.0F + y, gnp::sqrt(y), x - y));
  kernels.push_back(several_kernel("shifted halves", {37, 63}, h + 1, h * h));
  CHECK(has(kernels.back(), "struct surroundings"));
  // Components of vectors, four of them and two.
  const gnp::array<float> u, v;
  const gnp::array<std::int8_t> a, b, c, d;
  kernels.push_back(records_kernel("records of floats", {4096}, 4, x * y - u * v, x, u + v, y - u));
  CHECK(
      (has(kernels.back(), "store_record<float, 4, 0>") && has(kernels.back(), "loaded_record<float, 4, 1>")));
  kernels.push_back(records_kernel("records of halves", {37, 64}, 2, h + h * h, h * 2));
  CHECK(has(kernels.back(), "store_record<half, 2, 0>"));
  kernels.push_back(records_kernel("records of bytes", {4096}, 4, a / b, c + d, a - c, d));
  CHECK(has(kernels.back(), "loaded_record<signed char, 4, 1>"));
  check_all(kernels, {75, 90, 120});
}

namespace {

/// The kernel of statements that a graph joins.
class joined {
 public:
  /// Adds to = x. False if it cannot be joined with those before.
  template <class T, class X>
  bool add(const gnp::array<T>& to, const X& x) {
    return with_job_into(to, x, [this](gnp::detail::job& j) {
      if (!all_) {
        all_.emplace(j, nullptr);
        return true;
      }
      if (!all_->bring_to_one_shape(j) || !all_->may_join(j)) return false;
      all_->add(j);
      return true;
    });
  }

  kernel text(const char* what) {
    all_->forget_unreadable();
    gnp::detail::joined_job made(*all_);
    REQUIRE(made.plan());
    return {what, made.text()};
  }

 private:
  std::optional<gnp::detail::joined_statements> all_;
};

std::size_t count(const kernel& k, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = k.program.source.find(part); at != std::string::npos;
       at = k.program.source.find(part, at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("joined statements compile, and store what can be read") {
  if (nvrtc_is_missing()) return;
  const gnp::use_device cpu(gnp::device::cpu());
  std::vector<kernel> kernels;
  {
    // The same elements again and again: the last statement's are stored.
    const gnp::array<float> x = gnp::ones<float>(64), y = gnp::zeros<float>(64);
    joined in_place;
    for (int k = 0; k < 3; ++k) {
      CHECK(in_place.add(y, x * 2.0F + y));
      CHECK(in_place.add(y, y - 1.0F));
    }
    kernels.push_back(in_place.text("in place"));
    CHECK(has(kernels.back(), "return w5;"));
    CHECK(!has(kernels.back(), "return w4;"));
    CHECK(has(kernels.back(), "constexpr int constants = 2;"));
    CHECK(has(kernels.back(), "constexpr int slots = 3;"));
  }
  {
    // Temporaries that are gone, and one that is still there.
    const gnp::array<double> x = gnp::ones<double>({6, 10}), row = gnp::ones<double>(10);
    const gnp::array<double> end = gnp::zeros<double>({6, 10});
    joined body;
    gnp::array<bool> kept;
    {
      const gnp::array<double> twice = gnp::empty<double>({6, 10});
      const gnp::array<bool> is_large = gnp::empty<bool>({6, 10});
      CHECK(body.add(twice, x + x));
      CHECK(body.add(is_large, twice > row));  // two axes from here on
      CHECK(body.add(end, gnp::where(is_large, twice, -row)));
      kept = is_large;
      CHECK(!body.add(end(gnp::slice(0, 3)), twice(gnp::slice(3, 6)) * 2.0));  // elements of other rows
    }
    kernels.push_back(body.text("with temporaries"));
    CHECK(has(kernels.back(), "return all_results{w1, w2};"));
    CHECK(count(kernels.back(), "    pack<bool> result_0;") == 1);
    CHECK(count(kernels.back(), "    pack<double> result_1;") == 1);
    CHECK(count(kernels.back(), "const double w0 = ") == 1);
  }
  {
    // What only a statement reads whose result is gone is not read at all.
    const gnp::array<float> x = gnp::ones<float>(64), y = gnp::ones<float>(64), end = gnp::zeros<float>(64);
    joined dead;
    CHECK(dead.add(gnp::empty<float>(64), x + y));
    CHECK(dead.add(end, x * 2.0F));
    kernels.push_back(dead.text("with a dead statement"));
    CHECK(has(kernels.back(), "constexpr int slots = 2;"));
    CHECK(!has(kernels.back(), "w1 ="));
  }
  {
    const gnp::array<gnp::half> h = gnp::ones<gnp::half>({37, 65})(gnp::all, gnp::slice(1, 64));
    const gnp::array<gnp::half> to = gnp::ones<gnp::half>({37, 63});
    const gnp::array<gnp::complex64> z = gnp::ones<gnp::complex64>({37, 63});
    joined shifted;
    CHECK(shifted.add(to, h * 2));
    CHECK(shifted.add(to, exp(to)));
    kernels.push_back(shifted.text("shifted halves"));
    CHECK(has(kernels.back(), "struct surroundings"));
    joined complex;
    CHECK(complex.add(z, z * z));
    CHECK(complex.add(to, gnp::abs(z).astype<gnp::half>()));
    kernels.push_back(complex.text("complex numbers and halves"));
  }
  {
    const gnp::array<std::int32_t> a = gnp::ones<std::int32_t>({40, 30}), t = gnp::ones<std::int32_t>({30, 40});
    joined turned;
    CHECK(turned.add(a, t.T() + 1));
    CHECK(turned.add(a, a * a));
    kernels.push_back(turned.text("transposed"));
    CHECK(has(kernels.back(), "struct tile"));
  }
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("quotients of small integers compile") {
  if (nvrtc_is_missing()) return;
  const gnp::array<std::uint8_t> bytes;
  const gnp::array<float> x;
  kernel_plan plan;
  plan.rank = plan.inputs = 1;
  plan.slots = 2;
  plan.slot_of[0] = 1;
  plan.access.fill(gnp::detail::lane_access::run);
  std::vector<kernel> kernels;
  const auto add = [&](const auto& quotient, bool reciprocal) {
    using quotient_type = std::remove_cvref_t<decltype(quotient)>;
    kernels.push_back({"a quotient", kernel_source(gnp::detail::code_of<quotient_type>, plan)});
    CHECK(has(kernels.back(), "small_over<") == reciprocal);
  };
  plan.numbers.divisors = 1;  // the first number, as a float
  add(bytes.astype<float>() / 255.0F, true);
  add(bytes.astype<float>() / 255, true);
  add(bytes / 255.0, false);  // divides doubles
  add(x / 255.0F, false);
  add(gnp::array<std::int32_t>().astype<float>() / 255.0F, false);
  add((bytes + std::uint8_t{1}).astype<float>() / 255.0F, false);  // the 255 is the second number
  plan.numbers.divisors = 1 << (gnp::detail::most_noted_numbers + 1);
  add((bytes + std::uint8_t{1}) / 255.0, true);
  // Of a kernel that computes much of what it reads: any float by what is one number for all of them.
  plan.reads_little = true;
  const auto add_one_number = [&](const auto& quotient, bool one_number) {
    using quotient_type = std::remove_cvref_t<decltype(quotient)>;
    kernels.push_back({"by one number", kernel_source(gnp::detail::code_of<quotient_type>, plan)});
    CHECK(has(kernels.back(), "over_one_number(x, y)") == one_number);
  };
  add_one_number(x / 255.0F, true);
  add_one_number(exp(x) / 255.0F + 1.0F, true);
  add_one_number(255.0F / x, false);
  add_one_number(2.0F / square(x), false);
  add_one_number(gnp::array<double>() / 3.0, false);
  check_all(kernels, {75, 90, 120});
}

TEST_CASE("a refused kernel is noticed") {
  if (nvrtc_is_missing()) return;
  const std::vector<kernel> nonsense{
      {"nonsense", std::string("extern \"C\" __global__ void k() { nonsense(); }")}};
  CHECK(refused(compilations(nonsense, all_architectures)).size() == all_architectures.size());
}

}  // namespace

TEST_CASE("machine code that is made in less time is refused for what any is refused for") {
  if (nvrtc_is_missing()) return;
  const auto refusal = [](const std::string& body, int architecture) -> std::string {
    const std::string declared = "extern \"C\" __device__ int elsewhere(int);\n";
    try {
      return refusal_of_code(declared + "extern \"C\" __global__ void gnp_kernel(int* out) { " + body + " }",
                             architecture);
    } catch (const gnp::compile_error& e) {
      return e.what();
    }
  };
  for (const int architecture : all_architectures) {
    CHECK(refusal("*out = 1;", architecture).empty());
    CHECK_THAT(refusal("*out = one;", architecture), contains("\"one\" is undefined"));
    CHECK_THAT(refusal("asm volatile(\"no.such %0;\" :: \"r\"(1));", architecture), contains("ptxas"));
    CHECK_THAT(refusal("*out = elsewhere(3);", architecture), contains("Unresolved extern function"));
    CHECK_THAT(
        refusal("__shared__ int x[75000]; x[threadIdx.x] = 1; __syncthreads(); *out = x[5];", architecture),
        contains("too much shared data"));
    const std::string newer = refusal("asm volatile(\"griddepcontrol.wait;\");", architecture);
    CHECK(newer.empty() == (architecture >= 90));
  }
}

#else

TEST_CASE("kernel texts") { std::puts("skipped: compiled without the CUDA headers"); }

#endif
