// SPDX-License-Identifier: MIT
// Graphs give what their bodies give, again and again. On the CPU a graph runs its body: what is said of both
// devices here holds however it is done.
// test: simulated-gpu
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <thread>
#include <tuple>
#include <vector>

#include "devices.hpp"

namespace {

using gnp::all;
using gnp::array;
using gnp::index_t;
using gnp::none;
using gnp::slice;

template <class T>
std::vector<T> values(const array<T>& a) {
  const gnp::host_array<T> host = gnp::asnumpy(a);
  return {host.begin(), host.end()};
}

/// What a network of one layer and its gradient make of their weights.
struct layer {
  array<float> w, b;
  layer() : w(gnp::arange<float>(12).reshape(4, 3) / 16), b(gnp::zeros<float>(3)) {}
  void train(const array<float>& x, const array<float>& wanted, const array<float>& loss) {
    const auto score = gnp::matmul(x, w) + b;
    const auto e = exp(score - max(score, 1, {.keepdims = true}));
    const array<float> p = e / sum(e, 1, {.keepdims = true});
    loss(gnp::ellipsis) = -mean(sum(wanted * log(p), 1));
    const array<float> error = (p - wanted) / 5;
    w -= 0.5F * gnp::matmul(x.T(), error);
    b -= 0.5F * sum(error, 0);
  }
};

}  // namespace

TEST_CASE("a graph does its body's work at each call") {
  for_each_device([](gnp::device) {
    array<double> s = gnp::arange(1000.0);
    const double* const where = s.data();
    gnp::graph step([&] { s(all) = s * 2 + 1; });
    CHECK(double(s(3)) == 3);  // recorded, not done
    step();
    CHECK(double(s(3)) == 7);
    step();
    step();
    CHECK(double(s(3)) == 31);
    CHECK(s.data() == where);
    CHECK(double(s(999)) == 999 * 8 + 7);
  });
}

TEST_CASE("a chain of a hundred statements with temporaries") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(1000);
    array<float> end = gnp::zeros<float>(1000);
    const auto chain = [&] {
      array<float> s = x;
      for (int i = 0; i < 100; ++i) s = s * 0.99F + 0.01F;
      end(all) = s;
    };
    gnp::graph g(chain);
    g();
    const std::vector<float> recorded = values(end);
    float by_hand = 500;
    for (int i = 0; i < 100; ++i) {
      by_hand *= 0.99F;
      by_hand += 0.01F;
    }
    CHECK(recorded[500] == by_hand);
    end(all) = 0;
    chain();
    CHECK(values(end) == recorded);  // bit for bit
  });
}

TEST_CASE("products, reductions and updates in place") {
  for_each_device([](gnp::device) {
    const array<float> x = gnp::arange<float>(20).reshape(5, 4) % 7 - 3;
    const array<float> wanted = (gnp::arange<int>(5).reshape(5, 1) % 3 == gnp::arange<int>(3)).astype<float>();
    layer plain, recorded;
    array<float> plain_loss = gnp::zeros<float>(gnp::shape_t{}), loss = gnp::zeros<float>(gnp::shape_t{});
    gnp::graph step([&] { recorded.train(x, wanted, loss); });
    float first = 0;
    for (int i = 0; i < 20; ++i) {
      step();
      plain.train(x, wanted, plain_loss);
      if (i == 0) first = float(loss);
    }
    CHECK(values(recorded.w) == values(plain.w));
    CHECK(values(recorded.b) == values(plain.b));
    CHECK(float(loss) == float(plain_loss));
    CHECK(float(loss) < first / 2);  // it learns
  });
}

namespace {

/// Statements in an order of chance, which share what they read and write in all ways: whole arrays and parts
/// of them, temporaries that come and go, and what reductions, scans, sorts and products have of the stream's
/// own.
struct program_of_chance {
  std::vector<array<float>> a;
  array<float> large = gnp::arange<float>(300000) / 300000;
  array<index_t> order = gnp::arange<index_t>(256) * 7 % 256;

  program_of_chance() {
    for (int k = 0; k < 6; ++k) a.push_back((gnp::arange<float>(256) * (k + 3) % 17 - 8) / 8);
  }

  void run(unsigned seed, int statements) {
    std::mt19937 chance(seed);
    const auto any = [&](unsigned below) { return chance() % below; };
    const auto one = [&]() -> array<float>& { return a[any(6)]; };
    for (int k = 0; k < statements; ++k) {
      array<float>& x = one();
      const array<float>&y = one(), &z = one();
      const auto first = static_cast<index_t>(any(200));
      const gnp::slice part(first, first + 50);
      switch (any(11)) {
        case 0:
          x(all) = 0.5F * (y + z);
          break;
        case 1:
          x(all) = y - mean(z);
          break;
        case 2:
          large *= 0.5F * x(first) + 1;
          x(first) = sum(large) / 300000;
          break;
        case 3:
          x(all) = cumsum(y) / 256;
          break;
        case 4:
          x(all) = 0.25F * sort(y) + 0.5F * z;
          break;
        case 5:
          x(all) = y(order);
          break;
        case 6:
          x(part) = 0.5F * y(gnp::slice(0, 50));
          break;
        case 7: {
          const array<float> product = gnp::matmul(y.reshape(16, 16), z.reshape(16, 16)) / 16;
          x(all) = product.ravel();
          break;
        }
        case 8: {
          const array<float> kept = y * z;
          y(all) = 0.5F * kept - 0.5F * y;
          x(all) = maximum(kept, y);
          break;
        }
        case 9:
          x = gnp::concatenate({y(gnp::slice(0, 100)), z(gnp::slice(100, gnp::none))});
          break;
        default:
          x(order(gnp::slice(0, 99))) = z(gnp::slice(1, 100));
      }
    }
  }
};

}  // namespace

