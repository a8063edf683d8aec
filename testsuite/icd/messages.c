/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Has the vendor library of the test suite report messages to the `pfn_notify` of two contexts: one
 * on this thread, a long one on a thread of the library, and one after the context's release; of
 * the second context, which stays, two. Checks that the function gets what was reported. A context
 * without such a function gets none. Writes a line "CONTEXT THREAD TEXT" for each message, and the
 * line "main". Stops, and ends at the end of its input.
 */
#include "icd.h"
#include "truth.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LONG_LENGTH 3000

static cl_platform_id platform;
static cl_device_id device;

/* What was reported last, and what the function got. */
static struct {
    const char *text;
    const void *info;
    size_t size;
    int user_data;
    int count;
    pid_t lwp;
} last;

static void notify(const char *text, const void *info, size_t size, void *user_data)
{
    truth_require(text == last.text && info == last.info && size == last.size, "another message");
    truth_require(user_data == &last.user_data, "other user data");
    last.count++;
    last.lwp = gettid();
}

/* Report TEXT about the last context, CONTEXT. */
static void report(cl_context context, const char *text, bool on_worker)
{
    icd_report_t function;
    int before = last.count;
    *(void **)&function = clGetExtensionFunctionAddressForPlatform(platform, ICD_REPORT_NAME);
    last.text = text;
    last.info = &last;
    last.size = strlen(text) % 7;
    truth_require(function(text, last.info, last.size, on_worker), "no function");
    truth_require(last.count == before + 1, "not called once");
    printf("%p %d %s\n", (void *)context, (int)last.lwp, text);
}

static cl_context context_create(void)
{
    cl_int status;
    cl_context context = clCreateContext(NULL, 1, &device, notify, &last.user_data, &status);
    truth_require(status == CL_SUCCESS, "no context");
    return context;
}

/* The library sees that there is no function. */
static void silence_check(void)
{
    icd_report_t function;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    *(void **)&function = clGetExtensionFunctionAddressForPlatform(platform, ICD_REPORT_NAME);
    truth_require(!function("nobody hears it", NULL, 0, false), "a function");
    clReleaseContext(context);
}

int main(void)
{
    static char text[LONG_LENGTH + 1];
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = context_create();
    report(context, "buffer of 0 bytes", false);
    memset(text, 'm', LONG_LENGTH);
    report(context, text, true);
    clReleaseContext(context);
    report(context, "after its release", false);
    context = context_create();
    for (int i = 0; i < 2; i++)
        report(context, i == 0 ? "page fault" : "page fault again", true);
    silence_check();
    printf("main\n");
    fflush(stdout);
    getchar();
    return 0;
}
