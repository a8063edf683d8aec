#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges a list of cores by GNU parallel: on this machine, or on those of an --sshloginfile that see
# the same folders.
# usage: triage-parallel.sh RESULTS LIST [OPTION of parallel...]
#
# LIST has the path of a core in each line.  RESULTS, a folder, gets a file of JSON Lines for each
# SHARE of them (a variable, 20).  What is there from a run that was cut off is not done again.
set -eu

[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
mkdir -p "$1"
here=$(cd "$(dirname -- "$0")" && pwd)
results=$(cd "$1" && pwd)
list=$(cd "$(dirname -- "$2")" && pwd)/${2##*/}
size=${SHARE:-20}
lines=$(grep -c '' "$list") || [ "$lines" = 0 ]
shift 2

# A machine that is lost is no end: its shares are done once more, elsewhere.
seq "$(((lines + size - 1) / size))" | parallel --will-cite --quote --retries 3 "$@" \
    "$here/triage-share.sh" "$results" "$list" '{}' "$size"