TEST_CASE("statements that share memory in a graph come one after the other") {
  for_each_device([](gnp::device) {
    for (unsigned seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      program_of_chance plain, recorded;
      plain.run(seed, 40);
      gnp::graph g([&] { recorded.run(seed, 40); });
      g();
      for (std::size_t k = 0; k < 6; ++k) {
        CAPTURE(k);
        CHECK(values(recorded.a[k]) == values(plain.a[k]));
      }
      CHECK(values(recorded.large) == values(plain.large));
    }
  });
}

TEST_CASE("work side by side in a graph has memory of its own") {
  for_each_device([](gnp::device) {
    constexpr index_t length = 20000;
    std::vector<array<std::int64_t>> sums, in;
    for (index_t k = 0; k < 24; ++k) {
      in.push_back(gnp::arange<std::int64_t>(length) % (k + 2));
      sums.push_back(gnp::zeros<std::int64_t>(2));
    }
    gnp::graph g([&] {
      std::vector<array<std::int64_t>> scanned;
      for (const array<std::int64_t>& each : in) scanned.push_back(cumsum(each + 1));
      for (std::size_t k = 0; k < in.size(); ++k) {
        sums[k](0) = scanned[k](-1);
        sums[k](1) = sum(in[k]);
      }
    });
    for (int call = 0; call < 3; ++call) {
      for (array<std::int64_t>& s : sums) s(all) = -1;
      g();
      for (std::size_t k = 0; k < in.size(); ++k) {
        CAPTURE(call, k);
        std::int64_t wanted = 0;
        for (index_t i = 0; i < length; ++i) wanted += i % static_cast<index_t>(k + 2);
        CHECK(values(sums[k]) == std::vector<std::int64_t>{wanted + length, wanted});
      }
    }
  });
}

TEST_CASE("work on memory that is another array's, too, in a graph") {
  for_each_device([](gnp::device where) {
    array<float> a = gnp::zeros<float>(300);
    const auto part = [&](index_t first) { return gnp::from_pointer(a.data() + first, {200}, where); };
    array<float> left = part(0), right = part(100);
    gnp::graph g([&] {
      a(all) = a + 1;
      left(all) = left * 2;
      right(all) = right + 10;
      a(all) = a * 3;
      left += 1;
    });
    g();
    CHECK(values(a)[50] == 7);
    CHECK(values(a)[150] == 37);
    CHECK(values(a)[250] == 33);
  });
}

TEST_CASE("what a graph reads may change, and what it uses may be let go of") {
  for_each_device([](gnp::device) {
    array<float> result = gnp::zeros<float>(3);
    array<float> input = gnp::asarray<float>({1, 2, 3});
    const array<float> also_input = input;
    std::unique_ptr<gnp::graph> g;
    {
      const array<float> gone = gnp::asarray<float>({10, 20, 30});
      g = std::make_unique<gnp::graph>([&result, input, gone] { result(all) = input + gone; });
    }
    const array<float> others = gnp::full<float>(3, 99);  // would take memory that was let go of
    (*g)();
    CHECK(values(result) == std::vector<float>{11, 22, 33});
    input += 1;
    (*g)();
    CHECK(values(result) == std::vector<float>{12, 23, 34});
    for (int i = 0; i < 10; ++i) (*g)();
    g.reset();  // while it may run
    CHECK(values(result) == std::vector<float>{12, 23, 34});
    CHECK(values(others) == std::vector<float>{99, 99, 99});
  });
}

TEST_CASE("what is made by the body outlives the graph") {
  for_each_device([](gnp::device) {
    array<double> made;
    const array<double> x = gnp::arange(5.0);
    {
      gnp::graph g([&] {
        made = x * 3;
        made += 1;
      });
      g();
      g();
    }
    const array<double> other = gnp::zeros(5);
    CHECK(values(made) == std::vector<double>{1, 4, 7, 10, 13});
    made += 1;
    CHECK(double(made(4)) == 14);
    CHECK(double(sum(other)) == 0);
  });
}

TEST_CASE("an array that the body only makes has memory that others wait for") {
  for_each_device([](gnp::device) {
    constexpr index_t n = 1 << 16;
    const array<float> a = gnp::ones<float>(n);
    array<float> sum = gnp::zeros<float>(n);
    array<float> made;
    auto g = std::make_unique<gnp::graph>([&] {
      {
        const array<float> temporary = a + 1;
        sum += temporary;
      }
      made = gnp::empty<float>(n);  // where the temporary was, on a GPU
    });
    made.fill(3);
    made = array<float>();
    // That memory is nobody else's while the graph may write there.
    std::vector<array<float>> others;
    for (int k = 0; k < 8; ++k) others.push_back(gnp::full<float>(n, 7.0F));
    for (int k = 0; k < 3; ++k) (*g)();
    for (const array<float>& other : others) CHECK(gnp::all(other == 7.0F).item());
    CHECK(gnp::all(sum == 6.0F).item());
  });
}

