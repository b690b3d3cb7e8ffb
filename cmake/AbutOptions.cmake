# Compile options shared by every target. As a part of another project Abut changes nothing there:
# no build type, no flags, no compiler launcher.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(ABUT_CCACHE ccache)
  if(ABUT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ABUT_CCACHE})
  endif()
endif()
set(CMAKE_CXX_EXTENSIONS OFF)  # In this folder and below.

if(ABUT_SANITIZE)
  add_compile_options(-fsanitize=${ABUT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ABUT_SANITIZE})
endif()
if(ABUT_ARCH)
  # FMA would contract a*b+c and give other bits than the baseline; gcc 12 emits it for complex-like
  # patterns even with contraction off, so the instruction set itself is taken away.
  add_compile_options(-march=${ABUT_ARCH} -mno-fma)
endif()

# Flags that come from outside (CMAKE_CXX_FLAGS, a parent's add_compile_options) and stand before
# ours. Where there are some, everything that could change a bit is taken back, option by option:
# -fno-fast-math alone leaves what was set by its own name.
get_directory_property(abut_outer_options COMPILE_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" abut_config)
set(abut_outer_flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${abut_config}} ${abut_outer_options}")
set(abut_take_back "")
if(CMAKE_CONFIGURATION_TYPES OR abut_outer_flags MATCHES "-(march|mcpu|mtune|mfma|mavx|mfpmath|mpc|m3dnow|Ofast|f[a-z-]*math|ffp-|fexcess|fsingle|frounding|fcx)")
  set(abut_take_back -fno-unsafe-math-optimizations -fno-associative-math -fno-reciprocal-math
    -fno-finite-math-only -fsigned-zeros)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND abut_take_back -fno-single-precision-constant -fno-cx-limited-range)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    # AVX-512 brings its own fused instructions.
    list(APPEND abut_take_back -mno-fma -mno-fma4 -mno-avx512f -mfpmath=sse)
  endif()
endif()

# The rules under which floating-point results are the same on every compiler and machine.
# -fno-math-errno lets sqrt be the machine instruction; it changes no value. -fno-fast-math stands
# first because it resets the other two to the compiler's defaults.
function(abut_deterministic target)
  target_compile_options(${target} PRIVATE -fno-fast-math ${abut_take_back} -ffp-contract=off
    -fno-math-errno)
endfunction()

# In shared objects gcc leaves every function callable as one that another library replaces, and so
# inlines none that has a name outside its file; clang does not. Nobody replaces ours.
set(abut_own_calls "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (BUILD_SHARED_LIBS OR CMAKE_POSITION_INDEPENDENT_CODE)
   AND NOT CMAKE_CXX_FLAGS_${abut_config} MATCHES "-O0")
  set(abut_own_calls -fno-semantic-interposition)
endif()

# For the libraries: a parent without a build type compiles without optimisation, which makes
# Abut ten times slower; nobody means that.
function(abut_library target)
  abut_deterministic(${target})
  abut_warnings(${target})
  target_compile_options(${target} PRIVATE $<$<CONFIG:>:-O2> ${abut_own_calls})
  set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} DEFINE_SYMBOL "")
endfunction()

# A library beside the core, which needs Eigen alone: abut_NAME, known as abut::NAME.
function(abut_component name)
  add_library(abut_${name} ${ARGN})
  add_library(abut::${name} ALIAS abut_${name})
  target_link_libraries(abut_${name} PUBLIC abut)
  abut_library(abut_${name})
endfunction()

# For what is no part of the libraries: its own code takes no time, optimising it takes minutes.
# No bit depends on it.
function(abut_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

function(abut_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
  if(ABUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Links a library that has no CMake package by its name where the linker looks anyway, so that what
# is installed names no folder of the machine it was built on; by its path elsewhere.
function(abut_link_plain target)
  foreach(path ${ARGN})
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${path} NAME_WE)
    string(REGEX REPLACE "^lib" "" name ${name})
    get_filename_component(folder ${folder} REALPATH)
    set(item ${path})
    foreach(known ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
      get_filename_component(known ${known} REALPATH)
      if(folder STREQUAL known)
        set(item ${name})
      endif()
    endforeach()
    target_link_libraries(${target} PRIVATE ${item})
  endforeach()
endfunction()
