// SPDX-License-Identifier: MIT
// profile_row: one line of a profile's table.
#pragma once

#include <cstdint>
#include <gnp/memory/device.hpp>
#include <string>

namespace gnp { inline namespace GNP_ABI {

/// One kind of work of a profile.
struct profile_row {
  std::string name;
  gnp::device device = gnp::device::cpu();
  std::int64_t calls = 0;
  double seconds = 0;
  std::size_t bytes = 0;  // read and written, as far as known
};

}}  // namespace gnp::GNP_ABI