TEST_CASE("host data is what it was when it was recorded") {
  for_each_device([](gnp::device where) {
    std::vector<double> host{1, 2, 3};
    array<double> result = gnp::zeros(3);
    gnp::graph g([&result, host] { result(all) = gnp::asarray(host) * 2; });
    host.assign({7, 7, 7});
    g();
    g();
    CHECK(values(result) == std::vector<double>{2, 4, 6});
    static_cast<void>(where);
  });
}

TEST_CASE("graphs on several streams") {
  for_each_device([](gnp::device where) {
    array<float> s = gnp::zeros<float>(100000);
    gnp::graph g([&] { s(all) = s + sum(gnp::ones<float>(1000)) / 1000; });
    const gnp::stream one(where), two(where);
    for (int i = 0; i < 50; ++i) {
      const gnp::use_stream use(i % 2 == 0 ? one : two);
      g();
      if (i % 10 == 9) s += 1;
    }
    CHECK(float(min(s)) == 55);
    CHECK(float(max(s)) == 55);
  });
}

TEST_CASE("threads record and call at the same time") {
  for_each_device([](gnp::device where) {
    std::vector<std::thread> threads;
    std::vector<int> right(4, 0);
    for (std::size_t t = 0; t < right.size(); ++t) {
      threads.emplace_back([&right, t, where] {
        const gnp::use_device guard(where);
        for (int round = 0; round < 5; ++round) {
          array<double> s = gnp::full(500, static_cast<double>(t));
          gnp::graph g([&] { s(all) = s + gnp::sqrt(gnp::full(500, 4.0)); });
          for (int i = 0; i < 10; ++i) g();
          right[t] += double(min(s)) == static_cast<double>(t) + 20 && double(max(s)) == double(min(s)) ? 1 : 0;
        }
      });
    }
    for (std::thread& t : threads) t.join();
    CHECK(right == std::vector<int>(4, 5));
  });
}

TEST_CASE("graphs are moved") {
  for_each_device([](gnp::device where) {
    array<int> s = gnp::zeros<int>(4);
    gnp::graph first([&] { s += 1; });
    gnp::graph second = std::move(first);
    second();
    CHECK(int(sum(s)) == 4);
    CHECK(second.device() == where);
    CHECK_THROWS_AS(first(), gnp::graph_error);
    first = std::move(second);
    first();
    CHECK(int(sum(s)) == 8);
  });
}

TEST_CASE("empty arrays and bodies without work") {
  for_each_device([](gnp::device) {
    array<float> nothing = gnp::zeros<float>(0);
    gnp::graph g([&] { nothing(all) = nothing * 2; });
    g();
    g();
    CHECK(nothing.size() == 0);
  });
}

TEST_CASE("an exception of the body ends the recording") {
  for_each_device([](gnp::device where) {
    array<float> s = gnp::ones<float>(10);
    const auto fails = [&] {
      s += 1;
      throw std::runtime_error("mine");
    };
    if (where.is_cpu()) {
      gnp::graph g(fails);
      CHECK_THROWS_WITH(g(), "mine");
    } else {
      CHECK_THROWS_WITH(gnp::graph(fails), "mine");
    }
    array<float> t = s * 2;
    CHECK(float(sum(t)) == (where.is_cpu() ? 40 : 20));
    gnp::graph again([&] { t += 1; });
    again();
    CHECK(float(t(0)) == (where.is_cpu() ? 5 : 3));
  });
}

namespace {

/// What a step draws: many kinds of numbers, of several types, from several generators.
struct drawn_numbers {
  gnp::random::generator rng = gnp::random::default_rng(5), other = gnp::random::default_rng(6);
  array<double> real = gnp::zeros<double>({7, 1001});
  array<std::int64_t> whole = gnp::zeros<std::int64_t>({2, 100, 4});
  array<gnp::half> halves = gnp::zeros<gnp::half>(999);

  void step() {
    auto fresh = gnp::random::default_rng(7);
    real(0) = rng.normal(0, 2, {1001});
    real(1) = other.uniform<float>(-1, 1, {1001});
    real(2) = rng.uniform(0, 3, {1001});
    real(3) = rng.gamma(1.5, 2.0, {1001}) + fresh.standard_normal({1001});
    real(4) = gnp::random::rand(1001);
    rng.advance(3);
    real(5) = rng.exponential<float>(2, {1001});
    real(6) = rng.choice(17, {1001}).astype<double>();
    whole(0) = rng.binomial(20, 0.3, {100, 4});
    whole(1) = rng.poisson(12.5, {100, 4});
    halves(gnp::all) = other.normal<gnp::half>(0, 1, {999});
  }
  bool operator==(const drawn_numbers& b) const {
    return gnp::array_equal(real, b.real) && gnp::array_equal(whole, b.whole) &&
           gnp::array_equal(halves, b.halves);
  }
};

}  // namespace

TEST_CASE("each call draws the numbers that the body would") {
  for_each_device([](gnp::device) {
    drawn_numbers replayed, run;
    gnp::random::seed(11);
    gnp::graph g([&] { replayed.step(); });
    for (int round = 0; round < 6; ++round) {
      // The module's generator is both's: its numbers of a round are drawn twice, from the same seed.
      gnp::random::seed(static_cast<std::uint64_t>(round));
      g();
      gnp::random::seed(static_cast<std::uint64_t>(round));
      run.step();
      INFO(round);
      CHECK(replayed == run);
      // What is drawn between calls counts, too.
      if (round == 3) CHECK(gnp::array_equal(replayed.rng.normal(0, 1, {10}), run.rng.normal(0, 1, {10})));
    }
  });
}

