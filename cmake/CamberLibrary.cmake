# camber::camber, which links all modules, and what all of them have in common.

include(CamberPrivateHeaders)
include(CamberUnity)
include(CamberLevels)

add_library(camber_library INTERFACE)
add_library(camber::camber ALIAS camber_library)

# Sets CAMBER_MODULES: the libraries camber_<module> that have an alias camber::<module>, in the order of CAMBER_PARTS.
function(camber_finish_library)
  set(modules "")
  set(targets "")
  foreach(part IN LISTS CAMBER_PARTS)
    get_property(found DIRECTORY ${PROJECT_SOURCE_DIR}/${part} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS found)
      get_target_property(type ${target} TYPE)
      if(NOT type MATCHES "^(STATIC_LIBRARY|OBJECT_LIBRARY|EXECUTABLE)$")
        continue()
      endif()
      if(NOT part STREQUAL "examples")  # compiled as their users compile them
        list(APPEND targets ${target})
      endif()
      string(REGEX REPLACE "^camber_" "" module ${target})
      if(type STREQUAL "STATIC_LIBRARY" AND TARGET camber::${module})
        list(APPEND modules ${target})
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${module})
      endif()
    endforeach()
  endforeach()
  set(CAMBER_MODULES ${modules} PARENT_SCOPE)
  target_link_libraries(camber_library INTERFACE ${modules})
  add_custom_target(camber_modules DEPENDS ${modules})
  camber_hide_private_headers(${modules})

  # A file that uses the library is compiled for the same instruction set: camber/core/build_flags.h insists on it.
  if(CAMBER_ARCH)
    target_compile_options(camber_core INTERFACE -march=${CAMBER_ARCH})
  endif()
  target_compile_features(camber_core INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)

  # Other options than the rest, another language standard, or a file or two: not worth it, or not possible.
  list(REMOVE_ITEM targets camber_bench_program camber_generated_code camber_peer_simbody_system camber)
  camber_set_levels()
  if(CAMBER_BENCH AND CAMBER_TESTS)  # tests look at values, not at times
    get_property(benches DIRECTORY ${PROJECT_SOURCE_DIR}/bench PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER benches INCLUDE REGEX "^camber[-_]bench[-_]")
    foreach(target IN LISTS benches)
      camber_set_level(${target} 1)
    endforeach()
    camber_unite(${benches})
  endif()
  list(FILTER targets EXCLUDE REGEX "^scene_ray_bits_x86")
  camber_precompile(${targets})
  if(CAMBER_PRECOMPILE AND TARGET camber_python)
    target_precompile_headers(camber_python PRIVATE ${CAMBER_PRECOMPILED_HEADERS} <pybind11/numpy.h> <pybind11/stl.h>)
    target_compile_options(camber_python PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
  camber_unite(camber_analysis camber_autonomy camber_city camber_codegen camber_commands camber_core camber_driveline
    camber_dynamics camber_figures camber_integrate camber_lagrange camber_live camber_mechanism_code camber_multibody_setup
    camber_planning camber_record
    camber_report camber_rolling_wheel camber_run camber_scenario camber_scene camber_sensors camber_server camber_study camber_symbolic
    camber_terrain camber_tire camber_vehicle camber_view camber_world)
endfunction()
