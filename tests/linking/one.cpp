// SPDX-License-Identifier: MIT
#include <gnp/gnp.hpp>
#include <type_traits>

// gnp brings no names of CUDA's with it: there is one half.
using namespace gnp;
static_assert(std::is_same_v<half, gnp::half>);

// A ufunc of the same name in two files, with two meanings, as users will have.
namespace {
GNP_UFUNC(mine, (x), x + 1);
}

float with_everything_one(float value) {
  gnp::array<float> a = gnp::asarray<float>({value, value});
  gnp::array<float> b = mine(a);
  return b.item(1);
}
