// SPDX-License-Identifier: MIT
// gnp::fft beside NumPy's; tests/golden/make_fft.py says what a line is.
#include <complex>
#include <sstream>
#include <string>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::complex128;
using gnp::index_t;
using gnp::shape_t;

// As operand() of make_fft.py.
template <class T>
array<T> operand(const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) {
    const double real = static_cast<double>((j * 7 + j / 5) % 11 - 4) / 4;
    if constexpr (std::is_same_v<T, complex128>) {
      host[j] = T(real, static_cast<double>((j * 5 + j / 3) % 7 - 3) / 4);
    } else {
      host[j] = real;
    }
  }
  return gnp::asarray(host);
}

template <class T>
array<T> viewed(const array<T>& x, const std::string& view) {
  if (view == "T") return x.T();
  if (view == "r") return gnp::flip(x);
  if (view == "s") return x(gnp::ellipsis, gnp::slice(gnp::none, gnp::none, 2));
  return x;
}

/// The result's numbers, complex ones as pairs, and its shape.
struct answer {
  shape_t shape;
  std::vector<double> numbers;

  template <class T>
  answer(const array<T>& a) : shape(a.shape()) {
    const gnp::host_array<T> host = gnp::asnumpy(a);
    for (index_t i = 0; i < host.size(); ++i) {
      if constexpr (std::is_same_v<T, complex128>) {
        numbers.push_back(host[i].real());
        numbers.push_back(host[i].imag());
      } else {
        numbers.push_back(host[i]);
      }
    }
  }
};

gnp::axes_t list(const std::string& text) {
  if (text.empty()) return gnp::none;
  return text == "," ? shape_t{} : golden::parse_shape(text);
}

template <class T>
answer computed(const std::vector<std::string>& words) {
  namespace fft = gnp::fft;
  const std::string& f = words[0];
  const array<T> x = viewed(operand<T>(golden::parse_shape(words[2])), words[3]);
  const std::string norm = words[6].empty() ? "backward" : words[6];
  fft::fft_options one{.norm = norm};
  if (!words[4].empty()) one.n = std::stoll(words[4]);
  if (!words[5].empty() && words[5] != ",") one.axis = std::stoi(words[5]);
  fft::fft2_options two{.s = list(words[4]), .norm = norm};
  if (!words[5].empty()) two.axes = list(words[5]);
  const fft::fftn_options many{.s = list(words[4]), .axes = list(words[5]), .norm = norm};
  if (f == "fft") return fft::fft(x, one);
  if (f == "ifft") return fft::ifft(x, one);
  if (f == "irfft") return fft::irfft(x, one);
  if (f == "hfft") return fft::hfft(x, one);
  if (f == "fft2") return fft::fft2(x, two);
  if (f == "ifft2") return fft::ifft2(x, two);
  if (f == "irfft2") return fft::irfft2(x, two);
  if (f == "fftn") return fft::fftn(x, many);
  if (f == "ifftn") return fft::ifftn(x, many);
  if (f == "irfftn") return fft::irfftn(x, many);
  if constexpr (std::is_same_v<T, double>) {
    if (f == "rfft") return fft::rfft(x, one);
    if (f == "ihfft") return fft::ihfft(x, one);
    if (f == "rfft2") return fft::rfft2(x, two);
    if (f == "rfftn") return fft::rfftn(x, many);
    if (f == "fftshift") return fft::fftshift(x, {.axes = list(words[5])});
    if (f == "ifftshift") return fft::ifftshift(x, {.axes = list(words[5])});
    if (f == "fftfreq") return fft::fftfreq(std::stoll(words[4]), std::stod(words[6]));
    if (f == "rfftfreq") return fft::rfftfreq(std::stoll(words[4]), std::stod(words[6]));
  }
  throw std::runtime_error("no function " + f);
}

}  // namespace

TEST_CASE("np.fft's results") {
  for_each_device([](gnp::device) {
    int lines = 0;
    for (const std::string& line : golden::split(golden::read_file("fft.txt"), "\n")) {
      if (line.empty()) continue;
      INFO(line.substr(0, 200));
      const std::vector<std::string> words = golden::split(line, ";");
      ++lines;
      const auto compute = [&words] {
        return words[1] == "real" ? computed<double>(words) : computed<complex128>(words);
      };
      if (words[7] == "error") {
        CHECK_THROWS_AS(compute(), gnp::shape_error);
        continue;
      }
      const answer got = compute();
      REQUIRE(got.shape == golden::parse_shape(words[7]));
      std::istringstream right(words[8]);
      double wrong = 0;
      double largest = 1;
      for (const double number : got.numbers) {
        double value = 0;
        right >> value;
        largest = std::max(largest, std::abs(value));
        wrong = number == number ? std::max(wrong, std::abs(number - value)) : 1;
      }
      CHECK(wrong <= 2e-15 * largest);
    }
    CHECK(lines > 400);
  });
}
