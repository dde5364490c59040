# Finds NVIDIA's run-time compiler and cuda.h, in a CUDA toolkit or among Python's packages: target Trotter::nvrtc.
# SPDX-License-Identifier: MIT
set(places ${CUDAToolkit_ROOT} $ENV{CUDAToolkit_ROOT} $ENV{CUDA_PATH} /usr/local/cuda)
find_program(NVRTC_PYTHON NAMES python3)
mark_as_advanced(NVRTC_PYTHON)
if(NVRTC_PYTHON)
  execute_process(COMMAND ${NVRTC_PYTHON} -c "import nvidia; print(*nvidia.__path__, sep=';')" OUTPUT_VARIABLE packages
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  foreach(package IN LISTS packages)
    file(GLOB found ${package}/cu[0-9]* ${package}/cuda_nvrtc ${package}/cuda_runtime)
    list(APPEND places ${found})
  endforeach()
endif()
find_path(NVRTC_INCLUDE_DIR nvrtc.h HINTS ${places} PATH_SUFFIXES include)
find_path(CUDA_DRIVER_INCLUDE_DIR cuda.h HINTS ${places} PATH_SUFFIXES include)
# Python's packages have no name without a version.
find_library(NVRTC_LIBRARY NAMES nvrtc libnvrtc.so.13 libnvrtc.so.12 HINTS ${places} PATH_SUFFIXES lib64 lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(NVRTC REQUIRED_VARS NVRTC_LIBRARY NVRTC_INCLUDE_DIR CUDA_DRIVER_INCLUDE_DIR)
if(NVRTC_FOUND AND NOT TARGET Trotter::nvrtc)
  # The library itself is loaded on first use.
  add_library(Trotter::nvrtc INTERFACE IMPORTED)
  set_target_properties(Trotter::nvrtc PROPERTIES INTERFACE_COMPILE_DEFINITIONS "TROTTER_NVRTC_LIBRARY=\"${NVRTC_LIBRARY}\""
                        INTERFACE_INCLUDE_DIRECTORIES "${NVRTC_INCLUDE_DIR};${CUDA_DRIVER_INCLUDE_DIR}")
endif()
