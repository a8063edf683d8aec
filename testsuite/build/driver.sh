#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a test by automake's own driver, and shows at once what a test that failed has printed: its
# last lines, so that whoever has nothing but the output of `make check` sees the cause.
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
if grep -Eq '^:test-result: (FAIL|ERROR|XPASS)' "$result"; then
    tail -n "$lines" "$log" | sed 's/^/    /'
fi
