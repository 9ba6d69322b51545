// SPDX-License-Identifier: MIT
// A graph joins the statements of its body into fewer kernels. What they compute stays what each of them says,
// whatever they read and write, and in whatever order.
// test: simulated-gpu
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "random_views.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;
using random_views::generator;

template <class T>
std::vector<T> values(const array<T>& a) {
  const gnp::host_array<T> host = gnp::asnumpy(a);
  return {host.begin(), host.end()};
}

/// What a body leaves in arrays when it runs by itself, and as a graph that is called twice.
template <class T>
void check_as_graph(const std::function<void(const std::vector<array<T>>&)>& body,
                    std::vector<array<T>> start) {
  std::vector<array<T>> plain, recorded;
  for (const array<T>& a : start) {
    plain.push_back(a.copy());
    recorded.push_back(a.copy());
  }
  gnp::graph g([&] { body(recorded); });
  for (int call = 0; call < 2; ++call) {
    body(plain);
    g();
    for (std::size_t k = 0; k < plain.size(); ++k) CHECK(values(recorded[k]) == values(plain[k]));
  }
}

/// A view of a matrix on both sides: of gnp, and as the places of its elements on the host.
struct view {
  std::size_t from;
  array<double> elements;
  std::vector<std::size_t> places;
};

constexpr index_t rows = 6, columns = 8;

/// Views of 4 x 6 elements of a 6 x 8 matrix, or of few elements that are repeated.
view random_view(generator& random, const std::vector<array<double>>& of, bool is_written) {
  view v{static_cast<std::size_t>(random.below(static_cast<index_t>(of.size()))), {}, {}};
  const array<double>& a = of[v.from];
  const index_t kind = is_written ? random.below(2) : random.below(4);
  const index_t i0 = kind == 0 ? 1 : random.below(3), j0 = kind == 0 ? 1 : random.below(3);
  v.elements = a(slice(i0, i0 + 4), slice(j0, j0 + 6));
  const bool one_row = kind == 2, one_element = kind == 3 && random.one_in(2);
  if (one_row) v.elements = a(i0, slice(j0, j0 + 6));
  if (one_element) v.elements = a(slice(i0, i0 + 1), slice(j0, j0 + 1));
  for (index_t i = 0; i < 4; ++i) {
    for (index_t j = 0; j < 6; ++j) {
      const index_t row = one_row || one_element ? i0 : i0 + i, column = one_element ? j0 : j0 + j;
      v.places.push_back(static_cast<std::size_t>(row * columns + column));
    }
  }
  return v;
}

/// A random statement: two views (or what an earlier statement made) into a third, or into a new array.
struct statement {
  int operation;
  view left, right;
  std::optional<view> into;  // none: a temporary, which the next statement may take as its left operand
  bool takes_temporary;
  index_t down, along;  // by how many places the operands are rolled
};

double computed(int operation, double x, double y) {
  switch (operation) {
    case 0:
      return x + y;
    case 1:
      return x - y;
    case 2:
      return x > y ? x : y;
    case 3:
      return x > y ? 2.0 : -1.0;
    default:
      return x;
  }
}
template <class X, class Y>
void store(int operation, const array<double>& to, const X& x, const Y& y) {
  switch (operation) {
    case 0:
      to(gnp::ellipsis) = x + y;
      break;
    case 1:
      to(gnp::ellipsis) = x - y;
      break;
    case 2:
      to(gnp::ellipsis) = maximum(x, y);
      break;
    case 3:
      to(gnp::ellipsis) = where(x > y, 2.0, -1.0);
      break;
    default:
      to(gnp::ellipsis) = x;
      break;
  }
}

