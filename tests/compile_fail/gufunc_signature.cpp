// expect: gnp: a gufunc's signature is like (m,n),(n)->(m)
#include <gnp/gnp.hpp>

#ifdef CONTROL
GNP_GUFUNC(first_of, "(n)->()", (x, y), { y() = x(0); });
#else
GNP_GUFUNC(first_of, "(n)->", (x, y), { y() = x(0); });
#endif

int main() { const gnp::array<float> y = first_of(gnp::ones<float>(3)); }
