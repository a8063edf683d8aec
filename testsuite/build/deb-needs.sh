#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is missing to build Debian packages is named before any work.
set -eu

command -v dpkg-checkbuilddeps >/dev/null || { echo "SKIP: dpkg-dev is not installed" && exit 77; }
folder=$TOP_BUILDDIR/testsuite/build/deb-needs.tmp
rm -rf "$folder"
mkdir -p "$folder/empty"
script=$TOP_SRCDIR/packaging/build-debian.sh
shell=$(command -v sh)

refused() { # WORDS COMMAND...
    words=$1
    shift
    status=0
    "$@" >"$folder/said" 2>&1 || status=$?
    cat "$folder/said"
    [ $status = 2 ] || { echo "exit status $status, not 2" && exit 1; }
    printf 'build-debian.sh: %s\n' "$words" | diff - "$folder/said"
}

printf 'Source: a\nBuild-Depends: sh-of-no-release\n\nPackage: a\nArchitecture: any\n' \
    >"$folder/control"
refused "missing build dependencies: sh-of-no-release; install them with apt-get" \
    sh "$script" --check "$folder/control"
refused "dpkg-buildpackage is missing; install dpkg-dev" \
    env "PATH=$folder/empty" "$shell" "$script" --check "$folder/control"
sed 's/sh-of-no-release/libc6 | libc6.1/' "$folder/control" >"$folder/control.met"
sh "$script" --check "$folder/control.met"
rm -rf "$folder"
