// SPDX-License-Identifier: MIT
// GNP_GUFUNC: a user's generalised ufunc, whose body is called for small arrays and broadcast over all other
// dimensions.
#pragma once

#include <gnp/core/promotion.hpp>
#include <gnp/cpu/threads.hpp>
#include <gnp/expr/macros.hpp>
#include <gnp/kernel/gufunc_signature.hpp>
#include <gnp/kernel/user_kernel.hpp>
#include <gnp/memory/watched_work.hpp>
#include <gnp/routines/manipulation.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sizes of a gufunc's dimensions, in the order of their names in the signature.
class gufunc_sizes {
 public:
  gufunc_sizes(const gufunc_signature& signature, const char* function)
      : signature_(signature), function_(function) {}

  /// Adds what operand number i says about them. The shape of the loop, which all operands share, may grow.
  GNP_DECLARED void add(int i, const shape_t& shape);
  const shape_t& loop() const { return loop_; }

  /// The shape of the loop, followed by the dimensions of an operand or a result.
  GNP_DECLARED shape_t shape_of(int i);

 private:
  /// The size of a dimension: the first that was given for it.
  GNP_DECLARED index_t of(std::string_view name, index_t said);

  const gufunc_signature& signature_;
  const char* function_;
  shape_t loop_;
  struct known_size {
    std::string_view name;
    index_t size = 0;
  };
  std::array<known_size, gufunc_signature::most * gufunc_core::most> sizes_ = {};
  std::size_t known_ = 0;
};

/// x for all calls: an array (calls, core...), in which broadcast axes have strides of 0.
template <class T>
array<T> for_each_call(const array<T>& x, const shape_t& full, int loop_rank, index_t calls) {
  const array<T> all = x.shape() == full ? x : broadcast_to(x, full);
  if (loop_rank == 1) return all;
  shape_t shape{calls};
  for (int d = loop_rank; d < full.rank(); ++d) shape.push_back(full[d]);
  return all.reshape(shape);
}

// The check of a signature at its definition.
constexpr bool is_gufunc_signature(std::string_view text) { return read_gufunc_signature(text).right; }
constexpr bool results_have_sizes(std::string_view text) {
  return !is_gufunc_signature(text) || results_have_sizes(read_gufunc_signature(text));
}
constexpr bool has_parameters_for(std::string_view text, std::string_view parameters) {
  return !is_gufunc_signature(text) || read_gufunc_signature(text).count == count_parameters(parameters);
}

/// What GNP_GUFUNC defines. (The signature is a separate template argument, because the class is incomplete
/// until its definition ends.)
template <class Definition, class Key, signature_text Text>
class user_gufunc {
  static constexpr kernel_texts texts = Definition::texts();
  static constexpr gufunc_signature signature = read_gufunc_signature(Text.characters);

 public:
  /// Results have the arguments' common type.
  template <class... A>
  auto operator()(const A&... arguments) const {
    return returning<common<A...>>(arguments...);
  }
  /// Results have type R.
  template <element R, class... A>
  auto returning(const A&... arguments) const {
    return call<R>(std::index_sequence_for<A...>(),
                   std::make_index_sequence<static_cast<std::size_t>(signature.results())>(), arguments...);
  }

  /// The CUDA C++ source that is compiled for arguments of these types.
  template <class... A>
  std::string source(const A&...) const {
    return kernel_instance<
        Definition, Key,
        decltype(parameters<common<A...>, A...>(
            std::index_sequence_for<A...>(),
            std::make_index_sequence<static_cast<std::size_t>(signature.results())>()))>::source({});
  }

 private:
  template <class... A>
  static constexpr auto common_of_arguments() {
    static_assert(sizeof...(A) == signature.operands, "gnp: this gufunc takes another number of arguments");
    static_assert(((array_like<A> || scalar_like<A>) && ...),
                  "gnp: gufuncs take arrays, expressions and numbers");
    static_assert((array_like<A> || ...), "gnp: one of a gufunc's arguments is an array");
    constexpr operand_types<sizeof...(A)> types{operand_type_of<A>()...};
    return std::type_identity<type_of<common_type(types)>>();
  }
  template <class... A>
  using common = typename decltype(common_of_arguments<A...>())::type;

  /// The type of an operand's elements: numbers take the common type.
  template <class X, class Common>
  struct element_of {
    using type = Common;
  };
  template <array_like X, class Common>
  struct element_of<X, Common> {
    using type = typename X::value_type;
  };

  /// What the kernel takes: operands and results with an axis for the calls, and the number of calls.
  template <class R, class... A, std::size_t... In, std::size_t... Result>
  static auto parameters(std::index_sequence<In...>, std::index_sequence<Result...>) -> parameter_list<
      array_view<const typename element_of<A, common<A...>>::type, signature.cores[In].rank + 1>...,
      array_view<R, signature.cores[signature.operands + Result].rank + 1>..., index_t>;

