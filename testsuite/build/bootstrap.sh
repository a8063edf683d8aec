#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `bootstrap` and `.ci/run` do and when, with stubs for the commands that they run.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

folder=$TOP_BUILDDIR/testsuite/build/bootstrap.tmp
calls=$folder/calls
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/tree/packages" "$folder/tree/.ci"
cp "$TOP_SRCDIR/.ci/run" "$folder/tree/.ci/"
cp "$TOP_SRCDIR/packages/"debian-* "$folder/tree/packages/"
export CALLS="$calls" MISSING='' NETWORK=yes MACHINE=x86_64

# command_is NAME SHELL-TEXT: a stand-in that writes down how it is called.
command_is() {
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "%s $*" >>"$CALLS"\n%s\n' "$1" "$2" >"$folder/bin/$1"
    chmod +x "$folder/bin/$1"
}
# shellcheck disable=SC2016 # text for the stand-ins' own shell
{
    command_is dpkg-query 'for last; do :; done
        case " $MISSING " in *" $last "*) ;; *) echo installed ;; esac'
    command_is apt-get 'case $* in *download*)
        [ $NETWORK = yes ] || exit 100
        while [ "$1" != download ]; do shift; done
        shift
        for package; do touch "${package%:*}_1_all.deb"; done ;;
    esac'
    command_is dpkg-deb 'touch "${2%%_*}"'
    command_is uname 'echo $MACHINE'
    command_is sudo 'shift; "$@"'
    command_is autoreconf 'printf "#!/bin/sh\ntouch Makefile\n" >configure
        chmod +x configure
        touch Makefile.in'
    command_is automake true
    command_is libtoolize true
    command_is pkg-config true
    command_is make 'case $* in *check*) sh -c "$RESULTS" ;; esac'
}
# as_system ID [VERSION]: a copy of bootstrap that finds itself on this system.
as_system() {
    printf 'ID=%s\n%s\n' "$1" "${2:+VERSION_ID=$2}" >"$folder/os-release"
    sed "s#/etc/os-release#$folder/os-release#" "$TOP_SRCDIR/bootstrap" >"$folder/tree/bootstrap"
    chmod +x "$folder/tree/bootstrap"
}
# bootstrap STATUS ARGUMENT...: run it, and see the status expected.
bootstrap() {
    expected=$1
    shift
    : >"$calls"
    status=0
    PATH="$folder/bin:$PATH" "$folder/tree/bootstrap" "$@" >"$folder/said" 2>&1 || status=$?
    [ "$status" -eq "$expected" ] || fail "bootstrap $* gave status $status, not $expected"
}
fail() {
    echo "FAIL: $*"
    cat "$folder/said" "$calls"
    exit 1
}
called() {
    grep -q -x -e "$1" "$calls" || fail "not called: $1"
}
not_called() {
    if grep -q -e "^$1" "$calls"; then fail "called: $1"; fi
}
export RESULTS=true
as_system debian 12

bootstrap 2 nonsense
bootstrap 0 check
not_called 'apt-get.*install'
not_called 'apt-get -q update'
called 'apt-get -q download libomp-19-dev'
called 'dpkg-deb --extract libomp-19-dev_1_all.deb .'
packages=$folder/tree/build/packages
[ "$(ls "$packages/libomp-19-dev")" = libomp-19-dev ] || fail "no libomp-19-dev"
called 'apt-get -q -o APT::Architecture=i386 .* -o Dir::State=.* update'
called 'apt-get -q -o APT::Architecture=i386 .* download .*libc6-dev:i386 .*libpocl2:i386 .*'
expected=$(grep -c 'i386$' "$folder/tree/packages/debian-12")
[ "$(find "$packages/i386" -type f | wc -l)" -eq "$expected" ] || fail "not all packages of i386"
[ -e "$packages/i386/libpocl2" ] || fail "no libpocl2 of i386"
called 'autoreconf --force --install'
called "make -C build -j $(nproc)"
called "make -s -C build -j $(nproc) check"

bootstrap 0 check
not_called apt-get
not_called autoreconf

# A changed list is fetched again.  If that fails, the old packages stay.
echo 'libnew:i386 /usr/lib/i386-linux-gnu/libnew.so.1 i386' >>"$folder/tree/packages/debian-12"
NETWORK=no
bootstrap 0 check
[ -e "$packages/i386/libpocl2" ] || fail "a failed fetch took what there was"
NETWORK=yes
bootstrap 0 check
called 'apt-get -q -o APT::Architecture=i386 .* download .*libnew:i386.*'
not_called 'apt-get.*libomp-19-dev'
[ -e "$packages/i386/libnew" ] || fail "no package that was added"
bootstrap 0 check
not_called apt-get
cp "$TOP_SRCDIR/packages/debian-12" "$folder/tree/packages/"
bootstrap 0 check
[ ! -e "$packages/i386/libnew" ] || fail "a package that was dropped"

