// SPDX-License-Identifier: MIT
// Questions about types, and arrays of functions, ranges and checked values: beside what NumPy 2.4 answers.
#include <gnp/gnp.hpp>
#include <iterator>
#include <list>
#include <sstream>

#include "devices.hpp"

namespace {

using gnp::array;
using gnp::casting;
using gnp::dtype;

constexpr std::array<dtype, 14> numpy_types = {
    dtype::bool_,   dtype::int8,    dtype::int16,     dtype::int32,     dtype::int64,
    dtype::uint8,   dtype::uint16,  dtype::uint32,    dtype::uint64,    dtype::float16,
    dtype::float32, dtype::float64, dtype::complex64, dtype::complex128};

// np.can_cast(row, column, rule)
constexpr std::array<const char*, 14> safe_casts = {
    "11111111111111", "01111000011111", "00111000001111", "00011000000101", "00001000000101",
    "00111111111111", "00011011101111", "00001001100101", "00000000100101", "00000000011111",
    "00000000001111", "00000000000101", "00000000000011", "00000000000001"};
constexpr std::array<const char*, 14> same_kind_casts = {
    "11111111111111", "01111000011111", "01111000011111", "01111000011111", "01111000011111",
    "01111111111111", "01111111111111", "01111111111111", "01111111111111", "00000000011111",
    "00000000011111", "00000000011111", "00000000000011", "00000000000011"};
// np.promote_types(row, column), as places of the list above
constexpr int promoted[14][14] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
                                  {1, 1, 2, 3, 4, 2, 3, 4, 11, 9, 10, 11, 12, 13},
                                  {2, 2, 2, 3, 4, 2, 3, 4, 11, 10, 10, 11, 12, 13},
                                  {3, 3, 3, 3, 4, 3, 3, 4, 11, 11, 11, 11, 13, 13},
                                  {4, 4, 4, 4, 4, 4, 4, 4, 11, 11, 11, 11, 13, 13},
                                  {5, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
                                  {6, 3, 3, 3, 4, 6, 6, 7, 8, 10, 10, 11, 12, 13},
                                  {7, 4, 4, 4, 4, 7, 7, 7, 8, 11, 11, 11, 13, 13},
                                  {8, 11, 11, 11, 11, 8, 8, 8, 8, 11, 11, 11, 13, 13},
                                  {9, 9, 10, 11, 11, 9, 10, 11, 11, 9, 10, 11, 12, 13},
                                  {10, 10, 10, 11, 11, 10, 10, 11, 11, 10, 10, 11, 12, 13},
                                  {11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 13, 13},
                                  {12, 12, 12, 13, 13, 12, 12, 13, 13, 12, 12, 13, 12, 13},
                                  {13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13}};

/// What a stream has, which is gone once it has been read.
struct numbers_of {
  std::istream& text;
  std::istream_iterator<int> begin() const { return std::istream_iterator<int>(text); }
  std::istream_iterator<int> end() const { return {}; }
};

}  // namespace

TEST_CASE("which types become which, as NumPy says") {
  for (std::size_t i = 0; i < 14; ++i) {
    for (std::size_t k = 0; k < 14; ++k) {
      const dtype from = numpy_types[i], to = numpy_types[k];
      INFO(gnp::name(from) << " " << gnp::name(to));
      CHECK(gnp::can_cast(from, to) == (safe_casts[i][k] == '1'));
      CHECK(gnp::can_cast(from, to, casting::same_kind) == (same_kind_casts[i][k] == '1'));
      CHECK(gnp::can_cast(from, to, casting::no) == (i == k));
      CHECK(gnp::can_cast(from, to, casting::equiv) == (i == k));
      CHECK(gnp::can_cast(from, to, casting::unsafe));
      CHECK(gnp::promote_types(from, to) == numpy_types[static_cast<std::size_t>(promoted[i][k])]);
      CHECK(gnp::result_type(from, to) == gnp::promote_types(from, to));
    }
  }
  static_assert(!gnp::can_cast(dtype::bfloat16, dtype::float16));
  static_assert(gnp::can_cast(dtype::bfloat16, dtype::float32));
}

TEST_CASE("result_type and common_type of arrays, types and numbers") {
  const array<std::int8_t> bytes;
  const array<float> floats;
  const array<std::complex<float>> pairs;
  CHECK(gnp::result_type(3) == dtype::int64);
  CHECK(gnp::result_type(true) == dtype::bool_);
  CHECK(gnp::result_type(3, 4.0) == dtype::float64);
  CHECK(gnp::result_type(bytes, 3) == dtype::int8);
  CHECK(gnp::result_type(bytes, 3.0) == dtype::float64);
  CHECK(gnp::result_type(floats, std::complex<double>(0, 1)) == dtype::complex64);
  CHECK(gnp::result_type(dtype::int32, floats, true) == dtype::float64);
  CHECK(gnp::result_type(bytes + bytes, floats * 2) == dtype::float32);
  CHECK(gnp::common_type(bytes) == dtype::float64);
  CHECK(gnp::common_type(array<gnp::half>()) == dtype::float16);
  CHECK(gnp::common_type(array<gnp::half>(), floats) == dtype::float32);
  CHECK(gnp::common_type(array<gnp::half>(), bytes) == dtype::float64);
  CHECK(gnp::common_type(floats, pairs) == dtype::complex64);
  CHECK(gnp::common_type(array<int>(), pairs) == dtype::complex128);
}

