# Writes camber/core/build_flags.h: what the library is compiled with, and #error for a file that is compiled with
# something that does not fit together with it (docs/decisions/0012-installed-library.md).

find_package(Eigen3 3.4 REQUIRED NO_MODULE)

# camber_write_build_flags(<arch> <folder>): <folder>/camber/core/build_flags.h for -march=<arch>
function(camber_write_build_flags arch folder)
  set(extensions AVX AVX2 FMA AVX512F AVX512DQ)
  set(probe ${PROJECT_BINARY_DIR}/build_flags_probe.cc)
  set(text "#include <Eigen/Core>\n")
  foreach(extension IN LISTS extensions)
    string(APPEND text "#ifdef __${extension}__\ncamber_has_${extension}\n#endif\n")
  endforeach()
  string(APPEND text "#ifdef _GLIBCXX_DEBUG\ncamber_has_GLIBCXX_DEBUG\n#endif\n"
    "camber_align EIGEN_MAX_ALIGN_BYTES\ncamber_eigen EIGEN_WORLD_VERSION EIGEN_MAJOR_VERSION\n")
  file(CONFIGURE OUTPUT ${probe} CONTENT "${text}")

  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  list(TRANSFORM eigen PREPEND -I)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
  if(arch)
    list(APPEND flags -march=${arch})
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 ${eigen} -E -P ${probe}
    OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_VARIABLE error)
  if(NOT status EQUAL 0 OR NOT output MATCHES "camber_align ([0-9]+)")
    message(FATAL_ERROR "cannot find out what ${CMAKE_CXX_COMPILER} ${flags} compiles for: ${error}")
  endif()
  set(CAMBER_EIGEN_ALIGNMENT ${CMAKE_MATCH_1})
  if(NOT output MATCHES "camber_eigen ([0-9]+) ([0-9]+)")
    message(FATAL_ERROR "cannot find the version of Eigen")
  endif()
  set(CAMBER_EIGEN_WORLD ${CMAKE_MATCH_1})
  set(CAMBER_EIGEN_MAJOR ${CMAKE_MATCH_2})
  foreach(name IN LISTS extensions ITEMS GLIBCXX_DEBUG)
    string(FIND "${output}" "camber_has_${name}\n" place)
    if(place EQUAL -1)
      set(CAMBER_HAS_${name} 0)
    else()
      set(CAMBER_HAS_${name} 1)
    endif()
  endforeach()
  if(arch)
    set(CAMBER_ARCH_FLAG "-march=${arch}")
  else()
    set(CAMBER_ARCH_FLAG "no -march at all")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/build_flags.h.in ${folder}/camber/core/build_flags.h
    @ONLY)
endfunction()

camber_write_build_flags("${CAMBER_ARCH}" ${PROJECT_BINARY_DIR}/include)
