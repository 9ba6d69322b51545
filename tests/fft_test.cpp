// SPDX-License-Identifier: MIT
// test: asan
// gnp::fft: accuracy beside long double sums, every kind of length, large ones, layouts, types, errors.
#include <cmath>
#include <complex>
#include <gnp/dense/fft_plans.hpp>
#include <gnp/dense/fft_single.hpp>
#include <limits>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::complex128;
using gnp::complex64;
using gnp::index_t;
using gnp::shape_t;
namespace fft = gnp::fft;

/// Numbers without any order.
template <class Real>
array<std::complex<Real>> numbers(const shape_t& shape) {
  gnp::host_array<std::complex<Real>> host(shape);
  std::uint64_t state = 88172645463325252U;
  const auto next = [&state] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<Real>(state >> 11) / static_cast<Real>(std::uint64_t{1} << 52) - Real(1);
  };
  for (index_t i = 0; i < host.size(); ++i) {
    const Real re = next();
    host[i] = {re, next()};
  }
  return gnp::asarray(host);
}

template <class Real>
double norm(const array<std::complex<Real>>& x) {
  return std::sqrt(gnp::sum(gnp::square(gnp::abs(x.template astype<complex128>()))).item());
}

/// The distance of two arrays over the length of the second, in the type's last places.
template <class Real>
double distance(const array<std::complex<Real>>& a, const array<std::complex<Real>>& b) {
  const array<std::complex<Real>> difference = a - b;
  return norm(difference) / norm(b) / static_cast<double>(std::numeric_limits<Real>::epsilon());
}

/// The n numbers whose powers are 1 for n.
std::vector<std::complex<long double>> roots_of_one(index_t n) {
  std::vector<std::complex<long double>> roots;
  for (index_t k = 0; k < n; ++k) {
    roots.push_back(
        std::polar(1.0L, -2 * std::acos(-1.0L) * static_cast<long double>(k) / static_cast<long double>(n)));
  }
  return roots;
}

/// Element k of a row's transform by its definition, in long double. Nothing is called in the loop: sanitized,
/// calls would be most of the time that this file takes.
template <class Real>
std::complex<long double> by_definition(const std::complex<Real>* row,
                                        const std::vector<std::complex<long double>>& roots, index_t k) {
  const auto* const x = reinterpret_cast<const Real*>(row);
  const auto* const root = reinterpret_cast<const long double*>(roots.data());
  const auto n = static_cast<index_t>(roots.size());
  long double re = 0;
  long double im = 0;
  for (index_t j = 0, turn = 0; j < n; ++j) {
    const long double a = x[2 * j];
    const long double b = x[2 * j + 1];
    const long double c = root[2 * turn];
    const long double d = root[2 * turn + 1];
    re += a * c - b * d;
    im += a * d + b * c;
    turn += turn + k < n ? k : k - n;
  }
  return {re, im};
}

/// The transform of the last axis.
template <class Real>
array<std::complex<Real>> by_definition(const array<std::complex<Real>>& x) {
  const gnp::host_array<std::complex<Real>> in = gnp::asnumpy(x);
  gnp::host_array<std::complex<Real>> out(x.shape());
  const index_t n = x.shape(-1);
  const auto roots = roots_of_one(n);
  for (index_t row = 0; row < in.size(); row += n)
    for (index_t k = 0; k < n; ++k)
      out[row + k] = static_cast<std::complex<Real>>(by_definition(in.data() + row, roots, k));
  return gnp::asarray(out);
}

