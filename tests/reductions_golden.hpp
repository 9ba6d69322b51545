// SPDX-License-Identifier: MIT
// Runs the records of tests/data/reductions.bin for some element types: every reduction, in every layout an
// input can have, as NumPy's. The programs that include it share out the types.
#pragma once

#include "devices.hpp"
#include "golden.hpp"

namespace reductions {

using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::shape_t;

// ------------------------------------------------------------------------------------------ elements

/// make_reductions.py's mixed().
inline std::uint64_t mixed(std::uint64_t kind, std::uint64_t index) {
  std::uint64_t z = (index + kind * 1000003 + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

inline const std::vector<std::string>& kinds() {
  static const std::vector<std::string> names =
      golden::split("small ties wide fraction factor special gaps nan zeros", " ");
  return names;
}

/// make_reductions.py's reals().
template <class T>
T real(const std::string& kind, std::uint64_t index) {
  const auto at = std::find(kinds().begin(), kinds().end(), kind) - kinds().begin();
  const std::uint64_t bits = mixed(static_cast<std::uint64_t>(at), index);
  const auto draw = [bits](std::uint64_t n) { return static_cast<std::int64_t>((bits >> 33) % n); };
  if constexpr (std::is_same_v<T, bool>) {
    return bits >> 63 != 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (kind == "wide") return static_cast<T>(bits);
    const std::uint64_t n = kind == "ties" ? 5 : 101;
    return static_cast<T>(draw(n) - (std::is_signed_v<T> ? static_cast<std::int64_t>(n / 2) : 0));
  } else {
    constexpr gnp::dtype type = gnp::dtype_of<T>;
    constexpr int digits = type == gnp::dtype::float16    ? 11
                           : type == gnp::dtype::bfloat16 ? 8
                           : type == gnp::dtype::float32  ? 24
                                                          : 53;
    const std::int64_t most = type == gnp::dtype::bfloat16 ? 127 : 1000;
    const double small = static_cast<double>(draw(static_cast<std::uint64_t>(2 * most + 1)) - most) / 16;
    const double fraction = std::ldexp(static_cast<double>(bits >> (64 - digits)), -digits);
    const std::uint64_t low = bits & 31;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const double specials[] = {nan, infinity, -infinity, -0.0, 0.0};
    const double value = kind == "ties"       ? static_cast<double>(draw(5) - 2)
                         : kind == "fraction" ? fraction - 0.25
                         : kind == "factor"
                             ? (low < 16 ? 1 : -1) * (0.75 + std::floor(std::ldexp(fraction, digits - 2)) *
                                                                 std::ldexp(1.0, 1 - digits))
                         : kind == "special" ? (low < 5 ? specials[low] : small)
                         : kind == "gaps"    ? (low < 8 ? nan : small)
                         : kind == "nan"     ? nan
                         : kind == "zeros"   ? (low < 16 ? 0.0 : -0.0)
                                             : small;
    // Exact in T: the conversions, through float where T is shorter, round nothing.
    if constexpr (digits == 53) {
      return value;
    } else {
      return static_cast<T>(static_cast<float>(value));
    }
  }
}

/// An input of the file: what NumPy has reduced, in row-major order.
struct input {
  std::string dtype;
  shape_t shape;
  std::string kind;
  bool repeated = false;  // along axis 0

  template <class T>
  host_array<T> elements() const {
    host_array<T> values(shape);
    const index_t row = values.size() == 0 || shape.rank() == 0 ? 1 : values.size() / shape[0];
    for (index_t i = 0; i < values.size(); ++i) {
      const auto index = static_cast<std::uint64_t>(repeated ? i % row : i);
      if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
        using part = typename T::value_type;
        values[i] = T(real<part>(kind, 2 * index), real<part>(kind, 2 * index + 1));
      } else {
        values[i] = real<T>(kind, index);
      }
    }
    return values;
  }
};

// ------------------------------------------------------------------------------------------ layouts

inline constexpr int layout_count = 7;

/// The values as a view of another memory layout; the elements beside the view would spoil every result.
template <class T>
array<T> in_layout(const host_array<T>& values, int layout, bool repeated) {
  const array<T> plain = gnp::asarray(values);
  const shape_t& shape = values.shape();
  const int rank = shape.rank();
  const auto filled = [&plain](const array<T>& view) {
    view.assign(plain);
    return view;
  };
  const auto base = [](const shape_t& size) {
    if constexpr (std::is_same_v<T, bool>) {
      return gnp::ones<T>(size);
    } else {
      return gnp::full<T>(size, static_cast<T>(77));
    }
  };
  shape_t other = shape;
  std::vector<gnp::index_arg> every(static_cast<std::size_t>(rank), gnp::index_arg(gnp::all));
  switch (layout) {
    case 1:
      std::reverse(other.begin(), other.end());
      return filled(base(other).T());
    case 2:  // every second element
      for (index_t& size : other) size = 2 * size + 1;
      for (auto& index : every) index = gnp::slice(1, gnp::none, 2);
      return filled(base(other).index(every));
    case 3:
      return filled(gnp::flip(base(other)));
    case 4:  // a block of a larger array
      for (index_t& size : other) size += 3;
      for (int d = 0; d < rank; ++d) every[static_cast<std::size_t>(d)] = gnp::slice(2, 2 + shape[d]);
      return filled(base(other).index(every));
    case 5:  // the last axis first in memory, backwards
      if (rank < 2) return plain;
      std::rotate(other.begin(), other.end() - 1, other.end());
      return filled(gnp::flip(gnp::moveaxis(base(other), 0, -1), rank - 1));
    case 6:  // stride 0
      if (!repeated) return plain;
      return gnp::broadcast_to(plain(0).copy(), shape);
    default:
      return plain;
  }
}

// ------------------------------------------------------------------------------------------ calling

struct options {
  gnp::axes_t axis = gnp::none;
  bool keepdims = false;
  bool weights = false;
  bool has_initial = false;
  double initial = 0;
  double ddof = 0;
  int n = 1;
};

struct outcome {
  std::string dtype;
  shape_t shape;
  std::string bytes;
};

template <gnp::array_like X>
outcome on_host(const X& result) {
  using T = typename X::value_type;
  const host_array<T> values = gnp::asnumpy(result);
  return {gnp::name(gnp::dtype_of<T>), values.shape(),
          std::string(reinterpret_cast<const char*>(values.data()),
                      static_cast<std::size_t>(values.size()) * sizeof(T))};
}

/// A call by name. Functions come in families of one signature.
template <class T>
outcome call(const std::string& function, const array<T>& x, const options& o) {
  gnp::sum_options with_initial{.axis = o.axis, .keepdims = o.keepdims};
  if (o.has_initial && gnp::is_integer(gnp::dtype_of<T>)) {
    with_initial.initial = static_cast<int>(o.initial);
  } else if (o.has_initial) {
    with_initial.initial = o.initial;
  }
  const gnp::reduce_options plain{.axis = o.axis, .keepdims = o.keepdims};
  const gnp::var_options with_ddof{.axis = o.axis, .ddof = o.ddof, .keepdims = o.keepdims};
#define GNP_TEST_CALL(name, choice) \
  if (function == #name) return on_host(gnp::name(x, choice))
  GNP_TEST_CALL(sum, with_initial);
  GNP_TEST_CALL(prod, with_initial);
  GNP_TEST_CALL(nansum, with_initial);
  GNP_TEST_CALL(nanprod, with_initial);
  GNP_TEST_CALL(min, with_initial);
  GNP_TEST_CALL(max, with_initial);
  GNP_TEST_CALL(nanmin, with_initial);
  GNP_TEST_CALL(nanmax, with_initial);
  GNP_TEST_CALL(mean, plain);
  GNP_TEST_CALL(nanmean, plain);
  GNP_TEST_CALL(var, with_ddof);
  GNP_TEST_CALL(std, with_ddof);
  GNP_TEST_CALL(nanvar, with_ddof);
  GNP_TEST_CALL(nanstd, with_ddof);
  GNP_TEST_CALL(argmin, plain);
  GNP_TEST_CALL(argmax, plain);
  GNP_TEST_CALL(nanargmin, plain);
  GNP_TEST_CALL(nanargmax, plain);
  GNP_TEST_CALL(any, plain);
  GNP_TEST_CALL(all, plain);
  GNP_TEST_CALL(count_nonzero, plain);
  if constexpr (!std::is_same_v<T, bool>) {
    GNP_TEST_CALL(ptp, plain);
  }
#undef GNP_TEST_CALL
  if (function == "average") {
    if (!o.weights) return on_host(gnp::average(x, plain));
    // 1 + (n * 7 % 5) / 8: as many as x has along the axis, or in all.
    const shape_t shape = o.axis.given() ? shape_t{x.shape(static_cast<int>(o.axis.values()[0]))} : x.shape();
    using W = gnp::type_of<gnp::detail::real_part_of(gnp::dtype_of<gnp::detail::averaged_type<T>>)>;
    host_array<W> weights(shape);
    for (index_t i = 0; i < weights.size(); ++i)
      weights[i] = static_cast<W>(1 + static_cast<float>(i * 7 % 5) / 8);
    return on_host(gnp::average(x, gnp::asarray(weights), plain));
  }
  if (function == "diff") {
    return on_host(gnp::diff(x, {.n = o.n, .axis = static_cast<int>(o.axis.values()[0])}));
  }
  throw std::logic_error("unknown function " + function);
}

// ------------------------------------------------------------------------------------------ comparing

template <class T>
bool is_close(T got, T expected, double tolerance) {
  if constexpr (golden::is_complex_v<T>) {
    const auto nan = [](T z) { return z != z; };
    if (tolerance == 0 && (nan(got) || nan(expected))) return nan(got) && nan(expected);
    return is_close(got.real(), expected.real(), tolerance) && is_close(got.imag(), expected.imag(), tolerance);
  } else if constexpr (golden::is_float_v<T>) {
    const auto g = static_cast<double>(got);
    const auto e = static_cast<double>(expected);
    if (std::isnan(g) || std::isnan(e)) return std::isnan(g) && std::isnan(e);
    return g == e || std::abs(g - e) <= tolerance;
  } else {
    return got == expected;
  }
}

/// A line of the file, and the values after it.
struct record {
  std::string line;
  std::string function;
  options with;
  std::string dtype;  // of the result, or "error"
  shape_t shape;
  std::string error;
  double tolerance = 0;
  std::size_t count = 0;
  golden::block values;
};

/// What of the result is not as in the record; empty if all is.
inline std::string differences(const record& r, const outcome& got) {
  if (got.dtype != r.dtype) return "the result is " + got.dtype + ", NumPy's " + r.dtype;
  if (!(got.shape == r.shape))
    return "the shape is " + gnp::to_string(got.shape) + ", NumPy's " + gnp::to_string(r.shape);
  const golden::block actual{got.dtype, got.bytes};
  const std::size_t size = got.bytes.size() / golden::itemsize(got.dtype);
  std::string text;
  for (std::size_t k = 0; k < r.count; ++k) {
    const std::size_t at = r.count == size ? k : k * (size - 1) / (r.count - 1);
    golden::visit(
        actual, at,
        [&](auto value) {
          using T = decltype(value);
          T expected;
          std::memcpy(static_cast<void*>(&expected), r.values.bytes.data() + k * sizeof(T), sizeof(T));
          if (is_close(value, expected, r.tolerance)) return;
          text += " element " + std::to_string(at) + " is " + golden::describe(value) + ", NumPy's " +
                  golden::describe(expected) + " within " + golden::describe(r.tolerance) + ";";
        },
        golden::all_types{});
  }
  return text;
}

template <class T>
std::string run(const record& r, const array<T>& x) {
  try {
    const outcome got = call(r.function, x, r.with);
    if (r.dtype == "error") return "no error, NumPy has one";
    return differences(r, got);
  } catch (const gnp::index_error& e) {
    return r.error == "index_error" ? "" : std::string("threw index_error: ") + e.what();
  } catch (const gnp::error& e) {
    return r.error == "error" ? "" : std::string("threw: ") + e.what();
  }
}

// ------------------------------------------------------------------------------------------ reading

inline shape_t parse_shape(const std::string& text) {
  return text == "()" ? shape_t{} : golden::parse_shape(text);
}

inline record parse_record(const std::string& line) {
  const auto words = golden::split(line, " ");
  record r;
  r.line = line;
  r.function = words.at(0);
  if (words.at(1) != "-") r.with.axis = gnp::axes_t(parse_shape(words[1]));
  for (const std::string& option : golden::split(words.at(2), ";")) {
    if (option == "k") r.with.keepdims = true;
    if (option == "w") r.with.weights = true;
    if (option[0] == 'n') r.with.n = std::stoi(option.substr(1));
    if (option[0] == 'd') r.with.ddof = std::stod(option.substr(1));
    if (option[0] == 'i') {
      r.with.has_initial = true;
      r.with.initial = std::stod(option.substr(1));
    }
  }
  r.dtype = words.at(3);
  if (r.dtype == "error") {
    r.error = words.at(4);
    return r;
  }
  r.shape = parse_shape(words.at(4));
  r.tolerance = std::stod(words.at(5));
  r.count = std::stoul(words.at(6));
  return r;
}

/// Calls on_input(input) and on_record(record) for the whole file in its order.
template <class OnInput, class OnRecord>
void read(const OnInput& on_input, const OnRecord& on_record) {
  const std::string text = golden::read_file("reductions.bin");
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t end = text.find('\n', position);
    const std::string line = text.substr(position, end - position);
    position = end + 1;
    if (line.rfind("input ", 0) == 0) {
      const auto words = golden::split(line, " ");
      input in{words.at(1), parse_shape(words.at(2)), words.at(3)};
      const std::size_t suffix = in.kind.find("-repeated");
      in.repeated = suffix != std::string::npos;
      in.kind = in.kind.substr(0, suffix);
      on_input(in);
      continue;
    }
    record r = parse_record(line);
    if (r.dtype != "error") {
      const std::size_t size = r.count * golden::itemsize(r.dtype);
      r.values = {r.dtype, text.substr(position, size)};
      position += size + 1;
    }
    on_record(r);
  }
}

/// All records of one element type in every layout, on the current default device; on the GPU, where each may
/// mean a kernel to compile, every fourth record in one of them.
template <class T>
void check_type(gnp::device where) {
  std::vector<array<T>> views;
  input now;
  int count = 0;
  int failures = 0;
  read(
      [&](const input& in) {
        now = in;
        views.clear();
        if (in.dtype != gnp::name(gnp::dtype_of<T>)) return;
        const host_array<T> values = in.elements<T>();
        for (int layout = 0; layout < layout_count; ++layout)
          views.push_back(in_layout(values, layout, in.repeated));
      },
      [&](const record& r) {
        if (views.empty()) return;
        ++count;
        for (int layout = 0; layout < layout_count; ++layout) {
          if (layout == 5 && now.shape.rank() < 2) continue;
          if (layout == 6 && !now.repeated) continue;
          if (!where.is_cpu() && (count % 4 != 0 || layout != count / 4 % layout_count)) continue;
          const std::string wrong = run(r, views[static_cast<std::size_t>(layout)]);
          if (wrong.empty()) continue;
          if (++failures <= 30) {
            FAIL_CHECK(now.dtype << " " << gnp::to_string(now.shape) << " " << now.kind
                                 << (now.repeated ? "-repeated" : "") << ", layout " << layout << ": " << r.line
                                 << ":" << wrong);
          }
        }
      });
  CHECK(count > 200);
  if (failures > 30) FAIL_CHECK("and " << failures - 30 << " more");
}

template <class... T>
void check_types(golden::types<T...>) {
  for_each_device([](gnp::device where) { (check_type<T>(where), ...); });
}

}  // namespace reductions
