#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges a list of cores with an array job of Slurm, and waits for its end.
# usage: triage-slurm.sh RESULTS LIST [OPTION of sbatch...]
#
# LIST has one path of a core per line. Each task writes a file of JSON Lines to the folder RESULTS
# for SHARE cores (a variable, 20; more if there would be over 1,000 tasks). Every node needs the
# list, the cores, RESULTS and the folder of this script. Results of an interrupted run are not
# computed again. The task of a lost node is restarted on another.
set -eu

[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
mkdir -p "$1/log"
here=$(cd "$(dirname -- "$0")" && pwd)
results=$(cd "$1" && pwd)
list=$(cd "$(dirname -- "$2")" && pwd)/${2##*/}
size=${SHARE:-20}
lines=$(grep -c '' "$list") || [ "$lines" = 0 ]
shift 2
[ "$lines" -gt 0 ] || exit 0

# Slurm's usual MaxArraySize is 1001.
least=$(((lines + 999) / 1000))
[ "$size" -ge "$least" ] || size=$least

# The job's text does not contain the paths, which tasks receive as variables.
export FLEET_SCRIPTS="$here" FLEET_RESULTS="$results" FLEET_LIST="$list" FLEET_SHARE="$size"
# shellcheck disable=SC2016 # the task expands it
exec sbatch --wait --requeue --export=ALL --job-name=triage --ntasks=1 \
    --array="1-$(((lines + size - 1) / size))" --output="$results/log/%A_%a.txt" "$@" --wrap '
exec "$FLEET_SCRIPTS/triage-share.sh" "$FLEET_RESULTS" "$FLEET_LIST" "$SLURM_ARRAY_TASK_ID" \
    "$FLEET_SHARE"'
