// SPDX-License-Identifier: MIT
// Products of many matrices: multi_dot in the order that costs least, matrix_power by squaring.
#pragma once

#include <gnp/linalg/matmul.hpp>
#include <gnp/linalg/solve.hpp>
#include <gnp/routines/creation.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

/// Finds where to split a chain of matrices so that the product takes the fewest multiplications. Matrix i has
/// sizes[i] rows and sizes[i + 1] columns.
class chain_order {
 public:
  explicit chain_order(const std::vector<index_t>& sizes)
      : count_(sizes.size() - 1), split_(count_ * count_), cost_(count_ * count_, 0.0) {
    for (std::size_t length = 2; length <= count_; ++length) {
      for (std::size_t first = 0; first + length <= count_; ++first) {
        const std::size_t last = first + length - 1;
        for (std::size_t middle = first; middle < last; ++middle) {
          const double cost = cost_[first * count_ + middle] + cost_[(middle + 1) * count_ + last] +
                              static_cast<double>(sizes[first]) * static_cast<double>(sizes[middle + 1]) *
                                  static_cast<double>(sizes[last + 1]);
          double& best = cost_[first * count_ + last];
          if (middle != first && cost >= best) continue;
          best = cost;
          split_[first * count_ + last] = middle;
        }
      }
    }
  }
  /// The last matrix of the left half of the chain from `first` to `last`.
  std::size_t split(std::size_t first, std::size_t last) const { return split_[first * count_ + last]; }

 private:
  std::size_t count_;
  std::vector<std::size_t> split_;
  std::vector<double> cost_;
};

template <class T>
array<T> multiply_chain(const std::vector<array<T>>& chain, const chain_order& order, std::size_t first,
                        std::size_t last) {
  if (first == last) return chain[first];
  const std::size_t middle = order.split(first, last);
  return make_product<T>(multiply_chain(chain, order, first, middle),
                         multiply_chain(chain, order, middle + 1, last), "multi_dot")
      .compute();
}

template <class T>
void check_square(const array<T>& a, const char* function) {
  const int rank = a.ndim();
  if (rank >= 2 && a.shape()[rank - 1] == a.shape()[rank - 2]) return;
  throw shape_error(std::string(function) + ": the matrices must be square, got shape " + to_string(a.shape()));
}

/// A stack of identity matrices.
template <class T>
array<T> identities_like(const array<T>& a) {
  const array<T> result(a.shape(), a.device(), "matrix_power");
  const use_device guard(a.device());
  result.assign(eye<T>(a.shape().back()));
  return result;
}

/// a, or each matrix of a stack, to the power `power`.
template <class T>
array<T> nonnegative_power(const array<T>& a, std::uint64_t power) {
  if (power == 0) return identities_like(a);
  array<T> square = a;
  array<T> result = a;
  bool started = false;
  for (; power > 0; power >>= 1) {
    if ((power & 1) != 0) {
      result = started ? array<T>(matmul(result, square)) : square;
      started = true;
    }
    if (power > 1) square = matmul(square, square);
  }
  return result;
}

}  // namespace detail

namespace linalg {

/// The product of two or more matrices, multiplied in the order that costs least. The first and last may be
/// vectors.
template <element T>
array<T> multi_dot(std::vector<array<T>> chain) {
  if (chain.size() < 2) throw shape_error("multi_dot: needs at least two arrays");
  const bool from_row = chain.front().ndim() == 1;
  const bool from_column = chain.back().ndim() == 1;
  if (from_row) chain.front() = detail::with_axis(chain.front(), 0);
  if (from_column) chain.back() = detail::with_axis(chain.back(), 1);
  std::vector<index_t> sizes;
  for (const array<T>& a : chain) {
    if (a.ndim() != 2) {
      throw shape_error(std::string("multi_dot: an array of shape ") + to_string(a.shape()) +
                        ": only the first and the last may be vectors, the others must be matrices");
    }
    if (!sizes.empty() && sizes.back() != a.shape()[0]) {
      throw shape_error(std::string("multi_dot: an array of shape ") + to_string(a.shape()) + " after " +
                        std::to_string(sizes.back()) + " columns");
    }
    if (sizes.empty()) sizes.push_back(a.shape()[0]);
    sizes.push_back(a.shape()[1]);
  }
  const array<T> product = detail::multiply_chain(chain, detail::chain_order(sizes), 0, chain.size() - 1);
  shape_t shape;
  if (!from_row) shape.push_back(sizes.front());
  if (!from_column) shape.push_back(sizes.back());
  return detail::reshaped(product, shape);
}
template <element T>
array<T> multi_dot(std::initializer_list<array<T>> chain) {
  return multi_dot(std::vector<array<T>>(chain));
}
template <array_like X>
X multi_dot(const X& x) {
  static_assert(!array_like<X>, "gnp: multi_dot multiplies two or more arrays: multi_dot(a, b, c)");
  return x;
}
/// The same for arrays and expressions passed one by one; their types may differ.
template <array_like First, array_like Second, array_like... Others>
auto multi_dot(const First& first, const Second& second, const Others&... others) {
  constexpr dtype types[] = {dtype_of<typename Second::value_type>, dtype_of<typename Others::value_type>...};
  constexpr dtype common = [&types] {
    dtype result = dtype_of<typename First::value_type>;
    for (const dtype d : types) result = promote(result, d);
    return result;
  }();
  using T = type_of<common>;
  return multi_dot(std::vector<array<T>>{detail::operand_as<T>(first), detail::operand_as<T>(second),
                                         detail::operand_as<T>(others)...});
}

/// A square matrix, or each matrix of a stack, to the power n. n = 0 gives the identity, n < 0 a power of the
/// inverse.
template <array_like X>
auto matrix_power(const X& x, std::int64_t n) {
  const auto a = x.eval();
  detail::check_square(a, "matrix_power");
  const auto power = n < 0 ? ~static_cast<std::uint64_t>(n) + 1 : static_cast<std::uint64_t>(n);
  if (n < 0) {
    using T = typename X::value_type;
    // (The inverses of integers, half and bfloat16 have another type.)
    if constexpr (std::is_floating_point_v<detail::real_t<T>>) {
      return detail::nonnegative_power(detail::inverse_of(detail::operand_as<T>(a), "matrix_power"), power);
    } else {
      throw dtype_error(std::string("matrix_power: the power ") + std::to_string(n) + " of " +
                        name(dtype_of<T>) +
                        " matrices has other elements: convert with astype<double>() first");
    }
  }
  return detail::nonnegative_power(a, power);
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI
