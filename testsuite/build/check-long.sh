#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the tests in other ways: with tools that find other errors, or with all cases where `make
# check` tries some.  `make check-long` runs each part.
# usage: check-long.sh addresses | threads | helgrind | thorough | valgrind | valgrind-command |
# usage:     valgrind-sweeps
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL

# tests PATTERN [WITHOUT...]: list C tests of the usual build by patterns of their paths below
# testsuite, except the one with its own malloc, because these tools have one, too.
tests() {
    with=$1
    shift
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/unit/* | testsuite/sweep/test-*) ;;
        *) continue ;;
        esac
        for without in unit/test-heap "$@"; do
            # shellcheck disable=SC2254 # a pattern
            case ${test#testsuite/} in
            $without) continue 2 ;;
            esac
        done
        # shellcheck disable=SC2254 # a pattern
        case ${test#testsuite/} in
        $with) printf '%s ' "$test" ;;
        esac
    done
}

# Tests with several threads: some of the libraries, and all of the recorder.
tests_with_threads() {
    tests 'unit/recorder*' "$@"
    for with_threads in unit/test-threads unit/test-monitor-threads unit/host-callbacks \
        sweep/test-together; do
        tests "$with_threads"
    done
}

# build_and_check NAME TESTS CFLAGS [VARIABLE=VALUE...]: run tests in their own build, with
# variables of make.  The programs that they debug are of the usual build, because a sanitizer would
# prevent a core.
build_and_check() {
    [ -n "$2" ] || { echo "FAIL: no unit tests to run" && exit 1; }
    mkdir -p "$TOP_BUILDDIR/check-long/$1"
    cd "$TOP_BUILDDIR/check-long/$1"
    [ -f Makefile ] || "$TOP_SRCDIR/configure" -q --enable-werror CFLAGS="$3"
    tests=$2
    shift 3
    $MAKE -s -j2
    $MAKE -s -j2 check TESTS="$tests" TESTS_ENVIRONMENT="TOP_BUILDDIR='$TOP_BUILDDIR'" "$@"
}

# command_write FOLDER PREFIX [LINES]: the command of the build folder FOLDER as the program
# alone/ompd-opencl of the current one: not by libtool's script, which needs other programs and
# names others than those that the command is to run.  LINES are of the shell, before it starts.
command_write() {
    mkdir -p alone
    cat >alone/ompd-opencl <<END
#!/bin/sh
${3-}
LD_LIBRARY_PATH='$1/.libs' exec $2 '$1/.libs/ompd-opencl' "\$@"
END
    chmod +x alone/ompd-opencl
}

# check_command PATH [WITHOUT...]: the tests of the command, if there is one, with that of PATH.
check_command() {
    command=$1
    shift
    chosen=
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/host/*) ;;
        *) continue ;;
        esac
        for without in "$@"; do
            [ "$test" != "testsuite/host/$without.py" ] || continue 2
        done
        chosen="$chosen $test"
    done
    [ -z "$chosen" ] || COMMAND=$command $MAKE -s -j2 -C "$TOP_BUILDDIR" check TESTS="$chosen"
}

# sweep COMMAND...: COMMAND runs the sweeps, on a target of the usual build.
sweep() {
    $MAKE -s -C "$TOP_BUILDDIR" testsuite/programs/demo/edges
    "$PYTHON" -B "$TOP_SRCDIR/testsuite/sweep/sweep.py" "$@"
}

with_leaks='valgrind --quiet --leak-check=full --error-exitcode=9'

case ${1-} in
addresses)
    # Undefined behaviour ends the test.  Memory that the recorder never frees is not a leak.  The
    # command has no such exit code.
    export UBSAN_OPTIONS=print_stacktrace=1
    export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:exitcode=99
    build_and_check addresses "$(tests '*')" \
        '-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
    sweep "$PWD/testsuite/sweep/sweep"
    command_write "$PWD" ''
    check_command "$PWD/alone/ompd-opencl"
    ;;
threads)
    export TSAN_OPTIONS=halt_on_error=1
    build_and_check threads "$(tests_with_threads)" '-g -O1 -fsanitize=thread -Wno-tsan'
    ;;
helgrind)
    # It checks the order of locks, too.  Races within PoCL are not ours.  In a forked child it does
    # not notice that the other threads have ended.
    others_suppressed=$TOP_SRCDIR/testsuite/build/helgrind.supp
    atomics=$TOP_SRCDIR/testsuite/build/helgrind-atomics.h
    if ! command -v valgrind >/dev/null || ! [ -f /usr/include/valgrind/helgrind.h ]; then
        echo "SKIP: valgrind is not installed" && exit 77
    fi
    under_helgrind='valgrind --tool=helgrind --quiet --error-exitcode=9'
    build_and_check helgrind "$(tests_with_threads 'unit/recorder-pocl-*' unit/recorder-fork)" \
        "-g -O1 -include $atomics" \
        LOG_COMPILER="./libtool --mode=execute $under_helgrind --suppressions=$others_suppressed"
    ;;
thorough)
    # All cases of the scripts, of which harness.py has some() and thorough(), and of the tests in
    # C: suite.h has suite_every().
    those=
    for test in $($MAKE -s -C "$TOP_BUILDDIR" list-tests); do
        case $test in
        testsuite/build/*) ;;
        *.py | testsuite/unit/*) those="$those $test" ;;
        esac
    done
    OMPD_OPENCL_THOROUGH=1 $MAKE -s -j2 -C "$TOP_BUILDDIR" check TESTS="$those"
    ;;
valgrind)
    cd "$TOP_BUILDDIR"
    # Without PoCL, which has leaks of its own.  Without test-cost, which reads a hundred thousand
    # records but no other code.  Without host-confine and host-drawing, because valgrind itself
    # needs the system calls and the memory that are denied there.
    but_slow=$(tests 'unit/*' 'unit/recorder-pocl-*' unit/test-cost unit/host-confine \
        unit/host-drawing)
    # Each test is a process of its own, which valgrind follows: its status fails the test.
    $MAKE -s -j2 check TESTS="$but_slow" LOG_COMPILER="./libtool --mode=execute $with_leaks"

    # The recorder asks no runtime for an object that the program has released.
    [ ! -x testsuite/programs/held ] ||
        OCL_ICD_VENDORS=$("$PYTHON" "$TOP_SRCDIR/testsuite/programs/demo/vendor_files.py" pocl) \
            OPENCL_LAYERS="$PWD/.libs/libompd-opencl-recorder.so" \
            valgrind --quiet --error-exitcode=9 testsuite/programs/held
    ;;
valgrind-command)
    # Without confinement, which valgrind cannot work in.  The addresses' sanitizer sees four of
    # those that are left out: memory that is measured or bounded, the command in GDB, cores cut at
    # hundreds of places, and GDB that attaches to the program of `run`, which has to be quick to
    # let go of it.
    mkdir -p "$TOP_BUILDDIR/check-long/valgrind"
    cd "$TOP_BUILDDIR/check-long/valgrind"
    # By its path, as tests hide programs from the command.
    valgrind=$(command -v valgrind)
    # The trees of the C library store a colour in their pointers, so that their nodes seem possibly
    # lost when a forked child ends.
    lost='--show-leak-kinds=definite --errors-for-leak-kinds=definite'
    # shellcheck disable=SC2016 # it is for the script that is written
    command_write "$TOP_BUILDDIR" "$valgrind ${with_leaks#valgrind } $lost" 'case " $* " in
*" --pid "* | *" --no-sandbox "*) ;;
*" --core"[\ =]* | *" triage "* | *" diff "*) set -- --no-sandbox "$@" ;;
esac'
    check_command "$PWD/alone/ompd-opencl" test_command_bounds test_command_lend_debugger \
        test_command_many test_command_sandbox test_command_truncated
    ;;
valgrind-sweeps)
    cd "$TOP_BUILDDIR"
    # The sweeps keep account of leaks themselves.  All of their cases would take hours.
    export SWEEP_SLOWDOWN=100
    without_leaks='valgrind --quiet --error-exitcode=9'
    # This one has its usual, fewer cases: Check ends with an error after a test of 35 minutes.
    $MAKE -s check TESTS=testsuite/sweep/test-found \
        LOG_COMPILER="./libtool --mode=execute $without_leaks"
    export SWEEP_EVERY=100
    echo "valgrind: 1 case in $SWEEP_EVERY of the other sweeps"
    $MAKE -s -j2 check TESTS="$(tests 'sweep/*' sweep/test-found)" \
        LOG_COMPILER="./libtool --mode=execute $without_leaks"
    # shellcheck disable=SC2086 # words
    sweep ./libtool --mode=execute $without_leaks testsuite/sweep/sweep
    ;;
*)
    sed -n 's/^# usage/usage/p' "$0" >&2
    exit 2
    ;;
esac
