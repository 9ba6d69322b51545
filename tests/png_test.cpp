// SPDX-License-Identifier: MIT
// test: asan
// The pictures that the examples write, read back by a decoder that knows nothing of the encoder.
#include "../examples/support/png.hpp"

#include <functional>

#include "catch.hpp"
#include "png_decoder.hpp"

namespace {

using gnp::host_array;
using gnp::index_t;

png::bytes to_bytes(const std::string& text) { return {text.begin(), text.end()}; }

/// 24 by 16 RGB, made by Python's zlib: a block with a code of its own, rows with all five filters, two IDAT
/// chunks.
const char* const reference =
    "89504e470d0a1a0a0000000d4948445200000018000000100802000000834628c2000000284944415478daad921194654910"
    "44b3a71b06133f263e4c7c18f830f1636263e260e260e162e1626163e262e11642e3c5000001ef4944415462e1e0c3c581f7"
    "7fcfeaecd938251150e7c4cd207a8a99450480bb6766ef7dce49440032b3aa88c8cc7aef44e4ee552522ad3522cacc975fdf"
    "10b3b030cb25551555285471c9cc60e6e6667e29223c222323be100bb1f05397fd0fc92b6ffa9599bf0adf8459586e37919b"
    "88dc5436eda2a2dba6baa98e3fa13b5431ea630776a03e0c87554dd8f1c6022262a6ab1ab3b0088bb00a8baa2a0b1ecf9445"
    "5995cd1f495c49b08090852cb4696df938b3a82f29c2d260eb68338b8a4048b4d9a62c0d64f52584f4714e76b45984172ff9"
    "c4cd9fa49fb8f593f413b77d927ee28e88ccfc2270818b8520c4e2617f3f79752bde4af443b692bd6e3a659fb29be2d00fd3"
    "c336ac71b81e0ebbe358b8fb6e81fb897b98bfcf7bd88ff8cbf34d3d8988e9794961bd7ad9d5ac2914803a144dcdd44c3dd5"
    "5dddd55a786834f5a0c7222e2600cc3d325b1f556b9d2c02f36cbde66211f71855c4e291359702bd0f16c9d65f90f5ff2cfb"
    "71fe18c881180ffbfbc96b260996d8b9e1dceea71e3f869d6aa12bf799fb3be1fe0f3cb112c187f3f1add9fb770bb66896f2"
    "77f4fbf7bebefdf186b6febd6cb0889034522595a95028a32d6099c1a65813d8f273a12d0b8f362d67b44536c806f9e028c9"
    "a9edc4609f9a644373f9e076626a72940f1ee464c3060d768ecaa927ba0f9e9a3f01e35d61b6a13f6ae10000000049454e44"
    "ae426082";

png::bytes reference_file() {
  png::bytes file;
  for (std::size_t i = 0; reference[i] != '\0'; i += 2) {
    file.push_back(static_cast<std::uint8_t>(std::stoi(std::string(reference + i, 2), nullptr, 16)));
  }
  return file;
}

/// Encodes, decodes, compares.
void check(const gnp::shape_t& shape, const std::function<unsigned(index_t)>& value) {
  host_array<std::uint8_t> pixels(shape);
  for (index_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(value(i));
  const png::picture read = png::decode(to_bytes(support::encode_png(pixels)));
  CHECK(read.height == static_cast<std::size_t>(shape[0]));
  CHECK(read.width == static_cast<std::size_t>(shape[1]));
  CHECK(read.channels == (shape.rank() == 3 ? 3 : 1));
  CHECK((read.pixels == png::bytes(pixels.begin(), pixels.end())));
}

/// The same noise everywhere: a linear congruential generator's upper bits.
unsigned noise(index_t i) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(i) + 1) * 6364136223846793005ULL >> 53);
}

}  // namespace

TEST_CASE("the decoder reads what another encoder wrote") {
  const png::picture read = png::decode(reference_file());
  REQUIRE(read.width == 24);
  REQUIRE(read.height == 16);
  REQUIRE(read.channels == 3);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < read.pixels.size(); ++i) {
    const std::size_t x = i / 3 % 24, y = i / 72, c = i % 3;
    wrong += read.pixels[i] != (x * x + y * y * (c + 1)) / 6 % 16 * 16;
  }
  CHECK(wrong == 0);
}

TEST_CASE("pictures of any size and content come back") {
  for (const gnp::shape_t& shape :
       {gnp::shape_t{1, 1}, {1, 1, 3}, {1, 1000}, {1000, 1, 3}, {7, 5, 3}, {64, 64}, {211, 307, 3}}) {
    INFO(gnp::to_string(shape));
    check(shape, [](index_t) { return 0U; });
    check(shape, [](index_t) { return 255U; });
    check(shape, noise);
    check(shape, [](index_t i) { return static_cast<unsigned>(i / 3); });  // smooth
    check(shape, [](index_t i) { return noise(i % 17); });                 // repeats soon,
    check(shape, [](index_t i) { return noise(i % 30011); });              // late,
    check(shape, [](index_t i) { return noise(i % 40009); });              // too late for the window
    check(shape, [](index_t i) { return noise(i * i / 97 % 1009) < 700 ? 0U : noise(i / 1009); });  // in pieces
  }
}

TEST_CASE("repetitions of every length come back") {
  for (index_t length = 1; length < 300; ++length) {
    check({1, 2 * length + 3}, [length](index_t i) { return i % (length + 2) < length ? 7U : noise(i); });
  }
}

TEST_CASE("what repeats takes little room") {
  const host_array<std::uint8_t> black = gnp::asnumpy(gnp::zeros<std::uint8_t>({512, 512, 3}));
  CHECK(support::encode_png(black).size() < 10000);
}

TEST_CASE("no byte of a file can change unnoticed") {
  host_array<std::uint8_t> pixels(gnp::shape_t{5, 6, 3});
  for (index_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * i);
  const png::bytes file = to_bytes(support::encode_png(pixels));
  for (std::size_t i = 0; i < file.size(); ++i) {
    png::bytes damaged = file;
    damaged[i] ^= 4;
    CHECK_THROWS(png::decode(damaged));
  }
  CHECK_THROWS(png::decode({file.begin(), file.end() - 1}));
}

TEST_CASE("what is no picture is refused") {
  CHECK_THROWS_WITH(support::encode_png(host_array<std::uint8_t>(gnp::shape_t{4, 4, 4})),
                    "png: a picture has shape (height, width) or (height, width, 3), not (4, 4, 4)");
  CHECK_THROWS(support::encode_png(host_array<std::uint8_t>(gnp::shape_t{0, 4})));
  CHECK_THROWS(support::encode_png(host_array<std::uint8_t>(gnp::shape_t{4})));
  const host_array<std::uint8_t> pixel(gnp::shape_t{1, 1});
  CHECK_THROWS_WITH(support::write_png("/dev/null/folder/x.png", pixel),
                    "/dev/null/folder/x.png: cannot be written");
}
