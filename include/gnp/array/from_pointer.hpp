// SPDX-License-Identifier: MIT
// from_pointer: an array in memory that gnp did not allocate.
#pragma once

#include <cstdio>
#include <gnp/array/array.hpp>
#include <gnp/core/axes.hpp>
#include <gnp/core/by_name.hpp>
#include <gnp/memory/deleter.hpp>

namespace gnp { inline namespace GNP_ABI {

/// Options of from_pointer.
struct pointer_options {
  by_name only = by_name();
  axes_t strides = none;  // in bytes, of any sign; none: row-major, without gaps
  gnp::device device = default_device();
  detail::deleter deleter = {};  // any callable that takes the pointer or nothing; it must not throw
};

namespace detail {

/// Strides of such memory, in elements, and the range of its bytes relative to the first element.
struct foreign_layout {
  shape_t strides;
  index_t first = 0;  // from the lowest byte to the first element
  std::size_t bytes = 0;
};

/// Throws if an address is not aligned for elements of this type.
GNP_DECLARED void require_alignment(const void* memory, dtype type, gnp::device where, const char* function);

/// The layout of a shape with these strides, in elements. Throws if no array can have it. Strides that are
/// never used (of axes of size 1, of empty arrays) may be anything, and are replaced.
GNP_DECLARED foreign_layout layout_around(const void* memory, const shape_t& shape, const shape_t& strides,
                                          dtype type, gnp::device where, const char* function);

inline storage_ref block_around(void* first, const foreign_layout& layout, gnp::device where) {
  return storage_ref::wrap(static_cast<char*>(first) - layout.first, layout.bytes, where);
}

/// Converts strides in bytes to strides in elements. Throws if one is not a whole number of elements.
GNP_DECLARED shape_t strides_in_elements(const shape_t& shape, const shape_t& bytes, index_t size,
                                         const char* function);

}  // namespace detail

/// Makes an array of memory that has another owner, by default on the default device. Without a deleter, the
/// memory still belongs to that owner, and must outlive the array. With one, .deleter is called once, with
/// `data`, when gnp's work on the memory is done, by the thread that drops the last handle. If from_pointer
/// throws, the deleter is not called.
template <element T>
array<T> from_pointer(T* data, const shape_t& shape, pointer_options options) {
  const shape_t strides = options.strides.given() ? detail::strides_in_elements(shape, options.strides.values(),
                                                                                sizeof(T), "from_pointer")
                                                  : detail::contiguous_strides(shape);
  const auto layout = detail::layout_around(data, shape, strides, dtype_of<T>, options.device, "from_pointer");
  detail::storage_ref block = detail::block_around(data, layout, options.device);
  array<T> result(block, data, shape, layout.strides);
  block.give_back_by(std::move(options.deleter), data);
  return detail::repeats_elements(shape, layout.strides) ? detail::read_only_view(result) : result;
}

/// The same for memory without gaps that still belongs to the caller.
template <element T>
array<T> from_pointer(T* data, const shape_t& shape, device where = default_device()) {
  return from_pointer(data, shape, pointer_options{.device = where});
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE void require_alignment(const void* memory, dtype type, gnp::device where, const char* function) {
  // On a GPU a complex number is loaded as a whole, and must be aligned to its full size.
  const std::size_t alignment = itemsize(type) / (where.is_cpu() && is_complex(type) ? 2 : 1);
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return;
  char text[32];
  std::snprintf(text, sizeof text, "%p", memory);
  throw error(std::string(function) + ": the address " + text + " is not a multiple of the " +
              std::to_string(alignment) + " bytes that " + name(type) + " is aligned to");
}

GNP_INLINE foreign_layout layout_around(const void* memory, const shape_t& shape, const shape_t& strides,
                                        dtype type, gnp::device where, const char* function) {
  const auto size = static_cast<index_t>(itemsize(type));
  foreign_layout layout{.strides = contiguous_strides(shape)};
  if (element_count(shape, function) == 0) return layout;
  if (memory == nullptr) {
    throw error(std::string(function) + ": the pointer is null, and an array of shape " + to_string(shape) +
                " has elements");
  }
  require_alignment(memory, type, where, function);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  index_t low = 0;
  index_t high = size;
  bool overflow = false;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] == 1) continue;
    layout.strides[d] = strides[d];
    index_t reach = 0;
    overflow = overflow || __builtin_mul_overflow(shape[d] - 1, strides[d], &reach) ||
               __builtin_mul_overflow(reach, size, &reach);
    index_t& bound = reach < 0 ? low : high;
    overflow = overflow || __builtin_add_overflow(bound, reach, &bound);
  }
  const std::uintptr_t before = std::uintptr_t{0} - static_cast<std::uintptr_t>(low);
  const std::uintptr_t after = static_cast<std::uintptr_t>(high);
  if (overflow || before > address || after > std::uintptr_t(-1) - address ||
      before > (std::uintptr_t{1} << 62)) {
    throw shape_error(std::string(function) + ": shape " + to_string(shape) + " with strides of " +
                      to_string(strides) + " elements reaches out of the address space");
  }
  layout.first = static_cast<index_t>(before);
  layout.bytes = static_cast<std::size_t>(before + after);
  return layout;
}

GNP_INLINE shape_t strides_in_elements(const shape_t& shape, const shape_t& bytes, index_t size,
                                       const char* function) {
  if (bytes.rank() != shape.rank()) {
    throw shape_error(std::string(function) + ": shape " + to_string(shape) + " and strides " +
                      to_string(bytes) + " must have the same length");
  }
  if (element_count(shape, function) == 0) return contiguous_strides(shape);
  shape_t strides = bytes;
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] > 1 && bytes[d] % size != 0) {
      throw error(std::string(function) + ": the stride " + std::to_string(bytes[d]) +
                  " is not a multiple of the element size, " + std::to_string(size) + " bytes");
    }
    strides[d] /= size;
  }
  return strides;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
