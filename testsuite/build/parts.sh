#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the parts of `make check-long`, the part NAME being the target check-NAME.  Each leaves its
# output in check-long/NAME.log and a dated line in check-long/parts.
# usage: parts.sh ALL-PARTS [PART]
#
# Without PART all are run but those that passed on this very commit, so that a run that was cut off
# can be started again.  A part ends with 77 when it cannot run at all.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

all=$1
chosen=${2-}
folder=$TOP_BUILDDIR/check-long
done_parts=$folder/parts
mkdir -p "$folder"
touch "$done_parts"

# What is tested: a commit, or with changes that no commit holds, or a release without any.
version=$(git -C "$TOP_SRCDIR" describe --always --dirty --abbrev=12 2>/dev/null) || version=release

# passed_before PART: on a commit that is tested as it is.
passed_before() {
    case $version in
    release | *-dirty) return 1 ;;
    esac
    grep -q " $1 passed .* $version\$" "$done_parts"
}

# run_part PART: its result is the status.
run_part() {
    start=$(date +%s)
    log=$folder/$1.log
    echo "check-long: $1: its output is in $log"
    part_status=0
    LANGUAGE=C $MAKE -s -C "$TOP_BUILDDIR" "check-$1" >"$log" 2>&1 </dev/null || part_status=$?
    result=passed
    # make itself ends with 2 for whatever its command ended with, and names that.
    if [ "$part_status" -ne 0 ]; then
        result=failed
        if grep -q "check-$1\] Error 77\$" "$log"; then result=skipped; fi
    fi
    case $result in
    skipped) echo ':test-result: SKIP' ;;
    *) echo ':test-result: PASS' ;;
    esac >"$folder/$1.trs"
    (cd "$TOP_BUILDDIR" && "$PYTHON" "$TOP_SRCDIR/testsuite/build/check-skips.py" \
        "$TOP_SRCDIR/testsuite/allowed-skips" "check-long/$1.log") || result=failed
    line="$(date -u '+%Y-%m-%d %H:%M UTC') $1 $result in $(($(date +%s) - start)) s $version"
    echo "$line" >>"$done_parts"
    grep '^SKIP: ' "$log" | grep -v '^SKIP: testsuite/' | sort -u || :
    if [ "$result" = failed ]; then tail -n 25 "$log"; fi
    echo "check-long: $line"
    [ "$result" != failed ]
}

if [ -n "$chosen" ]; then
    case " $all " in
    *" $chosen "*) ;;
    *) echo "check-long: no part $chosen; there are: $all" >&2 && exit 2 ;;
    esac
    run_part "$chosen"
    exit
fi
status=0
for part in $all; do
    if passed_before "$part"; then
        echo "check-long: $part: passed on $version before"
    else
        run_part "$part" || status=1
    fi
done
exit "$status"
