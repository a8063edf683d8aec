#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges a list of cores with GNU parallel, on this machine or on those of an --sshloginfile that
# share its folders.
# usage: triage-parallel.sh RESULTS LIST [OPTION of parallel...]
#
# LIST has one path of a core per line. Writes a file of JSON Lines to the folder RESULTS for every
# SHARE cores (a variable, 20). Results of an interrupted run are not computed again.
set -eu

[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
mkdir -p "$1"
here=$(cd "$(dirname -- "$0")" && pwd)
results=$(cd "$1" && pwd)
list=$(cd "$(dirname -- "$2")" && pwd)/${2##*/}
size=${SHARE:-20}
lines=$(grep -c '' "$list") || [ "$lines" = 0 ]
shift 2

# The shares of a lost machine are judged again on another.
seq "$(((lines + size - 1) / size))" | parallel --will-cite --quote --retries 3 "$@" \
    "$here/triage-share.sh" "$results" "$list" '{}' "$size"
