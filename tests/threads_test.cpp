// SPDX-License-Identifier: MIT
// test: asan, tsan, header-only
// Many threads at once: the same new expression, different ones, shared arrays, devices of their own; and the
// thread pool itself.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gnp/cpu/lapack_threads.hpp>
#include <gnp/dense/fft_plans.hpp>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "devices.hpp"

namespace {

// Threads are counted here, and a BLAS brings its own.
[[maybe_unused]] const int without_blas = ::setenv("GNP_LAPACK", "none", 1);

using gnp::index_t;
using gnp::shape_t;
using gnp::slice;

constexpr int thread_count = 8;

/// Runs body(thread) on `count` threads that start it together, and returns what each returned ("" for right).
/// Nothing of Catch2's is called on them: its assertions are for one thread.
std::vector<std::string> on_threads(int count, const std::function<std::string(int)>& body) {
  std::vector<std::string> said(static_cast<std::size_t>(count));
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) {
    threads.emplace_back([&, t] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      try {
        said[static_cast<std::size_t>(t)] = body(t);
      } catch (const std::exception& e) {
        said[static_cast<std::size_t>(t)] = std::string("threw: ") + e.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return said;
}

void check_all_right(const std::vector<std::string>& said) {
  for (const std::string& text : said) CHECK(text == "");
}

/// Sets the number of threads gnp may use until the end of the scope.
class with_threads {
 public:
  explicit with_threads(int count) : before_(gnp::get_num_threads()) { gnp::set_num_threads(count); }
  ~with_threads() { gnp::set_num_threads(before_); }
  with_threads(const with_threads&) = delete;
  with_threads& operator=(const with_threads&) = delete;

 private:
  int before_;
};

template <class T>
std::string difference(const gnp::host_array<T>& actual, const std::function<T(index_t)>& expected) {
  for (index_t i = 0; i < actual.size(); ++i) {
    if (!(actual[i] == expected(i))) return "element " + std::to_string(i) + " is wrong";
  }
  return "";
}

gnp::array<float> counted(index_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 0.0F);
  return gnp::asarray(values);
}

}  // namespace

TEST_CASE("threads: the same new expression at once") {
  for_each_device([](gnp::device d) {
    for (const index_t n : {index_t{1000}, index_t{100000}}) {
      const gnp::array<float> x = counted(n);
      const gnp::array<float> y = gnp::ones<float>({n});
      check_all_right(on_threads(thread_count, [&](int) {
        const gnp::use_device guard(d);
        std::string wrong;
        for (int round = 0; round < 3 && wrong.empty(); ++round) {
          const gnp::array<float> z = (x * 2 - y) * (x + 3) / 4;
          wrong = difference<float>(gnp::asnumpy(z), [](index_t i) {
            const auto v = static_cast<float>(i);
            return (v * 2 - 1) * (v + 3) / 4;
          });
        }
        return wrong;
      }));
    }
  });
}

TEST_CASE("threads: the same expression kept in one place") {
  for_each_device([](gnp::device d) {
    const auto e = counted(5000) * 3 + counted(5000);
    check_all_right(on_threads(thread_count, [&](int) {
      const gnp::use_device guard(d);
      const auto mine = e;
      const std::string wrong =
          difference<float>(gnp::asnumpy(mine), [](index_t i) { return static_cast<float>(4 * i); });
      return wrong.empty()
                 ? difference<float>(gnp::asnumpy(e), [](index_t i) { return static_cast<float>(4 * i); })
                 : wrong;
    }));
  });
}

TEST_CASE("threads: different new expressions and layouts at once, of shared arrays") {
  for_each_device([](gnp::device d) {
    const index_t n = 300;
    const gnp::array<float> x = counted(n * n).reshape(n, n);
    check_all_right(on_threads(thread_count, [&](int t) {
      const gnp::use_device guard(d);
      const auto at = [](index_t i) { return static_cast<float>(i); };
      const auto turned = [&](index_t i) { return at(i % n * n + i / n); };
      switch (t) {
        case 0:
          return difference<float>(gnp::asnumpy(x + 1), [&](index_t i) { return at(i) + 1; });
        case 1:
          return difference<float>(gnp::asnumpy(x.T() - 1), [&](index_t i) { return turned(i) - 1; });
        case 2:
          return difference<float>(gnp::asnumpy(x + x.T()), [&](index_t i) { return at(i) + turned(i); });
        case 3:
          return difference<float>(gnp::asnumpy(-x(gnp::all, slice(gnp::none, gnp::none, -1))),
                                   [&](index_t i) { return -at(i / n * n + n - 1 - i % n); });
        case 4:
          return difference<float>(gnp::asnumpy(x * x(0)), [&](index_t i) { return at(i) * at(i % n); });
        case 5:
          return difference<double>(gnp::asnumpy(x.astype<double>() / 2),
                                    [&](index_t i) { return at(i) / 2.0; });
        case 6:
          return difference<bool>(gnp::asnumpy(x > x.T()), [&](index_t i) { return at(i) > turned(i); });
        default:
          return difference<float>(gnp::asnumpy(gnp::maximum(x, 1000)),
                                   [&](index_t i) { return std::max(at(i), 1000.0F); });
      }
    }));
  });
}

TEST_CASE("threads: handles to one array, made and dropped everywhere") {
  for_each_device([](gnp::device d) {
    for (int round = 0; round < 20; ++round) {
      gnp::array<float> shared = counted(100);
      check_all_right(on_threads(thread_count, [&, mine = shared](int t) {
        const gnp::use_device guard(d);
        float sum = 0;
        for (int i = 0; i < 50; ++i) {
          const gnp::array<float> handle = mine;
          const gnp::array<float> view = handle(slice(t, gnp::none));
          const auto e = view + handle(slice(gnp::none, view.size()));
          sum += static_cast<float>(e.ndim());
        }
        return sum == 50 ? std::string() : "a view has the wrong rank";
      }));
      CHECK(shared.item(99) == 99);
    }
  });
}

TEST_CASE("threads: arrays made on one thread are written on others, each its own part") {
  for_each_device([](gnp::device d) {
    gnp::array<float> x = gnp::zeros<float>({thread_count, 5000});
    check_all_right(on_threads(thread_count, [&](int t) {
      const gnp::use_device guard(d);
      for (int i = 0; i < 5; ++i) x(t) += t + 1;
      return std::string();
    }));
    CHECK(difference<float>(gnp::asnumpy(x),
                            [](index_t i) { return 5.0F * static_cast<float>(i / 5000 + 1); }) == "");
  });
}

TEST_CASE("threads: use_device is each thread's own") {
  const gnp::device other = gnp::cuda_available() ? gnp::device::cuda(0) : gnp::device::cpu();
  const gnp::device everywhere = gnp::default_device();
  check_all_right(on_threads(thread_count, [&](int t) -> std::string {
    if (!(gnp::default_device() == everywhere)) return "a new thread starts with another device";
    for (int i = 0; i < 20; ++i) {
      const gnp::device mine = t % 2 == 0 ? gnp::device::cpu() : other;
      const gnp::use_device guard(mine);
      const gnp::array<int> x = gnp::full<int>({100}, t) + i;
      if (!(x.device() == mine)) return "an array is on another thread's device";
      if (x.item(50) != t + i) return "wrong value";
      {
        const gnp::use_device inner(gnp::device::cpu());
        if (!gnp::ones<int>({1}).device().is_cpu()) return "the inner guard has no effect";
      }
      if (!(gnp::default_device() == mine)) return "the inner guard's effect outlives it";
    }
    return gnp::default_device() == everywhere ? "" : "the guard's effect outlives it";
  }));
}

TEST_CASE("threads: errors stay on the thread they happen on") {
  for_each_device([](gnp::device d) {
    check_all_right(on_threads(thread_count, [&](int t) -> std::string {
      const gnp::use_device guard(d);
      for (int i = 0; i < 20; ++i) {
        if (t % 2 == 0) {
          try {
            gnp::array<float> x = gnp::ones<float>({3}) + gnp::ones<float>({4});
            return "no error";
          } catch (const gnp::shape_error& e) {
            if (std::string(e.what()).find("(3,) (4,)") == std::string::npos) return e.what();
          }
        } else {
          const gnp::array<float> x = gnp::ones<float>({3}) + gnp::ones<float>({3});
          if (x.item(2) != 2) return "wrong value";
        }
      }
      return "";
    }));
  });
}

TEST_CASE("parallel_for: every index exactly once") {
  for (const int threads : {1, 2, 3, 8}) {
    const with_threads guard(threads);
    CHECK(gnp::get_num_threads() == threads);
    for (const std::int64_t count : {0, 1, 2, 3, 7, 8, 9, 64, 997, 10007}) {
      for (const std::int64_t grain : {1, 5, 1000}) {
        INFO(threads << " threads, " << count << " by " << grain);
        std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
        std::atomic<int> pieces{0};
        std::atomic<bool> outside{false};
        gnp::detail::parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
          ++pieces;
          if (begin < 0 || end > count || begin > end) outside = true;
          for (std::int64_t i = begin; i < end; ++i) ++calls[static_cast<std::size_t>(i)];
        });
        bool once = true;
        for (const std::atomic<int>& c : calls) once = once && c == 1;
        CHECK(once);
        CHECK_FALSE(outside);
        CHECK(pieces <= threads);
        // Work of less than two grains is one piece; enough work is one piece for each thread.
        CHECK(pieces == std::max<std::int64_t>(1, std::min<std::int64_t>(threads, count / grain)));
      }
    }
  }
}

