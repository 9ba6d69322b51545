// SPDX-License-Identifier: MIT
// test: no-asan, lapack, timeout=600, optimised
// (Eigen loads complex numbers in ways that the undefined-behaviour sanitizer refuses.)
// matmul against sums written out on the host: every type, layout, stack; what it fuses; what it refuses.
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <gnp/linalg/cpu/lapack/lapack.hpp>
#include <gnp/linalg/product/gemm_kernel.hpp>
#include <gnp/linalg/product/gemm_plan.hpp>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::shape_t;

// -------------------------------------------------------------------------------------------- the reference

template <class T>
using wide = std::conditional_t<gnp::is_complex(gnp::dtype_of<T>), std::complex<double>,
                                std::conditional_t<gnp::is_floating(gnp::dtype_of<T>), double, std::uint64_t>>;

template <class T>
wide<T> widened(T x) {
  if constexpr (std::is_same_v<T, gnp::half> || std::is_same_v<T, gnp::bfloat16>) {
    return static_cast<double>(static_cast<float>(x));
  } else {
    return static_cast<wide<T>>(x);
  }
}

/// An array on the host with the coordinates that broadcasting gives each element.
template <class T>
struct host_stack {
  gnp::host_array<T> values;
  explicit host_stack(const array<T>& a) : values(gnp::asnumpy(a)) {}
  T at(const std::vector<index_t>& batch, index_t i, index_t j) const {
    const shape_t& shape = values.shape();
    const int rank = shape.rank();
    index_t flat = 0;
    const int offset = static_cast<int>(batch.size()) - (rank - 2);
    for (int d = 0; d < rank - 2; ++d) {
      const auto k = static_cast<std::size_t>(d);
      flat = flat * shape[k] + (shape[k] == 1 ? 0 : batch[k + static_cast<std::size_t>(offset)]);
    }
    flat =
        (flat * shape[static_cast<std::size_t>(rank) - 2] + i) * shape[static_cast<std::size_t>(rank) - 1] + j;
    return values[flat];
  }
};

template <class T>
double tolerance() {
  if constexpr (std::is_same_v<T, gnp::half>) return 1e-3;
  if constexpr (std::is_same_v<T, gnp::bfloat16>) return 8e-3;
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, gnp::complex64>) return 2e-6;
  return 4e-15;
}

/// Is c = alpha a b + beta d, for stacks of matrices?
template <class T>
void check_product(const array<T>& c, const array<T>& a, const array<T>& b, double alpha = 1, double beta = 0,
                   const array<T>* d = nullptr) {
  const host_stack<T> left(a), right(b), result(c);
  const host_stack<T> added(d == nullptr ? c : *d);
  const shape_t& shape = c.shape();
  const auto rank = shape.size();
  const index_t k = a.shape().back();
  index_t batches = 1;
  for (std::size_t x = 0; x + 2 < rank; ++x) batches *= shape[x];
  int wrong = 0;
  std::string first;
  for (index_t at = 0; at < batches; ++at) {
    std::vector<index_t> batch(rank - 2);
    index_t rest = at;
    for (std::size_t x = rank - 2; x-- > 0;) {
      batch[x] = rest % shape[x];
      rest /= shape[x];
    }
    for (index_t i = 0; i < shape[rank - 2]; ++i) {
      for (index_t j = 0; j < shape[rank - 1]; ++j) {
        const T got = result.at(batch, i, j);
        bool same = false;
        if constexpr (std::is_same_v<T, bool>) {
          bool expected = false;
          for (index_t x = 0; x < k; ++x)
            expected = expected || (left.at(batch, i, x) && right.at(batch, x, j));
          same = got == expected;
        } else if constexpr (gnp::is_integer(gnp::dtype_of<T>)) {
          std::uint64_t expected = 0;
          for (index_t x = 0; x < k; ++x)
            expected += widened(left.at(batch, i, x)) * widened(right.at(batch, x, j));
          same = got == static_cast<T>(expected);
        } else {
          wide<T> expected(0);
          double scale = 0;
          for (index_t x = 0; x < k; ++x) {
            const auto p = widened(left.at(batch, i, x)) * widened(right.at(batch, x, j));
            expected += p;
            scale += std::abs(p);
          }
          expected *= alpha;
          scale *= std::abs(alpha);
          if (d != nullptr) {
            expected += beta * widened(added.at(batch, i, j));
            scale += std::abs(beta * widened(added.at(batch, i, j)));
          }
          const double limit = tolerance<T>() * std::abs(expected) +
                               (sizeof(T) == 2 ? (d == nullptr ? 1e-6 : tolerance<T>())
                                               : tolerance<T>() * std::sqrt(static_cast<double>(k) + 1)) *
                                   scale +
                               1e-30;
          same = std::abs(widened(got) - expected) <= limit;
        }
        if (!same && wrong++ == 0) {
          first =
              "batch " + std::to_string(at) + ", row " + std::to_string(i) + ", column " + std::to_string(j);
        }
      }
    }
  }
  INFO("shapes " << gnp::to_string(a.shape()) << " " << gnp::to_string(b.shape()) << ", "
                 << gnp::name(c.dtype()));
  INFO(wrong << " wrong, first at " << first);
  CHECK(wrong == 0);
}

// ------------------------------------------------------------------------------------------------- values

std::uint64_t state = 88172645463325252ULL;
std::uint64_t next_random() {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

template <class T>
array<T> random_array(const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (auto& x : host) {
    const auto number = static_cast<double>(next_random() >> 11) / 9007199254740992.0 * 2 - 1;
    if constexpr (std::is_same_v<T, bool>) {
      x = next_random() % 5 == 0;
    } else if constexpr (gnp::is_integer(gnp::dtype_of<T>)) {
      x = static_cast<T>(next_random());
    } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
      using part = typename T::value_type;
      x = T(static_cast<part>(number), static_cast<part>(static_cast<double>(next_random() % 1000) / 500 - 1));
    } else {
      x = static_cast<T>(static_cast<float>(number));
    }
  }
  return gnp::asarray(host);
}

/// Of the sums: on a GPU one for the kernel that makes small products, and one for cuBLAS.
const std::vector<index_t> lengths{21, 140};

/// The same values in another layout.
enum class layout { contiguous, transposed, sliced_rows, sliced_columns, every_second, backwards };
const std::vector<layout> layouts{layout::contiguous,     layout::transposed,   layout::sliced_rows,
                                  layout::sliced_columns, layout::every_second, layout::backwards};

