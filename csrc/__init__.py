"""The C and C++ of the project; a package, so that its headers and kernels are found at run time."""