TEST_CASE("a graph keeps what it draws from") {
  for_each_device([](gnp::device) {
    array<float> out = gnp::zeros<float>(100);
    std::optional<gnp::graph> g;
    {
      auto rng = gnp::random::default_rng(3);
      g.emplace([rng, out]() mutable { out(gnp::all) = rng.normal<float>(0, 1, {100}); });
    }
    auto same = gnp::random::default_rng(3);
    for (int round = 0; round < 3; ++round) {
      (*g)();
      CHECK(gnp::array_equal(out, same.normal<float>(0, 1, {100})));
    }
  });
}

TEST_CASE("more draws than one page of memory has, and more elements than one source") {
  for_each_device([](gnp::device) {
    auto rng = gnp::random::default_rng(3), same = gnp::random::default_rng(3);
    array<float> out = gnp::zeros<float>({100, 33}), want = gnp::zeros<float>({100, 33});
    const auto fill = [](gnp::random::generator& from, array<float>& to) {
      for (gnp::index_t i = 0; i < 100; ++i) to(i) = from.random<float>({33});
    };
    gnp::graph g([&] { fill(rng, out); });
    for (int round = 0; round < 3; ++round) {
      g();
      fill(same, want);
      CHECK(gnp::array_equal(out, want));
    }
  });
}

TEST_CASE("a jit function draws at each call") {
  for_each_device([](gnp::device) {
    auto rng = gnp::random::default_rng(9), same = gnp::random::default_rng(9);
    const auto noisy = gnp::jit(
        [&rng](const array<float>& x) { return array<float>(x + rng.normal<float>(0, 1, x.shape())); });
    for (int round = 0; round < 4; ++round) {
      for (const gnp::index_t size : {10, 1000}) {
        const array<float> x = gnp::arange<float>(size);
        CHECK(gnp::array_equal(noisy(x), x + same.normal<float>(0, 1, {size})));
      }
    }
  });
}

TEST_CASE("lists of quantiles stay on the host") {
  for_each_device([](gnp::device) {
    array<float> x = gnp::arange<float>(10).reshape(2, 5);
    array<float> middle = gnp::zeros<float>({2, 2});
    array<float> ends = gnp::zeros<float>({2, 2});
    gnp::graph g([&] {
      middle(all, all) = gnp::quantile(x, {0.25, 0.75}, 1);
      ends(all, all) = gnp::nanpercentile(x, std::vector<int>{0, 100}, 1);
    });
    x += 1;
    g();
    CHECK(values(middle) == std::vector<float>{2, 7, 4, 9});
    CHECK(values(ends) == std::vector<float>{1, 6, 5, 10});
  });
}

TEST_CASE("what cannot be recorded is an error") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  array<float> s = gnp::ones<float>(10);
  const auto recorded = [](const auto& body) { gnp::graph g(body); };
  const array<float> square = gnp::eye<float>(3) + 1.0F;
  const array<std::int64_t> whole = gnp::arange<std::int64_t>(4);
  const auto refused = [&](const char* call, const auto& body) {
    INFO(call);
    CHECK_THROWS_WITH(recorded(body), contains(std::string("elements are asked for, by ") + call + ':'));
  };
  refused("item(), a number or a condition", [&] { std::ignore = float(sum(s)); });
  refused("item(), a number or a condition", [&] { std::ignore = any(s > 2.0F) ? 1 : 2; });
  refused("asnumpy(), printing, saving or a move to the CPU", [&] { std::ignore = gnp::asnumpy(s); });
  refused("asnumpy(), printing, saving or a move to the CPU", [&] { std::ostringstream() << s; });
  refused("indexing by a mask", [&] { const array<float> some = s(s > 0.5F); });
  refused("nonzero", [&] { std::ignore = gnp::nonzero(s); });
  refused("argwhere", [&] { std::ignore = gnp::argwhere(s); });
  refused("unique", [&] { std::ignore = gnp::unique(s); });
  refused("union1d", [&] { std::ignore = gnp::union1d(s, s); });
  refused("bincount", [&] { std::ignore = gnp::bincount(whole); });
  refused("histogram", [&] { std::ignore = gnp::histogram(s, 3); });
  refused("allclose", [&] { std::ignore = gnp::allclose(s, s); });
  refused("array_equal", [&] { std::ignore = gnp::array_equal(s, s); });
  refused("repeat", [&] { std::ignore = gnp::repeat(whole, whole); });
  refused("average", [&] { std::ignore = gnp::average(s, s); });
  refused("matrix_rank", [&] { std::ignore = gnp::linalg::matrix_rank(square); });
  CHECK_THROWS_WITH(recorded([] { gnp::synchronize(); }), contains("synchronize()"));
  auto rng = gnp::random::default_rng(1);
  CHECK_THROWS_WITH(recorded([&] { s(gnp::all) = rng.permutation(10).astype<float>(); }), contains("orders"));
  CHECK_THROWS_WITH(recorded([&] { auto copy = rng; }), contains("is copied"));
  CHECK_THROWS_WITH(recorded([&] { rng = gnp::random::default_rng(2); }), contains("seeded anew"));
  CHECK_THROWS_WITH(recorded([] { gnp::random::seed(2); }), contains("seeded anew"));
  CHECK_THROWS_WITH(recorded([&] { std::ignore = rng.spawn(2); }), contains("spawned"));
  CHECK_THROWS_WITH(recorded([&] { gnp::graph inner([&] { s += 1; }); }), contains("while another one is"));
  gnp::graph other([&] { s += 1; });
  CHECK_THROWS_WITH(recorded([&] { other(); }), contains("while another one is"));
  const gnp::stream elsewhere;
  CHECK_THROWS_WITH(recorded([&] {
                      const gnp::use_stream use(elsewhere);
                      s += 1;
                    }),
                    contains("one stream"));
  other();
  CHECK(float(sum(s)) == 20);
}

