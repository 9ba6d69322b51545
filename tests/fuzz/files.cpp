// SPDX-License-Identifier: MIT
// For libFuzzer: tests/fuzz/run.sh.
#include <cstdint>

#include "file_fuzzer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::memory_file file;
  file.set(data, size);
  fuzz::read_every_way(file.path());
  return 0;
}
