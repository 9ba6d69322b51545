// SPDX-License-Identifier: MIT
// Fourier transforms, each a new array, beside cuFFT called by hand: a plan that was made before, with its own
// work space, into memory that is there. `of_cufft` is gnp's time over cuFFT's.
#include <gnp/libraries/cufft.hpp>

#include "gpu_timing.hpp"
#include "noise.hpp"

namespace {

using namespace gpu_timing;
using gnp::array;
using gnp::complex64;
using gnp::shape_t;

#if GNP_HAS_CUDA

using gnp::detail::cufft_type;

// The library as gnp opened it, otherwise without gnp.
class cufft_by_hand {
 public:
  cufft_by_hand(const shape_t& points, cufft_type type, index_t batch) {
    long long n[3] = {};
    for (int i = 0; i < points.rank(); ++i) n[i] = points[i];
    std::size_t work_bytes = 0;
    GNP_CUFFT_CALL(cufftCreate, &plan_);
    GNP_CUFFT_CALL(cufftMakePlanMany64, plan_, points.rank(), n, nullptr, 1, 0, nullptr, 1, 0, type, batch,
                   &work_bytes);
  }
  ~cufft_by_hand() { gnp::detail::cufft().cufftDestroy(plan_); }
  cufft_by_hand(const cufft_by_hand&) = delete;
  cufft_by_hand& operator=(const cufft_by_hand&) = delete;

  void run(void* in, void* out) const { GNP_CUFFT_CALL(cufftXtExec, plan_, in, out, -1); }

 private:
  int plan_ = -1;
};

#endif

/// make() transforms x along `points`; back(result) is x again.
template <class T, class Make, class Back>
void add(const std::string& name, const shape_t& shape, [[maybe_unused]] const shape_t& points,
         const Make& make, const Back& back, benchmark::TimeUnit unit = benchmark::kMillisecond) {
  add_case(
      name,
      [=](benchmark::State& state) {
        const array<float> re = gnp::asarray(noise<float>(shape, 1));
        const array<T> x = re.template astype<T>();
        const auto result = make(x);
        const array<T> difference = back(result) - x;
        if (!(gnp::max(gnp::abs(difference)).item() < 1e-4F)) throw wrong_result("wrong result");
        const timing ours = time_calls([&] { const auto made = make(x); });
#if GNP_HAS_CUDA
        index_t batch = x.size();
        for (const index_t n : points) batch /= n;
        constexpr bool is_real = std::is_same_v<T, float>;
        const cufft_by_hand hand(points, is_real ? cufft_type::float32_to_complex64 : cufft_type::complex64,
                                 batch);
        const timing theirs = time_calls([&] { hand.run(x.data(), result.data()); });
        state.counters["cufft_ms"] = theirs.median * 1e3;
        state.counters["of_cufft"] = ours.median / theirs.median;
#endif
        report(state, ours);
      },
      unit);
}

}  // namespace

void register_fft_benchmarks(bool quick) {
  quick_run = quick;
  namespace fft = gnp::fft;
  const auto one = [](const array<complex64>& x) { return fft::fft(x); };
  const auto one_back = [](const array<complex64>& z) { return fft::ifft(z); };
  const auto line = [&](const std::string& name, index_t n, auto... unit) {
    add<complex64>(name, {n}, {n}, one, one_back, unit...);
  };
  line("fft/2^24/complex64", index_t{1} << 24);
  add<complex64>("fft/1000x4096/complex64", {1000, 4096}, {4096}, one, one_back);
  add<complex64>(
      "fft/256x256x256/complex64", {256, 256, 256}, {256, 256, 256},
      [](const array<complex64>& x) { return fft::fftn(x); },
      [](const array<complex64>& z) { return fft::ifftn(z); });
  line("fft/1000003/complex64", 1000003);
  add<float>(
      "fft/rfft_2^26/float32", {index_t{1} << 26}, {index_t{1} << 26},
      [](const array<float>& x) { return fft::rfft(x); },
      [](const array<complex64>& z) { return fft::irfft(z); });
  line("latency/fft", 1000, benchmark::kMicrosecond);
}
