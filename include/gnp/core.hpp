// SPDX-License-Identifier: MIT
// Arrays, elementwise work, views and transfers: all of gnp that needs no library but the driver and NVRTC.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/array/stream.hpp>
#include <gnp/core/constants.hpp>
#include <gnp/exec/value.hpp>
#include <gnp/expr/cast.hpp>
#include <gnp/expr/logic.hpp>
#include <gnp/expr/math.hpp>
#include <gnp/expr/operators.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/manipulation.hpp>
