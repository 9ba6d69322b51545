// SPDX-License-Identifier: MIT
// test: asan
// Numbers in text files: NumPy's results for what it writes and reads, raw files, and errors with line and
// column.
#include <cstdio>
#include <fstream>
#include <gnp/io/host_bytes.hpp>
#include <iterator>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\t') {
      fields.emplace_back();
    } else if (line[i] == '\\') {
      const char c = line[++i];
      fields.back() += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

gnp::dtype type_named(const std::string& wanted) {
  for (int i = 0; i < gnp::dtype_count; ++i) {
    if (wanted == gnp::name(static_cast<gnp::dtype>(i))) return static_cast<gnp::dtype>(i);
  }
  throw std::runtime_error("no dtype " + wanted);
}

std::vector<gnp::index_t> numbers_of(const std::string& text) {
  std::vector<gnp::index_t> numbers;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one, ',');) numbers.push_back(std::stoll(one));
  return numbers;
}

/// Shape and bytes, as the golden file has them.
std::string described(const gnp::any_array& x) {
  std::string text = x.ndim() == 0 ? "()" : "";
  for (const gnp::index_t size : x.shape()) text += (text.empty() ? "" : ",") + std::to_string(size);
  text += '\t';
  for (const char c : gnp::detail::host_bytes(x)) {
    text += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    text += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

char first_or_none(const std::string& text) { return text.empty() ? '\0' : text[0]; }

}  // namespace

TEST_CASE("savetxt, loadtxt and genfromtxt do as NumPy does") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.txt";
  int cases = 0;
  for_each_device([&](gnp::device) {
    std::ifstream golden(test_data("text.txt"));
    for (std::string line; std::getline(golden, line); ++cases) {
      INFO(line);
      const std::vector<std::string> f = fields_of(line);
      const gnp::dtype type = type_named(f[1]);
      if (f[0] == "save") {
        const std::vector<gnp::index_t> sizes = numbers_of(f[2]);
        const gnp::any_array flat = gnp::detail::array_of_list("test", f[3], type, " ", {});
        gnp::any_array x(type, sizes, false, gnp::device::cpu(), "test");
        const std::vector<char> bytes = gnp::detail::host_bytes(flat);
        if (!bytes.empty()) std::memcpy(x.data(), bytes.data(), bytes.size());
        std::vector<std::string> listed;
        std::istringstream in(f[4]);
        for (std::string one; std::getline(in, one, ';');) listed.push_back(one);
        const gnp::text_formats formats =
            listed.size() > 1 ? gnp::text_formats(listed) : gnp::text_formats(f[4]);
        if (f[6] == "error") {
          CHECK_THROWS_AS(gnp::savetxt(path, x, {.fmt = formats, .delimiter = f[5]}), gnp::error);
        } else {
          gnp::savetxt(path, x, {.fmt = formats, .delimiter = f[5]});
          CHECK(content_of(path) == f[6]);
        }
      } else if (f[0] == "load") {
        write_file(path, f[9]);
        gnp::loadtxt_options options;
        options.delimiter = first_or_none(f[2]);
        options.comments = f[3];
        options.skiprows = std::stoll(f[4]);
        options.usecols = numbers_of(f[5]);
        options.unpack = f[6] == "1";
        options.ndmin = std::stoi(f[7]);
        if (f[8] != "-1") options.max_rows = std::stoll(f[8]);
        if (f[10] == "error") {
          CHECK_THROWS_AS(gnp::detail::read_text(path, type, options), gnp::io_error);
        } else {
          CHECK(described(gnp::detail::read_text(path, type, options)) == f[10] + '\t' + f[11]);
        }
      } else {
        write_file(path, f[8]);
        gnp::genfromtxt_options options;
        options.delimiter = first_or_none(f[2]);
        options.comments = f[3];
        options.skip_header = std::stoll(f[4]);
        options.skip_footer = std::stoll(f[5]);
        options.missing_values = f[6];
        if (!f[7].empty()) options.filling_values = std::stod(f[7]);
        const auto read = [&]() -> gnp::any_array {
          if (type == gnp::dtype::int32) return gnp::genfromtxt<std::int32_t>(path, options);
          if (type == gnp::dtype::complex128) return gnp::genfromtxt<gnp::complex128>(path, options);
          return gnp::genfromtxt(path, options);
        };
        if (f[9] == "error") {
          CHECK_THROWS_AS(read(), gnp::io_error);
        } else {
          CHECK(described(read()) == f[9] + '\t' + f[10]);
        }
      }
    }
  });
  CHECK(cases > 300);
}

