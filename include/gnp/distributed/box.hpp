// SPDX-License-Identifier: MIT
// box: a range of places along each axis.
#pragma once

#include <algorithm>
#include <gnp/core/shape.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// The places p with begin[d] <= p[d] < end[d].
struct box {
  shape_t begin;
  shape_t end;
  bool is_nothing = false;  // no place at all: a box of rank 0 has one, unless this says otherwise

  static box of(const shape_t& shape) { return {shape_t(shape.size(), 0), shape, false}; }

  int rank() const { return begin.rank(); }
  shape_t shape() const {
    shape_t sizes = end;
    for (int d = 0; d < rank(); ++d) sizes[d] = is_nothing ? 0 : (std::max)(index_t{0}, end[d] - begin[d]);
    return sizes;
  }
  bool is_empty() const {
    for (int d = 0; d < rank(); ++d) {
      if (end[d] <= begin[d]) return true;
    }
    return is_nothing;
  }
  bool contains(const box& other) const {
    if (other.is_empty()) return true;
    if (is_nothing) return false;
    for (int d = 0; d < rank(); ++d) {
      if (other.begin[d] < begin[d] || other.end[d] > end[d]) return false;
    }
    return true;
  }
  bool operator==(const box&) const = default;
};

inline box intersection(const box& a, const box& b) {
  box both = a;
  both.is_nothing = a.is_nothing || b.is_nothing;
  for (int d = 0; d < a.rank(); ++d) {
    both.begin[d] = (std::max)(a.begin[d], b.begin[d]);
    both.end[d] = (std::min)(a.end[d], b.end[d]);
  }
  return both;
}

/// The part of an operand of this shape that a box of the broadcast result reads.
inline box narrowed(const box& of_result, const shape_t& shape) {
  box own = box::of(shape);
  own.is_nothing = of_result.is_empty();
  const int more = of_result.rank() - shape.rank();
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape[d] == 1) continue;
    own.begin[d] = of_result.begin[d + more];
    own.end[d] = of_result.end[d + more];
  }
  return own;
}

/// Where a box has to be cut: sorted places along each axis, its own ends among them.
class cuts {
 public:
  explicit cuts(const box& whole) : whole_(whole), places_(static_cast<std::size_t>(whole.rank())) {
    for (int d = 0; d < whole.rank(); ++d) places(d) = {whole.begin[d], whole.end[d]};
  }

  /// Adds cuts at the ends of a part of an operand of this shape.
  void add(const box& part, const shape_t& shape) {
    const int more = whole_.rank() - shape.rank();
    for (int d = 0; d < shape.rank(); ++d) {
      if (shape[d] == 1) continue;
      for (const index_t place : {part.begin[d], part.end[d]}) {
        if (place > whole_.begin[d + more] && place < whole_.end[d + more]) places(d + more).push_back(place);
      }
    }
  }

  /// The boxes between the cuts, in row-major order; none for an empty box.
  std::vector<box> boxes() {
    std::vector<box> all;
    if (whole_.is_empty()) return all;
    all.push_back(whole_);
    for (int d = 0; d < whole_.rank(); ++d) {
      std::vector<index_t>& at = places(d);
      std::sort(at.begin(), at.end());
      at.erase(std::unique(at.begin(), at.end()), at.end());
      std::vector<box> finer;
      for (const box& b : all) {
        for (std::size_t i = 0; i + 1 < at.size(); ++i) {
          finer.push_back(b);
          finer.back().begin[d] = at[i];
          finer.back().end[d] = at[i + 1];
        }
      }
      all = std::move(finer);
    }
    return all;
  }

 private:
  std::vector<index_t>& places(int d) { return places_[static_cast<std::size_t>(d)]; }

  box whole_;
  std::vector<std::vector<index_t>> places_;
};

}}}}  // namespace gnp::GNP_ABI::distributed::detail
