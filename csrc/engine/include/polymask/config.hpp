/** @file config.hpp
 *  What the headers for C++ ask of a compiler beside config.h.
 */
#pragma once

#include "polymask/config.h"

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "polymask's headers want C++20: compile with -std=c++20 or /std:c++20"
#endif
