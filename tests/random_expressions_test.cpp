// SPDX-License-Identifier: MIT
// test: timeout=900
// Expressions of random shapes, strides and element types, into new arrays and into random views of old ones,
// against a plain loop over the same memory on the host that knows nothing of gnp's layouts.
#include <functional>

#include "random_views.hpp"

namespace {

using namespace random_views;

/// One kind of expression: `expression` makes it of arrays, `plain` computes one element on the host.
template <class Expression, class Plain, class... T>
class kind {
 public:
  kind(const char* name, Expression expression, Plain plain, double tolerance)
      : name_(name), expression_(expression), plain_(plain), tolerance_(tolerance) {}

  /// Empty, or what was wrong.
  std::string operator()(unsigned seed) const {
    generator random(seed);
    const sizes shape = random_shape(random);
    const auto operands = std::tuple<operand<T>...>{random_operand<T>(random, shape)...};
    const std::string wrong = random.one_in(2) ? into_new(shape, operands) : into_view(random, shape, operands);
    if (wrong.empty()) return wrong;
    std::string text = std::string(name_) + ", seed " + std::to_string(seed) + ", shape " +
                       gnp::to_string(to_shape(shape)) + ": " + wrong;
    std::apply([&](const auto&... o) { ((text += "\n  operand " + o.story), ...); }, operands);
    return text;
  }

 private:
  template <class Operands>
  auto result_at(const Operands& operands, const sizes& at) const {
    return std::apply([&](const auto&... o) { return plain_(o.memory[place_of(o, at)]...); }, operands);
  }

  template <class Operands>
  std::string into_new(const sizes&, const Operands& operands) const {
    const auto x = std::apply([&](const auto&... o) { return expression_(o.view...); }, operands);
    const auto result = gnp::asnumpy(x);
    using R = typename decltype(result)::value_type;
    static_assert(std::is_same_v<R, decltype(plain_(std::declval<T>()...))>);
    // The operands' own shapes may be smaller than the one they were made for.
    sizes shape;
    std::apply([&](const auto&... o) { ((shape.resize(std::max(shape.size(), o.shape.size()), 1)), ...); },
               operands);
    std::apply(
        [&](const auto&... o) {
          const auto stretch = [&](const sizes& own) {
            for (std::size_t d = 1; d <= own.size(); ++d) {
              if (own[own.size() - d] != 1) shape[shape.size() - d] = own[own.size() - d];
            }
          };
          (stretch(o.shape), ...);
        },
        operands);
    if (!(result.shape() == to_shape(shape))) return "the result has shape " + gnp::to_string(result.shape());
    std::string wrong;
    for_each_element(shape, [&](index_t i, const sizes& at) {
      const R expected = result_at(operands, at);
      if (wrong.empty() && !same<R>(result[i], expected, tolerance_)) {
        wrong = "new array, element " + std::to_string(i) + " is " + text_of<R>(result[i]) + ", not " +
                text_of<R>(expected);
      }
    });
    return wrong;
  }

  template <class Operands>
  std::string into_view(generator& random, const sizes& shape, const Operands& operands) const {
    using R = decltype(plain_(std::declval<T>()...));
    operand<R> destination = random_view<R>(random, shape, false);
    destination.view(gnp::ellipsis) =
        std::apply([&](const auto&... o) { return expression_(o.view...); }, operands);
    gnp::host_array<R>& expected = destination.memory;
    for_each_element(shape, [&](index_t, const sizes& at) {
      expected[place_of(destination, at)] = result_at(operands, at);
    });
    const gnp::host_array<R> result = gnp::asnumpy(destination.whole);
    for (index_t i = 0; i < expected.size(); ++i) {  // also what is beside the view
      if (!same<R>(result[i], expected[i], tolerance_)) {
        return "written view, element " + std::to_string(i) + " of its base is " + text_of<R>(result[i]) +
               ", not " + text_of<R>(expected[i]) + "\n  destination " + destination.story;
      }
    }
    return "";
  }

