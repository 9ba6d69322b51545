// SPDX-License-Identifier: MIT
// The calls of several processes, beside loops over what all of them are known to have. Each process runs all
// of this; check.sh starts 1 to 4 of them.  collectives [threads <count>]: by run(), in this process
#ifndef WITHOUT_MPI
#define GNP_MPI
#endif
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <gnp/gnp.hpp>
#include <limits>
#include <vector>

#include "checks.hpp"

namespace {

namespace dist = gnp::distributed;
using dist::reduction;
using gnp::array;
using gnp::index_t;
using gnp::shape_t;

const dist::group& world() { return dist::world(); }

/// Element i of what process r has: small whole numbers, so that every type is exact.
template <class T>
T element_of(int r, index_t i) {
  const auto number = static_cast<int>((i * 7 + r * 5) % 4);
  if constexpr (std::is_same_v<T, bool>) {
    return number % 2 == 1;
  } else if constexpr (gnp::scalar::is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(number), static_cast<typename T::value_type>(r));
  } else {
    return T(static_cast<float>(number));
  }
}
template <class T>
array<T> of_process(int r, const shape_t& shape) {
  gnp::host_array<T> host(shape);
  for (index_t i = 0; i < host.size(); ++i) host.data()[i] = element_of<T>(r, i);
  return gnp::asarray(host);
}

/// What NumPy makes of two elements.
template <class T>
T combined(reduction how, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return how == reduction::sum || how == reduction::max ? a || b : a && b;
  } else if constexpr (gnp::scalar::is_complex_v<T>) {
    const bool less = a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    return how == reduction::sum             ? a + b
           : how == reduction::prod          ? a * b
           : (how == reduction::min) == less ? a
                                             : b;
  } else {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    const double z = how == reduction::sum    ? x + y
                     : how == reduction::prod ? x * y
                     : how == reduction::min  ? std::min(x, y)
                                              : std::max(x, y);
    return T(static_cast<std::conditional_t<std::is_arithmetic_v<T>, T, float>>(z));
  }
}

template <class T>
std::vector<T> values(const array<T>& a) {
  const auto host = gnp::asnumpy(a);
  return std::vector<T>(host.begin(), host.end());
}

template <class TestType>
void reductions_of() {
  for_each_device([](gnp::device d) {
    const shape_t shape{3, 5};
    const array<TestType> x = of_process<TestType>(world().rank(), shape);
    for (const reduction how : {reduction::sum, reduction::prod, reduction::min, reduction::max}) {
      std::vector<TestType> expected = values(of_process<TestType>(0, shape));
      for (int r = 1; r < world().size(); ++r) {
        for (std::size_t i = 0; i < expected.size(); ++i)
          expected[i] = combined<TestType>(how, expected[i], element_of<TestType>(r, static_cast<index_t>(i)));
      }
      const auto all = world().all_reduce(x, {.op = how});
      CHECK(all.device() == d);
      CHECK(all.shape() == shape);
      CHECK(values(all) == expected);
      const int root = world().size() - 1;
      const auto one = world().reduce(x, {.op = how, .root = root});
      CHECK(one.size() == (world().rank() == root ? 15 : 0));
      if (world().rank() == root) CHECK(values(one) == expected);
      // Where they are, of a view with gaps: what lies between stays.
      const auto memory = gnp::zeros<TestType>({5, 6});
      const array<TestType> view = memory.T()(gnp::slice(0, 3));
      view.assign(x);
      world().all_reduce_in_place(view, {.op = how});
      CHECK(values(array<TestType>(view.copy())) == expected);
      CHECK(values(array<TestType>(memory(gnp::all, gnp::slice(3, 6)).copy())) ==
            std::vector<TestType>(15, TestType()));
    }
    CHECK(values(x) == values(of_process<TestType>(world().rank(), shape)));  // as it was
  });
}

