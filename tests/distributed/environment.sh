#!/usr/bin/env bash
# Runs a test program as processes that the environment describes, one for each of two GPUs: NCCL is all they have.
# environment.sh <program> <folder>
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/start.sh"
program=$1 folder=$2/environment
unset GNP_DEVICE
if [ "$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')" -lt 2 ]; then
  echo "skipped: fewer than two CUDA devices"
  exit 77
fi
mkdir -p "$folder"
cd "$folder"

export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + $$ % 10000))
for rank in 0 1; do
  RANK=$rank LOCAL_RANK=$rank timeout 100 "$program" >"output.$rank" 2>&1 &
done
wait
for rank in 0 1; do
  grep -q '^All tests passed' "output.$rank" || { cat "output.$rank"; fail "process $rank of 2"; }
done
echo "2 processes by the environment: $(grep '^All tests passed' output.0)"
