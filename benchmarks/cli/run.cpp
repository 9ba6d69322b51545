// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <gnp/core.hpp>
#include <limits>

namespace bench {
namespace {

// Beside a clock tick on the CPU; on a GPU, beside the first launch, which finds it idle.
constexpr double least_cpu_batch = 2e-3;
constexpr double least_gpu_batch = 10e-3;

void use_threads(int threads) {
  Eigen::setNbThreads(threads);
  gnp::set_num_threads(threads);
}

/// For the test of the check itself: GNP_BENCH_SPOIL names a contender whose answers are made wrong.
void spoil(answer& a, contender c) {
  const char* victim = std::getenv("GNP_BENCH_SPOIL");
  if (victim == nullptr || key(c) != victim || a.empty() || a.front().empty()) return;
  a.front().front() += 1;
}

std::string describe(const verdict& v) {
  char text[80];
  std::snprintf(text, sizeof text, "%.3g, allowed %.3g", v.worst, v.allowed);
  return "worst difference " + std::string(text) + " (" + v.what + ")";
}

entry run_contender(const problem& p, contender c, const answer& eigen, const setting& s) {
  const gnp::device where = is_on_gpu(c) ? gnp::device::cuda(s.gpu_ordinal) : gnp::device::cpu();
  const gnp::use_device guard(where);
  use_threads(c == contender::eigen_one ? 1 : s.threads);
  entry result;
  const attempt a = p.prepare(c);
  if (!a) return result;
  const auto finish = [where] { gnp::synchronize(where); };
  const double first_call = by_wall_clock(a.call, finish)(1);

  answer got = a.result();
  spoil(got, c);
  if (const verdict v = p.judge(got, eigen); !v.right()) {
    result.status = status::wrong;
    result.message = describe(v);
    return result;
  }
  result.time = c == contender::gpu ? measure(by_gpu_clock(a.call), s.effort, least_gpu_batch)
                                    : measure(by_wall_clock(a.call, finish), s.effort, least_cpu_batch);
  result.time.first_call = first_call;
  result.status = status::timed;
  return result;
}

}  // namespace

double row::time(contender c) const {
  return of(c).status == status::timed ? of(c).time.median() : std::numeric_limits<double>::quiet_NaN();
}

double row::best_eigen() const { return std::fmin(time(contender::eigen_one), time(contender::eigen_all)); }

bool row::has_failure() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const entry& e) { return e.status == status::wrong || e.status == status::failed; });
}

std::string label(contender c, int threads) {
  switch (c) {
    case contender::eigen_one:
      return "Eigen, 1 thread";
    case contender::eigen_all:
      return "Eigen, " + std::to_string(threads) + (threads == 1 ? " thread (all)" : " threads");
    case contender::cpu:
      return "gnp, CPU";
    case contender::gpu:
      return "gnp, GPU";
    default:
      return "gnp, GPU with transfers";
  }
}

std::string key(contender c) {
  static constexpr std::array<const char*, all_contenders.size()> keys{
      "eigen_1_thread", "eigen_all_cores", "gnp_cpu", "gnp_gpu", "gnp_gpu_with_transfers"};
  return keys[static_cast<std::size_t>(c)];
}

row run_case(const bench_case& c, const std::string& dtype, index_t size, const setting& s,
             const std::function<void()>& report_done) {
  row result{.name = c.name, .dtype = dtype, .size = size};
  problem p;
  answer eigen;
  const auto fail = [&](contender who, const char* why) {
    result.of(who).status = status::failed;
    result.of(who).message = why;
  };
  try {
    // What all are compared with, Eigen itself too: its answer by one thread.
    const gnp::use_device guard(gnp::device::cpu());
    use_threads(1);
    p = c.make(dtype, size);
    const attempt reference = p.prepare(contender::eigen_one);
    reference.call();
    eigen = reference.result();
  } catch (const std::exception& e) {
    fail(contender::eigen_one, e.what());
    return result;
  }
  for (const contender who : s.contenders) {
    try {
      result.of(who) = run_contender(p, who, eigen, s);
    } catch (const std::exception& e) {
      fail(who, e.what());
    }
    report_done();
  }
  return result;
}

}  // namespace bench
