// SPDX-License-Identifier: MIT
// Compiled several times, with other flags each, for one program; UNIT is the name of its function.

// What a program with CUDA code of its own includes, before gnp and after it.
#if defined(UNIT_INCLUDES_CUDA) && __has_include(<cublas_v2.h>) && __has_include(<cuda_fp16.h>)
#include <cublas_v2.h>
#include <cuda_fp16.h>
#endif

#include <gnp/core.hpp>
#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/routines/reductions.hpp>

#if defined(UNIT_INCLUDES_CUDA) && __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
#endif

#include <limits>
#include <type_traits>

#include "unit.hpp"

// gnp brings no names of CUDA's with it: there is one half.
using namespace gnp;
#if !defined(UNIT_INCLUDES_CUDA)
static_assert(std::is_same_v<half, gnp::half>);
#endif

// Every unit has its own.
GNP_UFUNC(mine, (x), UNIT_MEANS);

unit_answers UNIT() {
  unit_answers answers;
  answers.abi = GNP_STRINGIZE(GNP_ABI);
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::array<float> five = gnp::asarray<float>({5, 5});
  answers.mine = gnp::array<float>(mine(five)).item(1);
  // More elements than a vector has, from memory that the compiler knows nothing of.
  const gnp::array<double> nan = gnp::full<double>({100}, std::numeric_limits<double>::quiet_NaN());
  answers.finds_nan = gnp::all(gnp::isnan(nan)).item();
  answers.has_eigen = GNP_HAS_EIGEN == 1;
  answers.product = gnp::matmul(gnp::ones<double>({2, 3}), gnp::ones<double>({3, 2})).item(1, 1);
  try {
    answers.solved = gnp::linalg::solve(gnp::full<double>({1, 1}, 2.0), gnp::full<double>({1}, 6.0)).item();
  } catch (const gnp::error& e) {
    answers.error = e.what();
  }
  try {
    five.reshape(3);
  } catch (const gnp::shape_error& e) {
    answers.threw = e.what();
  }
  return answers;
}
