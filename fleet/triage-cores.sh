#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Judges cores: RESULT gets what `ompd-opencl triage --json` says of them, a line each.
# usage: triage-cores.sh RESULT CORE...
#
# RESULT is there when it is whole, or not at all: it is written under another name, a hidden one,
# and renamed when it is on the disk.  Where it is there already nothing is done, so that a run that
# was cut off can be started again, and so that two may run on one folder.
# The variable TRIAGE_OPTIONS has options more, as --journal.
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

# A core that cannot be read has its line too, and those that died are no failure of this run.
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
