// SPDX-License-Identifier: MIT
// Converts a kernel's arguments to its parameter types: arrays become pointers or views, and numbers are
// converted and checked.
#pragma once

#include <gnp/exec/assign.hpp>
#include <gnp/kernel/loaded_kernel.hpp>
#include <gnp/kernel/user_kernel_source.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

// --- The parameters ------------------------------------------------------------------------------------------

template <class P>
inline constexpr bool is_view_v = false;
template <class T, int Rank>
inline constexpr bool is_view_v<array_view<T, Rank>> = true;

/// What the text of a template's parameter says about the parameter.
struct parameter_facts {
  bool read_only = false;
  int view_rank = 0;  // 0 for a pointer
};

constexpr parameter_facts facts_of_parameter(std::string_view parameters, int wanted) {
  token_reader tokens(parameters);
  parameter_facts facts;
  std::string_view last;
  bool in_view = false;
  int depth = 0;
  int number = 0;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    const bool separates = token == "," && depth == 1;
    if (token == "(" || token == "<") ++depth;
    if (token == ")" || token == ">") --depth;
    if (separates) ++number;
    if (number != wanted || separates) continue;
    // (Only a const of the elements counts, not one of the pointer or the view itself.)
    if (token == "const" && last != "*") facts.read_only = true;
    if (token == "array_view") {
      in_view = true;
      facts.read_only = false;
    }
    if (token == ">" && in_view && last.size() == 1) facts.view_rank = last[0] - '0';
    last = token;
  }
  return facts;
}

template <class A>
inline constexpr bool is_array_argument = array_like<std::remove_cvref_t<A>>;

/// The type of parameter that a template deduces for an argument of this type.
template <class A, int ViewRank, bool ReadOnly>
struct deduced_parameter {
  using type = std::remove_cvref_t<A>;
};
template <class A, int ViewRank, bool ReadOnly>
  requires is_array_argument<A>
struct deduced_parameter<A, ViewRank, ReadOnly> {
  using value = typename std::remove_cvref_t<A>::value_type;
  using item = std::conditional_t<ReadOnly, const value, value>;
  using type =
      typename std::conditional_t<ViewRank == 0, std::type_identity<item*>,
                                  std::type_identity<array_view<item, ViewRank == 0 ? 1 : ViewRank>>>::type;
};

// --- The arguments -------------------------------------------------------------------------------------------

[[noreturn]] GNP_INLINE void throw_bad_argument(const char* kernel, int number, const std::string& what) {
  throw error(std::string(kernel) + ": argument " + std::to_string(number) + " " + what);
}

/// Converts a number for a parameter of type P, which must be able to hold it.
template <class P, class Number>
P number_for(Number value, const char* kernel, int number) {
  if constexpr (std::is_integral_v<P> && (std::is_same_v<Number, half> || std::is_same_v<Number, bfloat16>))
    return number_for<P>(static_cast<float>(value), kernel, number);
  if constexpr (std::is_integral_v<P> && !std::is_same_v<P, bool> && std::is_arithmetic_v<Number>) {
    bool fits = false;
    if constexpr (std::is_floating_point_v<Number>) {
      fits = value == std::trunc(value) && value >= static_cast<Number>((std::numeric_limits<P>::min)()) &&
             value < 2 * static_cast<Number>((std::numeric_limits<P>::max)() / 2 + 1);
    } else if constexpr (std::is_same_v<Number, bool>) {
      fits = true;
    } else {
      fits = std::in_range<P>(value);
    }
    if (!fits) [[unlikely]] {
      throw_bad_argument(kernel, number,
                         std::string("is ") + std::to_string(value) + ", which is no " + name(dtype_of<P>));
    }
  }
  if constexpr (std::is_arithmetic_v<P> || !std::is_arithmetic_v<Number>) {
    return static_cast<P>(value);
  } else if constexpr (std::is_constructible_v<P, float> && sizeof(P) == 2) {
    return P(static_cast<float>(value));
  } else {
    return P(static_cast<typename P::value_type>(value));
  }
}

