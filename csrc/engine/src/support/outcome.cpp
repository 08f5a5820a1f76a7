#include "support/outcome.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "polymask/interruption.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

namespace
{

Outcome outcome(Status status, const char *message) noexcept
{
    Outcome result;
    result.status = status;
    *std::copy_n(message, std::min(std::strlen(message), sizeof result.message - 1),
                 result.message) = '\0';
    return result;
}

} // namespace

Outcome outcome_of_exception() noexcept
{
    try {
        throw;
    } catch (const std::invalid_argument &invalid) {
        return outcome(Status::invalid, invalid.what());
    } catch (const std::length_error &length) { /* from outlines */
        return outcome(Status::invalid, length.what());
    } catch (const std::bad_alloc &) {
        return outcome(Status::out_of_memory, "work memory cannot be allocated");
    } catch (const Interrupted &interrupted) {
        return outcome(Status::interrupted, interrupted.what());
    } catch (const std::runtime_error &unavailable) { /* from dispatch and stores */
        return outcome(Status::unavailable, unavailable.what());
    } catch (const std::exception &failure) {
        return outcome(Status::failed, failure.what());
    } catch (...) {
        return outcome(Status::failed, "an unknown exception");
    }
}

} // namespace polymask::inline POLYMASK_ABI::detail
