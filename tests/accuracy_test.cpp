// SPDX-License-Identifier: MIT
// test: no-asan, timeout=600, optimised
// Sums, means and variances of data that are hard for floats: no further from the truth than NumPy's, the same
// bits each time and with any number of threads.
#include "devices.hpp"
#include "reductions_golden.hpp"

namespace {

using gnp::array;
using gnp::index_t;

/// make_accuracy.py's values().
template <class T>
T value_of(const std::string& set, index_t i) {
  const auto whole = static_cast<double>(reductions::mixed(0, static_cast<std::uint64_t>(i)) >> 40);  // 24 bits
  constexpr bool single = sizeof(T) == 4;
  const double large = single ? 1e8 : 1e16;
  const double cancelling[] = {large, 1, -large, 1};
  const double value =
      set == "tenths"            ? 0.1
      : set == "alternating"     ? (i % 2 == 0 ? large : 1)
      : set == "cancelling"      ? cancelling[i % 4]
      : set == "one_large_first" ? (i == 0 ? large : 1)
      : set == "magnitudes"      ? std::ldexp(whole / 0x1p24 - 0.5, static_cast<int>(i * 7 % 41 - 20))
      : set == "far_from_zero"   ? 1e8 + std::fmod(std::floor(whole / 0x1p20), 2) * (single ? 16 : 2)
      : set == "offset"          ? 10000 + std::floor(whole / 0x1p14) / 1024
      : set == "constant"        ? 123.456
                                 : whole / 0x1p24;
  return gnp::scalar::cast<T>(value);
}

struct line {
  std::string function;
  std::string set;
  std::string dtype;
  index_t rows;
  index_t columns;
  int axis;
  double truth;
  double numpy_error;
};

/// The set as an array that the reduction runs over: one column or row of it for each output.
template <class T>
array<T> data_of(const line& l, bool transposed) {
  const index_t count = l.columns == 1 || l.axis == 0 ? l.rows : l.columns;
  const index_t outputs = l.columns == 1 ? 1 : l.axis == 0 ? l.columns : l.rows;
  gnp::host_array<T> values({count});
  for (index_t i = 0; i < count; ++i) values[i] = value_of<T>(l.set, i);
  const array<T> one = gnp::asarray(values);
  if (l.columns == 1) return one;
  // In memory either all of an output together, or the outputs side by side.
  const bool outputs_first = (l.axis == 1) != transposed;
  const array<T> table = outputs_first ? gnp::broadcast_to(one, {outputs, count}).copy()
                                       : gnp::broadcast_to(one.reshape(count, 1), {count, outputs}).copy();
  return outputs_first == (l.axis == 1) ? table : table.T();
}

template <class T, class X>
array<T> reduced(const line& l, const X& x) {
  if (l.function == "sum") return gnp::sum(x, {.axis = l.axis});
  if (l.function == "mean") return gnp::mean(x, {.axis = l.axis});
  if (l.function == "var") return gnp::var(x, {.axis = l.axis});
  return gnp::std(x, {.axis = l.axis});
}

template <class T>
void check_line(const line& l) {
  constexpr double eps = sizeof(T) == 2 ? 0x1p-10 : sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
  const bool is_sum = l.function == "sum" || l.function == "mean";
  // NumPy's error is sometimes nothing, by luck: two units in the last place are always fine. Where a few
  // elements outweigh the rest, the units are those of the sum of magnitudes, and 16 additions of half a unit
  // each may be lost.
  double scale = std::abs(l.truth);
  double units = 2;
  if (l.set == "magnitudes" || l.set == "one_large_first") {
    const index_t count = l.columns == 1 || l.axis == 0 ? l.rows : l.columns;
    scale = 0;
    units = 8;
    for (index_t i = 0; i < count; ++i) scale += std::abs(static_cast<double>(value_of<T>(l.set, i)));
    if (l.function == "mean") scale /= static_cast<double>(count);
  }
  const double ulp = scale == 0 ? 0 : std::ldexp(eps, std::ilogb(scale));
  const double allowed = is_sum ? std::max(1.00001 * l.numpy_error, units * ulp) : 64 * eps * l.truth;
  for (const bool transposed : {false, true}) {
    const array<T> x = data_of<T>(l, transposed);
    const gnp::host_array<T> got = gnp::asnumpy(reduced<T>(l, x));
    for (index_t i = 0; i < got.size(); ++i) {
      const auto value = static_cast<double>(got[i]);
      const bool overflows = sizeof(T) == 2 && l.truth > 65520;
      const bool right = overflows ? std::isinf(value) : std::abs(value - l.truth) <= allowed;
      INFO(l.function << " of " << l.set << " " << l.dtype << " (" << l.rows << ", " << l.columns << ") axis "
                      << l.axis << (transposed ? " transposed" : "") << ": " << golden::describe(got[i])
                      << ", truth " << golden::describe(l.truth) << ", error "
                      << golden::describe(std::abs(value - l.truth)) << ", NumPy's "
                      << golden::describe(l.numpy_error) << ", allowed " << golden::describe(allowed));
      CHECK(right);
    }
  }
}

std::vector<line> lines() {
  std::vector<line> all;
  for (const std::string& text : golden::split(golden::read_file("accuracy.txt"), "\n")) {
    if (text.empty()) continue;
    const auto w = golden::split(text, " ");
    all.push_back({w.at(0), w.at(1), w.at(2), std::stoll(w.at(3)), std::stoll(w.at(4)), std::stoi(w.at(5)),
                   std::stod(w.at(6)), std::stod(w.at(7))});
  }
  return all;
}

}  // namespace

TEST_CASE("accuracy: sums and variances are as near the truth as NumPy's, or nearer") {
  const std::vector<line> all = lines();
  REQUIRE(all.size() > 100);
  for_each_device([&](gnp::device) {
    for (const line& l : all) {
      if (l.dtype == "float32") check_line<float>(l);
      if (l.dtype == "float64") check_line<double>(l);
      if (l.dtype == "float16") check_line<gnp::half>(l);
    }
  });
}

TEST_CASE("accuracy: two runs, and any number of threads, give the same bits") {
  const int threads = gnp::get_num_threads();
  for_each_device([&](gnp::device where) {
    for (const line& l : lines()) {
      if (l.dtype != "float32" || (l.set != "random" && l.set != "magnitudes")) continue;
      const array<float> x = data_of<float>(l, false);
      const auto bits = [&] { return reductions::on_host(reduced<float>(l, x)).bytes; };
      const std::string first = bits();
      CHECK(bits() == first);
      for (int count = 1; count <= 3 && where.is_cpu(); ++count) {
        gnp::set_num_threads(count);
        CHECK(bits() == first);
      }
      gnp::set_num_threads(threads);
    }
  });
}
