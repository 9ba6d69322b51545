// SPDX-License-Identifier: MIT
// Everything.
#pragma once

#include <gnp/core.hpp>
#include <gnp/io/config.hpp>
#include <gnp/io/print.hpp>
