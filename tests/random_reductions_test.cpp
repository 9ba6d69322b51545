// SPDX-License-Identifier: MIT
// test: timeout=900
// Reductions of random shapes, strides, axes and element types, of arrays and of expressions, against a plain
// loop over the same memory on the host that knows nothing of gnp's layouts.
#include <functional>

#include "random_views.hpp"

namespace {

using namespace random_views;

/// Random axes of a shape: none at all, one, or several, some counted from the end.
struct axes_choice {
  gnp::axes_t axis = gnp::none;
  std::vector<bool> chosen;
  std::string text = "all";

  axes_choice(generator& random, int rank, bool one_at_most) : chosen(static_cast<std::size_t>(rank), true) {
    if (rank == 0 || random.one_in(4)) return;
    gnp::shape_t list;
    chosen.assign(chosen.size(), false);
    const index_t only = random.below(rank);
    for (index_t d = 0; d < rank; ++d) {
      if (one_at_most ? d != only : !random.one_in(2)) continue;
      chosen[static_cast<std::size_t>(d)] = true;
      list.push_back(random.one_in(3) ? d - rank : d);
    }
    if (random.one_in(2)) std::reverse(list.begin(), list.end());
    axis = gnp::axes_t(list);
    text = gnp::to_string(list);
  }
};

template <class T>
long double number_of(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<long double>(value);
  } else {
    return static_cast<long double>(static_cast<double>(value));
  }
}

/// A function by its plain meaning: a vector of elements to one number.
using plain_function = long double (*)(const std::vector<long double>&);

long double plain_sum(const std::vector<long double>& v) {
  long double total = 0;
  for (const long double x : v) total += x;
  return total;
}
long double plain_size(const std::vector<long double>& v) {
  long double total = 0;
  for (const long double x : v) total += x < 0 ? -x : x;
  return total;
}
long double plain_min(const std::vector<long double>& v) { return *std::min_element(v.begin(), v.end()); }
long double plain_max(const std::vector<long double>& v) { return *std::max_element(v.begin(), v.end()); }
long double plain_argmin(const std::vector<long double>& v) {
  return static_cast<long double>(std::min_element(v.begin(), v.end()) - v.begin());
}
long double plain_argmax(const std::vector<long double>& v) {
  return static_cast<long double>(std::max_element(v.begin(), v.end()) - v.begin());
}
long double plain_any(const std::vector<long double>& v) {
  return std::any_of(v.begin(), v.end(), [](long double x) { return x != 0; }) ? 1 : 0;
}
long double plain_all(const std::vector<long double>& v) {
  return std::all_of(v.begin(), v.end(), [](long double x) { return x != 0; }) ? 1 : 0;
}
long double plain_count(const std::vector<long double>& v) {
  return static_cast<long double>(std::count_if(v.begin(), v.end(), [](long double x) { return x != 0; }));
}
long double plain_mean(const std::vector<long double>& v) {
  return plain_sum(v) / static_cast<long double>(v.size());
}
long double plain_var(const std::vector<long double>& v) {
  const long double mean = plain_mean(v);
  long double squares = 0;
  for (const long double x : v) squares += (x - mean) * (x - mean);
  return squares / static_cast<long double>(v.size());
}

/// How far a result may be from the plain one.
enum class closeness { exact, wrapped, rounded, spread };

template <class Expression, class Element, class Reduction, class... T>
class kind {
 public:
  kind(const char* name, Expression expression, Element element, Reduction reduction, plain_function plain,
       closeness close, bool positions, bool empty)
      : name_(name),
        expression_(expression),
        element_(element),
        reduction_(reduction),
        plain_(plain),
        close_(close),
        positions_(positions),
        empty_(empty) {}

  /// Empty, or what was wrong.
  std::string operator()(unsigned seed) const {
    generator random(seed);
    const sizes target = random_shape(random);
    const auto operands = std::tuple<operand<T>...>{random_operand<T>(random, target)...};
    const auto x = std::apply([&](const auto&... o) { return expression_(o.view...); }, operands);
    sizes shape(x.shape().begin(), x.shape().end());
    const axes_choice axes(random, static_cast<int>(shape.size()), positions_);
    const bool keepdims = random.one_in(2);

    // The result's shape, and of each output its elements in row-major order.
    sizes kept;
    gnp::shape_t expected_shape;
    index_t length = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      kept.push_back(axes.chosen[d] ? 1 : shape[d]);
      length *= axes.chosen[d] ? shape[d] : 1;
      if (!axes.chosen[d] || keepdims) expected_shape.push_back(kept[d]);
    }
    if (length == 0 && !empty_) return "";
    std::vector<std::vector<long double>> outputs(static_cast<std::size_t>(product(kept)));
    for_each_element(shape, [&](index_t, const sizes& at) {
      index_t output = 0;
      for (std::size_t d = 0; d < shape.size(); ++d) output = output * kept[d] + (axes.chosen[d] ? 0 : at[d]);
      outputs[static_cast<std::size_t>(output)].push_back(number_of(
          std::apply([&](const auto&... o) { return element_(o.memory[place_of(o, at)]...); }, operands)));
    });

