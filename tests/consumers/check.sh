#!/usr/bin/env bash
# A user's program gets gnp in one of the ways that the README promises, is built and run.
# check.sh find_package|add_subdirectory|fetch_content|bare|bare-cuda|nvcc <compiler> <folder to work in>
set -euo pipefail

way=$1 compiler=$2 work=$3/$1.$(basename "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)
read -ra warnings <<<"${GNP_WARNINGS:--Wall -Wextra}"
read -ra ccache <<<"${GNP_CCACHE:-}"

skip() {
  echo "skipped: $1"
  exit 77
}
command -v "$compiler" >/dev/null || skip "no $compiler"

rm -rf "$work"
mkdir -p "$work"
unset CMAKE_PREFIX_PATH
if command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=Ninja
fi

build_project() {
  cmake -S "$here" -B "$work/build" -DGNP_WAY="$way" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug "$@"
  cmake --build "$work/build"
  "$work/build/app"
}

case $way in
  find_package)
    cmake -S "$source" -B "$work/gnp" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_INSTALL_PREFIX="$work/prefix" \
      -DGNP_TESTS=OFF -DGNP_EXAMPLES=OFF -DGNP_BENCHMARKS=OFF
    cmake --install "$work/gnp" | grep -v "^-- Installing: .*hpp$"
    # A moved prefix still serves.
    mv "$work/prefix" "$work/moved"
    build_project -DCMAKE_PREFIX_PATH="$work/moved"
    ;;
  add_subdirectory | fetch_content)
    build_project -DGNP_SOURCE="$source"
    ;;
  bare | bare-cuda)
    flags=(-std=c++20 -I "$source/include")
    if [ "$way" = bare-cuda ]; then
      [ -n "${GNP_CUDA_INCLUDE:-}" ] || skip "no CUDA headers"
      flags+=(-I "$GNP_CUDA_INCLUDE")
    fi
    # No link flags: they are what is tested. (glibc 2.34 and newer hold pthread and dl.)
    "${ccache[@]}" "$compiler" -O3 "${flags[@]}" "${warnings[@]}" -Werror -c "$here/app.cpp" -o "$work/app.o"
    "$compiler" "$work/app.o" -o "$work/app"
    "$work/app"
    # The command of the README, in one step.
    "$compiler" -O2 "${flags[@]}" "$here/app.cpp" -o "$work/app"
    "$work/app"
    ;;
  nvcc)
    major=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    [ "$major" -ge 12 ] || skip "nvcc $major does not know C++20"
    nvcc -std=c++20 -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror -I "$source/include" "$here/app.cu" \
      -o "$work/app"
    "$work/app"
    ;;
  *)
    echo "no such way: $way"
    exit 1
    ;;
esac