/// All that a row of so many numbers can be asked; `most` in the last places.
template <class Real>
void check_length(index_t n, index_t rows, double most) {
  INFO(rows << " of " << n << (sizeof(Real) == 4 ? " in float" : " in double"));
  const auto x = numbers<Real>({rows, n});
  const auto right = by_definition(x);
  CHECK(distance<Real>(fft::fft(x), right) < most);
  CHECK(distance<Real>(fft::ifft(right), x) < most);
  // Columns, in a view and in an array of their own.
  CHECK(distance<Real>(fft::fft(x.T(), {.axis = 0}).T(), right) < most);
  CHECK(distance<Real>(fft::fft(x.T().copy(), {.axis = 0}).T(), right) < most);
  const array<Real> re = gnp::real(x);
  const auto of_real = by_definition<Real>(re.template astype<std::complex<Real>>());
  const auto half = fft::rfft(re);
  REQUIRE(half.shape() == shape_t{rows, n / 2 + 1});
  CHECK(distance<Real>(half, of_real(gnp::all, gnp::slice(0, n / 2 + 1))) < most);
  CHECK(distance<Real>(fft::fft(re), of_real) < most);
  CHECK(distance<Real>(fft::rfft(re.T(), {.axis = 0}).T(), half) < most);
  const array<Real> back = fft::irfft(half, {.n = n});
  CHECK(distance<Real>(back.template astype<std::complex<Real>>(), re.template astype<std::complex<Real>>()) <
        most);
  const array<Real> columns = fft::irfft(half.T(), {.n = n, .axis = 0}).T();
  CHECK(distance<Real>(columns.template astype<std::complex<Real>>(),
                       re.template astype<std::complex<Real>>()) < most);
}

}  // namespace

TEST_CASE("every length") {
  for_each_device([](gnp::device d) {
    for (index_t n = 1; n <= 70; ++n) {
      check_length<double>(n, n % 3 == 0 ? 21 : n % 3, 8);
      if (d.is_cpu() || n % 7 == 0) check_length<float>(n, n % 4 == 0 ? 21 : n % 4, 8);
    }
    for (const index_t n :
         {81, 97, 100, 121, 128, 143, 169, 210, 243, 256, 343, 360, 509, 512, 1000, 1009, 1024}) {
      check_length<double>(n, 2, 12);
      check_length<float>(n, 2, 12);
    }
    // Primes around the largest that has a pass, once, squared and beside small factors, and one row alone.
    for (const index_t n : {17, 283, 289, 293, 566, 999, 1139, 1698, 1758}) {
      for (const index_t rows : {1, 5}) {
        if (sanitized && n > 300 && rows > 1) continue;
        check_length<double>(n, rows, 12);
        check_length<float>(n, rows, 12);
      }
    }
  });
}

TEST_CASE("long transforms") {
  for_each_device([](gnp::device) {
    // 20000 = 2^5 5^4 and 2^16 are done in blocks, 65537 and 100003 are primes, 30030 has all small factors,
    // and 99999 the larger ones 41 and 271.
    for (const index_t n : {20000, 65536, 65537, 30030, 99999, 100003, 200000}) {
      INFO(n);
      const auto x = numbers<double>({n});
      const auto y = fft::fft(x);
      const double most = 2 * std::log2(static_cast<double>(n));
      CHECK(distance<double>(fft::ifft(y), x) < most);
      CHECK(norm(y) == Approx(norm(x) * std::sqrt(static_cast<double>(n))));
      // A wave has one frequency; five results by their definition.
      const array<double> places = gnp::arange<double>(static_cast<double>(n));
      const array<double> wave = gnp::cos(places * (2 * gnp::pi * 7 / static_cast<double>(n)));
      const auto peak = gnp::asnumpy(fft::rfft(wave));
      for (index_t k = 0; k < peak.size(); k += k == 7 ? 1 : 7)
        REQUIRE(std::abs(peak[k]) == Approx(k == 7 ? static_cast<double>(n) / 2 : 0).margin(1e-7));
      const auto h = gnp::asnumpy(x);
      const auto got = gnp::asnumpy(y);
      const auto roots = roots_of_one(n);
      for (const index_t k : {index_t{0}, index_t{1}, n / 3, n / 2 + 1, n - 1}) {
        const std::complex<long double> sum = by_definition(h.data(), roots, k);
        CHECK(std::abs(std::complex<long double>(got[k]) - sum) <
              1e-12L * std::sqrt(static_cast<long double>(n)));
      }
      const array<double> re = gnp::real(x);
      CHECK(gnp::abs(fft::irfft(fft::rfft(re), n) - re).max().item() < 1e-13);
    }
  });
}