void memory_that_cannot_be_written_is_refused() {
  const array<float> x = gnp::ones<float>({2, 3});
  CHECK_THROWS(gnp::shape_error, "all_reduce_in_place: the array of shape (2, 3) is read-only",
               world().all_reduce_in_place(gnp::detail::read_only_view(x)));
  CHECK_THROWS(gnp::shape_error, "all_reduce_in_place: the destination is a broadcast view of shape (2, 3)",
               world().all_reduce_in_place(x.view({0, {2, 3}, {0, 1}})));
  CHECK(values(x) == std::vector<float>(6, 1));
}

void expressions_numbers_nothing_nan_and_many_elements_are_reduced() {
  for_each_device([](gnp::device) {
    const int n = world().size();
    const array<double> x = gnp::arange<double>(4) * world().rank();
    CHECK(values(world().all_reduce(x * 2 + 1)) == std::vector<double>{double(n), double(n + n * (n - 1)),
                                                                       double(n + 2 * n * (n - 1)),
                                                                       double(n + 3 * n * (n - 1))});
    CHECK(double(world().all_reduce(gnp::sum(x))) == 3.0 * n * (n - 1));
    CHECK(world().all_reduce(gnp::zeros({0, 3})).shape() == shape_t{0, 3});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const array<double> y = gnp::asarray({world().rank() == n - 1 ? nan : 1.0, 2.0});
    CHECK(std::isnan(double(world().all_reduce(y, {.op = reduction::max})(0))));
    CHECK(double(world().all_reduce(y, {.op = reduction::min})(1)) == 2);
    const array<float> singles = y.astype<float>();
    CHECK(std::isnan(float(world().all_reduce(singles, {.op = reduction::min})(0))));
    const array<float> many = gnp::ones<float>(3000001) * float(world().rank() + 1);
    CHECK(bool(gnp::all(world().all_reduce(many) == float(n * (n + 1) / 2))));
  });
}

void all_gather_and_gather_join_along_any_axis_also_of_lengths_that_differ() {
  for_each_device([](gnp::device d) {
    const int me = world().rank(), n = world().size();
    // Process r has r + 1 rows, which hold r.
    const array<int> rows = gnp::full<int>({me + 1, 2}, me);
    std::vector<int> expected;
    for (int r = 0; r < n; ++r) expected.insert(expected.end(), static_cast<std::size_t>(2 * (r + 1)), r);
    const array<int> all = world().all_gather(rows);
    CHECK(all.device() == d);
    CHECK(all.shape() == shape_t{n * (n + 1) / 2, 2});
    CHECK(values(all) == expected);
    const array<int> columns = world().all_gather(rows.T(), {.axis = -1});
    CHECK(values(array<int>(columns.T().copy())) == expected);
    for (int root = 0; root < n; ++root) {
      const array<int> one = world().gather(rows.T(), {.root = root, .axis = 1});
      CHECK(one.size() == (me == root ? n * (n + 1) : 0));
      if (me == root) CHECK(values(array<int>(one.T().copy())) == expected);
    }
    // Of no elements on some.
    const array<int> few = world().all_gather(gnp::ones<int>(me == 0 ? 0 : 2));
    CHECK(few.size() == 2 * (n - 1));
    if (n > 1) {
      CHECK_THROWS(gnp::error,
                   "all_gather: process 0 has shape (1, 1), process 1 (2, 2), which do not join along "
                   "axis 0",
                   world().all_gather(gnp::ones<int>({me + 1, me + 1})));
      CHECK_THROWS(gnp::distributed_error, "",
                   world().gather(me == 0 ? gnp::ones<int>(3) : gnp::ones<int>({3, 1})));
    }
    CHECK_THROWS(gnp::index_error, "", world().all_gather(rows, {.axis = 2}));
    CHECK_THROWS(gnp::error, "gather: the root ", world().gather(rows, {.root = n}));
  });
}

