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

// NVTX is header-only, and part of the toolkit.
#if GNP_HAS_CUDA && __has_include(<nvtx3/nvToolsExt.h>)
#define GNP_HAS_NVTX 1
#else
#define GNP_HAS_NVTX 0
#endif

// Eigen does linear algebra on the CPU. It is searched for on the include path, and where distributions install
// it.
#if !defined(GNP_NO_EIGEN) && (__has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>))
#define GNP_HAS_EIGEN 1
#else
#define GNP_HAS_EIGEN 0
#endif

// What these headers compile to depends on the flags of the file that includes them, but the linker keeps only
// one copy of each inline function. So the name of the inline namespace contains every setting that matters,
// and files with different settings have different functions: gnp::v0_1_0_cuda_eigen,
// gnp::v0_1_0_cpu_fast_x86_64_v3. Flags that set no macro (-ffp-contract) cannot be part of the name. The
// optimisation level is left out, because the results are the same at every level.
#define GNP_ABI                                                                                          \
  GNP_JOIN_WORDS(GNP_ABI_VERSION(GNP_VERSION_MAJOR, GNP_VERSION_MINOR, GNP_VERSION_PATCH), GNP_ABI_CUDA, \
                 GNP_ABI_EIGEN, GNP_ABI_MATHEMATICS, GNP_ABI_CONTAINERS, GNP_INSTRUCTIONS, , )

#define GNP_ABI_VERSION(major, minor, patch) GNP_ABI_VERSION_(major, minor, patch)
#define GNP_ABI_VERSION_(major, minor, patch) v##major##_##minor##_##patch

#if GNP_HAS_NVTX
#define GNP_ABI_CUDA _cuda
#elif GNP_HAS_CUDA
#define GNP_ABI_CUDA _cuda_without_nvtx
#else
#define GNP_ABI_CUDA _cpu
#endif

#if GNP_HAS_EIGEN
#define GNP_ABI_EIGEN _eigen
#else
#define GNP_ABI_EIGEN
#endif

// -ffast-math and the flags that it implies change the meaning of NaN, infinities and the order of operations.
#if defined(__FAST_MATH__)
#define GNP_ABI_MATHEMATICS _fast
#else
#define GNP_ABI_MATHEMATICS                                                                                    \
  GNP_JOIN_WORDS(GNP_WORD_IF(__FINITE_MATH_ONLY__, _finite), GNP_WORD_IF(__ASSOCIATIVE_MATH__, _associative),  \
                 GNP_WORD_IF(__RECIPROCAL_MATH__, _reciprocal),                                                \
                 GNP_WORD_IF(__NO_SIGNED_ZEROS__, _unsigned_zeros), GNP_WORD_IF(__ROUNDING_MATH__, _rounding), \
                 , , )
#endif

// In debug mode, the standard library's containers have another layout.
#if defined(_GLIBCXX_DEBUG)
#define GNP_ABI_CONTAINERS _checked
#else
#define GNP_ABI_CONTAINERS
#endif

// Functions marked GNP_INLINE are also in the library gnp::compiled. A file that is compiled to use the library
// (with GNP_COMPILED, which CMake's target defines) parses them but generates no code for them, which saves
// most of the time that a small program takes to compile. The target also says which kind of library it is, by
// GNP_COMPILED_<GNP_ABI>, and with which version of the compiler's ABI it was made; a file of another kind
// takes everything from the headers. On a command line without CMake, GNP_WITH_LIBRARY says that the library is
// of this file's kind; if it is not, the program does not link. Constructors and destructors are not marked:
// for a marked one clang generates only the form for base classes, which no program asks for.
#define GNP_COMPILED_KIND_(abi) GNP_COMPILED_##abi
#define GNP_COMPILED_KIND(abi) GNP_COMPILED_KIND_(abi)
#if defined(GNP_WITH_LIBRARY) && !defined(__CUDACC__)
#define GNP_USES_COMPILED 1
#elif defined(GNP_COMPILED) && !defined(__CUDACC__)
#if GNP_COMPILED_KIND(GNP_ABI) == __GXX_ABI_VERSION
#define GNP_USES_COMPILED 1
#endif
#endif

// For what must exist only once in the whole program, even if its files are compiled with -fvisibility=hidden
// and gnp::compiled is a shared library.
#define GNP_VISIBLE __attribute__((visibility("default")))

#if defined(GNP_COMPILES_LIBRARY)
#define GNP_INLINE inline GNP_VISIBLE __attribute__((used))
#elif !defined(GNP_USES_COMPILED)
#define GNP_INLINE inline
#elif defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-inline-cpp-without-extern"
#pragma clang diagnostic ignored "-Wstatic-local-in-inline"
#define GNP_INLINE inline GNP_VISIBLE __attribute__((gnu_inline, noinline))
#else
// g++ would inline all of these functions, however large. It does not inline an O0 function into a caller with
// a higher optimisation level.
#define GNP_INLINE inline GNP_VISIBLE __attribute__((gnu_inline, optimize("O0")))
#endif

// Some headers are needed only by the bodies of these functions. They are included under #ifdef
// GNP_READS_BODIES, and a file that uses the library skips them. A function that such a header defines is
// declared with GNP_DECLARED.
#if !defined(GNP_USES_COMPILED) || defined(GNP_COMPILES_LIBRARY)
#define GNP_READS_BODIES 1
#define GNP_DECLARED GNP_INLINE
#else
#define GNP_DECLARED GNP_VISIBLE
#endif

// For a function without template parameters that is compiled only where it is used. Its body instantiates
// templates that most programs never need; as an inline function it would do so in each of their files.
#define GNP_ON_USE template <int = 0>

// Both of the above: such a function is in the library, and a file without the library compiles it only where
// it is used. The first macro declares it; the second defines it, where bodies are read.
#if defined(GNP_COMPILES_LIBRARY)
#define GNP_DECLARED_ON_USE GNP_INLINE
#define GNP_DEFINED_ON_USE GNP_INLINE
#elif defined(GNP_READS_BODIES)
#define GNP_DECLARED_ON_USE GNP_ON_USE
#define GNP_DEFINED_ON_USE template <int>
#else
#define GNP_DECLARED_ON_USE GNP_VISIBLE
#define GNP_DEFINED_ON_USE GNP_INLINE
#endif

#define GNP_STRINGIZE_(...) #__VA_ARGS__
#define GNP_STRINGIZE(...) GNP_STRINGIZE_(__VA_ARGS__)
#define GNP_VERSION \
  GNP_STRINGIZE(GNP_VERSION_MAJOR) "." GNP_STRINGIZE(GNP_VERSION_MINOR) "." GNP_STRINGIZE(GNP_VERSION_PATCH)
