// SPDX-License-Identifier: MIT
// test: asan
// Files: what NumPy wrote is read, what gnp writes are the bytes that NumPy would write, and nothing is left
// half written.
#include <sys/stat.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <gnp/io/crc32.hpp>
#include <utility>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

std::string numpys(const std::string& name) { return test_data("files/" + name); }

/// The elements as they lie in memory, whatever their type.
std::string memory_of(const gnp::any_array& x) {
  std::string bytes(static_cast<std::size_t>(x.nbytes()), '\0');
  gnp::detail::copy_to_host(*x.block().get(), bytes.data(), x.data(), bytes.size());
  return bytes;
}

/// What comes after the header of a small .npy.
std::string data_of(const std::string& file) { return content_of(file).substr(128); }

struct coded_type {
  const char* code;
  gnp::dtype type;
};
constexpr coded_type all_types[] = {
    {"b1", gnp::dtype::bool_},   {"i1", gnp::dtype::int8},      {"i2", gnp::dtype::int16},
    {"i4", gnp::dtype::int32},   {"i8", gnp::dtype::int64},     {"u1", gnp::dtype::uint8},
    {"u2", gnp::dtype::uint16},  {"u4", gnp::dtype::uint32},    {"u8", gnp::dtype::uint64},
    {"f2", gnp::dtype::float16}, {"V2", gnp::dtype::bfloat16},  {"f4", gnp::dtype::float32},
    {"f8", gnp::dtype::float64}, {"c8", gnp::dtype::complex64}, {"c16", gnp::dtype::complex128}};

struct bytes_told {
  gnp::index_t done = 0;
  gnp::index_t total = -1;
};

/// The numbers that tests/golden/make_files.py wrote.
template <class T>
void check_values(const gnp::array<T>& x) {
  REQUIRE(x.shape() == gnp::shape_t{2, 3, 5});
  const gnp::host_array<T> h = gnp::asnumpy(x);
  for (gnp::index_t i = 0; i < h.size(); ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      CHECK(h[i] == (i % 3 == 1));
    } else if constexpr (gnp::is_complex(gnp::dtype_of<T>)) {
      CHECK(h[i] == T(static_cast<float>(i) / 4 - 2, static_cast<float>(i)));
    } else if constexpr (gnp::is_floating(gnp::dtype_of<T>)) {
      CHECK(static_cast<float>(h[i]) == static_cast<float>(i) / 4 - 2);
    } else {
      CHECK(h[i] == static_cast<T>(i - 7));
    }
  }
}

}  // namespace

TEST_CASE("NumPy's .npy files of every type, order and version are read") {
  for_each_device([](gnp::device) {
    for (const auto& [code, type] : all_types) {
      INFO(code);
      const std::string little = numpys(code + std::string("-little.npy"));
      const gnp::any_array x = gnp::load_any(little);
      CHECK(x.dtype() == type);
      CHECK(x.shape() == gnp::shape_t{2, 3, 5});
      CHECK(memory_of(x) == data_of(little));
      const std::string fortran = numpys(code + std::string("-fortran.npy"));
      const gnp::any_array f = gnp::load_any(fortran);
      CHECK(f.shape() == gnp::shape_t{2, 3, 5});
      CHECK(f.element_strides() == gnp::shape_t{1, 2, 6});
      CHECK(memory_of(f) == data_of(fortran));
      if (type != gnp::dtype::bfloat16)
        CHECK(memory_of(gnp::load_any(numpys(code + std::string("-big.npy")))) == memory_of(x));
    }
    for (const char* order : {"-little.npy", "-big.npy", "-fortran.npy"}) {
      INFO(order);
      check_values(gnp::load<bool>(numpys("b1" + std::string(order))));
      check_values(gnp::load<float>(numpys("f4" + std::string(order))));
      check_values(gnp::load<std::int16_t>(numpys("i2" + std::string(order))));
      check_values(gnp::load<gnp::complex64>(numpys("c8" + std::string(order))));
    }
    check_values(gnp::load<gnp::bfloat16>(numpys("V2-fortran.npy")));
    for (const char* version : {"1", "2", "3"})
      check_values(gnp::load<float>(numpys("version-" + std::string(version) + ".npy")));
    CHECK(gnp::load<double>(numpys("rank-0.npy")).item() == 2.5);
    CHECK(gnp::load<std::int32_t>(numpys("rank-16.npy")).ndim() == 16);
    CHECK(gnp::load<std::int16_t>(numpys("empty.npy")).shape() == gnp::shape_t{0, 3});
  });
}

