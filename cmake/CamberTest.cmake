# camber_test(<name> <sources>... LIBS <targets>... [LABELS <labels>...])
#   One GoogleTest executable whose tests ctest knows one by one. Tests run in the source root, so a
#   test opens "models/mule.toml" as a user would.
# camber_fuzz(<name> <sources>... LIBS <targets>... [CORPUS <dir>] [DICT <file>] [RUNS <n>])
#   A libFuzzer target, there only with CAMBER_FUZZ. ctest gives it a short run of RUNS inputs from a
#   fixed seed; `make fuzz` gives it a long one. Where several targets are one program that an argument tells apart:
# camber_fuzz_program(<name> <sources>... LIBS <targets>...)
# camber_fuzz_run(<name> <program> [ARGUMENTS <arguments>...] [CORPUS <dir>] [DICT <file>] [RUNS <n>])

if(CAMBER_TESTS OR CAMBER_FUZZ)
  enable_testing()
endif()
if(CAMBER_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

function(camber_test name)
  if(NOT CAMBER_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS;LABELS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  camber_set_level(${name} 1)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    PROPERTIES TIMEOUT 600 LABELS "unit;${arg_LABELS}")
endfunction()

function(camber_fuzz name)
  if(NOT CAMBER_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS;DICT;RUNS" "LIBS")
  camber_fuzz_program(${name} ${arg_UNPARSED_ARGUMENTS} LIBS ${arg_LIBS})
  camber_fuzz_run(${name} ${name} CORPUS ${arg_CORPUS} DICT ${arg_DICT} RUNS ${arg_RUNS})
endfunction()

function(camber_fuzz_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT TARGET fuzz_targets)
    add_custom_target(fuzz_targets)
    add_custom_target(long_fuzz)
  endif()
  add_dependencies(fuzz_targets ${name})
endfunction()

function(camber_fuzz_run name program)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "CORPUS;DICT;RUNS" "ARGUMENTS")
  if(NOT arg_RUNS)
    set(arg_RUNS 20000)
  endif()

  # New inputs go to the first folder, in the build tree; the committed seeds are only read. The short
  # run starts without those of earlier runs, so that it is the same each time.
  set(found ${CMAKE_CURRENT_BINARY_DIR}/${name}_found)
  set(found_shortly ${CMAKE_CURRENT_BINARY_DIR}/${name}_found_shortly)
  file(MAKE_DIRECTORY ${found})
  set(common ${arg_ARGUMENTS} -seed=1 -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
    -artifact_prefix=${found}/)
  if(arg_DICT)
    list(APPEND common -dict=${CMAKE_CURRENT_SOURCE_DIR}/${arg_DICT})
  endif()
  if(arg_CORPUS)
    set(seeds ${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS})
  endif()
  add_test(NAME ${name}_start COMMAND ${CMAKE_COMMAND} -E rm -rf ${found_shortly})
  add_test(NAME ${name}_folder COMMAND ${CMAKE_COMMAND} -E make_directory ${found_shortly})
  add_test(NAME ${name} COMMAND ${program} -runs=${arg_RUNS} ${common} ${found_shortly} ${seeds})
  set_tests_properties(${name}_start PROPERTIES FIXTURES_SETUP ${name}_empty)
  set_tests_properties(${name}_folder PROPERTIES DEPENDS ${name}_start FIXTURES_SETUP ${name}_empty)
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${name}_empty TIMEOUT 300 LABELS fuzz)

  set(CAMBER_FUZZ_RUNS 2000000 CACHE STRING "Inputs that each fuzz target gets in the long run")
  add_custom_target(long_${name} COMMAND ${program} -runs=${CAMBER_FUZZ_RUNS} ${common} ${found} ${seeds}
    USES_TERMINAL COMMENT "Fuzzing ${name} with ${CAMBER_FUZZ_RUNS} inputs")
  add_dependencies(long_fuzz long_${name})
endfunction()

# camber_find_python_module(MODULE RESULT): RESULT is true if Debian's own Python has Debian's MODULE; another Python
# earlier in PATH may not. CAMBER_DEBIAN_PYTHON is that Python.
function(camber_find_python_module module result)
  find_program(CAMBER_DEBIAN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
  set(is_there FALSE)
  if(CAMBER_DEBIAN_PYTHON)
    execute_process(COMMAND ${CAMBER_DEBIAN_PYTHON} -c "import ${module}" RESULT_VARIABLE status
      OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      set(is_there TRUE)
    else()
      message(STATUS "Tests that read with Python's ${module} are left out: it is not installed")
    endif()
  endif()
  set(${result} ${is_there} PARENT_SCOPE)
endfunction()
