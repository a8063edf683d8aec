#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges one share of a list of cores. Runners call it with NUMBER from 1 on.
# usage: triage-share.sh RESULTS LIST NUMBER SIZE
#
# LIST has one path of a core per line, and SIZE lines form a share. The name of the file in the
# folder RESULTS depends on the paths, so that another list reuses shares that are the same.
set -eu

[ $# -eq 4 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
results=$1
share=$(sed -n "$((($3 - 1) * $4 + 1)),$(($3 * $4))p" "$2")
sum=$(printf '%s\n' "$share" | sha256sum)

set --
while IFS= read -r core; do
    [ -z "$core" ] || set -- "$@" "$core"
done <<END
$share
END
[ $# -eq 0 ] || exec "$(dirname -- "$0")/triage-cores.sh" "$results/${sum%% *}.jsonl" "$@"
