#!/usr/bin/env bash
# Builds the tests under the sanitizers of a preset and runs them.  tests/sanitizer.sh asan|tsan [--build-only]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake --preset "$1"
cmake --build --preset "$1" --parallel "$(nproc)"
if [ "${2:-}" != --build-only ]; then
  ctest --preset "$1" --parallel "$(nproc)"
fi
