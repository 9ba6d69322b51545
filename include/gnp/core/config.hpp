// SPDX-License-Identifier: MIT
// Version, what was found at compile time, and the namespace that keeps the two kinds of build apart.
#pragma once

#define GNP_VERSION_MAJOR 0
#define GNP_VERSION_MINOR 1
#define GNP_VERSION_PATCH 0

// CUDA support needs the toolkit's headers only; every library is opened at run time.
#if !defined(GNP_NO_CUDA) && __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#define GNP_HAS_CUDA 1
#else
#define GNP_HAS_CUDA 0
#endif

// A file compiled with the CUDA headers and one compiled without them define different things under
// the same names; the inline namespace lets both be linked into one program.
#if GNP_HAS_CUDA
#define GNP_ABI abi0_cuda
#else
#define GNP_ABI abi0_cpu
#endif

#define GNP_STRINGIZE_(x) #x
#define GNP_STRINGIZE(x) GNP_STRINGIZE_(x)
#define GNP_VERSION \
  GNP_STRINGIZE(GNP_VERSION_MAJOR) "." GNP_STRINGIZE(GNP_VERSION_MINOR) "." GNP_STRINGIZE(GNP_VERSION_PATCH)
