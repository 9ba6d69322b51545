// SPDX-License-Identifier: MIT
// deleter: returns memory that gnp did not allocate to its owner.
#pragma once

#include <concepts>
#include <gnp/core/config.hpp>
#include <type_traits>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class Function, class... Given>
concept called_with = requires(Function& function, Given... given) { function(given...); };

/// A function of any type that is called once, with the memory's address.
class release_function {
 public:
  release_function() = default;
  release_function(const release_function&) = delete;
  release_function& operator=(const release_function&) = delete;
  virtual ~release_function() = default;
  virtual void operator()(void* memory) = 0;
};

/// An address for a function that takes a pointer to elements.
struct typed_address {
  void* memory;
  template <class T>
  operator T*() const {
    return static_cast<T*>(memory);
  }
};

template <class Function>
class release_by final : public release_function {
 public:
  template <class Given>
  explicit release_by(Given&& given) : function_(std::forward<Given>(given)) {}
  void operator()(void* memory) override {
    if constexpr (called_with<Function, void*>) {
      function_(memory);
    } else if constexpr (called_with<Function, typed_address>) {
      function_(typed_address{memory});
    } else {
      function_();
    }
  }

 private:
  Function function_;
};

/// Made from any callable, copyable or not, that takes the pointer (as void* or with the type of what it points
/// to) or nothing. It must not throw: it runs in destructors.
class deleter {
 public:
  deleter() = default;
  template <class Function>
    requires(!std::same_as<std::decay_t<Function>, deleter> &&
             (called_with<std::decay_t<Function>, void*> || called_with<std::decay_t<Function>> ||
              called_with<std::decay_t<Function>, typed_address>))
  deleter(Function&& function) {
    std::decay_t<Function> callable(std::forward<Function>(function));
    if constexpr (requires { callable == nullptr; }) {  // an empty std::function, too
      if (callable == nullptr) return;
    }
    function_ = new release_by<std::decay_t<Function>>(std::move(callable));
  }
  deleter(deleter&& other) noexcept : function_(other.take()) {}
  deleter& operator=(deleter&& other) noexcept {
    std::swap(function_, other.function_);
    return *this;
  }
  ~deleter() { delete function_; }

  /// The function, which the caller now owns; null if there is none.
  release_function* take() noexcept { return std::exchange(function_, nullptr); }

 private:
  release_function* function_ = nullptr;
};

}}}  // namespace gnp::GNP_ABI::detail
