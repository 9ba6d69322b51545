#!/usr/bin/env bash
# A user's program gets gnp in one of the ways that the documentation promises, is built and run.
# check.sh find_package|compiled|add_subdirectory|fetch_content|fetch_git|bare|bare-cuda|bare-no-eigen|nvcc|pkg_config|deb|
#          conan|vcpkg|vcpkg_stand_in <compiler> <folder to work in>
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
fail() {
  echo "FAILED: $1"
  exit 1
}
needs() {
  local tool
  for tool in "$@"; do
    command -v "$tool" >/dev/null || skip "no $tool"
  done
}
needs "$compiler"
# g++ by itself looks for memory that it can use again from 128 MB on, for a tenth of its time.
memory=()
[[ $("$compiler" --version) == *clang* ]] || memory=(--param=ggc-min-heapsize=1000000)

rm -rf "$work"
mkdir -p "$work"
unset CMAKE_PREFIX_PATH PKG_CONFIG_PATH
if command -v ninja >/dev/null; then
  export CMAKE_GENERATOR=Ninja
fi

# The version as the header has it: what every package must say.
version=$(sed -nE 's/^#define GNP_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$source/include/gnp/core/config.hpp" |
  paste -sd .)

build_project() {
  cmake -S "$here" -B "$work/build" -DGNP_WAY="$way" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_CXX_FLAGS_DEBUG="-O0 ${memory[*]}" "$@"
  cmake --build "$work/build"
  "$work/build/app"
}

configure_gnp() {
  cmake -S "$source" -B "$work/gnp" -DCMAKE_CXX_COMPILER="$compiler" \
    -DGNP_TESTS=OFF -DGNP_EXAMPLES=OFF -DGNP_BENCHMARKS=OFF "$@"
}

# install_gnp <options>: into $work/moved, which is not where it was told it would be.
install_gnp() {
  configure_gnp -DCMAKE_INSTALL_PREFIX="$work/prefix" "$@"
  cmake --install "$work/gnp" | grep -v "^-- Installing: .*hpp$"
  mv "$work/prefix" "$work/moved"
}

# build_by_pkg_config <folder of gnp.pc> <program>
build_by_pkg_config() {
  local cflags libs
  export PKG_CONFIG_PATH=$1
  pkg-config --print-errors --exists "gnp = $version" || fail "pkg-config does not find gnp $version"
  echo "pkg-config --cflags --libs gnp: $(pkg-config --cflags --libs gnp)"
  read -ra cflags <<<"$(pkg-config --cflags gnp)"
  read -ra libs <<<"$(pkg-config --libs gnp)"
  "${ccache[@]}" "$compiler" -std=c++20 "${memory[@]}" "${cflags[@]}" "${warnings[@]}" -Werror \
    -c "$here/$2.cpp" -o "$work/app.o"
  "$compiler" "$work/app.o" "${libs[@]}" -o "$work/app"
  "$work/app"
}

