# Compiles SOURCE, which must fail with exactly one error that contains every text in its lines "// expect: …", with the
# options in a line "// options: …".
# SPDX-License-Identifier: MIT
file(STRINGS ${SOURCE} options REGEX "^// options: ")
string(REPLACE "// options: " "" options "${options}")
execute_process(COMMAND ${COMPILER} -std=c++20 ${options} -fsyntax-only ${INCLUDES} ${SOURCE}
                RESULT_VARIABLE status ERROR_VARIABLE text OUTPUT_VARIABLE text)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiled, but must not")
endif()
string(REGEX MATCHALL "error:" errors "${text}")
list(LENGTH errors count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${SOURCE} gave ${count} errors, expected one:\n${text}")
endif()
file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
foreach(line IN LISTS expectations)
  string(REPLACE "// expect: " "" expected "${line}")
  string(FIND "${text}" "${expected}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${SOURCE} did not give the text '${expected}' but:\n${text}")
  endif()
endforeach()
