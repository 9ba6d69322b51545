// SPDX-License-Identifier: MIT
// A libcuda.so.1 that lacks most of what gnp needs.
extern "C" int cuInit(unsigned) { return 0; }