template <class T>
array<T> in_layout(const array<T>& a, layout l) {
  if (a.size() == 0 || a.ndim() < 2) return a;
  const auto rank = a.shape().size();
  shape_t shape = a.shape();
  using gnp::all;
  using gnp::ellipsis;
  using gnp::none;
  using gnp::slice;
  switch (l) {
    case layout::contiguous:
      return a.copy();
    case layout::transposed:
      return gnp::matrix_transpose(gnp::matrix_transpose(a).copy());
    case layout::sliced_rows: {
      shape[rank - 2] += 3;
      array<T> large = random_array<T>(shape);
      array<T> view = large(ellipsis, slice(2, a.shape()[rank - 2] + 2), all);
      view.assign(a);
      return view;
    }
    case layout::sliced_columns: {
      shape[rank - 1] += 5;
      array<T> large = random_array<T>(shape);
      array<T> view = large(ellipsis, all, slice(1, a.shape()[rank - 1] + 1));
      view.assign(a);
      return view;
    }
    case layout::every_second: {
      shape[rank - 1] *= 2;
      array<T> large = random_array<T>(shape);
      array<T> view = large(ellipsis, all, slice(none, none, 2));
      view.assign(a);
      return view;
    }
    case layout::backwards: {
      array<T> copy = a.copy();
      array<T> view = copy(ellipsis, slice(none, none, -1), all);
      view.assign(a);
      return view;
    }
  }
  return a;
}

}  // namespace

TEMPLATE_TEST_CASE("Products of matrices of every type, size and layout", "[matmul]", bool, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, gnp::half, gnp::bfloat16, float, double, gnp::complex64, gnp::complex128) {
  using T = TestType;
  for_each_device([](gnp::device) {
    const std::vector<std::vector<index_t>> sizes{{1, 1, 1},       {2, 3, 4},    {5, 1, 7},     {1, 9, 1},
                                                  {1, 8, 33},      {17, 64, 1},  {64, 64, 64},  {65, 130, 67},
                                                  {3, 700, 5},     {200, 3, 9},  {4, 33, 1100}, {15, 63, 16},
                                                  {16, 64, 17},    {17, 65, 33}, {31, 127, 2},  {128, 128, 128},
                                                  {129, 128, 128}, {2, 129, 2},  {2048, 7, 1}};
    for (const auto& size : sizes) {
      const array<T> a = random_array<T>({size[0], size[1]});
      const array<T> b = random_array<T>({size[1], size[2]});
      const array c = gnp::matmul(a, b);
      CHECK(c.shape() == shape_t{size[0], size[2]});
      CHECK(c.is_contiguous());
      check_product(c, a, b);
    }
    for (const index_t k : lengths) {
      const array<T> a = random_array<T>({13, k});
      const array<T> b = random_array<T>({k, 18});
      for (const layout x : layouts) {
        for (const layout y : layouts) {
          INFO("layouts " << static_cast<int>(x) << " " << static_cast<int>(y));
          check_product<T>(gnp::matmul(in_layout(a, x), in_layout(b, y)), a, b);
        }
        array<T> c = in_layout(random_array<T>({13, 18}), x);
        c(gnp::ellipsis) = gnp::matmul(a, b);
        INFO("destination's layout " << static_cast<int>(x));
        check_product<T>(c, a, b);
      }
    }
  });
}

TEMPLATE_TEST_CASE("Integers times a few columns, in every layout", "[matmul]", std::int8_t, std::uint16_t,
                   std::int32_t, std::int64_t, std::uint64_t) {
  using T = TestType;
  for_each_device([](gnp::device) {
    for (index_t columns = 1; columns <= 5; ++columns) {
      const array<T> a = random_array<T>({13, 21});
      const array<T> b = random_array<T>({21, columns});
      for (const layout x : layouts) {
        for (const layout y : layouts) {
          INFO("layouts " << static_cast<int>(x) << " " << static_cast<int>(y));
          check_product<T>(gnp::matmul(in_layout(a, x), in_layout(b, y)), a, b);
        }
        const array<T> c = in_layout(random_array<T>({13, columns}), x);
        c(gnp::ellipsis) = gnp::matmul(a, b);
        INFO("destination's layout " << static_cast<int>(x));
        check_product<T>(c, a, b);
        check_product<T>(gnp::matmul(in_layout(b.T(), x), a.T()), b.T(), a.T());
      }
    }
  });
}

TEMPLATE_TEST_CASE("Stacks of matrices", "[matmul]", std::int32_t, bool, gnp::half, float, double,
                   gnp::complex64) {
  using T = TestType;
  for_each_device([](gnp::device) {
    for (const index_t n : {4, 140}) {
      const auto check = [](const shape_t& x, const shape_t& y, const shape_t& expected) {
        const array<T> a = random_array<T>(x);
        const array<T> b = random_array<T>(y);
        for (const layout l :
             {layout::contiguous, layout::transposed, layout::sliced_columns, layout::every_second}) {
          INFO("layout " << static_cast<int>(l));
          const array c = gnp::matmul(in_layout(a, l), in_layout(b, l));
          CHECK(c.shape() == expected);
          check_product<T>(c, a, b);
        }
      };
      check({5, 3, n}, {5, n, 6}, {5, 3, 6});  // evenly spaced
      check({5, 3, n}, {n, 6}, {5, 3, 6});     // one large product
      check({3, n}, {5, n, 6}, {5, 3, 6});
      check({2, 5, 3, n}, {5, n, 6}, {2, 5, 3, 6});  // broadcast along the outer axis
      check({2, 1, 3, n}, {5, n, 6}, {2, 5, 3, 6});
      check({2, 1, 3, n}, {1, 5, n, 6}, {2, 5, 3, 6});  // an outer product of stacks
      check({4, 1, 2, 3, n}, {3, 1, n, 2}, {4, 3, 2, 3, 2});
      check({300, 1, n}, {300, n, 1}, {300, 1, 1});
      check({7, 1, n}, {n, 9}, {7, 1, 9});
      check({1, 1, 3, n}, {n, 2}, {1, 1, 3, 2});
      // Axes in another order, as attention heads come: (batch, place, head, 8) to (batch, head, place, 8).
      const array<T> q = random_array<T>({2, 6, 3, 2 * n}), k = random_array<T>({2, 6, 3, 2 * n});
      const array<T> scores = gnp::matmul(q.transpose(0, 2, 1, 3), k.transpose(0, 2, 3, 1));
      check_product<T>(scores, q.transpose(0, 2, 1, 3).copy(), k.transpose(0, 2, 3, 1).copy());
      const array<T> wide_a = gnp::broadcast_to(random_array<T>({3, n}), {6, 3, n});
      const array<T> reversed = random_array<T>({6, n, 2})(gnp::slice(gnp::none, gnp::none, -1));
      check_product<T>(gnp::matmul(wide_a, reversed), wide_a.copy(), reversed.copy());
      // Into a destination of another order.
      array<T> out = random_array<T>({3, 6, 2}).transpose(1, 0, 2);
      out(gnp::ellipsis) = gnp::matmul(wide_a, reversed);
      check_product<T>(out, wide_a.copy(), reversed.copy());
    }
  });
}

