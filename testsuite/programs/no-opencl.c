/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A program that does not use OpenCL. */
void truth_stop(const char *stop);

__attribute__((noinline)) void truth_stop(const char *stop)
{
    __asm__ volatile("" : : "r"(stop) : "memory");
}

int main(void)
{
    truth_stop("main");
    return 0;
}
