// SPDX-License-Identifier: MIT
// test: asan
// Numbers, sizes and widths at the ends of their ranges. The numbers expected are NumPy's.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;

constexpr index_t most = std::numeric_limits<index_t>::max();
constexpr index_t large = index_t{1} << 62;

template <class X>
std::vector<typename X::value_type> list(const X& x) {
  using T = typename X::value_type;
  const auto host = gnp::asnumpy(x);
  return std::vector<T>(host.begin(), host.end());
}

template <class T>
array<T> diagonal(index_t n, T value, T last) {
  array<T> a = gnp::eye<T>(n) * value;
  a(n - 1, n - 1) = last;
  return a;
}

/// Sixteen axes, all but the last of one element.
template <class T>
array<T> of_most_axes(const std::vector<T>& values) {
  gnp::shape_t shape(static_cast<std::size_t>(gnp::max_rank), 1);
  shape[gnp::max_rank - 1] = static_cast<index_t>(values.size());
  return asarray(values).reshape(shape);
}

}  // namespace

TEST_CASE("determinants of singular matrices are zero, however large the other pivots") {
  for_each_device([](gnp::device) {
    CHECK(gnp::linalg::det(diagonal<float>(100, 8, 0)).item() == 0);
    CHECK(gnp::linalg::det(diagonal<float>(30, 1e10F, 0)).item() == 0);
    CHECK(gnp::linalg::det(diagonal<double>(400, 8, 0)).item() == 0);
    CHECK(gnp::linalg::det(diagonal<gnp::complex128>(400, 8, 0)).item() == gnp::complex128(0));
    // And the others are what they are: too large, too small, neither.
    CHECK(gnp::linalg::det(diagonal<float>(100, 8, 1)).item() == std::numeric_limits<float>::infinity());
    CHECK(gnp::linalg::det(diagonal<float>(100, 0.125F, 1)).item() == 0);
    CHECK(gnp::linalg::det(diagonal<float>(43, 8, 1)).item() == 0x1p126F);
    CHECK(gnp::linalg::det(diagonal<double>(341, 8, 4)).item() == 0x1p1022);
  });
}

TEST_CASE("determinants and solutions where numbers are denormal") {
  // LAPACK's libraries multiply by 1 over a pivot, and so do GPUs' libraries: this is gnp's own on the CPU.
  const gnp::use_device guard(gnp::device::cpu());
  CHECK(gnp::linalg::det(diagonal<double>(2, 1, 1e-309)).item() == Approx(1e-309).epsilon(1e-12));
  CHECK(gnp::linalg::slogdet(diagonal<double>(2, 1, 1e-309)).logabsdet.item() == Approx(-711.4987937351601));
  CHECK(gnp::linalg::det(diagonal<double>(1, 1, 1e-309)).item() == Approx(1e-309).epsilon(1e-12));
  CHECK(gnp::linalg::det(diagonal<float>(2, 1, 1e-40F)).item() == Approx(1e-40F).epsilon(1e-4));
  const auto z = gnp::linalg::det(diagonal<gnp::complex128>(3, 1, gnp::complex128(1e-310, 1e-310))).item();
  CHECK(z.real() == Approx(1e-310).epsilon(1e-10));
  CHECK(z.imag() == Approx(1e-310).epsilon(1e-10));

  const auto x = gnp::linalg::solve(asarray<double>({{2e-309, 1e-309}, {1e-309, 3e-309}}),
                                    asarray<double>({1e-309, 1e-309}));
  CHECK(gnp::allclose(x, asarray({0.4, 0.2})));
  CHECK(gnp::allclose(gnp::linalg::solve(gnp::eye<float>(2) * 1e-39F, asarray<float>({1e-39F, 2e-39F})),
                      asarray({1.0F, 2.0F})));
}

