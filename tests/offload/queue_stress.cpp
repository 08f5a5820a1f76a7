/* The host engine's queue under stress, for sanitizers: prints "good" if all came out right. */
#include "offload/queue.hpp"

#include <cstdio>
#include <stdexcept>
#include <vector>

using polymask::offload::Queue;
using polymask::offload::Ticket;

extern "C" void add(long *sum, const long *by)
{
    *sum += *by;
}

extern "C" void fail()
{
    throw std::runtime_error("as it should");
}

static std::size_t address(const void *pointer)
{
    return reinterpret_cast<std::size_t>(pointer);
}

static int check(bool good, const char *what)
{
    if (!good)
        std::printf("wrong: %s\n", what);
    return good ? 0 : 1;
}

int main()
{
    const long rounds = 2000, one = 1;
    long sum = 0, copied = 0;
    int wrong = 0;
    const auto add_at = reinterpret_cast<std::size_t>(add);
    const auto fail_at = reinterpret_cast<std::size_t>(fail);
    {
        Queue queue;
        const auto work = [&] {
            for (long i = 0; i < rounds; i++)
                queue.call(add_at, {address(&sum), address(&one)});
        };
        std::thread other(work);
        work();
        other.join();
        const Ticket last = queue.mark();
        while (!last.wait(0.01)) {
        }
        wrong += check(sum == 2 * rounds && last.done(), "two threads with one queue");
        wrong += check(last.times->queued <= last.times->start, "its times");
    }
    {
        Queue first, second;
        sum = 0;
        for (long i = 0; i < rounds; i++) { /* each adds, in turns: nothing but tickets between */
            second.wait(first.call(add_at, {address(&sum), address(&one)}));
            first.wait(second.call(add_at, {address(&sum), address(&one)}));
        }
        while (!first.mark().wait(0.01)) {
        }
        wrong += check(sum == 2 * rounds, "two queues in turns");
    }
    {
        Queue queue;
        for (int i = 0; i < 10; i++)
            queue.call(fail_at, {});
        const Ticket ticket = queue.copy(address(&copied), address(&sum), sizeof sum);
        while (!ticket.wait(0.01)) {
        }
        wrong += check(queue.failure() == "as it should", "a failure is kept");
        wrong += check(queue.failure().empty(), "a failure is told once");
        wrong += check(copied == sum, "what comes after it runs");
        wrong += check(queue.mark().done(), "a mark where nothing is left to do");
    }
    std::vector<Ticket> left;
    for (int i = 0; i < 100; i++) {
        Queue queue;
        for (int j = 0; j < 20; j++)
            left.push_back(queue.call(add_at, {address(&sum), address(&one)}));
    } /* ends with work in it */
    for (const Ticket &ticket : left)
        wrong += check(ticket.done() && ticket.wait(0), "a ticket of a queue that has ended");
    if (!wrong)
        std::printf("good\n");
    return wrong;
}
