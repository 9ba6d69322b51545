// SPDX-License-Identifier: MIT
// einsum: Einstein's summation convention, in NumPy's notation.
#pragma once

#include <gnp/array/asarray.hpp>
#include <gnp/linalg/product/contract.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// einsum's subscripts: a label for each axis of each operand and of the result. The axes of "..." have labels
/// that are not letters.
struct einsum_subscripts {
  std::vector<std::string> inputs;
  std::string output;
};
GNP_DECLARED einsum_subscripts read_subscripts(const std::string& given, const std::vector<shape_t>& shapes);
[[noreturn, gnu::cold]] GNP_DECLARED void throw_subscripts(const std::string& text, const std::string& why);

/// The size of each label. An axis of size 1 is stretched to it.
struct label_sizes {
  index_t sizes[256];

  index_t operator[](char label) const { return sizes[static_cast<unsigned char>(label)]; }
  double count(const std::string& labels) const {
    double product = 1;
    for (const char label : labels) product *= static_cast<double>((*this)[label]);
    return product;
  }
};
GNP_DECLARED label_sizes sizes_of_labels(const std::string& text, const std::vector<std::string>& inputs,
                                         const std::vector<shape_t>& shapes);

/// A view in which each label occurs once: axes that share a label are replaced by their diagonal.
template <class T>
labelled<T> diagonal_of_repeated(const std::string& text, const array<T>& a, const std::string& labels,
                                 const label_sizes& sizes) {
  std::string once;
  view_layout layout{0, {}, {}};
  for (std::size_t d = 0; d < labels.size(); ++d) {
    const index_t size = a.shape()[d];
    const index_t step = size == 1 && sizes[labels[d]] != 1 ? 0 : a.element_strides()[d];
    const std::size_t before = once.find(labels[d]);
    if (before == std::string::npos) {
      once += labels[d];
      layout.shape.push_back(sizes[labels[d]]);
      layout.strides.push_back(step);
      continue;
    }
    if (size != a.shape()[labels.find(labels[d])]) {
      throw_subscripts(text, std::string("the axes '") + labels[d] + "' of an operand of shape " +
                                 to_string(a.shape()) + " have different sizes");
    }
    layout.strides[before] += step;
  }
  return {a.view(layout), once};
}

/// Contracts the operands, two at a time, until one is left. The next pair is the one whose result has the
/// fewest elements relative to those that it replaces.
template <class T>
array<T> einsum(const std::string& text, std::vector<array<T>> operands) {
  std::vector<shape_t> shapes;
  for (const array<T>& a : operands) {
    shapes.push_back(a.shape());
    require_same_device("einsum", operands[0].device(), a.device());
  }
  const einsum_subscripts subscripts = read_subscripts(text, shapes);
  const label_sizes sizes = sizes_of_labels(text, subscripts.inputs, shapes);
  std::vector<labelled<T>> left;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    left.push_back(diagonal_of_repeated(text, operands[i], subscripts.inputs[i], sizes));
  }
  // The labels that are still needed after operands x and y are contracted.
  const auto needed = [&](std::size_t x, std::size_t y) {
    std::string labels = subscripts.output;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (i != x && i != y) labels += left[i].labels;
    }
    return labels;
  };
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = summed_to(left[i], needed(i, i));
  while (left.size() > 1) {
    std::size_t first = 0;
    std::size_t second = 1;
    double least = 0;
    for (std::size_t x = 0; x < left.size(); ++x) {
      for (std::size_t y = x + 1; y < left.size(); ++y) {
        const std::string keep = needed(x, y);
        std::string result;
        for (const char label : left[x].labels + left[y].labels) {
          if (has(keep, label) && !has(result, label)) result += label;
        }
        const double growth = sizes.count(result) - sizes.count(left[x].labels) - sizes.count(left[y].labels);
        if ((x == 0 && y == 1) || growth < least) {
          least = growth;
          first = x;
          second = y;
        }
      }
    }
    const std::string keep = needed(first, second);
    left[first] = contract(left[first], left[second], keep, "einsum");
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(second));
  }
  return in_order(left[0], subscripts.output);
}

}  // namespace detail

/// Sums of products, described by subscripts: einsum("ij,jk->ik", a, b). Without "->" the result has the
/// subscripts that appear once, in alphabetical order. With one operand and nothing to sum, the result is a
/// view.
template <array_like First, array_like... Others>
auto einsum(const std::string& subscripts, const First& first, const Others&... others) {
  constexpr dtype types[] = {dtype_of<typename First::value_type>, dtype_of<typename Others::value_type>...};
  constexpr dtype common = [&types] {
    dtype result = types[0];
    for (const dtype d : types) result = promote(result, d);
    return result;
  }();
  using T = type_of<common>;
  return detail::einsum<T>(
      subscripts, std::vector<array<T>>{detail::operand_as<T>(first), detail::operand_as<T>(others)...});
}
/// The same where some operands are a std::vector. They are brought to the device of the arrays.
template <class... Operand>
  requires(((array_like<Operand> || detail::is_host_vector_v<Operand>) && ...) &&
           (detail::is_host_vector_v<Operand> || ...))
auto einsum(const std::string& subscripts, const Operand&... operands) {
  std::optional<device> where_;
  const auto look_at = [&where_](const auto& operand) {
    if constexpr (array_like<std::remove_cvref_t<decltype(operand)>>) where_ = operand.device();
  };
  (look_at(operands), ...);
  const use_device guard(where_.value_or(default_device()));
  const auto on_device = [](const auto& operand) -> decltype(auto) {
    if constexpr (array_like<std::remove_cvref_t<decltype(operand)>>) {
      return (operand);
    } else {
      return asarray(operand);
    }
  };
  return einsum(subscripts, on_device(operands)...);
}
/// Refused: subscripts after an array.
template <array_like First, class... Others>
  requires(std::convertible_to<Others, std::string> || ...)
array<typename First::value_type> einsum(const First&, const Others&...) {
  static_assert(!array_like<First>, "gnp: the subscripts of einsum come first: gnp::einsum(\"ij->ji\", a)");
  return {};
}

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES
#include <gnp/linalg/subscripts.hpp>
#endif
