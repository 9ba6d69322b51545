// SPDX-License-Identifier: MIT
// test: asan
// What a device has, and how much of its memory is taken.
#include <optional>
#include <sstream>

#include "devices.hpp"

TEST_CASE("memory that arrays take is counted") {
  for_each_device([](gnp::device where) {
    constexpr gnp::index_t size = 48 << 20;
    constexpr auto bytes = static_cast<std::size_t>(size);
    const gnp::memory_facts before = gnp::memory_info();
    CHECK(before.total >= before.free);
    CHECK(before.total > std::size_t{256} << 20);
    std::optional<gnp::array<std::uint8_t>> x = gnp::zeros<std::uint8_t>(size);
    const gnp::memory_facts with = gnp::memory_info(where);
    CHECK(with.in_use >= before.in_use + bytes);
    CHECK(with.in_use <= before.in_use + bytes + bytes / 4);  // GPU memory comes in some sizes
    CHECK(with.highest >= with.in_use);
    const gnp::array<std::uint8_t> view = (*x)(gnp::slice(0, 10));
    x.reset();
    CHECK(gnp::memory_info().in_use == with.in_use);  // the view has it
    const gnp::memory_facts again = [&] {
      const gnp::array<std::uint8_t> small = view.copy();
      return gnp::memory_info();
    }();
    CHECK(again.in_use >= with.in_use);
    CHECK(again.highest >= with.highest);
  });
  for_each_device([](gnp::device) {
    const std::size_t before = gnp::memory_info().in_use;
    {
      const gnp::array<double> x = gnp::ones(1000000);
    }
    CHECK(gnp::memory_info().in_use == before);
  });
}

TEST_CASE("memory of other owners is not counted") {
  double owned[4] = {1, 2, 3, 4};
  const std::size_t before = gnp::memory_info(gnp::device::cpu()).in_use;
  const gnp::array<double> x = gnp::from_pointer(owned, {4}, gnp::device::cpu());
  CHECK(gnp::memory_info(gnp::device::cpu()).in_use == before);
}

TEST_CASE("what a device is") {
  for_each_device([](gnp::device where) {
    const gnp::device_facts facts = gnp::device_properties();
    CHECK_FALSE(facts.name.empty());
    CHECK(facts.multiprocessors > 0);
    CHECK(facts.memory == gnp::memory_info().total);
    CHECK((facts.compute_capability >= 50) == where.is_cuda());
    CHECK((facts.driver >= 11000) == where.is_cuda());
    CHECK((facts.shared_memory_per_block >= 48 << 10) == where.is_cuda());
    std::ostringstream text;
    text << facts << '\n' << gnp::memory_info();
    CHECK_THAT(text.str(), contains(facts.name));
    CHECK_THAT(text.str(), contains("MiB"));
  });
  CHECK_THROWS_AS(gnp::memory_info(gnp::device::cuda(60)), gnp::device_error);
  CHECK_THROWS_AS(gnp::device_properties(gnp::device::cuda(60)), gnp::device_error);
}
