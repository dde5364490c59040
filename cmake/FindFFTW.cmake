# Finds the FFTW3 interface in double and single precision: target Trotter::fftw.
# SPDX-License-Identifier: MIT
find_path(FFTW_INCLUDE_DIR fftw3.h)
find_library(FFTW_DOUBLE_LIBRARY fftw3)
find_library(FFTW_SINGLE_LIBRARY fftw3f)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW REQUIRED_VARS FFTW_DOUBLE_LIBRARY FFTW_SINGLE_LIBRARY FFTW_INCLUDE_DIR)
if(FFTW_FOUND AND NOT TARGET Trotter::fftw)
  add_library(Trotter::fftw INTERFACE IMPORTED)
  target_include_directories(Trotter::fftw INTERFACE ${FFTW_INCLUDE_DIR})
  target_link_libraries(Trotter::fftw INTERFACE ${FFTW_DOUBLE_LIBRARY} ${FFTW_SINGLE_LIBRARY})
endif()
