# Sourced: starts programs as several processes of this machine, also as root and where processors are few.
# shellcheck shell=bash
export LC_ALL=C GNP_DEVICE=cpu GNP_NUM_THREADS=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none  # which containers forbid
export OMPI_MCA_orte_tmpdir_base=${TMPDIR:-/tmp}

fail() {
  echo "FAILED: $*"
  exit 1
}
