// SPDX-License-Identifier: MIT
// The machine's LAPACK: OpenBLAS, MKL or another, opened at run time, and the names that its functions have
// there.
#pragma once

#include <link.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <gnp/core/shared_library.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A library with LAPACK's functions and BLAS's. dgemm may be dgemm_, dgemm_64_ or scipy_dgemm_64_ there.
struct lapack_library {
  shared_library file;
  std::string prefix;
  std::string suffix;
  bool wide = false;                   // its integers have 64 bits
  void (*set_threads)(int) = nullptr;  // null if, as far as gnp knows, it uses only one
  bool survives_fork = true;           // are its threads restarted in a child of fork()?

  /// For large matrices, OpenBLAS and MKL are faster than gnp's own code; the reference LAPACK never is.
  bool is_fast() const { return set_threads != nullptr; }
  explicit operator bool() const { return static_cast<bool>(file); }
  std::string name_of(const std::string& function) const { return prefix + function + suffix; }
  void* find(const std::string& function) const { return ::dlsym(file.handle, name_of(function).c_str()); }
};

/// Are the integers of this idamax 64 bits wide? It is asked for the index of the largest of 2 numbers. Their
/// count is passed as a word that is negative if all 64 bits are read: the answer is then 0 instead of 2.
GNP_INLINE bool has_wide_integers(void* idamax) {
  const std::uint64_t count = (std::uint64_t{1} << 63) | 2;
  const std::uint64_t step = 1;
  const double values[] = {1, 2};
  using function = int (*)(const void*, const double*, const void*);
  return reinterpret_cast<function>(idamax)(&count, values, &step) == 0;
}

/// Finds out the names of an opened library's functions; false if it is not a LAPACK.
[[gnu::cold]] GNP_INLINE bool learn_names(lapack_library& library) {
  for (const char* prefix : {"", "scipy_"}) {
    for (const char* suffix : {"_64_", "64_", "_64", "_"}) {
      library.prefix = prefix;
      library.suffix = suffix;
      // One function of BLAS, and one of LAPACK that libraries with BLAS and only a little of LAPACK do not
      // have.
      void* const idamax = library.find("idamax");
      if (idamax == nullptr || library.find("zgesdd") == nullptr) continue;
      library.wide = library.suffix != "_" || has_wide_integers(idamax);
      return true;
    }
  }
  return false;
}

/// Finds the function that sets an opened library's number of threads.
[[gnu::cold]] GNP_INLINE void learn_threads(lapack_library& library) {
  const auto find = [&library](const std::string& name) { return ::dlsym(library.file.handle, name.c_str()); };
  for (const char* suffix : {"", "64_", "_64"}) {
    const std::string openblas = library.prefix + "openblas_";
    void* const set = find(openblas + "set_num_threads" + suffix);
    if (set == nullptr) continue;
    library.set_threads = reinterpret_cast<void (*)(int)>(set);
    void* const get_parallel = find(openblas + "get_parallel" + suffix);
    constexpr int by_openmp = 2;
    library.survives_fork = get_parallel != nullptr && reinterpret_cast<int (*)()>(get_parallel)() != by_openmp;
    return;
  }
  if (void* const set = find("MKL_Set_Num_Threads"); set != nullptr) {
    library.set_threads = reinterpret_cast<void (*)(int)>(set);
    library.survives_fork = false;
  }
}

/// The files of OpenBLAS and MKL that this process has already loaded, under any name.
[[gnu::cold]] GNP_INLINE std::vector<std::string> loaded_lapacks() {
  std::vector<std::string> paths;
  const auto look_at = [](dl_phdr_info* info, std::size_t, void* found) {
    const char* const slash = std::strrchr(info->dlpi_name, '/');
    if (slash == nullptr) return 0;
    if (std::strstr(slash, "openblas") != nullptr || std::strstr(slash, "libmkl_rt") != nullptr)
      static_cast<std::vector<std::string>*>(found)->emplace_back(info->dlpi_name);
    return 0;
  };
  ::dl_iterate_phdr(look_at, &paths);
  return paths;
}

/// Should the library do everything that it can, because GNP_LAPACK names it?
GNP_INLINE bool lapack_is_asked_for() {
  static const bool asked = !environment("GNP_LAPACK").empty();
  return asked;
}

/// The library that GNP_LAPACK names, otherwise the first one found of the known libraries; none if GNP_LAPACK
/// is "none".
[[gnu::cold]] GNP_INLINE lapack_library open_lapack() {
  lapack_library library;
  // Integers are passed as 64 bits, of which a library may read only the first half.
  if constexpr (std::endian::native != std::endian::little) return library;
  const std::string asked = environment("GNP_LAPACK");
  if (asked == "none") return library;
  if (!asked.empty()) {
    if (!library.file.open(asked)) {
      const char* const why = ::dlerror();
      throw device_error(std::string("GNP_LAPACK: ") + (why != nullptr ? why : asked.c_str()) +
                         ". Name a LAPACK, or none to do without");
    }
    if (!learn_names(library)) {
      throw device_error(
          std::string("GNP_LAPACK: ") + asked +
          " is not a LAPACK library: it has no functions idamax_ and zgesdd_, nor any with 64 in their "
          "names. Name another, or none to do without");
    }
    learn_threads(library);
    return library;
  }
  std::vector<std::string> names = loaded_lapacks();
  // On Fedora, the OpenBLAS with threads has another name than the one without. On Debian, the last name is the
  // library that the administrator has chosen.
  for (const char* usual :
       {"libopenblasp.so.0", "libopenblas.so.0", "libmkl_rt.so.2", "libmkl_rt.so", "liblapack.so.3"}) {
    names.emplace_back(usual);
  }
  for (const std::string& name : names) {
    if (!library.file.open(name)) continue;
    if (learn_names(library)) {
      learn_threads(library);
      return library;
    }
  }
  return {};
}

/// The library of this process, opened once. Throws if GNP_LAPACK names one that does not work.
GNP_INLINE const lapack_library& lapack_of_process() {
  static const lapack_library& library = *new lapack_library(open_lapack());
  return library;
}

/// A description of the library, for people.
[[gnu::cold]] GNP_INLINE std::string describe_lapack() {
  const lapack_library* library = nullptr;
  try {
    library = &lapack_of_process();
  } catch (const device_error& failure) {
    return failure.what();
  }
  if (!*library) return environment("GNP_LAPACK") == "none" ? "none, as GNP_LAPACK says" : "not found";
  Dl_info where{};
  const bool known = ::dladdr(library->find("zgesdd"), &where) != 0 && where.dli_fname != nullptr;
  return std::string(known ? where.dli_fname : library->file.path.c_str()) +
         (library->wide ? ", 64-bit integers" : ", 32-bit integers") +
         (library->set_threads != nullptr ? "" : ", on one thread");
}

}}}  // namespace gnp::GNP_ABI::detail
