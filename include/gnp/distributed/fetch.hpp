// SPDX-License-Identifier: MIT
// The elements of other processes that an operand needs: neighbours' rows for a shifted view, all parts for
// another layout, none if both sides are shared out alike.
#pragma once

#include <gnp/distributed/array.hpp>
#include <gnp/distributed/exchange.hpp>
#include <gnp/memory/stream.hpp>
#include <gnp/routines/manipulation.hpp>
#include <vector>

namespace gnp { inline namespace GNP_ABI { namespace distributed { namespace detail {

/// The elements of a box, in memory whose elements begin at place `first`.
template <element T>
gnp::array<T> elements_in(const gnp::array<T>& memory, const shape_t& first, const box& wanted) {
  gnp::detail::view_layout layout{.offset = 0, .shape = wanted.shape(), .strides = memory.element_strides()};
  for (int d = 0; d < wanted.rank() && !wanted.is_empty(); ++d)
    layout.offset += (wanted.begin[d] - first[d]) * layout.strides[d];
  return memory.view(layout);
}

/// A box of the result for each process: the places that it needs. Operands may be broadcast to the result.
using boxes_of_all = std::vector<box>;

/// An operand as this process sees it: boxes of its places, and the elements of each.
template <element T>
class fetched {
 public:
  explicit fetched(const shape_t& shape) : shape_(shape) {}
  /// The same array in every process.
  explicit fetched(const gnp::array<T>& same) : shape_(same.shape()) { add(box::of(shape_), same, true); }

  void add(const box& places, const gnp::array<T>& elements, bool is_here) {
    if (!places.is_empty()) pieces_.push_back({places, elements, is_here});
  }
  void cut(cuts& where) const {
    for (const piece& p : pieces_) where.add(p.places, shape_);
  }
  bool is_here(const box& of_result) const { return holder_of(narrowed(of_result, shape_)).is_here; }
  gnp::array<T> at(const box& of_result) const {
    const box wanted = narrowed(of_result, shape_);
    const piece& p = holder_of(wanted);
    return elements_in(p.elements, p.places.begin, wanted);
  }

 private:
  struct piece {
    box places;
    gnp::array<T> elements;
    bool is_here;
  };
  const piece& holder_of(const box& wanted) const {
    for (const piece& p : pieces_) {
      if (p.places.contains(wanted)) return p;
    }
    throw error("distributed: an operand's elements were not fetched");
  }

  shape_t shape_;
  std::vector<piece> pieces_;
};

/// A stream for what moves between processes, so that it runs in parallel with computations.
inline const stream& exchange_stream(gnp::device where) {
  static thread_local std::vector<std::pair<int, std::unique_ptr<stream>>> streams;
  for (const auto& [ordinal, s] : streams) {
    if (ordinal == where.ordinal()) return *s;
  }
  streams.emplace_back(where.ordinal(), std::make_unique<stream>(where));
  return *streams.back().second;
}

/// Everything that the operands of a statement send to other processes and receive from them, in one exchange.
class exchange_of_statement {
 public:
  /// Called by all processes if some process lacks elements of x.
  template <element T>
  void begin(const array<T>& x) {
    among_ = x.among();
    where_ = x.device();
  }
  template <element T>
  void send(int process, const gnp::array<T>& elements) {
    sent_.push_back({process, bytes_of(elements)});
  }
  template <element T>
  void receive(int process, const gnp::array<T>& memory) {
    received_.push_back({process, bytes_of(memory)});
  }
  /// Runs on its own stream, in parallel with what the statement can compute without these elements.
  void run() const {
    if (!among_) return;
    const use_stream beside(exchange_stream(where_));
    exchange_arrays<std::uint8_t>(*among_, "fetch", where_, sent_, received_);
  }

 private:
  template <element T>
  static gnp::array<std::uint8_t> bytes_of(const gnp::array<T>& x) {
    return {x.block(), reinterpret_cast<std::uint8_t*>(x.data()), shape_t{x.nbytes()}, shape_t{1}};
  }

  std::optional<group> among_;
  gnp::device where_ = gnp::device::cpu();
  std::vector<parcel<std::uint8_t>> sent_, received_;
};

/// The elements of an array that this process needs: those that it has, and memory that the exchange will fill.
/// All processes of the group call this with the same `results`.
template <element T>
fetched<T> fetch(const array<T>& x, const boxes_of_all& results, exchange_of_statement& exchange) {
  const group& among = x.among();
  const int self = among.rank();
  fetched<T> brought(x.shape());
  std::vector<box> wanted, owned;
  bool is_all_there = true;
  for (int r = 0; r < among.size(); ++r) {
    wanted.push_back(narrowed(results[static_cast<std::size_t>(r)], x.shape()));
    owned.push_back(x.of(r));
    is_all_there = is_all_there && owned.back().contains(wanted.back());
  }
  const auto at = [](int r) { return static_cast<std::size_t>(r); };
  const box mine = intersection(owned[at(self)], wanted[at(self)]);
  if (!mine.is_empty()) brought.add(mine, x.elements_of(mine), true);
  if (is_all_there) return brought;

  exchange.begin(x);
  for (int r = 0; r < among.size(); ++r) {
    if (r == self || wanted[at(r)].is_empty()) continue;
    for (const int source : x.shared().sources_of(r)) {
      const box piece = intersection(owned[at(self)], wanted[at(r)]);
      if (source == self && !piece.is_empty()) exchange.send(r, ascontiguousarray(x.elements_of(piece)));
    }
  }
  for (const int source : x.shared().sources_of(self)) {
    const box piece = intersection(owned[at(source)], wanted[at(self)]);
    if (source == self || wanted[at(self)].is_empty() || piece.is_empty()) continue;
    const gnp::array<T> memory(piece.shape(), x.device(), "fetch");
    exchange.receive(source, memory);
    brought.add(piece, memory, false);
  }
  return brought;
}

}}}}  // namespace gnp::GNP_ABI::distributed::detail
