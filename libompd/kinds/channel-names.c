/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/kinds.h"

const ompd_cl_name_t channel_order_names[CHANNEL_ORDER_COUNT] = {
    {0x10b0, "CL_R", NULL},         {0x10b1, "CL_A", NULL},     {0x10b2, "CL_RG", NULL},
    {0x10b3, "CL_RA", NULL},        {0x10b4, "CL_RGB", NULL},   {0x10b5, "CL_RGBA", NULL},
    {0x10b6, "CL_BGRA", NULL},      {0x10b7, "CL_ARGB", NULL},  {0x10b8, "CL_INTENSITY", NULL},
    {0x10b9, "CL_LUMINANCE", NULL}, {0x10ba, "CL_Rx", NULL},    {0x10bb, "CL_RGx", NULL},
    {0x10bc, "CL_RGBx", NULL},      {0x10bd, "CL_DEPTH", NULL}, {0x10be, "CL_DEPTH_STENCIL", NULL},
    {0x10bf, "CL_sRGB", NULL},      {0x10c0, "CL_sRGBx", NULL}, {0x10c1, "CL_sRGBA", NULL},
    {0x10c2, "CL_sBGRA", NULL},     {0x10c3, "CL_ABGR", NULL},
};

const ompd_cl_name_t channel_type_names[CHANNEL_TYPE_COUNT] = {
    {0x10d0, "CL_SNORM_INT8", NULL},
    {0x10d1, "CL_SNORM_INT16", NULL},
    {0x10d2, "CL_UNORM_INT8", NULL},
    {0x10d3, "CL_UNORM_INT16", NULL},
    {0x10d4, "CL_UNORM_SHORT_565", NULL},
    {0x10d5, "CL_UNORM_SHORT_555", NULL},
    {0x10d6, "CL_UNORM_INT_101010", NULL},
    {0x10d7, "CL_SIGNED_INT8", NULL},
    {0x10d8, "CL_SIGNED_INT16", NULL},
    {0x10d9, "CL_SIGNED_INT32", NULL},
    {0x10da, "CL_UNSIGNED_INT8", NULL},
    {0x10db, "CL_UNSIGNED_INT16", NULL},
    {0x10dc, "CL_UNSIGNED_INT32", NULL},
    {0x10dd, "CL_HALF_FLOAT", NULL},
    {0x10de, "CL_FLOAT", NULL},
    {0x10df, "CL_UNORM_INT24", NULL},
    {0x10e0, "CL_UNORM_INT_101010_2", NULL},
};
