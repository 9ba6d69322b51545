#!/usr/bin/env bash
# Every header of include/gnp compiles alone, without a warning.
# check.sh <compiler> cuda|no-cuda|no-eigen <folder for objects>
# no-eigen, under ../without_eigen.sh, is without CUDA's headers, too.
set -euo pipefail

compiler=$1 cuda=$2 objects=$3/$2.$(basename "$1")
include=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../include" && pwd)

if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler"
  exit 77
fi
read -ra flags <<<"-std=c++20 -O0 -I$include ${GNP_WARNINGS:-} -Werror"
if [ "$cuda" != cuda ]; then
  flags+=(-DGNP_NO_CUDA)
elif [ -n "${GNP_CUDA_INCLUDE:-}" ]; then
  flags+=(-isystem "$GNP_CUDA_INCLUDE")
else
  echo "skipped: no CUDA headers"
  exit 77
fi

# One source file per header, rewritten only when new. Through ccache, where there is one, a second run with nothing
# changed takes no time; elsewhere no code is made.
compile_alone() {
  local header=$1 source=$objects/${1//\//.}.cpp
  shift
  [ -e "$source" ] || printf '#include <%s>\n' "$header" >"$source"
  if [ -n "${GNP_CCACHE:-}" ]; then
    set -- "$@" -c -o "$source.o"
  else
    set -- "$@" -fsyntax-only
  fi
  "$@" "$source" || { echo "FAILED: $header does not compile alone"; return 1; }
}
export -f compile_alone
export objects
mkdir -p "$objects"

cd "$include"
find gnp -name '*.hpp' | sort >"$objects/headers"
echo "$(wc -l <"$objects/headers") headers with $("$compiler" --version | head -n 1)"
# shellcheck disable=SC2016  # $@ is the inner shell's
xargs -a "$objects/headers" -P "$(nproc)" -I{} bash -c 'compile_alone "$@"' _ {} \
  ${GNP_CCACHE:+"$GNP_CCACHE"} "$compiler" "${flags[@]}"
