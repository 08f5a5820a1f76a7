# Conversion of polymask.masks.sampling.Sampling, a tuple, to the engine's options.
from engine cimport Grid, Rule, Selection, Work, border_of, read_environment

cdef extern from *:
    """
    #include "polymask/polymask.hpp"

    /* The tuple, with a shape. */
    struct Sampling {
        polymask::Grid grid;
        polymask::Rule rule;
        polymask::Selection selection;
        polymask::Work work;
    };

    static inline void touch(Sampling &sampling, bool closed)
    {
        sampling.selection = closed ? polymask::Squares::closed : polymask::Squares::open;
    }

    /* Throws the error of every call if the environment requests an unavailable feature. */
    static inline void choose_for_any()
    {
        const double triangle[] = {0, 0, 1, 0, 0, 1};
        static_cast<void>(polymask::choose({triangle, {}}, {{1, 1}}));
    }
    """
    cdef cppclass Sampling:
        Grid grid
        Rule rule  # of functions that have no other selection
        Selection selection
        Work work

    void touch(Sampling &sampling, bint closed) noexcept
    void choose_for_any() except +


# Sets all but the shape.
cdef inline int set_sampling(Sampling &to, sampling) except -1:
    border_value, center, offset, watertight, squares, threads = <tuple> sampling
    to.grid.center = center
    to.grid.row_offset, to.grid.column_offset = <tuple> offset
    to.rule.border = border_of(border_value)
    to.rule.watertight = watertight
    to.work.threads = threads
    if squares is None:
        to.selection = to.rule
    else:
        touch(to, squares == "closed")
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
