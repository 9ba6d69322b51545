// SPDX-License-Identifier: MIT
// test: asan
// Kernels that are given as text.
#include <fstream>
#include <gnp/cuda/jit.hpp>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

constexpr const char* text = R"(#include "factor.hpp"
template <class T, int N> __global__ void scale(const T* x, T* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = N * factor * x[i];
}
extern "C" { __constant__ float table[4]; }
extern "C" __global__ void look_up(const int* places, float* y) { y[threadIdx.x] = SIGN table[places[threadIdx.x]]; }
)";

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const gnp::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("a raw kernel needs a GPU, and says so") {
  const gnp::use_device guard(gnp::device::cpu());
  const gnp::raw_kernel kernel("nothing that anybody compiles", "scale",
                               {.template_arguments = {"float", "2"}});
  CHECK(kernel.name() == "scale<float, 2>");
  const gnp::array<float> x = gnp::ones<float>(3);
  constexpr const char* refusal =
      "scale<float, 2>: a raw kernel runs on a GPU only; GNP_KERNEL runs on the CPU, too";
  CHECK(message_of([&] { kernel(gnp::grid(3))(x, x, 3); }) == refusal);
  CHECK(message_of([&] { kernel.attributes(); }) == refusal);
  const gnp::raw_module module("", {.kernels = {"a", "b"}});
  CHECK(module.kernel("b").name() == "b");
  CHECK(message_of([&] { module.kernel("c"); }) ==
        "raw_module: c is not among the .kernels that it was made with");
  CHECK_THROWS_AS(module.set("table", 1.0f), gnp::device_error);
}

#if GNP_HAS_CUDA

TEST_CASE("what is compiled already") {
  using gnp::detail::is_compiled;
  CHECK_FALSE(is_compiled(text));
  CHECK_FALSE(is_compiled(""));
  CHECK_FALSE(is_compiled("// .version 8.0 of a program with a\n.target that is none"));
  CHECK(is_compiled("//\n// made by somebody\n//\n.version 8.0\n.target sm_90\n.address_size 64\n"));
  CHECK(
      is_compiled("\x7f"
                  "ELF and so on"));
  CHECK(is_compiled("\x50\xed\x55\xba"));
}

TEST_CASE("what includes files of the user's is not kept on disk") {
  using gnp::detail::device_program;
  const auto reads_files = [](const device_program& program) {
    return gnp::detail::reads_files_of_the_user(program);
  };
  CHECK(reads_files(device_program("# include \"own.hpp\"", {"f"}, {})));
  CHECK(reads_files(device_program("\n#include  \"own.hpp\"", {"f"}, {})));
  CHECK(reads_files(device_program("#include\t\"own.hpp\"", {"f"}, {})));
  CHECK(reads_files(device_program("#include/**/\"own.hpp\"", {"f"}, {})));
  CHECK(reads_files(device_program("#define OWN \"own.hpp\"\n#include OWN", {"f"}, {})));
  CHECK(reads_files(device_program("#include <own.hpp>", {"f"}, {"-I/some/folder"})));
  CHECK_FALSE(reads_files(device_program("#include <math.h>  // includes what \"f\" needs", {"f"}, {})));
  CHECK(reads_files(device_program("int f();", {"f"}, {"--pre-include=own.hpp"})));
  CHECK_FALSE(reads_files(device_program("#include <cuda_fp16.h>", {"f"}, {"-DX=1"})));
}

TEST_CASE("a chip that the compiler does not know gets code for an older one") {
  gnp::detail::nvrtc_api api;
  api.archs = {75, 90, 100, 120};
  const auto target = [&api](int arch) { return gnp::detail::compiled_arch(api, arch); };
  CHECK(target(90) == 90);
  CHECK(target(89) == 75);
  CHECK(target(103) == 100);
  CHECK(target(121) == 120);
  CHECK(target(70) == 70);
}

TEST_CASE("names, options and folders of a program, and its numbered lines where it is refused") {
  try {
    gnp::detail::nvrtc();
  } catch (const gnp::device_error&) {
    std::puts("skipped: no NVRTC");
    return;
  }
  const scratch_folder folder;
  std::ofstream(folder.path() + "/factor.hpp") << "constexpr int factor = 10;\n";
  const std::vector<std::string> options = {"-I" + folder.path(), "-DSIGN=-"};
  const gnp::detail::device_program program(text, {"look_up", "scale<double, 3>"}, options);
  const gnp::detail::compiled_program compiled = gnp::detail::compile_program(program, 90);
  CHECK(compiled.names == std::vector<std::string>{"look_up", "_Z5scaleIdLi3EEvPKT_PS0_i"});
  CHECK(gnp::detail::is_compiled(compiled.image));
  const gnp::detail::compiled_program again = gnp::detail::from_file(gnp::detail::as_file(compiled));
  CHECK(again.names == compiled.names);
  CHECK(again.image == compiled.image);
  CHECK(gnp::detail::kernel_recipe(program, 90) !=
        gnp::detail::kernel_recipe({text, {"look_up"}, options}, 90));

  const std::string said =
      message_of([&] { gnp::detail::compile_program({text, {"look_up"}, {options[0]}}, 90); });
  CHECK_THAT(said, contains("identifier \"SIGN\" is undefined"));
  CHECK_THAT(said, contains("\n   2 template <class T, int N> __global__ void scale"));
}

#endif

TEST_CASE("raw kernels on a GPU") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const scratch_folder folder;
  std::ofstream(folder.path() + "/factor.hpp") << "constexpr int factor = 10;\n";
  const std::vector<std::string> options = {"-I" + folder.path(), "-DSIGN=-"};
  const gnp::array<double> x = gnp::arange<double>(1000);
  const gnp::array<double> y = gnp::zeros<double>(1000);
  const gnp::raw_kernel scale(text, "scale", {.options = options, .template_arguments = {"double", "3"}});
  scale(gnp::grid(1000))(x, y, 1000);
  CHECK(gnp::array_equal(y, 30 * x));
  const auto of_a_temporary = gnp::raw_kernel(
      text, "scale", {.options = options, .template_arguments = {"double", "2"}})(gnp::grid(1000));
  of_a_temporary(x, y, 1000);
  CHECK(gnp::array_equal(y, 20 * x));
  CHECK(scale.attributes().registers > 0);
  CHECK(scale.attributes().most_threads > 0);

  const gnp::raw_module module(text, {.options = options, .kernels = {"look_up", "scale<float, 1>"}});
  module.set("table", std::vector<float>{1, 2, 3, 4});
  const gnp::array<float> z = gnp::zeros<float>(5);
  module.kernel("look_up")(gnp::blocks(1, 5))(gnp::asarray<int>({3, 2, 1, 0, 3}), z);
  CHECK(gnp::array_equal(z, gnp::asarray<float>({-4, -3, -2, -1, -4})));
  module.kernel("scale<float, 1>")(gnp::grid(5, 32))(z, z, 5);
  CHECK(gnp::array_equal(z, gnp::asarray<float>({-40, -30, -20, -10, -40})));
  CHECK_THROWS_AS(module.set("table", std::vector<float>(5)), gnp::shape_error);
  CHECK_THROWS_AS(module.set("nothing", 1), gnp::device_error);
}