/// Random programs as graphs, and on the host. In some, operands are rolled.
void check_random_programs(unsigned from, unsigned to_seed, bool rolls) {
  for (unsigned seed = from; seed < to_seed; ++seed) {
    INFO("seed " << seed);
    generator random(seed);
    std::vector<array<double>> arrays;
    std::vector<std::vector<double>> host;
    for (index_t k = 0; k < 3; ++k) {
      arrays.push_back(
          (gnp::arange(static_cast<double>(rows * columns)).reshape(rows, columns) + 7.0 * double(k)) % 11.0);
      host.push_back(values(arrays.back()));
    }
    std::vector<statement> program;
    for (int n = 0; n < 12; ++n) {
      statement s{static_cast<int>(random.below(5)),
                  random_view(random, arrays, false),
                  random_view(random, arrays, false),
                  {},
                  random.one_in(2),
                  0,
                  0};
      if (!random.one_in(3)) s.into = random_view(random, arrays, true);
      if (rolls && random.one_in(2)) s.down = random.below(3), s.along = random.below(5);
      program.push_back(std::move(s));
    }
    gnp::graph g([&] {
      array<double> temporary = gnp::zeros<double>({4, 6});
      for (const statement& s : program) {
        const array<double> left = s.takes_temporary ? temporary : s.left.elements;
        const array<double> to = s.into ? s.into->elements : gnp::empty<double>({4, 6});
        if (rolls) {
          const array<double> right = broadcast_to(s.right.elements, {4, 6});
          store(s.operation, to, roll(broadcast_to(left, {4, 6}), {s.down, s.along}, {0, 1}),
                roll(right, {s.down, 0}, {0, 1}));
        } else {
          store(s.operation, to, left, s.right.elements);
        }
        if (!s.into) temporary = to;
      }
    });
    const auto rolled = [](std::size_t e, index_t down, index_t along) {
      const auto i = static_cast<index_t>(e) / 6, j = static_cast<index_t>(e) % 6;
      return static_cast<std::size_t>((i + 4 - down) % 4 * 6 + (j + 6 - along) % 6);
    };
    for (int call = 0; call < 2; ++call) {
      g();
      std::vector<double> temporary(24, 0.0);
      for (const statement& s : program) {
        std::vector<double> result(24);
        for (std::size_t e = 0; e < 24; ++e) {
          const std::size_t from_left = rolled(e, s.down, s.along), from_right = rolled(e, s.down, 0);
          const double left =
              s.takes_temporary ? temporary[from_left] : host[s.left.from][s.left.places[from_left]];
          result[e] = computed(s.operation, left, host[s.right.from][s.right.places[from_right]]);
        }
        for (std::size_t e = 0; e < 24; ++e)
          (s.into ? host[s.into->from][s.into->places[e]] : temporary[e]) = result[e];
      }
      for (std::size_t k = 0; k < arrays.size(); ++k) CHECK(values(arrays[k]) == host[k]);
    }
  }
}

}  // namespace

TEST_CASE("random statements in a graph are what they are on the host") {
  for_each_device([](gnp::device where) { check_random_programs(0, is_simulated(where) ? 20 : 60, false); });
}

TEST_CASE("random statements of what is rolled are what they are on the host") {
  for_each_device([](gnp::device where) { check_random_programs(100, is_simulated(where) ? 112 : 130, true); });
}

TEST_CASE("temporaries of a loop in a graph") {
  for_each_device([](gnp::device) {
    const index_t n = 1003;
    const array<float> x = gnp::linspace<float>(-2, 1, n), y = gnp::linspace<float>(-1.5F, 1.5F, n);
    array<std::int32_t> steps = gnp::zeros<std::int32_t>(n);
    gnp::graph g([&] {
      array<float> a = gnp::zeros<float>(n), b = gnp::zeros<float>(n);
      array<std::int32_t> inside = gnp::zeros<std::int32_t>(n);
      for (int k = 0; k < 20; ++k) {
        const array<float> a2 = a * a;
        const array<float> b2 = b * b;
        const array<bool> is_in = a2 + b2 < 4.0F;
        b = where(is_in, 2.0F * a * b + y, b);
        a = where(is_in, a2 - b2 + x, a);
        inside += is_in.astype<std::int32_t>();
      }
      steps(all) = inside;
    });
    g();
    const std::vector<float> real = values(x), imaginary = values(y);
    std::vector<std::int32_t> by_hand;
    for (std::size_t i = 0; i < real.size(); ++i) {
      float a = 0, b = 0;
      std::int32_t count = 0;
      for (int k = 0; k < 20; ++k) {
        const float a2 = a * a, b2 = b * b;
        if (a2 + b2 >= 4.0F) continue;
        const float product = 2.0F * a;
        const float scaled = product * b;
        b = scaled + imaginary[i];
        const float difference = a2 - b2;
        a = difference + real[i];
        ++count;
      }
      by_hand.push_back(count);
    }
    CHECK(values(steps) == by_hand);
  });
}

