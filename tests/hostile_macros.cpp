// SPDX-License-Identifier: MIT
// Macros that widespread headers define (windows.h, X11, complex.h, sys/sysmacros.h, Arduino and old habits)
// before gnp is included. The standard library and CUDA come first: they are not what is tested here.
#include <bits/stdc++.h>
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#endif
#if __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#elif __has_include(<eigen3/Eigen/Dense>)
#include <eigen3/Eigen/Dense>
#endif
#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#undef major
#undef minor
#undef I
#define min(a, b) HOSTILE MACRO
#define max(a, b) HOSTILE MACRO
#define major(a) HOSTILE MACRO
#define minor(a) HOSTILE MACRO
#define I HOSTILE MACRO
#define N HOSTILE MACRO
#define small HOSTILE MACRO
#define interface HOSTILE MACRO
#define near
#define far
#define IN
#define OUT
#define ERROR 0
#define DEBUG 1
#define NO_ERROR 0L
#define None 0L
#define Bool int
#define Status int
#define Success 0
#define True 1
#define False 0
#define TRUE 1
#define FALSE 0
#define PI 3.14
#define CONST const
#define VOID void
#define DELETE 0x10000
#define STRICT 1

#include <gnp/gnp.hpp>

int main() {
  gnp::array<float> a = gnp::asarray<float>({{1, 2}, {3, 4}});
  gnp::array<float> b = gnp::sqrt(a * a) + 1;
  return gnp::asnumpy(b)(1, 1) == 5 ? 0 : 1;
}
