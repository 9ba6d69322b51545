#!/usr/bin/env bash
# The cheat sheet and the headers name the same functions.  check_cheat_sheet.sh [gnp's folder]
#
# In docs/numpy.md, what gnp calls things is the second column of each table: gnp::name, and members as .name( or
# .name<. A function of the headers that is not there fails, and so does a name there that no header has.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"
export LC_ALL=C

# Free functions outside the detail namespaces; at namespace scope, formatted headers begin at column 0.
functions() {
  awk '
    FNR == 1 { hidden = 0 }
    { sub(/^GNP_(INLINE|ON_USE|DECLARED|DECLARED_ON_USE|DEFINED_ON_USE) /, "inline ") }
    /^namespace gnp .*namespace (detail|scalar)/ { hidden = 1; next }
    /^namespace (detail|scalar)/ { hidden = 1 }
    /^} +\/\/ namespace (detail|scalar)/ { hidden = 0 }
    hidden { next }
    { sub(/^GNP_(INLINE|ON_USE|DECLARED|DECLARED_ON_USE|DEFINED_ON_USE) /, "inline ") }
    { sub(/>\(min\)/, "> min"); sub(/>\(max\)/, "> max") }
    match($0, /^GNP_NUMPY_(UFUNC|NAME)\([a-z_0-9]+/) {
      print substr($0, index($0, "(") + 1, RLENGTH - index($0, "("))
      next
    }
    # The methods of a generator, which are functions, too.
    FILENAME ~ /random\/methods/ && /^  (array<|auto |void )/ { sub(/^ +/, "") }
    match($0, /^GNP_(UFUNC_AT|JOINING|JOINING_ALONG_AXIS)\([a-z_0-9]+/) {
      print substr($0, index($0, "(") + 1, RLENGTH - index($0, "("))
      next
    }
    /^(namespace|using|struct|class|static_assert|concept|enum|extern)/ || /operator/ { next }
    { sub(/^(inline )?::/, "auto ") }
    /^[a-z]/ {
      gsub(/<[^()]*>/, "")
      sub(/\* /, " ")
      # The first "word word(" of the line: result type and name.
      if (match($0, /[a-z_0-9] [a-z_0-9]+\(/)) print substr($0, RSTART + 2, RLENGTH - 3)
    }' include/gnp/expr/{arithmetic,math,logic,cast}.hpp include/gnp/{routines,statistics,linalg,random,fft,io,kernel,graph,interop,signal,polynomial}/*.hpp \
    include/gnp/array/{asarray,from_pointer,transfer}.hpp include/gnp/memory/{device,facts,stream}.hpp include/gnp/cpu/threads.hpp | grep -v '^gnp_' | sort -u
}

types_and_constants() {
  sed -nE 's/^(class|struct|using|enum class) ([a-z_0-9]+).*/\2/p; s/^inline constexpr [a-z_0-9]+ ([a-z_0-9]+).*/\1/p' \
    include/gnp/{core,memory,array,io,linalg,random,fft,kernel,graph,routines}/*.hpp include/gnp/linalg/*/*.hpp | sort -u
}

# Members of arrays, of expressions, of ufuncs and of generators, without those that gnp's own headers are the users of.
members() {
  awk '
    /^ private:|^ protected:/ { hidden = 1 }
    /^class|^ public:/ { hidden = 0 }
    { sub(/auto\(min\)/, "auto min"); sub(/auto\(max\)/, "auto max") }
    sub(/GNP_(TYPED_)?MEMBER_ALONG_AXES\(/, "auto ") { sub(/,/, "(") }
    !hidden && /^  [a-zA-Z]/ && !/operator/ {
      gsub(/<[^()]*>/, "")
      if (match($0, /[a-zA-Z_0-9*&)] [a-zA-Z_]+\(/)) print substr($0, RSTART + 2, RLENGTH - 3)
    }' include/gnp/array/{members,array}.hpp <(sed -n '/^class ufunc/,/^};/p' include/gnp/expr/ufunc.hpp) include/gnp/random/generator.hpp | sort -u | grep -vxE 'array|generator|static_cast|element_strides|block|begin|end'
}

sheet=$(sed -nE '/^\|/{s/\\\|/ /g; s/^\|[^|]*\|([^|]*)\|.*/\1/p}' docs/numpy.md)
sheet_functions=$(grep -oE 'gnp::((linalg|random|fft|ufuncs)::)?[a-z_0-9]+\b' <<<"$sheet" | sed 's/.*:://' | sort -u)
sheet_members=$(grep -oE '\.(template )?[a-zA-Z_]+[(<]' <<<"$sheet" | sed -E 's/\.(template )?//; s/.$//' | sort -u)

failed=0
report() {  # report "sentence" names...
  local sentence=$1 name
  shift
  for name in "$@"; do
    echo "FAILED: $name: $sentence"
    failed=1
  done
}
# shellcheck disable=SC2046  # names have no spaces
{
  report "a function that docs/numpy.md does not name" $(comm -23 <(functions) <(echo "$sheet_functions"))
  report "a member that docs/numpy.md does not name" $(comm -23 <(members) <(echo "$sheet_members"))
  report "in docs/numpy.md, and no function, type or constant of the headers" \
    $(comm -13 <({ functions; types_and_constants; } | sort -u) <(echo "$sheet_functions"))
  report "in docs/numpy.md, and no member of an array, a ufunc or a generator" $(comm -13 <(members) <(echo "$sheet_members"))
}
[ "$failed" = 0 ]
echo "$(functions | wc -l) functions and $(members | wc -l) members, all in docs/numpy.md"
