// SPDX-License-Identifier: MIT
// Printing as NumPy 2 prints: array_str is Python's str(a), array_repr is repr(a).
#pragma once

#include <gnp/array/host_values.hpp>
#include <gnp/array/transfer.hpp>
#include <gnp/io/print_options.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#ifdef GNP_READS_BODIES
#include <gnp/io/layout.hpp>
#endif

namespace gnp { inline namespace GNP_ABI {

namespace detail::printing {

// Per thread, as NumPy's are per context: no lock, and no surprise from another thread.
GNP_INLINE std::optional<print_options>& set_options() {
  thread_local std::optional<print_options> options;
  return options;
}
#ifdef GNP_READS_BODIES
GNP_INLINE const print_options* options_of_thread() {
  const std::optional<print_options>& set = set_options();
  return set ? &*set : nullptr;
}
#endif

}  // namespace detail::printing

/// The calling thread's print options, used where none are given.
inline print_options get_printoptions() { return {}; }

/// Changes the calling thread's print options; those that are not named stay as they are.
GNP_INLINE void set_printoptions(const print_options& options) {
  detail::printing::check_print_options(options, "set_printoptions");
  detail::printing::set_options() = options;
}

/// Print options for the calling thread and a scope: const gnp::printoptions scope({.precision = 3});
class printoptions {
 public:
  explicit printoptions(const print_options& options) : before_(get_printoptions()) {
    set_printoptions(options);
  }
  ~printoptions() { detail::printing::set_options() = before_; }
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;

 private:
  print_options before_;
};

/// "[1. 2. 3.]", with any separator.
template <element T>
std::string array2string(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::text, a.data(), dtype_of<T>, a.shape(),
                                   a.shape(), options);
}

/// What Python's print(a) shows: an array of rank 0 prints as the scalar, with all its digits.
template <element T>
std::string array_str(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::str, a.data(), dtype_of<T>, a.shape(),
                                   a.shape(), options);
}

/// What Python's repr(a) shows: "array([1., 2., 3.], dtype=float32)".
template <element T>
std::string array_repr(const host_array<T>& a, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::repr, a.data(), dtype_of<T>, a.shape(),
                                   a.shape(), options);
}

namespace detail::printing {

/// Has the number format of this stream been changed? The default, six digits, does not count.
GNP_INLINE bool is_told_how(const std::ostream& out) {
  return out.precision() != 6 || (out.flags() & std::ios_base::floatfield) != 0 ||
         (out.flags() & std::ios_base::basefield) != std::ios_base::dec;
}

/// One number as the stream writes numbers.
template <element T>
void write_number(std::ostream& out, T value) {
  if constexpr (is_complex_v<T>) {
    std::ostringstream text;  // first the whole text, since a width applies to all of it
    text.copyfmt(out);
    text.width(0);
    text << '(' << value.real() << std::showpos << value.imag() << "j)";
    out << text.str();
  } else if constexpr (std::is_same_v<T, bool>) {
    out << (value ? "True" : "False");
  } else if constexpr (is_floating(dtype_of<T>)) {
    out << static_cast<std::conditional_t<sizeof(T) == 2, float, T>>(value);
  } else {
    out << +value;
  }
}

/// The options of an array in a stream.
GNP_INLINE print_options options_of(const std::ostream& out) {
  print_options options = get_printoptions();
  if (!is_told_how(out)) return options;
  options.precision = static_cast<int>(out.precision());
  const auto field = out.flags() & std::ios_base::floatfield;
  if (field == std::ios_base::fixed) options.suppress = true;
  options.scientific = field == std::ios_base::scientific;
  if (field == std::ios_base::fixed || options.scientific) options.floatmode = "fixed";
  return options;
}

}  // namespace detail::printing

