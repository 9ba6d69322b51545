// SPDX-License-Identifier: MIT
// NumPy's tensors through gnp's arrays and back: a library that dlpack.py calls.
#include <cstdio>
#include <gnp/core.hpp>
#include <gnp/interop/from_dlpack.hpp>
#include <gnp/interop/to_dlpack.hpp>

namespace {

/// What f gives; null, and the message, where it throws.
template <class F>
void* result_or_message(char* message, const F& f) {
  try {
    message[0] = '\0';
    return f();
  } catch (const gnp::error& e) {
    std::snprintf(message, 300, "%s", e.what());
    return nullptr;
  }
}

/// from_dlpack<T> for the T of this name, and to_dlpack of the array.
template <int Type = 0, class Tensor>
void* through_array(Tensor* tensor, const std::string& type) {
  if constexpr (Type == gnp::dtype_count) {
    throw gnp::dtype_error(type + " is no element type");
  } else {
    constexpr auto known = static_cast<gnp::dtype>(Type);
    if (type != gnp::name(known)) return through_array<Type + 1>(tensor, type);
    const auto x = gnp::from_dlpack<gnp::type_of<known>>(tensor);
    if constexpr (std::is_same_v<Tensor, DLManagedTensor>) {
      return gnp::to_dlpack_unversioned(x);
    } else {
      return gnp::to_dlpack(x);
    }
  }
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] void* through_gnp(void* tensor, int versioned, const char* type, char* message) {
  return result_or_message(message, [&]() -> void* {
    if (versioned == 0) return through_array(static_cast<DLManagedTensor*>(tensor), type);
    return through_array(static_cast<DLManagedTensorVersioned*>(tensor), type);
  });
}

/// The same by way of any_array.
[[gnu::visibility("default")]] void* through_any(void* tensor, int versioned, const char*, char* message) {
  return result_or_message(message, [&]() -> void* {
    if (versioned == 0)
      return gnp::to_dlpack_unversioned(gnp::from_dlpack(static_cast<DLManagedTensor*>(tensor)));
    return gnp::to_dlpack(gnp::from_dlpack(static_cast<DLManagedTensorVersioned*>(tensor)));
  });
}

/// x * 2 + 1 of the floats of a library that works on a stream of its own: after its work there, and before
/// what it queues there next.
[[gnu::visibility("default")]] void* computed_by_gnp(void* tensor, int versioned, void* stream, char* message) {
  return result_or_message(message, [&]() -> void* {
    if (versioned == 0) {
      const auto x = gnp::from_dlpack<float>(static_cast<DLManagedTensor*>(tensor), {.stream = stream});
      return gnp::to_dlpack_unversioned(x * 2 + 1, {.stream = stream});
    }
    const auto x = gnp::from_dlpack<float>(static_cast<DLManagedTensorVersioned*>(tensor), {.stream = stream});
    return gnp::to_dlpack(x * 2 + 1, {.stream = stream});
  });
}

/// gnp's own: 0 to 23 in three dimensions, the last of them backwards.
[[gnu::visibility("default")]] void* made_by_gnp(int versioned) {
  using gnp::none;
  const gnp::array<float> x =
      gnp::arange<float>(24).reshape(2, 3, 4)(gnp::ellipsis, gnp::slice(none, none, -1));
  if (versioned == 0) return gnp::to_dlpack_unversioned(x);
  return gnp::to_dlpack(x);
}
}
