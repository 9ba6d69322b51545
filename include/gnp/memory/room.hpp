// SPDX-License-Identifier: MIT
// Memory on the CPU that a function needs only while it runs.
#pragma once

#include <cstddef>
#include <gnp/core/shape.hpp>
#include <gnp/memory/storage.hpp>
#include <memory>
#include <type_traits>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct free_room {
  std::size_t bytes = 0;
  void operator()(void* memory) const noexcept { free_on_cpu(memory, bytes); }
};
template <class T>
using room_of = std::unique_ptr<T[], free_room>;

/// Memory for some elements, which are not set. Large blocks are those that arrays have left: the system clears
/// the pages of new memory, which can take longer than the work (argpartition of a million doubles: 3 times).
template <class T>
room_of<T> room_for(index_t count) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  return room_of<T>(static_cast<T*>(allocate_on_cpu(bytes)), free_room{bytes});
}

}}}  // namespace gnp::GNP_ABI::detail
