# Language, warnings and compiler cache for every target below.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Not for builds from nothing (CAMBER_CCACHE=OFF in the preset `test`): there it finds nothing, and costs 0.2 s per file.
option(CAMBER_CCACHE "Compile through ccache if it is installed" ON)
find_program(CCACHE_PROGRAM ccache)
if(CAMBER_CCACHE AND CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # With a precompiled header, ccache takes our word that no __DATE__ is in it.
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
endif()

# Third-party headers are system includes, so these speak about our code alone. -Wsign-conversion is
# left out: containers index with size_t, Eigen and our typed indices with int.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  "$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor;-Woverloaded-virtual;-Wextra-semi>")
if(CAMBER_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # At -O3, g++ 12 warns of strings that it joins and moves itself (GCC bugs 105329, 105651).
  add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# g++ collects garbage when its heap has grown to 128 MB; on a machine with memory to spare, a tenth of its time goes into that.
cmake_host_system_information(RESULT CAMBER_MEMORY QUERY TOTAL_PHYSICAL_MEMORY)  # [MB]
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CAMBER_MEMORY GREATER 7000)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=1048576>")
endif()

# The instruction set, for every target alike: Eigen aligns its memory by it, so mixed objects would
# not fit together. The presets say `native`; empty means what every processor of the kind has, and
# x86-64-v3 (AVX2) is what valgrind can run (docs/decisions/0006-instruction-set.md).
set(CAMBER_ARCH "" CACHE STRING "Value of the compiler's -march, or empty")
if(CAMBER_ARCH)
  add_compile_options(-march=${CAMBER_ARCH})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns of its own AVX-512 intrinsics, which Eigen uses (GCC bug 105593).
    add_compile_options(-Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endif()

# Bitwise reproducible results: a*b+c must not become one rounding on the machine that has an FMA.
add_compile_options(-ffp-contract=off)
