# gnp_use_cuda_headers(target): lets users of the target find the CUDA toolkit's headers, as GNP_CUDA says.
# Shared by gnp's own build and its installed package, so that the toolkit is looked for on the machine where
# the user's program is built. GNP_CUDA_INCLUDE_DIR may be set to name the folder.
function(gnp_use_cuda_headers target)
  if(NOT DEFINED GNP_CUDA)
    set(GNP_CUDA AUTO)
  endif()
  if(NOT GNP_CUDA STREQUAL "AUTO" AND NOT GNP_CUDA)
    target_compile_definitions(${target} INTERFACE $<BUILD_INTERFACE:GNP_NO_CUDA>)
    return()
  endif()

  find_path(GNP_CUDA_INCLUDE_DIR nvrtc.h
    HINTS "$ENV{CUDA_HOME}/include" "$ENV{CUDA_PATH}/include" /usr/local/cuda/include /opt/cuda/include
    DOC "Folder of the CUDA toolkit's cuda.h and nvrtc.h")
  mark_as_advanced(GNP_CUDA_INCLUDE_DIR)

  if(GNP_CUDA_INCLUDE_DIR AND EXISTS "${GNP_CUDA_INCLUDE_DIR}/cuda.h")
    target_include_directories(${target} SYSTEM INTERFACE "$<BUILD_INTERFACE:${GNP_CUDA_INCLUDE_DIR}>")
    set(found "CUDA headers found in ${GNP_CUDA_INCLUDE_DIR}")
  elseif(GNP_CUDA STREQUAL "AUTO")
    set(found "CUDA headers not found: building for the CPU device only")
  else()
    message(FATAL_ERROR "gnp: GNP_CUDA is ${GNP_CUDA}, but no folder with cuda.h and nvrtc.h was found. "
      "Set CUDA_HOME or GNP_CUDA_INCLUDE_DIR, or GNP_CUDA=OFF to build for the CPU device only.")
  endif()
  if(NOT gnp_FIND_QUIETLY)
    message(STATUS "gnp: ${found}")
  endif()
endfunction()
