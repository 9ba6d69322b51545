// expect: gnp: each dimension of a gufunc's results is one of its arguments', or a number
#include <gnp/gnp.hpp>

#ifdef CONTROL
GNP_GUFUNC(first_of, "(n)->(2)", (x, y), { y(0) = y(1) = x(0); });
#else
GNP_GUFUNC(first_of, "(n)->(m)", (x, y), { y(0) = y(1) = x(0); });
#endif

int main() { const gnp::array<float> y = first_of(gnp::ones<float>(3)); }
