#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: static-archive.sh ARCHIVE
# Make all functions local in ARCHIVE that its shared library would not export: libtool leaves them
# global, where they meet functions of the same names in a program.
set -eu

archive=$1
joined=${archive%.a}.joined.o
# shellcheck disable=SC2086 # libtool's linker has options
${LD:-ld} -r -o "$joined" --whole-archive "$archive" --no-whole-archive
"${OBJCOPY:-objcopy}" --localize-hidden "$joined"
rm -f "$archive"
"${AR:-ar}" cr "$archive" "$joined"
"${RANLIB:-ranlib}" "$archive"
rm -f "$joined"
