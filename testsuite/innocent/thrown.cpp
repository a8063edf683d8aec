// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves callbacks and the calls that called them by exceptions, and waits after that for an event
// that another thread sets.  It releases all.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdexcept>
#include <thread>

namespace
{

const int rounds = 20;

void CL_CALLBACK refuse(cl_mem, void *)
{
    throw std::runtime_error("it is not to be destroyed yet");
}

int thrown(cl_context context)
{
    int count = 0;
    for (int i = 0; i < rounds; i++) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
        clSetMemObjectDestructorCallback(buffer, refuse, nullptr);
        try {
            clReleaseMemObject(buffer);
        } catch (const std::runtime_error &) {
            count++;
        }
    }
    return count;
}

} // namespace

int main()
{
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
    int count = thrown(context);
    cl_event gate = clCreateUserEvent(context, nullptr);
    clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr);
    std::thread setter([gate] { clSetUserEventStatus(gate, CL_COMPLETE); });
    clFinish(queue);
    setter.join();
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return count == rounds ? 0 : 1;
}