TEST_CASE("more statements than one kernel takes") {
  for_each_device([](gnp::device) {
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          array<double> s = a[0];
          for (int k = 0; k < 300; ++k) s = s * 0.5 + double(k);
          a[1](all) = s;
          for (int k = 0; k < 150; ++k) a[2](all) = a[2] * 0.5 + a[1];
        },
        {gnp::arange(37.0), gnp::zeros(37), gnp::ones(37)});
    // As many arrays as statements.
    std::vector<array<double>> many;
    for (int k = 0; k < 70; ++k) many.push_back(gnp::full(17, double(k)));
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          for (std::size_t k = 1; k < a.size(); ++k) a[k](all) = a[k] + a[k - 1];
        },
        many);
  });
}

TEST_CASE("statements of one shape and of several") {
  for_each_device([](gnp::device) {
    const auto grid = [](double first) { return array<double>(gnp::arange(35.0).reshape(5, 7) + first); };
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          const array<double> flat = a[0].reshape(35) * 2.0;  // one axis
          const array<double> centred = a[1] - a[1](2);       // a row for all rows
          a[2](all) = centred + flat.reshape(5, 7);           // two axes
          a[1](all) = a[2].reshape(7, 5).reshape(5, 7) - a[0](all, slice(3, 4));
          a[0](all) = a[2].reshape(35).reshape(5, 7) * 0.5;
        },
        {grid(0), grid(1), grid(2)});
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          a[2](all) = a[0] + a[1].T();
          a[0](all) = a[2] * a[1].T();
          a[1](all) = (a[0] + a[2]).T();
        },
        {gnp::arange(36.0).reshape(6, 6), gnp::arange(36.0).reshape(6, 6) % 5.0, gnp::zeros({6, 6})});
    // Rank 0, and no element at all.
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          a[0](gnp::ellipsis) = a[0] * 2.0 + 1.0;
          a[1](gnp::ellipsis) = a[0] * a[0];
          a[2](gnp::ellipsis) = a[2] + 1.0;
          a[2](gnp::ellipsis) = a[2] * 2.0;
        },
        {gnp::full(gnp::shape_t{}, 3.0), gnp::zeros(gnp::shape_t{}), gnp::zeros(0)});
  });
}

TEST_CASE("each type is rounded between statements as it is in memory") {
  for_each_device([](gnp::device d) {
    const auto chain = [](auto zero) {
      using T = decltype(zero);
      check_as_graph<T>(
          [](const std::vector<array<T>>& a) {
            const array<T> third = (a[0] / T(3)).template astype<T>();
            const array<T> again = (third * T(3)).template astype<T>();
            a[1](all) = (again - a[0]).template astype<T>();
          },
          {gnp::arange<T>(29), gnp::zeros<T>(29)});
    };
    chain(gnp::half{});
    chain(gnp::bfloat16{});
    chain(float{});
    chain(std::int8_t{});
    chain(gnp::complex64{});
    if (!is_simulated(d)) chain(std::uint16_t{}), chain(std::int64_t{});
    // A third as a half, a float and a double, and what is left of them.
    const array<double> x = gnp::arange(1.0, 30.0);
    array<double> left = gnp::zeros(29);
    gnp::graph g([&] {
      const array<gnp::half> h = (x / 3.0).astype<gnp::half>();
      const array<float> f = (x / 7.0).astype<float>();
      const array<bool> odd = x.astype<int>() % 2 == 1;
      left(all) = where(odd, h.astype<double>(), f.astype<double>());
    });
    g();
    for (int k = 0; k < 29; ++k) {
      const double of = k + 1;
      const double expected =
          (k + 1) % 2 == 1 ? double(float(gnp::half(float(of / 3.0)))) : double(float(of / 7.0));
      CHECK(double(left(k)) == expected);
    }
  });
}

