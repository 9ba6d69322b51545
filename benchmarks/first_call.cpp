// SPDX-License-Identifier: MIT
// What the first use of an expression costs: compiled from nothing, and read from the disk cache by a new
// process. Each is measured in child processes of this executable, because a kernel is new only once.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <gnp/gnp.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

void count_failure();  // in main.cpp

namespace {

GNP_UFUNC(first_smooth, (x, y), (x - y) * (x - y) / (1 + x * x));
GNP_UFUNC(first_logistic, (x), 1 / (1 + exp(-x)));
GNP_UFUNC(first_cubic, (x), ((x * 0.5F + 0.25F) * x - 1.5F) * x + 2.0F);
GNP_UFUNC(first_clamped, (x, y), x < y ? x : y);

constexpr int exit_no_cuda = 4;
constexpr gnp::index_t rows = 1000;
constexpr gnp::index_t cols = 1200;

/// Row programs are more to compile, and have a figure of their own.
enum class first_kind { expression, program };

template <class Expression, class Reference>
void time_first(const char* name, Expression&& expression, Reference&& reference, double tolerance = 1e-4,
                first_kind kind = first_kind::expression) {
  gnp::synchronize();
  const auto start = std::chrono::steady_clock::now();
  const auto result = expression();
  gnp::synchronize();
  const auto stop = std::chrono::steady_clock::now();
  for (const gnp::index_t i : {gnp::index_t{0}, gnp::index_t{1}, rows / 2, rows - 1}) {
    for (const gnp::index_t j : {gnp::index_t{0}, gnp::index_t{7}, rows / 3, rows - 1}) {
      const double got = static_cast<double>(result.item(i, j));
      const double want = reference(i, j);
      if (!(std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want)))) {
        throw std::runtime_error(std::string(name) + " at (" + std::to_string(i) + ", " + std::to_string(j) +
                                 "): got " + std::to_string(got) + ", expected " + std::to_string(want));
      }
    }
  }
  std::printf("%s %s %.4f\n", kind == first_kind::program ? "program" : "ms", name,
              std::chrono::duration<double, std::milli>(stop - start).count());
}

/// Softmax and layer norm along rows.
template <class T>
void time_programs(const std::string& suffix, const gnp::array<T>& x) {
  const gnp::host_array<T> given = gnp::asnumpy(x);
  const gnp::index_t count = x.shape(1);
  const auto of_row = [&](gnp::index_t i, auto&& f) {
    double sum = 0;
    for (gnp::index_t j = 0; j < count; ++j) sum += f(static_cast<double>(given(i, j)));
    return sum;
  };
  const double tolerance = sizeof(T) == 2 ? 1e-2 : 1e-4;
  time_first(("softmax" + suffix).c_str(),
             [&] {
               const auto e = exp(x - max(x, 1, {.keepdims = true}));
               return gnp::array<T>(e / sum(e, 1, {.keepdims = true}));
             },
             [&](auto i, auto j) {
               return std::exp(static_cast<double>(given(i, j))) /
                      of_row(i, [](double v) { return std::exp(v); });
             },
             tolerance, first_kind::program);
  time_first(("layer_norm" + suffix).c_str(),
             [&] {
               const auto centred = x - mean(x, 1, {.keepdims = true});
               return gnp::array<T>(centred / sqrt(var(x, 1, {.keepdims = true}) + 1e-5));
             },
             [&](auto i, auto j) {
               const double mean = of_row(i, [](double v) { return v; }) / static_cast<double>(count);
               const double squares = of_row(i, [&](double v) { return (v - mean) * (v - mean); });
               return (static_cast<double>(given(i, j)) - mean) /
                      std::sqrt(squares / static_cast<double>(count) + 1e-5);
             },
             tolerance, first_kind::program);
}

}  // namespace

