// SPDX-License-Identifier: MIT
// Indexing, joining, sorting, statistics and FFTs on a GPU: a line "row milliseconds checksums" each, which
// peers_arrays.py holds against other libraries. Their inputs are the same numbers, made by the same
// arithmetic. array_rows [regular expression of rows]
#include <string>
#include <vector>

#include "gnp_rows.hpp"

namespace {

using gnp::array;
using gnp::index_t;
using rows::numbers;
using rows::row;
using rows::words;

array<std::int64_t> places(const gnp::shape_t& shape, std::uint32_t below) {
  return (words(shape) % below).astype<std::int64_t>();
}
template <class T>
array<T> keys(const gnp::shape_t& shape) {
  const auto w = words(shape);
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    return w.astype<T>() * T(2654435761) + w.astype<T>();
  } else if constexpr (std::is_integral_v<T>) {
    return w.astype<T>();
  } else {
    return numbers(shape).astype<T>();
  }
}

constexpr index_t mega = 1 << 20;
constexpr index_t many = index_t{1} << 26;

void indexing() {
  row("mask", [] { return [x = numbers({many})] { return array<float>(x(x > 0.5F)); }; });
  row("nonzero", [] { return [x = numbers({many})] { return gnp::flatnonzero(x > 0.5F); }; });
  row("mask_assign", [] {
    return [x = numbers({many}), m = array<bool>(numbers({many}) > 0.5F)] {
      auto view = x;
      view(m) = 0.25F;
      return view;
    };
  });
  row("take",
      [] { return [x = numbers({many}), i = places({many}, 1U << 26)] { return gnp::take(x, i).eval(); }; });
  row("take_fused", [] {
    return [x = numbers({many}), i = places({many}, 1U << 26)] { return array<float>(x(i) * 2.0F + 1.0F); };
  });
  row("take_along_axis", [] {
    return [x = numbers({8192, 8192}), i = places({8192, 8192}, 8192)] {
      return gnp::take_along_axis(x, i, 1).eval();
    };
  });
}

void joining() {
  constexpr index_t half = index_t{1} << 27;  // 512 MiB
  row("copy", [] { return [x = numbers({2 * half})] { return x.copy(); }; });
  row("concatenate_2",
      [] { return [a = numbers({half}), b = numbers({half})] { return gnp::concatenate({a, b}); }; });
  row("concatenate_64", [] {
    std::vector<array<float>> parts;
    for (int i = 0; i < 64; ++i) parts.push_back(numbers({2 * half / 64}));
    return [parts] { return gnp::concatenate(parts); };
  });
  row("stack",
      [] { return [a = numbers({half}), b = numbers({half})] { return gnp::stack({a, b}, {.axis = 1}); }; });
  row("tile", [] { return [a = numbers({half / 8})] { return gnp::tile(a, {16}); }; });
  row("repeat", [] { return [a = numbers({half / 8})] { return gnp::repeat(a, 16); }; });
  row("roll", [] { return [a = numbers({2 * half})] { return gnp::roll(a, 12345).eval(); }; });
  row("tril", [] { return [a = numbers({16384, 16384})] { return gnp::tril(a).eval(); }; });
}

template <class T>
void sorting_of(const char* type) {
  row((std::string("sort_") + type).c_str(), [] { return [x = keys<T>({many})] { return gnp::sort(x); }; });
  row((std::string("argsort_") + type).c_str(),
      [] { return [x = keys<T>({many})] { return gnp::argsort(x); }; });
}

void sorting() {
  sorting_of<float>("float32");
  sorting_of<std::int32_t>("int32");
  sorting_of<std::int64_t>("int64");
  sorting_of<double>("float64");
  sorting_of<gnp::half>("float16");
  row("sort_rows_64", [] { return [x = numbers({mega, 64})] { return gnp::sort(x, {.axis = 1}); }; });
  row("sort_rows_1024", [] { return [x = numbers({mega / 16, 1024})] { return gnp::sort(x, {.axis = 1}); }; });
  row("sort_rows_65536", [] { return [x = numbers({1024, 65536})] { return gnp::sort(x, {.axis = 1}); }; });
  row("sort_columns", [] { return [x = numbers({1024, 65536})] { return gnp::sort(x, {.axis = 0}); }; });
  row("top_10", [] { return [x = numbers({many})] { return gnp::top_k(x, 10).values; }; });
  row("top_10_rows",
      [] { return [x = numbers({65536, 1024})] { return gnp::top_k(x, 10, {.axis = 1}).values; }; });
  row("median_rows",
      [] { return [x = numbers({65536, 1024})] { return gnp::median(x, {.axis = 1}).eval(); }; });
  row("unique_1000", [] {
    return [x = array<std::int32_t>(places({many}, 1000).astype<std::int32_t>())] { return gnp::unique(x); };
  });
  row("unique_10m", [] {
    return
        [x = array<std::int32_t>(places({many}, 10000000).astype<std::int32_t>())] { return gnp::unique(x); };
  });
  row("searchsorted", [] {
    return [a = gnp::sort(numbers({mega})), x = numbers({16 * mega})] { return gnp::searchsorted(a, x); };
  });
}

void statistics() {
  for (const std::uint32_t bins : {10U, 1000U, 1000000U}) {
    row(("bincount_" + std::to_string(bins)).c_str(), [bins] {
      return
          [x = array<std::int32_t>(places({many}, bins).astype<std::int32_t>())] { return gnp::bincount(x); };
    });
  }
  row("histogram", [] { return [x = numbers({many})] { return gnp::histogram(x, 100).hist; }; });
}

void transforms() {
  using gnp::complex64;
  const auto waves = [](const gnp::shape_t& shape) {
    const array<float> re = numbers(shape) - 0.5F;
    return array<complex64>(re.astype<complex64>() * complex64(1.0F, 0.5F));
  };
  row("fft_2^24", [&] { return [x = waves({16 * mega})] { return gnp::real(gnp::fft::fft(x)); }; });
  row("fft_1000x4096", [&] { return [x = waves({1000, 4096})] { return gnp::real(gnp::fft::fft(x)); }; });
  row("fft_256^3", [&] { return [x = waves({256, 256, 256})] { return gnp::real(gnp::fft::fftn(x)); }; });
  row("fft_prime", [&] { return [x = waves({1000003})] { return gnp::real(gnp::fft::fft(x)); }; });
  row("rfft_2^26", [] { return [x = numbers({many})] { return gnp::real(gnp::fft::rfft(x)); }; });
}

void small() {
  row("small_mask", [] { return [x = numbers({1000})] { return array<float>(x(x > 0.5F)); }; });
  row("small_take",
      [] { return [x = numbers({1000}), i = places({1000}, 1000)] { return gnp::take(x, i).eval(); }; });
  row("small_sort", [] { return [x = numbers({1000})] { return gnp::sort(x); }; });
  row("small_concatenate",
      [] { return [a = numbers({1000}), b = numbers({1000})] { return gnp::concatenate({a, b}); }; });
  row("small_unique", [] {
    return [x = array<std::int32_t>(places({1000}, 100).astype<std::int32_t>())] { return gnp::unique(x); };
  });
  row("small_bincount", [] {
    return [x = array<std::int32_t>(places({1000}, 100).astype<std::int32_t>())] { return gnp::bincount(x); };
  });
}

}  // namespace

int main(int count, char** arguments) {
  rows::answer(count, arguments, [] {
    indexing();
    joining();
    sorting();
    statistics();
    transforms();
    small();
  });
}
