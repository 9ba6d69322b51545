// SPDX-License-Identifier: MIT
// Reads einsum's subscripts: the labels of the axes of each operand and of the result, and their sizes.
#pragma once

#include <algorithm>
#include <gnp/core/error.hpp>
#include <gnp/core/shape.hpp>
#include <gnp/linalg/einsum.hpp>
#include <string>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace detail {

[[noreturn, gnu::cold]] GNP_INLINE void throw_subscripts(const std::string& text, const std::string& why) {
  throw shape_error(std::string("einsum: '") + text + "': " + why);
}

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The label of the ellipsis's axis that is `from_last` places before its last one.
inline char ellipsis_label(int from_last) { return static_cast<char>(1 + max_rank - from_last); }

GNP_INLINE std::string ellipsis_labels(int count) {
  std::string labels;
  for (int d = count - 1; d >= 0; --d) labels += ellipsis_label(d);
  return labels;
}

/// One operand's subscripts with its ellipsis, if any, spelled out for an array of rank `rank`. If rank is -1,
/// the ellipsis stands for `longest` axes.
GNP_INLINE std::string expanded(const std::string& text, const std::string& term, int rank, int longest) {
  std::string letters;
  std::size_t dots = std::string::npos;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (is_letter(term[i])) {
      letters += term[i];
    } else if (term.compare(i, 3, "...") == 0 && dots == std::string::npos) {
      dots = letters.size();
      i += 2;
    } else {
      throw_subscripts(
          text, std::string("invalid subscript '") + term[i] + "', subscripts must be letters, or one '...'");
    }
  }
  if (rank < 0) {
    if (dots == std::string::npos) return letters;
    return letters.insert(dots, ellipsis_labels(longest));
  }
  const int rest = rank - static_cast<int>(letters.size());
  if (rest < 0 || (rest > 0 && dots == std::string::npos)) {
    throw_subscripts(text, std::string("'") + term + "' has " + std::to_string(letters.size()) +
                               " subscripts, its operand " + std::to_string(rank) + " dimensions");
  }
  if (dots == std::string::npos) return letters;
  return letters.insert(dots, ellipsis_labels(rest));
}

GNP_INLINE einsum_subscripts read_subscripts(const std::string& given, const std::vector<shape_t>& shapes) {
  einsum_subscripts result;
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
      throw_subscripts(text, std::to_string(shapes.size()) + " operands for the subscripts of " +
                                 std::to_string(1 + std::count(terms.begin(), terms.end(), ',')));
    }
    const std::string term = terms.substr(begin, end - begin);
    result.inputs.push_back(expanded(text, term, shapes[i].rank(), 0));
    int dots = 0;
    for (const char label : result.inputs.back()) dots += is_letter(label) ? 0 : 1;
    longest = (std::max)(longest, dots);
    begin = end + 1;
  }
  if (arrow == std::string::npos) {
    // The ellipsis, then the labels that appear once, in alphabetical order.
    result.output = ellipsis_labels(longest);
    for (char label = 'A'; label <= 'z'; ++label) {
      int times = 0;
      for (const std::string& input : result.inputs) {
        for (const char other : input) times += other == label ? 1 : 0;
      }
      if (times == 1) result.output += label;
    }
    return result;
  }
  result.output = expanded(text, text.substr(arrow + 2), -1, longest);
  for (std::size_t i = 0; i < result.output.size(); ++i) {
    bool found = false;
    for (const std::string& input : result.inputs) found = found || has(input, result.output[i]);
    if (!found && is_letter(result.output[i])) {
      throw_subscripts(text, std::string("the output subscript '") + result.output[i] + "' is in no input");
    }
    if (result.output.find(result.output[i], i + 1) != std::string::npos) {
      throw_subscripts(text, std::string("the output subscript '") + result.output[i] + "' is there twice");
    }
  }
  if (longest > 0 && !has(result.output, ellipsis_label(0))) {
    throw_subscripts(text, "the output has no '...' for the axes that the operands' stand for");
  }
  return result;
}

GNP_INLINE label_sizes sizes_of_labels(const std::string& text, const std::vector<std::string>& inputs,
                                       const std::vector<shape_t>& shapes) {
  label_sizes result;
  for (index_t& size : result.sizes) size = 1;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (std::size_t d = 0; d < inputs[i].size(); ++d) {
      index_t& size = result.sizes[static_cast<unsigned char>(inputs[i][d])];
      if (size != 1 && shapes[i][d] != 1 && size != shapes[i][d]) {
        throw_subscripts(text, std::string("operand ") + std::to_string(i) + " of shape " +
                                   to_string(shapes[i]) + " has " + std::to_string(shapes[i][d]) + " on axis " +
                                   std::to_string(d) + ", another has " + std::to_string(size));
      }
      if (size == 1) size = shapes[i][d];
    }
  }
  return result;
}

}}}  // namespace gnp::GNP_ABI::detail
