// SPDX-License-Identifier: MIT
// block: an array made of blocks, row by row. Each block is written once, directly to its place.
#pragma once

#include <gnp/routines/joining.hpp>

namespace gnp { inline namespace GNP_ABI {
namespace detail {

template <class Rows>
inline constexpr bool is_tuple_of_rows_v = false;
template <class... Row>
inline constexpr bool is_tuple_of_rows_v<std::tuple<Row...>> = (list_of_arrays<Row> && ...);
template <class Rows>
concept range_of_rows =
    std::ranges::range<const Rows> && list_of_arrays<std::ranges::range_value_t<const Rows>>;
/// A list of lists: a std::vector of lists, or a std::tuple if the types of the blocks differ.
template <class Rows>
concept list_of_rows = range_of_rows<Rows> || is_tuple_of_rows_v<Rows>;

template <class Rows>
struct block_element {
  using type = joined_type<std::ranges::range_value_t<const Rows>>;
};
template <class... Row>
struct block_element<std::tuple<Row...>> {
  using type = type_of<promoted_of<array<joined_type<Row>>...>()>;
};

template <class Rows, class F>
void for_each_row(const Rows& rows, const F& f) {
  if constexpr (is_tuple_of_rows_v<Rows>) {
    std::apply([&f](const auto&... row) { (f(row), ...); }, rows);
  } else {
    for (const auto& row : rows) f(row);
  }
}

/// Plans one row of blocks. The blocks get leading axes until they have `rank` dimensions.
GNP_DECLARED join_plan plan_block_row(const part_shapes& known, int rank);

template <class Rows>
auto block_of_rows(const Rows& rows) {
  int rank = 2;
  for_each_row(rows, [&rank](const auto& row) {
    for_each_part(row, [&rank](const auto& part) { rank = (std::max)(rank, part.ndim()); });
  });
  std::vector<shape_t> shapes;
  std::vector<join_plan> plans;
  std::optional<gnp::device> where;
  for_each_row(rows, [&](const auto& row) {
    const part_shapes known(row, "block");
    plans.push_back(plan_block_row(known, rank));
    shapes.push_back(plans.back().shape);
    if (!known.where) return;
    if (where) require_same_device("block", *where, *known.where);
    where = known.where;
  });
  if (shapes.empty()) throw shape_error("block: need at least one array to concatenate");
  join_plan whole;
  whole.added.resize(shapes.size());
  fit_together(whole, shapes, rank - 2, "block");
  const array<typename block_element<Rows>::type> result(whole.shape, where.value_or(default_device()),
                                                         "block");
  index_t start = 0;
  std::size_t i = 0;
  for_each_row(rows, [&](const auto& row) {
    const index_t height = shapes[i][rank - 2];
    join_into(stretch_of(result, rank - 2, start, height), row, part_shapes(row, "block"), plans[i++], "block");
    start += height;
  });
  return result;
}

template <class Row>
auto block_of_row(const Row& row) {
  int rank = 1;
  for_each_part(row, [&rank](const auto& part) { rank = (std::max)(rank, part.ndim()); });
  const part_shapes known(row, "block");
  return join(row, known, plan_block_row(known, rank), "block");
}

}  // namespace detail

/// Blocks side by side along the last axis, and rows of blocks along the axis before it: block({{a, b}, {c,
/// d}}).
template <detail::list_of_rows Rows>
auto block(const Rows& rows) {
  return detail::block_of_rows(rows);
}
template <array_like X>
auto block(std::initializer_list<std::initializer_list<X>> rows) {
  std::vector<std::vector<X>> lists(rows.begin(), rows.end());
  return block(lists);
}
/// Arrays mixed with expressions, with the element type named: block<double>({{a, a + 1}, {a - 1, a}}).
template <element T>
auto block(std::initializer_list<std::initializer_list<array<T>>> rows) {
  std::vector<std::vector<array<T>>> lists(rows.begin(), rows.end());
  return block(lists);
}

/// Catches all other braces, so that the compiler's message says what is wrong.
template <class Nothing = void>
  requires std::is_void_v<Nothing>
array<double> block(std::initializer_list<std::initializer_list<detail::any_part>>) {
  static_assert(!std::is_void_v<Nothing>,
                "gnp: blocks in braces have elements of one type: where they differ, name the type, "
                "gnp::block<double>({{a, b + 1}, {c, d}})");
  return {};
}

/// One row of blocks.
template <detail::list_of_arrays Row>
auto block(const Row& row) {
  return detail::block_of_row(row);
}
/// The same with numbers and vectors among the blocks: block(std::tuple(v, 1.0)).
template <detail::tuple_with_lists Row>
auto block(const Row& row) {
  return detail::block_of_row(detail::as_arrays(row));
}
template <array_like X>
auto block(std::initializer_list<X> row) {
  return block(std::vector<X>(row));
}
template <element T>
auto block(std::initializer_list<array<T>> row) {
  return block(std::vector<array<T>>(row));
}
template <class Nothing = void>
  requires std::is_void_v<Nothing>
array<double> block(std::initializer_list<detail::any_part>) {
  static_assert(!std::is_void_v<Nothing>,
                "gnp: blocks in braces have elements of one type: name it, gnp::block<double>({a, b})");
  return {};
}

// Blocks of several C++ types with elements of one type, with numbers and vectors among them: block({v, 1.0}).
// The bodies are in friends of a class template, as those of hstack are.
#define GNP_BLOCKS_OF(T)                                                \
  array<T> block(std::initializer_list<detail::part_in_braces<T>> row); \
  array<T> block(std::initializer_list<std::initializer_list<detail::part_in_braces<T>>> rows);
GNP_FOR_EACH_ELEMENT_TYPE(GNP_BLOCKS_OF)
#undef GNP_BLOCKS_OF

/// Names nothing: its friends are the bodies of the functions above.
template <class T>
class blocks_of {
  using part = detail::part_in_braces<T>;
  friend array<T> block(std::initializer_list<part> row) { return detail::block_of_row(row); }
  friend array<T> block(std::initializer_list<std::initializer_list<part>> rows) {
    return detail::block_of_rows(rows);
  }
};
#define GNP_BLOCKS_OF(T) template class blocks_of<T>;
GNP_FOR_EACH_ELEMENT_TYPE(GNP_BLOCKS_OF)
#undef GNP_BLOCKS_OF

}}  // namespace gnp::GNP_ABI

#ifdef GNP_READS_BODIES

namespace gnp { inline namespace GNP_ABI { namespace detail {

GNP_INLINE join_plan plan_block_row(const part_shapes& known, int rank) {
  require_parts(known, "block", "concatenate");
  join_plan plan;
  for (const shape_t& shape : known.shapes) {
    shape_t added;
    for (int d = 0; d < rank - shape.rank(); ++d) added.push_back(d);
    plan.added.push_back(added);
  }
  fit_together(plan, known.shapes, rank - 1, "block");
  return plan;
}

}}}  // namespace gnp::GNP_ABI::detail

#endif
