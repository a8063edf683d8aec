#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `make check` shows the result of each test, the last output of tests that failed, and the tests
# that took the most processor time.
set -eu
: "${SHELL:=/bin/sh}"
export SHELL

folder=$TOP_BUILDDIR/testsuite/build/driver.tmp
rm -rf "$folder"
mkdir -p "$folder"
cat >"$folder/test" <<'END'
seq 200
exit "$1"
END

# shown STATUS: the output about a test with that exit status.
shown() {
    "$SHELL" "$TOP_SRCDIR/testsuite/build/driver.sh" \
        "$TOP_SRCDIR/build-aux/test-driver" --test-name some/test --log-file "$folder/log" \
        --trs-file "$folder/log.trs" --color-tests no -- sh "$folder/test" "$1"
}

# expect STATUS TEXT: that this is shown of it.
expect() {
    if [ "$(shown "$1")" != "$2" ]; then
        echo "FAIL: status $1: shown is"
        shown "$1"
        exit 1
    fi
}

expect 0 'PASS: some/test'
expect 77 'SKIP: some/test'
expect 3 "FAIL: some/test
$(seq 122 200 | sed 's/^/    /')
    FAIL some/test (exit status: 3)"
echo 'printf begun; kill -SEGV $$' >"$folder/test"
# Some shells write to the log what killed it.
case $(shown 0) in
'FAIL: some/test
    begunFAIL some/test (exit status: 139)') ;;
'FAIL: some/test
    begunSegmentation fault
    FAIL some/test (exit status: 139)') ;;
*) echo "FAIL: killed: shown is" && shown 0 && exit 1 ;;
esac

# The time of a test is that of the processes that it begins.
cat >"$folder/test" <<'END'
"$PYTHON" -c 'import time
while time.process_time() < 1: pass'
END
shown 0 >/dev/null
line=$("$PYTHON" "$TOP_SRCDIR/testsuite/build/slowest-tests.py" "$folder/log")
case $line in
"# processor time: "[1-9]*" s; most: "*/log\ [1-9]*\ s) ;;
*) echo "FAIL: a test of a second: $line" && exit 1 ;;
esac
rm -rf "$folder"
