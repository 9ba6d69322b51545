// SPDX-License-Identifier: MIT
// for (auto row : a): iterates along axis 0, where each row is a view.
#pragma once

#include <compare>
#include <cstddef>
#include <gnp/core/shape.hpp>
#include <iterator>
#include <optional>
#include <utility>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct rows_end {
  index_t count;
};

/// Over an array, whose rows can be reached in any order; over an expression, one row after the other.
template <class X>
class row_iterator {
 public:
  using iterator_concept = std::random_access_iterator_tag;
  // Dereferencing makes the row, as with std::vector<bool>'s iterators: std::prev and std::advance need the
  // category of C++17.
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = std::remove_cv_t<decltype(std::declval<const X&>()(index_t{}))>;
  using reference = value_type;
  using pointer = void;

  row_iterator() = default;
  explicit row_iterator(X rows, index_t next = 0) : rows_(std::move(rows)), next_(next) {}

  value_type operator*() const { return (*rows_)(next_); }
  value_type operator[](difference_type n) const { return (*rows_)(next_ + n); }
  row_iterator& operator++() { return *this += 1; }
  row_iterator& operator--() { return *this -= 1; }
  row_iterator operator++(int) { return std::exchange(*this, *this + 1); }
  row_iterator operator--(int) { return std::exchange(*this, *this - 1); }
  row_iterator& operator+=(difference_type n) {
    next_ += n;
    return *this;
  }
  row_iterator& operator-=(difference_type n) { return *this += -n; }
  friend row_iterator operator+(row_iterator at, difference_type n) { return at += n; }
  friend row_iterator operator+(difference_type n, row_iterator at) { return at += n; }
  friend row_iterator operator-(row_iterator at, difference_type n) { return at -= n; }
  friend difference_type operator-(const row_iterator& a, const row_iterator& b) { return a.next_ - b.next_; }
  friend bool operator==(const row_iterator& a, const row_iterator& b) { return a.next_ == b.next_; }
  friend auto operator<=>(const row_iterator& a, const row_iterator& b) { return a.next_ <=> b.next_; }
  friend bool operator==(const row_iterator& at, rows_end end) { return at.next_ == end.count; }

 private:
  std::optional<X> rows_;
  index_t next_ = 0;
};

}}}  // namespace gnp::GNP_ABI::detail