TEST_CASE("many dimensions and layouts") {
  for_each_device([](gnp::device) {
    const auto x = numbers<double>({6, 5, 8, 3});
    // Each axis alone, from the definition; middle axes are not what cuFFT takes in one call.
    for (int axis = 0; axis < 4; ++axis) {
      INFO(axis);
      const auto right = gnp::moveaxis(by_definition<double>(gnp::moveaxis(x, axis, -1).copy()), -1, axis);
      CHECK(distance<double>(fft::fft(x, {.axis = axis}), right) < 8);
      CHECK(distance<double>(fft::fft(x.T(), {.axis = 3 - axis}).T(), right) < 8);
    }
    const auto all = fft::fftn(x);
    auto in_turn = x;
    for (int axis = 0; axis < 4; ++axis) in_turn = fft::fft(in_turn, {.axis = axis});
    CHECK(distance<double>(all, in_turn) < 16);
    CHECK(distance<double>(fft::ifftn(all), x) < 16);
    CHECK(distance<double>(fft::fftn(x, {.axes = {2, 0}}), fft::fft(fft::fft(x, {.axis = 0}), {.axis = 2})) <
          8);
    CHECK(distance<double>(fft::fftn(x.T()), all.T()) < 16);
    const array<double> re = gnp::real(x);
    CHECK(gnp::abs(fft::irfftn(fft::rfftn(re), {.s = {6, 5, 8, 3}, .axes = {0, 1, 2, 3}}) - re).max().item() <
          1e-14);
    CHECK(gnp::abs(fft::irfft2(fft::rfft2(re, {.axes = {3, 0}}), {.s = {3, 6}, .axes = {3, 0}}) - re)
              .max()
              .item() < 1e-14);
    // A view of every other row and column, a broadcast one, one that does not begin where the block does.
    const auto part = x(gnp::slice(1, gnp::none, 2), gnp::all, gnp::slice(gnp::none, gnp::none, -3), 1);
    CHECK(distance<double>(fft::fft(part), fft::fft(part.copy())) < 1);
    CHECK(distance<double>(fft::fft2(part), fft::fft2(part.copy())) < 8);
    const auto same = gnp::broadcast_to(x(0, 0, gnp::all, 0), {4, 8});
    CHECK(distance<double>(fft::fft(same), fft::fft(same.copy())) < 1);
    CHECK(distance<double>(fft::fft(same, {.axis = 0}), fft::fft(same.copy(), {.axis = 0})) < 1);
    const array<float> odd = gnp::arange<float>(31);
    CHECK(gnp::array_equal(fft::rfft(odd(gnp::slice(1, 31))), fft::rfft(odd(gnp::slice(1, 31)).copy())));
    // The input stays what it was, also that of a transform to real numbers.
    const auto before = x.copy();
    fft::irfftn(x);
    fft::irfft(x);
    fft::ifftn(x);
    CHECK(gnp::array_equal(x, before));
    // More rows than cuFFT's calls would be worth: a middle axis between long ones.
    const auto thick = numbers<float>({40, 6, 50});
    CHECK(distance<float>(fft::ifft(fft::fft(thick, {.axis = 1}), {.axis = 1}), thick) < 4);
  });
}

TEST_CASE("numbers of points by position") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::sin(gnp::arange<double>(35)).reshape(5, 7);
    const auto z = gnp::fft::rfft2(x);
    const index_t rows = 5, columns = 7;
    CHECK(gnp::allclose(gnp::fft::irfft2(z, x.shape()), x));
    CHECK(gnp::allclose(gnp::fft::irfft2(z, {rows, columns}), x));
    CHECK(gnp::allclose(gnp::fft::irfftn(z, {5, 7}, {0, 1}), x));
    CHECK(gnp::allclose(gnp::fft::fft2(x, {4, 9}), gnp::fft::fft2(x, {.s = {4, 9}})));
    CHECK(gnp::allclose(gnp::fft::ifft2(x, {4, 9}, {1, 0}), gnp::fft::ifft2(x, {.s = {4, 9}, .axes = {1, 0}})));
    CHECK(gnp::fft::fftn(x, {4}, 0).shape() == shape_t{4, 7});
    CHECK(gnp::fft::rfftn(x, {4, 9}).shape() == shape_t{4, 5});
  });
}

