/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kinds/channel-names.h"

const ompd_cl_name_t channel_order_names[CHANNEL_ORDER_COUNT] = {
    {0x10b0, "CL_R"},         {0x10b1, "CL_A"},     {0x10b2, "CL_RG"},
    {0x10b3, "CL_RA"},        {0x10b4, "CL_RGB"},   {0x10b5, "CL_RGBA"},
    {0x10b6, "CL_BGRA"},      {0x10b7, "CL_ARGB"},  {0x10b8, "CL_INTENSITY"},
    {0x10b9, "CL_LUMINANCE"}, {0x10ba, "CL_Rx"},    {0x10bb, "CL_RGx"},
    {0x10bc, "CL_RGBx"},      {0x10bd, "CL_DEPTH"}, {0x10be, "CL_DEPTH_STENCIL"},
    {0x10bf, "CL_sRGB"},      {0x10c0, "CL_sRGBx"}, {0x10c1, "CL_sRGBA"},
    {0x10c2, "CL_sBGRA"},     {0x10c3, "CL_ABGR"},
};

const ompd_cl_name_t channel_type_names[CHANNEL_TYPE_COUNT] = {
    {0x10d0, "CL_SNORM_INT8"},
    {0x10d1, "CL_SNORM_INT16"},
    {0x10d2, "CL_UNORM_INT8"},
    {0x10d3, "CL_UNORM_INT16"},
    {0x10d4, "CL_UNORM_SHORT_565"},
    {0x10d5, "CL_UNORM_SHORT_555"},
    {0x10d6, "CL_UNORM_INT_101010"},
    {0x10d7, "CL_SIGNED_INT8"},
    {0x10d8, "CL_SIGNED_INT16"},
    {0x10d9, "CL_SIGNED_INT32"},
    {0x10da, "CL_UNSIGNED_INT8"},
    {0x10db, "CL_UNSIGNED_INT16"},
    {0x10dc, "CL_UNSIGNED_INT32"},
    {0x10dd, "CL_HALF_FLOAT"},
    {0x10de, "CL_FLOAT"},
    {0x10df, "CL_UNORM_INT24"},
    {0x10e0, "CL_UNORM_INT_101010_2"},
};
