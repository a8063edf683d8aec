/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of OpenCL by number: how the registry names what a thread is doing.
 *
 * Part of the registry's format, shared by recorder/ and libompd/ and by nothing else.  A function
 * of the loader's table has its place in that table plus 1 (CL/cl_icd.h, which only grows); those
 * of Direct3D are left out.  Extension functions, which no table has, are numbered from 512 in the
 * order in which they came here.
 */
#ifndef OMPD_OPENCL_CALLS_H
#define OMPD_OPENCL_CALLS_H

/* clang-format off */
/* CALL(number, function) for each function. */
#define OMPD_CL_CALLS(CALL) \
    CALL(1, clGetPlatformIDs) \
    CALL(2, clGetPlatformInfo) \
    CALL(3, clGetDeviceIDs) \
    CALL(4, clGetDeviceInfo) \
    CALL(5, clCreateContext) \
    CALL(6, clCreateContextFromType) \
    CALL(7, clRetainContext) \
    CALL(8, clReleaseContext) \
    CALL(9, clGetContextInfo) \
    CALL(10, clCreateCommandQueue) \
    CALL(11, clRetainCommandQueue) \
    CALL(12, clReleaseCommandQueue) \
    CALL(13, clGetCommandQueueInfo) \
    CALL(14, clSetCommandQueueProperty) \
    CALL(15, clCreateBuffer) \
    CALL(16, clCreateImage2D) \
    CALL(17, clCreateImage3D) \
    CALL(18, clRetainMemObject) \
    CALL(19, clReleaseMemObject) \
    CALL(20, clGetSupportedImageFormats) \
    CALL(21, clGetMemObjectInfo) \
    CALL(22, clGetImageInfo) \
    CALL(23, clCreateSampler) \
    CALL(24, clRetainSampler) \
    CALL(25, clReleaseSampler) \
    CALL(26, clGetSamplerInfo) \
    CALL(27, clCreateProgramWithSource) \
    CALL(28, clCreateProgramWithBinary) \
    CALL(29, clRetainProgram) \
    CALL(30, clReleaseProgram) \
    CALL(31, clBuildProgram) \
    CALL(32, clUnloadCompiler) \
    CALL(33, clGetProgramInfo) \
    CALL(34, clGetProgramBuildInfo) \
    CALL(35, clCreateKernel) \
    CALL(36, clCreateKernelsInProgram) \
    CALL(37, clRetainKernel) \
    CALL(38, clReleaseKernel) \
    CALL(39, clSetKernelArg) \
    CALL(40, clGetKernelInfo) \
    CALL(41, clGetKernelWorkGroupInfo) \
    CALL(42, clWaitForEvents) \
    CALL(43, clGetEventInfo) \
    CALL(44, clRetainEvent) \
    CALL(45, clReleaseEvent) \
    CALL(46, clGetEventProfilingInfo) \
    CALL(47, clFlush) \
    CALL(48, clFinish) \
    CALL(49, clEnqueueReadBuffer) \
    CALL(50, clEnqueueWriteBuffer) \
    CALL(51, clEnqueueCopyBuffer) \
    CALL(52, clEnqueueReadImage) \
    CALL(53, clEnqueueWriteImage) \
    CALL(54, clEnqueueCopyImage) \
    CALL(55, clEnqueueCopyImageToBuffer) \
    CALL(56, clEnqueueCopyBufferToImage) \
    CALL(57, clEnqueueMapBuffer) \
    CALL(58, clEnqueueMapImage) \
    CALL(59, clEnqueueUnmapMemObject) \
    CALL(60, clEnqueueNDRangeKernel) \
    CALL(61, clEnqueueTask) \
    CALL(62, clEnqueueNativeKernel) \
    CALL(63, clEnqueueMarker) \
    CALL(64, clEnqueueWaitForEvents) \
    CALL(65, clEnqueueBarrier) \
    CALL(66, clGetExtensionFunctionAddress) \
    CALL(67, clCreateFromGLBuffer) \
    CALL(68, clCreateFromGLTexture2D) \
    CALL(69, clCreateFromGLTexture3D) \
    CALL(70, clCreateFromGLRenderbuffer) \
    CALL(71, clGetGLObjectInfo) \
    CALL(72, clGetGLTextureInfo) \
    CALL(73, clEnqueueAcquireGLObjects) \
    CALL(74, clEnqueueReleaseGLObjects) \
    CALL(75, clGetGLContextInfoKHR) \
    CALL(82, clSetEventCallback) \
    CALL(83, clCreateSubBuffer) \
    CALL(84, clSetMemObjectDestructorCallback) \
    CALL(85, clCreateUserEvent) \
    CALL(86, clSetUserEventStatus) \
    CALL(87, clEnqueueReadBufferRect) \
    CALL(88, clEnqueueWriteBufferRect) \
    CALL(89, clEnqueueCopyBufferRect) \
    CALL(90, clCreateSubDevicesEXT) \
    CALL(91, clRetainDeviceEXT) \
    CALL(92, clReleaseDeviceEXT) \
    CALL(93, clCreateEventFromGLsyncKHR) \
    CALL(94, clCreateSubDevices) \
    CALL(95, clRetainDevice) \
    CALL(96, clReleaseDevice) \
    CALL(97, clCreateImage) \
    CALL(98, clCreateProgramWithBuiltInKernels) \
    CALL(99, clCompileProgram) \
    CALL(100, clLinkProgram) \
    CALL(101, clUnloadPlatformCompiler) \
    CALL(102, clGetKernelArgInfo) \
    CALL(103, clEnqueueFillBuffer) \
    CALL(104, clEnqueueFillImage) \
    CALL(105, clEnqueueMigrateMemObjects) \
    CALL(106, clEnqueueMarkerWithWaitList) \
    CALL(107, clEnqueueBarrierWithWaitList) \
    CALL(108, clGetExtensionFunctionAddressForPlatform) \
    CALL(109, clCreateFromGLTexture) \
    CALL(120, clCreateFromEGLImageKHR) \
    CALL(121, clEnqueueAcquireEGLObjectsKHR) \
    CALL(122, clEnqueueReleaseEGLObjectsKHR) \
    CALL(123, clCreateEventFromEGLSyncKHR) \
    CALL(124, clCreateCommandQueueWithProperties) \
    CALL(125, clCreatePipe) \
    CALL(126, clGetPipeInfo) \
    CALL(127, clSVMAlloc) \
    CALL(128, clSVMFree) \
    CALL(129, clEnqueueSVMFree) \
    CALL(130, clEnqueueSVMMemcpy) \
    CALL(131, clEnqueueSVMMemFill) \
    CALL(132, clEnqueueSVMMap) \
    CALL(133, clEnqueueSVMUnmap) \
    CALL(134, clCreateSamplerWithProperties) \
    CALL(135, clSetKernelArgSVMPointer) \
    CALL(136, clSetKernelExecInfo) \
    CALL(137, clGetKernelSubGroupInfoKHR) \
    CALL(138, clCloneKernel) \
    CALL(139, clCreateProgramWithIL) \
    CALL(140, clEnqueueSVMMigrateMem) \
    CALL(141, clGetDeviceAndHostTimer) \
    CALL(142, clGetHostTimer) \
    CALL(143, clGetKernelSubGroupInfo) \
    CALL(144, clSetDefaultDeviceCommandQueue) \
    CALL(145, clSetProgramReleaseCallback) \
    CALL(146, clSetProgramSpecializationConstant) \
    CALL(147, clCreateBufferWithProperties) \
    CALL(148, clCreateImageWithProperties) \
    CALL(149, clSetContextDestructorCallback) \
    CALL(512, clCreateBufferWithPropertiesINTEL) \
    CALL(513, clCreateBufferNV) \
    CALL(514, clImportMemoryARM) \
    CALL(515, clSetMemObjectDestructorAPPLE) \
    CALL(516, clCreateCommandQueueWithPropertiesKHR) \
    CALL(517, clCreateProgramWithILKHR) \
    CALL(518, clCreateFromVA_APIMediaSurfaceINTEL) \
    CALL(519, clSVMAllocARM) \
    CALL(520, clSVMFreeARM) \
    CALL(521, clEnqueueSVMFreeARM) \
    CALL(522, clHostMemAllocINTEL) \
    CALL(523, clDeviceMemAllocINTEL) \
    CALL(524, clSharedMemAllocINTEL) \
    CALL(525, clMemFreeINTEL) \
    CALL(526, clMemBlockingFreeINTEL) \
    CALL(527, clSVMAllocWithPropertiesKHR) \
    CALL(528, clSVMFreeWithPropertiesKHR) \
    CALL(529, clEnqueueMemFillINTEL) \
    CALL(530, clEnqueueMemcpyINTEL) \
    CALL(531, clEnqueueMigrateMemINTEL) \
    CALL(532, clEnqueueMemAdviseINTEL) \
    CALL(533, clEnqueueSVMMapARM) \
    CALL(534, clEnqueueSVMUnmapARM) \
    CALL(535, clEnqueueSVMMemcpyARM) \
    CALL(536, clEnqueueSVMMemFillARM) \
    CALL(537, clEnqueueAcquireExternalMemObjectsKHR) \
    CALL(538, clEnqueueReleaseExternalMemObjectsKHR) \
    CALL(539, clEnqueueWaitSemaphoresKHR) \
    CALL(540, clEnqueueSignalSemaphoresKHR) \
    CALL(541, clSetKernelArgMemPointerINTEL) \
    CALL(542, clSetKernelArgSVMPointerARM)
/* clang-format on */

/* ompd_cl_call_clFinish and so on. */
enum ompd_cl_call {
#define OMPD_CL_CALL_NUMBER(number, function) ompd_cl_call_##function = (number),
    OMPD_CL_CALLS(OMPD_CL_CALL_NUMBER)
#undef OMPD_CL_CALL_NUMBER
};

#endif