TEST_CASE("histograms of numbers near the ends of their type's range") {
  for_each_device([](gnp::device) {
    const std::vector<std::int64_t> at_both_ends{1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    CHECK(list(gnp::histogram(asarray({0.0, 1e-309}), 10).hist) == at_both_ends);
    CHECK(list(gnp::histogram(asarray({0.0F, 1e-40F}), 10).hist) == at_both_ends);
    CHECK(list(gnp::histogram(asarray({1e-40F, 2e-40F, 3e-40F}), 2).hist) == std::vector<std::int64_t>{1, 2});
    const array<float> wide = asarray({-3e38F, 1.0F, 3e38F});
    CHECK(list(gnp::histogram(wide, 2, {.range = {-3e38, 3e38}}).hist) == std::vector<std::int64_t>{1, 2});
    CHECK(list(gnp::histogram(wide, 2, {.range = {-2e38, 2e38}}).hist) == std::vector<std::int64_t>{0, 1});
    CHECK_THROWS_AS(gnp::histogram(wide, large), gnp::out_of_memory);
    CHECK_THROWS_AS(gnp::histogram(asarray({0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1e300}), "fd"),
                    gnp::error);
  });
}

TEST_CASE("isin of int64 and uint64 tells neighbours apart that no double does") {
  for_each_device([](gnp::device) {
    const index_t limit = index_t{1} << 53;
    const array<std::int64_t> a = asarray<std::int64_t>({limit + 1, -1, 5});
    const array<std::uint64_t> b = asarray<std::uint64_t>({std::uint64_t{1} << 53, 5, ~std::uint64_t{0}});
    CHECK(list(gnp::isin(a, b)) == std::vector<bool>{false, false, true});
    CHECK(list(gnp::isin(a, b, {.invert = true})) == std::vector<bool>{true, true, false});
    CHECK(list(gnp::isin(b, a)) == std::vector<bool>{false, true, false});
    CHECK(list(gnp::isin(b, a, {.invert = true})) == std::vector<bool>{true, false, true});
    CHECK(list(gnp::setdiff1d(a, b)) == std::vector<std::int64_t>{-1, limit + 1});
  });
}

TEST_CASE("irfft ignores the imaginary part of the first element") {
  for_each_device([](gnp::device) {
    for (const index_t n : {1, 2, 3, 8, 9, 15, 19, 20, 97}) {
      INFO(n);
      const auto x = gnp::fft::irfft(asarray({gnp::complex128(1e-20, 1)}), n);
      CHECK(gnp::allclose(x, gnp::full({n}, 1e-20 / static_cast<double>(n)), {.rtol = 1e-9, .atol = 0}));
    }
  });
}

TEST_CASE("sorters and constants that NumPy takes or refuses") {
  for_each_device([](gnp::device) {
    const array<double> table = asarray({3.0, 1.0, 2.0});
    CHECK(gnp::searchsorted(table, 2.5, {.sorter = asarray<index_t>({1, 2, 0})}).item() == 2);
    CHECK_THROWS_AS(gnp::searchsorted(table, 2.5, {.sorter = asarray<index_t>({1, 2, -3})}).item(),
                    gnp::index_error);
    CHECK(list(gnp::polyint(asarray({1.0}), 1, {.k = {3, 4}})) == std::vector<double>{1, 3});
    CHECK(gnp::allclose(gnp::polyint(asarray({1.0, 2.0}), 2, {.k = {3, 4, 9}}),
                        asarray({1.0 / 6, 1.0, 3.0, 4.0})));
    CHECK_THROWS_AS(gnp::polyint(asarray({1.0}), 3, {.k = {3, 4}}), gnp::error);
  });
}

TEST_CASE("sizes that no array has are errors, not what is left of them") {
  for_each_device([](gnp::device) {
    const array<index_t> a = gnp::arange(5);
    CHECK_THROWS_AS(gnp::pad(a, most), gnp::shape_error);
    CHECK_THROWS_AS(gnp::pad(a, {0, most - 2}), gnp::shape_error);
    CHECK_THROWS_AS(gnp::tile(a, large), gnp::shape_error);
    CHECK_THROWS_AS(gnp::repeat(a, large), gnp::shape_error);
    CHECK_THROWS_AS(gnp::repeat(gnp::arange(4), {large, large, large, large}), gnp::shape_error);
    CHECK_THROWS_AS(gnp::as_strided(gnp::arange(4), {33}, {large}), gnp::index_error);
    CHECK_THROWS_AS(gnp::as_strided(gnp::arange(4), {3, 3}, {large, -large}), gnp::index_error);
    const array<index_t> one = asarray<index_t>({1});
    CHECK_THROWS_AS(
        gnp::ravel_multi_index({one, one, one}, {index_t{1} << 40, index_t{1} << 40, index_t{1} << 40}),
        gnp::shape_error);
    CHECK(gnp::all(gnp::tril(gnp::ones<int>({3, 3}), most) == 1));
    CHECK(gnp::all(gnp::triu(gnp::ones<int>({3, 3}), std::numeric_limits<index_t>::min()) == 1));
    CHECK(gnp::all(gnp::tril(gnp::ones<int>({3, 3}), std::numeric_limits<index_t>::min()) == 0));
    CHECK(gnp::all(gnp::triu(gnp::ones<int>({3, 3}), most) == 0));
  });
}

TEST_CASE("copies along an axis of an array that has as many as can be") {
  for_each_device([](gnp::device) {
    const array<int> a = of_most_axes<int>({1, 2});
    CHECK(list(gnp::tile(a, 2)) == std::vector<int>{1, 2, 1, 2});
    CHECK(gnp::tile(a, 2).ndim() == gnp::max_rank);
    CHECK(list(gnp::tile(a, {2, 2})) == std::vector<int>{1, 2, 1, 2, 1, 2, 1, 2});
    CHECK(gnp::tile(a, {3, 2}).shape()[gnp::max_rank - 2] == 3);
    CHECK(list(gnp::repeat(a, 2, gnp::max_rank - 1)) == std::vector<int>{1, 1, 2, 2});
    CHECK(gnp::repeat(a, 2, gnp::max_rank - 1).ndim() == gnp::max_rank);
    CHECK(list(gnp::repeat(a, 3, 0)) == std::vector<int>{1, 2, 1, 2, 1, 2});
    CHECK(list(gnp::repeat(a, 2)) == std::vector<int>{1, 1, 2, 2});
    CHECK(gnp::repeat(a, 0, 3).size() == 0);
    const array<std::uint8_t> bits = gnp::unpackbits(of_most_axes<std::uint8_t>({1, 128}), gnp::max_rank - 1);
    CHECK(list(bits) == std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0});
    CHECK(bits.ndim() == gnp::max_rank);
  });
}

