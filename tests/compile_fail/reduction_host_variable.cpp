// expect: gnp: a ufunc's body may name its parameters, its own variables and gnp's functions of numbers
// errors: 1
#include <gnp/gnp.hpp>

double reduction_weight = 2;

#ifdef CONTROL
GNP_REDUCTION(weighted_sum, (x), x, (a, b), a + b, (r), 2 * r, 0);
#else
GNP_REDUCTION(weighted_sum, (x), x, (a, b), a + b, (r), reduction_weight * r, 0);
#endif

int main() {}
