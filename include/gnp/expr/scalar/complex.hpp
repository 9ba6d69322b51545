// SPDX-License-Identifier: MIT
// The complex scalar functions that ufunc bodies call, in three parts. Results are NumPy's.
#pragma once

#include <gnp/expr/scalar/complex_arithmetic.hpp>
#include <gnp/expr/scalar/complex_exp.hpp>
#include <gnp/expr/scalar/complex_trig.hpp>
