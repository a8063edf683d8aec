#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges cores: writes the output of `ompd-opencl triage --json` to RESULT, one line for each core.
# usage: triage-cores.sh RESULT CORE...
#
# RESULT only exists when it is complete: it is written under a hidden name, and renamed when it is
# on the disk. If it exists, nothing is done, so that an interrupted run can be restarted, and two
# runs can share a folder.
# The variable TRIAGE_OPTIONS has additional options, such as --journal.
set -eu

[ $# -ge 2 ] || { sed -n 's/^# usage/usage/p' "$0" >&2 && exit 2; }
result=$1
shift
[ ! -e "$result" ] || exit 0

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

partial=$(mktemp "$(dirname -- "$result")/.partial.XXXXXX") || fail "no $result can be written"
trap 'rm -f "$partial"' EXIT
trap 'exit 143' HUP INT TERM

# An unreadable core has a line too. The statuses 1, 3 and 4 are no failures of this run.
status=0
# shellcheck disable=SC2086 # they are words
ompd-opencl triage --json ${TRIAGE_OPTIONS-} -- "$@" >"$partial" || status=$?
case $status in
0 | 1 | 3 | 4) ;;
*) fail "ompd-opencl ended with $status: no $result" ;;
esac
lines=$(wc -l <"$partial")
[ "$lines" -eq $# ] || fail "only $lines of $# lines could be written: no $result"
sync "$partial" || fail "no $result can be written"
chmod a+r "$partial"
mv "$partial" "$result"
