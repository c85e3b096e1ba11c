# The Debian package that cpack makes in the build folder: programs, headers, static libraries. The
# programs' dependencies are found by dpkg-shlibdeps (Debian packages dpkg-dev and file); those of
# programs to be built are said here, with the MPI that belay was built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the authors of belay")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Threads steal from each other inside a node; between nodes, work travels along
random steals, prefetches and lifelines. A two-level
barrier decides the end. This package has the C++20 library and its programs:
belay-uts, which counts unbalanced trees, belay-bc, belay-nqueens and others.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)  # for belay-report
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcereal-dev, libhwloc-dev, libtbb-dev, pkg-config")
if(BELAY_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
  if(MPI_CXX_LIBRARIES MATCHES mpich)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libmpich-dev, mpich")
  else()
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libopenmpi-dev, openmpi-bin")
  endif()
endif()
include(CPack)
