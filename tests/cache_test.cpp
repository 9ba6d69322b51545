// SPDX-License-Identifier: MIT
// test: asan
// The kernel cache on disk: what is written is read back, whatever is damaged or cannot be read or written
// counts as not there, and processes that share a folder do not disturb each other.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <gnp/cuda/cache.hpp>
#include <map>
#include <set>
#include <vector>

#include "devices.hpp"
#include "scratch.hpp"

namespace {

using gnp::detail::disk_cache;

/// Bytes of all values, among them zeros, and of a length that is no multiple of eight.
std::string some_bytes(std::size_t size, unsigned seed) {
  std::string bytes(size, '\0');
  std::uint64_t state = seed * 2654435761U + 12345U;
  for (char& c : bytes) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    c = static_cast<char>(state >> 56);
  }
  return bytes;
}

/// Sets a variable of the environment until the end of the scope; null takes it away.
class environment_variable {
 public:
  environment_variable(const char* name, const char* value) : name_(name) {
    const char* old = std::getenv(name);
    had_one_ = old != nullptr;
    if (had_one_) old_ = old;
    set(value);
  }
  environment_variable(const environment_variable&) = delete;
  environment_variable& operator=(const environment_variable&) = delete;
  ~environment_variable() { set(had_one_ ? old_.c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }
  const char* name_;
  bool had_one_ = false;
  std::string old_;
};

constexpr std::size_t header_size = sizeof(gnp::detail::cache_header);

}  // namespace

TEST_CASE("cache: hashes tell texts apart") {
  using gnp::detail::hash_bytes;
  std::set<std::uint64_t> seen;
  std::string text;
  for (int length = 0; length < 100; ++length, text += '\0') seen.insert(hash_bytes(text, 1));
  CHECK(seen.size() == 100);  // zeros count, also past the last full word
  const std::string kernel = some_bytes(1003, 1);
  seen = {hash_bytes(kernel, 1), hash_bytes(kernel, 2)};
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    std::string altered = kernel;
    altered[i] = static_cast<char>(altered[i] ^ (1 << (i % 8)));
    seen.insert(hash_bytes(altered, 1));
  }
  CHECK(seen.size() == 1005);
  seen.clear();
  for (int i = 0; i < 100000; ++i) seen.insert(hash_bytes(std::to_string(i), 1));
  CHECK(seen.size() == 100000);
  CHECK(hash_bytes("abc", 1) == hash_bytes(std::string("abcd").substr(0, 3), 1));
  CHECK(gnp::detail::hex(0x0123456789abcdefULL) == "0123456789abcdef");
  CHECK(gnp::detail::hex(10) == "000000000000000a");
}

TEST_CASE("cache: what is written is read back") {
  const scratch_folder scratch;
  const disk_cache cache(scratch.path());
  CHECK(cache.read("never written").empty());
  std::map<std::string, std::string> written;
  for (const std::size_t size : {1, 7, 8, 9, 4096, 1000003}) {
    const std::string recipe = "recipe " + std::to_string(size) + std::string(size % 13, 'x');
    written[recipe] = some_bytes(size, static_cast<unsigned>(size));
    cache.write(recipe, written[recipe]);
  }
  const std::string with_zeros("a\0b", 3);
  written[with_zeros] = "zeros in the recipe";
  cache.write(with_zeros, written[with_zeros]);
  for (const auto& [recipe, payload] : written) CHECK(cache.read(recipe) == payload);
  CHECK(cache.read("a").empty());
  CHECK(cache.read("a\0c").empty());
  // One file each, under the recipe's name, and no temporary ones; another object reads them as well.
  std::set<std::string> names = files_in(scratch.path());
  CHECK(names.size() == written.size());
  for (const auto& [recipe, payload] : written) {
    const std::string path = cache.path(recipe);
    CHECK(names.count(path.substr(path.rfind('/') + 1)) == 1);
    CHECK(path.substr(path.size() - 6) == ".cubin");
    CHECK(disk_cache(scratch.path()).read(recipe) == payload);
  }
  // Written again: replaced.
  cache.write(with_zeros, "another");
  CHECK(cache.read(with_zeros) == "another");
  CHECK(files_in(scratch.path()).size() == written.size());
  // An empty payload reads as none.
  cache.write("empty", "");
  CHECK(cache.read("empty").empty());
}

