// SPDX-License-Identifier: MIT
// Writes again what NumPy wrote, in every form:  files <NumPy's folder> <gnp's folder>
#include <gnp/core.hpp>
#include <gnp/io/loadtxt.hpp>
#include <gnp/io/npz.hpp>
#include <gnp/io/savetxt.hpp>
#include <iostream>

int main(int, char** argv) {
  const std::string numpys = argv[1];
  const std::string ours = argv[2];
  const gnp::npz_file stored = gnp::load_npz(numpys + "/stored.npz");
  const gnp::npz_file deflated = gnp::load_npz(numpys + "/deflated.npz");
  std::vector<gnp::named_array> from_npy;
  std::vector<gnp::named_array> from_stored;
  std::vector<gnp::named_array> from_deflated;
  for (const std::string& name : stored.names()) {
    gnp::save(ours + "/" + name, gnp::load_any(numpys + "/" + name + ".npy"));
    from_npy.emplace_back(name, gnp::load_any(numpys + "/" + name + ".npy"));
    from_stored.emplace_back(name, stored.get_any(name));
    from_deflated.emplace_back(name, deflated.get_any(name));
  }
  gnp::savez(ours + "/npy", from_npy);
  gnp::savez(ours + "/stored", from_deflated);
  gnp::savez_compressed(ours + "/deflated", from_stored);
  gnp::savetxt(ours + "/text.txt", gnp::loadtxt(numpys + "/text.txt"));
  std::cout << stored.size() << " arrays written again\n";
}