TEMPLATE_TEST_CASE("Vectors", "[matmul]", std::int64_t, gnp::bfloat16, float, gnp::complex128) {
  using T = TestType;
  for_each_device([](gnp::device) {
    for (const index_t n : lengths) {
      const array<T> a = random_array<T>({7, n}), row = random_array<T>({n}), tall = random_array<T>({n, 9});
      const array<T> stack = random_array<T>({3, 2, 7, n}), columns = random_array<T>({3, 2, n, 9});
      const array<T> spread = random_array<T>({2 * n})(gnp::slice(gnp::none, gnp::none, 2));
      const array<T> reversed = row(gnp::slice(gnp::none, gnp::none, -1));
      for (const array<T>& v : {row, spread, reversed, gnp::broadcast_to(random_array<T>({1}), {n})}) {
        const array mv = gnp::matmul(a, v);
        REQUIRE(mv.shape() == shape_t{7});
        check_product<T>(mv.reshape(7, 1), a, v.copy().reshape(n, 1));
        const array vm = gnp::matmul(v, tall);
        REQUIRE(vm.shape() == shape_t{9});
        check_product<T>(vm.reshape(1, 9), v.copy().reshape(1, n), tall);
        check_product<T>(gnp::array(gnp::matmul(a.copy().T().copy().T(), v)).reshape(7, 1), a,
                         v.copy().reshape(n, 1));
        const array dot = gnp::matmul(v, row);
        REQUIRE(dot.shape() == shape_t{});
        check_product<T>(dot.reshape(1, 1), v.copy().reshape(1, n), row.reshape(n, 1));
        const array sv = gnp::matmul(stack, v);
        REQUIRE(sv.shape() == shape_t{3, 2, 7});
        check_product<T>(sv.reshape(3, 2, 7, 1), stack, v.copy().reshape(n, 1));
        const array vs = gnp::matmul(v, columns);
        REQUIRE(vs.shape() == shape_t{3, 2, 9});
        check_product<T>(vs.reshape(3, 2, 1, 9), v.copy().reshape(1, n), columns);
      }
      array<T> out = random_array<T>({14})(gnp::slice(gnp::none, gnp::none, 2));
      out(gnp::ellipsis) = gnp::matmul(a, row);
      check_product<T>(out.reshape(7, 1), a, row.reshape(n, 1));
    }
  });
}

TEST_CASE("Empty products", "[matmul]") {
  for_each_device([](gnp::device) {
    const auto shape_of = [](const shape_t& a, const shape_t& b) {
      const array c = gnp::matmul(random_array<float>(a), random_array<float>(b));
      return c.shape();
    };
    CHECK(shape_of({0, 3}, {3, 4}) == shape_t{0, 4});
    CHECK(shape_of({2, 3}, {3, 0}) == shape_t{2, 0});
    CHECK(shape_of({0, 2, 3}, {3, 4}) == shape_t{0, 2, 4});
    CHECK(shape_of({0, 2, 3}, {1, 3, 4}) == shape_t{0, 2, 4});
    CHECK(shape_of({0}, {0}) == shape_t{});
    // An empty sum is zero, in memory that held something else.
    array<float> c = gnp::full<float>({2, 4}, 7);
    c(gnp::ellipsis) = gnp::matmul(gnp::empty<float>({2, 0}), gnp::empty<float>({0, 4}));
    CHECK(gnp::asnumpy(c)(1, 3) == 0);
    c(gnp::ellipsis) =
        gnp::matmul(gnp::empty<float>({2, 0}), gnp::empty<float>({0, 4})) + 2 * gnp::ones<float>({2, 4});
    CHECK(gnp::asnumpy(c)(1, 3) == 2);
    array<int> i = gnp::full<int>({2}, 7);
    i(gnp::ellipsis) = gnp::matmul(gnp::empty<int>({2, 0}), gnp::empty<int>({0}));
    CHECK(i.item(1) == 0);
  });
}

TEST_CASE("Result types are NumPy's", "[matmul]") {
  const auto type = [](auto a, auto b) { return gnp::name(decltype(gnp::matmul(a, b))::dtype()); };
  const array<float> f = gnp::ones<float>({2, 2});
  const array<double> d = gnp::ones<double>({2, 2});
  const array<int> i = gnp::ones<int>({2, 2});
  const array<std::uint8_t> u = gnp::ones<std::uint8_t>({2, 2});
  const array<bool> t = gnp::ones<bool>({2, 2});
  const array<gnp::half> h = gnp::ones<gnp::half>({2, 2});
  const array<gnp::bfloat16> bf = gnp::ones<gnp::bfloat16>({2, 2});
  const array<gnp::complex64> z = gnp::ones<gnp::complex64>({2, 2});
  CHECK(type(f, f) == std::string("float32"));
  CHECK(type(f, d) == std::string("float64"));
  CHECK(type(f, i) == std::string("float64"));
  CHECK(type(u, i) == std::string("int32"));
  CHECK(type(u, u) == std::string("uint8"));
  CHECK(type(t, t) == std::string("bool"));
  CHECK(type(t, u) == std::string("uint8"));
  CHECK(type(h, h) == std::string("float16"));
  CHECK(type(h, bf) == std::string("float32"));
  CHECK(type(z, f) == std::string("complex64"));
  CHECK(type(z, d) == std::string("complex128"));
  for_each_device([](gnp::device) {
    const array<float> a = gnp::asarray<float>({{1, 2}, {3, 4}});
    const array<int> b = gnp::asarray<int>({{1, 0}, {2, 1}});
    const array c = gnp::matmul(a, b);
    static_assert(std::is_same_v<decltype(c), const array<double>>);
    CHECK(c.item(1, 0) == 11);
    const array e = gnp::matmul(a + 1, b.astype<float>());
    CHECK(e.item(0, 0) == 8);
  });
}

