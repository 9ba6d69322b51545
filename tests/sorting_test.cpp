// SPDX-License-Identifier: MIT
// test: asan, simulated-gpu
// sort and argsort beside NumPy's (tests/golden/make_sorting.py says what a line is), and what is not NumPy's.
#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "sorting_golden.hpp"

namespace {

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

}  // namespace

TEMPLATE_TEST_CASE("argsort and sort are NumPy's stable ones", "", bool, std::int8_t, std::int16_t,
                   std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                   gnp::half, float, double, gnp::complex64, gnp::complex128) {
  using T = TestType;
  const auto lines = golden::split(golden::read_file("sorting.txt"), "\n");
  // Of types of as many bytes, whose keys are made in the same way, one is enough there.
  constexpr gnp::dtype type = gnp::dtype_of<T>;
  constexpr bool like_another = type == gnp::dtype::int16 || type == gnp::dtype::int32 ||
                                type == gnp::dtype::int64 || type == gnp::dtype::uint8 ||
                                type == gnp::dtype::uint32 || type == gnp::dtype::float64 ||
                                type == gnp::dtype::complex128;
  for_each_device([&](gnp::device where) {
    if (like_another && is_simulated(where)) return;
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
      CHECK(gnp::to_vector(places) == parsed_numbers(fields.at(4)));
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

TEST_CASE("bfloat16 is sorted as the floats it holds, NaN last and in their order") {
  for_each_device([&](gnp::device) {
    for (const index_t count : {5, 60, 700, 5000}) {
      const array<gnp::bfloat16> x = made<gnp::bfloat16>({count}, 3);
      const array<float> same = x.astype<float>();
      CHECK(gnp::array_equal(gnp::argsort(x), gnp::argsort(same)));
      CHECK(gnp::array_equal(gnp::sort(x).astype<float>(), gnp::sort(same), {.equal_nan = true}));
    }
  });
}

namespace {

/// Is this argsort's result, downwards say, of rows? Each row's places are all there, each element is after
/// those before it, and of equal ones the first comes first.
template <class T, class Before>
void check_order(const array<T>& x, const array<index_t>& places, const Before& before) {
  const gnp::host_array<T> values = gnp::asnumpy(x);
  const gnp::host_array<index_t> host = gnp::asnumpy(places);
  REQUIRE(host.size() == values.size());
  const index_t length = x.shape()[x.ndim() - 1];
  index_t wrong = 0;
  for (index_t row = 0; row < x.size() / length; ++row) {
    const T* const in = values.data() + row * length;
    const index_t* const at = host.data() + row * length;
    std::vector<char> seen(static_cast<std::size_t>(length));
    for (index_t i = 0; i < length; ++i) {
      const index_t place = at[i];
      if (place < 0 || place >= length) FAIL("place " << place << " in a row of " << length);
      if (std::exchange(seen[static_cast<std::size_t>(place)], 1) != 0) ++wrong;
      if (i == 0) continue;
      const index_t last = at[i - 1];
      if (before(in[place], in[last]) || (!before(in[last], in[place]) && place < last)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

/// Numbers of all sizes, of which some are equal.
template <class T>
array<T> scattered(const shape_t& shape) {
  gnp::host_array<T> host(shape);
  std::uint64_t state = 88172645463325252U;
  for (T& x : host) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x = static_cast<T>(static_cast<std::int64_t>(state >> (state & 56U)));
  }
  return asarray(host);
}

}  // namespace

TEMPLATE_TEST_CASE("rows of every length, upwards and downwards", "", std::uint8_t, std::int8_t, std::int16_t,
                   std::uint16_t, std::int64_t, float) {
  using T = TestType;
  for_each_device([&](gnp::device where) {
    const bool few = is_simulated(where);
    if (few && (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int8_t>)) return;
    // On both sides of what is sorted in which way.
    for (const index_t length : {1, 2, 31, 33, 64, 65, 256, 257, 513, 1025, 2049, 4096, 4097, 9300, 16384,
                                 16385, 70000, 262143, 262144}) {
      INFO(length);
      // Floats go each way there, others the long ways once.
      if (few && sizeof(T) > 1 && !std::is_same_v<T, float> && length != 33 && length != 513 &&
          length != 4097 && length != 9300 && length != 16385 && length != 262144)
        continue;
      const index_t rows = sanitized && length > 20000 ? 1 : few && length > 200000 ? 1 : length > 5000 ? 2 : 5;
      const array<T> x = scattered<T>({rows, length});
      const array<index_t> up = gnp::argsort(x);
      const array<index_t> down = gnp::argsort(x, {.descending = true});
      check_order(x, up, [](T a, T b) { return a < b; });
      check_order(x, down, [](T a, T b) { return a > b; });
      CHECK(same_bits(gnp::asnumpy(gnp::sort(x)), taken(gnp::asnumpy(x), gnp::asnumpy(up), 1)));
      CHECK(same_bits(gnp::asnumpy(gnp::sort(x, {.descending = true})),
                      taken(gnp::asnumpy(x), gnp::asnumpy(down), 1)));
    }
    if (where.is_cpu()) {  // several threads share a row
      const int threads = gnp::get_num_threads();
      gnp::set_num_threads(3);
      const array<T> x = scattered<T>({300001});
      check_order(x, gnp::argsort(x), [](T a, T b) { return a < b; });
      CHECK(same_bits(gnp::asnumpy(gnp::sort(x)), taken(gnp::asnumpy(x), gnp::asnumpy(gnp::argsort(x)), 0)));
      gnp::set_num_threads(threads);
    }
  });
}

TEMPLATE_TEST_CASE("many short rows of bytes are sorted and partitioned as the standard library sorts", "",
                   std::uint8_t, std::int8_t, bool) {
  using T = TestType;
  for_each_device([&](gnp::device where) {
    const bool few = !where.is_cpu();
    for (index_t length = 1; length <= 66; length += few ? 13 : 1) {
      // On both sides of what is sorted side by side, and of how many rows that is at a time.
      for (const index_t rows : {7, 8, 64, 71, 72, 150}) {
        if (few && rows != 72) continue;
        INFO(rows << " rows of " << length);
        const array<T> x = scattered<T>({rows, length});
        gnp::host_array<T> up = gnp::asnumpy(x);
        for (index_t row = 0; row < rows; ++row) std::sort(&up[row * length], &up[row * length] + length);
        gnp::host_array<T> down = up;
        for (index_t row = 0; row < rows; ++row)
          std::reverse(&down[row * length], &down[row * length] + length);
        CHECK(same_bits(gnp::asnumpy(gnp::sort(x)), up));
        CHECK(same_bits(gnp::asnumpy(gnp::sort(x, {.descending = true})), down));
        const index_t kth = length / 2;
        const gnp::host_array<T> parted = gnp::asnumpy(gnp::partition(x, kth));
        index_t wrong = 0;
        for (index_t i = 0; i < parted.size(); ++i) {
          const T middle = up[i / length * length + kth];
          const index_t place = i % length;
          wrong += (place < kth && parted[i] > middle) || (place == kth && parted[i] != middle) ||
                           (place > kth && parted[i] < middle)
                       ? 1
                       : 0;
        }
        CHECK(wrong == 0);
        const gnp::host_array<T> members = gnp::asnumpy(gnp::sort(gnp::partition(x, kth)));
        CHECK(same_bits(members, up));
      }
    }
  });
}

TEST_CASE("bytes that all keys of a row share cost no pass, and leave every row where it belongs") {
  for_each_device([&](gnp::device) {
    // Each row differs in other bytes: in an odd and an even number of them, in one, in none.
    constexpr std::uint64_t masks[] = {0xff,  0xff00ff0000000000, 0xffff0000ff, 0, 0xff00000000000000, 0xfff0,
                                       ~0ULL, 0x8000000000000000};
    constexpr index_t length = 9001;
    gnp::host_array<std::int64_t> host(shape_t{8, length});
    for (index_t i = 0; i < host.size(); ++i) {
      const std::uint64_t word = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15U;
      const std::uint64_t mixed = word ^ word >> 29;
      const std::uint64_t mask = masks[i / length];
      host[i] = static_cast<std::int64_t>((mixed & mask) | (0x0123456789abcdefU & ~mask));
    }
    const array<std::int64_t> all = gnp::asarray(host);
    const auto check = [&](const array<std::int64_t>& x) {
      const array<index_t> up = gnp::argsort(x);
      const array<index_t> down = gnp::argsort(x, {.descending = true});
      check_order(x, up, [](std::int64_t a, std::int64_t b) { return a < b; });
      check_order(x, down, [](std::int64_t a, std::int64_t b) { return a > b; });
      const int axis = x.ndim() - 1;
      CHECK(same_bits(gnp::asnumpy(gnp::sort(x)), taken(gnp::asnumpy(x), gnp::asnumpy(up), axis)));
      CHECK(same_bits(gnp::asnumpy(gnp::sort(x, {.descending = true})),
                      taken(gnp::asnumpy(x), gnp::asnumpy(down), axis)));
    };
    check(all);
    for (index_t row = 0; row < 8; ++row) check(all(row));
  });
}

TEST_CASE("sorting: views, expressions, downwards with NaN, errors") {
  for_each_device([&](gnp::device) {
    const array<float> x = made<float>({6, 40}, 5);
    const array<float> every_other = x(gnp::all, gnp::slice(gnp::none, gnp::none, -2));
    CHECK(gnp::array_equal(gnp::sort(every_other), gnp::sort(every_other.copy()), {.equal_nan = true}));
    CHECK(gnp::array_equal(gnp::sort(x.T(), 0).T(), gnp::sort(x), {.equal_nan = true}));
    CHECK(gnp::array_equal(gnp::sort(x * 2 + 1), gnp::sort(x) * 2 + 1, {.equal_nan = true}));
    CHECK(gnp::array_equal((x + 0).argsort(0), gnp::argsort(x, 0)));
    const array<float> broadcast = gnp::broadcast_to(gnp::asarray<float>({3, 1, 2}), {2, 3});
    CHECK(gnp::array_equal(gnp::sort(broadcast), gnp::asarray<float>({{1, 2, 3}, {1, 2, 3}})));
    CHECK_THROWS_AS(broadcast.sort(), gnp::shape_error);

    // A view is sorted where it is.
    const array<int> a = gnp::asarray<int>({{5, 4, 3}, {9, 8, 7}});
    a(0).sort();
    CHECK(gnp::array_equal(a, gnp::asarray<int>({{3, 4, 5}, {9, 8, 7}})));
    a(gnp::all, gnp::slice(0, 2)).sort(0, {.descending = true});
    CHECK(gnp::array_equal(a, gnp::asarray<int>({{9, 8, 5}, {3, 4, 7}})));

    const float nan = std::nanf("");
    const array<float> n = gnp::asarray<float>({nan, 1, -0.0F, nan, 0, 3});
    CHECK(gnp::array_equal(gnp::argsort(n, {.descending = true}), gnp::asarray<index_t>({5, 1, 2, 4, 0, 3})));
    CHECK(gnp::array_equal(gnp::argsort(n), gnp::asarray<index_t>({2, 4, 1, 5, 0, 3})));
    using c = gnp::complex64;
    const array<c> z = gnp::asarray<c>({c(1, nan), c(nan, 2), c(nan, nan), c(1, 2), c(1, 3), c(0, 9)});
    CHECK(gnp::array_equal(gnp::argsort(z, {.descending = true}), gnp::asarray<index_t>({4, 3, 5, 0, 1, 2})));

    CHECK(gnp::sort_complex(gnp::asarray<std::int8_t>({2, 1})).dtype() == gnp::dtype::complex64);
    CHECK(gnp::sort_complex(gnp::asarray<float>({2, 1})).dtype() == gnp::dtype::complex128);
    CHECK(gnp::array_equal(gnp::sort_complex(z.imag()(gnp::slice(1, 3))).real()(gnp::slice(0, 1)),
                           gnp::asarray<double>({2})));

    CHECK_THROWS_WITH(gnp::sort(x, 2), contains("sort: axis 2 is out of bounds for array of dimension 2"));
    CHECK_THROWS_WITH(gnp::sort(gnp::asarray(1.0)), contains("sort: axis -1 is out of bounds"));
    CHECK_THROWS_WITH(gnp::sort(x, {0, 1}), contains("sort: takes one axis or none, got (0, 1)"));
    CHECK_THROWS_AS(x.sort(gnp::none), gnp::shape_error);
  });
}

namespace {

/// Values of several kinds: random, few, ascending, descending, and the ends of the type, NaN and zeros.
template <class T>
std::vector<T> values_of_kind(int kind, index_t length) {
  std::vector<T> values;
  std::uint64_t random = 1;
  for (index_t i = 0; i < length; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const auto word = static_cast<std::int64_t>(random >> 20) - (std::int64_t{1} << 43);
    const std::int64_t number = kind == 0 ? word : kind == 1 ? word % 3 : kind == 2 ? i : length - i;
    if constexpr (std::is_integral_v<T>) {
      constexpr T ends[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0), T(-1)};
      values.push_back(kind == 4 ? ends[random >> 62] : static_cast<T>(number));
    } else if constexpr (std::is_floating_point_v<T>) {
      using limits = std::numeric_limits<T>;
      const T ends[] = {T(0),
                        T(-0.0),
                        limits::quiet_NaN(),
                        -limits::quiet_NaN(),
                        limits::infinity(),
                        -limits::infinity(),
                        limits::denorm_min(),
                        T(-3)};
      values.push_back(kind == 4 ? ends[random >> 61] : static_cast<T>(number));
    } else {
      using real = typename T::value_type;
      values.emplace_back(static_cast<real>(number % 1000), static_cast<real>(random >> 60));
    }
  }
  return values;
}

/// Does a come before b? NaN come last.
template <class T>
bool comes_before(const T& a, const T& b, bool descending) {
  if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
    const T& x = descending ? b : a;
    const T& y = descending ? a : b;
    return x.real() != y.real() ? x.real() < y.real() : x.imag() < y.imag();
  } else {
    if (a != a || b != b) return a == a && b != b;
    return descending ? b < a : a < b;
  }
}

}  // namespace

TEMPLATE_TEST_CASE("sorting and partitioning around the lengths of registers, networks and partitions", "",
                   std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                   double, gnp::complex64, gnp::complex128) {
  using T = TestType;
  constexpr gnp::dtype type = gnp::dtype_of<T>;
  constexpr bool like_another = type == gnp::dtype::uint16 || type == gnp::dtype::int32 ||
                                type == gnp::dtype::int64 || type == gnp::dtype::uint64 ||
                                type == gnp::dtype::float32 || type == gnp::dtype::complex64;
  for_each_device([&](gnp::device device) {
    if (like_another && is_simulated(device)) return;
    for (const index_t length :
         {2,   7,   8,   9,   15,  16,  17,  32,  33,  63,  64,   65,   127,  128,  129,  159,  160,  161,  191,
          192, 193, 255, 256, 257, 383, 500, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4095, 4097, 20000}) {
      // The other lengths are those at which the CPU's ways of sorting change.
      if (!device.is_cpu() && length != 33 && length != 257 && length != 4097) continue;
      for (int kind = 0; kind < 5; ++kind) {
        if (sanitized && length > 5000 && kind > 1) continue;
        INFO("length " << length << ", kind " << kind);
        const index_t rows = length < 300 ? 3 : 1;
        const std::vector<T> values = values_of_kind<T>(kind, rows * length);
        const array<T> x = gnp::asarray(values).reshape(rows, length);
        for (const bool descending : {false, true}) {
          std::vector<index_t> order;
          std::vector<T> sorted;
          for (index_t row = 0; row < rows; ++row) {
            const auto begin = static_cast<std::ptrdiff_t>(order.size());
            for (index_t i = 0; i < length; ++i) order.push_back(i);
            const T* const from = values.data() + row * length;
            std::stable_sort(order.begin() + begin, order.end(),
                             [&](index_t a, index_t b) { return comes_before(from[a], from[b], descending); });
            for (auto i = begin; i < begin + length; ++i)
              sorted.push_back(from[order[static_cast<std::size_t>(i)]]);
          }
          const auto expected = gnp::asnumpy(gnp::asarray(sorted).reshape(rows, length));
          CHECK(same_bits(gnp::asnumpy(gnp::sort(x, {.descending = descending})), expected));
          const auto places = gnp::to_vector(gnp::argsort(x, {.descending = descending}));
          CHECK((places == order));
          const index_t few = (std::min)(index_t{5}, length);
          const auto top = gnp::top_k(x, few, {.largest = descending});
          CHECK(same_bits(gnp::asnumpy(top.values),
                          gnp::asnumpy(gnp::asarray(expected)(gnp::all, gnp::slice(few)))));
          if (descending) continue;
          const std::vector<index_t> asked = {length / 3, length - 1, length / 2};
          const auto parts = gnp::asnumpy(gnp::partition(x, asked));
          const auto parted = gnp::asnumpy(gnp::argpartition(x, asked));
          for (index_t row = 0; row < rows; ++row) {
            for (const index_t place : asked) {
              // Before the place there is just what sorting puts there, in any order.
              const auto same_before = [&](const auto& element, auto expected_before, const auto& less) {
                auto before = expected_before;
                for (index_t i = 0; i < place; ++i) before[static_cast<std::size_t>(i)] = element(row, i);
                std::sort(before.begin(), before.end(), less);
                std::sort(expected_before.begin(), expected_before.end(), less);
                return before.empty() ||
                       std::memcmp(static_cast<const void*>(before.data()), expected_before.data(),
                                   before.size() * sizeof before[0]) == 0;
              };
              const auto begin = static_cast<std::ptrdiff_t>(row * length);
              const std::vector<index_t> places_before(order.begin() + begin, order.begin() + begin + place);
              CHECK(same_before(parted, places_before, std::less<index_t>()));
              CHECK(parted(row, place) == order[static_cast<std::size_t>(row * length + place)]);
              CHECK(std::memcmp(static_cast<const void*>(&parts(row, place)), &expected(row, place),
                                sizeof(T)) == 0);
              if (kind == 4) continue;  // equal numbers that differ
              const std::vector<T> before(sorted.begin() + begin, sorted.begin() + begin + place);
              CHECK(
                  same_before(parts, before, [](const T& a, const T& b) { return comes_before(a, b, false); }));
            }
          }
        }
      }
    }
  });
}

#if defined(__x86_64__) && defined(__GNUC__)
TEST_CASE("sorting along an axis that is not the last, in several parts") {
  const gnp::use_device guard(gnp::device::cpu());
  constexpr index_t outer = 3, length = 500, inner = 90;  // more than a megabyte
  const gnp::array<double> a = gnp::fmod(gnp::arange<double>(outer * length * inner) * 7919, 1013);
  const gnp::host_array<double> from = gnp::asnumpy(a);
  const auto is_sorted_along = [&](int axis, const gnp::shape_t& shape, index_t step) {
    const gnp::array<double> x = a.reshape(shape);
    const gnp::host_array<double> sorted = gnp::asnumpy(gnp::sort(x, axis).ravel());
    const gnp::host_array<index_t> order = gnp::asnumpy(gnp::argsort(x, axis).ravel());
    const gnp::host_array<double> part = gnp::asnumpy(gnp::partition(x, 2, axis).ravel());
    const index_t count = shape[axis];
    bool right = true;
    for (index_t line = 0; line < a.size() / count; ++line) {
      const index_t first = line / step * step * count + line % step;
      std::vector<index_t> places;
      for (index_t i = 0; i < count; ++i) places.push_back(i);
      std::stable_sort(places.begin(), places.end(),
                       [&](index_t i, index_t k) { return from[first + i * step] < from[first + k * step]; });
      for (index_t i = 0; i < count; ++i) {
        const index_t place = places[static_cast<std::size_t>(i)];
        right =
            right && order[first + i * step] == place && sorted[first + i * step] == from[first + place * step];
      }
      right = right && part[first + 2 * step] == sorted[first + 2 * step];
    }
    return right;
  };
  CHECK(is_sorted_along(1, {outer, length, inner}, inner));
  CHECK(is_sorted_along(0, {outer, length, inner}, length * inner));
  CHECK(is_sorted_along(0, {length, outer * inner}, outer * inner));
  CHECK(is_sorted_along(0, {outer * length * inner, 1}, 1));
  CHECK(gnp::sort(gnp::zeros<float>({3, 0}), 0).shape() == gnp::shape_t{3, 0});
  CHECK(gnp::argsort(gnp::zeros<float>({0, 3}), 0).shape() == gnp::shape_t{0, 3});
  CHECK(gnp::partition(gnp::zeros<float>({0, 3}), 1, 0).shape() == gnp::shape_t{0, 3});
}

TEST_CASE("sorting: a processor that takes small numbers for zeros does not lose them") {
  const unsigned before = __builtin_ia32_stmxcsr();
  for (const unsigned mode : {0U, 0x40U, 0x8000U, 0x8040U}) {  // inputs, results
    std::vector<double> values;
    for (int i = 0; i < 700; ++i) values.push_back(i % 70 * std::numeric_limits<double>::denorm_min());
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const array<double> x = gnp::asarray(values).to(gnp::device::cpu());
    const array<double> expected = gnp::asarray(sorted).to(gnp::device::cpu());
    __builtin_ia32_ldmxcsr(before | mode);
    const array<double> y = gnp::sort(x);
    const array<double> middle = gnp::partition(x, 350);
    __builtin_ia32_ldmxcsr(before);
    CHECK(same_bits(gnp::asnumpy(y), gnp::asnumpy(expected)));
    CHECK(std::memcmp(middle.data() + 350, expected.data() + 350, sizeof(double)) == 0);
  }
}
#endif
