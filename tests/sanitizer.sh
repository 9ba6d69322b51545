#!/usr/bin/env bash
# Builds the tests under the sanitizers of a preset and runs them.  tests/sanitizer.sh asan|tsan [--build-only]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# clang makes these builds in two thirds of g++'s time, where it has its sanitizers.
compiler=${CXX:-}
if [ -z "$compiler" ] && echo 'int main() {}' | clang++ -fsanitize=address -x c++ - -o /dev/null 2>/dev/null; then
  compiler=clang++
fi
cmake --preset "$1" -DGNP_TESTS_TOGETHER="${GNP_TESTS_TOGETHER:-6}" ${compiler:+-DCMAKE_CXX_COMPILER="$compiler"}
cmake --build --preset "$1" --parallel "$(nproc)"
if [ "${2:-}" != --build-only ]; then
  ctest --preset "$1" --parallel "$(nproc)"
fi