TEST_CASE("types without a byte order, by a letter or by name") {
  using gnp::dtype;
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.npy";
  const auto read = [&path](const std::string& descr, const std::string& data) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,), }\n";
    const std::string size = {static_cast<char>(header.size()), '\0'};
    std::ofstream(path, std::ios::binary) << "\x93NUMPY\1" << '\0' << size << header << data;
    return gnp::load_any(path);
  };
  const std::pair<const char*, dtype> types[] = {
      {"?", dtype::bool_},     {"b", dtype::int8},          {"h", dtype::int16},      {"i", dtype::int32},
      {"l", dtype::int64},     {"q", dtype::int64},         {"p", dtype::int64},      {"n", dtype::int64},
      {"B", dtype::uint8},     {"H", dtype::uint16},        {"I", dtype::uint32},     {"L", dtype::uint64},
      {"Q", dtype::uint64},    {"P", dtype::uint64},        {"e", dtype::float16},    {"f", dtype::float32},
      {"d", dtype::float64},   {"F", dtype::complex64},     {"D", dtype::complex128}, {"=d", dtype::float64},
      {"|f8", dtype::float64}, {"float64", dtype::float64}, {"int16", dtype::int16},  {"bool", dtype::bool_}};
  for (const auto& [descr, type] : types) {
    INFO(descr);
    CHECK(read(descr, std::string(gnp::itemsize(type), '\0')).dtype() == type);
  }
  const std::string one = std::string(6, '\0') + "\xf0\x3f";
  CHECK(gnp::array<double>(read("d", one).get<double>()).item() == 1);
  CHECK(gnp::array<double>(read(">d", std::string(one.rbegin(), one.rend())).get<double>()).item() == 1);
  for (const char* bad : {"g", "d8", "B1", "<float64", "dd", ""})
    CHECK_THROWS_AS(read(bad, std::string(16, '\0')), gnp::error);
}

TEST_CASE("save writes what np.save writes") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.npy";
  for_each_device([&](gnp::device) {
    for (const auto& [code, type] : all_types) {
      for (const char* order : {"-little.npy", "-fortran.npy"}) {
        const std::string original = numpys(code + std::string(order));
        INFO(original);
        gnp::save(path, gnp::load_any(original));
        if (type == gnp::dtype::bfloat16) {  // NumPy's own raw bytes have no byte order
          CHECK(gnp::load_any(path).dtype() == gnp::dtype::bfloat16);
          CHECK(data_of(path) == data_of(original));
        } else {
          CHECK(content_of(path) == content_of(original));
        }
      }
    }
    for (const char* name : {"rank-0.npy", "rank-16.npy", "empty.npy"}) {
      gnp::save(path, gnp::load_any(numpys(name)));
      CHECK(content_of(path) == content_of(numpys(name)));
    }
    // Views, expressions, numbers, host arrays; and the ending comes by itself.
    const gnp::array<float> a = gnp::arange<float>(24).reshape(4, 6);
    const auto check = [&](const auto& x, const gnp::array<float>& expected) {
      gnp::save(folder.path() + "/y", x);
      CHECK(gnp::array_equal(gnp::load<float>(folder.path() + "/y.npy"), expected));
    };
    check(a(gnp::all, gnp::slice(5, 0, -2)), a(gnp::all, gnp::slice(5, 0, -2)));
    check(a * 2 + 1, a * 2 + 1);
    check(gnp::broadcast_to(a(0), {3, 6}), gnp::broadcast_to(a(0), {3, 6}));
    check(gnp::asnumpy(a), a);
    check(2.5F, gnp::array<float>(2.5F));
    check(std::vector<float>{1, 2}, gnp::asarray<float>({1, 2}));
    check(std::vector<std::vector<float>>{{1, 2}, {3, 4}}, gnp::asarray<float>({{1, 2}, {3, 4}}));
    static_assert(!std::convertible_to<const char*, gnp::any_array> &&
                  !std::convertible_to<std::string, gnp::any_array>);
    check(a.T(), a.T());
    CHECK(gnp::load<float>(std::filesystem::path(folder.path()) / "y.npy").element_strides() ==
          gnp::shape_t{1, 6});
  });
  CHECK(files_in(folder.path()) == std::set<std::string>{"x.npy", "y.npy"});
}

