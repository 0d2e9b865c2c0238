# Fails the build when an include points against the order of the modules (tools/check_includes.py).

# Debian's Python has the modules of packages.txt; another one may come first in PATH, and skip what needs them.
find_program(CAMBER_DEBIAN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(CAMBER_DEBIAN_PYTHON AND NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE ${CAMBER_DEBIAN_PYTHON})
endif()
if(CAMBER_TESTS)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
else()
  find_package(Python3 QUIET COMPONENTS Interpreter)
endif()
if(NOT Python3_FOUND OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

file(GLOB_RECURSE include_order_inputs CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/camber/*.h ${PROJECT_SOURCE_DIR}/camber/*.cc
  ${PROJECT_SOURCE_DIR}/camber/*/CMakeLists.txt)
set(include_order_check ${PROJECT_SOURCE_DIR}/tools/check_includes.py)
set(include_order_stamp ${PROJECT_BINARY_DIR}/include_order.stamp)
add_custom_command(OUTPUT ${include_order_stamp}
  COMMAND ${Python3_EXECUTABLE} ${include_order_check} ${PROJECT_SOURCE_DIR}
    --stamp ${include_order_stamp}
  DEPENDS ${include_order_inputs} ${include_order_check} ${PROJECT_SOURCE_DIR}/CMakeLists.txt
  COMMENT "Checking the order of includes" VERBATIM)
add_custom_target(include_order ALL DEPENDS ${include_order_stamp})

if(CAMBER_TESTS)
  add_test(NAME include_order COMMAND ${Python3_EXECUTABLE} ${include_order_check} ${PROJECT_SOURCE_DIR})
  add_test(NAME include_order_finds_violations COMMAND ${Python3_EXECUTABLE}
    ${PROJECT_SOURCE_DIR}/tests/tools/check_includes_test.py ${include_order_check} -v)
  add_test(NAME modules_picture_is_current COMMAND ${Python3_EXECUTABLE}
    ${PROJECT_SOURCE_DIR}/tools/draw_modules.py ${PROJECT_SOURCE_DIR} --check)
  set_tests_properties(include_order include_order_finds_violations modules_picture_is_current
    PROPERTIES LABELS tools)
endif()
