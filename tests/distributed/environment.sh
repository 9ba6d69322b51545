#!/usr/bin/env bash
# Runs test programs as processes that the environment describes, one for each of two GPUs: NCCL is all they have.
# environment.sh <collectives> <faults> <folder>, both without MPI
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/start.sh"
collectives=$1 faults=$2 folder=$3/environment
unset GNP_DEVICE
if [ "$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')" -lt 2 ]; then
  echo "skipped: fewer than two CUDA devices"
  exit 77
fi
mkdir -p "$folder"
cd "$folder"

export WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=$((20000 + $$ % 10000))
# start_both <program> [arguments]: their output is in output.0 and output.1
start_both() {
  for rank in 0 1; do
    RANK=$rank LOCAL_RANK=$rank timeout 60 "$@" >"output.$rank" 2>&1 &
  done
  wait
}
prints() { # prints <rank> <line>
  grep -qE -- "$2" "output.$1" || { cat output.0 output.1; fail "process $1 does not print '$2'"; }
}

start_both "$collectives"
for rank in 0 1; do prints "$rank" '^All tests passed'; done
passed=$(grep '^All tests passed' output.0)

export GNP_DISTRIBUTED_TIMEOUT=2
for case in slow killed; do
  began=$SECONDS
  start_both "$faults" "$case"
  prints 0 '^process 0: all_reduce: another process did not come within 2 s \(process 0 of 2, cuda:0\)$'
  [ $((SECONDS - began)) -lt 30 ] || fail "$case took $((SECONDS - began)) s"
done
echo "2 processes by the environment: $passed"
