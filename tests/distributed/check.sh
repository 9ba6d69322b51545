#!/usr/bin/env bash
# Runs a test program as several processes, all of which have to pass.  check.sh <processes> <program> <folder>
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/start.sh"
count=$1 program=$2 folder=$3/$1
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

status=0
# shellcheck disable=SC2016  # each process's own rank
timeout 100 mpirun -np "$count" bash -c 'exec "$0" >"output.$OMPI_COMM_WORLD_RANK" 2>&1' "$program" || status=$?
for ((rank = 0; rank < count; ++rank)); do
  grep -q '^All tests passed' "output.$rank" || { cat "output.$rank"; fail "process $rank of $count"; }
done
[ "$status" = 0 ] || fail "mpirun ends with status $status"
echo "$count processes: $(grep '^All tests passed' output.0)"
