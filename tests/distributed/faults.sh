#!/usr/bin/env bash
# What goes wrong among processes is a named error, and nobody waits for ever.
# faults.sh <faults> <the same without MPI> <folder>
set -euo pipefail
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/start.sh"
faults=$1 without_mpi=$2
mkdir -p "$3"
cd "$3"

# start_processes <case> [mpirun's options]: ends in time; the status is not looked at. A process waits for others
# for so many seconds; where no one is late, that is long enough for a busy machine to start all of them.
patience=2
start_processes() {
  local case=$1 began=$SECONDS
  shift
  GNP_DISTRIBUTED_TIMEOUT=$patience timeout 60 mpirun -np 3 "$@" "$faults" "$case" >output 2>&1 && status=0 || status=$?
  [ $((SECONDS - began)) -lt 30 ] || fail "$case took $((SECONDS - began)) s"
}
prints() {
  grep -qE -- "$1" output || { cat output; fail "no '$1'"; }
}

patience=10 start_processes shapes
prints '^process [0-2]: all_reduce: MPI says .*truncated \(process [0-2] of 3\)$'
[ "$status" != 0 ] || fail "a run with a failed call succeeds"

start_processes slow
# (The first that has waited too long ends the run, maybe before the other can say so.)
prints '^process [02]: all_reduce: another process did not come within 2 s \(process [02] of 3\)$'
[ "$status" != 0 ] || fail "a run with a slow process succeeds"

# What comes after the time is over is not received into memory that may be something else by then.
start_processes message
prints '^process 0: receive: another process did not come within 2 s \(process 0 of 3\)$'
prints '^the memory is its own$'

# mpirun itself ends a run of which one process is killed, unless it is told not to.
start_processes killed
[ "$status" != 0 ] || fail "a run with a killed process succeeds"
start_processes killed --enable-recovery
prints '^process [02]: all_reduce: another process did not come within 2 s \(process [02] of 3\)$'

"$without_mpi" start | grep -qx 'a world of 1' || fail "a program alone is no world of one"
"$faults" start | grep -qx 'a world of 1' || fail "a program with MPI, alone, is no world of one"
mpirun -np 2 "$without_mpi" start >output 2>&1
[ "$(grep -cx 'world: this is one of 2 processes, and no file of this program defines GNP_MPI' output)" = 2 ] ||
  fail "processes without MPI do not notice each other"
mpirun -np 2 "$faults" start >output 2>&1
[ "$(grep -cx 'a world of 2' output)" = 2 ] || fail "no world of two"
WORLD_SIZE=3 "$without_mpi" start | grep -q '^world: WORLD_SIZE is 3, and RANK is not set: start .* with mpirun' ||
  fail "WORLD_SIZE is not noticed"
# Without MPI it takes NCCL, and a GPU for each process; here the CPU is asked for.
RANK=0 WORLD_SIZE=3 MASTER_ADDR=localhost MASTER_PORT=1234 "$without_mpi" start |
  grep -q '^world: WORLD_SIZE is 3, and without MPI the processes find each other by NCCL' ||
  fail "a world without MPI and GPUs is not refused"
echo "what goes wrong among processes is said"
