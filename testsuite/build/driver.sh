#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a test with automake's own driver, and shows the last lines of a failed test immediately, so
# that the output of `make check` alone shows the cause.  The processor time of each test goes to
# its result file, in a field that automake ignores.
# usage: driver.sh AUTOMAKE-DRIVER OPTION... -- TEST...
set -eu

lines=80
automake_driver=$1
shift
"$SHELL" "$automake_driver" "$@"
while [ "$1" != -- ]; do
    [ "$1" != --log-file ] || log=$2
    [ "$1" != --trs-file ] || result=$2
    shift
done
# The second line of `times` is of this shell's children, which are the test's processes.  In a
# subshell, as a pipe has, there were none.
times >"$result.times"
awk 'NR == 2 {
    for (i = 1; i <= 2; i++) {
        split($i, part, "[ms]")
        seconds += 60 * part[1] + part[2]
    }
    printf ":processor-seconds: %.1f\n", seconds
}' "$result.times" >>"$result"
rm "$result.times"
if grep -Eq '^:test-result: (FAIL|ERROR|XPASS)' "$result"; then
    tail -n "$lines" "$log" | sed 's/^/    /'
fi
