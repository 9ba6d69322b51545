// SPDX-License-Identifier: MIT
// Arrays of indices: indices, ix_, unravel_index, ravel_multi_index, the indices of diagonals and triangles,
// and ndindex.
#pragma once

#include <algorithm>
#include <gnp/cpu/loop.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/routines/creation.hpp>
#include <gnp/routines/indexing.hpp>
#include <gnp/routines/triangles.hpp>
#include <initializer_list>
#include <iterator>

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

/// The coordinates of every place in a grid: one array for each axis, stacked along a new first axis.
GNP_DECLARED_ON_USE array<std::int64_t> indices(const shape_t& dimensions);
template <detail::one_size... Sizes>
  requires(sizeof...(Sizes) > 1 || (detail::array_of_numbers<Sizes> && ...))
array<std::int64_t> indices(const Sizes&... sizes) {
  return indices(shape_t{sizes...});
}

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
    if constexpr (std::is_same_v<typename decltype(given.eval())::value_type, bool>) {
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

namespace detail {

/// Which axis changes fastest in the flattened array: 'C', the last one, or 'F', the first one; also as a text.
class order_of_axes {
 public:
  order_of_axes(char letter) : letters_(1, letter) {}
  order_of_axes(const char* letters) : letters_(letters) {}

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
  std::vector<array<std::int64_t>> converted;
  for (const auto& along : index) converted.push_back(along.template astype<std::int64_t>());
  return ravel_multi_index(converted, shape, options);
}

/// The indices of the main diagonal of an array of size n along each of its axes.
GNP_DECLARED_ON_USE std::vector<array<std::int64_t>> diag_indices(index_t n, int ndim = 2);
template <array_like X>
std::vector<array<std::int64_t>> diag_indices_from(const X& x) {
  const shape_t shape = x.shape();
  if (shape.rank() < 2)
    throw shape_error("diag_indices_from: input array must be at least 2-d, got shape " + to_string(shape));
  for (const index_t size : shape) {
    if (size != shape[0])
      throw shape_error("diag_indices_from: all dimensions of input must be of equal length, got shape " +
                        to_string(shape));
  }
  const use_device guard(x.device());
  return diag_indices(shape[0], shape.rank());
}

namespace detail {

GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> rows_and_columns(const array<bool>& mask);

/// The rows and the columns of a rows by columns matrix on its k-th diagonal and below it, or above it.
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> triangle_on_cpu(index_t rows, index_t columns, index_t k,
                                                                       bool below);

}  // namespace detail

/// The indices of the elements of an n by m matrix (m is n by default) on the k-th diagonal and below it, or on
/// it and above it: auto [rows, columns] = tril_indices(3). a(tril_indices(3)) are the elements there.
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> tril_indices(index_t n, index_t k = 0, index_t m = -1);
GNP_DECLARED_ON_USE std::array<array<std::int64_t>, 2> triu_indices(index_t n, index_t k = 0, index_t m = -1);

/// The same with options by name: tril_indices(3, {.k = -1}).
struct triangle_indices_options {
  by_name only = by_name();
  index_t k = 0;
  index_t m = -1;
};
inline std::array<array<std::int64_t>, 2> tril_indices(index_t n, const triangle_indices_options& options) {
  return tril_indices(n, options.k, options.m);
}
inline std::array<array<std::int64_t>, 2> triu_indices(index_t n, const triangle_indices_options& options) {
  return triu_indices(n, options.k, options.m);
}

template <array_like X>
std::array<array<std::int64_t>, 2> tril_indices_from(const X& x, index_t k = 0) {
  const use_device guard(x.device());
  if (x.ndim() != 2)
    throw shape_error("tril_indices_from: input array must be 2-d, got shape " + to_string(x.shape()));
  const auto [rows, columns] = x.template shape<2>();
  return tril_indices(rows, k, columns);
}
template <array_like X>
std::array<array<std::int64_t>, 2> triu_indices_from(const X& x, index_t k = 0) {
  const use_device guard(x.device());
  if (x.ndim() != 2)
    throw shape_error("triu_indices_from: input array must be 2-d, got shape " + to_string(x.shape()));
  const auto [rows, columns] = x.template shape<2>();
  return triu_indices(rows, k, columns);
}
template <array_like X>
auto tril_indices_from(const X& x, const diag_options& options) {
  return tril_indices_from(x, index_t{options.k});
}
template <array_like X>
auto triu_indices_from(const X& x, const diag_options& options) {
  return triu_indices_from(x, index_t{options.k});
}

/// The indices of the elements that a function of matrices keeps: mask_indices(3, triu). The function takes a
/// matrix and a number k.
template <class F>
std::array<array<std::int64_t>, 2> mask_indices(index_t n, const F& mask_function, index_t k = 0) {
  const array left = mask_function(ones<double>({n, n}), k);
  return detail::rows_and_columns(left != 0);
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

GNP_DEFINED_ON_USE std::vector<array<std::int64_t>> diag_indices(index_t n, int ndim) {
  return std::vector<array<std::int64_t>>(static_cast<std::size_t>(ndim), arange(n));
}

}}  // namespace gnp::GNP_ABI

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> rows_and_columns(const array<bool>& mask) {
  const std::vector<array<std::int64_t>> both = nonzero(mask);
  return {both[0], both[1]};
}

GNP_LOOP inline void write_row_and_columns(std::int64_t* rows, std::int64_t* columns, std::int64_t row,
                                           std::int64_t first, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) rows[i] = row;
  for (std::int64_t i = 0; i < count; ++i) columns[i] = first + i;
}

