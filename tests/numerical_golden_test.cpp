// SPDX-License-Identifier: MIT
// test: asan
// Windows, gradients, convolutions and the like give what NumPy gives: tests/data/numerical.txt.
#include <algorithm>
#include <string_view>

#include "named_golden.hpp"

namespace {

using gnp::array;
using gnp::slice;

struct inputs {
  array<float> a = numbers<float>({2, 3});
  array<float> b = numbers<float>({4, 3});
  array<double> d = numbers<double>({4, 5});
  array<float> v = numbers<float>(5);
  array<int> w = numbers<int>(3);
  array<double> x = numbers<double>(9);
  array<std::int64_t> cube = numbers<std::int64_t>({2, 3, 4});
  array<gnp::complex128> z = numbers<gnp::complex128>(4);
  array<float> odd =
      gnp::asarray<float>({0, -0.0F, 1.5F, -2.75F, static_cast<float>(gnp::inf), -static_cast<float>(gnp::inf),
                           static_cast<float>(gnp::nan), 1e-40F, -7, 1e30F});
  array<bool> flags = numbers<bool>({3, 11});
};

/// What is checked, by a member each, so that lambdas see the inputs.
struct checks : inputs {
  named_golden g{"numerical.txt"};

  void check_parts();
  void check_sums();
  void check_interpolation();
  void check_signals();
};

void checks::check_parts() {
  const auto check_window = [this](const std::string& name, const auto& window) {
    g.check(name, window(9), 4);
    g.check(name + " even", window(6), 4);
  };
  check_window("bartlett", [](int n) { return gnp::bartlett(n); });
  check_window("blackman", [](int n) { return gnp::blackman(n); });
  check_window("hamming", [](int n) { return gnp::hamming(n); });
  check_window("hanning", [](int n) { return gnp::hanning(n); });
  g.check("hanning one", gnp::hanning(1));
  g.check("hanning none", gnp::hanning(0));
  g.check("kaiser", gnp::kaiser(12, 8.6), 8);
  g.check("kaiser odd", gnp::kaiser(7, 0.5), 8);
  g.check("i0", gnp::i0(gnp::linspace(-20, 20, 41)), 8);
  const auto check_two = [this](const std::string& name, const auto& first, const auto& second) {
    g.check(name + " 0", first);
    g.check(name + " 1", second);
  };
  const auto [mantissa, exponent] = gnp::frexp(odd);
  check_two("frexp", mantissa, exponent);
  const auto [mantissa_of_w, exponent_of_w] = gnp::frexp(w);
  check_two("frexp integers", mantissa_of_w, exponent_of_w);
  const auto [fraction, whole] = gnp::modf(odd);
  check_two("modf", fraction, whole);
  CHECK(std::signbit(gnp::asnumpy(fraction)[1]));
  const auto [half_fraction, half_whole] = gnp::modf(numbers<gnp::half>(5));
  check_two("modf half", half_fraction, half_whole);
  const auto [quotient, rest] = gnp::divmod(v, 0.5);
  check_two("divmod", quotient, rest);
  const auto [integer_quotient, integer_rest] = gnp::divmod(cube - 9, 4);
  check_two("divmod integers", integer_quotient, integer_rest);
  g.check("spacing", gnp::spacing(odd));
  g.check("spacing double", gnp::spacing(x));
  g.check("spacing half", gnp::spacing(numbers<gnp::half>(7)));
  g.check("bitwise_count", gnp::bitwise_count(cube * std::int64_t{12345678901} - 5));
  g.check("bitwise_count bytes", gnp::bitwise_count(gnp::arange<std::int8_t>(-128, 128, 7)));
  g.check("bitwise_count bool", gnp::bitwise_count(numbers<bool>(4)));
  g.check("isreal", gnp::isreal(z));
  g.check("iscomplex", gnp::iscomplex(z));
  g.check("isreal of reals", gnp::isreal(v));
  CHECK((gnp::iscomplexobj(z) && gnp::isrealobj(v) && gnp::isscalar(3.0) && !gnp::isscalar(v)));
  CHECK((gnp::isfortran(b.T()) && !gnp::isfortran(b) && !gnp::isfortran(v)));
  g.check("geomspace", gnp::geomspace(1, 1000, 7), 4);
  g.check("geomspace down", gnp::geomspace(-256, -1, 9), 4);
  g.check("geomspace open", gnp::geomspace(2, 32, 4, {.endpoint = false}), 4);
  g.refuses<gnp::error>("geomspace zero", "cannot include zero", [] { gnp::geomspace(0, 1); });
  g.check("packbits", gnp::packbits(flags));
  g.check("packbits axis 1", gnp::packbits(flags, 1));
  g.check("packbits axis 0 little", gnp::packbits(flags, {.axis = 0, .bitorder = "little"}));
  g.check("packbits integers", gnp::packbits(numbers<int>(16)));
  const auto bytes = numbers<std::uint8_t>({2, 3});
  g.check("unpackbits", gnp::unpackbits(bytes));
  g.check("unpackbits axis 0", gnp::unpackbits(bytes, 0));
  g.check("unpackbits axis 1 little", gnp::unpackbits(bytes, {.axis = 1, .bitorder = "little"}));
  g.check("unpackbits count", gnp::unpackbits(numbers<std::uint8_t>(3), {.count = 13}));
  g.check("unpackbits count negative", gnp::unpackbits(numbers<std::uint8_t>(3), {.count = -5}));
  g.check("packbits axis 1 little", gnp::packbits(flags, 1, {.bitorder = "little"}));
  g.check("unpackbits axis 1 count", gnp::unpackbits(bytes, 1, {.count = 19}));
  g.check("unpackbits count more", gnp::unpackbits(numbers<std::uint8_t>(1) + 77, {.count = 12}));
}

void checks::check_sums() {
  g.check("cumulative_sum", gnp::cumulative_sum(w));
  g.check("cumulative_sum initial", gnp::cumulative_sum(a, {.axis = 1, .include_initial = true}));
  g.check("cumulative_prod", gnp::cumulative_prod(w + 1));
  g.check("cumulative_prod initial", gnp::cumulative_prod(b, 0, {.include_initial = true}), 2);
  g.refuses<gnp::shape_error>("cumulative_sum axis", "more than one dimension the axis argument is required",
                              [&] { gnp::cumulative_sum(a); });
  g.check("maximum_accumulate", gnp::maximum_accumulate(cube, 2));
  g.check("minimum_accumulate", gnp::minimum_accumulate(b));
  g.check("maximum_accumulate nan", gnp::maximum_accumulate(odd));
  g.check("minimum_accumulate half", gnp::minimum_accumulate(numbers<gnp::half>(9)));
  g.check("maximum_accumulate bool", gnp::maximum_accumulate(flags, {.axis = 1}));
  g.check("maximum_accumulate complex", gnp::maximum_accumulate(z));
  g.check("gradient", gnp::gradient(x));
  g.check("gradient distance", gnp::gradient(v, 0.25), 2);
  const array<double> squares = gnp::square(gnp::arange<double>(9));
  g.check("gradient places", gnp::gradient(x, squares), 4);
  g.check("gradient order 2", gnp::gradient(d, {.axis = 1, .edge_order = 2}), 4);
  g.check("gradient places order 2",
          gnp::gradient(d, gnp::asarray<double>({0, 1, 3, 3.5}), {.axis = 0, .edge_order = 2}), 8);
  g.check("gradient integers", gnp::gradient(cube, {.axis = 2}));
  g.check("gradient complex", gnp::gradient(z), 2);
  g.check("gradients", gnp::gradients(d));
  g.refuses<gnp::shape_error>("gradient short", "at least (edge_order + 1) elements are required",
                              [&] { gnp::gradient(v(slice(1))); });
  CHECK_THROWS_WITH(gnp::gradient(d), contains("name one, or call gradients"));
  g.check("trapezoid", gnp::trapezoid(x), 4);
  g.check("trapezoid dx", gnp::trapezoid(b, {.dx = 0.5, .axis = 0}), 4);
  g.check("trapezoid places", gnp::trapezoid(d, squares(slice(5))), 4);
  g.check("trapezoid integers", gnp::trapezoid(cube, {.axis = 1}));
  g.check("ediff1d", gnp::ediff1d(b));
  g.check("ediff1d ends", gnp::ediff1d(w, {.to_end = gnp::asarray<int>({88, 99}), .to_begin = -9}));
  g.check("unwrap", gnp::unwrap(x * 3), 8);
  g.check("unwrap rows", gnp::unwrap(d * 4, {.axis = 0}), 8);
  g.check("unwrap period", gnp::unwrap(x * 2, {.period = 4}), 8);
  g.check("unwrap discont", gnp::unwrap(x * 3, {.discont = 5}), 8);
}

void checks::check_interpolation() {
  const auto xp = gnp::asarray<double>({-3, -1, 0, 2, 2.5});
  const auto at = gnp::asarray<double>({{-4, -3, -0.25}, {2.25, 2.5, 9}, {gnp::nan, 0, gnp::inf}});
  g.check("interp", gnp::interp(at, xp, v), 2);
  g.check("interp ends", gnp::interp(at, xp, v, {.left = -99, .right = gnp::nan}), 2);
  g.check("interp integers", gnp::interp(w, gnp::arange(0, 30, 6), gnp::square(gnp::arange(5))), 2);
  g.check("interp complex", gnp::interp(at, xp(slice(4)), z), 2);
  g.check("interp infinite", gnp::interp(at, xp, gnp::asarray<double>({1, gnp::inf, gnp::inf, 2, 2})), 2);
  g.check("interp period",
          gnp::interp(x * 3, gnp::asarray<double>({190, -190, 5, 300}), gnp::real(z), {.period = 360}), 4);
  g.check("interp one", gnp::interp(0.5, xp, v), 2);
  g.check("interp single", gnp::interp(at, xp(slice(1)), v(slice(1))));
  g.refuses<gnp::shape_error>("interp lengths", "fp and xp are not of the same length",
                              [&] { gnp::interp(at, xp, w); });
  g.check("repeat counts", gnp::repeat(v, {0, 2, 1, 0, 3}));
  g.check("repeat counts axis 1", gnp::repeat(b, gnp::asarray<int>({2, 0, 1}), {.axis = 1}));
  g.check("repeat counts flat", gnp::repeat(a + 0, std::vector<int>{1, 0, 2, 0, 0, 3}));
  g.refuses<gnp::shape_error>("repeat counts wrong", "repeat: counts of shape (2,)",
                              [&] { gnp::repeat(v, {1, 2}); });
  g.refuses<gnp::error>("repeat counts negative", "may not contain negative values",
                        [&] { gnp::repeat(v, {1, 2, -1, 0, 0}); });
}

void checks::check_signals() {
  const array<double> k = numbers<double>(40) / 7;
  for (const char* mode : {"full", "same", "valid"}) {
    const std::string name = mode;
    g.check("convolve " + name, gnp::convolve(x, v, mode), 8);
    g.check("convolve short " + name, gnp::convolve(w, x(slice(4)), mode), 8);
    g.check("convolve long " + name, gnp::convolve(k, numbers<double>(90), mode), 16);
    g.check("correlate " + name, gnp::correlate(x, v, mode), 8);
    g.check("correlate short " + name, gnp::correlate(z(slice(3)), z, mode), 8);
  }
  g.check("convolve integers", gnp::convolve(numbers<std::int8_t>(6), numbers<std::int8_t>(3)));
  g.check("convolve half", gnp::convolve(numbers<gnp::half>(6), numbers<gnp::half>(3)), 2);
  g.check("convolve bool", gnp::convolve(numbers<bool>(6), numbers<bool>(3)));
  g.refuses<gnp::error>("convolve empty", "convolve: v cannot be empty",
                        [&] { gnp::convolve(v, v(slice(0))); });
  CHECK_THROWS_WITH(gnp::convolve(v, v, "half"), contains("mode must be one of 'valid', 'same', or 'full'"));
  CHECK_THROWS_AS(gnp::convolve(a, v), gnp::shape_error);
  g.check("sliding_window_view", gnp::sliding_window_view(v, 3));
  g.check("sliding_window_view 2", gnp::sliding_window_view(d, {2, 3}));
  g.check("sliding_window_view axis", gnp::sliding_window_view(cube, 2, 1));
  g.refuses<gnp::shape_error>("sliding_window_view large",
                              "window shape cannot be larger than input array shape",
                              [&] { gnp::sliding_window_view(v, 7); });
  g.check("as_strided", gnp::as_strided(x, {3, 4}, {16, 8}));
  CHECK_THROWS_AS(gnp::as_strided(v, {100000, 4}, {16, 4}), gnp::index_error);
  CHECK_THROWS_AS(gnp::as_strided(v, {2}, {-4}), gnp::index_error);
  g.check("apply_along_axis",
          gnp::apply_along_axis([](const auto& line) { return line(0) * 2 - line(-1); }, 1, cube));
  g.check("apply_along_axis line",
          gnp::apply_along_axis([](const auto& line) { return gnp::cumsum(line); }, 0, b), 2);
  g.check("apply_along_axis matrix",
          gnp::apply_along_axis([](const auto& line) { return gnp::diag(line); }, 1, cube));
  g.check("apply_over_axes",
          gnp::apply_over_axes([](const auto& p, int axis) { return gnp::sum(p, axis); }, cube, {0, 2}));
}

}  // namespace

