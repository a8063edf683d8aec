#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes Debian packages of a release, without root.  They and their source package go to FOLDER,
# which is the current one where none is named.
# usage: build-debian.sh ompd-opencl-VERSION.tar.xz [FOLDER]
#
# What is needed to build them is said by dpkg-buildpackage; `apt-get build-dep ./FOLDER/SOURCE`
# installs it, of the unpacked source package.
set -eu

fail() {
    echo "build-debian.sh: $*" >&2
    exit 2
}
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2
fi
release=$1
folder=${2:-.}
name=$(basename "$release" .tar.xz)
version=${name#ompd-opencl-}
case $name in
ompd-opencl-*) ;;
*) fail "$release is no release of ompd-opencl: make one by \`make dist\`" ;;
esac
[ -f "$release" ] || fail "there is no $release"
command -v dpkg-buildpackage >/dev/null || fail "no dpkg-buildpackage: install dpkg-dev"
mkdir -p "$folder"
[ ! -e "$folder/$name" ] || fail "$folder/$name is there already"

cp "$release" "$folder/ompd-opencl_$version.orig.tar.xz"
tar -C "$folder" -xf "$release"
cp -R "$folder/$name/packaging/debian" "$folder/$name/debian"
cd "$folder/$name"
exec dpkg-buildpackage --unsigned-source --unsigned-changes
