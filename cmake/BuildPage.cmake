# Bundles the page of `camber drive` and `camber view` from viewer/ and compresses it, to be built into the program.
#   cmake -DVIEWER=viewer -DOUT=folder [-DNPM=npm -DNODE=node] -P BuildPage.cmake
# Its packages come over the network once, into viewer/node_modules. Without npm, or without a network then, the files
# are empty: the program works, and says how to get the page. A page with mistakes is an error.

set(files index.html.gz app.js.gz style.css.gz)
file(MAKE_DIRECTORY ${OUT})

function(write_none reason)
  message(NOTICE "camber is built without its page: ${reason}. `make page` tries again")
  foreach(file IN LISTS files)
    file(WRITE ${OUT}/${file} "")
  endforeach()
endfunction()

if(NOT NPM OR NOT NODE)
  write_none("npm is not installed (Debian: apt-get install nodejs npm)")
  return()
endif()

# `npm ci` unless that was done with this lock file already.
set(lock ${VIEWER}/package-lock.json)
set(stamp ${VIEWER}/node_modules/installed-package-lock.json)
set(has_packages FALSE)
if(EXISTS ${stamp})
  file(SHA256 ${lock} wanted)
  file(SHA256 ${stamp} found)
  if(wanted STREQUAL found)
    set(has_packages TRUE)
  endif()
endif()
foreach(attempt 1 2)  # a connection may be lost in between
  if(NOT has_packages)
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${VIEWER}
      RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text TIMEOUT 300)
    if(status EQUAL 0)
      configure_file(${lock} ${stamp} COPYONLY)
      set(has_packages TRUE)
    endif()
  endif()
endforeach()
if(NOT has_packages)
  write_none("its packages could not be fetched:\n${text}")
  return()
endif()

execute_process(COMMAND ${NODE} ${VIEWER}/build.mjs --out ${OUT} WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE status
  OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The page in viewer/ has mistakes:\n${text}")
endif()