TEST_CASE("two % in a format are the character, and no number") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.txt";
  const auto written = [&path](const gnp::array<int>& x, const gnp::text_formats& format) {
    gnp::savetxt(path, x, {.fmt = format});
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const gnp::array<int> x = gnp::asarray({{50, 7}});
  CHECK(written(x, "%d%%") == "50% 7%\n");
  CHECK(written(x, "%% %d of %d%%%%") == "% 50 of 7%%\n");
  CHECK(written(x, {"%d%%", "%.1f"}) == "50% 7.0\n");
  CHECK_THROWS_WITH(written(x, "%d%d%d%%"), contains("is for 3 numbers, a row has 2"));
  CHECK_THROWS_WITH(written(x, "%%"), contains("is for 0 numbers, a row has 2"));
}

TEST_CASE("genfromtxt reads words as bools, and reals as integers that hold them") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.txt";
  const auto text = [&path](const std::string& content) {
    write_file(path, content);
    return path;
  };
  for_each_device([&](gnp::device) {
    const gnp::array<bool> words = gnp::genfromtxt<bool>(text("True,FALSE,tRUE,1,x"), {.delimiter = ','});
    CHECK(gnp::array_equal(words, gnp::asarray<bool>({true, false, true, false, false})));
    CHECK(gnp::array_equal(gnp::genfromtxt<int>(text("3.0 2e3 -2.7 nan x 2147483647.5")),
                           gnp::asarray<int>({3, 2000, -2, -1, -1, 2147483647})));
    CHECK(gnp::array_equal(gnp::genfromtxt<std::int64_t>(text("3.0 9223372036854775807")),
                           gnp::asarray<std::int64_t>({3, 9223372036854775807})));
    CHECK(gnp::array_equal(gnp::genfromtxt<std::uint8_t>(text("255.9 x -0.5"), {.filling_values = 7}),
                           gnp::asarray<std::uint8_t>({255, 7, 0})));
    CHECK_THROWS_WITH(
        gnp::genfromtxt<std::uint8_t>(text("1\n300")),
        contains("genfromtxt: ") && contains("line 2, column 1: '300' is out of bounds for uint8"));
    CHECK_THROWS_AS(gnp::genfromtxt<int>(text("inf")), gnp::io_error);
    CHECK_THROWS_AS(gnp::genfromtxt<std::int64_t>(text("9223372036854775808")), gnp::io_error);
    CHECK_THROWS_AS(gnp::genfromtxt<std::uint64_t>(text("-1")), gnp::io_error);
    // Fillings that the type does not hold are errors where they are used.
    CHECK(gnp::genfromtxt<std::uint8_t>(text("5 6"), {.filling_values = 300}).size() == 2);
    CHECK_THROWS_WITH(gnp::genfromtxt<std::uint8_t>(text("5 x"), {.filling_values = 300}),
                      contains("'x' becomes filling_values (by default -1), out of bounds for uint8"));
    CHECK_THROWS_AS(gnp::genfromtxt<std::uint8_t>(text("5 x")), gnp::io_error);
    CHECK_THROWS_AS(gnp::genfromtxt<int>(text("5 x"), {.filling_values = gnp::nan}), gnp::io_error);

    // As Python reads numbers, and loadtxt does not.
    CHECK(gnp::array_equal(gnp::genfromtxt<int>(text("1_0 -1_0_0 1__0 _1 1_"), {.filling_values = 7}),
                           gnp::asarray<int>({10, -100, 7, 7, 7})));
    CHECK(gnp::array_equal(gnp::genfromtxt(text("1_0.5 1e1_0 1_.5 1._5"), {.filling_values = 7}),
                           gnp::asarray({10.5, 1e10, 7.0, 7.0})));
    CHECK(gnp::array_equal(
        gnp::genfromtxt<gnp::complex128>(text("j -j +J 1+j 1_0-J (j) (1+2J) infj jj 1+-j 1+-2j 1++2j 1e+j --j"),
                                         {.filling_values = 7}),
        gnp::asarray(std::vector<gnp::complex128>{
            {0, 1}, {0, -1}, {0, 1}, {1, 1}, {10, -1}, {0, 1}, {1, 2}, {0, gnp::inf}, 7, 7, 7, 7, 7, 7})));
    for (const char* wrong : {"j", "1+j", "1J", "1_0"})
      CHECK_THROWS_AS(gnp::loadtxt<gnp::complex128>(text(wrong)), gnp::io_error);
    // -1 is the last column of the first row.
    const std::string uneven = text("# 1\n1 2 3\n4 5 6 7\n");
    CHECK(gnp::array_equal(gnp::genfromtxt(uneven, {.usecols = {0, -1}}), gnp::asarray({{1., 3.}, {4., 6.}})));
    CHECK(gnp::array_equal(gnp::loadtxt(uneven, {.usecols = {-1}}), gnp::asarray({3., 7.})));
    CHECK_THROWS_WITH(gnp::genfromtxt(uneven, {.usecols = {-4}}),
                      contains("line 2: there is no column -4 among 3"));
    CHECK_THROWS_WITH(gnp::genfromtxt(text("1 2 3\n4 5\n"), {.usecols = {-1}}),
                      contains("line 2: there is no column 2 among 2"));
    // Columns of nothing: loadtxt keeps their number, and genfromtxt does not.
    CHECK(gnp::loadtxt(text("# 1 2\n"), {.usecols = {0, 2}}).shape() == gnp::shape_t{0, 2});
    CHECK(gnp::genfromtxt(text("# 1 2\n"), {.usecols = {0, 2}}).shape() == gnp::shape_t{0});
    CHECK(gnp::genfromtxt(text(""), {.usecols = {0, 2}, .unpack = true, .ndmin = 2}).shape() ==
          gnp::shape_t{1, 0});

    CHECK(gnp::array_equal(gnp::loadtxt<gnp::complex128>(text("1+-2j (1++2j)")),
                           gnp::asarray(std::vector<gnp::complex128>{{1, -2}, {1, 2}})));
    for (const char* wrong : {"1-+2j", "1--2j", "1+-j", "1+-+2j", "+-2j"})
      CHECK_THROWS_AS(gnp::loadtxt<gnp::complex128>(text(wrong)), gnp::io_error);
  });
}