void broadcast_and_scatter_give_what_the_root_has() {
  for_each_device([](gnp::device d) {
    const int me = world().rank(), n = world().size();
    for (int root = 0; root < n; ++root) {
      const array<float> x =
          me == root ? array<float>(gnp::arange<float>(21).reshape(7, 3) + float(root)) : array<float>();
      const array<float> all = world().broadcast(x.T(), {.root = root});
      CHECK(all.device() == d);
      CHECK(bool(gnp::array_equal(all, (gnp::arange<float>(21).reshape(7, 3) + float(root)).T())));
      // Seven rows: the first parts have one more, as array_split cuts them.
      const array<float> part = world().scatter(x, {.root = root});
      const auto parts = gnp::array_split(array<float>(gnp::arange<float>(21).reshape(7, 3) + float(root)), n);
      CHECK(bool(gnp::array_equal(part, parts[static_cast<std::size_t>(me)])));
      if (me != root) CHECK(x.size() == 0);
    }
    const array<float> narrow =
        world().scatter(me == 0 ? gnp::ones<float>({2, 2}) : gnp::ones<float>({0, 0}), {.axis = 1});
    CHECK(narrow.shape() == shape_t{2, n == 1 ? 2 : me < 2 ? 1 : 0});
    CHECK(double(world().broadcast(gnp::asarray(me + 0.5))) == 0.5);
    CHECK_THROWS(gnp::index_error, "", world().broadcast(narrow, {.root = -1}));
  });
}

void reduce_scatter_and_all_to_all() {
  for_each_device([](gnp::device) {
    const int me = world().rank(), n = world().size();
    const array<int> x = gnp::arange<int>(10) + 100 * me;
    const array<int> sum = gnp::arange<int>(10) * n + 50 * n * (n - 1);
    CHECK(bool(
        gnp::array_equal(world().reduce_scatter(x), gnp::array_split(sum, n)[static_cast<std::size_t>(me)])));
    // A matrix whose rows are shared out becomes one whose columns are: nothing else is a transposition of the
    // parts.
    const array<int> matrix = gnp::arange<int>(7 * 5).reshape(7, 5);
    const array<int> mine = gnp::array_split(matrix, n)[static_cast<std::size_t>(me)];
    const array<int> by_columns = world().all_to_all(mine, {.axis = 1, .into = 0});
    CHECK(bool(gnp::array_equal(by_columns, gnp::array_split(matrix, n, 1)[static_cast<std::size_t>(me)])));
    CHECK(bool(gnp::array_equal(world().all_to_all(by_columns, {.axis = 0, .into = 1}), mine)));
  });
}

/// Without check_calls(), too.
void shapes_that_do_not_join_are_errors_on_all() {
  const int me = world().rank();
  if (world().size() == 1) return;
  const array<int> x = gnp::zeros<int>(me == 0 ? shape_t{3, 4} : shape_t{3});
  CHECK_THROWS(gnp::distributed_error, "all_gather: process 0 has shape (3, 4) of int32, process 1 (3,)",
               world().all_gather(x, {.axis = 1}));
  CHECK_THROWS(gnp::distributed_error, "gather: process 0 has shape (3, 4)", world().gather(x, {.axis = 1}));
  CHECK_THROWS(gnp::distributed_error, "all_to_all: process 0 has shape (3, 4)",
               world().all_to_all(x, {.axis = 1, .into = 0}));
  CHECK_THROWS(gnp::shape_error,
               "all_to_all: process 0 has shape (1, 2), process 1 (1, 3), which do not join along axis 0",
               world().all_to_all(gnp::zeros<int>({1, 2 + me}), {.axis = 1, .into = 0}));
  CHECK(int(world().all_reduce(gnp::asarray(1))) == world().size());  // the group goes on
}

