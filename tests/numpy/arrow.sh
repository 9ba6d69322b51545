#!/usr/bin/env bash
# pyarrow's columns go through gnp, and back.  arrow.sh <the library of arrow.cpp>
set -euo pipefail
if ! python3 -c "import pyarrow" 2>/dev/null; then
  echo "skipped: no python3 with pyarrow"
  exit 77
fi
GNP_DEVICE=cpu python3 "$(dirname "${BASH_SOURCE[0]}")/arrow.py" "$1"
