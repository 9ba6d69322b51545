# Sourced by tests/run and examples/run: installs what is missing on Debian and Ubuntu, and says what.
# Where everything is there, nothing is touched and no network is needed.
# shellcheck shell=bash

# Is this header in one of the places where compilers look?
setup_has_header() {
  local folder
  for folder in /usr/include /usr/local/include ${CPATH:+${CPATH//:/ }} ${CPLUS_INCLUDE_PATH:+${CPLUS_INCLUDE_PATH//:/ }}; do
    [ -e "$folder/$1" ] && return 0
  done
  return 1
}

# Is this shared library in one of the places where the loader looks?
setup_has_library() {
  local folder
  for folder in /usr/lib /usr/lib64 /usr/lib/*-linux-gnu /usr/local/lib ${LD_LIBRARY_PATH:+${LD_LIBRARY_PATH//:/ }}; do
    [ -e "$folder/$1" ] && return 0
  done
  return 1
}

setup_has() {
  case $1 in
    compiler) command -v "${CXX:-g++}" ;;
    cmake) command -v cmake ;;
    ninja) command -v ninja ;;
    pkg-config) command -v pkg-config ;;
    catch2) setup_has_header catch2/catch.hpp || setup_has_header catch2/catch_all.hpp ;;
    eigen) setup_has_header eigen3/Eigen/Dense || setup_has_header Eigen/Dense ;;
    benchmark) setup_has_header benchmark/benchmark.h ;;
    mpi) command -v mpicxx && command -v mpirun ;;
    lapack) setup_has_library libopenblas.so.0 || setup_has_library libmkl_rt.so.2 ;;
    *) echo "setup: what is $1?" >&2; exit 1 ;;
  esac >/dev/null
}

setup_package() {
  case $1 in
    compiler) echo g++ ;;
    ninja) echo ninja-build ;;
    eigen) echo libeigen3-dev ;;
    benchmark) echo libbenchmark-dev ;;
    lapack) echo libopenblas0-pthread ;;
    mpi) echo libopenmpi-dev ;;
    *) echo "$1" ;;
  esac
}

# setup compiler cmake ninja …
setup() {
  local thing packages=() as_root=()
  for thing in "$@"; do
    setup_has "$thing" || packages+=("$(setup_package "$thing")")
  done
  [ ${#packages[@]} -gt 0 ] || return 0

  echo "Missing: ${packages[*]}"
  if ! command -v apt-get >/dev/null; then
    echo "This is no Debian or Ubuntu: please install them with your system's package manager." >&2
    exit 1
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Please run as root: apt-get install ${packages[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
    [ -t 0 ] || as_root+=(-n)  # nobody is there to type a password
  fi
  echo "Installing them with apt-get."
  # dpkg's hundreds of lines are shown only when it fails.
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
      "${packages[@]}"; } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "apt-get could not install them." >&2
    exit 1
  fi
  rm -f "$log"
}
