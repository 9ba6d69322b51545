// SPDX-License-Identifier: MIT
// Products of distributed matrices. Over a grid of processes they use SUMMA: panel after panel of the shared
// axis is sent along the rows and the columns of the grid, and each process adds the panels' product to its
// block.
#pragma once

#include <gnp/distributed/reductions.hpp>
#include <gnp/linalg/matmul.hpp>
#include <set>

namespace gnp { inline namespace GNP_ABI {

namespace distributed { namespace detail {

/// Where the blocks of an axis begin, for both numbers of blocks, and where the last one ends.
inline std::vector<index_t> ends_of_panels(index_t length, int first_parts, int second_parts) {
  std::set<index_t> ends = {0, length};
  for (const int parts : {first_parts, second_parts}) {
    for (int p = 0; p < parts; ++p) ends.insert(begin_of_part(length, p, parts));
  }
  return {ends.begin(), ends.end()};
}
inline int part_with(index_t place, index_t length, int parts) {
  int part = 0;
  while (part + 1 < parts && begin_of_part(length, part + 1, parts) <= place) ++part;
  return part;
}

/// The panel of an array's axis that one process of a line has, sent to all processes of the line.
template <element T>
gnp::array<T> panel_of(const group& line, int root, const gnp::array<T>& own, int axis, index_t begin,
                       index_t count, const shape_t& shape) {
  if (line.size() == 1) return gnp::detail::stretch_of(own, axis, begin, count);
  const gnp::array<T> panel(shape, own.device(), "matmul");
  if (line.rank() == root) panel.assign(gnp::detail::stretch_of(own, axis, begin, count));
  broadcast_in_place(line, "matmul", panel, root);
  return panel;
}

/// a and b are cut in both axes by the same grid, and so is the result.
template <element T>
array<T> summa(const array<T>& a, const array<T>& b) {
  const use_device beside(a.device());
  const sharing how(a.among(), {a.shape()[0], b.shape()[1]}, a.natural_layout(), "matmul");
  const index_t depth = a.shape()[1];
  mesh& over = *how.over();
  const gnp::array<T> left = a.local(), right = b.local();
  const shape_t own = how.here().shape();
  gnp::array<T> c = gnp::zeros<T>(own);
  const std::vector<index_t> ends = ends_of_panels(depth, over.columns(), over.rows());
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const index_t begin = ends[i], count = ends[i + 1] - begin;
    const int column = part_with(begin, depth, over.columns()), row = part_with(begin, depth, over.rows());
    const gnp::array<T> of_a =
        panel_of(over.across(), column, left, 1, begin - begin_of_part(depth, column, over.columns()), count,
                 {own[0], count});
    const gnp::array<T> of_b = panel_of(over.down(), row, right, 0,
                                        begin - begin_of_part(depth, row, over.rows()), count, {count, own[1]});
    if (i == 0) {
      c = gnp::matmul(of_a, of_b);
    } else if constexpr (gnp::detail::is_gemm_type_v<T>) {
      c.assign(gnp::matmul(of_a, of_b) + c);
    } else {
      c += gnp::array<T>(gnp::matmul(of_a, of_b));
    }
  }
  return array<T>(how, c);
}

/// The only axis that is cut, by whichever direction of the mesh, or uncut. If two axes are cut, it is neither.
inline int only_cut(const layout& how) {
  if (how.cut_by_rows != uncut && how.cut_by_columns != uncut) return INT_MAX;
  return how.cut_by_rows != uncut ? how.cut_by_rows : how.cut_by_columns;
}

template <element T, class A, class B>
array<T> product(const A& a, const B& b, const group& among) {
  if (a.ndim() != 2 || b.ndim() != 2 || a.shape()[1] != b.shape()[0]) {
    throw shape_error("matmul: distributed matrices of shapes " + to_string(a.shape()) + " " +
                      to_string(b.shape()) + " have no product");
  }
  const auto cut_of = [](const auto& x) {
    if constexpr (array_like<std::remove_cvref_t<decltype(x)>>) {
      return uncut;
    } else {
      return only_cut(x.natural_layout());
    }
  };
  const auto typed = [&among](const auto& x, const layout& how) {
    return distributed::array<T>(laid_out(x.template astype<T>(), among, how, "matmul"));
  };
  const int a_cut = cut_of(a), b_cut = cut_of(b);
  // aT and b are tall: each process multiplies its own rows, and the products are added.
  if (a_cut == 1 && b_cut == 0) {
    const auto left = typed(a, along(1)), right = typed(b, along(0));
    gnp::array<T> part = gnp::matmul(left.local(), right.local());
    among.all_reduce_in_place(part);
    return array<T>(sharing(among, part.shape(), everywhere(), "matmul"), part);
  }
  // b is cut along its columns, and every process has a: nothing is moved.
  if (a_cut == uncut && b_cut == 1) {
    const auto left = typed(a, everywhere()), right = typed(b, along(1));
    return array<T>(sharing(among, {a.shape()[0], b.shape()[1]}, along(1), "matmul"),
                    gnp::array<T>(gnp::matmul(left.local(), right.local())));
  }
  if (b_cut == uncut && a_cut == 0) {
    const auto left = typed(a, along(0)), right = typed(b, everywhere());
    return array<T>(sharing(among, {a.shape()[0], b.shape()[1]}, along(0), "matmul"),
                    gnp::array<T>(gnp::matmul(left.local(), right.local())));
  }
  layout how = grid();
  if constexpr (gnp::detail::is_spread_v<A>) {
    const layout of_a = a.natural_layout();
    how = grid(of_a.rows, of_a.columns);
  }
  return summa(typed(a, how), typed(b, how));
}

}}  // namespace distributed::detail

/// The product of two matrices, or of a matrix and a vector, at least one of which is distributed. The result
/// is cut like a. But if a is cut along its columns and b along its rows, it is in every process.
template <class A, class B>
  requires((detail::spread<A> || detail::spread<B>) && elementwise_like<A> && elementwise_like<B>)
auto matmul(const A& a, const B& b) {
  using T = type_of<promote(A::dtype(), B::dtype())>;
  const distributed::group& among = [&]() -> const distributed::group& {
    if constexpr (detail::spread<A>) {
      return a.among();
    } else {
      return b.among();
    }
  }();
  if (a.ndim() == 1 || b.ndim() == 1) {
    const auto left = a.ndim() == 1 ? a.eval()(newaxis, gnp::all) : a.eval();
    const auto right = b.ndim() == 1 ? b.eval()(gnp::all, newaxis) : b.eval();
    const distributed::array<T> c = distributed::detail::product<T>(left, right, among);
    if (a.ndim() == 1 && b.ndim() == 1) return distributed::array<T>(c(0, 0).copy());
    return distributed::array<T>(a.ndim() == 1 ? c(0).copy() : c(gnp::all, 0).copy());
  }
  return distributed::detail::product<T>(a, b, among);
}

/// The sum of products of two vectors; for matrices, their product.
template <class A, class B>
  requires((detail::spread<A> || detail::spread<B>) && elementwise_like<A> && elementwise_like<B>)
auto dot(const A& a, const B& b) {
  return matmul(a, b);
}

namespace linalg {

/// The Euclidean norm, in one pass over each process's elements.
template <detail::spread X>
auto norm(const X& x, const reduce_options& options = {}) {
  using real = type_of<detail::real_part_of(dtype_of<detail::averaged_type<typename X::value_type>>)>;
  const auto squares =
      sum(square(abs(x.template astype<detail::averaged_type<typename X::value_type>>())), options);
  return distributed::array<real>(sqrt(squares).template astype<real>());
}

}  // namespace linalg
}}  // namespace gnp::GNP_ABI