TEST_CASE("parallel_for: what a piece throws arrives at the caller, and the pool goes on") {
  const with_threads guard(4);
  for (const std::int64_t bad : {0, 300, 999}) {
    std::atomic<int> finished{0};
    std::string said;
    try {
      gnp::detail::parallel_for(1000, 1, [&](std::int64_t begin, std::int64_t end) {
        if (begin <= bad && bad < end) throw std::runtime_error("piece of " + std::to_string(bad));
        ++finished;
      });
    } catch (const std::runtime_error& e) {
      said = e.what();
    }
    CHECK(said == "piece of " + std::to_string(bad));
    CHECK(finished <= 3);
  }
  // All pieces throw: one of them arrives, and the next work is not disturbed.
  CHECK_THROWS_AS(
      gnp::detail::parallel_for(1000, 1, [](std::int64_t, std::int64_t) { throw std::length_error("all"); }),
      std::length_error);
  std::atomic<std::int64_t> sum{0};
  gnp::detail::parallel_for(1000, 1, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
  CHECK(sum == 1000);
}

TEST_CASE("parallel_for: nested, and from many threads at once") {
  const with_threads guard(4);
  std::vector<std::atomic<int>> calls(10000);
  gnp::detail::parallel_for(100, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      gnp::detail::parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) ++calls[static_cast<std::size_t>(i * 100 + k)];
      });
    }
  });
  bool once = true;
  for (const std::atomic<int>& c : calls) once = once && c == 1;
  CHECK(once);

  check_all_right(on_threads(thread_count, [](int t) -> std::string {
    for (int round = 0; round < 50; ++round) {
      const std::int64_t count = 1000 + t;
      std::vector<int> own(static_cast<std::size_t>(count));  // one piece writes one element: no lock needed
      gnp::detail::parallel_for(count, 10, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++own[static_cast<std::size_t>(i)];
      });
      if (std::accumulate(own.begin(), own.end(), 0) != count) return "an index was missed or done twice";
    }
    return "";
  }));
}

