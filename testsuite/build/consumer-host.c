/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that uses the installed host library: it fails to open a file that is no core. */
#include <ompd-opencl-host.h>

int main(void)
{
    ompd_host_target_t *target = NULL;

    if (ompd_host_core_open("/dev/null", NULL, &target) == ompd_host_rc_ok)
        return 1;
    ompd_host_target_close(target);
    return 0;
}
