// SPDX-License-Identifier: MIT
// for (auto row : a): along axis 0, each a view.
#pragma once

#include <cstddef>
#include <gnp/core/shape.hpp>
#include <iterator>

namespace gnp { inline namespace GNP_ABI { namespace detail {

struct rows_end {
  index_t count;
};

template <class X>
class row_iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = std::remove_cv_t<decltype(std::declval<const X&>()(index_t{}))>;

  explicit row_iterator(X rows) : rows_(std::move(rows)) {}

  value_type operator*() const { return rows_(next_); }
  row_iterator& operator++() {
    ++next_;
    return *this;
  }
  void operator++(int) { ++next_; }
  friend bool operator==(const row_iterator& at, rows_end end) { return at.next_ == end.count; }

 private:
  X rows_;
  index_t next_ = 0;
};

}}}  // namespace gnp::GNP_ABI::detail
