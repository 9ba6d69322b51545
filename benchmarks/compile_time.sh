#!/usr/bin/env bash
# What the examples take to compile at -O2: with the headers alone, with gnp::compiled, and with that and a precompiled
# header. Seconds of processor time.
# benchmarks/compile_time.sh [file.cpp]...    CXX names another compiler
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

compiler=${CXX:-g++}
flags=(-std=c++20 -O2 -I include)
cuda=${CUDA_HOME:-/usr/local/cuda}/include
[ ! -e "$cuda/nvrtc.h" ] || flags+=(-isystem "$cuda")
files=("$@")
[ $# -gt 0 ] || files=(examples/*.cpp)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As cmake/gnpCompiled.cmake does: which kind of library these flags need.
kind=$(echo 'gnp_kind GNP_ABI=__GXX_ABI_VERSION' |
  "$compiler" "${flags[@]}" -include gnp/core/config.hpp -E -P -x c++ - | sed -n 's/^gnp_kind //p' | tr -d ' ')
library=(-DGNP_COMPILED "-DGNP_COMPILED_$kind")

seconds() {
  local TIMEFORMAT=%U
  { time "$compiler" "${flags[@]}" "$@" -c -o "$work/object.o"; } 2>&1
}

echo '#include <gnp/gnp.hpp>' >"$work/all.hpp"
precompiling=$({ TIMEFORMAT=%U; time "$compiler" "${flags[@]}" "${library[@]}" -x c++-header "$work/all.hpp" -o "$work/all.hpp.gch"; } 2>&1)
echo "$("$compiler" --version | head -n 1), -O2; the precompiled header itself: $precompiling s"
printf '%-28s %8s %9s %12s\n' file headers compiled precompiled
for file in "${files[@]}"; do
  printf '%-28s %8s %9s %12s\n' "$file" "$(seconds "$file")" "$(seconds "$file" "${library[@]}")" \
    "$(seconds "$file" "${library[@]}" -include "$work/all.hpp")"
done
