// SPDX-License-Identifier: MIT
// Deflated data, by zlib: expanded one piece after the other, and compressed on all threads.
#pragma once

#include <algorithm>
#include <gnp/cpu/threads.hpp>
#include <gnp/io/file.hpp>
#include <gnp/libraries/zlib.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE const zlib_api& require_zlib(const file_errors& errors) {
  const zlib_api& api = zlib();
  if (!api.library) errors.fail("compression needs zlib, and libz.so.1 was not found on this machine");
  return api;
}

/// Expands `packed` bytes of a file that begin at `begin`.
class inflater {
 public:
  inflater(const input_file& file, std::uint64_t begin, std::uint64_t packed)
      : api_(require_zlib(file.errors())),
        file_(file),
        position_(begin),
        end_(begin + packed),
        input_(buffer_bytes) {
    if (api_.inflateInit2_(&stream_, zlib_raw, zlib_api::version, sizeof stream_) != zlib_ok)
      file.errors().fail("zlib has no memory");
  }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { api_.inflateEnd(&stream_); }

  /// Reads the next `bytes` bytes.
  GNP_INLINE void read(char* to, std::size_t bytes) {
    while (bytes > 0) {
      const auto room = static_cast<unsigned>((std::min)(bytes, std::size_t{1} << 30));
      stream_.next_out = reinterpret_cast<unsigned char*>(to);
      stream_.avail_out = room;
      const bool is_over = step();
      const std::size_t got = room - stream_.avail_out;
      to += got;
      bytes -= got;
      if (is_over && bytes > 0) fail("the compressed bytes end too early");
    }
  }
  /// Checks that nothing is left: neither compressed bytes nor expanded ones.
  GNP_INLINE void finish() {
    unsigned char more = 0;
    for (bool is_over = is_over_; !is_over;) {
      stream_.next_out = &more;
      stream_.avail_out = 1;
      is_over = step();
      if (stream_.avail_out == 0) fail("the compressed bytes expand to more than the directory says");
    }
    if (stream_.avail_in != 0 || position_ != end_) fail("there is more behind the compressed bytes");
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

  [[noreturn]] void fail(const char* what) const { file_.errors().fail_at(position_ - stream_.avail_in, what); }

  /// Expands the next bytes. Are they the last?
  GNP_INLINE bool step() {
    if (is_over_) return true;
    if (stream_.avail_in == 0 && position_ < end_) {
      const auto bytes = static_cast<std::size_t>((std::min)(std::uint64_t{buffer_bytes}, end_ - position_));
      file_.read(input_.data(), bytes, position_);
      position_ += bytes;
      stream_.next_in = input_.data();
      stream_.avail_in = static_cast<unsigned>(bytes);
    }
    const unsigned before_in = stream_.avail_in;
    const unsigned before_out = stream_.avail_out;
    const int status = api_.inflate(&stream_, zlib_no_flush);
    is_over_ = status == zlib_stream_end;
    if (!is_over_ && status != zlib_ok && status != zlib_buffer_error) fail("the compressed bytes are damaged");
    if (!is_over_ && stream_.avail_in == before_in && stream_.avail_out == before_out && position_ == end_)
      fail("the compressed bytes end too early");
    return is_over_;
  }

  const zlib_api& api_;
  const input_file& file_;
  std::uint64_t position_;
  std::uint64_t end_;
  std::vector<unsigned char> input_;
  zlib_stream stream_;
  bool is_over_ = false;
};

/// Compresses what is written to it into a file, in blocks of 1 MiB that are independent of each other.
class deflater {
 public:
  explicit deflater(output_file& file) : api_(require_zlib(file.errors())), file_(file) {
    const auto threads = static_cast<std::size_t>(thread_count().load(std::memory_order_relaxed));
    batch_ = 4 * threads * block_bytes;
  }

  GNP_INLINE void write(const char* from, std::size_t bytes) {
    while (bytes > 0) {
      // The last block is never compressed here: it has to say that it is the last.
      if (pending_.size() == batch_ + block_bytes) compress(batch_, false);
      const std::size_t taken = (std::min)(bytes, batch_ + block_bytes - pending_.size());
      pending_.append(from, taken);
      from += taken;
      bytes -= taken;
    }
  }
  void finish() { compress(pending_.size(), true); }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 20;

  /// Compresses the first of the pending bytes.
  GNP_INLINE void compress(std::size_t bytes, bool is_end) {
    const std::size_t blocks = (std::max)((bytes + block_bytes - 1) / block_bytes, std::size_t{1});
    std::vector<std::string> packed(blocks);
    parallel_for(static_cast<std::int64_t>(blocks), 1, [&](std::int64_t first, std::int64_t last) {
      for (; first < last; ++first) {
        const auto block = static_cast<std::size_t>(first);
        const std::size_t begin = block * block_bytes;
        packed[block] =
            compressed(std::string_view(pending_).substr(begin, (std::min)(block_bytes, bytes - begin)),
                       is_end && block + 1 == blocks);
      }
    });
    for (const std::string& block : packed) file_.write(block.data(), block.size());
    pending_.erase(0, bytes);
  }

  GNP_INLINE std::string compressed(std::string_view block, bool is_last) const {
    zlib_stream stream;
    constexpr int usual_level = -1;
    constexpr int usual_memory = 8;
    if (api_.deflateInit2_(&stream, usual_level, zlib_deflated, zlib_raw, usual_memory, 0, zlib_api::version,
                           sizeof stream) != zlib_ok) {
      file_.errors().fail("zlib has no memory");
    }
    std::string packed(api_.deflateBound(&stream, block.size()) + 64, '\0');  // and the mark between two blocks
    stream.next_in = reinterpret_cast<const unsigned char*>(block.data());
    stream.avail_in = static_cast<unsigned>(block.size());
    stream.next_out = reinterpret_cast<unsigned char*>(packed.data());
    stream.avail_out = static_cast<unsigned>(packed.size());
    const int status = api_.deflate(&stream, is_last ? zlib_finish : zlib_full_flush);
    packed.resize(packed.size() - stream.avail_out);
    api_.deflateEnd(&stream);
    if (status != (is_last ? zlib_stream_end : zlib_ok) || stream.avail_in != 0)
      file_.errors().fail("zlib failed");
    return packed;
  }

  const zlib_api& api_;
  output_file& file_;
  std::string pending_;
  std::size_t batch_;
};

}}}  // namespace gnp::GNP_ABI::detail
