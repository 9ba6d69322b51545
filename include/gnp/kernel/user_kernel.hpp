// SPDX-License-Identifier: MIT
// GNP_KERNEL: a user's CUDA kernel, which runs on a GPU and, in a simulator, on the CPU.
#pragma once

#include <gnp/kernel/arguments.hpp>
#include <gnp/kernel/loaded_kernel.hpp>
#include <gnp/kernel/user_kernel_source.hpp>
#include <gnp/memory/watched_work.hpp>
#include <tuple>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// A body for arguments of these types, whose parameters are known.
template <class Definition, class Key, class Parameters>
struct kernel_instance;

template <class Definition, class Key, class... P>
struct kernel_instance<Definition, Key, parameter_list<P...>> {
  static constexpr kernel_texts texts = Definition::texts();

  static std::string source(kernel_form form) {
    return user_kernel_source(texts, {parameter_type_name<P>()...}, form);
  }

  template <class... A>
  static void launch(const grid& g, const A&... given) {
    launch_with(g, std::index_sequence_for<P...>(), given...);
  }

 private:
  template <std::size_t... Index, class... A>
  static void launch_with(const grid& g, std::index_sequence<Index...>, const A&... given) {
    // (Braces fix the order of evaluation: the first bad argument is the one that is reported.)
    const std::tuple<kernel_argument<P, A>...> arguments{
        kernel_argument<P, A>(given, texts.name, static_cast<int>(Index) + 1)...};
    // (Arguments that are not arrays have no memory.)
    const kernel_array arrays[] = {facts_of(std::get<Index>(arguments))..., {}};
    const device where = device_of(arrays, sizeof...(P), texts.name);
    if (g.is_empty()) return;
    g.require_launchable(texts.name);
    const watched_work watched(where, [] { return work_facts{texts.name}; });
    if constexpr (!texts.is_gufunc) {  // a gufunc has no barriers, and is called in loops
      if (where.is_cpu()) return simulate_with(g, std::get<Index>(arguments).value()...);
    }
#if GNP_HAS_CUDA
    launch_on_gpu(g, where, arrays, std::get<Index>(arguments)...);
    check_sent_indices(where);
#endif
  }

#if GNP_HAS_CUDA
  template <class... Argument>
  static void launch_on_gpu(const grid& g, device where, const kernel_array* arrays,
                            const Argument&... arguments) {
    const submission work(where);
    static loaded_kernel kernels[2][2];
    const kernel_form form = {g.is_checked(), starts_early(g)};
    const auto [function, block] = kernels[form.checked ? 1 : 0][form.early ? 1 : 0].on(
        work.device(), [form] { return device_program(source(form), {texts.name}, {}); });
    use(work, arrays, sizeof...(P));
    // If the number of blocks is given, the blocks may wait for each other, and then they need the GPU for
    // themselves.
    constexpr bool has_addresses = (... || ((std::is_pointer_v<P> || is_view_v<P>) && !Argument::is_array));
    if (has_addresses || g.blocks_are_given()) work.uses_anything();
    view_report report;
    if (form.checked) {
      report = {make_bad_index_of_gpu(where.ordinal()), texts.name};
      if (checks_indices_at_once().load(std::memory_order_relaxed)) indices_were_sent() = true;
    }
    launch_shape shape = shape_of(g, block, work.device(), texts.name);
    shape.early = form.early;
    work.launch(function, shape, value_of(arguments, report)...);
  }
#endif

  /// Small launches are early. A large one would become slower: if a thread has one element, admitting the next
  /// kernel and waiting take a third as long as everything else that a block does. And a kernel for which the
  /// number of blocks is given may rely on how they are distributed.
  static bool starts_early(const grid& g) {
    const std::array<index_t, 3> counts = g.block_counts();
    return counts[0] <= 1024 && counts[1] == 1 && counts[2] == 1 && !g.blocks_are_given() &&
           g.cluster_size() == 1;
  }

  template <class Argument>
  static kernel_array facts_of(const Argument& argument) {
    if constexpr (Argument::is_array) {
      return argument.facts();
    } else {
      return {};
    }
  }
  template <class Argument>
  static auto value_of(const Argument& argument, const view_report& report) {
    if constexpr (Argument::is_array) {
      return argument.value(report);
    } else {
      return argument.value();
    }
  }

  static void simulate_with(const grid& g, const P&... values) {
    const std::array<index_t, 3> counts = g.block_counts();
    const std::tuple<const P&...> all{values...};
    simulate({.name = texts.name,
              .grid = {static_cast<unsigned>(counts[0]), static_cast<unsigned>(counts[1]),
                       static_cast<unsigned>(counts[2])},
              .block = g.block(),
              .shared_bytes = g.shared_bytes(),
              .checked = g.is_checked(),
              .body =
                  [](const void* context) {
                    Definition own;
                    std::apply(own.body(Key()), *static_cast<const std::tuple<const P&...>*>(context));
                  },
              .context = &all});
  }
};