TEST_CASE("cache: a damaged file counts as none, and is replaced") {
  const scratch_folder scratch;
  const disk_cache cache(scratch.path());
  const std::string recipe = "some kernel's recipe";
  const std::string payload = some_bytes(300, 7);
  cache.write(recipe, payload);
  const std::string file = cache.path(recipe);
  const std::string intact = content_of(file);
  REQUIRE(intact.size() == header_size + payload.size());
  REQUIRE(cache.read(recipe) == payload);

  // Cut off anywhere, also to nothing.
  for (std::size_t size = 0; size < intact.size(); ++size) {
    write_file(file, intact.substr(0, size));
    if (!cache.read(recipe).empty()) FAIL_CHECK("read after truncation to " << size << " bytes");
  }
  // One byte altered anywhere, in the header or after it.
  for (std::size_t at = 0; at < intact.size(); ++at) {
    std::string altered = intact;
    altered[at] = static_cast<char>(altered[at] ^ (1 << (at % 8)));
    write_file(file, altered);
    if (!cache.read(recipe).empty()) FAIL_CHECK("read with byte " << at << " altered");
  }
  // Longer than it says; zeros, as a crash leaves them behind; another recipe's file under this name.
  write_file(file, intact + "x");
  CHECK(cache.read(recipe).empty());
  write_file(file, std::string(intact.size(), '\0'));
  CHECK(cache.read(recipe).empty());
  cache.write("another recipe", payload);
  write_file(file, content_of(cache.path("another recipe")));
  CHECK(cache.read(recipe).empty());
  CHECK(cache.read("another recipe") == payload);
  // A size that would take all memory.
  std::string greedy = intact;
  for (std::size_t i = 24; i < 32; ++i) greedy[i] = '\x7f';
  write_file(file, greedy);
  CHECK(cache.read(recipe).empty());

  write_file(file, intact);
  CHECK(cache.read(recipe) == payload);
  write_file(file, intact.substr(0, 100));
  cache.write(recipe, payload);
  CHECK(cache.read(recipe) == payload);
  CHECK(content_of(file) == intact);
}

TEST_CASE("cache: a folder that cannot be used is no cache, and no error") {
  const scratch_folder scratch;
  const auto is_no_cache = [](const disk_cache& cache) {
    INFO(cache.folder());
    cache.write("recipe", "payload");
    CHECK(cache.read("recipe").empty());
  };
  is_no_cache(disk_cache(""));
  write_file(scratch.path() + "/file", "a file");
  is_no_cache(disk_cache(scratch.path() + "/file"));        // a file, not a folder
  is_no_cache(disk_cache(scratch.path() + "/file/below"));  // nothing can be made here, not even by root
  is_no_cache(disk_cache(scratch.path() + "/file/below/it"));
  is_no_cache(disk_cache("/proc/gnp-cache"));
  is_no_cache(disk_cache("/dev/null"));
  CHECK(content_of(scratch.path() + "/file") == "a file");
  CHECK(files_in(scratch.path()) == std::set<std::string>{"file"});

  // A folder where the kernel's file should be: the temporary file does not stay.
  const disk_cache cache(scratch.path() + "/sub");
  cache.write("recipe", "payload");
  ::unlink(cache.path("recipe").c_str());
  ::mkdir(cache.path("recipe").c_str(), 0700);
  is_no_cache(cache);
  CHECK(files_in(scratch.path() + "/sub").size() == 1);

  if (::geteuid() != 0) {
    const std::string closed = scratch.path() + "/closed";
    ::mkdir(closed.c_str(), 0500);
    is_no_cache(disk_cache(closed));
    ::chmod(closed.c_str(), 0000);
    is_no_cache(disk_cache(closed));
    ::chmod(closed.c_str(), 0700);
  }
}

