// SPDX-License-Identifier: MIT
// gnp-bench --distributed: how work on distributed arrays scales over the GPUs of this machine.
#pragma once

#include <string>

namespace bench {

/// Prints a table, and writes a chart where a file is named. Returns what main() returns.
int run_distributed(const std::string& plot);

}  // namespace bench
