/** @file interruption.hpp
 *  Calls that take long, and how they are stopped. */
#pragma once

#include <chrono>
#include <exception>

#include "polymask/config.hpp"

namespace polymask
{

/** What a call throws that was stopped. Its output is written in part then; nothing else is left of
 *  it. */
class POLYMASK_API Interrupted : public std::exception
{
  public:
    const char *what() const noexcept override;
};

/** While one lives, each call of the thread that made it asks whether to stop, some ten times a
 *  second if nothing else is said. Of several the one that was made last is asked. */
class Interruption
{
  public:
    /** Called by the thread that called the engine, and by no other; true stops the call. */
    using Ask = bool (*)(void *context) noexcept;

    POLYMASK_API explicit Interruption(
        Ask ask, void *context = nullptr,
        std::chrono::milliseconds between = std::chrono::milliseconds(100)) noexcept;
    POLYMASK_API ~Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;

    /** Asks if it is time to, and throws Interrupted. (For the engine.) */
    POLYMASK_API static void stop_if_asked();

  private:
    Ask ask_;
    void *context_;
    Interruption *outer_;
    std::chrono::milliseconds between_; /* asking once and again */
    std::chrono::steady_clock::time_point next_ = {};
};

} // namespace polymask