TEST_CASE("min_scalar_type of numbers at the ends of the types") {
  CHECK(gnp::min_scalar_type(true) == dtype::bool_);
  CHECK(gnp::min_scalar_type(0) == dtype::uint8);
  CHECK(gnp::min_scalar_type(255) == dtype::uint8);
  CHECK(gnp::min_scalar_type(256) == dtype::uint16);
  CHECK(gnp::min_scalar_type(65535) == dtype::uint16);
  CHECK(gnp::min_scalar_type(65536) == dtype::uint32);
  CHECK(gnp::min_scalar_type(4294967295LL) == dtype::uint32);
  CHECK(gnp::min_scalar_type(4294967296LL) == dtype::uint64);
  CHECK(gnp::min_scalar_type(std::uint64_t{1} << 63) == dtype::uint64);
  CHECK(gnp::min_scalar_type(-1) == dtype::int8);
  CHECK(gnp::min_scalar_type(std::int8_t{-128}) == dtype::int8);
  CHECK(gnp::min_scalar_type(-129) == dtype::int16);
  CHECK(gnp::min_scalar_type(-32768) == dtype::int16);
  CHECK(gnp::min_scalar_type(-32769) == dtype::int32);
  CHECK(gnp::min_scalar_type(std::numeric_limits<std::int32_t>::min()) == dtype::int32);
  CHECK(gnp::min_scalar_type(-2147483649LL) == dtype::int64);
  CHECK(gnp::min_scalar_type(std::numeric_limits<std::int64_t>::min()) == dtype::int64);
  CHECK(gnp::min_scalar_type(3.1) == dtype::float16);
  CHECK(gnp::min_scalar_type(64999.0) == dtype::float16);
  CHECK(gnp::min_scalar_type(65000.0f) == dtype::float32);
  CHECK(gnp::min_scalar_type(1e38) == dtype::float32);
  CHECK(gnp::min_scalar_type(-1e39) == dtype::float64);
  CHECK(gnp::min_scalar_type(std::nan("")) == dtype::float16);
  CHECK(gnp::min_scalar_type(gnp::inf) == dtype::float16);
  CHECK(gnp::min_scalar_type(std::complex<double>(1, 2)) == dtype::complex64);
  CHECK(gnp::min_scalar_type(3.4e38) == dtype::float64);  // though float32 goes a little further
  CHECK(gnp::min_scalar_type(std::complex<double>(0, 1e39)) == dtype::complex128);
  CHECK(gnp::min_scalar_type(std::complex<float>(0, INFINITY)) == dtype::complex128);
}

TEST_CASE("isdtype and issubdtype") {
  // np.isdtype(column, row), np.issubdtype(column, row)
  constexpr std::array<std::pair<const char*, const char*>, 7> kinds = {{{"bool", "10000000000000"},
                                                                         {"signed integer", "01111000000000"},
                                                                         {"unsigned integer", "00000111100000"},
                                                                         {"integral", "01111111100000"},
                                                                         {"real floating", "00000000011100"},
                                                                         {"complex floating", "00000000000011"},
                                                                         {"numeric", "01111111111111"}}};
  constexpr std::array<std::pair<const char*, const char*>, 8> classes = {
      {{"generic", "11111111111111"},
       {"number", "01111111111111"},
       {"integer", "01111111100000"},
       {"signedinteger", "01111000000000"},
       {"unsignedinteger", "00000111100000"},
       {"inexact", "00000000011111"},
       {"floating", "00000000011100"},
       {"complexfloating", "00000000000011"}}};
  for (std::size_t i = 0; i < 14; ++i) {
    INFO(gnp::name(numpy_types[i]));
    for (const auto& [kind, members] : kinds) CHECK(gnp::isdtype(numpy_types[i], kind) == (members[i] == '1'));
    for (const auto& [above, members] : classes) {
      CHECK(gnp::issubdtype(numpy_types[i], above) == (members[i] == '1'));
    }
  }
  CHECK(gnp::isdtype(dtype::int8, dtype::int8));
  CHECK_FALSE(gnp::issubdtype(dtype::int8, dtype::int16));
  CHECK(gnp::issubdtype(dtype::bfloat16, "floating"));
  CHECK_THROWS_WITH(gnp::isdtype(dtype::int8, "number"),
                    contains("isdtype: there is no kind of types named 'number': they are 'bool'"));
  CHECK_THROWS_WITH(gnp::issubdtype(dtype::int8, "numeric"),
                    "issubdtype: there is no class of types named numeric");
}