namespace {

/// The threads of this process.
int threads_there_are() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) count += entry.exists();
  return count;
}

/// A dozen operations, each with a loop of its own. The first wrong one's name; "" where all are right.
std::string twelve_operations() {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const index_t n = 512;
  const gnp::array<float> x = gnp::ones<float>({n, n}) + gnp::arange<float>(n);
  const gnp::array<double> y = x.astype<double>() / 2;
  if (!gnp::all(gnp::sqrt(x * x) == x).item()) return "sqrt";
  if (gnp::sum(y).item() != n * (n + 1.0) / 2 * n / 2) return "sum";
  if (gnp::max(x.T() - x).item() != n - 1) return "transpose";
  if (!gnp::array_equal(gnp::mean(x, {.axis = 0}), gnp::arange<float>(1, n + 1))) return "mean";
  if (gnp::argmax(x).item() != n - 1) return "argmax";
  if (gnp::cumsum(y).item(-1) != gnp::sum(y).item()) return "cumsum";
  if (gnp::cumsum(x, {.axis = 0}).eval()(n - 1, 0).item() != n) return "cumsum of columns";
  if (gnp::matmul(x, x).eval()(0, 0).item() != n * (n + 1) / 2) return "matmul";
  if (gnp::sum(gnp::random::default_rng(1).random<float>({n, n}) < 2).item() != n * n) return "random";
  if (gnp::sum(gnp::random::default_rng(1).permutation(n * n)).item() != n * n * (n * n - 1) / 2)
    return "order";
  if (!gnp::any(x > 511.5F).item()) return "any";
  if (gnp::linalg::norm(y).item() < n) return "norm";
  return "";
}

