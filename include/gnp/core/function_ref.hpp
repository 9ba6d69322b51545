// SPDX-License-Identifier: MIT
// function_ref: a reference to a function, for code that calls it but does not keep it. Such code is compiled
// once, not once for each function.
#pragma once

#include <gnp/core/config.hpp>
#include <memory>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <class Signature>
class function_ref;

template <class... Arguments>
class function_ref<void(Arguments...)> {
 public:
  template <class F>
  function_ref(const F& f)  // f must live until the end of the call that takes the reference
      : f_(std::addressof(f)),
        call_([](const void* g, Arguments... arguments) { (*static_cast<const F*>(g))(arguments...); }) {}
  void operator()(Arguments... arguments) const { call_(f_, arguments...); }

 private:
  const void* f_;
  void (*call_)(const void*, Arguments...);
};

}}}  // namespace gnp::GNP_ABI::detail
