// SPDX-License-Identifier: MIT
// What a kernel's text finds on a GPU without including anything, for one that a CPU's compiler compiles. The
// simulator is in libcuda.so.1, driver.cpp. A last line, which the compiler adds, renames std and gnp: a
// kernel's text has its own.
//
// Thousands of kernels are compiled one by one, and to read this file, precompiled as it is, takes most of a
// compiler's time where it includes headers of C++: so C's mathematics is all that it includes, and a few lines
// of it are what <atomic>, <bit> and <cmath> would say.
#pragma once

#include <stddef.h>
// No <stdint.h>: a user's kernel has its own int64_t, which is not this machine's type.

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // libstdc++'s own would include <cmath>
#include <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#undef isfinite
#undef isinf
#undef isnan
#undef signbit

extern "C" {
const unsigned* simulated_place(int what);
int simulated_barrier(bool vote);
unsigned long long simulated_meeting(int kind, unsigned mask, unsigned long long value, int source);
void* simulated_shared_memory();
void simulated_yield(bool is_alone);
unsigned simulated_number_in_cluster();
char* simulated_anchor(unsigned number, char* own);
void simulated_arrive();
bool simulated_all_arrived();
double simulated_bessel_i0(double x);
unsigned short simulated_half(float x);
float simulated_float(unsigned short half);
}

namespace simulated {

template <class T>
struct as_it_is {
  using type = T;
};
template <class T>
using as_it_is_t = typename as_it_is<T>::type;
template <class T>
struct plain {
  using type = T;
};
template <class T>
struct plain<const T> : plain<T> {};
template <class T>
struct plain<T&> : plain<T> {};

template <class To, class From>
constexpr To bit_cast(const From& x) {
  return __builtin_bit_cast(To, x);
}
template <class T>
T loaded(const T* place) {
  T x;
  __atomic_load(place, &x, __ATOMIC_SEQ_CST);
  return x;
}
template <class T>
void stored(T* place, T x) {
  __atomic_store(place, &x, __ATOMIC_SEQ_CST);
}

template <int What>
struct place {
  struct number {
    int axis;
    operator unsigned() const { return simulated_place(What)[axis]; }
  };
  number x{0}, y{1}, z{2};
};

template <class T>
unsigned long long bits_of(T x) {
  static_assert(sizeof(T) <= 8);
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &x, sizeof x);
  return bits;
}
template <class T>
T shuffled(unsigned mask, T x, int lane) {
  const unsigned long long bits = simulated_meeting(1, mask, bits_of(x), lane);
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
inline int lane() {
  const unsigned *at = simulated_place(0), *block = simulated_place(2);
  return static_cast<int>((at[0] + block[0] * (at[1] + block[1] * at[2])) % 32);
}
inline int first_of_part(int width) { return lane() / width * width; }

template <class T, class Change>
T changed(T* place, const Change& change) {
  T old;
  __atomic_load(place, &old, __ATOMIC_RELAXED);
  for (T next = change(old);
       !__atomic_compare_exchange(place, &old, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);)
    next = change(old);
  return old;
}

/// Addresses of shared memory as numbers of 32 bits: a block's number in its cluster, and how far from this
/// variable of its memory.
inline thread_local char anchor;
inline constexpr unsigned farthest = 1u << 23;
inline unsigned shared_number(const void* place) {
  const auto far = static_cast<const char*>(place) - &anchor;
  return simulated_number_in_cluster() << 24 | static_cast<unsigned>(far + farthest);
}
template <class T>
T* shared_place(unsigned number) {
  char* const there =
      number >> 24 == simulated_number_in_cluster() ? &anchor : simulated_anchor(number >> 24, nullptr);
  return reinterpret_cast<T*>(there + static_cast<long long>(number & (2 * farthest - 1)) - farthest);
}

/// An mbarrier as one word: what still has to come, in arrivals (of one thread) and bytes, and the phase.
struct arrivals {
  int bytes;
  short pending;
  unsigned short phase;
};
inline void arrive(unsigned long long* barrier, int bytes, int threads) {
  changed(barrier, [bytes, threads](unsigned long long old) {
    auto state = simulated::bit_cast<arrivals>(old);
    state.bytes += bytes;
    state.pending = static_cast<short>(state.pending - threads);
    if (state.bytes == 0 && state.pending == 0) state = {0, 1, static_cast<unsigned short>(state.phase ^ 1)};
    return simulated::bit_cast<unsigned long long>(state);
  });
}

/// Calls a kernel with what a launch passes: addresses of its parameters.
struct caller {
  template <class... P, class... Arguments>
  caller(void (*kernel)(P...), Arguments&... arguments) {
    kernel(arguments...);
  }
};
template <class... P>
void call(void (*kernel)(P...), void** parameters) {
  simulated_anchor(0, &anchor);
  caller{kernel, *static_cast<typename plain<P>::type*>(*parameters++)...};  // in braces: from left to right
}
/// The bytes of each parameter, and how many there are.
template <class... P>
int sizes(void (*)(P...), unsigned long long* bytes) {
  const unsigned long long all[] = {sizeof(typename plain<P>::type)..., 0};
  for (unsigned long i = 0; i < sizeof...(P); ++i) bytes[i] = all[i];
  return sizeof...(P);
}

/// Four bytes of two words each, one by one.
template <class T, class F>
unsigned by_bytes(unsigned a, unsigned b, const F& f) {
  unsigned result = 0;
  for (int i = 0; i < 32; i += 8) {
    const auto byte = static_cast<unsigned char>(f(static_cast<T>(a >> i), static_cast<T>(b >> i)));
    result |= static_cast<unsigned>(byte) << i;
  }
  return result;
}

}  // namespace simulated