TEST_CASE("an index out of bounds is found after a replay") {
  for_each_device([](gnp::device where) {
    const array<float> s = gnp::arange<float>(10);
    array<index_t> at = gnp::asarray<index_t>({1, 2, 3});
    array<float> taken = gnp::zeros<float>(3);
    gnp::graph g([&] { taken(all) = s(at); });
    g();
    CHECK(values(taken) == std::vector<float>{1, 2, 3});
    at += 8;
    if (where.is_cpu()) {
      CHECK_THROWS_AS(g(), gnp::index_error);
    } else {
      g();
      CHECK_THROWS_AS(gnp::synchronize(), gnp::index_error);
    }
    at -= 8;
    g();
    CHECK(values(taken) == std::vector<float>{1, 2, 3});
  });
}

TEST_CASE("jit: fresh results for each set of arguments") {
  for_each_device([](gnp::device where) {
    int calls = 0;
    const auto f = gnp::jit([&calls](const array<float>& x, const array<float>& w, float scale) {
      ++calls;
      return array<float>(gnp::tanh(gnp::matmul(x, w)) * scale);
    });
    const array<float> x = gnp::arange<float>(6).reshape(2, 3), w = gnp::ones<float>({3, 4});
    const array<float> first = f(x, w, 2.0F);
    const array<float> second = f(x * 0, w, 2.0F);
    CHECK(float(first(1, 3)) == Approx(2 * std::tanh(12.0F)));
    CHECK(float(abs(second).max()) == 0);
    CHECK(values(first) == values(array<float>(gnp::tanh(gnp::matmul(x, w)) * 2)));
    CHECK(first.device() == where);
    const int of_these = calls;
    CHECK(of_these == (where.is_cpu() ? 2 : 1));
    // Other numbers, shapes and layouts.
    CHECK(float(f(x, w, 3.0F)(1, 3)) == Approx(3 * std::tanh(12.0F)));
    CHECK(f(gnp::ones<float>({5, 3}), w, 2.0F).shape() == gnp::shape_t{5, 4});
    CHECK(calls == of_these + 2);
    CHECK(values(f(gnp::flip(x), w, 2.0F)) ==
          values(array<float>(gnp::tanh(gnp::matmul(gnp::flip(x), w)) * 2)));
    CHECK(f(gnp::zeros<float>({0, 3}), w, 2.0F).size() == 0);
    CHECK_THROWS_AS(f(gnp::ones<float>({5, 2}), w, 2.0F), gnp::shape_error);
    CHECK(values(f(x, w, 2.0F)) == values(first));
  });
}

TEST_CASE("jit: results are nobody else's, be they arguments") {
  for_each_device([](gnp::device) {
    const array<double> source = gnp::arange<double>(4);
    const array<double> held = gnp::ones<double>(4);
    const auto f = gnp::jit([&held](const array<double>& x) { return std::tuple(x, x(gnp::slice(2)), held); });
    const auto [same, part, other] = f(source);
    same(all) = 7;
    part(all) = 8;
    other(all) = 9;
    CHECK(gnp::array_equal(source, gnp::arange<double>(4)));
    CHECK(gnp::array_equal(held, gnp::ones<double>(4)));
    CHECK(gnp::array_equal(same, gnp::full<double>({4}, 7)));
  });
}

TEST_CASE("jit: several results, and more signatures than are kept") {
  for_each_device([](gnp::device) {
    const auto f = gnp::jit([](const array<double>& x) {
      return std::tuple(array<double>(x - mean(x)), sum(x), std::pair(array<double>(x * 2), 7));
    });
    for (index_t round = 0; round < 2; ++round) {
      for (index_t n = 1; n < 40; ++n) {
        const auto [centred, total, more] = f(gnp::arange(static_cast<double>(n)) + 1);
        CHECK(double(total) == static_cast<double>(n * (n + 1)) / 2);
        CHECK(double(centred(0)) == -static_cast<double>(n - 1) / 2);
        CHECK(double(more.first(-1)) == static_cast<double>(2 * n));
        CHECK(more.second == 7);
      }
    }
    const auto in_another = [&] { return std::get<1>(f(gnp::arange(4.0))); };
    array<double> result = gnp::zeros(1);
    gnp::graph g([&] { result(all) = in_another(); });
    g();
    CHECK(double(result(0)) == 6);
  });
}

TEST_CASE("jit: a std::array of results") {
  for_each_device([](gnp::device) {
    const auto f =
        gnp::jit([](const array<double>& x) { return std::array{array<double>(x + 1), array<double>(x * 2)}; });
    const std::array<array<double>, 2> results = f(gnp::arange(3.0));
    CHECK(double(results[0](2)) == 3);
    CHECK(double(results[1](2)) == 4);
  });
}

