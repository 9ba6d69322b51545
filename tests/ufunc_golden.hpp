// SPDX-License-Identifier: MIT
// The table-driven comparison of ufuncs with NumPy's values. A test file is one golden file, the types in it,
// and a list of the ufuncs with what each is allowed to differ by:
//
//     #define UFUNCS(X) X(sin, ulps(4)) X(floor, exact)
//     GNP_GOLDEN_TESTS("ufunc_float_math.bin", float_types, one_operand, UFUNCS)
//
// Several of them in one program, each in a namespace of its own, take less time to compile than several
// programs. It fails when the golden file has a ufunc, or a combination of types, that was not run.
#pragma once

#include <set>
#include <string_view>
#include <utility>

#include "devices.hpp"
#include "golden.hpp"

namespace golden {

// ------------------------------------------------------------------------------------------ what to call

/// round and nan_to_num are functions that have a ufunc inside; this is round with its second argument.
template <int Decimals>
struct round_to {
  template <class T>
  static constexpr bool supports = Decimals == 0 || !std::is_same_v<T, bool>;
  template <class A>
  auto operator()(const A& a) const {
    return gnp::round(a, Decimals);
  }
};
struct nan_to_num_by_default {
  template <class T>
  static constexpr bool supports = true;
  template <class A>
  auto operator()(const A& a) const {
    return gnp::nan_to_num(a);
  }
};

/// Where the names of the golden files are looked up: here, then in gnp.
namespace callee {
using namespace gnp;
inline constexpr round_to<0> round;
inline constexpr round_to<2> round_2;
inline constexpr round_to<-1> round_minus_1;
inline constexpr nan_to_num_by_default nan_to_num;
}  // namespace callee

/// The same for the objects that know which types a ufunc takes.
namespace object {
using namespace gnp::ufuncs;
using callee::nan_to_num;
using callee::round;
using callee::round_2;
using callee::round_minus_1;
}  // namespace object

/// A ufunc of gnp as a type: its name, its tolerance, and a call.
#define GNP_GOLDEN_UFUNC(ufunc, allowed)                                                                     \
  struct ufunc##_ufunc {                                                                                     \
    static constexpr const char* name = #ufunc;                                                              \
    static constexpr ::golden::tolerance tolerance = ::golden::allowed;                                      \
    template <class... T>                                                                                    \
    static constexpr bool supports = std::decay_t<decltype(golden::object::ufunc)>::template supports<T...>; \
    template <class... A>                                                                                    \
    auto operator()(const A&... a) const {                                                                   \
      return golden::callee::ufunc(a...);                                                                    \
    }                                                                                                        \
  };

// ------------------------------------------------------------------------------------------ with what

struct one_operand {
  template <class Ufunc, class T>
  using operands = types<T>;
};

/// Two of the same type; of three for clip and where. ldexp's exponent is the golden file's choice.
struct two_operands {
  static constexpr bool is(const char* a, const char* b) { return std::string_view(a) == b; }
  template <class Ufunc, class T>
  static constexpr auto choose() {
    if constexpr (is(Ufunc::name, "clip")) {
      return types<T, T, T>{};
    } else if constexpr (is(Ufunc::name, "where")) {
      return types<bool, T, T>{};
    } else if constexpr (is(Ufunc::name, "ldexp") && is_float_v<T>) {
      return types<T, std::int32_t>{};
    } else {
      return types<T, T>{};
    }
  }
  template <class Ufunc, class T>
  using operands = decltype(choose<Ufunc, T>());
};

// ------------------------------------------------------------------------------------------ running

/// One block as an array on the current device.
template <class T>
gnp::array<T> upload(const block& b) {
  const gnp::host_array<T> values = b.values<T>();
  return gnp::asarray(values.data(), values.shape());
}

/// Runs the records of one ufunc for one combination of types; how many there were.
template <class Ufunc, class... T>
int check_types(const file& golden, types<T...> operands) {
  int count = 0;
  for (const record& r : golden.records) {
    if (r.name != Ufunc::name || !golden.takes(r, operands)) continue;
    ++count;
    if constexpr (Ufunc::template supports<T...>) {
      gnp::array result = [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Ufunc{}(upload<T>(golden.operand(r, I))...);
      }(std::index_sequence_for<T...>());
      check_values(golden, r, gnp::asnumpy(result), Ufunc::tolerance);
    } else {
      FAIL_CHECK(r.name << " does not take " << golden.operand(r, 0).dtype << ", but NumPy's does");
    }
  }
  return count;
}

template <class Ufunc, class Operands, class... T>
void check_ufunc(const file& golden, types<T...>) {
  const auto wanted = std::count_if(golden.records.begin(), golden.records.end(),
                                    [](const record& r) { return std::string(Ufunc::name) == r.name; });
  REQUIRE(wanted > 0);
  for_each_device([&](gnp::device) {
    const int run = (check_types<Ufunc>(golden, typename Operands::template operands<Ufunc, T>{}) + ...);
    CHECK(run == wanted);
  });
}

inline void check_coverage(const file& golden, const std::set<std::string>& covered) {
  std::set<std::string> recorded;
  for (const record& r : golden.records) recorded.insert(r.name);
  CHECK(recorded == covered);
}

}  // namespace golden

#define GNP_GOLDEN_TEST_CASE(ufunc, allowed)                                            \
  TEST_CASE(std::string("NumPy's values: " #ufunc ", ") + golden_path) {                \
    golden::check_ufunc<ufunc##_ufunc, golden_operands>(golden_file(), golden_types{}); \
  }
#define GNP_GOLDEN_NAME(ufunc, allowed) #ufunc,

#define GNP_GOLDEN_TESTS(path, types, operands, ufuncs)                                            \
  namespace {                                                                                      \
  using golden_types = golden::types;                                                              \
  using golden_operands = golden::operands;                                                        \
  constexpr const char* golden_path = path;                                                        \
  const golden::file& golden_file() {                                                              \
    static const golden::file file(golden_path);                                                   \
    return file;                                                                                   \
  }                                                                                                \
  ufuncs(GNP_GOLDEN_UFUNC)                                                                         \
  }                                                                                                \
  ufuncs(GNP_GOLDEN_TEST_CASE) TEST_CASE(std::string("every recorded ufunc is tested, ") + path) { \
    golden::check_coverage(golden_file(), {ufuncs(GNP_GOLDEN_NAME)});                              \
  }
