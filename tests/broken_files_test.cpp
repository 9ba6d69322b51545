// SPDX-License-Identifier: MIT
// test: asan
// Files that are cut off, lie or are meant to do harm: each is an io_error that says where, and nothing else
// happens.
#include <cstdint>
#include <cstring>
#include <gnp/io/npy_file.hpp>
#include <gnp/io/zip_reader.hpp>
#include <gnp/libraries/zlib.hpp>

#if __has_include(<zlib.h>)
#include <zlib.h>
#endif

#include "catch.hpp"
#include "fuzz/file_fuzzer.hpp"
#include "scratch.hpp"

namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, value >>= 8) text += static_cast<char>(value & 255U);
  return text;
}

/// A .npy with this for a dictionary.
std::string npy(const std::string& dictionary, const std::string& data = std::string(24, '\1')) {
  return "\x93NUMPY" + little(1, 2) + little(dictionary.size(), 2) + dictionary + data;
}
std::string of_shape(const std::string& shape) {
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }");
}
std::string of_type(const std::string& descr) {
  return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (3,), }");
}

struct broken {
  std::string bytes;
  const char* where;  // "byte 8", or none
  const char* why;
};

/// The .npz with some of its bytes replaced.
std::string with(std::string zip, std::size_t at, const std::string& bytes) {
  return zip.replace(at, bytes.size(), bytes);
}

void check_message(const std::string& message, const broken& file) {
  CHECK_THAT(message, contains(file.why));
  CHECK_THAT(message, contains(file.where));
}

const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";

}  // namespace

#if __has_include(<zlib.h>)
TEST_CASE("gnp's declarations of zlib are zlib's") {
  using gnp::detail::zlib_stream;
  static_assert(sizeof(zlib_stream) == sizeof(z_stream) && alignof(zlib_stream) == alignof(z_stream));
  static_assert(offsetof(zlib_stream, avail_in) == offsetof(z_stream, avail_in));
  static_assert(offsetof(zlib_stream, next_out) == offsetof(z_stream, next_out));
  static_assert(offsetof(zlib_stream, avail_out) == offsetof(z_stream, avail_out));
  static_assert(offsetof(zlib_stream, msg) == offsetof(z_stream, msg));
  static_assert(offsetof(zlib_stream, zalloc) == offsetof(z_stream, zalloc));
  static_assert(offsetof(zlib_stream, reserved) == offsetof(z_stream, reserved));
  CHECK(int{gnp::detail::zlib_no_flush} == Z_NO_FLUSH);
  CHECK(int{gnp::detail::zlib_full_flush} == Z_FULL_FLUSH);
  CHECK(int{gnp::detail::zlib_finish} == Z_FINISH);
  CHECK(int{gnp::detail::zlib_stream_end} == Z_STREAM_END);
  CHECK(int{gnp::detail::zlib_buffer_error} == Z_BUF_ERROR);
  CHECK(gnp::detail::zlib_raw == -MAX_WBITS);
  CHECK(gnp::detail::zlib_api::version[0] == ZLIB_VERSION[0]);
}
#endif