namespace {
struct mean_and_rest {
  gnp::array<float> mean;
  gnp::array<double> rest;
  int count;
};
}  // namespace

TEST_CASE("jit: a struct of results") {
  for_each_device([](gnp::device) {
    const auto apart = gnp::jit([](const gnp::array<float>& x) {
      const gnp::array<float> m = gnp::mean(x);
      return mean_and_rest{m, (x - m).astype<double>(), 2};
    });
    std::vector<mean_and_rest> results;
    for (int i = 1; i < 3; ++i) results.push_back(apart(gnp::asarray<float>({0, 2}) * static_cast<float>(i)));
    for (int i = 1; i < 3; ++i) {
      const mean_and_rest& r = results[static_cast<std::size_t>(i) - 1];
      CHECK(r.mean.item() == static_cast<float>(i));
      CHECK(gnp::array_equal(r.rest, gnp::asarray<double>({-1, 1}) * i));
      CHECK(r.count == 2);
    }
  });
}

TEST_CASE("jit: arguments in structs, vectors and tuples") {
  for_each_device([](gnp::device) {
    int calls = 0;
    const auto step = gnp::jit([&calls](const mean_and_rest& s, const std::vector<array<float>>& weights,
                                        const std::tuple<array<float>, std::array<float, 2>>& more) {
      ++calls;
      array<float> mean = s.mean;
      for (const array<float>& w : weights) mean = mean + w * std::get<1>(more)[1];
      return mean_and_rest{mean, s.rest + std::get<0>(more).astype<double>(), s.count + 1};
    });
    mean_and_rest state{gnp::zeros<float>(3), gnp::ones<double>({2, 2}), 0};
    const std::vector<array<float>> weights{gnp::ones<float>(3), gnp::arange<float>(3)};
    const std::tuple more(gnp::full<float>({2, 2}, 2), std::array{1.0F, 10.0F});
    for (int i = 0; i < 2; ++i) state = step(state, weights, more);
    CHECK(values(state.mean) == std::vector<float>{20, 40, 60});
    CHECK(values(state.rest) == std::vector<double>{5, 5, 5, 5});
    CHECK(state.count == 2);
    CHECK(calls == 2);  // for the count is a number
    CHECK(values(step(state, std::vector{weights[0]}, more).mean) == std::vector<float>{30, 50, 70});
    const auto chosen = gnp::jit([](const array<double>& x, const std::vector<bool>& signs) {
      return array<double>(signs.at(0) ? x : -x);
    });
    CHECK(values(chosen(gnp::arange(2.0), std::vector<bool>{true})) == std::vector<double>{0, 1});
    CHECK(values(chosen(gnp::arange(2.0) + 1.0, std::vector<bool>{false})) == std::vector<double>{-1, -2});
  });
}

namespace {
struct with_c_arrays {
  int numbers[2];
  array<double> rows[2];
  double matrix[2][2];
  array<double> rest;
};
}  // namespace

TEST_CASE("jit: structs with C arrays, and long doubles") {
  static_assert(gnp::detail::member_count<with_c_arrays>() == 4);
  for_each_device([](gnp::device where) {
    int calls = 0;
    const auto f = gnp::jit([&calls](const with_c_arrays& p, long double scale) {
      ++calls;
      const double factor = p.matrix[1][0] * static_cast<double>(scale);
      return with_c_arrays{
          {p.numbers[1], p.numbers[0]}, {p.rows[1] + p.rest, p.rows[0] * factor}, {{p.matrix[1][1]}}, p.rest};
    });
    const auto call = [&f](double x, long double scale) {
      // What was in the memory before must not count: a long double has bytes without a meaning.
      alignas(long double) unsigned char memory[sizeof(long double)];
      for (unsigned char& byte : memory) byte = static_cast<unsigned char>(x);
      long double& there = *new (memory) long double(scale);
      return f(
          with_c_arrays{{1, 2}, {gnp::ones({2}) * x, gnp::arange(2.0)}, {{1, 2}, {3, 4}}, gnp::ones({2}) * x},
          there);
    };
    for (const double x : {5.0, 6.0}) {
      const with_c_arrays r = call(x, 2.5L);
      CHECK(r.numbers[0] == 2);
      CHECK(values(r.rows[0]) == std::vector<double>{x, x + 1});
      CHECK(values(r.rows[1]) == std::vector<double>{7.5 * x, 7.5 * x});
      CHECK(r.matrix[0][0] == 4);
      CHECK(values(r.rest) == std::vector<double>{x, x});
    }
    CHECK(calls == (where.is_cpu() ? 2 : 1));
    CHECK(values(call(1, 3).rows[1]) == std::vector<double>{9, 9});
    CHECK(calls == (where.is_cpu() ? 3 : 2));
  });
}

