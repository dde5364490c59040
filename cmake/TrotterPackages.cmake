# Packages made by `cpack`: trotter, the program, libtrotter-dev, the libraries, and trotter-data, the force fields that
# both find. Debian packages if dpkg is found, else an archive.
# SPDX-License-Identifier: MIT
set(CPACK_GENERATOR TGZ)
find_program(TROTTER_DPKG dpkg)
mark_as_advanced(TROTTER_DPKG)
if(TROTTER_DPKG)
  set(CPACK_GENERATOR DEB)
endif()
set(CPACK_COMPONENTS_ALL program development data)
set(CPACK_PACKAGE_NAME trotter)
set(CPACK_PACKAGE_VENDOR "The Trotter authors")
set(CPACK_PACKAGE_CONTACT "The Trotter authors <trotter@localhost>" CACHE STRING "Maintainer that the packages name: whoever distributes them")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")  # the first line of each package's description
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
# Folders are writable only by their owner, whatever the umask of the build.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME trotter)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program: simulates, minimizes and evaluates Systems, States and integrators
that OpenMM has serialized, on CPUs and GPUs, with reproducible results and
restarts.")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME trotter-data)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DATA_DESCRIPTION "Force fields: those of the AMBER family for proteins, nucleic acids, lipids,
sugars, waters and ions, as OpenMM ships them; definitions of hydrogens, names
of residues, boxes of water.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "trotter-data (>= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtrotter-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library: headers, static libraries and the package of CMake. A force, an
integrator or a backend of one's own is one plain struct.")
# The Debian packages of the dependencies of find_package(Trotter) with any components.
set(debian_Threads libc6-dev)
set(debian_xsimd libxsimd-dev)
set(debian_OpenCL ocl-icd-opencl-dev)
set(debian_fmt libfmt-dev)
set(debian_pugixml libpugixml-dev)
set(debian_ZLIB zlib1g-dev)
set(debian_tomlplusplus libtomlplusplus-dev)
set(packages ${CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS})
foreach(need IN LISTS TROTTER_NEEDS_program)
  if(NOT debian_${need})
    message(FATAL_ERROR "cmake/TrotterPackages.cmake names no Debian package for ${need}")
  endif()
  list(APPEND packages ${debian_${need}})
endforeach()
list(JOIN packages ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)

# The OpenCL driver is a separate package, and depends on the device.
if(TARGET trotter_opencl)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS opencl-icd)
endif()

# Installed only in packages: Debian requires licenses and examples in a folder named after the package.
function(trotter_package_documents component package examples)
  set(folder ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${folder} COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/${examples} DESTINATION ${folder}/examples COMPONENT ${component} EXCLUDE_FROM_ALL
          PATTERN "*.sh" EXCLUDE)  # these build Trotter itself
endfunction()
trotter_package_documents(program trotter dhfr)
trotter_package_documents(development libtrotter-dev "")
install(FILES ${PROJECT_SOURCE_DIR}/share/trotter/forcefields/NOTICE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/trotter-data COMPONENT data EXCLUDE_FROM_ALL)
include(CPack)
