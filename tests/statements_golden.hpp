// SPDX-License-Identifier: MIT
// Runs the lines of tests/data/statements.txt for some element types: statements with reductions, in every
// layout that operands and destinations can have, as NumPy's. tests/golden/make_statements.py says what a line
// is. The programs that include this share out the types.
#pragma once

#include <utility>

#include "reductions_golden.hpp"

namespace statements {

using gnp::array;
using gnp::host_array;
using gnp::index_t;
using gnp::shape_t;

// ------------------------------------------------------------------------------------------ operands

/// make_statements.py's operands().
template <class T>
T value_at(char operand, index_t i) {
  const index_t a = (i * 37 + i / 101) % 101 - 50;
  const index_t b = (i * 53 + 7 + i / 97) % 97 - 48;
  const bool first = operand != 'y';
  if constexpr (std::is_same_v<T, bool>) {
    return first ? a > 0 : b > 30;
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(first ? a + 50 : b + 48);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(first ? a : b);
  } else {
    const float x = static_cast<float>(a) / 8;
    const float y = static_cast<float>(b) / 16;
    if constexpr (golden::is_complex_v<T>) {
      return first ? T(x, y) : T(y, -x);
    } else {
      if (operand == 'z' && i % 5 == 3) return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
      return static_cast<T>(first ? x : y);
    }
  }
}

template <class T>
array<T> operand(char name, const shape_t& shape, int layout) {
  host_array<T> values(shape);
  T* const to = values.data();
  const index_t count = values.size();
  for (index_t i = 0; i < count; ++i) to[i] = value_at<T>(name, i);
  return reductions::in_layout(values, layout, false);
}

// ------------------------------------------------------------------------------------------ comparing

struct record {
  std::string line;
  std::string statement;
  std::string dtype;
  shape_t shape;
  gnp::axes_t axis = gnp::none;
  bool error = false;
  std::string result_dtype;
  shape_t result_shape;
  double tolerance = 0;
  index_t not_finite = 0;
  std::string sums[2];
  std::string samples;
};

inline record parse(const std::string& line) {
  const auto fields = golden::split(line, ";");
  record r;
  r.line = line;
  r.statement = fields.at(0);
  r.dtype = fields.at(1);
  r.shape = golden::parse_shape(fields.at(2));
  if (fields.at(3) != "-") r.axis = gnp::axes_t(golden::parse_shape(fields.at(3)));
  r.error = fields.at(4) == "error";
  if (r.error) return r;
  r.result_dtype = fields.at(4);
  r.result_shape = golden::parse_shape(fields.at(5));
  r.tolerance = std::stod(fields.at(6));
  r.not_finite = std::stoll(fields.at(7));
  r.sums[0] = fields.at(8);
  r.sums[1] = fields.at(9);
  r.samples = fields.at(10);
  return r;
}

inline bool close(double found, double wanted, double tolerance) {
  if (std::isnan(wanted)) return std::isnan(found);
  return found == wanted || std::abs(found - wanted) <= tolerance;
}

/// What of the elements is not as in the record; empty if all is.
template <class R>
std::string differences(const record& r, const array<R>& result) {
  if (gnp::name(gnp::dtype_of<R>) != r.result_dtype)
    return std::string("the result is ") + gnp::name(gnp::dtype_of<R>);
  if (!(result.shape() == r.result_shape)) return "the shape is " + gnp::to_string(result.shape());
  const host_array<R> host = gnp::asnumpy(result);
  const index_t size = host.size();
  std::istringstream samples(r.samples);
  const index_t count = std::min<index_t>(6, size);
  const auto place = [&](index_t k) { return count > 1 ? k * (size - 1) / (count - 1) : 0; };
  std::string wrong;
  if constexpr (std::is_integral_v<R>) {
    std::uint64_t sums[2] = {};
    for (index_t i = 0; i < size; ++i) {
      sums[0] += static_cast<std::uint64_t>(host[i]);
      sums[1] += static_cast<std::uint64_t>(host[i]) * static_cast<std::uint64_t>(i % 7 + 1);
    }
    for (int k = 0; k < 2; ++k) {
      if (std::to_string(sums[k]) != r.sums[k]) wrong += " checksum " + std::to_string(sums[k]) + ";";
    }
    for (index_t k = 0; k < count; ++k) {
      std::string word;
      samples >> word;
      if (std::to_string(host[place(k)]) != word)
        wrong += " element " + std::to_string(place(k)) + " is " + std::to_string(host[place(k)]) + ";";
    }
  } else {
    constexpr bool is_complex = golden::is_complex_v<R>;
    const auto parts = [](R value, double(&part)[2]) {
      if constexpr (is_complex) {
        part[0] = static_cast<double>(value.real());
        part[1] = static_cast<double>(value.imag());
      } else {
        part[0] = static_cast<double>(value);
        part[1] = 0;
      }
    };
    // Added up in parts, or the checksum's own rounding would show.
    long double sums[2][2] = {};
    long double of_part[2][2] = {};
    index_t not_finite = 0;
    double part[2];
    const auto add_up = [&] {
      for (int k = 0; k < 4; ++k) sums[k / 2][k % 2] += std::exchange(of_part[k / 2][k % 2], 0.0L);
    };
    for (index_t i = 0; i < size; ++i) {
      if (i % 256 == 0) add_up();
      parts(host[i], part);
      if (!std::isfinite(part[0]) || !std::isfinite(part[1])) {
        ++not_finite;
        continue;
      }
      for (int p = 0; p < 2; ++p) {
        of_part[0][p] += static_cast<long double>(part[p]);
        of_part[1][p] += static_cast<long double>(part[p]) * static_cast<long double>(i % 7 + 1);
      }
    }
    add_up();
    if (not_finite != r.not_finite) wrong += " " + std::to_string(not_finite) + " are not finite;";
    // Rounding errors of many elements come to about the root of their number; where elements repeat, to more.
    const auto many = static_cast<double>(size);
    const double of_sums = r.tolerance * (8 + 2 * std::sqrt(many) + many / 80);
    for (int k = 0; k < 2; ++k) {
      std::istringstream wanted(r.sums[k]);
      for (int p = 0; p < (is_complex ? 2 : 1); ++p) {
        std::string word;
        wanted >> word;
        const auto sum = static_cast<double>(sums[k][p]);
        if (!close(sum, std::stod(word), of_sums + 0x1p-52 * std::abs(sum)))  // itself one rounding
          wrong += " checksum " + golden::describe(sum) + " within " + golden::describe(of_sums) + ";";
      }
    }
    for (index_t k = 0; k < count; ++k) {
      parts(host[place(k)], part);
      for (int p = 0; p < (is_complex ? 2 : 1); ++p) {
        std::string word;
        samples >> word;
        if (!close(part[p], std::stod(word), r.tolerance))
          wrong += " element " + std::to_string(place(k)) + " is " + golden::describe(part[p]) + ", not " +
                   word + ";";
      }
    }
  }
  return wrong;
}

/// Where a statement is stored.
enum class into { itself, steps, repeated, its_operand, its_operand_reversed };

/// Runs a statement once for each kind of destination, or for one of them.
template <class T, class X>
std::string check(const record& r, const array<T>& x, const X& statement, into where) {
  using R = typename X::value_type;
  if (!(statement.shape() == r.result_shape)) return "said to be of shape " + gnp::to_string(statement.shape());
  const shape_t& shape = r.result_shape;
  switch (where) {
    case into::steps: {  // every second element, backwards
      shape_t wide = shape;
      for (index_t& size : wide) size = 2 * size + 1;
      const array<R> memory = gnp::zeros<R>(wide);
      const std::vector<gnp::index_arg> every(static_cast<std::size_t>(shape.rank()),
                                              gnp::index_arg(gnp::slice(1, gnp::none, 2)));
      const array<R> view = gnp::flip(memory.index(every));
      view(gnp::ellipsis) = statement;
      const std::string wrong = differences(r, view);
      view(gnp::ellipsis) = gnp::zeros<R>(shape);
      return std::int64_t(gnp::count_nonzero(memory)) == 0 ? wrong : wrong + " wrote beside its destination;";
    }
    case into::repeated: {
      shape_t more = {2};
      for (const index_t size : shape) more.push_back(size);
      const array<R> wide = gnp::zeros<R>(more);
      wide(gnp::ellipsis) = statement;
      return differences(r, array<R>(wide(0))) + differences(r, array<R>(wide(1)));
    }
    case into::its_operand:
    case into::its_operand_reversed:
      if constexpr (std::is_same_v<T, R>) {
        if (x.shape() == shape) {
          const array<T> view = where == into::its_operand ? x : gnp::flip(x);
          view(gnp::ellipsis) = statement;
          return differences(r, view);
        }
      }
      [[fallthrough]];
    default:
      return differences(r, array<R>(statement));
  }
}

// ------------------------------------------------------------------------------------------ statements

/// One way to run a record.
template <class T>
struct trial {
  const record& r;
  into where;
  array<T> x;
  array<T> y;
  array<T> z;
  gnp::reduce_options drop;
  gnp::reduce_options keep;
  gnp::sum_options sum_drop;
  gnp::sum_options sum_keep;
  gnp::var_options var_drop;
  gnp::var_options var_keep;

