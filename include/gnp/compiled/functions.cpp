// SPDX-License-Identifier: MIT
// gnp::compiled: all functions of the headers that are no templates, which other files take from here.
#define GNP_COMPILES_LIBRARY
#include <gnp/gnp.hpp>
