// SPDX-License-Identifier: MIT
// show_config: what gnp is, what it found, and where.
#pragma once

#include <cstdio>
#include <gnp/core/config.hpp>
#include <string>
#ifdef GNP_READS_BODIES
#include <gnp/io/config_text.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {

/// One line for each thing that a problem report should mention.
GNP_DECLARED std::string config_text();

/// Prints config_text().
inline void show_config() { std::fputs(config_text().c_str(), stdout); }

}}  // namespace gnp::GNP_ABI