TEST_CASE("numbers in braces") {
  for_each_device([](gnp::device) {
    using complex = std::complex<double>;
    const auto equal = [](const auto& x, const std::vector<complex>& wanted) {
      return gnp::allclose(x.flatten(), gnp::asarray(wanted));
    };
    CHECK(equal(fft::fft({1, 2, 3, 4}), {10, complex(-2, 2), -2, complex(-2, -2)}));
    CHECK(equal(fft::fft({1, 2, 3}, 4), {6, complex(-2, -2), 2, complex(-2, 2)}));
    CHECK(equal(fft::fft({{1, 2}, {3, 4}}, {.axis = 0}), {4, 6, -2, -2}));
    CHECK(equal(fft::fft2({{1, 2}, {3, 4}}), {10, -2, -4, 0}));
    CHECK(gnp::allclose(fft::irfft({1, 2, 3}, 4), gnp::asarray({2.0, -0.5, 0.0, -0.5})));
  });
}

TEST_CASE("types") {
  for_each_device([](gnp::device d) {
    const auto is = []<class T>(const array<T>&, gnp::dtype type) { return gnp::dtype_of<T> == type; };
    const array<float> x = gnp::asarray<float>({1, 2, 4, 8, 16});
    CHECK(is(fft::fft(x), gnp::dtype::complex64));
    CHECK(is(fft::irfft(x), gnp::dtype::float32));
    CHECK(is(fft::rfft(x.astype<gnp::half>()), gnp::dtype::complex64));
    CHECK(is(fft::hfft(x.astype<gnp::bfloat16>()), gnp::dtype::float32));
    CHECK(is(fft::fft(x.astype<std::int8_t>()), gnp::dtype::complex128));
    CHECK(is(fft::irfft(x > 3), gnp::dtype::float64));
    CHECK(is(fft::fftn(x.astype<complex64>()), gnp::dtype::complex64));
    CHECK(is(fft::fftfreq<float>(4), gnp::dtype::float32));
    CHECK(gnp::allclose(gnp::real(fft::fft(x.astype<gnp::half>())), gnp::real(fft::fft(x))));
    CHECK(gnp::allclose(gnp::imag(fft::rfft(x.astype<int>())), gnp::imag(fft::rfft(x)), {.atol = 1e-5}));
    // Expressions, and n and axis by position.
    CHECK(gnp::array_equal(fft::fft(x * 2 + 1), fft::fft(gnp::array<float>(x * 2 + 1))));
    CHECK(gnp::array_equal(fft::rfft(x, 8), fft::rfft(x, {.n = 8})));
    CHECK(gnp::array_equal(fft::ifft(x.reshape(5, 1), 3, 0), fft::ifft(x.reshape(5, 1), {.n = 3, .axis = 0})));
    CHECK(gnp::array_equal(fft::fftshift(x.reshape(5, 1), 0), fft::fftshift(x.reshape(5, 1), {.axes = {0}})));
    if (!d.is_cpu()) return;  // what follows is cuFFT's affair there
    // What is not finite stays beside the others.
    const float infinity = std::numeric_limits<float>::infinity();
    const auto far = fft::ifft(gnp::asarray<float>({{1, 2}, {infinity, 0}}));
    CHECK(gnp::array_equal(gnp::real(far), gnp::asarray<float>({{1.5F, -0.5F}, {infinity, infinity}})));
    // The sum of real numbers is real.
    CHECK(gnp::imag(fft::rfft(gnp::random::default_rng(1).random<double>({1009}))(0)).item() == 0);
  });
}

