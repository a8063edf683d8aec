/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Embree's functions, as far as the program `embree` calls them, of a library that is opened by its
 * path.  What is declared here is alike in Embree 3 and 4.
 */
#ifndef EMBREE_API_H
#define EMBREE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct RTCDeviceTy *RTCDevice;
typedef struct RTCSceneTy *RTCScene;
typedef struct RTCGeometryTy *RTCGeometry;
typedef struct RTCBufferTy *RTCBuffer;
typedef struct RTCBVHTy *RTCBVH;
typedef struct RTCThreadLocalAllocatorTy *RTCThreadLocalAllocator;

typedef bool (*RTCMemoryMonitorFunction)(void *, ssize_t, bool);
typedef void (*RTCErrorFunction)(void *, int, const char *);
typedef bool (*RTCProgressMonitorFunction)(void *, double);

/* The arguments of a function that bounds a primitive of user geometry. */
typedef struct RTCBoundsFunctionArguments {
    void *geometryUserPtr;
    unsigned int primID;
    unsigned int timeStep;
    float *bounds_o; /* lower x, y, z, padding; upper x, y, z, padding */
} RTCBoundsFunctionArguments;
typedef void (*RTCBoundsFunction)(const RTCBoundsFunctionArguments *);

typedef struct RTCBuildPrimitive {
    float lower[3];
    unsigned int geomID;
    float upper[3];
    unsigned int primID;
} __attribute__((aligned(32))) RTCBuildPrimitive;

typedef struct RTCBuildArguments {
    size_t byteSize;
    int buildQuality;
    int buildFlags;
    unsigned int maxBranchingFactor;
    unsigned int maxDepth;
    unsigned int sahBlockSize;
    unsigned int minLeafSize;
    unsigned int maxLeafSize;
    float traversalCost;
    float intersectionCost;
    RTCBVH bvh;
    RTCBuildPrimitive *primitives;
    size_t primitiveCount;
    size_t primitiveArrayCapacity;
    void *(*createNode)(RTCThreadLocalAllocator, unsigned int, void *);
    void (*setNodeChildren)(void *, void **, unsigned int, void *);
    void (*setNodeBounds)(void *, const void **, unsigned int, void *);
    void *(*createLeaf)(RTCThreadLocalAllocator, const RTCBuildPrimitive *, size_t, void *);
    void *splitPrimitive;
    RTCProgressMonitorFunction buildProgress;
    void *userPtr;
} RTCBuildArguments;

enum { RTC_DEVICE_PROPERTY_VERSION = 0 };
enum { RTC_ERROR_INVALID_ARGUMENT = 2, RTC_ERROR_OUT_OF_MEMORY = 4 };
enum {
    RTC_GEOMETRY_TYPE_TRIANGLE = 0,
    RTC_GEOMETRY_TYPE_QUAD = 1,
    RTC_GEOMETRY_TYPE_GRID = 2,
    RTC_GEOMETRY_TYPE_SUBDIVISION = 8,
    RTC_GEOMETRY_TYPE_FLAT_LINEAR_CURVE = 17,
    RTC_GEOMETRY_TYPE_ROUND_BEZIER_CURVE = 24,
    RTC_GEOMETRY_TYPE_SPHERE_POINT = 50,
    RTC_GEOMETRY_TYPE_USER = 120,
    RTC_GEOMETRY_TYPE_INSTANCE = 121,
    RTC_GEOMETRY_TYPE_INSTANCE_ARRAY = 122,
};
enum {
    RTC_BUFFER_TYPE_INDEX = 0,
    RTC_BUFFER_TYPE_VERTEX = 1,
    RTC_BUFFER_TYPE_VERTEX_ATTRIBUTE = 2,
    RTC_BUFFER_TYPE_GRID = 8,
    RTC_BUFFER_TYPE_FACE = 16,
    RTC_BUFFER_TYPE_LEVEL = 17,
    RTC_BUFFER_TYPE_TRANSFORM = 23,
    RTC_BUFFER_TYPE_FLAGS = 32,
};
enum {
    RTC_FORMAT_UINT = 0x5001,
    RTC_FORMAT_UINT3 = 0x5003,
    RTC_FORMAT_UINT4 = 0x5004,
    RTC_FORMAT_FLOAT = 0x9001,
    RTC_FORMAT_FLOAT3 = 0x9003,
    RTC_FORMAT_FLOAT4 = 0x9004,
    RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR = 0x9234,
    RTC_FORMAT_GRID = 0xA001,
};
enum {
    RTC_BUILD_QUALITY_LOW = 0,
    RTC_BUILD_QUALITY_MEDIUM = 1,
    RTC_BUILD_QUALITY_HIGH = 2,
    RTC_BUILD_QUALITY_REFIT = 3,
};
enum {
    RTC_SCENE_FLAG_DYNAMIC = 1,
    RTC_SCENE_FLAG_COMPACT = 2,
    RTC_SCENE_FLAG_ROBUST = 4,
};