TEMPLATE_TEST_CASE("alpha and beta", "[matmul]", gnp::half, float, double, gnp::complex64) {
  using T = TestType;
  for_each_device([](gnp::device) {
    using gnp::matmul;
    for (const index_t n : lengths) {
      const array<T> a = random_array<T>({9, n}), b = random_array<T>({n, 11}), d = random_array<T>({9, 11});
      for (const layout l : layouts) {
        INFO("layout " << static_cast<int>(l));
        array<T> c = in_layout(d, l).copy();
        const auto start = [&] { c = in_layout(d, l); };
        start();
        c(gnp::ellipsis) = 2 * matmul(a, b) + 0.5 * c;
        check_product<T>(c, a, b, 2, 0.5, &d);
        start();
        c(gnp::ellipsis) = c * 3 + matmul(a, b) * 2;
        check_product<T>(c, a, b, 2, 3, &d);
        start();
        c(gnp::ellipsis) = c - matmul(a, b);
        check_product<T>(c, a, b, -1, 1, &d);
        start();
        c(gnp::ellipsis) = -matmul(a, b) - 2 * c;
        check_product<T>(c, a, b, -1, -2, &d);
      }
      array<T> c = d.copy();
      c += matmul(a, b);
      check_product<T>(c, a, b, 1, 1, &d);
      c = d.copy();
      c -= 4 * matmul(a, b);
      check_product<T>(c, a, b, -4, 1, &d);
      c = d.copy();
      c(gnp::slice(3, 6)) += matmul(a(gnp::slice(3, 6)), b);
      check_product<T>(c(gnp::slice(3, 6)), a(gnp::slice(3, 6)), b, 1, 1, [&] {
        static array<T> part = d;
        part = d(gnp::slice(3, 6));
        return &part;
      }());
      const array fresh = 2 * matmul(a, b) + d * 0.25;
      check_product<T>(fresh, a, b, 2, 0.25, &d);

      // A row added to every row, and a product that is itself stretched.
      const array<T> row = random_array<T>({11});
      const array<T> rows = gnp::broadcast_to(row, {9, 11}).copy();
      check_product<T>(array<T>(matmul(a, b) + row), a, b, 1, 1, &rows);
      const array<T> deep = random_array<T>({2, 9, 11});
      const array stretched = matmul(a, b) + deep;
      REQUIRE(stretched.shape() == shape_t{2, 9, 11});
      const array<T> second = deep(1);
      check_product<T>(stretched(1), a, b, 1, 1, &second);
      array<T> into = gnp::empty<T>({2, 9, 11});
      into(gnp::ellipsis) = matmul(a, b);
      check_product<T>(into(1), a, b);
      const array<T> v = random_array<T>({n}), w = random_array<T>({9});
      const array affine = matmul(a, v) * 2 + w;
      const array<T> w_column = w.reshape(9, 1);
      check_product<T>(affine.reshape(9, 1), a, v.reshape(n, 1), 2, 1, &w_column);
    }
  });
}

TEST_CASE("Nothing times NaN is NaN, and what is overwritten is not read", "[matmul]") {
  for_each_device([](gnp::device d) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const array<float> a = gnp::ones<float>({3, 3}), bad = gnp::full<float>({3, 3}, nan);
    array<float> c = gnp::full<float>({3, 3}, nan);
    c(gnp::ellipsis) = gnp::matmul(a, a);
    CHECK(c.item(0, 0) == 3);
    c.fill(nan);
    c(gnp::ellipsis) = gnp::matmul(a, a) + 0 * c;
    CHECK(std::isnan(c.item(0, 0)));
    c(gnp::ellipsis) = 0 * gnp::matmul(a, bad);
    CHECK(std::isnan(c.item(0, 0)));
    CHECK(array(0 * gnp::matmul(a, a) + a).item(1, 1) == 1);
    // A product that is infinite is not made NaN by a factor of one: but by a BLAS, which multiplies by it.
    if (d.is_cpu() && gnp::detail::lapack_is_asked_for()) return;
    const array<gnp::complex128> z =
        gnp::full<gnp::complex128>({3, 1}, std::numeric_limits<double>::infinity());
    CHECK(std::isinf(array(gnp::matmul(z, gnp::ones<gnp::complex128>({1, 3}))).item(0, 0).real()));
  });
}

TEST_CASE("A destination that is also a factor", "[matmul]") {
  for_each_device([](gnp::device) {
    const array<double> start = random_array<double>({12, 12}), other = random_array<double>({12, 12});
    array<double> a = start.copy();
    a(gnp::ellipsis) = gnp::matmul(a, a);
    check_product(a, start, start);
    a = start.copy();
    a(gnp::ellipsis) = gnp::matmul(other, a) + a;
    check_product(a, other, start, 1, 1, &start);
    a = start.copy();
    a += gnp::matmul(a.T(), other);
    check_product(a, start.T().copy(), other, 1, 1, &start);
    a = start.copy();
    a(gnp::slice(0, 6)) = gnp::matmul(other(gnp::slice(0, 6), gnp::slice(0, 6)), a(gnp::slice(3, 9)));
    check_product<double>(a(gnp::slice(0, 6)), other(gnp::slice(0, 6), gnp::slice(0, 6)).copy(),
                          start(gnp::slice(3, 9)));
    a = start.copy();
    a(gnp::ellipsis) = gnp::matmul(other, other) + a.T();
    const array<double> transposed = start.T().copy();
    check_product(a, other, other, 1, 1, &transposed);
    array<double> rebound = start;
    rebound = gnp::matmul(rebound, other);
    check_product(rebound, start, other);
  });
}

