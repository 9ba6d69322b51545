// SPDX-License-Identifier: MIT
// test: asan
// What is joined, stacked, tiled and repeated by kernels of its own: every size of element, lengths that are no
// whole vectors, parts that begin anywhere, empty ones, and more parts than one kernel takes.
#include <gnp/gnp.hpp>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

template <class T>
T number(index_t i) {
  if constexpr (std::is_same_v<T, gnp::complex128>) {
    return T(static_cast<double>(i), -1.0);
  } else {
    return T(static_cast<float>(i % 120));
  }
}

/// Different numbers everywhere, on the current device.
template <class T>
array<T> numbers(index_t count, index_t from) {
  gnp::host_array<T> values(gnp::shape_t{count});
  T* const to = values.data();
  for (index_t i = 0; i < count; ++i) to[i] = number<T>(from + 7 * i + i / 13);
  return gnp::asarray(values);
}

template <class T>
bool same(const array<T>& a, const std::vector<T>& wanted) {
  const gnp::host_array<T> values = gnp::asnumpy(a.ravel());
  if (values.size() != static_cast<index_t>(wanted.size())) return false;
  return wanted.empty() || std::memcmp(values.data(), wanted.data(), wanted.size() * sizeof(T)) == 0;
}

/// The rows of all parts beside each other, one by one on the host.
template <class T>
std::vector<T> beside(const std::vector<array<T>>& parts, index_t rows) {
  index_t count = 0;
  for (const array<T>& part : parts) count += part.size();
  std::vector<T> all(static_cast<std::size_t>(count));
  index_t first = 0;
  for (const array<T>& part : parts) {
    const gnp::host_array<T> values = gnp::asnumpy(part.ravel());
    const index_t length = part.size() / rows;
    const T* from = values.data();
    for (index_t row = 0; row < rows; ++row) {
      T* const to = all.data() + row * (count / rows) + first;
      for (index_t i = 0; i < length; ++i) to[i] = *from++;
    }
    first += length;
  }
  return all;
}

template <class T>
void check_stacks() {
  for (const index_t length : {1, 2, 15, 16, 511, 512, 513, 4096, 70001}) {
    for (const int count : {2, 3, 4, 7, 16, 17}) {
      if (length > 5000 && count > 3) continue;
      INFO(gnp::name(gnp::dtype_of<T>) << " " << length << " " << count);
      std::vector<array<T>> parts;
      for (int k = 0; k < count; ++k) parts.push_back(numbers<T>(length, 1000 * k));
      CHECK(same(gnp::stack(parts, {.axis = -1}), beside(parts, length)));
      CHECK(same(gnp::column_stack(parts), beside(parts, length)));
    }
  }
  // Views that begin anywhere, go backwards or are transposed.
  const array<T> whole = numbers<T>(4000, 3);
  const std::vector<array<T>> views = {whole(slice(1, 1501)), whole(slice(3000, 1500, -1)),
                                       whole(slice(none, 3000, 2)), whole.reshape(2, 2000).T()(slice(1500), 1)};
  CHECK(same(gnp::stack(views, 1), beside(views, 1500)));
  CHECK(same(gnp::stack(views, 0), beside(views, 1)));
  // Pairs and fours of elements, which stay together; threes go another way.
  for (const index_t together : {2, 3, 4, 8}) {
    const std::vector<array<T>> rows = {numbers<T>(1000 * together, 1).reshape(1000, together),
                                        numbers<T>(1000 * together, 2).reshape(1000, together)};
    CHECK(same(gnp::concatenate(rows, {.axis = 1}), beside(rows, 1000)));
    CHECK(same(gnp::stack(rows, {.axis = 1}), beside(rows, 1000)));
  }
  // Expressions are computed; large ones before they are put beside each other.
  for (const index_t length : {100, 300000}) {
    const array<T> a = numbers<T>(length, 0), b = numbers<T>(length, 5);
    const std::vector<array<T>> sums = {a, array<T>(b + a)};
    CHECK(same<T>(gnp::stack(std::tuple(a, b + a), {.axis = 1}), beside(sums, length)));
  }
}

