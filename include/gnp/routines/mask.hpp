// SPDX-License-Identifier: MIT
// A mask as an option: sum(x, {.where = c}), copyto(x, y, {.where = c}).
#pragma once

#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Which elements take part, as an option. It has no default: options without a mask are the structs of
/// core/reduce_options.hpp. A formula is stored, since the type of an option cannot depend on it.
class mask {
 public:
  template <array_like C>
  mask(const C& condition) : values_(in_bool(condition)) {}
  /// In the shape of x. As in NumPy, a mask that is larger than x is an error.
  array<bool> beside(const shape_t& shape, const char* function) const {
    shape_t both;
    if (!detail::broadcast_shapes(values_.shape(), shape, both) || both != shape) {
      throw shape_error(std::string(function) + ": .where of shape " + to_string(values_.shape()) +
                        " does not broadcast to the array's shape " + to_string(shape));
    }
    return broadcast_to(values_, shape);
  }

 private:
  template <class C>
  static array<bool> in_bool(const C& condition) {
    constexpr bool is_mask = std::is_same_v<typename C::value_type, bool>;
    static_assert(is_mask, "gnp: .where takes an array of bool: {.where = w != 0}");
    if constexpr (is_mask) {
      return condition;
    } else {
      return {};
    }
  }

  array<bool> values_;
};

}}}  // namespace gnp::GNP_ABI::detail
