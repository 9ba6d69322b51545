// SPDX-License-Identifier: MIT
// x(index) = source: each place gets its element. If several indices refer to the same place, it gets the last
// of their elements.
#pragma once

#include <gnp/exec/gather/scatter_job.hpp>
#include <gnp/exec/gather/select.hpp>
#ifdef GNP_READS_BODIES
#include <gnp/exec/gather/run_scatter.hpp>
#endif

namespace gnp { inline namespace GNP_ABI { namespace detail {

/// The places of the elements of a gather, in row-major order. For an index out of bounds the place is a
/// negative number (`nowhere`); the CPU throws, and a GPU records the error.
template <bool Writable, class T, std::size_t Count, class... Index>
array<std::int64_t> places_of_elements(const gathered<Writable, T, Count, Index...>& x, const char* function) {
  return x.operands().apply(
      [&](const table<T>& memory, const position& at, const index_rules<Count>& rules, const Index&... index) {
        index_rules<Count> strict = rules;
        strict.function = function;
        for (scalar::index_facts& f : strict.facts) {
          if (f.beyond == scalar::outside::raise) f.beyond = scalar::outside::leave_out;
        }
        const array<std::int64_t> result(x.shape(), memory.memory.device(), function);
        assign(result, places<Count, Index...>(std::in_place, at, strict, index...), function);
        return result;
      });
}

/// The length of the rows that indices select on the CPU, as in x(rows) = 0 for a matrix: such a row needs only
/// one place. 1 if the elements of the last axis are not always contiguous in memory.
template <bool Writable, class T, std::size_t Count, class... Index>
index_t whole_rows_on_cpu(const gathered<Writable, T, Count, Index...>& x) {
  return x.operands().apply(
      [&](const table<T>& memory, const position& at, const index_rules<Count>&, const Index&... index) {
        const int rank = x.shape().rank();
        if (!memory.memory.device().is_cpu() || rank == 0 || at.strides[rank - 1] != 1) return index_t{1};
        const auto is_same_along_row = [rank](const auto& one) {
          return one.shape().rank() == 0 || (one.shape().rank() == rank && one.shape()[rank - 1] == 1);
        };
        return (is_same_along_row(index) && ...) ? x.shape()[rank - 1] : index_t{1};
      });
}

/// The source in row-major order, converted to the elements' type and broadcast to a shape. A single element
/// stays a single element.
template <class T, class X>
array<T> source_of_scatter(const X& source, const shape_t& shape, device where, const char* function) {
  if constexpr (scalar_like<X>) {
    const array<T> one(shape_t{}, where, function);
    assign(one, source, function);
    return one;
  } else {
    if constexpr (is_array_v<X> && std::is_same_v<typename X::value_type, T>) {
      require_same_device(function, where, source.device());
      if (source.shape() == shape && source.is_contiguous()) return source;
    }
    const array<T> all(source.size() == 1 && source.shape().rank() <= shape.rank() ? shape_t{} : shape, where,
                       function);
    if (all.ndim() == 0 && source.shape().rank() > 0) {
      assign(all.view({0, source.shape(), shape_t(source.shape().size(), 1)}), source, function);
    } else {
      assign(all, source, function);
    }
    return all;
  }
}

template <class T>
void scatter(const array<T>& memory, const array<std::int64_t>& places, const array<T>& values, bool may_repeat,
             index_t length = 1) {
  const scatter_job s{reinterpret_cast<char*>(memory.data()),
                      memory.block().get(),
                      static_cast<int>(sizeof(T)),
                      reach_of(memory),
                      places,
                      reinterpret_cast<const char*>(values.data()),
                      values.block().get(),
                      values.ndim() == 0,
                      may_repeat && values.ndim() > 0,
                      length};
  run(s);
}

/// The values, copied if they are in the memory block that is written, because writing must not change what is
/// still to be read.
template <class T, class U>
array<T> apart(const array<T>& values, const array<U>& memory) {
  return values.block().get() == memory.block().get() ? values.copy() : values;
}

/// Calls f(i, place of element i) for the elements that one array of indices names on the CPU, in order. All
/// indices are looked at before the first call. False where this is another case.
template <bool Writable, class T, std::size_t Count, class... Index, class F>
bool for_single_places_on_cpu(const gathered<Writable, T, Count, Index...>& x, const char* function,
                              const F& f) {
  if constexpr (Count == 1 && (is_array_v<Index> && ...)) {
    return x.operands().apply([&](const table<T>& to, const position& at, const index_rules<1>& rules,
                                  const auto& index) {
      if (!are_single_places_on_cpu(at, rules, index) || extents_overlap(view_of(index), view_of(to.memory)))
        return false;
      index_rules<1> named = rules;
      named.function = function;
      if (check_places_on_cpu(at, named, index)) {
        for_places_within_on_cpu(at, named, index, f);
      } else {
        for_places_on_cpu(at, named, index, f);
      }
      return true;
    });
  } else {
    return false;
  }
}

/// Writes values that are in other memory, one for each place or one for all, to such places. False where this
/// is another case.
template <bool Writable, class T, std::size_t Count, class... Index>
bool write_singly_on_cpu(const gathered<Writable, T, Count, Index...>& destination, const array<T>& values,
                         const char* function) {
  if (!values.device().is_cpu()) return false;
  T* const to = item_of<0>(destination.operands()).memory.data();
  const T* const from = values.data();
  if (values.ndim() == 0) {
    const T value = *from;
    return for_single_places_on_cpu(destination, function, [=](index_t, index_t place) { to[place] = value; });
  }
  return for_single_places_on_cpu(destination, function,
                                  [=](index_t i, index_t place) { to[place] = from[i]; });
}

template <bool Writable, class T, std::size_t Count, class... Index, class X>
void write_gathered(const gathered<Writable, T, Count, Index...>& destination, const X& source,
                    const char* function) {
  const array<T>& memory = item_of<0>(destination.operands()).memory;
  check_writable(view_of(memory), function);
  if constexpr (scalar_like<X>) {
    const T value = make_constant<T>(source, function).value;
    T* const to = memory.data();
    if (for_single_places_on_cpu(destination, function, [=](index_t, index_t place) { to[place] = value; }))
      return;
  } else if constexpr (std::is_same_v<X, array<T>>) {
    // (An array that can be read as it is needs no other handle.)
    if (source.shape() == destination.shape() && source.is_contiguous() && source.device().is_cpu() &&
        source.block().get() != memory.block().get() && write_singly_on_cpu(destination, source, function))
      return;
  }
  const array<T> values =
      apart(source_of_scatter<T>(source, destination.shape(), memory.device(), function), memory);
  if (write_singly_on_cpu(destination, values, function)) return;
  if (const index_t run = whole_rows_on_cpu(destination); run > 1) {
    const auto places = places_of_elements(destination(ellipsis, slice(0, 1)), function);
    return scatter(memory, places, values, true, run);
  }
  const array<std::int64_t> places = places_of_elements(destination, function);
  scatter(memory, places, values, true);
}

template <class Op, class... Operands, class X>
void write_selected(const expression<Op, Operands...>& destination, const X& source, const char* function) {
  write_gathered(destination, source, function);
}

}}}  // namespace gnp::GNP_ABI::detail
