#!/bin/sh
# A compiler launcher: all errors and warnings of a source file that come before making code, and an empty object.
"$@" -fsyntax-only || exit

while [ "$1" != -o ]; do shift; done
: >"$2"
