# Imitates the folders of NVIDIA's PyPI packages, current and earlier releases, and of a toolkit; finds NVRTC in each.
# SPDX-License-Identifier: MIT
# Hides this machine's installation.
set(installed /usr/local/cuda/include /usr/local/cuda/lib64 /usr/local/cuda/lib)
function(find_below folder)
  file(REMOVE_RECURSE ${WORK}/build)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${ARGN} ${CMAKE_COMMAND} -S ${SOURCE}/tests/nvrtc/find -B ${WORK}/build -G ${GENERATOR}
                          -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_MODULE_PATH=${SOURCE}/cmake -DEXPECTED=${folder}
                          "-DCMAKE_IGNORE_PATH=${installed}" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "NVRTC is not found below ${folder}:\n${text}")
  endif()
endfunction()
file(REMOVE_RECURSE ${WORK})
foreach(file new/nvidia/cu13/include/cuda.h new/nvidia/cu13/include/nvrtc.h new/nvidia/cu13/lib/libnvrtc.so.13
             old/nvidia/cuda_runtime/include/cuda.h old/nvidia/cuda_nvrtc/include/nvrtc.h old/nvidia/cuda_nvrtc/lib/libnvrtc.so.12
             toolkit/include/cuda.h toolkit/include/nvrtc.h toolkit/lib64/libnvrtc.so)
  file(WRITE ${WORK}/${file} "")
endforeach()
find_below(${WORK}/new PYTHONPATH=${WORK}/new)
find_below(${WORK}/old PYTHONPATH=${WORK}/old)
find_below(${WORK}/toolkit PYTHONPATH=${WORK}/new CUDA_PATH=${WORK}/toolkit)
