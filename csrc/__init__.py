"""C and C++ sources; a package, so that headers and kernels are found at run time."""