case $way in
  find_package)
    install_gnp
    cmp "$source/LICENSE" "$work/moved/share/doc/gnp/LICENSE"
    build_project -DGNP_WITH_ARRAYS=ON -DCMAKE_PREFIX_PATH="$work/moved"
    ;;
  compiled)
    # Without CUDA, Eigen and optimisation there is less to build; the more so as the project has files read as one.
    needs nm
    install_gnp
    build_project -DCMAKE_PREFIX_PATH="$work/moved" -DBUILD_SHARED_LIBS=ON -DGNP_CUDA=OFF -DCMAKE_UNITY_BUILD=ON \
      -DCMAKE_CXX_FLAGS="-O0 -DGNP_NO_EIGEN"
    "$work/build/other_flags"
    [ -e "$work/build/libgnp.so" ] || fail "there is no libgnp.so"
    functions_from_elsewhere() {
      nm -C --undefined-only "$(find "$work/build" -path "*$1.dir*" -name '*.o')" | grep -c 'gnp::v' || true
    }
    [ "$(functions_from_elsewhere app)" -gt 0 ] || fail "nothing is taken from the library"
    [ "$(functions_from_elsewhere other_flags)" = 0 ] || fail "a file of other flags takes functions from the library"
    # The same library on a command line without CMake; a file of other flags is refused when it is linked.
    flags=(-std=c++20 -O0 "${memory[@]}" -DGNP_NO_CUDA -DGNP_NO_EIGEN -DGNP_WITH_LIBRARY -I "$work/moved/include")
    link=("$work/build/libgnp.so" "-Wl,-rpath,$work/build")
    "${ccache[@]}" "$compiler" "${flags[@]}" -c "$here/app.cpp" -o "$work/plain.o"
    nm -C --undefined-only "$work/plain.o" | grep -q 'gnp::v' || fail "a plain command takes nothing from the library"
    "$compiler" "$work/plain.o" "${link[@]}" -o "$work/plain"
    "$work/plain"
    "${ccache[@]}" "$compiler" "${flags[@]}" -ffast-math -c "$here/package.cpp" -o "$work/fast.o"
    if "$compiler" "$work/fast.o" "${link[@]}" -o "$work/fast" 2>"$work/fast.log"; then
      fail "a file of other flags is linked with the library"
    fi
    grep -q 'undefined reference' "$work/fast.log" || fail "unexpected: $(cat "$work/fast.log")"
    ;;
  add_subdirectory | fetch_content)
    build_project -DGNP_SOURCE="$source"
    ;;
  fetch_git)
    needs git
    # A repository of the files that there are now, whether or not the source is one.
    mkdir "$work/repository"
    cp -r "$source"/{include,cmake,CMakeLists.txt,LICENSE} "$work/repository"
    git -C "$work/repository" init --quiet
    git -C "$work/repository" add .
    git -C "$work/repository" -c user.name=gnp -c user.email=gnp@localhost commit --quiet -m gnp
    build_project -DGNP_SOURCE="file://$work/repository"
    ;;
  bare | bare-cuda)
    # The command of the README; without CUDA as much is optimised as can be.
    flags=(-std=c++20 -I "$source/include")
    if [ "$way" = bare-cuda ]; then
      [ -n "${GNP_CUDA_INCLUDE:-}" ] || skip "no CUDA headers"
      flags+=(-O2 -I "$GNP_CUDA_INCLUDE")
    else
      flags+=(-O3)
    fi
    # No link flags: they are what is tested. (glibc 2.34 and newer hold pthread and dl.)
    "${ccache[@]}" "$compiler" "${flags[@]}" "${memory[@]}" "${warnings[@]}" -Werror -c "$here/app.cpp" -o "$work/app.o"
    "$compiler" "$work/app.o" -o "$work/app"
    "$work/app"
    ;;
  bare-no-eigen)
    # Under ../without_eigen.sh.
    flags=(-std=c++20 -O1 "${memory[@]}" -DGNP_NO_CUDA -I "$source/include" "${warnings[@]}" -Werror)
    "${ccache[@]}" "$compiler" "${flags[@]}" -c "$here/no_eigen.cpp" -o "$work/app.o"
    "$compiler" "$work/app.o" -o "$work/app"
    "$work/app"
    GNP_LAPACK=none "$work/app"
    ;;
  nvcc)
    major=$(nvcc --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
    [ "$major" -ge 12 ] || skip "nvcc $major does not know C++20"
    for header in cublas_v2.h thrust/sort.h; do
      echo "#include <$header>" | nvcc -E -x cu - -o /dev/null 2>/dev/null || skip "no $header beside nvcc"
    done
    nvcc -std=c++20 -Werror all-warnings -Xcompiler "-Wall,-Wextra,-Werror,${memory[0]}" -I "$source/include" \
      "$source/examples/beside_cuda.cu" -lcublas -o "$work/app"
    "$work/app" >"$work/output"
    cat "$work/output"
    if grep -q 'no CUDA device' "$work/output"; then
      grep -qx 'no CUDA device; on the CPU: 20.0' "$work/output"
      echo "skipped: no CUDA device"
    else
      # Of 0, 100, ... 99900 degrees there are all multiples of 20 below 360.
      grep -q 'wrapped by a kernel of nvcc.s: 340.0' "$work/output"
      grep -qF 'from zero: [ 0.25 -0.75  1.25 -1.75  2.25 -2.75  3.25]' "$work/output"
      grep -q 'agree: yes' "$work/output"
      grep -q "gnp's work on it: 2" "$work/output"
    fi
    ;;
  pkg_config)
    needs pkg-config
    # Folders of other depths than the usual ones, which the way deb has.
    install_gnp -DCMAKE_INSTALL_INCLUDEDIR=headers/here -DCMAKE_INSTALL_DATADIR=lib/data/here
    pkg-config --validate "$work/moved/lib/data/here/pkgconfig/gnp.pc"
    build_by_pkg_config "$work/moved/lib/data/here/pkgconfig" package
    ;;
  vcpkg | vcpkg_stand_in)
    # shellcheck source=/dev/null
    . "$here/vcpkg.sh"
    ;;
  deb | conan)
    # shellcheck source=/dev/null
    . "$here/$way.sh"
    ;;
  *)
    fail "no such way: $way"
    ;;
esac
