// expect: gnp: the singular values alone are gnp::linalg::svdvals(a)
// errors: 10
#include <gnp/gnp.hpp>

int main() {
  const gnp::array<double> x = gnp::ones({3, 3});
  gnp::array<double> result = gnp::linalg::svd(x, {.full_matrices = false}).s;
  result = gnp::var(x, {.axis = 0, .ddof = 1, .keepdims = true});
#ifndef CONTROL
  gnp::linalg::svd(x, {.compute_uv = false});
  gnp::cov(x, {.y = x});
  gnp::corrcoef(x, {.y = x, .rowvar = false});
  gnp::var(x, {.mean = x.mean()});
  gnp::std(x, {.axis = 0, .mean = 3});
  x.var({.where = x > 1, .mean = 2});
  gnp::ufuncs::add.reduce(x, {.where = x > 1});
  gnp::sum(x, {.axis = 0, .dtype = gnp::dtype::float64});
  gnp::sum(x, {.dtype = gnp::dtype::float64, .where = x > 1});
  gnp::ufuncs::add.reduce(x, {.dtype = gnp::dtype::float64});
  gnp::linspace(0, 1, 5, {.dtype = gnp::dtype::float32});
  x.mean({.axis = 0, .out = x});
  gnp::array<double> y(x.shape());
#endif
}
