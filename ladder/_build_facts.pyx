"""Facts about the build of this installation, recorded at compile time."""

from threads cimport POLYMASK_OPENMP

cdef extern from *:
    """
    #if defined(__clang__)
    #define POLYMASK_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define POLYMASK_COMPILER "gcc " __VERSION__
    #else
    #define POLYMASK_COMPILER "unknown"
    #endif
    """
    const char *POLYMASK_COMPILER
    const char *POLYMASK_FLAGS
    const int CYTHON_HEX_VERSION

COMPILER = POLYMASK_COMPILER.decode()
FLAGS = POLYMASK_FLAGS.decode()
CYTHON = ".".join(str((CYTHON_HEX_VERSION >> shift) & 0xFF) for shift in (24, 16, 8))
OPENMP = POLYMASK_OPENMP  # year and month of the specification; 0 without OpenMP
