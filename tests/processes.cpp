// SPDX-License-Identifier: MIT
// A program from end to end: threads that the system refuses, children that leave by way of main, and
// destructors of static objects that compute after all else is gone.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <gnp/gnp.hpp>
#include <sstream>

namespace {

std::atomic<bool> threads_are_refused{false};

int threads_there_are() {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) count += entry.exists();
  return count;
}

/// Threads, memory of a thread's own, and what is kept between calls.
bool computes() {
  const gnp::use_device on_cpu(gnp::device::cpu());
  const gnp::index_t n = 512;
  const gnp::array<float> x = gnp::ones<float>({n, n}) + gnp::arange<float>(n);
  const gnp::array<float> product = gnp::matmul(x, x);
  std::ostringstream text;
  text << gnp::random::uniform<float>(0, 1, {n, n}).shape().rank() << product(0, gnp::slice(0, 2));
  return gnp::all(gnp::sqrt(x * x) == x).item() && gnp::max(x.T() - x).item() == n - 1 &&
         product.item(0, 0) == n * (n + 1) / 2 && text.str() == "2[131328. 262656.]";
}

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "%s\n", what);
  ::_exit(1);
}

/// Made before anything of gnp's, and destroyed after it.
struct last_words {
  ~last_words() { check(computes(), "a static object's destructor computes something else"); }
} computes_at_the_end;

}  // namespace

/// In place of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                              void* argument) noexcept {
  if (threads_are_refused) return EAGAIN;
  using function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto original = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "pthread_create"));
  return original(thread, attributes, body, argument);
}

int main() {
  ::alarm(50);                        // whoever waits for ever is killed
  ::setenv("GNP_LAPACK", "none", 1);  // a BLAS has threads of its own, and ends a program that cannot have them
  gnp::set_num_threads(8);
  threads_are_refused = true;
  check(computes() && threads_there_are() == 1, "without threads: wrong, or not without threads");
  threads_are_refused = false;
  check(computes() && threads_there_are() == 8, "with threads: wrong, or not as many as were asked for");

  const pid_t child = ::fork();
  if (child == 0) {
    check(computes() && threads_there_are() == 8,
          "in a child: wrong, or not as many threads as were asked for");
    return 0;
  }
  int status = -1;
  check(child > 0 && ::waitpid(child, &status, 0) == child && status == 0, "the child failed");
  check(computes(), "after a fork: wrong");
  return 0;
}
