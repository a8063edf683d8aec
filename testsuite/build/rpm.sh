#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The spec for rpm has the same version, passes rpmlint, and builds a release.  rpmbuild itself
# refuses installed files that are in no package.  Build dependencies are not checked, because this
# system has them under other names.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

spec=$TOP_SRCDIR/packaging/rpm/ompd-opencl.spec
folder=$TOP_BUILDDIR/check-long/rpm
skip() {
    echo "SKIP: $*"
    exit 77
}
fail() {
    echo "FAIL: $*"
    exit 1
}

for command in rpmspec rpmlint rpmbuild; do
    command -v $command >/dev/null || skip "$command is not installed"
done
rm -rf "$folder"
mkdir -p "$folder/SOURCES"

# rpmlint ends with 0 whatever it warns of.
rpmspec --parse "$spec" >"$folder/parsed"
rpmlint --rpmlintrc "${spec%.spec}.rpmlintrc" "$spec" >"$folder/rpmlint.log" 2>&1 ||
    { cat "$folder/rpmlint.log" && fail "rpmlint"; }
grep -q ' 0 errors, 0 warnings' "$folder/rpmlint.log" ||
    { cat "$folder/rpmlint.log" && fail "rpmlint warns"; }

version=$(sed -n 's/^Version: *//p' "$folder/parsed")
$MAKE -s -C "$TOP_BUILDDIR" dist >"$folder/dist.log" 2>&1
cp "$TOP_BUILDDIR/ompd-opencl-$version.tar.xz" "$folder/SOURCES/" ||
    fail "the spec is of version $version, and the release is not"
rpmbuild -bb --nodeps --define "_topdir $folder" --define '_smp_mflags -j2' "$spec" \
    >"$folder/rpmbuild.log" 2>&1 || { tail -n 40 "$folder/rpmbuild.log" && fail "rpmbuild"; }

# has PACKAGE FILE: a package has a file.
has() {
    rpm --query --list --package "$folder"/RPMS/*/"$1"-"$version"-*.rpm 2>/dev/null |
        grep -q -e "/$2\$" || fail "$1 has no $2"
}
has ompd-opencl bin/ompd-opencl
has ompd-opencl-libs libompd-opencl.so.0
has ompd-opencl-libs libompd-opencl-view.so.0
has ompd-opencl-host-libs libompd-opencl-host.so.0
has ompd-opencl-devel ompd-opencl.pc
has ompd-opencl-devel 'ompd_cl_list_open\.3.*'
has ompd-opencl-data layouts/pocl-6.0.layout
has ompd-opencl-recorder libompd-opencl-recorder.so
has python3-ompd-opencl ompd_opencl/__init__.py
has ompd-opencl-gdb libOpenCL.so.1.0.0-gdb.py
rm -rf "$folder/BUILD" "$folder/BUILDROOT"
echo "$(find "$folder/RPMS" -name '*.rpm' | wc -l) packages of rpm are built"