// A mask of the matrix would be written and read twice, where a row's indices follow from its number.
GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> triangle_on_cpu(index_t rows, index_t columns, index_t k,
                                                                      bool below) {
  const index_t all_elements = element_count({rows, columns}, "tri");
  k = (std::max)((std::min)(k, columns), -rows - 1);  // as diagonals beyond the corners
  // How many elements the rows before this one have on the k-th diagonal and below it: the sum of what
  // 0, 1, ... are at most, and at least 0, from row k on.
  const auto before = [=](index_t row) {
    const auto sum = [=](index_t x) {
      if (x <= 0) return index_t{0};
      const index_t rising = (std::min)(x, columns + 1);
      return rising * (rising - 1) / 2 + (x - rising) * columns;
    };
    return sum(row + k + 1) - sum(k + 1);
  };
  const index_t below_all = all_elements == 0 ? 0 : before(rows);
  const index_t count = below ? below_all : all_elements - below_all;
  const std::array<array<std::int64_t>, 2> result{array<std::int64_t>(shape_t{count}, device::cpu(), "tri"),
                                                  array<std::int64_t>(shape_t{count}, device::cpu(), "tri")};
  if (count == 0) return result;
  std::int64_t* to_rows = result[0].data();
  std::int64_t* to_columns = result[1].data();
  parallel_for(rows, 1 + cpu_grain / columns, [=](index_t begin, index_t end) {
    for (index_t row = begin; row < end; ++row) {
      const index_t left = (std::max)((std::min)(row + k + 1, columns), index_t{0});
      const index_t at = below ? before(row) : row * columns - before(row);
      write_row_and_columns(to_rows + at, to_columns + at, row, below ? 0 : left,
                            below ? left : columns - left);
    }
  });
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail

namespace gnp { inline namespace GNP_ABI {

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> tril_indices(index_t n, index_t k, index_t m) {
  if (default_device().is_cpu()) return detail::triangle_on_cpu(n, m < 0 ? n : m, k, true);
  return detail::rows_and_columns(tri<bool>(n, m < 0 ? n : m, k));
}

GNP_DEFINED_ON_USE std::array<array<std::int64_t>, 2> triu_indices(index_t n, index_t k, index_t m) {
  if (default_device().is_cpu())
    return detail::triangle_on_cpu(n, m < 0 ? n : m, detail::diagonal_below(k), false);
  return detail::rows_and_columns(!tri<bool>(n, m < 0 ? n : m, detail::diagonal_below(k)));
}

}}  // namespace gnp::GNP_ABI

#endif
