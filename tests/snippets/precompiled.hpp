// SPDX-License-Identifier: MIT
// What the snippets of all pages include.
#pragma once

#include <gnp/gnp.hpp>

#include "snippets.hpp"
