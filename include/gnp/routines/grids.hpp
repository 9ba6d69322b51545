// SPDX-License-Identifier: MIT
// The places of a grid: indices, ix_ and ndindex.
#pragma once

#include <gnp/core/by_name.hpp>
#include <gnp/routines/indexing.hpp>
#include <initializer_list>
#include <iterator>

namespace gnp { inline namespace GNP_ABI {

/// The coordinates of every place in a grid: one array for each axis, stacked along a new first axis.
GNP_DECLARED_ON_USE array<std::int64_t> indices(const shape_t& dimensions);
template <detail::one_size... Sizes>
  requires(sizeof...(Sizes) > 1 || (detail::array_of_numbers<Sizes> && ...))
array<std::int64_t> indices(const Sizes&... sizes) {
  return indices(shape_t{sizes...});
}

/// indices({2, 3}, {.sparse = true}): one array for each axis, which broadcast to the grid.
struct sparse_indices_options {
  by_name only = by_name();
  named_flag sparse;
};
GNP_DECLARED_ON_USE std::vector<array<std::int64_t>> indices(const shape_t& dimensions,
                                                             const sparse_indices_options& options);

namespace detail {

/// What ix_ takes for an axis, as an array: indices, or a mask, which is equivalent to the places where it is
/// true.
class open_sequence {
 public:
  template <class Sequence>
    requires(array_like<Sequence> || is_host_vector_v<Sequence>)
  open_sequence(const Sequence& sequence) {
    const auto given = index_operand(sequence, [&] {
      if constexpr (array_like<Sequence>) return sequence.device();
      return default_device();
    }());
    if (given.ndim() != 1)
      throw shape_error("ix_: sequences must have one dimension, got shape " + to_string(given.shape()));
    using T = typename decltype(given.eval())::value_type;
    static_assert(is_integer(dtype_of<T>) || std::is_same_v<T, bool>,
                  "gnp: ix_ takes indices, which are integers, or masks of bool");
    if constexpr (std::is_same_v<T, bool>) {
      places_ = flatnonzero(given);
    } else {
      places_ = array<std::int64_t>(given.template astype<std::int64_t>());
    }
  }
  open_sequence(std::initializer_list<listed_index> indices) : open_sequence(index_numbers(indices, "ix_")) {}
  /// (A template, because {1, 0} could be read as a list of bool.)
  template <std::same_as<bool> Bool>
  open_sequence(std::initializer_list<Bool> mask) : open_sequence(asarray(mask)) {}

  const array<std::int64_t>& places() const { return places_; }

 private:
  array<std::int64_t> places_;
};

template <std::size_t Count>
std::array<array<std::int64_t>, Count> open_grid(const open_sequence (&sequences)[Count]) {
  std::array<array<std::int64_t>, Count> result;
  for (std::size_t axis = 0; axis < Count; ++axis) {
    shape_t shape(Count, 1);
    shape[axis] = sequences[axis].places().size();
    result[axis] = sequences[axis].places().reshape(shape);
  }
  return result;
}

}  // namespace detail

/// Arrays of indices that together select the crossing points of rows, columns, ...: a(ix_(rows, columns)). A
/// mask is equivalent to the places where it is true.
template <std::convertible_to<detail::open_sequence>... Sequence>
auto ix_(const Sequence&... sequences) {
  return detail::open_grid({detail::open_sequence(sequences)...});
}
/// The same with some of them in braces: a(ix_({0, 2}, mask)).
template <class Nothing = void>
auto ix_(const detail::open_sequence& rows, const detail::open_sequence& columns) {
  return detail::open_grid({rows, columns});
}
template <class Nothing = void>
auto ix_(const detail::open_sequence& a, const detail::open_sequence& b, const detail::open_sequence& c) {
  return detail::open_grid({a, b, c});
}

/// for (const shape_t& i : ndindex({2, 3})): every index of a shape, with the last axis changing fastest.
class ndindex {
 public:
  explicit ndindex(const shape_t& shape) : shape_(shape), count_(detail::element_count(shape, "ndindex")) {}
  /// Needed because one size in braces would otherwise be taken for an ndindex.
  explicit ndindex(std::initializer_list<detail::any_integer> shape) : ndindex(shape_t(shape)) {}
  template <detail::one_size... Sizes>
    requires(sizeof...(Sizes) > 1)
  explicit ndindex(const Sizes&... sizes) : ndindex(shape_t{detail::any_integer(sizes)...}) {}

  class iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = shape_t;

    explicit iterator(const shape_t& shape) : shape_(&shape), at_(shape.size(), 0) {}
    const shape_t& operator*() const { return at_; }
    iterator& operator++() {
      ++done_;
      for (int d = at_.rank() - 1; d >= 0 && ++at_[d] == (*shape_)[d]; --d) at_[d] = 0;
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, index_t count) { return i.done_ == count; }

   private:
    const shape_t* shape_;
    shape_t at_;
    index_t done_ = 0;
  };

  iterator begin() const { return iterator(shape_); }
  index_t end() const { return count_; }

 private:
  shape_t shape_;
  index_t count_;
};

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE array<std::int64_t> indices(const shape_t& dimensions) {
  shape_t shape = dimensions;
  shape.insert(0, dimensions.rank());
  const array<std::int64_t> result(shape, default_device(), "indices");
  for (int d = 0; d < dimensions.rank(); ++d) {
    shape_t strides(dimensions.size(), 0);
    strides[d] = 1;
    const detail::position along(dimensions, strides, 0);
    result(d).assign(ufunc<operations::positive_ufunc>()(along));
  }
  return result;
}

GNP_DEFINED_ON_USE std::vector<array<std::int64_t>> indices(const shape_t& dimensions,
                                                            const sparse_indices_options& options) {
  std::vector<array<std::int64_t>> along;
  for (int d = 0; d < dimensions.rank(); ++d) {
    shape_t line(dimensions.size(), 1);
    if (options.sparse.value) line[d] = dimensions[d];
    const shape_t& shape = options.sparse.value ? line : dimensions;
    shape_t strides(dimensions.size(), 0);
    strides[d] = 1;
    const detail::position places(shape, strides, 0);
    along.emplace_back(ufunc<operations::positive_ufunc>()(places));
  }
  return along;
}

}}  // namespace gnp::GNP_ABI

#endif
