/* POLYMASK_GNU: the compiler has GCC's extensions of C and C++, as clang has. Whatever uses them
 * has a way without beside it, for MSVC; -DPOLYMASK_STANDARD takes that way anywhere, so that tests
 * can.
 */
#ifndef POLYMASK_EXTENSIONS_H
#define POLYMASK_EXTENSIONS_H

#if defined(__GNUC__) && !defined(POLYMASK_STANDARD)
#define POLYMASK_GNU 1
#endif

#endif
