// SPDX-License-Identifier: MIT
// unravel_index and ravel_multi_index: places in the flattened array as indices for each axis, and back.
#pragma once

#include <algorithm>
#include <gnp/core/axes_first.hpp>
#include <gnp/routines/indexing.hpp>
#include <initializer_list>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// Indices checked to lie in [0, size), as places on one axis.
template <class Index>
array<std::int64_t> checked_places(const Index& index, const scalar::index_facts& facts, const char* function) {
  static_assert(is_integer(dtype_of<typename Index::value_type>), "gnp: indices are integers");
  const shape_t shape = index.shape();
  if (facts.size == 0) check_without_running(index, facts, function);
  return places<1, Index>(std::in_place, position(shape, shape_t(shape.size(), 0), 0),
                          index_rules<1>{index.device(), function, {facts}}, index);
}

/// `axis` is -1 for positions in the whole array.
inline scalar::index_facts facts_from_start(index_t size, index_t stride, int axis, scalar::outside beyond) {
  scalar::index_facts facts = facts_of_axis(size, stride, axis, beyond);
  facts.from_end = 0;
  return facts;
}

}  // namespace detail

namespace detail {

/// Which axis changes fastest in the flattened array: 'C', the last one, or 'F', the first one; also as a text.
class order_of_axes {
 public:
  order_of_axes(char letter) : letters_(1, letter) {}
  order_of_axes(const char* letters) : letters_(letters) {}
  order_of_axes(const std::string& letters) : letters_(letters) {}

  bool first_is_fastest(const char* function) const {
    if (letters_ != "C" && letters_ != "F")
      throw error(std::string(function) + ": order is 'C' or 'F', got '" + letters_ + "'");
    return letters_ == "F";
  }

 private:
  std::string letters_;
};

}  // namespace detail

struct unravel_index_options {
  by_name only = by_name();
  detail::order_of_axes order = 'C';
};

/// Converts positions in the flattened array of this shape to an array of indices for each axis.
template <class Index>
array_list<std::int64_t> unravel_index(const Index& positions, const shape_t& shape,
                                       const unravel_index_options& options = {}) {
  const auto given = detail::index_operand(positions, default_device());
  const index_t size = detail::element_count(shape, "unravel_index");
  const array<std::int64_t> checked = detail::checked_places(
      given, detail::facts_from_start(size, 1, -1, scalar::outside::raise), "unravel_index");
  const bool turned = options.order.first_is_fastest("unravel_index");
  shape_t from_slowest = shape;
  if (turned) std::reverse(from_slowest.begin(), from_slowest.end());
  array_list<std::int64_t> result;
  for (int d = 0; d < shape.rank(); ++d) {
    const int from_first = turned ? shape.rank() - 1 - d : d;
    result.push_back(detail::coordinate_of(checked, from_slowest, from_first));
  }
  return result;
}
template <class Nothing = void>
auto unravel_index(detail::listed_indices positions, const shape_t& shape,
                   const unravel_index_options& options = {}) {
  return unravel_index(detail::index_numbers(positions, "unravel_index"), shape, options);
}
/// The same with the number of axes as a template argument, so that each array gets a name: auto [row, column]
/// = unravel_index<2>(i, {3, 4});
template <std::size_t Count, class Index>
std::array<array<std::int64_t>, Count> unravel_index(const Index& positions, const shape_t& shape,
                                                     const unravel_index_options& options = {}) {
  if (shape.rank() != static_cast<int>(Count)) {
    throw shape_error("unravel_index: " + std::to_string(Count) + " arrays were asked for, but the shape " +
                      to_string(shape) + " has " + std::to_string(shape.rank()) + " axes");
  }
  return detail::named_arrays<Count>(unravel_index(positions, shape, options));
}

namespace detail {

/// A mode for all axes, or one for each: .mode = {"wrap", "clip"}.
class index_modes {
 public:
  template <std::convertible_to<index_mode> Mode>
  index_modes(const Mode& mode) : modes_{index_mode(mode)} {}
  index_modes(std::initializer_list<index_mode> modes) : modes_(modes) {}

  index_mode along(int axis, int rank, const char* function) const {
    if (modes_.size() != 1 && static_cast<int>(modes_.size()) != rank) {
      throw shape_error(std::string(function) + ": " + std::to_string(modes_.size()) + " modes for " +
                        std::to_string(rank) + " axes");
    }
    return modes_[modes_.size() == 1 ? std::size_t{0} : static_cast<std::size_t>(axis)];
  }

 private:
  std::vector<index_mode> modes_;
};

}  // namespace detail

struct ravel_multi_index_options {
  by_name only = by_name();
  detail::index_modes mode = "raise";
  detail::order_of_axes order = 'C';
};

/// The inverse: converts an array of indices for each axis to positions.
GNP_DECLARED_ON_USE array<std::int64_t> ravel_multi_index(const std::vector<array<std::int64_t>>& index,
                                                          const shape_t& shape,
                                                          const ravel_multi_index_options& options = {});

/// The same for arrays of any integers, in a std::vector or a std::array.
template <class Arrays>
  requires(detail::is_index_list_v<Arrays>)
array<std::int64_t> ravel_multi_index(const Arrays& index, const shape_t& shape,
                                      const ravel_multi_index_options& options = {}) {
  using One = std::remove_cvref_t<decltype(*std::begin(index))>;
  std::vector<array<std::int64_t>> converted;
  for (const auto& along : index) {
    if constexpr (std::is_same_v<typename One::value_type, std::uint64_t>) {
      // Indices of 2^63 and more would become negative: the mode decides about them while they are unsigned.
      const int axis = static_cast<int>(converted.size());
      if (axis < shape.rank()) {
        const index_mode mode = options.mode.along(axis, shape.rank(), "ravel_multi_index");
        const scalar::outside beyond = detail::outside_of(mode, "ravel_multi_index");
        converted.push_back(detail::checked_places(
            along, detail::facts_from_start(shape[axis], 1, axis, beyond), "ravel_multi_index"));
        continue;
      }
    }
    converted.push_back(along.template astype<std::int64_t>());
  }
  return ravel_multi_index(converted, shape, options);
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE array<std::int64_t> ravel_multi_index(const std::vector<array<std::int64_t>>& index,
                                                         const shape_t& shape,
                                                         const ravel_multi_index_options& options) {
  if (static_cast<int>(index.size()) != shape.rank() || index.empty()) {
    throw shape_error("ravel_multi_index: " + std::to_string(index.size()) +
                      " arrays of indices for the shape " + to_string(shape));
  }
  detail::element_count(shape, "ravel_multi_index");
  shape_t common;
  for (const auto& along : index) common = detail::broadcast("ravel_multi_index", common, along.shape());
  shape_t strides;
  if (options.order.first_is_fastest("ravel_multi_index")) {
    shape_t from_slowest = shape;
    std::reverse(from_slowest.begin(), from_slowest.end());
    strides = detail::contiguous_strides(from_slowest);
    std::reverse(strides.begin(), strides.end());
  } else {
    strides = detail::contiguous_strides(shape);
  }
  array<std::int64_t> sum;
  for (int d = 0; d < shape.rank(); ++d) {
    const scalar::outside beyond =
        detail::outside_of(options.mode.along(d, shape.rank(), "ravel_multi_index"), "ravel_multi_index");
    const auto part =
        detail::checked_places(index[static_cast<std::size_t>(d)],
                               detail::facts_from_start(shape[d], strides[d], d, beyond), "ravel_multi_index");
    sum = d == 0 ? part : array(sum + part);
  }
  return sum;
}

}}  // namespace gnp::GNP_ABI

#endif