    const auto result = gnp::asnumpy(reduction_(x, axes.axis, keepdims));
    std::string wrong;
    if (!(result.shape() == expected_shape)) wrong = "the result has shape " + gnp::to_string(result.shape());
    for (index_t i = 0; i < result.size() && wrong.empty(); ++i) {
      const std::vector<long double>& elements = outputs[static_cast<std::size_t>(i)];
      const long double expected = plain_(elements);
      const long double got = number_of(result[i]);
      if (!is_close(result[i], expected, elements)) {
        wrong = "output " + std::to_string(i) + " of " + std::to_string(elements.size()) + " elements is " +
                std::to_string(got) + ", not " + std::to_string(expected);
      }
    }
    if (wrong.empty()) return wrong;
    std::string text = std::string(name_) + ", seed " + std::to_string(seed) + ", shape " +
                       gnp::to_string(to_shape(shape)) + ", axes " + axes.text + ": " + wrong;
    std::apply([&](const auto&... o) { ((text += "\n  operand " + o.story), ...); }, operands);
    return text;
  }

 private:
  template <class R>
  bool is_close(R result, long double expected, const std::vector<long double>& elements) const {
    const long double got = number_of(result);
    const bool both_nan = got != got && expected != expected;
    if (both_nan || got == expected) return true;
    if constexpr (!std::is_integral_v<R>) {
      constexpr long double eps = sizeof(R) == 2   ? (std::is_same_v<R, gnp::half> ? 0x1p-10L : 0x1p-7L)
                                  : sizeof(R) == 4 ? 0x1p-23L
                                                   : 0x1p-52L;
      const long double size = plain_size(elements);
      const auto count = static_cast<long double>(elements.size());
      const long double error = got < expected ? expected - got : got - expected;
      if (close_ == closeness::rounded)
        return error <= eps * (expected < 0 ? -expected : expected) + 4 * (eps < 1e-5L ? eps : 0x1p-23L) * size;
      if (close_ == closeness::spread)
        return error <= 16 * eps * expected + eps * eps * size * size / (count * count);
      return false;
    } else {
      if (close_ != closeness::wrapped) return false;
      std::uint64_t total = 0;
      for (const long double x : elements) total += static_cast<std::uint64_t>(static_cast<std::int64_t>(x));
      return static_cast<std::uint64_t>(result) == total;
    }
  }

  const char* name_;
  Expression expression_;
  Element element_;
  Reduction reduction_;
  plain_function plain_;
  closeness close_;
  bool positions_;
  bool empty_;
};

using any_kind = std::function<std::string(unsigned)>;

#define GNP_TEST_REDUCTION(function)                                      \
  [](const auto& x, const gnp::axes_t& axis, bool keepdims) {             \
    return gnp::function(x, {.axis = axis, .keepdims = keepdims}).eval(); \
  }

/// Every function of this file for one expression.
template <class... T, class Expression, class Element>
void add_kinds(std::vector<any_kind>& kinds, Expression expression, Element element) {
  const auto add = [&](const char* name, auto reduction, plain_function plain, closeness close, bool positions,
                       bool empty) {
    kinds.push_back(kind<Expression, Element, decltype(reduction), T...>(name, expression, element, reduction,
                                                                         plain, close, positions, empty));
  };
  using R = decltype(element(std::declval<T>()...));
  constexpr bool whole = std::is_integral_v<R>;
  add("sum", GNP_TEST_REDUCTION(sum), plain_sum, whole ? closeness::wrapped : closeness::rounded, false, true);
  add("min", GNP_TEST_REDUCTION(min), plain_min, closeness::exact, false, false);
  add("max", GNP_TEST_REDUCTION(max), plain_max, closeness::exact, false, false);
  add("argmin", GNP_TEST_REDUCTION(argmin), plain_argmin, closeness::exact, true, false);
  add("argmax", GNP_TEST_REDUCTION(argmax), plain_argmax, closeness::exact, true, false);
  add("any", GNP_TEST_REDUCTION(any), plain_any, closeness::exact, false, true);
  add("all", GNP_TEST_REDUCTION(all), plain_all, closeness::exact, false, true);
  add("count_nonzero", GNP_TEST_REDUCTION(count_nonzero), plain_count, closeness::exact, false, true);
  add("mean", GNP_TEST_REDUCTION(mean), plain_mean, closeness::rounded, false, true);
  add("var", GNP_TEST_REDUCTION(var), plain_var, closeness::spread, false, false);
}

std::vector<any_kind> all_kinds() {
  std::vector<any_kind> kinds;
  const auto itself = [](auto a) { return a; };
  add_kinds<std::int8_t>(kinds, itself, itself);
  add_kinds<float>(kinds, itself, itself);
  add_kinds<double>(kinds, itself, itself);
  add_kinds<gnp::half>(kinds, itself, itself);
  add_kinds<std::int64_t>(kinds, itself, itself);
  add_kinds<float, float>(kinds, [](auto a, auto b) { return a * b; }, [](float a, float b) { return a * b; });
  add_kinds<std::int32_t, std::int32_t>(
      kinds, [](auto a, auto b) { return a - b; },
      [](std::int32_t a, std::int32_t b) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
      });
  add_kinds<bool, double, float>(
      kinds, [](auto c, auto a, auto b) { return gnp::where(c, a, b); },
      [](bool c, double a, float b) { return c ? a : static_cast<double>(b); });
  return kinds;
}

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

TEST_CASE("random reductions: as a plain loop computes them") {
  for_each_device([](gnp::device where) {
    // On the GPU nearly each of them is a kernel to compile.
    for (const std::string& wrong : failures_of(where.is_cpu() && !sanitized ? 1200 : 480, 20250000)) FAIL_CHECK(wrong);
    SUCCEED();
  });
}

TEST_CASE("random reductions: a wrong answer is noticed") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const auto itself = [](auto a) { return a; };
  const auto reduction = [](const auto& x, const gnp::axes_t& axis, bool keepdims) {
    return gnp::sum(x, {.axis = axis, .keepdims = keepdims});
  };
  const kind<decltype(itself), decltype(itself), decltype(reduction), double> wrong(
      "wrong", itself, itself, reduction, plain_max, closeness::rounded, false, false);
  int noticed = 0;
  for (unsigned seed = 0; seed < 20; ++seed) noticed += wrong(seed).empty() ? 0 : 1;
  CHECK(noticed >= 10);
}
