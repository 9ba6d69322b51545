#!/usr/bin/env bash
# A wrong program does not compile, and the compiler's message holds the sentence that the file's first line
# expects. A second line "// errors: 1" says that it is the only error. With CONTROL defined the wrong line is left out
# and the rest compiles, so it is that line that fails; this is seen of all of them at once.
# check.sh <compiler> <case.cpp>|controls <folder>    once "check.sh <compiler> precompile <folder>" has read the headers
set -euo pipefail

compiler=$1 case=$2 header=$3/$(basename "$1")/all.hpp
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
include=$(cd "$here/../../include" && pwd)

if ! command -v "$compiler" >/dev/null; then
  echo "skipped: no $compiler"
  exit 77
fi
command=("$compiler" -std=c++20 -DGNP_NO_CUDA -I "$include")
if [[ $("$compiler" --version) != *clang* ]]; then
  # As a program of gnp::compiled, which does not read the bodies of the library's functions: half the time. clang
  # reads them all, as a program does that has the headers alone.
  command+=(-DGNP_COMPILED)
  kind=$(printf '#include <gnp/core/config.hpp>\nGNP_ABI\n' | "${command[@]}" -E -P -x c++ - | tail -n 1)
  command+=("-DGNP_COMPILED_$kind=__GXX_ABI_VERSION")
fi
if [ "$case" = precompile ]; then
  mkdir -p "$(dirname "$header")"
  echo '#include <gnp/gnp.hpp>' >"$header"
  if [[ $("$compiler" --version) == *clang* ]]; then
    # What the headers themselves make of templates is made here, instead of in each case for most of its time.
    exec "${command[@]}" -fpch-instantiate-templates -x c++-header "$header" -o "$header.pch"
  fi
  exec "${command[@]}" -x c++-header "$header" -o "$header.gch"
fi
command+=(-fsyntax-only -include "$header")
if [ "$case" = controls ]; then
  # Each in a namespace of its own, where main is a function like others; what they include comes before.
  {
    echo '#define CONTROL'
    grep -h '^#include' "$here"/*.cpp | sort -u
    for file in "$here"/*.cpp; do
      printf 'namespace %s {\n#include "%s"\n}\n' "$(basename "$file" .cpp)_case" "$file"
    done
  } >"$(dirname "$header")/controls.cpp"
  exec "${command[@]}" -Wno-return-type "$(dirname "$header")/controls.cpp"
fi
expected=$(sed -n '1s|^// expect: ||p' "$case")
if [ -z "$expected" ]; then
  echo "the first line of $case is not '// expect: <sentence>'"
  exit 1
fi
if output=$("${command[@]}" "$case" 2>&1); then
  echo "FAILED: compiles, but should not"
  exit 1
fi
if ! grep -qF -- "$expected" <<<"$output"; then
  echo "$output"
  echo "FAILED: the message does not say: $expected"
  exit 1
fi

if only=$(sed -n '2s|^// errors: ||p' "$case") && [ -n "$only" ]; then
  count=$(grep -cE '(^|: )(fatal )?error: ' <<<"$output")
  if [ "$count" != "$only" ]; then
    echo "$output"
    echo "FAILED: $count errors, not $only"
    exit 1
  fi
fi
