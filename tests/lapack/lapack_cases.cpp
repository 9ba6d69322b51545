// SPDX-License-Identifier: MIT
// Which LAPACK is taken: each case runs with the GNP_LAPACK of its name, see CMakeLists.txt.
#include <sys/wait.h>
#include <unistd.h>

#include <gnp/gnp.hpp>
#include <gnp/linalg/cpu/lapack/lapack.hpp>

#include "../catch.hpp"

namespace {

using gnp::detail::lapack_of_process;

/// A product that is large enough for a library.
double product() {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::array<double> a = gnp::full<double>({100, 200}, 0.5);
  return gnp::sum(gnp::matmul(a, a.T() + 0)).item();
}
constexpr double right = 0.25 * 200 * 100 * 100;

TEST_CASE("GNP_LAPACK=none does without", "[none]") {
  CHECK_FALSE(lapack_of_process());
  CHECK(gnp::detail::lapack_for(1) == nullptr);
  CHECK_THAT(gnp::config_text(), contains("LAPACK:         none, as GNP_LAPACK says\n"));
  CHECK(product() == right);
}

TEST_CASE("behind a matrix for a library there is room for a column that it may read", "[none]") {
  using column = std::complex<double>[70];
  const auto a = gnp::detail::column_major_empty<std::complex<double>>({3, 70, 50}, gnp::device::cpu(), "svd");
  CHECK(a.shape() == gnp::shape_t{3, 70, 50});
  CHECK(a.strides() == gnp::shape_t{3500 * 16, 16, 70 * 16});  // bytes, as NumPy counts them
  CHECK(a.block()->bytes > (3 * 50 + 1) * sizeof(column));
}

TEST_CASE("a path that leads nowhere is an error of what needs a library, each time", "[missing]") {
  for (int time = 0; time < 2; ++time) {
    CHECK_THROWS_AS(product(), gnp::device_error);
    CHECK_THROWS_WITH(product(), contains("GNP_LAPACK: ") && contains("/no/such/library.so") &&
                                     contains("Name a LAPACK, or none to do without"));
  }
  CHECK_THAT(gnp::config_text(), contains("LAPACK:         GNP_LAPACK: ") && contains("/no/such/library.so"));
  const gnp::use_device on_cpu(gnp::device::cpu());
  CHECK((gnp::ones({3}) + 1).eval().item(2) == 2);
}

TEST_CASE("a library that is no LAPACK is an error", "[other]") {
  CHECK_THROWS_AS(product(), gnp::device_error);
  CHECK_THROWS_WITH(product(),
                    contains("GNP_LAPACK: libm.so.6 is not a LAPACK library: it has no functions idamax_ and"));
}

TEST_CASE("a LAPACK without some functions is an error", "[narrow]") {
  CHECK_FALSE(lapack_of_process().wide);
  CHECK_FALSE(lapack_of_process().is_fast());
  CHECK(lapack_of_process().name_of("dgemm") == "dgemm_");
  CHECK_THAT(gnp::config_text(), contains("libnarrow.so, 32-bit integers, on one thread\n"));
  CHECK_THROWS_AS(gnp::detail::lapack_for(1), gnp::device_error);
  CHECK_THROWS_WITH(gnp::detail::lapack_for(1), contains("libnarrow.so has no function sgemm_"));
}

TEST_CASE("64-bit integers under the plain names are found out", "[wide]") {
  CHECK(lapack_of_process().wide);
  CHECK(lapack_of_process().name_of("dgemm") == "dgemm_");
  CHECK_THAT(gnp::config_text(), contains("libwide.so, 64-bit integers"));
}

TEST_CASE("64-bit integers have names of their own", "[suffix]") {
  CHECK(lapack_of_process().wide);
  CHECK(lapack_of_process().name_of("dgemm") == "dgemm_64_");
}

TEST_CASE("SciPy's OpenBLAS has a prefix", "[prefix]") {
  CHECK(lapack_of_process().wide);
  CHECK(lapack_of_process().name_of("dgemm") == "scipy_dgemm_64_");
}

TEST_CASE("a library works with gnp's number of threads, and in a child", "[found]") {
  if (!lapack_of_process()) {
    std::puts("skipped: no LAPACK");
    return;
  }
  CHECK_THAT(gnp::config_text(), contains("-bit integers"));
  using count = int (*)();
  const auto get =
      reinterpret_cast<count>(::dlsym(lapack_of_process().file.handle, "openblas_get_num_threads"));
  for (const int threads : {2, 1, 2}) {
    gnp::set_num_threads(threads);
    CHECK(product() == right);
    if (get != nullptr) CHECK(get() == threads);
  }
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);  // a child that waits for threads it does not have
    ::_exit(product() == right && product() == right ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(product() == right);
}

}  // namespace
