# Compile options shared by every target.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(ABUT_CCACHE ccache)
if(ABUT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ABUT_CCACHE})
endif()

if(ABUT_SANITIZE)
  add_compile_options(-fsanitize=${ABUT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ABUT_SANITIZE})
endif()
if(ABUT_ARCH)
  # FMA would contract a*b+c and give other bits than the baseline; gcc 12 emits it for complex-like
  # patterns even with contraction off, so the instruction set itself is taken away.
  add_compile_options(-march=${ABUT_ARCH} -mno-fma)
endif()

# The rules under which floating-point results are the same on every compiler and machine.
# -fno-math-errno lets sqrt be the machine instruction; it changes no value. -fno-fast-math stands
# first because it resets the other two to the compiler's defaults.
function(abut_deterministic target)
  target_compile_options(${target} PRIVATE -fno-fast-math -ffp-contract=off -fno-math-errno)
endfunction()

function(abut_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
  if(ABUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
