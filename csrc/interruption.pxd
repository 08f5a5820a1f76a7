# Signals, such as Ctrl-C, stop the engine. For functions that call it without the GIL.
cdef extern from *:
    """
    #include "polymask/interruption.hpp"

    #include <optional>

    #ifdef __linux__
    #include <sys/syscall.h>
    #include <unistd.h>
    #endif

    /* Signal handlers run only in the main thread. Other threads need not take the GIL, and must
     * not while the interpreter shuts down: it would end them inside C++ code. */
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
    # Between heed() and its destruction, an exception in a handler stops a call, which raises it.
    cdef cppclass Signals:
        void heed() noexcept nogil