  template <class T, class X>
  static array<T> operand(const X& x, device where) {
    if constexpr (array_like<X>) {
      return x.eval();
    } else {
      const array<T> number(shape_t{}, where, texts.name);
      number.fill(scalar::cast<T>(x));
      return number;
    }
  }

  template <class R, std::size_t... In, std::size_t... Result, class... A>
  auto call(std::index_sequence<In...> operand_numbers, std::index_sequence<Result...> result_numbers,
            const A&... arguments) const {
    std::optional<device> found;
    const auto see = [&found]<class X>(const X& x) {
      if constexpr (array_like<X>) {
        if (found) require_same_device(texts.name, *found, x.device());
        found = x.device();
      }
    };
    (see(arguments), ...);
    const device where = *found;
    const std::tuple operands{operand<typename element_of<A, common<A...>>::type>(arguments, where)...};
    gufunc_sizes sizes(signature, texts.name);
    (sizes.add(static_cast<int>(In), std::get<In>(operands).shape()), ...);
    const shape_t loop = sizes.loop();
    const index_t calls = element_count(loop, texts.name);
    const std::array<array<R>, sizeof...(Result)> results{
        array<R>(sizes.shape_of(signature.operands + static_cast<int>(Result)), where, texts.name)...};
    if (calls > 0) {
      const watched_work watched(where, [&] {
        std::size_t bytes = 0;
        std::apply([&bytes](const auto&... x) { ((bytes += static_cast<std::size_t>(x.nbytes())), ...); },
                   operands);
        for (const array<R>& result : results) bytes += static_cast<std::size_t>(result.nbytes());
        return work_facts{texts.name, bytes};
      });
      run(decltype(parameters<R, A...>(operand_numbers, result_numbers))(), where, calls,
          for_each_call(std::get<In>(operands), sizes.shape_of(static_cast<int>(In)), loop.rank(), calls)...,
          for_each_call(results[Result], results[Result].shape(), loop.rank(), calls)...);
    }
    if constexpr (sizeof...(Result) == 1) {
      return results[0];
    } else {
      return std::tuple(results[Result]...);
    }
  }

  template <class... P, class... X>
  static void run(parameter_list<P...> list, device where, index_t calls, const X&... arrays) {
    if (where.is_cpu()) {
      run_on_cpu(list, std::index_sequence_for<X...>(), calls, arrays...);
    } else {
      kernel_instance<Definition, Key, parameter_list<P...>>::launch(grid(calls), arrays..., calls);
    }
  }
  template <class... P, std::size_t... In, class... X>
  static void run_on_cpu(parameter_list<P...>, std::index_sequence<In...>, index_t calls, const X&... arrays) {
    using all = std::tuple<P...>;
    const std::tuple views{kernel_argument<std::tuple_element_t<In, all>, X>(arrays, texts.name, 0).value()...};
    Definition own;
    const auto body = own.body(Key());
    parallel_for(calls, cpu_grain / 16, [&](index_t call, index_t last) {
      for (; call < last; ++call) body(core_of(std::get<In>(views), call)...);
    });
  }
};

}}}  // namespace gnp::GNP_ABI::detail

/// GNP_GUFUNC(name, "(m,n),(n)->(m)", (a, x, y), { ... }): a function of small arrays, like Numba's
/// guvectorize. The body is called with the operands' last dimensions, as array_views, and writes the results,
/// which are the last parameters. name(a, x) calls it for every position in the other dimensions, which are
/// broadcast. Operands without dimensions, (), are numbers; a result without dimensions is written as y() = 3.
#define GNP_GUFUNC(gufunc_name, gufunc_signature_text, parameters, ...)                                  \
  struct gufunc_name##_definition : ::gnp::detail::cuda_names {                                          \
    static_assert(::gnp::detail::is_gufunc_signature(gufunc_signature_text),                             \
                  "gnp: a gufunc's signature is like (m,n),(n)->(m)");                                   \
    static_assert(::gnp::detail::results_have_sizes(std::string_view(gufunc_signature_text)),            \
                  "gnp: each dimension of a gufunc's results is one of its arguments', or a number");    \
    static_assert(::gnp::detail::has_parameters_for(gufunc_signature_text, #parameters),                 \
                  "gnp: a gufunc has a parameter for each operand and each result of its signature");    \
    using key =                                                                                          \
        ::gnp::detail::text_key<::gnp::detail::hash_of(gufunc_signature_text #parameters #__VA_ARGS__)>; \
    static constexpr ::gnp::detail::kernel_texts texts() {                                               \
      return {#gufunc_name, __FILE__, "", #parameters, #__VA_ARGS__, true};                              \
    }                                                                                                    \
    auto body(key) { return [&](GNP_PARAMETERS parameters) __VA_ARGS__; }                                \
  };                                                                                                     \
  [[maybe_unused]] static constexpr ::gnp::detail::user_gufunc<                                          \
      gufunc_name##_definition, typename gufunc_name##_definition::key, gufunc_signature_text> gufunc_name{};

#ifdef GNP_READS_BODIES
#include <gnp/kernel/gufunc_sizes.hpp>
#endif