  const char* name_;
  Expression expression_;
  Plain plain_;
  double tolerance_;
};

using any_kind = std::function<std::string(unsigned)>;

template <class... T, class Expression, class Plain>
any_kind make(const char* name, Expression expression, Plain plain, double tolerance = 0) {
  return kind<Expression, Plain, T...>(name, expression, plain, tolerance);
}

half to_half(float x) { return half(x); }
bfloat16 to_bfloat16(float x) { return bfloat16(x); }

std::vector<any_kind> all_kinds() {
  const auto itself = [](auto a) { return a; };
  std::vector<any_kind> kinds = {
      // Elements of 1, 2, 4, 8 and 16 bytes, moved only.
      make<std::int8_t>("a int8", itself, itself),
      make<half>("a half", itself, itself),
      make<float>("a float", itself, itself),
      make<double>("a double", itself, itself),
      make<complex128>("a complex128", itself, itself),

      make<float, float>(
          "a + b float", [](auto a, auto b) { return a + b; }, [](float a, float b) { return a + b; }),
      make<std::int8_t, std::int8_t>(
          "a + b int8", [](auto a, auto b) { return a + b; },
          [](std::int8_t a, std::int8_t b) { return static_cast<std::int8_t>(a + b); }),
      make<half, half>(
          "a + b half", [](auto a, auto b) { return a + b; },
          [](half a, half b) { return to_half(static_cast<float>(a) + static_cast<float>(b)); }),
      make<double>(
          "a * 2 + 1 double", [](auto a) { return a * 2 + 1; }, [](double a) { return a * 2 + 1; }),
      make<float, float, float>(
          "a - b * c float", [](auto a, auto b, auto c) { return a - b * c; },
          [](float a, float b, float c) {
            const volatile float product = b * c;  // rounded, also where this file is compiled for FMA
            return a - product;
          }),
      make<double, double>(
          "(a + b) * (a - b) double", [](auto a, auto b) { return (a + b) * (a - b); },
          [](double a, double b) { return (a + b) * (a - b); }),
      make<float, float, float>(
          "where(a > b, a, c) float", [](auto a, auto b, auto c) { return gnp::where(a > b, a, c); },
          [](float a, float b, float c) { return a > b ? a : c; }),
      make<bool, std::int32_t, std::int32_t>(
          "where(a, b, c) int32", [](auto a, auto b, auto c) { return gnp::where(a, b, c); },
          [](bool a, std::int32_t b, std::int32_t c) { return a ? b : c; }),
      make<std::int64_t, std::uint64_t>(
          "a < b int64 uint64", [](auto a, auto b) { return a < b; },
          [](std::int64_t a, std::uint64_t b) { return a < 0 || static_cast<std::uint64_t>(a) < b; }),
      make<float, float>(
          "a >= b float", [](auto a, auto b) { return a >= b; }, [](float a, float b) { return a >= b; }),
      make<std::int16_t>(
          "double of int16", [](auto a) { return a.template astype<double>(); },
          [](std::int16_t a) { return static_cast<double>(a); }),
      make<double>(
          "half of double", [](auto a) { return a.template astype<half>(); },
          [](double a) { return to_half(static_cast<float>(a)); }),
      make<float>(
          "uint8 of float", [](auto a) { return gnp::abs(a).template astype<std::uint8_t>(); },
          [](float a) { return static_cast<std::uint8_t>(a < 0 ? -a : a); }),
      make<std::uint32_t, std::uint32_t, std::uint32_t>(
          "a & ~b | c uint32", [](auto a, auto b, auto c) { return (a & ~b) | c; },
          [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return (a & ~b) | c; }),
      make<bool, bool, bool>(
          "a && !b || c bool", [](auto a, auto b, auto c) { return (a && !b) || c; },
          [](bool a, bool b, bool c) { return (a && !b) || c; }),
      make<std::int32_t, std::int32_t>(
          "a / b int32", [](auto a, auto b) { return a / b; },
          [](std::int32_t a, std::int32_t b) { return static_cast<double>(a) / static_cast<double>(b); }),
      make<bfloat16, bfloat16, bfloat16>(
          "max(a, min(b, c)) bfloat16",
          [](auto a, auto b, auto c) { return gnp::maximum(a, gnp::minimum(b, c)); },
          [](bfloat16 a, bfloat16 b, bfloat16 c) {
            const float x = std::min<float>(b, c);
            return to_bfloat16(std::max<float>(a, x));
          }),
      make<complex64, complex64>(
          "a * b + conj(a) complex64", [](auto a, auto b) { return a * b + gnp::conj(a); },
          [](complex64 a, complex64 b) {
            return complex64(a.real() * b.real() - a.imag() * b.imag() + a.real(),
                             a.real() * b.imag() + a.imag() * b.real() - a.imag());
          },
          1e-6),
      make<std::int32_t, float>(
          "a * b int32 float", [](auto a, auto b) { return a * b; },
          [](std::int32_t a, float b) { return static_cast<double>(a) * static_cast<double>(b); }),
      make<std::uint8_t, half, double>(
          "a * b - c uint8 half double", [](auto a, auto b, auto c) { return a * b - c; },
          [](std::uint8_t a, half b, double c) {
            const half product = to_half(static_cast<float>(a) * static_cast<float>(b));
            return static_cast<double>(product) - c;
          }),
      make<float, float>(
          "sqrt(abs(a)) + b float", [](auto a, auto b) { return gnp::sqrt(gnp::abs(a)) + b; },
          [](float a, float b) { return std::sqrt(std::abs(a)) + b; }),
      make<float, float>(
          "sin(a) * b + a float", [](auto a, auto b) { return gnp::sin(a) * b + a; },
          [](float a, float b) {
            return static_cast<float>(std::sin(static_cast<double>(a)) * static_cast<double>(b) +
                                      static_cast<double>(a));
          },
          1e-4),
      make<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
          "six int64",
          [](auto a, auto b, auto c, auto d, auto e, auto f) { return ((a ^ b) & c) | ((d ^ e) & f); },
          [](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, std::int64_t e, std::int64_t f) {
            return ((a ^ b) & c) | ((d ^ e) & f);
          }),
  };
  return kinds;
}

