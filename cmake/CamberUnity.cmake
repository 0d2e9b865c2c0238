# CAMBER_UNITY: several files of a module are compiled as one, so that the headers they share are read, and the templates
# they share instantiated, once. For builds from nothing; who changes single files is better off without it.
#
# Files that use one name at namespace scope for different things, such as helpers in unnamed namespaces, go into different
# groups. CamberLibrary.cmake lists the modules for which that is enough. camber/multibody is not for it: it allows fused
# multiply-adds, and what the compiler can fuse depends on what it sees at once, so the last bits of results would.

option(CAMBER_UNITY "Compile several files of a module as one" OFF)
set(CAMBER_UNITY_SIZE 8)  # files in a group at most

# Names that a file defines at namespace scope, as far as its lines show: our code is not indented there.
function(camber_find_names source result)
  file(STRINGS ${source} lines REGEX "^[[A-Za-z].*[({=]")
  set(names "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^namespace camber[ :]|^using Json = nlohmann::ordered_json;$")
      continue()  # the same in every file
    elseif(line MATCHES "^(struct|class|enum class|using) +([A-Za-z_0-9]+)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(line MATCHES "^[^({=]*[ &*>]([A-Za-z_0-9]+)(\\[[^]]*\\])? *[({=]")
      list(APPEND names ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# Those of the targets that exist.
function(camber_unite)
  foreach(target IN LISTS ARGN)
    if(CAMBER_UNITY AND TARGET ${target})
      camber_unite_target(${target})
    endif()
  endforeach()
endfunction()

function(camber_unite_target target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  set(groups 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    camber_find_names(${source} names)
    set(own 0)
    foreach(group RANGE 1 ${groups})
      if(group GREATER groups OR group EQUAL 0 OR size_${group} GREATER_EQUAL CAMBER_UNITY_SIZE)
        continue()
      endif()
      set(meets FALSE)
      foreach(name IN LISTS names)
        if(name IN_LIST names_${group})
          set(meets TRUE)
          break()
        endif()
      endforeach()
      if(NOT meets)
        set(own ${group})
        break()
      endif()
    endforeach()
    if(own EQUAL 0)
      math(EXPR groups "${groups} + 1")
      set(own ${groups})
      set(size_${own} 0)
      set(names_${own} "")
    endif()
    math(EXPR size_${own} "${size_${own}} + 1")
    list(APPEND names_${own} ${names})
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${target}_${own}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A class in a .cc file may hold one of its unnamed namespace; compiled together they look like a header's.
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
endfunction()