// NOLINTBEGIN: these names are CUDA's
#define __CUDA_ARCH__ 900
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __constant__ static const
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static thread_local

inline constexpr simulated::place<0> threadIdx;
inline constexpr simulated::place<1> blockIdx;
inline constexpr simulated::place<2> blockDim;
inline constexpr simulated::place<3> gridDim;
inline constexpr int warpSize = 32;

struct alignas(2) uchar2 {
  unsigned char x, y;
};
struct uchar3 {
  unsigned char x, y, z;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};
struct alignas(4) ushort2 {
  unsigned short x, y;
};
struct ushort3 {
  unsigned short x, y, z;
};
struct alignas(8) ushort4 {
  unsigned short x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) double2 {
  double x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
struct ulonglong3 {
  unsigned long long x, y, z;
};
struct alignas(16) longlong2 {
  long long x, y;
};
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

inline void __syncthreads() { simulated_barrier(false); }
inline int __syncthreads_count(int x) { return simulated_barrier(x != 0); }
inline int __syncthreads_or(int x) { return simulated_barrier(x != 0) > 0; }
inline int __syncthreads_and(int x) { return simulated_barrier(x == 0) == 0; }
inline void __syncwarp(unsigned mask = 0xffffffffu) { simulated_meeting(0, mask, 0, 0); }
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { simulated_yield(simulated::lane() == 0); }
inline unsigned __activemask() { return 1u << simulated::lane(); }

inline unsigned __ballot_sync(unsigned mask, int x) {
  return static_cast<unsigned>(simulated_meeting(2, mask, x != 0, 0));
}
inline int __any_sync(unsigned mask, int x) { return __ballot_sync(mask, x) != 0; }
inline int __all_sync(unsigned mask, int x) { return __ballot_sync(mask, x == 0) == 0; }
template <class T>
unsigned __match_any_sync(unsigned mask, T x) {
  return static_cast<unsigned>(simulated_meeting(3, mask, simulated::bits_of(x), 0));
}
template <class T>
unsigned __match_all_sync(unsigned mask, T x, int* all) {
  const unsigned same = __match_any_sync(mask, x);
  const bool one = __all_sync(mask, same == __ballot_sync(mask, 1));
  *all = one;
  return one ? same : 0;
}
template <class T>
T __shfl_sync(unsigned mask, T x, int lane, int width = 32) {
  return simulated::shuffled(mask, x, simulated::first_of_part(width) + (lane & (width - 1)));
}
template <class T>
T __shfl_up_sync(unsigned mask, T x, unsigned delta, int width = 32) {
  const int own = simulated::lane(), lane = own - static_cast<int>(delta);
  return simulated::shuffled(mask, x, lane < simulated::first_of_part(width) ? own : lane);
}
template <class T>
T __shfl_down_sync(unsigned mask, T x, unsigned delta, int width = 32) {
  const int own = simulated::lane(), lane = own + static_cast<int>(delta);
  return simulated::shuffled(mask, x, lane >= simulated::first_of_part(width) + width ? own : lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T x, int lanes, int width = 32) {
  const int own = simulated::lane(), lane = own ^ lanes;
  return simulated::shuffled(mask, x, lane >= simulated::first_of_part(width) + width ? own : lane);
}

template <class T>
T atomicAdd(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return static_cast<T>(old + x); });
}
template <class T>
T atomicSub(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return static_cast<T>(old - x); });
}
template <class T>
T atomicExch(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T) { return x; });
}
template <class T>
T atomicMin(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return old < x ? old : x; });
}
template <class T>
T atomicMax(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return old < x ? x : old; });
}
template <class T>
T atomicAnd(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return old & x; });
}
template <class T>
T atomicOr(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return old | x; });
}
template <class T>
T atomicXor(T* place, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [x](T old) { return old ^ x; });
}
inline unsigned atomicInc(unsigned* place, unsigned last) {
  return simulated::changed(place, [last](unsigned old) { return old >= last ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* place, unsigned last) {
  return simulated::changed(place, [last](unsigned old) { return old == 0 || old > last ? last : old - 1; });
}
template <class T>
T atomicCAS(T* place, simulated::as_it_is_t<T> compare, simulated::as_it_is_t<T> x) {
  return simulated::changed(place, [compare, x](T old) { return old == compare ? x : old; });
}
inline unsigned __cvta_generic_to_shared(const void* place) { return simulated::shared_number(place); }
template <class T>
T __ldg(const T* place) {
  return *place;
}

inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fdividef(float x, float y) { return x / y; }
inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
inline float __frcp_rn(float x) { return 1 / x; }
inline int __float2int_rn(float x) { return static_cast<int>(__builtin_rintf(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline int __float2int_ru(float x) { return static_cast<int>(__builtin_ceilf(x)); }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline int __float_as_int(float x) { return simulated::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return simulated::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return simulated::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return simulated::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return simulated::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return simulated::bit_cast<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}
inline long long __double2ll_rn(double x) { return llrint(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline unsigned __brev(unsigned x) {
  unsigned turned = 0;
  for (int i = 0; i < 32; ++i) turned |= (x >> i & 1u) << (31 - i);
  return turned;
}
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
inline unsigned __vadd4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x + y; });
}
inline unsigned __vsub4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x - y; });
}
inline unsigned __vseteq4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x == y; });
}
inline unsigned __vsetne4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x != y; });
}
inline unsigned __vsetltu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x < y; });
}
inline unsigned __vsetlts4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x < y; });
}
inline unsigned __vsetleu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x <= y; });
}
inline unsigned __vsetles4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x <= y; });
}
inline unsigned __vsetgtu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x > y; });
}
inline unsigned __vsetgts4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x > y; });
}
inline unsigned __vsetgeu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x >= y; });
}
inline unsigned __vsetges4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x >= y; });
}
inline unsigned __vminu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x < y ? x : y; });
}
inline unsigned __vmaxu4(unsigned a, unsigned b) {
  return simulated::by_bytes<unsigned char>(a, b, [](int x, int y) { return x < y ? y : x; });
}
inline unsigned __vmins4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x < y ? x : y; });
}
inline unsigned __vmaxs4(unsigned a, unsigned b) {
  return simulated::by_bytes<signed char>(a, b, [](int x, int y) { return x < y ? y : x; });
}