// Prints one line "ms <name> <milliseconds>" for each expression, and "program ..." for each row program.
// Everything that is not the expression's own (driver, context, NVRTC, memory pool, the kernels that make the
// inputs) has been used before the first.
int first_call_child() {
  try {
    if (!gnp::cuda_available()) return exit_no_cuda;
    gnp::use_device on_gpu(gnp::device::cuda(0));
    using array = gnp::array<float>;
    const array u = gnp::arange<float>(rows * rows).reshape({rows, rows});
    const array a = gnp::sin(u * 0.37F);
    const array b = gnp::sin(u * 0.11F);
    const array r = gnp::arange<float>(rows);
    const array c = r.reshape({rows, 1});
    const array wide = gnp::sin(gnp::arange<float>(rows * cols).reshape({rows, cols}) * 0.05F);
    const array inner = wide(gnp::all, gnp::slice(cols - rows, gnp::none));  // rows that are not contiguous
    const gnp::array<gnp::half> h = (a * 2).astype<gnp::half>();
    const array warm = a + b;
    const auto a0 = gnp::asnumpy(a);
    const auto b0 = gnp::asnumpy(b);
    const auto r0 = gnp::asnumpy(r);
    const auto w0 = gnp::asnumpy(wide);
    const auto h0 = gnp::asnumpy(h);
    const auto A = [&](gnp::index_t i, gnp::index_t j) { return static_cast<double>(a0(i, j)); };
    const auto B = [&](gnp::index_t i, gnp::index_t j) { return static_cast<double>(b0(i, j)); };
    const auto R = [&](gnp::index_t i) { return static_cast<double>(r0(i)); };

    // Nine expression types, over all the kernel shapes, weighted as users meet them: mostly contiguous.
    time_first(
        "ufunc_smooth", [&] { return array(first_smooth(a, b) + 1); },
        [&](auto i, auto j) {
          const double x = A(i, j), y = B(i, j);
          return (x - y) * (x - y) / (1 + x * x) + 1;
        });
    time_first(
        "ufunc_logistic", [&] { return array(first_logistic(a) * b); },
        [&](auto i, auto j) { return B(i, j) / (1 + std::exp(-A(i, j))); });
    time_first(
        "ufunc_cubic", [&] { return array(first_cubic(a)); },
        [&](auto i, auto j) {
          const double x = A(i, j);
          return ((x * 0.5 + 0.25) * x - 1.5) * x + 2.0;
        });
    time_first(
        "sin_mul_add", [&] { return array(gnp::sin(a) * b + a); },
        [&](auto i, auto j) { return std::sin(A(i, j)) * B(i, j) + A(i, j); });
    time_first(
        "where", [&] { return array(gnp::where(a > 0.5F, a, b)); },
        [&](auto i, auto j) { return A(i, j) > 0.5 ? A(i, j) : B(i, j); });
    time_first(
        "broadcast", [&] { return array((a - r) / (c + 1)); },
        [&](auto i, auto j) { return (A(i, j) - R(j)) / (R(i) + 1); });
    time_first(
        "strided", [&] { return array(first_clamped(inner, b) * 3); },
        [&](auto i, auto j) { return 3 * std::min(static_cast<double>(w0(i, j + cols - rows)), B(i, j)); });
    time_first(
        "transpose", [&] { return array(a + b.T()); }, [&](auto i, auto j) { return A(i, j) + B(j, i); });
    time_first(
        "half", [&] { return gnp::array<gnp::half>(gnp::exp(h) - 1); },
        [&](auto i, auto j) { return std::exp(static_cast<double>(static_cast<float>(h0(i, j)))) - 1; }, 4e-3);
    time_programs<float>("", a);
    time_programs<float>("_8192",
                         array(gnp::sin(gnp::arange<float>(8192 * rows).reshape({rows, 8192}) * 0.37F)));
    time_programs<gnp::half>("_half", gnp::array<gnp::half>(a.astype<gnp::half>()));
    return 0;
  } catch (const std::exception& error) {
    std::printf("error %s\n", error.what());
    return 1;
  }
}

namespace {

struct child_times {
  std::vector<double> ms;
  std::vector<std::string> names;
  std::map<std::string, double> programs;
};

class scratch_folder {
 public:
  scratch_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gnp_benchmarks_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + pattern);
    path_ = pattern;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

// CUDA_CACHE_PATH too: since CUDA 12.9 NVRTC keeps a cache of its own there, which would make a cold call warm.
child_times run_child(const std::string& cache) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "GNP_CACHE_DIR=" + quoted(cache + "/gnp") +
                              " CUDA_CACHE_PATH=" + quoted(cache + "/nv") + " " + quoted(self) +
                              " --first-call-child";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  child_times times;
  std::string message;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    char name[64];
    double ms = 0;
    if (std::sscanf(line, "ms %63s %lf", name, &ms) == 2) {
      times.names.emplace_back(name);
      times.ms.push_back(ms);
    } else if (std::sscanf(line, "program %63s %lf", name, &ms) == 2) {
      times.programs[name] = ms;
    } else {
      message += line;
    }
  }
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || times.ms.empty()) {
    throw std::runtime_error("the child process failed: " + message);
  }
  return times;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void first_call(benchmark::State& state, bool warm, int processes) {
  if (!gnp::cuda_available()) {
    state.SkipWithError("skipped: no CUDA device");
    return;
  }
  try {
    std::vector<double> all;
    std::vector<std::vector<double>> by_name;
    std::vector<std::string> names;
    std::map<std::string, std::vector<double>> programs;
    scratch_folder shared;
    if (warm) run_child(shared.path());  // fills the cache, and is not timed
    for (int i = 0; i < processes; ++i) {
      scratch_folder fresh;
      const child_times times = run_child(warm ? shared.path() : fresh.path());
      all.insert(all.end(), times.ms.begin(), times.ms.end());
      names = times.names;
      for (const auto& [name, ms] : times.programs) programs[name].push_back(ms);
      by_name.resize(names.size());
      for (std::size_t k = 0; k < names.size(); ++k) by_name[k].push_back(times.ms[k]);
    }
    for (auto _ : state) state.SetIterationTime(median(all) / 1e3);
    state.counters["expressions"] = static_cast<double>(names.size());
    state.counters["processes"] = processes;
    state.counters["worst_ms"] = *std::max_element(all.begin(), all.end());
    for (std::size_t k = 0; k < names.size(); ++k) state.counters["ms_" + names[k]] = median(by_name[k]);
    for (const auto& [name, ms] : programs) state.counters["ms_" + name] = median(ms);
  } catch (const std::exception& error) {
    count_failure();
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_first_call_benchmarks(bool quick) {
  const int processes = quick ? 1 : 3;
  for (const bool warm : {false, true}) {
    benchmark::RegisterBenchmark(
        warm ? "first_call/warm_disk_cache" : "first_call/cold",
        [warm, processes](benchmark::State& state) { first_call(state, warm, processes); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}
