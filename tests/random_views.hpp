// SPDX-License-Identifier: MIT
// Random arrays as views of random layouts, and the plain arithmetic of where their elements are on the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>
#include <vector>

#include "devices.hpp"

namespace random_views {

using gnp::index_t;
using gnp::shape_t;
using gnp::slice;
using sizes = std::vector<index_t>;

using gnp::bfloat16;
using gnp::complex128;
using gnp::complex64;
using gnp::half;

/// Reproducible everywhere: the distributions of <random> are not.
class generator {
 public:
  explicit generator(unsigned seed) : engine_(seed) {}
  index_t below(index_t n) { return static_cast<index_t>(engine_() % static_cast<std::uint64_t>(n)); }
  index_t between(index_t low, index_t high) { return low + below(high - low + 1); }
  bool one_in(index_t n) { return below(n) == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(below(static_cast<index_t>(from.size())))];
  }
  template <class T>
  T number() {
    if constexpr (std::is_same_v<T, bool>) {
      return below(2) == 1;
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(one_in(3) ? engine_() : static_cast<std::uint64_t>(between(-9, 9)));
    } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
      using part = typename T::value_type;
      return T(static_cast<part>(between(-99, 99)) / 8, static_cast<part>(between(-99, 99)) / 8);
    } else {
      return static_cast<T>(static_cast<float>(between(-999, 999)) / 16.0F);
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline index_t product(const sizes& shape) {
  index_t n = 1;
  for (const index_t size : shape) n *= size;
  return n;
}

inline shape_t to_shape(const sizes& list) {
  shape_t shape;
  for (const index_t size : list) shape.push_back(size);
  return shape;
}

inline sizes random_shape(generator& random) {
  constexpr index_t most = 200000;
  for (;;) {
    sizes shape;
    const index_t rank = random.between(0, 5);
    for (index_t d = 0; d < rank; ++d) {
      shape.push_back(random.one_in(5)    ? 1
                      : random.one_in(25) ? 0
                                          : random.between(2, random.pick<index_t>({4, 9, 40})));
    }
    if (rank > 0 && random.one_in(3)) {  // around the lengths that code takes decisions at
      shape[static_cast<std::size_t>(random.below(rank))] =
          random.pick<index_t>({63, 64, 65, 127, 128, 129, 255, 257, 1023, 1024, 1025, 2048, 4097});
    }
    if (rank <= 2 && random.one_in(6)) shape = {random.between(1, 400), random.between(300, 500)};
    if (rank == 1 && random.one_in(4)) shape = {random.between(60000, most)};
    if (product(shape) <= most) return shape;
  }
}

/// An array over part of a larger one, and what it is on the host: element (i, j, ...) of the view is
/// memory[offset + i * strides[0] + j * strides[1] ...], by this file's arithmetic.
template <class T>
struct operand {
  gnp::array<T> whole;
  gnp::array<T> view;
  gnp::host_array<T> memory;
  index_t offset = 0;
  sizes shape;
  sizes strides;
  std::string story;
};

/// A view of this shape: of a new array whose axes are in random order and longer than needed, taken by slices
/// with steps of both signs, with new axes and integer indices; `readable` ones may repeat their elements.
template <class T>
operand<T> random_view(generator& random, const sizes& shape, bool readable) {
  operand<T> made;
  made.shape = shape;
  const std::size_t rank = shape.size();
  made.strides.assign(rank, 0);

  // Axes of the base, in its own order: an axis of the view, or one that an integer index removes.
  struct axis {
    int of_view;  // -1: indexed away
    index_t size;
    index_t start;
    index_t step;
  };
  std::vector<axis> axes;
  std::vector<bool> is_new(rank, false);       // size-1 axes made by newaxis
  std::vector<bool> is_repeated(rank, false);  // made by broadcast_to
  const bool plain = random.one_in(3);         // contiguous, or nearly
  for (std::size_t d = 0; d < rank; ++d) {
    if (shape[d] == 1 && random.one_in(3)) {
      is_new[d] = true;
      continue;
    }
    if (readable && !plain && random.one_in(8)) {
      is_repeated[d] = true;
      is_new[d] = random.one_in(2);
      if (!is_new[d]) axes.push_back({static_cast<int>(d), 1, 0, 1});
      continue;
    }
    axis a{static_cast<int>(d), shape[d], 0, 1};
    if (!plain && random.one_in(2) && product(shape) < 50000) {
      a.step = random.pick<index_t>({1, 1, 2, 3, -1, -1, -2});
      const index_t reach = shape[d] > 0 ? (shape[d] - 1) * std::abs(a.step) : 0;
      const index_t before = random.below(3);
      a.size = reach + 1 + before + random.below(3);
      a.start = a.step > 0 ? before : before + reach;
    } else if (!plain && random.one_in(6)) {
      a.step = -1;
      a.start = std::max<index_t>(shape[d] - 1, 0);
    }
    axes.push_back(a);
  }
  if (!plain && axes.size() < 6 && random.one_in(5)) {
    const index_t size = random.between(1, 3);
    axes.push_back({-1, size, random.below(size), 0});
  }
  if (!plain || random.one_in(3)) {
    for (std::size_t i = axes.size(); i > 1; --i) {
      std::swap(axes[i - 1], axes[static_cast<std::size_t>(random.below(static_cast<index_t>(i)))]);
    }
  }

  sizes base;
  for (const axis& a : axes) base.push_back(a.size);
  gnp::host_array<T> memory(to_shape(base));
  for (index_t i = 0; i < memory.size(); ++i) memory[i] = random.number<T>();

  // On the host.
  index_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const axis& a = axes[i];
    made.offset += a.start * stride;
    if (a.of_view >= 0 && !is_repeated[static_cast<std::size_t>(a.of_view)]) {
      made.strides[static_cast<std::size_t>(a.of_view)] = a.step * stride;
    }
    stride *= a.size;
  }

  // With gnp: slices, then the axes in the view's order, then new and repeated ones.
  made.whole = gnp::asarray(memory);
  std::vector<gnp::index_arg> indices;
  std::ostringstream story;
  story << "base " << gnp::to_string(to_shape(base)) << ":";
  std::vector<int> kept;  // axes of the view that are there, in the base's order
  for (const axis& a : axes) {
    if (a.of_view < 0) {
      indices.push_back(random.one_in(2) ? a.start : a.start - a.size);
      story << " [" << a.start << "]";
      continue;
    }
    kept.push_back(a.of_view);
    const index_t count =
        is_repeated[static_cast<std::size_t>(a.of_view)] ? 1 : shape[static_cast<std::size_t>(a.of_view)];
    const index_t stop = a.start + a.step * count;
    if (count == a.size && a.step == 1) {
      indices.push_back(gnp::all);
    } else if (stop < 0) {
      indices.push_back(
          slice(count == 0 ? 0 : a.start, count == 0 ? gnp::detail::slice_bound(0) : gnp::none, a.step));
    } else {
      indices.push_back(slice(a.start, stop, a.step));
    }
    story << " " << a.start << ":" << stop << ":" << a.step;
  }
  gnp::array<T> view = made.whole.index(indices);
  shape_t order;
  std::vector<gnp::index_arg> with_new;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto at = std::find(kept.begin(), kept.end(), static_cast<int>(d));
    if (at == kept.end()) {
      with_new.push_back(gnp::newaxis);
    } else {
      order.push_back(at - kept.begin());
      with_new.push_back(gnp::all);
    }
  }
  view = gnp::transpose(view, order).index(with_new);
  if (std::find(is_repeated.begin(), is_repeated.end(), true) != is_repeated.end()) {
    view = gnp::broadcast_to(view, to_shape(shape));
  }
  story << " axes " << gnp::to_string(order) << " strides";
  for (const index_t s : made.strides) story << " " << s;
  made.story = story.str();
  made.view = view;
  made.memory = std::move(memory);
  return made;
}

