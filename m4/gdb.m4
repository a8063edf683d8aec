# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OMPD_FIND_GDB
# -------------
# Set GDB to a GDB that can run the plugin: the one that the user names, or the first installed one
# that can.  The plugin needs GDB 12 or later with Python 3.8 or later.
AC_DEFUN([OMPD_FIND_GDB], [
AC_ARG_VAR([GDB], [GDB that the tests run])
AC_MSG_CHECKING([for a GDB that can run the plugin])
ompd_gdb_has='gdb.events.connection_removed and sys.version_info >= (3, 8)'
ompd_gdb_can="python import gdb, sys; print('can' if $ompd_gdb_has else '')"
ompd_gdb_there=
ompd_gdb_able=
for ompd_gdb in ${GDB:-gdb gdb-multiarch}; do
    if command -v "$ompd_gdb" >/dev/null 2>&1; then
        : "${ompd_gdb_there:=$ompd_gdb}"
        if test "`"$ompd_gdb" -batch -nx -ex "$ompd_gdb_can" 2>/dev/null </dev/null`" = can; then
            ompd_gdb_able=$ompd_gdb
            break
        fi
    fi
done
AC_MSG_RESULT([${ompd_gdb_able:-no}])
ompd_gdb_needs='with Python 3.8 and the events of GDB 12: the tests that drive GDB cannot pass'
ompd_gdb_needs="$ompd_gdb_needs; install one, or name it by GDB=COMMAND"
if test -z "$ompd_gdb_there"; then
    AC_MSG_WARN([no ${GDB:-gdb} $ompd_gdb_needs])
elif test -z "$ompd_gdb_able"; then
    AC_MSG_WARN([$ompd_gdb_there is no GDB $ompd_gdb_needs])
fi
: "${ompd_gdb_able:=${ompd_gdb_there:-${GDB:-gdb}}}"
GDB=`command -v "$ompd_gdb_able" 2>/dev/null || echo "$ompd_gdb_able"`
])
