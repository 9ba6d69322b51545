// SPDX-License-Identifier: MIT
#include "distributed.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gnp/distributed.hpp>
#include <gnp/gnp.hpp>
#include <vector>

#include "../../examples/support/svg.hpp"

namespace bench {
namespace {

namespace dist = gnp::distributed;
using gnp::index_t;
using gnp::none;
using gnp::slice;

/// How often the whole of a row grows with the processes: weak scaling, or not at all: strong.
enum class scaling { weak, strong };

struct scaling_row {
  std::string name;
  scaling kind;
  std::vector<double> seconds;  // with 1, 2, ... processes

  /// Of what perfect scaling would give, with the n-th number of processes.
  double share(std::size_t n, const std::vector<int>& counts) const {
    const double gain = kind == scaling::weak ? 1.0 : static_cast<double>(counts[n]);
    return seconds[0] / (seconds[n] * gain);
  }
};

/// Seconds of the slowest process, the median of five batches.
double time_of(const std::function<void()>& call) {
  using clock = std::chrono::steady_clock;
  const dist::group& world = dist::world();
  const auto batch = [&](index_t calls) {
    gnp::synchronize();
    world.barrier();
    const auto start = clock::now();
    for (index_t i = 0; i < calls; ++i) call();
    gnp::synchronize();
    double own = std::chrono::duration<double>(clock::now() - start).count() / static_cast<double>(calls);
    world.engine()->all_reduce("time_of", &own, &own, 1, gnp::dtype::float64, dist::reduction::max);
    return own;
  };
  batch(1);
  const double guess = batch(2);
  const auto calls = std::clamp<index_t>(static_cast<index_t>(0.1 / guess), 2, 200);
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) times.push_back(batch(calls));
  std::sort(times.begin(), times.end());
  return times[2];
}

/// What is measured with one number of processes, by each of them. `gpu`: sizes that fill a GPU, or a laptop's.
template <class Note>
void measure(bool gpu, const Note& note) {
  const index_t n = dist::world().size();
  const bool alone = n == 1;
  {
    const index_t count = n * (gpu ? index_t{1} << 29 : index_t{1} << 22);
    const auto x = dist::linspace<float>(0, 10, count), y = dist::ones<float>({count});
    const auto z = dist::empty<float>({count});
    note("sin(x) * y + x", scaling::weak, time_of([&] { z.assign(sin(x) * y + x); }));
    note("sum(x)", scaling::weak, time_of([&] { static_cast<void>(sum(x)); }));
    auto rng = dist::default_rng(1);
    note("random.normal", scaling::weak,
         time_of([&] { static_cast<void>(rng.standard_normal<float>({count})); }));
  }
  {
    const index_t size = gpu ? 16384 : 1024;
    auto u = dist::zeros<float>({n * size, size}), v = dist::zeros<float>({n * size, size});
    const auto step = [&] {
      const auto centre = u(slice(1, -1), slice(1, -1));
      const auto up = u(slice(none, -2), slice(1, -1)), down = u(slice(2, none), slice(1, -1));
      const auto left = u(slice(1, -1), slice(none, -2)), right = u(slice(1, -1), slice(2, none));
      v(slice(1, -1), slice(1, -1)) = centre + 0.2F * (up + down + left + right - 4 * centre);
      std::swap(u, v);
    };
    note("heat, a step", scaling::weak, time_of(step));
  }
  {
    const index_t size = gpu ? 32768 : 512;
    auto rng = dist::default_rng(2);
    const auto a = rng.standard_normal<float>({size, size}), b = rng.standard_normal<float>({size, size});
    const gnp::array<float> left = alone ? a.local() : gnp::array<float>(), right = alone ? b.local() : left;
    note("matmul(a, b)", scaling::strong, time_of([&] {
           if (alone) {  // as a program of one GPU has it
             const gnp::array<float> c = gnp::matmul(left, right);
           } else {
             static_cast<void>(matmul(a, b));
           }
         }));
  }
  {
    auto rng = dist::default_rng(3);
    const auto tall = rng.standard_normal<float>({gpu ? index_t{1} << 24 : index_t{1} << 14, 64});
    const gnp::array<float> own = alone ? tall.local() : gnp::array<float>();
    note("svd of a tall matrix", scaling::strong, time_of([&] {
           if (alone) {
             static_cast<void>(gnp::linalg::svd(own, {.full_matrices = false}));
           } else {
             static_cast<void>(gnp::linalg::svd(tall));
           }
         }));
  }
}

/// Lines of the rows' shares over the numbers of processes.
std::string chart_of(const std::vector<scaling_row>& rows, const std::vector<int>& counts) {
  constexpr double width = 640, height = 360, left = 60, top = 40, right = 200, bottom = 50;
  const double plot_width = width - left - right, plot_height = height - top - bottom;
  const auto x_of = [&](std::size_t i) {
    return left + plot_width * static_cast<double>(i) /
                      static_cast<double>(std::max<std::size_t>(counts.size() - 1, 1));
  };
  const auto y_of = [&](double share) { return top + plot_height * (1 - std::clamp(share, 0.0, 1.1) / 1.1); };
  constexpr const char* colours[] = {"#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#a463f2"};
  std::string svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='640' height='360' font-family='sans-serif' "
      "font-size='12'><rect width='100%' height='100%' fill='white'/>";
  svg += "<text x='60' y='22' font-size='14'>share of perfect scaling, by processes</text>";
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const std::string y = chart::pixels(y_of(share));
    svg += "<line x1='60' x2='" + chart::pixels(left + plot_width) + "' y1='" + y + "' y2='" + y +
           "' stroke='#ddd'/><text x='52' y='" + y + "' text-anchor='end' dominant-baseline='middle'>" +
           std::to_string(static_cast<int>(share * 100)) + " %</text>";
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    svg += "<text x='" + chart::pixels(x_of(i)) + "' y='" + chart::pixels(height - bottom + 20) +
           "' text-anchor='middle'>" + std::to_string(counts[i]) + "</text>";
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string colour = colours[r % std::size(colours)];
    svg += "<polyline fill='none' stroke-width='2' stroke='" + colour + "' points='";
    for (std::size_t i = 0; i < counts.size(); ++i)
      svg += chart::pixels(x_of(i)) + ',' + chart::pixels(y_of(rows[r].share(i, counts))) + ' ';
    svg += "'/><text x='" + chart::pixels(left + plot_width + 12) + "' y='" +
           chart::pixels(top + 16 + 20 * static_cast<double>(r)) + "' fill='" + colour + "'>" +
           chart::escape(rows[r].name) + "</text>";
  }
  return svg + "</svg>\n";
}

}  // namespace

