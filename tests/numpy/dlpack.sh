#!/usr/bin/env bash
# NumPy's arrays go through gnp, and back, by DLPack; so do those of PyTorch, CuPy and JAX where they are.  dlpack.sh <the library of dlpack.cpp>
set -euo pipefail
if ! python3 -c "import numpy; numpy.from_dlpack" 2>/dev/null; then
  echo "skipped: no python3 with numpy 1.23 or later"
  exit 77
fi
GNP_DEVICE=cpu python3 "$(dirname "${BASH_SOURCE[0]}")/dlpack.py" "$1"
python3 "$(dirname "${BASH_SOURCE[0]}")/dlpack_peers.py" "$1"
