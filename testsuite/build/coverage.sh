#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the tree with --coverage in the folder coverage of the build folder, runs tests there, and
# reports which lines of the C rooms they execute.  Without TEST: all unit tests.
# usage: coverage.sh [TEST...]
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

command -v gcovr >/dev/null ||
    { echo 'coverage: gcovr is not installed (on Debian: package gcovr)' >&2 && exit 1; }
tests=$*
if [ -z "$tests" ]; then
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/unit/*) tests="$tests $test" ;;
        esac
    done
fi

folder=$TOP_BUILDDIR/coverage
mkdir -p "$folder"
cd "$folder"
# Threads of the tests count the same lines.
[ -f Makefile ] || "$TOP_SRCDIR/configure" -q LLVM_OMPD_PLUGIN="$LLVM_OMPD_PLUGIN" \
    CFLAGS='-g -O0 --coverage -fprofile-update=atomic'
find . -name '*.gcda' -delete
$MAKE -s -j2
# The report is worth reading although a test fails: some compare what --coverage changes.
$MAKE -s -j2 check TESTS="$tests" || echo 'coverage: not all tests passed' >&2

# gcovr compares paths as they are.
source=$(cd "$TOP_SRCDIR" && pwd -P)
rooms='libompd recorder text view host command learn'
report=$folder/report
rm -rf "$report"
mkdir "$report"
# shellcheck disable=SC2086 # one word each
gcovr -j2 --root "$source" --object-directory "$folder" \
    --filter "$source/($(echo $rooms | tr ' ' '|'))/" \
    --txt "$report/files.txt" --html-details "$report/index.html" --html-title ompd-opencl \
    --print-summary $rooms
echo "coverage: a line for each file: $report/files.txt"
echo "coverage: a page for each file: $report/index.html"
