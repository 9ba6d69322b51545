// SPDX-License-Identifier: MIT
// The folders where CUDA's libraries are usually installed, and how one of them is opened.
#pragma once

#include <glob.h>

#include <gnp/core/shared_library.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Folders that may hold CUDA's libraries, most specific first.
[[gnu::cold]] GNP_INLINE std::vector<std::string> cuda_library_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const std::string root = environment(variable); !root.empty()) {
      folders.push_back(root + "/lib64");
      folders.push_back(root + "/lib");
    }
  }
  for (const char* usual : {"/usr/local/cuda/lib64", "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"}) {
    bool known = false;
    for (const std::string& folder : folders) known = known || folder == usual;
    if (!known) folders.emplace_back(usual);
  }

  // Python wheels: nvidia/cu13/lib since CUDA 13, nvidia/<library>/lib before.
  std::vector<std::string> roots;
  if (const std::string venv = environment("VIRTUAL_ENV"); !venv.empty()) roots.push_back(venv + "/lib");
  if (const std::string conda = environment("CONDA_PREFIX"); !conda.empty()) {
    folders.push_back(conda + "/lib");
    roots.push_back(conda + "/lib");
  }
  if (const std::string home = environment("HOME"); !home.empty()) roots.push_back(home + "/.local/lib");
  for (const char* usual : {"/usr/local/lib", "/usr/lib"}) roots.push_back(usual);
  for (const std::string& root : roots) {
    for (const char* packages : {"/python3*/site-packages", "/python3*/dist-packages"}) {
      glob_t found{};
      if (::glob((root + packages + "/nvidia/*/lib").c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; ++i) folders.emplace_back(found.gl_pathv[i]);
      }
      ::globfree(&found);
    }
  }
  return folders;
}

/// Opens the first of `sonames` that is found: already loaded, on the loader's path, then folder by folder.
[[gnu::cold]] GNP_INLINE shared_library open_library(const std::vector<std::string>& sonames) {
  shared_library library;
  for (const std::string& soname : sonames) {
    if (library.open(soname, RTLD_NOLOAD)) return library;
  }
  for (const std::string& soname : sonames) {
    if (library.open(soname)) return library;
    library.tried.push_back(soname + " (the loader's path)");
  }
  for (const std::string& folder : cuda_library_folders()) {
    for (const std::string& soname : sonames) {
      if (library.open(folder + "/" + soname)) return library;
    }
    library.tried.push_back(folder);
  }
  return library;
}

}}}  // namespace gnp::GNP_ABI::detail
