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
# What users see of the headers, by a plain -I, and in the examples: clean under these, too.
set(GNP_STRICT_WARNINGS ${GNP_WARNINGS} -Wconversion -Wsign-conversion)

# Flags for what has to be right and need not be fast: g++ takes half as long at -Og as at -O2, and no longer than at
# -O0, and half as long again where loops are not vectorised. Most functions of an expression are called once: put into
# those that call them, which is not one of -Og's passes, they take a tenth less, and half of the space on the disk.
set(GNP_CHEAP)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  # That warning guesses where less is known of the code.
  set(GNP_CHEAP -Og -finline-functions-called-once -DGNP_PLAIN_LOOPS -Wno-maybe-uninitialized)
endif()

# g++ looks for memory that it can use again only where it has more than these kilobytes. With a million it takes a
# tenth less time, and two files in five get there; .ci/run has it look later where there is the memory, which takes
# those that are several test files read as one a tenth less again.
set(GNP_COMPILER_HEAP 1000000 CACHE STRING "Kilobytes that g++ takes before it looks for memory to use again")
mark_as_advanced(GNP_COMPILER_HEAP)
set(GNP_COMPILER_MEMORY)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(GNP_COMPILER_MEMORY "SHELL:--param ggc-min-heapsize=${GNP_COMPILER_HEAP}")
endif()

# Any finding ends the program, so that a test cannot pass with one. Loops that are to be in line are not: that is
# most of what compiling takes where nothing is optimised, and calls show in the traces.
set(sanitizing)
if(GNP_SANITIZE)
  set(sanitizing -fsanitize=${GNP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    -Dalways_inline=unused)
endif()

add_library(gnp_development INTERFACE)
target_link_libraries(gnp_development INTERFACE gnp::gnp)
# There are two hundred programs to link, which takes GNU's other linker a quarter of the time, and LLVM's a fifth for
# what clang makes.
include(CheckLinkerFlag)
set(linkers_GNU gold)
set(linkers_Clang lld)
foreach(linker IN LISTS linkers_${CMAKE_CXX_COMPILER_ID})
  check_linker_flag(CXX -fuse-ld=${linker} GNP_HAS_${linker})
  if(GNP_HAS_${linker})
    target_link_options(gnp_development INTERFACE -fuse-ld=${linker})
  endif()
endforeach()
target_compile_options(gnp_development INTERFACE ${GNP_COMPILER_MEMORY} ${GNP_WARNINGS} $<$<BOOL:${GNP_WERROR}>:-Werror>)
target_compile_options(gnp_development INTERFACE ${sanitizing})
if(GNP_SANITIZE)
  target_link_options(gnp_development INTERFACE -fsanitize=${GNP_SANITIZE})
endif()

# gnp::compiled, for what has to be built fast; it is checked like the rest of the code.
add_library(gnp_development_compiled INTERFACE)
target_link_libraries(gnp_development_compiled INTERFACE gnp_development gnp::compiled)
get_target_property(type gnp_compiled TYPE)
if(NOT type STREQUAL "INTERFACE_LIBRARY")
  target_compile_options(gnp_compiled PRIVATE ${GNP_COMPILER_MEMORY} ${GNP_WARNINGS} $<$<BOOL:${GNP_WERROR}>:-Werror>)
  target_compile_options(gnp_compiled PRIVATE ${sanitizing})
endif()

# gnp_precompiled(name header options...): a target whose precompiled header others of the same options take, by
# gnp_use_precompiled(target name).
function(gnp_precompiled name header)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_compile_options(${name} PRIVATE ${ARGN})
  target_precompile_headers(${name} PRIVATE ${header})
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/header_only.sh)
endfunction()
function(gnp_use_precompiled target name)
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# gnp/gnp.hpp for programs that are built fast: the examples, where they are to be, and those that the tests run beside
# their own. Each is compiled in two seconds less.
gnp_precompiled(gnp_cheap_programs <gnp/gnp.hpp> ${GNP_CHEAP})
target_link_libraries(gnp_cheap_programs PRIVATE gnp_development_compiled)
set_target_properties(gnp_cheap_programs PROPERTIES EXCLUDE_FROM_ALL ON)
function(gnp_cheap_program target)
  target_link_libraries(${target} PRIVATE gnp_development_compiled)
  target_compile_options(${target} PRIVATE ${GNP_CHEAP})
  gnp_use_precompiled(${target} gnp_cheap_programs)
endfunction()

# gnp_syntax_check(name gnp definitions sources...): they have to compile with this target of gnp's and these
# definitions, and no code is made of them. They read gnp/gnp.hpp precompiled.
function(gnp_syntax_check name gnp definitions)
  gnp_precompiled(${name}_headers <gnp/gnp.hpp> -O0)
  add_library(${name} OBJECT ${ARGN})
  target_compile_options(${name} PRIVATE -O0)
  foreach(target IN ITEMS ${name} ${name}_headers)
    target_link_libraries(${target} PRIVATE ${gnp})
    target_compile_definitions(${target} PRIVATE ${definitions})
  endforeach()
  gnp_use_precompiled(${name} ${name}_headers)
  set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/syntax_only.sh)
endfunction()
