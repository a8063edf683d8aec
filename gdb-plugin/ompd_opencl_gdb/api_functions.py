# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parameters and results of the OpenCL functions that catchpoints stop at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional

from ompd_opencl.structures import Kind

if TYPE_CHECKING:
    from .values import Values

# One letter for each parameter. Sizes: i has 32 bits, l has 64, w is a machine word. Words with a
# meaning: z is the size of the new object, h the released object, e the address for the error.
# Arrays: n is the capacity, 32 bits, a the address of the handles, c the address for their count.
_MAKES: Dict[str, Dict[str, str]] = {
    "context": {"clCreateContext": "wiwwwe", "clCreateContextFromType": "wlwwe"},
    "queue": {
        "clCreateCommandQueue": "wwle",
        "clCreateCommandQueueWithProperties": "wwwe",
        "clCreateCommandQueueWithPropertiesKHR": "wwwe",
    },
    "memobj": {
        "clCreateBuffer": "wlzwe",
        "clCreateBufferWithProperties": "wwlzwe",
        "clCreateSubBuffer": "wliwe",
        "clCreateImage": "wlwwwe",
        "clCreateImageWithProperties": "wwlwwwe",
        "clCreateImage2D": "wlwwwwwe",
        "clCreateImage3D": "wlwwwwwwwe",
        "clCreatePipe": "wliiwe",
        "clCreateFromGLBuffer": "wlie",
        "clCreateFromGLTexture": "wliiie",
        "clCreateFromGLTexture2D": "wliiie",
        "clCreateFromGLTexture3D": "wliiie",
        "clCreateFromGLRenderbuffer": "wlie",
        "clCreateFromEGLImageKHR": "wwwlwe",
    },
    "svm_allocation": {"clSVMAlloc": "wlzi"},
    "event": {
        "clCreateUserEvent": "we",
        "clCreateEventFromGLsyncKHR": "wwe",
        "clCreateEventFromEGLSyncKHR": "wwwe",
    },
    "kernel": {"clCreateKernel": "wwe", "clCloneKernel": "we"},
    "program": {
        "clCreateProgramWithSource": "wiwwe",
        "clCreateProgramWithBinary": "wiwwwwe",
        "clCreateProgramWithBuiltInKernels": "wiwwe",
        "clCreateProgramWithIL": "wwwe",
        "clCreateProgramWithILKHR": "wwwe",
        "clLinkProgram": "wiwwiwwwe",
    },
    "sampler": {"clCreateSampler": "wiiie", "clCreateSamplerWithProperties": "wwe"},
}
_MAKES_MANY = {"kernel": {"clCreateKernelsInProgram": "wnac"}}
_MAPS = {"clEnqueueMapBuffer": "wwilwwiwwe", "clEnqueueMapImage": "wwilwwwwiwwe"}
_RELEASES: Dict[str, Dict[str, str]] = {
    "context": {"clReleaseContext": "h"},
    "queue": {"clReleaseCommandQueue": "h"},
    "memobj": {"clReleaseMemObject": "h"},
    "svm_allocation": {"clSVMFree": "wh"},
    "event": {"clReleaseEvent": "h"},
    "kernel": {"clReleaseKernel": "h"},
    "program": {"clReleaseProgram": "h"},
    "sampler": {"clReleaseSampler": "h"},
}
# Functions that take a callback, and the index of that parameter.
_REGISTERS = {
    "destructor": {
        "clSetMemObjectDestructorCallback": 1,
        "clSetContextDestructorCallback": 1,
        "clSetProgramReleaseCallback": 1,
    },
    "svm-free": {"clEnqueueSVMFree": 3},
}
_GIVE_NO_STATUS = (
    "clSVMFree",
    "clGetExtensionFunctionAddress",
    "clGetExtensionFunctionAddressForPlatform",
)
_EXTENSIONS = 512  # first number of functions that the loader may not export


class Function(NamedTuple):
    """An OpenCL function, or a function that the recorder calls for it."""

    name: str
    parameters: str = "wwwwwww"  # as above
    kind: Optional[str] = None  # of the object that it creates or releases
    makes: bool = False  # it returns the new object, or NULL on failure
    callback: Optional[int] = None  # the index of the callback parameter
    gives_status: bool = True

    def place(self, letter: str) -> Optional[int]:
        """The index of the parameter with this letter."""
        found = self.parameters.find(letter)
        return found if found >= 0 else None


def creating() -> List[Function]:
    """The functions that create one object and return it."""
    return [
        Function(name, parameters, kind, True)
        for kind, functions in _MAKES.items()
        for name, parameters in functions.items()
    ]


def creating_many() -> List[Function]:
    """The functions that create several objects and return a status."""
    return [
        Function(name, parameters, kind)
        for kind, functions in _MAKES_MANY.items()
        for name, parameters in functions.items()
    ]


def releasing() -> List[Function]:
    """The functions that release a reference, or free memory."""
    return [
        Function(name, parameters, kind, gives_status=name not in _GIVE_NO_STATUS)
        for kind, functions in _RELEASES.items()
        for name, parameters in functions.items()
    ]


def registering(event: str) -> List[Function]:
    """The functions that register callbacks, "destructor" or "svm-free"."""
    parameters = {1: "www", 3: "wiwwwiww"}
    return [
        Function(name, parameters[index], callback=index)
        for name, index in _REGISTERS[event].items()
    ]


def failing(values: "Values") -> List[Function]:
    """All functions that report failures.  Raises OpenCLError."""
    made = [function for function in creating() if function.place("e") is not None]
    made += [Function(name, parameters, None, True) for name, parameters in _MAPS.items()]
    others = {function.name for function in creating()} | set(_MAPS) | set(_GIVE_NO_STATUS)
    return made + [
        Function(name)
        for number, name in values.names(Kind.ERROR, "call").items()
        if number < _EXTENSIONS and name not in others
    ]