TEST_CASE("broken .npy files") {
  const gnp::use_device here(gnp::device::cpu());
  const fuzz::memory_file file;
  const std::string text = "byte 10";
  const broken files[] = {
      {"", "byte 0", "this is no .npy"},
      {"\x93NUM", "byte 0", "this is no .npy"},
      {std::string("\x93NUMPY\1\0", 8), "byte 8", "ends in its header"},
      {"\x93NUMPY" + little(4, 2) + little(2, 2) + "{}..", "byte 6", "version 4.0 of the format"},
      {"\x93NUMPY" + little(0x101, 2) + little(2, 2) + "{}..", "byte 6", "version 1.1 of the format"},
      {"\x93NUMPY" + little(1, 2) + little(60000, 2) + good, "byte 8", "60000 bytes, and the file ends after"},
      {"\x93NUMPY" + little(2, 2) + little(0xffffffff, 4) + good, "byte 8", "more than the 65536"},
      {npy("no dictionary"), "byte 10", "has 'n' where '{' was expected"},
      {npy("{"), "byte 11", "no string where one"},
      {npy("{}"), "byte 10", "no key 'descr'"},
      {npy("{'descr': '<f8', 'fortran_order': False, }"), "byte 10", "no key 'shape'"},
      {npy("{'descr': '<f8', 'more': False, }"), "byte 27", "unknown key 'more'"},
      {npy("{'descr': '<f8', 'descr': '<f8', }"), "byte 27", "the key 'descr' twice"},
      {npy("{'descr' '<f8'}"), "byte 19", "where ':' was expected"},
      {npy("{'descr"), "byte 12", "string without an end"},
      {npy(good + "x"), "byte 67", "goes on after its dictionary"},
      {npy("{'descr': '<f8', 'fortran_order': 1, 'shape': (3,), }"), "byte 44", "neither True nor False"},
      {of_type("'z9'"), "byte 20", "'z9' is not a dtype"},
      {of_type("''"), "byte 20", "'' is not a dtype"},
      {of_type("'<\x01\x02'"), "byte 20",
       "'<?"
       "?' is not a dtype"},
      {of_type("8"), "byte 20", "no string where one was expected"},
      {of_shape("3"), "byte 60", "has '3' where '('"},
      {of_shape("(3)"), "", "the shape is no tuple"},
      {of_shape("(-3,)"), "", "a size of the shape is no number"},
      {of_shape("(3.0,)"), "", "where ')' was expected"},
      {of_shape("(True,)"), "", "no number"},
      {of_shape("((3,),)"), "", "no number"},
      {of_shape("(99999999999999999999,)"), "", "more than 2^62"},
      {of_shape("(4611686018427387904,)"), "byte 10", "more than 2^62 bytes"},
      {of_shape("(1099511627776, 1099511627776)"), "byte 10", "more than 2^62 bytes"},
      {of_shape("(0, 1099511627776, 1099511627776)"), "byte 10", "more than 2^62 bytes"},
      {of_shape("(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)"), "", "more than the 16 dimensions"},
      {of_shape("(3, 1000000000000)"), "",
       "promises (3, 1000000000000) of float64, 24000000000000 bytes, and 24 are"},
      {of_shape("(4,)"), "", "32 bytes, and 24 are there"},
      {npy(good, std::string(23, '\1')), "byte 67", "24 bytes, and 23 are there"},
      {"PK\3\4", "", "this is a .npz"},
      {std::string("\x80\4\x95 a pickle"), "", "gnp never reads one"},
  };
  for (const broken& f : files) {
    INFO(f.why);
    file.set(f.bytes.data(), f.bytes.size());
    try {
      gnp::load_any(file.path());
      FAIL("it was read");
    } catch (const gnp::io_error& e) {
      check_message(e.what(), f);
    }
  }
  // What is unusual and right.
  for (const std::string& right : {npy(good), npy(good + "  \n"), npy(good + " ", std::string(100, '\1')),
                                   npy("{\"shape\":(3L,),\"descr\":\"=f8\",\"fortran_order\":False}")}) {
    file.set(right.data(), right.size());
    CHECK(gnp::load_any(file.path()).shape() == gnp::shape_t{3});
  }
  const std::string strange =
      npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", std::string("\0\1\2\377", 4));
  file.set(strange.data(), strange.size());
  const gnp::array<bool> mended = gnp::load<bool>(file.path());
  CHECK(std::memcmp(mended.data(), "\0\1\1\1", 4) == 0);
}