TEST_CASE("A product in any other use is an array", "[matmul]") {
  for_each_device([](gnp::device d) {
    using gnp::matmul;
    const array<float> a = random_array<float>({4, 5}), b = random_array<float>({5, 4});
    const array c = matmul(a, b);
    CHECK(matmul(a, b).device() == d);
    CHECK(matmul(a, b).ndim() == 2);
    CHECK(matmul(a, b).size() == 16);
    CHECK(matmul(a, b).item(1, 2) == c.item(1, 2));
    CHECK(array(sin(matmul(a, b)) + 1).item(2, 3) == array(sin(c) + 1).item(2, 3));
    CHECK(array(matmul(a, b) * matmul(a, b)).item(2, 3) == array(c * c).item(2, 3));
    CHECK(array(matmul(a, b) + matmul(a, b)).item(2, 3) == array(c + c).item(2, 3));
    CHECK(array(matmul(a, b) / 2).item(2, 3) == array(c / 2).item(2, 3));
    CHECK(array(2.5 > matmul(a, b)).item(2, 3) == (2.5F > c.item(2, 3)));
    CHECK(matmul(a, b).T().item(3, 2) == c.item(2, 3));
    CHECK(matmul(a, b).reshape(-1).item(7) == c.item(1, 3));
    CHECK(matmul(a, b).astype<double>().item(1, 1) == static_cast<double>(c.item(1, 1)));
    CHECK(gnp::asnumpy(matmul(a, b))(3, 3) == c.item(3, 3));
    CHECK(gnp::array2string(matmul(a, b)) == gnp::array2string(c));
    check_product<float>(matmul(matmul(a, b), a), c, a);
    check_product<float>(matmul(a, b).eval(), a, b);
    array<double> wide = matmul(a, b);
    CHECK(wide.item(0, 1) == static_cast<double>(c.item(0, 1)));
    wide(gnp::ellipsis) = matmul(a, b);
    CHECK(wide.item(0, 2) == static_cast<double>(c.item(0, 2)));
    wide += matmul(a, b);
    CHECK(wide.item(0, 2) == 2 * static_cast<double>(c.item(0, 2)));
    // Numbers of another kind take the product with them.
    const array z = matmul(a, b) * gnp::complex64(0, 1);
    static_assert(std::is_same_v<decltype(z), const array<gnp::complex64>>);
    CHECK(z.item(1, 2).imag() == c.item(1, 2));
    const array<int> i = gnp::asarray<int>({{1, 2}, {3, 4}});
    CHECK(array(2 * matmul(i, i)).item(1, 1) == 44);
    CHECK(array(matmul(i, i) * 0.5).item(1, 1) == 11.0);
    array<int> j = i.copy();
    j += matmul(i, i);
    CHECK(j.item(1, 1) == 26);
    const auto later = matmul(a, b);  // keeps its factors alive, and sees what they hold when it runs
    a.fill(0);
    CHECK(array(later).item(1, 1) == 0);
  });
}

TEST_CASE("What does not fit is refused, with the shapes", "[matmul]") {
  for_each_device([](gnp::device) {
    const auto product = [](const shape_t& a, const shape_t& b) {
      return gnp::matmul(gnp::ones<float>(a), gnp::ones<float>(b)).shape();
    };
    CHECK_THROWS_AS(product({3, 4}, {5, 6}), gnp::shape_error);
    CHECK_THROWS_WITH(product({3, 4}, {5, 6}),
                      "matmul: shapes (3, 4) and (5, 6) do not fit: 4 (axis 1) is not 5 (axis 0)");
    CHECK_THROWS_WITH(product({3}, {4}),
                      "matmul: shapes (3,) and (4,) do not fit: 3 (axis 0) is not 4 (axis 0)");
    CHECK_THROWS_WITH(product({2, 3, 4}, {3, 4, 5}),
                      contains("(2, 3, 4) and (3, 4, 5)") && contains("broadcast"));
    CHECK_THROWS_WITH(product({}, {3}), contains("matmul") && contains("scalar"));
    CHECK_THROWS_AS(product({3}, {}), gnp::shape_error);
    const array<float> a = gnp::ones<float>({3, 3});
    array<float> c = gnp::ones<float>({2, 3});
    CHECK_THROWS_WITH(c(gnp::ellipsis) = gnp::matmul(a, a), contains("(3, 3)") && contains("(2, 3)"));
    CHECK_THROWS_WITH(gnp::array(gnp::matmul(a, a) + c), contains("(3, 3)") && contains("(2, 3)"));
    CHECK_THROWS_AS(c += gnp::matmul(a, a), gnp::shape_error);
    CHECK_THROWS_AS(gnp::broadcast_to(a(0), {3, 3})(gnp::ellipsis) = gnp::matmul(a, a), gnp::shape_error);
  });
  if (gnp::cuda_available()) {
    const array<float> here = gnp::ones<float>({3, 3}).to(gnp::device::cpu());
    const array<float> there = here.to(gnp::device::cuda(0));
    CHECK_THROWS_WITH(gnp::matmul(here, there), contains("matmul") && contains("cpu") && contains("cuda:0"));
    array<float> out = here.copy();
    CHECK_THROWS_AS(out(gnp::ellipsis) = gnp::matmul(there, there), gnp::device_error);
    CHECK_THROWS_AS(gnp::array(gnp::matmul(there, there) + here), gnp::device_error);
  }
}

TEST_CASE("float32 is float32 unless TF32 is allowed", "[matmul]") {
  for_each_device([](gnp::device d) {
    const array<float> a = gnp::eye<float>(192) * (1 + 0x1p-20F);  // a bit that TF32 does not have
    const array<float> one = gnp::ones<float>({192, 192});
    const auto error = [&] { return std::abs(array(gnp::matmul(a, one)).item(5, 5) - (1 + 0x1p-20F)); };
    CHECK(error() == 0);
    {
      const gnp::linalg::allow_tf32 guard(true);
      if (d.is_cpu()) {
        CHECK(error() == 0);
      } else {
#if GNP_HAS_CUDA
        if (gnp::detail::gpu_at(0).arch >= 80) CHECK(error() > 0);
#endif
      }
      {
        const gnp::linalg::allow_tf32 inner(false);
        CHECK(error() == 0);
      }
    }
    CHECK(error() == 0);
  });
}

TEST_CASE("Large products, shared among threads", "[matmul]") {
  for_each_device([](gnp::device) {
    // Against another order of the same sums: (a b) v = a (b v).
    const auto check = [](const shape_t& x, const shape_t& y) {
      const array<double> a = random_array<double>(x), b = random_array<double>(y);
      const array<double> v = random_array<double>({y.back(), 1});
      const auto left = gnp::asnumpy(gnp::matmul(gnp::matmul(a, b), v));
      const auto right = gnp::asnumpy(gnp::matmul(a, gnp::matmul(b, v)));
      double worst = 0;
      for (index_t i = 0; i < left.size(); ++i) worst = std::max(worst, std::abs(left[i] - right[i]));
      CHECK(worst < 1e-9);
    };
    check({513, 300}, {300, 257});
    check({40, 300}, {300, 2049});
    check({3000, 17}, {17, 31});
    check({2, 257, 129}, {2, 129, 300});
    check({37, 65, 66}, {37, 66, 67});
    // So large that a GPU's product is left to cuBLAS, one and stacked.
    check({700, 701}, {701, 702});
    check({3, 500, 401}, {3, 401, 502});
  });
}

