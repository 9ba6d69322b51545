// SPDX-License-Identifier: MIT
// Enough of a LAPACK to be taken for one: idamax with integers of GNP_INTEGER, in this naming. No function of
// it computes, so a program that calls one would notice.
#include <cstdint>

#define NAME_(prefix, name, suffix) prefix##name##suffix
#define NAME(prefix, name, suffix) NAME_(prefix, name, suffix)
#define FUNCTION(name) NAME(GNP_PREFIX, name, GNP_SUFFIX)

extern "C" {

GNP_INTEGER FUNCTION(idamax)(const GNP_INTEGER* n, const double* x, const GNP_INTEGER* step) {
  GNP_INTEGER largest = 0;
  for (GNP_INTEGER i = 0; i < *n; ++i) {
    if (largest == 0 || x[i * *step] > x[(largest - 1) * *step]) largest = i + 1;
  }
  return largest;
}

void FUNCTION(zgesdd)() {}
}
