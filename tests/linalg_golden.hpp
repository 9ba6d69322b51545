// SPDX-License-Identifier: MIT
// Linear algebra beside NumPy's, one element type at a time; tests/golden/make_linalg.py says what a line is.
#pragma once

#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace linalg_golden {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;
using number = std::complex<double>;
namespace linalg = gnp::linalg;

/// How far an element may be from NumPy's: so many eps times the line's scale. LIMIT of make_linalg.py.
inline constexpr double limit = 8;

struct values {
  shape_t shape;
  std::vector<number> elements;
};

struct expected : values {
  std::string dtype, comparison;
  double scale = 0;
};

struct line {
  std::string text, function, dtype;
  std::map<std::string, std::string> arguments;
  std::vector<values> operands;
  std::vector<expected> results;
  bool error = false;

  /// The text of an argument; "" where the line has none of that name.
  std::string argument(const std::string& name) const {
    const auto found = arguments.find(name);
    return found == arguments.end() ? "" : found->second;
  }
  std::optional<double> number_argument(const std::string& name) const {
    const std::string value = argument(name);
    return value.empty() ? std::nullopt : std::optional<double>(std::stod(value));
  }
};

inline std::vector<number> parse_elements(const std::string& text) {
  std::vector<number> elements;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const double real = std::strtod(at, &end);
    double imaginary = 0;
    if (*end == ',') imaginary = std::strtod(end + 1, &end);
    elements.emplace_back(real, imaginary);
    at = *end == ' ' ? end + 1 : end;
  }
  return elements;
}

inline expected parse_result(const std::string& text) {
  const auto parts = golden::split(text, ":");
  expected e;
  e.shape = golden::parse_shape(parts.at(0));
  e.dtype = parts.at(1);
  e.comparison = parts.at(2);
  e.scale = std::stod(parts.at(3));
  e.elements = parse_elements(parts.at(4));
  return e;
}

inline std::vector<line> read_lines() {
  std::vector<values> operands;
  std::vector<line> lines;
  for (const std::string& text : golden::split(golden::read_file("linalg.txt"), "\n")) {
    if (text.empty()) continue;
    const auto fields = golden::split(text, ";");
    if (fields.at(0) == "operand") {
      const auto parts = golden::split(fields.at(1), ":");
      operands.push_back({golden::parse_shape(parts.at(0)), parse_elements(parts.at(1))});
      continue;
    }
    line l;
    l.text = text;
    l.function = fields.at(0);
    l.dtype = fields.at(2);
    if (!fields.at(1).empty()) {
      for (const std::string& argument : golden::split(fields.at(1), ",")) {
        const auto parts = golden::split(argument, "=");
        l.arguments[parts.at(0)] = parts.at(1);
      }
    }
    for (const index_t which : golden::parse_shape(fields.at(3))) {
      l.operands.push_back(operands.at(static_cast<std::size_t>(which)));
    }
    l.error = fields.at(4) == "error";
    if (!l.error) {
      for (const std::string& result : golden::split(fields.at(4), "|"))
        l.results.push_back(parse_result(result));
    }
    lines.push_back(l);
  }
  return lines;
}

template <class T>
bool is_for(const line& l) {
  if (l.dtype == gnp::name(gnp::dtype_of<T>)) return true;
  return l.dtype == (golden::is_complex_v<T> ? "complex" : golden::is_float_v<T> ? "real" : "");
}

template <class T>
array<T> operand(const values& v) {
  gnp::host_array<T> host(v.shape);
  for (std::size_t i = 0; i < v.elements.size(); ++i) {
    if constexpr (golden::is_complex_v<T>) {
      host.data()[i] = T(v.elements[i]);
    } else {
      host.data()[i] = static_cast<T>(v.elements[i].real());
    }
  }
  return gnp::asarray(host);
}

/// The same elements in memory with gaps, the last axis backwards.
template <class T>
array<T> spread(const array<T>& a) {
  if (a.ndim() == 0) return a;
  shape_t shape = a.shape();
  shape[shape.size() - 1] *= 2;
  const array<T> view = gnp::zeros<T>(shape)(gnp::ellipsis, gnp::slice(gnp::none, gnp::none, 2))(
      gnp::ellipsis, gnp::slice(gnp::none, gnp::none, -1));
  view.assign(a);
  return view;
}

