# A toolchain for another processor, for the presets in CMakePresets.json: Debian's cross-compilers,
# and qemu to run their programs. POLYMASK_CROSS is the compilers' name of the target, and
# POLYMASK_CROSS_QEMU is qemu's.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES POLYMASK_CROSS POLYMASK_CROSS_QEMU)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR "${POLYMASK_CROSS}")
set(CMAKE_SYSTEM_NAME Linux)

set(CMAKE_CXX_COMPILER ${POLYMASK_CROSS}-g++)
set(CMAKE_C_COMPILER ${POLYMASK_CROSS}-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/${POLYMASK_CROSS})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# -static, because a program that searches for its loader and libraries could find the host's.
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
find_program(POLYMASK_QEMU NAMES qemu-${POLYMASK_CROSS_QEMU} qemu-${POLYMASK_CROSS_QEMU}-static
    REQUIRED)
set(CMAKE_CROSSCOMPILING_EMULATOR ${POLYMASK_QEMU})
