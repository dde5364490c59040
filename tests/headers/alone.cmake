# Every header of FOLDER compiles alone: it includes all that it names.
# SPDX-License-Identifier: MIT
file(GLOB_RECURSE headers ${FOLDER}/*.hpp)
foreach(header IN LISTS headers)
  execute_process(COMMAND ${COMPILER} -std=c++20 -fsyntax-only -w -I${INCLUDE} -I${BACKENDS} -I${KERNELS} -x c++ ${header}
                  RESULT_VARIABLE status ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${header} does not compile alone:\n${text}")
  endif()
endforeach()
list(LENGTH headers count)
if(count LESS 10)
  message(FATAL_ERROR "only ${count} headers were found in ${FOLDER}")
endif()
