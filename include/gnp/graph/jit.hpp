// SPDX-License-Identifier: MIT
// gnp::jit: a function of arrays, whose work is recorded at the first call with each kind of arguments.
#pragma once

#include <array>
#include <gnp/array/array.hpp>
#include <gnp/exec/value.hpp>
#include <gnp/graph/graph.hpp>
#include <gnp/graph/members_of.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace gnp { inline namespace GNP_ABI {

namespace detail {

/// How a recording keeps an argument: arrays in memory of the recording, anything else unchanged.
template <class X>
struct kept_argument {
  using type = X;
};
template <array_like X>
struct kept_argument<X> {
  using type = array<typename X::value_type>;
};

template <class X>
inline constexpr bool is_vector_v = false;
template <class X>
inline constexpr bool is_vector_v<std::vector<X>> = true;

template <class X>
inline constexpr bool is_std_array_v = false;
template <class X, std::size_t count>
inline constexpr bool is_std_array_v<std::array<X, count>> = true;

template <class X>
inline constexpr bool is_plain_value = std::is_arithmetic_v<X> || std::is_enum_v<X> || element<X>;

/// Calls f for each array and expression among the results of a function. These may be a pair, a tuple, a
/// std::array, a vector or a struct of such; anything that is not an array stays as it is.
template <class F, class X>
auto for_each_result(const F& f, const X& x) {
  if constexpr (array_like<X>) {
    return f(x);
  } else if constexpr (requires { typename X::first_type; }) {
    return std::pair(for_each_result(f, x.first), for_each_result(f, x.second));
  } else if constexpr (is_std_array_v<X>) {
    using result = decltype(for_each_result(f, x.front()));
    return std::apply(
        [&f](const auto&... each) { return std::array<result, sizeof...(each)>{for_each_result(f, each)...}; },
        x);
  } else if constexpr (requires { std::tuple_size<X>::value; }) {
    return std::apply([&f](const auto&... each) { return std::tuple(for_each_result(f, each)...); }, x);
  } else if constexpr (is_vector_v<X>) {
    std::vector<decltype(for_each_result(f, x.front()))> results;
    for (const auto& each : x) results.push_back(for_each_result(f, each));
    return results;
  } else if constexpr (std::is_aggregate_v<X> && std::is_class_v<X>) {
    X results = x;
    for_each_member([&f](auto& member) { member = for_each_result(f, member); }, results);
    return results;
  } else {
    static_assert(is_plain_value<X>,
                  "gnp: a function for jit returns an array, a number, or a pair, tuple, std::array, vector or "
                  "struct of such");
    return x;
  }
}

/// Calls f for each of these arrays and expressions.
template <class F, class X>
void visit_results(const F& f, const X& x) {
  const auto each = [&f](const auto& part) { visit_results(f, part); };
  if constexpr (array_like<X>) {
    f(x);
  } else if constexpr (requires { std::tuple_size<X>::value; }) {
    std::apply([&each](const auto&... part) { (each(part), ...); }, x);
  } else if constexpr (is_vector_v<X>) {
    for (const auto& part : x) each(part);
  } else if constexpr (std::is_aggregate_v<X> && std::is_class_v<X>) {
    for_each_member(each, x);
  }
}

/// The same results, all computed.
template <class X>
auto stored_results(const X& x) {
  return for_each_result([](const auto& each) { return array(each); }, x);
}

/// Other memory for arrays of a recording, in one call: what jit passes on and gives back without a copy.
class moved_arrays {
 public:
  explicit moved_arrays(graph_body& work) : work_(work) {}

  /// Takes an argument's memory in the place of the recording's own array. False where that has to be a copy:
  /// if the recording does more than to read it in kernels of gnp, or the argument lies otherwise.
  template <class T, class X>
  bool takes(const array<T>& own, const X& x) {
    if constexpr (std::is_same_v<X, array<T>>) {
      return can_take(*own.block().get(), *x.block().get(), x.data(),
                      x.device() == own.device() && is_contiguous(x.shape(), x.element_strides()));
    } else {
      return false;
    }
  }
  /// Gives a result new memory, unless it has to be a copy.
  template <class T>
  void renews(const array<T>& result) {
    const auto bytes = static_cast<std::size_t>(result.size()) * sizeof(T);
    if (is_contiguous(result.shape(), result.element_strides()))
      renew(*result.block().get(), result.data(), bytes);
  }

  void run() { work_.run_moved(moved_); }

  /// The result in its new memory.
  template <class T>
  array<T> result_of(const array<T>& recorded) const {
    const storage_ref* const block = new_block_of(*recorded.block().get());
    if (block == nullptr) return recorded.copy();
    return array<T>(*block, static_cast<T*>((*block)->data), recorded.shape(), recorded.element_strides());
  }

 private:
  GNP_DECLARED bool can_take(const storage& own, storage& given, void* data, bool is_alike);
  GNP_DECLARED void renew(const storage& recorded, const void* data, std::size_t bytes);
  GNP_DECLARED const storage_ref* new_block_of(const storage& recorded) const;

