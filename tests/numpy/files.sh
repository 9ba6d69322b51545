#!/usr/bin/env bash
# NumPy reads what gnp makes of what NumPy wrote.  files.sh <the program of files.cpp> <folder to work in>
set -euo pipefail
if ! python3 -c "import numpy" 2>/dev/null; then
  echo "skipped: no python3 with numpy"
  exit 77
fi
rm -rf "$2"
mkdir -p "$2/numpy" "$2/gnp"
script=$(dirname "${BASH_SOURCE[0]}")/files.py
python3 "$script" write "$2/numpy"
GNP_DEVICE=cpu "$1" "$2/numpy" "$2/gnp"
python3 "$script" compare "$2/numpy" "$2/gnp"
