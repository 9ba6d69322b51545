// SPDX-License-Identifier: MIT
// Rows of a row program that begin and end within vectors of memory, as rows of odd lengths do, as text. The
// threads of a row take the vectors that lie within it, and each at most one of the elements before and after
// these. Written for the constants of row_program_kernels.hpp, and what is added to its text.
#pragma once

#include <gnp/core/config.hpp>

namespace gnp { inline namespace GNP_ABI { namespace detail {

inline constexpr const char* row_ends_text = R"(
struct row_ends {
  index_t first;    // elements before the row's first vector
  index_t vectors;
  index_t rest;     // elements after the last one
};
template <class T, int Slot> inline row_ends ends_of_row(const arguments& p, const place& start, index_t length) {
  const T* row = reinterpret_cast<const T*>(p.data[Slot]) + offset_of<Slot, run>(p, start);
  row_ends ends_here;
  ends_here.first = static_cast<index_t>(0 - reinterpret_cast<unsigned long long>(row) / sizeof(T)) % vector;
  ends_here.vectors = (length - ends_here.first) / vector;
  ends_here.rest = (length - ends_here.first) % vector;
  return ends_here;
}
// Has this lane one of these elements? Then `at` is its place.
inline bool has_end(const row_ends& r, index_t lane, place& at) {
  const bool before = lane < r.first;
  const bool after = lane >= vector - 1 && lane - (vector - 1) < r.rest;
  const index_t column = before ? lane : after ? r.first + r.vectors * vector + lane - (vector - 1) : 0;
  at.c[rank - 1] = static_cast<offset_t>(column);
  return before || after;
}

template <class T> inline const T (&end_of(const T (&x)[elements_each]))[1] { return reinterpret_cast<const T(&)[1]>(x[items * vector]); }
template <class R, class... X> inline typename R::state with_end(const typename R::state& total, const X&... x) {
  return R::combine(total, batch_of<R>(end_of(x)...));
}

template <class T, int Slot, lane_access Access> inline T loaded_one(const arguments& p, const place& at) {
  const offset_t offset = offset_of<Slot, Access>(p, at);
  if constexpr (Access == counted) return static_cast<long long>(p.data[Slot]) + offset;
  else return reinterpret_cast<const T*>(p.data[Slot])[offset];
}
// A vector of what all rows share, which lies across two vectors of memory: cut out of these, unless they begin or end
// where other memory may be.
template <class T, int Slot> inline pack<T> loaded_between(const arguments& p, const row_arguments& r, const place& at) {
  const T* first = reinterpret_cast<const T*>(p.data[Slot]);
  const T* from = first + at.c[rank - 1];
  const unsigned long long row[2] = {reinterpret_cast<unsigned long long>(first), reinterpret_cast<unsigned long long>(first + r.length)};
  window<sizeof(T), 0, -1> around;
  if (around.within(row, from)) {
    around.load(from);
    around.move();
    return cut<T, 0>(around);
  }
  pack<T> x;
  for (int e = 0; e < vector; ++e) x.v[e] = from[e];
  return x;
}
)";

inline constexpr const char* find_ends_text = R"(  start.c[rank - 1] = 0;
  const row_ends ends_here = ends_of_row<$T, $slot>(p, start, static_cast<index_t>(r.length));
)";
inline constexpr const char* place_after_end_text =
    "    at[i].c[rank - 1] += static_cast<offset_t>(ends_here.first);\n";
inline constexpr const char* place_end_text = R"(  at[items] = start;
  here[items] = has_end(ends_here, lane, at[items]);
)";
inline constexpr const char* load_end_text =
    "  if (here[items]) x$slot[items].v[0] = loaded_one<$type, $slot, $access>(p, at[items]);\n";
inline constexpr const char* value_of_end_text = R"(  if (here[items]) {
    constexpr int i = items, e = 0;
    $values[i * vector] = $compute;
  }
)";
inline constexpr const char* position_of_end_text =
    "  positions_$k[items * vector] = static_cast<offset_t>($positions[items].v[0]);\n";
inline constexpr const char* reduce_end_text =
    "  if (here[items]) t$number[0] = with_end<$name::reducer>(t$number[0], $values);\n";
inline constexpr const char* store_end_text = R"(  if (here[items] && in_range) {
    constexpr int i = items, e = 0;
$shared    pack<value_t> y;
    $value
    reinterpret_cast<value_t*>(p.data[0])[offset_of<0, $access>(p, at[i])] = y.v[0];
  }
)";

}}}  // namespace gnp::GNP_ABI::detail
