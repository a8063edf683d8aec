#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A release has every file of the tree.  It stays in FOLDER if one is given.
# usage: release-files.sh [FOLDER]
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR

folder=$TOP_BUILDDIR/testsuite/build/release-files.tmp
release=${1-$folder/release}
rm -rf "$folder"
mkdir -p "$folder"
$MAKE -C "$TOP_BUILDDIR" distdir distdir="$release" >"$folder/log" 2>&1 ||
    { tail -n 40 "$folder/log" && echo 'FAIL: make distdir' && exit 1; }
(cd "$TOP_SRCDIR/testsuite/build" && "$PYTHON" -B -c '
from source_tree import source_files
print("\n".join(source_files()))') >"$folder/files"
[ "$(wc -l <"$folder/files")" -gt 30 ]
missing=$(while read -r file; do
    [ -e "$release/$file" ] || echo "$file"
done <"$folder/files")
[ -z "$missing" ] || { echo "FAIL: not in the release: $missing" && exit 1; }
rm -rf "$folder"