TEST_CASE("finfo and iinfo") {
  using gnp::bfloat16;
  using gnp::finfo;
  using gnp::half;
  using gnp::iinfo;
  const auto integers = [](auto f) {
    return std::vector<int>{f.bits,   f.nmant,  f.nexp,  f.iexp,     f.maxexp,
                            f.minexp, f.machep, f.negep, f.precision};
  };
  CHECK(integers(finfo<half>()) == std::vector<int>{16, 10, 5, 5, 16, -14, -10, -11, 3});
  CHECK(integers(finfo<bfloat16>()) == std::vector<int>{16, 7, 8, 8, 128, -126, -7, -8, 2});
  CHECK(integers(finfo<float>()) == std::vector<int>{32, 23, 8, 8, 128, -126, -23, -24, 6});
  CHECK(integers(finfo<double>()) == std::vector<int>{64, 52, 11, 11, 1024, -1022, -52, -53, 15});
  CHECK(finfo<half>::eps == 0x1p-10F);
  CHECK(finfo<half>::max == 65504.0F);
  CHECK(finfo<half>::resolution.bits == half(0.001F).bits);
  CHECK(finfo<half>::smallest_subnormal.bits == 1);
  CHECK(finfo<bfloat16>::max.bits == 0x7f7f);
  CHECK(finfo<float>::eps == std::numeric_limits<float>::epsilon());
  CHECK(finfo<float>::epsneg == 0x1p-24F);
  CHECK(finfo<float>::min == std::numeric_limits<float>::lowest());
  CHECK(finfo<float>::tiny == std::numeric_limits<float>::min());
  CHECK(finfo<float>::resolution == 1e-6F);
  CHECK(finfo<double>::max == std::numeric_limits<double>::max());
  CHECK(finfo<double>::smallest_normal == std::numeric_limits<double>::min());
  CHECK(finfo<double>::smallest_subnormal == std::numeric_limits<double>::denorm_min());
  CHECK(finfo<double>::resolution == 1e-15);
  CHECK(finfo<std::complex<float>>::dtype == dtype::float32);
  CHECK(iinfo<std::int8_t>::min == -128);
  CHECK(iinfo<std::uint64_t>::max == 18446744073709551615U);
  CHECK(iinfo<std::int16_t>().bits == 16);
}

TEST_CASE("asfortranarray and may_share_memory") {
  for_each_device([](gnp::device) {
    const array<int> a = gnp::arange<int>(6).reshape(2, 3);
    const array<int> columns = gnp::asfortranarray(a);
    CHECK(gnp::isfortran(columns));
    CHECK(gnp::to_vector(columns) == gnp::to_vector(a));
    CHECK(gnp::asfortranarray(columns).data() == columns.data());
    CHECK(gnp::asfortranarray(gnp::arange<int>(3)).shape() == gnp::shape_t{3});
    CHECK(gnp::may_share_memory(a, a(1)));
    CHECK(gnp::may_share_memory(a(gnp::slice(gnp::none, gnp::none, -1)), a(0, 0)));
    CHECK(gnp::may_share_memory(a(0), a(0, gnp::slice(2, 3))));
    CHECK_FALSE(gnp::may_share_memory(a(0), a(1)));
    CHECK_FALSE(gnp::may_share_memory(a(1, gnp::slice(gnp::none, gnp::none, -1)), a(0)));
    CHECK_FALSE(gnp::may_share_memory(a, columns));
    CHECK_FALSE(gnp::may_share_memory(a, a(gnp::slice(0, 0))));
  });
}

