// expect: gnp: the path comes first
// errors: 12
#include <gnp/gnp.hpp>
#include <string>

int main() {
  gnp::array<double> x = gnp::ones({2, 2});
  const std::string path = "x";
  gnp::save(path, x * 2);
  gnp::savetxt(path, x, "%.3f", ",");
  gnp::savez(path, {{"x", x}});
  gnp::savez(path, {{"x", x}, {"y", x * 2}});
  gnp::savez(path, {{"x", x}, {"y", x * 2}}, {.progress = nullptr});
  gnp::savez(path, {x});
  gnp::savez(path, {x, x * 2});
  gnp::savez(path, x, x * 2);
  gnp::savez_compressed(path, x);
  x = gnp::loadtxt(path, {.delimiter = ','}) + gnp::loadtxt(path) + gnp::genfromtxt(path, {});
#ifndef CONTROL
  gnp::save(x, path);
  gnp::save(x * 2, "x.npy");
  gnp::savetxt(x, "x.csv");
  gnp::savetxt(x + 1, path, "%d", ",");
  gnp::savez("x.npz", {"x", x});
  gnp::savez(path, {"x", x}, {"y", x * 2});
  gnp::savez(path, {"x", x}, {"y", x}, {"z", x});
  gnp::savez_compressed(path, {"x", x});
  x = gnp::loadtxt(path, ",");
  x = gnp::loadtxt("x.csv", ' ');
  x = gnp::genfromtxt("x.csv", ",");
  x = gnp::loadtxt(path, gnp::dtype::float32);
#endif
}