/// Elements at a distance in a result: a row or a column of a matrix.
struct vector_of {
  std::vector<number>& all;
  index_t begin, step, size;
  number& operator[](index_t i) const { return all[static_cast<std::size_t>(begin + i * step)]; }
};

/// Calls f(got, want) for each row, or each column, of the matrices.
template <class F>
void for_each_vector(const shape_t& shape, bool columns, std::vector<number>& got, std::vector<number>& want,
                     const F& f) {
  const index_t rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  const index_t wide = shape[shape.size() - 1];
  const index_t count = static_cast<index_t>(got.size());
  for (index_t matrix = 0; matrix < count; matrix += rows * wide) {
    for (index_t i = 0; i < (columns ? wide : rows); ++i) {
      const index_t begin = matrix + i * (columns ? 1 : wide);
      const index_t step = columns ? wide : 1;
      const index_t size = columns ? rows : wide;
      f(vector_of{got, begin, step, size}, vector_of{want, begin, step, size});
    }
  }
}

inline void turn_to(const vector_of& got, const vector_of& want) {
  number inner = 0;
  for (index_t i = 0; i < got.size; ++i) inner += std::conj(want[i]) * got[i];
  if (std::abs(inner) == 0) return;
  const number phase = std::conj(inner) / std::abs(inner);
  for (index_t i = 0; i < got.size; ++i) got[i] *= phase;
}

inline void order_as(const vector_of& got, const vector_of& want) {
  for (index_t i = 0; i < got.size; ++i) {
    index_t nearest = i;
    for (index_t j = i; j < got.size; ++j) {
      if (std::abs(got[j] - want[i]) < std::abs(got[nearest] - want[i])) nearest = j;
    }
    std::swap(got[i], got[nearest]);
  }
}

/// Checks the results of one call in their order.
class checker {
 public:
  checker(const line& l, double eps) : line_(l), eps_(eps) {}

  template <class R>
  void operator()(const array<R>& result) {
    REQUIRE(next_ < line_.results.size());
    expected want = line_.results[next_++];
    INFO("result " << next_);
    const bool is_single = eps_ > 1e-10;
    const std::string dtype = !is_single                   ? want.dtype
                              : want.dtype == "float64"    ? "float32"
                              : want.dtype == "complex128" ? "complex64"
                                                           : want.dtype;
    CHECK(gnp::name(gnp::dtype_of<R>) == dtype);
    CHECK(result.shape() == want.shape);
    if (result.shape() != want.shape) return;
    const auto host = gnp::asnumpy(result);
    std::vector<number> got(host.begin(), host.end());
    REQUIRE(got.size() == want.elements.size());
    if (!want.comparison.empty()) {
      for_each_vector(want.shape, want.comparison == "columns", got, want.elements,
                      want.comparison == "set" ? order_as : turn_to);
    }
    const double allowed = std::is_integral_v<R> ? 0 : limit * eps_ * want.scale;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const number w = want.elements[i];
      if (got[i] == w || std::abs(got[i] - w) <= allowed) continue;
      INFO("element " << i << ": " << got[i] << ", NumPy: " << w << ", allowed: " << allowed);
      CHECK(++wrong == 0);
    }
  }
  void operator()(index_t rank) { (*this)(gnp::full<index_t>({}, rank)); }

  bool complete() const { return next_ == line_.results.size(); }

 private:
  const line& line_;
  double eps_;
  std::size_t next_ = 0;
};

inline linalg::norm_order order_of(const std::string& text) {
  if (text.empty()) return gnp::none;
  if (text == "fro" || text == "nuc") return text.c_str();
  return std::stod(text);
}

