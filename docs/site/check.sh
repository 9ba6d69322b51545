#!/usr/bin/env bash
# The site is whole: Doxygen has no complaint, every page of docs/ is there and among the contents, and no link in it
# leads nowhere.  check.sh FOLDER [doxygen]
set -euo pipefail
doxygen=${2:-doxygen}  # GNP_DOXYGEN-NOTFOUND, where CMake has not found it
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if ! command -v "$doxygen" >/dev/null; then
  echo "skipped: no doxygen"
  exit 77
fi

"$source/docs/site/build.sh" "$1" "$doxygen" >/dev/null
folder=$(cd "$1" && pwd)
failed=0
fail() {
  echo "FAILED: $*"
  failed=1
}

# What Doxygen says of our files; of itself, as of an option that a newer one has given up, it may say what it likes.
while read -r warning; do
  case $warning in
    "$source"/*) fail "${warning#"$source/"}" ;;
    *) echo "$warning" ;;
  esac
done <"$folder/warnings"

cd "$folder/html"
pages=0
for page in "$source"/docs/*.md; do
  name=$(basename "$page" .md)
  pages=$((pages + 1))
  [ -e "$name.html" ] || fail "docs/$name.md has become no page"
  grep -q "href=\"$name.html\"" index.html || fail "docs/$name.md is not among the contents"
  ! grep -n '``\|&lt;tt&gt;\|ilinebr' "$name.html" || fail "docs/$name.md: Doxygen has not understood this Markdown"
done
while read -r name _; do
  [ -e "$name.html" ] || fail "docs/site/contents: there is no page $name"
done < <(grep -v '^[#=]' "$source/docs/site/contents")

# Every address in the pages, and every place that one may lead to.
dangling=$(awk '
  { rest = $0 }
  { while (match(rest, / (id|name)="[^"]*"/)) {
      place = substr(rest, RSTART, RLENGTH)
      sub(/^ [a-z]*="/, "", place)
      places[FILENAME "#" substr(place, 1, length(place) - 1)] = 1
      rest = substr(rest, RSTART + RLENGTH)
    }
    rest = $0
    while (match(rest, / (href|src|data)="[^"]*"/)) {
      address = substr(rest, RSTART, RLENGTH)
      sub(/^ [a-z]*="/, "", address)
      address = substr(address, 1, length(address) - 1)
      rest = substr(rest, RSTART + RLENGTH)
      if (address ~ /^(https?|javascript):/) continue
      ++count
      if (address ~ /^#/) address = FILENAME address
      from[address] = FILENAME
    }
  }
  FNR == 1 { files[FILENAME] = 1 }
  END {
    for (address in from) {
      file = address
      sub(/#.*/, "", file)
      if (!(file in files) && (getline line < file) < 0) print from[address] ": " address " is not there"
      else if (address ~ /#/ && !(address in places)) print from[address] ": " address " is no place on that page"
    }
    print count > "/dev/stderr"
  }' *.html 2>"$folder/links")
while read -r sentence; do [ -z "$sentence" ] || fail "$sentence"; done <<<"$dangling"

[ "$failed" = 0 ]
echo "$pages pages, $(cat "$folder/links") links"
