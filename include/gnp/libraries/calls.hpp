// SPDX-License-Identifier: MIT
// What cuBLAS, cuSOLVER and LAPACK have in common: functions for each element type, and handles that are kept.
#pragma once

#include <gnp/core/dtype.hpp>
#include <gnp/core/shared_library.hpp>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A function that has a name for each of float32, float64, complex64 and complex128.
template <class Function>
struct by_type {
  Function* operator[](dtype d) const { return functions[index(d)]; }
  Function*& of(dtype d) { return functions[index(d)]; }

 private:
  static constexpr int index(dtype d) { return static_cast<int>(d) - static_cast<int>(dtype::float32); }

  Function* functions[4] = {};
};

template <class Function>
void load_symbols(const shared_library& library, by_type<Function>& table, const char* float32,
                  const char* float64, const char* complex64, const char* complex128) {
  load_symbol(library, float32, table.of(dtype::float32));
  load_symbol(library, float64, table.of(dtype::float64));
  load_symbol(library, complex64, table.of(dtype::complex64));
  load_symbol(library, complex128, table.of(dtype::complex128));
}

// For the lists of functions: each becomes a member of a struct `api`, null at first, and is loaded from
// api.library.
#define GNP_DECLARE_FUNCTION(name, ...) std::add_pointer_t<__VA_ARGS__> name = nullptr;
#define GNP_DECLARE_TYPED_FUNCTION(name, s, d, c, z, ...) by_type<__VA_ARGS__> name;
#define GNP_LOAD_FUNCTION(name, ...) load_symbol(api.library, #name, api.name);
#define GNP_LOAD_TYPED_FUNCTION(name, s, d, c, z, ...) load_symbols(api.library, api.name, #s, #d, #c, #z);

/// A library's handle on one GPU, made by `make` while that GPU is current. Later streams reuse the handles of
/// streams that have ended, because making one takes milliseconds, and destroying one waits for the whole
/// device.
template <auto make>
class kept_handle {
 public:
  using handle_type = decltype(make());

  explicit kept_handle(int ordinal) : ordinal_(ordinal), handle_(take_idle(ordinal)) {
    if (handle_ == nullptr) handle_ = make();
  }
  ~kept_handle() {
    const std::lock_guard lock(idle().lock);
    idle().handles.emplace_back(ordinal_, handle_);
  }
  kept_handle(const kept_handle&) = delete;
  kept_handle& operator=(const kept_handle&) = delete;
  handle_type get() const { return handle_; }

 private:
  struct idle_handles {
    std::mutex lock;
    std::vector<std::pair<int, handle_type>> handles;
  };
  static idle_handles& idle() {
    static idle_handles& kept = *new idle_handles;
    return kept;
  }
  static handle_type take_idle(int ordinal) {
    const std::lock_guard lock(idle().lock);
    auto& handles = idle().handles;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      if (handles[i].first != ordinal) continue;
      const handle_type taken = handles[i].second;
      handles.erase(handles.begin() + static_cast<std::ptrdiff_t>(i));
      return taken;
    }
    return nullptr;
  }

  int ordinal_;
  handle_type handle_;
};

}}}  // namespace gnp::GNP_ABI::detail