/// An argument, kept until the kernel is queued, for a parameter of type P.
template <class P, class A>
class kernel_argument {
  static_assert(element<P> || std::is_pointer_v<P> || is_view_v<P>,
                "gnp: a kernel's parameters are numbers, pointers to numbers and array_views");
  static_assert(!element<P> || std::is_convertible_v<A, P> || std::is_arithmetic_v<A>,
                "gnp: this parameter of the kernel is a number: of an array of one element take .item()");
  static_assert(!(std::is_pointer_v<P> || is_view_v<P>) || std::is_convertible_v<A, P>,
                "gnp: this parameter of the kernel takes an array, or a pointer to its own type of elements");

 public:
  kernel_argument(const A& value, const char* kernel, int number) : value_(convert(value, kernel, number)) {}
  static constexpr bool is_array = false;
  const P& value() const { return value_; }

 private:
  static P convert(const A& value, const char* kernel, int number) {
    if constexpr (element<P> && (element<A> || std::is_arithmetic_v<A>)) {
      return number_for<P>(value, kernel, number);
    } else if constexpr (std::is_convertible_v<A, P>) {
      return value;
    } else {
      return P();
    }
  }
  P value_;
};

template <class P>
struct pointed_to {
  using type = std::remove_pointer_t<P>;
};
template <class T, int Rank>
struct pointed_to<array_view<T, Rank>> {
  using type = T;
};

template <class P, array_like A>
class kernel_argument<P, A> {
  using item = typename pointed_to<P>::type;
  static constexpr bool number = element<P>;
  static constexpr bool same = std::is_same_v<std::remove_const_t<item>, typename A::value_type>;
  static constexpr bool written = !std::is_const_v<item>;
  static_assert(!number,
                "gnp: this parameter of the kernel is a number: of an array of one element take .item()");
  static_assert(number || same,
                "gnp: this parameter of the kernel has another element type than the array: convert it by "
                ".astype<T>(), or declare the parameter with auto");
  static_assert(number || !written || is_array_v<A>,
                "gnp: the kernel writes to this parameter, so it takes an array: an expression has no memory");
  using memory =
      std::conditional_t<number || !same, array<typename A::value_type>, array<std::remove_const_t<item>>>;

 public:
  kernel_argument(const A& source, const char* kernel, int position) : array_(source) {
    if constexpr (is_view_v<P>) {
      constexpr int rank = static_cast<int>(P::rank);
      if (array_.shape().rank() != rank) {
        throw_bad_argument(kernel, position,
                           std::string("has shape ") + to_string(array_.shape()) +
                               ", and its parameter is an array_view of " + std::to_string(rank) +
                               " dimensions");
      }
    } else if (!array_.is_contiguous()) {
      throw_bad_argument(kernel, position,
                         "has gaps or another order than its shape, which a pointer cannot tell: declare the "
                         "parameter as an array_view, or pass x.copy()");
    }
    if constexpr (written) check_writable(view_of(array_), kernel);
  }
  static constexpr bool is_array = true;
  kernel_array facts() const { return {view_of(array_), written}; }

  P value(const view_report& report = {}) const {
    if constexpr (!is_view_v<P>) {
      return array_.data();
    } else {
      P view{.data_ = array_.data(), .shape_ = {}, .strides_ = {}, .report_ = report};
      for (int d = 0; d < array_.shape().rank(); ++d) {
        view.shape_[d] = array_.shape()[d];
        view.strides_[d] = array_.element_strides()[d];
      }
      return view;
    }
  }

 private:
  memory array_;
};

/// The name of a parameter's type in the kernel.
template <class P>
std::string parameter_type_name() {
  if constexpr (std::is_pointer_v<P>) {
    using T = std::remove_pointer_t<P>;
    return std::string(std::is_const_v<T> ? "const " : "") + parameter_type_name<std::remove_const_t<T>>() +
           "*";
  } else if constexpr (is_view_v<P>) {
    using T = typename P::value_type;
    return std::string("gnp::array_view<") + (std::is_const_v<T> ? "const " : "") +
           parameter_type_name<std::remove_const_t<T>>() + ", " + std::to_string(P::rank) + ">";
  } else {
    const std::string plain = device_name(dtype_of<P>);
    return std::is_same_v<P, half> || std::is_same_v<P, bfloat16> ? std::string("gnp::") + plain : plain;
  }
}

}}}  // namespace gnp::GNP_ABI::detail