TEST_CASE("long texts are parsed and written in parts, and errors know their place") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/long.txt";
  const int threads = gnp::get_num_threads();
  gnp::set_num_threads(3);
  for_each_device([&](gnp::device) {
    const gnp::array<double> x = gnp::sqrt(gnp::arange<double>(300000)).reshape(100000, 3);
    gnp::savetxt(path, x, {.fmt = "%.17g", .header = "a b\nc", .footer = "end"});
    CHECK(gnp::array_equal(gnp::loadtxt(path), x));
    CHECK(gnp::array_equal(gnp::loadtxt(path, {.usecols = {2}, .unpack = true}), x(gnp::all, 2)));
    CHECK(gnp::array_equal(gnp::loadtxt(path, {.unpack = true}), x.T()));
    std::string text = content_of(path);
    CHECK(text.starts_with("# a b\n# c\n0 1 "));
    CHECK(text.ends_with("\n# end\n"));
    const std::size_t line = text.rfind("\n", text.size() - 100);
    write_file(path, text.substr(0, line + 1) + "1 2 x3\n" + text.substr(line + 1));
    const auto number = std::to_string(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(line) + 1, '\n') + 1);
    CHECK_THROWS_WITH(gnp::loadtxt(path),
                      contains("long.txt, line " + number + ", column 3: could not convert 'x3' to float64"));
    write_file(path, text.substr(0, line + 1) + "1 2\n" + text.substr(line + 1));
    CHECK_THROWS_WITH(gnp::loadtxt(path),
                      contains("line " + number + ": the number of columns changes from 3 to 2"));
    // Also where a part has no row before its columns change.
    write_file(path, text.substr(10, text.size() / 2) + "\n" + std::string(1 << 20, '\n') + "1 2\n");
    CHECK_THROWS_WITH(gnp::loadtxt(path), contains("the number of columns changes"));
  });
  gnp::set_num_threads(threads);
}

