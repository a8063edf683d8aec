/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The parameters of enqueuing functions that are objects. */
#include "kinds/kinds.h"

#include <stddef.h>

static const struct enqueue_signature signatures[] = {
    {ompd_cl_call_clEnqueueReadBuffer, 0x11f3, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueWriteBuffer, 0x11f4, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueCopyBuffer, 0x11f5, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueReadBufferRect, 0x1201, 0, 1, 0, 12},
    {ompd_cl_call_clEnqueueWriteBufferRect, 0x1202, 0, 1, 0, 12},
    {ompd_cl_call_clEnqueueCopyBufferRect, 0x1203, 0, 1, 2, 11},
    {ompd_cl_call_clEnqueueFillBuffer, 0x1207, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueReadImage, 0x11f6, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueWriteImage, 0x11f7, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueCopyImage, 0x11f8, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueCopyImageToBuffer, 0x11f9, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueCopyBufferToImage, 0x11fa, 0, 1, 2, 7},
    {ompd_cl_call_clEnqueueFillImage, 0x1208, 0, 1, 0, 6},
    {ompd_cl_call_clEnqueueMapBuffer, 0x11fb, 0, 1, 0, 7},
    {ompd_cl_call_clEnqueueMapImage, 0x11fc, 0, 1, 0, 9},
    {ompd_cl_call_clEnqueueUnmapMemObject, 0x11fd, 0, 1, 0, 4},
    {ompd_cl_call_clEnqueueNDRangeKernel, 0x11f0, 1, 0, 0, 7},
    {ompd_cl_call_clEnqueueTask, 0x11f1, 1, 0, 0, 3},
    {ompd_cl_call_clEnqueueNativeKernel, 0x11f2, 0, 0, 0, 8},
    {ompd_cl_call_clEnqueueMarkerWithWaitList, 0x11fe, 0, 0, 0, 2},
    {ompd_cl_call_clEnqueueBarrierWithWaitList, 0x1205, 0, 0, 0, 2},
    {ompd_cl_call_clEnqueueMigrateMemObjects, 0x1206, 0, 0, 0, 5},
    {ompd_cl_call_clEnqueueSVMMemcpy, 0x120a, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMemFill, 0x120b, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMap, 0x120c, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMUnmap, 0x120d, 0, 0, 0, 3},
    {ompd_cl_call_clEnqueueSVMMigrateMem, 0x120e, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMemcpyARM, 0x40bb, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMemFillARM, 0x40bc, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMMapARM, 0x40bd, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueSVMUnmapARM, 0x40be, 0, 0, 0, 3},
    {ompd_cl_call_clEnqueueMemcpyINTEL, 0x4205, 0, 0, 0, 6},
    {ompd_cl_call_clEnqueueMigrateMemINTEL, 0x4206, 0, 0, 0, 5},
    {ompd_cl_call_clEnqueueMemAdviseINTEL, 0x4207, 0, 0, 0, 5},
};

const struct enqueue_signature *enqueue_signature_find(uint64_t call)
{
    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        if (signatures[i].call == call)
            return &signatures[i];
    }
    return NULL;
}

const struct enqueue_signature *enqueue_signature_of_type(uint64_t type)
{
    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        if (signatures[i].type == type)
            return &signatures[i];
    }
    return NULL;
}
