// expect: gnp: a ufunc's body has up to 12 statements: join some by semicolons
// errors: 1
#include <gnp/gnp.hpp>

#ifdef CONTROL
GNP_UFUNC(long_one, (x), x += 1; x += 2, x += 3; x += 4, x += 5, x += 6, x += 7, x += 8, x += 9, x += 10, x);
#else
GNP_UFUNC(long_one, (x), x += 1, x += 2, x += 3, x += 4, x += 5, x += 6, x += 7, x += 8, x += 9, x += 10,
          x += 11, x += 12, x);
#endif

int main() { gnp::array<float> y = long_one(gnp::ones<float>({3})) + 1; }