  graph_body& work_;
  std::vector<moved_block> moved_;
  std::vector<std::pair<const storage*, storage_ref>> renewed_;
};

/// The same results, with copies of those that share their memory with somebody: a function may return its
/// argument.
template <class X>
auto unshared_results(const X& x) {
  return for_each_result(
      [](const auto& each) {
        return each.block()->references.load(std::memory_order_relaxed) > 1 ? each.copy() : each;
      },
      x);
}

/// Adds what a recording depends on besides types.
template <class X>
void add_to_signature(std::string& signature, const X& x) {
  if constexpr (array_like<X>) {
    signature += to_string(x.shape()) + to_string(x.device());
  } else {
    static_assert(is_plain_value<X>,
                  "gnp: the arguments of a jit function are arrays, expressions and numbers");
    signature.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  signature += ';';
}

/// The GPU that arguments are on; nothing where they are on the CPU, or not together.
template <class... X>
std::optional<device> gpu_of(const X&... arguments) {
  std::optional<device> found;
  bool together = true;
  const auto look = [&](const auto& x) {
    if constexpr (array_like<std::decay_t<decltype(x)>>) {
      together = together && (!found || *found == x.device());
      found = x.device();
    }
  };
  (look(arguments), ...);
  if (!found) found = default_device();
  return together && found->is_cuda() ? found : std::nullopt;
}

/// Is this thread's work being recorded?
inline bool is_recording() {
#if GNP_HAS_CUDA
  return recording_here != nullptr;
#else
  return false;
#endif
}

/// The recordings of one function.
class jit_recordings;
GNP_DECLARED std::shared_ptr<jit_recordings> make_jit_recordings();

/// The recording of this signature, or a new one in its place.
GNP_DECLARED std::shared_ptr<void> find_recording(jit_recordings& recordings, const std::string& signature,
                                                  std::shared_ptr<void> (*make)());

}  // namespace detail

// A number is passed on as what it is, and converted by the function's own parameter, as f(x, 2) would be.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#if defined(__clang__)
#pragma GCC diagnostic ignored "-Wimplicit-float-conversion"
#else
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#endif
#endif

/// What jit makes of a function.
template <class F>
class jit_function {
 public:
  explicit jit_function(F f) : f_(std::make_shared<F>(std::move(f))) {}

  template <class... X>
  auto operator()(const X&... arguments) const {
    using recording = recorded_call<typename detail::kept_argument<X>::type...>;
    const std::optional<device> where = detail::gpu_of(arguments...);
    if (!where || detail::is_recording()) {
      const auto results = detail::stored_results((*f_)(typename detail::kept_argument<X>::type(arguments)...));
      return detail::unshared_results(results);
    }
    std::string signature = typeid(recording).name() + to_string(*where);
    (detail::add_to_signature(signature, arguments), ...);
    const auto known = std::static_pointer_cast<recording>(detail::find_recording(
        *recordings_, signature, [] { return std::shared_ptr<void>(std::make_shared<recording>()); }));
    const std::lock_guard lock(known->queueing);
    if (!known->work) known->record(*f_, *where, arguments...);
    detail::moved_arrays moved(*known->work->body_);
    known->take(moved, std::index_sequence_for<X...>(), arguments...);
    detail::visit_results([&moved](const auto& each) { moved.renews(each); }, *known->result);
    moved.run();
    return detail::for_each_result([&moved](const auto& each) { return moved.result_of(each); },
                                   *known->result);
  }

 private:
  template <class... Kept>
  struct recorded_call {
    static_assert(!std::is_void_v<std::invoke_result_t<F&, const Kept&...>>,
                  "gnp: a function for jit returns what it computes");
    using result_type =
        decltype(detail::stored_results(std::declval<std::invoke_result_t<F&, const Kept&...>>()));
    std::mutex queueing;  // one call's work after the other's
    std::optional<std::tuple<Kept...>> inputs;
    std::optional<result_type> result;
    std::optional<graph> work;

    template <class... X>
    void record(F& f, device where, const X&... arguments) {
      inputs.emplace(own(arguments)...);
      work.emplace([&] { result.emplace(detail::stored_results(std::apply(f, *inputs))); }, where);
    }
    template <std::size_t... Index, class... X>
    void take(detail::moved_arrays& moved, std::index_sequence<Index...>, const X&... arguments) {
      (bring(moved, std::get<Index>(*inputs), arguments), ...);
    }

   private:
    template <class X>
    static auto own(const X& x) {
      if constexpr (array_like<X>) {
        return array<typename X::value_type>(x.shape(), x.device(), "jit");
      } else {
        return x;
      }
    }
    template <class Own, class X>
    static void bring(detail::moved_arrays& moved, Own& to, const X& x) {
      if constexpr (array_like<X>) {
        if (!moved.takes(to, x)) to(ellipsis) = x;
      }
    }
  };

  std::shared_ptr<F> f_;
  std::shared_ptr<detail::jit_recordings> recordings_ = detail::make_jit_recordings();
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/// f, whose work on a GPU is recorded once for each set of shapes, types and numbers that it is called with,
/// and then started as one graph:
///
///   const auto step = gnp::jit([](const array<float>& u) { return array<float>(u + 0.1F * laplace(u)); });
///   u = step(u);
///
/// Each call returns new arrays. On the CPU f itself is called.
template <class F>
jit_function<F> jit(F f) {
  return jit_function<F>(std::move(f));
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/graph/jit_recordings.hpp>
#endif