TEST_CASE("statements that overlap come one after the other") {
  for_each_device([](gnp::device) {
    check_as_graph<float>(
        [](const std::vector<array<float>>& a) {
          const array<float> twice = a[0] * 2.0F;
          a[0](slice(1, none)) = twice(slice(0, -1)) + 1.0F;  // neighbours of what was just made
          a[0](slice(0, -1)) = a[0](slice(1, none)) * 3.0F;
          a[1](all) = a[0] + twice;
          a[1](slice(none, none, 2)) = 5.0F;  // some elements once more
          a[0](all) = a[1] - twice;
          a[0](all) = a[0](slice(none, none, -1));
          a[1](all) = a[0](3) + a[1];
        },
        {gnp::arange<float>(40), gnp::zeros<float>(40)});
    // The same memory as another type.
    array<float> bits = gnp::arange<float>(16);
    const array<std::uint32_t> as_words = bits.view<std::uint32_t>();
    gnp::graph g([&] {
      bits(all) = bits * 2.0F;
      as_words(all) = as_words ^ std::uint32_t{0x80000000};
      bits(all) = bits + 1.0F;
    });
    g();
    for (int k = 0; k < 16; ++k) CHECK(float(bits(k)) == -2.0F * float(k) + 1.0F);
    array<std::uint32_t> words = gnp::zeros<std::uint32_t>(16);
    gnp::graph again([&] {
      bits(all) = bits * 0.0F + 1.0F;
      words(all) = as_words + 0U;
    });
    again();
    CHECK(values(words) == std::vector<std::uint32_t>(16, 0x3f800000));
  });
}

TEST_CASE("statements of the components of vectors") {
  for_each_device([](gnp::device) {
    for (const index_t n : {3, 1000}) {
      const array<float> points = gnp::arange<float>(4 * n).reshape({n, 4}).copy();
      const array<float> pairs = gnp::zeros<float>({n, 2});
      gnp::graph g([&] {
        const auto x = points(all, 0), y = points(all, 1), u = points(all, 2), v = points(all, 3);
        x(all) = x + 0.5F * u;
        y(all) = y + 0.5F * v;
        u(all) = u - 0.25F * x;
        v(all) = v - 0.25F * y;
        pairs(all, 0) = x + v;
        pairs(all, 1) = x - u;
      });
      g();
      g();
      const auto moved = gnp::asnumpy(points), made = gnp::asnumpy(pairs);
      index_t wrong = 0;
      for (index_t i = 0; i < n; ++i) {
        float at[4];
        for (int k = 0; k < 4; ++k) at[k] = static_cast<float>(4 * i + k);
        for (int call = 0; call < 2; ++call) {
          for (int k = 0; k < 2; ++k) at[k] += 0.5F * at[k + 2];
          for (int k = 0; k < 2; ++k) at[k + 2] -= 0.25F * at[k];
        }
        for (int k = 0; k < 4; ++k) wrong += moved(i, k) == at[k] ? 0 : 1;
        wrong += made(i, 0) == at[0] + at[3] && made(i, 1) == at[0] - at[2] ? 0 : 1;
      }
      CHECK(wrong == 0);
    }
  });
}

TEST_CASE("what others can still read is stored") {
  for_each_device([](gnp::device where) {
    // A variable of the caller's, another view of a temporary, and memory that belongs to somebody else.
    array<double> left, row;
    array<double> memory = gnp::zeros(20);
    const array<double> x = gnp::arange(20.0);
    array<double> end = gnp::zeros(20);
    gnp::graph g([&] {
      const array<double> twice = x * 2.0;
      left = twice + 1.0;
      row = array<double>(left * left).reshape(4, 5)(1);
      {
        const array<double> wrapped = gnp::from_pointer(memory.data(), {20}, {.device = where});
        wrapped(all) = twice - 1.0;
      }
      end(all) = left + twice;
    });
    g();
    CHECK(double(left(4)) == 9);
    CHECK(double(row(2)) == 15 * 15);
    CHECK(double(memory(6)) == 11);
    CHECK(double(end(3)) == 13);
  });
}

