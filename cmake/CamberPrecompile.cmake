# The standard library and Eigen take longer to read than most of our files take to compile. They are read once, into a
# precompiled header, and every target below starts from it. What a file includes still has to be complete:
# headers are compiled alone (CamberHeadersAlone.cmake), and clang-tidy reads sources without precompiled ones.
#
# camber_precompile(<target>...)   after the targets are defined
#
# g++ takes a precompiled header only if code is as position independent as the header: libraries and programs have one
# each, for each level of optimization, tests one with GoogleTest, and what reads command lines one with CLI11, which takes
# 3 s to read. A precompiled header also brings the optimization flags that it was compiled with,
# silently, instead of those of the file (-ffp-contract, -ftree-vectorize): a target with flags of its own has a header
# of its own, and a file with flags of its own has none.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CAMBER_PRECOMPILE_DEFAULT ON)
else()
  set(CAMBER_PRECOMPILE_DEFAULT OFF)
endif()
option(CAMBER_PRECOMPILE "Start every file from a precompiled header of the standard library and Eigen"
  ${CAMBER_PRECOMPILE_DEFAULT})

set(CAMBER_PRECOMPILED_HEADERS
  <algorithm> <array> <cmath> <complex> <cstddef> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers>
  <numeric> <optional> <set> <span> <sstream> <stdexcept> <string> <string_view> <type_traits> <unordered_map> <utility>
  <variant> <vector> <Eigen/Core> <Eigen/Geometry>)

# What compiles a precompiled header: a library of one empty file.
function(camber_add_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM" "LEVEL" "HEADERS;LIBS")
  set(source ${PROJECT_BINARY_DIR}/precompiled/${name}.cc)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE Eigen3::Eigen ${arg_LIBS})
  target_precompile_headers(${name} PRIVATE ${CAMBER_PRECOMPILED_HEADERS} ${arg_HEADERS})
  if(arg_LEVEL)
    target_compile_options(${name} PRIVATE -O${arg_LEVEL})
  endif()
  if(arg_PROGRAM)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIE)
  endif()
endfunction()

# Options of a target that are not those of all targets, apart from warnings and levels (cmake/CamberLevels.cmake).
function(camber_find_own_options target result)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_directory_property(common DIRECTORY ${PROJECT_SOURCE_DIR} COMPILE_OPTIONS)
  if(NOT options)
    set(options "")
  endif()
  list(REMOVE_ITEM options ${common})
  list(FILTER options EXCLUDE REGEX "-W")
  get_target_property(level ${target} CAMBER_LEVEL)
  if(level)
    list(REMOVE_ITEM options -O${level})
  endif()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

function(camber_skip_sources_with_options target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    get_source_file_property(options ${source} TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
endfunction()

function(camber_precompile)
  if(NOT CAMBER_PRECOMPILE)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    camber_skip_sources_with_options(${target})
    camber_find_own_options(${target} own_options)
    if(own_options)
      target_precompile_headers(${target} PRIVATE ${CAMBER_PRECOMPILED_HEADERS})
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
      continue()
    endif()
    if(NOT type STREQUAL "EXECUTABLE")
      set(precompiled camber_precompiled)
    elseif("GTest::gtest" IN_LIST libraries)
      set(precompiled camber_precompiled_test)
    else()
      set(precompiled camber_precompiled_program)
    endif()
    if("CLI11::CLI11" IN_LIST libraries)
      string(APPEND precompiled _cli)
    endif()
    set(at_level "")
    get_target_property(level ${target} CAMBER_LEVEL)
    if(level)
      string(APPEND precompiled _level_${level})
      set(at_level LEVEL ${level})
    endif()
    if(NOT TARGET ${precompiled})
      find_package(Eigen3 3.4 REQUIRED NO_MODULE)
      set(program "")
      if(type STREQUAL "EXECUTABLE")
        set(program PROGRAM)
      endif()
      set(further "")
      if(precompiled MATCHES "^camber_precompiled_test")
        set(further HEADERS <gtest/gtest.h> LIBS GTest::gtest)
      elseif(precompiled MATCHES "_cli")
        find_package(CLI11 REQUIRED)
        set(further HEADERS <CLI/CLI.hpp> LIBS CLI11::CLI11)
      endif()
      camber_add_precompiled(${precompiled} ${program} ${at_level} ${further})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
    # ccache needs this to know that the header is the one that it knows.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endforeach()
endfunction()
