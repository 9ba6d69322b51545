// SPDX-License-Identifier: MIT
// test: asan, header-only
// The fibres of processors whose registers gnp does not know.
#define GNP_PORTABLE_FIBRES
#include "fibre_test.cpp"
