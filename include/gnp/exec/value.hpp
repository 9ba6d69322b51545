// SPDX-License-Identifier: MIT
// The value of an array or expression of one element. An elementwise expression needs no kernel for this: the
// element of each operand is copied to the host, and the computation is done there.
#pragma once

#include <gnp/array/transfer.hpp>
#include <gnp/core/asks_for_elements.hpp>
#include <gnp/exec/assign.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

template <array_like X>
typename X::value_type only_value(const X& x) {
  const asks_for_elements asking("item(), a number or a condition");
  typename X::value_type value{};
  if constexpr (runs_first_v<X>) {
    value = only_value(x.eval());
  } else if constexpr (is_array_v<X>) {
    copy_to_host(*x.block().get(), &value, x.data(), sizeof value);
  } else if constexpr (reads_a_table<X>) {
    value = only_value(evaluate(x));
  } else {
    const job_inputs<X> from(x);
    from.where(function_name<X>());
    alignas(16) unsigned char elements[constant_slot * (input_count<X> + 1)] = {};
    const void* inputs[input_count<X> + 1];
    for (std::size_t i = 0; i < input_count<X>; ++i) {
      const leaf_view& leaf = from.leaves()[i];
      void* element = elements + constant_slot * i;
      if (leaf.block != nullptr) {
        copy_to_host(*leaf.block, element, leaf.data, static_cast<std::size_t>(leaf.itemsize));
      } else {
        const auto position = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(leaf.data));
        std::memcpy(element, &position, sizeof position);
      }
      inputs[i] = element;
    }
    compute<X>(&value, inputs, from.constants(), 1);
  }
  return value;
}

}}}  // namespace gnp::GNP_ABI::detail
