// SPDX-License-Identifier: MIT
// test: tsan
// Inputs that lie across the destination: every element size, extents around those of tiles, permutations,
// steps, broadcasting, and expressions that mix them with others. Each element is compared with what indexing
// says of ordinary memory.
#include <algorithm>
#include <numeric>

#include "devices.hpp"

namespace {

using gnp::index_t;
using gnp::shape_t;
using gnp::slice;

/// Numbers that tell elements apart, as far as the type goes.
template <class T>
gnp::array<T> numbered(const shape_t& shape) {
  index_t count = 1;
  for (const index_t size : shape) count *= size;
  gnp::host_array<T> values({count});
  for (index_t i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<float>(i * 7919 % 32749 % 251));
  return gnp::asarray(values).reshape(shape);
}

/// The axes of an array in another order, with no help from gnp: element by element.
template <class T>
std::vector<T> permuted(const gnp::host_array<T>& a, const std::vector<int>& axes) {
  const std::size_t rank = axes.size();
  std::vector<index_t> steps(rank, 1);
  for (std::size_t d = rank - 1; d > 0; --d) steps[d - 1] = steps[d] * a.shape()[d];
  std::vector<index_t> at(rank, 0);
  std::vector<T> result;
  while (static_cast<index_t>(result.size()) < a.size()) {
    index_t place = 0;
    for (std::size_t d = 0; d < rank; ++d) place += at[d] * steps[static_cast<std::size_t>(axes[d])];
    result.push_back(a.data()[place]);
    for (std::size_t d = rank; d-- > 0;) {
      if (++at[d] < a.shape()[static_cast<std::size_t>(axes[d])]) break;
      at[d] = 0;
    }
  }
  return result;
}

template <class T>
bool same(const gnp::host_array<T>& actual, const std::vector<T>& expected) {
  return std::equal(actual.data(), actual.data() + actual.size(), expected.begin(), expected.end());
}

}  // namespace

TEMPLATE_TEST_CASE("transposed: copies of matrices", "", std::uint8_t, std::int16_t, float, double,
                   gnp::complex128) {
  for_each_device([](gnp::device) {
    using T = TestType;
    for (const auto& [m, n] : std::vector<std::pair<index_t, index_t>>{{1, 1},
                                                                       {3, 5},
                                                                       {16, 16},
                                                                       {17, 33},
                                                                       {64, 64},
                                                                       {65, 130},
                                                                       {300, 257},
                                                                       {1000, 2},
                                                                       {1000, 3},
                                                                       {3, 1000},
                                                                       {40, 1500},
                                                                       {0, 5}}) {
      INFO(m << " by " << n << " of " << sizeof(T) << " bytes");
      const gnp::array<T> a = numbered<T>({m, n});
      const std::vector<T> right = permuted(gnp::asnumpy(a), {1, 0});
      CHECK(same(gnp::asnumpy(a.T()), right));
      // Into every second column of the rows from the last to the first.
      const gnp::array<T> room = gnp::zeros<T>({n, 2 * m});
      gnp::flip(room, 0)(gnp::all, slice(gnp::none, gnp::none, 2)) = a.T();
      CHECK(same(gnp::asnumpy(gnp::flip(room(gnp::all, slice(gnp::none, gnp::none, 2)), 0)), right));
      CHECK(gnp::sum(room(gnp::all, slice(1, gnp::none, 2)) != T(0)).item() == 0);
      // Of a part of a larger one: with steps, and backwards.
      const gnp::array<T> large = gnp::zeros<T>({2 * m, 3 * n + 1});
      const gnp::array<T> part = large(slice(gnp::none, gnp::none, 2), slice(1, gnp::none, 3));
      part(gnp::ellipsis) = a;
      CHECK(same(gnp::asnumpy(part.T()), right));
      large(slice(gnp::none, m), slice(gnp::none, n)) = gnp::flip(a);
      CHECK(same(gnp::asnumpy(gnp::flip(large(slice(gnp::none, m), slice(gnp::none, n))).T()), right));
    }
  });
}