void send_and_receive_in_a_ring() {
  for_each_device([](gnp::device d) {
    const int me = world().rank(), n = world().size();
    CHECK_THROWS(gnp::error, "send: process", world().send(gnp::ones(3), me));
    CHECK_THROWS(gnp::index_error, "", world().receive<float>(n));
    if (n == 1) return;
    for (int turn = 0; turn < 2; ++turn) {
      const array<double> x = gnp::arange<double>(6).reshape(2, 3).T() + me;
      if (me % 2 == turn) {
        world().send(x, (me + 1) % n);
      } else if (n % 2 == 0 || (me + n - 1) % n % 2 == turn) {
        const array<double> y = world().receive<double>((me + n - 1) % n);
        CHECK(y.device() == d);
        CHECK(bool(gnp::array_equal(y, gnp::arange<double>(6).reshape(2, 3).T() + (me + n - 1) % n)));
      }
      world().barrier();
      if (n % 2 == 1) break;
    }
    if (n % 2 == 1 && me == 0) static_cast<void>(world().receive<double>(n - 1));
    // Another type is an error, and the next message is the next one.
    if (me == 0) {
      world().send(gnp::ones<float>(5), 1);
      world().send(gnp::full<int>(2, 7), 1);
    } else if (me == 1) {
      CHECK_THROWS(gnp::error, "receive: process 0 sends float32, and int32 was asked for",
                   world().receive<int>(0));
      CHECK(values(world().receive<int>(0)) == std::vector<int>{7, 7});
    }
  });
}

void arrays_that_all_exchange_at_once() {
  for_each_device([](gnp::device d) {
    using parcel = dist::detail::parcel<int>;
    const int me = world().rank(), n = world().size();
    // To each process, itself too, as many elements as the ranks' sum: none from the first to itself. Twice.
    std::vector<parcel> sent, received;
    for (int turn = 0; turn < 2; ++turn) {
      for (int r = 0; r < n; ++r) {
        sent.push_back({r, gnp::full<int>(me + r, 100 * turn + 10 * me + r)});
        received.push_back({r, gnp::zeros<int>(me + r)});
      }
    }
    dist::detail::exchange_arrays<int>(world(), "a test", gnp::default_device(), sent, received);
    for (std::size_t i = 0; i < received.size(); ++i) {
      const int r = received[i].peer, turn = static_cast<int>(i) / n;
      CHECK(received[i].memory.device() == d);
      CHECK(values(received[i].memory) ==
            std::vector<int>(static_cast<std::size_t>(me + r), 100 * turn + 10 * r + me));
    }
    // Only from the last to the first.
    const std::vector<parcel> one = {{me == 0 ? n - 1 : 0, gnp::full<int>(100000, me)}};
    if (n > 1) {
      dist::detail::exchange_arrays<int>(world(), "a test", gnp::default_device(), me == n - 1 ? one : std::vector<parcel>(),
                                         me == 0 ? one : std::vector<parcel>());
      if (me == 0) CHECK(bool(gnp::all(one[0].memory == n - 1)));
    }
  });
}

void streams_are_ordered() {
  for_each_device([](gnp::device d) {
    const int n = world().size();
    const gnp::stream other;
    // On a GPU what comes before the call takes longer than starting it, and so does what comes after.
    array<double> x = gnp::zeros<double>(d.is_cuda() ? 1 << 23 : 1000);
    const auto add = [&](int times) {
      for (int i = 0; i < times; ++i) x += 1;
    };
    for (int i = 0; i < 3; ++i) {
      x.fill(0);
      add(20);
      array<double> sum;
      {
        const gnp::use_stream guard(other);
        sum = world().all_reduce(x);
      }
      add(20);
      CHECK(bool(gnp::all(sum == 20 * n)));
      {
        const gnp::use_stream guard(other);
        world().all_reduce_in_place(x);
      }
      x += 1;
      CHECK(bool(gnp::all(x == 40 * n + 1)));
    }
  });
}

void devices_of_two_kinds() {
  const int me = world().rank(), n = world().size();
  if (gnp::default_device().is_cpu() || n == 1) return;
  // Calls that tell each other of their arrays go through the host where one of them is there.
  const gnp::use_device guard(me == 0 ? gnp::device::cpu() : gnp::default_device());
  const array<int> all = world().all_gather(gnp::full<int>(2, me));
  CHECK(all.device() == gnp::default_device());
  CHECK(all.size() == 2 * n);
  CHECK(int(world().broadcast(gnp::asarray(me + 7))) == 7);
  world().barrier();
  dist::check_calls();
  world().barrier();
  CHECK_THROWS(gnp::distributed_error, "on another kind of device", world().all_reduce(gnp::ones(3)));
  world().barrier();
  dist::check_calls(false);
  world().barrier();
}

