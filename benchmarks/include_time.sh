#!/usr/bin/env bash
# What including gnp costs, by itself and for a program of gnp::compiled, next to Eigen: seconds of processor time of
# g++ -O0, the median of several runs.
# benchmarks/include_time.sh [runs]    CXX names another compiler
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=${1:-5}
compiler=${CXX:-g++}
flags=(-std=c++20 -O0 -I include)
for folder in /usr/local/include/eigen3 /usr/include/eigen3; do
  [ ! -d "$folder" ] || flags+=(-isystem "$folder")
done
cuda=${CUDA_HOME:-/usr/local/cuda}/include
[ ! -e "$cuda/nvrtc.h" ] || flags+=(-isystem "$cuda")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# median_seconds <header> [flags]
median_seconds() {
  echo "#include <$1>" >"$work/include.cpp"
  shift
  local TIMEFORMAT=%U i
  # Once to see that it compiles, and to have the files in the page cache.
  "$compiler" "${flags[@]}" "$@" -c "$work/include.cpp" -o "$work/include.o" || return 1
  for ((i = 0; i < runs; ++i)); do
    { time "$compiler" "${flags[@]}" "$@" -c "$work/include.cpp" -o "$work/include.o"; } 2>>"$work/times"
  done
  sort -n "$work/times" | sed -n "$(((runs + 1) / 2))p"
  rm "$work/times"
}

base=$(median_seconds Eigen/Dense)
echo "$("$compiler" --version | head -n 1), -O0, median of $runs runs"
printf '%-32s %7s  %s\n' header seconds "of <Eigen/Dense>"
printf '%-32s %7.2f\n' Eigen/Dense "$base"
for header in gnp/core.hpp gnp/gnp.hpp; do
  for library in "" -DGNP_WITH_LIBRARY; do
    seconds=$(median_seconds "$header" $library)
    printf '%-32s %7.2f  %.2f\n' "$header $library" "$seconds" "$(awk "BEGIN { print $seconds / $base }")"
  done
done