TEST_CASE("what cannot be transformed") {
  for_each_device([](gnp::device) {
    const array<double> x = gnp::ones({3, 4});
    const auto none_left = contains("invalid number of FFT data points (0) specified");
    CHECK_THROWS_WITH(fft::fft(x, 0), contains("fft: invalid number of FFT data points (0) specified"));
    CHECK_THROWS_WITH(fft::rfft(x, -3), contains("rfft: invalid number of FFT data points (-3) specified"));
    CHECK_THROWS_WITH(fft::fft(gnp::ones({3, 0})), none_left);
    CHECK_THROWS_WITH(fft::irfft(gnp::ones({1})), none_left);
    CHECK_THROWS_WITH(fft::irfft(gnp::ones({0})), contains("(-2)"));
    CHECK_THROWS_WITH(fft::fftn(x, {.s = {2, 0}}), none_left);
    CHECK_THROWS_WITH(fft::fft(x, {.axis = 2}),
                      contains("fft: axis 2 is out of bounds for array of dimension 2"));
    CHECK_THROWS_WITH(fft::fft(x, 3, 1LL << 32), contains("fft: axis 4294967296 is out of bounds"));
    CHECK_THROWS_AS(fft::fft(gnp::full({}, 1.0)), gnp::index_error);
    CHECK_THROWS_AS(fft::fft2(gnp::ones({3})), gnp::index_error);
    CHECK_THROWS_AS(fft::rfftn(gnp::full({}, 1.0)), gnp::index_error);
    CHECK_THROWS_WITH(fft::ifft2(x, {.s = {2, 2, 2}}),
                      contains("ifft2: shape and axes have different lengths, (2, 2, 2) and (-2, -1)"));
    CHECK_THROWS_WITH(fft::ihfft(x, {.norm = "orthogonal"}),
                      contains("ihfft: invalid norm value 'orthogonal'"));
    CHECK_THROWS_AS(fft::fftfreq(0), gnp::error);
    CHECK_THROWS_AS(fft::fftfreq(-1), gnp::shape_error);
    CHECK_THROWS_AS(fft::rfftfreq(4, 0), gnp::error);
    CHECK_THROWS_AS(fft::fftshift(x, 2), gnp::index_error);
    CHECK(fft::fft(gnp::ones({0, 3})).shape() == shape_t{0, 3});
    CHECK(fft::rfft(gnp::ones({0, 3})).shape() == shape_t{0, 2});
    CHECK(fft::irfftn(gnp::ones({2, 0, 3}), {.axes = {0, 2}}).shape() == shape_t{2, 0, 4});
  });
}

TEST_CASE("threads and plans") {
  const gnp::use_device guard(gnp::device::cpu());
  const int threads = gnp::get_num_threads();
  const auto x = numbers<double>({1 << 17});
  const auto rows = numbers<double>({300, 200});
  gnp::set_num_threads(1);
  const auto one = fft::fft(x);
  const auto rows_one = fft::fft(rows);
  const auto columns_one = fft::fft(rows, {.axis = 0});
  gnp::set_num_threads(5);
  CHECK(gnp::array_equal(fft::fft(x), one));
  CHECK(gnp::array_equal(fft::fft(rows), rows_one));
  CHECK(gnp::array_equal(fft::fft(rows, {.axis = 0}), columns_one));
  gnp::set_num_threads(threads);
  // A plan that is used stays, and the number of those that are kept has a bound.
  const auto kept = gnp::detail::fft_plan<gnp::detail::fft_single<double>>(4096);
  CHECK(gnp::detail::fft_plan<gnp::detail::fft_single<double>>(4096) == kept);
  for (index_t n = 41; n < 101; ++n) fft::fft(numbers<double>({n}));
  CHECK(kept.use_count() == 1);
  CHECK(distance<double>(fft::ifft(fft::fft(x)), x) < 8);
}
