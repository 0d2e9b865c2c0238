# CAMBER_LEVELS: how far files are optimized, by what their speed is worth. What runs in every step is compiled as the
# build type says (-O3 or -O2); what derives equations, plans and reads files by -O2; what sets up, records and reports a
# run, the program itself and the tests by -O1. Results are the same bits at every level: contraction is off, and the recursions of
# camber/multibody and generated/, where it is on, are not listed. Compilers need a quarter less time (docs/decisions/0013-build-time.md).

option(CAMBER_LEVELS "Optimize modules by what their speed is worth; for builds from nothing" OFF)

set(CAMBER_LEVEL_2 camber_city camber_codegen camber_core camber_lagrange camber_mechanism_code camber_multibody_setup
  camber_planning camber_symbolic camber_vehicle)
set(CAMBER_LEVEL_1 camber_analysis camber_figures camber_live camber_record camber_report camber_run camber_scenario camber_server
  camber_study camber_view camber camber_commands)

function(camber_set_level target level)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  if("${CMAKE_CXX_FLAGS_${build_type}}" MATCHES "-O${level}( |$)")
    return()  # as everything else
  endif()
  if(CAMBER_LEVELS AND TARGET ${target})
    target_compile_options(${target} PRIVATE -O${level})
    set_target_properties(${target} PROPERTIES CAMBER_LEVEL ${level})
  endif()
endfunction()

function(camber_set_levels)
  if(NOT CAMBER_LEVELS)
    return()
  endif()
  foreach(level 1 2)
    foreach(target IN LISTS CAMBER_LEVEL_${level})
      camber_set_level(${target} ${level})
    endforeach()
  endforeach()
  # Eigen's decompositions: for modes, assembly and fits, not for steps.
  set_source_files_properties(dense_complex.cc dense_eigen.cc
    DIRECTORY ${PROJECT_SOURCE_DIR}/camber/math PROPERTIES COMPILE_OPTIONS -O1)
  set_source_files_properties(dense.cc dense_least_squares.cc
    DIRECTORY ${PROJECT_SOURCE_DIR}/camber/math PROPERTIES COMPILE_OPTIONS -O2)
endfunction()
