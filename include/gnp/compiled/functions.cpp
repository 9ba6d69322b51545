// SPDX-License-Identifier: MIT
// gnp::compiled: all functions of the headers that are not templates. Other files take them from here.
#define GNP_COMPILES_LIBRARY
#include <gnp/gnp.hpp>
