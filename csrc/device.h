/* The words in which OpenCL C and CUDA C++ differ, so that scanline.cl is one text for both.
 *
 * The kernels of polymask.cuda use the same words, and some more of CUDA alone.
 *
 * A kernel is KERNEL void name(GLOBAL const double *in, ..., LOCAL_ARGUMENT(uint, memory)) and
 * begins with LOCAL_MEMORY(uint, memory): OpenCL passes local memory (CUDA: shared memory) as the
 * last argument, CUDA declares it, with one type in all kernels of a file. Its axes are x, the
 * fastest, and y, which continues in z, as CUDA has at most 65535 groups in y. An item is a thread
 * of CUDA, a group is a block.
 */
#ifndef POLYMASK_DEVICE_H
#define POLYMASK_DEVICE_H

#include "inside_polygon.h"

#if defined(__OPENCL_VERSION__)

#define KERNEL kernel
#define GLOBAL global
#define LOCAL local
#define LOCAL_ARGUMENT(type, name) local type *name
#define LOCAL_MEMORY(type, name)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LOCAL_X ((int)get_local_id(0))
#define LOCAL_Y ((int)get_local_id(1))
#define LOCAL_SIZE_X ((int)get_local_size(0))
#define GLOBAL_X ((long)get_global_id(0))
#define GLOBAL_Y ((long)(get_global_id(1) + get_group_id(2) * get_global_size(1)))
#define GROUP_X ((long)get_group_id(0))
#define ATOMIC_OR(address, value) atomic_or(address, value)
#define ATOMIC_XOR(address, value) atomic_xor(address, value)
#define STORE_16(address, a, b, c, d) *(global uint4 *)(address) = (uint4)(a, b, c, d)
/* 16 bits as 16 bytes, the lowest bit first: here in 16 lanes, which is faster on a CPU */
#define LANES_16 (ushort16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define STORE_BITS(address, bits)                                                                  \
    *(global uchar16 *)(address) = convert_uchar16((ushort16)(bits) >> LANES_16 & (ushort16)(1))

#else

typedef unsigned char uchar;
typedef unsigned int uint;
#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL
/* int, so that both languages have the same number of arguments: CUDA ignores this one */
#define LOCAL_ARGUMENT(type, name) int
#define LOCAL_MEMORY(type, name) extern __shared__ type name[]
#define BARRIER() __syncthreads()
#define LOCAL_X ((int)threadIdx.x)
#define LOCAL_Y ((int)threadIdx.y)
#define LOCAL_SIZE_X ((int)blockDim.x)
#define GLOBAL_X ((polymask_index)blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y (((polymask_index)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)
#define GROUP_X ((polymask_index)blockIdx.x)
#define ATOMIC_ADD(address, value) atomicAdd(address, value)
#define ATOMIC_MAX(address, value) atomicMax(address, value)
#define ATOMIC_OR(address, value) atomicOr(address, value)
#define ATOMIC_XOR(address, value) atomicXor(address, value)
#define COUNT_BITS(word) __popc(word)
#define DOUBLE_BITS(value) __double_as_longlong(value)
#define FLOAT_BITS(value) __float_as_uint(value)
#define STORE_16(address, a, b, c, d) *(uint4 *)(address) = make_uint4(a, b, c, d)
#define STORE_BITS(address, bits)                                                                  \
    STORE_16(address, bytes_of(bits), bytes_of((bits) >> 4), bytes_of((bits) >> 8),                \
             bytes_of((bits) >> 12))

#endif

/* Bit i of the result is the exclusive or of the bits i..31. */
POLYMASK_FUNCTION uint xor_from_the_right(uint bits)
{
    bits ^= bits >> 1;
    bits ^= bits >> 2;
    bits ^= bits >> 4;
    bits ^= bits >> 8;
    return bits ^ bits >> 16;
}

/* The lowest four bits as four bytes, the lowest bit first. */
POLYMASK_FUNCTION uint bytes_of(uint bits)
{
    return (bits & 15) * 0x00204081u & 0x01010101u;
}

#endif
