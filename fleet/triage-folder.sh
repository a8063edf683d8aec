#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges the new cores of a folder, and writes a file with the name of each core.
# usage: triage-folder.sh RESULTS FOLDER
set -eu

[ $# -eq 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
here=$(dirname -- "$0")
status=0

# Remove leftovers of a killed run. Files of a concurrent run are not that old.
find "$1/" -name '.partial.*' -mtime +1 -exec rm -f {} +

# systemd-coredump writes the journal entry some time after it has stored the core.
is_early() {
    grep -q '"unit": "the journal does not name the core"' "$1" &&
        [ -n "$(find "$2" -mmin -5)" ]
}

# Cores that arrive meanwhile are found in the next iteration.
found=yes
while [ "$found" = yes ]; do
    found=no
    for core in "$2"/*; do
        result=$1/${core##*/}.jsonl
        if [ ! -f "$core" ] || [ -e "$result" ]; then continue; fi
        # The next run retries cores that fail or are too new.
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