TEST_CASE("cache: folders are made as they are needed") {
  const scratch_folder scratch;
  const std::string deep = scratch.path() + "/one/two/three";
  const disk_cache cache(deep);
  CHECK(cache.read("recipe").empty());
  CHECK(files_in(scratch.path()).empty());  // reading makes none
  cache.write("recipe", "payload");
  CHECK(cache.read("recipe") == "payload");
  CHECK(files_in(deep).size() == 1);
  struct stat status{};
  REQUIRE(::stat(deep.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);  // nobody else's business
  const disk_cache with_slash(scratch.path() + "/four/");
  with_slash.write("recipe", "other");
  CHECK(with_slash.read("recipe") == "other");
}

TEST_CASE("cache: GNP_CACHE_DIR, XDG_CACHE_HOME and HOME, in this order") {
  const environment_variable home("HOME", "/home/somebody");
  const environment_variable xdg("XDG_CACHE_HOME", "/xdg");
  const environment_variable own("GNP_CACHE_DIR", "/own/folder");
  CHECK(gnp::detail::cache_folder() == "/own/folder");
  const environment_variable no_own("GNP_CACHE_DIR", "");
  CHECK(gnp::detail::cache_folder() == "/xdg/gnp");
  const environment_variable none_own("GNP_CACHE_DIR", nullptr);
  CHECK(gnp::detail::cache_folder() == "/xdg/gnp");
  const environment_variable no_xdg("XDG_CACHE_HOME", nullptr);
  CHECK(gnp::detail::cache_folder() == "/home/somebody/.cache/gnp");
  const environment_variable no_home("HOME", nullptr);
  CHECK(gnp::detail::cache_folder() == "");
}

TEST_CASE("cache: folders below where the program is") {
  const scratch_folder scratch;
  char before[4096];
  REQUIRE(::getcwd(before, sizeof before) != nullptr);
  REQUIRE(::chdir(scratch.path().c_str()) == 0);
  for (const char* folder : {"a", "b/c", "d/e/f", "./g/h", "long/names", "i/", "j//k"}) {
    INFO(folder);
    const disk_cache cache(folder);
    cache.write("recipe", "payload");
    CHECK(cache.read("recipe") == "payload");
    CHECK(files_in(scratch.path() + "/" + folder).size() == 1);
  }
  CHECK(::chdir(before) == 0);
}

namespace {

/// The payload that a process writes for a recipe in a round: it can be made again from its first line.
std::string racing_payload(int recipe, int process, int round) {
  const auto size = static_cast<std::size_t>(100 + (process * 7919 + round * 613 + recipe * 101) % 60000);
  return std::to_string(recipe) + " " + std::to_string(process) + " " + std::to_string(round) + "\n" +
         some_bytes(size, static_cast<unsigned>(recipe * 1000000 + process * 1000 + round));
}

bool is_racing_payload(const std::string& payload, int recipe) {
  int own = -1;
  int process = -1;
  int round = -1;
  if (std::sscanf(payload.c_str(), "%d %d %d", &own, &process, &round) != 3) return false;
  return own == recipe && payload == racing_payload(recipe, process, round);
}

constexpr int rounds = 200;
constexpr int recipes = 5;

/// 0 where all that was read was intact and much of it was there.
int race(const std::string& folder, int process) {
  const disk_cache cache(folder);
  int found = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int recipe = 0; recipe < recipes; ++recipe) {
      const std::string name = "recipe " + std::to_string(recipe);
      cache.write(name, racing_payload(recipe, process, round));
      const std::string payload = cache.read(name);
      if (payload.empty()) continue;
      ++found;
      if (!is_racing_payload(payload, recipe)) return 1;
    }
  }
  return found == rounds * recipes ? 0 : 2;
}

}  // namespace

