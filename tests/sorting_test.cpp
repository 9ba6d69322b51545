// SPDX-License-Identifier: MIT
// sort and argsort beside NumPy's (tests/golden/make_sorting.py says what a line is), and what is not NumPy's.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "devices.hpp"
#include "golden.hpp"

namespace {

using gnp::array;
using gnp::asarray;
using gnp::index_t;
using gnp::shape_t;

double real_element(index_t k) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {std::nan(""), infinity, -infinity, -0.0, 0.0};
  return k >= 18 && k < 23 ? special[k - 18] : static_cast<double>(k - 9) / 4;
}

// As element() of make_sorting.py.
template <class T>
T element(index_t j, index_t seed) {
  const index_t k = (j * 7919 + seed * 104729 + j * j % 13) % 23;
  if constexpr (std::is_same_v<T, bool>) {
    return k > 11;
  } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    using R = typename T::value_type;
    return T(static_cast<R>(real_element(k % 5 + 14 * (k % 3))), static_cast<R>(real_element(k % 7 + 12)));
  } else if constexpr (gnp::is_floating(gnp::dtype_of<T>)) {
    return static_cast<T>(static_cast<float>(real_element(k)));
  } else if constexpr (std::is_unsigned_v<T>) {
    return static_cast<T>(k < 12 ? k : -k);
  } else {
    return static_cast<T>((k - 11) * (index_t{1} << (8 * sizeof(T) - 5)));
  }
}

template <class T>
array<T> made(const shape_t& shape, index_t seed) {
  gnp::host_array<T> host(shape);
  for (index_t j = 0; j < host.size(); ++j) host[j] = element<T>(j, seed);
  return asarray(host);
}

template <class T>
bool same_bits(const gnp::host_array<T>& a, const gnp::host_array<T>& b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 || std::memcmp(static_cast<const void*>(a.data()), b.data(),
                                       static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}

/// What sort() must give, were argsort() to give these places.
template <class T>
gnp::host_array<T> taken(const gnp::host_array<T>& from, const gnp::host_array<index_t>& places, int axis) {
  gnp::host_array<T> result(from.shape());
  const index_t length = from.shape()[axis];
  index_t inner = 1;
  for (int d = axis + 1; d < from.shape().rank(); ++d) inner *= from.shape()[d];
  for (index_t i = 0; i < from.size(); ++i) {
    const index_t outer = i / (length * inner);
    result[i] = from[outer * length * inner + places[i] * inner + i % inner];
  }
  return result;
}

std::vector<index_t> numbers(const std::string& text) {
  std::vector<index_t> result;
  std::istringstream in(text);
  for (index_t n; in >> n;) result.push_back(n);
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("argsort and sort are NumPy's stable ones", "", bool, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                   gnp::half, float, double, gnp::complex64, gnp::complex128) {
  using T = TestType;
  const auto lines = golden::split(golden::read_file("sorting.txt"), "\n");
  for_each_device([&](gnp::device) {
    int found = 0;
    for (const std::string& line : lines) {
      const auto fields = golden::split(line, ";");
      if (fields.at(0) != "argsort" || fields.at(1) != gnp::name(gnp::dtype_of<T>)) continue;
      ++found;
      INFO(line);
      const shape_t shape = golden::parse_shape(fields.at(2));
      const bool flat = fields.at(3) == "none";
      const gnp::axes_t axis = flat ? gnp::axes_t(gnp::none) : gnp::axes_t(std::stoi(fields.at(3)));
      const array<T> x = made<T>(shape, shape.rank());
      const array<index_t> places = gnp::argsort(x, axis);
      const array<T> sorted = gnp::sort(x, axis);
      CHECK(places.shape() == (flat ? shape_t{x.size()} : shape));
      CHECK(gnp::to_vector(places) == numbers(fields.at(4)));
      const gnp::host_array<T> host = gnp::asnumpy(flat ? x.ravel() : x);
      const int along = flat ? 0 : gnp::detail::normalize_axis(axis.values()[0], x.ndim(), "test");
      CHECK(same_bits(gnp::asnumpy(sorted), taken(host, gnp::asnumpy(places), along)));
      if (flat) continue;
      const array<T> copy = x.copy();
      copy.sort(axis);
      CHECK(same_bits(gnp::asnumpy(copy), gnp::asnumpy(sorted)));
    }
    CHECK(found == 14);
  });
}
