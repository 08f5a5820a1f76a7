/** @file config.hpp
 *  Requirements of the C++ headers for compilers, in addition to config.h.
 */
#pragma once

#include "polymask/config.h"

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "polymask's headers require C++20: compile with -std=c++20 or /std:c++20"
#endif