TEST_CASE("cache: four processes write and read the same kernels at once") {
  CHECK(is_racing_payload(racing_payload(3, 2, 77), 3));
  CHECK_FALSE(is_racing_payload(racing_payload(3, 2, 77), 4));
  CHECK_FALSE(is_racing_payload(racing_payload(3, 2, 77) + "x", 3));
  const scratch_folder scratch;
  const std::string folder = scratch.path() + "/shared/by/all";
  std::vector<pid_t> children;
  for (int process = 0; process < 4; ++process) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(race(folder, process));
    REQUIRE(child > 0);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    CHECK(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  CHECK(files_in(folder).size() == recipes);
  const disk_cache cache(folder);
  for (int recipe = 0; recipe < recipes; ++recipe) {
    CHECK(is_racing_payload(cache.read("recipe " + std::to_string(recipe)), recipe));
  }
}

namespace {

/// Runs a hidden test case of this program on the first GPU, with this cache folder; what it printed.
std::string evaluated_by_a_child(const std::string& cache_folder) {
  char program[4096] = {};
  if (::readlink("/proc/self/exe", program, sizeof program - 1) < 0) return "(no /proc/self/exe)";
  const std::string command = "env GNP_DEVICE=cuda:0 'GNP_CACHE_DIR=" + cache_folder + "' '" + program +
                              "' 'child: one expression' 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "(popen failed)";
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  ::pclose(pipe);
  return output;
}

}  // namespace

TEST_CASE("child: one expression", "[.child]") {
  const gnp::array<float> x = gnp::arange<float>(1000);
  const gnp::array<float> y = gnp::asarray(gnp::asnumpy(x)) * 3 + x;
  std::printf("item %g %g\n", static_cast<double>(y.item(1)), static_cast<double>(y.item(999)));
}

TEST_CASE("cache: kernels go to the folder, and come from it") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const scratch_folder scratch;
  const std::string folder = scratch.path() + "/kernels";
  const auto right = contains("item 4 3996\n");
  CHECK_THAT(evaluated_by_a_child(folder), right);
  const std::set<std::string> names = files_in(folder);
  REQUIRE(names.size() >= 2);
  std::map<std::string, std::string> contents;
  for (const std::string& name : names) {
    INFO(name);
    CHECK(name.substr(name.size() - 6) == ".cubin");
    contents[name] = content_of(folder + "/" + name);
    CHECK(contents[name].size() > header_size + 100);
  }
  const auto all_intact = [&] {
    bool intact = files_in(folder) == names;
    for (const auto& [name, content] : contents) intact = intact && content_of(folder + "/" + name) == content;
    return intact;
  };
  // Found again: nothing is written.
  std::map<std::string, ino_t> inodes;
  const auto inode = [&](const std::string& name) {
    struct stat status{};
    return ::stat((folder + "/" + name).c_str(), &status) == 0 ? status.st_ino : 0;
  };
  for (const std::string& name : names) inodes[name] = inode(name);
  CHECK_THAT(evaluated_by_a_child(folder), right);
  CHECK(all_intact());
  for (const std::string& name : names) CHECK(inode(name) == inodes[name]);
  // Truncated, emptied, altered at the end, and intact to the cache but no machine code: compiled anew.
  for (const std::string& name : names) write_file(folder + "/" + name, contents[name].substr(0, 200));
  CHECK_THAT(evaluated_by_a_child(folder), right);
  CHECK(all_intact());
  for (const std::string& name : names) write_file(folder + "/" + name, "");
  CHECK_THAT(evaluated_by_a_child(folder), right);
  CHECK(all_intact());
  for (const std::string& name : names) {
    std::string altered = contents[name];
    altered.back() = static_cast<char>(altered.back() ^ 1);
    write_file(folder + "/" + name, altered);
  }
  CHECK_THAT(evaluated_by_a_child(folder), right);
  CHECK(all_intact());
  for (const std::string& name : names) {
    const std::string nonsense = some_bytes(contents[name].size() - header_size, 5);
    gnp::detail::cache_header header;
    std::memcpy(&header, contents[name].data(), sizeof header);
    header.checksum = gnp::detail::hash_bytes(nonsense, 3);
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    write_file(folder + "/" + name, file + nonsense);
  }
  CHECK_THAT(evaluated_by_a_child(folder), right);
  CHECK(all_intact());
  // No folder: uncached, and right.
  write_file(scratch.path() + "/file", "a file");
  CHECK_THAT(evaluated_by_a_child(scratch.path() + "/file"), right);
  CHECK(content_of(scratch.path() + "/file") == "a file");
}
