/* Threads that wait for work, and help with it. */
#pragma once

#include <condition_variable>

namespace polymask::detail
{

struct Crew;

/* Work that is offered to at most `helpers` other threads while this lives: each that comes calls
 * help(context) once. Nobody may come: all are busy, or the system has no more threads, so the one
 * who offers has to be able to do it all. */
class Offer
{
  public:
    using Help = void (*)(void *context) noexcept;

    Offer(int helpers, Help help, void *context) noexcept;
    /* Who has not come yet does not; waits for those who have. */
    ~Offer();
    Offer(const Offer &) = delete;
    Offer &operator=(const Offer &) = delete;

    /* From now on nobody comes; waits for those who have, for 50 milliseconds at most, and returns
     * whether all have left. */
    bool is_over_soon() noexcept;

  private:
    friend struct Crew;
    const Help help_;
    void *const context_;
    int places_;     /* how many more may come */
    int inside_ = 0; /* how many are at it */
    Offer *next_ = nullptr;
    Crew *crew_; /* asked */
    std::condition_variable left_;
};

} // namespace polymask::detail