#if defined(__SANITIZE_THREAD__)
#define GNP_TEST_FORKS 0  // the thread sanitizer ends children of a program with threads that start some
#elif defined(__has_feature)
#define GNP_TEST_FORKS !__has_feature(thread_sanitizer)
#else
#define GNP_TEST_FORKS 1
#endif

#if GNP_TEST_FORKS
/// What body() says in a child of this process.
std::string in_a_child(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe(ends) != 0) return "(pipe failed)";
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // a child that waits for ever is killed, and says nothing
    const std::string said = "said: " + body();
    ::_exit(::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1) said += letter;
  ::close(ends[0]);
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
    return "the child failed, status " + std::to_string(status) + ": " + said;
  return said.substr(6);
}
#endif

}  // namespace

TEST_CASE("threads: one pool for everything") {
  const with_threads guard(8);
  const int before = threads_there_are();
  CHECK(twelve_operations() == "");
  CHECK(threads_there_are() <= before + 7);
}

#if GNP_TEST_FORKS
TEST_CASE("fork: children have threads of their own") {
  const with_threads guard(4);
  CHECK(twelve_operations() == "");
  CHECK(in_a_child([] {
          if (threads_there_are() != 1) return std::string("threads were inherited");
          const std::string wrong = twelve_operations();
          return !wrong.empty() || threads_there_are() >= 4 ? wrong : "the child worked alone";
        }) == "");
  CHECK(in_a_child([] { return in_a_child(twelve_operations); }) == "");
  CHECK(twelve_operations() == "");
}

TEST_CASE("fork: while other threads compute and draw") {
  const with_threads guard(3);
  const gnp::use_device on_cpu(gnp::device::cpu());
  std::atomic<bool> enough{false};
  std::atomic<int> at_work{0};
  std::vector<std::thread> busy;
  for (int t = 0; t < 2; ++t) {
    busy.emplace_back([&enough, &at_work] {
      const gnp::use_device here(gnp::device::cpu());
      while (!enough) {
        const gnp::array<float> x = gnp::random::uniform<float>(0, 1, {200000});
        static_cast<void>((x + 1).eval());
        for (int i = 0; i < 1000; ++i) static_cast<void>(gnp::random::random<float>({1}));
        ++at_work;
      }
    });
  }
  // What is made on first use is there: no child of any program gets a static object that was being made.
  while (at_work < 4) std::this_thread::yield();
  for (int child = 0; child < 20; ++child) {
    CHECK(in_a_child([] {
            const gnp::array<float> x = gnp::random::uniform<float>(0, 1, {200000}) + 1;
            return gnp::all(x < 2.5F).item() ? "" : "wrong";
          }) == "");
  }
  enough = true;
  for (std::thread& thread : busy) thread.join();
}

