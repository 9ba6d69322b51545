#!/usr/bin/env bash
# Uses an example as a person would, and judges what it prints.  check.sh <program> <png_info> <folder to work in>
#
# What to expect of it is in NAME.sh, in these words:
#   run [options]                   runs it; it succeeds, and where there is no terminal it leaves stderr empty
#   prints 'regex'                  a whole line of its output is like this
#   between LOW HIGH 'regex (..)'   so is the first such line, and the number in the parentheses is in this range
#   falling 'regex (..)'            the numbers in the parentheses of all such lines fall
#   picture FILE 'regex'            a correct PNG file, of which png_info says this
#   plot FILE 'regex'...            an SVG file with these in it
#   shows_progress [options]        on a terminal there is a bar, which is gone before anything else is printed
set -euo pipefail
export LC_ALL=C GNP_DEVICE=cpu

program=$1 png_info=$2
name=$(basename "$program")
expectations=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/$name.sh
rm -rf "$3"
mkdir -p "$3"
cd "$3"

fail() {
  echo "FAILED: $name: $*"
  [ ! -s output ] || sed 's/^/    /' output
  [ ! -s errors ] || sed 's/^/  ! /' errors
  exit 1
}

execute() {
  status=0
  "$program" "$@" >output 2>errors </dev/null || status=$?
}

run() {
  last="$*"
  execute "$@"
  [ "$status" = 0 ] || fail "exit code $status from: $last"
  [ ! -s errors ] || fail "something on stderr from: $last"
}

prints() {
  grep -qxE -- "$1" output || fail "no line '$1' from: $last"
}

numbers() {  # what is in the first parentheses of each line like this
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^$1$ ]]; then echo "${BASH_REMATCH[1]}"; fi
  done <output
}

is_number='^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$'

between() {
  local value
  # (Not by head: what writes to it after it has ended fails, now and then, and the script with it.)
  value=$(numbers "$3")
  value=${value%%$'\n'*}
  [[ $value =~ $is_number ]] || fail "no line '$3' with a number from: $last"
  awk -v x="$value" -v low="$1" -v high="$2" 'BEGIN { exit !(x >= low && x <= high) }' ||
    fail "$value is not between $1 and $2 in '$3' from: $last"
}

falling() {
  numbers "$1" | awk '
    $1 !~ /^[0-9.]+(e[-+]?[0-9]+)?$/ || (NR > 1 && $1 > before) { exit 1 }
    { before = $1 }
    END { if (NR < 2) exit 1 }' || fail "the numbers of '$1' do not fall from: $last"
}

picture() {
  local says
  says=$("$png_info" "$1" 2>&1) || fail "$1: $says"
  [[ $says =~ ^$2$ ]] || fail "$1 is '$says', not '$2'"
}

plot() {
  local file=$1 part
  shift
  [[ $(head -c 4 "$file") == "<svg" && $(tail -n 1 "$file") == *"</svg>" ]] || fail "$file is not SVG"
  ! grep -qiE '[" ](-?nan|-?inf)[" ]' "$file" || fail "$file has what is no number"
  for part in "$@"; do grep -qE -- "$part" "$file" || fail "$file has no '$part'"; done
}

shows_progress() {
  if ! script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    echo "$name: skipped: no terminal can be made here (script)"
    return 0
  fi
  last="$*"
  script -qec "'$program' $*" /dev/null >output </dev/null || fail "does not run on a terminal: $last"
  grep -q "$name \[=* *\] [0-9]* %" output || fail "no progress on a terminal: $last"
  ! grep -qE "$name \[=* *\] [0-9]+ %[^"$'\r'"]" output || fail "something is printed behind the bar: $last"
}

execute --help
[[ $status = 0 && ! -s errors ]] || fail "--help fails"
head -n 1 output | grep -qx "usage: $name \[options\]" || fail "--help does not say how it is used"
grep -qE '^  --device NAME .*cpu, cuda or cuda:1' output || fail "--help does not name --device"

for wrong in --nonsense --nonsense=1 nonsense "--device" "--device gpu" "--device=cpu --nonsense"; do
  # shellcheck disable=SC2086  # several words are several arguments
  execute $wrong
  [ "$status" = 2 ] || fail "exit code $status, not 2, for the wrong option $wrong"
  [[ $(wc -l <errors) = 1 && ! -s output ]] || fail "not one line on stderr for the wrong option $wrong"
  grep -q "^$name: .*\(nonsense\|device\)" errors || fail "a wrong message for the wrong option $wrong"
done

# shellcheck source=/dev/null
. "$expectations"
echo "$name: as expected"