/// What is wrong of `count` random expressions; empty where nothing is.
std::vector<std::string> failures_of(unsigned count, unsigned first_seed) {
  const std::vector<any_kind> kinds = all_kinds();
  std::vector<std::string> failures;
  for (unsigned i = 0; i < count && failures.size() < 10; ++i) {
    const unsigned seed = first_seed + i;
    std::string wrong;
    try {
      wrong = kinds[i % kinds.size()](seed);
    } catch (const std::exception& e) {
      wrong =
          "kind " + std::to_string(i % kinds.size()) + ", seed " + std::to_string(seed) + " threw: " + e.what();
    }
    if (!wrong.empty()) failures.push_back(wrong);
  }
  return failures;
}

}  // namespace

TEST_CASE("random expressions: as a plain loop computes them") {
  for_each_device([](gnp::device) {
    for (const std::string& wrong : failures_of(sanitized ? 224 : 672, 20240000)) FAIL_CHECK(wrong);
    SUCCEED();
  });
}

TEST_CASE("random expressions: in place, the destination among the operands") {
  for_each_device([](gnp::device) {
    for (unsigned seed = 1; seed <= 150; ++seed) {
      generator random(seed);
      const sizes shape = random_shape(random);
      operand<std::int32_t> x = random_view<std::int32_t>(random, shape, false);
      const operand<std::int32_t> y = random_operand<std::int32_t>(random, shape);
      gnp::array<std::int32_t> view = x.view;
      const index_t how = random.below(4);
      const gnp::host_array<std::int32_t> before = x.memory;
      // Another view of the same shape over the destination's memory: backwards along all axes.
      const gnp::array<std::int32_t> backwards = gnp::flip(view);
      switch (how) {
        case 0:
          view += y.view;
          break;
        case 1:
          view ^= (view & y.view) | 1;
          break;
        case 2:
          view += backwards;
          break;
        default:
          view(gnp::ellipsis) = backwards ^ y.view;
          break;
      }
      for_each_element(shape, [&](index_t, const sizes& at) {
        sizes turned = at;
        for (std::size_t d = 0; d < shape.size(); ++d) turned[d] = shape[d] - 1 - at[d];
        const auto own = static_cast<std::uint32_t>(before[place_of(x, at)]);
        const auto other = static_cast<std::uint32_t>(y.memory[place_of(y, at)]);
        const auto opposite = static_cast<std::uint32_t>(before[place_of(x, turned)]);
        const std::uint32_t result = how == 0   ? own + other
                                     : how == 1 ? own ^ ((own & other) | 1U)
                                     : how == 2 ? own + opposite
                                                : opposite ^ other;
        x.memory[place_of(x, at)] = static_cast<std::int32_t>(result);
      });
      const gnp::host_array<std::int32_t> result = gnp::asnumpy(x.whole);
      const bool right = std::equal(result.begin(), result.end(), x.memory.begin());
      INFO("seed " << seed << ", case " << how << ", shape " << gnp::to_string(to_shape(shape))
                   << "\n  destination " << x.story << "\n  operand " << y.story);
      CHECK(right);
    }
  });
}

TEST_CASE("random expressions: the shapes and layouts are as varied as they should be") {
  int ranks[6] = {};
  int empty = 0;
  int large = 0;
  int negative = 0;
  int repeated = 0;
  int contiguous = 0;
  int transposed = 0;
  const gnp::use_device on_cpu(gnp::device::cpu());
  for (unsigned seed = 0; seed < 1000; ++seed) {
    generator random(seed);
    const sizes shape = random_shape(random);
    ++ranks[shape.size()];
    empty += product(shape) == 0 ? 1 : 0;
    large += product(shape) > 65536 ? 1 : 0;
    if (product(shape) > 20000) continue;
    const operand<std::int8_t> o = random_operand<std::int8_t>(random, shape);
    contiguous += o.view.is_contiguous() ? 1 : 0;
    for (std::size_t d = 0; d < o.shape.size(); ++d) {
      negative += o.strides[d] < 0 ? 1 : 0;
      repeated += o.strides[d] == 0 && o.shape[d] > 1 ? 1 : 0;
      transposed += d > 0 && std::abs(o.strides[d - 1]) < std::abs(o.strides[d]) && o.shape[d] > 1 ? 1 : 0;
    }
  }
  for (const int count : ranks) CHECK(count > 50);
  CHECK(empty > 20);
  CHECK(large > 50);
  CHECK(negative > 50);
  CHECK(repeated > 20);
  CHECK(contiguous > 100);
  CHECK(transposed > 100);
}

TEST_CASE("random expressions: a wrong answer is noticed") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const any_kind wrong =
      make<float, float>("wrong", [](auto a, auto b) { return a + b; }, [](float a, float b) { return a - b; });
  int noticed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) noticed += wrong(seed).empty() ? 0 : 1;
  CHECK(noticed >= 15);
}
