// SPDX-License-Identifier: MIT
// Sums of products over labelled axes: the basis of tensordot, inner and einsum.
#pragma once

#include <gnp/linalg/matmul.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The sum over these axes, with elements of type T.
template <class T>
array<T> sum_in_type(const array<T>& x, const shape_t& axes) {
  if constexpr (std::is_same_v<T, bool>) {
    return any(x, {.axis = axes});
  } else {
    const array total = sum(x, {.axis = axes});
    return operand_as<T>(total);
  }
}

/// An array with a character for each axis. Axes of different arrays with the same character belong together.
template <class T>
struct labelled {
  array<T> values;
  std::string labels;
};

inline bool has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

/// A view with the axes in the order of these labels, all of which x has.
template <class T>
array<T> in_order(const labelled<T>& x, const std::string& labels) {
  view_layout layout{0, {}, {}};
  for (const char label : labels) {
    const std::size_t d = x.labels.find(label);
    layout.shape.push_back(x.values.shape()[d]);
    layout.strides.push_back(x.values.element_strides()[d]);
  }
  return x.values.view(layout);
}

/// A view with the axes in the order of these labels; a label that x lacks becomes an axis of size 1.
template <class T>
array<T> stretched_to(const labelled<T>& x, const std::string& labels) {
  view_layout layout{0, {}, {}};
  for (const char label : labels) {
    const std::size_t d = x.labels.find(label);
    layout.shape.push_back(d == std::string::npos ? 1 : x.values.shape()[d]);
    layout.strides.push_back(d == std::string::npos ? 0 : x.values.element_strides()[d]);
  }
  return x.values.view(layout);
}

/// Summed over the axes whose labels are not among those to keep.
template <class T>
labelled<T> summed_to(const labelled<T>& x, const std::string& keep) {
  shape_t axes;
  std::string left;
  for (std::size_t d = 0; d < x.labels.size(); ++d) {
    if (has(keep, x.labels[d])) {
      left += x.labels[d];
    } else {
      axes.push_back(static_cast<index_t>(d));
    }
  }
  if (axes.empty()) return x;
  return {sum_in_type(x.values, axes), left};
}

/// a and b multiplied, and summed over the axes of both whose labels are not among those to keep. Labels that
/// only one of them has are kept.
template <class T>
labelled<T> contract(const labelled<T>& a, const labelled<T>& b, const std::string& keep,
                     const char* function) {
  std::string stacked, rows, columns, inner;
  for (const char label : a.labels)
    (!has(b.labels, label) ? rows : has(keep, label) ? stacked : inner) += label;
  for (const char label : b.labels) {
    if (!has(a.labels, label)) columns += label;
  }
  if (inner.empty()) {
    const std::string all = stacked + rows + columns;
    return {array<T>(stretched_to(a, all) * stretched_to(b, all)), all};
  }
  if (rows.empty() && columns.empty()) {
    shape_t axes;
    for (std::size_t d = stacked.size(); d < stacked.size() + inner.size(); ++d) {
      axes.push_back(static_cast<index_t>(d));
    }
    return {vector_product<T>(in_order(a, stacked + inner), in_order(b, stacked + inner), axes), stacked};
  }
  // The operands become stacks of matrices. The axes that form a matrix's rows, or its columns, are merged into
  // one, which may need a copy.
  const auto sizes = [](const labelled<T>& x, const std::string& labels) {
    shape_t shape;
    for (const char label : labels) shape.push_back(x.values.shape()[x.labels.find(label)]);
    return shape;
  };
  const auto as_matrices = [&](const labelled<T>& x, const std::string& first, const std::string& second) {
    shape_t shape = sizes(x, stacked);
    shape.push_back(element_count(sizes(x, first), function));
    shape.push_back(element_count(sizes(x, second), function));
    return reshaped(in_order(x, stacked + first + second), shape);
  };
  shape_t shape = sizes(a, stacked);
  for (const index_t size : sizes(a, rows)) shape.push_back(size);
  for (const index_t size : sizes(b, columns)) shape.push_back(size);
  const array<T> product =
      make_product<T>(as_matrices(a, rows, inner), as_matrices(b, inner, columns), function).compute();
  return {reshaped(product, shape), stacked + rows + columns};
}

}}}  // namespace gnp::GNP_ABI::detail
