/* CUDA's words for a CPU, an item a thread, so that sanitizers watch a kernel's own text.
 *
 * A program includes this file, then each .cl file in a namespace of its own, and its `main` calls
 * `run` with the kernels. It launches one kernel: its name is the program's argument, and sizes and
 * arguments are its input, as in cuda_on_cpu.py. Every buffer, and the local memory of each group,
 * has exactly the size that the host gives. Two groups run at a time, so races between groups are
 * seen, too.
 */
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <math.h> // not cmath: kernels call floor and fabs without a namespace
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

constexpr int TEAMS = 2, GARBAGE = 0xa5;

struct Extent {
    unsigned x, y, z;

    long size() const { return long{x} * y * z; }
    Extent at(long i) const { return {unsigned(i % x), unsigned(i / x % y), unsigned(i / x / y)}; }
};

[[noreturn]] inline void fail(const std::string &reason)
{
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::exit(1);
}

/* Items that compute a group together. CUDA has no defined result if one waits at another barrier
 * than the others, or returns before it: each says at which line it waits. */
class Team
{
  public:
    explicit Team(long items) : items(items) {}

    void wait(int line)
    {
        std::unique_lock lock(mutex);
        if (waiting++ == 0)
            common = line;
        else if (line != common)
            fail("items of a group wait at different barriers");
        if (waiting == items) {
            waiting = 0;
            turns++;
            all_wait.notify_all();
        } else {
            all_wait.wait(lock, [this, turn = turns] { return turns != turn; });
        }
    }

    void *memory = nullptr;

  private:
    const long items;
    long waiting = 0, turns = 0;
    int common = 0;
    std::mutex mutex;
    std::condition_variable all_wait;
};

inline Extent gridDim, blockDim;
inline thread_local Extent blockIdx, threadIdx;
inline thread_local Team *team;

/* The program's input: numbers of 8 bytes, and what they count. */
class Input
{
  public:
    template <class T> T number()
    {
        T value;
        read(&value, sizeof value);
        return value;
    }

    void read(void *to, std::size_t size)
    {
        if (std::fread(to, 1, size, stdin) != size)
            fail("the input ends too early");
    }

    long size() { return number<long>(); }

    Extent extent()
    {
        const long x = size(), y = size(), z = size();
        return {unsigned(x), unsigned(y), unsigned(z)};
    }

    /* Buffers begin as far from a multiple of 16 as they do on the host. */
    void read_buffers(long count)
    {
        buffers.resize(count);
        for (Buffer &buffer : buffers) {
            buffer.skew = size();
            buffer.size = size();
        }
        for (Buffer &buffer : buffers) {
            buffer.memory = static_cast<char *>(std::malloc(buffer.skew + buffer.size));
            std::memset(buffer.memory, GARBAGE, buffer.skew);
            read(buffer.begin(), buffer.size);
        }
    }

    template <class T> T argument()
    {
        const long given = size();
        if constexpr (std::is_pointer_v<T>) {
            if (given >= 0)
                fail("a number is given in the place of a buffer");
            return reinterpret_cast<T>(const_cast<char *>(buffers.at(-1 - given).begin()));
        } else {
            if (given != sizeof(T))
                fail("an argument has " + std::to_string(given) + " bytes, the kernel's has " +
                     std::to_string(sizeof(T)));
            return number<T>();
        }
    }

    void write_buffers()
    {
        for (Buffer &buffer : buffers) {
            for (long i = 0; i < buffer.skew; i++)
                if (static_cast<unsigned char>(buffer.memory[i]) != GARBAGE)
                    fail("a kernel wrote before a buffer");
            std::fwrite(buffer.begin(), 1, buffer.size, stdout);
            std::free(buffer.memory);
        }
    }

  private:
    struct Buffer {
        char *begin() { return memory + skew; }

        char *memory;
        long skew, size;
    };

    std::vector<Buffer> buffers;
};

template <class... Arguments> void launch(void (*kernel)(Arguments...), Input &input)
{
    const long local_bytes = input.size();
    input.read_buffers(input.size());
    if (input.size() != sizeof...(Arguments))
        fail("the kernel has " + std::to_string(sizeof...(Arguments)) + " arguments");
    const std::tuple<Arguments...> arguments{
        input.argument<std::remove_const_t<Arguments>>()...}; // braces: in this order
    const long items = blockDim.size();
    auto compute = [&](Team &own, int number, long first) {
        team = &own;
        threadIdx = blockDim.at(number);
        for (long group = first; group < gridDim.size(); group += TEAMS) {
            blockIdx = gridDim.at(group);
            if (number == 0)
                std::memset(own.memory = std::malloc(local_bytes), GARBAGE, local_bytes);
            own.wait(0);
            std::apply(kernel, arguments);
            own.wait(0);
            if (number == 0)
                std::free(own.memory);
        }
    };
    std::vector<std::thread> threads;
    std::vector<std::unique_ptr<Team>> teams;
    for (int first = 0; first < std::min<long>(TEAMS, gridDim.size()); first++) {
        teams.push_back(std::make_unique<Team>(items));
        for (int number = 0; number < items; number++)
            threads.emplace_back(compute, std::ref(*teams.back()), number, first);
    }
    for (std::thread &thread : threads)
        thread.join();
    input.write_buffers();
}

using Launch = std::function<void(Input &)>;

template <class... Arguments> Launch launcher(void (*kernel)(Arguments...))
{
    return [=](Input &input) { launch(kernel, input); };
}

inline int run(const std::map<std::string, Launch> &kernels, int count, char **arguments)
{
    if (count != 2 || !kernels.contains(arguments[1]))
        fail("name one of the kernels");
    Input input;
    gridDim = input.extent();
    blockDim = input.extent();
    kernels.at(arguments[1])(input);
    return 0;
}

/* The words of CUDA C++ that csrc/device.h uses. */

struct alignas(16) double2 {
    double x, y;
};

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

template <class T> T atomicAdd(T *address, T value)
{
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}

template <class T> T atomicOr(T *address, T value)
{
    return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}

template <class T> T atomicXor(T *address, T value)
{
    return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

template <class T> T atomicMax(T *address, T value)
{
    T old = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(address, &old, value, false,
                                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
}

inline int __popc(unsigned word)
{
    return __builtin_popcount(word);
}

inline long long __double_as_longlong(double value)
{
    long long bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline unsigned __float_as_uint(float value)
{
    unsigned bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define __global__
#define __syncthreads() team->wait(__LINE__)
#include "device.h"
#undef KERNEL
#undef LOCAL_MEMORY
#define KERNEL static /* not extern "C": each file's kernels are in a namespace */
#define LOCAL_MEMORY(type, name) type *const name = static_cast<type *>(team->memory)

/* The words of OpenCL C in kernels without local memory. */

inline long get_global_id(int axis)
{
    return axis ? GLOBAL_Y : GLOBAL_X;
}

#define kernel static
#define global
