// expect: gnp: a std::vector is brought to the device first: gnp::fft::rfft(gnp::asarray(v))
// errors: 17
#include <gnp/gnp.hpp>
#include <vector>

int main() {
  const std::vector<double> v(3);
  const std::vector<int> w(3);
  const gnp::array<double> x = gnp::asarray(v);
  const gnp::array<int> n = gnp::asarray(w);
  gnp::array<double> result = gnp::fft::irfft(gnp::fft::rfft(x));
  result = gnp::trapezoid(x, gnp::asarray(v));
  result = gnp::trapezoid(v, x);
  gnp::add_at(result, w, 1);
  result = gnp::average(gnp::ones({3, 3}), std::vector<int>{0});  // the axes
#ifndef CONTROL
  gnp::fft::rfft(v);
  gnp::fft::fftn(v);
  gnp::linalg::norm(v);
  gnp::linalg::solve(v, x);
  gnp::bincount(w, x);
  gnp::average(x, v);
  gnp::cov(v, x);
  gnp::corrcoef(v, v);
  gnp::polyval(x, v);
  gnp::gradient(v, x);
  gnp::ediff1d(v);
  gnp::vecdot(x, v);
  gnp::outer(v, v);
  gnp::isclose(v, x);
  gnp::add_at(result, w, v);
  gnp::isin(v, n);
  gnp::convolve(v, x, "same");
#endif
}
