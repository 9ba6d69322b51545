// SPDX-License-Identifier: MIT
// Products and factorisations on the CPU device, a line each: linalg_beside_numpy.py runs this beside NumPy.
// linalg <threads> <size> <float32|float64|complex64|complex128>
#include <chrono>
#include <cstdio>
#include <gnp/gnp.hpp>
#include <string>

namespace {

using gnp::array;
namespace la = gnp::linalg;

/// The shortest of the calls that fit a tenth of a second, in milliseconds; the first is not counted.
template <class Call>
void row(const char* name, const Call& call) {
  using clock = std::chrono::steady_clock;
  call();
  double best = 1e9;
  double all = 0;
  do {
    const auto begin = clock::now();
    call();
    const double time = std::chrono::duration<double, std::milli>(clock::now() - begin).count();
    best = time < best ? time : best;
    all += time;
  } while (all < 100);
  std::printf("%s %.5f\n", name, best);
}

template <class T>
void measure(gnp::index_t n) {
  auto random = gnp::random::default_rng(1);
  const auto noise = [&](gnp::index_t rows, gnp::index_t columns) {
    const array<double> re = random.uniform(-1.0, 1.0, {rows, columns});
    if constexpr (std::is_floating_point_v<T>) {
      return array<T>(re.astype<T>());
    } else {
      const array<double> im = random.uniform(-1.0, 1.0, {rows, columns});
      return array<T>((re.astype<gnp::complex128>() + im * gnp::complex128(0, 1)).template astype<T>());
    }
  };
  const array<T> a = noise(n, n);
  const array<T> b = noise(n, n);
  const array<T> hermitian = a + gnp::conj(a.T());
  const array<T> definite = gnp::matmul(a, gnp::conj(a.T())) + gnp::eye<T>(n) * static_cast<T>(n);
  const array<T> tall = noise(2 * n, n / 2);
  const array<T> sides = noise(2 * n, 3);
  row("matmul", [&] { const array<T> c = gnp::matmul(a, b); });
  row("solve", [&] { la::solve(a, b); });
  row("inv", [&] { la::inv(a); });
  row("det", [&] { la::det(a); });
  row("cholesky", [&] { la::cholesky(definite); });
  row("qr", [&] { la::qr(a); });
  row("lstsq", [&] { la::lstsq(tall, sides); });
  row("eigh", [&] { la::eigh(hermitian); });
  row("eigvalsh", [&] { la::eigvalsh(hermitian); });
  row("svd", [&] { la::svd(a); });
  row("svdvals", [&] { la::svdvals(a); });
  if (n > 1024) return;  // minutes
  row("eig", [&] { la::eig(a); });
  row("eigvals", [&] { la::eigvals(a); });
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const gnp::use_device on_the_cpu(gnp::device::cpu());
  gnp::set_num_threads(std::stoi(words[1]));
  const gnp::index_t size = std::stoll(words[2]);
  const std::string type = words[3];
  if (type == "float32") measure<float>(size);
  if (type == "float64") measure<double>(size);
  if (type == "complex64") measure<gnp::complex64>(size);
  if (type == "complex128") measure<gnp::complex128>(size);
}
