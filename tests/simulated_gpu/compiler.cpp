// SPDX-License-Identifier: MIT
// libnvrtc.so.13 for the simulated GPU: a kernel's text becomes a library, compiled by this machine's compiler
// with CUDA's names of device_names.hpp. A few words of CUDA are no C++, and are put into it first.
#include <nvrtc.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

struct _nvrtcProgram {
  std::string text, image, log;
};

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What comes after the bracket that opens at `at`.
std::size_t past_bracket(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at + 1;
  }
  return at;
}

/// Reads a text from a place in it.
struct reader {
  const std::string& text;
  std::size_t at;

  static bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
  void skip_spaces() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  }
  /// Whether this is what comes, which then has been read.
  bool skip(std::string_view what) {
    const bool comes = text.compare(at, what.size(), what) == 0;
    if (comes) at += what.size();
    return comes;
  }
  std::string word() {
    const std::size_t begin = at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    return text.substr(begin, at - begin);
  }
};

/// Calls `rewrite(at, after)` wherever `words` begin in the text, and not within a word: where that is, and a
/// reader of what comes after them. It may change the text from there on.
template <class Rewrite>
void for_each(std::string_view words, const std::string& text, const Rewrite& rewrite) {
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at)
    if (at == 0 || !reader::is_of_word(text[at - 1])) rewrite(at, reader{text, at + words.size()});
}

/// asm("add.rn.f16 %0, %1, %2;" : "=h"(z) : "h"(x), "h"(y)) -> ptx_add_rn_f16(z, x, y): the names of all of its
/// instructions, without predicates and registers.
std::string call_of(const std::string& statement) {
  const std::size_t begin = statement.find('"') + 1;
  const std::string code = statement.substr(begin, statement.find('"', begin) - begin);
  if (code.empty()) return "(void)0";  // it only hides a value from the compiler
  std::string name = "ptx";
  // An instruction ends with a semicolon, the predicate before it, @p or @!p, with a space.
  for (std::size_t at = 0; (at = code.find_first_not_of("; {", at)) != std::string::npos;
       at = code.find_first_of(code[at] == '@' ? "; " : ";", at))
    if ('a' <= code[at] && code[at] <= 'z') name += '_' + code.substr(at, code.find_first_of("; ", at) - at);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == ':'; }, '_');
  std::string operands;
  for (std::size_t at = statement.find(':'); (at = statement.find("\"(", at)) != std::string::npos;) {
    const std::size_t end = past_bracket(statement, at + 1);
    operands += (operands.empty() ? "" : ", ") + statement.substr(at + 1, end - at - 1);
    at = end;
  }
  return name + "(" + operands + ")";
}

std::string as_cpp(std::string text) {
  for_each("asm", text, [&](std::size_t at, reader after) {
    after.skip_spaces();
    if (after.skip("volatile")) after.skip_spaces();
    if (!after.skip("(")) return;
    const std::size_t end = past_bracket(text, after.at - 1);
    text.replace(at, end - at, call_of(text.substr(at, end - at)));
  });
  for_each("extern __shared__ ", text, [&](std::size_t at, reader after) {
    const std::string type = after.word();
    after.skip_spaces();
    const std::string name = after.word();
    if (!after.skip("[];")) return;
    text.replace(at, after.at - at,
                 type + "* const " + name + " = static_cast<" + type + "*>(simulated_shared_memory());");
  });
  // GNP_SHARED's thread_local is already what shared memory is here.
  const std::string_view definition = "#define thread_local __shared__";
  for_each(definition, text, [&](std::size_t at, reader) { text.erase(at, definition.size()); });
  // __shared__ alignas(16) -> alignas(16) __shared__
  for_each("__shared__ alignas(", text, [&](std::size_t at, reader after) {
    const std::size_t end = past_bracket(text, after.at - 1), alignment = text.find("alignas", at);
    text.replace(at, end - at, text.substr(alignment, end - alignment) + " __shared__");
  });
  // The kernels by their names.
  std::string calls = "namespace gnp {} using namespace gnp;\n";  // where some of them are
  for_each("__global__", text, [&](std::size_t, reader after) {
    after.skip_spaces();
    if (!after.skip("void")) return;
    after.skip_spaces();
    if (after.skip("__launch_bounds__(")) {
      after.at = past_bracket(text, after.at - 1);
      after.skip_spaces();
    }
    const std::string name = after.word();
    after.skip_spaces();
    if (!after.skip("(")) return;
    calls += "extern \"C\" void simulated_call_" + name + "(void** p) { simulated::call(" + name + ", p); }\n";
    calls += "extern \"C\" int simulated_sizes_" + name +
             "(unsigned long long* bytes) { return simulated::sizes(" + name + ", bytes); }\n";
  });
  return "#define std kernel_std\n#define gnp kernel_gnp\n#line 1 \"kernel\"\n" + text + "\n" + calls;
}

nvrtcResult copied(const std::string& from, char* to) {
  std::memcpy(to, from.data(), from.size());
  return NVRTC_SUCCESS;
}

}  // namespace

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
  *major = 13, *minor = 0;
  return NVRTC_SUCCESS;
}
const char* nvrtcGetErrorString(nvrtcResult) { return "the simulated compiler failed"; }
nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int* list) {
  *list = 90;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* text, const char*, int, const char* const*,
                               const char* const*) {
  *program = new _nvrtcProgram{text, {}, {}};
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
  delete *program;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char*) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char* name, const char** lowered) {
  *lowered = name;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int, const char* const*) {
  char folder[] = "/tmp/simulated-kernel-XXXXXX";
  if (mkdtemp(folder) == nullptr) return NVRTC_ERROR_INTERNAL_ERROR;
  const std::string base = std::string(folder) + "/kernel";
  std::ofstream(base + ".cpp") << as_cpp(program->text);
  // SIMULATED_COMPILER: the compiler and how it finds device_names.hpp, which has been compiled already.
  const std::string command =
      SIMULATED_COMPILER " -o " + base + ".so " + base + ".cpp " SIMULATED_LIBRARIES " >" + base + ".log 2>&1";
  const bool good = std::system(command.c_str()) == 0;
  program->image = read(base + ".so");
  program->log = read(base + ".log") + '\0';
  for (const char* ending : {".cpp", ".so", ".log"}) unlink((base + ending).c_str());
  rmdir(folder);
  return good ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* size) {
  *size = program->log.size();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) { return copied(program->log, log); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* size) {
  *size = program->image.size();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* image) { return copied(program->image, image); }
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, std::size_t* size) {
  return nvrtcGetCUBINSize(program, size);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char* image) { return nvrtcGetCUBIN(program, image); }

}  // extern "C"
