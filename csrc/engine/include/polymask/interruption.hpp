/** @file interruption.hpp
 *  Interruption of long calls. */
#pragma once

#include <chrono>
#include <exception>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI
{

/** The exception of a call that was stopped. Its output is written in part; the call has no other
 *  effects. */
class POLYMASK_API Interrupted : public std::exception
{
  public:
    const char *what() const noexcept override;
};

/** While an Interruption exists, calls from the thread that created it regularly ask whether to
 *  stop, by default about ten times per second. If there are several, the last one is called. */
class Interruption
{
  public:
    /** Called only in the thread that called the engine; true stops the call. */
    using Ask = bool (*)(void *context) noexcept;

    POLYMASK_API explicit Interruption(
        Ask ask, void *context = nullptr,
        std::chrono::milliseconds between = std::chrono::milliseconds(100)) noexcept;
    POLYMASK_API ~Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;

    /** Asks if the interval has passed, and throws Interrupted to stop. (For the engine.) */
    POLYMASK_API static void stop_if_asked();

  private:
    Ask ask_;
    void *context_;
    Interruption *outer_;
    std::chrono::milliseconds between_; /* the interval */
    std::chrono::steady_clock::time_point next_ = {};
};

} // namespace polymask::inline POLYMASK_ABI
