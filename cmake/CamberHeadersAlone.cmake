# camber_headers_alone: compiles each header without a source file of its own as the only thing in a file, twice, so that
# it includes what it needs; a source file includes its own header first. To compile all headers without precompiled ones
# took a fifth of the time of `make test`. tools/check_includes.py finds standard headers that are not included, which
# precompiled headers hide, and source files that do not start with their own header.

function(camber_compile_headers_alone)
  if(NOT CAMBER_TESTS OR CAMBER_FUZZ)
    return()
  endif()
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/camber/*.h)
  list(FILTER headers EXCLUDE REGEX "/(test|fuzz)/")
  set(sources "")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.h$" ".cc" own_source ${header})
    if(EXISTS ${PROJECT_SOURCE_DIR}/${own_source})
      continue()
    endif()
    string(REPLACE "/" "_" name ${header})
    set(source ${PROJECT_BINARY_DIR}/headers_alone/${name}.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND sources ${source})
  endforeach()
  add_library(camber_headers_alone OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(camber_headers_alone PRIVATE camber::camber)
  target_include_directories(camber_headers_alone PRIVATE ${PROJECT_SOURCE_DIR})
  camber_precompile(camber_headers_alone)
endfunction()