TEST_CASE("broken .npz files") {
  const gnp::use_device here(gnp::device::cpu());
  const fuzz::memory_file file;
  // NumPy's own, in two ways; and where things are in them.
  const std::string stored = content_of(test_data("files/stored.npz"));
  const std::string deflated = content_of(test_data("files/deflated.npz"));
  const std::size_t end = stored.size() - 22;
  const auto number = [](const std::string& zip, std::size_t at, std::size_t bytes) {
    return static_cast<std::size_t>(gnp::detail::zip_number(zip, at, bytes));
  };
  const std::size_t entry = number(stored, end + 16, 4);
  const std::size_t second = entry + 46 + number(stored, entry + 28, 2);
  REQUIRE(stored.substr(second, 4) == "PK\1\2");
  const std::size_t name_size = number(stored, entry + 28, 2);
  const std::size_t data = 30 + name_size + number(stored, 28, 2) + 128;
  const std::size_t packed_entry = number(deflated, deflated.size() - 6, 4);
  const std::size_t packed_data = 30 + number(deflated, 26, 2) + number(deflated, 28, 2);

  const broken files[] = {
      {stored.substr(0, end + 21), "", "is missing: the file is cut off"},
      {stored.substr(0, entry), "", "is missing: the file is cut off"},
      {"PK", "byte 2", "is missing: the file is cut off"},
      {"", "", "this is no .npz"},
      {with(stored, end + 4, little(1, 2)), "", "one of several parts"},
      {with(stored, end + 10, little(3, 2)), "", "more than its members"},
      {with(stored, end + 10, little(60000, 2)), "", "no room for its members"},
      {with(stored, end + 12, little(1, 4)), "", "not where it should be"},
      {with(stored, end + 16, little(entry + 1, 4)), "", "not where it should be"},
      {with(stored, end + 16, little(0xffffffff, 4)), "", "not where it should be"},
      {with(stored, entry, "PK\1\3"), "", "no entry here"},
      {with(stored, entry + 8, little(1, 2)), "", "is encrypted"},
      {with(stored, entry + 10, little(14, 2)), "", "compressed by method 14"},
      {with(stored, entry + 20, little(50, 4)), "", "cannot have"},
      {with(stored, entry + 20, little(0xffffffff, 4)), "", "zip64 sizes of"},
      {with(stored, entry + 28, little(60000, 2)), "", "cut short"},
      {with(stored, entry + 42, little(end, 4)), "", "is not in the file"},
      {with(stored, entry + 46, "../x"), "", "no plain relative path"},
      {with(stored, entry + 46, "/etc"), "", "no plain relative path"},
      {with(stored, entry + 46, std::string("a\0b", 3)), "", "no plain relative path"},
      {with(stored, entry + 46, "c:\\x"), "", "no plain relative path"},
      {with(stored, second + 42, little(number(stored, entry + 42, 4), 4)), "", "two members begin here"},
      {with(stored, entry + 16, little(1, 4)), "byte 0", "other sizes than the directory says"},
      {with(stored, 0, "PK\3\5"), "byte 0", "no header of a member"},
      {with(stored, 8, little(8, 2)), "byte 0", "another method"},
      {with(stored, 30, "y"), "byte 0", "another name"},
      {with(stored, 28, little(60000, 2)), "byte 0", "reaches into what comes behind it"},
      {with(stored, 30 + name_size + 4, little(1, 8)), "byte 0", "other sizes"},
      {with(stored, 30 + name_size, little(2, 2)), "byte 0", "zip64 sizes are cut short"},
      {with(stored, data, "\xff"), "", "(CRC)"},
      {with(stored, data - 60, "\xff"), "", ""},
      {with(deflated, packed_entry + 24, little(100000000, 4)), "", "cannot have 100000000 bytes"},
      {with(deflated, packed_data, "\xff\xff\xff\xff"), "", "the compressed bytes are damaged"},
      {with(deflated, packed_data + 60, "\xff\xff"), "", ""},
  };
  const auto read_all_of = [&](const std::string& bytes) {
    file.set(bytes.data(), bytes.size());
    const gnp::npz_file npz = gnp::load_npz(file.path());
    for (const std::string& name : npz.names()) npz.get_any(name);
  };
  for (const broken& f : files) {
    INFO(f.why);
    try {
      read_all_of(f.bytes);
      FAIL("it was read");
    } catch (const gnp::io_error& e) {
      check_message(e.what(), f);
    }
  }
  for (std::size_t size = 0; size < stored.size(); size += size < entry ? 97 : 1)
    CHECK_THROWS_AS(read_all_of(stored.substr(0, size)), gnp::io_error);
  for (std::size_t size = 0; size < deflated.size(); size += 97)
    CHECK_THROWS_AS(read_all_of(deflated.substr(0, size)), gnp::io_error);

  // Sizes that the directory and the member agree on, and that are wrong all the same.
  const auto resized = [&](std::uint64_t size) {
    std::string zip = with(deflated, packed_entry + 24, little(size, 4));
    return with(zip, 30 + number(deflated, 26, 2) + 4, little(size, 8));
  };
  const std::size_t size = number(deflated, packed_entry + 24, 4);
  CHECK_THROWS_WITH(read_all_of(resized(size - 1)), contains("bytes, and ") && contains(" are there"));
  CHECK_THROWS_WITH(read_all_of(resized(size + 1)), contains("longer than the array that it holds"));
  CHECK_NOTHROW(read_all_of(stored));
  CHECK_NOTHROW(read_all_of(resized(size)));
  // A comment that looks like another end, and names that are one and the same.
  std::string commented = with(stored, end + 20, little(30, 2)) + "PK\5\6" + std::string(26, '\0');
  CHECK_NOTHROW(read_all_of(commented));
  // Bytes that something appended, of which NumPy takes no notice, either.
  for (const std::string& more : {std::string("x"), std::string("xyz\n"), std::string(65000, '\0')}) {
    CHECK_NOTHROW(read_all_of(stored + more));
    CHECK_NOTHROW(read_all_of(deflated + more));
  }
  CHECK_THROWS_AS(read_all_of(stored + std::string(70000, '\0')), gnp::io_error);
  CHECK(gnp::detail::is_plain_name("folder/x.npy"));
  CHECK(gnp::detail::is_plain_name("dense/kernel:0"));
  CHECK(gnp::detail::is_plain_name("w:0.npy"));
  for (const char* bad : {"", "/x", "x/", "a//b", "..", "a/../b", "./x", "a\\b", "a\nb", "c:x", "C:/x"})
    CHECK_FALSE(gnp::detail::is_plain_name(bad));
}

