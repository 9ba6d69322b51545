// SPDX-License-Identifier: MIT
// gnp-bench as its users call it: every case at small sizes, all files it writes, and what it refuses.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "../../../tests/catch.hpp"
#include "formats.hpp"

namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A folder that goes away with the test.
struct folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("gnp-bench-test-" + std::to_string(getpid()));
  folder() { std::filesystem::create_directories(path); }
  ~folder() { std::filesystem::remove_all(path); }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  std::string file(const std::string& name) const { return (path / name).string(); }
};

struct outcome {
  int code;
  std::string out;
  std::string err;
};

/// `environment` is put before the program, as a shell has it.
outcome run(const folder& f, const std::string& arguments, const std::string& environment = "") {
  const char* program = std::getenv("GNP_BENCH");
  REQUIRE(program != nullptr);
  const std::string command =
      environment + " '" + program + "' " + arguments + " >" + f.file("out") + " 2>" + f.file("err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(f.file("out")), content(f.file("err"))};
}

constexpr const char* fast = " --repeats 3 --seconds 0 ";

std::size_t letters(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80 ? 1 : 0;
  return count;
}

/// Every SVG of a page.
int check_pictures(const std::string& page) {
  int count = 0;
  for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) {
    formats::check_xml(page.substr(at, page.find("</svg>", at) + 6 - at));
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("every case runs, and every file is what it should be") {
  const folder f;
  const outcome o = run(f, std::string("--device cpu --sizes 5,24 --json ") + f.file("j") + " --csv " +
                               f.file("c") + " --plot " + f.file("p.html") + fast);
  INFO(o.out << o.err);
  REQUIRE(o.code == 0);
  for (const std::string& line : formats::lines_of(o.out)) {
    INFO(line);
    if (line.starts_with("compiler") || line.starts_with("cpu")) continue;
    CHECK(letters(line) <= 120);
  }

  const outcome list = run(f, "--list");
  std::set<std::string> names;
  for (const std::string& line : formats::lines_of(list.out)) {
    if (!line.starts_with(" ")) names.insert(line.substr(0, line.find(' ')));
  }
  CHECK(names.size() >= 20);

  const formats::json j = formats::read_json(content(f.file("j")));
  CHECK_FALSE(j["machine"]["cpu"].text.empty());
  CHECK_FALSE(j["machine"]["compiler"].text.empty());
  CHECK(j["machine"]["gnp"].text.find('.') != std::string::npos);
  std::set<std::string> timed;
  for (const formats::json& entry : j["results"].items) {
    INFO(entry["case"].text << ' ' << entry["contender"].text);
    REQUIRE(entry["status"].text == "timed");
    CHECK(entry["samples_s"].items.size() == 3);
    for (const formats::json& sample : entry["samples_s"].items) CHECK(sample.number > 0);
    CHECK(entry["fastest_s"].number <= entry["median_s"].number);
    CHECK(entry["first_call_s"].number > 0);
    if (entry["contender"].text == "gnp_cpu") timed.insert(entry["case"].text);
  }
  CHECK(timed == names);

  const std::vector<std::string> csv = formats::lines_of(content(f.file("c")));
  CHECK(csv.size() == j["results"].items.size() + 1);
  for (const std::string& line : csv) CHECK(formats::csv_fields(line).size() == 13);

  const std::string page = content(f.file("p.html"));
  CHECK(check_pictures(page) > 20);
  CHECK(page.find(j["machine"]["cpu"].text) != std::string::npos);
  CHECK(page.find("http") == page.find("http://www.w3.org/2000/svg"));  // nothing is loaded from elsewhere
}

TEST_CASE("one file of charts") {
  const folder f;
  const outcome o =
      run(f, "--device cpu --filter '^(sum|dot)$' --dtype float64 --sizes 8,16,64 --no-table --plot " +
                 f.file("p.svg") + fast);
  INFO(o.err);
  REQUIRE(o.code == 0);
  CHECK(o.out.empty());
  const std::string svg = content(f.file("p.svg"));
  CHECK_NOTHROW(formats::check_xml(svg));
  CHECK(svg.find("sum, float64") != std::string::npos);
  CHECK(svg.find("gnp, CPU") != std::string::npos);
  CHECK(svg.find("float32") == std::string::npos);
}

TEST_CASE("a wrong answer is refused, for every contender") {
  const folder f;
  for (const std::string contender : {"eigen_1_thread", "gnp_cpu"}) {
    for (const std::string name : {"matmul", "svd", "sum-axis0", "cumsum"}) {
      CAPTURE(contender, name);
      const outcome o = run(
          f, "--device cpu --dtype float32 --sizes 12 --filter '^" + name + "$' --csv " + f.file("c") + fast,
          "GNP_BENCH_SPOIL=" + contender);
      CHECK(o.code == 1);
      CHECK(o.out.find("WRONG") != std::string::npos);
      CHECK(o.out.find("worst difference") != std::string::npos);
      int wrong = 0;
      for (const std::string& line : formats::lines_of(content(f.file("c")))) {
        const std::vector<std::string> fields = formats::csv_fields(line);
        if (fields[3] != contender) continue;
        CHECK(fields[5] == "wrong");
        CHECK(fields[6].empty());
        ++wrong;
      }
      CHECK(wrong == 1);
    }
  }
}

TEST_CASE("lists, help and what is refused") {
  const folder f;
  const outcome list = run(f, "--list --filter '^matmul$' --sizes 3,4");
  CHECK(list.code == 0);
  CHECK(list.out.find("matmul") == 0);
  CHECK(list.out.find("3,4") != std::string::npos);
  CHECK(formats::lines_of(list.out).size() == 2);

  const outcome help = run(f, "--help");
  CHECK(help.code == 0);
  for (const char* option :
       {"--list", "--filter", "--sizes", "--dtype", "--device", "--threads", "--json", "--csv", "--plot"}) {
    CAPTURE(option);
    const std::size_t first = help.out.find(option);
    REQUIRE(first != std::string::npos);
  }
  CHECK(help.out.find("--device") == help.out.rfind("--device"));

  for (const std::string wrong :
       {"--nonsense", "word", "--sizes", "--sizes 0", "--sizes 4,,5", "--sizes 4x", "--sizes -3",
        "--dtype int8", "--dtype float32,", "--device tpu", "--threads 0", "--threads many", "--filter '('",
        "--filter nosuchcase", "--filter tutorial-add --dtype float64", "--plot x.png",
        "--json /no/such/folder/x", "--repeats 1"}) {
    CAPTURE(wrong);
    const outcome o = run(f, wrong);
    CHECK(o.code == 2);
    CHECK(o.out.empty());
    CHECK(formats::lines_of(o.err).size() == 1);
    CHECK(o.err.starts_with("gnp-bench: "));
  }
}

TEST_CASE("without a GPU") {
  const folder f;
  const std::string no_gpu = "CUDA_VISIBLE_DEVICES= GNP_DEVICE=";
  const std::string small = "--filter '^sum$' --dtype float32 --sizes 10" + std::string(fast);
  const outcome asked = run(f, small + "--device cuda", no_gpu);
  CHECK(asked.code == 2);
  CHECK(formats::lines_of(asked.err).size() == 1);
  CHECK(asked.err.find("--device cuda: ") != std::string::npos);

  const outcome otherwise = run(f, small, no_gpu);
  CHECK(otherwise.code == 0);
  CHECK(formats::lines_of(otherwise.err).size() == 1);
  CHECK(otherwise.err.find("no GPU") != std::string::npos);
  CHECK(otherwise.out.find("gnp CPU") != std::string::npos);
  CHECK(otherwise.out.find("gnp GPU") == std::string::npos);
}