TEST_CASE("many indices out of range are an error, and nothing is written") {
  for_each_device([](gnp::device) {
    for (const index_t wrong : {99, -99}) {
      array<int> a = gnp::zeros<int>({2, 2, 2, 2, 2, 2, 2, 2});
      const array<index_t> i = asarray<index_t>({0, wrong});
      CHECK_THROWS_AS((a(i, i, i, i, i) = 1, gnp::synchronize()), gnp::index_error);
      CHECK_THROWS_AS((a(i, i, i, i, i, i, i, i) = 1, gnp::synchronize()), gnp::index_error);
      CHECK(gnp::all(a(gnp::slice(1, gnp::none)) == 0));
    }
  });
}

TEST_CASE("ramps, rounding and ranges of integers") {
  for_each_device([](gnp::device) {
    for (const index_t n : {7, 49, 61}) {
      CHECK(gnp::array_equal(gnp::pad(asarray<index_t>({n}), {n, 0}, {.mode = "linear_ramp"}),
                             gnp::arange(n + 1)));
    }
    CHECK(list(gnp::round(asarray<std::uint8_t>({123, 200}), -3)) == std::vector<std::uint8_t>{0, 0});
    CHECK(list(gnp::round(asarray<std::int8_t>({100, -100}), -3)) == std::vector<std::int8_t>{0, 0});
    CHECK(list(gnp::round(asarray<std::int16_t>({32767}), -5)) == std::vector<std::int16_t>{0});
    CHECK(list(gnp::round(asarray<int>({100, -100}), -10)) == std::vector<int>{0, 0});
    CHECK(list(gnp::round(asarray<index_t>({100, -100}), -20)) == std::vector<index_t>{0, 0});
    CHECK(list(gnp::round(asarray<int>({2147483647, -5}), -9)) == std::vector<int>{2000000000, 0});

    CHECK(list(gnp::arange(0.0, 10.0, INFINITY)) == std::vector<double>{0});
    CHECK(list(gnp::arange(0.0, -10.0, -INFINITY)) == std::vector<double>{0});
    CHECK(gnp::arange(0.0, -10.0, INFINITY).size() == 0);
    constexpr std::uint64_t middle = std::uint64_t{1} << 63;
    CHECK(list(gnp::arange<std::uint64_t>(middle - 2, middle + 2)) ==
          std::vector<std::uint64_t>{middle - 2, middle - 1, middle, middle + 1});
    CHECK(list(gnp::arange<std::uint64_t>(middle + 3, middle, -2)) ==
          std::vector<std::uint64_t>{middle + 3, middle + 1});
  });
}

