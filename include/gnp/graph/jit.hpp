// SPDX-License-Identifier: MIT
// gnp::jit: a function of arrays whose work is recorded when it is first called with each kind of arguments.
#pragma once

#include <gnp/array/array.hpp>
#include <gnp/exec/value.hpp>
#include <gnp/graph/graph.hpp>
#include <gnp/graph/nested.hpp>
#include <limits>
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

/// The same value with all expressions computed.
template <class X>
auto stored(const X& x) {
  return map_arrays([](const auto& each) { return array(each); }, x);
}

/// How a recording stores an argument: its arrays are in memory of the recording.
template <class X>
using kept_argument = decltype(stored(std::declval<const X&>()));

/// Memory that takes the place of a recording's own arrays in one call: arguments and results that need no
/// copy.
class moved_arrays {
 public:
  explicit moved_arrays(graph_body& work) : work_(work) {}

  /// Uses an argument's memory in place of the recording's own array. False if the argument has to be copied,
  /// because the recording uses the array in other work than gnp's kernels, or because the argument's layout or
  /// device is different.
  template <class T, class X>
  bool takes(const array<T>& own, const X& x) {
    if constexpr (std::is_same_v<X, array<T>>) {
      const bool is_dense = is_contiguous(x.shape(), x.element_strides());
      needs_plain_call_ |= repeats_elements(x.shape(), x.element_strides()) && work_.writes(*own.block().get());
      return can_take(*own.block().get(), *x.block().get(), x.data(), is_dense ? x.nbytes() : -1,
                      is_dense && x.device() == own.device());
    } else {
      return false;
    }
  }
  /// Gives a result new memory, unless the result has to be copied.
  template <class T>
  void renews(const array<T>& result) {
    const auto bytes = static_cast<std::size_t>(result.size()) * sizeof(T);
    if (is_contiguous(result.shape(), result.element_strides()))
      renew(*result.block().get(), result.data(), bytes);
  }

  /// Does the function write to memory that it also uses in another way, as another argument or as an array
  /// that it captured, or to memory that cannot be written? A recording does not notice, because it has its own
  /// memory for each argument.
  bool need_plain_call() const { return needs_plain_call_; }

  void run() { work_.run_moved(moved_); }

  /// Has the call written to the recording's own array, which is a copy of the argument, instead of to the
  /// argument?
  GNP_DECLARED bool has_written_copy(const storage& own) const;

  /// The result in its new memory.
  template <class T>
  array<T> result_of(const array<T>& recorded) const {
    const storage_ref* const block = new_block_of(*recorded.block().get());
    if (block == nullptr) return recorded.copy();
    return array<T>(*block, static_cast<T*>((*block)->data), recorded.shape(), recorded.element_strides());
  }

 private:
  /// `bytes` is how many there are from `data` on; -1 if there are gaps between the elements.
  GNP_DECLARED bool can_take(const storage& own, storage& given, void* data, index_t bytes, bool is_alike);
  GNP_DECLARED void renew(const storage& recorded, const void* data, std::size_t bytes);
  GNP_DECLARED const storage_ref* new_block_of(const storage& recorded) const;

  graph_body& work_;
  struct given_argument {
    const storage* own;
    const storage* block;
    const char* begin;
    const char* end;
  };
  std::vector<given_argument> arguments_;  // moved or copied
  bool needs_plain_call_ = false;
  std::vector<moved_block> moved_;
  std::vector<std::pair<const storage*, storage_ref>> renewed_;
};

/// The same results, but copied if they share memory with something else or repeat elements: a function may
/// return its argument, or a row of it that is broadcast to all rows.
template <class X>
auto unshared_results(const X& x) {
  return map_arrays(
      [](const auto& each) {
        const bool is_shared = each.block()->references.load(std::memory_order_relaxed) > 1;
        return is_shared || repeats_elements(each.shape(), each.element_strides()) ? each.copy() : each;
      },
      x);
}

/// Adds everything that a recording depends on, except types.
template <class X>
void add_to_signature(std::string& signature, const X& x) {
  visit_parts(
      [&signature](const auto& part) {
        if constexpr (array_like<std::remove_cvref_t<decltype(part)>>) {
          signature += to_string(part.shape()) + to_string(part.device());
        } else {
          // The long double of x86 has 64 bits of digits in 10 bytes, and 6 more that mean nothing.
          constexpr bool has_gap = std::numeric_limits<std::remove_cvref_t<decltype(part)>>::digits == 64 &&
                                   std::is_floating_point_v<std::remove_cvref_t<decltype(part)>>;
          signature.append(reinterpret_cast<const char*>(&part), has_gap ? 10 : sizeof part);
        }
        signature += ';';
      },
      x);
}