TEST_CASE("jit: disjoint parts of an array, references, and results without copies") {
  for_each_device([](gnp::device where) {
    int calls = 0;
    const auto add = gnp::jit([&calls](array<double>& x, const array<double>& y) {
      ++calls;
      x += y;
      return array<double>(x * 2.0);
    });
    array<double> both = gnp::arange(8.0).reshape(2, 4);
    for (int i = 0; i < 3; ++i) add(both(0), both(1));
    CHECK(values(both) == std::vector<double>{12, 16, 20, 24, 4, 5, 6, 7});
    CHECK(calls == (where.is_cpu() ? 3 : 1));
    CHECK_THROWS_AS(add(gnp::broadcast_to(gnp::ones(1), {4}), both(1)), gnp::shape_error);
    // A tuple of one tuple stays one.
    const auto nested = gnp::jit([](const std::tuple<std::tuple<array<double>, int>>& x) {
      return std::tuple<std::pair<array<double>, int>>{{std::get<0>(std::get<0>(x)) + 1.0, 2}};
    });
    const std::tuple<std::pair<array<double>, int>> made =
        nested(std::tuple{std::tuple{array<double>(both(1)), 3}});
    CHECK(values(std::get<0>(made).first) == std::vector<double>{5, 6, 7, 8});
    if (!where.is_cpu()) return;
    const double* computed = nullptr;
    const auto f = gnp::jit([&computed](const array<double>& x) {
      const array<double> y = x + 1.0;
      computed = y.data();
      return std::pair(y, 1);
    });
    CHECK(f(both).first.data() == computed);
  });
}

TEST_CASE("jit: a function that writes to its argument changes the caller's array") {
  for_each_device([](gnp::device) {
    const auto add_one = gnp::jit([](array<double> x, const array<double>& y) {
      x += 1.0;
      return array<double>(x * y);
    });
    const auto add_product = gnp::jit([](array<double> x, const array<double>& y) {  // no kernels of gnp alone
      x += matmul(y, x);
      return array<double>(x * 2.0);
    });
    for (int round = 0; round < 2; ++round) {
      const array<double> a = gnp::arange(4.0), b = gnp::full<double>({4}, 3);
      CHECK(values(add_one(a, b)) == std::vector<double>{3, 6, 9, 12});
      CHECK(values(a) == std::vector<double>{1, 2, 3, 4});
      CHECK(values(add_one(a, a)) == std::vector<double>{4, 9, 16, 25});
      CHECK(values(a) == std::vector<double>{2, 3, 4, 5});
      const array<double> m =
          gnp::arange(6.0).reshape(2, 3);  // a column, which is not contiguous, and its square
      CHECK(values(add_one(m(all, 1), square(m(all, 1)))) == std::vector<double>{2, 80});
      CHECK(values(m) == std::vector<double>{0, 2, 2, 3, 5, 5});
      const array<double> y = gnp::ones<double>({2, 2});
      const array<double> x = gnp::arange(4.0).reshape(2, 2);
      CHECK(values(add_product(x, y)) == std::vector<double>{4, 10, 8, 14});
      CHECK(values(x) == std::vector<double>{2, 5, 4, 7});
    }
    // The second name of a written argument is an array that the function has captured.
    const array<double> held = gnp::ones(3);
    const auto both = gnp::jit([&held](array<double> x) {
      x += 1.0;
      return array<double>(held * 10.0);
    });
    CHECK(values(both(gnp::zeros(3))) == std::vector<double>{10, 10, 10});
    CHECK(values(both(held)) == std::vector<double>{20, 20, 20});
  });
}

TEST_CASE("jit: a result that repeats elements can be written") {
  for_each_device([](gnp::device) {
    const auto rows = gnp::jit(
        [](const array<float>& x) { return array<float>(gnp::broadcast_to(array<float>(x + 1.0F), {2, 3})); });
    array<float> made = rows(gnp::zeros<float>(3));
    made(0) += 1.0F;
    CHECK(values(made) == std::vector<float>{2, 2, 2, 1, 1, 1});
  });
}

TEST_CASE("a graph without a body") {
  gnp::graph g;
  CHECK_THROWS_AS(g(), gnp::graph_error);
  for_each_device([&g](gnp::device) {
    array<int> x = gnp::zeros<int>(2);
    g = gnp::graph([x] { x(all) = x + 1; });
    g();
    CHECK(values(x) == std::vector<int>{1, 1});
  });
}

TEST_CASE("jit: arguments are read where they are, in any layout") {
  for_each_device([](gnp::device) {
    const auto f = [](const array<float>& x, const array<float>& y) {
      const array<float> both = x * 2.0F + y;
      const array<float> e = exp(both - max(both, 1, {.keepdims = true}));
      const array<float> rows = e / sum(e, 1, {.keepdims = true});
      const array<float> beside = x(all, slice(1, none)) - y(all, slice(none, -1));
      return std::tuple(rows, beside, array<float>(sum(both, 0)), array<float>(var(y)));
    };
    const auto recorded = gnp::jit(f);
    const array<float> big = gnp::sin(gnp::arange<float>(40 * 40));
    const index_t n = 12 * 20;
    const std::vector<array<float>> given = {
        big(slice(n)).reshape(12, 20),            // its own memory from the beginning
        big(slice(16, 16 + n)).reshape(12, 20),   // from within
        big(slice(1, 1 + n)).reshape(12, 20),     // from an address that no vector begins at
        big(slice(n)).reshape(20, 12).T(),        // columns
        big(slice(0, 2 * n, 2)).reshape(12, 20),  // every other element
        gnp::cos(big(slice(n))).reshape(12, 20)};
    std::vector<std::tuple<array<float>, array<float>, array<float>, array<float>>> results, plain;
    for (const array<float>& x : given) {
      for (const array<float>& y : given) {
        results.push_back(recorded(x, y));
        plain.push_back(f(x, y));
      }
    }
    results.push_back(recorded(given[0] + 1.0F, given[1]));
    plain.push_back(f(given[0] + 1.0F, given[1]));
    for (std::size_t k = 0; k < plain.size(); ++k) {  // (Sums of other layouts are rounded otherwise.)
      INFO("call " << k);
      CHECK(gnp::allclose(std::get<0>(results[k]), std::get<0>(plain[k]), 1e-6, 1e-6));
      CHECK(gnp::array_equal(std::get<1>(results[k]), std::get<1>(plain[k])));
      CHECK(gnp::allclose(std::get<2>(results[k]), std::get<2>(plain[k]), 1e-6, 1e-6));
      CHECK(gnp::allclose(std::get<3>(results[k]), std::get<3>(plain[k]), 1e-6, 1e-6));
    }
  });
}