/// Products of these sizes, of matrices that are transposed or not, against those of a vector in float64.
template <class T>
void check_large_products(const std::vector<shape_t>& sizes) {
  for (const shape_t& size : sizes) {
    const index_t m = size[0], n = size[1], k = size[2];
    const array<T> plain[] = {random_array<T>({m, k}), random_array<T>({k, n})};
    const array<T> turned[] = {plain[0].T().copy(), plain[1].T().copy()};
    const array<double> v = random_array<double>({n, 1});
    const array<T> c = random_array<T>({m, n});
    const array bv = gnp::matmul(plain[1].template astype<double>(), v);
    const array wanted = gnp::matmul(plain[0].template astype<double>(), bv);
    const array added = gnp::matmul(c.template astype<double>(), v);
    // Some seven standard deviations of what n sums of k products lose; TF32 would lose thirty times as much.
    const double limit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2 * static_cast<double>(k) *
                         std::sqrt(static_cast<double>(n));
    const auto check = [&](const array<T>& got, const array<double>& expected) {
      CHECK(gnp::abs(gnp::matmul(got.template astype<double>(), v) - expected).max().item() < limit);
    };
    for (const bool first : {false, true}) {
      for (const bool second : {false, true}) {
        INFO(m << " " << n << " " << k << " transposed " << first << " " << second);
        const array<T> a = first ? turned[0].T() : plain[0];
        const array<T> b = second ? turned[1].T() : plain[1];
        check(gnp::matmul(a, b), wanted);
        array<T> sum = c.copy();
        sum(gnp::ellipsis) = 2 * gnp::matmul(a, b) - sum;
        check(sum, 2 * wanted - added);
      }
    }
  }
}

TEST_CASE("Large products, as they are and transposed", "[matmul]") {
  for_each_device([](gnp::device d) {
    // On the GPU, those for which gnp chooses the kernel: whole blocks, and blocks over the edges.
    if (d.is_cpu()) {
      check_large_products<float>({{256, 256, 128}, {250, 249, 125}});
      check_large_products<double>({{250, 249, 125}});
    } else {
      check_large_products<float>({{2048, 2048, 1024},
                                   {2000, 1999, 1003},
                                   {1024, 1024, 600},
                                   {1001, 999, 998},
                                   {256, 256, 256},
                                   {300, 333, 301}});
      check_large_products<double>({{1024, 1024, 1024}, {999, 998, 1001}});
    }
  });
}

TEMPLATE_TEST_CASE("A matrix times a vector", "[matmul]", float, double, gnp::half, gnp::complex64,
                   std::int32_t, std::int8_t) {
  for_each_device([](gnp::device) {
    // Whole numbers, whose sums are exact or wrap. On a GPU, sizes on both sides of what is left to cuBLAS.
    const auto value = [](index_t i, index_t j) { return (i * 7 + j * 3) % 5 - 2; };
    for (const auto& [m, k] : std::vector<std::pair<index_t, index_t>>{
             {40, 33}, {300, 70}, {70, 300}, {257, 1001}, {1000, 256}, {2, 5000}, {6000, 64}, {40000, 128}}) {
      INFO(m << " " << k);
      gnp::host_array<TestType> matrix({m, k}), vector({k}), start({m});
      for (index_t i = 0; i < m; ++i) {
        start[i] = static_cast<TestType>(static_cast<float>(i % 3));
        for (index_t j = 0; j < k; ++j) {
          matrix(i, j) = static_cast<TestType>(static_cast<float>(value(i, j)));
          vector[j] = static_cast<TestType>(static_cast<float>(value(j, 1)));
        }
      }
      gnp::host_array<TestType> product({m}), changed({m});
      for (index_t i = 0; i < m; ++i) {
        index_t sum = 0;
        for (index_t j = 0; j < k; ++j) sum += value(i, j) * value(j, 1);
        product[i] = static_cast<TestType>(
            static_cast<std::conditional_t<std::is_integral_v<TestType>, index_t, float>>(sum));
        const index_t other = 2 * sum - i % 3;
        changed[i] = static_cast<TestType>(
            static_cast<std::conditional_t<std::is_integral_v<TestType>, index_t, float>>(other));
      }
      const array<TestType> plain = gnp::asarray(matrix), turned = plain.T().copy().T(),
                            x = gnp::asarray(vector);
      const array<TestType> apart = gnp::repeat(x, 2)(gnp::slice(gnp::none, gnp::none, 2));
      for (const array<TestType>& a : {plain, turned}) {
        CHECK(gnp::array_equal(gnp::matmul(a, x), gnp::asarray(product)));
        CHECK(gnp::array_equal(gnp::matmul(x, a.T()), gnp::asarray(product)));
        CHECK(gnp::array_equal(gnp::matmul(a, apart), gnp::asarray(product)));
        CHECK(gnp::array_equal(gnp::matmul(a, x(gnp::all, gnp::newaxis))(gnp::all, 0), gnp::asarray(product)));
        array<TestType> y = gnp::asarray(start);
        y(gnp::ellipsis) = static_cast<TestType>(2.0F) * gnp::matmul(a, x) - y;
        CHECK(gnp::array_equal(y, gnp::asarray(changed)));
      }
    }
  });
}

TEMPLATE_TEST_CASE("A matrix by its own transpose", "[matmul]", float, double, gnp::complex64,
                   gnp::complex128) {
  for_each_device([](gnp::device) {
    // Whole numbers, whose sums are exact. Sizes from which a library is taken, and around the squares in which
    // one half is copied to the other.
    for (const index_t n : {2, 31, 64, 65, 97}) {
      for (const index_t k : {1, 70, 300}) {
        gnp::host_array<TestType> host({3, n, k});
        for (index_t i = 0; i < host.size(); ++i) {
          host[i] = static_cast<TestType>(static_cast<float>(i * 7 % 11 - 5));
          if constexpr (gnp::detail::is_complex_v<TestType>)
            host[i] += TestType(0, static_cast<float>(i * 5 % 7 - 3));
        }
        const array<TestType> stack = gnp::asarray(host);
        const array<TestType> a = stack(1);
        const array<TestType> wide = gnp::zeros<TestType>({n, 2 * k + 1});
        wide(gnp::all, gnp::slice(0, k)) = a;
        const array<TestType> apart = wide(gnp::all, gnp::slice(0, k));
        INFO(gnp::name(gnp::dtype_of<TestType>) << ", " << n << " x " << k);
        const auto check = [](const array<TestType>& x) {
          const array<TestType> copy = x.copy();
          CHECK(gnp::array_equal(gnp::matmul(x, x.T()), gnp::matmul(copy, x.T())));
          CHECK(gnp::array_equal(gnp::matmul(x.T(), x), gnp::matmul(x.T(), copy)));
        };
        check(a);
        check(apart);
        check(stack(1)(gnp::slice(gnp::none, gnp::none, -1)));
        const array<TestType> turned = gnp::swapaxes(stack, 1, 2);
        CHECK(gnp::array_equal(gnp::matmul(stack, turned), gnp::matmul(stack.copy(), turned)));
        // The first matrix by the others' transposes is something else, and so is half of another matrix.
        CHECK(gnp::array_equal(gnp::matmul(stack(gnp::slice(0, 1)), turned),
                               gnp::matmul(stack(gnp::slice(0, 1)).copy(), turned)));
        if (n > 2) {
          CHECK(gnp::array_equal(gnp::matmul(a(gnp::slice(0, n - 1)), a.T()),
                                 gnp::matmul(a(gnp::slice(0, n - 1)).copy(), a.T())));
        }
        // Into part of a larger matrix, and added to what is there.
        array<TestType> target = gnp::ones<TestType>({n + 2, n + 3});
        const array<TestType> part = target(gnp::slice(1, n + 1), gnp::slice(2, n + 2));
        part(gnp::all, gnp::all) = gnp::matmul(a, a.T());
        CHECK(gnp::array_equal(part, gnp::matmul(a.copy(), a.T())));
        part(0, n - 1) = TestType(9);
        array<TestType> wanted = part + gnp::matmul(a.copy(), a.T()) * TestType(2);
        part(gnp::all, gnp::all) = TestType(2) * gnp::matmul(a, a.T()) + part;
        CHECK(gnp::array_equal(part, wanted));
        CHECK(gnp::sum(target(0)).item() == TestType(static_cast<float>(n + 3)));
      }
    }
  });
}