TEST_CASE("large arrays take the way of many pieces, and progress is told") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/large.npy";
  for_each_device([&](gnp::device) {
    const gnp::index_t n = (std::int64_t{9} << 20) + 13;
    const gnp::array<std::int32_t> x = gnp::arange<std::int32_t>(n);
    std::vector<gnp::index_t> told;
    const auto note = [&](gnp::index_t done, gnp::index_t total) {
      CHECK(total == 4 * n);
      told.push_back(done);
    };
    gnp::save(path, x, {.progress = note});
    REQUIRE(!told.empty());
    CHECK(told.back() == 4 * n);
    told.clear();
    CHECK(gnp::array_equal(gnp::load<std::int32_t>(path, {.progress = note}), x));
    CHECK(told == std::vector<gnp::index_t>{4 * n});
    // In the other byte order.
    std::string bytes = content_of(path);
    bytes[bytes.find('<')] = '>';
    write_file(path, bytes);
    const gnp::array<std::int32_t> swapped = gnp::load<std::int32_t>(path);
    CHECK(swapped.item(1) == 1 << 24);
    CHECK(swapped.item(n - 1) ==
          static_cast<std::int32_t>(__builtin_bswap32(static_cast<std::uint32_t>(n - 1))));
    // What a progress function throws ends the call.
    struct enough {};
    const auto stop = [](gnp::index_t, gnp::index_t) { throw enough(); };
    CHECK_THROWS_AS(gnp::load<std::int32_t>(path, {.progress = stop}), enough);
    CHECK_THROWS_AS(gnp::save(path, x, {.progress = stop}), enough);
    CHECK(content_of(path) == bytes);
  });
  CHECK(files_in(folder.path()) == std::set<std::string>{"large.npy"});
}

TEST_CASE("what cannot be loaded or saved is an error that says why") {
  const scratch_folder folder;
  const auto refused = [](const std::string& name, const std::string& why) {
    CHECK_THROWS_AS(gnp::load_any(numpys(name)), gnp::dtype_error);
    CHECK_THROWS_WITH(gnp::load_any(numpys(name)), contains("load_any: ") && contains(name) && contains(why));
  };
  refused("objects.npy", "Python objects, which are stored as a pickle, and gnp never reads one");
  refused("text.npy", "text ('<U2')");
  refused("records.npy", "records");
  refused("dates.npy", "dates or durations ('<M8[D]')");
  refused("long-double.npy", "a type that gnp does not have ('<f16')");
  CHECK_THROWS_AS(gnp::load<int>(numpys("f4-little.npy")), gnp::dtype_error);
  CHECK_THROWS_WITH(gnp::load<int>(numpys("f4-little.npy")), contains("are float32, and int32 was asked for"));
  CHECK_THROWS_WITH(gnp::load_any(numpys("f4-little.npy")).get<double>(), contains("astype converts"));
  CHECK_THROWS_AS(gnp::load_any(folder.path() + "/none.npy"), gnp::io_error);
  CHECK_THROWS_WITH(gnp::load_any(folder.path() + "/none.npy"), contains("No such file"));
  CHECK_THROWS_WITH(gnp::load_any(folder.path()), contains("not a regular file"));
  CHECK_THROWS_WITH(gnp::save(folder.path() + "/none/x.npy", 1),
                    contains("save: ") && contains("No such file"));
  CHECK_THROWS_AS(gnp::save("/dev/full/x.npy", 1), gnp::io_error);
}

