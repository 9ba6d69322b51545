// SPDX-License-Identifier: MIT
// The source text that a GNP_KERNEL becomes.
#pragma once

#include <gnp/exec/text/prelude.hpp>
#include <gnp/kernel/user_kernel_source.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// The names from gnp and the standard library that bodies can use on the CPU.
inline constexpr const char* kernel_names_text = R"(
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned long long uint64_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t; using ::size_t;
using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh; using ::erf; using ::erfc;
using ::tgamma; using ::lgamma; using ::pow; using ::hypot; using ::fma; using ::fmod; using ::floor; using ::ceil;
using ::round; using ::trunc; using ::fabs; using ::abs; using ::fmin; using ::fmax; using ::copysign;
using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
template <class T> inline const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> inline const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> using remove_cvref_t = remove_const_t<remove_reference_t<T>>;
}
namespace gnp {
typedef long long index_t;
typedef std::complex<float> complex64; typedef std::complex<double> complex128;
typedef half float16; typedef float float32; typedef double float64;
struct grid_index_xy { index_t x, y; };
struct grid_index_xyz { index_t x, y, z; };
}
inline gnp::index_t grid_index() { return gnp::index_t(blockIdx.x) * blockDim.x + threadIdx.x; }
inline gnp::grid_index_xy grid_index_2d() { return {grid_index(), gnp::index_t(blockIdx.y) * blockDim.y + threadIdx.y}; }
inline gnp::grid_index_xyz grid_index_3d() {
  return {grid_index(), gnp::index_t(blockIdx.y) * blockDim.y + threadIdx.y, gnp::index_t(blockIdx.z) * blockDim.z + threadIdx.z};
}
inline gnp::index_t grid_size() { return gnp::index_t(gridDim.x) * blockDim.x; }
inline long long as_signed(unsigned long long x) { return static_cast<long long>(x); }
inline long long atomicAdd(long long* p, long long x) { return as_signed(atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(x))); }
inline long long atomicSub(long long* p, long long x) { return atomicAdd(p, -x); }
inline long long atomicExch(long long* p, long long x) { return as_signed(atomicExch(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(x))); }
inline long long atomicCAS(long long* p, long long compare, long long x) {
  return as_signed(atomicCAS(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(compare), static_cast<unsigned long long>(x)));
}
// What GNP_SHARED and GNP_DYNAMIC_SHARED have become.
#define thread_local __shared__
namespace gnp { namespace detail {
struct cuda_names {
  template <class T> static void declare_shared(const char*, const T&) {}
  template <class T> static T* dynamic_shared(const char*) {
    extern __shared__ ulonglong2 gnp_dynamic_shared[];
    return reinterpret_cast<T*>(gnp_dynamic_shared);
  }
};
} }
)";

/// "x, y" becomes "(auto x, auto y)".
GNP_INLINE std::string with_auto(const std::string& names) {
  std::string text;
  for (const std::string& name : split_arguments(names)) text += (text.empty() ? "(auto " : ", auto ") + name;
  return text + ")";
}

GNP_INLINE std::string user_kernel_source(const kernel_texts& texts,
                                          const std::vector<std::string>& parameter_types, kernel_form form) {
  std::string text = std::string(prelude_text) + complex_text + half_text + kernel_names_text;
  text += std::string("namespace gnp {\n") + bad_index_text + "}\n";
  text += form.checked ? checked_view_text : unchecked_view_text;
  text += std::string("namespace gnp {\n") + array_view_text + "\n" +
          (texts.is_gufunc ? gufunc_parts_text : "") + "\n}\n";
  std::vector<const device_function_text*> there;
  add_device_functions(texts.body, texts.file, text, there);

  // For templates, the compiler deduces the arguments.
  const std::string body = std::string(texts.name) + "_body";
  if (*texts.template_parameters != '\0') {
    const std::string list = texts.template_parameters;
    text += std::string("template <") + list.substr(1, list.size() - 2) + ">\n";
  }
  text += std::string("#line 1 \"") + texts.name + "\"\n";
  const std::string names(texts.parameters);
  text += std::string("inline void ") + body +
          (texts.is_gufunc ? with_auto(names.substr(1, names.size() - 2)) : names) + " " + texts.body + "\n";
  const std::string wait = form.early ? "  wait_for_results();\n" : "";
  std::string parameters;
  std::string arguments;
  for (std::size_t i = 0; i < parameter_types.size(); ++i) {
    const std::string name = std::string("a") + std::to_string(i);
    parameters += std::string(i == 0 ? "" : ", ") + parameter_types[i] + " " + name;
    if (texts.is_gufunc && i + 1 == parameter_types.size()) {
      // The last parameter is the number of calls.
      return text + "extern \"C\" __global__ void " + texts.name + "(" + parameters + ") {\n" + wait +
             "  const gnp::index_t call = grid_index();\n  if (call < " + name + ") " + body + "(" + arguments +
             ");\n}\n";
    }
    arguments += std::string(i == 0 ? "" : ", ");
    arguments += texts.is_gufunc ? "gnp::detail::core_of(" + name + ", call)" : name;
  }
  return text + "extern \"C\" __global__ void " + texts.name + "(" + parameters + ") {\n" + wait + "  " + body +
         "(" + arguments + ");\n}\n";
}

}}}  // namespace gnp::GNP_ABI::detail
