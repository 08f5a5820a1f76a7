/** @file config.hpp
 *  Requirements of the C++ headers for compilers, in addition to config.h, and the namespace of
 *  their version.
 */
#pragma once

#include "polymask/config.h"

#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : __cplusplus < 202002L
#error "polymask's headers require C++20: compile with -std=c++20 or /std:c++20"
#endif

/* The inline namespace of everything in polymask, such as v0_1: symbols of versions that are
 * incompatible differ, so that one program can link both. */
#define POLYMASK_JOIN_VERSION(major, minor) v##major##_##minor
#define POLYMASK_NAME_VERSION(major, minor) POLYMASK_JOIN_VERSION(major, minor)
#define POLYMASK_ABI POLYMASK_NAME_VERSION(POLYMASK_VERSION_MAJOR, POLYMASK_VERSION_MINOR)
