// SPDX-License-Identifier: MIT
// How kernels of a user's own are launched: with which grid and which arguments.
#include <dlfcn.h>

#include <gnp/cuda/nvrtc.hpp>
#include <gnp/exec/reduce/gpu_reduce.hpp>
#include <gnp/exec/text/reduce_kernels.hpp>
#include <gnp/gnp.hpp>

#include "../catch.hpp"
#include "order_of_work.hpp"

namespace {

struct launched {
  int count = 0;
  CUlaunchConfig config = {};
  std::vector<CUlaunchAttribute> attributes;
  // The first ones of each kernel here are an array, a view, and numbers.
  const float* in = nullptr;
  gnp::array_view<double, 2> out = {};
  int n = 0;
  gnp::half h;
} last;

GNP_KERNEL(observed, (const float* in, gnp::array_view<double, 2> out, int n, gnp::half h), {
  const gnp::index_t i = grid_index();
  if (i < n) out(0, i) = in[i] + static_cast<float>(h);
});

order_of_work& watched() {
  void* const entry = ::dlsym(gnp::detail::driver().library.handle, "fake_order_of_work");
  return *reinterpret_cast<order_of_work* (*)()>(entry)();
}

bool is_early(const CUlaunchConfig& config) {
  return config.numAttrs > 0 && config.attrs->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
}

void watch(const CUlaunchConfig& config, void** parameters) {
  // gnp's own kernels are early, of 256 threads.
  if (is_early(config) && config.blockDimX == 256) return;
  ++last.count;
  last.config = config;
  last.attributes.assign(config.attrs, config.attrs + config.numAttrs);
  last.in = *static_cast<const float**>(parameters[0]);
  last.out = *static_cast<gnp::array_view<double, 2>*>(parameters[1]);
  last.n = *static_cast<int*>(parameters[2]);
  last.h = *static_cast<gnp::half*>(parameters[3]);
  watched().use(config.hStream, last.in, last.out.data());
}

bool nvrtc_is_there() {
  try {
    gnp::detail::nvrtc();
    return true;
  } catch (const gnp::device_error&) {
    std::puts("skipped: no NVRTC");
    return false;
  }
}

}  // namespace