TEST_CASE("two members of one name") {
  const gnp::use_device here(gnp::device::cpu());
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.npz";
  gnp::savez(path, {{"ab", 1}, {"cd", 2}});
  std::string zip = content_of(path);
  for (std::size_t at = zip.find("cd.npy"); at != std::string::npos; at = zip.find("cd.npy"))
    zip.replace(at, 2, "ab");
  write_file(path, zip);
  CHECK_THROWS_WITH(gnp::load_npz(path), contains("two members 'ab.npy'"));
}

TEST_CASE("bytes changed at random give arrays or errors") {
  const gnp::use_device here(gnp::device::cpu());
  const fuzz::memory_file file;
  std::uint64_t state = 20;
  const auto draw = [&state](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  };
  for (const char* seed :
       {"f4-little.npy", "c16-fortran.npy", "version-2.npy", "rank-16.npy", "stored.npz", "deflated.npz"}) {
    const std::string original = content_of(test_data("files/") + seed);
    for (int round = 0; round < 600; ++round) {
      std::string bytes = original;
      for (std::uint64_t i = draw(4) + 1; i > 0; --i) {
        // More often where the structure is: at the beginning and, in a .npz, at the end.
        std::uint64_t at = draw(3) == 0 ? draw(bytes.size()) : draw((std::min)(bytes.size(), std::size_t{130}));
        if (draw(3) == 0) at = bytes.size() - 1 - draw((std::min)(bytes.size(), std::size_t{1200}));
        const std::uint64_t kind = draw(5);
        if (kind == 0) bytes[at] = static_cast<char>(draw(256));
        if (kind == 1) bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw(8)));
        if (kind == 2) bytes.erase(at, draw(9));
        if (kind == 3) bytes.insert(at, std::string(draw(9), static_cast<char>(draw(256))));
        if (kind == 4) bytes.resize(draw(10) == 0 ? draw(bytes.size()) + 1 : bytes.size());
      }
      file.set(bytes.data(), bytes.size());
      CHECK_NOTHROW(fuzz::read_every_way(file.path()));
    }
  }
}
