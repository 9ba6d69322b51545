// SPDX-License-Identifier: MIT
// einsum: Einstein's summation convention, in NumPy's notation.
#pragma once

#include <algorithm>
#include <gnp/linalg/product/contract.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// einsum's subscripts: a label for each axis of each operand and of the result. The axes of "..." have labels
/// that are no letters.
struct einsum_subscripts {
  std::vector<std::string> inputs;
  std::string output;

  [[noreturn, gnu::cold]] GNP_INLINE static void fail(const std::string& text, const std::string& why) {
    throw shape_error(std::string("einsum: '") + text + "': " + why);
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  /// The label of the axis `from_last` before the last one of an ellipsis.
  static char ellipsis_label(int from_last) { return static_cast<char>(1 + max_rank - from_last); }

  GNP_INLINE static std::string ellipsis_labels(int count) {
    std::string labels;
    for (int d = count - 1; d >= 0; --d) labels += ellipsis_label(d);
    return labels;
  }

  /// One operand's subscripts with its ellipsis, if any, spelled out for an array of this rank (-1: of the
  /// longest).
  GNP_INLINE static std::string expanded(const std::string& text, const std::string& term, int rank,
                                         int longest) {
    std::string letters;
    std::size_t dots = std::string::npos;
    for (std::size_t i = 0; i < term.size(); ++i) {
      if (is_letter(term[i])) {
        letters += term[i];
      } else if (term.compare(i, 3, "...") == 0 && dots == std::string::npos) {
        dots = letters.size();
        i += 2;
      } else {
        fail(text,
             std::string("invalid subscript '") + term[i] + "', subscripts must be letters, or one '...'");
      }
    }
    if (rank < 0) {
      if (dots == std::string::npos) return letters;
      return letters.insert(dots, ellipsis_labels(longest));
    }
    const int rest = rank - static_cast<int>(letters.size());
    if (rest < 0 || (rest > 0 && dots == std::string::npos)) {
      fail(text, std::string("'") + term + "' has " + std::to_string(letters.size()) +
                     " subscripts, its operand " + std::to_string(rank) + " dimensions");
    }
    if (dots == std::string::npos) return letters;
    return letters.insert(dots, ellipsis_labels(rest));
  }

  einsum_subscripts(const std::string& given, const std::vector<shape_t>& shapes) {
    std::string text;
    for (const char c : given) {
      if (c != ' ') text += c;
    }
    const std::size_t arrow = text.find("->");
    const std::string terms = text.substr(0, arrow);
    std::size_t begin = 0;
    int longest = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const std::size_t end = terms.find(',', begin);
      if ((end == std::string::npos) != (i + 1 == shapes.size())) {
        fail(text, std::to_string(shapes.size()) + " operands for the subscripts of " +
                       std::to_string(1 + std::count(terms.begin(), terms.end(), ',')));
      }
      const std::string term = terms.substr(begin, end - begin);
      inputs.push_back(expanded(text, term, shapes[i].rank(), 0));
      int dots = 0;
      for (const char label : inputs.back()) dots += is_letter(label) ? 0 : 1;
      longest = (std::max)(longest, dots);
      begin = end + 1;
    }
    if (arrow == std::string::npos) {
      // What appears once, in alphabetical order, after the ellipsis.
      output = ellipsis_labels(longest);
      for (char label = 'A'; label <= 'z'; ++label) {
        int times = 0;
        for (const std::string& input : inputs) {
          for (const char other : input) times += other == label ? 1 : 0;
        }
        if (times == 1) output += label;
      }
      return;
    }
    output = expanded(text, text.substr(arrow + 2), -1, longest);
    for (std::size_t i = 0; i < output.size(); ++i) {
      bool found = false;
      for (const std::string& input : inputs) found = found || has(input, output[i]);
      if (!found && is_letter(output[i])) {
        fail(text, std::string("the output subscript '") + output[i] + "' is in no input");
      }
      if (output.find(output[i], i + 1) != std::string::npos) {
        fail(text, std::string("the output subscript '") + output[i] + "' is there twice");
      }
    }
    if (longest > 0 && !has(output, ellipsis_label(0))) {
      fail(text, "the output has no '...' for the axes that the operands' stand for");
    }
  }
};

/// The size that each label stands for; one of size 1 is stretched.
class label_sizes {
 public:
  label_sizes(const std::string& text, const std::vector<std::string>& inputs,
              const std::vector<shape_t>& shapes) {
    for (index_t& size : sizes_) size = 1;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      for (std::size_t d = 0; d < inputs[i].size(); ++d) {
        index_t& size = sizes_[static_cast<unsigned char>(inputs[i][d])];
        if (size != 1 && shapes[i][d] != 1 && size != shapes[i][d]) {
          einsum_subscripts::fail(text, std::string("operand ") + std::to_string(i) + " of shape " +
                                            to_string(shapes[i]) + " has " + std::to_string(shapes[i][d]) +
                                            " on axis " + std::to_string(d) + ", another has " +
                                            std::to_string(size));
        }
        if (size == 1) size = shapes[i][d];
      }
    }
  }
  index_t operator[](char label) const { return sizes_[static_cast<unsigned char>(label)]; }
  GNP_INLINE double count(const std::string& labels) const {
    double product = 1;
    for (const char label : labels) product *= static_cast<double>((*this)[label]);
    return product;
  }

 private:
  index_t sizes_[256];
};

/// A view in which each label is once: axes with the same label become their diagonal.
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
      einsum_subscripts::fail(text, std::string("the axes '") + labels[d] + "' of an operand of shape " +
                                        to_string(a.shape()) + " have different sizes");
    }
    layout.strides[before] += step;
  }
  return {a.view(layout), once};
}

/// All operands into one, two at a time: those first that leave least behind.
template <class T>
array<T> einsum(const std::string& text, std::vector<array<T>> operands) {
  std::vector<shape_t> shapes;
  for (const array<T>& a : operands) {
    shapes.push_back(a.shape());
    require_same_device("einsum", operands[0].device(), a.device());
  }
  const einsum_subscripts subscripts(text, shapes);
  const label_sizes sizes(text, subscripts.inputs, shapes);
  std::vector<labelled<T>> left;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    left.push_back(diagonal_of_repeated(text, operands[i], subscripts.inputs[i], sizes));
  }
  // The labels that are still needed when operands x and y are gone.
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

/// Sums of products as subscripts say: einsum("ij,jk->ik", a, b). Without "->" the result has the subscripts
/// that appear once, in alphabetical order. Of one operand, where nothing is summed, it is a view.
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

}}  // namespace gnp::GNP_ABI
