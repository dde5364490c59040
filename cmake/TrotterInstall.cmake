# Installation and the package configuration that find_package(Trotter) reads.
# SPDX-License-Identifier: MIT
set(TROTTER_TARGETS trotter_core trotter_host trotter_reference)
foreach(target trotter_cpu trotter_device trotter_opencl trotter_cuda)
  if(TARGET ${target})
    list(APPEND TROTTER_TARGETS ${target})
  endif()
endforeach()
if(TARGET trotter_io)
  list(APPEND TROTTER_TARGETS trotter_io trotter_standard)
endif()
if(TARGET trotter_program)
  list(APPEND TROTTER_TARGETS trotter_commands)
  install(TARGETS trotter_program)
endif()
install(TARGETS ${TROTTER_TARGETS} EXPORT TrotterTargets FILE_SET HEADERS)
set(TROTTER_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Trotter)
install(EXPORT TrotterTargets NAMESPACE Trotter:: DESTINATION ${TROTTER_PACKAGE_DIR})
configure_package_config_file(cmake/TrotterConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/TrotterConfig.cmake
                              INSTALL_DESTINATION ${TROTTER_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/TrotterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TrotterConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TrotterConfigVersion.cmake
        DESTINATION ${TROTTER_PACKAGE_DIR})