TEST_CASE("an array that the body lets go of keeps its state from call to call") {
  for_each_device([](gnp::device where) {
    if (where.is_cpu()) return;  // there the body runs, and could let go only once
    array<float> y = gnp::zeros<float>(3);
    std::optional<array<float>> x = gnp::ones<float>(3);
    gnp::graph g([&] {
      (*x)(all) = *x * 2.0F;
      y(all) = *x + 0.0F;
      x.reset();
    });
    for (int call = 0; call < 3; ++call) g();
    CHECK(values(y) == std::vector<float>(3, 8.0F));
  });
}

TEST_CASE("a reduction over no axes of what is held") {
  for_each_device([](gnp::device) {
    const std::vector<int> no_axes;
    check_as_graph<float>(
        [&no_axes](const std::vector<array<float>>& a) {
          const array<float> u = a[0](all, slice(0, 5)) * 2.0F;
          a[1](all) = sum(u.reshape(10), no_axes);
          const array<float> s = sum(u * u, no_axes);
          a[1](all) = a[1] + s.reshape(10);
        },
        {gnp::arange<float>(14).reshape(2, 7), gnp::zeros<float>(10)});
  });
}

TEST_CASE("temporaries of joined statements take turns in memory") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  const index_t n = index_t{1} << 20;
  const array<float> x = gnp::ones<float>(n);
  array<float> end = gnp::zeros<float>(n);
  const gnp::profile seen;
  gnp::graph g([&] {
    array<float> s = x;
    for (int k = 0; k < 100; ++k) s = s * 0.5F + 1.0F;
    end(all) = s;
  });
  g();
  CHECK(seen.highest_memory(gnp::device::cuda(0)) < 12 * sizeof(float) * static_cast<std::size_t>(n));
  CHECK(float(end(n - 1)) == 2.0F);
}

TEST_CASE("an exception among statements that are held ends the recording") {
  for_each_device([](gnp::device) {
    array<double> a = gnp::arange(10.0);
    const auto broken = [&] {
      a(all) = a + 1.0;
      const array<double> b = a * 2.0;
      a(all) = b + gnp::zeros(3);
    };
    CHECK_THROWS_AS(gnp::graph(broken).operator()(), gnp::shape_error);
    gnp::graph g([&] { a += 1.0; });
    a(all) = 0.0;
    g();
    CHECK(double(a(3)) == 1);
  });
}

TEST_CASE("reductions of temporaries in a graph") {
  for_each_device([](gnp::device) {
    for (const index_t columns_here : {index_t{3}, index_t{64}, index_t{1000}}) {
      check_as_graph<float>(
          [](const std::vector<array<float>>& a) {
            // A row centred and scaled, in statements of its own.
            const array<float> m = mean(a[0], 1, {.keepdims = true});
            const array<float> c = a[0] - m;
            const array<float> s = mean(c * c, 1, {.keepdims = true});
            a[1](all) = c / sqrt(s + 1e-5F);
            // Of all, along the other axis, of positions; of what is stored anyway, and of what is overwritten.
            const array<float> d = a[0] - a[1];
            a[2](gnp::ellipsis) = sum(d * d) + max(abs(d));
            const array<index_t> where_largest = argmax(d, 0);
            a[3](all) = d(where_largest(0)) + where_largest.astype<float>();
            a[1](all) = a[1] * 2.0F;
            a[3](all) = a[3] + sum(a[1], 0);
            a[0](all) = d + 1.0F;
            a[3](all) = a[3] + max(a[0], 0) + min(d, 0);
          },
          {gnp::sin(gnp::arange<float>(37 * columns_here)).reshape(37, columns_here),
           gnp::zeros<float>({37, columns_here}), gnp::zeros<float>(gnp::shape_t{}),
           gnp::zeros<float>(columns_here)});
    }
    // The result goes where the elements come from.
    check_as_graph<double>(
        [](const std::vector<array<double>>& a) {
          const array<double> t = a[0] * 2.0;
          a[0](0) = sum(t, 0);
          a[1](all) = t(1) + a[0](0);
          const array<double> u = a[0] + a[0];
          a[1](all) = a[1] + max(u, 0);
        },
        {gnp::arange(30.0).reshape(6, 5), gnp::zeros(5)});
  });
}
