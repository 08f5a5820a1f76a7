#include "polymask/interruption.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

thread_local Interruption *innermost = nullptr;

} // namespace

const char *Interrupted::what() const noexcept
{
    return "the call was stopped";
}

Interruption::Interruption(Ask ask, void *context, std::chrono::milliseconds between) noexcept
    : ask_(ask), context_(context), outer_(innermost), between_(between)
{
    innermost = this;
}

Interruption::~Interruption()
{
    innermost = outer_;
}

void Interruption::stop_if_asked()
{
    if (innermost == nullptr)
        return;
    const auto now = std::chrono::steady_clock::now();
    Interruption &current = *innermost;
    if (current.next_ == std::chrono::steady_clock::time_point{}) {
        current.next_ = now + current.between_;
    } else if (now >= current.next_) {
        current.next_ = now + current.between_;
        if (current.ask_(current.context_))
            throw Interrupted();
    }
}

} // namespace polymask::inline POLYMASK_ABI
