// SPDX-License-Identifier: MIT
// test: asan
// The libraries' handles outlive the streams they were made for, and serve others on the same GPU. No GPU is
// needed.
#include <gnp/libraries/calls.hpp>

#include "catch.hpp"

#if GNP_HAS_CUDA

#include <stdexcept>

namespace {

int made = 0;
bool refuse = false;

int* make() {
  if (refuse) throw std::runtime_error("refused");
  ++made;
  return new int(made);
}
int* make_another() { return new int(0); }

using handle = gnp::detail::kept_handle<make>;

}  // namespace

TEST_CASE("a handle that is done with serves again on its GPU") {
  const int before = made;
  int* first = nullptr;
  {
    const handle a(0);
    const handle b(0);
    first = a.get();
    CHECK(a.get() != b.get());
    CHECK(made == before + 2);
  }
  {
    const handle elsewhere(1);
    CHECK(made == before + 3);
    const handle a(0);
    const handle b(0);
    CHECK(made == before + 3);
    CHECK(a.get() != b.get());
    CHECK((a.get() == first || b.get() == first));
    CHECK((elsewhere.get() != a.get() && elsewhere.get() != b.get()));
    const handle c(0);
    CHECK(made == before + 4);
  }
  const gnp::detail::kept_handle<make_another> other(0);
  CHECK(*other.get() == 0);
}

TEST_CASE("a handle that could not be made is not kept") {
  refuse = true;
  CHECK_THROWS_AS(handle(7), std::runtime_error);
  refuse = false;
  const handle now(7);
  CHECK(now.get() != nullptr);
}

#else

TEST_CASE("kept handles") {}

#endif
