// SPDX-License-Identifier: MIT
// Several processes, or threads: gnp::distributed::world(), run(), and their calls. Not part of gnp.hpp. One
// file of the program defines GNP_MPI before it includes this, and is compiled with MPI's wrapper.
#pragma once

#include <gnp/core/config.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wshadow"  // g++ warns of variables in templates that a user's ufunc is a namesake of
#endif

#include <gnp/distributed/exchange.hpp>
#include <gnp/distributed/group.hpp>
#include <gnp/distributed/mpi.hpp>
#include <gnp/distributed/run.hpp>
#include <gnp/distributed/world.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
