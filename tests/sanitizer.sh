#!/usr/bin/env bash
# Builds the tests under the sanitizers of a preset and runs them.  tests/sanitizer.sh asan|tsan [--build-only]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# clang makes these builds in two thirds of g++'s time, where it has its sanitizers.
compiler=${CXX:-}
if [ -z "$compiler" ] && echo 'int main() {}' | clang++ -fsanitize=address -x c++ - -o /dev/null 2>/dev/null; then
  compiler=clang++
fi
# Traces name lines of files, as the preset says, unless the environment says GNP_SANITIZER_LINES=OFF: then functions.
options=(-DGNP_TESTS_TOGETHER="${GNP_TESTS_TOGETHER:-6}" -DGNP_COMPILER_HEAP="${GNP_COMPILER_HEAP:-1000000}")
# Under asan all tests that are fit for it, unless the environment says GNP_SANITIZE_FEW=ON: then those marked "asan".
options+=(-DGNP_SANITIZE_FEW="${GNP_SANITIZE_FEW:-OFF}")
[ "${GNP_SANITIZER_LINES:-ON}" = ON ] || options+=(-DCMAKE_CXX_FLAGS_DEBUG="-O0 -g0")
cmake --preset "$1" "${options[@]}" ${compiler:+-DCMAKE_CXX_COMPILER="$compiler"}
cmake --build --preset "$1" --parallel "$(nproc)"
if [ "${2:-}" != --build-only ]; then
  ctest --preset "$1" --parallel "$(nproc)"
fi
