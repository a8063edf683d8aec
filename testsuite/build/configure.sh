#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `configure` refuses, in one sentence each.
set -eu

folder=$TOP_BUILDDIR/testsuite/build/configure.tmp
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
configure=$TOP_SRCDIR/configure

# refused SENTENCE-PART OPTION...: configure ends with an error that says so.
refused() {
    part=$1
    shift
    if "$configure" --quiet "$@" >output 2>&1; then
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

mkdir empty old
echo '/* the header of OMPT alone */' >old/omp-tools.h
refused 'no omp-tools.h: install .* LLVM 13 or later' --with-omp-tools="$PWD/empty"
refused 'old/omp-tools.h is older than LLVM 13 .* LLVM 13 or later' --with-omp-tools="$PWD/old"

# A colon in the path of the sources hides autoconf's own files before this is looked at.
mkdir 'a:colon' 'a blank'
cd 'a:colon'
refused "cannot build where .* move $PWD\$"
cd '../a blank'
refused "cannot build where .* move $PWD\$"
ln -s "$TOP_SRCDIR" source
cd ../empty
configure='../a blank/source/configure'
refused 'cannot build where .* move .*/a blank/source$'

cd "$TOP_BUILDDIR"
rm -rf "$folder"
