/* POLYMASK_GNU: the compiler supports GCC's extensions of C and C++, as clang does. Code that uses
 * them has an alternative in standard C or C++ for MSVC; -DPOLYMASK_STANDARD selects it everywhere,
 * for tests.
 */
#ifndef POLYMASK_EXTENSIONS_H
#define POLYMASK_EXTENSIONS_H

#if defined(__GNUC__) && !defined(POLYMASK_STANDARD)
#define POLYMASK_GNU 1
#endif

#endif
