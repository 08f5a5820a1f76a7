# Conversion of polymask.masks.sampling.Sampling, a tuple, to the engine's options.
from engine cimport Options, border_of, read_environment

cdef extern from *:
    """
    #include "polymask/polymask.hpp"

    static inline void touch(polymask::Options &options, bool closed)
    {
        options.touched = closed ? polymask::Squares::closed : polymask::Squares::open;
    }

    /* Throws the error of every call if the environment requests an unavailable feature. */
    static inline void choose_for_any()
    {
        const double triangle[] = {0, 0, 1, 0, 0, 1};
        static_cast<void>(polymask::choose({triangle, {}}, 1, 1, {}));
    }
    """
    void touch(Options &options, bint closed) noexcept
    void choose_for_any() except +


cdef inline int set_sampling(Options &options, sampling) except -1:
    border_value, center, offset, watertight, squares, threads = <tuple> sampling
    options.border = border_of(border_value)
    options.center = center
    options.row_offset, options.column_offset = <tuple> offset
    options.watertight = watertight
    options.threads = threads
    if squares is not None:
        touch(options, squares == "closed")
    return 0


# Rejects an environment that requests an instruction set that this processor lacks.
cdef inline int check_environment() except -1:
    from polymask.contract import BadSetting

    read_environment()
    try:
        choose_for_any()
    except RuntimeError as error:
        raise BadSetting(str(error)) from None
    return 0
