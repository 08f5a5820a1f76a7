# Signals stop the engine: Ctrl-C, say. For functions that call it without the GIL.
cdef extern from *:
    """
    #include "polymask/interruption.hpp"

    #include <optional>

    #ifdef __linux__
    #include <sys/syscall.h>
    #include <unistd.h>
    #endif

    /* Handlers run in the main thread alone. Others need not take the GIL, nor may they as the
     * interpreter ends: it would end them, amid C++. */
    static inline bool may_be_main_thread() noexcept
    {
    #ifdef __linux__
        return syscall(SYS_gettid) == getpid();
    #else
        return true;
    #endif
    }

    static inline bool handler_raised(void *) noexcept
    {
        if (!may_be_main_thread())
            return false;
        const PyGILState_STATE state = PyGILState_Ensure();
        const bool raised = PyErr_CheckSignals() != 0;
        PyGILState_Release(state);
        return raised;
    }

    class Signals
    {
      public:
        void heed() { stopped_.emplace(handler_raised); }

      private:
        std::optional<polymask::Interruption> stopped_;
    };
    """
    # From heed() on, until it goes: what a handler raises stops a call, and comes out of it.
    cdef cppclass Signals:
        void heed() noexcept nogil
