# What gnp's own tests, examples and benchmarks are built with; users of the target never see any of it.
option(GNP_WERROR "Warnings in gnp's own tests, examples and benchmarks are errors" OFF)
set(GNP_SANITIZE "" CACHE STRING "Sanitizers for gnp's own tests: address,undefined or thread")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
  endif()
  if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(GNP_CCACHE ccache)
    mark_as_advanced(GNP_CCACHE)
    if(GNP_CCACHE)
      set(CMAKE_CXX_COMPILER_LAUNCHER ${GNP_CCACHE})
    endif()
  endif()
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

set(GNP_WARNINGS -Wall -Wextra -Wpedantic -Wshadow)

add_library(gnp_development INTERFACE)
target_link_libraries(gnp_development INTERFACE gnp::gnp)
target_compile_options(gnp_development INTERFACE ${GNP_WARNINGS} $<$<BOOL:${GNP_WERROR}>:-Werror>)
if(GNP_SANITIZE)
  # Any finding ends the program, so that a test cannot pass with one.
  target_compile_options(gnp_development INTERFACE
    -fsanitize=${GNP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gnp_development INTERFACE -fsanitize=${GNP_SANITIZE})
endif()
