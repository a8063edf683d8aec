#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs parts of `make check-long`.  The part NAME is the target check-NAME.  Each writes its output
# to check-long/NAME.log and a dated line to check-long/parts.
# usage: parts.sh ALL-PARTS [PART | all | list]
#
# Without PART, lists the parts that are due and runs them; `list` only lists them.  `all` runs each
# part that has not passed on this commit, so that an interrupted run can be restarted.  A part that
# cannot run at all ends with 77.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

all=$1
chosen=${2-}
folder=$TOP_BUILDDIR/check-long
done_parts=$folder/parts
mkdir -p "$folder"
touch "$done_parts"

# about QUESTION ARGUMENT...: ask the table of parts.
about() {
    "$PYTHON" "$TOP_SRCDIR/testsuite/build/due_parts.py" "$@"
}

# The tested tree: a commit, with or without uncommitted changes, or a release, which may be
# unpacked inside the checkout of another tree.
version=release
if prefix=$(git -C "$TOP_SRCDIR" rev-parse --show-prefix 2>/dev/null) && [ -z "$prefix" ]; then
    version=$(git -C "$TOP_SRCDIR" describe --always --dirty --abbrev=12)
fi

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
    echo "check-long: $1: $(about cost "$1")"
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

# shellcheck disable=SC2086 # one word each
case $chosen in
'')
    table=$(about table "$done_parts" $all)
    printf '%s\n' "$table"
    due=$(printf '%s\n' "$table" | awk '$3 == "yes" { print $1 }')
    ;;
list)
    about table "$done_parts" $all
    exit
    ;;
all)
    due=
    for part in $all; do
        if passed_before "$part"; then
            echo "check-long: $part: passed on $version before"
        else
            due="$due $part"
        fi
    done
    ;;
*)
    case " $all " in
    *" $chosen "*) ;;
    *) echo "check-long: no part $chosen; there are: $all" >&2 && exit 2 ;;
    esac
    due=$chosen
    ;;
esac
status=0
for part in $due; do
    run_part "$part" || status=1
done
exit "$status"