// C's functions for float, too, and of what C has as macros.
#define GNP_OF_ONE(name) \
  inline float name(float x) { return __builtin_##name##f(x); }
#define GNP_OF_TWO(name) \
  inline float name(float x, float y) { return __builtin_##name##f(x, y); }
GNP_OF_ONE(acos)
GNP_OF_ONE(acosh)
GNP_OF_ONE(asin)
GNP_OF_ONE(asinh)
GNP_OF_ONE(atan)
GNP_OF_ONE(atanh)
GNP_OF_ONE(cbrt)
GNP_OF_ONE(ceil)
GNP_OF_ONE(cos)
GNP_OF_ONE(cosh)
GNP_OF_ONE(erf)
GNP_OF_ONE(erfc)
GNP_OF_ONE(exp)
GNP_OF_ONE(exp2)
GNP_OF_ONE(expm1)
GNP_OF_ONE(fabs)
GNP_OF_ONE(floor)
GNP_OF_ONE(lgamma)
GNP_OF_ONE(log)
GNP_OF_ONE(log10)
GNP_OF_ONE(log1p)
GNP_OF_ONE(log2)
GNP_OF_ONE(logb)
GNP_OF_ONE(nearbyint)
GNP_OF_ONE(rint)
GNP_OF_ONE(round)
GNP_OF_ONE(sin)
GNP_OF_ONE(sinh)
GNP_OF_ONE(sqrt)
GNP_OF_ONE(tan)
GNP_OF_ONE(tanh)
GNP_OF_ONE(tgamma)
GNP_OF_ONE(trunc)
GNP_OF_TWO(atan2)
GNP_OF_TWO(copysign)
GNP_OF_TWO(fdim)
GNP_OF_TWO(fmax)
GNP_OF_TWO(fmin)
GNP_OF_TWO(fmod)
GNP_OF_TWO(hypot)
GNP_OF_TWO(nextafter)
GNP_OF_TWO(pow)
GNP_OF_TWO(remainder)
#undef GNP_OF_ONE
#undef GNP_OF_TWO
inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline float frexp(float x, int* exponent) { return __builtin_frexpf(x, exponent); }
inline float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }
inline float modf(float x, float* whole) { return __builtin_modff(x, whole); }
inline float scalbn(float x, int exponent) { return __builtin_scalbnf(x, exponent); }
inline int ilogb(float x) { return __builtin_ilogbf(x); }
inline long lrint(float x) { return __builtin_lrintf(x); }
inline long long llrint(float x) { return __builtin_llrintf(x); }
inline int abs(int x) { return __builtin_abs(x); }
inline long abs(long x) { return __builtin_labs(x); }
inline long long abs(long long x) { return __builtin_llabs(x); }
inline float abs(float x) { return __builtin_fabsf(x); }
inline double abs(double x) { return __builtin_fabs(x); }
inline bool isfinite(float x) { return __builtin_isfinite(x); }
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool isinf(float x) { return __builtin_isinf(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isnan(float x) { return __builtin_isnan(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool signbit(float x) { return __builtin_signbit(x) != 0; }
inline bool signbit(double x) { return __builtin_signbit(x) != 0; }

// Of two types, theirs in common.
template <class A, class B>
constexpr auto(min)(A a, B b) {
  using T = decltype(true ? A() : B());
  if constexpr (T(1) / T(2) != 0)
    return T(fmin(T(a), T(b)));
  else
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B>
constexpr auto(max)(A a, B b) {
  using T = decltype(true ? A() : B());
  if constexpr (T(1) / T(2) != 0)
    return T(fmax(T(a), T(b)));
  else
    return T(a) < T(b) ? T(b) : T(a);
}
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline double sinpi(double x) { return sin(M_PI * x); }
inline double cospi(double x) { return cos(M_PI * x); }
inline double rcbrt(double x) { return 1 / cbrt(x); }
inline double rhypot(double x, double y) { return 1 / hypot(x, y); }
inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
inline double normcdf(double x) { return erfc(x * -M_SQRT1_2) / 2; }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x), *c = cospi(x); }
inline float cyl_bessel_i0f(float x) { return static_cast<float>(simulated_bessel_i0(x)); }
inline double cyl_bessel_i0(double x) { return simulated_bessel_i0(x); }

// Instructions of PTX, whose statements become calls.
template <class T>
void ptx_load(T& to, const void* from) {
  to = simulated::loaded(static_cast<const T*>(from));
}
#define ptx_ld_relaxed_gpu_global_u32 ptx_load
#define ptx_ld_relaxed_gpu_global_u64 ptx_load
#define ptx_ld_acquire_gpu_global_u32 ptx_load
inline void ptx_st_relaxed_gpu_global_u32(void* to, unsigned x) {
  simulated::stored(static_cast<unsigned*>(to), x);
}
#define ptx_st_release_gpu_global_u32 ptx_st_relaxed_gpu_global_u32
inline void ptx_st_relaxed_gpu_global_u64(void* to, unsigned long long x) {
  simulated::stored(static_cast<unsigned long long*>(to), x);
}
inline void ptx_cvt_rn_f16_f32(unsigned short& to, float x) { to = simulated_half(x); }
inline void ptx_cvt_rn_bf16_f32(unsigned short& to, float x) {
  const unsigned bits = simulated::bit_cast<unsigned>(x);
  to = x != x ? 0x7fff : static_cast<unsigned short>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}
inline void ptx_div_full_f32(float& to, float x, float y) { to = x / y; }
inline void ptx_cvt_f32_f16(float& to, unsigned short x) { to = simulated_float(x); }
inline void ptx_add_rn_f16(unsigned short& to, unsigned short x, unsigned short y) {
  to = simulated_half(simulated_float(x) + simulated_float(y));
}
inline void ptx_cvt_rn_f16x2_f32(unsigned& to, float high, float low) {
  unsigned short h = 0, l = 0;
  ptx_cvt_rn_f16_f32(h, high);
  ptx_cvt_rn_f16_f32(l, low);
  to = h * 0x10000U + l;
}
inline void ptx_sub_rn_f16(unsigned short& to, unsigned short x, unsigned short y) {
  to = simulated_half(simulated_float(x) - simulated_float(y));
}
inline void ptx_mul_rn_f16(unsigned short& to, unsigned short x, unsigned short y) {
  to = simulated_half(simulated_float(x) * simulated_float(y));
}
#define GNP_IN_HALVES(operation)                                                                   \
  inline void ptx_##operation##_rn_f16x2(unsigned& to, unsigned x, unsigned y) {                   \
    unsigned short low = 0, high = 0;                                                              \
    ptx_##operation##_rn_f16(low, static_cast<unsigned short>(x), static_cast<unsigned short>(y)); \
    ptx_##operation##_rn_f16(high, static_cast<unsigned short>(x >> 16),                           \
                             static_cast<unsigned short>(y >> 16));                                \
    to = high * 0x10000U + low;                                                                    \
  }
GNP_IN_HALVES(add)
GNP_IN_HALVES(sub)
GNP_IN_HALVES(mul)
#undef GNP_IN_HALVES
inline void ptx_griddepcontrol_launch_dependents() {}
inline void ptx_griddepcontrol_wait() {}
inline void ptx_mov_u32(unsigned& cluster_ctarank) { cluster_ctarank = simulated_number_in_cluster(); }
inline void ptx_mapa_shared__cluster_u32(unsigned& there, unsigned here, unsigned block) {
  there = (here & 0xffffffu) | block << 24;
}
inline void ptx_mbarrier_init_shared_b64(unsigned barrier) {
  *simulated::shared_place<unsigned long long>(barrier) =
      simulated::bit_cast<unsigned long long>(simulated::arrivals{0, 1, 0});
}
inline void ptx_fence_mbarrier_init_release_cluster() { __threadfence(); }
inline void ptx_barrier_cluster_arrive_relaxed_aligned() { simulated_arrive(); }
inline void ptx_barrier_cluster_wait_aligned() {
  while (!simulated_all_arrived()) simulated_yield(false);
}
inline void ptx_st_async_shared__cluster_mbarrier__complete_tx__bytes_u32(unsigned to, unsigned x,
                                                                          unsigned barrier) {
  simulated::stored(simulated::shared_place<unsigned>(to), x);
  simulated::arrive(simulated::shared_place<unsigned long long>(barrier), -4, 0);
}
inline void ptx_mbarrier_arrive_expect_tx_shared_b64(unsigned barrier, unsigned bytes) {
  simulated::arrive(simulated::shared_place<unsigned long long>(barrier), static_cast<int>(bytes), 1);
}
inline void ptx_mbarrier_try_wait_parity_shared_b64_selp_u32(unsigned& done, unsigned barrier,
                                                             unsigned parity) {
  const unsigned long long word = simulated::loaded(simulated::shared_place<unsigned long long>(barrier));
  done = simulated::bit_cast<simulated::arrivals>(word).phase != parity;
  if (!done) simulated_yield(false);
}
inline void ptx_max_NaN_f32(float& to, float x, float y) {
  to = x != x || y != y ? NAN : x == y ? (signbit(x) ? y : x) : x > y ? x : y;
}
inline void ptx_min_NaN_f32(float& to, float x, float y) {
  to = x != x || y != y ? NAN : x == y ? (signbit(x) ? x : y) : x < y ? x : y;
}
inline void ptx_rcp_approx_ftz_f32(float& to, float x) { to = 1 / x; }
inline void ptx_ex2_approx_ftz_f32(float& to, float x) { to = exp2f(x); }
inline void ptx_setp_ne_u32_vote_sync_ballot_b32_not_b32_and_b32(unsigned& same, unsigned bit) {
  const unsigned vote = __ballot_sync(0xffffffffu, bit != 0);
  same &= bit != 0 ? vote : ~vote;
}
inline void ptx_setp_ne_u32_atom_shared_add_u32(unsigned& before, unsigned counter, unsigned more,
                                                unsigned wanted) {
  if (wanted != 0) before = atomicAdd(simulated::shared_place<unsigned>(counter), more);
}
// NOLINTEND
