#!/usr/bin/env bash
# Runs a command where Eigen is not installed: in a mount namespace of its own, an empty folder lies over Eigen's.
# without_eigen.sh <compiler> <command>...
set -euo pipefail

compiler=$1
shift
if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler"
  exit 77
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(--map-root-user)
if ! unshare --mount "${as_root[@]}" mount -t tmpfs none /mnt 2>/dev/null; then
  echo "skipped: no mount namespaces here"
  exit 77
fi

# What a cache has seen without Eigen must not be taken for what there is with it: no look-up by names of headers.
export CCACHE_NODIRECT=1

exec unshare --mount "${as_root[@]}" bash -c '
  set -euo pipefail
  compiler=$1
  shift
  "$compiler" -std=c++20 -xc++ -E -v /dev/null 2>&1 | sed -n "s/^ \(\/[^ ]*\)$/\1/p" | while read -r folder; do
    for eigen in "$folder/Eigen" "$folder/eigen3"; do
      [ ! -d "$eigen" ] || mount -t tmpfs none "$eigen"
    done
  done
  printf "%s\n" "#if __has_include(<Eigen/Core>) || __has_include(<eigen3/Eigen/Core>)" "#error Eigen is there" "#endif" |
    "$compiler" -std=c++20 -xc++ -fsyntax-only - || exit 1
  exec "$@"
' _ "$compiler" "$@"