TEMPLATE_TEST_CASE("transposed: every order of three and four axes", "", std::uint8_t, float, double) {
  for_each_device([](gnp::device) {
    using T = TestType;
    for (const shape_t& shape : {shape_t{5, 70, 33}, shape_t{70, 3, 129}, shape_t{4, 20, 3, 35}}) {
      const gnp::array<T> a = numbered<T>(shape);
      const gnp::host_array<T> host = gnp::asnumpy(a);
      std::vector<int> axes(static_cast<std::size_t>(a.ndim()));
      std::iota(axes.begin(), axes.end(), 0);
      do {
        const gnp::array<T> view = axes.size() == 3 ? gnp::transpose(a, {axes[0], axes[1], axes[2]})
                                                    : gnp::transpose(a, {axes[0], axes[1], axes[2], axes[3]});
        gnp::array<T> copy = gnp::empty<T>(view.shape());
        copy(gnp::ellipsis) = view;
        const std::vector<T> right = permuted(host, axes);
        CHECK(same(gnp::asnumpy(copy), right));
        // The other way: into a permuted destination, which is then the original.
        gnp::array<T> original = gnp::empty<T>(shape);
        (axes.size() == 3 ? gnp::transpose(original, {axes[0], axes[1], axes[2]})
                          : gnp::transpose(original, {axes[0], axes[1], axes[2], axes[3]}))(gnp::ellipsis) =
            copy;
        CHECK(gnp::array_equal(original, a));
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
  });
}

TEST_CASE("transposed: within expressions, beside rows, columns, numbers, positions and other types") {
  for_each_device([](gnp::device) {
    for (const index_t n : {index_t{3}, index_t{50}, index_t{64}, index_t{200}, index_t{500}}) {
      INFO(n);
      const gnp::array<float> a = numbered<float>({n, n});
      const gnp::array<std::uint8_t> bytes = numbered<std::uint8_t>({n, n});
      const gnp::array<double> row = gnp::arange<double>(n);
      const gnp::host_array<float> h = gnp::asnumpy(a);
      const gnp::host_array<std::uint8_t> b = gnp::asnumpy(bytes);
      const int before = gnp::get_num_threads();
      for (const int threads : {1, 3}) {
        gnp::set_num_threads(threads);
        const gnp::array<float> sum = a + a.T();
        gnp::array<double> mixed = gnp::zeros<double>({n, n});
        mixed(gnp::ellipsis) =
            a.T() * row + row(gnp::all, gnp::newaxis) - bytes.T() + bytes * 2.0 + gnp::arange<double>(n);
        gnp::array<float> in_place = a.copy();
        in_place += a.T();
        in_place(gnp::ellipsis) = in_place.T() - in_place(0);  // overlaps what it reads
        const gnp::array<float> stepped = gnp::zeros<float>({n, 3 * n});
        stepped(gnp::all, slice(gnp::none, gnp::none, 3)) = a.T() / 2 + a;
        gnp::set_num_threads(before);
        const gnp::host_array<float> s = gnp::asnumpy(sum);
        const gnp::host_array<double> m = gnp::asnumpy(mixed);
        const gnp::host_array<float> p = gnp::asnumpy(in_place);
        const gnp::host_array<float> q = gnp::asnumpy(stepped(gnp::all, slice(gnp::none, gnp::none, 3)));
        int wrong = 0;
        for (index_t i = 0; i < n; ++i) {
          for (index_t k = 0; k < n; ++k) {
            const auto both = [&](index_t r, index_t c) { return h(r, c) + h(c, r); };
            const auto r = static_cast<double>(i);
            const auto c = static_cast<double>(k);
            wrong += s(i, k) != both(i, k);
            wrong += m(i, k) != static_cast<double>(h(k, i)) * c + r - b(k, i) + b(i, k) * 2.0 + c;
            wrong += p(i, k) != both(k, i) - both(0, k);
            wrong += q(i, k) != h(k, i) / 2 + h(i, k);
          }
        }
        CHECK(wrong == 0);
        CHECK(gnp::sum(stepped(gnp::all, slice(1, gnp::none, 3)) != 0).item() == 0);
      }
    }
  });
}
