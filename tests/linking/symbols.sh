#!/usr/bin/env bash
# Objects of files that were compiled with different flags have no function of gnp's in common: of what several objects
# define the linker keeps one. The exceptions are types that have to be the same everywhere.
# symbols.sh <object>...
set -euo pipefail
if ! command -v nm >/dev/null; then
  echo "skipped: no nm"
  exit 77
fi

for object; do
  nm --defined-only "$object" | awk '$2 ~ /^[uvVWwBDRT]$/ { print $3 }' | sort -u
done | sort | uniq -d | c++filt |
  # Of gnp, or of the ufunc that every object has under the same name.
  grep -E '(^|[^a-z_:])gnp(::|_)|\bmine' |
  # What all files share; what is thrown by one file is caught by another, by its type.
  grep -v 'gnp::all_files::' |
  grep -vE '(^|for )gnp::(detail::)?[a-z_]*(error|out_of_memory)(::|$)' >"${TMPDIR:-/tmp}/shared.$$" || true
trap 'rm -f "${TMPDIR:-/tmp}/shared.$$"' EXIT
if [ -s "${TMPDIR:-/tmp}/shared.$$" ]; then
  head -n 20 "${TMPDIR:-/tmp}/shared.$$"
  echo "FAILED: $(wc -l <"${TMPDIR:-/tmp}/shared.$$") of gnp's symbols are shared by objects of different flags"
  exit 1
fi
echo "$# objects share nothing of gnp's"
