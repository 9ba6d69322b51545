// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <gnp/cpu/threads.hpp>
#include <iostream>
#include <regex>

#include "../../examples/support/options.hpp"

namespace bench {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

std::vector<index_t> parse_sizes(const std::string& text) {
  std::vector<index_t> sizes;
  for (const std::string& part : split(text)) {
    index_t size = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || end != part.data() + part.size() || size < 1)
      refuse("--sizes: expected whole numbers from 1, such as 64,256, got '" + text + "'");
    sizes.push_back(size);
  }
  return sizes;
}

void check_words(const std::string& option, const std::string& text, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  for (const std::string& word : split(text)) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      refuse("--" + option + ": expected one or more of " + list + ", got '" + text + "'");
  }
}

void check_folder(const std::string& option, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    refuse("--" + option + ": there is no folder " + folder.string());
}

/// Empty caches, so that first calls compile. NVRTC has a cache of its own.
void use_empty_caches() {
  std::string folder = (std::filesystem::temp_directory_path() / "gnp-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) refuse("--cold: cannot make a folder for temporary files");
  setenv("GNP_CACHE_DIR", folder.c_str(), 1);
  setenv("CUDA_CACHE_PATH", folder.c_str(), 1);
  static std::filesystem::path to_remove;
  to_remove = folder;
  std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(to_remove, ignored);
  });
}

}  // namespace

void refuse(const std::string& why) {
  std::cerr << "gnp-bench: " << why << '\n';
  std::exit(2);
}

arguments parse(int argc, char** argv) {
  arguments a;
  a.threads = gnp::get_num_threads();
  support::options options(
      "Compares Eigen on one thread and on all, gnp on the CPU and gnp on the GPU. Every answer is checked\n"
      "before it is timed; a wrong one is an error instead of a time, and exit code 1.");
  options.add("list", a.list, "the cases, their sizes and types; runs nothing");
  options.add("filter", a.filter, "regular expression: only cases whose name it matches somewhere");
  options.add("sizes", a.sizes, "such as 64,256: instead of the cases' own sizes");
  options.add("dtype", a.dtype, "float32, float64 or both with a comma between (all that a case has)");
  options.add("device", a.device, "cpu, cuda or cpu,cuda (the CPU, and the GPU where there is one)");
  options.add("threads", a.threads, "what all cores means, for Eigen and for gnp", 1);
  options.add("repeats", a.effort.repeats, "samples of each time", 3);
  options.add("seconds", a.effort.seconds, "for each time, after which three samples must do", 0.0);
  options.add("quick", a.quick, "5 samples and 0.05 seconds");
  options.add("cold", a.cold, "empty kernel caches, so that first calls compile");
  options.add("no-table", a.no_table, "nothing on stdout");
  options.add("json", a.json, "file for all results, with every sample and the machine's description");
  options.add("csv", a.csv, "file for all results, one line each");
  options.add("plot", a.plot, "file for charts, .svg or .html");
  options.add("distributed", a.distributed,
              "instead of the cases: how distributed arrays scale over the GPUs of this machine, or the CPU's cores");
  options.parse(argc, argv);

  if (a.quick) a.effort = {.repeats = 5, .seconds = 0.05};
  if (!a.sizes.empty()) parse_sizes(a.sizes);
  if (!a.dtype.empty()) check_words("dtype", a.dtype, {"float32", "float64"});
  if (!a.device.empty()) check_words("device", a.device, {"cpu", "cuda"});
  if (!a.plot.empty() && !a.plot.ends_with(".svg") && !a.plot.ends_with(".html"))
    refuse("--plot: expected a file that ends in .svg or .html, got '" + a.plot + "'");
  if (a.distributed && a.plot.ends_with(".html")) refuse("--distributed --plot: expected a file that ends in .svg");
  check_folder("json", a.json);
  check_folder("csv", a.csv);
  check_folder("plot", a.plot);
  if (a.cold) use_empty_caches();
  return a;
}

std::vector<bench_case> select(const std::vector<bench_case>& all, const arguments& a) {
  std::vector<bench_case> selected;
  try {
    const std::regex filter(a.filter);
    for (const bench_case& c : all) {
      if (std::regex_search(c.name, filter)) selected.push_back(c);
    }
  } catch (const std::regex_error& e) {
    refuse("--filter: '" + a.filter + "' is no regular expression: " + e.what());
  }
  if (selected.empty()) refuse("--filter: no case matches '" + a.filter + "'; see --list");
  const std::vector<std::string> dtypes = split(a.dtype);
  for (bench_case& c : selected) {
    if (!a.sizes.empty()) c.sizes = parse_sizes(a.sizes);
    if (a.dtype.empty()) continue;
    std::erase_if(c.dtypes, [&](const std::string& dtype) {
      return std::find(dtypes.begin(), dtypes.end(), dtype) == dtypes.end();
    });
  }
  std::erase_if(selected, [](const bench_case& c) { return c.dtypes.empty(); });
  if (selected.empty()) refuse("--dtype: no case that --filter leaves has the type " + a.dtype);
  return selected;
}

std::vector<contender> select_contenders(const arguments& a, int& gpu_ordinal) {
  const std::vector<std::string> devices = split(a.device.empty() ? "cpu,cuda" : a.device);
  const auto asked = [&](const char* device) {
    return std::find(devices.begin(), devices.end(), device) != devices.end();
  };
  std::vector<contender> contenders;
  if (asked("cpu")) {
    contenders = {contender::eigen_one, contender::eigen_all, contender::cpu};
    if (!eigen_uses_threads()) std::erase(contenders, contender::eigen_all);
  }
  if (!asked("cuda")) return contenders;
  if (gnp::cuda_available()) {
    gpu_ordinal = std::max(0, gnp::default_device().ordinal());  // GNP_DEVICE may name another than the first
    contenders.insert(contenders.end(), {contender::gpu, contender::gpu_with_transfers});
  } else if (!a.device.empty()) {
    std::string why = gnp::detail::cuda_unusable();
    refuse("--device cuda: " + why.substr(0, why.find('\n')));
  } else {
    std::cerr << "gnp-bench: no GPU ("
              << (GNP_HAS_CUDA ? "no NVIDIA driver or no device" : "compiled without the CUDA headers")
              << "): the CPU's columns only\n";
  }
  return contenders;
}

}  // namespace bench
