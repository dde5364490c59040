# Installs the build to a fresh folder, and builds and runs the examples as a project that finds it there.
# SPDX-License-Identifier: MIT
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${text}")
  endif()
endfunction()
include(ProcessorCount)
ProcessorCount(processors)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# One of them simulates a protein on Cpu, whose loops are slow unless they are optimized.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} "-DCMAKE_CXX_FLAGS=${FLAGS} -O1" -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build --parallel ${processors})
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --no-tests=error --output-on-failure --parallel ${processors})
if(PYTHON AND EXISTS ${WORK}/build/example_string_program)
  run(${PYTHON} ${SOURCE}/tests/program/string_program.py ${WORK}/build/example_string_program)
endif()
