#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The unit tests once more, under tools that see what the tests do not: `make check-long` runs each.
# usage: check-long.sh addresses | threads | valgrind
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

# Unit tests by a pattern of their names, from the build's own list, without the one that has a
# malloc of its own, as these tools have.
tests() {
    # shellcheck disable=SC2254 # a pattern
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/unit/test-heap) ;;
        testsuite/unit/$1) printf '%s ' "$test" ;;
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

case ${1-} in
addresses)
    # Undefined behaviour ends the test; what the recorder keeps for ever is no leak.
    export UBSAN_OPTIONS=print_stacktrace=1
    export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0
    build_and_check addresses "$(tests '*')" \
        '-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
    ;;
threads)
    export TSAN_OPTIONS=halt_on_error=1
    with_threads="$(tests '*recorder*') $(tests test-threads)"
    build_and_check threads "$with_threads" '-g -O1 -fsanitize=thread -Wno-tsan'
    ;;
valgrind)
    cd "$TOP_BUILDDIR"
    valgrind='valgrind --quiet --leak-check=full --error-exitcode=9'
    # Each test is a process of its own, which valgrind follows: its status fails the test.
    $MAKE -s check TESTS="$(tests '*')" LOG_COMPILER="./libtool --mode=execute $valgrind"
    ;;
*)
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