  trial(const record& of, int layout, into destination) : r(of), where(destination) {
    x = operand<T>('x', r.shape, layout);
    y = operand<T>('y', r.shape, layout == 0 ? 0 : (layout + 2) % reductions::layout_count);
    z = operand<T>('z', r.shape, layout);
    drop.axis = keep.axis = sum_drop.axis = sum_keep.axis = var_drop.axis = var_keep.axis = r.axis;
    keep.keepdims = sum_keep.keepdims = var_keep.keepdims = true;
  }

  template <class X>
  std::string is(const X& statement) const {
    return check(r, x, statement, where);
  }
  auto shifted() const { return exp(x - max(x, sum_keep)); }
  static T number(double value) { return T(static_cast<float>(value)); }
};

template <class T>
std::string run_real(const trial<T>& t) {
  const auto& [r, where, x, y, z, drop, keep, sum_drop, sum_keep, var_drop, var_keep] = t;
  const std::string& s = r.statement;
  if (s == "softmax") return t.is(t.shifted() / sum(t.shifted(), sum_keep));
  if (s == "log_sum_exp_kept") return t.is(log(sum(t.shifted(), sum_keep)) + max(x, sum_keep));
  if (s == "log_sum_exp") return t.is(log(sum(t.shifted(), sum_drop)) + max(x, sum_drop));
  if (s == "layer_norm") {
    const array<T> of_all = y(gnp::slice(0, 1)).copy();
    return t.is((x - mean(x, keep)) / sqrt(var(x, var_keep) + t.number(0.125)) * of_all + of_all);
  }
  if (s == "standardise") return t.is((x - mean(x, keep)) / gnp::std(x, var_keep));
  if (s == "cosine") return t.is(x / sqrt(sum(x * x, sum_keep)));
  if (s == "cross_entropy") {
    return t.is(-sum(abs(y) * (x - max(x, sum_keep) - log(sum(t.shifted(), sum_keep))), sum_drop));
  }
  if (s == "centre_all") return t.is(x - x.mean());
  if (s == "argmax_centred") return t.is(argmax(x - max(x, sum_keep), drop));
  if (s == "where_any") return t.is(gnp::where(any(x > t.number(5), keep), x, -y));
  if (s == "where_all") return t.is(gnp::where(gnp::all(x > t.number(-6), keep), x, y));
  if (s == "sum_of_sums") return t.is(sum(sum(x, sum_drop) * t.number(2) - max(x, sum_drop)));
  if (s == "sum_of_exp") return t.is(sum(t.shifted(), sum_drop));
  if (s == "two_arrays") return t.is(x * mean(y, keep) - y * max(x, sum_keep));
  if (s == "two_sums") return t.is(sum(x, sum_keep) * y - sum(y, sum_keep) * x);
  if (s == "min_max") return t.is((x - min(x, sum_keep)) / (max(x, sum_keep) - min(x, sum_keep)));
  if (s == "nan_centred") return t.is(z - nanmean(z, keep) + nanmax(z, sum_keep));
  if (s == "nan_spread") return t.is(nansum(z, sum_drop) / (nanstd(z, var_drop) + t.number(0.25)));
  if (s == "ptp_and_count") return t.is(ptp(x, drop) + count_nonzero(x, drop));
  if (s == "two_ways")
    return t.is(x - mean(x, 0, {.keepdims = true}) - mean(x, -1, {.keepdims = true}) + mean(x));
  if (s == "columns") return t.is((x - mean(x, 0)) / (gnp::std(x, 0) + t.number(0.25)));
  if (s == "lines_up") return t.is(x - max(x, -1));
  if (s == "ddof") {
    gnp::var_options with_ddof = var_drop;
    with_ddof.ddof = 1;
    return t.is(var(x, with_ddof) / mean(x * x, drop));
  }
  if (s == "initial") {
    gnp::sum_options with_initial = sum_keep;
    with_initial.initial = 3;
    return t.is(max(x, with_initial) * x);
  }
  if (s == "products") return t.is(prod(t.number(1) + x / t.number(64), sum_keep) - sum(y, sum_keep));
  if (s == "furthest") return t.is(max(abs(x - mean(x, keep)), sum_drop));
  if (s == "places") return t.is(argmin(x, keep) + argmax(y, keep));
  throw std::logic_error("unknown statement " + s);
}

template <class T>
std::string run_integer(const trial<T>& t) {
  const auto& [r, where, x, y, z, drop, keep, sum_drop, sum_keep, var_drop, var_keep] = t;
  const std::string& s = r.statement;
  if (s == "centre") return t.is(x - mean(x, keep));
  if (s == "sum_beside") return t.is(sum(x, sum_keep) * x + y);
  if (s == "range") return t.is(max(x, sum_drop) - min(y, sum_drop));
  if (s == "where_any") return t.is(gnp::where(any(x > T(40), keep), x, y));
  if (s == "where_all") return t.is(gnp::where(gnp::all(x > T(0), keep), x, y));
  if (s == "argmax_of") return t.is(argmax(x - min(x, sum_keep), drop));
  if (s == "products") return t.is(prod(x, sum_keep) + sum(y, sum_keep));
  if (s == "sum_of_sums") return t.is(sum(sum(x, sum_drop) * 2 - max(x, sum_drop)));
  if (s == "lines_up") return t.is(x - max(x, -1));
  if (s == "variance") return t.is(mean(x * x, drop) - var(x, var_drop));
  throw std::logic_error("unknown statement " + s);
}

inline std::string run_bool(const trial<bool>& t) {
  const auto& [r, where, x, y, z, drop, keep, sum_drop, sum_keep, var_drop, var_keep] = t;
  const std::string& s = r.statement;
  if (s == "where_any") return t.is(gnp::where(any(x, keep), x, y));
  if (s == "where_all") return t.is(gnp::where(gnp::all(x, keep), x, y));
  if (s == "centre") return t.is(x - mean(x, keep));
  if (s == "sum_beside") return t.is(sum(x, sum_keep) * x + y);
  if (s == "same") return t.is((max(x, sum_drop) == any(y, drop)) & gnp::all(x | y, drop));
  throw std::logic_error("unknown statement " + s);
}

template <class T>
std::string run_complex(const trial<T>& t) {
  const auto& [r, where, x, y, z, drop, keep, sum_drop, sum_keep, var_drop, var_keep] = t;
  const std::string& s = r.statement;
  if (s == "centre") return t.is(x - mean(x, keep));
  if (s == "unit") return t.is(x / sqrt(sum(abs(x) * abs(x), sum_keep)));
  if (s == "correlation") return t.is(sum(x * conj(y), sum_drop) / var(x, var_drop));
  if (s == "largest") return t.is(max(x, sum_keep) - y);
  if (s == "sum_of_sums") return t.is(sum(sum(x, sum_drop) * T(2) - mean(x, drop)));
  if (s == "products") return t.is(prod(T(1) + x / T(64), sum_drop) + sum(y, sum_drop));
  throw std::logic_error("unknown statement " + s);
}

template <class T>
std::string run(const record& r, int layout, into where) {
  try {
    const trial<T> t(r, layout, where);
    const std::string wrong = [&] {
      if constexpr (std::is_same_v<T, bool>) {
        return run_bool(t);
      } else if constexpr (std::is_integral_v<T>) {
        return run_integer(t);
      } else if constexpr (golden::is_complex_v<T>) {
        return run_complex(t);
      } else {
        return run_real(t);
      }
    }();
    return r.error ? "no error, NumPy has one" : wrong;
  } catch (const gnp::error& e) {
    return r.error ? "" : std::string("threw: ") + e.what();
  }
}

/// All records of one element type, each in two layouts and stored in two places; on the GPU, where each may
/// mean a kernel to compile, every third record in one.
template <class T>
void check_type(gnp::device where) {
  const auto lines = golden::split(golden::read_file("statements.txt"), "\n");
  constexpr into places[] = {into::itself, into::steps, into::repeated, into::its_operand,
                             into::its_operand_reversed};
  int count = 0;
  int failures = 0;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    const record r = parse(line);
    if (r.dtype != gnp::name(gnp::dtype_of<T>)) continue;
    ++count;
    for (int k = 0; k < 2; ++k) {
      const int layout = k == 0 ? count % 2 * (count / 2 % 6) : (count + count / 6) % 6;
      const into destination = places[(k + count / 3) % 5];
      if (!where.is_cpu() && (count % 3 != 0 || k == count / 3 % 2)) continue;
      const std::string wrong = run<T>(r, layout, destination);
      if (wrong.empty()) continue;
      if (++failures <= 30) {
        FAIL_CHECK("layout " << layout << ", destination " << static_cast<int>(destination) << ": " << line
                             << ": " << wrong);
      }
    }
  }
  CHECK(count > 20);
  CHECK(failures == 0);
}

}  // namespace statements
