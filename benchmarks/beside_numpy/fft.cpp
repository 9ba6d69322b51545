// SPDX-License-Identifier: MIT
// Fourier transforms on the CPU device, a line each: fft_beside_numpy.py runs this beside NumPy.
// fft <threads> <float32|float64>
#include <cstdio>
#include <ctime>
#include <gnp/gnp.hpp>
#include <string>

namespace {

using gnp::array;
namespace fft = gnp::fft;

/// The shortest of the calls that fit a tenth of a second, in milliseconds, of one thread in its own time; the
/// first is not counted.
template <class Call>
void row(const std::string& name, const Call& call) {
  const clockid_t clock = gnp::get_num_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  const auto now = [clock] {
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
  };
  call();
  double best = 1e9;
  double all = 0;
  do {
    const double begin = now();
    call();
    const double time = now() - begin;
    best = time < best ? time : best;
    all += time;
  } while (all < 100);
  std::printf("%s %.5f\n", name.c_str(), best);
}

template <class Real>
void measure() {
  using C = std::complex<Real>;
  auto random = gnp::random::default_rng(1);
  const auto real = [&](const gnp::shape_t& shape) { return random.uniform<Real>(-1, 1, shape); };
  const auto complex = [&](const gnp::shape_t& shape) {
    return array<C>(real(shape).template astype<C>() + real(shape) * C(0, 1));
  };
  for (const gnp::index_t n : {8, 100, 1000, 1009, 4096, 65536, 1000003, 1048576}) {
    const array<C> z = complex({n});
    const array<Real> x = real({n});
    const array<C> half = fft::rfft(x);
    const std::string size = "/" + std::to_string(n);
    row("fft" + size, [&] { fft::fft(z); });
    row("ifft" + size, [&] { fft::ifft(z); });
    row("rfft" + size, [&] { fft::rfft(x); });
    row("irfft" + size, [&] { fft::irfft(half, n); });
    row("real_fft" + size, [&] { fft::fft(x); });
  }
  const array<C> square = complex({1000, 1000});
  row("rows/1000", [&] { fft::fft(square); });
  row("columns/1000", [&] { fft::fft(square, {.axis = 0}); });
  row("fft2/1000", [&] { fft::fft2(square); });
  row("transposed/1000", [&] { fft::fft(square.T()); });
  const array<C> many = complex({100000, 8});
  row("rows/100000x8", [&] { fft::fft(many); });
  const array<C> cube = complex({64, 64, 64});
  row("fftn/64x64x64", [&] { fft::fftn(cube); });
  const array<Real> image = real({1024, 1024});
  row("rfft2/1024", [&] { fft::rfft2(image); });
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const gnp::use_device on_the_cpu(gnp::device::cpu());
  gnp::set_num_threads(std::stoi(words[1]));
  if (std::string(words[2]) == "float32") {
    measure<float>();
  } else {
    measure<double>();
  }
}
