#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds Debian packages and their source package from a release, without root, in FOLDER (default:
# the current folder).
# usage: build-debian.sh ompd-opencl-VERSION.tar.xz [FOLDER]
#        build-debian.sh --check CONTROL
#
# --check only names what is missing to build a package with the file CONTROL.
set -eu

fail() {
    echo "build-debian.sh: $*" >&2
    exit 2
}
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n -e 's/^# usage: /usage: /p' -e 's/^#  *build-debian/       build-debian/p' "$0" >&2
    exit 2
fi
command -v dpkg-buildpackage >/dev/null || fail "dpkg-buildpackage is missing; install dpkg-dev"
if [ "$1" = --check ]; then
    missing=$(dpkg-checkbuilddeps "$2" 2>&1) ||
        fail "missing build dependencies: ${missing##*: }; install them with apt-get"
    exit 0
fi
release=$1
folder=${2:-.}
name=$(basename "$release" .tar.xz)
version=${name#ompd-opencl-}
case $name in
ompd-opencl-*) ;;
*) fail "'$release' is not a release of ompd-opencl; make one with \`make dist\`" ;;
esac
[ -f "$release" ] || fail "cannot find '$release'"
mkdir -p "$folder"
[ ! -e "$folder/$name" ] || fail "'$folder/$name' already exists"

cp "$release" "$folder/ompd-opencl_$version.orig.tar.xz"
tar -C "$folder" -xf "$release"
cp -R "$folder/$name/packaging/debian" "$folder/$name/debian"
cd "$folder/$name"
exec dpkg-buildpackage --unsigned-source --unsigned-changes
