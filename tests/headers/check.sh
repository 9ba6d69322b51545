#!/usr/bin/env bash
# The headers of include/gnp compile without a warning.
# check.sh <compiler> cuda|no-cuda|no-eigen|bare alone|together <folder for objects>
# alone     each header by itself, or after headers that it includes itself: it includes what it needs
# together  all of them in one file: for the other compilers and configurations
# cuda, where there is everything, does so in the reversed order, too. bare is without CUDA and Eigen, as a program may
# ask for it; no-eigen, under ../without_eigen.sh, is where Eigen cannot be found.
set -euo pipefail

compiler=$1 kind=$2 how=$3 objects=$4/$2.$3.$(basename "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$(cd "$here/../../include" && pwd)

if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler"
  exit 77
fi
read -ra flags <<<"-std=c++20 -O0 -I$include ${GNP_WARNINGS:-} -Werror"
# g++ by itself looks for memory that it can use again from 128 MB on, for a tenth of its time.
[[ $("$compiler" --version) == *clang* ]] || flags+=(--param=ggc-min-heapsize=1000000)
case $kind in
  cuda)
    if [ -z "${GNP_CUDA_INCLUDE:-}" ]; then
      echo "skipped: no CUDA headers"
      exit 77
    fi
    flags+=(-isystem "$GNP_CUDA_INCLUDE")
    ;;
  bare) flags+=(-DGNP_NO_CUDA -DGNP_NO_EIGEN) ;;
  *) flags+=(-DGNP_NO_CUDA) ;;
esac
mkdir -p "$objects"
cd "$include"
find gnp -name '*.hpp' | sort >"$objects/headers"
if [ "$kind $how" = "cuda alone" ]; then
  # The others read the same as without CUDA and Eigen, and include no less.
  xargs -a "$objects/headers" grep -l GNP_HAS_ >"$objects/wanted"
else
  cp "$objects/headers" "$objects/wanted"
fi
echo "$(wc -l <"$objects/wanted") headers with $("$compiler" --version | head -n 1)"

if [ "$how" = together ]; then
  sed 's/.*/#include <&>/' "$objects/headers" >"$objects/sorted.cpp"
  tac "$objects/sorted.cpp" >"$objects/reversed.cpp"
  orders=(sorted)
  [ "$kind" != cuda ] || orders+=(reversed)
  for order in "${orders[@]}"; do
    "$compiler" "${flags[@]}" -fsyntax-only "$objects/$order.cpp" || { echo "FAILED: $order"; exit 1; }
  done
  exit
fi

# One source file per chain of headers. clang reads what many of them include from precompiled headers, which takes a
# third of the time; with those of g++ it would take as long as without.
hubs=0
if [[ $("$compiler" --version) == *clang* ]]; then
  hubs=20
  # Of some headers' functions the bodies are in other headers.
  flags+=(-Wno-undefined-inline)
fi
xargs -a "$objects/headers" awk -v wanted="$objects/wanted" -v hubs=$hubs -f "$here/chains.awk" >"$objects/chains"
# compile_alone <hub|chain> <its hub, or -> <headers>: a line of chains.awk
compile_alone() {
  local kind=$1 hub=$2 name=${*: -1} options=(-fsyntax-only)
  name=$objects/${name//\//.}
  printf '#include <%s>\n' "${@:3}" >"$name.cpp"
  if [ "$kind" = hub ]; then
    options=(-fpch-instantiate-templates -x c++-header -o "$name.pch")
  elif [ "$hub" != - ]; then
    options+=(-include-pch "$objects/${hub//\//.}.pch")
  fi
  # shellcheck disable=SC2086  # the command is several words
  $command "${options[@]}" "$name.cpp" || {
    echo "FAILED: the header of the first error does not compile alone"
    return 1
  }
}
export -f compile_alone
export objects command="$compiler ${flags[*]}"
for kind in hub chain; do
  # shellcheck disable=SC2016  # $@ is the inner shell's
  sed -n "/^$kind/p" "$objects/chains" | xargs -P "$(nproc)" -I{} bash -c 'compile_alone $@' _ {}
done