/// The parameters of a body that is called with arguments of these types.
template <class Definition, class Key, class... A>
constexpr auto parameters_for() {
  using body = body_of<Definition, Key>;
  if constexpr (has_fixed_parameters<body>) {
    return typename parameters_of_call<decltype(&body::operator())>::type();
  } else {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      constexpr std::string_view text = Definition::texts().parameters;
      return parameter_list<
          typename deduced_parameter<A, facts_of_parameter(text, static_cast<int>(Index)).view_rank,
                                     facts_of_parameter(text, static_cast<int>(Index)).read_only ||
                                         (is_array_argument<A> && !is_array_v<A>)>::type...>();
    }(std::index_sequence_for<A...>());
  }
}

template <class List>
inline constexpr std::size_t length_of = 0;
template <class... P>
inline constexpr std::size_t length_of<parameter_list<P...>> = sizeof...(P);

/// What GNP_KERNEL defines. Key is part of the type, and so of the name of everything that is instantiated with
/// it.
template <class Definition, class Key>
class user_kernel {
 public:
  /// A launch, which is called with the kernel's arguments: kernel(grid(n))(x, y, n).
  class launch {
   public:
    explicit launch(const grid& g) : grid_(g) {}
    template <class... A>
    void operator()(const A&... arguments) const {
      using parameters = decltype(parameters_for<Definition, Key, A...>());
      static_assert(length_of<parameters> == sizeof...(A),
                    "gnp: this kernel takes another number of arguments");
      if constexpr (length_of<parameters> == sizeof...(A))
        kernel_instance<Definition, Key, parameters>::launch(grid_, arguments...);
    }

   private:
    grid grid_;
  };

  launch operator()(const grid& g) const { return launch(g); }
  template <class... Arguments>
    requires(!is_one_grid<Arguments...>)
  launch operator()(const Arguments&...) const {
    refuse_call_without_grid<Arguments...>();
    return launch(grid(0));
  }

  /// The CUDA C++ source that is compiled for arguments of these types.
  template <class... A>
  std::string source(const A&...) const {
    return kernel_instance<Definition, Key, decltype(parameters_for<Definition, Key, A...>())>::source({});
  }
};

}}}  // namespace gnp::GNP_ABI::detail

/// GNP_KERNEL(name, (const float* in, float* out, gnp::index_t n), { ... }): a kernel in CUDA C++. It is called
/// with a grid and then with arguments, name(gnp::grid(n))(x, y, n), and runs where the arrays are: on a GPU,
/// or in a simulator on the CPU. With `auto` for a type it is a template.
#define GNP_KERNEL(kernel_name, parameters, ...) \
  GNP_KERNEL_DEFINED(kernel_name, "", [&] parameters, parameters, __VA_ARGS__)

/// GNP_KERNEL_TEMPLATE(name, (class T), (const T* in, T* out, gnp::index_t n), { ... }): the same for all types
/// that can be deduced from the arguments.
#define GNP_KERNEL_TEMPLATE(kernel_name, template_parameters, parameters, ...)                          \
  GNP_KERNEL_DEFINED(kernel_name,                                                                       \
                     #template_parameters, [&]<GNP_WITHOUT_PARENTHESES template_parameters> parameters, \
                     parameters, __VA_ARGS__)
#define GNP_WITHOUT_PARENTHESES(...) __VA_ARGS__

/// Memory that the threads of a block share, in the body of a kernel: GNP_SHARED(float, tile, [32][33])
/// declares float tile[32][33], and GNP_SHARED(int, count) one number. It is not initialised.
#define GNP_SHARED(...) GNP_SHARED_FORM(__VA_ARGS__, GNP_SHARED_ARRAY, GNP_SHARED_NUMBER, )(__VA_ARGS__)
#define GNP_SHARED_FORM(_1, _2, _3, form, ...) form
#define GNP_SHARED_NUMBER(type, name) \
  static thread_local type name;      \
  ::gnp::detail::cuda_names::declare_shared(#name, name)
#define GNP_SHARED_ARRAY(type, name, extents) \
  static thread_local type name extents;      \
  ::gnp::detail::cuda_names::declare_shared(#name, name)

/// The same with the number of bytes that the grid specifies, .shared_memory(bytes): GNP_DYNAMIC_SHARED(float,
/// buffer) declares float* buffer.
#define GNP_DYNAMIC_SHARED(type, name) type* const name = ::gnp::detail::cuda_names::dynamic_shared<type>(#name)

// The body is a lambda in a function whose parameter represents the text, so that two files may have different
// kernels of the same name.
#define GNP_KERNEL_DEFINED(kernel_name, template_text, head, parameters, ...)                            \
  struct kernel_name##_definition : ::gnp::detail::cuda_names {                                          \
    using key = ::gnp::detail::text_key<::gnp::detail::hash_of(template_text #parameters #__VA_ARGS__)>; \
    static constexpr ::gnp::detail::kernel_texts texts() {                                               \
      return {#kernel_name, __FILE__, template_text, #parameters, #__VA_ARGS__};                         \
    }                                                                                                    \
    auto body(key) { return head __VA_ARGS__; }                                                          \
  };                                                                                                     \
  [[maybe_unused]] static constexpr ::gnp::detail::user_kernel<                                          \
      kernel_name##_definition, typename kernel_name##_definition::key> kernel_name{};
