#!/usr/bin/env bash
# The documentation as a site:  build.sh FOLDER [doxygen]
#
# FOLDER/html/index.html is its first page; FOLDER/warnings has what Doxygen found wrong.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
doxygen=${2:-doxygen}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The contents, beside every page: docs/site/contents, and behind its first section the pages that it does not name.
contents() {
  local line page list=
  while read -r line; do
    case $line in
      '#'*) ;;
      '= '*) [ -z "$list" ] || { other_pages; echo '</ul>'; }
        echo "<h2>${line#= }</h2><ul>"
        list=open ;;
      *) link "${line%% *}" "${line#* }" ;;
    esac
  done <docs/site/contents
  echo '</ul>'
}
other_pages() {
  for page in docs/*.md; do
    page=$(basename "$page" .md)
    grep -q "^$page " docs/site/contents || link "$page" "$(sed -n 's/^# //p; T; q' "docs/$page.md")"
  done
}
link() { echo "<li><a href=\"\$relpath^$1.html\">$2</a></li>"; }

contents >"$folder/contents.html"
sed -e "/@contents@/{r $folder/contents.html" -e 'd}' docs/site/header.html >"$folder/header.html"
rm -rf "$folder/html"

version=$(sed -nE 's/^#define GNP_VERSION_(MAJOR|MINOR|PATCH) //p' include/gnp/core/config.hpp | paste -sd.)
{
  cat docs/site/Doxyfile
  echo "PROJECT_NUMBER = $version"
  echo "OUTPUT_DIRECTORY = \"$folder\""
  echo "HTML_HEADER = \"$folder/header.html\""
  echo "WARN_LOGFILE = \"$folder/warnings\""
} | "$doxygen" -
echo "$folder/html/index.html"
