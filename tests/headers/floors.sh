#!/usr/bin/env bash
# The folders of include/gnp are floors: each includes those below it, never one above, and no two include each other.
# Nor is a constructor or destructor marked for gnp::compiled, which clang would make in part only; and how to optimise
# a function stands before its instructions, which g++ 13 and 14 forget otherwise with -Og and -O1.
# floors.sh [gnp's folder]
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}/include/gnp"

if grep -rnE 'GNP_INLINE +(explicit +)?~?[a-z_]+\(' --include='*.hpp' .; then
  echo "FAILED: a marked constructor or destructor"
  exit 1
fi
if grep -rnE 'target\(.*optimize\(' --include='*.hpp' .; then
  echo "FAILED: optimize after target"
  exit 1
fi

{ grep -rHoE '^ *# *include *[<"]gnp/[a-z_]+/[^>"]*' --include='*.hpp' -- */ || true; } |
  sed -E 's|^([a-z_]+)/([^:]*):.*gnp/([a-z_]+)/(.*)|\1 \3 \1/\2 \3/\4|' |
  awk '
    BEGIN {
      count = split("core|cpu cuda|dense memory|libraries|array|expr|exec|routines|linalg random fft io kernel graph|interop distributed|statistics signal|polynomial|compiled", floors, "|")
      for (i = 1; i <= count; ++i) {
        folders = split(floors[i], names, " ")
        for (k = 1; k <= folders; ++k) floor[names[k]] = i
      }
    }
    function wrong(why) { print "FAILED: " $3 " includes " $4 ": " why; failed = 1 }
    $1 == $2 { next }
    !($1 in floor) { wrong("which floor is " $1 "?"); next }
    !($2 in floor) { wrong("which floor is " $2 "?"); next }
    floor[$2] > floor[$1] { wrong($2 " is above " $1) }
    ($2, $1) in seen { wrong(seen[$2, $1] " includes the other way round") }
    { seen[$1, $2] = $3 }
    END { exit failed }'