TEST_CASE("insert at a list of one position takes several values") {
  for_each_device([](gnp::device) {
    CHECK(list(gnp::insert(gnp::arange(3), {1}, asarray<index_t>({7, 8}))) ==
          std::vector<index_t>{0, 7, 8, 1, 2});
    const array<index_t> a = gnp::arange(6).reshape({2, 3});
    const std::vector<index_t> wanted{0, 7, 1, 2, 3, 8, 4, 5};
    CHECK(list(gnp::insert(a, {1}, asarray<index_t>({{7}, {8}}), {.axis = 1})) == wanted);
    CHECK(list(gnp::insert(a, 1, asarray<index_t>({7, 8}), {.axis = 1})) == wanted);
  });
}

TEST_CASE("arguments that do not fit are named") {
  for_each_device([](gnp::device) {
    CHECK_THROWS_AS(gnp::sum(gnp::ones({3}), {.initial = gnp::complex128(1, 2)}).item(), gnp::dtype_error);
    const array<index_t> a = gnp::arange(4);
    CHECK_THROWS_AS(a(std::size_t{0} - 1), gnp::index_error);
    CHECK(a(gnp::slice(1, std::size_t{0} - 1)).size() == 3);  // as Python cuts what is beyond the end
    CHECK(gnp::squeeze(gnp::zeros(gnp::shape_t{}), 0).ndim() == 0);
    CHECK_THROWS_AS(gnp::squeeze(gnp::zeros({1, 2, 1}), {0, 0}), gnp::error);
    CHECK(gnp::squeeze(gnp::zeros({1, 2, 1}), {0, -1}).shape() == gnp::shape_t{2});
  });
}

TEST_CASE("sizes that add up to more than any array are an error") {
  for_each_device([](gnp::device) {
    const auto endless = gnp::broadcast_to(gnp::ones<float>({1}), {large});
    CHECK_THROWS_WITH(gnp::concatenate({endless, endless}),
                      "concatenate: the result would have more than 2^62 elements along an axis");
    CHECK_THROWS_AS(gnp::concatenate({endless, endless}, gnp::none), gnp::shape_error);
    CHECK_THROWS_AS(gnp::device::cuda(-1), gnp::device_error);
  });
}

TEST_CASE("characters are indices, and long segments of one element pass as they are") {
  for_each_device([](gnp::device) {
    const array<char> text = asarray(std::string("AB"));
    CHECK(list(gnp::arange(256)(text)) == std::vector<std::int64_t>{65, 66});
    CHECK_THROWS_AS((array<double>(gnp::zeros({65})(text)), gnp::synchronize()), gnp::index_error);
    array<index_t> x = gnp::ones<index_t>({40000});
    x(0) = -4;
    CHECK(list(gnp::ufuncs::gcd.reduceat(x, {0, 1})) == std::vector<index_t>{-4, 1});
    array<double> y = gnp::zeros({40000});
    y(0) = -0.0;
    CHECK(std::signbit(list(gnp::ufuncs::add.reduceat(y, {0, 1}))[0]));
  });
}

