#!/usr/bin/env bash
# Divides a campaign among the cores of one machine, or with --sshlogin among several, by GNU parallel.
#
#   CHAOS_SHARDS=64 Deploy/parallel.sh FOLDER [OPTIONS of chaos-runner ...]
#
# A part that fails or is killed is begun again up to three times, and goes on from what it has written; whoever starts
# this anew with the same folder goes on with what is not done. At the end the parts are put together.
# CHAOS_RUNNER names the program, CHAOS_MERGE options of 'merge', PARALLEL_OPTIONS options of parallel.
set -euo pipefail
folder=${1:?the folder for the parts is missing}
shift
: "${CHAOS_SHARDS:?how many parts there are is missing}"
export CHAOS_SHARDS
runner=${CHAOS_RUNNER:-chaos-runner}
mkdir -p "$folder/parts"
# Each part has one thread, and parallel starts one part for each core. -n0 leaves out the number that seq printed:
# the part's number is in PARALLEL_SEQ.
# shellcheck disable=SC2086
seq "$CHAOS_SHARDS" | parallel ${PARALLEL_OPTIONS-} --will-cite --jobs "${CHAOS_PARTS_AT_ONCE:-100%}" --quote --retries 3 \
  --joblog "$folder/parallel.log" --resume-failed -n0 \
  "$runner" "$@" --shard parallel --shard-results "$folder/parts/" --jobs 1 --quiet
scenarios=()
for option in "$@"; do
  # 'merge' reads the same scenarios; which were chosen is in the parts.
  if [[ ${take-} == yes ]]; then scenarios=(--scenarios "$option"); fi
  take=no
  if [[ $option == --scenarios ]]; then take=yes; fi
  if [[ $option == --scenarios=* ]]; then scenarios=("$option"); fi
done
# shellcheck disable=SC2086
"$runner" merge "$folder/parts/" ${scenarios[@]+"${scenarios[@]}"} ${CHAOS_MERGE-}