TEST_CASE("NumPy's .npz files are read, and savez writes what np.savez writes") {
  const scratch_folder folder;
  for_each_device([&](gnp::device) {
    for (const char* name : {"stored.npz", "deflated.npz"}) {
      const gnp::npz_file file = gnp::load_npz(numpys(name));
      for (const auto& [code, type] : all_types) {
        if (type == gnp::dtype::bfloat16) continue;
        INFO(name << ": " << code);
        REQUIRE(file.contains(code));
        CHECK(file.get_any(code).dtype() == type);
        CHECK(memory_of(file.get_any(code)) == data_of(numpys(code + std::string("-little.npy"))));
      }
      CHECK(file.get_any("f").element_strides() == gnp::shape_t{1, 2, 6});
      check_values(file.get<float>("f4"));
      CHECK_THROWS_AS(file.get<double>("f4"), gnp::dtype_error);
      CHECK_THROWS_WITH(file.get_any("no such"), contains("no array 'no such' but '"));
    }
    const gnp::npz_file deflated = gnp::load_npz(numpys("deflated.npz"));
    check_values(deflated.get<gnp::bfloat16>("b16"));
    CHECK(deflated.get<std::int64_t>("long").item(99999) == 999);
    CHECK_THROWS_WITH(gnp::load_npz(numpys("deflated.npz"), {.max_bytes = 1000}).get_any("long"),
                      contains("expands to 800128 bytes, more than max_bytes, 1000"));

    // Out and in again: NumPy's bytes, by way of a list that is made at run time.
    const gnp::npz_file stored = gnp::load_npz(numpys("stored.npz"));
    std::vector<gnp::named_array> all;
    for (const std::string& name : stored.names()) all.emplace_back(name, stored.get_any(name));
    gnp::savez(folder.path() + "/copy", all);
    CHECK(content_of(folder.path() + "/copy.npz") == content_of(numpys("stored.npz")));
    gnp::savez_compressed(folder.path() + "/packed", all);
    const gnp::npz_file packed = gnp::load_npz(folder.path() + "/packed.npz");
    CHECK(packed.names() == stored.names());
    for (const std::string& name : stored.names())
      CHECK(memory_of(packed.get_any(name)) == memory_of(stored.get_any(name)));

    // Mixed, computed, unnamed, and longer than a block.
    const gnp::array<std::int32_t> x = gnp::arange<std::int32_t>(6000001) % 1000;
    bytes_told told;
    const auto note = [&](gnp::index_t done, gnp::index_t total) { told = {done, total}; };
    gnp::savez_compressed(folder.path() + "/mixed", {{"x", x}, {"half", x(gnp::slice(0, 10)) * 0.5}, {"n", 3}},
                          {.progress = note});
    CHECK(told.done == told.total);
    CHECK(told.total == 4 * 6000001 + 80 + 4);
    const gnp::npz_file mixed = gnp::load_npz(folder.path() + "/mixed.npz");
    CHECK(mixed.names() == std::vector<std::string>{"x", "half", "n"});
    CHECK(gnp::array_equal(mixed.get<std::int32_t>("x"), x));
    CHECK(mixed.get<double>("half").item(9) == 4.5);
    CHECK(mixed.get<int>("n").item() == 3);
    gnp::savez(folder.path() + "/mixed", {x, x * 0.5});
    const gnp::npz_file unnamed = gnp::load_npz(folder.path() + "/mixed.npz");
    CHECK(unnamed.names() == std::vector<std::string>{"arr_0", "arr_1"});
    CHECK(gnp::array_equal(unnamed.get<std::int32_t>("arr_0"), x));
    gnp::savez(folder.path() + "/mixed", {{"dense/kernel:0", 1}, 2, {"arr_1", 3}});
    CHECK(gnp::load_npz(folder.path() + "/mixed.npz").names() ==
          std::vector<std::string>{"dense/kernel:0", "arr_0", "arr_1"});
  });
  CHECK_THROWS_WITH(gnp::savez(folder.path() + "/bad", {{"../x", 1}}),
                    contains("'../x.npy' is no name for a member"));
  CHECK_THROWS_WITH(gnp::savez(folder.path() + "/bad", {{"x", 1}, {"x", 2}}),
                    contains("two arrays have the name 'x'"));
  CHECK_THROWS_WITH(gnp::savez(folder.path() + "/bad", {2, {"x", 1}, {"arr_0", 2}}),
                    contains("two arrays have the name 'arr_0'"));
  // A .npz of one folder: its header, and the directory's entry and end.
  const auto zeros = [](std::size_t count) { return std::string(count, '\0'); };
  write_file(folder.path() + "/d.npz", "PK\3\4" + zeros(22) + '\2' + zeros(3) + "d/" + "PK\1\2" + zeros(24) +
                                           '\2' + zeros(17) + "d/" + "PK\5\6" + zeros(4) + '\1' + zeros(1) +
                                           '\1' + zeros(1) + "0" + zeros(3) + " " + zeros(5));
  CHECK(gnp::load_npz(folder.path() + "/d.npz").names().empty());
  CHECK_THROWS_WITH(gnp::load_npz(numpys("f4-little.npy")), contains("this is no .npz; load reads a .npy"));
  CHECK_THROWS_WITH(gnp::load_any(numpys("stored.npz")), contains("load_npz reads it"));
  CHECK(files_in(folder.path()) == std::set<std::string>{"copy.npz", "packed.npz", "mixed.npz", "d.npz"});
}