/// The GPU that the arguments are on; nothing if they are on the CPU or on different devices.
template <class... X>
std::optional<device> gpu_of(const X&... arguments) {
  std::optional<device> found;
  bool together = true;
  const auto look = [&](const auto& x) {
    together = together && (!found || *found == x.device());
    found = x.device();
  };
  (visit_arrays(look, arguments), ...);
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

/// The recording for this signature, or a new one if there is none.
GNP_DECLARED std::shared_ptr<void> find_recording(jit_recordings& recordings, const std::string& signature,
                                                  std::shared_ptr<void> (*make)());

}  // namespace detail

// A number is passed on with its own type and converted to the type of the function's parameter, as in f(x, 2).
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

/// What jit returns for a function.
template <class F>
class jit_function {
 public:
  explicit jit_function(F f) : f_(std::make_shared<F>(std::move(f))) {}

  template <class... X>
  auto operator()(const X&... arguments) const {
    if constexpr (!(detail::is_nested_v<X> && ...)) {
      static_assert((detail::is_nested_v<X> && ...),
                    "gnp: the arguments of a jit function are arrays, expressions, numbers, and pairs, tuples, "
                    "std::arrays, vectors and structs of such");
    } else if constexpr (std::is_void_v<std::invoke_result_t<F&, detail::kept_argument<X>&...>>) {
      static_assert(
          sizeof...(X) == ~std::size_t(),
          "gnp: a function for jit returns what it computes; a body that writes to arrays and returns "
          "nothing is for gnp::graph");
    } else {
      return call(arguments...);
    }
  }

 private:
  template <class... X>
  auto call(const X&... arguments) const {
    using recording = recorded_call<detail::kept_argument<X>...>;
    const std::optional<device> where = detail::gpu_of(arguments...);
    const auto without_recording = [&] {
      // (The function's return value is destroyed before checking whether anything else refers to the results.)
      const auto results = [&] {
        std::tuple<detail::kept_argument<X>...> kept(detail::stored(arguments)...);
        return detail::stored(std::apply(*f_, kept));
      }();
      return detail::unshared_results(results);
    };
    if (!where || detail::is_recording()) return without_recording();
    std::string signature = typeid(recording).name() + to_string(*where);
    (detail::add_to_signature(signature, arguments), ...);
    const auto known = std::static_pointer_cast<recording>(detail::find_recording(
        *recordings_, signature, [] { return std::shared_ptr<void>(std::make_shared<recording>()); }));
    std::unique_lock lock(known->queueing);
    if (!known->work) known->record(*f_, *where, arguments...);
    detail::moved_arrays moved(*known->work->body_);
    known->for_each_argument(
        [&moved](const auto& own, const auto& given) {
          if (!moved.takes(own, given)) own(ellipsis) = given;
        },
        arguments...);
    if (moved.need_plain_call()) {
      lock.unlock();
      return without_recording();
    }
    detail::visit_arrays([&moved](const auto& each) { moved.renews(each); }, *known->result);
    moved.run();
    known->for_each_argument(
        [&moved](const auto& own, const auto& given) {
          if constexpr (std::is_same_v<decltype(own), decltype(given)>) {
            if (moved.has_written_copy(*own.block().get())) given(ellipsis) = own;
          }
        },
        arguments...);
    return detail::map_arrays([&moved](const auto& each) { return moved.result_of(each); }, *known->result);
  }

  template <class... Kept>
  struct recorded_call {
    using result_type = decltype(detail::stored(std::declval<std::invoke_result_t<F&, Kept&...>>()));
    std::mutex queueing;  // so that the work of one call follows that of another
    std::optional<std::tuple<Kept...>> inputs;
    std::vector<const void*> arrays;  // in the inputs
    std::optional<result_type> result;
    std::optional<graph> work;

    template <class... X>
    void record(F& f, device where, const X&... arguments) {
      inputs.emplace(own(arguments)...);
      arrays.clear();
      detail::visit_arrays([this](const auto& own) { arrays.push_back(&own); }, *inputs);
      work = graph([&] { result.emplace(detail::stored(std::apply(f, *inputs))); }, where, true);
    }
    /// Calls f with each array of the recording and the array or expression that was passed for it.
    template <class Use, class... X>
    void for_each_argument(const Use& use, const X&... arguments) const {
      std::size_t next = 0;
      const auto pair = [&](const auto& given) {
        using own_array = array<typename std::remove_cvref_t<decltype(given)>::value_type>;
        use(*static_cast<const own_array*>(arrays[next++]), given);
      };
      (detail::visit_arrays(pair, arguments), ...);
    }

   private:
    template <class X>
    static auto own(const X& x) {
      return detail::map_arrays(
          [](const auto& each) {
            using T = typename std::remove_cvref_t<decltype(each)>::value_type;
            return array<T>(each.shape(), each.device(), "jit");
          },
          x);
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
