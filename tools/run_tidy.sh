#!/usr/bin/env bash
# [JOBS=N] run_tidy.sh BUILD_DIR
# clang-tidy over every source that the build compiles, generated ones and header checks aside.
set -euo pipefail

build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
# clang does not know all of gcc's warnings; those are gcc's to report.
run-clang-tidy -quiet -p "$build" -j "${JOBS:-$(nproc)}" \
  -extra-arg=-Wno-unknown-warning-option \
  "^$root/(camber|apps|bench|tests|examples)/" 2>&1 |
  { grep --line-buffered -vE '^(\[[ 0-9/]+\] )?clang-tidy|warnings generated\.$|^[0-9]+ warnings? generated|^$' || true; }
exit "${PIPESTATUS[0]}"