TEST_CASE("Few long rows of integers", "[matmul]") {
  for_each_device([](gnp::device) {
    const array<std::int32_t> a = random_array<std::int32_t>({2, 3, 5000}),
                              b = random_array<std::int32_t>({5000, 4});
    check_product<std::int32_t>(gnp::matmul(a, b), a, b);
    const array<std::uint8_t> x = random_array<std::uint8_t>({1, 70000}),
                              y = random_array<std::uint8_t>({70000, 1});
    check_product<std::uint8_t>(gnp::matmul(x, y), x, y);
    array<bool> p = gnp::zeros<bool>({2, 4096}), q = gnp::zeros<bool>({4096, 2});
    p(1, 4095).fill(true);
    q(4095, 0).fill(true);
    check_product<bool>(gnp::matmul(p, q), p, q);
  });
}

TEST_CASE("Products in several threads at once", "[matmul]") {
  for_each_device([](gnp::device d) {
    const array<double> a = random_array<double>({90, 70}), b = random_array<double>({70, 80});
    const auto expected = gnp::asnumpy(gnp::matmul(a, b));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const gnp::use_device guard(d);
        const gnp::stream own(d);
        std::optional<gnp::use_stream> use;
        if (t % 2 == 1) use.emplace(own);
        for (int i = 0; i < 50; ++i) {
          const auto got = gnp::asnumpy(gnp::matmul(a, b));
          for (index_t k = 0; k < got.size(); ++k) wrong += std::abs(got[k] - expected[k]) < 1e-12 ? 0 : 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  });
}

TEST_CASE("Products on streams of their own", "[matmul]") {
  for_each_device([](gnp::device d) {
    const array<float> a = random_array<float>({200, 200});
    const array<float> expected = gnp::matmul(a, a);
    for (int round = 0; round < 3; ++round) {  // streams end, and their handles go to others
      const gnp::stream s(d);
      const gnp::use_stream guard(s);
      const array<float> first = gnp::matmul(a, a);
      const gnp::stream t(d);
      const gnp::use_stream inner(t);
      const array<float> second = gnp::matmul(first, a);
      check_product<float>(first, a, a);
      check_product<float>(second, expected, a);
    }
  });
}

#if GNP_HAS_CUDA

TEST_CASE("Which products the GPU's own kernel takes", "[matmul]") {
  const auto job = [](index_t m, index_t n, index_t k) {
    gnp::detail::gemm_job j{};
    j.m = m;
    j.n = n;
    j.k = k;
    j.a.row = k;
    j.b.row = j.c.row = n;
    j.a.column = j.b.column = j.c.column = 1;
    return j;
  };
  using gnp::detail::is_small_product;
  CHECK(is_small_product(job(64, 64, 64)));
  CHECK(is_small_product(job(128, 256, 128)));
  CHECK(is_small_product(job(2048, 1, 128)));
  CHECK_FALSE(is_small_product(job(129, 256, 128)));  // a tile more than are made at once
  CHECK(is_small_product(job(64, 64, 256)));          // long sums, for few tiles
  CHECK_FALSE(is_small_product(job(64, 65, 129)));    // sums that are too long
  CHECK_FALSE(is_small_product(job(64, 64, 257)));
  CHECK_FALSE(is_small_product(job(1, 1, 128)));  // a dot product
  gnp::detail::gemm_job far = job(64, 64, 64);
  far.b.row = (index_t{1} << 31) / 63 + 1;  // rows so far apart that 32 bits do not tell where they are
  CHECK_FALSE(is_small_product(far));
  far.b.row = -far.b.row;
  CHECK_FALSE(is_small_product(far));
  gnp::detail::gemm_job stack = job(16, 16, 16);
  stack.batch_rank = 1;
  stack.batch[0] = 128;
  CHECK(is_small_product(stack));
  stack.batch[0] = 129;
  CHECK_FALSE(is_small_product(stack));
  stack.batch[0] = 2;
  stack.c.batch[0] = index_t{1} << 31;
  CHECK_FALSE(is_small_product(stack));
  stack.batch_rank = 2;
  CHECK_FALSE(is_small_product(stack));
}

TEST_CASE("What a choice of cuBLASLt depends on", "[matmul]") {
  using gnp::detail::alignment_of;
  alignas(512) static const char memory[512] = {};
  CHECK(alignment_of(memory) == 256);
  CHECK(alignment_of(memory + 1) == 1);
  CHECK(alignment_of(memory + 24) == 8);
  CHECK(alignment_of(memory + 384) == 128);

  // Kinds that differ in anything are different, and seldom in one place.
  using gnp::detail::gemm_kind;
  const gemm_kind kind{};
  std::vector<gemm_kind> others(17, kind);
  others[0].type = gnp::detail::cuda_data_type::float64;
  others[1].compute = gnp::detail::cublas_compute::tf32;
  others[2].m = others[3].n = others[4].k = others[5].count = 1;
  gemm_kind::operand gemm_kind::* const operands[] = {&gemm_kind::a, &gemm_kind::b, &gemm_kind::c};
  std::size_t next = 6;
  for (const auto operand : operands) {
    (others[next++].*operand).leading = 1;
    (others[next++].*operand).step = 1;
    (others[next++].*operand).alignment = 1;
  }
  others[next++].a.as = gnp::detail::cublas_operation::transposed;
  others[next++].b.as = gnp::detail::cublas_operation::transposed;
  REQUIRE(next == others.size());
  others.push_back(kind);
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      INFO(i << " " << j);
      CHECK_FALSE(others[i] == others[j]);
      CHECK(others[i].hash() != others[j].hash());
    }
  }
  CHECK(others.back() == kind);
  CHECK(others.back().hash() == kind.hash());
}

