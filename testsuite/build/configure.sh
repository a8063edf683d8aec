#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `configure` refuses, in one sentence each.
set -eu

folder=$TOP_BUILDDIR/testsuite/build/configure.tmp
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# refused SENTENCE-PART OPTION...: configure ends with an error that says so.
refused() {
    part=$1
    shift
    if "$TOP_SRCDIR/configure" --quiet "$@" >output 2>&1; then
        echo "FAIL: configure took $*"
        exit 1
    fi
    if [ "$(grep -c '^configure: error: ' output)" != 1 ] || ! grep -q "$part" output; then
        cat output
        echo "FAIL: configure did not say: $part"
        exit 1
    fi
}

refused 'leave out --disable-shared$' --disable-shared
cd "$TOP_BUILDDIR"
rm -rf "$folder"
