// SPDX-License-Identifier: MIT
// Version, what was found at compile time, and the namespace that keeps builds of different kinds apart.
#pragma once

#include <gnp/core/instructions.hpp>

#define GNP_VERSION_MAJOR 0
#define GNP_VERSION_MINOR 1
#define GNP_VERSION_PATCH 0

// CUDA support needs the toolkit's headers only; every library is opened at run time.
#if !defined(GNP_NO_CUDA) && __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#define GNP_HAS_CUDA 1
#else
#define GNP_HAS_CUDA 0
#endif

// Eigen does the CPU's linear algebra; it is looked for on the include path, and where distributions put it.
#if !defined(GNP_NO_EIGEN) && (__has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>))
#define GNP_HAS_EIGEN 1
#else
#define GNP_HAS_EIGEN 0
#endif

// What the same headers compile to depends on the flags of the file that includes them, and the linker keeps
// one copy of each inline function. So the name of the inline namespace says all of it, and files of different
// kinds have different functions: gnp::v0_1_0_cuda_eigen, gnp::v0_1_0_cpu_fast_x86_64_v3. What no macro tells
// cannot be in it (-ffp-contract); optimisation is not, because any level computes what any other does.
#define GNP_ABI                                                                                          \
  GNP_JOIN_WORDS(GNP_ABI_VERSION(GNP_VERSION_MAJOR, GNP_VERSION_MINOR, GNP_VERSION_PATCH), GNP_ABI_CUDA, \
                 GNP_ABI_EIGEN, GNP_ABI_MATHEMATICS, GNP_ABI_CONTAINERS, GNP_INSTRUCTIONS, , )

#define GNP_ABI_VERSION(major, minor, patch) GNP_ABI_VERSION_(major, minor, patch)
#define GNP_ABI_VERSION_(major, minor, patch) v##major##_##minor##_##patch

#if GNP_HAS_CUDA
#define GNP_ABI_CUDA _cuda
#else
#define GNP_ABI_CUDA _cpu
#endif

#if GNP_HAS_EIGEN
#define GNP_ABI_EIGEN _eigen
#else
#define GNP_ABI_EIGEN
#endif

// -ffast-math and its parts: NaN, infinities and the order of operations do not mean the same.
#if defined(__FAST_MATH__)
#define GNP_ABI_MATHEMATICS _fast
#else
#define GNP_ABI_MATHEMATICS                                                                                    \
  GNP_JOIN_WORDS(GNP_WORD_IF(__FINITE_MATH_ONLY__, _finite), GNP_WORD_IF(__ASSOCIATIVE_MATH__, _associative),  \
                 GNP_WORD_IF(__RECIPROCAL_MATH__, _reciprocal),                                                \
                 GNP_WORD_IF(__NO_SIGNED_ZEROS__, _unsigned_zeros), GNP_WORD_IF(__ROUNDING_MATH__, _rounding), \
                 , , )
#endif

// Containers of the standard library that check themselves have another layout.
#if defined(_GLIBCXX_DEBUG)
#define GNP_ABI_CONTAINERS _checked
#else
#define GNP_ABI_CONTAINERS
#endif

#define GNP_STRINGIZE_(...) #__VA_ARGS__
#define GNP_STRINGIZE(...) GNP_STRINGIZE_(__VA_ARGS__)
#define GNP_VERSION \
  GNP_STRINGIZE(GNP_VERSION_MAJOR) "." GNP_STRINGIZE(GNP_VERSION_MINOR) "." GNP_STRINGIZE(GNP_VERSION_PATCH)