TEST_CASE("Which products get a better kernel than cuBLASLt proposes", "[matmul]") {
  using gnp::detail::cublas_operation;
  using gnp::detail::cuda_data_type;
  using gnp::detail::gemm_kind;
  using tile = gnp::detail::cublas_lt_tile;
  constexpr auto as_is = cublas_operation::as_is;
  constexpr auto turned = cublas_operation::transposed;
  constexpr auto own_choice = static_cast<tile>(0);
  constexpr int h200 = 132;  // multiprocessors
  gemm_kind kind{};
  kind.type = cuda_data_type::float32;
  kind.compute = gnp::detail::cublas_compute::float32;
  kind.count = 1;
  kind.a.alignment = kind.b.alignment = kind.c.alignment = 16;
  const auto tile_of = [&](const gemm_kind& asked, int multiprocessors) {
    const gnp::detail::gemm_recipe* recipe = gnp::detail::better_recipe(asked, multiprocessors);
    return recipe == nullptr ? own_choice : recipe->tile;
  };
  const auto choice = [&](index_t m, index_t n, index_t k, cublas_operation a, cublas_operation b) {
    kind.m = m;
    kind.n = n;
    kind.k = k;
    kind.a.as = a;
    kind.b.as = b;
    return tile_of(kind, h200);
  };
  // Whole tiles, in the shape that the layout asks for; nothing to gain where the first alone is transposed.
  CHECK(choice(2048, 2048, 2048, as_is, as_is) == tile::of_256x128);
  CHECK(choice(2048, 2048, 2048, as_is, turned) == tile::of_256x128);
  CHECK(choice(2048, 2048, 2048, turned, turned) == tile::of_128x256);
  CHECK(choice(2048, 2048, 2048, turned, as_is) == own_choice);
  // Tiles over the edges.
  CHECK(choice(4097, 4095, 4098, as_is, as_is) == tile::of_128x128);
  CHECK(choice(4097, 4095, 4098, as_is, turned) == tile::of_128x256);
  CHECK(choice(4097, 4095, 4098, turned, turned) == tile::of_128x128);
  CHECK(choice(2048, 1984, 2048, as_is, as_is) == tile::of_128x128);
  // Waves of blocks that would leave much of the chip idle: 1.5, 0.03 and 6.06 of them.
  CHECK(choice(2560, 2560, 2560, as_is, as_is) == own_choice);
  CHECK(choice(256, 512, 2048, as_is, as_is) == own_choice);
  CHECK(choice(5120, 5120, 5120, turned, turned) == own_choice);
  CHECK(choice(256, 128 * 132, 1025, as_is, as_is) == tile::of_256x128);
  CHECK(choice(256, 128 * 119, 1025, as_is, as_is) == tile::of_256x128);
  CHECK(choice(256, 128 * 118, 1025, as_is, as_is) == own_choice);
  CHECK(choice(256, 128 * 132, 999, as_is, as_is) == own_choice);
  // One wave.
  CHECK(choice(1024, 1024, 1024, as_is, as_is) == tile::of_128x64);
  CHECK(choice(1000, 1000, 1000, turned, as_is) == tile::of_64x128);
  CHECK(choice(1024, 1024, 1025, as_is, as_is) == own_choice);
  CHECK(choice(1024, 1024, 399, as_is, as_is) == own_choice);
  CHECK(choice(256, 256, 256, turned, turned) == tile::of_32x32);
  CHECK(choice(352, 384, 400, as_is, as_is) == tile::of_32x32);
  CHECK(choice(384, 384, 384, as_is, as_is) == own_choice);
  CHECK(choice(192, 192, 200, as_is, as_is) == own_choice);
  CHECK(choice(256, 256, 401, as_is, as_is) == own_choice);
  kind.type = cuda_data_type::float64;
  CHECK(choice(1000, 1000, 1000, as_is, as_is) == tile::of_128x64);
  CHECK(choice(960, 960, 2000, turned, as_is) == tile::of_64x128);
  CHECK(choice(960, 960, 2001, turned, as_is) == own_choice);
  CHECK(choice(1000, 1000, 899, as_is, as_is) == own_choice);
  CHECK(choice(1056, 1056, 1056, as_is, as_is) == own_choice);
  CHECK(choice(2048, 512, 1024, as_is, as_is) == own_choice);
  CHECK(choice(2048, 2048, 2048, as_is, as_is) == own_choice);

  // What has not been measured is cuBLASLt's own choice.
  kind.type = cuda_data_type::float32;
  CHECK(choice(2048, 2048, 2048, as_is, as_is) == tile::of_256x128);
  CHECK(tile_of(kind, 114) == own_choice);
  const auto refused = [&](auto change) {
    gemm_kind other = kind;
    change(other);
    return tile_of(other, h200) == own_choice;
  };
  CHECK(refused([](gemm_kind& k) { k.type = cuda_data_type::complex64; }));
  CHECK(refused([](gemm_kind& k) { k.compute = gnp::detail::cublas_compute::tf32; }));
  CHECK(refused([](gemm_kind& k) { k.count = 2; }));
  CHECK(refused([](gemm_kind& k) { k.a.alignment = 8; }));
  CHECK(refused([](gemm_kind& k) { k.b.alignment = 4; }));
  CHECK(refused([](gemm_kind& k) { k.c.alignment = 4; }));
}

#endif

TEST_CASE("what takes an array takes a product") {
  for_each_device([](gnp::device) {
    const gnp::array a = gnp::arange<double>(4).reshape(2, 2);
    const gnp::array<double> p = gnp::matmul(a, a);
    CHECK(gnp::array_equal(gnp::cumsum(gnp::matmul(a, a)), gnp::asarray<double>({2, 5, 11, 22})));
    CHECK(gnp::array_equal(gnp::cumprod(gnp::matmul(a, a), {.axis = 0}),
                           gnp::asarray<double>({{2, 3}, {12, 33}})));
    CHECK(gnp::array_equal(gnp::matmul(a, a).cumsum({.axis = 1}), gnp::cumsum(p, {.axis = 1})));
    CHECK(gnp::array_equal(gnp::nancumsum(gnp::matmul(a, a)), gnp::cumsum(p)));
    CHECK(gnp::array_equal(gnp::diff(gnp::matmul(a, a)), gnp::diff(p)));
    CHECK(gnp::trace(gnp::matmul(a, a)).item() == 13);
  });
}