TEST_CASE("fork: while other threads look up plans of Fourier transforms, and are watched") {
  const gnp::profile seen;
  const auto look_up = [] { return gnp::detail::fft_plan<gnp::detail::fft_real<double>>(16) != nullptr; };
  const auto note = [] { gnp::detail::running_logs::all().add(gnp::detail::done_work{"noted"}); };
  std::atomic<bool> enough{false};
  std::atomic<int> at_work{0};
  const auto repeat = [&](const auto& work) {
    work();
    ++at_work;
    while (!enough) work();
  };
  std::thread looks([&] { repeat(look_up); });
  std::thread notes([&] { repeat(note); });
  while (at_work < 2) std::this_thread::yield();
  for (int child = 0; child < 20; ++child) {
    CHECK(in_a_child([&] {
            note();
            return look_up() ? "" : "no plan";
          }) == "");
  }
  enough = true;
  looks.join();
  notes.join();
}

TEST_CASE("fork: waits for calls of the LAPACK library, however many there are") {
  const gnp::detail::lapack_library library{};  // no library: only the calls are counted
  std::atomic<bool> enough{false};
  std::atomic<int> calling{0};
  std::atomic<int> calls{0};
  std::vector<std::thread> busy;
  for (int t = 0; t < 2; ++t) {
    busy.emplace_back([&] {
      while (!enough) {
        const gnp::detail::lapack_call call(library, 1);
        ++calling;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ++calls;
        --calling;
      }
    });
  }
  while (calls < 2) std::this_thread::yield();
  for (int child = 0; child < 10; ++child) {
    CHECK(in_a_child([&] {
            const gnp::detail::lapack_call call(library, 1);
            return calling == 0 ? "" : "a thread was in the library";
          }) == "");
  }
  const int before = calls;
  while (calls < before + 2) std::this_thread::yield();  // they go on
  enough = true;
  for (std::thread& thread : busy) thread.join();
}
#endif

TEST_CASE("set_num_threads: at least one, and more than there are cores") {
  const with_threads guard(1);
  gnp::set_num_threads(0);
  CHECK(gnp::get_num_threads() == 1);
  gnp::set_num_threads(-5);
  CHECK(gnp::get_num_threads() == 1);
  gnp::set_num_threads(13);
  CHECK(gnp::get_num_threads() == 13);
}

TEST_CASE("threads: results do not depend on how many there are") {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const index_t n = 700;
  const gnp::array<float> x = (counted(n * n) * 0.37F).eval().reshape(n, n);
  const auto results = [&](int threads) {
    const with_threads guard(threads);
    std::vector<gnp::host_array<float>> all;
    all.push_back(gnp::asnumpy(gnp::sin(x) * x + x));                            // one run
    all.push_back(gnp::asnumpy(gnp::exp(x.T() * 1e-6F) + x));                    // buffered
    all.push_back(gnp::asnumpy(x + x(slice(3, 4)) * x(gnp::all, slice(5, 6))));  // rows, a repeated operand
    gnp::array<float> y = gnp::zeros<float>({n, n});
    gnp::flip(y.T())(gnp::ellipsis) = gnp::sqrt(x) - 1;  // scattered
    all.push_back(gnp::asnumpy(y));
    y = x.copy();
    y += y.T();  // overlapping
    all.push_back(gnp::asnumpy(y));
    return all;
  };
  const auto one = results(1);
  for (const int threads : {2, 3, 7, 16}) {
    INFO(threads << " threads");
    const auto many = results(threads);
    REQUIRE(many.size() == one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      REQUIRE(many[i].size() == n * n);
      CHECK(std::memcmp(one[i].data(), many[i].data(), static_cast<std::size_t>(one[i].nbytes())) == 0);
    }
  }
  // And they are right: the last element was reached.
  const float last = static_cast<float>(n * n - 1) * 0.37F;
  CHECK(one[4](n - 1, n - 1) == last + last);
  CHECK(one[3](0, 0) == std::sqrt(last) - 1);
}