/// An operand that broadcasts to `target`: some axes of size 1, some leading ones left out.
template <class T>
operand<T> random_operand(generator& random, const sizes& target) {
  sizes shape = target;
  if (random.one_in(3)) {
    for (index_t& size : shape) {
      if (random.one_in(3)) size = 1;
    }
    while (!shape.empty() && random.one_in(4)) shape.erase(shape.begin());
  }
  return random_view<T>(random, shape, true);
}

/// Where an element of the result is in an operand's memory.
template <class T>
index_t place_of(const operand<T>& o, const sizes& at) {
  index_t place = o.offset;
  const std::size_t missing = at.size() - o.shape.size();
  for (std::size_t d = 0; d < o.shape.size(); ++d)
    place += (o.shape[d] == 1 ? 0 : at[d + missing]) * o.strides[d];
  return place;
}

/// Calls f(position in row-major order, coordinates) for all elements of a shape.
template <class F>
void for_each_element(const sizes& shape, const F& f) {
  const index_t count = product(shape);
  sizes at(shape.size(), 0);
  for (index_t i = 0; i < count; ++i) {
    f(i, at);
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}

template <class T>
bool same(T actual, T expected, double tolerance) {
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    return same(actual.real(), expected.real(), tolerance) && same(actual.imag(), expected.imag(), tolerance);
  } else if constexpr (gnp::is_floating(gnp::dtype_of<T>)) {
    const auto a = static_cast<double>(actual);
    const auto e = static_cast<double>(expected);
    return a == e || (a != a && e != e) || std::abs(a - e) <= tolerance * std::max(1.0, std::abs(e));
  } else {
    return actual == expected;
  }
}

template <class T>
std::string text_of(T value) {
  std::ostringstream text;
  text.precision(17);
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    text << value;
  } else if constexpr (std::is_integral_v<T>) {
    text << +value;
  } else {
    text << static_cast<double>(value);
  }
  return text.str();
}

}  // namespace random_views
