#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The unit tests and the sweeps once more, under tools that see what they do not: `make check-long`
# runs each.
# usage: check-long.sh addresses | threads | valgrind
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

# Tests in C by a pattern of their names, from the build's own list, without those of a second
# pattern and without the one that has a malloc of its own, as these tools have.
tests() {
    # shellcheck disable=SC2254 # a pattern
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/unit/test-heap | testsuite/unit/${2:-none}) ;;
        testsuite/unit/$1 | testsuite/sweep/test-$1) printf '%s ' "$test" ;;
        esac
    done
}

# build_and_check NAME TESTS CFLAGS: in a build of its own.
build_and_check() {
    [ -n "$2" ] || { echo "FAIL: no unit tests to run" && exit 1; }
    mkdir -p "$TOP_BUILDDIR/check-long/$1"
    cd "$TOP_BUILDDIR/check-long/$1"
    [ -f Makefile ] || "$TOP_SRCDIR/configure" -q --enable-werror CFLAGS="$3"
    $MAKE -s -j2
    $MAKE -s check TESTS="$2"
}

# sweep COMMAND...: COMMAND runs the sweeps, on a target of the usual build.
sweep() {
    $MAKE -s -C "$TOP_BUILDDIR" testsuite/programs/demo/edges
    "$PYTHON" -B "$TOP_SRCDIR/testsuite/sweep/sweep.py" "$@"
}

case ${1-} in
addresses)
    # Undefined behaviour ends the test; what the recorder keeps for ever is no leak.
    export UBSAN_OPTIONS=print_stacktrace=1
    export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0
    build_and_check addresses "$(tests '*')" \
        '-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
    sweep "$PWD/testsuite/sweep/sweep"
    ;;
threads)
    export TSAN_OPTIONS=halt_on_error=1
    with_threads="$(tests '*recorder*') $(tests test-threads) $(tests host-callbacks)"
    with_threads="$with_threads $(tests test-monitor-threads) $(tests together)"
    build_and_check threads "$with_threads" '-g -O1 -fsanitize=thread -Wno-tsan'
    ;;
valgrind)
    cd "$TOP_BUILDDIR"
    valgrind='valgrind --quiet --leak-check=full --error-exitcode=9'
    but_pocl=$(tests '*' 'recorder-pocl-*') # which has leaks of its own
    # Each test is a process of its own, which valgrind follows: its status fails the test.
    $MAKE -s check TESTS="$but_pocl" LOG_COMPILER="./libtool --mode=execute $valgrind"
    # The sweeps keep account of leaks themselves.
    # shellcheck disable=SC2086 # words
    sweep ./libtool --mode=execute $valgrind --leak-check=no testsuite/sweep/sweep
    ;;
*)
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
