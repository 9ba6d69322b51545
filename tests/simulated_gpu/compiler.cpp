// SPDX-License-Identifier: MIT
// libnvrtc.so.13 for the simulated GPU: a kernel's text becomes a library, compiled by this machine's compiler
// with CUDA's names of device_names.hpp. A few words of CUDA are no C++, and are put into it first.
#include <nvrtc.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

struct _nvrtcProgram {
  std::string text, image, log;
};

namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Where the bracket that opens at `at` closes.
std::size_t closing(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) break;
  }
  return at;
}

/// asm("add.rn.f16 %0, %1, %2;" : "=h"(z) : "h"(x), "h"(y)) -> ptx_add_rn_f16(z, x, y): the names of all of its
/// instructions, without predicates and registers.
std::string call_of(const std::string& statement) {
  const std::size_t begin = statement.find('"') + 1;
  const std::string code = statement.substr(begin, statement.find('"', begin) - begin);
  if (code.empty()) return "(void)0";  // it only hides a value from the compiler
  static const std::regex instruction(R"((?:^|;)[\s{]*(?:@!?\w+\s+)?([a-z][\w.:]*))");
  std::string name = "ptx";
  for (std::sregex_iterator i(code.begin(), code.end(), instruction), end; i != end; ++i)
    name += "_" + (*i)[1].str();
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == ':'; }, '_');
  std::string operands;
  for (std::size_t at = statement.find(':'); (at = statement.find("\"(", at)) != std::string::npos;) {
    const std::size_t end = closing(statement, at + 1);
    operands += (operands.empty() ? "" : ", ") + statement.substr(at + 1, end - at);
    at = end;
  }
  return name + "(" + operands + ")";
}

std::string as_cpp(std::string text) {
  static const std::regex statement(R"(\basm\s*(volatile\s*)?\()");
  for (std::smatch found; std::regex_search(text, found, statement);) {
    const auto begin = static_cast<std::size_t>(found.position());
    const std::size_t end = closing(text, begin + static_cast<std::size_t>(found.length()) - 1) + 1;
    text.replace(begin, end - begin, call_of(text.substr(begin, end - begin)));
  }
  text = std::regex_replace(text, std::regex(R"(extern __shared__ (\w+) (\w+)\[\];)"),
                            "$1* const $2 = static_cast<$1*>(simulated_shared_memory());");
  // GNP_SHARED's thread_local is already what shared memory is here.
  text = std::regex_replace(text, std::regex(R"(#define thread_local __shared__)"), "");
  text = std::regex_replace(text, std::regex(R"(__shared__ (alignas\(\w+\)))"), "$1 __shared__");
  // The kernels by their names.
  static const std::regex kernel(R"(__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\()");
  std::string calls = "namespace gnp {} using namespace gnp;\n";  // where some of them are
  for (std::sregex_iterator k(text.begin(), text.end(), kernel), end; k != end; ++k) {
    const std::string name = (*k)[1];
    calls += "extern \"C\" void simulated_call_" + name + "(void** p) { simulated::call(" + name + ", p); }\n";
    calls += "extern \"C\" int simulated_sizes_" + name +
             "(unsigned long long* bytes) { return simulated::sizes(" + name + ", bytes); }\n";
  }
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
