// SPDX-License-Identifier: MIT
// Arrays, elementwise work, views and transfers: everything in gnp that needs no library except the driver and
// NVRTC.
#pragma once

#include <gnp/core/config.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \
    "-Wshadow"  // a user's ufunc may have the same name as a variable in gnp's templates
#endif

#include <gnp/array/asarray.hpp>
#include <gnp/array/from_pointer.hpp>
#include <gnp/core/constants.hpp>
#include <gnp/exec/gather/index_arrays.hpp>
#include <gnp/exec/value.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/memory/facts.hpp>
#include <gnp/memory/profile.hpp>
#include <gnp/memory/stream.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/manipulation.hpp>
#include <gnp/routines/ranges.hpp>

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