TEST_CASE("lines of texts end as on any system, and rows may be empty fields") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.txt";
  const auto write = [&path](const std::string& text) { std::ofstream(path, std::ios::binary) << text; };
  for_each_device([&](gnp::device) {
    write("1 2\r3 4\r\n5 6\n7 8");
    const array<double> x = gnp::loadtxt(path);
    CHECK(x.shape() == gnp::shape_t{4, 2});
    CHECK(list(x) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(list(gnp::loadtxt(path, {.skiprows = 1})) == std::vector<double>{3, 4, 5, 6, 7, 8});
    CHECK(list(gnp::genfromtxt(path, {.skip_header = 1, .skip_footer = 1})) == std::vector<double>{3, 4, 5, 6});
    write("1 2\r3 4\r");
    CHECK(list(gnp::genfromtxt(path, {.skip_footer = 1})) == std::vector<double>{1, 2});

    write("1\t2\n\t\n3\t4\n\n");
    const array<double> gaps = gnp::genfromtxt(path, {.delimiter = '\t'});
    CHECK(gaps.shape() == gnp::shape_t{3, 2});
    CHECK(gnp::array_equal(gaps, asarray({{1.0, 2.0}, {gnp::nan, gnp::nan}, {3.0, 4.0}}), {.equal_nan = true}));
    CHECK(gnp::genfromtxt(path, {.delimiter = '\t', .skip_footer = 2}).size() == 2);
    CHECK_THROWS_AS(gnp::loadtxt(path, {.delimiter = '\t'}), gnp::io_error);
    CHECK_THROWS_AS(gnp::loadtxt(path, {.max_rows = -1}), gnp::error);
    CHECK_THROWS_AS(gnp::genfromtxt(path, {.max_rows = 0}), gnp::error);
    std::ofstream(path) << "1 2 3 # first\n4 5 6 \n 7 8 9\n";
    CHECK(list(gnp::genfromtxt(path, {.delimiter = ' '})) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(list(gnp::genfromtxt(path, {.delimiter = ' ', .usecols = {0, -1}})) ==
          std::vector<double>{1, 3, 4, 6, 7, 9});
    CHECK_THROWS_WITH(gnp::loadtxt(path, {.skiprows = -1}), "loadtxt: skiprows must not be negative, got -1");

    write("1\n  \n2");  // with a delimiter, blanks are a field of loadtxt's
    CHECK(list(gnp::loadtxt(path)) == std::vector<double>{1, 2});
    CHECK_THROWS_WITH(gnp::loadtxt(path, {.delimiter = ','}),
                      Catch::Matchers::Contains("line 2, column 1: could not convert '' to float64"));
    CHECK(list(gnp::genfromtxt(path, {.delimiter = ',', .skip_header = -1})) == std::vector<double>{1, 2});
  });
}

TEST_CASE("a long text whose lines end with carriage returns is parsed in parts") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.txt";
  const int threads = gnp::get_num_threads();
  gnp::set_num_threads(3);
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    std::string text;
    for (int i = 0; i < 400000; ++i) text += std::to_string(i % 1000) + end;
    std::ofstream(path, std::ios::binary) << text;
    const array<double> x = gnp::loadtxt(path);
    CHECK(x.size() == 400000);
    CHECK(gnp::sum(x).item() == 400000 * 999 / 2.0);
  }
  gnp::set_num_threads(threads);
}

TEST_CASE("the half next to itself is itself, with its sign") {
  for_each_device([](gnp::device) {
    const array<gnp::half> zeros = asarray<gnp::half>({-0.0F, 0.0F, -0.0F, 0.0F});
    const array<gnp::half> others = asarray<gnp::half>({0.0F, -0.0F, -0.0F, 0.0F});
    CHECK(list(gnp::signbit(gnp::nextafter(zeros, others))) == std::vector<bool>{true, false, true, false});
    CHECK(list(gnp::nextafter(zeros, gnp::ones<gnp::half>({4})) > 0) == std::vector<bool>(4, true));
  });
}

TEST_CASE("complex numbers of the other precision fill an array") {
  for_each_device([](gnp::device) {
    const array<gnp::complex64> z = gnp::zeros<gnp::complex64>({2});
    z.fill(gnp::complex128(1, 2));
    CHECK(list(z) == std::vector<gnp::complex64>(2, gnp::complex64(1, 2)));
    const array<gnp::complex128> wide = gnp::zeros<gnp::complex128>({2});
    wide.fill(gnp::complex64(1, 2));
    CHECK(list(wide) == std::vector<gnp::complex128>(2, gnp::complex128(1, 2)));
  });
}