TEST_CASE("raw files and texts") {
  const scratch_folder folder;
  const std::string path = folder.path() + "/x.bin";
  for_each_device([&](gnp::device) {
    const gnp::array<std::int16_t> x = gnp::arange<std::int16_t>(12).reshape(3, 4);
    x.tofile(path);
    CHECK(content_of(path).size() == 24);
    CHECK(gnp::array_equal(gnp::fromfile<std::int16_t>(path), x.ravel()));
    gnp::tofile(x.T(), path);  // row-major order, whatever it has in memory
    CHECK(gnp::array_equal(gnp::fromfile<std::int16_t>(path), x.T().ravel()));
    (x + 1).tofile(path);
    CHECK(gnp::array_equal(gnp::fromfile<std::int16_t>(path, {.count = 3, .offset = 4}),
                           gnp::asarray<std::int16_t>({3, 4, 5})));
    CHECK(gnp::fromfile<std::int16_t>(path, {.offset = 23}).size() == 0);
    CHECK_THROWS_WITH(gnp::fromfile<std::int16_t>(path, {.count = 13}),
                      contains("13 elements of int16 from byte 0"));
    CHECK_THROWS_AS(gnp::fromfile<std::int16_t>(path, {.offset = 25}), gnp::index_error);
    CHECK_THROWS_AS(gnp::fromfile<std::int16_t>(path, {.offset = -1}), gnp::index_error);

    gnp::tofile(x, path, {.sep = ", "});
    CHECK(content_of(path) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11");
    CHECK(gnp::array_equal(gnp::fromfile<std::int16_t>(path, {.sep = ","}), x.ravel()));
    gnp::tofile(gnp::asarray<double>({0.5, -1}), path, {.sep = " ", .format = "<%.2f>"});
    CHECK(content_of(path) == "<0.50> <-1.00>");
    gnp::tofile(gnp::asarray(std::vector<gnp::complex64>{{1, 2}, {0, -1.5F}}), path, {.sep = " "});
    CHECK(content_of(path) == "(1+2j) -1.5j");  // as print(x.item()) of each
    gnp::tofile(gnp::asarray<float>({0x1p-15F, 0.1F, 1}), path, {.sep = " "});
    CHECK(content_of(path) == "3.0517578125e-05 0.10000000149011612 1.0");
    gnp::tofile(gnp::asarray<double>({0.1}).astype<gnp::half>(), path, {.sep = " "});
    CHECK(content_of(path) == "0.0999755859375");
    gnp::tofile(gnp::asarray(std::vector<gnp::complex64>{{0.1F, 100000}}), path, {.sep = " "});
    CHECK(content_of(path) == "(0.10000000149011612+100000j)");
    gnp::tofile(gnp::asarray(std::vector<gnp::complex64>{{1, 2}, {0, -1.5F}}), path, {.sep = " "});
    CHECK_THROWS_AS(gnp::tofile(x, path, {.sep = " ", .format = "%d %d"}), gnp::error);
    CHECK_THROWS_WITH(gnp::fromfile<int>(path, {.sep = " "}),
                      contains("byte 0: could not convert '(1+2j)' to int32"));

    CHECK(gnp::array_equal(gnp::fromstring<int>(" 1 2\n3 "), gnp::asarray<int>({1, 2, 3})));
    CHECK(
        gnp::array_equal(gnp::fromstring<int>("1 , 2,3", {.count = 2, .sep = ","}), gnp::asarray<int>({1, 2})));
    CHECK(gnp::fromstring<int>("").shape() == gnp::shape_t{0});
    CHECK_THROWS_AS(gnp::fromstring<int>("1 x"), gnp::io_error);
    CHECK_THROWS_AS(gnp::fromstring<int>("1 2", {.count = 3}), gnp::io_error);
    CHECK_THROWS_WITH(gnp::fromstring<int>("1", {.sep = ""}), contains("frombuffer does"));
    const std::vector<float> numbers{1, 2, 3};
    CHECK(gnp::array_equal(gnp::frombuffer<float>(numbers), gnp::asarray(numbers)));
    CHECK(gnp::array_equal(gnp::frombuffer<std::uint8_t>(std::string("abc"), {.offset = 1}),
                           gnp::asarray<std::uint8_t>({'b', 'c'})));
    CHECK_THROWS_AS(gnp::frombuffer<float>(numbers, {.count = 4}), gnp::io_error);
    CHECK_THROWS_AS(gnp::frombuffer<int>(std::string(5, '\1')), gnp::io_error);
    CHECK(gnp::frombuffer<int>(std::string(5, '\1'), {.count = 1}).size() == 1);
    const auto truths = gnp::frombuffer<bool>(std::string("\1\2\0\3", 4));  // any byte but 0 is true
    CHECK(gnp::to_vector(truths.astype<std::uint8_t>()) == std::vector<std::uint8_t>{1, 1, 0, 1});
    CHECK(gnp::sum(truths).item() == 3);
  });
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::array<float>(1.0F)),
                    contains("savetxt: ") && contains("got shape ()"));
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::zeros({2, 2}), {.fmt = {"%d", "%d", "%d"}}),
                    "savetxt: " + path + ": fmt '%d %d %d' is for 3 numbers, a row has 2");
  // In a list there is one for each column, as in NumPy, also if a single one is listed.
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::zeros({2, 2}), {.fmt = {"%d"}}),
                    "savetxt: " + path + ": fmt '%d' is for 1 numbers, a row has 2");
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::zeros({2, 2}), std::vector<std::string>{"%d:%d"}),
                    "savetxt: " + path + ": fmt is a list of 1 formats, a row has 2 columns");
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::zeros<gnp::complex64>({2, 1}), {.fmt = {"%g"}}),
                    "savetxt: " + path + ": fmt '%g' is for 1 numbers, a row has 1 complex ones");
  const std::string column = folder.path() + "/column.txt";
  gnp::savetxt(column, gnp::asarray<double>({1, 2}), {.fmt = {"%d"}});
  CHECK(gnp::to_vector(gnp::loadtxt<int>(column)) == std::vector<int>{1, 2});
  CHECK(std::remove(column.c_str()) == 0);
  CHECK_THROWS_WITH(gnp::savetxt(path, gnp::zeros({2, 2}), {.fmt = "%x"}),
                    contains("savetxt: " + path + ": 0.0 (float64) by the format '%x"));
  CHECK(files_in(folder.path()) == std::set<std::string>{"x.bin"});
}