TEST_CASE("a launch of a kernel of the user's own", "[user-kernels]") {
  if (!nvrtc_is_there()) return;
  const gnp::array<float> x(gnp::shape_t{1000}, gnp::device::cuda());
  const gnp::array<double> y(gnp::shape_t{3, 2000}, gnp::device::cuda());
  watched().watch_launches(&watch);

  observed(gnp::grid(1000))(x, y(gnp::all, gnp::slice(1, gnp::none, 2)), 1000, 0.5);
  CHECK(last.count == 1);
  CHECK(last.config.blockDimX == 192);  // what fills the GPU best
  CHECK(last.config.gridDimX == 6);
  CHECK(last.config.blockDimY * last.config.blockDimZ * last.config.gridDimY * last.config.gridDimZ == 1);
  REQUIRE(last.attributes.size() == 1);
  CHECK(last.attributes[0].id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  CHECK(last.in == x.data());
  CHECK(last.out.data() == y.data() + 1);
  CHECK(last.out.shape(0) == 3);
  CHECK(last.out.shape(1) == 1000);
  CHECK(last.out.stride(0) == 2000);
  CHECK(last.out.stride(-1) == 2);
  CHECK(last.n == 1000);
  CHECK(last.h == gnp::half(0.5f));

  observed(gnp::grid({30, 20, 10}, {8, 4, 2}).shared_memory(100000).cluster(2))(x, y, 7, 1);
  CHECK(last.config.gridDimX == 4);
  CHECK(last.config.gridDimY == 5);
  CHECK(last.config.gridDimZ == 5);
  CHECK(last.config.blockDimX == 8);
  CHECK(last.config.blockDimY == 4);
  CHECK(last.config.blockDimZ == 2);
  CHECK(last.config.sharedMemBytes == 100000);
  REQUIRE(last.attributes.size() == 1);
  CHECK(last.attributes[0].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  CHECK(last.attributes[0].value.clusterDim.x == 2);
  CHECK(last.attributes[0].value.clusterDim.y == 1);

  // What is computed first is in memory of its own.
  observed(gnp::grid(1, 1))(x + 1, y, 1, 1);
  CHECK(last.in != x.data());
  CHECK(last.in != nullptr);

  // Many blocks, and blocks that are counted, start when the kernel before them has ended.
  observed(gnp::grid(1024 * 128, 128))(x, y, 0, 1);
  CHECK(last.attributes.size() == 1);
  observed(gnp::grid(1024 * 128 + 1, 128))(x, y, 0, 1);
  CHECK(last.attributes.empty());
  observed(gnp::blocks(4, 128))(x, y, 0, 1);
  CHECK(last.attributes.empty());
  observed(gnp::grid({64, 64}, {32, 4}))(x, y, 0, 1);
  CHECK(last.attributes.empty());

  const int before = last.count;
  observed(gnp::grid(0))(x, y, 0, 1);
  CHECK(last.count == before);
  CHECK_THROWS_AS(observed(gnp::blocks({1, 65536}, {1, 1}))(x, y, 0, 1), gnp::shape_error);
}

TEST_CASE("kernels in a graph run side by side, if nothing they use is hidden", "[user-kernels]") {
  if (!nvrtc_is_there()) return;
  watched().watch_launches(nullptr);
  const gnp::array<float> x(gnp::shape_t{256}, gnp::device::cuda()), u(gnp::shape_t{256}, gnp::device::cuda());
  gnp::array<double> y(gnp::shape_t{1, 256}, gnp::device::cuda()), v(gnp::shape_t{1, 256}, gnp::device::cuda());
  using awaited = order_of_work::awaited_pieces;
  const auto order_of = [](const auto& body) {
    const gnp::graph g(body, gnp::device::cuda());
    return watched().last_graph();
  };
  const auto first = [&] { observed(gnp::grid(256))(x, y, 256, 1); };
  CHECK(order_of([&] {
          first();
          observed(gnp::grid(256))(u, v, 256, 1);
        }) == awaited{{}, {}});
  CHECK(order_of([&] {
          first();
          observed(gnp::grid(256))(u, y, 256, 1);
        }) == awaited{{}, {0}});
  // Blocks that are counted may wait for each other; a pointer and a view may be of anything.
  CHECK(order_of([&] {
          first();
          observed(gnp::blocks(2, 128))(u, v, 256, 1);
          first();
        }) == awaited{{}, {0}, {1}});
  CHECK(order_of([&] {
          first();
          observed(gnp::grid(256))(static_cast<const float*>(u.data()), v, 256, 1);
          observed(gnp::grid(256))(u, v, 256, 1);
        }) == awaited{{}, {0}, {1}});
  const gnp::array_view<double, 2> view{v.data(), {1, 256}, {256, 1}, {}};
  CHECK(order_of([&] {
          first();
          observed(gnp::grid(256))(u, view, 256, 1);
          first();
        }) == awaited{{}, {0}, {1}});
}

TEST_CASE("kernels wait for who writes what they write, not for who reads what they read", "[user-kernels]") {
  if (!nvrtc_is_there()) return;
  watched().watch_launches(&watch);
  const gnp::stream writer(gnp::device::cuda());
  const gnp::stream reader(gnp::device::cuda());
  const gnp::stream other(gnp::device::cuda());
  const gnp::array<float> x(gnp::shape_t{100}, gnp::device::cuda());
  const gnp::array<double> y(gnp::shape_t{1, 100}, gnp::device::cuda());
  const gnp::array<double> z(gnp::shape_t{1, 100}, gnp::device::cuda());
  const auto run_on = [](const gnp::stream& s, const gnp::array<float>& in, const gnp::array<double>& out) {
    const gnp::use_stream on(s);
    observed(gnp::grid(100))(in, out, 100, 1);
  };
  run_on(writer, x, y);
  run_on(reader, x, z);
  CHECK_FALSE(watched().comes_after(reader.handle(), writer.handle()));
  run_on(other, x, y);
  CHECK(watched().comes_after(other.handle(), writer.handle()));
  CHECK_FALSE(watched().comes_after(other.handle(), reader.handle()));
  CHECK(watched().conflicts() == 0);
}

TEST_CASE("several results of one kernel begin where its rows do", "[user-kernels]") {
  if (!nvrtc_is_there()) return;
  static int launches;
  static gnp::detail::reduction_arguments given;
  const gnp::array<float> x(gnp::shape_t{7, 31}, gnp::device::cuda());
  watched().watch_launches([](const CUlaunchConfig&, void** parameters) {
    ++launches;
    given = *static_cast<gnp::detail::reduction_arguments*>(parameters[1]);
  });
  const auto second_goes_to = [] { return reinterpret_cast<const std::int64_t*>(given.results[1]); };
  const auto [high, where] = gnp::eval(gnp::max(x, 1), gnp::argmin(x, 1));
  CHECK(launches == 1);
  CHECK(second_goes_to() == where.data());
  // Memory is walked forwards, and so the results backwards: of another size than the first one's.
  const auto [turned_high, turned_where] = gnp::eval(gnp::max(gnp::flip(x), 1), gnp::argmin(gnp::flip(x), 1));
  CHECK(launches == 2);
  CHECK(second_goes_to() == turned_where.data() + 6);
  watched().watch_launches(nullptr);
}

TEST_CASE("a launch of a raw kernel", "[user-kernels]") {
  if (!nvrtc_is_there()) return;
  static int launches;
  static const float* in;
  static double factor;
  static CUlaunchConfig config;
  watched().watch_launches([](const CUlaunchConfig& given, void** parameters) {
    if (given.numAttrs > 0) return;  // gnp's own
    ++launches;
    config = given;
    in = *static_cast<const float**>(parameters[0]);
    factor = *static_cast<double*>(parameters[2]);
  });
  const gnp::raw_kernel scale(
      "template <class T> __global__ void scale(const T* x, T* y, double factor) { y[threadIdx.x] = factor * "
      "x[threadIdx.x]; }",
      "scale", {.template_arguments = {"float"}});
  const gnp::array<float> x(gnp::shape_t{100}, gnp::device::cuda());
  const gnp::array<float> y(gnp::shape_t{100}, gnp::device::cuda());
  scale(gnp::grid(100, 64))(x, y.data(), 0.5);
  CHECK(launches == 1);
  CHECK(in == x.data());
  CHECK(factor == 0.5);
  CHECK(config.gridDimX == 2);
  CHECK(config.blockDimX == 64);
  CHECK(scale.attributes().registers == 0);  // that driver knows nothing of it

  scale(gnp::grid(100))(x + 1, y, 2.0);
  CHECK(launches == 2);
  CHECK(in != x.data());
  CHECK(config.blockDimX == 192);
  scale(gnp::grid(0))(x, y, 2.0);
  CHECK(launches == 2);
  const gnp::array<float> table(gnp::shape_t{10, 10}, gnp::device::cuda());
  CHECK_THROWS_WITH(
      scale(gnp::grid(1))(table.T(), y, 2.0),
      "scale<float>: an array of shape (10, 10) has gaps or another order than its shape, which a "
      "pointer cannot tell: pass x.copy(), or x.data() and the strides");

  // What is compiled already goes to the driver as it is.
  const gnp::raw_kernel ready(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry nothing() { ret; }\n", "nothing");
  ready(gnp::grid(1, 1))(x, y, 1.0);
  CHECK(launches == 3);
}