template <class T>
void check_consecutive() {
  for (const int count : {2, 3, 64, 128, 129, 300}) {
    for (const index_t length : {0, 1, 3, 16, 1000, 4096}) {
      if (count > 64 && length > 1000) continue;
      INFO(gnp::name(gnp::dtype_of<T>) << " " << count << " of " << length);
      std::vector<array<T>> parts;
      for (int k = 0; k < count; ++k) {
        const index_t own = k % 5 == 4 ? 0 : length + (length == 3 ? k % 3 : 0);
        parts.push_back(numbers<T>(own, 100 * k));
      }
      CHECK(same(gnp::concatenate(parts), beside(parts, 1)));
      CHECK(same(gnp::concatenate(parts, gnp::axes_t(none)), beside(parts, 1)));
    }
  }
  // More than one kernel takes, of parts that are long for their ends.
  std::vector<array<T>> many;
  for (int k = 0; k < 150; ++k) many.push_back(numbers<T>(20001 / static_cast<index_t>(sizeof(T)) + k % 7, k));
  many[3] = many[3](slice(1, none));
  many[140] = many[140](slice(0, 1));
  CHECK(same(gnp::concatenate(many), beside(many, 1)));
  // Large parts, in vectors and with one that no vectors go into.
  const array<T> whole = numbers<T>(400003, 9);
  const std::vector<array<T>> vectors = {whole(slice(0, 200000)), whole(slice(200000, 400000))};
  const std::vector<array<T>> odd = {whole(slice(1, 200000)), whole(slice(200000, 400002)), whole};
  CHECK(same(gnp::concatenate(vectors), beside(vectors, 1)));
  CHECK(same(gnp::concatenate(odd), beside(odd, 1)));
  CHECK(same(gnp::hstack(odd), beside(odd, 1)));
}

template <class T>
void check_tiles() {
  // Long enough to be computed once and stored often, in whole vectors and otherwise; and short.
  const index_t long_one = index_t{1 << 18} * 16 / static_cast<index_t>(sizeof(T));
  for (const index_t length : {index_t{5}, index_t{1000}, index_t{20003}, long_one, long_one + 1}) {
    INFO(gnp::name(gnp::dtype_of<T>) << " " << length);
    const array<T> a = numbers<T>(length, 4);
    const std::vector<array<T>> three = {a, a, a};
    CHECK(same(gnp::tile(a, {3}), beside(three, 1)));
    const std::vector<array<T>> columns(5, a);
    CHECK(same(gnp::repeat(a, 5), beside(columns, length)));
  }
  // Copies within rows that begin anywhere.
  const array<T> odd_rows = numbers<T>(2 * 20003, 6).reshape(2, -1);
  const std::vector<array<T>> beside_each_other(3, odd_rows);
  CHECK(same(gnp::tile(odd_rows, {1, 3}), beside(beside_each_other, 2)));
  const array<T> rows = numbers<T>(8 * (long_one / 8), 2).reshape(8, -1);
  const std::vector<array<T>> twice = {rows, rows};
  const array<T> wide = gnp::array<T>(gnp::concatenate(twice, 1));
  const std::vector<array<T>> all = {wide, wide};
  CHECK(same(gnp::tile(rows, {2, 2}), beside(all, 1)));
  // An expression of what is repeated, into every second row.
  const array<T> to = gnp::zeros<T>({6, long_one});
  const array<T> a = numbers<T>(long_one, 1);
  to(slice(none, none, 2)) = a + a;
  const array<T> sum = a + a;
  const array<T> nothing = gnp::zeros<T>({long_one});
  const std::vector<array<T>> alternate = {sum, nothing, sum, nothing, sum, nothing};
  CHECK(same(to, beside(alternate, 1)));
}

template <class T>
void check_all() {
  for_each_device([](gnp::device) {
    check_stacks<T>();
    check_consecutive<T>();
    check_tiles<T>();
  });
}

}  // namespace

TEST_CASE("joined, stacked, tiled and repeated: elements of a byte") { check_all<std::uint8_t>(); }
TEST_CASE("of two bytes") { check_all<std::int16_t>(); }
TEST_CASE("of four bytes") { check_all<float>(); }
TEST_CASE("of eight bytes") { check_all<std::int64_t>(); }
TEST_CASE("of sixteen bytes") { check_all<gnp::complex128>(); }

TEST_CASE("joining whole numbers and halves with float") {
  for_each_device([](gnp::device) {
    const array<int> whole = gnp::arange<int>(300000);
    const array<double> half = whole * 0.5;
    const array<double> both = gnp::stack(std::tuple(whole, half), {.axis = 1});
    CHECK(gnp::array_equal(both(gnp::all, 0), whole));
    CHECK(gnp::array_equal(both(gnp::all, 1), half));
  });
}
