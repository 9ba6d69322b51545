// SPDX-License-Identifier: MIT
// The bridge to zlib, opened the first time that something compressed is read or written.
#pragma once

#include <gnp/core/shared_library.hpp>
#include <gnp/libraries/calls.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// zlib's z_stream.
struct zlib_stream {
  const unsigned char* next_in = nullptr;
  unsigned avail_in = 0;
  unsigned long total_in = 0;
  unsigned char* next_out = nullptr;
  unsigned avail_out = 0;
  unsigned long total_out = 0;
  const char* msg = nullptr;
  void* state = nullptr;
  void* (*zalloc)(void*, unsigned, unsigned) = nullptr;
  void (*zfree)(void*, void*) = nullptr;
  void* opaque = nullptr;
  int data_type = 0;
  unsigned long adler = 0;
  unsigned long reserved = 0;
};

enum zlib_flush : int { zlib_no_flush = 0, zlib_full_flush = 3, zlib_finish = 4 };
enum zlib_status : int { zlib_ok = 0, zlib_stream_end = 1, zlib_buffer_error = -5 };
inline constexpr int zlib_deflated = 8;
inline constexpr int zlib_raw = -15;  // window bits: deflate's own form, without zlib's header

#define GNP_ZLIB_FUNCTIONS(X)                                                    \
  X(inflateInit2_, int(zlib_stream*, int, const char*, int))                     \
  X(inflate, int(zlib_stream*, int))                                             \
  X(inflateEnd, int(zlib_stream*))                                               \
  X(deflateInit2_, int(zlib_stream*, int, int, int, int, int, const char*, int)) \
  X(deflate, int(zlib_stream*, int))                                             \
  X(deflateEnd, int(zlib_stream*))                                               \
  X(deflateBound, unsigned long(zlib_stream*, unsigned long))

struct zlib_api {
  shared_library library;
  GNP_ZLIB_FUNCTIONS(GNP_DECLARE_FUNCTION)

  static constexpr const char* version =
      "1.2.3";  // its first character and the stream's size are what is compared
};

/// The library of this process; without one `library` is false.
GNP_INLINE const zlib_api& zlib() {
  static const zlib_api& kept = *new zlib_api([] {
    zlib_api api;
    for (const char* name : {"libz.so.1", "libz.so"}) {
      if (!api.library.open(name)) continue;
      GNP_ZLIB_FUNCTIONS(GNP_LOAD_FUNCTION)
      break;
    }
    return api;
  }());
  return kept;
}

}}}  // namespace gnp::GNP_ABI::detail
