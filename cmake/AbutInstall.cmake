# `cmake --install` and find_package(abut).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS abut EXPORT abutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET abut_hybrid)
  # Those who link it link SUNDIALS too.
  install(TARGETS abut_hybrid EXPORT abutTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/abutConfig.cmake
  "include(CMakeFindDependencyMacro)\nfind_dependency(Eigen3 3.4)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/abutTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/abutConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abutConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/abutConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