TEST_CASE("base_repr and binary_repr") {
  CHECK(gnp::base_repr(0) == "0");
  CHECK(gnp::base_repr(5) == "101");
  CHECK(gnp::base_repr(-5) == "-101");
  CHECK(gnp::base_repr(10, 3) == "101");
  CHECK(gnp::base_repr(-255, 16) == "-FF");
  CHECK(gnp::base_repr(5, 2, 3) == "000101");
  CHECK(gnp::base_repr(0, 2, 3) == "000");
  CHECK(gnp::base_repr(-5, 3, {.padding = 2}) == "-0012");
  CHECK(gnp::base_repr(gnp::asarray({5})(0), 3, {.padding = 2}) == "0012");
  CHECK(gnp::base_repr(5, 3, {}) == "12");
  CHECK(gnp::base_repr(7, 36) == "7");
  CHECK(gnp::base_repr(std::numeric_limits<std::uint64_t>::max(), 16) == "FFFFFFFFFFFFFFFF");
  CHECK(gnp::base_repr(std::numeric_limits<std::int64_t>::min()) == "-1" + std::string(63, '0'));
  CHECK_THROWS_WITH(gnp::base_repr(3, 37), "base_repr: the base is 2 to 36, got 37");
  CHECK(gnp::binary_repr(0) == "0");
  CHECK(gnp::binary_repr(0, 4) == "0000");
  CHECK(gnp::binary_repr(3) == "11");
  CHECK(gnp::binary_repr(-3) == "-11");
  CHECK(gnp::binary_repr(3, 4) == "0011");
  CHECK(gnp::binary_repr(-3, 3) == "101");
  CHECK(gnp::binary_repr(-3, 5) == "11101");
  CHECK(gnp::binary_repr(-4, 3) == "100");
  CHECK(gnp::binary_repr(-1, 1) == "1");
  CHECK(gnp::binary_repr(-1, 3) == "111");
  CHECK(gnp::binary_repr(-2, 2) == "10");
  CHECK(gnp::binary_repr(-8, 4) == "1000");
  CHECK(gnp::binary_repr(std::int8_t{-128}, 8) == "10000000");
  CHECK_THROWS_WITH(gnp::binary_repr(10, 2), "binary_repr: 10 takes 4 bits, and the width is 2");
  CHECK_THROWS_WITH(gnp::binary_repr(-3, 2), "binary_repr: -3 takes 3 bits, and the width is 2");
  CHECK_THROWS_AS(gnp::binary_repr(-9, 4), gnp::error);
  CHECK(gnp::base_repr(10, {.base = 3, .padding = 2}) == "00101");
  CHECK(gnp::binary_repr(-3, {.width = 8}) == "11111101");
  for_each_device([](gnp::device) {
    const auto n = gnp::asarray<int>({5, 2});
    CHECK(gnp::binary_repr(n(0)) == "101");
    CHECK(gnp::binary_repr(n(0), 4) == "0101");
    CHECK(gnp::base_repr(n.max() * 2, 3) == "101");
    CHECK(gnp::base_repr(n(1), {.base = n(1)}) == "10");
    CHECK_THROWS_AS(gnp::base_repr(n), gnp::shape_error);
  });
}

TEST_CASE("NumPy's names of types") {
  CHECK(gnp::dtype_of<gnp::ubyte> == dtype::uint8);
  CHECK(gnp::dtype_of<gnp::uintp> == dtype::uint64);
  CHECK(gnp::dtype_of<gnp::intp> == dtype::int64);
}

TEST_CASE("fromfunction, fromiter, asarray_chkfinite") {
  for_each_device([](gnp::device d) {
    const auto table = gnp::fromfunction([](const auto& i, const auto& k) { return i * 10 + k; }, {2, 3});
    CHECK(table.device() == d);
    CHECK(gnp::to_vector(table) == std::vector<double>{0, 1, 2, 10, 11, 12});
    const gnp::array<int> rows =
        gnp::fromfunction<int>([](const auto& i, const auto&) { return i * i; }, {3, 2});
    CHECK(gnp::to_vector(rows) == std::vector<int>{0, 0, 1, 1, 4, 4});
    CHECK(gnp::fromfunction([](const auto& i) { return i; }, {0}).shape() == gnp::shape_t{0});
    CHECK(gnp::to_vector(gnp::fromfunction([](const auto&, const auto&) { return 7; }, {1, 2})) ==
          std::vector<int>{7, 7});

    const std::list<int> values = {3, 1, 2};
    CHECK(gnp::to_vector(gnp::fromiter<float>(values)) == std::vector<float>{3, 1, 2});
    CHECK(gnp::to_vector(gnp::fromiter<bool>(values, 2)) == std::vector<bool>{true, true});
    CHECK(gnp::fromiter<int>(values, 0).size() == 0);
    CHECK_THROWS_WITH(gnp::fromiter<int>(values, 4),
                      "fromiter: 4 elements were asked for, but the range has 3");
    std::istringstream text("1 2 3 4");
    CHECK(gnp::to_vector(gnp::fromiter<int>(numbers_of{text}, 2)) == std::vector<int>{1, 2});
    int next = 0;
    text >> next;
    CHECK(next == 3);  // is still there

    CHECK(gnp::to_vector(gnp::asarray_chkfinite(std::vector<double>{1, 2})) == std::vector<double>{1, 2});
    CHECK(gnp::asarray_chkfinite(gnp::arange(3) + 1).dtype() == dtype::int64);
    const std::string sentence = "asarray_chkfinite: the array must not have infinite values or NaN";
    CHECK_THROWS_WITH(gnp::asarray_chkfinite(gnp::asarray({1.0, gnp::inf})), sentence);
    CHECK_THROWS_WITH(gnp::asarray_chkfinite(std::vector<float>{NAN}), sentence);
  });
}
