# The libraries that Trotter uses, all found on the system.
# SPDX-License-Identifier: MIT
file(GLOB_RECURSE TROTTER_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.hpp ${PROJECT_SOURCE_DIR}/backends/*.hpp
     ${PROJECT_SOURCE_DIR}/kernels/*.hpp)

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Makes formulas of the run time machine code; without it they are slower on Cpu.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_package(xbyak QUIET)
endif()

set(TROTTER_HAVE_CPU OFF)
if(NOT TROTTER_CPU STREQUAL "OFF")
  find_package(xsimd QUIET GLOBAL)  # its include folders are read where Trotter::cpu is linked
  if(xsimd_FOUND)
    set(TROTTER_HAVE_CPU ON)
  elseif(TROTTER_CPU STREQUAL "ON")
    message(FATAL_ERROR "The Cpu backend needs xsimd (Debian: libxsimd-dev)")
  endif()
endif()

set(TROTTER_HAVE_OPENCL OFF)
if(NOT TROTTER_OPENCL STREQUAL "OFF")
  find_package(OpenCL QUIET)
  find_path(TROTTER_OPENCL_HPP CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
  mark_as_advanced(TROTTER_OPENCL_HPP)
  if(OpenCL_FOUND AND TROTTER_OPENCL_HPP)
    set(TROTTER_HAVE_OPENCL ON)
  elseif(TROTTER_OPENCL STREQUAL "ON")
    message(FATAL_ERROR "The OpenCl backend needs an OpenCL loader (Debian: ocl-icd-opencl-dev) and opencl.hpp (opencl-clhpp-headers)")
  endif()
endif()

set(TROTTER_HAVE_CUDA OFF)
if(NOT TROTTER_CUDA STREQUAL "OFF")
  find_package(NVRTC)
  if(NVRTC_FOUND)
    set(TROTTER_HAVE_CUDA ON)
  elseif(TROTTER_CUDA STREQUAL "ON")
    message(FATAL_ERROR "The Cuda backend needs cuda.h and NVRTC: a CUDA toolkit, whose folder CUDAToolkit_ROOT may name, or the "
                        "PyPI packages nvidia-cuda-nvrtc and nvidia-cuda-runtime")
  endif()
endif()

if(TROTTER_BUILD_PROGRAM OR TROTTER_BUILD_TESTS)
  find_package(fmt REQUIRED)
  find_package(pugixml REQUIRED)
  find_package(ZLIB REQUIRED)
endif()
if(TROTTER_BUILD_PROGRAM)
  find_package(CLI11 REQUIRED)
  find_package(tomlplusplus REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
if(TROTTER_BUILD_TESTS)
  find_package(Catch2 REQUIRED)
endif()
