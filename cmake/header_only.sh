#!/bin/sh
# A compiler launcher for what is there for its precompiled header alone: the header is made, and of the source file an
# empty object, without dependencies, which takes no time to make.
for word in "$@"; do
  [ "$word" != c++-header ] || exec "$@"
done

while [ $# -gt 0 ]; do
  case $1 in -o | -MF) : >"$2" ;; esac
  shift
done