void groups_of_some_processes() {
  for_each_device([](gnp::device) {
    const int me = world().rank(), n = world().size();
    const auto halves = world().split(me % 2);
    CHECK(halves.has_value());
    CHECK(halves->size() == (n + 1 - me % 2) / 2);
    CHECK(halves->rank() == me / 2);
    int sum = 0;
    for (int r = me % 2; r < n; r += 2) sum += r;
    CHECK(int(halves->all_reduce(gnp::asarray(me))) == sum);
    const auto backwards = world().split(0, -me);
    CHECK(backwards->rank() == n - 1 - me);
    const auto first = world().split(me == 0 ? 0 : -1);
    CHECK(first.has_value() == (me == 0));
    if (first) CHECK(first->size() == 1);
    const dist::group copy = *halves;
    copy.barrier();
  });
}

void with_checks_calls_that_differ_are_errors_on_all() {
  world().barrier();  // threads share the setting
  dist::check_calls();
  world().barrier();
  const int me = world().rank();
  CHECK(int(world().all_reduce(gnp::asarray(1))) == world().size());
  if (world().size() > 1) {
    const std::string first = "all_reduce: process 0 calls all_reduce of shape (3,) of float64, process 1 ";
    CHECK_THROWS(gnp::error, first + "all_reduce of shape (4,) of float64",
                 world().all_reduce(gnp::ones(me == 1 ? 4 : 3)));
    CHECK_THROWS(gnp::error, first + "all_reduce of shape (3,) of float64 with another operation",
                 world().all_reduce(gnp::ones(3), {.op = me == 1 ? reduction::min : reduction::sum}));
    if (me == 1) {
      CHECK_THROWS(gnp::error, "process 1 reduce of shape (3,) of float32",
                   world().reduce(gnp::ones<float>(3)));
    } else {
      CHECK_THROWS(gnp::error, "process 1 reduce of shape (3,) of float32", world().all_reduce(gnp::ones(3)));
    }
  }
  CHECK(int(world().all_reduce(gnp::asarray(1))) == world().size());  // the group goes on
  world().barrier();
  dist::check_calls(false);
  world().barrier();
}

void the_time_that_others_may_take() {
  const double before = dist::timeout();
  CHECK(before > 0);
  world().barrier();
  dist::set_timeout(5);
  CHECK(dist::timeout() == 5);
  world().barrier();
  CHECK_THROWS(gnp::error, "", dist::set_timeout(0));
  dist::set_timeout(before);
}

void all_cases() {
  reductions_of<bool>();
  reductions_of<std::int8_t>();
  reductions_of<std::int16_t>();
  reductions_of<std::int32_t>();
  reductions_of<std::int64_t>();
  reductions_of<std::uint8_t>();
  reductions_of<std::uint16_t>();
  reductions_of<std::uint32_t>();
  reductions_of<std::uint64_t>();
  reductions_of<gnp::half>();
  reductions_of<gnp::bfloat16>();
  reductions_of<float>();
  reductions_of<double>();
  reductions_of<std::complex<float>>();
  reductions_of<std::complex<double>>();
  memory_that_cannot_be_written_is_refused();
  expressions_numbers_nothing_nan_and_many_elements_are_reduced();
  all_gather_and_gather_join_along_any_axis_also_of_lengths_that_differ();
  broadcast_and_scatter_give_what_the_root_has();
  reduce_scatter_and_all_to_all();
  shapes_that_do_not_join_are_errors_on_all();
  send_and_receive_in_a_ring();
  arrays_that_all_exchange_at_once();
  streams_are_ordered();
  devices_of_two_kinds();
  groups_of_some_processes();
  with_checks_calls_that_differ_are_errors_on_all();
  the_time_that_others_may_take();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::strcmp(arguments[1], "threads") == 0) {
    dist::run(std::atoi(arguments[2]), all_cases);
  } else {
    world();  // which chooses the default device
    all_cases();
  }
  return checks::result();
}