TEST_CASE("a file may be the memory of an array on the CPU") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.npy";
  for_each_device([&](gnp::device d) {
    gnp::save(path, gnp::arange<float>(100000).reshape(100, 1000).T());
    const std::string before = content_of(path);
    gnp::array<float> x = gnp::load<float>(path, {.mmap_mode = "c"});
    CHECK(x.device() == d);
    CHECK(x.element_strides() == gnp::shape_t{1, 1000});
    CHECK(x.item(3, 5) == 5003);
    x += 1;  // of this array alone
    CHECK(x.item(999, 99) == 100000);
    CHECK(content_of(path) == before);
    const gnp::array<float> view = x(gnp::slice(2, 4), 0);
    x = gnp::zeros<float>({1});
    gnp::save(path, 0);  // what is mapped stays, under no name
    CHECK(view.item(1) == 4);
    // What is not in memory as it is in the file is read.
    for (const char* name : {"f4-big.npy", "b1-little.npy", "empty.npy"})
      CHECK(memory_of(gnp::load_any(numpys(name), {.mmap_mode = "c"})) ==
            memory_of(gnp::load_any(numpys(name))));
  });
  CHECK_THROWS_WITH(gnp::load_any(path, {.mmap_mode = "r+"}), contains("mmap_mode is \"c\""));
}

TEST_CASE("an array that is a file may be read only") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.npy";
  for_each_device([&](gnp::device) {
    gnp::save(path, gnp::arange<float>(6).reshape(2, 3));
    const gnp::array<float> x = gnp::load<float>(path, {.mmap_mode = "r"});
    CHECK(x.is_read_only());
    CHECK(gnp::array_equal(x, gnp::arange<float>(6).reshape(2, 3)));
    CHECK_THROWS_AS(x(0, 0) = 1, gnp::error);
    CHECK_THROWS_AS(x(1).fill(1), gnp::error);
    CHECK((x + 1).eval().item(1, 2) == 6);
    CHECK_FALSE(x.copy().is_read_only());
    const gnp::any_array any = gnp::load_any(path, {.mmap_mode = "r"});
    CHECK(any.is_read_only());
    CHECK(any.get<float>().is_read_only());
    CHECK(gnp::any_array(x).is_read_only());
    CHECK_FALSE(gnp::load_any(path).is_read_only());
    CHECK_FALSE(gnp::load<float>(path, {.mmap_mode = "c"}).is_read_only());
    gnp::save(path, x);  // as any other
    CHECK(gnp::load<float>(path).item(1, 2) == 5);
  });
}

TEST_CASE("a CRC of pieces is that of the whole") {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  CHECK(gnp::detail::crc32(0, text.data(), text.size()) == 0x414fa339U);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::uint32_t first = gnp::detail::crc32(0, text.data(), cut);
    const std::uint32_t second = gnp::detail::crc32(0, text.data() + cut, text.size() - cut);
    CHECK((gnp::detail::crc32_before(first, text.size() - cut) ^ second) == 0x414fa339U);
  }
}

TEST_CASE("a file that is replaced keeps its mode and the links to it") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/real.npy";
  const std::string link = folder.path() + "/link.npy";
  gnp::save(path, 1);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  REQUIRE(::symlink("real.npy", link.c_str()) == 0);
  gnp::save(link, 2);
  CHECK(gnp::load<int>(path).item() == 2);
  struct stat status{};
  REQUIRE(::lstat(link.c_str(), &status) == 0);
  CHECK(S_ISLNK(status.st_mode));
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(files_in(folder.path()) == std::set<std::string>{"link.npy", "real.npy"});
  // Also a link to what is not there yet, by way of another one.
  REQUIRE(::symlink("link2.npy", (folder.path() + "/link1.npy").c_str()) == 0);
  REQUIRE(::symlink((folder.path() + "/new.npy").c_str(), (folder.path() + "/link2.npy").c_str()) == 0);
  gnp::save(folder.path() + "/link1.npy", 3);
  CHECK(gnp::load<int>(folder.path() + "/new.npy").item() == 3);
  REQUIRE(::lstat((folder.path() + "/link1.npy").c_str(), &status) == 0);
  CHECK(S_ISLNK(status.st_mode));
  REQUIRE(::symlink("circle.npy", (folder.path() + "/circle.npy").c_str()) == 0);
  CHECK_THROWS_AS(gnp::save(folder.path() + "/circle.npy", 4), gnp::io_error);
}