/// Prints like array_str. If the stream's number format has been changed, its precision is used, and an array
/// of rank 0 is printed like a number.
template <element T>
std::ostream& operator<<(std::ostream& out, const host_array<T>& a) {
  if (a.ndim() == 0 && detail::printing::is_told_how(out)) {
    detail::printing::write_number(out, a[0]);
    return out;
  }
  return out << array_str(a, detail::printing::options_of(out));
}

/// "(3, 4)", "float32" and "cuda:0".
template <std::same_as<shape_t> Shape>
std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << to_string(shape);
}
template <std::same_as<dtype> Type>
std::ostream& operator<<(std::ostream& out, Type type) {
  return out << name(type);
}
template <std::same_as<device> Device>
std::ostream& operator<<(std::ostream& out, Device d) {
  return out << to_string(d);
}

namespace detail::printing {

/// If an array is large, copies only what is shown to the host.
template <element T>
std::string printed(print_style style, const array<T>& a, const print_options& options) {
  // On a GPU, smaller arrays are copied as a whole, which needs no kernel.
  const index_t least_cut = a.device().is_cpu() ? 0 : index_t{1} << 20;
  const shown_ends ends = ends_of(a.shape(), a.element_strides(), options, least_cut);
  const host_array<T> elements = asnumpy(array<T>(a.block(), a.data(), ends.shape, ends.strides));
  return printed(style, elements.data(), dtype_of<T>, a.shape(), ends.held, options);
}

}  // namespace detail::printing

/// Prints the contents of arrays and expressions: an expression is computed, and what is shown is copied to the
/// host.
template <array_like X>
std::string array2string(const X& x, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::text, x.eval(), options);
}
template <array_like X>
std::string array_str(const X& x, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::str, x.eval(), options);
}
template <array_like X>
std::string array_repr(const X& x, const print_options& options = get_printoptions()) {
  return detail::printing::printed(detail::printing::print_style::repr, x.eval(), options);
}
template <array_like X>
std::ostream& operator<<(std::ostream& out, const X& x) {
  if constexpr (!detail::is_array_v<X>) {
    return out << x.eval();
  } else {
    if (x.ndim() == 0) return out << asnumpy(x);
    return out << array_str(x, detail::printing::options_of(out));
  }
}
/// What nonzero, split and others return, a list of arrays: ([0 1], [2 0]).
template <detail::range_of_arrays List>
std::ostream& operator<<(std::ostream& out, const List& arrays) {
  const char* before = "(";
  for (const auto& x : arrays) {
    out << before << x;
    before = ", ";
  }
  return out << (*before == '(' ? "()" : ")");
}

namespace detail::printing {

/// Converts to an array of any type, to find out how many arrays a struct has.
struct any_of_arrays {
  template <element T>
  operator array<T>() const;
};
template <class R, class... Members>
inline constexpr bool is_made_of_v = requires { R{Members()...}; };
/// How many arrays are the members of a struct of results, 0 for what is none.
template <class R, class A = any_of_arrays>
inline constexpr int members_of = !std::is_aggregate_v<R> || range_of_arrays<R> ? 0
                                  : is_made_of_v<R, A, A, A, A>                 ? 4
                                  : is_made_of_v<R, A, A, A>                    ? 3
                                  : is_made_of_v<R, A, A>                       ? 2
                                                                                : 0;

}  // namespace detail::printing

/// What unique, eigh and others return, several arrays by name, likewise.
template <class Results>
  requires(detail::printing::members_of<Results> > 0)
std::ostream& operator<<(std::ostream& out, const Results& results) {
  if constexpr (detail::printing::members_of<Results> == 4) {
    const auto& [a, b, c, d] = results;
    return out << '(' << a << ", " << b << ", " << c << ", " << d << ')';
  } else if constexpr (detail::printing::members_of<Results> == 3) {
    const auto& [a, b, c] = results;
    return out << '(' << a << ", " << b << ", " << c << ')';
  } else {
    const auto& [a, b] = results;
    return out << '(' << a << ", " << b << ')';
  }
}

}}  // namespace gnp::GNP_ABI
