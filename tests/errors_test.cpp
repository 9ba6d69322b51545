// SPDX-License-Identifier: MIT
// test: asan
// What goes wrong by the user's hand or the machine's, and how gnp says so: type and message of each error.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gnp/cuda/nvrtc.hpp>
#include <numeric>
#include <thread>
#include <vector>

#include "devices.hpp"
#include "kernel_text.hpp"

namespace {

using gnp::index_t;
using gnp::shape_t;
using gnp::slice;

static_assert(std::is_base_of_v<std::runtime_error, gnp::error>);
static_assert(std::is_base_of_v<gnp::error, gnp::shape_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::index_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::dtype_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::device_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::out_of_memory>);
static_assert(std::is_base_of_v<gnp::error, gnp::linalg_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::compile_error>);
static_assert(std::is_base_of_v<gnp::error, gnp::io_error>);

/// The message of the Error that f throws; what happened instead where that is something else.
template <class Error, class F>
std::string message(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("(an error of another type) ") + e.what();
  }
  return "(no error)";
}

#define SHAPE_ERROR(...) message<gnp::shape_error>([&] { static_cast<void>(__VA_ARGS__); })
#define INDEX_ERROR(...) message<gnp::index_error>([&] { static_cast<void>(__VA_ARGS__); })
#define DTYPE_ERROR(...) message<gnp::dtype_error>([&] { static_cast<void>(__VA_ARGS__); })
#define LINALG_ERROR(...) message<gnp::linalg_error>([&] { static_cast<void>(__VA_ARGS__); })

/// What this very program prints when it runs one of its hidden test cases in another environment.
std::string output_of_child(const std::string& assignments, const std::string& test) {
  char program[4096] = {};
  if (::readlink("/proc/self/exe", program, sizeof program - 1) < 0) return "(no /proc/self/exe)";
  const std::string command = "env " + assignments + " '" + program + "' '" + test + "' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "(popen failed)";
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  const int status = ::pclose(pipe);
  return output + "(exit " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + ")";
}

/// Skips, visibly, where NVRTC is not installed.
bool nvrtc_is_here() {
#if GNP_HAS_CUDA
  try {
    gnp::detail::nvrtc();
    return true;
  } catch (const gnp::device_error& e) {
    std::printf("skipped: %s\n", e.what());
  }
#else
  std::puts("skipped: compiled without the CUDA headers");
#endif
  return false;
}

// A body that the host's compiler takes, and that calls what no GPU has.
GNP_UFUNC(calls_the_host, (x), std::midpoint(x, x + 2));

GNP_UFUNC(own_function, (x, y), x* y + 1);

}  // namespace