TEST_CASE("windows, differences and convolutions give NumPy's results") {
  for_each_device([](gnp::device) {
    checks all;
    all.check_parts();
    all.check_sums();
    all.check_interpolation();
    all.check_signals();
    all.g.check_complete();
  });
}

TEST_CASE("bits of rows that fill no whole bytes") {
  for_each_device([](gnp::device) {
    for (const gnp::index_t length : {1, 7, 8, 9, 15, 16, 17, 100}) {
      for (const bool big : {true, false}) {
        INFO(length << " " << big);
        const std::string_view order = big ? "big" : "little";
        const gnp::index_t rows = 301;
        const gnp::array<std::uint8_t> values =
            (gnp::arange<std::int64_t>(rows * length) % 7 * (gnp::arange<std::int64_t>(rows * length) % 2) * 40)
                .astype<std::uint8_t>()
                .reshape(rows, length);
        const gnp::array<std::uint8_t> bytes = gnp::packbits(values, {.axis = 1, .bitorder = order});
        const auto given = gnp::asnumpy(values);
        const auto host = gnp::asnumpy(bytes);
        REQUIRE(bytes.shape() == gnp::shape_t{rows, (length + 7) / 8});
        gnp::index_t wrong = 0;
        for (gnp::index_t r = 0; r < rows; ++r) {
          for (gnp::index_t i = 0; i < bytes.shape()[1]; ++i) {
            unsigned wanted = 0;
            for (unsigned k = 0; k < 8; ++k) {
              const gnp::index_t at = 8 * i + k;
              if (at < length && given(r, at) != 0) wanted |= big ? 128U >> k : 1U << k;
            }
            wrong += host(r, i) == wanted ? 0 : 1;
          }
        }
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_CASE("interp of a few values, of values in order and of others") {
  for_each_device([](gnp::device) {
    gnp::random::generator rng(4);
    for (const gnp::index_t points : {2, 3, 10, 1000, 8192, 8193}) {
      // Some places twice; the values have an infinite one.
      const gnp::array<double> xp = gnp::floor(gnp::sort(rng.uniform(0.0, 1.0, {points})) * 600) / 600;
      const gnp::array<double> fp = rng.normal(0.0, 1.0, {points});
      fp(points / 2) = gnp::inf;
      const gnp::array<gnp::complex128> zp = fp + gnp::complex128(0, 1) * xp;
      for (const gnp::index_t n : {0, 1, 63, 64, 65, 3000}) {
        for (const int how : {0, 1, 2}) {  // any order, ascending, descending
          INFO(points << " " << n << " " << how);
          gnp::array<double> x = gnp::floor(rng.uniform(-0.1, 1.1, {n}) * 1200) / 1200;
          if (how > 0) x = gnp::sort(x);
          if (how == 2) x = gnp::flip(x);
          if (n > 3 && how != 1) x(n / 2) = gnp::nan;
          const auto at = gnp::asnumpy(x);
          const auto places = gnp::asnumpy(xp);
          const auto values = gnp::asnumpy(fp);
          const auto made = gnp::asnumpy(gnp::interp(x, xp, fp, {.left = -7, .right = 8}));
          const auto pairs = gnp::asnumpy(gnp::interp(x, xp, zp));
          const auto imaginary = gnp::asnumpy(gnp::interp(x, xp, xp));
          gnp::index_t wrong = 0;
          for (gnp::index_t i = 0; i < n; ++i) {
            gnp::index_t next = std::partition_point(places.data(), places.data() + points,
                                                     [&](double place) { return place <= at(i); }) -
                                places.data();
            const gnp::index_t k = next == 0 ? 0 : next - 1;
            next = next == points ? points - 1 : next;
            double wanted = gnp::scalar::interpolated(at(i), places(k), places(next), values(k), values(next));
            if (at(i) < places(0)) wanted = -7;
            if (at(i) > places(points - 1)) wanted = 8;
            const double error = std::abs(made(i) - wanted);
            const bool same = made(i) == wanted || error < 1e-12 || (wanted != wanted && made(i) != made(i));
            wrong += same ? 0 : 1;
            if (at(i) == at(i)) wrong += pairs(i).imag() == imaginary(i) ? 0 : 1;
          }
          CHECK(wrong == 0);
        }
      }
    }
  });
}

TEST_CASE("bits of bytes and bytes of bits, of any length") {
  for_each_device([](gnp::device) {
    for (const gnp::index_t n : {0, 1, 7, 8, 9, 64, 1000, 100003}) {
      for (const bool big : {true, false}) {
        const std::string_view order = big ? "big" : "little";
        const auto values = gnp::arange<std::uint8_t>(n) % std::uint8_t{3} * std::uint8_t{100};
        const gnp::array<std::uint8_t> bytes = gnp::packbits(values, {.bitorder = order});
        const auto host = gnp::asnumpy(bytes);
        gnp::index_t wrong = 0;
        for (gnp::index_t i = 0; i < bytes.size(); ++i) {
          unsigned wanted = 0;
          for (unsigned k = 0; k < 8; ++k) {
            const gnp::index_t at = 8 * i + k;
            if (at < n && at % 256 % 3 != 0) wanted |= big ? 128U >> k : 1U << k;
          }
          wrong += host[i] == wanted ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK(gnp::array_equal(gnp::unpackbits(bytes, {.count = n, .bitorder = order}), values != 0));
      }
    }
  });
}
