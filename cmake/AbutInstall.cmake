# `cmake --install`, find_package(abut), pkg-config and Debian packages (cpack -G DEB). Everything is
# found relative to where it stands, so an installed tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(abut_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
set(abut_components core)

function(abut_install_component component target)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ARGN} INSTALL_RPATH "$ORIGIN")
  install(TARGETS ${target} EXPORT abut_${component}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT abut_${component} NAMESPACE abut:: FILE abut_${component}.cmake
    DESTINATION ${abut_cmake_dir} COMPONENT dev)
endfunction()

abut_install_component(core abut abut)
foreach(component hybrid tbb mpi io)
  if(TARGET abut_${component})
    abut_install_component(${component} abut_${component} ${component})
    list(APPEND abut_components ${component})
  endif()
endforeach()
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

configure_package_config_file(cmake/abutConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/abutConfig.cmake
  INSTALL_DESTINATION ${abut_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/abutConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abutConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/abutConfigVersion.cmake
  DESTINATION ${abut_cmake_dir} COMPONENT dev)

# pkg-config: abut, abut-io, abut-hybrid, abut-tbb, abut-mpi. ${pcfiledir} makes them movable.
file(RELATIVE_PATH abut_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" abut_pc_prefix "${abut_pc_prefix}")
foreach(component ${abut_components})
  set(abut_pc_name abut)
  set(abut_pc_library abut)
  set(abut_pc_requires eigen3)
  set(abut_pc_private "")
  if(NOT component STREQUAL "core")
    set(abut_pc_name abut-${component})
    set(abut_pc_library abut_${component})
    set(abut_pc_requires "abut = ${PROJECT_VERSION}")
  endif()
  # What a static library needs behind it; a shared one brings its own.
  if(NOT BUILD_SHARED_LIBS AND component STREQUAL "hybrid")
    set(abut_pc_private "-lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lsundials_sunlinsolspgmr -lsundials_sunnonlinsolfixedpoint")
  elseif(NOT BUILD_SHARED_LIBS AND component STREQUAL "tbb")
    set(abut_pc_private "-ltbb")
  elseif(NOT BUILD_SHARED_LIBS AND component STREQUAL "mpi")
    set(abut_pc_private "-lmpi")
  elseif(NOT BUILD_SHARED_LIBS AND component STREQUAL "io")
    set(abut_pc_private "-lfmt -ltinyxml2 -lzstd -lz -pthread")
    if(TARGET abut_hybrid)
      string(APPEND abut_pc_requires ", abut-hybrid = ${PROJECT_VERSION}")
    endif()
  endif()
  configure_file(cmake/abut.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${abut_pc_name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${abut_pc_name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

# The tool with scenes to try.
if(TARGET abut_tool)
  file(RELATIVE_PATH abut_lib_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(abut_tool PROPERTIES INSTALL_RPATH "$ORIGIN/${abut_lib_from_bin}")
  install(TARGETS abut_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/abut COMPONENT tool)
  install(FILES docs/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/abut COMPONENT tool)
  install(FILES apps/abut/completions/abut DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
  install(FILES apps/abut/completions/_abut DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tool)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)

if(PROJECT_IS_TOP_LEVEL)
  include(AbutPackage)
endif()