TEST_CASE("errors: shapes that do not broadcast") {
  for_each_device([](gnp::device) {
    const gnp::array<float> a = gnp::ones<float>({3, 4});
    const gnp::array<float> b = gnp::ones<float>({5});
    CHECK(SHAPE_ERROR(a + b) == "add: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(b - a) == "subtract: operands could not be broadcast together with shapes (5,) (3, 4)");
    CHECK(SHAPE_ERROR(a * b) == "multiply: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(a < b) == "less: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(gnp::where(a > 0, a, b)) ==
          "where: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(gnp::hypot(a + 1, gnp::sin(b))) ==
          "hypot: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(own_function(a, b)) ==
          "own_function: operands could not be broadcast together with shapes (3, 4) (5,)");
    CHECK(SHAPE_ERROR(a + gnp::ones<float>({0})) ==
          "add: operands could not be broadcast together with shapes (3, 4) (0,): an array of shape (0,), such "
          "as one that nothing was assigned to, is empty");
    CHECK(SHAPE_ERROR(a + a.T()) == "add: operands could not be broadcast together with shapes (3, 4) (4, 3)");
    CHECK(own_function(a, 2).item(2, 3) == 3);
    gnp::array<float> row = gnp::ones<float>({4});
    CHECK(SHAPE_ERROR(row += a) == "add: could not broadcast from shape (3, 4) into shape (4,)");
    CHECK(SHAPE_ERROR(row(gnp::all) = a) ==
          "assignment: could not broadcast from shape (3, 4) into shape (4,)");
    CHECK(SHAPE_ERROR(row(gnp::all) = a + 1) ==
          "assignment: could not broadcast from shape (3, 4) into shape (4,)");
    CHECK(SHAPE_ERROR(gnp::broadcast_to(a, {3, 5})) ==
          "broadcast_to: cannot broadcast shape (3, 4) to shape (3, 5)");
    CHECK(SHAPE_ERROR(gnp::broadcast_to(a, {4})) ==
          "broadcast_to: cannot broadcast shape (3, 4) to shape (4,)");
    CHECK(SHAPE_ERROR(gnp::broadcast_to(a, {-1, 3, 4})) ==
          "broadcast_to: negative dimensions are not allowed, got shape (-1, 3, 4)");
    CHECK(INDEX_ERROR(gnp::sort_complex(gnp::full({}, 2.0))) ==
          "sort_complex: axis -1 is out of bounds for array of dimension 0");
    gnp::host_array<float> host(shape_t{4, 3});
    CHECK(SHAPE_ERROR(gnp::asnumpy(a, host)) == "asnumpy: the host array has shape (4, 3), the array (3, 4)");
  });
}

TEST_CASE("errors: the function that was called is named, not one that it calls") {
  for_each_device([](gnp::device) {
    const gnp::array<double> three = gnp::ones(3);
    const gnp::array<double> four = gnp::ones(4);
    const char* const clip = "clip: operands could not be broadcast together with shapes (3,) (4,)";
    CHECK(SHAPE_ERROR(gnp::clip(three, gnp::none, four)) == clip);
    CHECK(SHAPE_ERROR(three.clip(four, gnp::none)) == clip);
    CHECK(SHAPE_ERROR(gnp::where<2>(three > 0)) == "where: 2 arrays were asked for, but the array has 1 axes");
    CHECK(SHAPE_ERROR(gnp::mask_indices(-1, [](auto m, auto k) { return gnp::triu(m, k); })) ==
          "mask_indices: negative dimensions are not allowed, got shape (-1, -1)");
    CHECK(SHAPE_ERROR(gnp::fromfunction([](auto i) { return i; }, {-1})) ==
          "fromfunction: negative dimensions are not allowed, got shape (-1,)");
    CHECK(SHAPE_ERROR(gnp::random::rand(-1, 2)) ==
          "rand: negative dimensions are not allowed, got shape (-1, 2)");
    CHECK(SHAPE_ERROR(gnp::random::randn(-1)) == "randn: negative dimensions are not allowed, got shape (-1,)");
    const char* const pieces = "piecewise: a condition of shape (4,) does not fit an array of shape (3,)";
    CHECK(SHAPE_ERROR(gnp::piecewise(three, {four > 0}, {1})) == pieces);
    CHECK(SHAPE_ERROR(gnp::piecewise(three, {four > 0}, [](const auto& x) { return x * 2; })) == pieces);
    CHECK(SHAPE_ERROR(three.mT()) == "mT: needs at least 2 dimensions, got shape (3,)");
    CHECK(SHAPE_ERROR(gnp::matrix_transpose(three)) ==
          "matrix_transpose: needs at least 2 dimensions, got shape (3,)");
    const gnp::array<double> row = gnp::ones({1, 3});
    CHECK(SHAPE_ERROR(gnp::gradients(row)).starts_with("gradients: shape of array too small"));
    CHECK(SHAPE_ERROR(gnp::gradient(row, {.axis = 0})).starts_with("gradient: shape of array too small"));
    CHECK(SHAPE_ERROR(gnp::gradients(gnp::ones({3, 3}), four))
              .starts_with("gradients: coordinates of shape (4,)"));
    const gnp::array<std::uint8_t> bytes = gnp::ones<std::uint8_t>({3});
    CHECK(DTYPE_ERROR(gnp::ediff1d(bytes, {.to_end = 300})) ==
          "ediff1d: the integer 300 is out of bounds for uint8");
    CHECK(DTYPE_ERROR(gnp::diff(bytes, {.append = 300})) == "diff: the integer 300 is out of bounds for uint8");
  });
  const gnp::use_device cpu(gnp::device::cpu());
  const gnp::array<double> zeros = gnp::zeros(2, 2);
  const gnp::array<double> nans = gnp::full({2, 2}, gnp::nan);
  CHECK(LINALG_ERROR(gnp::linalg::matrix_power(zeros, -1)) == "matrix_power: the matrix is singular");
  CHECK(LINALG_ERROR(gnp::linalg::tensorinv(zeros, 1)) == "tensorinv: the matrix is singular");
  CHECK(LINALG_ERROR(gnp::linalg::norm(nans, 2)) == "norm: array must not contain infs or NaNs");
  CHECK(LINALG_ERROR(gnp::roots(nans(0))) == "roots: array must not contain infs or NaNs");
  CHECK(LINALG_ERROR(gnp::poly(nans)) == "poly: array must not contain infs or NaNs");
  CHECK(LINALG_ERROR(gnp::polyfit(nans(0), zeros(0), 1)) == "polyfit: array must not contain infs or NaNs");
  CHECK(LINALG_ERROR(gnp::linalg::lstsq(nans, zeros(0))) == "lstsq: array must not contain infs or NaNs");
  CHECK(LINALG_ERROR(gnp::linalg::tensorsolve(zeros, zeros(0))) == "tensorsolve: the matrix is singular");
}

TEST_CASE("errors: indices") {
  for_each_device([](gnp::device) {
    const gnp::array<int> a = gnp::zeros<int>({3, 4});
    CHECK(INDEX_ERROR(a(0, 0, 0)) == "index: too many indices: array is 2-dimensional, but 3 were indexed");
    CHECK(INDEX_ERROR(a(gnp::all, gnp::all, slice(1, 2))) ==
          "index: too many indices: array is 2-dimensional, but 3 were indexed");
    CHECK(INDEX_ERROR(gnp::zeros<int>({})(0)) ==
          "index: too many indices: array is 0-dimensional, but 1 were indexed");
    CHECK(INDEX_ERROR(a(3)) == "index: index 3 is out of bounds for axis 0 with size 3");
    CHECK(INDEX_ERROR(a(-4)) == "index: index -4 is out of bounds for axis 0 with size 3");
    CHECK(INDEX_ERROR(a(0, 4)) == "index: index 4 is out of bounds for axis 1 with size 4");
    CHECK(INDEX_ERROR(a(gnp::ellipsis, 4)) == "index: index 4 is out of bounds for axis 1 with size 4");
    CHECK(INDEX_ERROR(a(gnp::newaxis, 7)) == "index: index 7 is out of bounds for axis 0 with size 3");
    CHECK(INDEX_ERROR(a[3]) == "index: index 3 is out of bounds for axis 0 with size 3");
    CHECK(INDEX_ERROR(gnp::zeros<int>({0})(0)) == "index: index 0 is out of bounds for axis 0 with size 0");
    CHECK(INDEX_ERROR(a(slice(0, 2, 0))) == "slice: step cannot be zero");
    CHECK(INDEX_ERROR(a(gnp::ellipsis, 0, gnp::ellipsis)) == "index: an index can only have a single ellipsis");
    CHECK(INDEX_ERROR(a.index({0, 1, 2})) ==
          "index: too many indices: array is 2-dimensional, but 3 were indexed");
    CHECK(INDEX_ERROR(a(3) = 1) == "index: index 3 is out of bounds for axis 0 with size 3");
    CHECK(a(-3).shape() == shape_t{4});
    CHECK(a(slice(7, 9)).shape() == shape_t{0, 4});  // slices are cut to what is there

    CHECK(SHAPE_ERROR(a.item()) == "item: can only convert an array of size 1 to a scalar, got shape (3, 4)");
    CHECK(SHAPE_ERROR(static_cast<int>(a)) == "only an array of one element is a number, got shape (3, 4)");
    CHECK(SHAPE_ERROR((a(slice(0, 0)) + 1).item()) ==
          "item: can only convert an array of size 1 to a scalar, got shape (0, 4)");
    CHECK(INDEX_ERROR(a.item(12)) == "item: index 12 is out of bounds for size 12");
    CHECK(INDEX_ERROR(a.item(1, 2, 3)) == "item: 3 indices for an array of dimension 2");
    CHECK(INDEX_ERROR(a.item(1, 4)) == "item: index 4 is out of bounds for axis 1 with size 4");
    CHECK(INDEX_ERROR((a + 1).item(-4, 0)) == "item: index -4 is out of bounds for axis 0 with size 3");
    CHECK(a.item(-1, -1) == a.item(11));
    CHECK(INDEX_ERROR(a.shape(2)) == "shape: axis 2 is out of bounds for array of dimension 2");
    CHECK(a.shape(-1) == 4);

    const gnp::host_array<int> host = a.get();
    CHECK(INDEX_ERROR(host(1)) == "host_array: 1 indices for an array of dimension 2");
    CHECK(INDEX_ERROR(host(1, 4)) == "host_array: index 4 is out of bounds for axis 1 with size 4");
    CHECK(INDEX_ERROR(host(-4, 0)) == "host_array: index -4 is out of bounds for axis 0 with size 3");
  });
}

TEST_CASE("errors: reshaping") {
  for_each_device([](gnp::device) {
    const gnp::array<int> a = gnp::zeros<int>({3, 4});
    CHECK(SHAPE_ERROR(a.reshape(5, 2)) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape (5, 2)");
    CHECK(SHAPE_ERROR(a.reshape(-1, 5)) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape (-1, 5)");
    CHECK(SHAPE_ERROR(a.reshape(-1, 0)) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape (-1, 0)");
    CHECK(SHAPE_ERROR(gnp::reshape(a, {})) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape ()");
    CHECK(SHAPE_ERROR(a.reshape(-1, -1)) == "reshape: can only specify one unknown dimension, got (-1, -1)");
    CHECK(SHAPE_ERROR(a.reshape(-2, 6)) == "reshape: can only specify one unknown dimension, got (-2, 6)");
    const index_t huge = index_t{1} << 40;
    CHECK(SHAPE_ERROR(gnp::reshape(a, {huge, huge, huge})) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape "
          "(1099511627776, 1099511627776, 1099511627776)");
    CHECK(SHAPE_ERROR((a + 1).reshape(5)) ==
          "reshape: cannot reshape array of shape (3, 4) (size 12) into shape (5,)");
    CHECK(a.reshape(-1, 6).shape() == shape_t{2, 6});
  });
}

TEST_CASE("errors: axes") {
  for_each_device([](gnp::device) {
    const gnp::array<int> a = gnp::zeros<int>({3, 4});
    const auto bounds = [](const char* function, int axis, int rank) {
      return std::string(function) + ": axis " + std::to_string(axis) +
             " is out of bounds for array of dimension " + std::to_string(rank);
    };
    CHECK(SHAPE_ERROR(gnp::transpose(a, {0})) == "transpose: axes (0,) don't match an array of shape (3, 4)");
    CHECK(SHAPE_ERROR(a.transpose(0, 1, 2)) ==
          "transpose: axes (0, 1, 2) don't match an array of shape (3, 4)");
    CHECK(SHAPE_ERROR(a.transpose(1, 1)) == "transpose: repeated axis 1 in (1, 1)");
    CHECK(SHAPE_ERROR(a.transpose(1, -1)) == "transpose: repeated axis -1 in (1, -1)");
    CHECK(INDEX_ERROR(a.transpose(0, 2)) == bounds("transpose", 2, 2));
    CHECK(SHAPE_ERROR(gnp::permute_dims(a, {0})) ==
          "permute_dims: axes (0,) don't match an array of shape (3, 4)");
    CHECK(INDEX_ERROR(gnp::permute_dims(a, {0, -3})) == bounds("permute_dims", -3, 2));
    CHECK(SHAPE_ERROR(gnp::matrix_transpose(gnp::ones<int>({3}))) ==
          "matrix_transpose: needs at least 2 dimensions, got shape (3,)");
    CHECK(INDEX_ERROR(a.swapaxes(0, 2)) == bounds("swapaxes", 2, 2));
    CHECK(INDEX_ERROR(gnp::swapaxes(a, -3, 0)) == bounds("swapaxes", -3, 2));
    CHECK(INDEX_ERROR(gnp::moveaxis(a, 2, 0)) == bounds("moveaxis", 2, 2));
    CHECK(INDEX_ERROR(gnp::moveaxis(a, 0, -3)) == bounds("moveaxis", -3, 2));
    CHECK(SHAPE_ERROR(gnp::moveaxis(a, {0, 1}, {0})) ==
          "moveaxis: source (0, 1) and destination (0,) must have the same number of axes");
    CHECK(SHAPE_ERROR(gnp::moveaxis(a, {0, 0}, {0, 1})) == "moveaxis: repeated axis in (0, 0) or (0, 1)");
    CHECK(SHAPE_ERROR(gnp::moveaxis(a, {0, 1}, {1, -1})) == "moveaxis: repeated axis in (0, 1) or (1, -1)");
    CHECK(SHAPE_ERROR(a.squeeze(1)) == "squeeze: axis 1 of shape (3, 4) has a size other than one");
    CHECK(INDEX_ERROR(a.squeeze(2)) == bounds("squeeze", 2, 2));
    CHECK(INDEX_ERROR(gnp::expand_dims(a, 3)) == bounds("expand_dims", 3, 3));
    CHECK(INDEX_ERROR(gnp::expand_dims(a, -4)) == bounds("expand_dims", -4, 3));
    CHECK(SHAPE_ERROR(gnp::expand_dims(a, {0, 0})) == "expand_dims: repeated axis in (0, 0)");
    CHECK(INDEX_ERROR(gnp::flip(a, 2)) == bounds("flip", 2, 2));
    CHECK(SHAPE_ERROR(gnp::flip(a, {0, -2})) == "flip: duplicate value in axis (0, -2)");
    CHECK(SHAPE_ERROR(gnp::flipud(gnp::ones<int>({}))) == "flipud: array must be at least 1-d, got shape ()");
    CHECK(SHAPE_ERROR(gnp::fliplr(gnp::ones<int>({3}))) ==
          "fliplr: array must be at least 2-d, got shape (3,)");
  });
}

TEST_CASE("errors: shapes that cannot be") {
  for_each_device([](gnp::device) {
    const auto negative = [](const char* function, const char* shape) {
      return std::string(function) + ": negative dimensions are not allowed, got shape " + shape;
    };
    CHECK(SHAPE_ERROR(gnp::empty<float>({-1, 2})) == negative("empty", "(-1, 2)"));
    CHECK(SHAPE_ERROR(gnp::full<float>({3, -5}, 1)) == negative("full", "(3, -5)"));
    CHECK(SHAPE_ERROR(gnp::eye<float>(-2, 3)) == negative("eye", "(-2, 3)"));
    const float number = 1;
    CHECK(SHAPE_ERROR(gnp::asarray(&number, {-1})) == negative("asarray", "(-1,)"));
    CHECK(SHAPE_ERROR(gnp::host_array<float>({0, -1})) == negative("host_array", "(0, -1)"));
    CHECK_THROWS_WITH(gnp::zeros<float>({-1}),
                      contains("negative dimensions are not allowed, got shape (-1,)"));
    CHECK_THROWS_WITH(gnp::ones<float>({2, -1}),
                      contains("negative dimensions are not allowed, got shape (2, -1)"));

    const std::string rank = "rank 17 is more than the 16 dimensions an array can have";
    const gnp::array<float> sixteen = gnp::ones<float>(shape_t(16, 1));
    CHECK(SHAPE_ERROR(shape_t(17, 1)) == rank);
    CHECK(SHAPE_ERROR(gnp::ones<float>({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})) == rank);
    CHECK(SHAPE_ERROR(sixteen(gnp::newaxis)) == rank);
    CHECK(SHAPE_ERROR(gnp::expand_dims(sixteen, 0)) == rank);
    CHECK(SHAPE_ERROR(gnp::expand_dims(sixteen(0), {0, 5})) == rank);
    CHECK(sixteen(0, gnp::newaxis).ndim() == 16);

    const index_t huge = index_t{1} << 40;
    CHECK(SHAPE_ERROR(gnp::empty<float>({huge, huge})) ==
          "empty: shape (1099511627776, 1099511627776) has more than 2^62 elements");
    CHECK(gnp::empty<float>({huge, 0, huge}).size() == 0);
    CHECK(SHAPE_ERROR(gnp::asarray<float>({{1, 2}, {3}})) ==
          "asarray: the rows of nested braces have different shapes (2,) and (1,)");
    CHECK(SHAPE_ERROR(gnp::asarray<float>({{{1, 2}, {3, 4}}, {{5, 6}}})) ==
          "asarray: the rows of nested braces have different shapes (2, 2) and (1, 2)");
    CHECK(SHAPE_ERROR(gnp::asarray<float>({{1}, 2})) ==
          "asarray: the rows of nested braces have different shapes (1,) and ()");
    const float* nothing = nullptr;
    CHECK(message<gnp::error>([&] { gnp::asarray(nothing, {3}); }) == "asarray: null pointer for shape (3,)");
    CHECK(gnp::asarray(nothing, {0}).size() == 0);
  });
}

TEST_CASE("errors: ranges") {
  for_each_device([](gnp::device) {
    CHECK(message<gnp::error>([] { gnp::arange(0, 5, 0); }) == "arange: step cannot be zero");
    CHECK(message<gnp::error>([] { gnp::arange(0.0, 5.0, 0.0); }) == "arange: step cannot be zero");
    CHECK_THROWS_WITH(gnp::arange(0.0, INFINITY),
                      contains("arange: cannot compute the length of a range from 0"));
    CHECK_THROWS_AS(gnp::arange(0.0, NAN), gnp::shape_error);
    CHECK(SHAPE_ERROR(gnp::arange(~std::uint64_t{0})) ==
          "arange: a range from 0 to 18446744073709551615 by 1 has more elements than any array");
    CHECK(SHAPE_ERROR(gnp::linspace(0, 1, -1)) == "linspace: number of samples, -1, must be non-negative");
    CHECK_THROWS_WITH(gnp::logspace(0, 1, -3), contains("number of samples, -3, must be non-negative"));
    CHECK(gnp::arange(5, 0).size() == 0);
    CHECK(gnp::linspace(0, 1, 0).size() == 0);
  });
}

TEST_CASE("errors: integers out of an array's bounds") {
  for_each_device([](gnp::device) {
    gnp::array<std::uint8_t> bytes = gnp::ones<std::uint8_t>({3});
    gnp::array<std::int8_t> small = gnp::ones<std::int8_t>({3});
    CHECK(DTYPE_ERROR(bytes + 300) == "add: the integer 300 is out of bounds for uint8");
    CHECK(DTYPE_ERROR(-1 * bytes) == "multiply: the integer -1 is out of bounds for uint8");
    CHECK(DTYPE_ERROR(small - 128) == "subtract: the integer 128 is out of bounds for int8");
    CHECK(DTYPE_ERROR(gnp::maximum(small, -129)) == "maximum: the integer -129 is out of bounds for int8");
    CHECK(DTYPE_ERROR(gnp::ones<std::int64_t>({3}) + ~std::uint64_t{0}) ==
          "add: the integer 18446744073709551615 is out of bounds for int64");
    CHECK(DTYPE_ERROR(bytes += 256) == "add: the integer 256 is out of bounds for uint8");
    CHECK(DTYPE_ERROR(bytes(0) = -1) == "assignment: the integer -1 is out of bounds for uint8");
    CHECK(DTYPE_ERROR(bytes.assign(1000)) == "assign: the integer 1000 is out of bounds for uint8");
    CHECK((bytes + 255).item(0) == 0);
    CHECK((small - 127).item(0) == -126);
    CHECK((bytes < 300).item(0));  // comparisons compare the numbers
    CHECK(bytes.item(0) == 1);
  });
}

TEST_CASE("errors: arrays on different devices") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const auto on = [](gnp::device d) {
    const gnp::use_device guard(d);
    return gnp::ones<float>({3});
  };
  gnp::array<float> host = on(gnp::device::cpu());
  gnp::array<float> device = on(gnp::device::cuda(0));
  const auto device_error = [](const auto& f) { return message<gnp::device_error>(f); };
  const std::string end = "; bring them together with .to(device)";
  CHECK(device_error([&] { (host + device).eval(); }) ==
        "add: arrays on different devices: cpu and cuda:0" + end);
  CHECK(device_error([&] { gnp::asnumpy(device * 2 - host); }) ==
        "subtract: arrays on different devices: cuda:0 and cpu" + end);
  CHECK(device_error([&] { host(gnp::all) = device; }) ==
        "assignment: arrays on different devices: cpu and cuda:0" + end);
  CHECK(device_error([&] { device += host; }) == "add: arrays on different devices: cuda:0 and cpu" + end);
  CHECK(device_error([&] { static_cast<void>((host + device).device()); }) ==
        "add: arrays on different devices: cpu and cuda:0" + end);
  CHECK((host + device.to(gnp::device::cpu())).item(0) == 2);
  CHECK(device_error([&] { gnp::use_device(gnp::device::cuda(63)); }).find("cuda:63: there are ") == 0);
}

TEST_CASE("errors: a device that is not there") {
  if (gnp::cuda_available()) return;
  const std::string why = message<gnp::device_error>([] { const gnp::use_device guard(gnp::device::cuda(0)); });
  CHECK(why == "cuda:0: " + gnp::detail::cuda_unusable());
  CHECK(message<gnp::device_error>([] { gnp::ones<float>({3}).to(gnp::device::cuda(1)); }) ==
        "cuda:1: " + gnp::detail::cuda_unusable());
#if GNP_HAS_CUDA
  if (!gnp::detail::driver().library) {
    CHECK_THAT(why,
               contains("no NVIDIA driver: libcuda.so.1 was not found; looked at\n  libcuda.so.1 (the loader's "
                        "path)\n"));
  }
#endif
  CHECK(gnp::default_device() == gnp::device::cpu());
}

TEST_CASE("child: the default device", "[.child]") {
  try {
    std::printf("device %s\n", gnp::to_string(gnp::default_device()).c_str());
    const gnp::array<float> x = gnp::ones<float>({5}) + 1;
    std::printf("item %g\n", static_cast<double>(x.item(2)));
  } catch (const gnp::device_error& e) {
    std::printf("device_error %s\n", e.what());
  }
}

TEST_CASE("errors: GNP_DEVICE") {
  const std::string test = "child: the default device";
  for (const char* wrong :
       {"gpu", "CPU", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "cuda:1000", " cpu", "cpu:0"}) {
    INFO(wrong);
    CHECK_THAT(
        output_of_child(std::string("'GNP_DEVICE=") + wrong + "'", test),
        contains(std::string("device_error GNP_DEVICE: expected cpu, cuda or cuda:N, got '") + wrong + "'\n"));
  }
  const std::string on_cpu = output_of_child("GNP_DEVICE=cpu", test);
  CHECK_THAT(on_cpu, contains("device cpu\nitem 2\n"));
  CHECK_THAT(on_cpu, contains("(exit 0)"));
  // A machine without a GPU, or one that hides its GPUs.
  const std::string without = output_of_child("GNP_DEVICE=cuda CUDA_VISIBLE_DEVICES=", test);
  CHECK_THAT(without, contains("device_error cuda:0: "));
  CHECK(without.find("item") == std::string::npos);  // no silent fall-back
#if GNP_HAS_CUDA
  const bool says_why =
      without.find("no NVIDIA driver: libcuda.so.1 was not found; looked at") != std::string::npos ||
      without.find("cuInit failed: ") != std::string::npos ||
      without.find("the NVIDIA driver reports no device") != std::string::npos;
  INFO(without);
  CHECK(says_why);
#else
  CHECK_THAT(without, contains("gnp was compiled without the CUDA headers"));
#endif
  CHECK_THAT(output_of_child("GNP_DEVICE= CUDA_VISIBLE_DEVICES=", test), contains("device cpu\nitem 2\n"));
  if (gnp::cuda_available()) {
    CHECK_THAT(output_of_child("GNP_DEVICE=cuda", test), contains("device cuda:0\nitem 2\n"));
    CHECK_THAT(output_of_child("GNP_DEVICE=cuda:0", test), contains("device cuda:0\nitem 2\n"));
    CHECK_THAT(output_of_child("GNP_DEVICE=cuda:99", test), contains("device_error cuda:99: there are "));
  } else {
    CHECK_THAT(output_of_child("GNP_DEVICE=cuda:99", test), contains("device_error cuda:99: "));
  }
}

#if GNP_HAS_CUDA
TEST_CASE("errors: a library that is missing") {
  const gnp::detail::shared_library missing =
      gnp::detail::open_library({"libgnp_test_not_there.so.2", "libgnp_test_not_there.so.1"});
  CHECK_FALSE(missing);
  const std::string places = missing.where_it_looked();
  CHECK_THAT(places, contains("\n  libgnp_test_not_there.so.2 (the loader's path)"));
  CHECK_THAT(places, contains("\n  libgnp_test_not_there.so.1 (the loader's path)"));
  for (const std::string& folder : gnp::detail::cuda_library_folders())
    CHECK_THAT(places, contains("\n  " + folder));
  CHECK_THAT(places, contains("\n  /usr/local/cuda/lib64"));
  const gnp::detail::shared_library present =
      gnp::detail::open_library({"libgnp_test_not_there.so.1", "libc.so.6"});
  REQUIRE(present);
  int (*function)() = nullptr;
  CHECK_THROWS_AS(gnp::detail::load_symbol(present, "gnp_no_such_function", function), gnp::device_error);
  CHECK_THROWS_WITH(gnp::detail::load_symbol(present, "gnp_no_such_function", function),
                    contains("libc.so.6") && contains("has no function gnp_no_such_function"));
  gnp::detail::load_symbol(present, "getpid", function);
  CHECK(function() == ::getpid());
}

TEST_CASE("child: where libraries are looked for", "[.child]") {
  for (const std::string& folder : gnp::detail::cuda_library_folders())
    std::printf("folder %s\n", folder.c_str());
}

TEST_CASE("errors: CUDA_HOME and CUDA_PATH come before the usual folders") {
  const std::string folders =
      output_of_child("CUDA_HOME=/one CUDA_PATH=/two", "child: where libraries are looked for");
  CHECK_THAT(folders, contains("folder /one/lib64\nfolder /one/lib\nfolder /two/lib64\nfolder /two/lib\n"
                               "folder /usr/local/cuda/lib64\n"));
}
#endif

TEST_CASE("errors: out of memory, and the process goes on") {
  for_each_device([](gnp::device d) {
    const index_t ten_tib = index_t{10} << 40;
    for (int i = 0; i < 3; ++i) {
      const std::string said = message<gnp::out_of_memory>([&] { gnp::empty<double>({ten_tib / 8}); });
      CHECK_THAT(said, contains("out of memory on " + gnp::to_string(d) + ": asked for "));
      CHECK_THAT(said, contains(d.is_cpu() ? "asked for 10485760 MiB" : "asked for 10240.00 GiB"));
      CHECK_THAT(said, contains("(10995116277760 bytes), free "));
      CHECK_THAT(said, contains("in use "));
      // Each figure is a number with a unit.
      const char* unit = d.is_cpu() ? " MiB" : " GiB";
      for (const char* figure : {"free ", d.is_cpu() ? "in use " : "in use by gnp's arrays "}) {
        const std::size_t at = said.find(figure);
        REQUIRE(at != std::string::npos);
        const std::string rest = said.substr(at + std::string(figure).size());
        const std::size_t digits = rest.find_first_not_of("0123456789.");
        INFO(said);
        CHECK(digits > 0);
        CHECK(rest.substr(digits, 4) == unit);
      }
      const gnp::array<float> after = gnp::ones<float>({1000}) + 2;
      CHECK(after.item(999) == 3);
    }
    CHECK_THROWS_AS(gnp::zeros<gnp::complex128>({ten_tib / 16}), gnp::out_of_memory);
    // What nobody sees coming: two columns whose sum is a matrix of 10 TiB.
    const gnp::array<std::int8_t> column = gnp::ones<std::int8_t>({index_t{1} << 20, 1});
    const gnp::array<std::int8_t> row = gnp::ones<std::int8_t>({10 * (index_t{1} << 20)});
    CHECK_THROWS_AS((column + row).eval(), gnp::out_of_memory);
    CHECK_THROWS_AS(gnp::broadcast_to(column, {1 << 20, 10 << 20}).copy(), gnp::out_of_memory);
    CHECK((column + row(0)).item(77, 0) == 2);
    CHECK(message<gnp::out_of_memory>([] { gnp::empty<double>({index_t{1} << 61}); }) ==
          "empty: 2305843009213693952 elements of 8 bytes are more than any memory");
    gnp::array<float> x = gnp::zeros<float>({4});
    CHECK_THROWS_AS(x = gnp::empty<float>({ten_tib / 4}), gnp::out_of_memory);
    CHECK(x.shape() == shape_t{4});
  });
}

TEST_CASE("errors: a body that the device compiler refuses") {
  {
    const gnp::use_device guard(gnp::device::cpu());
    CHECK(calls_the_host(gnp::ones<double>({3})).item(1) == 2);  // the host knows it
  }
  if (!nvrtc_is_here()) return;
#if GNP_HAS_CUDA
  const auto says_everything = [](const std::string& said, const char* unknown, const char* source) {
    CHECK_THAT(said, contains("the device compiler refused a kernel"));
    CHECK_THAT(said, contains("NVRTC_ERROR_COMPILATION"));
    CHECK_THAT(said, contains(unknown));
    CHECK_THAT(said, contains("The source was:\n"));
    CHECK_THAT(said.substr(said.find("The source was:")), contains(source));
  };
  says_everything(message<gnp::compile_error>([] {
                    gnp::detail::compile_kernel(
                        std::string("extern \"C\" __global__ void gnp_kernel(int* p) { *p = unheard_of; }"),
                        90);
                  }),
                  "identifier \"unheard_of\" is undefined", "*p = unheard_of;");

  // The same from a ufunc, whose kernel needs no GPU to be compiled.
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::array<double> x = gnp::ones<double>({3});
  const auto expression = calls_the_host(x) * 2;
  const std::string source = kernel_text(expression);
  says_everything(message<gnp::compile_error>([&] { gnp::detail::compile_kernel(source, 90); }),
                  "has no member \"midpoint\"", "std::midpoint(x, x + 2)");
  CHECK_FALSE(gnp::detail::compile_kernel(
                  std::string("extern \"C\" __global__ void gnp_kernel(int* p) { *p = 1; }"), 90)
                  .empty());
  if (gnp::cuda_available()) {
    const gnp::use_device on_gpu(gnp::device::cuda(0));
    const gnp::array<double> y = gnp::ones<double>({3});
    for (int i = 0; i < 2; ++i) {
      says_everything(message<gnp::compile_error>([&] { calls_the_host(y).eval(); }),
                      "has no member \"midpoint\"", "std::midpoint(x, x + 2)");
    }
    CHECK((y + 1).item(2) == 2);
  } else {
    say_that_cuda_was_skipped();
  }
#endif
}

TEST_CASE("throws on a thread", "[.]") {
  std::thread([] { gnp::zeros({2}) + gnp::zeros({3}); }).join();
}

TEST_CASE("errors: one that nobody catches is printed under its name") {
  const std::string output = output_of_child("GNP_DEVICE=cpu", "throws on a thread");
  INFO(output);
  CHECK(output.find("'gnp::shape_error'") != std::string::npos);
  CHECK(output.find("could not be broadcast together") != std::string::npos);
}

TEST_CASE("errors: a host array that no memory holds") {
  const auto allocate = [](index_t count) {
    return message<gnp::out_of_memory>([count] { gnp::host_array<double>(shape_t{count}); });
  };
  // 2^64 bytes, which are none in 64 bits; and more than there are.
  CHECK(allocate(index_t{1} << 61) ==
        "host_array: 2305843009213693952 elements of 8 bytes are more than any memory");
  CHECK(allocate(index_t{1} << 50) == "host_array: out of memory: asked for 9007199254740992 bytes");
}
