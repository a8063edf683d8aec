#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The demo prints what it should, without GDB's own messages.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL
# Under it commands take no option behind their first argument.
export POSIXLY_CORRECT=1

output=$($MAKE -s -C "$TOP_BUILDDIR" demo 2>&1) || { echo "$output" && exit 1; }
echo "$output"
has() {
    echo "$output" | grep -q -e "$1" || { echo "FAIL: the demo does not say: $1" && exit 1; }
}
has '^edges: .* 0 pixels differ'
has '^(gdb) opencl$'
has '1 destructor callback is running'
has '^  1  count_release .* done '
has '^  2  smooth_report .* running '
has '^  3  budget_return .* registered '
has 'frame_free .* enqueued$'
has '^Live and core agree in every field'
if echo "$output" | grep -e 'warning:' -e '\[New ' -e 'Thread debugging' -e 'Traceback'; then
    echo "FAIL: noise"
    exit 1
fi
