// SPDX-License-Identifier: MIT
// Reads an array's elements from a file and writes them to one, in pieces, on several threads where that helps.
#pragma once

#include <gnp/core/function_ref.hpp>
#include <gnp/io/any_array.hpp>
#include <gnp/io/file.hpp>
#include <gnp/io/npy_header.hpp>
#include <gnp/io/progress.hpp>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Bytes between two calls of a progress function.
inline constexpr std::size_t progress_bytes = std::size_t{256} << 20;

template <class Word>
void swap_words(char* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, data + i, sizeof word);
    if constexpr (sizeof word == 2) word = __builtin_bswap16(word);
    if constexpr (sizeof word == 4) word = __builtin_bswap32(word);
    if constexpr (sizeof word == 8) word = __builtin_bswap64(word);
    std::memcpy(data + i, &word, sizeof word);
  }
}

/// Converts a file's bytes to those in memory: to this machine's byte order, and to true for a bool that is
/// neither 0 nor 1.
GNP_INLINE void mend_elements(char* data, std::size_t bytes, dtype type, bool is_swapped) {
  if (type == dtype::bool_) {
    for (std::size_t i = 0; i < bytes; ++i) data[i] = data[i] != 0;
  }
  if (!is_swapped) return;
  const std::size_t word = itemsize(type) / (is_complex(type) ? 2 : 1);
  if (word == 2) swap_words<std::uint16_t>(data, bytes);
  if (word == 4) swap_words<std::uint32_t>(data, bytes);
  if (word == 8) swap_words<std::uint64_t>(data, bytes);
}

/// Fills an array by `read(to, bytes, offset)`, which reads a part of its elements, on several threads at once.
GNP_INLINE void read_elements(const any_array& array, bool is_swapped, const progress_function& progress,
                              function_ref<void(char*, std::size_t, std::size_t)> read) {
  const auto total = static_cast<std::size_t>(array.nbytes());
  for (std::size_t done = 0; done < total;) {
    const std::size_t round = progress ? (std::min)(progress_bytes, total - done) : total;
    fill_from_host(*array.block().get(), static_cast<char*>(array.data()) + done, round,
                   [&](char* to, std::size_t begin, std::size_t bytes) {
                     read(to, bytes, done + begin);
                     mend_elements(to, bytes, array.dtype(), is_swapped);
                   });
    done += round;
    if (progress) progress(static_cast<index_t>(done), static_cast<index_t>(total));
  }
}

/// The same with `read(to, bytes)`, which reads one part after the other.
GNP_INLINE void read_elements_in_order(const any_array& array, bool is_swapped,
                                       const progress_function& progress,
                                       function_ref<void(char*, std::size_t)> read) {
  const auto total = static_cast<std::size_t>(array.nbytes());
  const bool is_here = array.device().is_cpu();
  const std::size_t piece = (std::min)(total, std::size_t{32} << 20);
  std::vector<char> fetched(is_here ? 0 : piece);
  for (std::size_t done = 0; done < total;) {
    const std::size_t bytes = (std::min)(piece, total - done);
    char* const place = static_cast<char*>(array.data()) + done;
    char* const to = is_here ? place : fetched.data();
    read(to, bytes);
    mend_elements(to, bytes, array.dtype(), is_swapped);
    if (!is_here) copy_from_host(*array.block().get(), place, to, bytes);
    done += bytes;
    if (progress) progress(static_cast<index_t>(done), static_cast<index_t>(total));
  }
}

/// Calls `write(from, bytes)` with the elements in their order in memory, one piece after the other.
GNP_INLINE void write_elements(const any_array& array, const progress_function& progress,
                               function_ref<void(const char*, std::size_t)> write) {
  const auto total = static_cast<std::size_t>(array.nbytes());
  const bool is_here = array.device().is_cpu();
  const std::size_t piece = (std::min)(total, is_here ? progress_bytes : std::size_t{32} << 20);
  std::vector<char> fetched(is_here ? 0 : piece);
  for (std::size_t done = 0; done < total;) {
    const std::size_t bytes = (std::min)(piece, total - done);
    const char* from = static_cast<const char*>(array.data()) + done;
    if (!is_here) {
      copy_to_host(*array.block().get(), fetched.data(), from, bytes);
      from = fetched.data();
    }
    write(from, bytes);
    done += bytes;
    if (progress) progress(static_cast<index_t>(done), static_cast<index_t>(total));
  }
}

/// Throws a dtype_error if another type is wanted.
GNP_INLINE void require_type(const npy_header& header, const dtype* wanted, const file_errors& errors) {
  if (wanted == nullptr || header.type == *wanted) return;
  throw dtype_error(std::string(errors.function) + ": " + errors.path + ": the elements are " +
                    name(header.type) + ", and " + name(*wanted) + " was asked for");
}

/// The array that a header describes, on the default device, not filled yet.
GNP_INLINE any_array array_of(const npy_header& header, const file_errors& errors) {
  return any_array(header.type, header.shape, header.fortran_order, default_device(), errors.function);
}

}  // namespace detail
}}  // namespace gnp::GNP_ABI
