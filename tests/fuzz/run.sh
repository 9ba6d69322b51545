#!/usr/bin/env bash
# Feeds files to gnp that libFuzzer makes from NumPy's:  run.sh <clang++> <folder to work in> [seconds]
# What it finds is kept in the folder; a longer run goes on where the last one ended.
set -euo pipefail
compiler=$1
mkdir -p "$2"
work=$(cd "$2" && pwd)
seconds=${3:-20}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  "$compiler" -x c++ -fsanitize=fuzzer,address,undefined - -o "$work/probe" 2>/dev/null; then
  echo "skipped: $compiler has no libFuzzer"
  exit 77
fi
"$compiler" -std=c++20 -O1 -g -DGNP_NO_CUDA -Iinclude -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
  tests/fuzz/files.cpp -o "$work/files" -ldl -lpthread
mkdir -p "$work/corpus"
cd "$work"
GNP_DEVICE=cpu GNP_NUM_THREADS=1 ./files -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1000 -max_len=20000 \
  -print_final_stats=1 corpus "$OLDPWD/tests/data/files" 2>log || { tail -40 log; exit 1; }
grep -E 'stat::number_of_executed_units|cov:' log | tail -2
