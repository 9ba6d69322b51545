// SPDX-License-Identifier: MIT
// From kernel source to a function on a GPU. Looks in memory first, then on disk, and then runs the compiler.
#pragma once

#include <algorithm>
#include <gnp/cuda/cache.hpp>
#include <gnp/cuda/context.hpp>
#include <gnp/cuda/device_program.hpp>
#include <gnp/cuda/nvrtc.hpp>
#if GNP_HAS_CUDA

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE bool device_program::is(const device_program& other) const {
  return source == other.source && names == other.names && options == other.options && by_user == other.by_user;
}

/// Everything a compiled kernel depends on, as one text.
[[gnu::cold]] GNP_INLINE std::string kernel_recipe(const device_program& program, int arch) {
  std::string recipe = std::string("nvrtc ") + std::to_string(nvrtc().version);
  for (const std::string& option : compile_options(program, arch)) recipe += std::string(" ") + option;
  for (const std::string& name : program.names) recipe += std::string("\n") + name;
  return recipe + "\n" + program.source;
}

GNP_INLINE CUresult load_image(const compiled_program& compiled, loaded_program& program) {
  program.names = compiled.names;
  return driver().cuModuleLoadData(&program.module, compiled.image.c_str());
}

/// A compiled program as one file: one name per line, an empty line, and the image.
[[gnu::cold]] GNP_INLINE std::string as_file(const compiled_program& compiled) {
  std::string text;
  for (const std::string& name : compiled.names) text += name + "\n";
  return text + "\n" + compiled.image;
}
[[gnu::cold]] GNP_INLINE compiled_program from_file(const std::string& file) {
  compiled_program compiled;
  std::size_t begin = 0;
  for (std::size_t end = file.find('\n'); end != std::string::npos && end > begin;
       end = file.find('\n', begin)) {
    compiled.names.push_back(file.substr(begin, end - begin));
    begin = end + 1;
  }
  compiled.image = file.substr((std::min)(begin + 1, file.size()));
  return compiled;
}

/// Is this the output of a compiler (a cubin, a fatbin or PTX) rather than C++?
[[gnu::cold]] GNP_INLINE bool is_compiled(const std::string& code) {
  if (code.compare(0, 4,
                   "\x7f"
                   "ELF") == 0 ||
      code.compare(0, 4, "\x50\xed\x55\xba") == 0)
    return true;
  const std::size_t version = code.find(".version ");
  const std::size_t target = code.find("\n.target ");
  return version != std::string::npos && target != std::string::npos && version < target &&
         (version == 0 || code[version - 1] == '\n');
}

/// Can it include the user's own files? The recipe does not contain what is in them, so such a program is
/// compiled again in each process. (For the toolkit's headers, NVRTC's version is enough.)
[[gnu::cold]] GNP_INLINE bool reads_files_of_the_user(const device_program& program) {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  if (!program.by_user) return false;
  const std::string_view source = program.source;
  for (std::size_t at = 0; (at = source.find("include", at)) != std::string_view::npos;) {
    const std::size_t before = at == 0 ? at : source.find_last_not_of(" \t", at - 1);
    const std::size_t after = source.find_first_not_of(" \t", at += std::string_view("include").size());
    const bool is_directive =
        before < at && (source[before] == '#' || source.substr(0, before + 1).ends_with("*/"));
    // "mine.h", a macro, or a comment before either
    if (is_directive && after != std::string_view::npos && source[after] != '<') return true;
  }
  if (has(program.source, "#embed")) return true;
  return std::any_of(program.options.begin(), program.options.end(), [&has](const std::string& option) {
    return option.compare(0, 2, "-I") == 0 || has(option, "include");
  });
}

[[gnu::cold]] GNP_INLINE loaded_program make_program(const gpu& device, const device_program& program) {
  loaded_program made;
  if (program.by_user && is_compiled(program.source)) {
    check_cuda(load_image({program.source, program.names}, made), "cuModuleLoadData");
    return made;
  }
  const std::string recipe = kernel_recipe(program, device.arch);
  const disk_cache cache(reads_files_of_the_user(program) ? std::string() : cache_folder());
  if (const std::string file = cache.read(recipe); !file.empty()) {
    if (load_image(from_file(file), made) == CUDA_SUCCESS) return made;
  }
  const compiled_program compiled = compile_program(program, device.arch);
  check_cuda(load_image(compiled, made), "cuModuleLoadData");
  cache.write(recipe, as_file(compiled));
  return made;
}

[[gnu::cold]] GNP_INLINE const loaded_program& load_program(const gpu& device, const device_program& program) {
  struct entry {
    int ordinal;
    device_program program;
    std::mutex building;
    loaded_program loaded;
    entry* next;
  };
  static std::mutex& lock_entries = *new std::mutex;
  static entry* first = nullptr;  // searching a list is fast enough: compiling takes a thousand times longer

  entry* known = nullptr;
  {
    const std::lock_guard lock(lock_entries);
    for (entry* e = first; e != nullptr && known == nullptr; e = e->next) {
      if (e->ordinal == device.ordinal && e->program.is(program)) known = e;
    }
    if (known == nullptr) first = known = new entry{device.ordinal, program, {}, {}, first};
  }
  const std::lock_guard lock(known->building);
  if (known->loaded.module == nullptr) known->loaded = make_program(device, program);
  return known->loaded;
}

[[gnu::cold]] GNP_INLINE CUfunction load_kernel(const gpu& device, const device_program& program) {
  return load_program(device, program).function(0);
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
