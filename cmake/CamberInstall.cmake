# `cmake --install BUILD --prefix PREFIX`: headers, libraries and their CMake and pkg-config files, the program, models,
# plans, scenarios, studies, cities and terrains, and completion for bash. docs/manual/embedding.md is for those who use it.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_sources(camber_library INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES
  ${PROJECT_SOURCE_DIR}/camber/camber.h)
set_target_properties(camber_library PROPERTIES EXPORT_NAME camber)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/camber)
install(TARGETS camber_library ${CAMBER_MODULES} EXPORT camberTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
  FILE_SET build_flags DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT camberTargets NAMESPACE camber:: DESTINATION ${package_folder} COMPONENT library)
export(EXPORT camberTargets NAMESPACE camber::)  # tests/fuzz finds the libraries in the build tree

# Packages that the libraries link, as find_package() found them here.
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(nlohmann_json QUIET)
find_package(PNG QUIET)
find_package(ZLIB REQUIRED)
find_package(pugixml QUIET)
set(CAMBER_FINDS "find_dependency(Eigen3 3.4)\nfind_dependency(SUNDIALS)\nfind_dependency(HDF5 COMPONENTS C)\nfind_dependency(Threads)\n")
foreach(package IN ITEMS nlohmann_json PNG ZLIB pugixml)
  if(${package}_FOUND)
    string(APPEND CAMBER_FINDS "find_dependency(${package})\n")
  endif()
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/camberConfig.cmake.in
  ${PROJECT_BINARY_DIR}/camberConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/camberConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/camberConfig.cmake ${PROJECT_BINARY_DIR}/camberConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT library)

# For pkg-config: our archives in a group, as it does not know their order, then the libraries of others by name or path.
set(CAMBER_PC_LIBS "-Wl,--start-group")
foreach(module IN LISTS CAMBER_MODULES)
  string(APPEND CAMBER_PC_LIBS " -l${module}")
endforeach()
string(APPEND CAMBER_PC_LIBS " -Wl,--end-group")
foreach(library IN ITEMS cvode arkode ida nvecserial sunlinsoldense sunmatrixdense)
  string(APPEND CAMBER_PC_LIBS " -lsundials_${library}")
endforeach()
get_target_property(hdf5 HDF5::HDF5 INTERFACE_LINK_LIBRARIES)
list(FILTER hdf5 INCLUDE REGEX "hdf5")
foreach(library IN LISTS hdf5 PNG_LIBRARIES URDFDOM_MODEL_LIBRARY TINYXML_LIBRARY
    CONSOLE_BRIDGE_LIBRARY)
  if(library)
    string(APPEND CAMBER_PC_LIBS " ${library}")
  endif()
endforeach()
set(CAMBER_PC_CFLAGS "-std=c++20 -Wno-psabi")
if(CAMBER_ARCH)
  string(PREPEND CAMBER_PC_CFLAGS "-march=${CAMBER_ARCH} ")
endif()
string(APPEND CAMBER_PC_LIBS " -lpugixml -lz")
configure_file(${PROJECT_SOURCE_DIR}/cmake/camber.pc.in ${PROJECT_BINARY_DIR}/camber.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/camber.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)

if(TARGET camber)
  install(TARGETS camber RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  install(FILES ${PROJECT_SOURCE_DIR}/apps/camber/camber-completion.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME camber COMPONENT program)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models ${PROJECT_SOURCE_DIR}/plans ${PROJECT_SOURCE_DIR}/scenarios
    ${PROJECT_SOURCE_DIR}/cities ${PROJECT_SOURCE_DIR}/scenes ${PROJECT_SOURCE_DIR}/studies ${PROJECT_SOURCE_DIR}/terrains
  DESTINATION ${CMAKE_INSTALL_DATADIR}/camber COMPONENT program)
