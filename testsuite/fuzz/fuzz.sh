#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes the TARGETs one after the other, in a Clang build in fuzzing/ of the build folder, and
# prints how many inputs each ran and how many code edges they reached.
# usage: fuzz.sh fuzz | fuzz-merge TARGET...
#
# What is found is kept in fuzzing/found/TARGET; fuzz-merge adds to the corpora of the tree what of
# that reaches edges that they do not: the smallest such inputs.  One that breaks a law is left in
# fuzzing/broken; run fuzzing/testsuite/fuzz/TARGET with it to see it again.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

what=$1
shift
corpora=$TOP_SRCDIR/testsuite/fuzz/corpora
corpus=$TOP_SRCDIR/testsuite/fuzz/corpus.py

if ! command -v "${FUZZ_CC:=clang}" >/dev/null; then
    echo "SKIP: there is no $FUZZ_CC"
    exit 77
fi
mkdir -p "$TOP_BUILDDIR/fuzzing"
cd "$TOP_BUILDDIR/fuzzing"
[ -f Makefile ] || "$TOP_SRCDIR/configure" -q --enable-fuzzing CC="$FUZZ_CC"
$MAKE -s -j2 fuzz-programs >make.log 2>&1 || { tail -n 25 make.log && exit 1; }

# What is kept of freed memory is little: much of it is slow.
export ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=4:detect_leaks=1
export LSAN_OPTIONS="suppressions=$TOP_SRCDIR/testsuite/fuzz/leaks-of-others:print_suppressions=0"

# options TARGET: those that are its own.
options() {
    case $1 in
    layout-text) echo "-max_len=1024 -dict=$TOP_SRCDIR/testsuite/fuzz/layout.dict" ;;
    names) echo -max_len=512 ;;
    commands) echo "-max_len=128 -dict=$TOP_SRCDIR/testsuite/fuzz/commands.dict" ;;
    *) echo -max_len=2048 ;;
    esac
}

# figure NAME LOG: a figure that libFuzzer gave at its end.
figure() {
    sed -n "s/^stat::$1: *//p" "$2" | tail -n 1
}

# fuzz TARGET: the status tells whether nothing broke.
fuzz() {
    mkdir -p "found/$1" broken
    [ ! -f "$corpora/$1.hex" ] || "$PYTHON" -B "$corpus" unpack "$corpora/$1.hex" "found/$1"
    log=broken/$1.log
    broken=0
    # shellcheck disable=SC2046 # words
    "testsuite/fuzz/$1" $(options "$1") -max_total_time="$FUZZ_SECONDS" -timeout=20 \
        -rss_limit_mb=2048 -malloc_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="broken/$1-" "found/$1" >"$log" 2>&1 || broken=1
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    printf '%-12s %9s executions %6s a second %6s edges\n' "$1" \
        "$(figure number_of_executed_units "$log")" "$(figure average_exec_per_sec "$log")" "$edges"
    [ $broken -eq 0 ] || grep -E 'law broken|ERROR|runtime error|Test unit' "$log" || tail "$log"
    return $broken
}

# merge TARGET: add to its corpus what reaches more than that does.
merge() {
    rm -rf "merged/$1"
    mkdir -p "found/$1" "merged/$1"
    [ ! -f "$corpora/$1.hex" ] || "$PYTHON" -B "$corpus" unpack "$corpora/$1.hex" "merged/$1"
    # shellcheck disable=SC2046 # words
    "testsuite/fuzz/$1" $(options "$1") -merge=1 -use_counters=0 "merged/$1" "found/$1" \
        >"merged/$1.log" 2>&1 || { tail "merged/$1.log" && return 1; }
    "$PYTHON" -B "$corpus" pack "merged/$1" "$corpora/$1.hex"
}

status=0
for target; do
    case $what in
    fuzz) fuzz "$target" || status=1 ;;
    fuzz-merge) merge "$target" || status=1 ;;
    esac
done
exit $status