int run_distributed(const std::string& plot) {
  const bool gpu = gnp::default_device().is_cuda();
  const int most = gpu ? gnp::detail::cuda_device_count() : std::max(2, gnp::get_num_threads());
  std::vector<int> counts;
  for (int n = 1; n < most; n *= 2) counts.push_back(n);
  counts.push_back(most);
  std::printf("%d %s; a process is a thread with a %s of its own\n\n", most, gpu ? "GPUs" : "threads",
              gpu ? "GPU" : "processor");

  std::vector<scaling_row> rows;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    dist::run(counts[i], [&] {
      std::size_t next = 0;
      measure(gpu, [&](const char* name, scaling kind, double seconds) {
        if (dist::world().rank() != 0) return;
        if (i == 0) rows.push_back({name, kind, {}});
        rows[next++].seconds.push_back(seconds);
      });
    });
  }

  std::printf("%-24s %-8s", "ms of the slowest process", "scaling");
  for (const int n : counts) std::printf(" %12d", n);
  std::printf("  share of perfect\n");
  for (const scaling_row& r : rows) {
    std::printf("%-24s  %-8s", r.name.c_str(), r.kind == scaling::weak ? "weak" : "strong");
    for (const double s : r.seconds) std::printf(" %12.4f", s * 1e3);
    for (std::size_t i = 1; i < counts.size(); ++i) std::printf("  %d: %.3f", counts[i], r.share(i, counts));
    std::printf("\n");
  }
  if (!plot.empty()) std::ofstream(plot) << chart_of(rows, counts);
  return 0;
}

}  // namespace bench
