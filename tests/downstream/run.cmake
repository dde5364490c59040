# Installs the build to a new folder, and builds and runs the examples as a project that finds it there.
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

# request(ARGUMENTS EXPECTED VARIABLE…): a project that finds the package with these arguments. EXPECTED is empty, or
# the error message; variables are set on its command line.
function(request arguments expected)
  list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE variables)
  file(REMOVE_RECURSE ${WORK}/components)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/components -B ${WORK}/components -G ${GENERATOR}
                  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix "-DREQUEST=${arguments}" ${variables}
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  string(FIND "${text}" "${expected}" place)
  if((expected STREQUAL "" AND NOT status EQUAL 0) OR (NOT expected STREQUAL "" AND status EQUAL 0) OR place EQUAL -1)
    message(FATAL_ERROR "find_package(Trotter ${arguments}) ended with ${status}, expected '${expected}':\n${text}")
  endif()
endfunction()
set(others)
foreach(package IN ITEMS xsimd OpenCL fmt pugixml ZLIB tomlplusplus)
  list(APPEND others CMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()
request("CONFIG;REQUIRED;COMPONENTS;reference" "" ${others})
request("CONFIG;REQUIRED;COMPONENTS;core;reference;OPTIONAL_COMPONENTS;io;gpu" "" ${others})
request("CONFIG;REQUIRED;COMPONENTS;reference;gpu" "has no component 'gpu'; it has core, common, reference")
request("CONFIG;REQUIRED;COMPONENTS;reference;io" "find_package for module fmt" ${others})
request("0.1...<0.3;CONFIG;REQUIRED;COMPONENTS;reference" "")
request("0.1;CONFIG;REQUIRED;COMPONENTS;reference" "")
request("0.2;CONFIG;REQUIRED;COMPONENTS;reference" "compatible with requested version")
request("0.2...<0.4;CONFIG;REQUIRED;COMPONENTS;reference" "compatible with requested version range")
if(NOT EXISTS ${WORK}/prefix/share/doc/Trotter/LICENSE)
  message(FATAL_ERROR "the license was not installed")
endif()

# Without CMake.
find_program(pkg_config pkg-config)
file(GLOB_RECURSE pc ${WORK}/prefix/*/trotter.pc)
if(pkg_config AND EXISTS ${BUILD}/src/libtrotter_standard.a)
  get_filename_component(folder ${pc} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs trotter OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options}")
  run(${COMPILER} -Og ${SOURCE}/examples/choose_platform.cpp ${options} -o ${WORK}/without_cmake)
  run(${WORK}/without_cmake)
endif()

# A project that includes Trotter's sources, by FetchContent, which ends in add_subdirectory, and by that itself: it is
# configured both ways, and built once, without extensions.
foreach(way IN ITEMS FetchContent add_subdirectory)
  string(COMPARE EQUAL ${way} add_subdirectory with_add_subdirectory)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${WORK}/${way} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} "-DCMAKE_CXX_FLAGS=${FLAGS} -Og" -DSOURCE=${SOURCE}
      -DWITH_ADD_SUBDIRECTORY=${with_add_subdirectory} -DTROTTER_INSTRUCTION_SETS=native -DTROTTER_CPU_DOUBLE=OFF
      -DTROTTER_AMOEBA=OFF -DTROTTER_DRUDE=OFF -DTROTTER_RPMD=OFF)
endforeach()
run(${CMAKE_COMMAND} --build ${WORK}/add_subdirectory --parallel ${processors} --target programs)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/add_subdirectory --no-tests=error --output-on-failure)

# With the flags of CMake's release builds, without an instruction set.
if(EXISTS ${BUILD}/src/cpu)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/typed -B ${WORK}/typed -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK}/typed)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/typed --no-tests=error --output-on-failure)
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} "-DCMAKE_CXX_FLAGS=${FLAGS} -Og" -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build --parallel ${processors})
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --no-tests=error --output-on-failure --parallel ${processors})
if(PYTHON AND EXISTS ${WORK}/build/example_string_program)
  run(${PYTHON} ${SOURCE}/tests/program/string_program.py ${WORK}/build/example_string_program)
endif()
