// SPDX-License-Identifier: MIT
// Turns numbers in nested braces and in ranges of ranges into values in row-major order and a shape.
#pragma once

#include <gnp/array/forward.hpp>
#include <gnp/core/number.hpp>
#include <gnp/core/promotion.hpp>
#include <gnp/core/shape.hpp>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// Wraps an element, so that a vector of bool is stored like any other vector.
template <element T>
struct held {
  T value;
};

template <element T>
struct host_values {
  std::vector<held<T>> values;
  shape_t shape;

  const T* data() const { return reinterpret_cast<const T*>(values.data()); }
};

/// Nested braces: values and, from their nesting, a shape. {{100}, {200}} is 2 by 1.
template <element T>
class nested_list {
 public:
  nested_list(T value) : all_{{{value}}, {}} {}
  template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::same_as<Number, T>)
  nested_list(Number value) : nested_list(static_cast<T>(static_cast<real_number>(value))) {
    if constexpr (element<Number>) require_fit<T>(value, "asarray");
  }
  /// A complex number of the other precision: asarray<complex64>({1i, 2}).
  template <class Number>
    requires(is_complex(dtype_of<T>) && element<Number> && is_complex(dtype_of<Number>) &&
             !std::same_as<Number, T>)
  nested_list(const Number& value) : nested_list(static_cast<T>(value)) {}
  /// The only element of an array: asarray<double>({x.min(), x.max()}).
  template <array_of_numbers X>
  nested_list(const X& one) : nested_list(static_cast<typename X::value_type>(one)) {}
  nested_list(std::initializer_list<nested_list> rows) {
    all_.shape.push_back(static_cast<index_t>(rows.size()));
    for (const nested_list& row : rows) {
      const shape_t& first = rows.begin()->all_.shape;
      if (!(row.all_.shape == first)) {
        throw shape_error(std::string("asarray: the rows of nested braces have different shapes ") +
                          to_string(first) + " and " + to_string(row.all_.shape));
      }
      all_.values.insert(all_.values.end(), row.all_.values.begin(), row.all_.values.end());
    }
    if (rows.size() == 0) return;
    for (const index_t size : rows.begin()->all_.shape) all_.shape.push_back(size);
  }
  const host_values<T>& all() const { return all_; }

 private:
  using real_number = type_of<real_part_of(dtype_of<T>)>;
  host_values<T> all_;
};

/// Braces whose values have different types.
struct any_values {
  template <element T>
  any_values(T) {}
  template <array_like X>
  any_values(const X&) {}
  any_values(std::initializer_list<any_values>) {}
};

// Finds begin and end as for (auto x : range) does, including those of a std::valarray. (<ranges> costs half a
// second to include.)
using std::begin;
using std::end;

template <class Range>
using iterator_of = decltype(begin(std::declval<Range&>()));

/// Does it have rows and columns, like the matrices of Eigen and other libraries? Iterating over such a class
/// does not tell the order of its elements.
template <class X>
concept matrix_class = requires(const X& x) {
  x.rows();
  x.cols();
};

/// The element type of nested ranges of numbers, and how many levels of ranges there are.
template <class X>
struct numbers_of {
  static constexpr int depth = -1;  // none
};
template <element X>
struct numbers_of<X> {
  static constexpr int depth = 0;
  using type = X;
};
template <class X>
  requires(!element<X> && !matrix_class<X> && !array_like<X> && !is_host_array_v<X>) && requires {
    typename std::iter_value_t<iterator_of<X>>;
    requires !std::same_as<std::iter_value_t<iterator_of<X>>,
                           std::remove_cv_t<X>>;  // a path is a range of paths
    requires numbers_of<std::iter_value_t<iterator_of<X>>>::depth >= 0;
  }
struct numbers_of<X> {
  using inner = numbers_of<std::iter_value_t<iterator_of<X>>>;
  static constexpr int depth = inner::depth + 1;
  using type = typename inner::type;
};

/// A range of numbers, or of such ranges.
template <class X>
concept number_range = numbers_of<X>::depth > 0;

/// A std::vector, std::array or span of arrays. An array itself does not count as a list.
template <class X>
concept range_of_arrays = !array_like<std::remove_cv_t<X>> && requires {
  typename std::iter_value_t<iterator_of<X>>;
} && array_like<std::iter_value_t<iterator_of<X>>>;

/// Is the range contiguous in memory?
template <class X>
concept contiguous_numbers =
    numbers_of<X>::depth == 1 && std::contiguous_iterator<iterator_of<X>> && requires(X& x) { std::size(x); };

/// Appends the numbers of a range. A size of -1 means that it is not known yet.
template <element T, class Range>
void append(host_values<T>& all, Range& range, int axis) {
  index_t count = 0;
  for (auto&& item : range) {
    ++count;
    if constexpr (numbers_of<std::remove_reference_t<Range>>::depth == 1) {
      all.values.push_back({static_cast<T>(item)});
    } else {
      append(all, item, axis + 1);
    }
  }
  index_t& size = all.shape[static_cast<std::size_t>(axis)];
  if (size >= 0 && size != count) {
    throw shape_error(std::string("asarray: the rows have different lengths ") + std::to_string(size) +
                      " and " + std::to_string(count) + " along axis " + std::to_string(axis));
  }
  size = count;
}

template <class Range>
auto values_of(Range& range) {
  using numbers = numbers_of<Range>;
  host_values<typename numbers::type> all{{}, shape_t(numbers::depth, -1)};
  append(all, range, 0);
  for (index_t& size : all.shape) size = size < 0 ? 0 : size;  // below an empty range
  return all;
}

}}}  // namespace gnp::GNP_ABI::detail