/* name, result, parameters; Embree 3 lacks the last one, which is then NULL */
#define EMBREE_FUNCTIONS(X)                                                                        \
    X(rtcNewDevice, RTCDevice, (const char *))                                                     \
    X(rtcRetainDevice, void, (RTCDevice))                                                          \
    X(rtcReleaseDevice, void, (RTCDevice))                                                         \
    X(rtcGetDeviceProperty, ssize_t, (RTCDevice, int))                                             \
    X(rtcGetDeviceError, int, (RTCDevice))                                                         \
    X(rtcSetDeviceErrorFunction, void, (RTCDevice, RTCErrorFunction, void *))                      \
    X(rtcSetDeviceMemoryMonitorFunction, void, (RTCDevice, RTCMemoryMonitorFunction, void *))      \
    X(rtcNewBuffer, RTCBuffer, (RTCDevice, size_t))                                                \
    X(rtcNewSharedBuffer, RTCBuffer, (RTCDevice, void *, size_t))                                  \
    X(rtcGetBufferData, void *, (RTCBuffer))                                                       \
    X(rtcRetainBuffer, void, (RTCBuffer))                                                          \
    X(rtcReleaseBuffer, void, (RTCBuffer))                                                         \
    X(rtcNewScene, RTCScene, (RTCDevice))                                                          \
    X(rtcRetainScene, void, (RTCScene))                                                            \
    X(rtcReleaseScene, void, (RTCScene))                                                           \
    X(rtcCommitScene, void, (RTCScene))                                                            \
    X(rtcSetSceneFlags, void, (RTCScene, int))                                                     \
    X(rtcSetSceneBuildQuality, void, (RTCScene, int))                                              \
    X(rtcSetSceneProgressMonitorFunction, void, (RTCScene, RTCProgressMonitorFunction, void *))    \
    X(rtcAttachGeometry, unsigned int, (RTCScene, RTCGeometry))                                    \
    X(rtcDetachGeometry, void, (RTCScene, unsigned int))                                           \
    X(rtcNewGeometry, RTCGeometry, (RTCDevice, int))                                               \
    X(rtcRetainGeometry, void, (RTCGeometry))                                                      \
    X(rtcReleaseGeometry, void, (RTCGeometry))                                                     \
    X(rtcCommitGeometry, void, (RTCGeometry))                                                      \
    X(rtcDisableGeometry, void, (RTCGeometry))                                                     \
    X(rtcSetGeometryUserData, void, (RTCGeometry, void *))                                         \
    X(rtcSetGeometryTimeStepCount, void, (RTCGeometry, unsigned int))                              \
    X(rtcSetGeometryBuildQuality, void, (RTCGeometry, int))                                        \
    X(rtcSetGeometryUserPrimitiveCount, void, (RTCGeometry, unsigned int))                         \
    X(rtcSetGeometryBoundsFunction, void, (RTCGeometry, RTCBoundsFunction, void *))                \
    X(rtcSetGeometryInstancedScene, void, (RTCGeometry, RTCScene))                                 \
    X(rtcSetGeometryTransform, void, (RTCGeometry, unsigned int, int, const void *))               \
    X(rtcSetGeometryBuffer, void,                                                                  \
      (RTCGeometry, int, unsigned int, int, RTCBuffer, size_t, size_t, size_t))                    \
    X(rtcSetSharedGeometryBuffer, void,                                                            \
      (RTCGeometry, int, unsigned int, int, const void *, size_t, size_t, size_t))                 \
    X(rtcSetNewGeometryBuffer, void *, (RTCGeometry, int, unsigned int, int, size_t, size_t))      \
    X(rtcGetGeometryBufferData, void *, (RTCGeometry, int, unsigned int))                          \
    X(rtcUpdateGeometryBuffer, void, (RTCGeometry, int, unsigned int))                             \
    X(rtcNewBVH, RTCBVH, (RTCDevice))                                                              \
    X(rtcRetainBVH, void, (RTCBVH))                                                                \
    X(rtcReleaseBVH, void, (RTCBVH))                                                               \
    X(rtcBuildBVH, void *, (const RTCBuildArguments *))                                            \
    X(rtcThreadLocalAlloc, void *, (RTCThreadLocalAllocator, size_t, size_t))                      \
    X(rtcSetGeometryInstancedScenes, void, (RTCGeometry, RTCScene *, size_t))

typedef struct embree_t {
#define X(name, result, parameters) result(*name) parameters;
    EMBREE_FUNCTIONS(X)
#undef X
    const char *path;
} embree_t;

/* End the program, saying WHAT, unless CONDITION holds. */
void require(bool condition, const char *what);

/* Open the library PATH, whose names no other library sees. */
void embree_open(embree_t *embree, const char *path);

#endif
