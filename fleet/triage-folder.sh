#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges the cores of a folder that were not judged before, each in a file of its name.
# usage: triage-folder.sh RESULTS FOLDER
set -eu

[ $# -eq 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
here=$(dirname -- "$0")
status=0

# What a run that was killed has left; another one that works here now is not that old.
find "$1/" -name '.partial.*' -mtime +1 -exec rm -f {} +

# systemd-coredump tells the journal of a core some time after it has stored it.
is_early() {
    grep -q '"unit": "the journal does not name the core"' "$1" &&
        [ -n "$(find "$2" -mmin -5)" ]
}

# Cores that come meanwhile are seen in the next turn.
found=yes
while [ "$found" = yes ]; do
    found=no
    for core in "$2"/*; do
        result=$1/${core##*/}.jsonl
        if [ ! -f "$core" ] || [ -e "$result" ]; then continue; fi
        # What fails, or is early, is left to the next run.
        if ! "$here/triage-cores.sh" "$result" "$core"; then
            status=1
        elif is_early "$result" "$core"; then
            rm "$result"
            status=1
        else
            found=yes
        fi
    done
done
exit "$status"
