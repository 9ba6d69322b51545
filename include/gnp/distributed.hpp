// SPDX-License-Identifier: MIT
// Several processes, or threads: gnp::distributed::world(), run(), and their calls. Not part of gnp.hpp. One
// file of the program defines GNP_MPI before it includes this, and is compiled with MPI's wrapper.
#pragma once

#include <gnp/core/config.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wshadow"  // a user's ufunc may have the same name as a variable in gnp's templates
#endif

#include <gnp/distributed/array.hpp>
#include <gnp/distributed/creation.hpp>
#include <gnp/distributed/exchange.hpp>
#include <gnp/distributed/factorisations.hpp>
#include <gnp/distributed/files.hpp>
#include <gnp/distributed/group.hpp>
#include <gnp/distributed/mpi.hpp>
#include <gnp/distributed/products.hpp>
#include <gnp/distributed/random.hpp>
#include <gnp/distributed/reductions.hpp>
#include <gnp/distributed/run.hpp>
#include <gnp/distributed/sorting.hpp>
#include <gnp/distributed/world.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