/// Runs a line of one operand, and gives its results to `use`. False for a function that is not known.
template <class T, class Use>
bool run_one(const line& l, const array<T>& a, Use& use) {
  const std::string& f = l.function;
  const bool hermitian = l.argument("hermitian") == "1";
  if (f == "det") {
    use(linalg::det(a));
  } else if (f == "slogdet") {
    const auto d = linalg::slogdet(a);
    use(d.sign);
    use(d.logabsdet);
  } else if (f == "inv") {
    use(linalg::inv(a));
  } else if (f == "cholesky") {
    use(linalg::cholesky(a, {.upper = l.argument("upper") == "1"}));
  } else if (f == "qr") {
    const std::string mode = l.argument("mode");
    const auto d = linalg::qr(a, {.mode = mode});
    if (mode == "complete") {
      use(d.q(gnp::ellipsis, gnp::slice((std::min)(a.shape()[0], a.shape()[1]))));
    } else if (mode == "reduced") {
      use(d.q);
    }
    use(d.r);
  } else if (f == "eigh") {
    const auto d = linalg::eigh(a, {.UPLO = l.argument("UPLO").at(0)});
    use(d.eigenvalues);
    use(d.eigenvectors);
  } else if (f == "eigvalsh") {
    use(linalg::eigvalsh(a, {.UPLO = l.argument("UPLO").at(0)}));
  } else if (f == "eigvals") {
    use(linalg::eigvals(a));
  } else if (f == "svdvals") {
    use(linalg::svdvals(a));
  } else if (f == "pinv") {
    use(linalg::pinv(
        a, {.rcond = l.number_argument("rcond"), .hermitian = hermitian, .rtol = l.number_argument("rtol")}));
  } else if (f == "matrix_rank") {
    use(linalg::matrix_rank(
        a, {.tol = l.number_argument("tol"), .hermitian = hermitian, .rtol = l.number_argument("rtol")}));
  } else if (f == "cond") {
    use(linalg::cond(a, order_of(l.argument("p"))));
  } else if (f == "matrix_power") {
    use(linalg::matrix_power(a, std::stoi(l.argument("n"))));
  } else if (f == "tensorinv") {
    use(linalg::tensorinv(a, std::stoi(l.argument("ind"))));
  } else {
    return false;
  }
  return true;
}

template <class T, class Use>
bool run(const line& l, const std::vector<array<T>>& x, Use& use) {
  if (x.size() == 1) return run_one(l, x[0], use);
  if (l.function == "multi_dot") {
    use(linalg::multi_dot(x));
  } else if (l.function == "solve") {
    use(linalg::solve(x.at(0), x.at(1)));
  } else if (l.function == "lstsq") {
    const auto fit = linalg::lstsq(x.at(0), x.at(1), {.rcond = l.number_argument("rcond")});
    use(fit.x);
    use(fit.residuals);
    use(fit.rank);
    use(fit.s.compute());
  } else if (l.function == "tensorsolve") {
    const std::string axes = l.argument("axes");
    shape_t moved;
    if (!axes.empty()) {
      for (const std::string& axis : golden::split(axes, ":")) moved.push_back(std::stoi(axis));
    }
    use(linalg::tensorsolve(x.at(0), x.at(1),
                            {.axes = axes.empty() ? gnp::axes_t(gnp::none) : gnp::axes_t(moved)}));
  } else {
    return false;
  }
  return true;
}

template <class T>
void check(const std::vector<line>& lines) {
  using precision = std::conditional_t<sizeof(T) == sizeof(gnp::complex64) && golden::is_complex_v<T>, float,
                                       std::conditional_t<std::is_same_v<T, float>, float, double>>;
  std::map<std::string, int> checked;
  for (const line& l : lines) {
    if (!is_for<T>(l)) continue;
    INFO(l.text.substr(0, 300));
    std::vector<array<T>> operands;
    for (const values& v : l.operands) operands.push_back(operand<T>(v));
    if (const auto times = l.number_argument("times")) operands[0] *= static_cast<T>(*times);
    for (const bool strided : {false, true}) {
      INFO(gnp::name(gnp::dtype_of<T>) << (strided ? ", in memory with gaps" : ""));
      std::vector<array<T>> x = operands;
      if (strided) {
        for (array<T>& a : x) a = spread(a);
      }
      if (l.error) {
        const auto ignore = [](const auto&) {};
        CHECK_THROWS_AS(run(l, x, ignore), gnp::error);
        continue;
      }
      checker use(l, std::numeric_limits<precision>::epsilon());
      CHECK(run(l, x, use));
      CHECK(use.complete());
      // What was given is as it was.
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(gnp::array_equal(x[i], operands[i]));
    }
    ++checked[l.function];
  }
  CHECK(checked.size() == 18);
  for (const auto& [function, count] : checked) {
    INFO(function);
    CHECK(count >= 5);
  }
}

}  // namespace linalg_golden
