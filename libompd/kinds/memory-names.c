/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

const ompd_cl_name_t memobj_kind_names[MEMOBJ_KIND_COUNT] = {
    {ompd_cl_memobj_buffer, "buffer", NULL},
    {ompd_cl_memobj_sub_buffer, "sub-buffer", NULL},
    {ompd_cl_memobj_image1d, "image1d", NULL},
    {ompd_cl_memobj_image1d_array, "image1d_array", NULL},
    {ompd_cl_memobj_image1d_buffer, "image1d_buffer", NULL},
    {ompd_cl_memobj_image2d, "image2d", NULL},
    {ompd_cl_memobj_image2d_array, "image2d_array", NULL},
    {ompd_cl_memobj_image3d, "image3d", NULL},
    {ompd_cl_memobj_pipe, "pipe", NULL},
};

/* cl_mem_flags (OpenCL 3.0 section 5.2.1) and, with the same bits, cl_svm_mem_flags (5.6.1). */
const ompd_cl_name_t mem_flag_names[MEM_FLAG_COUNT] = {
    {1 << 0, "CL_MEM_READ_WRITE", NULL},      {1 << 1, "CL_MEM_WRITE_ONLY", NULL},
    {1 << 2, "CL_MEM_READ_ONLY", NULL},       {1 << 3, "CL_MEM_USE_HOST_PTR", NULL},
    {1 << 4, "CL_MEM_ALLOC_HOST_PTR", NULL},  {1 << 5, "CL_MEM_COPY_HOST_PTR", NULL},
    {1 << 7, "CL_MEM_HOST_WRITE_ONLY", NULL}, {1 << 8, "CL_MEM_HOST_READ_ONLY", NULL},
    {1 << 9, "CL_MEM_HOST_NO_ACCESS", NULL},  {1 << 10, "CL_MEM_SVM_FINE_GRAIN_BUFFER", NULL},
    {1 << 11, "CL_MEM_SVM_ATOMICS", NULL},    {1 << 12, "CL_MEM_KERNEL_READ_AND_WRITE", NULL},
};