TEST_CASE("jit: a call copies neither its arguments nor its results, where they can be moved") {
  if (!gnp::cuda_available()) return say_that_cuda_was_skipped();
  const gnp::use_device guard(gnp::device::cuda(0));
  const auto f = gnp::jit([](const array<float>& x, const array<float>& y) {
    const array<float> d = x - y;
    return std::pair(array<float>(d * d), array<float>(sum(d)));
  });
  const array<float> x = gnp::arange<float>(5000), y = gnp::ones<float>(5000);
  f(x, y);
  f(x(slice(1000, none)), y(slice(1000, none)));
  const auto copies_in = [](const std::function<void()>& calls) {
    const gnp::profile seen;
    calls();
    int found = 0;
    for (const gnp::profile_row& row : seen.rows()) found += row.name.find("copy") == std::string::npos ? 0 : 1;
    return found;
  };
  array<float> square, total;
  CHECK(copies_in([&] {
          std::tie(square, total) = f(x(slice(1000, none)), y(slice(1000, none)));
          for (int k = 0; k < 3; ++k) f(y, x);
        }) == 0);
  CHECK(copies_in([&] { f(x(slice(1, 4001)), y(slice(1000, none))); }) == 1);  // an address between vectors
  const auto first_of =
      gnp::jit([](const array<float>& a, const array<float>&) { return array<float>(a * 2.0F); });
  first_of(x, y);
  CHECK(copies_in([&] { first_of(y, x); }) == 0);  // not even what it does not read
  CHECK(float(square(0)) == 999.0F * 999.0F);
  CHECK(float(total) == 4000 * 2998.5F);
}

TEST_CASE("jit: arrays that a function keeps or writes are not moved") {
  for_each_device([](gnp::device) {
    array<double> seen, sum_of_calls = gnp::zeros(6);
    const auto f = gnp::jit([&](const array<double>& x) {
      seen = x;
      sum_of_calls += x;
      return std::pair(array<double>(x * 2.0), sum_of_calls);
    });
    const array<double> first = gnp::arange(6.0), second = gnp::arange(6.0) * 10.0;
    const auto [twice, so_far] = f(first);
    CHECK(gnp::array_equal(seen, first));
    const auto [again, then] = f(second);
    CHECK(gnp::array_equal(seen, second));
    CHECK(gnp::array_equal(twice, first * 2.0));
    CHECK(gnp::array_equal(again, second * 2.0));
    CHECK(gnp::array_equal(so_far, first));
    CHECK(gnp::array_equal(then, first + second));
    // An argument that the function writes by another name.
    array<double> state = gnp::ones(8);
    const auto step = gnp::jit([&state](const array<double>& x) {
      state(slice(1, none)) = x(slice(none, -1)) + 1.0;
      return array<double>(x + 0.0);
    });
    step(gnp::zeros(8));
    step(state);
    CHECK(double(state(1)) == 2);
  });
}

TEST_CASE("jit: calls of several threads, and arguments that change after a call") {
  for_each_device([](gnp::device where) {
    const auto f = gnp::jit([](const array<double>& x) {
      const array<double> t = x * x;
      return array<double>(t + x);
    });
    f(gnp::zeros(1000));
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const gnp::use_device guard(where);
        const gnp::stream s;
        const gnp::use_stream on(s);
        for (int k = 0; k < 20; ++k) {
          const double v = 100.0 * t + k;
          array<double> x = gnp::full(1000, v);
          const array<double> y = f(x);
          x(all) = -1.0;
          wrong[static_cast<std::size_t>(t)] += bool(gnp::all(y == v * v + v)) ? 0 : 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<int>(4));
  });
}

TEST_CASE("jit: an index out of bounds in moved arguments") {
  for_each_device([](gnp::device) {
    const auto f = gnp::jit(
        [](const array<double>& x, const array<std::int64_t>& i) { return array<double>(x(i) * 2.0); });
    const array<double> x = gnp::arange(10.0);
    CHECK(gnp::array_equal(f(x, gnp::asarray<std::int64_t>({3, -1, 0})), gnp::asarray<double>({6, 18, 0})));
    CHECK(
        gnp::array_equal(f(x + 1.0, gnp::asarray<std::int64_t>({9, 9, 1})), gnp::asarray<double>({20, 20, 4})));
    CHECK_THROWS_AS(gnp::asnumpy(f(x, gnp::asarray<std::int64_t>({3, 10, 0}))), gnp::index_error);
    CHECK(gnp::array_equal(f(x, gnp::asarray<std::int64_t>({3, -1, 0})), gnp::asarray<double>({6, 18, 0})));
  });
}