rm -r "$folder/tree/build/packages"
MACHINE=aarch64
bootstrap 0 check
called 'apt-get -q download libomp-19-dev'
not_called 'apt-get.*i386'
MACHINE=x86_64

rm -r "$folder/tree/build/packages"
NETWORK=no
bootstrap 0 check
called 'apt-get -q update'
grep -q 'libomp-19-dev cannot be fetched' "$folder/said" || fail "a failed fetch is not told"
grep -q 'i386 cannot be fetched' "$folder/said" || fail "a failed fetch of i386 is not told"
for name in libomp-19-dev i386; do
    [ ! -e "$packages/$name" ] || fail "a failed fetch left a package"
done
called "make -s -C build -j $(nproc) check"
NETWORK=yes

bootstrap 0 demo
not_called apt-get
not_called autoreconf
called 'make -s -C build demo'

MISSING=gdbserver
bootstrap 0 demo
called 'apt-get -q update'
called 'apt-get -q -y .*install --no-install-recommends gdbserver'

# Each release has its list.  One without the number of a version has Debian sid's, of which the
# optional packages may be missing.
export REFUSED=''
# shellcheck disable=SC2016 # text for the stand-in's own shell
command_is apt-get 'case "$*" in *install*" $REFUSED") exit 100 ;; esac'
MISSING='gdbserver libomp-19-dev'
as_system debian 13
bootstrap 0 demo
called 'apt-get -q -y .*install --no-install-recommends gdbserver libomp-19-dev'
MISSING='gdbserver mesa-opencl-icd valgrind'
as_system debian
REFUSED=valgrind
bootstrap 0 demo
called 'apt-get -q -y .*install --no-install-recommends gdbserver'
called 'apt-get -q -y .*install --no-install-recommends mesa-opencl-icd'
grep -q 'not installed, so their tests skip: mesa-opencl-icd valgrind' "$folder/said" ||
    fail "optional packages that are missing are not named"
called 'make -s -C build demo'
REFUSED=gdbserver
bootstrap 1 demo
not_called make

as_system fedora 40
bootstrap 0 --help
command_is dpkg-query 'exit 1'
# A path of its own, in which only the stand-ins and the shell's own tools are found.
mkdir "$folder/few"
for tool in sh sed cat tr date grep nproc mkdir dirname id; do
    ln -s "$(command -v $tool)" "$folder/few/$tool"
done
ln -s "$folder/bin/"* "$folder/few/"
status=0
: >"$calls"
PATH="$folder/few" "$folder/tree/bootstrap" check >"$folder/said" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "on another system: status $status"
grep -q 'gdbserver (on Debian: package gdbserver)' "$folder/said" || fail "gdbserver not named"
if grep -q i386 "$folder/said"; then fail "asked for what is only unpacked"; fi
if grep -q valgrind "$folder/said"; then fail "asked for what is optional"; fi
not_called apt-get
not_called make
# It continues without optional packages.
printf 'gdb gdb\nclang nonesuch optional\n' >"$folder/tree/packages/debian-sid"
bootstrap 0 demo
grep -q '  nonesuch (on Debian: package clang)' "$folder/said" ||
    fail "what is optional is not named"
called 'make -s -C build demo'

# .ci/run counts the results of automake's test driver, and no older ones.
as_system debian 12
MISSING=
command_is dpkg-query 'echo installed'
ci() {
    echo ':test-result: FAIL' >"$folder/tree/build/old.trs"
    status=0
    PATH="$folder/bin:$PATH" "$folder/tree/.ci/run" >"$folder/said" 2>&1 || status=$?
    line=$(tail -n 1 "$folder/said")
    [ "$line, status $status" = "$1, status $2" ] || fail ".ci/run said \"$line\", status $status"
}
RESULTS='echo ":test-result: PASS" >build/a.trs; echo ":test-result: SKIP" >build/b.trs'
ci '1 passed, 0 failed, 1 skipped' 0
RESULTS="$RESULTS; echo ':test-result: FAIL' >build/c.trs; exit 2"
ci '1 passed, 1 failed, 1 skipped' 2
RESULTS='echo ":test-result: PASS" >build/a.trs; exit 3'
ci '1 passed, 1 failed, 0 skipped' 3
RESULTS=true
ci '0 passed, 1 failed, 0 skipped' 1
rm -rf "$folder"
